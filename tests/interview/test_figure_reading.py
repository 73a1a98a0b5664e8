"""Figures are read with the answer, and are on disk; what could not be read is said."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from pydantic import TypeAdapter
from support.examiners import ScriptedExaminer
from support.rubrics import a_rubric
from support.sessions import begin, hold, of_kind, outline, react, reopen
from support.tables import table

from interviewer.errors import ExaminerError, InterviewerError
from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import AnswerToRead
from interviewer.grading.claims.ledger import ledger
from interviewer.grading.claims.quantity import Quantity, Reading
from interviewer.interview import commands, events
from interviewer.interview.commands import marking
from interviewer.interview.debrief import debrief
from interviewer.interview.events import from_json, to_json, translate
from interviewer.interview.examining import overview
from interviewer.interview.interview import Interview
from interviewer.interview.journal import load
from interviewer.interview.numbers import session_ledger
from interviewer.store.store import Store

CASES = table("cases", __file__)["figure_reading"]

PROJECT = a_rubric(kind="project")
CONCEPT = a_rubric(id="a-concept")
RUBRICS = {each.id: each for each in (PROJECT, CONCEPT)}
SESSION = "5e55107700"
TEXT = "We trained a 7B in four fortnights."
WORDS = "four fortnights"
ANSWER = commands.Answer(TEXT)
DOWN = ExaminerError("The server is down.")


def fortnights(answer: AnswerToRead) -> Reading:
    """The duration, which is all that this model reads."""
    text, turn = answer.turn.text, answer.turn.number
    if WORDS not in text:
        return Reading(turn, by="model")
    span = (text.index(WORDS), text.index(WORDS) + len(WORDS))
    read = Quantity("duration", 56 * 86400.0, "days", WORDS, turn, span, run="main")
    return Reading(turn, (read,), by="model", dropped=2)


def interview(
    store: Store, examiner: ScriptedExaminer | OfflineExaminer, follow_ups: int = 4
) -> Interview:
    return begin(store, [outline(PROJECT, CONCEPT, follow_ups=follow_ups)], RUBRICS, examiner)


def readings(store: Store) -> list[Reading]:
    journal = (recorded.event for recorded in load(store, SESSION).journal)
    return [event.reading for event in of_kind(journal, events.FiguresRead)]


def not_read(held: Interview) -> list[str]:
    return [each for each in debrief(held.state, RUBRICS).doubts if "did not read" in each]


def told(held: Interview) -> list[str]:
    return [each.text for each in session_ledger(held.state, RUBRICS).quantities]


# -- what is read ----------------------------------------------------------------------


async def test_the_ledger_holds_what_was_heard_live_and_resumed(store: Store) -> None:
    examiner = ScriptedExaminer(reads=fortnights)
    held = interview(store, examiner)
    seen = await hold(held, [ANSWER])
    assert told(held) == told(reopen(store, SESSION, examiner)) == [WORDS]
    assert examiner.read == []  # it was listened to
    assert of_kind(seen, events.FiguresRead) == []


async def test_where_nobody_listens_the_figures_alone_are_read(store: Store) -> None:
    examiner = ScriptedExaminer(reads=fortnights)
    held = interview(store, examiner, follow_ups=0)
    await hold(held, [ANSWER])
    (read,) = examiner.read
    assert (read.turn.text, read.asked, read.on_own_work) == (TEXT, PROJECT.question, True)
    assert examiner.listened == []
    assert told(held) == [WORDS]


@pytest.mark.parametrize("last", ["answer", "judged", "figures_read", "heard"])
async def test_stopped_after_any_event_it_has_one_reading(store: Store, last: str) -> None:
    class Crash(Exception):
        pass

    held = interview(store, ScriptedExaminer(reads=fortnights))
    commit = held._commit

    async def crashing(event: events.JournalEvent) -> None:
        await commit(event)
        if event.event == last:
            raise Crash

    held._commit = crashing  # type: ignore[method-assign]
    with pytest.raises(Crash):
        await hold(held, [ANSWER])
    resumed = reopen(store, SESSION, ScriptedExaminer(reads=fortnights))
    await hold(resumed, [])
    assert told(resumed) == [WORDS]


async def test_figures_outlast_a_judge_that_failed(store: Store) -> None:
    held = interview(store, ScriptedExaminer(reads=fortnights, fail_judge=[DOWN]))
    await react(held, {events.YourTurn: ANSWER, events.TurnFailed: []})
    assert [len(each.quantities) for each in readings(store)] == [1]
    assert told(held) == [WORDS]


# -- what could not be read ------------------------------------------------------------


@pytest.mark.parametrize("follow_ups", [0, 4])
async def test_a_failed_reading_is_told_and_not_made_up(store: Store, follow_ups: int) -> None:
    held = interview(store, ScriptedExaminer(fail_figures=[DOWN]), follow_ups)
    seen = await hold(held, [ANSWER])
    (failed,) = of_kind(seen, events.FiguresRead)
    assert (failed.turn, failed.reading.failed) == (2, str(DOWN))
    assert of_kind(seen, events.TurnFailed) == told(held) == []
    assert len(not_read(held)) == 1


# -- the notes -------------------------------------------------------------------------


def with_notes(held: Interview) -> Interview:
    assert held._beginning
    new, event = held._beginning
    held._beginning = new, replace(event, project=f"- {TEXT}")
    return held


async def test_the_notes_are_read_once(store: Store) -> None:
    examiner = ScriptedExaminer(reads=fortnights)
    held = with_notes(interview(store, examiner))
    await hold(held, [commands.Answer("Well, so it was."), commands.Answer("As I said, yes.")])
    resumed = reopen(store, SESSION, examiner)
    await hold(resumed, [commands.Answer("And so on it went.")])
    (read,) = examiner.read
    assert (read.turn.number, read.turn.text, read.on_own_work) == (0, f"- {TEXT}", True)
    assert [each.turn for each in readings(store)] == [0, 2, 4, 6]
    (figure,) = session_ledger(resumed.state, RUBRICS).quantities
    assert (figure.turn, figure.text) == (0, WORDS)


async def test_notes_that_could_not_be_read_are_not_read_unasked(store: Store) -> None:
    class Deaf(ScriptedExaminer):
        async def read_figures(self, answer: AnswerToRead) -> Reading:
            self.read.append(answer)
            raise DOWN

    examiner = Deaf(reads=fortnights)
    held = with_notes(interview(store, examiner))
    two = [commands.Answer("Well, so it was."), commands.Answer("As I said, yes.")]
    seen = await hold(held, two)
    failed = of_kind(seen, events.FiguresRead)
    assert [(each.turn, each.reading.failed) for each in failed] == [(0, str(DOWN))]
    assert [each.turn.number for each in examiner.read] == [0]


# -- by hand ---------------------------------------------------------------------------


async def test_a_mark_is_journalled_and_shown_and_the_words_stay(store: Store) -> None:
    held = interview(store, OfflineExaminer())
    figure = commands.MarkFigure(2, TEXT.index("7B"), 13e9, "13B")
    seen = await hold(held, [ANSWER, figure])
    (marked,) = of_kind(seen, events.FigureMarked)
    assert (marked.mark.value, marked.mark.text, marked.mark.after) == (13e9, "13B", 3)
    after, days = session_ledger(held.state, RUBRICS).quantities
    assert (after.value, after.text) == (13e9, "13B")
    assert held.state.questions[0].turns[1].text == TEXT
    assert isinstance(seen[-1], events.YourTurn)  # nothing was answered
    known = overview(held.state, RUBRICS)
    assert known
    assert known.numbers == (after, days)


def quantity(measure: str, value: float = 64.0) -> Quantity:
    return Quantity(measure, value, "", "64", 2, (7, 9))


@pytest.mark.parametrize(("measure", "typed", "value"), CASES["typed"])
def test_a_value_is_typed_with_its_unit(measure: str, typed: str, value: float) -> None:
    marked = marking((quantity("other"), quantity(measure)), 2, typed)
    assert marked.value == pytest.approx(value)
    assert (marked.turn, marked.start, marked.typed) == (2, 7, typed.strip())


@pytest.mark.parametrize("typed", ["", " Strike "])
def test_without_a_value_the_figure_is_struck(typed: str) -> None:
    assert marking((quantity("gpus"),), 1, typed) == commands.MarkFigure(2, 7)


@pytest.mark.parametrize(("number", "measure", "typed"), CASES["refused"])
def test_what_cannot_be_is_refused_in_a_sentence(number: int, measure: str, typed: str) -> None:
    with pytest.raises(InterviewerError, match=r"\.$"):
        marking((quantity(measure),), number, typed)


# -- the journal -----------------------------------------------------------------------


@pytest.mark.parametrize("stored", CASES["journalled"])
def test_what_was_read_is_journalled_as_plain_json(stored: str) -> None:
    assert json.dumps(to_json(from_json(json.loads(stored))), allow_nan=False) == stored


@pytest.mark.parametrize(
    "damaged", [{}, {"turn": 2, "read": 3}, {"turn": 2, "read": {"runs": [{"claims": [{}]}]}}]
)
def test_a_damaged_entry_of_an_earlier_version_is_told_as_such(damaged: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="claims_read"):
        from_json({"event": "claims_read", **damaged})


# -- journals of earlier versions --------------------------------------------------------

GPUS, TIME = CASES["gpus"], CASES["time"]
GONE = {**GPUS, "measure": "no_longer_known"}


def entry(turn: int, *runs: dict[str, Any]) -> dict[str, Any]:
    read = {"runs": list(runs), "dropped": 1}
    return {"event": "claims_read", "turn": turn, "read": read}


def reading(data: dict[str, Any]) -> Reading:
    today = translate(data)
    assert today["event"] == "figures_read"
    assert today["turn"] == data["turn"]
    found: Reading = TypeAdapter(Reading).validate_python(today["reading"])
    return found


def test_figures_keep_their_words_run_and_device() -> None:
    found = reading(entry(4, {"label": "the 13B", "claims": [GPUS, TIME, GONE], "stage": "sft"}))
    assert (found.turn, found.by, found.failed) == (4, "earlier", "")
    gpus, time = found.quantities
    assert (gpus.measure, gpus.value, gpus.text, gpus.span) == ("gpus", 64, "64 H100s", (3, 11))
    assert (gpus.run, gpus.device, gpus.turn) == ("the 13B", "H100", 4)
    assert (time.unit, time.device, time.status) == ("hours", "", "stands")


def test_what_was_replaced_or_withdrawn_then_no_longer_stands() -> None:
    first = reading(entry(2, {"label": "a", "claims": [GPUS, TIME]}))
    more = {**GPUS, "value": 128.0, "text": "128 H100s"}
    then = {"label": "a", "claims": [more], "replaces": ["gpus"], "withdrawn": [TIME]}
    found = ledger((first, reading(entry(4, then))))
    assert [(each.value, each.status) for each in found.quantities] == [
        (64, "corrected"),
        (1e5, "withdrawn"),
        (128, "stands"),
    ]
