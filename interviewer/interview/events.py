"""Everything a front end can be told, as frozen values.

All but the transient ones are committed to the store before they are yielded, and folding them
(:func:`interviewer.interview.state.apply`) is the only way a session's state comes about, live or
resumed. ``event`` is the word that ``interviewer run --json`` prints.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, assert_never

from pydantic import Field, PlainSerializer, PlainValidator, TypeAdapter

from interviewer.examiner.moves import (
    BenchChallenge,
    Challenge,
    CloseReason,
    Drill,
    Escalate,
    FollowUp,
    Hint,
    NonAnswer,
    PinDown,
    Probe,
    Redirect,
    SumChallenge,
    Tell,
    target_of,
)
from interviewer.examiner.protocol import Persona
from interviewer.grading.score import Grade
from interviewer.grading.transcript import TurnKind
from interviewer.grading.verdicts import CriterionVerdict, Flag
from interviewer.sandbox.result import CheckResult

Mode = Literal["exam", "practice"]


@dataclass(frozen=True)
class _MoveRecord:
    """A follow-up as the journal spells it: one flat object for every kind."""

    kind: TurnKind
    target: str | None = None
    hint_level: int = 0
    sum: str = ""
    remark: NonAnswer | None = None
    why: CloseReason | None = None
    bench: str = ""


_MOVE_RECORD = TypeAdapter(_MoveRecord)


def _move_from_json(value: Any) -> FollowUp:
    """The follow-up of a record; raises ValueError where the record lacks what its kind needs."""
    record = _MOVE_RECORD.validate_python(value)
    target = record.target or ""
    match record.kind:
        case TurnKind.CHALLENGE if record.sum:
            return SumChallenge(record.sum)
        case TurnKind.CHALLENGE if record.bench:
            return BenchChallenge(record.bench, target)
        case TurnKind.HINT:
            return Hint(target, record.hint_level)
        case TurnKind.ESCALATE:
            return Escalate()
        case TurnKind.REDIRECT if record.remark:
            return Redirect(record.remark)
        case kind if kind in _AIMED:
            return _AIMED[kind](target)
        case _:
            raise ValueError(f"no follow-up is stored as {value}")


_AIMED: dict[TurnKind, type[Probe | PinDown | Challenge | Drill | Tell]] = {
    each.kind: each for each in (Probe, PinDown, Challenge, Drill, Tell)
}


def _move_to_json(move: FollowUp) -> dict[str, Any]:
    record = _MoveRecord(move.kind, target_of(move))
    match move:
        case Hint():
            record = replace(record, hint_level=move.level)
        case SumChallenge():
            record = replace(record, sum=move.sentence)
        case BenchChallenge():
            record = replace(record, bench=move.fault)
        case Redirect():
            record = replace(record, remark=move.after)
        case Probe() | PinDown() | Challenge() | Drill() | Escalate() | Tell():
            pass
        case _:
            assert_never(move)
    values: dict[str, Any] = _MOVE_RECORD.dump_python(record, mode="json")
    return values


_JOURNALLED = (PlainValidator(_move_from_json), PlainSerializer(_move_to_json))


def _hidden(move: FollowUp) -> FollowUp:
    """The move without the criterion that it is aimed at."""
    match move:
        case SumChallenge() | Escalate() | Redirect():
            return move
        case _:
            return replace(move, target="")


@dataclass(frozen=True)
class RoundOutline:
    """A round as it was laid out when the session began.

    ``questions`` are the ids of all rubrics that may be asked. In a round with a ladder ``rungs``
    holds the same ids by rung, easiest first, ``start`` is the rung to begin with, from 0, and
    ``asks`` tells how many are asked; 0 stands for all.
    """

    title: str
    persona: Persona
    seconds: int
    follow_ups: int
    questions: tuple[str, ...]
    drills: bool = False
    rungs: tuple[tuple[str, ...], ...] = ()
    start: int = 0
    asks: int = 0

    @property
    def count(self) -> int:
        """How many questions are asked."""
        return self.asks or len(self.questions)


@dataclass(frozen=True)
class SessionStarted:
    """The blueprint: drawn once, never re-drawn on resume.

    ``project`` holds the candidate's notes on a project of their own, "" where they gave none.
    """

    plan: str
    plan_title: str
    mode: Mode
    examiner: str
    rounds: tuple[RoundOutline, ...]
    project: str = ""
    event: Literal["session"] = "session"


@dataclass(frozen=True)
class RoundStarted:
    """Rounds are numbered from 1."""

    round: int
    rounds: int
    title: str
    persona: Persona
    seconds: int
    questions: int
    event: Literal["round"] = "round"


@dataclass(frozen=True)
class QuestionAsked:
    """A new question; ``question`` counts from 1 within the round.

    ``challenge`` is the id of the challenge that can be worked on at the bench, None without one.
    """

    round: int
    question: int
    questions: int
    rubric: str
    title: str
    turn: int
    text: str
    challenge: str | None = None
    event: Literal["question"] = "question"


@dataclass(frozen=True)
class AnswerGiven:
    """The candidate's turn, committed before anyone looked at it. ``text`` is as typed.

    ``bench`` is the turn of the run that it hands in, None for plain words.
    """

    turn: int
    text: str
    kind: Literal[TurnKind.ANSWER, TurnKind.DONT_KNOW] = TurnKind.ANSWER
    cut_off: bool = False
    bench: int | None = None
    event: Literal["answer"] = "answer"


@dataclass(frozen=True)
class BenchRan:
    """A try at the bench with what came of it; no answer. ``source`` is as typed."""

    turn: int
    source: str
    result: CheckResult
    event: Literal["bench"] = "bench"


@dataclass(frozen=True)
class AnswerJudged:
    """Checked verdicts of one look at the question. Kept from the candidate until the debrief."""

    verdicts: tuple[CriterionVerdict, ...]
    examiner: str
    flags: frozenset[Flag] = frozenset()
    ungraded: tuple[tuple[str, str], ...] = ()
    event: Literal["judged"] = "judged"


@dataclass(frozen=True)
class HintRequested:
    """The candidate asked for help."""

    event: Literal["hint_requested"] = "hint_requested"


@dataclass(frozen=True)
class FollowUpAsked:
    """A follow-up in full. ``replaced`` says why the examiner's own wording was not used."""

    turn: int
    text: str
    move: Annotated[FollowUp, *_JOURNALLED]
    examiner: str
    replaced: str = ""
    event: Literal["follow_up"] = "follow_up"


