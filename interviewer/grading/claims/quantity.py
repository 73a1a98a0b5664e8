"""Figures, what they can measure, what holds between them, and how one says them; as tables."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Literal

from pydantic import TypeAdapter

from interviewer.grading.numerals import BYTES, DAY, HOUR, SECONDS, TIME_NAMES, factor_of
from interviewer.rubric.text import Span, table

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
    """What the candidate did to the figure at ``turn`` and ``start``: None strikes it.

    ``after`` is the last turn before the mark.
    """

    turn: int
    start: int
    after: int
    value: float | None = None
    text: str = ""


@dataclass(frozen=True)
class Contradiction:
    """Figures that no reading lets be true together: the sum, its relations, and its two sides."""

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
    """The figures of the candidate's own runs, oldest first, and the contradictions among them."""

    quantities: tuple[Quantity, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    closings: tuple[Closing, ...] = ()
    explained: tuple[Contradiction, ...] = ()

    @property
    def standing(self) -> tuple[Quantity, ...]:
        """The figures that stand."""
        return tuple(each for each in self.quantities if each.counts)


# The tables.


@dataclass(frozen=True)
class Measure:
    """What a figure can measure; the fields are those of ``quantities.yaml``."""

    id: str
    unit: str
    means: str
    name: str = ""
    noun: str = ""
    after: str = ""
    before: str = ""
    then: str = ""
    instead: Mapping[str, str] = field(default_factory=dict)
    not_before: str = ""
    not_after: str = ""
    near: str = ""
    near_noun: str = ""
    where: Mapping[str, str] = field(default_factory=dict)
    scaled: bool | None = None
    least: float = 0.0
    most: float = math.inf
    also: Mapping[str, float] = field(default_factory=dict)
    readings: tuple[str | float, ...] = ()
    open_to: float = math.inf


@dataclass(frozen=True, eq=False)
class Relation:
    """What holds between quantities of one run; the fields are those of ``relations.yaml``."""

    id: str
    result: str
    source: str
    slack: tuple[float, float]
    says: str = ""
    factors: Mapping[str, float] = field(default_factory=dict)
    times: float = 1.0
    formula: str = ""
    of: tuple[str, ...] = ()
    silent: bool = False
    forward: bool = False
    optional: frozenset[str] = frozenset()
    unless: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    instead: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    asks: str = ""
    plausible: tuple[float, float] = (0.0, math.inf)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The quantities on its right side."""
        return self.of or tuple(self.factors)

    def bounds(self, circumstances: frozenset[str]) -> tuple[float, float] | None:
        """Its slack in these circumstances, None where it does not hold."""
        if self.unless & circumstances or (self.needs and not self.needs & circumstances):
            return None
        others = [self.instead[name] for name in self.instead if name in circumstances]
        return others[0] if others else self.slack


@dataclass(frozen=True)
class Device:
    """An accelerator; the fields are those of ``devices.yaml``."""

    name: str
    tflops: float
    memory: tuple[float, ...]
    dollars: tuple[float, float] | None = None
    fp8: bool = False
    said: str = ""


@cache
def measures() -> Mapping[str, Measure]:
    """All quantities by id, in the order in which rules try them."""
    rows = table("quantities", __package__).items()
    return TypeAdapter(dict[str, Measure]).validate_python({k: {"id": k, **row} for k, row in rows})


@cache
def devices() -> tuple[Device, ...]:
    """All accelerators in the order of the file."""
    rows = table("devices", __package__).items()
    return TypeAdapter(tuple[Device, ...]).validate_python([{"name": k, **row} for k, row in rows])


@cache
def relations() -> tuple[Relation, ...]:
    """All relations in the order of the file."""
    return TypeAdapter(tuple[Relation, ...]).validate_python(table("relations", __package__))


@cache
def known_circumstances() -> Mapping[str, tuple[str, re.Pattern[str]]]:
    """What each circumstance means, and the words that state it, if rules are to hear it."""
    return {
        name: (row["means"], re.compile(rf"\b(?:{row.get('words', '(?!)')})"))
        for name, row in table("circumstances", __package__).items()
    }


@cache
def word_lists() -> Mapping[str, re.Pattern[str]]:
    """The lists of words that rules go by, each as one pattern over lower-case text."""
    return {
        name: re.compile("|".join([listed] if isinstance(listed, str) else listed))
        for name, listed in table("words", __package__).items()
    }


_NAMELIKE = (
    r"(?=[abfghlmprtv\d])"
    r"(?=[a-z]*+[ -]?+(?:[a-z]++[ -]?+)?+\d|\w++[ -](?:one[ -])?(?:hundred|ninet|eight|two)|tr)"
)
"""What every device's name begins like, to pass over other words soon."""


@cache
def device_pattern() -> re.Pattern[str]:
    """Any device's name in lower-case text, the longest names first."""
    said = []
    for place, device in enumerate(devices()):
        name = re.escape(device.name.lower()).replace(r"\ ", "[ -]?")
        said.append((-len(device.name), f"(?P<d{place}>{name}|{device.said or name})"))
    joined = "|".join(pattern for _, pattern in sorted(said))
    return re.compile(rf"\b{_NAMELIKE}(?:{joined})(?:'?s)?(?![\w])")


@lru_cache(maxsize=64)
def named_devices(text: str) -> tuple[tuple[Device, Span], ...]:
    """The devices that these words name, in order, and where."""
    found = device_pattern().finditer(text.lower())
    return tuple((devices()[int(str(match.lastgroup)[1:])], match.span()) for match in found)


def device_of(name: str) -> Device | None:
    """The device that these words name first, None for none."""
    return next((device for device, _ in named_devices(name)), None)


FORMULAS: Mapping[str, Callable[..., float]] = {
    "perplexity": lambda loss: math.exp(min(loss, 100.0)),
    "bubble": lambda stages, batches: (stages - 1) / (batches + stages - 1),
    "ratio": lambda before, after: max(before / after, after / before),
    "change": lambda before, after: abs(after - before) / before,
}
"""What is no product, by the ``formula`` of a relation: of the values of ``of`` in order."""


# Figures as one says them.

_SIZES = ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "KB"))
_SCALES = ((1e12, "T"), (1e9, "B"), (1e6, "M"))
_TIMES = ((14 * DAY, "week"), (2 * DAY, "day"), (HOUR, "hour"), (60.0, "minute"), (1.0, "second"))
"""From where on a time is told in this unit."""
_LEAST_WITH_POWER = 1e15


