"""What a worker answered: readings by draw, item and part; how they compare; what is expected."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite, isnan, prod
from typing import Literal

from interviewer.sandbox.challenge import Challenge, Quantity, Wrong
from interviewer.sandbox.jobs import Draw
from interviewer.sandbox.worker import protocol
from interviewer.sandbox.worker.protocol import LANDMARKS, STEPS, VISITS, WRONG_STEPS

Place = tuple[int, int, int]
"""Draw, item, part."""


@dataclass(frozen=True)
class Numbers:
    """A tensor as numbers in row-major order."""

    shape: tuple[int, ...]
    entries: array[float]


@dataclass(frozen=True)
class Value:
    """The value of an expression or function, and its gradients by index of the input.

    An absent gradient is zero.
    """

    itself: Numbers
    gradients: Mapping[int, Numbers] = field(default_factory=dict)


@dataclass(frozen=True)
class Fault:
    """Why there is no value; ``text`` comes from the child and is not trusted."""

    code: str
    text: str


@dataclass
class Readings:
    """Everything a child sent. ``complete`` means that it finished its job."""

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


@dataclass(frozen=True)
class Scope:
    """What a candidate's process was asked for; its records about anything else are passed over.

    Numbers of draws, of parts of the answer, and of inputs that gradients are taken to.
    """

    draws: int
    parts: int
    inputs: int

    def holds(self, record: protocol.Record) -> bool:
        """The record is about something that was asked for."""
        known = record.wrt == protocol.ITSELF or record.wrt < self.inputs
        return known and record.draw < self.draws and record.item == 0 and record.part < self.parts


def read_records(data: bytes, scope: Scope | None = None) -> Readings:
    """The records in order; reading ends at the first byte that is no record."""
    found = Readings()
    met: dict[Place, int] = {}
    try:
        for record in protocol.unpack_records(data):
            if scope is None or scope.holds(record):
                _take(record, found, met)
    except protocol.MalformedError:
        found.complete = False
    return found


def _take(record: protocol.Record, found: Readings, met: dict[Place, int]) -> None:
    place = (record.draw, record.item, record.part)
    match record.kind:
        case protocol.VALUE if record.wrt == protocol.ITSELF:
            found.values[place] = Value(Numbers(record.shape, record.numbers), {})
        case protocol.VALUE:
            if (there := found.values.get(place)) is not None:
                gradients = {**there.gradients, record.wrt: Numbers(record.shape, record.numbers)}
                found.values[place] = Value(there.itself, gradients)
        case protocol.ERROR:
            found.faults.setdefault(place, Fault(record.code, record.text))
        case protocol.NOTE:
            found.notes.setdefault(place, record.text)
        case protocol.BRANCH:
            _count(record, found, met)
        case _:
            found.complete = True


def _count(record: protocol.Record, found: Readings, met: dict[Place, int]) -> None:
    """The functions of an expression report in the same order in every draw."""
    place = (record.draw, record.item, record.part)
    number = met.get(place, 0)
    met[place] = number + 1
    counts = found.branches.setdefault((record.item, record.part), [])
    if number == len(counts):
        counts.append((0, 0))
    first, other = counts[number]
    counts[number] = (first + record.counts[0], other + record.counts[1])


Kind = Literal["shape", "not finite", "value", "gradient"]


@dataclass(frozen=True)
class Tolerance:
    """Allowed difference: ``absolute``, plus ``relative`` times the largest entry of the tensor.

    It is tensor-wide on purpose: where terms cancel, an entry's own size says nothing about its
    rounding (sandbox research, section 2).
    """

    absolute: float = 1e-9
    relative: float = 1e-7

    def of(self, entries: array[float]) -> float:
        """The largest difference that still counts as equal."""
        largest = max((abs(entry) for entry in entries if isfinite(entry)), default=0.0)
        return self.absolute + self.relative * largest


@dataclass(frozen=True)
class Difference:
    """How two values differ. ``wrt`` is the input's index where only a gradient does."""

    kind: Kind
    got: Numbers
    wanted: Numbers
    wrt: int | None = None


