"""What follows from the figures of one run, which cannot all be true, and how it is said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.stated import HOUR, stated
from support.tables import table

from interviewer.grading.claims.ledger import closings, contradictions
from interviewer.grading.claims.quantity import Quantity, amount, device_of

TABLE = table("cases", __file__)["claims_engine"]

Figures = tuple[Quantity, ...]


def read_off(row: list[list[Any]]) -> Figures:
    """The figures of a row, each a measure, a value and perhaps unit and device."""
    said = [[*each, "", ""][:4] for each in row]
    return tuple(stated(name, value, unit=unit, device=dev) for name, value, unit, dev in said)


CLASHING = [(read_off(row["of"]), row["says"]) for row in TABLE["clashing"]]
DENSE = CLASHING[0][0]


def figures(**values: float) -> Figures:
    return tuple(stated(measure, value) for measure, value in values.items())


def sentences(said: Figures, *circumstances: str) -> list[str]:
    return [c.sentence for c in contradictions(said, frozenset(circumstances))]


def loose(said: Figures) -> Figures:
    return tuple(replace(each, loose=True) for each in said)


@pytest.mark.parametrize(("said", "sentence"), CLASHING, ids=[c[1][:40] for c in CLASHING])
def test_what_cannot_be_true_together_is_said_as_a_sum(said: Figures, sentence: str) -> None:
    (found,) = contradictions(said)
    assert found.sentence == sentence
    assert found.places == {each.place for each in said}
    assert found.low < found.high


@pytest.mark.parametrize("row", TABLE["excused"])
def test_a_circumstance_excuses(row: dict[str, Any]) -> None:
    said, circumstance = read_off(row["of"]), row["if"]
    assert sentences(said)
    assert sentences(said, circumstance) == []


BATCH = figures(batch_sequences=1024, sequence_length=4096, batch_tokens=33.5e6, data_parallel=8)


@pytest.mark.parametrize("row", TABLE["one or all"])
def test_what_rules_read_may_mean_one_or_all(row: list[list[Any]]) -> None:
    assert sentences(loose(read_off(row))) == []


def test_a_model_says_itself_whether_a_figure_is_of_one_or_of_all() -> None:
    assert sentences(BATCH)


@pytest.mark.parametrize("row", TABLE["true statements"])
def test_a_true_statement_is_never_accused(row: list[list[Any]]) -> None:
    assert sentences(read_off(row)) == []
    assert sentences(loose(read_off(row))) == []


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
        "64 H100s in 30 hours give at most 6.8e21 FLOP; "
        "13B parameters on 260B tokens is 2.0e22 FLOP."
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


@pytest.mark.parametrize("row", TABLE["closing"])
def test_figures_that_fit_close_on_a_question(row: dict[str, Any]) -> None:
    found = [(c.sentence, c.question) for c in closings(read_off(row["of"]))]
    assert (row["says"], row["asks"]) in found


def test_nothing_closes_on_what_was_said_or_clashes() -> None:
    assert not list(closings(figures(batch_tokens=4e6, steps=50_000, tokens=200e9)))
    assert not list(closings(DENSE))


@pytest.mark.parametrize(("said", "text"), TABLE["amounts"])
def test_a_figure_is_said_back_in_its_unit(said: tuple[str, float, str], text: str) -> None:
    assert amount(*said) == text


DEVICES = ("A100", "H100", "H200", "B200", "TPU v4", "MI300X")
ROUNDED = st.floats(0.98, 1.02)


@st.composite
def consistent_runs(draw: st.DrawFn) -> Figures:
    """All that can be said of one run, each figure rounded by up to two per cent."""
    device = device_of(draw(st.sampled_from(DEVICES)))
    assert device
    peak = device.tflops * 1e12
    data, tensor, stages = (2 ** draw(st.integers(0, most)) for most in (6, 3, 3))
    gpus = data * tensor * stages
    micro, accumulation = 2 ** draw(st.integers(0, 4)), draw(st.integers(1, 16))
    length = 2 ** draw(st.integers(11, 15))
    parameters = draw(st.floats(1e8, 4e8)) * gpus
    mfu, steps = draw(st.floats(0.2, 0.6)), draw(st.integers(2000, 500_000))
    sequences = micro * accumulation * data
    throughput = mfu * peak * gpus / (6 * parameters)
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
        "device_flops": mfu * peak,
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
