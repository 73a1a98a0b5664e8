"""The functions of the expression language: signatures, aliases, and how a call is bound to them.

The table is the language's reference: each entry is a call as it may be written. Tensors come
before ``;``, options after it, by position in this order or by name; ``!`` marks a required option,
``*`` ends the positional ones, and ``...`` means any number of tensors. What a call leaves open and
what matters, such as the axis of a softmax, is asked for; nothing is assumed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from interviewer.sandbox.language.notation import UnreadableError

_TABLE = """
exp(x) log(x) log2(x) log10(x) log1p(x) expm1(x) sqrt(x) rsqrt(x) square(x) sin(x) cos(x) tan(x)
acos(x) asin(x) atan(x) tanh(x) sigmoid(x) logsigmoid(x) softplus(x) relu(x) silu(x) gelu(x) erf(x)
erfinv(x) abs(x) sign(x) floor(x) ceil(x) round(x) round16(x) float(x) isfinite(x) detach(x)
softmax(x; dim!) log_softmax(x; dim!) logsumexp(x; dim!, keepdim) cumsum(x; dim!) cumprod(x; dim!)
sort(x; dim!, descending) argsort(x; dim!, descending) argmax(x; dim, keepdim)
argmin(x; dim, keepdim) flip(x; dim!)
sum(x; dim, keepdim) mean(x; dim, keepdim) prod(x; dim, keepdim) norm(x; *, dim, keepdim)
var(x; dim, *, ddof!, keepdim) std(x; dim, *, ddof!, keepdim) any(x; dim, keepdim)
all(x; dim, keepdim)
max(x; dim, keepdim) min(x; dim, keepdim) maximum(x, y) minimum(x, y) clip(x; low, high)
where(condition, x, y) masked_fill(x, mask, value) tril(x; diagonal) triu(x; diagonal)
T(x) transpose(x; first!, second!) permute(x, ...) reshape(x, ...) unsqueeze(x; dim!)
squeeze(x; dim!) cat(...; dim) stack(...; dim) size(x; dim!) diag(x) trace(x) inv(x)
dot(x, y) outer(x, y) kl(p, q; dim) einsum(spec, ...) gather(x; dim!, index!) grad(y, x)
eye(n) ones(...) zeros(...) arange(...) linspace(low, high, n) causal(n; m) onehot(y, n)
logical_not(x) pow(x, y) matmul(x, y)
"""
_SPELLINGS = {
    "log": "ln",
    "abs": "absolute fabs",
    "acos": "arccos",
    "asin": "arcsin",
    "atan": "arctan",
    "sigmoid": "expit",
    "logsigmoid": "log_sigmoid",
    "silu": "swish",
    "float": "double",
    "detach": "stop_gradient stop_grad stopgradient stopgrad sg",
    "log_softmax": "logsoftmax",
    "mean": "average",
    "max": "amax",
    "min": "amin",
    "clip": "clamp",
    "maximum": "fmax",
    "minimum": "fmin",
    "T": "t",
    "transpose": "swapaxes swapdims",
    "reshape": "view",
    "unsqueeze": "expand_dims",
    "trace": "tr",
    "cat": "concat concatenate",
    "stack": "tensor array",
    "inv": "inverse",
    "onehot": "one_hot",
    "eye": "identity",
    "pow": "power",
    "matmul": "mm bmm",
    "dot": "inner",
    "logical_not": "invert",
}
_ALIASES = {other: name for name, others in _SPELLINGS.items() for other in others.split()}
_OPTION_SPELLINGS = {
    "dim": "axis dims axes",
    "keepdim": "keepdims",
    "ddof": "correction unbiased",
    "low": "min a_min lo",
    "high": "max a_max hi",
    "diagonal": "k",
    "first": "dim0 axis1",
    "second": "dim1 axis2",
    "n": "num_classes",
}
_OPTION_ALIASES = {
    other: name for name, others in _OPTION_SPELLINGS.items() for other in others.split()
}
_SCOPES = ("torch", "F", "np", "numpy", "math", "jnp", "nn", "functional", "linalg", "special")
PREFIXES = ("torch", "F", "np", "numpy", "math", "jnp")
"""What may come before a function's name with a dot: the libraries candidates think in."""
CONSTANTS = ("pi", "inf", "e")
_SHADOWED = ("e",)
"""A constant that lines may redefine: e is the usual name for exponentials and errors, and anyone
who means the number writes exp."""
_NOT_METHODS = (
    *("eye", "ones", "zeros", "arange", "linspace", "causal", "cat", "stack", "einsum", "grad"),
    *("kl", "where", "size"),
)
_INSTEAD = {
    "attention": "write it out with softmax and @",
    "scaled_dot_product_attention": "write it out with softmax and @",
    "layer_norm": "write it out with mean and var(…, ddof=0)",
    "layernorm": "write it out with mean and var(…, ddof=0)",
    "rms_norm": "write it out with mean and sqrt",
    "cross_entropy": "write it out with log_softmax and onehot",
    "nll_loss": "write it out with onehot and sum",
    "kl_div": "write kl(p, q, dim=-1), or write it out with log and sum",
    "mse_loss": "write mean((x - y) ** 2)",
    "full": "write value * ones(n, m)",
    "full_like": "write value + 0 * x",
    "ones_like": "write 1 + 0 * x",
    "zeros_like": "write 0 * x",
    "topk": "write sort(x, dim=-1, descending=True) and take a slice",
    "repeat": "let broadcasting do it: x[None, :] + zeros(n, 1)",
    "expand": "let broadcasting do it: x[None, :] + zeros(n, 1)",
    "half": "write round16(x)",
    "backward": "write grad(y, x)",
    "item": "leave it out: a single number needs no conversion",
    "print": "name the quantity instead: every named line is evaluated",
    "len": "write size(x, 0)",
    "shape": "write size(x, 0)",
    "int": "write floor(x)",
    "range": "write arange(n)",
    "median": "write sort(x, dim=-1) and take the middle",
    "multinomial": "there is nothing random here",
    "randn": "there is nothing random here; use the given inputs",
    "rand": "there is nothing random here; use the given inputs",
    "dropout": "there is nothing random here",
    "Softmax": "write softmax(x, dim=-1)",
    "add": "write +",
    "sub": "write -",
    "subtract": "write -",
    "mul": "write *",
    "multiply": "write *",
    "div": "write /",
    "divide": "write /",
    "flatten": "write reshape(x, -1)",
    "numel": "write size(x, 0) * size(x, 1)",
    "autograd": "write grad(y, x)",
}
_EXAMPLES = {
    **{name: f"{name}(x, dim=-1)" for name in ("sum", "mean", "max", "min", "norm", "prod")},
    **{name: f"{name}(x, dim=-1)" for name in ("softmax", "log_softmax", "cumsum", "cumprod")},
    **{name: f"{name}(x, dim=-1)" for name in ("sort", "argsort", "argmax", "argmin", "flip")},
    **{name: f"{name}(x, dim=-1)" for name in ("logsumexp", "unsqueeze", "squeeze", "any", "all")},
    **{name: f"{name}(x, dim=-1, ddof=0)" for name in ("var", "std")},
    **{name: f"{name}(n, m)" for name in ("ones", "zeros")},
    "cat": "cat([x, y], dim=0)",
    "stack": "stack([x, y], dim=0)",
    "reshape": "reshape(x, n, m)",
    "permute": "permute(x, 1, 0)",
    "transpose": "transpose(x, -1, -2)",
    "arange": "arange(n)",
    "size": "size(x, 0)",
    "clip": "clip(x, low, high)",
    "gather": "gather(x, dim=-1, index=y)",
    "einsum": 'einsum("ij,jk->ik", x, y)',
    "pow": "x ** y",
    "matmul": "x @ y",
    "logical_not": "~x",
}
_CALL = re.compile(r"(\w+)\(([^)]*)\)")


