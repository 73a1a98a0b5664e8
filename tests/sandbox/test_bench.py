"""The bench through its public face: sources in, results out, by a real confined worker."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.shipped import shipped_catalogue

from interviewer.sandbox.bench import NO_BENCH, Bench
from interviewer.sandbox.challenge import Challenge
from interviewer.sandbox.language.functions import Example, examples
from interviewer.sandbox.result import CheckResult, LineStatus, Outcome
from interviewer.sandbox.worker import protocol

pytestmark = pytest.mark.asyncio(loop_scope="session")

CHALLENGES = {name: entry.model for name, entry in shipped_catalogue().entries.items()}
ATTN = CHALLENGES["attn"]
RIGHT = """\
logits = Q @ T(K) / sqrt(d)
weights = softmax(logits, dim=-1) = exp(logits) / sum(exp(logits), dim=-1, keepdim=True)
out = weights @ V
"""


def statuses(result: CheckResult) -> list[str]:
    return [line.status.value for line in result.lines]


async def test_a_derivation_that_holds(bench: Bench) -> None:
    result = await bench.check(ATTN, RIGHT)
    assert result.outcome is Outcome.PASSED
    assert statuses(result) == ["holds", "holds", "holds"]
    assert set(result.derived) == {"weights", "out"}
    assert "holds numerically" in result.summary
    assert "correct" not in result.summary
    assert result.tier == bench.tier
    assert result.first_bad_line is None


async def test_the_first_line_that_does_not_follow_is_named(bench: Bench) -> None:
    source = RIGHT.replace("sum(exp(logits), dim=-1", "sum(exp(logits), dim=0")
    result = await bench.check(ATTN, source)
    assert result.outcome is Outcome.FAILED
    assert result.first_bad_line == 2
    assert statuses(result) == ["holds", "fails", "not judged"]


async def test_a_wrong_middle_under_a_right_end_is_seen(bench: Bench) -> None:
    source = (
        "weights = softmax(Q @ T(K) / sqrt(d), dim=-1)\nout = V[0] + 0 * Q @ T(K) @ V = weights @ V"
    )
    assert (await bench.check(ATTN, source)).first_bad_line == 2


async def test_a_known_mistake_gets_its_own_words(bench: Bench) -> None:
    result = await bench.check(ATTN, "out = softmax(Q @ T(K), dim=-1) @ V")
    assert result.matched == "no-scale"
    known = next(wrong for wrong in ATTN.wrong if wrong.id == "no-scale")
    assert result.lines[0].message == known.says


async def test_a_mistake_in_a_step_is_told_at_the_step(bench: Bench) -> None:
    source = "weights = softmax(Q @ T(K) / sqrt(d), dim=0)\nout = weights @ V"
    result = await bench.check(ATTN, source)
    assert (result.first_bad_line, result.matched) == (1, "softmax-over-queries")


async def test_shapes_are_told_by_the_names_of_their_axes(bench: Bench) -> None:
    result = await bench.check(ATTN, "out = Q @ K")
    assert result.lines[0].status is LineStatus.ERROR
    assert "[n, d]" in result.lines[0].message
    assert "[m, d]" in result.lines[0].message


async def test_a_gradient_that_is_wrong_under_a_right_value(bench: Bench) -> None:
    source = "out = softmax(detach(Q) @ T(K) / sqrt(d), dim=-1) @ V"
    result = await bench.check(ATTN, source)
    assert result.first_bad_line == 1
    assert "gradient with respect to Q" in result.lines[0].message


async def test_what_is_not_there_yet_is_open_and_no_failure(bench: Bench) -> None:
    result = await bench.check(ATTN, "weights = softmax(Q @ T(K) / sqrt(d), dim=-1)")
    assert result.outcome is Outcome.INCOMPLETE
    assert "out" in result.summary
    assert result.derived == ("weights",)


MHA = CHALLENGES["mha"]
QKV = "q = x @ Wq\nk = x @ Wk\nv = x @ Wv\n"


async def test_right_lines_before_a_wrong_end_are_named_and_count(bench: Bench) -> None:
    result = await bench.check(MHA, QKV + "out = softmax(q @ k.T / sqrt(D), dim=-1) @ v @ Wo")
    assert result.outcome is Outcome.FAILED
    assert statuses(result) == ["holds", "holds", "holds", "fails"]
    assert "3 of 4 lines are right: q, k and v." in result.summary
    assert result.criteria == ("projections",)
    assert [line.proves for line in result.lines] == [("projections",)] * 3 + [()]


async def test_a_criterion_needs_all_of_its_landmarks(bench: Bench) -> None:
    wrong = QKV.replace("x @ Wv", "x @ Wk")
    result = await bench.check(MHA, wrong + "out = v @ Wo")
    assert statuses(result) == ["holds", "holds", "defined", "fails"]
    assert "2 of 4 lines are right: q and k." in result.summary
    assert result.criteria == ()


@pytest.mark.parametrize(
    "form", ["reshape(x @ {0}, n, h, dh)", "transpose(reshape(x @ {0}, n, h, dh), 0, 1)"]
)
async def test_a_landmark_is_known_in_each_of_its_forms(bench: Bench, form: str) -> None:
    source = "\n".join(f"{W[1]}h = {form.format(W)}" for W in ("Wq", "Wk", "Wv"))
    result = await bench.check(MHA, source)
    assert result.outcome is Outcome.INCOMPLETE
    assert result.criteria == ("projections",)
    assert "3 of 3 lines are right: qh, kh and vh." in result.summary


async def test_a_step_counts_under_whatever_name(bench: Bench) -> None:
    result = await bench.check(ATTN, "A = softmax(Q @ T(K) / sqrt(d), dim=-1)\nout = T(A)")
    assert result.derived == ("weights",)
    assert result.lines[0].shows == ("weights",)
    assert "1 of 2 lines is right: A." in result.summary


async def test_right_lines_are_named_where_a_later_one_cannot_be_read(bench: Bench) -> None:
    result = await bench.check(MHA, QKV + "out = (")
    assert result.summary == "Line 4 could not be read. 3 of 4 lines are right: q, k and v."
    assert result.criteria == ("projections",)


async def test_nothing_typed_is_nothing_to_check(bench: Bench) -> None:
    assert (await bench.check(ATTN, "\n# only a thought\n")).outcome is Outcome.INCOMPLETE


async def test_an_earlier_false_line_comes_before_a_later_unreadable_one(bench: Bench) -> None:
    result = await bench.check(ATTN, "out = Q @ T(K) @ V\nz = softmax(")
    assert result.first_bad_line == 1
    assert statuses(result) == ["fails", "not judged"]
    result = await bench.check(ATTN, "w = softmax(Q @ T(K), dim=-1)\nz = softmax(\nout = w @ V")
    assert result.first_bad_line == 2
    assert statuses(result) == ["defined", "error", "not judged"]


async def test_a_pass_says_what_it_did_not_see(bench: Bench) -> None:
    result = await bench.check(ATTN, "unused = Q * 2\n" + RIGHT)
    assert any("unused" in point for point in result.open_points)
    assert set(ATTN.cannot_see) <= set(result.open_points)


async def test_unstable_lines_pass_with_an_open_point(bench: Bench) -> None:
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


async def test_a_function_fails_with_the_words_for_its_mistake(bench: Bench) -> None:
    result = await bench.check(ATTN, "def f(Q, K, V):\n    return torch.softmax(Q @ K.T, -1) @ V")
    assert (result.outcome, result.matched) == (Outcome.FAILED, "no-scale")


@pytest.mark.parametrize(
    ("source", "outcome", "words"),
    [
        ("def f(Q, K, V):\n    while True: pass", Outcome.STOPPED, "time limit"),
        ("def f(Q, K, V):\n    while True: print('x' * 9999)", Outcome.STOPPED, "printed"),
        ("def f(Q, K, V):\n    return f(Q, K, V)", Outcome.FAILED, "RecursionError"),
        ("def f(Q, K, V):\n    return 10 ** 400 * 1.0", Outcome.FAILED, "OverflowError"),
        ("def f(Q, K, V):\n    return torch.zeros(10 ** 12)", Outcome.FAILED, "memory"),
        ("def f(Q, K, V):\n    import os; os._exit(0)", Outcome.STOPPED, "before"),
        ("def f(Q, K, V):\n    pass", Outcome.FAILED, "return missing"),
        ("def f(Q, K, V):\n    raise SystemExit", Outcome.FAILED, "SystemExit"),
        ("def f(Q, K, V):\n    return open('/etc/passwd').read()", Outcome.FAILED, "Permission"),
        ("def f(Q, K):\n    return Q", Outcome.FAILED, "3 arguments"),
        ("out = eye(10 ** 9)", Outcome.FAILED, "cannot be evaluated"),
        ("out = 9 ** 9 ** 9 ** 9", Outcome.FAILED, "cannot be evaluated"),
    ],
)
async def test_hostile_and_hopeless_sources_get_a_plain_result(
    bench: Bench, source: str, outcome: Outcome, words: str
) -> None:
    result = await bench.check(ATTN, source)
    assert result.outcome is outcome, result
    assert words in " ".join((result.summary, *(line.message for line in result.lines)))
    assert (await bench.check(ATTN, RIGHT)).passed


NO_PROPERTIES = ATTN.model_copy(update={"properties": (), "id": "attn-bare"})
END = repr(protocol.pack_record("end"))


@pytest.mark.parametrize("challenge", [ATTN, NO_PROPERTIES], ids=["attn", "no properties"])
@pytest.mark.parametrize(
    "body",
    [
        f"os.write(3, {END}); os.write(4, b'F'); os._exit(0)",
        f"os.write(3, {END}); os.write(4, b'F'); return Q[:, :1] * V[:1]",
        f"os.write(3, {END}); raise SystemExit",
        "os.write(3, b'PASS' * 9); os.write(4, b'F'); os._exit(0)",
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


def workers() -> list[int]:
    """Worker processes that this process has started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if int(parent) == os.getpid() and b"worker/start.py" in command:
            found.append(int(folder.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to find the worker")
async def test_a_worker_killed_from_outside_is_told_and_replaced(tmp_path: Path) -> None:
    before = set(workers())
    own = Bench(Path(sys.executable), cache=tmp_path)
    try:
        assert (await own.check(ATTN, RIGHT)).passed
        slow = asyncio.create_task(
            own.check(ATTN, "def f(Q, K, V):\n    import time; time.sleep(4)\n    return Q")
        )
        await asyncio.sleep(0.5)
        (started,) = set(workers()) - before
        os.kill(started, signal.SIGKILL)
        result = await slow
        assert result.outcome is Outcome.STOPPED
        assert "The check worker died" in result.summary
        assert (await own.check(ATTN, RIGHT)).passed
    finally:
        await own.aclose()


async def test_without_an_interpreter_the_bench_says_so() -> None:
    result = await Bench(None).check(ATTN, RIGHT)
    assert (result.outcome, result.summary) == (Outcome.UNAVAILABLE, NO_BENCH)


@settings(max_examples=25)
@given(source=st.text(max_size=200))
async def test_any_text_gets_a_result(bench: Bench, source: str) -> None:
    result = await bench.check(ATTN, source)
    assert result.summary


ESTIMATE = Challenge.model_validate(
    {
        "id": "state-bytes",
        "version": 1,
        "title": "Bytes of the training state",
        "kind": "estimation",
        "task": "How many bytes for P parameters?",
        "inputs": {"P": {"draw": "uniform", "low": 1e9, "high": 9e9, "instance": 7e9}},
        "answer": [{"name": "total", "unit": "bytes"}],
        "reference": "def total(P):\n    return 16 * P",
        "wrong": [
            {
                "id": "no-master",
                "label": "the master copy is missing",
                "says": "Which copy is kept in full precision?",
                "code": "def total(P):\n    return 12 * P",
            }
        ],
        "solution": "Sixteen bytes a parameter.",
    }
)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("out = softmax(Q Kᵀ / √d, dim=-1) V", ""),
        ("two = 2 Q\nout = softmax(two K.T / (2 sqrt(d)), dim=-1) V", ""),
        ("out = Q K V", "[n, d] @ [m, d]"),
        ("out = Q Q", "for an elementwise product, write *"),
        ("out = Q[0] Q[1]", "which product of [d] and [d]? Write * for elementwise, or dot"),
        ("out = K T(Q) * V", "[m, n] * [m, v]"),
        ("out = V * ones(v, n)", "the product of matrices is @"),
    ],
)
async def test_values_side_by_side_multiply_as_on_paper(
    bench: Bench, source: str, words: str
) -> None:
    result = await bench.check(ATTN, source)
    if words:
        assert words in result.lines[0].message
    else:
        assert result.passed, result


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("total = 16 * P = 112 GB", ""),
        ("total = 112 GB", ""),
        ("total = 2 * P + 2 * P + 12 * P = 1.1e11 bytes", ""),
        ("total = 12 * P", "full precision"),
        ("total = 84 GB", "full precision"),
        ("total = 16 * P = 112", "10^9"),
        ("total = 1.12 TB", "factor of 10^1"),
        ("total = 112 GiB", "GiB"),
        ("total = 112 Gbit", "bits or bytes"),
        ("total = 112 days", "give the answer in bytes"),
        ("total = 16P = 14P + 14 GB", ""),
        ("total = 98 GB + 28 / 4 GB", "for 28/4 GB, leave out the spaces"),
        ("total = 16 * P = 130 GB", "not the part before"),
    ],
)
async def test_estimates_with_units_and_powers(bench: Bench, source: str, words: str) -> None:
    result = await bench.check(ESTIMATE, source)
    if words:
        assert result.outcome is Outcome.FAILED, result
        assert words in result.lines[0].message
    else:
        assert result.passed, result


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


