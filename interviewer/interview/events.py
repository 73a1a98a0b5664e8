"""Everything an interview tells a front end, as frozen values.

All but the transient ones are committed to the store before they are yielded; a session's state,
live or resumed, is nothing but their fold (:func:`interviewer.interview.state.apply`). ``event`` is
the name that ``interviewer run --json`` prints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, TypeAdapter

from interviewer.examiner.listening import SpokenKind
from interviewer.examiner.protocol import CloseReason, Move, MoveKind, Persona, Proposal
from interviewer.grading.claims.quantity import Mark, Reading, measures
from interviewer.grading.transcript import DialogueAct, Turn, TurnKind
from interviewer.grading.verdicts import IF_ANY, UNREAD, Flag, Grade, Verdict
from interviewer.names import RETIRED
from interviewer.rubric.figure import Figure
from interviewer.sandbox.result import CheckResult

Mode = Literal["exam", "practice"]


def _follow_up(move: Move) -> Move:
    if move.kind is MoveKind.CLOSE:
        raise ValueError(f"{move.kind} is no follow-up")
    return move


_FollowUp = Annotated[Move, AfterValidator(_follow_up)]


@dataclass(frozen=True)
class RoundOutline:
    """A round as laid out when the session began."""

    title: str
    persona: Persona
    seconds: int
    follow_ups: int
    questions: tuple[str, ...]
    """The ids of all rubrics that may be asked, in order."""
    drills: bool = False
    rungs: tuple[tuple[str, ...], ...] = ()
    """With adaptive difficulty the same ids by level, easiest first; ``start`` is the first."""
    start: int = 0
    asks: int = 0
    """How many of the questions are asked, 0 for all."""
    links: Annotated[tuple[tuple[str, str], ...], IF_ANY] = ()
    """A question with the one that it builds on, after a poor answer to which another is asked."""
    optional: Annotated[bool, IF_ANY] = False
    """Leaving it out counts as nothing left out."""

    @property
    def count(self) -> int:
        """How many questions are asked."""
        return self.asks or len(self.questions)

    @property
    def due(self) -> tuple[str, ...]:
        """The questions that only time can leave out, in order; with a ladder, none are."""
        return () if self.rungs else self.questions[: self.count]


@dataclass(frozen=True)
class SessionStarted:
    """The blueprint: drawn once, kept on resume; ``project`` are the candidate's notes, if any."""

    plan: str
    plan_title: str
    mode: Mode
    examiner: str
    rounds: tuple[RoundOutline, ...]
    project: str = ""
    event: Literal["session"] = "session"


@dataclass(frozen=True)
class RoundStarted:
    round: int
    rounds: int
    title: str
    persona: Persona
    seconds: int
    questions: int
    event: Literal["round"] = "round"


@dataclass(frozen=True)
class QuestionAsked:
    """A new question, counted from 1 within the round; ``point`` is the one that is drilled."""

    round: int
    question: int
    questions: int
    rubric: str
    title: str
    turn: int
    text: str
    challenge: str | None = None
    point: Annotated[str, IF_ANY] = ""
    figure: Annotated[Figure | None, IF_ANY] = None
    event: Literal["question"] = "question"


@dataclass(frozen=True)
class AnswerGiven:
    """The candidate's turn as typed; ``bench`` is the turn of the run that it submits."""

    turn: int
    text: str
    kind: SpokenKind = TurnKind.ANSWER
    cut_off: bool = False
    bench: int | None = None
    event: Literal["answer"] = "answer"


@dataclass(frozen=True)
class BenchRan:
    """A run at the bench with its result; not an answer. ``source`` is as typed."""

    turn: int
    source: str
    result: CheckResult
    event: Literal["bench"] = "bench"


@dataclass(frozen=True)
class AnswerJudged:
    """Checked verdicts on the latest answer, hidden from the candidate until the debrief."""

    verdicts: tuple[Verdict, ...]
    examiner: str
    flags: frozenset[Flag] = frozenset()
    doubts: Annotated[tuple[Verdict, ...], IF_ANY] = ()
    """Findings that get a second look while the candidate goes on."""
    event: Literal["judged"] = "judged"


@dataclass(frozen=True)
class DoubtsSettled:
    """The second look at the latest judgement is over; these verdicts replace the first ones."""

    verdicts: tuple[Verdict, ...]
    event: Literal["settled"] = "settled"


@dataclass(frozen=True)
class FiguresRead:
    """The verified figures of this turn, or why they are unread; turn 0 are the project notes."""

    turn: int
    reading: Reading
    event: Literal["figures_read"] = "figures_read"


@dataclass(frozen=True)
class FigureMarked:
    """The candidate struck a figure, or gave its right value. What was said stays as it was."""

    mark: Mark
    event: Literal["figure_marked"] = "figure_marked"


