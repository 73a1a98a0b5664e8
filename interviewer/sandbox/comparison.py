"""How numbers compare with what is expected, and what is wrong in the candidate's terms.

A difference is told by the names of axes, how far off and in which draw, and never by the number
that would be right.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite, isnan, prod
from typing import Literal

from interviewer.sandbox.challenge import Challenge, Wrong
from interviewer.sandbox.jobs import Draw, Fault, Readings, ReferenceNumbers, Value
from interviewer.sandbox.worker.protocol import LANDMARKS, STEPS, VISITS, WRONG_STEPS

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
    got: ReferenceNumbers
    wanted: ReferenceNumbers
    wrt: int | None = None


def difference(
    got: Value,
    wanted: Value,
    tolerance: Tolerance,
    *,
    gradients: bool = True,
    undefined: bool = False,
) -> Difference | None:
    """How the values differ, None if they agree: a NaN only if it may be ``undefined`` in both."""
    if found := numbers_differ(got.itself, wanted.itself, tolerance, undefined=undefined):
        return found
    if not gradients:
        return None
    for wrt in sorted({*got.gradients, *wanted.gradients}):
        shape = (got.gradients.get(wrt) or wanted.gradients[wrt]).shape
        zeros = ReferenceNumbers(shape, array("d", bytes(8 * prod(shape))))
        mine, theirs = got.gradients.get(wrt, zeros), wanted.gradients.get(wrt, zeros)
        if numbers_differ(mine, theirs, tolerance):
            return Difference("gradient", mine, theirs, wrt)
    return None


def coincide(got: Value, wanted: Value, tolerance: Tolerance) -> bool:
    """The values agree, and one is NaN exactly where the other is; gradients are then nothing."""
    gradients = not any(map(isnan, got.itself.entries))
    return difference(got, wanted, tolerance, gradients=gradients, undefined=True) is None


def numbers_differ(
    got: ReferenceNumbers,
    wanted: ReferenceNumbers,
    tolerance: Tolerance,
    *,
    undefined: bool = False,
) -> Difference | None:
    """How two tensors differ, None if they agree."""
    if got.shape != wanted.shape:
        return Difference("shape", got, wanted)
    gaps = [
        0.0 if a == b or (undefined and isnan(a) and isnan(b)) else abs(a - b)
        for a, b in zip(got.entries, wanted.entries, strict=True)
    ]
    if not all(map(isfinite, gaps)):
        return Difference("not finite", got, wanted)
    if max(gaps, default=0.0) > tolerance.of(wanted.entries):
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
    return Value(ReferenceNumbers(shape, number.itself.entries * prod(shape)))


@dataclass(frozen=True)
class Expected:
    """The numbers to compare an answer with; ``readings`` come from the reference job."""

    challenge: Challenge
    draws: tuple[Draw, ...]
    readings: Readings

    @property
    def tolerance(self) -> Tolerance:
        return Tolerance(self.challenge.atol, self.challenge.rtol)

    def without_gradients(self) -> Expected:
        values = {place: Value(each.itself) for place, each in self.readings.values.items()}
        return replace(self, readings=replace(self.readings, values=values))

    def described(self, found: Difference, what: str, number: int, limit: Tolerance) -> str:
        """How a value differs from ``what`` it should equal, in words that give no number away."""
        got, wanted, draw = found.got, found.wanted, self.draws[number]
        place = f"draw {number + 1}, {draw.about}" if draw.about else f"draw {number + 1}"
        match found.kind:
            case "shape":
                shapes = f"{shape(got.shape, draw)} where {what} has {shape(wanted.shape, draw)}"
                return f"The shape differs: {shapes}."
            case "not finite":
                return f"Infinities or NaNs stand where {what} has none, or the reverse ({place})."
            case "gradient":
                leaves = dict(enumerate(self.challenge.leaves))
                by = leaves.get(found.wrt or 0, "something that it was not asked about")
                return (
                    f"The value agrees with {what}, but its gradient with respect to {by} does not."
                )
        if len(wanted.entries) == 1:
            how = "too high" if got.entries[0] > wanted.entries[0] else "too low"
        else:
            allowed, pairs = limit.of(wanted.entries), zip(got.entries, wanted.entries, strict=True)
            off = sum(abs(mine - theirs) > allowed for mine, theirs in pairs)
            how = f"{off} of {len(wanted.entries)} entries differ"
        return f"This is not {what}: {how} ({place})."

    @cached_property
    def places(self) -> dict[str, tuple[int, int]]:
        """Item and part of the reference job where a quantity's values are, by its name."""
        steps = {each.name: (STEPS + n, 0) for n, each in enumerate(self.challenge.steps)}
        return steps | {each.name: (0, part) for part, each in enumerate(self.challenge.answer)}

    def value(self, draw: int, name: str) -> Value | None:
        """The value of the quantity; None if the reference gave none there."""
        return self.readings.values.get((draw, *self.places[name]))

    def fault(self) -> Fault | None:
        """Why the reference or a step could not be evaluated on a draw that counts."""
        for (draw, item, _), fault in sorted(self.readings.faults.items()):
            own = item == 0 or STEPS <= item < VISITS
            if own and self.draws[draw].counts:
                return fault
        return None

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
        item, part = self.places[name]
        found = []
        if item == 0:
            for place, (wrong, _) in enumerate(self.challenge.wrong_codes, start=1):
                if not wrong.same_as and self._is(place, part, got, limit):
                    found.append(wrong)
        for place, (wrong, step, _) in enumerate(self.challenge.wrong_steps, WRONG_STEPS):
            if step == name and self._is(place, 0, got, limit):
                found.append(wrong)
        return found

    def steps_with(self, got: Mapping[int, Value]) -> set[str]:
        """The steps whose value this is, by draw."""
        steps = enumerate(self.challenge.steps, STEPS)
        return {each.name for item, each in steps if self._is(item, 0, got, self.tolerance)}

    def landmarks_with(self, got: Mapping[int, Value]) -> set[int]:
        """The places among all forms of landmarks that have this value, by draw."""
        places = range(len(self.challenge.landmark_values))
        return {n for n in places if self._is(LANDMARKS + n, 0, got, self.tolerance)}

    def _is(self, item: int, part: int, got: Mapping[int, Value], limit: Tolerance) -> bool:
        counting = [n for n, draw in enumerate(self.draws) if draw.counts and n in got]
        theirs = {draw: self.readings.values.get((draw, item, part)) for draw in counting}
        return bool(counting) and all(
            value is not None and coincide(got[draw], value, limit)
            for draw, value in theirs.items()
        )