def difference(
    got: Value, wanted: Value, tolerance: Tolerance, *, gradients: bool = True
) -> Difference | None:
    """How the values differ, None if they agree."""
    if found := numbers_differ(got.itself, wanted.itself, tolerance):
        return found
    if not gradients:
        return None
    for wrt in sorted({*got.gradients, *wanted.gradients}):
        shape = (got.gradients.get(wrt) or wanted.gradients[wrt]).shape
        mine = got.gradients.get(wrt) or _zeros(shape)
        theirs = wanted.gradients.get(wrt) or _zeros(shape)
        if numbers_differ(mine, theirs, tolerance):
            return Difference("gradient", mine, theirs, wrt)
    return None


def coincide(got: Value, wanted: Value, tolerance: Tolerance) -> bool:
    """The values agree, and one is NaN exactly where the other is."""
    if _undefined(got.itself) != _undefined(wanted.itself):
        return False
    return difference(_defined(got), _defined(wanted), tolerance) is None


def numbers_differ(got: Numbers, wanted: Numbers, tolerance: Tolerance) -> Difference | None:
    """How two tensors differ, None if they agree. A NaN agrees with nothing."""
    if got.shape != wanted.shape:
        return Difference("shape", got, wanted)
    if _odd(got.entries) != _odd(wanted.entries) or _undefined(got):
        return Difference("not finite", got, wanted)
    largest = max(map(_gap, got.entries, wanted.entries), default=0.0)
    if largest > tolerance.of(wanted.entries):
        return Difference("value", got, wanted)
    return None


def side_by_side(one: Value, other: Value) -> tuple[Value, Value]:
    """The two values with a lone number repeated for every entry of the other."""
    if not one.itself.shape:
        return _repeated(one, other.itself.shape), other
    return one, _repeated(other, one.itself.shape)


def _repeated(number: Value, shape: tuple[int, ...]) -> Value:
    if number.itself.shape or number.gradients:
        return number
    return Value(Numbers(shape, number.itself.entries * prod(shape)))


