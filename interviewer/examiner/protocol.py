"""What an examiner gets to see and can do next: policy chooses a move, it finds the words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal, Protocol

from pydantic import BeforeValidator, PlainSerializer

from interviewer.grading.claims.quantity import Quantity, Reading
from interviewer.grading.transcript import DialogueAct, Turn, TurnKind
from interviewer.grading.verdicts import IF_ANY, Judgement, Verdict
from interviewer.rubric.rubric import Rubric


class CloseReason(StrEnum):
    """Why a question is over. Only the first two say that the answer was sufficient."""

    COVERED = "covered"
    HARDER_OPEN = "harder_open"
    """All is made that the question asks for, and nothing of the harder variant."""
    FOLLOW_UPS_USED = "follow_ups_used"
    NO_PROGRESS = "no_progress"
    TALKED_OVER = "talked_over"
    """A discussion is over."""
    SKIPPED = "skipped"
    TIME_UP = "time_up"
    ROUND_ENDED = "round_ended"
    INTERVIEW_ENDED = "interview_ended"


class MoveKind(StrEnum):
    """What a move does; most are named as the turn that it makes."""

    OPEN = "question"
    """Puts the question on the candidate's own project in the examiner's words."""
    PIN_DOWN = "pin_down"
    """Asks for substance behind a vague or partial statement."""
    CHALLENGE = "challenge"
    """Takes up a statement that contradicts the criterion."""
    PROBE = "probe"
    """A neutral question towards a criterion."""
    DRILL = "drill"
    """Asks what the candidate did themselves, by a criterion's drill or on a figure of theirs."""
    SIMPLIFY = "simplify"
    """Asks something easier on the way to the criterion, without help."""
    CLARIFY = "clarify"
    """Answers a question about the wording, or puts the question again."""
    REFRAME = "reframe"
    """Notes what the candidate has withdrawn, and asks on from what holds now."""
    ESCALATE = "escalate"
    """Asks a harder variant of the rubric's."""
    NUMBERS_CLASH = "numbers_clash"
    """Confronts the candidate with figures of theirs that cannot all be true."""
    NUMBERS_FIT = "numbers"
    """Takes up numbers of the candidate's that fit together, and asks on from there."""
    BAD_LINE = "bad_line"
    """Points out the first bad line of a submitted run; aimed at what the line defines."""
    HINT = "hint"
    OFFER = "offer"
    """Offers a hint, with its price."""
    TELL = "tell"
    """States a point that the candidate did not get."""
    REDIRECT = "redirect"
    """Leads back to the question after a turn that did something else."""
    CLOSE = "close"
    """Says nothing more; the question is over."""

    @property
    def turn(self) -> TurnKind:
        """The kind of turn that it makes; a close makes none."""
        challenges = self in (MoveKind.NUMBERS_CLASH, MoveKind.BAD_LINE)
        return TurnKind.CHALLENGE if challenges else TurnKind(self.value)


WORDED = (
    MoveKind.PIN_DOWN,
    MoveKind.CHALLENGE,
    MoveKind.PROBE,
    MoveKind.DRILL,
    MoveKind.SIMPLIFY,
    MoveKind.CLARIFY,
    MoveKind.REFRAME,
    MoveKind.ESCALATE,
    MoveKind.REDIRECT,
)
"""Worded by the examiner, and checked. All others but the opening need neither: their words are
authored or computed."""

_Kind = Annotated[MoveKind, PlainSerializer(lambda kind: kind.turn.value)]
_Target = Annotated[
    str,
    BeforeValidator(lambda target: target or ""),
    PlainSerializer(lambda target: target or None),
]


