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
from interviewer.sandbox.worker.evaluator import EvaluationError, Evaluator  # noqa: E402


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


def value(text: str, known: dict[str, Any] | None = None) -> Any:
    known = names() if known is None else known
    return Evaluator(known).evaluate(expression(text, known))


TABLES = table("evaluated", __file__)
VALUES: dict[str, str] = TABLES["values"]


@pytest.mark.parametrize(("text", "wanted"), VALUES.items(), ids=list(VALUES))
def test_values_are_torch_s(text: str, wanted: str) -> None:
    got = value(text)
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
        value(text)
    code, says = why
    assert raised.value.code == code
    assert says.lower() in str(raised.value).lower()


def test_a_name_without_a_value() -> None:
    node = expression("later + 1", ("later",))
    with pytest.raises(EvaluationError, match="later has no value yet") as raised:
        Evaluator({}).evaluate(node)
    assert raised.value.code == "name"


def test_a_gradient_by_a_name_defined_above() -> None:
    known = names()
    known["S"] = value("Q @ K.T", known)
    known["L"] = value("sum(S ** 2)", known)
    known["A"] = value("detach(S)", known)
    torch.testing.assert_close(value("grad(L, S)", known), 2 * known["S"])
    torch.testing.assert_close(value("grad(sum(A * S), A)", known), known["S"])
    torch.testing.assert_close(value("grad(sum(A * A), Q)", known), 0 * known["Q"])
    with pytest.raises(EvaluationError, match="write it in terms of S by name"):
        value("grad(sum(Q @ K.T), S)", known)


def test_inputs_stay_as_they_are() -> None:
    known = names()
    before = {name: known[name].clone() for name in ("Q", "K", "w", "M", "y")}
    for text in VALUES:
        value(text, known)
    for name, given_value in before.items():
        assert torch.equal(known[name], given_value)
    assert known["Q"].is_leaf


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("+".join(["1"] * 199), 199),
        ("max(" * 38 + "abs(d" + ")" * 39, 3),
        ("(" * 38 + "n" + ")" * 38 + " * 0" + "²" * 38, 0),
    ],
    ids=["long", "nested", "many powers"],
)
def test_the_largest_lines_can_be_evaluated(text: str, wanted: float) -> None:
    assert float(value(text).detach()) == wanted


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
            st.sampled_from(options.get(option, ["1", "Q"])).map(
                lambda value, option=option: f"{option}={value}"
            )
            for option in signature.needed
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
    known = names()
    derivation = read(f"result = {text}", given=list(known))
    for statement in derivation.statements:
        try:
            result = Evaluator(known).evaluate(statement.parts[0].node)
        except EvaluationError as error:
            reason = str(error)
        else:
            reason = f"has {result.numel()} entries"
        assert reason.isprintable()
        assert "object" not in reason
