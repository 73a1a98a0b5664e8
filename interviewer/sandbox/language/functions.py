"""The functions of the expression language: how calls are bound to them, and how one looks them up.

They are listed in ``vocabulary.yaml``, as is the card that the bench shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal, NamedTuple

from interviewer.sandbox.language.notation import VOCABULARY, UnreadableError, by_word

SCOPES = ("torch", "F", "np", "numpy", "math", "jnp", "nn", "functional", "linalg", "special")
"""A library or a part of one, as in ``torch.nn.functional``."""
PREFIXES = ("torch", "F", "np", "numpy", "math", "jnp")
"""What may come before a function's name with a dot: the libraries candidates think in."""
CONSTANTS = ("pi", "inf", "e")
INSTEAD: dict[str, str] = by_word("instead")
"""What to write for things of Python and its libraries that do not exist here."""
NO_VALUE = ("true", "false", "none", "str", "tuple")
"""Nodes that are neither a tensor nor a number."""


def _aliases(section: str) -> dict[str, str]:
    return {alias: name for name, listed in VOCABULARY[section].items() for alias in listed.split()}


_ALIASES, _OPTION_ALIASES = _aliases("spellings"), _aliases("options")


@dataclass(frozen=True)
class Signature:
    """What a function takes: ``tensors`` by name, then any number more if ``variadic``.

    Of its ``options`` the first ``by_position`` may be given without their names, and those that
    are ``needed`` must be given. ``example`` is a call as it may be written.
    """

    name: str
    tensors: tuple[str, ...]
    variadic: bool
    options: tuple[str, ...]
    by_position: int
    needed: tuple[str, ...]
    example: str


def _signature(name: str, takes: str) -> Signature:
    halves = f"{takes};".split(";")[:2]
    before, behind = (half.replace(",", " ").split() for half in halves)
    tensors = tuple(each for each in before if each != "...")
    listed = [word for word in behind if word != "*"]
    options = tuple(word.rstrip("!") for word in listed)
    needed = tuple(word.rstrip("!") for word in listed if word.endswith("!"))
    usual = {"dim": "dim=-1", "ddof": "ddof=0"}
    shown = ", ".join((*tensors, *(usual[each] for each in options if each in usual)))
    example = VOCABULARY["usage"].get(name, f"{name}({shown})")
    by_position = behind.index("*") if "*" in behind else len(options)
    return Signature(name, tensors, "..." in before, options, by_position, needed, example)


SIGNATURES = {name: _signature(name, takes) for name, takes in by_word("functions").items()}
"""All functions by their own name."""


def meant_by(name: str) -> str | None:
    """The function's own name for any of its spellings; None if it is not a function."""
    return name if name in SIGNATURES else _ALIASES.get(name)


def is_reserved(name: str) -> bool:
    """The name is a function or a constant and cannot be redefined.

    e may be: it is the usual name for exponentials and errors, and who means the number writes exp.
    """
    return name in SIGNATURES or name in ("pi", "inf")


def unknown(name: str, known: Collection[str] = ()) -> UnreadableError:
    """Why a name means nothing where it stands, beside the ``known`` ones."""
    if (function := meant_by(name)) is not None:
        return UnreadableError(f"{name} is a function; write {SIGNATURES[function].example}")
    names = {each.lower(): each for each in (*SIGNATURES, *_ALIASES, *known)}
    close = get_close_matches(name.lower()[:40], names, n=1, cutoff=0.8)
    if name in INSTEAD:
        advice = f"; {INSTEAD[name]}"
    else:
        advice = (
            f"; did you mean {names[close[0]]}?" if close else "; define it above, or write it out"
        )
    return UnreadableError(f"There is no {name[:40]} here{advice}")


# -- calls

_EINSUM = re.compile(r"[A-Za-z]*(?:,[A-Za-z]*)*->[A-Za-z]*")
_ELEMENTWISE = {"max": "maximum", "min": "minimum"}
_OPERATORS = {"pow": "**", "matmul": "@"}
_SAMPLE_DDOF = {"torch": 1.0, "np": 0.0, "numpy": 0.0, "jnp": 0.0}
"""The default of var and std in each library."""


@dataclass(frozen=True)
class Argument:
    """What was typed between two commas; ``name`` is None if it was given by position."""

    name: str | None
    node: list[Any]


def bound(
    typed: str,
    name: str,
    given: list[Argument],
    library: str,
    make: Callable[..., list[Any]],
) -> list[Any]:
    """The node of a call. Raises UnreadableError with a sentence.

    ``typed`` is the function's name as written, ``name`` its own; ``library`` is what stood before
    it: the name of a library, a dot for a method, or nothing.
    """
    name = _elementwise(name, given, library)
    call = _Call(typed, SIGNATURES[name], library)
    if name == "transpose" and len(given) == 1 and given[0].name is None:
        return make("call", "T", [call.value(given[0])], {})
    if name in _OPERATORS:
        if len(given) != 2 or any(argument.name for argument in given):
            raise call.refused("takes two values")
        return make("bin", _OPERATORS[name], *map(call.value, given))
    if typed in ("tensor", "array") and len(given) == 1 and given[0].node[0] != "tuple":
        return call.value(given[0])
    return make("call", name, *call.sorted(given))


