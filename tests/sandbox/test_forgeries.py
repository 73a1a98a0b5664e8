"""Functions that want a pass without an answer. The ordinary suite tries some, .ci/run them all."""

from __future__ import annotations

import pytest
from evals.bench.derivations import Derivation, right
from sandbox.hostile.forgeries import Forgery, forgeries
from support.shipped import shipped_catalogue

from interviewer.sandbox import jobs
from interviewer.sandbox.bench import Bench
from interviewer.sandbox.comparison import Expected
from interviewer.sandbox.result import CheckOutcome, CheckResult

pytestmark = pytest.mark.asyncio(loop_scope="session")

CHALLENGES = {name: entry.model for name, entry in shipped_catalogue().entries.items()}
ATTENTION = """
def f(Q, K, V):
    return torch.softmax(Q @ K.T / math.sqrt(K.shape[1]), -1) @ V
"""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "forgery" in metafunc.fixturenames:
        whole = metafunc.config.getoption("whole_library")
        chosen = [each for each in forgeries() if whole or each.core]
        metafunc.parametrize("forgery", chosen, ids=lambda each: each.id)
    if "honest" in metafunc.fixturenames:
        functions = [each for each in right() if each.is_function]
        some = functions if metafunc.config.getoption("whole_library") else functions[::12]
        metafunc.parametrize("honest", some, ids=lambda each: each.id)


@pytest.mark.shipped
async def test_no_verdict_is_forged(bench: Bench, forgery: Forgery) -> None:
    result = await bench.check(CHALLENGES[forgery.challenge], forgery.source)
    assert result.outcome in (CheckOutcome.FAILED, CheckOutcome.STOPPED), result
    assert said(result)


@pytest.mark.shipped
async def test_honest_work_is_not_refused(bench: Bench, honest: Derivation) -> None:
    result = await bench.check(CHALLENGES[honest.challenge], honest.source)
    assert result.passed, said(result)


async def test_honest_work_passes_after_them(bench: Bench) -> None:
    assert (await bench.check(CHALLENGES["attn"], ATTENTION)).passed


async def test_every_run_has_draws_of_its_own(fresh_bench: Bench) -> None:
    source = "import torch\ndef f(Q, K, V):\n    print(Q.flatten()[:3].tolist())\n    return V"
    first, second = [await fresh_bench.check(CHALLENGES["attn"], source) for _ in range(2)]
    assert first.output
    assert first.output != second.output


async def test_a_table_of_the_last_run_s_answers_is_worth_nothing(fresh_bench: Bench) -> None:
    """Answers to numbers that were seen do not fit the next ones; on the same draws they would."""
    challenge = CHALLENGES["temp"].model_copy(update={"properties": (), "id": "temp-bare"})
    known = await fresh_bench.expected(challenge)
    source = table(known)
    assert (await fresh_bench.check(challenge, source, known=known)).passed
    assert not (await fresh_bench.check(challenge, source)).passed


def table(known: Expected) -> str:
    """A function that says the known answers one after the other; autograd gets what it asks."""
    answers = [known.readings.values[number, 0, 0] for number in range(len(known.draws))]
    values = [(each.itself.shape, list(each.itself.entries)) for each in answers]
    slopes = [list(each.gradients[0].entries) if each.gradients else [] for each in answers]
    seeds = [jobs.described_draw(each, known.challenge)["seed"] for each in known.draws]
    return f"""
import sys
VALUES, SLOPES, SEEDS = {values}, {slopes}, {seeds}
calls = []
def f(z, t):
    shape, entries = VALUES[len(calls)]
    slope, seed = SLOPES[len(calls)], SEEDS[len(calls)]
    calls.append(1)
    said = torch.tensor(entries).reshape(shape)
    if not slope:
        return said
    weights = sys.modules["worker.job"].projection(said.shape, seed)
    along = torch.tensor(slope).reshape(z.shape) * (z - z.detach())
    return said + along.sum() * weights / weights.square().sum()
"""


@pytest.mark.parametrize(
    ("challenge", "source", "name"),
    [
        ("attn", "def f(Q, K, V):\n    K -= K.mean(0)" + ATTENTION.split(":", 1)[1], "K"),
        (
            "lora",
            "def f(x, W, A, B, alpha):\n    W += alpha / A.shape[0] * (B @ A)\n    return x @ W.T",
            "W",
        ),
    ],
)
async def test_changing_an_input_in_place_is_told(
    bench: Bench, challenge: str, source: str, name: str
) -> None:
    result = await bench.check(CHALLENGES[challenge], source)
    assert result.outcome is CheckOutcome.FAILED
    assert f"changes {name} in place" in said(result)


async def test_a_forbidden_function_is_named_even_if_its_refusal_is_caught(bench: Bench) -> None:
    source = (
        "def f(Q, K, V):\n    try:\n        return getattr(F, 'scaled_dot_' + 'product_attention')"
        "(Q, K, V)\n    except RuntimeError:\n        pass" + ATTENTION.split(":", 1)[1]
    )
    result = await bench.check(CHALLENGES["attn"], source)
    assert result.outcome is CheckOutcome.FAILED
    assert said(result) == (
        "scaled_dot_product_attention may not be used here; build the answer from elementary "
        "operations (arithmetic, exp, sum, where, matmul, indexing) and softmax."
    )


def said(result: CheckResult) -> str:
    return " ".join(line.message for line in result.lines)