# -- in words

LONGEST_OUTPUT = 4000
"""Characters of what a function printed that are kept."""
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_].*?(?:\x07|\x1b\\|$)|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]",
    re.DOTALL,
)
_LINE = re.compile(r"line (\d{1,4}): ")
_SHAPE = re.compile(r"[\[(](\d+(?:, ?\d+)*),?[\])]")


def stripped(text: str) -> str:
    """Text of a child without escape sequences, control and invisible characters."""
    kept = _ESCAPES.sub("", text)
    return "".join(char for char in kept if char.isprintable() or char in "\n\t")


def output(data: bytes) -> str:
    """What a function printed, fit for display."""
    text = stripped(data.decode("utf-8", "replace")).rstrip()
    if len(text) > LONGEST_OUTPUT:
        return f"{text[:LONGEST_OUTPUT]}\n[the rest of the output is cut off]"
    return text


def shape(sizes: Sequence[int], draw: Draw) -> str:
    """A shape with the names of its axes where a size has only one: ``[n, d]``."""
    if not sizes:
        return "a single number"
    named = {}
    for size in sizes:
        names = [name for name, number in draw.dims.items() if number == size]
        named[size] = names[0] if len(names) == 1 and size != 1 else str(size)
    return f"[{', '.join(named[size] for size in sizes)}]"


def fault(found: Fault, draw: Draw, instead: Sequence[str] = ()) -> str:
    """Why there is no value; ``instead`` is what a function may be built from."""

    def named(written: re.Match[str]) -> str:
        return shape([int(size) for size in written[1].split(",")], draw)

    text = _SHAPE.sub(named, stripped(found.text)).rstrip(". ")
    match found.code:
        case "shape":
            return f"The shapes do not fit: {text}."
        case "raised":
            return f"Your function stopped with an error: {_LINE.sub('', text, count=1)}."
        case "changed":
            return f"Your function changes {text} in place; work on a copy, as clone() makes one."
        case "banned" if instead:
            return f"{text} may not be used here; build the answer from {listed(instead)}."
        case "banned":
            return f"{text} may not be used here: it is what you are asked to write."
        case "gradient":
            return f"This has no gradient: {text}."
        case _:
            return f"This cannot be evaluated: {text}."


def listed(names: Sequence[str]) -> str:
    """Names as "q, k and v"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def line_of(found: Fault) -> int | None:
    """The line at which a function stopped, if the error says."""
    told = _LINE.match(found.text) if found.code == "raised" else None
    return int(told[1]) if told else None