def _elementwise(name: str, given: list[Argument], library: str) -> str:
    """``max(a, b)`` is the larger of two; ``x.max(-1)`` and ``torch.max(x, -1)`` name an axis."""
    if name not in _ELEMENTWISE or len(given) < 2 or given[1].name is not None:
        return name
    node = given[1].node
    unsigned = node[1] if node[0] == "neg" else node
    if unsigned[0] != "num" or unsigned[1] != int(unsigned[1]):
        return _ELEMENTWISE[name]
    if library:
        return name
    raise UnreadableError(
        f"Write {name}(x, dim=0) along an axis, or {_ELEMENTWISE[name]}(x, 0) elementwise"
    )


@dataclass(frozen=True)
class _Call:
    typed: str
    signature: Signature
    library: str

    def refused(self, why: str) -> UnreadableError:
        """Why the call cannot be read, with how it may be written."""
        return UnreadableError(f"{self.typed} {why}; write {self.signature.example}")

    def value(self, argument: Argument) -> list[Any]:
        """A tensor or a number, not an option's value."""
        if argument.node[0] in NO_VALUE:
            raise self.refused("takes no list, text, True, False or None there")
        return argument.node

    def sorted(self, given: list[Argument]) -> tuple[list[Any], dict[str, Any]]:
        """The tensors in order and the options by name."""
        signature = self.signature
        tensors, spare = self._by_position([each for each in given if each.name is None])
        if len(spare) > signature.by_position:
            raise self.refused("takes fewer values")
        options: dict[str, Any] = {}
        for option, argument in zip(signature.options, spare, strict=False):
            self._set(option, argument, options)
        slots = dict(zip(signature.tensors, tensors, strict=False))
        for argument in given:
            if argument.name is not None:
                self._name(argument.name, argument, slots, options)
        if signature.name == "einsum":
            self._check_einsum(tensors)
        elif not signature.variadic:
            tensors = [slots[each] for each in signature.tensors if each in slots]
        if len(tensors) < len(signature.tensors) + signature.variadic:
            raise self.refused("needs more values")
        if signature.name == "clip" and not options:
            raise self.refused("needs its bounds")
        if "ddof" in signature.needed and self.library in _SAMPLE_DDOF:
            options.setdefault("ddof", ["num", _SAMPLE_DDOF[self.library]])
        for each in signature.needed:
            if each not in options:
                raise self.refused(f"needs {each}, which is not guessed")
        return tensors, options

    def _by_position(self, given: list[Argument]) -> tuple[list[Any], list[Argument]]:
        """The tensors, and what comes after them: options without names."""
        head = len(self.signature.tensors)
        if self.signature.name == "einsum":
            return [each.node for each in given[:1]] + list(map(self.value, given[1:])), []
        if not self.signature.variadic:
            return list(map(self.value, given[:head])), given[head:]
        first, rest, spare = given[:head], given[head:], []
        if rest and rest[0].node[0] == "tuple":
            rest, spare = [Argument(None, node) for node in rest[0].node[1]], rest[1:]
        return list(map(self.value, (*first, *rest))), spare

    def _name(
        self, typed: str, argument: Argument, slots: dict[str, Any], options: dict[str, Any]
    ) -> None:
        known = self.signature.options
        tensors = () if self.signature.variadic else self.signature.tensors
        aliases = (typed, _OPTION_ALIASES.get(typed))
        meant = next((each for each in aliases if each in (*tensors, *known)), None)
        if meant is None:
            if typed in INSTEAD:
                raise unknown(typed)
            takes = ", ".join(f"{each}=" for each in known) or "no options"
            raise self.refused(f"has no option {typed[:40]}; it takes {takes}")
        if meant in slots or meant in options:
            raise self.refused(f"got {typed} twice")
        if meant in tensors:
            slots[meant] = self.value(argument)
        elif typed == "unbiased":
            options[meant] = ["num", 1.0 if self._flag(typed, argument)[0] == "true" else 0.0]
        else:
            self._set(meant, argument, options)

    def _set(self, option: str, argument: Argument, options: dict[str, Any]) -> None:
        kind = argument.node[0]
        if option in ("keepdim", "descending"):
            options[option] = self._flag(option, argument)
        elif option == "dim" and kind == "tuple":
            options[option] = argument.node
        elif not (option in ("low", "high", "dim") and kind == "none"):
            options[option] = self.value(argument)

    def _flag(self, option: str, argument: Argument) -> list[Any]:
        if argument.node[0] not in ("true", "false"):
            raise UnreadableError(f"Write {option}=True or {option}=False")
        return argument.node

    def _check_einsum(self, tensors: list[Any]) -> None:
        text = tensors[0][1] if tensors and tensors[0][0] == "str" else ""
        spec = text.replace(" ", "")
        before, _, behind = spec.partition("->")
        fits = _EINSUM.fullmatch(spec) and before.count(",") + 2 == len(tensors)
        if not fits or not set(behind) <= set(before) or len(set(behind)) < len(behind):
            raise self.refused("takes the axes of its tensors, and after an arrow those that stay")
        tensors[0] = ["str", spec]


# -- looking them up


class Example(NamedTuple):
    """A short derivation; its first line is a comment that says what is given."""

    given: tuple[str, ...]
    """The names it starts from."""
    source: str


def examples(kind: Literal["derivation", "implementation", "estimation"]) -> tuple[Example, ...]:
    """Two short derivations for a challenge of this kind."""
    section = "number_examples" if kind == "estimation" else "tensor_examples"
    return tuple(Example(tuple(e["given"].split()), e["source"]) for e in VOCABULARY[section])


RULES: dict[str, str] = VOCABULARY["rules"]
"""What may be written, by what the rule is about."""


def grammar_lines() -> Iterator[str]:
    """The six rules as lines of text."""
    widest = max(map(len, RULES))
    for about, text in RULES.items():
        yield f"{about:<{widest}}  {text}"
