"""Numbers of a whole session against each other: challenged once, and shown in the debrief."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.closing_statements import CLASHING, EXERCISES, GIVEN
from support.mocks import Mock
from support.rubrics import a_rubric
from support.sessions import begin, hold, outline

from interviewer.examiner.moves import Challenge, SumChallenge
from interviewer.examiner.offline.examiner import OfflineExaminer
from interviewer.interview import commands, events
from interviewer.interview.consistency import (
    contradictions_to_revisit,
    open_contradictions,
    session_ledger,
    standing_contradictions,
)
from interviewer.interview.debrief import debrief
from interviewer.interview.interview import Interview
from interviewer.rubric.rubric import Rubric
from interviewer.store.store import Store

PROJECT = a_rubric(kind="project")
OTHER_PROJECT = a_rubric(id="another-project", kind="project")
CONCEPT = a_rubric(id="a-concept", kind="concept")
ESTIMATION = a_rubric(id="an-estimation", kind="estimation", question=GIVEN)
RUBRICS = {PROJECT.id: PROJECT}
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


def answered(rubric: Rubric, *answers: str) -> Mock:
    """A question of this kind, answered."""
    mock = Mock([rubric])
    mock.ask()
    for answer in answers:
        mock.say(answer)
    return mock


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
    assert {claim.turn for claim in impossible.claims} == {2}
    assert all(claim.text in IMPOSSIBLE for claim in impossible.claims)


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
    (impossible,) = part.claims.impossible
    assert impossible.outcome == "given_up"
    assert any("A100" in claim.text and claim.turn == 2 for claim in impossible.claims)


@pytest.mark.parametrize("said", EXERCISES)
def test_the_numbers_of_an_exercise_are_nobodys_claim(said: str) -> None:
    mock = answered(ESTIMATION, said)
    assert session_ledger(mock.state, mock.rubrics).claims == ()
    assert open_contradictions(mock.state, mock.rubrics) == ()


@pytest.mark.parametrize("said", CLASHING)
def test_numbers_of_a_run_of_their_own_are_claims_on_an_exercise_too(said: str) -> None:
    mock = answered(ESTIMATION, said)
    [sentence] = open_contradictions(mock.state, mock.rubrics)[:1]
    assert sentence.startswith("By your numbers")


def test_a_claim_in_an_exercise_is_quoted_from_where_it_stands() -> None:
    said = "6ND gives 1.7e22. We trained a 70B on 2T tokens."
    mock = answered(ESTIMATION, said)
    found = session_ledger(mock.state, mock.rubrics).claims
    assert [said[slice(*claim.span)] for claim in found] == ["70B", "2T tokens"]


def test_own_numbers_stay_claims_once_the_examiner_takes_them_up() -> None:
    mock = answered(ESTIMATION, "We trained a 70B on 2T tokens.")
    mock.follow_up(Challenge("alpha"), "“2T tokens”, noted. How did that 70B do on 64 GPUs?")
    mock.say("We trained it on 512 GPUs.")
    told = {claim.text for claim in session_ledger(mock.state, mock.rubrics).claims}
    assert told == {"70B", "2T tokens", "512 GPUs"}


def test_numbers_that_the_examiner_brings_up_belong_to_the_exercise() -> None:
    mock = answered(ESTIMATION, "Some days.")
    mock.follow_up(Challenge("alpha"), "And on 96 GPUs, how long would it take then?")
    mock.say("We ran it on 96 GPUs then.")
    assert session_ledger(mock.state, mock.rubrics).claims == ()


@pytest.mark.parametrize("kind", ["derivation", "pseudocode"])
def test_derivations_claim_nothing_at_all(kind: str) -> None:
    mock = answered(a_rubric(kind=kind), IMPOSSIBLE)
    assert session_ledger(mock.state, mock.rubrics).claims == ()


REPEATED = "Yes, that is how it was."
CAUSE = "We restarted it three times, and the log counts from the last restart."


def raised(*rubrics: Rubric, reply: str | None, said: str = IMPOSSIBLE) -> Mock:
    """The first of these rounds, in which a contradiction was raised and replied to."""
    mock = Mock(*([rubric] for rubric in rubrics))
    mock.ask()
    mock.say(said)
    [sentence] = open_contradictions(mock.state, mock.rubrics)
    mock.follow_up(SumChallenge(sentence), f"{sentence} Which of these numbers is off?")
    if reply is not None:
        mock.say(reply)
    mock.close()
    return mock


@pytest.mark.parametrize("reply", [REPEATED, None])
def test_a_contradiction_stands_until_it_is_dealt_with(reply: str | None) -> None:
    mock = raised(PROJECT, reply=reply)
    [standing] = standing_contradictions(mock.state, mock.rubrics)
    assert "5.9e23" in standing.sentence
    assert standing.turn == 3
    assert (standing.reply.text if standing.reply else None) == reply
    assert outcomes(mock) == ["stands"]


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (CAUSE, "explained"),
        ("Sorry, I meant two thousand A100s for three months.", "given_up"),
        ("I take that back.", "given_up"),
        ("That's a mixture of experts.", "explained"),
        ("I don't remember the number of cards.", "given_up"),
    ],
)
def test_what_was_explained_or_taken_back_no_longer_stands(reply: str, outcome: str) -> None:
    mock = raised(PROJECT, CONCEPT, reply=reply)
    assert standing_contradictions(mock.state, mock.rubrics) == ()
    assert outcomes(mock) == [outcome]
    assert mock.debrief().claims.standing == ()
    mock.ask()
    assert contradictions_to_revisit(mock.state, mock.rubrics) == ()


def test_what_stands_may_be_raised_once_more_in_the_last_round() -> None:
    mock = raised(PROJECT, CONCEPT, CONCEPT, reply=REPEATED)
    assert contradictions_to_revisit(mock.state, mock.rubrics) == ()
    mock.ask()
    assert contradictions_to_revisit(mock.state, mock.rubrics) == ()
    mock.say("Nothing on that.")
    mock.close()
    mock.ask()
    [due] = contradictions_to_revisit(mock.state, mock.rubrics)
    mock.follow_up(SumChallenge(due.sentence), f"Earlier: {due.sentence} How do these fit?")
    mock.say(REPEATED)
    assert contradictions_to_revisit(mock.state, mock.rubrics) == ()
    [standing] = standing_contradictions(mock.state, mock.rubrics)
    assert (standing.times, standing.turn) == (2, 3)
    assert outcomes(mock) == ["stands"]


def test_it_may_be_raised_once_more_on_the_candidates_own_work() -> None:
    mock = raised(PROJECT, OTHER_PROJECT, CONCEPT, reply=REPEATED)
    mock.ask()
    assert len(contradictions_to_revisit(mock.state, mock.rubrics)) == 1


def test_not_in_the_round_in_which_it_was_raised() -> None:
    mock = Mock([PROJECT, OTHER_PROJECT])
    mock.ask()
    mock.say(IMPOSSIBLE)
    [sentence] = open_contradictions(mock.state, mock.rubrics)
    mock.follow_up(SumChallenge(sentence), sentence)
    mock.say(REPEATED)
    mock.close()
    mock.ask()
    assert contradictions_to_revisit(mock.state, mock.rubrics) == ()


def test_a_later_reply_still_settles_it() -> None:
    mock = raised(PROJECT, OTHER_PROJECT, reply=REPEATED)
    mock.ask()
    [due] = contradictions_to_revisit(mock.state, mock.rubrics)
    mock.follow_up(SumChallenge(due.sentence), f"Earlier: {due.sentence} How do these fit?")
    mock.say("Sorry, it was two thousand A100s for three months.")
    assert standing_contradictions(mock.state, mock.rubrics) == ()
    assert outcomes(mock) == ["given_up"]


def outcomes(mock: Mock) -> list[str]:
    return [each.outcome for each in mock.debrief().claims.impossible]


NOTES = "I trained a 70B model on 1.4 trillion tokens."


def with_notes(mock: Mock, notes: str) -> Mock:
    mock.state = replace(mock.state, project=notes)
    return mock


@pytest.mark.parametrize(
    ("rubric", "said", "clashes"),
    [
        (CONCEPT, "When we trained that 70B, we had eight A100s for three days.", True),
        (CONCEPT, "Our 70B ran on eight A100s, and it took three days.", True),
        (ESTIMATION, "Our own 70B ran on eight A100s, and it took three days.", True),
        (CONCEPT, "Our 7B ran on eight A100s, and it took three days.", False),
        (CONCEPT, "A 70B on eight A100s takes three days per billion tokens.", False),
        (CONCEPT, "Llama's 70B took three days on eight A100s.", False),
        (ESTIMATION, "With eight A100s the 70B takes three days.", False),
    ],
)
def test_the_notes_and_earlier_rounds_meet_later_answers(
    rubric: Rubric, said: str, clashes: bool
) -> None:
    mock = with_notes(Mock([rubric]), NOTES)
    mock.ask()
    mock.say(said)
    assert bool(open_contradictions(mock.state, mock.rubrics)) is clashes

    mock = Mock([PROJECT], [CONCEPT], [rubric])
    mock.ask()
    mock.say(NOTES)
    mock.close()
    mock.ask()
    mock.say("Nothing on that.")
    mock.close()
    mock.ask()
    mock.say(said)
    assert bool(open_contradictions(mock.state, mock.rubrics)) is clashes
