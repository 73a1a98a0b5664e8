"""What the candidate can do, as values that a front end hands to the Interview."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    """Send these words."""

    text: str


@dataclass(frozen=True)
class RunBench:
    """Try this source at the bench of the open question; no answer yet, and free to repeat."""

    source: str


@dataclass(frozen=True)
class HandIn:
    """Give this source as the answer; it is run first unless the latest run was of it."""

    source: str


@dataclass(frozen=True)
class DontKnow:
    """Say "I don't know": honest, costs nothing by itself, and brings a hint."""


@dataclass(frozen=True)
class AskHint:
    """Ask for the next hint at its price."""


@dataclass(frozen=True)
class Skip:
    """Leave this question; it is graded on what was said so far."""


@dataclass(frozen=True)
class EndRound:
    """Close the question and the round; unasked questions stay unasked."""


@dataclass(frozen=True)
class EndInterview:
    """Close everything and go to the debrief."""


@dataclass(frozen=True)
class Pause:
    """Stop the clock and leave; the session resumes at this step."""


@dataclass(frozen=True)
class Retry:
    """After a failure, or a cancel: the same step once more."""


@dataclass(frozen=True)
class GoOffline:
    """After a failure: the offline examiner takes over from this step."""


@dataclass(frozen=True)
class Cancel:
    """Stop waiting for the examiner; what to do instead is asked."""


Command = (
    Answer
    | RunBench
    | HandIn
    | DontKnow
    | AskHint
    | Skip
    | EndRound
    | EndInterview
    | Pause
    | Retry
    | GoOffline
    | Cancel
)
