"""The expression language's values against torch's own, and what has no value."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import table

from interviewer.sandbox.language import expression, read
from interviewer.sandbox.language.functions import SIGNATURES

torch = pytest.importorskip("torch")
from interviewer.sandbox.worker.evaluator import Evaluator  # noqa: E402
from interviewer.sandbox.worker.operations import EvaluationError  # noqa: E402


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
        return self.evaluated(expression(text, self.names))

    def evaluated(self, node: list[Any]) -> Any:
        evaluator = Evaluator(
            self.names, lambda first, other: self.sides.append((first, other)), self.widened.append
        )
        return evaluator.evaluate(node)


TABLES = table("evaluated", __file__)
VALUES: dict[str, str] = TABLES["values"]


@pytest.mark.parametrize(("text", "wanted"), VALUES.items(), ids=list(VALUES))
def test_values_are_torch_s(text: str, wanted: str) -> None:
    got = Told()(text)
    answer = eval(wanted, {"torch": torch, "F": torch.nn.functional, "math": math, **names()})
    expected = torch.tensor(answer, dtype=torch.float64) if isinstance(answer, float) else answer
    assert tuple(got.shape) == tuple(expected.shape)
    assert got.dtype in (torch.float64, torch.bool, torch.int64)
    torch.testing.assert_close(
        got.detach().double(), expected.detach().double(), rtol=1e-12, atol=1e-12
    )


@pytest.mark.parametrize(("text", "why"), TABLES["no_value"].items())
def test_what_has_no_value_says_why(text: str, why: list[str]) -> None:
    with pytest.raises(EvaluationError) as raised:
        Told()(text)
    code, says = why
    assert raised.value.code == code
    assert says.lower() in str(raised.value).lower()


def test_a_name_without_a_value() -> None:
    node = expression("later + 1", ("later",))
    with pytest.raises(EvaluationError, match="later has no value yet") as raised:
        Evaluator({}, lambda first, other: None).evaluate(node)
    assert raised.value.code == "name"


@pytest.mark.parametrize(("text", "sides"), TABLES["sides"])
def test_every_piecewise_function_counts_its_sides(text: str, sides: list[Any]) -> None:
    told = Told({"v": torch.tensor([-1.0, 0.0, 1.0, 2.0], dtype=torch.float64)})
    told(text)
    assert told.sides == [tuple(each) for each in sides]


@pytest.mark.parametrize(("text", "widened"), TABLES["widened"])
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
    for text in VALUES:
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
            value = told.evaluated(statement.parts[0].node)
        except EvaluationError as error:
            reason = str(error)
        else:
            reason = f"has {value.numel()} entries"
        assert reason.isprintable()
        assert "object" not in reason
