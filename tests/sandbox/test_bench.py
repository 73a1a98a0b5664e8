"""The bench through its public face: sources in, results out, by a real confined worker."""

from __future__ import annotations

import pytest
from support.shipped import shipped_catalogue
from support.tables import table

from interviewer.sandbox.bench import NO_TORCH, Bench
from interviewer.sandbox.challenge import Challenge
from interviewer.sandbox.language.functions import Example, examples
from interviewer.sandbox.result import CheckOutcome, CheckResult
from interviewer.sandbox.worker import protocol

pytestmark = pytest.mark.asyncio(loop_scope="session")

CHALLENGES = {name: entry.model for name, entry in shipped_catalogue().entries.items()}
ATTN = CHALLENGES["attn"]
TOLD = table("told", __file__)
RIGHT = """\
logits = Q @ T(K) / sqrt(d)
weights = softmax(logits, dim=-1) = exp(logits) / sum(exp(logits), dim=-1, keepdim=True)
out = weights @ V
"""


def statuses(result: CheckResult) -> str:
    return " ".join(line.status.value.replace(" ", "-") for line in result.lines)


def said(result: CheckResult) -> str:
    return " ".join((result.summary, *(line.message for line in result.lines)))


async def test_a_derivation_that_holds(bench: Bench) -> None:
    result = await bench.check(ATTN, RIGHT)
    assert result.outcome is CheckOutcome.PASSED
    assert statuses(result) == "holds holds holds"
    assert set(result.derived) == {"weights", "out"}
    assert "holds numerically" in result.summary
    assert "correct" not in result.summary
    assert result.tier == bench.tier
    assert result.first_bad_line is None


MHA = CHALLENGES["mha"]


@pytest.mark.parametrize(
    ("source", "told"), TOLD["first_bad_line"].items(), ids=list(TOLD["first_bad_line"])
)
async def test_the_first_line_that_does_not_follow_is_named(
    bench: Bench, source: str, told: list[str]
) -> None:
    result = await bench.check(ATTN, source)
    shown, words = told
    assert (result.passed, statuses(result)) == (False, shown)
    assert words in said(result)


@pytest.mark.parametrize(("challenge", "source", "matched"), TOLD["known_mistakes"])
async def test_a_known_mistake_gets_its_own_words(
    bench: Bench, challenge: str, source: str, matched: str
) -> None:
    result = await bench.check(CHALLENGES[challenge], source)
    known = next(wrong for wrong in CHALLENGES[challenge].wrong if wrong.id == matched)
    assert (result.outcome, result.matched) == (CheckOutcome.FAILED, matched)
    assert result.lines[0].message == known.says


@pytest.mark.parametrize(("source", "shown", "criteria"), TOLD["right_lines"])
async def test_right_lines_on_the_way_prove_a_criterion_together(
    bench: Bench, source: str, shown: str, criteria: list[str]
) -> None:
    result = await bench.check(MHA, source)
    assert not result.passed
    assert statuses(result) == shown
    assert result.criteria == tuple(criteria)


async def test_a_step_counts_under_whatever_name(bench: Bench) -> None:
    result = await bench.check(ATTN, "A = softmax(Q @ T(K) / sqrt(d), dim=-1)\nout = T(A)")
    assert result.derived == result.lines[0].shows == ("weights",)


async def test_a_pass_says_what_it_did_not_see(bench: Bench) -> None:
    result = await bench.check(ATTN, RIGHT)
    assert set(ATTN.cannot_see) <= set(result.open_points)
    source = "l = Q @ T(K) / sqrt(d)\nout = exp(l) / sum(exp(l), dim=-1, keepdim=True) @ V"
    result = await bench.check(ATTN, source)
    assert result.passed
    assert any("tens of thousands" in point for point in result.open_points)


async def test_a_function_in_another_style_passes(bench: Bench) -> None:
    source = """
def attend(q, k, v):
    print("seen", q.shape)
    rows = [torch.softmax(k @ row / math.sqrt(row.numel()), 0) @ v for row in q]
    return torch.stack(rows)
"""
    result = await bench.check(ATTN, source)
    assert result.passed, result
    assert result.mode == "function"
    assert result.derived == ("out",)
    assert "seen torch.Size" in result.output


@pytest.mark.parametrize(("source", "told"), TOLD["hopeless"].items())
async def test_hostile_and_hopeless_sources_get_a_plain_result(
    bench: Bench, source: str, told: list[str]
) -> None:
    result = await bench.check(ATTN, source)
    outcome, words = told
    assert result.outcome == outcome, result
    assert words in said(result)
    assert (await bench.check(ATTN, RIGHT)).passed


NO_PROPERTIES = ATTN.model_copy(update={"properties": (), "id": "attn-bare"})
END = repr(protocol.pack_record("end"))
ONE = protocol.pack_numbers((), [1.0])
PLACES = ((99, 0, 0), (0, 1000, 0), (0, 0, 9))
FOREIGN = repr(
    protocol.pack_record("value", **ONE, gradients=[ONE] * 9)
    + b"".join(protocol.pack_record("value", *place, **ONE) for place in PLACES)
)
"""Records about what was not asked: another gradient, draw, item and part."""