@dataclass(frozen=True)
class HintGiven:
    """A hint, and the share of the point's value that it costs."""

    turn: int
    text: str
    move: Annotated[Hint, *_JOURNALLED]
    price: float
    requested: bool
    event: Literal["hint"] = "hint"


@dataclass(frozen=True)
class QuestionClosed:
    """The question is over; nothing about how it went."""

    round: int
    question: int
    rubric: str
    reason: CloseReason
    event: Literal["question_closed"] = "question_closed"


@dataclass(frozen=True)
class QuestionGraded:
    """The grade, in code. Shown at once in practice, in the debrief in an exam."""

    round: int
    question: int
    grade: Grade
    event: Literal["grade"] = "grade"


RoundEnd = Literal["done", "time_up", "ended", "interview_ended"]
"""Why a round is over; "ended" means that the candidate ended this round."""


@dataclass(frozen=True)
class RoundEnded:
    """All questions are asked, the time is up, or the candidate ended the round."""

    round: int
    reason: RoundEnd
    event: Literal["round_end"] = "round_end"


@dataclass(frozen=True)
class ClockWarning:
    """Minutes left in the round: 5, then 1."""

    round: int
    minutes_left: int
    event: Literal["clock"] = "clock"


@dataclass(frozen=True)
class TimeUp:
    """The round's time is over; what was being typed is taken as the last answer."""

    round: int
    event: Literal["time_up"] = "time_up"


@dataclass(frozen=True)
class Paused:
    """The clock stands; the session can be resumed at this very step."""

    event: Literal["paused"] = "paused"


