"""Calling a function that came as source text, and making tensors of what it returns."""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

FILE = "<yours>"
Function = Callable[..., Any]


class CallError(Exception):
    """The function did not give what is asked; ``code`` says which way, the text is a clause."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def load(source: str, name: str) -> Function:
    """The function of this name; what stands at the top level of the source has run then."""
    namespace: dict[str, Any] = {
        "__name__": "yours",
        "torch": torch,
        "F": torch.nn.functional,
        "nn": torch.nn,
        "Tensor": Tensor,
        "math": math,
    }
    try:
        exec(compile(source, FILE, "exec"), namespace)  # the very purpose; this process is confined
    except BaseException as error:  # noqa: BLE001 - whatever theirs raises is an answer
        raise CallError("raised", described(error)) from None
    function = namespace.get(name)
    if not callable(function):
        raise CallError("raised", f"{name} is no function once the source has run")
    return function  # type: ignore[no-any-return]


def call(function: Function, arguments: Sequence[Any], parts: Sequence[str]) -> list[Tensor]:
    """The parts of the answer as tensors, in the order of their names. Raises CallError."""
    try:
        returned = function(*arguments)
    except BaseException as error:  # noqa: BLE001 - whatever theirs raises is an answer
        raise CallError("raised", described(error)) from None
    return [as_tensor(part) for part in _split(returned, parts)]


def _split(returned: Any, parts: Sequence[str]) -> list[Any]:
    if isinstance(returned, Mapping):
        missing = [name for name in parts if name not in returned]
        if missing:
            raise CallError("type", f"returns a dict without {', '.join(missing)}")
        return [returned[name] for name in parts]
    several = isinstance(returned, tuple | list)
    if len(parts) == 1:
        if isinstance(returned, tuple) and len(returned) == 1:
            return [returned[0]]
        return [returned]
    if isinstance(returned, Tensor) and returned.ndim and len(returned) == len(parts):
        return list(returned)
    if not several or len(returned) != len(parts):
        got = f"{len(returned)} values" if several else "one value"
        raise CallError("type", f"returns {got}, where {len(parts)} are asked: {', '.join(parts)}")
    return list(returned)


def as_tensor(value: Any) -> Tensor:
    """A tensor of doubles, still joined to its inputs. Raises CallError for anything else."""
    try:
        if isinstance(value, list | tuple):
            value = torch.stack([as_tensor(each) for each in value])
        if isinstance(value, bool | int | float):
            value = torch.tensor(value, dtype=torch.float64)
    except (TypeError, ValueError, RuntimeError, OverflowError, RecursionError) as error:
        raise CallError("type", f"returns a list that is no tensor: {error}") from None
    if not isinstance(value, Tensor):
        raise CallError("type", f"returns {_named(value)}, where numbers are asked")
    if value.is_complex():
        raise CallError("type", "returns complex numbers, where real ones are asked")
    return value.to(torch.float64)


def _named(value: Any) -> str:
    return "nothing (is a return missing?)" if value is None else f"a {type(value).__name__}"


def described(error: BaseException) -> str:
    """The error with the line of the candidate's source where it came up."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame.lineno for frame in frames if frame.filename == FILE]
    line = own[-1] if own else getattr(error, "lineno", None)
    try:
        words = str(error).strip().split("\n")[0]
    except Exception:  # noqa: BLE001 - its own __str__ may raise anything
        words = ""
    place = f"line {line}: " if line else ""
    return f"{place}{type(error).__name__}{': ' if words else ''}{words}"