@pytest.mark.parametrize("challenge", [ATTN, NO_PROPERTIES], ids=["attn", "no properties"])
@pytest.mark.parametrize(
    "body",
    [
        f"os.write(3, {END}); os.write(4, b'F'); os._exit(0)",
        f"os.write(3, {END}); os.write(4, b'F'); return Q[:, :1] * V[:1]",
        f"os.write(3, {END}); raise SystemExit",
        "os.write(3, b'PASS' * 9); os.write(4, b'F'); os._exit(0)",
        f"os.write(3, {FOREIGN}); return Q[:, :1] * V[:1]",
        "os.close(3); os.close(4); return Q[:, :1] * V[:1]",
    ],
)
async def test_whatever_a_child_writes_only_spoils_its_own_check(
    bench: Bench, challenge: Challenge, body: str
) -> None:
    """It can reach its own pipes; a pass takes the right numbers all the same."""
    source = f"import os\ndef f(Q, K, V):\n    {body}"
    assert not (await bench.check(challenge, source)).passed
    assert (await bench.check(ATTN, RIGHT)).passed


async def test_output_is_stripped_of_escapes(bench: Bench) -> None:
    source = r"""
def f(Q, K, V):
    print("\x1b]52;c;ZXZpbA==\x07\x1b[2Jhello\x1b[31m\x9b2J\u202e")
    return Q @ K.T @ V
"""
    assert (await bench.check(ATTN, source)).output == "hello"


async def test_without_an_interpreter_the_bench_says_so() -> None:
    result = await Bench(None).check(ATTN, RIGHT)
    assert (result.outcome, result.summary) == (CheckOutcome.UNAVAILABLE, NO_TORCH)


ESTIMATE = Challenge.model_validate(TOLD["estimate"])


@pytest.mark.parametrize(
    ("challenge", "source", "words"),
    [
        *((ATTN, source, "") for source in TOLD["may_be_claimed"]),
        *((ATTN, *each) for each in TOLD["paper"].items()),
        *((ESTIMATE, *each) for each in TOLD["estimates"].items()),
    ],
)
async def test_what_holds_passes_and_what_does_not_says_why(
    bench: Bench, challenge: Challenge, source: str, words: str
) -> None:
    result = await bench.check(challenge, source)
    assert result.passed is not bool(words), result
    assert words in " ".join(line.message for line in result.lines)


SHAPES = {"X": ["n", "d"], "w": ["d"], "y": ["n"]}
INSTANCES = {"tokens": 300e9, "rate": 32_000.0}
ANSWERS = {
    "C": (["d", "d"], "def f(X):\n    Z = X - X.mean(0)\n    return Z.T @ Z / len(X)"),
    "g": (["d"], "def f(X, w, y):\n    return X.T @ (X @ w - y)"),
    "share": ([], "def f(tokens):\n    return tokens / 4"),
    "slower": ([], "def f(tokens, rate):\n    return tokens / rate / 0.8"),
}


@pytest.mark.parametrize(
    ("example", "answer"),
    zip([*examples("derivation"), *examples("estimation")], ANSWERS, strict=True),
)
async def test_the_examples_of_the_language_hold(
    bench: Bench, example: Example, answer: str
) -> None:
    shape, reference = ANSWERS[answer]
    numeric = not shape
    inputs = {
        name: {"draw": "positive", "instance": INSTANCES[name]}
        if numeric
        else {"shape": SHAPES[name]}
        for name in example.given
        if name != "n"
    }
    like = ESTIMATE.model_dump() | {
        "id": f"like-{answer.lower()}",
        "kind": "estimation" if numeric else "derivation",
        "dims": {} if numeric else {"n": 5, "d": 3},
        "inputs": inputs,
        "answer": [{"name": answer, "shape": shape}],
        "reference": reference,
        "wrong": [],
    }
    result = await bench.check(Challenge.model_validate(like), example.source)
    assert result.passed, result


async def test_a_bare_number_says_that_no_formula_was_shown(bench: Bench) -> None:
    result = await bench.check(ESTIMATE, "total = 112 GB")
    assert any("is untested" in point for point in result.open_points)
    shown = await bench.check(ESTIMATE, "total = 16 * P = 112 GB")
    assert not any("is untested" in point for point in shown.open_points)


@pytest.mark.parametrize(("source", "derived", "figures"), TOLD["formulas"])
async def test_a_formula_and_its_figure_are_two_things(
    bench: Bench, source: str, derived: list[str], figures: list[str]
) -> None:
    result = await bench.check(ESTIMATE, source)
    assert result.passed
    assert (result.derived, result.figures) == (tuple(derived), tuple(figures))
