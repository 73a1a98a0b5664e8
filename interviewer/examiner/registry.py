"""The kinds of examiner to choose from, and how each is made: a package and an entry here.

Importing it loads no examiner, so start-up pays nothing for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from interviewer.examiner import llm, offline

if TYPE_CHECKING:
    from interviewer.examiner.llm.client import Pace
    from interviewer.examiner.protocol import Examiner
    from interviewer.settings import Settings
    from interviewer.settings.values import ExaminerChoice


class Make(Protocol):
    """Makes an examiner. Those of a pool share a ``pace`` for their calls."""

    def __call__(self, settings: Settings, pace: Pace | None = None, /) -> Examiner: ...


@dataclass(frozen=True)
class ExaminerKind:
    """One kind of examiner."""

    choice: ExaminerChoice
    """What ``--examiner``, the config file and the environment call it."""
    title: str
    """What the set-up screen calls it."""
    about: str
    """What it can and cannot judge: a sentence with ``{name}`` for the examiner's name, if any."""
    make: Make
    """Raises SettingsError where something is missing that it needs."""
    version: Callable[[], str]
    """The version of prompts or rules that it judges by today."""
    in_brief: str
    """One line for the first screen; ``{name}`` and ``{place}`` are the model and its endpoint."""
    verdicts: tuple[str, str, str, str]
    """What people read for met, partial, not_met and contradicted, which files hold."""
    prefix: str = ""
    """Every name of such an examiner on record begins with this, whatever its version."""
    needs_endpoint: bool = False
    basis: str = ""
    """What a recommendation rests on where it judged, if that has to be said."""
    caveat: str = ""
    """What the debrief says of questions that it judged, after "3 of 8 questions were"."""


def _offline(_settings: Settings, _pace: Pace | None = None) -> Examiner:
    from interviewer.examiner.offline.judge import OfflineExaminer

    return OfflineExaminer()


def _llm(settings: Settings, pace: Pace | None = None) -> Examiner:
    from interviewer.examiner.llm.endpoint import endpoint_of
    from interviewer.examiner.llm.examiner import LlmExaminer

    return LlmExaminer(endpoint_of(settings), pace=pace)


def _judge_prompt() -> str:
    from interviewer.examiner.llm.messages import load_prompt

    return load_prompt("judge").version


OFFLINE = ExaminerKind(
    choice="offline",
    title="Offline",
    about=offline.ABOUT,
    make=_offline,
    version=lambda: offline.NAME,
    in_brief="Examiner: offline. Hears textbook English, weighs no argument. F10: a model",
    verdicts=("heard", "partly heard", "yours to mark", "said otherwise"),
    prefix="offline-",
    basis="by what was heard",
    caveat="judged offline, which hears textbook words in English and cannot weigh an argument",
)
LLM = ExaminerKind(
    choice="llm",
    title="LLM",
    about=llm.ABOUT,
    make=_llm,
    version=_judge_prompt,
    in_brief="Examiner: {name} at {place}; your answers go there.",
    verdicts=("met", "partial", "not met", "contradicted"),
    needs_endpoint=True,
)
EXAMINERS = (OFFLINE, LLM)
"""A kind without a prefix comes last: any name fits it."""
CHOICES = tuple(kind.choice for kind in EXAMINERS)


def chosen(choice: str) -> ExaminerKind:
    """The kind of this choice, one of :data:`CHOICES`."""
    return next(kind for kind in EXAMINERS if kind.choice == choice)


def kind_of(examiner: str) -> ExaminerKind:
    """The kind of the examiner with this name on record; of "one, then another" the first here."""
    names = examiner.split(", then ")
    return next(k for k in EXAMINERS if any(name.startswith(k.prefix) for name in names))
