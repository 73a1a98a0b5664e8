"""A child's records, put in order: values, gradients and faults by draw, item and part."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field

from interviewer.sandbox.worker import records

Place = tuple[int, int, int]
"""Draw, item, part."""


@dataclass(frozen=True)
class Numbers:
    """A tensor as numbers in row-major order."""

    shape: tuple[int, ...]
    entries: array[float]


@dataclass(frozen=True)
class Value:
    """What an expression or function came to: itself, and its gradients by index of the input.

    A gradient that is absent is zero.
    """

    itself: Numbers
    gradients: Mapping[int, Numbers] = field(default_factory=dict)


@dataclass(frozen=True)
class Fault:
    """Why there is no value; ``text`` is from the child and not to be trusted."""

    code: str
    text: str


@dataclass
class Readings:
    """All that a child said. ``complete`` tells that it came to the end of its job."""

    values: dict[Place, Value] = field(default_factory=dict)
    faults: dict[Place, Fault] = field(default_factory=dict)
    notes: dict[Place, str] = field(default_factory=dict)
    branches: dict[tuple[int, int], list[tuple[int, int]]] = field(default_factory=dict)
    """By item and part: for each piecewise function in turn, entries on either side, all draws."""
    complete: bool = False

    def of(self, item: int, part: int) -> dict[int, Value]:
        """The values of one part of an item, by draw."""
        return {
            draw: value
            for (draw, at, which), value in self.values.items()
            if at == item and which == part
        }


def read(data: bytes) -> Readings:
    """The records in order; reading ends at the first byte that is no record."""
    found = Readings()
    met: dict[Place, int] = {}
    try:
        for record in records.unpack(data):
            _take(record, found, met)
    except records.MalformedError:
        found.complete = False
    return found


def _take(record: records.Record, found: Readings, met: dict[Place, int]) -> None:
    place = (record.draw, record.item, record.part)
    match record.kind:
        case records.VALUE if record.wrt == records.ITSELF:
            found.values[place] = Value(Numbers(record.shape, record.numbers), {})
        case records.VALUE:
            if (there := found.values.get(place)) is not None:
                gradients = {**there.gradients, record.wrt: Numbers(record.shape, record.numbers)}
                found.values[place] = Value(there.itself, gradients)
        case records.ERROR:
            found.faults.setdefault(place, Fault(record.code, record.text))
        case records.NOTE:
            found.notes.setdefault(place, record.text)
        case records.BRANCH:
            _count(record, found, met)
        case _:
            found.complete = True


def _count(record: records.Record, found: Readings, met: dict[Place, int]) -> None:
    """The functions of an expression report in the same order in every draw."""
    place = (record.draw, record.item, record.part)
    number = met.get(place, 0)
    met[place] = number + 1
    counts = found.branches.setdefault((record.item, record.part), [])
    if number == len(counts):
        counts.append((0, 0))
    first, other = counts[number]
    counts[number] = (first + record.counts[0], other + record.counts[1])
