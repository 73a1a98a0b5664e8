"""Input values from a seed: the same in every child, whoever's code it runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

Given = Tensor | float | int
_PROJECTION_SEED = 977


@dataclass(frozen=True)
class Drawn:
    """One draw: the inputs and dims by name. ``leaves`` are the inputs that gradients go to.

    ``gradients`` tells that they are asked for.
    """

    values: dict[str, Given]
    leaves: dict[str, Tensor]
    gradients: bool

    def fresh(self) -> dict[str, Given]:
        """The values, as copies that may be changed in place; gradients still reach the leaves."""
        return {
            name: given.clone() if isinstance(given, Tensor) else given
            for name, given in self.values.items()
        }


def drawn(draw: dict[str, Any]) -> Drawn:
    """The inputs that a draw describes."""
    values: dict[str, Given] = dict(draw["dims"])
    leaves: dict[str, Tensor] = {}
    for place, described in enumerate(draw["inputs"]):
        generator = torch.Generator().manual_seed(draw["seed"] * 1009 + place)
        given = _given(described, draw["scale"], generator)
        if described["differentiable"] and isinstance(given, Tensor):
            given.requires_grad_()
            leaves[described["name"]] = given
        values[described["name"]] = given
    return Drawn(values, leaves, draw["gradients"])


def _given(described: dict[str, Any], scale: float, generator: torch.Generator) -> Given:
    shape = described["shape"]
    if shape:
        return _tensor(described, shape, scale, generator)
    number = float(_tensor(described, [1], scale, generator)[0])
    return int(number) if described["whole"] else number


def _tensor(
    described: dict[str, Any], shape: list[int], scale: float, generator: torch.Generator
) -> Tensor:
    low, high = described["low"], described["high"]
    normal = torch.randn(shape, generator=generator, dtype=torch.float64)
    uniform = torch.rand(shape, generator=generator, dtype=torch.float64)
    match described["draw"]:
        case "normal":
            return normal.mul(scale)
        case "uniform":
            return uniform.mul(high - low).add(low)
        case "positive":
            return torch.exp(normal).mul(scale)
        case "simplex":
            return torch.softmax(normal * scale, -1)
        case "logprob":
            return torch.log_softmax(normal * scale, -1)
        case "mask":
            return uniform.lt(0.5)
        case "integer":
            return uniform.mul(high - low).floor().add(low).to(torch.int64)
        case "choice":
            listed = torch.tensor(described["values"], dtype=torch.float64)
            return listed.take((uniform * len(listed)).to(torch.int64))
        case _:  # fixed
            return torch.full(shape, described["values"][0], dtype=torch.float64)


def projection(shape: torch.Size) -> Tensor:
    """Fixed random weights: they make one number of a tensor, and of its Jacobian one gradient."""
    generator = torch.Generator().manual_seed(_PROJECTION_SEED)
    return torch.randn(shape, generator=generator, dtype=torch.float64)
