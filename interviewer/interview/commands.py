"""What the candidate can do, as values that a front end sends to the Interview."""

from __future__ import annotations

import math
from dataclasses import dataclass

from interviewer.errors import InterviewerError
from interviewer.grading.claims import rules
from interviewer.grading.claims.quantity import Quantity, measures


@dataclass(frozen=True)
class Answer:
    """Send these words."""

    text: str


@dataclass(frozen=True)
class RunBench:
    """Run this source at the bench: not an answer yet, and as often as they like."""

    source: str


@dataclass(frozen=True)
class SubmitRun:
    """Submit this source as the answer; it is run first unless it was the last one run."""

    source: str


@dataclass(frozen=True)
class DontKnow:
    """Say "I don't know": costs nothing; something simpler comes, then the offer of a hint."""


@dataclass(frozen=True)
class Rephrase:
    """Ask what is meant, in other words."""


@dataclass(frozen=True)
class SaidThat:
    """Say that it was said before: all earlier turns are searched for the point that is due."""


@dataclass(frozen=True)
class AskHint:
    """Ask for the next hint at its price."""


@dataclass(frozen=True)
class Skip:
    """Leave this question; it is graded on what has been said."""


@dataclass(frozen=True)
class EndRound:
    """Close the question and the round."""


@dataclass(frozen=True)
class EndInterview:
    """Close the question and go to the debrief."""


@dataclass(frozen=True)
class Pause:
    """Stop the clock and leave; the session can be resumed at this step."""


@dataclass(frozen=True)
class Retry:
    """After a failure or a cancel: repeat the step."""


@dataclass(frozen=True)
class GoOffline:
    """After a failure: let the offline examiner take over."""


@dataclass(frozen=True)
class Cancel:
    """Stop waiting for the examiner and choose what to do instead."""


@dataclass(frozen=True)
class GoOn:
    """At a break: on with the next question or round."""


@dataclass(frozen=True)
class MarkFigure:
    """Strike the figure said at this place as misread, or put the right value in its stead."""

    turn: int
    start: int
    value: float | None = None
    """In the base unit, None for a strike."""
    typed: str = ""


@dataclass(frozen=True)
class TryAgain:
    """At a break in practice: the question just graded once more, from the start."""


Command = (
    Answer
    | RunBench
    | SubmitRun
    | DontKnow
    | Rephrase
    | SaidThat
    | AskHint
    | Skip
    | EndRound
    | EndInterview
    | Pause
    | Retry
    | GoOffline
    | Cancel
    | GoOn
    | MarkFigure
    | TryAgain
)


def marking(figures: tuple[Quantity, ...], number: int, typed: str = "") -> MarkFigure:
    """The command for this number of the list; "" or "strike" strikes. Raises InterviewerError."""
    if not 1 <= number <= len(figures):
        raise InterviewerError(
            f"There is no number {number}: the list has {len(figures)}. /numbers shows it."
        )
    figure = figures[number - 1]
    typed = typed.strip()
    if typed.lower() in ("", "strike"):
        return MarkFigure(figure.turn, figure.span[0])
    value = rules.value_of(typed, measures()[figure.measure].unit)
    if value is None or not 0 <= value < math.inf:
        raise InterviewerError(
            f"“{typed}” is no value of that kind: write a number with its unit, as in “4M tokens”."
        )
    return MarkFigure(figure.turn, figure.span[0], value, typed)
