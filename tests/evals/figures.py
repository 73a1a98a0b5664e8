"""Figures with their names, and the bars that they are held to."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

THRESHOLDS = Path(__file__).with_name("thresholds.toml")


@dataclass(frozen=True)
class Figure:
    """One thing that was measured."""

    name: str
    value: float
    beside: str = ""
    """What to know with it: how many of how many, or its unit and what it was compared with."""
    notes: Sequence[str] = ()
    """What is behind it, a line each: printed when its bar is missed, or when details are asked."""


def share(name: str, part: int, whole: int, notes: Iterable[str] = ()) -> Figure:
    """So many of so many, as 0..1; of none, 0."""
    return Figure(name, part / whole if whole else 0.0, f"{part} of {whole}", tuple(notes))


def count(name: str, found: Iterable[object], of: int | None = None) -> Figure:
    """How many there are, and which."""
    notes = [str(each) for each in found]
    return Figure(name, len(notes), "" if of is None else f"of {of}", notes)


@dataclass(frozen=True)
class Bar:
    """The least or the most that a figure may be; neither, for one that is only told."""

    min: float | None = None
    max: float | None = None

    def holds(self, value: float) -> bool:
        """The value is on the right side of it; on the bar itself it is."""
        least = self.min is None or value >= self.min
        return least and (self.max is None or value <= self.max)

    def __str__(self) -> str:
        if self.min is not None and self.max is not None:
            return f"{self.min:g} to {self.max:g}"
        return "" if self == Bar() else f"≥ {self.min:g}" if self.max is None else f"≤ {self.max:g}"


@cache
def thresholds(file: Path = THRESHOLDS) -> Mapping[str, Mapping[str, Bar]]:
    """The bars by eval and by the name of the figure."""
    found: dict[str, dict[str, Bar]] = {}
    for group, evals in tomllib.loads(file.read_text(encoding="utf-8")).items():
        for name, bars in evals.items():
            found[f"{group}.{name}"] = {figure: Bar(**bar) for figure, bar in bars.items()}
    return found


def bar_of(name: str, figure: Figure) -> Bar:
    """The bar for a figure of an eval; an empty one where none is set."""
    bars = thresholds().get(name, {})
    return next((bar for each, bar in bars.items() if fnmatchcase(figure.name, each)), Bar())


def unmeasured(name: str, figures: Iterable[Figure]) -> list[str]:
    """The bars of an eval that none of its figures is held to: a figure has another name now."""
    names = [figure.name for figure in figures]
    return [
        bar for bar in thresholds().get(name, {}) if not any(fnmatchcase(n, bar) for n in names)
    ]


HEAD = f"{'group':20} {'figure':58} {'value':>10}  {'threshold':13} {'':6}"


def rows(name: str, figure: Figure, *, details: bool) -> Iterator[str]:
    bar = bar_of(name, figure)
    held = bar.holds(figure.value)
    verdict = "" if bar == Bar() else "ok" if held else "MISSED"
    value = f"{figure.value:.3f}".rstrip("0").rstrip(".")
    yield f"{name:20} {figure.name:58} {value:>10}  {bar!s:13} {verdict:6} {figure.beside}".rstrip()
    if details or not held:
        yield from (f"    {line}" for line in figure.notes)
