"""Calls between two children: one tests properties, the other has the function that is tested.

Numbers cross, and nothing else: the candidate's code never meets a property's text, and the side
that tests never runs the candidate's code. Gradients go back the same way.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from .protocol import MESSAGE_LIMIT, GarbledError, pack_line, pack_numbers, read_line, read_numbers

_DTYPES = {
    str(each).removeprefix("torch."): each
    for each in (
        *(torch.float64, torch.float32, torch.float16, torch.bfloat16),
        *(torch.int64, torch.int32, torch.uint8, torch.bool),
    )
}


class CallError(Exception):
    """The function did not return what was asked; ``code`` is the kind, the text a clause."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class Peer:
    """The other child: messages to it and from it."""

    def __init__(self, heard: BinaryIO, said: BinaryIO) -> None:
        self._heard, self._said = heard, said

    def tell(self, **message: Any) -> None:
        self._said.write(pack_line(message))
        self._said.flush()

    def hear(self) -> dict[str, Any] | None:
        """The next message, None once there are no more. Raises GarbledError."""
        line = self._heard.readline(MESSAGE_LIMIT)
        return read_line(line) if line else None


def _written(value: Any) -> Any:
    """A tensor or a number as JSON. Raises CallError for anything else."""
    if isinstance(value, bool | int | float):
        return value
    if not isinstance(value, Tensor):
        raise CallError("type", f"is called with a {type(value).__name__}")
    dtype = str(value.dtype).removeprefix("torch.")
    return {"dtype": dtype, "gradient": value.requires_grad, **pack_tensor(value)}


def pack_tensor(tensor: Tensor) -> dict[str, Any]:
    """Shape and entries as JSON."""
    return pack_numbers(tensor.shape, tensor.detach().double().reshape(-1).tolist())


def _tensor(written: Any) -> Tensor:
    """Raises GarbledError for anything else: the other side may lie."""
    if not isinstance(written, dict) or written.get("dtype") not in _DTYPES:
        raise GarbledError("a tensor without a type")
    shape, entries = read_numbers(written)
    flat = torch.tensor(entries.tolist(), dtype=torch.float64)
    return flat.reshape(shape).to(_DTYPES[written["dtype"]])


# The side that tests


class Remote:
    """The tested function as a property calls it: with tensors and numbers, returning tensors."""

    def __init__(self, peer: Peer, parts: int) -> None:
        self._peer, self._parts = peer, parts
        self._known: dict[str, tuple[int, list[Any]]] = {}

    def __call__(self, *arguments: Any) -> Tensor | tuple[Tensor, ...]:
        """Raises CallError where the function did, and GarbledError where the other side lies."""
        tensors = [each for each in arguments if isinstance(each, Tensor)]
        values: tuple[Tensor, ...] = _Call.apply(  # type: ignore[no-untyped-call]
            self, arguments, *tensors
        )
        return values[0] if self._parts == 1 else values

    def called(self, arguments: Sequence[Any]) -> tuple[int, list[Tensor], list[bool]]:
        """One call, asked once for the same arguments: its number, values, which have gradients."""
        written = [_written(each) for each in arguments]
        asked = json.dumps(written)
        if asked not in self._known:
            call = len(self._known) + 1
            self._known[asked] = call, self._asked(call=call, arguments=written)
        call, values = self._known[asked]
        if len(values) != self._parts:
            raise GarbledError("an answer with too few parts")
        tensors = [_tensor(each) for each in values]
        return call, tensors, [each.get("gradient") is True for each in values]

    def pulled_back(self, call: int, gradients: Sequence[Tensor]) -> list[Tensor | None]:
        """Gradients of a call's tensors from those of its values."""
        found = self._asked(back=call, values=[_written(each) for each in gradients])
        return [None if each is None else _tensor(each) for each in found]

    def _asked(self, **message: Any) -> list[Any]:
        self._peer.tell(**message)
        if (heard := self._peer.hear()) is None:
            raise GarbledError("the function's process is gone")
        if "error" in heard:
            raise CallError(str(heard["error"]), str(heard.get("text", "")))
        if not isinstance(heard.get("values"), list):
            raise GarbledError("an answer without values")
        return list(heard["values"])


class _Call(torch.autograd.Function):
    """A call with the gradients that the other side works out when they are asked for."""

    @staticmethod
    def forward(
        ctx: Any, remote: Remote, arguments: Sequence[Any], *tensors: Tensor
    ) -> tuple[Tensor, ...]:
        ctx.remote, ctx.wanted = remote, [each.requires_grad for each in tensors]
        ctx.call, values, gradients = remote.called(arguments)
        ctx.mark_non_differentiable(
            *(value for value, has in zip(values, gradients, strict=True) if not has)
        )
        return tuple(values)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        found = ctx.remote.pulled_back(ctx.call, gradients)
        return (None, None, *found)


# The side that is called


def gradients(
    values: Sequence[Tensor], weights: Sequence[Tensor], leaves: Sequence[Tensor]
) -> tuple[Tensor | None, ...]:
    """None for a leaf that the values do not depend on. Raises RuntimeError."""
    return torch.autograd.grad(values, leaves, weights, retain_graph=True, allow_unused=True)


_Past = dict[int, tuple[list[Tensor], list[Tensor]]]
"""By the number of a call that was answered: the tensors it got and the values it gave."""


def answer(peer: Peer, call: Callable[[Sequence[Any]], list[Tensor]]) -> None:
    """Answer calls until the peer has no more. ``call`` may raise CallError."""
    past: _Past = {}
    while (heard := peer.hear()) is not None:
        try:
            values = _call(call, heard, past) if "call" in heard else _back(heard, past)
        except CallError as error:
            peer.tell(error=error.code, text=str(error)[:400])
        else:
            peer.tell(values=[each if each is None else _written(each) for each in values])


def _call(
    call: Callable[[Sequence[Any]], list[Tensor]], heard: dict[str, Any], past: _Past
) -> list[Tensor]:
    tensors: list[Tensor] = []
    arguments: list[Any] = []
    for each in heard["arguments"]:
        if isinstance(each, dict):
            tensors.append(_tensor(each).requires_grad_(each["gradient"]))
            each = tensors[-1].clone()
        arguments.append(each)
    values = call(arguments)
    past[heard["call"]] = tensors, values
    return values


def _back(heard: dict[str, Any], past: _Past) -> list[Tensor | None]:
    given, values = past[heard["back"]]
    wanted = [each for each in given if each.requires_grad]
    weighted = zip(values, map(_tensor, heard["values"]), strict=True)
    able = [(value, weight) for value, weight in weighted if value.requires_grad]
    try:
        found = gradients([value for value, _ in able], [weight for _, weight in able], wanted)
    except RuntimeError as error:
        raise CallError("gradient", str(error).split("\n")[0]) from None
    by_tensor = dict(zip(map(id, wanted), found, strict=True))
    return [by_tensor.get(id(each)) for each in given]
