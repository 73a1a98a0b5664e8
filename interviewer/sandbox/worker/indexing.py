"""What stands in square brackets: ``x[i]``, ``x[:, None]``, ``x[..., 0]``, ``x[::-1]``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import EllipsisType

import torch
from torch import Tensor

from .values import EvaluationError, check_size, shown


@dataclass(frozen=True)
class Slice:
    """``first:last:step``; None for what is left out."""

    first: int | None
    last: int | None
    step: int | None


Item = int | Tensor | Slice | EllipsisType | None
"""An entry, entries by their numbers or a condition, a slice, dots, or None for a new axis."""


def indexed(x: Tensor, items: Sequence[Item]) -> Tensor:
    """The entries that the items pick, in torch's order; a step may be negative too."""
    said = f"the index of {shown(x)}"
    places = _axes(x, items, said)
    index: list[int | Tensor | slice | EllipsisType | None] = []
    for item, place in zip(items, places, strict=True):
        if isinstance(item, Slice):
            x, plain = _sliced(x, place, item)
            index.append(plain)
        else:
            if isinstance(item, int) and not -x.shape[place] <= item < x.shape[place]:
                raise EvaluationError(
                    "shape", f"entry {item} of an axis that has {x.shape[place]}, in {said}"
                )
            if isinstance(item, Tensor):
                _check_numbers(x, place, item, said)
            index.append(item)
    _check_growth(x, items, said)
    try:
        return x[tuple(index)]
    except (IndexError, RuntimeError):
        raise EvaluationError("shape", f"{said} has parts that do not fit each other") from None


def _axes(x: Tensor, items: Sequence[Item], said: str) -> list[int]:
    """The axis that each item is about."""
    taken = [_width(item) for item in items]
    if sum(taken) > x.dim():
        raise EvaluationError("shape", f"{said} names {sum(taken)} axes")
    if sum(item is Ellipsis for item in items) > 1:
        raise EvaluationError("type", f"{said} has more than one ...")
    places, place = [], 0
    for item, width in zip(items, taken, strict=True):
        places.append(place)
        place += x.dim() - sum(taken) if item is Ellipsis else width
    return places


def _width(item: Item) -> int:
    if item is None or item is Ellipsis:
        return 0
    return item.dim() if isinstance(item, Tensor) and item.dtype == torch.bool else 1


def _sliced(x: Tensor, place: int, item: Slice) -> tuple[Tensor, slice]:
    """torch knows no negative steps: the axis is turned round and the slice with it."""
    if item.step == 0:
        raise EvaluationError("domain", "a slice in steps of 0 never ends")
    if item.step is None or item.step > 0:
        return x, slice(item.first, item.last, item.step)
    size = x.shape[place]
    entries = range(size)[item.first : item.last : item.step]
    if not entries:
        return x, slice(0, 0)
    first = size - 1 - entries[0]
    return x.flip(place), slice(first, size - entries[-1], -item.step)


def _check_numbers(x: Tensor, place: int, item: Tensor, said: str) -> None:
    if item.dtype == torch.bool:
        if item.shape != x.shape[place : place + item.dim()]:
            raise EvaluationError("shape", f"{said} has a condition of {shown(item)}")
        return
    size = x.shape[place]
    if item.numel() and not -size <= int(item.min()) <= int(item.max()) < size:
        raise EvaluationError("shape", f"an entry outside 0 to {size - 1}, in {said}")


def _check_growth(x: Tensor, items: Sequence[Item], said: str) -> None:
    """Picking the same entries again and again makes more of them."""
    picked = [item for item in items if isinstance(item, Tensor)]
    if picked:
        most = max(item.numel() for item in picked)
        check_size((most, x.numel() // max(1, min(x.shape, default=1))), said)
