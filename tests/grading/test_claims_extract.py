"""Which numbers of a text are claims, and claims of what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.grading.claims.circumstances import Circumstance
from interviewer.grading.claims.claim import PARTS, Measure
from interviewer.grading.claims.rules.reading import extract, parse_claims
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
    ("text", "measure", "value"),
    [
        ("L = 40, d = 5120, V = 32k.", "layers", 40),
        ("L = 40, d = 5120, V = 32k.", "width", 5120),
        ("L = 40, d = 5120, V = 32k.", "vocabulary", 32000),
        ("s=4096 b=2 h=32", "sequence_length", 4096),
        ("s=4096 b=2 h=32", "micro_batch", 2),
        ("s=4096 b=2 h=32", "heads", 32),
        ("48 L, d_model 6,144, GBS 4M tok.", "layers", 48),
        ("48 L, d_model 6,144, GBS 4M tok.", "batch_tokens", 4e6),
    ],
)
def test_letters_of_formulas_are_read(text: str, measure: str, value: float) -> None:
    assert (Measure(measure), pytest.approx(value)) in found(text)


@pytest.mark.parametrize(
    ("text", "measure", "value"),
    [
        ("One step (forward, backward and all 8 micro-batches) took 3.2 s.", "step_time", 3.2),
        ("nvidia-smi showed 71 GB per card.", "used_memory", 7.1e10),
        ("Memory usage peaked at 64 GB.", "used_memory", 6.4e10),
        ("Peak allocated memory was 38 gigs.", "used_memory", 3.8e10),
        ("Each card sat at 70 GB.", "used_memory", 7e10),
        ("The high-water mark was 55 GB a GPU.", "used_memory", 5.5e10),
        ("Our LoRA adapter, rank 16: the file on disk is 80 MB.", "adapter_size", 8e7),
        ("The checkpoint folder is 98 GB according to du.", "checkpoint_size", 9.8e10),
        (
            "We keep token ids as uint16, the whole thing takes 400 GB on disk.",
            "tokenised_size",
            4e11,
        ),
        ("The token ids are uint32.", "id_bytes", 4),
        ("Training stalled for twelve seconds at every checkpoint.", "checkpoint_time", 12),
        ("For each checkpoint training was blocked for ninety seconds.", "checkpoint_time", 90),
        ("While it saved, everything stood still for two minutes.", "checkpoint_time", 120),
        ("The KV cache is fp16. We serve 48 concurrent conversations.", "cached_sequences", 48),
        (
            "With vLLM we had 64 users at once, each with 8k tokens of context.",
            "cached_sequences",
            64,
        ),
        (
            "With vLLM we had 64 users at once, each with 8k tokens of context.",
            "sequence_length",
            8000,
        ),
        ("The copy from host memory over PCIe 4.0 x16 took 0.8 s.", "pcie", 4),
        ("The copy from host memory over PCIe 4.0 x16 took 0.8 s.", "host_time", 0.8),
        ("We copied 48 GB of weights from host RAM to the GPU.", "host_bytes", 4.8e10),
        ("Over a PCIe gen5 slot.", "pcie", 5),
        ("We copy it through a gen4 x16 slot.", "pcie", 4),
        (
            "It has 60 layers on eight pipeline stages, and each stage holds 8 of them.",
            "stage_layers",
            8,
        ),
        ("We paid two dollars fifty per GPU-hour.", "price", 2.5 / 3600),
        ("At two twenty-five per GPU hour.", "price", 2.25 / 3600),
        ("They were a dollar eighty an hour per GPU.", "price", 1.8 / 3600),
        ("The node is 24 dollars an hour.", "node_price", 24 / 3600),
        ("We paid $98 per node-hour.", "node_price", 0.02722222222222222),
        ("It ran for three hours forty.", "duration", 13200),
        ("It took two hours fifteen on eight A100s.", "duration", 8100),
        ("A step took three tenths of a second.", "step_time", 0.3),
        ("Two fifths of a second per step.", "step_time", 0.4),
        ("The pipeline stages were idle a fifth of the time.", "bubble", 0.2),
        ("The stages of the pipeline waited a quarter of the time.", "bubble", 0.25),
        ("Wall clock 12 d.", "duration", 1.0368e6),
        ("The loss at step 0 was 10.9 nats per token.", "first_loss", 10.9),
        ("Before the first update the loss was 11.2.", "first_loss", 11.2),
        ("At random initialisation the cross-entropy was 10.4.", "first_loss", 10.4),
        ("The exact KL was minus 0.3 nats per token.", "kl", -1080 / 3600),
        ("The policy's mean logprob is -0.7 nats and the reference's -0.9.", "policy_loss", 0.7),
        ("The policy's mean logprob is -0.7 nats and the reference's -0.9.", "reference_loss", 0.9),
        (
            "Refusals went from 5% of the answers under the reference to 60% under the policy.",
            "policy_share",
            0.6,
        ),
        (
            "Refusals: 3% of the answers for the base model, 41% for the policy.",
            "reference_share",
            0.03,
        ),
        ("Routing is top-2 of 64 experts.", "active_experts", 2),
        ("Each expert has 3B parameters.", "expert_parameters", 3e9),
        ("One 200 Gb/s NIC per node.", "bandwidth", 2.5e10),
        (
            "It's a thirteen billion, dense, and we trained it on one trillion tokens.",
            "parameters",
            1.3e10,
        ),
        ("In the last step it did 45 percent of the 312 teraflops.", "mfu", 0.45),
        ("The 7B gradient is 14 GB and is all-reduced every step.", "message_size", 1.4e10),
        ("We filtered the web crawl: 90B tokens in a single copy.", "dataset_tokens", 9e10),
        ("With the tokenizer that came to 1.2 trillion tokens.", "dataset_tokens", 1.2e12),
        ("Sequences are packed full to 8,192.", "sequence_length", 8192),
        ("Each GPU does four sequences per forward pass.", "micro_batch", 4),
        ("Throughput was 24k tokens a second per node.", "node_throughput", 24000),
        ("In all 200 steps it consumed 25,600 prompts in total with GRPO.", "run_prompts", 25600),
        ("We flipped 20% of the labels in the test set.", "label_noise", 0.2),
        ("All-reduce of the gradients, ring, no overlap: 180 ms/step.", "all_reduce_time", 0.18),
    ],
)
def test_the_same_is_read_in_many_words(text: str, measure: str, value: float) -> None:
    assert (Measure(measure), pytest.approx(value)) in found(text)


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("We got 7B tokens: 70% web (4.9B), 30% code (2.1B).", Measure.PARAMETERS),
        ("Each layer is 1.56M x 40 = 62.6M of adapters.", Measure.PARAMETERS),
        ("The states are 16 B/p, so 112 GB.", Measure.PARAMETERS),
        ("The activations are 16,384 x 4,096 x 2 B.", Measure.TOKENS),
        ("There was no TP and no PP, each rank had 8 sequences.", Measure.PIPELINE_STAGES),
        ("We held out 200M tokens of the mix.", Measure.TOKENS),
        ("It was the 1st of 3 tries.", Measure.STEPS),
        ("The team next door used 512 GPUs.", Measure.GPUS),
        ("We ran twelve of them on 8 A100s, 5.6 hours each.", Measure.DURATION),
        ("We spent 12 GPU-hours a round.", Measure.DEVICE_TIME),
        ("Our update ran at $9,677 a day.", Measure.COST),
        ("We measured 16 minus 2 nats.", Measure.KL),
    ],
)
def test_what_looks_like_it_is_another_quantity(text: str, measure: Measure) -> None:
    assert measure not in {each for each, _ in found(text)}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("24 of 400 failed, so six percent.", {24, 400, 0.06}),
        ("The loss fell from 2.4 to 1.8, a 40 % drop.", {2.4, 1.8, 0.4}),
        ("It went from 200 to 800, twice as fast.", {200, 800, 2}),
        ("Of our 400 traces I read all. In 24 of them it lied. So a rate of 6%.", {400, 24, 0.06}),
        ("We had 480 runs, 37 of them crashed, so a crash rate of 8%.", {480, 37, 0.08}),
        ("We looked at 640 samples and flagged 58. So that's 9% of them.", {640, 58, 0.09}),
        ("Of 512 cards 14 of those died. So roughly every ninth.", {512, 14, 1 / 9}),
        ("Errors: 120 before, 90 after. So they came down by 25%.", {120, 90, 0.25}),
        (
            "Word error went from twelve percent to nine. So we removed 25% of the errors.",
            {0.12, 0.09, 0.25},
        ),
        ("Of 900 failures, exactly one bucket each: 610 were wrong, 240 empty.", {900, 610, 240}),
        ("The mix: 55 percent web, 30 code and 15 books.", {0.55, 0.3, 0.15}),
        ("Exactly one label each: win 45%, tie 25%, lose 30%.", {0.45, 0.25, 0.3}),
    ],
)
def test_counts_of_one_sentence_are_a_passage(text: str, values: set[float]) -> None:
    groups = [
        {s.claim.value for s in passage.statements}
        for passage in parse_claims(ParsedAnswer(text), 1).passages
        if all(s.claim.measure in PARTS for s in passage.statements) and passage.statements
    ]
    assert [pytest.approx(sorted(values))] == [sorted(group) for group in groups]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "pass@1, the mean over those eight, is 61 percent, and pass@8 is 70.",
            {"pass_at_1": 0.61, "pass_at_k": 0.7},
        ),
        (
            "Averaged over the samples 62% are right, and at least one correct among those is 48%.",
            {"pass_at_1": 0.62, "pass_at_k": 0.48},
        ),
        (
            "The first is right on 95%, and both agree with each other on 90%. It is 92 alone.",
            {},
        ),
        (
            "One judge is right on 95%, the other on 92, and the two agree with each other on 90%.",
            {"accuracy": 0.92, "overlap": 0.9},
        ),
    ],
)
def test_scores_on_the_same_items_are_a_passage(text: str, told: dict[str, float]) -> None:
    passages = parse_claims(ParsedAnswer(text), 1).passages
    said = [{s.claim.measure.value: s.claim.value for s in p.statements} for p in passages]
    together = [each for each in said if {"pass_at_k", "overlap"} & set(each)]
    assert together == ([pytest.approx(told)] if told else [])


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


@pytest.mark.parametrize(
    "text",
    [
        "On one GPU 30 minutes to 93 %, on four 11 minutes.",
        "With one card it takes an hour, with 8 cards ten minutes.",
        "DDP with 4 processes; a single GPU needed 30 minutes and four needed 11.",
        "One epoch took 30 minutes on a single GPU and 11 minutes on four.",
    ],
)
def test_setups_held_against_each_other_are_no_claim_on_the_run(text: str) -> None:
    assert Measure.GPUS not in dict(found(text))


def test_a_second_number_of_another_kind_leaves_the_first_a_claim() -> None:
    assert (Measure.GPUS, 8) in found("We trained on 8 GPUs for two days on 50 billion tokens.")


def test_extraction_is_the_same_each_time() -> None:
    text = "We had 8 A100s, a 7B, 100B tokens and two weeks."
    assert extract(text, 1) == extract(text, 1)


@pytest.mark.parametrize("part", ["7B ", "64, no, ", "eight nodes of ", ". ", "batch of the "])
def test_time_grows_with_length_and_not_with_its_square(part: str) -> None:
    from time import process_time

    def once(text: str) -> float:
        begin = process_time()
        extract(text, len(text))
        return process_time() - begin

    def seconds(length: int) -> float:
        return min(once((part * length)[:length]) for _ in range(3))

    assert seconds(16_000) < 30 * max(seconds(1_600), 0.005)
