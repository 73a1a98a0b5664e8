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
NOT_NEEDED = by_word("not_needed")
"""Options of other libraries that do not exist here, and what to do instead."""
_OPTION_ALIASES = {
    alias: name for name, aliases in VOCABULARY["options"].items() for alias in aliases.split()
}
_INSTEAD = by_word("instead")
_ATTRIBUTES = by_word("attributes")
_NOT_METHODS = (
    *("eye", "ones", "zeros", "arange", "linspace", "causal", "cat", "stack", "einsum", "grad"),
    *("kl", "where"),
)


@dataclass(frozen=True)
class Option:
    """An option of a function; ``by_position`` tells that its name may be left out."""

    name: str
    needed: bool
    by_position: bool


@dataclass(frozen=True)
class Signature:
    """What a function takes: ``tensors`` by name, then any number more if ``variadic``.

    ``example`` is a call as it may be written, ``gives`` what it gives in a few words.
    """

    name: str
    tensors: tuple[str, ...]
    variadic: bool
    options: tuple[Option, ...]
    example: str
    gives: str

    @property
    def positions(self) -> tuple[Option, ...]:
        """The options that may be given by position, in order."""
        return tuple(option for option in self.options if option.by_position)


def _signature(name: str, entry: dict[str, str]) -> Signature:
    before, _, behind = entry["takes"].partition(";")
    listed = [each.strip() for each in before.split(",")]
    tensors = tuple(each for each in listed if each not in ("", "..."))
    words = [each.strip() for each in behind.split(",") if each.strip()]
    named = words.index("*") if "*" in words else len(words)
    options = tuple(
        Option(word.rstrip("!"), word.endswith("!"), place < named)
        for place, word in enumerate(words)
        if word != "*"
    )
    usual = {"dim": "dim=-1", "ddof": "ddof=0"}
    shown = [*tensors, *(usual[each.name] for each in options if each.name in usual)]
    example = entry.get("example") or f"{name}({', '.join(shown)})"
    return Signature(name, tensors, "..." in listed, options, example, entry["gives"])


SIGNATURES = {name: _signature(name, entry) for name, entry in VOCABULARY["functions"].items()}
"""All functions by their own name."""
_ALIASES = {
    alias: name
    for name, entry in VOCABULARY["functions"].items()
    for alias in entry.get("also", "").split()
}


def meant_by(name: str) -> str | None:
    """The function's own name for any of its spellings; None if it is not a function."""
    return name if name in SIGNATURES else _ALIASES.get(name)


def is_method(name: str) -> bool:
    """``x.name(...)`` may be written for ``name(x, ...)``."""
    meant = meant_by(name)
    return meant is not None and meant not in _NOT_METHODS


def is_reserved(name: str) -> bool:
    """The name is a function or a constant and cannot be redefined.

    e may be: it is the usual name for exponentials and errors, and who means the number writes exp.
    """
    return name in SIGNATURES or name in ("pi", "inf")


# -- what does not exist


def unknown(name: str) -> str:
    """The sentence for a call of an unknown function."""
    if name in _INSTEAD:
        return f"There is no {name} here; {_INSTEAD[name]}"
    if close := nearest(name, (*SIGNATURES, *_ALIASES)):
        return f"There is no function {name[:40]}; did you mean {close}?"
    return f"There is no function {name[:40]}, and a line cannot define one; write it out"


def unknown_name(name: str, known: Collection[str]) -> str:
    """The sentence for an undefined name."""
    if (function := meant_by(name)) is not None:
        return f"{name} is a function; write {SIGNATURES[function].example}"
    for cut in range(1, len(name)):
        if name[:cut] in known and name[cut:] in known:
            return f"{name} is not defined above; for a product, write {name[:cut]} {name[cut:]}"
    if close := nearest(name, (*known, *CONSTANTS)):
        return f"{name[:40]} is not defined above; did you mean {close}?"
    return f"{name[:40]} is not defined above; define it on an earlier line"


