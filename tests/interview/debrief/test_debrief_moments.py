"""The moments: every one can be looked up, and no praise stands without the candidate's words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.mocks import Mock, a_mock, met, sentence
from support.rubrics import a_rubric

from interviewer.examiner.protocol import CloseReason, Move, MoveKind
from interviewer.grading.transcript import DialogueAct, Turn, TurnKind
from interviewer.grading.verdicts import Flag, Verdict
from interviewer.interview import events
from interviewer.interview.debrief import Debrief
from interviewer.interview.debrief.questions import NOT_ONES_OWN, Cause, Stall, quote
from interviewer.rubric.rubric import Rating

RUBRIC = a_rubric()
PROBE = Move(MoveKind.PROBE, "beta")
HINT = Move(MoveKind.HINT, "beta", 1)


def asked() -> Mock:
    mock = Mock([RUBRIC])
    mock.ask()
    return mock


def only_stall(mock: Mock) -> Stall:
    (stall,) = mock.debrief().rounds[0].questions[0].stalls
    return stall


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
    mock = asked()
    mock.answer(f"{text} {sentence(name)}", Verdict(name, verdict, sentence(name)), flags=flags)
    mock.close()
    for strength in mock.debrief().strongest:
        assert strength.quote.author == "candidate"
        assert strength.quote.text in mock.state.questions[0].turns[1].text
        assert sentence(name) in strength.quote.text
        assert verdict is Rating.MET
        assert not flags & NOT_ONES_OWN


def test_the_strongest_turn_made_the_most_weight_without_help() -> None:
    rubrics = [a_rubric(id=f"letters-{n}", title=f"Letters {n}") for n in range(4)]
    made = [("gamma",), ("alpha", "beta"), ("beta",), ("alpha", "beta", "gamma")]
    found = a_mock(*made, rubrics=rubrics).debrief()
    assert [(s.title, s.weight) for s in found.strongest] == [
        ("Letters 3", 6),
        ("Letters 1", 5),
        ("Letters 2", 2),
    ]
    assert found.strongest[0].quote.text == sentence("alpha")
    assert [claim.split()[1] for claim in found.strongest[1].made] == ["alpha", "beta"]


def test_a_point_made_with_help_is_no_strength() -> None:
    mock = asked()
    mock.follow_up(HINT, "Look near b.")
    text, findings = met("beta")
    mock.answer(text, *findings)
    mock.close()
    assert mock.debrief().strongest == ()


@pytest.mark.parametrize("flag", sorted(NOT_ONES_OWN))
def test_an_answer_that_is_not_ones_own_is_not_praised(flag: Flag) -> None:
    mock = asked()
    text, findings = met("alpha")
    mock.answer(text, *findings, flags=frozenset({flag}))
    mock.close()
    assert mock.debrief().strongest == ()


def test_a_point_taken_back_later_is_not_praised() -> None:
    mock = asked()
    text, findings = met("alpha")
    mock.answer(text, *findings)
    mock.follow_up(PROBE)
    wrong = "On second thoughts the alpha effect does nothing at all."
    mock.answer(wrong, Verdict("alpha", Rating.CONTRADICTED, wrong))
    mock.close()
    assert mock.debrief().strongest == ()


# -- silence and less ----------------------------------------------------------------------


def dont_know(mock: Mock) -> None:
    mock.dont_know()
    mock.close(CloseReason.SKIPPED)


def skip(mock: Mock) -> None:
    mock.close(CloseReason.SKIPPED)


def run_out_of_time(mock: Mock) -> None:
    mock.close(CloseReason.TIME_UP)


def take_a_hint(mock: Mock) -> None:
    mock.follow_up(HINT, "Look near b.")
    text, findings = met("beta")
    mock.answer(text, *findings)
    mock.close()


@pytest.mark.parametrize(
    ("happens", "cause"),
    [
        (dont_know, Cause.DONT_KNOW),
        (skip, Cause.SKIPPED),
        (run_out_of_time, Cause.NO_ANSWER),
        (take_a_hint, Cause.HINT),
    ],
)
def test_silence_is_quoted_by_the_question_that_met_it(
    happens: Callable[[Mock], None], cause: Cause
) -> None:
    mock = asked()
    happens(mock)
    stall = only_stall(mock)
    assert stall.cause is cause
    assert stall.said is None
    assert stall.asked.text == RUBRIC.question
    assert stall.turn == 1


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
    mock = asked()
    text, findings = met("alpha")
    mock.answer(text, *findings)
    mock.follow_up(PROBE)
    mock.answer(reply, *findings[1:])
    mock.close(CloseReason.NO_PROGRESS)
    found = mock.debrief()
    assert found.questions[0].stalls == ()
    assert found.talk == ()


def test_a_contradiction_is_quoted_where_it_was_said() -> None:
    mock = asked()
    text = "I should think about it. The beta effect does the reverse of that."
    quote = "The beta effect does the reverse"
    mock.answer(text, Verdict("beta", Rating.CONTRADICTED, quote))
    mock.close()
    stall = only_stall(mock)
    assert stall.cause is Cause.CONTRADICTED
    assert stall.said is not None
    assert stall.said.text == quote


def test_neither_redirections_nor_sums_nor_harder_variants_are_missed_chances() -> None:
    mock = asked()
    text, findings = met("alpha", "beta", "gamma")
    mock.answer(text, *findings)
    for move in (
        Move(MoveKind.ESCALATE),
        Move(MoveKind.NUMBERS_CLASH, sum="That is 3 days, not 30."),
        Move(MoveKind.REDIRECT, remark=DialogueAct.OFF_TOPIC),
    ):
        mock.follow_up(move)
        mock.answer("That is another matter entirely, to my mind at least.")
    mock.close(CloseReason.COVERED)
    assert mock.debrief().rounds[0].questions[0].stalls == ()


def test_an_answer_that_nobody_judged_is_no_stall() -> None:
    mock = asked()
    mock.say("Short.")
    mock.close(CloseReason.INTERVIEW_ENDED)
    assert mock.debrief().rounds[0].questions[0].stalls == ()


def test_the_session_tells_the_costliest_exchanges_once_a_point() -> None:
    rubrics = [a_rubric(id=f"letters-{n}", title=f"Letters {n}") for n in range(9)]
    mock = Mock(rubrics)
    for number in range(9):
        mock.ask()
        text, findings = met("alpha", "beta") if number < 3 else met("beta")
        mock.answer(text, *findings)
        for _ in range(2):
            mock.follow_up(Move(MoveKind.PROBE, "gamma" if number < 3 else "alpha"))
            mock.dont_know()
        mock.close()
    found: Debrief = mock.debrief()
    assert [stall.title for stall in found.hardest] == [f"Letters {n}" for n in range(3, 9)]
    assert len(found.rounds[0].questions[0].stalls) == 2


# -- turns that are no answers -------------------------------------------------------------


def aside(mock: Mock, text: str) -> None:
    mock._tell(events.AnswerGiven(mock.state.turns + 1, text, TurnKind.ASIDE))


def stalls_after(*happens: Callable[[Mock], object]) -> list[Stall]:
    mock = asked()
    text, findings = met("alpha")
    mock.answer(text, *findings)
    for each in happens:
        each(mock)
    mock.close(CloseReason.NO_PROGRESS)
    return list(mock.debrief().rounds[0].questions[0].stalls)


def empty(mock: Mock) -> None:
    mock.answer("The corner is decided by something else entirely, I believe.")


@pytest.mark.parametrize("reply", ["Okay.", "Can you say that again?", "You are a stupid machine."])
def test_an_aside_is_no_stall(reply: str) -> None:
    assert not stalls_after(lambda m: m.follow_up(PROBE), lambda m: aside(m, reply))


@pytest.mark.parametrize(
    "move",
    [
        Move(MoveKind.OFFER, "beta", 1),
        Move(MoveKind.DRILL, "beta"),
        Move(MoveKind.SIMPLIFY, "beta"),
        Move(MoveKind.REFRAME),
        Move(MoveKind.NUMBERS_FIT, sum="It is 4.", ask="So?"),
    ],
)
def test_neither_offers_nor_drills_nor_easier_questions_are_missed_chances(
    move: Move,
) -> None:
    assert not stalls_after(lambda mock: mock.follow_up(move), empty)


def test_giving_up_on_an_easier_question_is_a_stall() -> None:
    found = stalls_after(
        lambda m: m.follow_up(Move(MoveKind.SIMPLIFY, "beta")), lambda m: m.dont_know()
    )
    assert [stall.cause for stall in found] == [Cause.DONT_KNOW]


def test_declining_a_hint_is_no_stall() -> None:
    offer = Move(MoveKind.OFFER, "beta", 1)
    assert not stalls_after(lambda m: m.follow_up(offer), lambda m: m.dont_know())


def test_skipping_in_words_is_a_skip() -> None:
    mock = asked()
    aside(mock, "Let's skip this one.")
    mock.close(CloseReason.SKIPPED)
    assert only_stall(mock).cause is Cause.SKIPPED
    assert mock.debrief().hardest == ()
