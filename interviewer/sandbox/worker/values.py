"""Numbers, sizes, shapes and indices in the evaluator, with the limits on all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import EllipsisType

import torch
from torch import Tensor

MOST_ELEMENTS = 2_000_000
MOST_WORK = 500_000_000
"""Multiplications in one product."""
LARGEST_EXPONENT = 10_000.0


class EvaluationError(Exception):
    """An expression has no value; ``code`` is the kind of reason, the text a clause.

    Codes: shape, type, domain, size, name, limit, gradient.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass
class Watch:
    """Observes the evaluation of an expression.

    ``count`` gets, for every piecewise function, how many entries took which side; ``widened``
    gets every broadcast between axes that were hardly meant to meet. ``no_number`` is the first
    operation that made a NaN.
    """

    count: Callable[[int, int], None]
    widened: Callable[[str], None]
    no_number: str = ""

    def sides(self, first: Tensor) -> None:
        """Report how many entries took the first side of a piecewise function, and the other."""
        taken = int(first.sum())
        self.count(taken, first.numel() - taken)

    def saw(self, result: Tensor, operands: Sequence[Tensor], text: Callable[[], str]) -> Tensor:
        """The result; remembers the operation if it made a NaN out of numbers."""
        if not self.no_number and has_nan(result) and not any(map(has_nan, operands)):
            self.no_number = text()
        return result


def has_nan(tensor: Tensor) -> bool:
    """Some entry is NaN."""
    return tensor.is_floating_point() and bool(tensor.isnan().any())


def shown(tensor: Tensor) -> str:
    """The shape as written in messages; a single number has none."""
    return shape_text(tuple(tensor.shape)) if tensor.dim() else "a single number"


def shape_text(shape: Sequence[int]) -> str:
    """``(5, 7)``, or ``(5,)`` with a single axis."""
    return f"({shape[0]},)" if len(shape) == 1 else f"({', '.join(map(str, shape))})"


def as_number(tensor: Tensor) -> Tensor:
    """As float64: conditions count 0 and 1."""
    return tensor if tensor.dtype == torch.float64 else tensor.to(torch.float64)


def as_condition(tensor: Tensor, who: str) -> Tensor:
    """As true and false; raises if an entry is neither 0 nor 1."""
    if tensor.dtype == torch.bool:
        return tensor
    if bool(((tensor == 0) | (tensor == 1)).all()):
        return tensor != 0
    raise EvaluationError("type", f"{who} takes a condition such as x > 0, not arbitrary numbers")


def as_indices(tensor: Tensor, who: str) -> Tensor:
    """As whole numbers; raises if an entry is not one."""
    if tensor.dtype in (torch.int64, torch.bool):
        return tensor.to(torch.int64)
    if not bool((tensor.isfinite() & (tensor == tensor.floor()) & (tensor.abs() < 2**53)).all()):
        raise EvaluationError("type", f"{who} takes whole numbers")
    return tensor.detach().to(torch.int64)


def whole(tensor: Tensor | tuple[Tensor, ...], who: str) -> int:
    """A single whole number."""
    if isinstance(tensor, tuple):
        raise EvaluationError("type", f"{who} takes a single whole number, not a list")
    if tensor.dim():
        raise EvaluationError("type", f"{who} takes a single whole number, not {shown(tensor)}")
    value = tensor.item()
    if not math.isfinite(value) or value != math.floor(value) or abs(value) >= 2**53:
        raise EvaluationError("type", f"{who} takes a whole number, not {value:g}")
    return int(value)


def count(tensor: Tensor, who: str) -> int:
    """A whole number from 0 up, as the size of an axis."""
    value = whole(tensor, who)
    if value < 0:
        raise EvaluationError("domain", f"{who} takes sizes from 0 up, not {value}")
    return value


def check_size(shape: Sequence[int], who: str) -> None:
    """Refuse a tensor that is too large before it is made."""
    entries = math.prod(shape)
    if entries > MOST_ELEMENTS:
        raise EvaluationError(
            "size", f"{who} would make {entries:.3g} entries; at most {MOST_ELEMENTS} are held"
        )


def check_work(steps: int, who: str) -> None:
    """Refuse a product that would take too long before it starts."""
    if steps > MOST_WORK:
        raise EvaluationError(
            "limit", f"{who} takes {steps:.3g} multiplications; at most {MOST_WORK} are done"
        )


def axis(dim: int, tensor: Tensor, who: str) -> int:
    """An axis counted from 0; raises if it does not exist."""
    axes = tensor.dim()
    if not -axes <= dim < axes:
        held = f"shape {shown(tensor)}" if axes else "no axes: it is a single number"
        raise EvaluationError("shape", f"{who} over dim={dim} of something with {held}")
    return dim % axes


def broadcast(*shapes: Sequence[int]) -> tuple[int, ...] | None:
    """The shape that all of these broadcast to; None if they do not."""
    axes = max(map(len, shapes))
    aligned = [(1,) * (axes - len(shape)) + tuple(shape) for shape in shapes]
    met = [{size for size in sizes if size != 1} for sizes in zip(*aligned, strict=True)]
    if any(len(sizes) > 1 for sizes in met):
        return None
    return tuple(next(iter(sizes), 1) for sizes in met)


def together(watch: Watch, who: str, *tensors: Tensor) -> tuple[int, ...]:
    """The shape of an elementwise operation. Raises EvaluationError if there is none."""
    shapes = [tuple(tensor.shape) for tensor in tensors]
    shape = broadcast(*shapes)
    if shape is None:
        said = [shown(tensor) for tensor in tensors]
        text = f"{who} of {' and '.join(said)}" if who.isalpha() else f" {who} ".join(said)
        raise EvaluationError("shape", text)
    check_size(shape, who)
    if _crossed(shapes):
        watch.widened(f"{' against '.join(map(shape_text, shapes))} gave {shape_text(shape)}")
    return shape


def _crossed(shapes: Sequence[tuple[int, ...]]) -> bool:
    """A vector met a column of its own length, so that every entry met every other."""
    return any(
        len(column) > 1
        and len(row) < len(column)
        and column[-1] == 1
        and row[-1:] == column[-2:-1]
        and row[-1] > 1
        for row in shapes
        for column in shapes
    )


# Indices: x[i], x[:, None], x[..., 0], x[::-1]


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
        raise EvaluationError("shape", f"{said} has parts that do not fit together") from None


def _axes(x: Tensor, items: Sequence[Item], said: str) -> list[int]:
    """The axis of each item."""
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
    """torch has no negative steps: the axis is flipped and the slice with it."""
    if item.step == 0:
        raise EvaluationError("domain", "a slice with step 0 never ends")
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