def unknown_attribute(name: str, *, called: bool) -> str:
    """The sentence for an attribute or a method that does not exist."""
    meant = meant_by(name)
    if name.startswith("_") or (not called and meant is None):
        instead = "only .T and functions such as x.sum(-1) can follow a dot"
        return f".{name[:40]} cannot be read here; {_ATTRIBUTES.get(name, instead)}"
    if meant is None:
        return unknown(name)
    what = "cannot follow a dot" if called else "is a function"
    return f"{'' if called else '.'}{name} {what}; write {SIGNATURES[meant].example}"


def nearest(name: str, known: Collection[str]) -> str:
    """Up to three known names that come close, as "a, b or c"; empty where none does."""
    lowered = {each.lower(): each for each in known}
    found = get_close_matches(name.lower()[:40], lowered, n=3, cutoff=0.7)
    close = [lowered[each] for each in found]
    return " or ".join(filter(None, (", ".join(close[:-1]), close[-1]))) if close else ""


# -- calls

_FLAGS = ("keepdim", "descending")
_EINSUM = re.compile(r"[A-Za-z]*(?:,[A-Za-z]*)*->[A-Za-z]*")
_ELEMENTWISE = {"max": "maximum", "min": "minimum"}
_OPERATORS = {"pow": "**", "matmul": "@"}
_JOINING = ("cat", "stack")
_SAMPLE_DDOF = {"torch": 1.0, "np": 0.0, "numpy": 0.0, "jnp": 0.0}
"""The default of var and std in each library."""
_NO_VALUE = {
    **dict.fromkeys(("true", "false"), "True and False are only for options such as keepdim=True"),
    "none": "None is only for an index: x[:, None]",
    "str": "Quoted text is only allowed as the first argument of einsum",
}


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
            raise call.refused(f"takes two values: {call.signature.example}")
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
        """Why the call cannot be read."""
        return UnreadableError(f"{self.typed} {why}")

    def value(self, argument: Argument) -> list[Any]:
        """A tensor or a number, not an option's value."""
        kind = argument.node[0]
        if kind in _NO_VALUE:
            raise UnreadableError(_NO_VALUE[kind])
        if kind == "tuple":
            example = self.signature.example
            raise self.refused(f"does not take a list here; write {example}")
        return argument.node

    def sorted(self, given: list[Argument]) -> tuple[list[Any], dict[str, Any]]:
        """The tensors in order and the options by name."""
        signature = self.signature
        tensors, spare = self._by_position([each for each in given if each.name is None])
        if len(spare) > len(signature.positions):
            raise self.refused(f"takes fewer values; write {signature.example}")
        options: dict[str, Any] = {}
        for option, argument in zip(signature.positions, spare, strict=False):
            self._set(option.name, argument, options)
        slots = dict(zip(signature.tensors, tensors, strict=False))
        for argument in given:
            if argument.name is not None:
                self._name(argument.name, argument, slots, options)
        if not signature.variadic:
            missing = next((each for each in signature.tensors if each not in slots), None)
            if missing:
                raise self.refused(f"needs {missing} too; write {signature.example}")
            tensors = [slots[each] for each in signature.tensors]
        for each in signature.options:
            if each.needed and each.name not in options:
                self._default(each.name, options)
        self._check_number(tensors, options)
        return tensors, options

    def _by_position(self, given: list[Argument]) -> tuple[list[Any], list[Argument]]:
        """The tensors, and what comes after them: options without names."""
        head = len(self.signature.tensors)
        if self.signature.name == "einsum":
            return [each.node for each in given[:1]] + list(map(self.value, given[1:])), []
        if not self.signature.variadic:
            return list(map(self.value, given[:head])), given[head:]
        first, rest, spare = given[:head], given[head:], []
        if self.signature.name in _JOINING and rest and rest[0].node[0] == "tuple":
            rest, spare = rest[:1], rest[1:]
        if len(rest) == 1 and rest[0].node[0] == "tuple":
            rest = [Argument(None, node) for node in rest[0].node[1]]
        return list(map(self.value, (*first, *rest))), spare

    def _name(
        self, typed: str, argument: Argument, slots: dict[str, Any], options: dict[str, Any]
    ) -> None:
        """Put a named argument where it belongs."""
        tensors, known = self.signature.tensors, [each.name for each in self.signature.options]
        aliases = (typed, _OPTION_ALIASES.get(typed))
        meant = next((each for each in aliases if each in (*tensors, *known)), None)
        if meant is None or (self.signature.variadic and meant in tensors):
            if not known:
                raise self.refused(f"has no options; write {self.signature.example}")
            takes = ", ".join(f"{each}=" for each in known)
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
        if option in _FLAGS:
            options[option] = self._flag(option, argument)
        elif option == "dim" and kind == "tuple":
            options[option] = argument.node
        elif not (option in ("low", "high", "dim") and kind == "none"):
            options[option] = self.value(argument)

    def _flag(self, option: str, argument: Argument) -> list[Any]:
        if argument.node[0] not in ("true", "false"):
            raise UnreadableError(f"Write {option}=True or {option}=False")
        return argument.node

    def _default(self, option: str, options: dict[str, Any]) -> None:
        if option == "ddof" and self.library in _SAMPLE_DDOF:
            options["ddof"] = ["num", _SAMPLE_DDOF[self.library]]
            return
        asked = {
            "dim": "over which axis? Write dim=-1 for the last one",
            "ddof": "with which divisor? Write ddof=0 to divide by n, ddof=1 for n - 1",
        }
        raise self.refused(asked.get(option, f"needs {option}; write {self.signature.example}"))

    def _check_number(self, tensors: list[Any], options: dict[str, Any]) -> None:
        """Raises if too few values are given."""
        name, example = self.signature.name, self.signature.example
        if name == "einsum":
            self._check_einsum(tensors)
        elif self.signature.variadic and len(tensors) <= len(self.signature.tensors):
            raise self.refused(f"needs more values: {example}")
        if name == "clip" and not options:
            raise self.refused(f"needs its bounds; write {example}")

    def _check_einsum(self, tensors: list[Any]) -> None:
        if not tensors or tensors[0][0] != "str":
            raise self.refused('starts with its axes: einsum("ij,jk->ik", a, b)')
        spec = tensors[0][1].replace(" ", "")
        before, _, behind = spec.partition("->")
        axes = before.split(",")
        trouble = ""
        if not _EINSUM.fullmatch(spec):
            trouble = (
                "Write the axes of an einsum with letters, commas and an arrow, as in ij,jk->ik"
            )
        elif len(axes) != len(tensors) - 1:
            trouble = f"This einsum names axes for {len(axes)} tensors and gets {len(tensors) - 1}"
        elif not set(behind) <= set(before) or len(set(behind)) < len(behind):
            trouble = (
                "Each letter after the arrow of an einsum must occur there once, "
                "and before the arrow too"
            )
        if trouble:
            raise UnreadableError(trouble)
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


class Completion(NamedTuple):
    """A name that may be meant: ``text`` to be typed, how it is used, and what it is."""

    text: str
    usage: str
    meaning: str


def completions(
    prefix: str, names: Collection[Completion], banned: Collection[str] = ()
) -> list[Completion]:
    """What a word that begins like this may become: the task's names first, then functions."""
    hidden = {*banned, *(name.text for name in names)}
    ranked = dict.fromkeys((*VOCABULARY["offered_first"].split(), *SIGNATURES))
    offered = [*names, *(explained(name) for name in ranked if name not in hidden)]
    return [
        each
        for each in offered
        if each and each.text.startswith(prefix) and each.text not in (prefix, *CONSTANTS)
    ]


def explained(name: str) -> Completion | None:
    """A function by its own name; None if there is none."""
    found = SIGNATURES.get(name)
    return Completion(name, found.example, found.gives) if found else None
