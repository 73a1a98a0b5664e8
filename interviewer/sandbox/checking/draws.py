"""Which draws a check makes: seeds, scales and sizes. The values come about in the worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from interviewer.sandbox.challenges import sizes
from interviewer.sandbox.challenges.challenge import Challenge, Input, Stress

SCALES = (1.0, 0.3, 3.0, 1.0, 1.0)
"""Of the ordinary draws; different scales tell apart what agrees at one of them by accident."""
MOST_EXTRA = 40
"""Further draws made until every condition of ``visits`` came true."""
_EDGE_SEED, _STRESS_SEED, _EXTRA_SEED = 100, 200, 500


@dataclass(frozen=True)
class Draw:
    """One set of input values to come.

    ``about`` names what is unusual in it, in a clause. ``instance`` marks the draw that has the
    numbers of an estimation's question. What fails at a ``stress`` that need not hold, fails not.
    """

    seed: int
    scale: float
    dims: Mapping[str, int]
    about: str = ""
    stress: Stress | None = None
    instance: bool = False

    @property
    def counts(self) -> bool:
        """A difference here is a failure."""
        return self.stress is None or self.stress.must_hold

    @property
    def gradients(self) -> bool:
        """Gradients are compared here too: on two draws of those that differ in scale alone."""
        return self.ordinary and (self.seed <= 2 or self.seed >= _EDGE_SEED)

    @property
    def ordinary(self) -> bool:
        """Neither an unusual scale nor the numbers of an estimation."""
        return self.stress is None and not self.instance


def draws_of(challenge: Challenge) -> tuple[Draw, ...]:
    """The draws of every check: the instance first, ordinary ones, other sizes, stress.

    Raises ValueError with a sentence where the challenge's sizes make no sense.
    """
    dims = sizes.resolve(challenge.dims)
    made = [Draw(seed, scale, dims) for seed, scale in enumerate(SCALES, start=1)]
    if challenge.kind == "estimation":
        made = [Draw(0, 1.0, dims, instance=True), *made[:2]]
    for place, edge in enumerate(challenge.edges):
        changed = ", ".join(f"{name} = {number}" for name, number in edge.items())
        other = sizes.resolve({**challenge.dims, **edge})
        made.append(Draw(_EDGE_SEED + place, 1.0, other, about=f"with {changed}"))
    for place, stress in enumerate(challenge.stress):
        made.append(
            Draw(_STRESS_SEED + place, stress.scale, dims, about=stress.about, stress=stress)
        )
    return tuple(made)


def extra_draw(challenge: Challenge, number: int) -> Draw:
    """A further ordinary draw, for a branch that none has visited yet."""
    return Draw(_EXTRA_SEED + number, 1.0, sizes.resolve(challenge.dims))


def described(draw: Draw, challenge: Challenge) -> dict[str, Any]:
    """The draw as the worker reads it. Raises ValueError where a size makes no sense."""
    inputs = [_input(name, given, draw) for name, given in challenge.inputs.items()]
    return {
        "seed": draw.seed,
        "scale": draw.scale,
        "dims": dict(draw.dims),
        "inputs": inputs,
        "gradients": draw.gradients,
    }


def _input(name: str, given: Input, draw: Draw) -> dict[str, Any]:
    kind, values = given.draw, list(given.values)
    if draw.instance and given.instance is not None:
        kind, values = "fixed", [given.instance]
    high = sizes.size(given.high, draw.dims) if isinstance(given.high, str) else given.high
    return {
        "name": name,
        "shape": list(sizes.shape(given.shape, draw.dims)),
        "draw": kind,
        "low": given.low,
        "high": high,
        "values": values,
        "differentiable": given.differentiable,
        "whole": kind == "integer" or (bool(values) and all(v.is_integer() for v in values)),
    }
