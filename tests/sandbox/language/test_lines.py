"""Lines as statements: what defines, what claims, what continues, what is a unit."""

from __future__ import annotations

import json
from operator import add, mul, sub, truediv
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.tables import table

from interviewer.sandbox.language import Derivation, expression, read

CHALLENGES = Path(__file__).parents[3] / "rubrics" / "challenges"
NODES: dict[str, list[Any]] = table("pieces/nodes", __file__)
TABLES: dict[str, list[Any]] = table("pieces/lines", __file__)
GIVEN = ("Q", "K", "V", "n", "d", "P", "N")


def lines(source: str, banned: tuple[str, ...] = ()) -> Derivation:
    return read(source, given=GIVEN, banned=banned)


def test_a_derivation_is_read_line_by_line() -> None:
    derivation = lines(
        "# attention\n"
        "\n"
        "S = Q @ K.T / sqrt(d)   # logits, don't scale twice\n"
        "A = softmax(S, dim=-1) = exp(S) / sum(exp(S), dim=-1, keepdim=True)\n"
        "  = exp(S - logsumexp(S, dim=-1, keepdim=True))\n"
        "sum(A, dim=-1) = ones(n)\n"
        "A @ V = einsum('ij,jk->ik', A, V)\n"
        "S = Q @ T(K) / d ** 0.5\n"
    )
    assert not derivation.problems
    shape = [(s.line, s.defines, len(s.parts), s.continues) for s in derivation.statements]
    assert shape == [
        (3, "S", 1, False),
        (4, "A", 2, False),
        (5, None, 1, True),
        (6, None, 2, False),
        (7, None, 2, False),
        (8, None, 2, False),
    ]
    first, second, *_, last = derivation.statements
    assert first.parts[0].names == {"Q", "K", "d"}
    assert second.parts[1].node[:2] == ["bin", "/"]
    assert last.parts[0].node == ["name", "S"]


def test_a_line_goes_on_while_a_bracket_is_open() -> None:
    derivation = lines("S = (Q\n  @ T(K)  # scores\n)\nA = S + 1\r\nB = exp(\rA)")
    assert not derivation.problems
    assert [each.line for each in derivation.statements] == [1, 4, 5]
    assert derivation.statements[0].parts[0].node[:2] == ["bin", "@"]


@pytest.mark.parametrize(("source", "problems", "defines"), TABLES["mistakes"])
def test_one_mistake_makes_one_problem_at_its_own_line(
    source: str, problems: list[int], defines: list[str]
) -> None:
    derivation = lines(source)
    assert [each.line for each in derivation.problems] == problems
    assert [each.defines for each in derivation.statements] == defines


def test_nothing_continues_a_line_that_cannot_be_read() -> None:
    derivation = lines("S = Q +\n= Q\n= Q")
    assert [each.line for each in derivation.problems] == [1, 2, 3]


@pytest.mark.parametrize(("written", "node"), NODES.items(), ids=list(NODES))
def test_expressions_become_nodes(written: str, node: list[Any]) -> None:
    assert expression(written, GIVEN) == node


def test_nodes_are_json() -> None:
    node = expression("where(Q[:, 1:] > 0, softmax(Q, dim=(0, 1)), -inf) @ K[..., None]", GIVEN)
    assert json.loads(json.dumps(node)) == node


@pytest.mark.parametrize(("written", "value", "dimension"), TABLES["units"])
def test_a_number_with_a_unit(written: str, value: float | None, dimension: str | None) -> None:
    derivation = lines(f"x = {written}")
    assert not derivation.problems
    (part,) = derivation.statements[0].parts
    assert part.unit == dimension
    if value is not None:
        assert worth(part.node) == pytest.approx(value, rel=1e-12)


def test_a_unit_and_a_name_are_told_apart() -> None:
    assert not lines("bytes = 16 * P / N = 38.5 GB\n= 38.5e9 bytes\ntokens = 2 * N").problems
    (found,) = read("h = 3\na = 2 h", given=()).problems
    assert "Is h a unit here" in found.message
    (found,) = read("tokens = 9\na = 3 + 2 tokens", given=()).problems
    assert "Is tokens a unit here" in found.message