@dataclass(frozen=True)
class Move:
    """A move in the journal's words; each kind uses what it needs of them."""

    kind: _Kind
    target: _Target = ""
    hint_level: int = 0
    """From 1, of a hint or its offer."""
    sum: str = ""
    """What the candidate's numbers come to, in a sentence."""
    ask: Annotated[str, IF_ANY] = ""
    """The question after that sentence."""
    remark: DialogueAct | None = None
    """What the candidate did instead of answering."""
    why: CloseReason | None = None
    bench: str = ""
    """What is wrong with the bad line."""
    escalation: Annotated[int, IF_ANY] = 0
    """The place of the harder variant, from 0."""
    figures: Annotated[tuple[tuple[int, int], ...], IF_ANY] = ()
    """The places of the figures that it takes up: turn and first character."""
    wants: Annotated[str, IF_ANY] = ""
    """What the reply to a drill must hold: a quantity, or a decision, an incident …"""

    def __post_init__(self) -> None:
        if (self.kind is MoveKind.REDIRECT) != (self.remark is not None):
            raise ValueError("a redirection, and no other move, says after what")


@dataclass(frozen=True)
class OpenMove:
    """A kind of move, the criteria that it may be aimed at, or why it may not be made now."""

    kind: MoveKind
    targets: tuple[str, ...] = ()
    closed: str = ""


LEAST_WORDS, MOST_WORDS = 8, 40
"""How long a follow-up may be."""


Patience = Literal["short", "even", "long"]


@dataclass(frozen=True)
class Persona:
    """The interviewer of a round, and what they listen for; it sets the tone and no rule."""

    name: str
    manner: str
    patience: Patience = "even"
    cares_about: str = ""


NEUTRAL = Persona("Examiner", "neutral and brief")
"""Who asks outside a round."""


@dataclass(frozen=True)
class EarlierQuestion:
    """A question of the same interview that is over, shortened to what the candidate claimed."""

    question: str
    claims: tuple[str, ...]
    """The candidate's own words, oldest first."""
    left_open: tuple[str, ...] = ()
    """Neutral questions about what was not reached."""
    asked: tuple[str, ...] = ()
    """The follow-ups, oldest first."""


@dataclass(frozen=True)
class QuestionContext:
    """One question so far: all that an examiner may know when it judges or asks.

    ``turns`` are this question's turns only, oldest first, the question itself included.
    ``verdicts`` are the standing verdicts, empty before the first judgement. ``earlier`` are the
    interview's questions before this one. ``figures`` are all figures stated in the session,
    ``numbers`` says what the candidate's own come to, in sentences. ``follow_ups_left`` counts all
    that may still be said about this question; ``drills`` says that own work is asked for first,
    and ``wants`` what a drill that was just put asks for. ``remark`` is how the candidate
    said that they made a point already: it is no evidence. ``moves`` is the table of what may be
    said next, as far as it is known before the latest turn is heard, and ``said`` is what the
    examiner said on earlier questions, oldest first. ``cleared`` are the doubts about words
    that were cleared on this one.
    ``elsewhere`` is the talk on earlier questions as far as it was unaided: a point made there
    counts, and nothing there counts against one.
    """

    rubric: Rubric
    turns: tuple[Turn, ...]
    verdicts: tuple[Verdict, ...]
    persona: Persona
    exam: bool
    earlier: tuple[EarlierQuestion, ...] = ()
    figures: tuple[Quantity, ...] = ()
    numbers: tuple[str, ...] = ()
    follow_ups_left: int = 0
    drills: bool = False
    wants: str = ""
    remark: str = ""
    moves: tuple[OpenMove, ...] = ()
    said: tuple[str, ...] = ()
    cleared: frozenset[str] = frozenset()
    elsewhere: tuple[Turn, ...] = ()

    @property
    def to_read(self) -> AnswerToRead:
        """The latest turn with what says whose its figures are."""
        return to_read(self.rubric, self.turns, self.figures)


@dataclass(frozen=True)
class AnswerToRead:
    """A turn whose figures are to be read.

    ``asked`` is what the examiner said last, ``figures`` are those known before, those from the
    turn ``since`` on of the same question. ``on_own_work``: it was asked about the candidate's own
    work. ``to_objection``: the turn replies to an objection to figures.
    """

    turn: Turn
    asked: str = ""
    figures: tuple[Quantity, ...] = ()
    since: int = 0
    on_own_work: bool = False
    to_objection: bool = False


def is_on_own_work(rubric: Rubric) -> bool:
    """The question is about a project of the candidate's own."""
    return rubric.kind == "project" or rubric.own_project is not None


