"""The expression language's values against torch's own, and what has no value."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.sandbox.language import expression, read
from interviewer.sandbox.language.functions import SIGNATURES

torch = pytest.importorskip("torch")
from interviewer.sandbox.worker.evaluator import Evaluator  # noqa: E402
from interviewer.sandbox.worker.operations import EvaluationError  # noqa: E402

Given = SimpleNamespace


def names() -> dict[str, Any]:
    """Fixed inputs over n = 5, m = 7, d = 3."""
    generator = torch.Generator().manual_seed(3)

    def normal(*shape: int) -> Any:
        return torch.randn(*shape, generator=generator, dtype=torch.float64)

    return {
        **{"n": 5, "m": 7, "d": 3, "beta": 0.3},
        "Q": normal(5, 3).requires_grad_(),
        "K": normal(7, 3).requires_grad_(),
        "B": normal(2, 5, 3),
        "w": normal(5),
        "p": torch.softmax(normal(5, 3), -1),
        "y": torch.tensor([0, 2, 1, 1, 0]),
        "M": normal(5, 3) > 0,
    }


class Told:
    """Evaluates, and keeps what the evaluator told on the way."""

    def __init__(self, known: dict[str, Any] | None = None) -> None:
        self.names = names() if known is None else known
        self.sides: list[tuple[int, int]] = []
        self.widened: list[str] = []

    def __call__(self, text: str) -> Any:
        node = expression(text, self.names)
        evaluator = Evaluator(
            self.names, lambda first, other: self.sides.append((first, other)), self.widened.append
        )
        return evaluator.evaluate(node)


F = torch.nn.functional
VALUES: list[tuple[str, Callable[[Any], Any]]] = [
    ("2 + 3 * 4 - 1", lambda g: 13.0),
    ("2 ** 3 ** 2", lambda g: 512.0),
    ("-2 ** 2", lambda g: -4.0),
    ("pi", lambda g: math.pi),
    ("e", lambda g: math.e),
    ("-inf", lambda g: -math.inf),
    ("n * beta", lambda g: 1.5),
    ("Q - w[:, None]", lambda g: g.Q - g.w[:, None]),
    ("Q * p / 2", lambda g: g.Q * g.p / 2),
    ("Q @ K.T", lambda g: g.Q @ g.K.T),
    ("B @ T(B)", lambda g: g.B @ g.B.transpose(-1, -2)),
    ("w @ Q", lambda g: g.w @ g.Q),
    ("p ** beta", lambda g: g.p**0.3),
    ("2 ** y", lambda g: 2.0**g.y),
    ("Q <= p", lambda g: g.p >= g.Q),
    ("y == 1", lambda g: g.y == 1),
    ("(Q > 0) & M", lambda g: (g.Q > 0) & g.M),
    ("(Q > 0) | ~M", lambda g: (g.Q > 0) | ~g.M),
    ("M * 2", lambda g: g.M * 2.0),
    ("1 - M", lambda g: 1.0 - g.M.double()),
    ("log2(p) + log10(p) + log1p(p)", lambda g: g.p.log2() + g.p.log10() + g.p.log1p()),
    ("expm1(Q) + square(Q)", lambda g: g.Q.expm1() + g.Q**2),
    ("sqrt(p) + rsqrt(p)", lambda g: g.p**0.5 + g.p**-0.5),
    ("exp(Q) + log(p) + tanh(Q)", lambda g: g.Q.exp() + g.p.log() + g.Q.tanh()),
    ("sigmoid(Q) + relu(Q)", lambda g: g.Q.sigmoid() + g.Q.relu()),
    ("norm(Q, dim=-1) + norm(w)", lambda g: (g.Q**2).sum(-1) ** 0.5 + (g.w**2).sum() ** 0.5),
    (
        "sum(Q) + max(Q) + prod(p) + sum(M)",
        lambda g: g.Q.sum() + g.Q.max() + g.p.prod() + g.M.sum(),
    ),
    ("trace(Q @ Q.T) + any(Q > 2)", lambda g: (g.Q**2).sum() + (g.Q > 2).any()),
    ("sin(Q) + cos(Q) + tan(Q)", lambda g: g.Q.sin() + g.Q.cos() + g.Q.tan()),
    ("acos(p) + asin(p) + atan(p)", lambda g: g.p.acos() + g.p.asin() + g.p.atan()),
    ("logsigmoid(1000 * Q)", lambda g: F.logsigmoid(1000 * g.Q)),
    ("softplus(1000 * Q)", lambda g: -F.logsigmoid(-1000 * g.Q)),
    ("silu(Q) + gelu(Q)", lambda g: F.silu(g.Q) + F.gelu(g.Q)),
    ("erf(Q) + erfinv(p)", lambda g: g.Q.erf() + g.p.erfinv()),
    ("abs(Q) + sign(Q)", lambda g: g.Q.abs() + g.Q.sign()),
    ("floor(Q) + ceil(Q) + round(Q)", lambda g: g.Q.floor() + g.Q.ceil() + g.Q.round()),
    ("round16(Q / 3)", lambda g: (g.Q / 3).half().double()),
    ("isfinite(cat([w, -inf * ones(1)]))", lambda g: torch.tensor([True] * 5 + [False])),
    ("detach(Q)", lambda g: g.Q.detach()),
    ("softmax(Q, dim=-1)", lambda g: g.Q.softmax(-1)),
    ("log_softmax(Q, dim=1)", lambda g: g.Q.log_softmax(1)),
    ("logsumexp(Q, dim=-1, keepdim=True)", lambda g: g.Q.logsumexp(-1, keepdim=True)),
    ("cumsum(Q, dim=0)", lambda g: g.Q.cumsum(0)),
    ("cumprod(p, dim=0)", lambda g: g.p.cumprod(0)),
    ("flip(cumsum(flip(w, 0), 0), 0)", lambda g: g.w.flip(0).cumsum(0).flip(0)),
    ("sort(Q, dim=0)", lambda g: g.Q.sort(0).values),
    ("sort(w, dim=0, descending=True)", lambda g: g.w.sort(descending=True).values),
    ("w[argsort(w, dim=0)]", lambda g: g.w.sort().values),
    ("argmax(Q, dim=-1)", lambda g: g.Q.argmax(-1)),
    ("sum(B, dim=(0, 2))", lambda g: g.B.sum((0, 2))),
    ("Q.mean(-1, keepdim=True)", lambda g: g.Q.mean(-1, keepdim=True)),
    ("prod(p, dim=0)", lambda g: g.p.prod(0)),
    ("var(Q, dim=0, ddof=0)", lambda g: g.Q.var(0, correction=0)),
    ("var(Q, ddof=1)", lambda g: g.Q.var()),
    ("std(Q, dim=-1, ddof=1, keepdim=True)", lambda g: g.Q.std(-1, keepdim=True)),
    ("all(p > 0, dim=0)", lambda g: (g.p > 0).all(0)),
    ("max(Q, dim=-1)", lambda g: g.Q.amax(-1)),
    ("Q.min(0).values", lambda g: g.Q.amin(0)),
    ("maximum(Q, 0)", lambda g: g.Q.clamp(min=0)),
    ("min(Q, p)", lambda g: torch.minimum(g.Q, g.p)),
    ("clip(Q, -0.5, 0.5)", lambda g: g.Q.clamp(-0.5, 0.5)),
    ("where(Q > 0, Q, -inf)", lambda g: g.Q.masked_fill(g.Q <= 0, -math.inf)),
    ("where(w > 0, log(w), 0)", lambda g: torch.where(g.w > 0, g.w.log(), 0.0)),
    ("masked_fill(Q, M, 0)", lambda g: g.Q.masked_fill(g.M, 0)),
    ("tril(Q @ Q.T)", lambda g: (g.Q @ g.Q.T).tril()),
    ("triu(ones(n, n), 1)", lambda g: torch.ones(5, 5).double().triu(1)),
    ("causal(3)", lambda g: torch.ones(3, 3).bool().tril()),
    ("causal(n, m)", lambda g: torch.ones(5, 7).bool().tril(2)),
    ("transpose(B, 0, 1)", lambda g: g.B.transpose(0, 1)),
    ("permute(B, 2, 0, 1)", lambda g: g.B.permute(2, 0, 1)),
    ("reshape(B, 2, -1)", lambda g: g.B.reshape(2, 15)),
    ("B.view(n * 2, d)", lambda g: g.B.reshape(10, 3)),
    ("w.unsqueeze(-1)", lambda g: g.w[:, None]),
    ("cat([Q, K], dim=0)", lambda g: torch.cat([g.Q, g.K])),
    ("stack([w, 2 * w], dim=1)", lambda g: torch.stack([g.w, 2 * g.w], 1)),
    ("tensor([1, n, 2.5])", lambda g: torch.tensor([1, 5, 2.5], dtype=torch.float64)),
    ("size(Q, -1) + Q.shape[0]", lambda g: 8.0),
    ("diag(w)", lambda g: torch.diag(g.w)),
    ("diag(Q @ Q.T)", lambda g: (g.Q**2).sum(-1)),
    ("inv(Q.T @ Q) @ (Q.T @ Q)", lambda g: torch.eye(3).double()),
    ("dot(w, w)", lambda g: (g.w**2).sum()),
    ("outer(w, w)", lambda g: g.w[:, None] * g.w),
    ("kl(p, p[:1], dim=-1)", lambda g: (g.p * (g.p / g.p[:1]).log()).sum(-1)),
    ("einsum('nd,md->nm', Q, K)", lambda g: g.Q @ g.K.T),
    ("einsum('ii->', Q @ Q.T)", lambda g: (g.Q**2).sum()),
    ("gather(Q, -1, y[:, None])", lambda g: g.Q.gather(-1, g.y[:, None])),
    ("Q[arange(n), y]", lambda g: g.Q[torch.arange(5), g.y]),
    ("onehot(y, d)", lambda g: F.one_hot(g.y, 3).double()),
    ("arange(n) + arange(1, 6) + arange(0, 10, 2)", lambda g: 4.0 * torch.arange(5) + 1),
    ("linspace(0, 1, 5)", lambda g: torch.arange(5).double() / 4),
    ("Q[-1, 1:]", lambda g: g.Q[-1, 1:]),
    ("Q[1:n - 1]", lambda g: g.Q[1:4]),
    ("B[..., None, 0]", lambda g: g.B[..., None, 0]),
    ("Q[::-1]", lambda g: g.Q.flip(0)),
    ("B[..., ::-2]", lambda g: g.B[..., [2, 0]]),
    ("w[-2:0:-1]", lambda g: g.w[[3, 2, 1]]),
    ("Q[0:10 ** 9]", lambda g: g.Q),
    ("Q[M]", lambda g: g.Q[g.M]),
    ("grad(sum(Q ** 2), Q)", lambda g: 2 * g.Q),
    ("grad(mean(sigmoid(Q)), Q)", lambda g: g.Q.sigmoid() * (1 - g.Q.sigmoid()) / 15),
    ("grad(beta ** 2, beta)", lambda g: 0.6),
    ("grad(sum(Q * detach(Q)), Q)", lambda g: g.Q),
    ("grad(sum(Q), K)", lambda g: 0 * g.K),
    ("grad(sum(grad(sum(Q ** 3), Q)), Q)", lambda g: 6 * g.Q),
]


@pytest.mark.parametrize(("text", "wanted"), VALUES, ids=[text for text, _ in VALUES])
def test_values_are_torch_s(text: str, wanted: Callable[[Any], Any]) -> None:
    told = Told()
    got = told(text)
    answer = wanted(Given(**names()))
    expected = torch.tensor(answer, dtype=torch.float64) if isinstance(answer, float) else answer
    assert tuple(got.shape) == tuple(expected.shape)
    assert got.dtype in (torch.float64, torch.bool, torch.int64)
    torch.testing.assert_close(
        got.detach().double(), expected.detach().double(), rtol=1e-12, atol=1e-12
    )


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("(Q @ T(K)) @ (Q @ T(K))", "shape", "(5, 7) @ (5, 7)"),
        ("Q @ 2", "shape", "(5, 3) @ a single number; write * for a number"),
        ("Q + w", "shape", "(5, 3) + (5,)"),
        ("T(w)", "shape", "T takes a matrix, not (5,)"),
        ("sum(Q, dim=2)", "shape", "sum of (5, 3): dimension out of range"),
        ("reshape(Q, 4, 4)", "shape", "reshape of (5, 3): shape '[4, 4]'"),
        ("stack([Q, K])", "shape", "stack of (5, 3) and (7, 3)"),
        ("einsum('ij,ik->jk', Q, K)", "shape", "the letter i of einsum stands for 5 and 7"),
        ("Q[7]", "shape", "index 7 is out of bounds for dimension 0 with size 5"),
        ("squeeze(Q, 0)", "shape", "which is not 1"),
        ("Q[beta]", "type", "an index takes a whole number, not 0.3"),
        ("Q[w]", "type", "an index takes whole numbers"),
        ("eye(beta)", "type", "eye takes a whole number, not 0.3"),
        ("sum(Q, dim=beta)", "type", "dim of sum takes a whole number"),
        ("size(Q, dim=(0, 1))", "shape", "must be int, not tuple"),
        ("argmax(Q)", "type", "argmax over which axis?"),
        ("where(Q, 1, 0)", "type", "where takes a condition such as x > 0"),
        ("Q & M", "type", "& takes a condition"),
        ("log(-2 + 0 * Q)", "domain", "log of -2 has no value"),
        ("(-8) ** (1 / 3)", "domain", "a negative number to a power that is not whole"),
        ("0 / 0", "domain", "0 / 0 and inf / inf"),
        ("inv(zeros(2, 2))", "type", "the input matrix is singular"),
        ("var(w[:1], ddof=1)", "domain", "divides by 0"),
        ("max(w[5:])", "shape", "max of (0,): amax(): Expected reduction dim"),
        ("onehot(y, 2)", "type", "class values must be smaller than num_classes"),
        ("w[::0]", "type", "slice step cannot be zero"),
        ("eye(10 ** 9)", "size", "eye would make"),
        ("ones(2000)[:, None] + ones(2000)", "size", "+ would make"),
        ("arange(10 ** 15)", "size", "arange would make"),
        ("ones(9)[zeros(1e6) > 1]", "shape", "the shape of the mask"),
        ("ones(1400, 1400) @ ones(1400, 1400)", "limit", "multiplications"),
        ("einsum('i,j,k->', ones(1e4), ones(1e4), ones(1e4))", "limit", "multiplications"),
        ("10 ** (10 ** 9)", "limit", "the exponent 1e+09 is too large"),
        ("grad(Q, Q)", "gradient", "grad takes a single number, not (5, 3)"),
        ("grad(sum(Q), 2 * Q)", "gradient", "an input or a name defined above"),
        ("grad(sum(Q), y)", "gradient", "y is a whole number or a condition"),
    ],
)
def test_what_has_no_value_says_why(text: str, code: str, says: str) -> None:
    with pytest.raises(EvaluationError) as raised:
        Told()(text)
    assert raised.value.code == code
    assert says.lower() in str(raised.value).lower()


def test_a_name_without_a_value() -> None:
    node = expression("later + 1", ("later",))
    with pytest.raises(EvaluationError, match="later has no value yet") as raised:
        Evaluator({}, lambda first, other: None).evaluate(node)
    assert raised.value.code == "name"


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("relu(v)", [(2, 2)]),
        ("abs(v)", [(3, 1)]),
        ("maximum(v, 0)", [(3, 1)]),
        ("minimum(v, 0)", [(2, 2)]),
        ("where(v > 0, v, 0)", [(2, 2)]),
        ("masked_fill(v, v > 1, 0)", [(1, 3)]),
        ("clip(v, 0, 1)", [(3, 1), (3, 1)]),
        ("clip(v, low=0)", [(3, 1)]),
        ("relu(relu(v))", [(2, 2), (2, 2)]),
        ("v + 1", []),
    ],
)
def test_every_piecewise_function_counts_its_sides(text: str, sides: list[Any]) -> None:
    told = Told({"v": torch.tensor([-1.0, 0.0, 1.0, 2.0], dtype=torch.float64)})
    told(text)
    assert told.sides == sides


@pytest.mark.parametrize(
    ("text", "widened"),
    [
        ("w - w[:, None]", ["(5,) against (5, 1) gave (5, 5)"]),
        ("w[:, None] > w", ["(5, 1) against (5,) gave (5, 5)"]),
        ("mean((w - Q[:, :1]) ** 2)", ["(5,) against (5, 1) gave (5, 5)"]),
        ("w[None, :] - w[:, None]", []),
        ("Q - w[:, None]", []),
        ("Q + Q[0]", []),
        ("arange(m)[:, None] / arange(1, n + 1)", []),
    ],
)
def test_a_vector_that_meets_a_column_of_its_length_is_told(text: str, widened: list[str]) -> None:
    told = Told()
    told(text)
    assert told.widened == widened


def test_a_gradient_by_a_name_defined_above() -> None:
    told = Told()
    told.names["S"] = told("Q @ K.T")
    told.names["L"] = told("sum(S ** 2)")
    told.names["A"] = told("detach(S)")
    torch.testing.assert_close(told("grad(L, S)"), 2 * told("S"))
    torch.testing.assert_close(told("grad(sum(A * S), A)"), told("S"))
    torch.testing.assert_close(told("grad(sum(A * A), Q)"), 0 * told("Q"))
    with pytest.raises(EvaluationError, match="write it in terms of S by name"):
        told("grad(sum(Q @ K.T), S)")


def test_inputs_stay_as_they_are() -> None:
    told = Told()
    before = {name: told.names[name].clone() for name in ("Q", "K", "w", "M", "y")}
    for text, _ in VALUES:
        told(text)
    for name, value in before.items():
        assert torch.equal(told.names[name], value)
    assert told.names["Q"].is_leaf


def test_the_nodes_of_a_long_sum_are_walked_without_recursion() -> None:
    assert float(Told()("+".join(["1"] * 199))) == 199


LEAVES = st.sampled_from(
    ["n", "d", "beta", "Q", "K", "B", "w", "p", "y", "M", "1", "0", "-1", "2.5", "inf", "w[5:]"]
)


def composed(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    signs = st.sampled_from(["+", "-", "*", "/", "@", "**", "<", "==", "&", "|"])
    items = st.sampled_from([":", "None", "...", "::-1", "1:", "-1", "y", "M", "beta"])
    options = {"dim": ["0", "-1", "2", "(0, 1)", "beta"], "ddof": ["0", "1"]}

    def call(name: str) -> st.SearchStrategy[str]:
        signature = SIGNATURES[name]
        tensors = [inner] * (len(signature.tensors) + 2 * signature.variadic)
        chosen = [
            st.sampled_from(options.get(option.name, ["1", "Q"])).map(
                lambda value, option=option: f"{option.name}={value}"
            )
            for option in signature.options
            if option.needed
        ]
        return st.tuples(*tensors, *chosen).map(lambda given: f"{name}({', '.join(given)})")

    return st.one_of(
        st.tuples(inner, signs, inner).map(lambda each: f"({' '.join(each)})"),
        st.tuples(inner, st.lists(items, min_size=1, max_size=3)).map(
            lambda each: f"({each[0]})[{', '.join(each[1])}]"
        ),
        *[call(name) for name in SIGNATURES if name != "einsum"],
    )


@given(st.recursive(LEAVES, composed, max_leaves=6))
def test_any_expression_has_a_value_or_a_reason(text: str) -> None:
    told = Told()
    derivation = read(f"result = {text}", given=list(told.names))
    for statement in derivation.statements:
        try:
            value = told(statement.parts[0].text)
        except EvaluationError as error:
            reason = str(error)
        else:
            reason = f"has {value.numel()} entries"
        assert reason.isprintable()
        assert "object" not in reason
