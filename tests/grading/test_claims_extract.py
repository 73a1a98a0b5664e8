"""Which numbers of a text are claims, and claims of what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.grading.claims.circumstances import Circumstance
from interviewer.grading.claims.claim import PARTS, Measure
from interviewer.grading.claims.reading import extract, parse_claims
from interviewer.grading.parsed_answer import ParsedAnswer

DAY = 86400.0


def found(text: str) -> list[tuple[Measure, float]]:
    return [(claim.measure, claim.value) for claim in extract(text)]


@pytest.mark.parametrize(
    ("text", "measure", "value", "unit"),
    [
        ("We trained a seventy-B.", Measure.PARAMETERS, 7e10, "parameters"),
        ("Our model has 1.3 billion parameters.", Measure.PARAMETERS, 1.3e9, "parameters"),
        ("Only 13B are active per token.", Measure.ACTIVE_PARAMETERS, 1.3e10, "parameters"),
        ("It saw two trillion tokens.", Measure.TOKENS, 2e12, "tokens"),
        ("Our corpus is fifty billion tokens.", Measure.DATASET_TOKENS, 5e10, "tokens"),
        ("We had 52k examples.", Measure.EXAMPLES, 52000, "examples"),
        ("We did three epochs.", Measure.EPOCHS, 3, "epochs"),
        ("We went over it four times.", Measure.EPOCHS, 4, "epochs"),
        ("The batch size was 512.", Measure.BATCH_SEQUENCES, 512, "sequences"),
        ("We had four million tokens per step.", Measure.BATCH_TOKENS, 4e6, "tokens"),
        ("The context was 4k.", Measure.SEQUENCE_LENGTH, 4000, "tokens"),
        ("Micro-batch of two.", Measure.MICRO_BATCH, 2, "sequences"),
        ("Gradient accumulation of 8.", Measure.ACCUMULATION, 8, "micro-batches"),
        ("It had 64 data-parallel ranks.", Measure.DATA_PARALLEL, 64, "ranks"),
        ("It was ninety thousand steps.", Measure.STEPS, 9e4, "steps"),
        ("It took half a second per step.", Measure.STEP_TIME, 0.5, "seconds"),
        ("We did two steps per second.", Measure.STEP_TIME, 0.5, "seconds"),
        ("It ran for a day and a half.", Measure.DURATION, 1.5 * DAY, "days"),
        ("It took two to three weeks.", Measure.DURATION, 17.5 * DAY, "weeks"),
        ("We had sixty-four A100s.", Measure.GPUS, 64, "A100"),
        ("We had eight nodes of eight H100s.", Measure.GPUS, 64, "H100"),
        ("We used four eight-GPU nodes.", Measure.GPUS, 32, "GPUs"),
        ("We had 8xA100.", Measure.GPUS, 8, "A100"),
        ("We had eight A hundreds.", Measure.GPUS, 8, "A100"),
        ("We used a single 80-gig H100.", Measure.GPUS, 1, "H100"),
        ("We used a single 80-gig H100.", Measure.GPU_MEMORY, 8e10, "GB"),
        ("MFU was forty percent.", Measure.MFU, 0.4, "%"),
        ("It was 200k tokens per second.", Measure.THROUGHPUT, 2e5, "tokens/s"),
        ("We got 9k tokens/s/GPU.", Measure.DEVICE_THROUGHPUT, 9000, "tokens/s"),
        ("86 billion tokens a day.", Measure.THROUGHPUT, 86e9 / DAY, "tokens/day"),
        ("It cost ten thousand GPU hours.", Measure.DEVICE_TIME, 3.6e7, "GPU hours"),
        ("The learning rate was 3e-4.", Measure.LEARNING_RATE, 3e-4, ""),
        (
            "Weights, gradients and Adam states took 14 GB per GPU.",
            Measure.STATE_MEMORY,
            1.4e10,
            "GB",
        ),
    ],
)
def test_a_number_is_a_claim_in_its_base_unit(
    text: str, measure: Measure, value: float, unit: str
) -> None:
    [claim] = [claim for claim in extract(text) if claim.measure is measure]
    assert claim.value == pytest.approx(value)
    assert claim.unit == unit


@pytest.mark.parametrize(
    ("text", "measure", "value"),
    [
        ("There were 90k steps, and each of those lasted about three seconds.", "step_time", 3),
        ("A quarter of a second! That's per step, for 500k steps.", "step_time", 0.25),
        ("Seven seconds, that's what one iteration cost us.", "step_time", 7),
        ("What does a step cost? 2.5 seconds.", "step_time", 2.5),
        ("In a minute we do five updates.", "step_time", 12),
        ("Twelve thousand iterations. Each consumed 1.5M tokens.", "batch_tokens", 1.5e6),
        ("An update ate two million tokens. 15,000 of them made the run.", "steps", 15000),
        ("The window was 32k and there were 512 of these per update.", "batch_sequences", 512),
        ("Per GPU we could fit three sequences.", "micro_batch", 3),
        ("It's 32 sequences, each 2,048 long.", "sequence_length", 2048),
        ("We stopped at 400 billion, so the counter stood at 400 billion tokens.", "tokens", 4e11),
        ("In GPU hours the whole pretraining was two thousand.", "device_time", 7.2e6),
        ("There were forty-eight of them, H100s.", "gpus", 48),
        ("We were finished by the end of the third day.", "duration", 3 * DAY),
        ("All 40,000 updates were in by noon.", "duration", DAY / 2),
        ("The model read the whole corpus, 70 billion tokens, three times.", "epochs", 3),
        ("Ten epochs on medical texts, 700 million tokens in size.", "dataset_tokens", 7e8),
    ],
)
def test_the_unit_tells_wherever_it_stands(text: str, measure: str, value: float) -> None:
    assert (Measure(measure), pytest.approx(value)) in found(text)


@pytest.mark.parametrize(
    ("text", "measure", "value"),
    [
        ("Four mil tokens a step.", "batch_tokens", 4e6),
        ("A 40-gig A100.", "gpu_memory", 4e10),
        ("One node of eight A100-80s.", "gpu_memory", 8e10),
        ("One node of eight A100-80s.", "node_gpus", 8),
        ("7B, 1T tok, 64xA100, 10d.", "duration", 10 * DAY),
        ("TP 8, PP 4, DP 16.", "pipeline_stages", 4),
        ("We had eight-way tensor parallel.", "tensor_parallel", 8),
        ("The KV cache was in fp8.", "cache_bytes", 1),
        ("We fine-tuned Mistral-7B.", "kv_heads", 8),
        ("The bubble was 12 percent.", "bubble", 0.12),
        ("We rented them at 2.5 dollars an hour.", "price", 2.5 / 3600),
        ("All-reducing the gradients took 150 ms.", "all_reduce_time", 0.15),
        ("A checkpoint is half a terabyte.", "checkpoint_size", 5e11),
        ("We sampled a group of 16 for every prompt.", "group_size", 16),
        ("The validation loss was 2.1.", "loss", 2.1),
        ("LoRA with rank 16.", "rank", 16),
        ("It has 32 layers of width 4,096.", "width", 4096),
    ],
)
def test_models_memory_links_and_losses_are_read(text: str, measure: str, value: float) -> None:
    assert (Measure(measure), pytest.approx(value)) in found(text)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("24 of 400 failed, so six percent.", {24, 400, 0.06}),
        ("The loss fell from 2.4 to 1.8, a 40 % drop.", {2.4, 1.8, 0.4}),
        ("It went from 200 to 800, twice as fast.", {200, 800, 2}),
    ],
)
def test_counts_of_one_sentence_are_a_passage(text: str, values: set[float]) -> None:
    groups = [
        {s.claim.value for s in passage.statements}
        for passage in parse_claims(ParsedAnswer(text), 1).passages
        if all(s.claim.measure in PARTS for s in passage.statements) and passage.statements
    ]
    assert [pytest.approx(sorted(values))] == [sorted(group) for group in groups]


def test_about_widens_a_number() -> None:
    [passage] = parse_claims(ParsedAnswer("It took about ten days."), 1).passages
    [stated] = passage.statements
    assert (stated.low, stated.high) == (pytest.approx(8.5 * DAY), pytest.approx(11.5 * DAY))


@pytest.mark.parametrize(
    "text",
    [
        "With ZeRO-1 it's 5.5B a parameter, so 38 and a half gigs.",
        "2 + 2 + 12 bytes, so 16 B each, and that's 14 GB per card.",
        "In mixed precision, 2 B weights, 2 B grads, 4 B master, 8 B moments.",
    ],
)
def test_bytes_are_no_parameters(text: str) -> None:
    assert Measure.PARAMETERS not in {measure for measure, _ in found(text)}


def test_a_claim_quotes_the_words_where_they_stand() -> None:
    text = "Well,  “we had\nthirty–two A100s”, I think."
    [claim] = extract(text, turn=7)
    assert claim.turn == 7
    assert text[slice(*claim.span)] == claim.text == "thirty–two A100s"


@pytest.mark.parametrize(
    "text",
    [
        "Suppose we had two thousand H100s.",
        "If we had had 512 GPUs we'd have trained a 70B.",
        "You would need 64 A100s for two weeks.",
        "How long does a 70B take on 64 A100s?",
        "Llama 3 used 16k H100s.",
        "The Chinchilla paper says 1.4 trillion tokens.",
        "We didn't have 64 A100s.",
        "We planned for 512 GPUs.",
        "It was in 2022 on PyTorch 1.12 and CUDA 11.6.",
        "We used several hundred GPUs for a few weeks.",
        "That was weight decay 0.1, betas 0.9 and 0.95, 2,000 warm-up steps.",
        "We checkpointed every thousand steps and lost six hours.",
        "The loss spiked again 400 steps later.",
        "It took 1e999 days on 1e999 GPUs.",
    ],
)
def test_what_was_not_is_no_claim(text: str) -> None:
    assert extract(text) == ()


def test_serving_is_a_passage_of_its_own() -> None:
    text = "We trained the 70B on 64 A100s. We served it on eight A100s with vLLM."
    trained, served = parse_claims(ParsedAnswer(text), 1).passages
    assert Circumstance.FORWARD_ONLY not in trained.circumstances
    assert [s.claim.value for s in trained.statements] == [7e10, 64]
    assert Circumstance.FORWARD_ONLY in served.circumstances
    assert served.is_another
    assert 8 in [s.claim.value for s in served.statements]


def test_the_real_half_of_a_hypothesis_counts() -> None:
    text = "We would have needed 512 A100s, but in reality we had 64 of them."
    assert found(text) == [(Measure.GPUS, 64)]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("We had 512, no, sorry, 1,024 A100s.", [(Measure.GPUS, 1024)]),
        ("It took 3 weeks, sorry, 3 days.", [(Measure.DURATION, 3 * DAY)]),
        ("It was thirty thousand steps, no wait, three hundred thousand.", [(Measure.STEPS, 3e5)]),
        ("We had 64 A100s. Sorry, 640.", [(Measure.GPUS, 640)]),
    ],
)
def test_a_number_taken_back_at_once_is_no_claim(
    text: str, claims: list[tuple[Measure, float]]
) -> None:
    assert found(text) == claims


WORDS = st.sampled_from(
    [
        *("we had", "8", "64", "A100s", "H100", "nodes of", "two", "million", "tokens", "per step"),
        *(",", ".", "no", "sorry", "7B", "seventy-B", "days", "a", "half", "and", "steps", "GB"),
        *("batch size", "epochs", "gigs", "percent", "MFU", "second", "each", "single", "%"),
        *("\u00a0", "²", "“", "-", "ß", "trained on", "a DGX", "twice", "to"),
    ]
)


@given(st.one_of(st.text(), st.lists(WORDS, max_size=40).map(" ".join)))
def test_any_text_is_read_and_spans_index_it(text: str) -> None:
    for claim in extract(text):
        assert text[slice(*claim.span)] == claim.text != ""


def test_extraction_is_the_same_each_time() -> None:
    text = "We had 8 A100s, a 7B, 100B tokens and two weeks."
    assert extract(text, 1) == extract(text, 1)


@pytest.mark.parametrize("part", ["7B ", "64, no, ", "eight nodes of ", ". ", "batch of the "])
def test_time_grows_with_length_and_not_with_its_square(part: str) -> None:
    from time import process_time

    def seconds(length: int) -> float:
        text = (part * length)[:length]
        begin = process_time()
        extract(text, length)
        return process_time() - begin

    seconds(1000)
    assert seconds(16_000) < 30 * max(seconds(1_600), 0.005)