def count(value: float) -> str:
    """ "7B", "1.4T", "64", "4,096", "5.9e22"."""
    if value >= _LEAST_WITH_POWER or 0 < value < 1e-3:
        return f"{value:.1e}".replace("e+", "e").replace("e-0", "e-")
    for size, letter in _SCALES:
        if value >= size:
            return f"{value / size:.3g}{letter}"
    if value >= 10 and abs(value - round(value)) < 0.05:
        return f"{value:,.0f}"
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 1000 else f"{value:.3g}"


def time(seconds: float, unit: str = "") -> str:
    """ "2.5 days", "13.9 hours", "0.5 seconds"; in the unit that it was said in, if any."""
    name = TIME_NAMES.get(unit) or TIME_NAMES.get(unit.removesuffix("s"))
    if name is None:
        name = next((each for least, each in _TIMES if seconds >= least), "millisecond")
    said = seconds / SECONDS[name]
    number = f"{said:,.0f}" if said >= 1000 else f"{said:.3g}"
    return f"{number} {name if number == '1' else f'{name}s'}"


def memory(size: float) -> str:
    """ "80 GB", "1.12 TB", "320 KB"."""
    scale, unit = next((each for each in _SIZES if size >= each[0]), (1.0, "bytes"))
    return f"{size / scale:.3g} {unit}"


def percent(share: float) -> str:
    """ "45%", "3,480%"."""
    value = share * 100
    return f"{value:,.0f}%" if value >= 10 else f"{value:.2g}%"


_SAID: Mapping[str, Callable[[float], str]] = {
    **dict.fromkeys(("byte", "bytes"), memory),
    "byte_rate": lambda value: f"{memory(value)} a second",
    "share": percent,
    "width": lambda value: f"{value:g}",
    "device_time": lambda value: count(value / HOUR),
    "money": lambda value: f"${count(value)}",
    "price": lambda value: f"${value * HOUR:.3g} an hour",
    "token_price": lambda value: f"${value * 1e6:.3g} a million tokens",
    "flop_rate": lambda value: f"{count(value / 1e12)} TFLOP/s",
}
"""How values of a unit are told that are no plain counts."""


def amount(measure: str, value: float, unit: str = "", device: str = "") -> str:
    """A value of the quantity as one says it; ``unit`` is the one that it was said in."""
    known = measures()[measure]
    noun = f"{device}s" if measure == "gpus" and device else known.noun
    kind = kind_of(unit) if known.unit == "any" else known.unit
    if kind == "time":
        said = time(value, unit)
    elif known.unit == "any" and kind != "byte":
        said, noun = count(value), unit
    else:
        said = _SAID.get(kind, count)(value)
    if said == "1" and noun and known.unit != "any":
        first, *rest = noun.split(" ")
        noun = " ".join((first.removesuffix("s"), *rest))
    return f"{said} {noun}".strip()


def kind_of(unit: str, other: str | None = None) -> str:
    """What a unit of any count is of: times and sizes are converted, others stay what they are."""
    word = unit.lower().removesuffix("s")
    if factor_of(word, SECONDS):
        return "time"
    return "byte" if factor_of(word, BYTES) else word if other is None else other


def shown(quantity: Quantity) -> str:
    """A figure of the candidate's as one says it back: "13B parameters", "64 H100s"."""
    return amount(quantity.measure, quantity.value, quantity.unit, quantity.device)


def how_do_they_fit(figures: int) -> str:
    """The question after a sum that does not hold: they may fit, and were read in another way."""
    return "How can that be?" if figures < 2 else "How do these fit together?"