@dataclass(frozen=True)
class Resumed:
    """Somebody opened the session again."""

    examiner: str
    event: Literal["resumed"] = "resumed"


@dataclass(frozen=True)
class ExaminerChanged:
    """From here on another examiner judges and asks."""

    examiner: str
    about: str
    event: Literal["examiner"] = "examiner"


Stage = Literal["judge", "ask"]


@dataclass(frozen=True)
class TurnFailed:
    """A step did not work. The answer is stored; ``choices`` are retry, offline and pause."""

    stage: Stage
    message: str
    retryable: bool
    choices: tuple[Literal["retry", "offline", "pause"], ...] = ("retry", "offline", "pause")
    event: Literal["error"] = "error"


@dataclass(frozen=True)
class Retried:
    """The failed step is tried again."""

    event: Literal["retry"] = "retry"


@dataclass(frozen=True)
class SessionEnded:
    """The debrief can be read. ``band`` is the mean band, None if nothing could be graded."""

    band: float | None
    graded: int
    ungraded: int
    not_asked: int
    event: Literal["debrief"] = "debrief"


@dataclass(frozen=True)
class Thinking:
    """Transient: the examiner is at work."""

    stage: Stage
    event: Literal["thinking"] = "thinking"


@dataclass(frozen=True)
class Checking:
    """Transient: the bench is at work on the candidate's source; the clock stands."""

    event: Literal["checking"] = "checking"


@dataclass(frozen=True)
class Retrying:
    """Transient: a call failed, ``reason`` says how, and is made again after so many seconds."""

    seconds: float
    reason: str
    event: Literal["retrying"] = "retrying"


@dataclass(frozen=True)
class Delta:
    """Transient: a piece of the follow-up that is being said."""

    text: str
    event: Literal["delta"] = "delta"


@dataclass(frozen=True)
class YourTurn:
    """Transient: the candidate may speak. ``hint_price`` is None when no hint is left."""

    seconds_left: float
    hint_price: float | None
    event: Literal["your_turn"] = "your_turn"


JournalEvent = (
    SessionStarted
    | RoundStarted
    | QuestionAsked
    | AnswerGiven
    | BenchRan
    | AnswerJudged
    | HintRequested
    | FollowUpAsked
    | HintGiven
    | QuestionClosed
    | QuestionGraded
    | RoundEnded
    | ClockWarning
    | TimeUp
    | Paused
    | Resumed
    | ExaminerChanged
    | TurnFailed
    | Retried
    | SessionEnded
)
TransientEvent = Thinking | Checking | Retrying | Delta | YourTurn
Event = JournalEvent | TransientEvent

_JOURNAL: TypeAdapter[JournalEvent] = TypeAdapter(
    Annotated[JournalEvent, Field(discriminator="event")]
)
_ANY: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="event")])


def to_json(event: Event) -> dict[str, Any]:
    """The event as plain JSON values, under its own field names."""
    data: dict[str, Any] = _ANY.dump_python(event, mode="json")
    return {"event": data.pop("event"), **data}


def from_json(data: dict[str, Any]) -> JournalEvent:
    """The event of a journal row; raises pydantic's ValidationError on a damaged one."""
    return _JOURNAL.validate_python(data)


def as_shown(event: Event, mode: Mode) -> Event | None:
    """The event as the candidate may see it now, or None while it is kept back.

    No question is named before it is asked. In an exam no verdict, grade or targeted criterion is
    shown before the debrief; of a run at the bench the lines are, and neither the known wrong
    answer that it matches nor what is still to be asked about it.
    """
    if isinstance(event, AnswerJudged | HintRequested):
        return None
    if isinstance(event, SessionStarted):
        return replace(event, rounds=tuple(replace(each, questions=()) for each in event.rounds))
    if mode == "practice":
        return event
    if isinstance(event, QuestionGraded):
        return None
    if isinstance(event, FollowUpAsked):
        return replace(event, move=_hidden(event.move), replaced="")
    if isinstance(event, BenchRan):
        return replace(event, result=replace(event.result, matched=None, open_points=()))
    if isinstance(event, HintGiven):
        return replace(event, move=replace(event.move, target=""))
    return event
