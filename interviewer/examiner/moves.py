"""What the examiner can do next. The policy chooses a move, the examiner puts it into words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer

from interviewer.grading.transcript import DialogueAct, TurnKind
from interviewer.grading.verdicts import IF_ANY


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
    """Asks what the candidate did themselves; aimed at what the latest answer made, if anything."""
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
    """A move in the journal's words; each kind uses what it needs of them.

    ``target`` is a criterion, "" for none and where an exam hides it from the candidate.
    """

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
    """The places of the figures that clash: turn and first character."""

    def __post_init__(self) -> None:
        if (self.kind is MoveKind.REDIRECT) != (self.remark is not None):
            raise ValueError("a redirection, and no other move, says after what")
