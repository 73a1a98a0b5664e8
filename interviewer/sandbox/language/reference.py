"""The language on one card: six rules, two examples, and what each function does.

Shown at the bench, completed in its editor and printed by ``interviewer check grammar``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal, NamedTuple

from interviewer.sandbox.language.functions import CONSTANTS, SIGNATURES


class Rule(NamedTuple):
    """A rule of the language: what it is about, and what may be written."""

    about: str
    text: str


class Example(NamedTuple):
    """A short derivation; its first line is a comment that says what is given."""

    given: tuple[str, ...]
    """The names it starts from."""
    source: str


RULES = (
    Rule("Lines", "y = …  names y;  a = b  claims it;  = …  continues the line above"),
    Rule("Operators", "+ - * / ** elementwise, @ for matrices; x Wq, 6 N D as on paper"),
    Rule("Tensors", 'x.T  x[:, None]  reshape(x, n, m)  einsum("ij,jk->ik", a, b)'),
    Rule("Functions", "softmax(x, dim=-1)  sum(x, dim=0)  where(c, a, b)  grad(y, x)"),
    Rule("Numbers", "7e9  327,680  84/8 GB  312 TFLOP/s  44 %  90 days  pi  inf"),
    Rule("Checking", "the task's names keep their meaning; each line is run; # comments"),
)
"""Together with what each is about, a line of at most 76 characters."""

_TENSORS = (
    Example(
        ("X", "n"),
        "# covariance of the rows of X [n, d]\n"
        "Z = X - mean(X, dim=0, keepdim=True)\n"
        "C = Z.T @ Z / n = Z.T @ X / n",
    ),
    Example(
        ("X", "w", "y"),
        "# gradient of least squares, X [n, d], w [d], y [n]\n"
        "loss = sum((X w - y)²) / 2\n"
        "g = X.T @ (X w - y) = grad(loss, w)",
    ),
)
_NUMBERS = (
    Example(
        ("tokens",),
        "# tokens = 300e9, two bytes each, on 8 nodes\n"
        "disk = 2 bytes * tokens = 600 GB\n"
        "share = disk / 8 = 600/8 GB",
    ),
    Example(
        ("tokens", "rate"),
        "# tokens = 300e9, rate = 32,000 tokens/s\n"
        "time = tokens / rate = 108.5 days\n"
        "slower = tokens / (80 % * rate)\n"
        "       = 1.25 time",
    ),
)


def examples(kind: Literal["derivation", "implementation", "estimation"]) -> tuple[Example, ...]:
    """Two short derivations for a challenge of this kind."""
    return _NUMBERS if kind == "estimation" else _TENSORS


def grammar_lines() -> Iterator[str]:
    """The six rules as lines of text."""
    widest = max(len(rule.about) for rule in RULES)
    for rule in RULES:
        yield f"{rule.about:<{widest}}  {rule.text}"


MEANINGS = {
    "exp": "e to the power of each entry",
    "log": "natural logarithm",
    "log2": "logarithm to base 2",
    "log10": "logarithm to base 10",
    "log1p": "log(1 + x), exact for small x",
    "expm1": "exp(x) - 1, exact for small x",
    "sqrt": "square root",
    "rsqrt": "1 / sqrt(x)",
    "square": "x ** 2",
    "sin": "sine, in radians",
    "cos": "cosine, in radians",
    "tan": "tangent, in radians",
    "acos": "inverse cosine, in radians",
    "asin": "inverse sine, in radians",
    "atan": "inverse tangent, in radians",
    "tanh": "hyperbolic tangent",
    "sigmoid": "1 / (1 + exp(-x))",
    "logsigmoid": "log(sigmoid(x)), stable",
    "softplus": "log(1 + exp(x)), stable",
    "relu": "x where positive, else 0",
    "silu": "x * sigmoid(x)",
    "gelu": "x times the standard normal CDF at x",
    "erf": "error function",
    "erfinv": "inverse error function",
    "abs": "absolute value",
    "sign": "-1, 0 or 1",
    "floor": "round down",
    "ceil": "round up",
    "round": "round to the nearest whole number",
    "round16": "round to float16 and back",
    "float": "true as 1, false as 0",
    "isfinite": "true where neither infinite nor NaN",
    "detach": "the same value without a gradient (stop-gradient)",
    "softmax": "exp(x) divided by its sum along an axis",
    "log_softmax": "log of the softmax, stable",
    "logsumexp": "log of the sum of exp(x), stable",
    "cumsum": "running sums along an axis",
    "cumprod": "running products along an axis",
    "sort": "sorted along an axis, smallest first",
    "argsort": "the indices that sort an axis",
    "argmax": "index of the largest entry",
    "argmin": "index of the smallest entry",
    "flip": "the axis reversed",
    "sum": "sum of all entries, or along an axis",
    "mean": "mean of all entries, or along an axis",
    "prod": "product of all entries, or along an axis",
    "norm": "Euclidean norm",
    "var": "variance; ddof=0 divides by n, ddof=1 by n - 1",
    "std": "standard deviation; ddof=0 divides by n, ddof=1 by n - 1",
    "any": "true if any entry is",
    "all": "true if all entries are",
    "max": "largest entry, of all or along an axis",
    "min": "smallest entry, of all or along an axis",
    "maximum": "the larger of two, elementwise",
    "minimum": "the smaller of two, elementwise",
    "clip": "kept between low and high",
    "where": "x where the condition holds, else y",
    "masked_fill": "value where the mask is true, else x",
    "tril": "lower triangle, zeros above",
    "triu": "upper triangle, zeros below",
    "T": "last two axes swapped; also x.T",
    "transpose": "two axes swapped",
    "permute": "axes in a new order",
    "reshape": "the same entries in a new shape",
    "unsqueeze": "with a new axis of size 1",
    "squeeze": "without an axis of size 1",
    "cat": "joined along an axis",
    "stack": "joined along a new axis",
    "size": "size of an axis",
    "diag": "the diagonal, or a matrix with this diagonal",
    "trace": "sum of the diagonal",
    "inv": "inverse of a matrix",
    "dot": "sum of products of two vectors",
    "outer": "all products of two vectors, as a matrix",
    "kl": "KL divergence KL(p || q)",
    "einsum": "products, summed over letters missing on the right",
    "gather": "entries picked by index along an axis",
    "grad": "gradient of a single number y with respect to x",
    "eye": "identity matrix",
    "ones": "all ones, of this shape",
    "zeros": "all zeros, of this shape",
    "arange": "0, 1, … n - 1",
    "linspace": "n evenly spaced numbers from low to high",
    "causal": "true where a position may look: itself and earlier ones",
    "onehot": "rows of length n with a 1 at index y",
    "logical_not": "negation of a condition; also ~x",
    "pow": "power; also x ** y",
    "matmul": "matrix product; also x @ y",
}
"""What each function gives, in a few words."""
_COMMON = (
    *("softmax", "log_softmax", "logsumexp", "sum", "sqrt", "mean", "exp", "einsum", "reshape"),
    *("max", "min", "where", "transpose", "cat", "grad", "log", "var"),
)
"""Offered before others that start alike."""


class Completion(NamedTuple):
    """A name that may be meant: ``text`` to be typed, how it is used, and what it is."""

    text: str
    usage: str
    meaning: str


def completions(
    prefix: str, names: Collection[Completion], banned: Collection[str] = ()
) -> list[Completion]:
    """What a word that begins like this may become: the task's names first, then functions."""
    own = [name for name in names if _longer(name.text, prefix)]
    ranked = dict.fromkeys((*_COMMON, *SIGNATURES))
    taken = {name.text for name in names}
    functions = [
        Completion(name, SIGNATURES[name].written, MEANINGS[name])
        for name in ranked
        if _longer(name, prefix) and name not in banned and name not in taken
    ]
    return [*own, *functions]


def explained(name: str) -> Completion | None:
    """A function by its own name; None if there is none."""
    if name not in SIGNATURES:
        return None
    return Completion(name, SIGNATURES[name].written, MEANINGS[name])


def _longer(name: str, prefix: str) -> bool:
    return name.startswith(prefix) and name != prefix and name not in CONSTANTS
