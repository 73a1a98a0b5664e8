"""Calls between two children: one tests properties, the other has the function that is tested.

Numbers cross, and nothing else: the candidate's code never meets a property's text, and the side
that tests never runs the candidate's code. Gradients go back the same way.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from .guard import gradients
from .protocol import MOST_ENTRIES, REPLY_LIMIT, FrameBuffer, FrameError, pack_frame

_DTYPES = {
    str(each).removeprefix("torch."): each
    for each in (
        *(torch.float64, torch.float32, torch.float16, torch.bfloat16),
        *(torch.int64, torch.int32, torch.uint8, torch.bool),
    )
}
_MOST_AXES = 8
_DOUBLE = 8


class CallError(Exception):
    """The function did not return what was asked; ``code`` is the kind, the text a clause."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class Peer:
    """The other child: messages to it and from it. ``read`` gives what came, empty at the end."""

    def __init__(self, read: Callable[[], bytes], write: Callable[[bytes], None]) -> None:
        self._read, self._write = read, write
        self._frames = FrameBuffer(REPLY_LIMIT)
        self._came: list[tuple[dict[str, Any], bytes]] = []

    def tell(self, header: dict[str, Any], tensors: Sequence[Tensor] = ()) -> None:
        """One message: fields, and the tensors that they describe."""
        body = b"".join(_packed(each) for each in tensors)
        self._write(pack_frame(header, body))

    def hear(self) -> tuple[dict[str, Any], bytes] | None:
        """The next message, None once there are no more. Raises FrameError."""
        while not self._came:
            if not (data := self._read()):
                return None
            self._came += self._frames.feed(data)
        return self._came.pop(0)


def _packed(tensor: Tensor) -> bytearray:
    entries = tensor.detach().reshape(-1)
    held = bytearray(_DOUBLE * len(entries))
    if held:
        torch.frombuffer(held, dtype=torch.float64).copy_(entries)
    return held


def _unpacked(body: bytes, start: int, stop: int) -> Tensor:
    if start == stop:
        return torch.empty(0, dtype=torch.float64)
    return torch.frombuffer(bytearray(body[start:stop]), dtype=torch.float64)


def _about(tensor: Tensor) -> dict[str, Any]:
    dtype = str(tensor.dtype).removeprefix("torch.")
    return {"shape": list(tensor.shape), "dtype": dtype, "gradient": tensor.requires_grad}


def _made(described: Sequence[dict[str, Any]], body: bytes) -> list[Tensor]:
    """The tensors in a message. Raises FrameError for anything else: the other side may lie."""
    found, at = [], 0
    for each in described:
        shape, dtype = each.get("shape"), each.get("dtype")
        if not isinstance(shape, list) or len(shape) > _MOST_AXES or dtype not in _DTYPES:
            raise FrameError("a tensor without shape or type")
        if not all(type(size) is int and 0 <= size <= MOST_ENTRIES for size in shape):
            raise FrameError("a tensor with an impossible shape")
        stop = at + _DOUBLE * math.prod(shape)
        if stop > len(body) or stop - at > _DOUBLE * MOST_ENTRIES:
            raise FrameError("a tensor whose numbers are missing")
        found.append(_unpacked(body, at, stop).reshape(shape).to(_DTYPES[dtype]))
        at = stop
    return found


# The side that tests