def to_read(rubric: Rubric, turns: Sequence[Turn], figures: tuple[Quantity, ...]) -> AnswerToRead:
    """The last of these turns, with what was asked before it; not the words of an exercise."""
    asked = next(turn for turn in reversed(turns) if turn.author == "examiner")
    on_own_work = is_on_own_work(rubric) or asked.kind is TurnKind.DRILL
    return AnswerToRead(
        turns[-1],
        asked.text if on_own_work or asked.kind is not TurnKind.QUESTION else "",
        figures,
        turns[0].number,
        on_own_work=on_own_work,
        to_objection=asked.kind is TurnKind.CHALLENGE and asked.target is None,
    )


@dataclass(frozen=True)
class Proposal:
    """Words that the interviewer would say next, and the move that they make."""

    text: str
    move: Move


NOTHING, NONE = "nothing", "none"
"""What a turn gives that tells of no work done, and one that says there is none to tell of."""


@dataclass(frozen=True)
class Heard:
    """What the interviewer makes of the candidate's latest turn, without the answer key.

    ``proposals`` are what it would say next, best first; none where the program words the move.
    ``reading`` are the figures of the turn. ``unusable`` says that and why nothing was heard.
    ``gives`` is what the turn tells of work that was done: a quantity, a decision, an incident or a
    measurement, else "nothing" or "none"; "" where nobody said. ``whose`` work that is: "own",
    "team" for what others in it did, "other".
    """

    acts: frozenset[DialogueAct]
    proposals: tuple[Proposal, ...] = ()
    reading: Reading | None = None
    unusable: str = ""
    gives: str = ""
    whose: str = ""


@dataclass(frozen=True)
class Rejected:
    """Words that may not be said, and why."""

    text: str
    why: str


CallStage = Literal["judge", "listen", "figures", "giveaways", "ask", "check", "list"]
"""What a request to a model is for."""


@dataclass(frozen=True)
class ModelCall:
    """One request to an endpoint, for the log. Token counts are None if the server sent none."""

    stage: CallStage
    prompt_version: str
    model: str
    outcome: str
    """"ok", or a short word for what went wrong ("timeout", "unparsable", "http 429" …)."""
    milliseconds: int
    first_token_milliseconds: int | None = None
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    detail: str = ""


@dataclass(frozen=True)
class Retrying:
    """A call failed and is retried after ``seconds``; ``attempt`` counts from 1."""

    attempt: int
    of: int
    seconds: float
    reason: str
    """One sentence."""


class Examiner(Protocol):
    """Judges, listens and speaks. It holds no state of the interview and never returns a score."""

    @property
    def name(self) -> str:
        """Its name on record: "offline-v3", or the model's id."""

    @property
    def version(self) -> str:
        """What else decides its verdicts: the version of its prompts or rules."""

    @property
    def about(self) -> str:
        """What it can and cannot judge, in a sentence for the screen."""

    async def judge(self, context: QuestionContext) -> Judgement:
        """A verdict for each criterion, with the words that carry it. Raises ExaminerError."""

    async def settle(self, context: QuestionContext, doubts: Sequence[Verdict]) -> Judgement:
        """A second look at these findings alone; one that is missing stays as it was."""

    async def listen(self, context: QuestionContext) -> Heard:
        """What the latest turn does and what to say next; no key is seen. Raises ExaminerError."""

    async def read_figures(self, answer: AnswerToRead) -> Reading:
        """The figures of a turn, where :meth:`listen` is not called. Raises ExaminerError."""

    async def ask(
        self, context: QuestionContext, move: Move, rejected: Sequence[Rejected] = ()
    ) -> str:
        """The words of the move; ``rejected`` are earlier tries. Raises ExaminerError."""

    async def giveaways(self, context: QuestionContext, texts: Sequence[str]) -> tuple[str, ...]:
        """For each text the words that give a point away, "" for none. Raises ExaminerError."""

    def drain_calls(self) -> tuple[ModelCall, ...]:
        """The model calls made since the last drain, oldest first; empty for offline."""

    def on_retry(self, listener: Callable[[Retrying], None]) -> None:
        """Call this listener, in place of any earlier one, before each retry."""

    async def aclose(self) -> None:
        """Release connections."""
