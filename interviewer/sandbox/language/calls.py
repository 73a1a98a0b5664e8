"""A call as it was typed, brought into the one form that the evaluator knows.

Tensors come in order, options by name. What the typed form leaves open and what matters, such as
the axis of a softmax, is asked for; nothing is assumed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from interviewer.sandbox.language.functions import SIGNATURES, Signature, named_by
from interviewer.sandbox.language.tokens import UnreadableError

_FLAGS = ("keepdim", "descending")
_EINSUM = re.compile(r"[A-Za-z]*(?:,[A-Za-z]*)*->[A-Za-z]*")
_ELEMENTWISE = {"max": "maximum", "min": "minimum"}
_JOINING = ("cat", "stack")
_SAMPLE_DDOF = {"torch": 1.0, "np": 0.0, "numpy": 0.0, "jnp": 0.0}
"""What var and std mean in each library where nothing is said."""
NOT_NEEDED = {
    **dict.fromkeys(("dtype", "device"), "every number is a float64; leave it out"),
    "requires_grad": "gradients are always kept; leave it out",
    "reduction": "write sum(…) or mean(…) around it",
    "base": "divide by log(base)",
    "ord": "norm is the Euclidean one; leave it out",
    "sparse": "leave it out",
    "out": "name the result with = instead",
    "inplace": "nothing is changed in place; leave it out",
}
"""Options of other libraries that no function has here, and what to do instead."""


@dataclass(frozen=True)
class Argument:
    """What was typed between two commas; ``name`` is None where it was given by position."""

    name: str | None
    node: list[Any]
    start: int


Make = Callable[..., list[Any]]


def bound(
    typed: str, name: str, given: list[Argument], start: int, library: str, make: Make
) -> list[Any]:
    """The node of a call. Raises UnreadableError with a sentence.

    ``typed`` is the function's name as written, ``name`` its own; ``library`` is what stood before
    it: the name of a library, a dot for a method, or nothing.
    """
    name = _elementwise(name, given, library)
    call = _Call(typed, name, SIGNATURES[name], start, library)
    if name == "transpose" and len(given) == 1 and given[0].name is None:
        return make("call", "T", [call.value(given[0])], {})
    if name == "pow" or name == "matmul":
        left, right = call.exactly_two(given)
        return make("bin", "**" if name == "pow" else "@", left, right)
    if typed in ("tensor", "array") and len(given) == 1 and given[0].node[0] != "tuple":
        return call.value(given[0])
    tensors, options = call.sorted(given)
    call.check(tensors, options)
    return make("call", name, tensors, options)


def _elementwise(name: str, given: list[Argument], library: str) -> str:
    """``max(a, b)`` is the larger of two; ``x.max(-1)`` and ``torch.max(x, -1)`` name an axis."""
    if name not in _ELEMENTWISE or len(given) < 2 or given[1].name is not None:
        return name
    if not _is_whole(given[1].node):
        return _ELEMENTWISE[name]
    if library:
        return name
    raise UnreadableError(
        f"Write {name}(x, dim=0) along an axis, or {_ELEMENTWISE[name]}(x, 0) entry by entry",
        given[1].start,
    )


def _is_whole(node: list[Any]) -> bool:
    unsigned = node[1] if node[0] == "neg" else node
    return bool(unsigned[0] == "num" and unsigned[1] == int(unsigned[1]))


@dataclass(frozen=True)
class _Call:
    typed: str
    name: str
    signature: Signature
    start: int
    library: str

    def value(self, argument: Argument) -> list[Any]:
        """A tensor or a number, not an option's value."""
        kind = argument.node[0]
        if kind in ("true", "false"):
            raise UnreadableError(
                "True and False belong to options such as keepdim=True only", argument.start
            )
        if kind == "none":
            raise UnreadableError("None stands in an index only: x[:, None]", argument.start)
        if kind == "str":
            raise UnreadableError(
                "Text in quotation marks has no place here, except first in einsum", argument.start
            )
        if kind == "tuple":
            raise UnreadableError(
                f"{self.typed} takes no list here; write {self.signature.written}", argument.start
            )
        return argument.node

    def exactly_two(self, given: list[Argument]) -> tuple[list[Any], list[Any]]:
        """Both tensors of a function that is an operator."""
        if len(given) != 2 or any(argument.name for argument in given):
            raise UnreadableError(
                f"{self.typed} takes two values: {self.signature.written}", self.start
            )
        return self.value(given[0]), self.value(given[1])

    def sorted(self, given: list[Argument]) -> tuple[list[Any], dict[str, Any]]:
        """Tensors in order, options by name."""
        by_position = [argument for argument in given if argument.name is None]
        named = [argument for argument in given if argument.name is not None]
        tensors = self._tensors(by_position)
        options: dict[str, Any] = {}
        spare = self._spare(by_position)
        if len(spare) > len(self.signature.positions):
            raise UnreadableError(self._too_many(), spare[len(self.signature.positions)].start)
        for option, argument in zip(self.signature.positions, spare, strict=False):
            if (value := self._option(option.name, argument)) is not None:
                options[option.name] = value
        slots = dict(zip(self.signature.tensors, tensors, strict=False))
        for argument in named:
            self._name(argument, slots, options)
        if not self.signature.variadic:
            tensors = [slots[each] for each in self.signature.tensors if each in slots]
            missing = [each for each in self.signature.tensors if each not in slots]
            if missing:
                raise UnreadableError(
                    f"{self.typed} needs {missing[0]} too; write {self.signature.written}",
                    self.start,
                )
        return tensors, options

    def _spare(self, by_position: list[Argument]) -> list[Argument]:
        """What stands behind the tensors: options without their names."""
        if not self.signature.variadic:
            return by_position[len(self.signature.tensors) :]
        if self.name in _JOINING and by_position and by_position[0].node[0] == "tuple":
            return by_position[1:]
        return []

    def _tensors(self, given: list[Argument]) -> list[Any]:
        if self.name == "einsum":
            return [given[0].node, *map(self.value, given[1:])] if given else []
        if not self.signature.variadic:
            return [self.value(argument) for argument in given[: len(self.signature.tensors)]]
        first = len(self.signature.tensors)
        head, rest = given[:first], given[first:]
        if self._spare(given):
            rest = rest[:1]
        if len(rest) == 1 and rest[0].node[0] == "tuple":
            listed = [Argument(None, node, rest[0].start) for node in rest[0].node[1]]
            return [self.value(argument) for argument in (*head, *listed)]
        return [self.value(argument) for argument in (*head, *rest)]

    def _name(self, argument: Argument, slots: dict[str, Any], options: dict[str, Any]) -> None:
        typed = argument.name or ""
        meant = named_by(typed, self.signature)
        if meant is None or (self.signature.variadic and meant in self.signature.tensors):
            raise UnreadableError(self._no_option(typed), argument.start)
        if meant in slots or meant in options:
            raise UnreadableError(f"{self.typed} got {typed} twice", argument.start)
        if meant in self.signature.tensors:
            slots[meant] = self.value(argument)
            return
        if typed == "unbiased":
            if argument.node[0] not in ("true", "false"):
                raise UnreadableError("Write unbiased=True or unbiased=False", argument.start)
            options[meant] = ["num", 1.0 if argument.node[0] == "true" else 0.0]
            return
        value = self._option(meant, argument)
        if value is not None:
            options[meant] = value

    def _option(self, option: str, argument: Argument) -> Any:
        kind = argument.node[0]
        if option in _FLAGS:
            if kind not in ("true", "false"):
                raise UnreadableError(f"Write {option}=True or {option}=False", argument.start)
            return argument.node
        if option == "dim" and kind == "tuple":
            return argument.node
        if option in ("low", "high", "dim") and kind == "none":
            return None
        return self.value(argument)

    def check(self, tensors: list[Any], options: dict[str, Any]) -> None:
        """All that is needed is there."""
        for option in self.signature.options:
            if option.needed and option.name not in options:
                self._default(option.name, options)
        if self.name == "einsum":
            self._check_einsum(tensors)
        elif self.signature.variadic and len(tensors) <= len(self.signature.tensors):
            raise UnreadableError(
                f"{self.typed} needs more values: {self.signature.written}", self.start
            )
        if self.name == "clip" and not options:
            raise UnreadableError(
                f"{self.typed} needs its bounds; write clip(x, low, high)", self.start
            )

    def _default(self, option: str, options: dict[str, Any]) -> None:
        if option == "ddof" and self.library in _SAMPLE_DDOF:
            options["ddof"] = ["num", _SAMPLE_DDOF[self.library]]
            return
        if option == "dim":
            raise UnreadableError(
                f"{self.typed} over which axis? Write dim=-1 for the last one", self.start
            )
        if option == "ddof":
            raise UnreadableError(
                f"{self.typed} by which count? Write ddof=0 to divide by n, ddof=1 by n - 1",
                self.start,
            )
        raise UnreadableError(
            f"{self.typed} needs {option}; write {self.signature.written}", self.start
        )

    def _check_einsum(self, tensors: list[Any]) -> None:
        if not tensors or tensors[0][0] != "str":
            raise UnreadableError(
                'einsum starts with its axes: einsum("ij,jk->ik", a, b)', self.start
            )
        spec = tensors[0][1].replace(" ", "")
        if not _EINSUM.fullmatch(spec):
            raise UnreadableError(
                "The axes of an einsum are letters, commas and an arrow, as in ij,jk->ik",
                self.start,
            )
        before, _, behind = spec.partition("->")
        axes = before.split(",")
        if len(axes) != len(tensors) - 1:
            raise UnreadableError(
                f"This einsum names the axes of {len(axes)} and takes {len(tensors) - 1}",
                self.start,
            )
        lost = [letter for letter in behind if letter not in before]
        if lost or len(set(behind)) < len(behind):
            raise UnreadableError(
                "Each letter behind the arrow of an einsum stands there once, and before it too",
                self.start,
            )
        tensors[0] = ["str", spec]

    def _too_many(self) -> str:
        return f"{self.typed} takes fewer values; write {self.signature.written}"

    def _no_option(self, typed: str) -> str:
        known = ", ".join(f"{option.name}=" for option in self.signature.options)
        if not known:
            return f"{self.typed} has no options; write {self.signature.written}"
        return f"{self.typed} has no option {typed[:40]}; it takes {known}"
