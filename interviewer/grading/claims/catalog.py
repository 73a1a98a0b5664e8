"""The tables of the ledger: quantities, relations, circumstances, devices and words, as data.

Each file is read once and checked against the others: an unknown name is an error of the program,
found by its tests.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache

from pydantic import TypeAdapter

from interviewer.grading.numerals import HOUR
from interviewer.rubric.text import Span
from interviewer.yaml_tables import table


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
    settled: str = ""
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
    """An accelerator: dense peak in operations a second, bytes of its variants, price a second."""

    name: str
    peak: float
    memory: tuple[float, float]
    fp8: bool
    price: tuple[float, float] | None


@cache
def measures() -> Mapping[str, Measure]:
    """All quantities by id, in the order in which rules try them."""
    rows = table("quantities", __package__).items()
    return TypeAdapter(dict[str, Measure]).validate_python({k: {"id": k, **row} for k, row in rows})


@cache
def relations() -> tuple[Relation, ...]:
    """All relations in the order of the file."""
    return TypeAdapter(tuple[Relation, ...]).validate_python(table("relations", __package__))


@cache
def circumstances() -> Mapping[str, tuple[str, re.Pattern[str]]]:
    """What each circumstance means, and the words that state it, if rules are to hear it."""
    return {
        name: (row["means"], re.compile(rf"\b(?:{row.get('words', '(?!)')})"))
        for name, row in table("circumstances", __package__).items()
    }


@cache
def words() -> Mapping[str, re.Pattern[str]]:
    """The lists of words that rules go by, each as one pattern over lower-case text."""
    return {
        name: re.compile("|".join([listed] if isinstance(listed, str) else listed))
        for name, listed in table("words", __package__).items()
    }


@cache
def _devices() -> Mapping[str, Device]:
    return {
        name: Device(
            name,
            row["tflops"] * 1e12,
            (min(row["memory"]) * 1e9, max(row["memory"]) * 1.08e9),
            row.get("fp8", False),
            tuple(each / HOUR for each in row["dollars"]) if "dollars" in row else None,
        )
        for name, row in table("devices", __package__).items()
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
    for place, (name, row) in enumerate(table("devices", __package__).items()):
        own = re.escape(name.lower()).replace(r"\ ", "[ -]?")
        said.append(
            (-len(name), f"(?P<d{place}>{own}{'|' + row['said'] if 'said' in row else ''})")
        )
    joined = "|".join(pattern for _, pattern in sorted(said))
    return re.compile(rf"\b{_NAMELIKE}(?:{joined})(?:'?s)?(?![\w])")


@lru_cache(maxsize=64)
def named_devices(text: str) -> tuple[tuple[Device, Span], ...]:
    """The devices that these words name, in order, and where."""
    known = [*_devices().values()]
    found = device_pattern().finditer(text.lower())
    return tuple((known[int(str(match.lastgroup)[1:])], match.span()) for match in found)


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