@dataclass(frozen=True)
class Option:
    """An option of a function; ``by_position`` tells that its name may be left out."""

    name: str
    needed: bool
    by_position: bool


@dataclass(frozen=True)
class Signature:
    """What a function takes: ``tensors`` by name, then any number more if ``variadic``."""

    name: str
    tensors: tuple[str, ...]
    variadic: bool
    options: tuple[Option, ...]

    @property
    def positions(self) -> tuple[Option, ...]:
        """The options that may be given by position, in order."""
        return tuple(option for option in self.options if option.by_position)

    @property
    def written(self) -> str:
        """An example of the call, for messages."""
        if self.name in _EXAMPLES:
            return _EXAMPLES[self.name]
        tensors = [*self.tensors, *(["..."] if self.variadic else [])]
        options = [f"{option.name}=..." for option in self.options if option.needed]
        return f"{self.name}({', '.join(tensors + options)})"


def _signature(name: str, inside: str) -> Signature:
    before, _, behind = inside.partition(";")
    tensors = tuple(each.strip() for each in before.split(",") if each.strip() not in ("", "..."))
    options: list[Option] = []
    by_position = True
    for each in (each.strip() for each in behind.split(",")):
        if each == "*":
            by_position = False
        elif each:
            options.append(Option(each.rstrip("!"), each.endswith("!"), by_position))
    return Signature(name, tensors, "..." in before, tuple(options))