@dataclass(frozen=True)
class AnswerHeard:
    """What the examiner made of the candidate's turn of this number, and would say to it."""

    turn: int
    acts: tuple[DialogueAct, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    gives: Annotated[str, IF_ANY] = ""
    """What the turn tells of work that was done, and whose, as in ``Heard``."""
    whose: Annotated[str, IF_ANY] = ""
    event: Literal["heard"] = "heard"


@dataclass(frozen=True)
class HintRequested:
    event: Literal["hint_requested"] = "hint_requested"


@dataclass(frozen=True)
class FollowUpAsked:
    """A whole follow-up; ``replaced`` says why the examiner's own wording was rejected."""

    turn: int
    text: str
    move: _FollowUp
    examiner: str
    replaced: str = ""
    cleared: Annotated[tuple[str, ...], IF_ANY] = ()
    """Doubts about words that the examiner cleared."""
    event: Literal["follow_up"] = "follow_up"


@dataclass(frozen=True)
class HintGiven:
    """A hint, with the share of the point's value that it costs."""

    turn: int
    text: str
    move: _FollowUp
    price: float
    requested: bool
    event: Literal["hint"] = "hint"


@dataclass(frozen=True)
class QuestionClosed:
    """The question is over; says nothing about how it went."""

    round: int
    question: int
    rubric: str
    reason: CloseReason
    event: Literal["question_closed"] = "question_closed"


@dataclass(frozen=True)
class QuestionGraded:
    """The grade, computed in code; shown at once in practice, in the debrief in an exam."""

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
    """The round's time is up; what was being typed becomes the last answer."""

    round: int
    event: Literal["time_up"] = "time_up"


@dataclass(frozen=True)
class Paused:
    """The clock has stopped; the session can be resumed at this step."""

    event: Literal["paused"] = "paused"


@dataclass(frozen=True)
class Resumed:
    examiner: str
    event: Literal["resumed"] = "resumed"


@dataclass(frozen=True)
class ExaminerChanged:
    examiner: str
    about: str
    event: Literal["examiner"] = "examiner"


Stage = Literal["judge", "ask"]


@dataclass(frozen=True)
class TurnFailed:
    """A step failed. The answer is stored; ``choices`` are the remedies."""

    stage: Stage
    message: str
    retryable: bool
    choices: tuple[Literal["retry", "offline", "pause"], ...] = ("retry", "offline", "pause")
    event: Literal["error"] = "error"


@dataclass(frozen=True)
class Retried:
    event: Literal["retry"] = "retry"


@dataclass(frozen=True)
class SessionEnded:
    """The debrief is ready; ``band`` is the mean band, None if nothing could be graded."""

    band: float | None
    graded: int
    ungraded: int
    not_asked: int
    event: Literal["debrief"] = "debrief"


@dataclass(frozen=True)
class Thinking:
    """Transient: the examiner is working."""

    stage: Stage
    event: Literal["thinking"] = "thinking"


@dataclass(frozen=True)
class Checking:
    """Transient: the bench is running the candidate's source; the clock has stopped."""

    event: Literal["checking"] = "checking"


@dataclass(frozen=True)
class NotRead:
    """Transient: something in the latest answer was not read; ``message`` says what to do."""

    codes: tuple[str, ...]
    message: str
    event: Literal["not_read"] = "not_read"


@dataclass(frozen=True)
class Retrying:
    """Transient: a call failed (``reason``) and will be repeated in ``seconds``."""

    seconds: float
    reason: str
    event: Literal["retrying"] = "retrying"


@dataclass(frozen=True)
class Leaving:
    """Transient: the candidate leaves once the last answer is judged, or on a second command."""

    event: Literal["leaving"] = "leaving"


@dataclass(frozen=True)
class YourTurn:
    """Transient: it is the candidate's turn. ``hint_price`` is None if no hint can be had now."""

    seconds_left: float
    hint_price: float | None
    has_hints: bool = True
    """The question came with some, used up or not."""
    event: Literal["your_turn"] = "your_turn"


@dataclass(frozen=True)
class Break:
    """Transient: the clock stands still until the candidate goes on."""

    may_retry: bool
    event: Literal["break"] = "break"


JournalEvent = (
    SessionStarted
    | RoundStarted
    | QuestionAsked
    | AnswerGiven
    | BenchRan
    | AnswerJudged
    | DoubtsSettled
    | FiguresRead
    | FigureMarked
    | AnswerHeard
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
TransientEvent = Thinking | Checking | NotRead | Retrying | Leaving | YourTurn | Break
Event = JournalEvent | TransientEvent

_JOURNAL: TypeAdapter[JournalEvent] = TypeAdapter(
    Annotated[JournalEvent, Field(discriminator="event")]
)
_ANY: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="event")])


