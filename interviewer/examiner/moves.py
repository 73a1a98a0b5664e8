"""What the examiner can do next. The policy chooses a move, the examiner puts it into words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, assert_never

from interviewer.grading.transcript import DialogueAct, TurnKind


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


@dataclass(frozen=True)
class Open:
    """Put the question on the candidate's own project in the examiner's words."""

    kind: ClassVar[TurnKind] = TurnKind.QUESTION


@dataclass(frozen=True)
class Probe:
    """A neutral question towards a criterion, ``target``.

    In every move ``target`` is a criterion id, or "" where an exam hides it from the candidate.
    """

    target: str
    kind: ClassVar[TurnKind] = TurnKind.PROBE


@dataclass(frozen=True)
class PinDown:
    """Ask for substance behind a vague or partial statement."""

    target: str
    kind: ClassVar[TurnKind] = TurnKind.PIN_DOWN


@dataclass(frozen=True)
class Challenge:
    """Take up a statement that contradicts the criterion."""

    target: str
    kind: ClassVar[TurnKind] = TurnKind.CHALLENGE


@dataclass(frozen=True)
class SumChallenge:
    """Confront the candidate with figures of theirs that cannot all be true.

    ``figures`` are their places: turn and first character.
    """

    sentence: str
    question: str = ""
    figures: tuple[tuple[int, int], ...] = ()
    kind: ClassVar[TurnKind] = TurnKind.CHALLENGE


@dataclass(frozen=True)
class SumDrill:
    """Take up numbers of the candidate's that fit together, and ask on from there."""

    sentence: str
    question: str
    kind: ClassVar[TurnKind] = TurnKind.NUMBERS


@dataclass(frozen=True)
class BenchChallenge:
    """Point out the first bad line of a submitted run.

    ``target`` is the criterion that the line defines, "" for none.
    """

    fault: str
    target: str = ""
    kind: ClassVar[TurnKind] = TurnKind.CHALLENGE


@dataclass(frozen=True)
class Hint:
    """Help with a criterion; ``level`` counts from 1."""

    target: str
    level: int
    kind: ClassVar[TurnKind] = TurnKind.HINT


@dataclass(frozen=True)
class OfferHint:
    """Offer the hint of this level, with its price."""

    target: str
    level: int
    kind: ClassVar[TurnKind] = TurnKind.OFFER


@dataclass(frozen=True)
class Simplify:
    """Ask something easier, without help; ``target`` is the criterion it leads towards."""

    target: str
    kind: ClassVar[TurnKind] = TurnKind.SIMPLIFY


@dataclass(frozen=True)
class Clarify:
    """Answer a question about the wording, or put the question again."""

    target: str
    kind: ClassVar[TurnKind] = TurnKind.CLARIFY


@dataclass(frozen=True)
class Reframe:
    """Note what the candidate has withdrawn, and ask on from what holds now."""

    kind: ClassVar[TurnKind] = TurnKind.REFRAME


@dataclass(frozen=True)
class Drill:
    """Ask what the candidate did themselves, and with which figures.

    ``target`` is the criterion that the latest answer made, "" for none.
    """

    target: str
    kind: ClassVar[TurnKind] = TurnKind.DRILL


@dataclass(frozen=True)
class Escalate:
    """Ask the rubric's harder variant at this place, from 0."""

    place: int = 0
    kind: ClassVar[TurnKind] = TurnKind.ESCALATE


@dataclass(frozen=True)
class Tell:
    """State a point that the candidate did not get (practice only)."""

    target: str
    kind: ClassVar[TurnKind] = TurnKind.TELL


@dataclass(frozen=True)
class Redirect:
    """Lead back to the question after a turn that did something else."""

    after: DialogueAct
    kind: ClassVar[TurnKind] = TurnKind.REDIRECT


@dataclass(frozen=True)
class Close:
    """Say nothing more; the question is over."""

    reason: CloseReason


Authored = SumChallenge | SumDrill | BenchChallenge | OfferHint | Hint | Tell | Redirect
"""Worded beforehand or by computation: no model words them, and no check is needed."""
Worded = Probe | PinDown | Challenge | Drill | Simplify | Clarify | Reframe | Escalate
"""Worded by the examiner, and checked."""
FollowUp = Authored | Worded
Spoken = Open | FollowUp
Move = Spoken | Close


def target_of(move: Move) -> str | None:
    """The criterion that the move is aimed at, None for none or a hidden one."""
    match move:
        case (
            Probe()
            | PinDown()
            | Challenge()
            | BenchChallenge()
            | OfferHint()
            | Hint()
            | Simplify()
            | Clarify()
            | Drill()
            | Tell()
        ):
            return move.target or None
        case Open() | SumChallenge() | SumDrill() | Reframe() | Escalate() | Redirect() | Close():
            return None
        case _:
            assert_never(move)
