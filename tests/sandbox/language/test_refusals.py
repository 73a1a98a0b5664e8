"""Lines that cannot be read: each gets one sentence that tells how to mend it."""

from __future__ import annotations

import inspect
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import table

from interviewer.sandbox.language import LONGEST_SOURCE, MOST_LINES, read
from interviewer.sandbox.language.functions import SIGNATURES

GIVEN = ("Q", "K", "n", "d", "h")
REFUSED = table("pieces/refused", __file__)
# What half-typed and hostile lines are made of.
PIECES = st.sampled_from(
    [
        *"()[]{}=<>+-*/@^%!?$\\`'\".,:;|&~#_ \n\t\0\u202e\u200b\ud800\u00a0²√πλ",
        "\r\n",
        *("Q", "K", "n", "x = ", "y = ", "dim=", "keepdim=True", "None", "...", " GB", "3", "1e9"),
        *("lambda", "for", "torch.", ".T", ".sum(", "max(", "cat([", 'einsum("ij->ji",', "=="),
        *SIGNATURES,
    ]
)
TYPED = st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=80)


def problem(line: str) -> str:
    derivation = read(line, given=GIVEN)
    assert not derivation.statements
    (found,) = derivation.problems
    assert found.line == 1
    return found.message


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: ascii(case["line"]))
def test_an_odd_line_gets_a_sentence(case: dict[str, str]) -> None:
    message = problem(case["line"])
    assert case["says"].lower() in message.lower()
    assert message.endswith((".", "?", "!"))


@given(TYPED)
def test_no_text_raises_and_every_problem_is_one_printable_sentence(text: str) -> None:
    derivation = read(text, given=GIVEN, banned=("kl",))
    for found in derivation.problems:
        assert found.message.endswith((".", "?", "!"))
        assert found.message.isprintable()
        assert 1 <= found.line <= text.count("\n") + text.count("\r") + 1
    places = [each.line for each in (*derivation.statements, *derivation.problems)]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize(
    "source",
    ["x" * 1_000_000, "a = (" * 2_000_000, "\n" * 1_000_000 + "a = 1"],
)
def test_a_source_that_is_too_long_is_not_read(source: str) -> None:
    (found,) = read(source, given=GIVEN).problems
    assert f"at most {LONGEST_SOURCE}" in found.message


def test_lines_past_the_limit_are_named_once() -> None:
    derivation = read("1 = 1\n" * (MOST_LINES + 5), given=GIVEN)
    assert len(derivation.statements) == MOST_LINES
    (found,) = derivation.problems
    assert found.line == MOST_LINES + 1


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("a = " + "1 + " * 600 + "1", "at most 2000"),
        ("a = " + "Q*" * 300 + "Q", "more than 400 operations"),
        ("a = " + "(" * 60 + "1" + ")" * 60, "nested more than 40 deep"),
        ("a = " + "exp(" * 60 + "1" + ")" * 60, "nested more than 40 deep"),
        ("a = " + "-" * 900 + "1", "nested more than 40 deep"),
        ("a = " + "2**" * 600 + "2", "nested more than 40 deep"),
        ("a = Q" + ".T" * 300, "more than 40 operations in a row"),
        ("a = Q" + "[0]" * 300, "more than 40 operations in a row"),
        ("a = " + "9" * 1900, "1900 characters"),
    ],
    ids=lambda value: value[:24],
)
def test_a_line_that_is_too_large_is_refused(line: str, says: str) -> None:
    assert says.lower() in problem(line).lower()


def test_nested_rows_cannot_add_up_to_a_tree_too_tall_for_json() -> None:
    line = "a = " + "exp(" * 9 + "Q" + (".T" * 39 + ")") * 9
    assert "nested too deeply" in problem(line)


def test_a_full_stack_is_a_sentence_too() -> None:
    line = "a = " + "exp(" * 39 + "1" + ")" * 39

    def from_below(depth: int) -> str:
        return from_below(depth - 1) if depth else problem(line)

    nearly_full = sys.getrecursionlimit() - len(inspect.stack()) - 100
    assert "nested too deeply to be read" in from_below(nearly_full)


BANNED = ("softmax", "T", "matmul", "sqrt", "maximum", "scaled_dot_product_attention")


@pytest.mark.parametrize(
    "line",
    [
        *("softmax(Q, dim=-1)", "F.softmax(Q, dim=-1)", "torch.nn.functional.softmax(Q, -1)"),
        *("Q.softmax(-1)", "softmax", "Q.T", "Qᵀ", "Q.t()", "torch.mm(Q, K)", "√n"),
        *("max(Q, 2 * Q)", "F.scaled_dot_product_attention(Q, K, K)"),
    ],
)
def test_a_banned_function_is_refused_in_every_spelling(line: str) -> None:
    (found,) = read(f"a = {line}", given=GIVEN, banned=BANNED).problems
    assert "may not be used here" in found.message