@pytest.mark.parametrize(("line", "names", "unit"), TABLES["given_names"])
def test_a_given_name_after_a_number_is_no_unit(
    line: str, names: list[str], unit: str | None
) -> None:
    given = ("tokens", "layers", "B")
    derivation = read(f"a = {line}", given=given, scalars=True)
    assert not derivation.problems
    [part] = derivation.statements[0].parts
    assert (part.names, part.unit) == (set(names), unit)


def test_given_names_come_before_functions_and_constants() -> None:
    derivation = read("a = T * e\nb = K.T", given=("T", "e", "K"))
    assert not derivation.problems
    assert derivation.statements[0].parts[0].names == {"T", "e"}


def test_an_expression_that_cannot_be_read_is_quoted() -> None:
    with pytest.raises(ValueError, match=r"softmax\(Q\): softmax needs dim"):
        expression("softmax(Q)", GIVEN)


@pytest.mark.parametrize("path", sorted(CHALLENGES.glob("*.yaml")), ids=lambda path: path.stem)
def test_everything_in_a_shipped_challenge_can_be_read(path: Path) -> None:
    challenge = yaml.safe_load(path.read_text("utf-8"))
    given = [*challenge.get("dims", {}), *challenge.get("inputs", {})]
    accepted = [each["lines"] for each in challenge.get("accepted", ()) if "lines" in each]
    for source in filter(None, (challenge.get("derivation"), *accepted)):
        derivation = read(source, given=given, banned=challenge.get("banned", ()))
        assert not derivation.problems
    for condition in challenge.get("visits", ()):
        expression(condition, given)
    for step in challenge.get("steps", ()):
        expression(step["value"], given)
        given.append(step["name"])


def value(line: str, *, scalars: bool = False) -> Any:
    """The node of ``a = …``, and its unit."""
    derivation = read(f"a = {line}", given=GIVEN, scalars=scalars)
    assert not derivation.problems
    [statement] = derivation.statements
    return statement.parts[0].node


@pytest.mark.parametrize(("paper", "typed"), TABLES["notation"])
def test_notation_is_as_on_paper(paper: str, typed: str) -> None:
    assert worth(value(paper)) == pytest.approx(worth(value(typed)))


@pytest.mark.parametrize(("paper", "typed"), TABLES["products"])
def test_numbers_side_by_side_are_a_product(paper: str, typed: str) -> None:
    assert worth(value(paper, scalars=True)) == worth(value(typed))


def test_to_the_t_is_no_transpose_where_t_is_a_value() -> None:
    [problem] = read("a = n^T", given=(*GIVEN, "T"), scalars=True).problems
    assert "cannot stand here" in problem.message


def test_a_name_of_several_letters_is_not_taken_apart() -> None:
    derivation = read("NP = 6 N P\na = NP", given=GIVEN, scalars=True)
    assert derivation.statements[1].parts[0].node == ["name", "NP"]


@pytest.mark.parametrize(
    "line", ["Q K", "Q Kᵀ", "Q K^T", "Q K.T", "relu(Q) K", "Q[:, 0] K", "Q (K.T)"]
)
def test_values_side_by_side_are_a_product_that_their_shapes_decide(line: str) -> None:
    if line == "Q (K.T)":  # it may be a call
        [problem] = lines(f"S = {line}").problems
        assert "Q is not a function" in problem.message
    else:
        assert value(line)[:2] == ["bin", "beside"]


@pytest.mark.parametrize(
    ("line", "below"), [("Q / N K", "N"), ("Q / sqrt(N) K", "sqrt(N)"), ("Q / N² K", "N²")]
)
def test_below_a_fraction_bar_a_product_needs_brackets(line: str, below: str) -> None:
    [problem] = lines(f"S = {line}").problems
    assert problem.message.startswith(f"Is only {below} below the fraction bar, or {below} * K?")


def worth(node: Any) -> float:
    """The value of an arithmetic node where N = 3, P = 5 and n = 7."""
    match node:
        case ["num", number]:
            return float(number)
        case ["neg", inner]:
            return -worth(inner)
        case ["name", str(name)]:
            return {"N": 3.0, "P": 5.0, "n": 7.0}[name]
        case ["bin", sign, left, right]:
            operator = {"+": add, "-": sub, "*": mul, "/": truediv, "**": pow}[sign]
            return float(operator(worth(left), worth(right)))
        case ["call", "maximum", [*arguments], _]:
            return max(map(worth, arguments))
    raise AssertionError(node)
