"""The card of the language: it is short, and all that it shows can be read."""

from __future__ import annotations

import pytest

from interviewer.sandbox.language import expression, read
from interviewer.sandbox.language.functions import SIGNATURES, Example, examples

TENSORS = examples("derivation")
NUMBERS = examples("estimation")


@pytest.mark.parametrize("example", [*TENSORS, *NUMBERS], ids=lambda each: each.source[:30])
def test_every_example_is_read(example: Example) -> None:
    derivation = read(example.source, given=example.given, scalars=example in NUMBERS)
    assert not derivation.problems
    assert 2 <= len(derivation.statements) <= 3


@pytest.mark.parametrize("signature", SIGNATURES.values(), ids=list(SIGNATURES))
def test_every_usage_can_be_written(signature: object) -> None:
    names = ["x", "y", "n", "m", "p", "q", "low", "high", "condition", "mask", "value"]
    expression(signature.example, names)  # type: ignore[attr-defined]
