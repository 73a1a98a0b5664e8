"""What a challenge's own reference, steps and wrong answers come to on the draws of a check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from interviewer.sandbox.challenges.challenge import Challenge, Quantity, Wrong
from interviewer.sandbox.checking.comparing import Tolerance, coincide
from interviewer.sandbox.checking.draws import Draw
from interviewer.sandbox.checking.numbers import Fault, Readings, Value
from interviewer.sandbox.worker.records import STEPS, VISITS, WRONG_STEPS


@dataclass(frozen=True)
class Expected:
    """The numbers to hold an answer against; ``readings`` are of the reference job."""

    challenge: Challenge
    draws: tuple[Draw, ...]
    readings: Readings

    @property
    def tolerance(self) -> Tolerance:
        return Tolerance(self.challenge.atol, self.challenge.rtol)

    def quantity(self, name: str) -> Quantity | None:
        """The declared quantity of this name."""
        declared: tuple[Quantity, ...] = (*self.challenge.answer, *self.challenge.steps)
        return next((each for each in declared if each.name == name), None)

    def value(self, draw: int, name: str) -> Value | None:
        """What the quantity comes to; None where the reference gave nothing there."""
        for part, asked in enumerate(self.challenge.answer):
            if asked.name == name:
                return self.readings.values.get((draw, 0, part))
        for place, step in enumerate(self.challenge.steps):
            if step.name == name:
                return self.readings.values.get((draw, STEPS + place, 0))
        return None

    def fault(self) -> Fault | None:
        """Why the reference or a step could not be evaluated on some draw that counts."""
        for (draw, item, _), fault in sorted(self.readings.faults.items()):
            own = item == 0 or STEPS <= item < VISITS
            if own and self.draws[draw].counts:
                return fault
        return None

    def unvisited(self) -> tuple[str, ...]:
        """The conditions of ``visits`` that came true in no draw that compares gradients."""
        places = [number for number, draw in enumerate(self.draws) if draw.gradients]
        return tuple(
            condition
            for place, condition in enumerate(self.challenge.visits)
            if not any(self._came_true(draw, place) for draw in places)
        )

    def _came_true(self, draw: int, place: int) -> bool:
        value = self.readings.values.get((draw, VISITS + place, 0))
        return value is not None and any(value.itself.entries)

    def matching(self, name: str, got: Mapping[int, Value], limit: Tolerance) -> list[Wrong]:
        """The known mistakes whose numbers and gradients these are, by draw, of this quantity."""
        mistaken = self._mistaken(name)
        return [wrong for wrong, item, part in mistaken if self._is(item, part, got, limit)]

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
