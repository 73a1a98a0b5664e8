"""Messages between a bench of one's own and its screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from interviewer.sandbox.challenges.catalogue import Catalogue
    from interviewer.sandbox.result import CheckResult


@dataclass
class ChallengesLoaded(Message):
    """The challenges at hand."""

    catalogue: Catalogue


@dataclass
class DraftRead(Message):
    """What was written of this challenge before."""

    text: str


@dataclass
class BenchReady(Message):
    """The bench is warm, or known not to be there: ``tier`` is "off" then."""

    tier: str
    about: str


@dataclass
class Checked(Message):
    """A check ended."""

    source: str
    result: CheckResult


@dataclass
class CheckEnded(Message):
    """A check brought nothing: it was stopped or went wrong."""

    sentence: str


@dataclass
class DraftKept(Message):
    """The draft is on disk, or with a ``failure`` only on the screen."""

    text: str
    failure: str = ""
