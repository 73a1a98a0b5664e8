"""The card of the language: it is short, and all that it shows can be read."""

from __future__ import annotations

import pytest

from interviewer.sandbox.language import read
from interviewer.sandbox.language.functions import (
    SIGNATURES,
    Completion,
    completions,
    examples,
)

TENSORS = examples("derivation")
NUMBERS = examples("estimation")


@pytest.mark.parametrize("example", [*TENSORS, *NUMBERS], ids=lambda each: each.source[:30])
def test_every_example_is_read(example: object) -> None:
    scalars = example in NUMBERS
    derivation = read(example.source, given=example.given, scalars=scalars)  # type: ignore[attr-defined]
    assert not derivation.problems
    assert 2 <= len(derivation.statements) <= 3


def test_the_names_of_the_task_come_first_and_hide_a_function_of_their_name() -> None:
    own = [Completion("summary", "summary", ""), Completion("sum", "sum [n]", "mine")]
    found = completions("su", own)
    assert [each.text for each in found] == ["summary", "sum"]


def test_what_is_banned_is_not_offered() -> None:
    assert "softmax" in [each.text for each in completions("so", [])]
    assert "softmax" not in [each.text for each in completions("so", [], ["softmax"])]


def test_every_usage_names_its_function_or_stands_for_it() -> None:
    stand_ins = {"pow": "x ** y", "matmul": "x @ y", "logical_not": "~x"}
    for name in SIGNATURES:
        [usage] = [each.usage for each in completions(name[:-1], []) if each.text == name] or [""]
        assert not usage or usage == stand_ins.get(name) or usage.startswith(f"{name}(")