@pytest.mark.parametrize(
    ("source", "derived", "figures"),
    [
        ("total = 112 GB", (), ("total",)),
        ("total = 16 * 7e9", (), ("total",)),
        ("total = 16 * P", ("total",), ()),
        ("total = 16 * P = 112 GB", ("total",), ("total",)),
        ("total = 16 * P\n= 112 GB", ("total",), ("total",)),
        ("def f(P):\n    return 16 * P", ("total",), ()),
    ],
)
async def test_a_formula_and_its_figure_are_two_things(
    bench: Bench, source: str, derived: tuple[str, ...], figures: tuple[str, ...]
) -> None:
    result = await bench.check(ESTIMATE, source)
    assert result.passed
    assert (result.derived, result.figures) == (derived, figures)


async def test_a_name_used_twice_is_told_what_it_claims(bench: Bench) -> None:
    source = "S = Q @ T(K)\nS = S / sqrt(d)\nout = softmax(S, dim=-1) @ V"
    result = await bench.check(ATTN, source)
    assert result.first_bad_line == 2
    assert "needs its own name" in result.lines[1].message


async def test_a_number_may_be_claimed_of_every_entry(bench: Bench) -> None:
    source = (
        "weights = softmax(Q @ T(K) / sqrt(d), dim=-1)\nsum(weights, dim=-1) = 1\nout = weights @ V"
    )
    assert (await bench.check(ATTN, source)).passed
    assert (await bench.check(ATTN, source.replace("= 1", "= 2"))).first_bad_line == 2
    assert (await bench.check(ATTN, source.replace("= 1", "= Q[0, 0]"))).first_bad_line == 2


async def test_e_may_be_an_own_name_and_stays_the_number_elsewhere(bench: Bench) -> None:
    source = (
        "e = exp(Q @ T(K) / sqrt(d))\nout = e @ V / sum(e, dim=-1, keepdim=True)\nmath.e = exp(1)"
    )
    assert (await bench.check(ATTN, source)).passed
    assert (await bench.check(ATTN, "e = exp(1)\n" + RIGHT)).passed


async def test_a_mistake_that_shows_in_a_step_alone(bench: Bench) -> None:
    source = "reward_w = beta * (lp_w - ref_w)"
    result = await bench.check(CHALLENGES["dpo"], source)
    assert (result.first_bad_line, result.matched) == (1, "no-normaliser")


async def test_an_error_is_told_at_the_line_where_it_came_up(bench: Bench) -> None:
    source = "def f(Q, K, V):\n    w = Q @ K.T\n    return w @ Q @ V.T"
    result = await bench.check(ATTN, source)
    assert (result.first_bad_line, result.lines[0].status) == (3, LineStatus.ERROR)
    assert "RuntimeError" in result.lines[0].message
