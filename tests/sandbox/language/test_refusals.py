"""Lines that cannot be read: each gets one sentence that tells how to mend it."""

from __future__ import annotations

import re

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


@pytest.mark.parametrize(("line", "named"), REFUSED, ids=lambda each: ascii(each))
def test_an_odd_line_gets_a_sentence_about_what_is_odd(line: str, named: str) -> None:
    message = problem(line)
    assert named in message
    assert message.endswith((".", "?", "!"))


@given(TYPED)
def test_no_text_raises_and_every_problem_is_one_printable_sentence(text: str) -> None:
    derivation = read(text, given=GIVEN, banned=("erf",))
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
    assert str(LONGEST_SOURCE) in found.message


def test_lines_past_the_limit_are_named_once() -> None:
    derivation = read("1 = 1\n" * (MOST_LINES + 5), given=GIVEN)
    assert len(derivation.statements) == MOST_LINES
    (found,) = derivation.problems
    assert found.line == MOST_LINES + 1


@pytest.mark.parametrize(
    "line",
    [
        *("1 + " * 600 + "1", "Q*" * 300 + "Q", "(" * 60 + "1" + ")" * 60, "9" * 1900),
        *("exp(" * 60 + "1" + ")" * 60, "-" * 900 + "1", "2**" * 600 + "2"),
        *("Q" + ".T" * 300, "Q" + "[0]" * 300, "exp(" * 9 + "Q" + (".T" * 39 + ")") * 9),
    ],
    ids=lambda value: value[:24],
)
def test_a_line_that_is_too_large_is_refused(line: str) -> None:
    assert re.search("too long|at most", problem(f"a = {line}"))


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