class Remote:
    """The tested function as a property calls it: with tensors and numbers, returning tensors."""

    def __init__(self, peer: Peer, parts: int) -> None:
        self._peer, self._parts = peer, parts
        self._known: dict[bytes, tuple[int, list[Tensor], list[bool]]] = {}

    def __call__(self, *arguments: Any) -> Tensor | tuple[Tensor, ...]:
        """Raises CallError where the function did, and FrameError where the other side is gone."""
        tensors = [each for each in arguments if isinstance(each, Tensor)]
        values: tuple[Tensor, ...] = _Call.apply(  # type: ignore[no-untyped-call]
            self, arguments, *tensors
        )
        return values[0] if self._parts == 1 else values

    def called(self, arguments: Sequence[Any]) -> tuple[int, list[Tensor], list[bool]]:
        """One call: its number, the values and which of them have gradients.

        Properties call with the same arguments again and again; each is asked once.
        """
        given = [
            _about(each) if isinstance(each, Tensor) else {"number": _number(each)}
            for each in arguments
        ]
        tensors = [each for each in arguments if isinstance(each, Tensor)]
        asked = json.dumps(given).encode() + b"".join(map(_packed, tensors))
        if asked not in self._known:
            call = len(self._known) + 1
            self._peer.tell({"call": call, "arguments": given}, tensors)
            header, values = self._answer()
            if len(values) != self._parts:
                raise FrameError("an answer with too few parts")
            gradients = [each.get("gradient") is True for each in header["values"]]
            self._known[asked] = call, values, gradients
        call, values, gradients = self._known[asked]
        return call, [value.clone() for value in values], gradients

    def pulled_back(self, call: int, gradients: Sequence[Tensor]) -> list[Tensor | None]:
        """Gradients of a call's tensors from those of its values."""
        described = [_about(each) for each in gradients]
        self._peer.tell({"back": call, "values": described}, gradients)
        header, found = self._answer()
        rest = iter(found)
        return [next(rest) if each is not None else None for each in header["places"]]

    def _answer(self) -> tuple[dict[str, Any], list[Tensor]]:
        if (heard := self._peer.hear()) is None:
            raise FrameError("the function's process is gone")
        header, body = heard
        if "error" in header:
            raise CallError(str(header["error"]), str(header.get("text", "")))
        described = header.get("values")
        if not isinstance(described, list) or not all(isinstance(each, dict) for each in described):
            raise FrameError("an answer without values")
        return header, _made(described, body)


def _number(value: Any) -> bool | int | float:
    if not isinstance(value, bool | int | float):
        raise CallError("type", f"is called with a {type(value).__name__}")
    return value


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

Called = Callable[[Sequence[Any]], list[Tensor]]


_Past = dict[int, tuple[list[Tensor], list[Tensor]]]
"""By the number of a call that was answered: the tensors it got and the values it gave."""


def answer(peer: Peer, call: Called) -> None:
    """Answer calls until the peer has no more. ``call`` may raise CallError."""
    past: _Past = {}
    while (heard := peer.hear()) is not None:
        header, body = heard
        try:
            if "call" in header:
                _call(peer, call, header, body, past)
            else:
                _back(peer, header, body, past)
        except CallError as error:
            peer.tell({"error": error.code, "text": str(error)[:400]})


def _call(peer: Peer, call: Called, header: dict[str, Any], body: bytes, past: _Past) -> None:
    described = [each for each in header["arguments"] if "shape" in each]
    tensors = _made(described, body)
    for tensor, each in zip(tensors, described, strict=True):
        if each["gradient"]:
            tensor.requires_grad_()
    rest = iter(tensors)
    arguments: list[Any] = [
        next(rest).clone() if "shape" in each else each["number"] for each in header["arguments"]
    ]
    values = call(arguments)
    past[header["call"]] = tensors, values
    peer.tell({"values": [_about(each) for each in values]}, values)


def _back(peer: Peer, header: dict[str, Any], body: bytes, past: _Past) -> None:
    given, values = past[header["back"]]
    weights = _made(header["values"], body)
    wanted = [each for each in given if each.requires_grad]
    able = [
        (value, weight)
        for value, weight in zip(values, weights, strict=True)
        if value.requires_grad
    ]
    try:
        found = gradients([value for value, _ in able], [weight for _, weight in able], wanted)
    except RuntimeError as error:
        raise CallError("gradient", str(error).split("\n")[0]) from None
    by_tensor = dict(zip(map(id, wanted), found, strict=True))
    places = [by_tensor.get(id(each)) for each in given]
    there = [each for each in places if each is not None]
    present = [None if each is None else 1 for each in places]
    peer.tell({"places": present, "values": [_about(each) for each in there]}, there)
