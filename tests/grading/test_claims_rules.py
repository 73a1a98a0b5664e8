"""What rules read in an answer, and what they leave out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.grading.claims import rules
from interviewer.grading.claims.ledger import ledger
from interviewer.grading.claims.quantity import Quantity, Reading
from interviewer.grading.transcript import ParsedAnswer

DAY = 86400.0
TRUE = (
    "We ran at 40% MFU of 312 TFLOPs.",
    "Our MFU was 41%, with a peak of 989 teraflops for the H100s.",
    "7B parameters. The states were 112 GB of optimizer states, gradients and weights.",
    "Weights, gradients, the master copy, m and v make 16 bytes a parameter, so 16 GB for a 1B "
    "model.",
    "We used 3D parallelism on 64 H100s, a step took 3.4 seconds.",
    "We measured over one day. 6.29 million tokens a step at 6.55 seconds a step.",
    "Forty-one by six N. Counting causal attention it's forty-five. That's one measurement under "
    "two definitions.",
    "A batch is the set of sequences for one optimizer step.",
    "We raised the batch by 130 percent.",
    "Our first run had a batch of 512 and the second one of 1,024.",
    "We had two A100s with 80 GB.",
)


def read(text: str, *, own_work: bool = True, to_objection: bool = False) -> Reading:
    return rules.read(ParsedAnswer(text), 1, own_work=own_work, to_objection=to_objection)


def values(text: str, *, own_work: bool = True) -> dict[str, float]:
    return {each.measure: each.value for each in read(text, own_work=own_work).quantities}


@pytest.mark.parametrize("text", TRUE)
def test_a_true_passage_is_neither_accused_nor_closed(text: str) -> None:
    found = ledger([read(text)])
    assert (found.contradictions, found.closings) == ((), ())


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("We used 3D parallelism on 64 H100s.", {"gpus": 64}),
        ("We had two A100s with 80 GB.", {"gpus": 2, "gpu_memory": 80e9}),
        ("We ran at 40% MFU of 312 TFLOPs.", {"mfu": 0.4, "peak": 312e12}),
        ("It was our 27B, 27.1 to be exact.", {"parameters": 27e9}),
        ("We had 16 nodes of eight H100s.", {"nodes": 16, "node_gpus": 8}),
        (
            "We trained a 7B on 1.4T tokens with thirty-two A100s in nine days.",
            {"parameters": 7e9, "tokens": 1.4e12, "gpus": 32, "duration": 9 * DAY},
        ),
        (
            "Our batch was 1,024 sequences of 4,096 tokens.",
            {"batch_sequences": 1024, "sequence_length": 4096},
        ),
        (
            "We ran 50,000 steps at a learning rate of 3e-4.",
            {"steps": 50_000, "learning_rate": 3e-4},
        ),
        (
            "We ran TP of 8, PP of 4 and DP of 16.",
            {"tensor_parallel": 8, "pipeline_stages": 4, "data_parallel": 16},
        ),
        ("We got 3,000 tokens per second per GPU.", {"device_throughput": 3000}),
        ("We got 400k tokens a second.", {"throughput": 400_000}),
        (
            "It was 5,000 GPU hours at $2 an hour.",
            {"device_time": 5000 * 3600, "price": 2 / 3600},
        ),
        ("The run cost $30,000.", {"cost": 30_000}),
        ("Our loss was 2.1.", {"loss": 2.1}),
    ],
)
def test_a_number_beside_its_noun_is_read(text: str, wanted: dict[str, float]) -> None:
    assert values(text) == pytest.approx(wanted)


@pytest.mark.parametrize(
    "text",
    [
        "We used 3D parallelism, with 1F1B and FP8.",
        "We took the top-5, and top-k of 40.",
        "We started from Llama 3 on B200s with a 7B-chat.",
        "In step one we made one pass, once, one GPU at a time.",
        "Two of the three reasons were bad for our GPUs.",
        "We raised the batch by 130 percent.",
        "If we had 64 GPUs it would take two days.",
        "Suppose we have 64 GPUs.",
        "Did we use 64 GPUs?",
        "We planned for 512 GPUs.",
        "We did not use 64 GPUs.",
        "Meta trained a 70B on 15T tokens.",
        "You typically need 512 GPUs.",
        "The optimiser is eight bytes, no, twelve with the master copy, so sixteen in all.",
        "",
    ],
)
def test_what_is_no_figure_of_a_run_of_theirs_is_left_out(text: str) -> None:
    assert values(text) == {}


@pytest.mark.parametrize(
    ("text", "measure", "wanted"),
    [
        ("Weights are 140 GB, but our full checkpoint came to 980 GB.", "checkpoint_size", 980e9),
        ("Our peak is 459 TFLOPs each, 235 PFLOP/s in total.", "device_flops", None),
        ("We did a step in 1.8 seconds.", "step_time", 1.8),
        ("We did a step in 1.8 seconds. A step later on needed 3 seconds.", "step_time", None),
    ],
)
def test_a_word_near_numbers_tells_of_one_of_them(
    text: str, measure: str, wanted: float | None
) -> None:
    assert values(text).get(measure) == wanted


def test_figures_count_from_the_first_word_of_ones_own() -> None:
    assert values("It took 64 GPUs.", own_work=False) == {}
    assert values("We trained it. It took 64 GPUs.", own_work=False) == {"gpus": 64}
    assert values("The paper used 512 GPUs, but we used 64 GPUs.") == {"gpus": 64}
    both = "Meta trained theirs on 15T tokens, and we had 64 H100s for ten days with our 8B."
    assert set(values(both)) == {"gpus", "duration", "parameters"}


def runs(text: str) -> list[tuple[str, str, float]]:
    return [(each.run, each.measure, each.value) for each in read(text).quantities]


def test_another_model_size_begins_a_run() -> None:
    assert runs("We trained a 7B, then a 13B on 64 GPUs. The 7B took 32 GPUs.") == [
        ("#1", "parameters", 7e9),
        ("#1.2", "parameters", 13e9),
        ("#1.2", "gpus", 64),
        ("#1", "parameters", 7e9),
        ("#1", "gpus", 32),
    ]


def test_of_a_number_corrected_in_the_same_breath_the_last_counts() -> None:
    assert values("We used 32, sorry, 64 H100s.") == {"gpus": 64}
    assert not any(q.status == "withdrawn" for q in read("We used 32, no, 64 H100s.").quantities)


def test_a_correction_of_an_earlier_turn_replaces() -> None:
    (found,) = read("I misspoke, we had 64 GPUs.").quantities
    (plain,) = read("We had 64 GPUs.").quantities
    (reply,) = read("We had 64 GPUs.", to_objection=True).quantities
    assert (found.replaces, plain.replaces, reply.replaces) == (True, False, True)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("You are right, that was wrong.", "given_up"),
        ("I don't really remember.", "given_up"),
        ("The job was restarted because of a crash.", "explained"),
        ("Maybe because of restarts.", ""),
        ("It is what it is.", ""),
    ],
)
def test_a_reply_to_an_objection_gives_up_or_explains(text: str, wanted: str) -> None:
    assert read(text, to_objection=True).resolves == wanted
    assert read(text).resolves == ""


def test_circumstances_are_read_unless_they_are_denied() -> None:
    assert read("We trained with LoRA, without offloading.").circumstances == (("#1", "adapters"),)


def test_the_only_device_named_is_that_of_all_figures() -> None:
    found = read("We had 64 GPUs, all H100s.").quantities
    assert [each.device for each in found] == ["H100"]


def spans_hold(text: str, found: tuple[Quantity, ...]) -> bool:
    return all(text[slice(*each.span)] == each.text for each in found)


@given(st.text(max_size=200) | st.lists(st.sampled_from(" ".join(TRUE).split())).map(" ".join))
def test_no_text_stops_the_rules_and_quotes_are_the_candidates_words(text: str) -> None:
    assert spans_hold(text, read(text).quantities)


@pytest.mark.parametrize(
    ("typed", "unit", "wanted"),
    [
        ("4M tokens", "number", 4e6),
        ("2 days", "time", 2 * DAY),
        ("90", "time", 90),
        ("45%", "share", 0.45),
        ("80 GB", "bytes", 80e9),
        ("$2 an hour", "price", 2 / 3600),
        ("$300", "money", 300),
        ("80 GB", "time", None),
        ("2 days", "number", None),
        ("many", "number", None),
    ],
)
def test_a_typed_value_is_of_the_figures_unit(typed: str, unit: str, wanted: float | None) -> None:
    assert rules.value_of(typed, unit) == (None if wanted is None else pytest.approx(wanted))
