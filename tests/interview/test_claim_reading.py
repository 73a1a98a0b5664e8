"""The examiner reads an answer's numbers beside the judge; where it does not, the rules do."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from interviewer.grading.claims.claim import Claim, Measure
from interviewer.grading.claims.reported.record import ReadClaim, ReadClaims, ReadRun
from support.examiners import ScriptedExaminer
from support.rubrics import a_rubric
from support.sessions import begin, hold, outline, reopen

from interviewer.errors import ExaminerError
from interviewer.grading.transcript import Turn
from interviewer.interview import claim_reading, commands, events
from interviewer.interview.consistency import session_ledger
from interviewer.interview.debrief import debrief
from interviewer.interview.events import from_json, to_json
from interviewer.interview.interview import Interview
from interviewer.interview.journal import load
from interviewer.interview.state import SessionState
from interviewer.store.store import Store

PROJECT = a_rubric(kind="project")
DERIVATION = a_rubric(id="a-derivation", kind="derivation")
ESTIMATION = a_rubric(id="an-estimation", kind="estimation")
RUBRICS = {each.id: each for each in (PROJECT, DERIVATION, ESTIMATION)}
SESSION = "5e55107700"
TEXT = "We trained a 7B in four fortnights."
ANSWER = commands.Answer(TEXT)
WORDS = "four fortnights"
DOWN = ExaminerError("The server is down.")


def fortnights(answer: Turn) -> ReadClaims:
    """The duration, which is all that this model reads."""
    start = answer.text.find(WORDS)
    span, value = (start, start + len(WORDS)), 56 * 86400.0
    claim = ReadClaim("duration", value, "fortnights", WORDS, span, value, None)
    return ReadClaims((ReadRun("main", (claim,)),), dropped=2)


def interview(store: Store, examiner: ScriptedExaminer, rubric: str = PROJECT.id) -> Interview:
    return begin(store, [outline(RUBRICS[rubric])], RUBRICS, examiner)


def reads(store: Store) -> list[ReadClaims | None]:
    journal = (recorded.event for recorded in load(store, SESSION).journal)
    return [event.read for event in journal if isinstance(event, events.ClaimsRead)]


def claims(state: SessionState) -> tuple[Claim, ...]:
    return session_ledger(state, RUBRICS).claims


async def test_the_ledger_holds_what_the_model_read(store: Store) -> None:
    examiner = ScriptedExaminer(claims=fortnights)
    held = interview(store, examiner)
    await hold(held, [ANSWER])
    assert [(c.measure, c.text) for c in claims(held.state)] == [(Measure.DURATION, WORDS)]
    assert claims(load(store, SESSION).state) == claims(held.state)
    ((asked, answer, known),) = examiner.read
    assert (asked, answer.text, known) == (PROJECT.question, TEXT, ())


async def test_later_readings_are_told_of_the_runs_before(store: Store) -> None:
    examiner = ScriptedExaminer(claims=fortnights)
    await hold(interview(store, examiner), [ANSWER, commands.Answer("Then 8 of them.")])
    (run,) = examiner.read[1][2]
    assert (run.name, run.figures) == ("main", ("duration: 4 fortnights",))


@pytest.mark.parametrize(
    ("rubric", "text"),
    [(PROJECT.id, "We trained it for long."), (DERIVATION.id, TEXT), (PROJECT.id, "How so?")],
)
async def test_nothing_is_read_where_no_number_can_be_a_claim(
    store: Store, rubric: str, text: str
) -> None:
    examiner = ScriptedExaminer(claims=fortnights)
    await hold(interview(store, examiner, rubric), [commands.Answer(text)])
    assert examiner.read == []
    assert reads(store) == []


async def test_in_an_exercise_only_own_runs_count(store: Store) -> None:
    examiner = ScriptedExaminer(claims=fortnights)
    held = interview(store, examiner, ESTIMATION.id)
    await hold(held, [commands.Answer("6ND gives 1e22, so four fortnights.")])
    assert len(reads(store)) == 1
    assert claims(held.state) == ()


async def test_a_failed_reading_is_marked_and_the_rules_read(store: Store) -> None:
    examiner = ScriptedExaminer(claims=fortnights, fail_claims=[DOWN])
    held = interview(store, examiner)
    seen = await hold(held, [ANSWER])
    assert not any(isinstance(event, events.TurnFailed) for event in seen)
    assert reads(store) == [None]
    assert Measure.PARAMETERS in {claim.measure for claim in claims(held.state)}
    assert any("read by rules" in doubt for doubt in debrief(held.state, RUBRICS).doubts)


async def test_a_reading_that_takes_longer_than_the_rest_is_given_up(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(ScriptedExaminer):
        async def read_claims(self, *_: Any) -> ReadClaims:
            await asyncio.sleep(3600)
            raise AssertionError

    monkeypatch.setattr(claim_reading, "PATIENCE", 0.01)
    await hold(interview(store, Slow()), [ANSWER])
    assert reads(store) == [None]


async def test_the_three_calls_start_together(store: Store) -> None:
    begun = asyncio.Event()

    class Noting(ScriptedExaminer):
        async def read_claims(self, *told: Any) -> ReadClaims | None:
            begun.set()
            return await super().read_claims(*told)

    examiner = Noting(claims=fortnights, hold=asyncio.Event())
    held = interview(store, examiner)
    playing = asyncio.ensure_future(hold(held, [ANSWER]))
    await asyncio.wait_for(begun.wait(), 10)
    assert (len(examiner.judged), len(examiner.listened)) == (1, 1)
    assert examiner.hold
    examiner.hold.set()
    await playing


async def test_what_was_read_outlasts_a_judge_that_failed(store: Store) -> None:
    examiner = ScriptedExaminer(claims=fortnights, fail_judge=[DOWN])
    held = interview(store, examiner)
    async for event in held:
        if isinstance(event, events.YourTurn):
            if reads(store) and len(examiner.judged) == 2:
                break
            held.send(ANSWER)
        elif isinstance(event, events.TurnFailed):
            held.send(commands.Retry())
    assert len(examiner.read) == len(reads(store)) == 1


async def test_where_everything_failed_everything_is_tried_again(store: Store) -> None:
    examiner = ScriptedExaminer(claims=fortnights, fail_judge=[DOWN], fail_claims=[DOWN])
    held = interview(store, examiner)
    async for event in held:
        if isinstance(event, events.YourTurn):
            if len(examiner.judged) == 2:
                break
            held.send(ANSWER)
        elif isinstance(event, events.TurnFailed):
            assert reads(store) == []
            held.send(commands.Retry())
    assert reads(store) == [fortnights(examiner.read[0][1])]


@pytest.mark.parametrize("last", ["answer", "judged", "claims_read", "heard"])
async def test_stopped_after_any_event_it_is_read_once(store: Store, last: str) -> None:
    class Crash(Exception):
        pass

    first = ScriptedExaminer(claims=fortnights)
    held = interview(store, first)
    commit = held._commit

    async def crashing(event: events.JournalEvent) -> None:
        await commit(event)
        if event.event == last:
            raise Crash

    held._commit = crashing  # type: ignore[method-assign]
    with pytest.raises(Crash):
        await hold(held, [ANSWER])
    again = ScriptedExaminer(claims=fortnights)
    resumed = reopen(store, SESSION, again)
    await hold(resumed, [])
    assert len(reads(store)) == 1
    assert len(again.read) == (last in ("answer", "judged"))
    assert [claim.text for claim in claims(resumed.state)] == [WORDS]


async def test_a_journal_without_the_event_is_read_by_rules(store: Store) -> None:
    held = interview(store, ScriptedExaminer())
    await hold(held, [ANSWER])
    assert reads(store) == []
    assert Measure.PARAMETERS in {claim.measure for claim in claims(load(store, SESSION).state)}


def test_what_was_read_is_journalled_as_plain_json() -> None:
    stored = (
        '{"event": "claims_read", "turn": 2, "read": {"runs": [{"label": "main", "claims": '
        '[{"measure": "duration", "value": 10.0, "unit": "days", "text": "ten", "span": [0, 3], '
        '"low": 10.0, "high": null, "device": ""}], "stage": "", "circumstances": [], '
        '"replaces": [], "withdrawn": []}], "dropped": 1}}'
    )
    event = from_json(json.loads(stored))
    assert isinstance(event, events.ClaimsRead)
    assert json.dumps(to_json(event), allow_nan=False) == stored


async def test_names_that_this_version_does_not_know_are_passed_over(store: Store) -> None:
    def newer(answer: Turn) -> ReadClaims:
        known = fortnights(answer).runs[0]
        (claim,) = known.claims
        strange = ReadClaim("elegance", 1, "", claim.text, claim.span, 1, 1, "Q1000")
        run = ReadRun("main", (claim, strange), "zen", ("moonlight",), ("elegance",), (strange,))
        return ReadClaims((run,))

    held = interview(store, ScriptedExaminer(claims=newer))
    await hold(held, [ANSWER])
    assert [claim.text for claim in claims(load(store, SESSION).state)] == [WORDS]


async def test_the_candidate_does_not_see_what_was_read(store: Store) -> None:
    seen = await hold(interview(store, ScriptedExaminer(claims=fortnights)), [ANSWER])
    assert not any(isinstance(event, events.ClaimsRead) for event in seen)
    assert len(reads(store)) == 1