def constant_factor(got: Numbers, wanted: Numbers) -> float | None:
    """The number that all of ``got`` is a multiple by, None where there is none or it is 1."""
    pairs = [(g, w) for g, w in zip(got.entries, wanted.entries, strict=False) if w]
    if got.shape != wanted.shape or len(pairs) < 2 or not all(isfinite(g) for g, _ in pairs):
        return None
    factors = [g / w for g, w in pairs]
    middle = sorted(factors)[len(factors) // 2]
    same = all(abs(factor - middle) <= 1e-6 * abs(middle) for factor in factors)
    return middle if same and middle and abs(middle - 1) > 1e-6 else None


def is_transposed(got: Numbers, wanted: Numbers, tolerance: Tolerance) -> bool:
    """The same matrix with its axes swapped."""
    if len(got.shape) != 2 or got.shape != wanted.shape[::-1]:
        return False
    rows, columns = got.shape
    turned = array("d", (got.entries[i * columns + j] for j in range(columns) for i in range(rows)))
    return numbers_differ(Numbers(wanted.shape, turned), wanted, tolerance) is None


def same_entries(got: Numbers, wanted: Numbers, tolerance: Tolerance) -> bool:
    """The same numbers in the same order under another shape."""
    if len(got.entries) != len(wanted.entries):
        return False
    return numbers_differ(Numbers(wanted.shape, got.entries), wanted, tolerance) is None


def _gap(a: float, b: float) -> float:
    return 0.0 if a == b else abs(a - b)


def _undefined(numbers: Numbers) -> list[int]:
    return [n for n, entry in enumerate(numbers.entries) if isnan(entry)]


def _defined(value: Value) -> Value:
    """With zeros for NaN; the gradients of such a value mean nothing."""
    if not _undefined(value.itself):
        return value
    entries = array("d", (0.0 if isnan(entry) else entry for entry in value.itself.entries))
    return Value(Numbers(value.itself.shape, entries))


def _odd(entries: array[float]) -> list[tuple[int, float]]:
    """Where entries are infinite, and how."""
    return [(n, x) for n, x in enumerate(entries) if not isfinite(x) and not isnan(x)]


def _zeros(shape: tuple[int, ...]) -> Numbers:
    return Numbers(shape, array("d", bytes(8 * prod(shape))))


@dataclass(frozen=True)
class Expected:
    """The numbers to compare an answer with; ``readings`` come from the reference job."""

    challenge: Challenge
    draws: tuple[Draw, ...]
    readings: Readings

    @property
    def tolerance(self) -> Tolerance:
        return Tolerance(self.challenge.atol, self.challenge.rtol)

    @property
    def scope(self) -> Scope:
        """What a function is asked for."""
        inputs = [each for each in self.challenge.inputs.values() if each.differentiable]
        return Scope(len(self.draws), len(self.challenge.answer), len(inputs))

    def quantity(self, name: str) -> Quantity | None:
        """The declared quantity of this name."""
        declared: tuple[Quantity, ...] = (*self.challenge.answer, *self.challenge.steps)
        return next((each for each in declared if each.name == name), None)

    def value(self, draw: int, name: str) -> Value | None:
        """The value of the quantity; None if the reference gave none there."""
        for part, asked in enumerate(self.challenge.answer):
            if asked.name == name:
                return self.readings.values.get((draw, 0, part))
        for place, step in enumerate(self.challenge.steps):
            if step.name == name:
                return self.readings.values.get((draw, STEPS + place, 0))
        return None

    def fault(self) -> Fault | None:
        """Why the reference or a step could not be evaluated on a draw that counts."""
        for (draw, item, _), fault in sorted(self.readings.faults.items()):
            own = item == 0 or STEPS <= item < VISITS
            if own and self.draws[draw].counts:
                return fault
        return None

    def unvisited(self) -> tuple[str, ...]:
        """The conditions of ``visits`` that were true in no draw that compares gradients."""
        seen = set().union(*(self.visited(number) for number in range(len(self.draws))))
        return tuple(text for n, text in enumerate(self.challenge.visits) if n not in seen)

    def visited(self, number: int) -> set[int]:
        """The places of the conditions that came true in a draw; none where it has no gradients."""
        if not self.draws[number].gradients:
            return set()
        values = {
            place: self.readings.values.get((number, VISITS + place, 0))
            for place in range(len(self.challenge.visits))
        }
        return {place for place, value in values.items() if value and any(value.itself.entries)}

    def matching(self, name: str, got: Mapping[int, Value], limit: Tolerance) -> list[Wrong]:
        """The known mistakes whose numbers and gradients these are, by draw, of this quantity."""
        mistaken = self._mistaken(name)
        return [wrong for wrong, item, part in mistaken if self._is(item, part, got, limit)]

    def steps_with(self, got: Mapping[int, Value]) -> Iterator[str]:
        """The steps whose value this is, by draw."""
        for place, step in enumerate(self.challenge.steps):
            if self._is(STEPS + place, 0, got, self.tolerance):
                yield step.name

    def landmarks_with(self, got: Mapping[int, Value]) -> Iterator[int]:
        """The places among all forms of landmarks that have this value, by draw."""
        for place in range(len(self.challenge.landmark_values)):
            if self._is(LANDMARKS + place, 0, got, self.tolerance):
                yield place

    def _mistaken(self, name: str) -> Iterator[tuple[Wrong, int, int]]:
        """Each mistake that shows in this quantity, with the item and part of its values."""
        parts = [part.name for part in self.challenge.answer]
        if name in parts:
            for place, (wrong, _) in enumerate(self.challenge.wrong_codes, start=1):
                if not wrong.same_as:
                    yield wrong, place, parts.index(name)
        for place, (wrong, step, _) in enumerate(self.challenge.wrong_steps):
            if step == name:
                yield wrong, WRONG_STEPS + place, 0

    def _is(self, item: int, part: int, got: Mapping[int, Value], limit: Tolerance) -> bool:
        counting = [draw for draw in got if self.draws[draw].counts]
        theirs = {draw: self.readings.values.get((draw, item, part)) for draw in counting}
        return bool(counting) and all(
            value is not None and coincide(got[draw], value, limit)
            for draw, value in theirs.items()
        )

    def of(self, item: int) -> dict[tuple[int, int], Value]:
        """The values of an item of the reference job by draw and part; item 0 is the reference."""
        return {
            (draw, part): value
            for (draw, at, part), value in self.readings.values.items()
            if at == item
        }
