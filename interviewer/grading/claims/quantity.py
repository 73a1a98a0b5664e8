"""The figures of a session: what was read in one turn, and the ledger of all turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from interviewer.rubric.text import Span

Whose = Literal["own", "team", "other", "exercise"]
Status = Literal["stands", "corrected", "withdrawn", "struck"]
Reader = Literal["rules", "model", "earlier"]
"""``earlier`` is a journal of before figures were kept turn by turn."""
Place = tuple[int, int]
"""A turn and the first character of a figure's words in it: what tells two figures apart."""
Outcome = Literal["stands", "given_up", "explained"]

GROUPED = frozenset(
    (
        *("part", "whole", "share", "portion", "before", "after", "change", "ratio"),
        *("times", "each", "total", "addend"),
    )
)
"""Counts that belong together by the statement that holds them, and to no run."""


@dataclass(frozen=True)
class Quantity:
    """One figure as stated.

    ``measure`` is an id of ``quantities.yaml``, ``value`` is in its base unit, ``unit`` the unit as
    said ("H100", "days"). ``text`` are the candidate's words, at ``span`` of turn ``turn``.
    """

    measure: str
    value: float
    unit: str
    text: str
    turn: int
    span: Span
    run: str = ""
    whose: Whose = "own"
    status: Status = "stands"
    replaces: bool = False
    """It takes the place of an earlier value of the same quantity and run."""
    device: str = ""
    loose: bool = False
    """Rules read it: whether it is of one device or of all, say, is not sure."""
    unsure: bool = False
    """Rules could not read another number of its sentence, which may be what makes sense of it, or
    took a long time beside others for the run's."""
    nearby: bool = False
    """Words in its sentence told rules what it measures, not the ones beside it: it counts only
    against what was said in the same breath."""

    @property
    def place(self) -> Place:
        """Where it was said."""
        return self.turn, self.span[0]

    @property
    def counts(self) -> bool:
        """It stands and is about a run of the candidate's own."""
        return self.status == "stands" and self.whose in ("own", "team")


@dataclass(frozen=True)
class Reading:
    """What was read in one turn. ``failed`` says why its figures are unread, "" if they were read.

    ``circumstances`` are pairs of a run and a name of ``circumstances.yaml``. ``resolves`` is what
    the turn does with an objection to figures, if one was made. ``dropped`` counts what a model
    reported and the words do not hold.
    """

    turn: int
    quantities: tuple[Quantity, ...] = ()
    circumstances: tuple[tuple[str, str], ...] = ()
    resolves: Outcome | Literal[""] = ""
    by: Reader = "rules"
    failed: str = ""
    dropped: int = 0


@dataclass(frozen=True)
class Mark:
    """What the candidate did to a figure by hand: struck it, or gave the right value.

    ``turn`` and ``start`` say which figure; ``value`` is None for a strike. ``after`` is the last
    turn before the mark.
    """

    turn: int
    start: int
    after: int
    value: float | None = None
    text: str = ""


@dataclass(frozen=True)
class Contradiction:
    """Figures that no reading of them lets be true together.

    ``sentence`` is the sum, addressed to "you". ``relations`` are ids of ``relations.yaml``. The
    two sides of the sum come to ``low`` and ``high``.
    """

    relations: tuple[str, ...]
    sentence: str
    quantities: tuple[Quantity, ...]
    low: float
    high: float

    @property
    def places(self) -> frozenset[Place]:
        """Where its figures were said."""
        return frozenset(each.place for each in self.quantities)


@dataclass(frozen=True)
class Closing:
    """What follows from figures of one run that fit together, and the question that it raises."""

    sentence: str
    question: str
    measure: str
    value: float
    quantities: tuple[Quantity, ...]


@dataclass(frozen=True)
class Ledger:
    """Every figure of the candidate's own runs, oldest first, and the contradictions among them.

    ``explained`` are contradictions that the candidate has explained.
    """

    quantities: tuple[Quantity, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    closings: tuple[Closing, ...] = ()
    explained: tuple[Contradiction, ...] = ()

    @property
    def standing(self) -> tuple[Quantity, ...]:
        """The figures that stand."""
        return tuple(each for each in self.quantities if each.counts)

    @property
    def withdrawn(self) -> tuple[Quantity, ...]:
        """Those that were taken back; a corrected or struck figure is none."""
        return tuple(each for each in self.quantities if each.status == "withdrawn")
