"""Numbers of a whole session against each other: challenged once, and shown in the debrief."""

from __future__ import annotations

from support.rubrics import a_rubric
from support.sessions import begin, hold, outline

from interviewer.examiner.moves import Challenge, SumChallenge
from interviewer.examiner.offline.examiner import OfflineExaminer
from interviewer.interview import commands, events
from interviewer.interview.consistency import open_contradictions, session_ledger
from interviewer.interview.debrief import debrief
from interviewer.interview.interview import Interview
from interviewer.store.store import Store

PROJECT = a_rubric(kind="project")
EXERCISE = a_rubric(id="an-exercise", kind="estimation", question="Estimate the letters, please.")
RUBRICS = {PROJECT.id: PROJECT, EXERCISE.id: EXERCISE}
IMPOSSIBLE = "We trained a 70B model on 1.4 trillion tokens with eight A100s in three days."
SIZE = "We trained a 70B model on 1.4 trillion tokens."
CLUSTER = "That run took three days on eight A100s."


def interview(store: Store, *rubrics: str) -> Interview:
    rounds = [outline(RUBRICS[each]) for each in rubrics]
    return begin(store, rounds, RUBRICS, OfflineExaminer())


def challenges(seen: list[events.Event]) -> list[str]:
    return [
        event.text
        for event in seen
        if isinstance(event, events.FollowUpAsked)
        and isinstance(event.move, Challenge | SumChallenge)
    ]


async def test_an_impossible_run_is_challenged_with_its_sum_once(store: Store) -> None:
    held = interview(store, PROJECT.id)
    seen = await hold(
        held, [commands.Answer(IMPOSSIBLE), commands.Answer("No, that is how it was.")]
    )
    (challenge,) = challenges(seen)
    assert "5.9e23" in challenge
    assert challenge.count("?") == 1
    assert open_contradictions(held.state, RUBRICS) == ()
    part = debrief(held.state, RUBRICS)
    (impossible,) = part.claims.standing
    assert impossible.challenged is not None


async def test_numbers_of_an_earlier_round_are_remembered(store: Store) -> None:
    held = interview(store, PROJECT.id, PROJECT.id)
    first = [commands.Answer(SIZE), commands.Skip()]
    seen = await hold(held, [*first, commands.Answer(CLUSTER), commands.Answer("Yes.")])
    (challenge,) = challenges(seen)
    assert "eight A100" in challenge or "8 A100" in challenge


async def test_a_number_taken_back_is_listed_as_such(store: Store) -> None:
    held = interview(store, PROJECT.id)
    mended = "Sorry, I meant two thousand A100s for three months."
    await hold(
        held, [commands.Answer(IMPOSSIBLE), commands.Answer(mended), commands.EndInterview()]
    )
    part = debrief(held.state, RUBRICS)
    assert part.claims.standing == ()
    assert any("A100" in claim.text for claim in part.claims.retracted)
    assert [each.outcome for each in part.claims.impossible] == ["given_up"]


async def test_the_numbers_of_an_exercise_are_nobodys_claim(store: Store) -> None:
    held = interview(store, EXERCISE.id)
    seen = await hold(held, [commands.Answer(IMPOSSIBLE), commands.Skip()])
    assert challenges(seen) == []
    assert session_ledger(held.state, RUBRICS).claims == ()
