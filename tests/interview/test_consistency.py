"""Figures of a whole session: objected to once where they clash, and sums where they close."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.mocks import Mock
from support.rubrics import a_criterion, a_rubric
from support.sessions import begin, hold, of_kind, outline, reopen
from support.tables import table

from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import Examiner, Move, MoveKind
from interviewer.grading.claims.quantity import Outcome, Quantity
from interviewer.grading.verdicts import Flag
from interviewer.interview import commands, events
from interviewer.interview.debrief import debrief
from interviewer.interview.debrief.assessment import Impossibility
from interviewer.interview.interview import Interview
from interviewer.interview.numbers import (
    Numbers,
    numbers_in,
    outcome_of,
    raised_contradictions,
    session_ledger,
)
from interviewer.interview.state import SessionState
from interviewer.rubric.rubric import NumberFact, Rubric
from interviewer.store.store import Store

CASES = table("cases", __file__)["consistency"]

PROJECT = a_rubric(kind="project")
OTHER_PROJECT = a_rubric(id="another-project", kind="project")
CONCEPT = a_rubric(id="a-concept", kind="concept")
ESTIMATION = a_rubric(
    id="an-estimation",
    kind="estimation",
    question="You train a 7B model on 400B tokens with 128 A100s. Estimate how long it takes.",
)
RUBRICS = {each.id: each for each in (PROJECT, OTHER_PROJECT, CONCEPT)}
IMPOSSIBLE = "We trained a 70B model on 1.4 trillion tokens with eight A100s in three days."
SIZE = "We trained a 70B model on 1.4 trillion tokens."
CLUSTER = "That run took three days on eight A100s."
REPEATED = "Yes, that is how it was."
CAUSE = "The three days only count from the last restart, because it crashed before."
MENDED = "Sorry, I meant two thousand A100s for three months."


def interview(
    store: Store, *rubrics: str, examiner: Examiner | None = None, follow_ups: int = 4
) -> Interview:
    rounds = [outline(RUBRICS[each], follow_ups=follow_ups) for each in rubrics]
    return begin(store, rounds, RUBRICS, examiner or OfflineExaminer())


def objections(seen: list[events.Event]) -> list[events.FollowUpAsked]:
    asked = of_kind(seen, events.FollowUpAsked)
    return [event for event in asked if event.move.kind is MoveKind.NUMBERS_CLASH]


def said(*texts: str) -> list[commands.Command]:
    return [commands.Answer(text) for text in texts]


def impossible(held: Interview) -> tuple[Impossibility, ...]:
    return debrief(held.state, held.rubrics).claims.impossible


def outcomes(of: Mock | Interview) -> list[Outcome]:
    told = session_ledger(of.state, of.rubrics)
    return [outcome_of(each, told, of.state.marks) for each in raised_contradictions(of.state)]


# -- in a session ----------------------------------------------------------------------


async def test_an_impossible_run_is_objected_to_with_its_sum_once(store: Store) -> None:
    held = interview(store, PROJECT.id)
    seen = await hold(held, said(IMPOSSIBLE, "No, that is how it was.", REPEATED))
    (objection,) = objections(seen)
    assert "5.9e23" in objection.text
    assert objection.text.count("?") == 1
    assert numbers_in(held.state, RUBRICS).impossible == ()
    (found,) = impossible(held)
    assert found.challenged == objection.turn
    assert {figure.turn for figure in found.claims} == {2}
    assert all(figure.text in IMPOSSIBLE for figure in found.claims)


@pytest.mark.parametrize("rubrics", [(PROJECT.id, CONCEPT.id), (CONCEPT.id, PROJECT.id)])
async def test_one_planted_over_two_questions_is_raised_first_and_told(
    store: Store, rubrics: tuple[str, str]
) -> None:
    rounds = [outline(*(RUBRICS[each] for each in rubrics))]
    held = begin(store, rounds, RUBRICS, OfflineExaminer())
    rest = f"Our 70B took three days on eight A100s. {CLUSTER}"
    seen = await hold(held, [*said(SIZE), commands.Skip(), *said(rest, REPEATED)])
    (objection,) = objections(seen)
    after = next(e for e in seen if isinstance(e, events.AnswerGiven) and e.text == rest)
    assert objection.turn == after.turn + 1
    assert "5.9e23" in objection.text
    (found,) = impossible(held)
    assert found.challenged == objection.turn
    assert {figure.turn for figure in found.claims} == {2, after.turn}


async def test_it_is_raised_once_though_the_follow_ups_are_used_up(store: Store) -> None:
    held = interview(store, PROJECT.id, CONCEPT.id, follow_ups=0)
    seen = await hold(held, said(IMPOSSIBLE, REPEATED, "Nothing to add here."))
    (objection,) = objections(seen)
    assert [each.turn for each in of_kind(seen, events.QuestionAsked)] == [1, objection.turn + 2]
    assert outcomes(held) == ["stands"]


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (CAUSE, "explained"),
        (MENDED, "given_up"),
        ("I take that back.", "given_up"),
        ("I don't remember the number of cards.", "given_up"),
        (REPEATED, "stands"),
    ],
)
async def test_the_reply_decides_its_outcome(store: Store, reply: str, outcome: Outcome) -> None:
    held = interview(store, PROJECT.id, CONCEPT.id)
    seen = await hold(
        held, [*said(IMPOSSIBLE, reply), commands.Skip(), *said("Others used it, too.")]
    )
    (first,) = objections(seen)
    assert first.move.kind is MoveKind.NUMBERS_CLASH
    assert outcomes(held) == [outcome]
    is_open = outcome == "stands"
    assert len(impossible(held)) == is_open
    flags = [question.grade.flags for question in held.state.questions if question.grade]
    assert (Flag.FIGURES_OPEN in flags[0]) is is_open
    again = session_ledger(reopen(store, held.session_id, OfflineExaminer()).state, RUBRICS)
    assert again == session_ledger(held.state, RUBRICS)


# -- by hand ---------------------------------------------------------------------------


async def test_a_figure_struck_by_hand_takes_its_contradiction_along(store: Store) -> None:
    held = interview(store, PROJECT.id)
    await hold(held, said(SIZE))
    size = session_ledger(held.state, RUBRICS).quantities[0]
    held = reopen(store, held.session_id, OfflineExaminer())
    seen = await hold(held, [commands.MarkFigure(size.turn, size.span[0]), *said(CLUSTER)])
    assert objections(seen) == []
    (mark,) = of_kind(seen, events.FigureMarked)
    assert mark.mark.value is None
    told = debrief(held.state, RUBRICS).claims
    assert size.text not in {each.text for each in told.own}
    assert told.impossible == ()
    assert reopen(store, held.session_id, OfflineExaminer()).state.marks == held.state.marks


def impossible_mock(*rubrics: Rubric) -> tuple[Mock, dict[str, Quantity]]:
    """An impossible run was told on the first of these questions, a round each."""
    mock = Mock(*([rubric] for rubric in rubrics or (PROJECT,))).ask().say(IMPOSSIBLE)
    return mock, {each.text: each for each in figures(mock)}


def figures(mock: Mock) -> tuple[Quantity, ...]:
    return session_ledger(mock.state, mock.rubrics).quantities


def numbers(mock: Mock) -> Numbers:
    return numbers_in(mock.state, mock.rubrics)


# -- whose figures ----------------------------------------------------------------------


@pytest.mark.parametrize("text", CASES["exercise"])
def test_figures_of_an_exercise_are_nobodys(text: str) -> None:
    mock = Mock([ESTIMATION]).ask().say(text)
    assert figures(mock) == ()
    assert numbers(mock).sentences == ()


def test_a_run_of_their_own_counts_on_an_exercise_too_and_is_quoted_from_where_it_stands() -> None:
    text = "6ND gives 1.7e22. At my last company we trained a 70B on 2T tokens on 64 H100s."
    mock = Mock([ESTIMATION]).ask().say(f"{text} That took two weeks.")
    assert [text[slice(*each.span)] for each in figures(mock)][:2] == ["70B", "2T tokens"]
    assert len(numbers(mock).impossible) == 1


# -- raised again -----------------------------------------------------------------------


def test_it_is_not_raised_again_on_another_question_or_once_it_is_settled() -> None:
    mock = Mock([PROJECT, OTHER_PROJECT], [CONCEPT]).ask().say(IMPOSSIBLE).object()
    mock.say(REPEATED).close().ask()
    assert numbers(mock).impossible == ()
    mock.say(IMPOSSIBLE)  # the same again is the same objection
    assert len(mock.debrief().claims.impossible) == 1
    settled, _ = impossible_mock(PROJECT, CONCEPT)
    settled.object().say(CAUSE).close().ask()
    assert numbers(settled).sentences == ()


def test_two_objections_are_enough_on_one_question() -> None:
    mock, _ = impossible_mock()
    for sentence in ("This is off.", "So is that."):
        mock.follow_up(Move(MoveKind.NUMBERS_CLASH, sum=sentence), sentence).say(REPEATED)
    assert numbers(mock).impossible == ()


@pytest.mark.parametrize("said_again", ["Yes, eight A100s.", f"As I said: {IMPOSSIBLE}"])
@pytest.mark.parametrize("reply", [REPEATED, CAUSE])
def test_figures_said_again_raise_nothing_again(said_again: str, reply: str) -> None:
    mock, _ = impossible_mock()
    mock.object().say(reply).follow_up(Move(MoveKind.PROBE, "alpha")).say(said_again)
    assert numbers(mock).impossible == ()
    assert outcomes(mock) == ["stands" if reply == REPEATED else "explained"]
    assert len(figures(mock)) == 4


# -- journals of earlier versions --------------------------------------------------------


def earlier_mock(reply: str | None, *, raised: bool = True) -> Mock:
    """A session from before figures were journalled; its objection has no places."""
    mock = Mock([PROJECT], [CONCEPT]).ask().answer(IMPOSSIBLE)
    if raised:
        sentence = "By your numbers this run needs 5.9e23 FLOPs."
        move = Move(MoveKind.NUMBERS_CLASH, sum=sentence)
        mock.follow_up(move, f"{sentence} How do you square that?")
        if reply is not None:
            mock.answer(reply)
    mock.close()
    mock.state = without_readings(mock)
    return mock


def without_readings(mock: Mock) -> SessionState:
    rounds = tuple(
        replace(each, questions=tuple(replace(q, readings=()) for q in each.questions))
        for each in mock.state.rounds
    )
    return replace(mock.state, rounds=rounds)


def test_an_earlier_session_shows_its_figures_and_no_contradiction_that_was_not_raised() -> None:
    told = earlier_mock(None, raised=False).debrief().claims
    assert (len(told.made), told.impossible) == (4, ())


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (None, "stands"),
        (REPEATED, "stands"),
        (CAUSE, "explained"),
        (MENDED, "given_up"),
        ("I take that back.", "given_up"),
    ],
)
def test_what_was_raised_in_an_earlier_session_is_told_with_its_outcome(
    reply: str | None, outcome: Outcome
) -> None:
    mock = earlier_mock(reply)
    assert outcomes(mock) == [outcome]
    told = [each.challenged for each in mock.debrief().claims.impossible]
    assert told == ([3] if reply and outcome == "stands" else [])


def test_quantities_of_another_table_are_passed_over() -> None:
    strange = Quantity("elegance", 3.0, "", "three", 2, (0, 5))
    known = impossible_mock()[0].state.questions[0].readings[0].reading
    mixed = replace(known, quantities=(strange, *known.quantities))
    mock = Mock([PROJECT]).ask().say(IMPOSSIBLE, mixed)
    assert "elegance" not in {each.measure for each in figures(mock)}
    assert len(numbers(mock).impossible) == 1


# -- sums that close ------------------------------------------------------------------


SUMS = table("cases", __file__)["closing_sums"]

GIVEN = "You train a 7B model on 400B tokens with 128 A100s. Estimate how long it takes."
BY_KIND = {
    kind: a_rubric(id=f"a-{kind}", kind=kind, question=GIVEN if kind == "estimation" else "Well?")
    for kind in ("project", "concept", "estimation", "derivation")
}
PROBE = Move(MoveKind.PROBE, "alpha")
WHOLE = "We trained a 7B on 400B tokens with 128 A100s in twelve days."


def asked(*rubrics: Rubric) -> Mock:
    """One round for each of these, the first question posed."""
    return Mock(*([rubric] for rubric in rubrics)).ask()


def closing(mock: Mock) -> tuple[Move, ...]:
    return numbers_in(mock.state, mock.rubrics).closing


def sentences(mock: Mock) -> list[str]:
    return [each.sum for each in closing(mock)]


def sums_on(kind: str, answer: str) -> list[str]:
    return sentences(asked(BY_KIND[kind]).say(answer))


@pytest.mark.parametrize(("kind", "answer", "says"), SUMS["close"])
def test_own_figures_that_suffice_close(kind: str, answer: str, says: str) -> None:
    assert any(says in each for each in sums_on(kind, answer))


@pytest.mark.parametrize(("kind", "answer"), SUMS["silent"])
def test_nothing_is_said_on_other_figures(kind: str, answer: str) -> None:
    assert sums_on(kind, answer) == []


def test_only_what_the_latest_answer_completes_and_each_once_in_a_session() -> None:
    mock = asked(BY_KIND["project"], BY_KIND["concept"])
    assert sentences(mock) == []
    first = sentences(mock.say(WHOLE))[0]
    mock.follow_up(PROBE).say("The learning rate was 3e-4.")
    assert sentences(mock) == []
    mock.follow_up(PROBE, f"{first} What limited it?").say(f"As I said. {WHOLE}")
    assert first not in sentences(mock)
    mock.close()
    assert sentences(mock) == []
    assert first not in sentences(mock.ask().say(WHOLE))
    mock.follow_up(PROBE).dont_know()
    assert sentences(mock) == []


def test_a_number_that_the_question_asks_for_is_not_given_away() -> None:
    criterion = a_criterion("alpha", numbers=(NumberFact(value=41, unit="%", rel=0.03),))
    rubric = a_rubric(criterion, id="mfu", kind="concept")
    said = sentences(asked(rubric).say(WHOLE))
    assert said
    assert not any("MFU" in each for each in said)
    told = asked(rubric).say("You want to hear about 41%.").follow_up(PROBE).say(WHOLE)
    assert any("MFU" in said for said in sentences(told))


@pytest.mark.parametrize("said", SUMS["implausible"])
def test_no_utilisation_where_it_is_implausible_or_undefined(said: str) -> None:
    assert not any("MFU" in each for each in sums_on("project", said))
