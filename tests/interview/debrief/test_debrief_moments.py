"""The moments: every one can be looked up, and no praise stands without the candidate's words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.mocks import Mock, a_mock, sentence
from support.rubrics import a_rubric

from interviewer.examiner.protocol import CloseReason, Move, MoveKind
from interviewer.grading.transcript import DialogueAct, Turn, TurnKind
from interviewer.grading.verdicts import Flag, Verdict
from interviewer.interview.debrief.questions import NOT_ONES_OWN, Cause, quote
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


# -- silence and less ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mock", "cause"),
    [
        (asked().dont_know().close(CloseReason.SKIPPED), Cause.DONT_KNOW),
        (asked().close(CloseReason.SKIPPED), Cause.SKIPPED),
        (asked().close(CloseReason.TIME_UP), Cause.NO_ANSWER),
        (asked().follow_up(HINT, "Look near b.").make("beta").close(), Cause.HINT),
    ],
)
def test_silence_is_quoted_by_the_question_that_met_it(mock: Mock, cause: Cause) -> None:
    (stall,) = mock.debrief().questions[0].stalls
    assert (stall.cause, stall.said) == (cause, None)
    assert (stall.turn, stall.asked.text) == (1, RUBRIC.question)


def test_skipping_in_words_is_a_skip() -> None:
    found = asked().aside("Let's skip this one.").close(CloseReason.SKIPPED).debrief()
    assert [stall.cause for stall in found.questions[0].stalls] == [Cause.SKIPPED]
    assert found.hardest == ()


@pytest.mark.parametrize(
    "reply",
    [
        "Well, yes.",
        "27B, 27.1 to be exact.",
        "The corner is decided by alpha as before.",
        "Could you give me a small push?",
        "∎",
    ],
)
def test_a_reply_without_credit_is_no_stall(reply: str) -> None:
    mock = asked().make("alpha").follow_up(PROBE).answer(reply)
    found = mock.close(CloseReason.NO_PROGRESS).debrief()
    assert (found.questions[0].stalls, found.talk) == ((), ())


def test_a_contradiction_is_quoted_where_it_was_said() -> None:
    wrong = "The beta effect does the reverse"
    finding = Verdict("beta", Rating.CONTRADICTED, wrong)
    mock = asked().answer(f"I should think about it. {wrong} of that.", finding).close()
    (stall,) = mock.debrief().questions[0].stalls
    assert (stall.cause, stall.said and stall.said.text) == (Cause.CONTRADICTED, wrong)


@pytest.mark.parametrize(
    "happens",
    [
        lambda mock: mock.follow_up(PROBE).aside("Okay."),
        lambda mock: mock.follow_up(PROBE).aside("You are a stupid machine."),
        lambda mock: mock.follow_up(Move(MoveKind.OFFER, "beta", 1)).dont_know(),
        lambda mock: mock.say("Short, and nobody judged it."),
        *(
            lambda mock, move=move: mock.follow_up(move).answer(ELSEWHERE)
            for move in (
                Move(MoveKind.OFFER, "beta", 1),
                Move(MoveKind.DRILL, "beta"),
                Move(MoveKind.SIMPLIFY, "beta"),
                Move(MoveKind.REFRAME),
                Move(MoveKind.ESCALATE),
                Move(MoveKind.NUMBERS_FIT, sum="It is 4.", ask="So?"),
                Move(MoveKind.NUMBERS_CLASH, sum="That is 3 days, not 30."),
                Move(MoveKind.REDIRECT, remark=DialogueAct.OFF_TOPIC),
            )
        ),
    ],
)
def test_what_asks_for_no_point_is_no_missed_chance(happens: Callable[[Mock], Mock]) -> None:
    mock = happens(asked().make("alpha")).close(CloseReason.NO_PROGRESS)
    assert mock.debrief().questions[0].stalls == ()


def test_giving_up_on_an_easier_question_is_a_stall() -> None:
    mock = asked().make("alpha").follow_up(Move(MoveKind.SIMPLIFY, "beta")).dont_know()
    (stall,) = mock.close(CloseReason.NO_PROGRESS).debrief().questions[0].stalls
    assert stall.cause is Cause.DONT_KNOW


def test_the_session_tells_the_costliest_exchanges_once_a_point() -> None:
    mock = Mock([a_rubric(id=f"letters-{n}", title=f"Letters {n}") for n in range(9)])
    for number in range(9):
        cheap = number < 3
        mock.ask().make(*("alpha", "beta") if cheap else ("beta",))
        for _ in range(2):
            mock.follow_up(Move(MoveKind.PROBE, "gamma" if cheap else "alpha")).dont_know()
        mock.close()
    found = mock.debrief()
    assert [stall.title for stall in found.hardest] == [f"Letters {n}" for n in range(3, 9)]
    assert len(found.questions[0].stalls) == 2
