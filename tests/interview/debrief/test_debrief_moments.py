"""The moments: every one can be looked up, and no praise stands without the candidate's words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.mocks import Mock, a_mock, sentence
from support.rubrics import a_rubric

from interviewer.examiner.protocol import Move, MoveKind
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.grading.verdicts import Flag, Verdict
from interviewer.interview.debrief.questions import NOT_ONES_OWN, quote
from interviewer.rubric.rubric import Rating

RUBRIC = a_rubric()
PROBE = Move(MoveKind.PROBE, "beta")
HINT = Move(MoveKind.HINT, "beta", 1)
ELSEWHERE = "The corner is decided by something else entirely, I believe."


def asked() -> Mock:
    return Mock([RUBRIC]).ask()


# -- praise ------------------------------------------------------------------------------


@pytest.mark.parametrize("span", [(0, 0), (3, 2), (-1, 2), (0, 99), (5, 6), (7, 9)])
def test_a_quote_cannot_be_empty_or_from_elsewhere(span: tuple[int, int]) -> None:
    turn = Turn(2, "candidate", TurnKind.ANSWER, "alpha \u200b\u200b \u202e")
    with pytest.raises(ValueError, match="holds no words"):
        quote(turn, span)


@settings(max_examples=60)
@given(
    st.text(max_size=60),
    st.sampled_from(Rating),
    st.sampled_from(["alpha", "beta", "gamma"]),
    st.frozensets(st.sampled_from(Flag), max_size=2),
)
def test_whatever_is_said_praise_quotes_it_literally(
    text: str, verdict: Rating, name: str, flags: frozenset[Flag]
) -> None:
    said = Verdict(name, verdict, sentence(name))
    mock = asked().answer(f"{text} {sentence(name)}", said, flags=flags).close()
    for strength in mock.debrief().strongest:
        assert strength.quote.author == "candidate"
        assert strength.quote.text in mock.state.questions[0].turns[1].text
        assert sentence(name) in strength.quote.text
        assert verdict is Rating.MET
        assert not flags & NOT_ONES_OWN


def test_the_strongest_turn_made_the_most_weight_without_help() -> None:
    rubrics = [a_rubric(id=f"letters-{n}", title=f"Letters {n}") for n in range(4)]
    made = [("gamma",), ("alpha", "beta"), ("beta",), ("alpha", "beta", "gamma")]
    found = a_mock(*made, rubrics=rubrics).debrief().strongest
    weights = [("Letters 3", 6), ("Letters 1", 5), ("Letters 2", 2)]
    assert [(s.title, s.weight) for s in found] == weights
    assert found[0].quote.text == sentence("alpha")
    assert [claim.split()[1] for claim in found[1].made] == ["alpha", "beta"]


@pytest.mark.parametrize(
    "mock",
    [
        asked().follow_up(HINT, "Look near b.").make("beta"),
        *(asked().make("alpha", flags=frozenset({flag})) for flag in sorted(NOT_ONES_OWN)),
        asked()
        .make("alpha")
        .follow_up(PROBE)
        .answer(ELSEWHERE, Verdict("alpha", Rating.CONTRADICTED, ELSEWHERE)),
    ],
)
def test_what_was_helped_or_not_ones_own_or_taken_back_is_not_praised(mock: Mock) -> None:
    assert mock.close().debrief().strongest == ()