def to_json(event: Event) -> dict[str, Any]:
    data: dict[str, Any] = _ANY.dump_python(event, mode="json")
    return {"event": data.pop("event"), **data}


def from_json(data: dict[str, Any]) -> JournalEvent:
    """The event of a journal row; raises pydantic's ValidationError if it is damaged."""
    return _JOURNAL.validate_python(translate(data))


def translate(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """An earlier version's journal entry as it is written today; a damaged one stays as it is."""
    with suppress(LookupError, TypeError, AttributeError):
        if (event := data.get("event")) in RETIRED:
            return {"event": RETIRED[event], "turn": data["turn"], "reading": _reading(data)}
        if "move" in data:
            return {**data, "move": _move(data["move"])}
        for parts in ("proposals", "questions"):  # of a reply, of a regrade
            if isinstance(data.get(parts), list):
                return {**data, parts: [translate(each) for each in data[parts]]}
        if "grade" in data:
            return {**data, "grade": translate(data["grade"])}
        if "verdicts" in data:
            return {**data, "verdicts": [*data["verdicts"], *_ungraded(data)]}
    return data


def _move(move: Mapping[str, Any]) -> Mapping[str, Any]:
    """By its own kind: what it says of numbers or of the bench used to tell."""
    names = (f"{move['kind']} by {field}" for field in ("sum", "bench") if move.get(field))
    return {**move, "kind": next((RETIRED[n] for n in names if n in RETIRED), move["kind"])}


def _ungraded(data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What could not be judged, which was kept beside the verdicts with a sentence on why."""
    for criterion, why in data.get("ungraded", ()):
        codes = [code for code in why.partition(":")[0].split(", ") if code in UNREAD]
        told = {"ungraded": codes} if codes else {"ungraded": ["other"], "missing": why}
        yield {"criterion": criterion, "verdict": None, **told}


def _reading(data: Mapping[str, Any]) -> dict[str, Any]:
    """The figures of a turn, which were kept by run, as far as their quantities are still known."""
    turn, read = data["turn"], data.get("read") or {}
    quantities = [each for run in read.get("runs", ()) for each in _quantities(run, turn)]
    return {"turn": turn, "quantities": quantities, "by": "earlier"}


def _quantities(run: Mapping[str, Any], turn: int) -> Iterator[dict[str, Any]]:
    for status, claims in (("stands", run.get("claims")), ("withdrawn", run.get("withdrawn"))):
        for claim in claims or ():
            if claim["measure"] in measures():
                kept = {key: claim[key] for key in ("measure", "value", "unit", "text", "span")}
                yield {
                    **kept,
                    "turn": turn,
                    "run": run["label"],
                    "status": status,
                    "replaces": claim["measure"] in run.get("replaces", ()),
                    "device": claim.get("device", ""),
                }


SpokenEvent = QuestionAsked | AnswerGiven | BenchRan | FollowUpAsked | HintGiven


def turn_of(event: SpokenEvent) -> Turn:
    match event:
        case QuestionAsked():
            return Turn(event.turn, "examiner", TurnKind.QUESTION, event.text, figure=event.figure)
        case AnswerGiven():
            return Turn(event.turn, "candidate", event.kind, event.text, run=event.bench)
        case BenchRan():
            kind, result = TurnKind.BENCH, event.result
            return Turn(event.turn, "candidate", kind, event.source, result=result)
        case FollowUpAsked() | HintGiven():
            move = event.move
            level = move.hint_level if move.kind is MoveKind.HINT else 0
            target = move.target or None
            return Turn(event.turn, "examiner", move.kind.turn, event.text, target, level)


def as_shown(event: Event, mode: Mode) -> Event | None:
    """The event as the candidate may see it now, None while it is withheld.

    No question is named before it is asked. In an exam, verdicts, grades, the criteria aimed at and
    what a run at the bench leaves open stay hidden until the debrief.
    """
    match event:
        case AnswerJudged() | DoubtsSettled() | AnswerHeard() | HintRequested():
            return None
        case FiguresRead() if not event.reading.failed:
            return None
        case SessionStarted():
            hidden = (replace(each, questions=(), links=()) for each in event.rounds)
            return replace(event, rounds=tuple(hidden))
        case _ if mode == "practice":
            return event
        case QuestionGraded():
            return None
        case FollowUpAsked():
            return replace(event, move=replace(event.move, target=""), replaced="")
        case HintGiven():
            return replace(event, move=replace(event.move, target=""))
        case BenchRan():
            return replace(event, result=replace(event.result, matched=None, open_points=()))
        case _:
            return event