SIGNATURES = {name: _signature(name, inside) for name, inside in _CALL.findall(_TABLE)}
"""All functions by their own name."""


def meant_by(name: str) -> str | None:
    """The function's own name for any of its spellings; None if it is not a function."""
    if name in SIGNATURES:
        return name
    return _ALIASES.get(name)


def named_by(name: str, signature: Signature) -> str | None:
    """The tensor or option meant before an =; None if the function has none of that name."""
    known = (*signature.tensors, *(option.name for option in signature.options))
    return next((each for each in (name, _OPTION_ALIASES.get(name)) if each in known), None)


def is_method(name: str) -> bool:
    """``x.name(...)`` may be written for ``name(x, ...)``."""
    meant = meant_by(name)
    return meant is not None and (meant not in _NOT_METHODS or name == "size")


def is_scope(name: str) -> bool:
    """A library or a part of one, as in ``torch.nn.functional``."""
    return name in _SCOPES


def is_reserved(name: str) -> bool:
    """The name is a function or a constant and cannot be redefined."""
    return name in SIGNATURES or (name in CONSTANTS and name not in _SHADOWED)


def unknown(name: str) -> str:
    """The sentence for a call of an unknown function."""
    if name in _INSTEAD:
        return f"There is no {name} here; {_INSTEAD[name]}"
    close = nearest(name, (*SIGNATURES, *_ALIASES))
    if close:
        return f"There is no function {name[:40]}; did you mean {close}?"
    return f"There is no function {name[:40]}, and a line cannot define one; write it out"


def nearest(name: str, known: Collection[str]) -> str:
    """Up to three known names that come close, as "a, b or c"; empty where none does."""
    lowered = {each.lower(): each for each in known}
    found = get_close_matches(name.lower()[:40], lowered, n=3, cutoff=0.7)
    close = [lowered[each] for each in found]
    return " or ".join(filter(None, (", ".join(close[:-1]), close[-1]))) if close else ""


_FLAGS = ("keepdim", "descending")
_EINSUM = re.compile(r"[A-Za-z]*(?:,[A-Za-z]*)*->[A-Za-z]*")
_ELEMENTWISE = {"max": "maximum", "min": "minimum"}
_JOINING = ("cat", "stack")
_SAMPLE_DDOF = {"torch": 1.0, "np": 0.0, "numpy": 0.0, "jnp": 0.0}
"""The default of var and std in each library."""
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
"""Options of other libraries that do not exist here, and what to do instead."""


@dataclass(frozen=True)
class Argument:
    """What was typed between two commas; ``name`` is None if it was given by position."""

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
        f"Write {name}(x, dim=0) along an axis, or {_ELEMENTWISE[name]}(x, 0) elementwise",
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
                "True and False are only for options such as keepdim=True", argument.start
            )
        if kind == "none":
            raise UnreadableError("None is only for an index: x[:, None]", argument.start)
        if kind == "str":
            raise UnreadableError(
                "Quoted text is only allowed as the first argument of einsum", argument.start
            )
        if kind == "tuple":
            raise UnreadableError(
                f"{self.typed} does not take a list here; write {self.signature.written}",
                argument.start,
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
        """The tensors in order and the options by name."""
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
        """What comes after the tensors: options without names."""
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
        """Raises if something required is missing."""
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
                f"{self.typed} with which divisor? Write ddof=0 to divide by n, ddof=1 for n - 1",
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
                "Write the axes of an einsum with letters, commas and an arrow, as in ij,jk->ik",
                self.start,
            )
        before, _, behind = spec.partition("->")
        axes = before.split(",")
        if len(axes) != len(tensors) - 1:
            raise UnreadableError(
                f"This einsum names axes for {len(axes)} tensors and gets {len(tensors) - 1}",
                self.start,
            )
        lost = [letter for letter in behind if letter not in before]
        if lost or len(set(behind)) < len(behind):
            raise UnreadableError(
                "Each letter after the arrow of an einsum must occur there once, "
                "and before the arrow too",
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
