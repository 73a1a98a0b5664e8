"""What follows from the figures of one run, which cannot all be true, and how it is said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.stated import DAY, HOUR, stated
from support.tables import table

from interviewer.grading.claims import catalog, engine
from interviewer.grading.claims.quantity import Quantity, amount, how_do_they_fit

Figures = tuple[Quantity, ...]


def read_off(row: dict[str, Any]) -> tuple[Figures, str]:
    """The figures of a row, each a measure, a value and perhaps unit and device; what is said."""
    said = [[*each, "", ""][:4] for each in row["of"]]
    figures = (stated(name, value, unit=unit, device=device) for name, value, unit, device in said)
    return tuple(figures), row["says"]


CLASHING = [read_off(row) for row in table("cases", __file__)["claims_engine"]["clashing"]]
DENSE = CLASHING[0][0]


def figures(**values: float) -> Figures:
    return tuple(stated(measure, value) for measure, value in values.items())


def sentences(said: Figures, *circumstances: str) -> list[str]:
    return [c.sentence for c in engine.contradictions(said, frozenset(circumstances))]


def loose(said: Figures) -> Figures:
    return tuple(replace(each, loose=True) for each in said)


@pytest.mark.parametrize(("said", "sentence"), CLASHING, ids=[c[1][:40] for c in CLASHING])
def test_what_cannot_be_true_together_is_said_as_a_sum(said: Figures, sentence: str) -> None:
    (found,) = engine.contradictions(said)
    assert found.sentence == sentence
    assert found.places == {each.place for each in said}
    assert found.low < found.high


@pytest.mark.parametrize(
    ("said", "circumstance"),
    [
        (DENSE, "staged"),
        (DENSE, "partial"),
        (CLASHING[1][0], "ramped"),
        (figures(data_parallel=2, tensor_parallel=2, pipeline_stages=2, gpus=64), "split"),
        (figures(checkpoint_size=1e12, storage_rate=1e9, checkpoint_time=5), "overlapped"),
    ],
)
def test_a_circumstance_excuses(said: Figures, circumstance: str) -> None:
    assert sentences(said)
    assert sentences(said, circumstance) == []


BATCH = figures(batch_sequences=1024, sequence_length=4096, batch_tokens=33.5e6, data_parallel=8)


@pytest.mark.parametrize(
    "said",
    [
        (*figures(mfu=0.4, peak=125e12), stated("device_flops", 125e12)),
        figures(throughput=3000, gpus=64, device_throughput=3000),
        BATCH,
        figures(gpus=8, nodes=8, node_gpus=8),
        figures(cost=8000, device_time=500 * HOUR, price=2 / HOUR, node_gpus=8),
    ],
    ids=["peak or achieved", "device or all", "rank or all", "node or all", "dollars a node"],
)
def test_what_rules_read_may_mean_one_or_all(said: Figures) -> None:
    assert sentences(loose(said)) == []


def test_a_model_says_itself_whether_a_figure_is_of_one_or_of_all() -> None:
    assert sentences(BATCH)


@pytest.mark.parametrize(
    "said",
    [
        (*DENSE[:3], stated("duration", 10 * DAY)),
        (*DENSE, stated("duration", 20 * DAY)),  # two runs
        figures(batch_sequences=1024, sequence_length=4096, batch_tokens=4e6),  # rounded
        figures(parameters=7e9, weight_bytes=2, weight_total=13 * 2**30),  # binary
        figures(parameters=7e9, weight_bytes=2, weight_total=14e9),  # decimal
        figures(mfu=0.4, hfu=0.53),
        figures(before=0.42, after=0.61, change=0.45),
        figures(part=1, whole=3, share=0.33),
        (stated("portion", 0.6), stated("portion", 0.4)),
        figures(loss=2.0, perplexity=7.4),
        figures(duration=0, gpus=0, parameters=0, tokens=0),
        (),
    ],
)
def test_a_true_statement_is_never_accused(said: Figures) -> None:
    assert sentences(said) == []
    assert sentences(loose(said)) == []


def test_without_accumulation_a_batch_is_one_pass() -> None:
    said = figures(micro_batch=2, gpus=32, batch_sequences=512)
    assert sentences(said) == []
    assert sentences(said, "unaccumulated") == [
        "2 sequences a micro-batch on each of 32 GPUs is at most 64 sequences a step; "
        "you said 512 sequences a step."
    ]


def test_of_several_values_each_is_possible() -> None:
    """A ramp, or two runs: only what fits none of them is an objection."""
    few = (*DENSE[:2], stated("gpus", 64, device="H100"), DENSE[3])
    assert sentences((*few, stated("gpus", 256, device="H100"))) == []
    assert sentences((*few, stated("gpus", 32, device="H100"))) == [
        "13B parameters on 260B tokens is 2.0e22 FLOP; "
        "32 H100s in 30 hours give at most 3.4e21 FLOP."
    ]
    steps = figures(batch_tokens=2e6, steps=1_000)
    assert sentences((*steps, *figures(steps=150_000, tokens=300e9))) == []


def test_fp8_doubles_the_peak() -> None:
    said = (*DENSE[:3], stated("duration", 60 * HOUR))
    assert sentences(said)
    assert sentences(said, "fp8") == []


def test_one_error_is_said_once() -> None:
    said = (*DENSE, *figures(device_time=64 * 30 * HOUR))
    assert len(sentences(said)) == 1


def test_trained_states_that_no_memory_holds() -> None:
    said = (stated("parameters", 13e9), stated("gpus", 2, device="A100"))
    (sentence,) = sentences((*said, stated("gpu_memory", 80e9)), "adam", "four_models")
    assert "2 A100s of 80 GB of memory hold at most 160 GB of states" in sentence
    assert sentences(said, "adapters") == []


@pytest.mark.parametrize(
    ("said", "sentence", "question"),
    [
        (
            figures(batch_tokens=4e6, steps=50_000),
            "4M tokens a step over 50,000 steps is 200B tokens.",
            "How did you decide on that many?",
        ),
        (
            figures(batch_sequences=1024, sequence_length=4096),
            "1,024 sequences a step of 4,096 tokens a sequence is 4.19M tokens a step.",
            "What told you to stop there?",
        ),
        (
            (stated("gpus", 64, device="H100"), stated("duration", 30 * HOUR, unit="hours")),
            "64 H100s for 30 hours is 1,920 GPU-hours.",
            "What would you have cut first with half of that?",
        ),
    ],
)
def test_figures_that_fit_close_on_a_question(said: Figures, sentence: str, question: str) -> None:
    found = [(c.sentence, c.question) for c in engine.closings(said)]
    assert (sentence, question) in found


def test_nothing_closes_on_what_was_said_or_clashes() -> None:
    assert not list(engine.closings(figures(batch_tokens=4e6, steps=50_000, tokens=200e9)))
    assert not list(engine.closings(DENSE))


def test_the_question_after_a_sum_counts_the_figures() -> None:
    assert how_do_they_fit(4) == "How do these fit together?"
    assert how_do_they_fit(1) == "How can that be?"


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (("each", 5 * HOUR, "hours"), "5 hours"),
        (("part", 3e9, "tokens"), "3B tokens"),
        (("each", 80e9, "GB"), "80 GB"),
        (("duration", 1 * DAY, "days"), "1 day"),
        (("step_time", 0.5, "ms"), "500 milliseconds"),
        (("gpus", 1, ""), "1 GPU"),
        (("token_price", 2e-6, ""), "$2 a million tokens"),
        (("bandwidth", 50e9, ""), "50 GB a second"),
        (("mfu", 34.8, ""), "3,480% MFU"),
    ],
)
def test_a_figure_is_said_back_in_its_unit(said: tuple[str, float, str], text: str) -> None:
    assert amount(*said) == text


DEVICES = ("A100", "H100", "H200", "B200", "TPU v4", "MI300X")
ROUNDED = st.floats(0.98, 1.02)


@st.composite
def consistent_runs(draw: st.DrawFn) -> Figures:
    """All that can be said of one run, each figure rounded by up to two per cent."""
    device = catalog.device_of(draw(st.sampled_from(DEVICES)))
    assert device
    data, tensor, stages = (2 ** draw(st.integers(0, most)) for most in (6, 3, 3))
    gpus = data * tensor * stages
    micro, accumulation = 2 ** draw(st.integers(0, 4)), draw(st.integers(1, 16))
    length = 2 ** draw(st.integers(11, 15))
    parameters = draw(st.floats(1e8, 4e8)) * gpus
    mfu, steps = draw(st.floats(0.2, 0.6)), draw(st.integers(2000, 500_000))
    sequences = micro * accumulation * data
    throughput = mfu * device.peak * gpus / (6 * parameters)
    step_time = sequences * length / throughput
    values = {
        "parameters": parameters,
        "tokens": sequences * length * steps,
        "batch_tokens": sequences * length,
        "mfu": mfu,
        "throughput": throughput,
        "device_throughput": throughput / gpus,
        "step_time": step_time,
        "duration": steps * step_time,
        "device_time": steps * step_time * gpus,
        "device_flops": mfu * device.peak,
    }
    counts = {
        **{"gpus": gpus, "data_parallel": data, "tensor_parallel": tensor},
        **{"pipeline_stages": stages, "micro_batch": micro, "accumulation": accumulation},
        **{"batch_sequences": sequences, "sequence_length": length, "steps": steps},
    }
    said = [
        *(stated(name, value * draw(ROUNDED)) for name, value in values.items()),
        *(stated(name, value, device=device.name) for name, value in counts.items()),
    ]
    return tuple(draw(st.lists(st.sampled_from(said), min_size=3, unique_by=lambda q: q.measure)))


@given(consistent_runs(), st.booleans())
def test_honest_figures_of_one_run_are_never_contradicted(said: Figures, by_rules: bool) -> None:
    assert sentences(loose(said) if by_rules else said) == []
