"""The engine of intervals: silent on what can be, not on a figure moved beyond its slack."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interviewer.grading.claims.circumstances import Circumstance
from interviewer.grading.claims.claim import Claim, Measure, Statement
from interviewer.grading.claims.engine import conflicts, facts_of
from interviewer.grading.claims.hardware import DEVICE, Device, device_of
from interviewer.grading.claims.ledger import contradictions
from interviewer.grading.claims.relations import RELATIONS
from interviewer.grading.claims.run import Run

DEVICES = ("A100", "H100", "H200", "MI300X", "TPU v4", "V100")


def device_named(name: str) -> Device:
    found = DEVICE.fullmatch(name.lower())
    assert found is not None
    return device_of(found)


def run_of(figures: Mapping[Measure, float], device: Device, *circumstances: Circumstance) -> Run:
    """A run of which these figures were stated, as a person rounds them."""
    statements = []
    for place, (measure, value) in enumerate(figures.items()):
        unit = device.name if measure is Measure.GPUS else ""
        claim = Claim(measure.value, measure, value, unit, 1, (place, place + 1))
        named = device if measure is Measure.GPUS else None
        statements.append(Statement(claim, value, value, named))
    return Run(tuple(statements), frozenset(circumstances))


def rounded(value: float) -> float:
    """Whole numbers as they are, others to three digits, as most figures are said."""
    return value if isinstance(value, int) else float(f"{value:.3g}")


def consistent(draw: random.Random) -> tuple[dict[Measure, float], Device]:
    """A pre-training run worked out from its design, without the table of relations."""
    device = device_named(draw.choice(DEVICES))
    width = 128 * draw.randint(6, 96)
    layers = max(8, round(width / draw.uniform(90, 150)))
    heads, vocabulary = width // 128, draw.choice((32_000, 50_257, 64_000, 100_000, 128_256))
    parameters = draw.uniform(11.5, 13) * layers * width**2 + 1.5 * vocabulary * width
    length = draw.choice([each for each in (1024, 2048, 4096, 8192) if each <= 2 * width])
    ranks, micro = 8 * 2 ** draw.randint(0, 7), 2 ** draw.randint(0, 3)
    accumulation, split = 2 ** draw.randint(0, 4), 2 ** draw.randint(0, 3)
    while ranks * split * device.memory < 20 * parameters:
        ranks *= 2
    sequences, gpus = micro * accumulation * ranks, ranks * split
    steps = round(draw.uniform(2e3, 4e5))
    tokens = float(sequences * length * steps)
    mfu = draw.uniform(0.12, 0.62)
    attention = 1 + length / (6 * width) * 0.5
    busy = 6 * parameters * attention * tokens / (gpus * device.flops * mfu)
    duration = busy * draw.uniform(1.0, 1.3)
    kv_heads = heads // draw.choice((1, 1, 2, 4)) or 1
    loss = draw.uniform(1.6, 3.4)
    figures = {
        Measure.PARAMETERS: parameters,
        Measure.LAYERS: layers,
        Measure.WIDTH: width,
        Measure.HEADS: heads,
        Measure.KV_HEADS: kv_heads,
        Measure.HEAD_WIDTH: 128,
        Measure.VOCABULARY: vocabulary,
        Measure.TOKENS: tokens,
        Measure.STEPS: steps,
        Measure.BATCH_SEQUENCES: sequences,
        Measure.BATCH_TOKENS: sequences * length,
        Measure.SEQUENCE_LENGTH: length,
        Measure.MICRO_BATCH: micro,
        Measure.ACCUMULATION: accumulation,
        Measure.DATA_PARALLEL: ranks,
        Measure.TENSOR_PARALLEL: split,
        Measure.GPUS: gpus,
        Measure.MFU: mfu,
        Measure.DURATION: duration,
        Measure.STEP_TIME: busy / steps,
        Measure.THROUGHPUT: tokens / busy,
        Measure.DEVICE_THROUGHPUT: tokens / busy / gpus,
        Measure.DEVICE_TIME: gpus * duration,
        Measure.RUN_FLOPS: 6 * parameters * tokens,
        Measure.DEVICE_FLOPS: mfu * device.flops,
        Measure.WEIGHT_TOTAL: 2 * parameters,
        Measure.TOKEN_CACHE: 2 * layers * kv_heads * 128 * 2,
        Measure.DATASET_TOKENS: tokens / (epochs := draw.choice((1, 1, 2, 4))),
        Measure.EPOCHS: epochs,
        Measure.DATA_SIZE: tokens / epochs * draw.uniform(3.2, 4.8),
        Measure.TOKENISED_SIZE: tokens / epochs * draw.choice((2, 4)),
        Measure.LOSS: loss,
        Measure.PERPLEXITY: math.exp(loss),
        Measure.FIRST_LOSS: math.log(vocabulary) * draw.uniform(0.99, 1.08),
    }
    return {measure: rounded(value) for measure, value in figures.items()}, device


def some(figures: dict[Measure, float], draw: random.Random) -> dict[Measure, float]:
    """As many of them as are told in an interview."""
    told = draw.sample(sorted(figures), k=draw.randint(3, 14))
    if Measure.MICRO_BATCH in told or Measure.DATA_PARALLEL in told:
        told.append(Measure.TENSOR_PARALLEL)  # how the model is split is said with them
    return {measure: figures[measure] for measure in dict.fromkeys(told)}


@settings(max_examples=120)
@given(st.integers(0, 2**32))
def test_a_run_that_can_be_raises_no_alarm(seed: int) -> None:
    draw = random.Random(seed)
    figures, device = consistent(draw)
    told = run_of(some(figures, draw), device)
    assert [each.sentence for each in contradictions(told)] == []


@settings(max_examples=50)
@given(st.integers(0, 2**32))
def test_what_follows_holds_the_truth(seed: int) -> None:
    """Every interval that was derived contains the value that was left unsaid."""
    draw = random.Random(seed)
    figures, device = consistent(draw)
    facts = facts_of(run_of(some(figures, draw), device))
    outside = [
        (fact.measure, fact.relation.name if fact.relation else "", fact.low, fact.high, value)
        for measure, value in figures.items()
        for fact in facts.get(measure, ())
        if not fact.low * 0.9 <= value <= fact.high * 1.1
    ]
    assert outside == []


def moved(figures: dict[Measure, float], device: Device, draw: random.Random) -> Run | None:
    """The run with one figure twice as far off as its slack allows; None if nothing binds any."""
    for measure in draw.sample(sorted(figures), k=len(figures)):
        others = {each: value for each, value in figures.items() if each is not measure}
        facts = [f for f in facts_of(run_of(others, device)).get(measure, ()) if f.relation]
        low = max((fact.low for fact in facts), default=0.0)
        high = min((fact.high for fact in facts), default=math.inf)
        value = figures[measure]
        far = [value * (1.1 * high / value) ** 2] if high < math.inf else []
        far += [value * (0.9 * low / value) ** 2] if low > 0 else []
        if measure not in _WHOLE and far:
            return run_of({**figures, measure: draw.choice(far)}, device)
    return None


_WHOLE = {Measure.TENSOR_PARALLEL, Measure.DEVICE_TIME}
"""They are not only compared: once said, they change what other figures may leave open."""


def test_a_figure_moved_by_twice_its_slack_is_found() -> None:
    draw = random.Random(12)
    found = tried = 0
    while tried < 80:
        figures, device = consistent(draw)
        run = moved(some(figures, draw), device, draw)
        if run is not None:
            tried += 1
            found += bool(conflicts(run))
    assert found >= 0.95 * tried


def test_a_conflict_names_no_more_claims_than_it_needs() -> None:
    told = {
        Measure.PARAMETERS: 7e9,
        Measure.BATCH_TOKENS: 4e6,
        Measure.STEPS: 1e5,
        Measure.TOKENS: 4e12,
        Measure.LAYERS: 32,
        Measure.WIDTH: 4096,
    }
    [conflict] = conflicts(run_of(told, device_named("A100")))
    measures = [claim.measure for claim in conflict.claims]
    assert sorted(measures) == [Measure.BATCH_TOKENS, Measure.STEPS, Measure.TOKENS]


def test_a_chain_of_relations_is_followed() -> None:
    """Micro-batch × accumulation × ranks × length × steps, against the days and the peak."""
    told = {
        Measure.PARAMETERS: 70e9,
        Measure.MICRO_BATCH: 4,
        Measure.ACCUMULATION: 8,
        Measure.DATA_PARALLEL: 64,
        Measure.TENSOR_PARALLEL: 1,
        Measure.SEQUENCE_LENGTH: 4096,
        Measure.STEPS: 100_000,
        Measure.GPUS: 64,
        Measure.DURATION: 10 * 86400.0,
    }
    [contradiction] = contradictions(run_of(told, device_named("A100")))
    assert {"sequences of a batch", "tokens of a batch", "FLOPs of a run"} <= set(
        contradiction.relations
    )
    assert contradiction.sentence.count(";") <= 3


M, C = Measure, Circumstance


@pytest.mark.parametrize(
    ("figures", "moved", "circumstances"),
    [
        ({M.EXPERTS: 8, M.EXPERT_PARAMETERS: 5e9, M.PARAMETERS: 42e9}, {M.PARAMETERS: 20e9}, ()),
        (
            {M.ACTIVE_EXPERTS: 2, M.EXPERT_PARAMETERS: 5e9, M.ACTIVE_PARAMETERS: 12e9},
            {M.ACTIVE_PARAMETERS: 4e9},
            (),
        ),
        (
            {M.TOKEN_CACHE: 98e3, M.CACHED_TOKENS: 1e6, M.CACHE_MEMORY: 98e9},
            {M.CACHE_MEMORY: 20e9},
            (),
        ),
        ({M.PROMPTS: 64, M.STEPS: 200, M.RUN_PROMPTS: 12_800}, {M.RUN_PROMPTS: 51_200}, ()),
        (
            {M.ROLLOUTS: 512, M.GROUP_SIZE: 8, M.STEPS: 200, M.RUN_PROMPTS: 12_800},
            {M.RUN_PROMPTS: 51_200},
            (),
        ),
        ({M.PCIE: 4, M.HOST_BYTES: 52e9, M.HOST_TIME: 2.4}, {M.HOST_TIME: 0.3}, ()),
        ({M.ID_BYTES: 2, M.VOCABULARY: 50_257}, {M.VOCABULARY: 128_000}, ()),
        (
            {M.ID_BYTES: 4, M.DATASET_TOKENS: 3e11, M.TOKENISED_SIZE: 1.2e12},
            {M.TOKENISED_SIZE: 0.6e12},
            (),
        ),
        (
            {M.REFERENCE_SHARE: 0.05, M.POLICY_SHARE: 0.7, M.SEQUENCE_KL: 12.0},
            {M.SEQUENCE_KL: 0.01},
            (),
        ),
        ({M.LABEL_NOISE: 0.25, M.ACCURACY: 0.74}, {M.ACCURACY: 0.94}, ()),
        (
            {M.NODE_PRICE: 20 / 3600, M.NODE_GPUS: 8, M.PRICE: 2.5 / 3600},
            {M.PRICE: 20 / 3600},
            (),
        ),
        (
            {M.NODE_THROUGHPUT: 30e3, M.NODES: 4, M.THROUGHPUT: 118e3},
            {M.THROUGHPUT: 30e3},
            (),
        ),
        (
            {M.VOCABULARY: 256_000, M.WIDTH: 8192, M.PARAMETERS: 6e9},
            {M.PARAMETERS: 2e9},
            (C.UNTIED,),
        ),
        ({M.KL: 0.3}, {M.KL: -0.3}, (C.EXACT_KL,)),
        ({M.LAYERS: 80, M.PIPELINE_STAGES: 10}, {M.PIPELINE_STAGES: 12}, (C.EVEN_STAGES,)),
        ({M.LABEL_AGREEMENT: 0.8, M.KAPPA: 0.6}, {M.KAPPA: 0.95}, ()),
        (
            {M.MICRO_BATCH: 4, M.HEADS: 32, M.SEQUENCE_LENGTH: 8192, M.LAYER_SCORE_MEMORY: 17e9},
            {M.LAYER_SCORE_MEMORY: 5e8},
            (),
        ),
        (
            {M.MICRO_BATCH: 1, M.SEQUENCE_LENGTH: 2048, M.VOCABULARY: 152_000, M.LOGIT_BYTES: 4}
            | {M.USED_MEMORY: 11e9},
            {M.MICRO_BATCH: 16},
            (),
        ),
        (
            {M.GPUS: 256, M.TENSOR_PARALLEL: 8, M.PIPELINE_STAGES: 4, M.MICRO_BATCH: 1}
            | {M.MICRO_BATCHES: 16, M.BATCH_SEQUENCES: 128},
            {M.BATCH_SEQUENCES: 2048},
            (),
        ),
        (
            {M.GPUS: 16, M.MICRO_BATCH: 4, M.BATCH_SEQUENCES: 64},
            {M.BATCH_SEQUENCES: 512},
            (C.UNACCUMULATED,),
        ),
        (
            {M.PARAMETERS: 7e9, M.GPUS: 64, M.DEVICE_THROUGHPUT: 8600, M.MFU: 0.28},
            {M.DEVICE_THROUGHPUT: 20_000},
            (),
        ),
        (
            {M.PARAMETERS: 30e9, M.GPUS: 64, M.USED_MEMORY: 150e9},
            {M.USED_MEMORY: 71e9},
            (C.ZERO_1,),
        ),
        (
            {M.LAYERS: 32, M.HEADS: 32, M.SEQUENCE_LENGTH: 8192, M.MICRO_BATCH: 1}
            | {M.USED_MEMORY: 170e9},
            {M.USED_MEMORY: 46e9},
            (C.PLAIN_ATTENTION,),
        ),
    ],
    ids=lambda value: ",".join(value) if isinstance(value, dict) else "",
)
def test_one_figure_too_far_is_found(
    figures: dict[Measure, float],
    moved: dict[Measure, float],
    circumstances: tuple[Circumstance, ...],
) -> None:
    device = device_named("MI300X")
    assert not conflicts(run_of(figures, device, *circumstances))
    [conflict] = conflicts(run_of(figures | moved, device, *circumstances))
    assert {claim.measure for claim in conflict.claims} >= set(moved)


def test_an_estimate_of_the_kl_may_be_negative() -> None:
    assert not conflicts(run_of({M.KL: -0.3}, device_named("A100")))


@pytest.mark.parametrize("relation", RELATIONS, ids=lambda relation: relation.name)
def test_a_relation_says_where_it_comes_from(relation: object) -> None:
    assert getattr(relation, "source", "")


def test_names_tell_relations_apart() -> None:
    names = [relation.name for relation in RELATIONS]
    assert len(set(names)) == len(names)
