"""Sums over one run's numbers, against values worked out by hand."""

from __future__ import annotations

import pytest

from interviewer.grading.claims.claim import Contradiction
from interviewer.grading.claims.ledger import ledger
from interviewer.grading.claims.models import MODEL, model_of
from interviewer.grading.transcript import Turn, TurnKind


def sums(text: str) -> tuple[Contradiction, ...]:
    return ledger([Turn(1, "candidate", TurnKind.ANSWER, text)]).contradictions


@pytest.mark.parametrize(
    ("text", "relation", "figures"),
    [
        # 6 · 7e10 · 2e12 = 8.4e23; 64 · 3.12e14 · 14 · 86400 = 2.4e22
        (
            "We trained a 70B on 2T tokens with sixty-four A100s in two weeks.",
            "FLOPs of a run",
            ("8.4e23", "2.4e22"),
        ),
        # active parameters only: 6 · 1.3e10 · 5e12 = 3.9e23; 128 · 9.89e14 · 864000 = 1.1e23
        (
            "An MoE, 100B in total and 13B active, 5T tokens on 128 H100s in ten days.",
            "FLOPs of a run",
            ("3.9e23", "1.1e23"),
        ),
        # batch × steps stands in for the tokens: 4e6 · 5e5 = 2e12
        (
            "Our 7B ran 500k steps at 4M tokens a step, on eight A100s, in three days.",
            "FLOPs of a run",
            ("8.4e22", "6.5e20"),
        ),
        # 256 · 9.89e14 · 0.45 · 60.8 days = 6.0e23 for 6 · 7e9 · 1e12 = 4.2e22
        (
            "A 7B on one trillion tokens, 45% MFU on 256 H100s, and it ran for two months.",
            "FLOPs of a run",
            ("4.2e22", "6.0e23"),
        ),
        # 5000 · 3600 · 3.12e14 = 5.6e21
        (
            "We pretrained a 7B on 1T tokens with 5,000 A100 hours.",
            "FLOPs of a run",
            ("5.6e21",),
        ),
        # 65e9 · 16 / 4 = 260 GB
        (
            "With FSDP and mixed-precision Adam we trained all of a 65B on four 80 GB A100s.",
            "states",
            ("260 GB", "80 GB"),
        ),
        # plain data parallel shards nothing: 13e9 · 16 = 208 GB
        (
            "Plain DDP with fp32 Adam on a 13B, on eight 40-gig A100s.",
            "states",
            ("208 GB", "40 GB"),
        ),
        # stage 2 keeps two bytes whole: 65e9 · (2 + 14 / 8) = 243.75 GB
        (
            "ZeRO-2 and mixed-precision Adam, a 65B on eight 80 GB A100s, no offload.",
            "states",
            ("244 GB", "80 GB"),
        ),
        (
            "The 30B's weights, gradients and Adam moments came to sixty gigs in total.",
            "states",
            ("480 GB", "60 GB"),
        ),
        # 512 · 2048 · 1e5 = 1.05e11
        (
            "We ran 100k steps with 512 sequences of 2,048 tokens, that's 2 trillion tokens.",
            "tokens of all steps",
            ("105B", "2T"),
        ),
        # 12 · 9e4 / 86400 = 12.5 days
        (
            "A step took twelve seconds. All ninety thousand steps were over in a day.",
            "time of all steps",
            ("12.5 days",),
        ),
        (
            "Micro batch 2, accumulation 4, 16 GPUs: a batch of 2048.",
            "sequences of a batch",
            ("128", "2,048"),
        ),
        (
            "The batch was 4M tokens, so 256 sequences of length 2048.",
            "tokens of a batch",
            ("524,288", "4M"),
        ),
        # 6 · 7e9 · 6e4 = 2.5e15
        (
            "Training the 7B we got sixty thousand tokens per second on each A100.",
            "FLOPs a second of a device",
            ("2.5e15", "312T"),
        ),
        # 2e6 · 3 · 86400 = 5.18e11
        (
            "It held two million tokens per second for three days; it saw forty billion tokens.",
            "tokens at a rate",
            ("518B", "40B"),
        ),
        (
            "2,000 tokens/s/GPU on 64 GPUs gave us a million tokens per second.",
            "rate of all",
            ("128,000", "1M"),
        ),
        (
            "Three epochs over a 2B-token corpus: it saw 60B tokens.",
            "epochs",
            ("6B", "60B"),
        ),
        # 20000 · 3 / 64 = 938 steps
        (
            "20,000 examples, batch of 64, three epochs, 50k steps.",
            "steps of the examples",
            ("938", "50,000"),
        ),
        (
            "Our dataset is 50B tokens, we trained for 500B, so less than one epoch.",
            "epochs",
            (),
        ),
    ],
)
def test_numbers_that_cannot_be_true_together(
    text: str, relation: str, figures: tuple[str, ...]
) -> None:
    contradiction = next(c for c in sums(text) if relation in c.relations)
    assert contradiction.sentence.startswith("By your numbers")
    assert contradiction.sentence.endswith(".")
    for figure in figures:
        assert figure in contradiction.sentence
    assert len(contradiction.claims) >= 2


@pytest.mark.parametrize(
    "text",
    [
        "We trained a 7B on 1.4T tokens with 256 A100s in three weeks.",
        "47B in total, 13B active, an MoE: 2T tokens on 1,024 H100s in five days.",
        "A mixture of experts with 400B parameters, 2T tokens on 512 H100s in three weeks.",
        "The 13B ran under ZeRO-3 with everything offloaded to CPU on one 40 GB A100, with Adam.",
        "QLoRA on a 70B, on one 80-gig A100.",
        "All weights of a 7B on one H100, with 8-bit Adam and pure bf16.",
        "Full fine-tuning of the 13B with Adam on one 80-gig card went out of memory.",
        "Full fine-tuning of a 7B, FSDP over eight A100s, 14 GB of weights, gradients and "
        "optimizer states per GPU.",
        "A 3B with Adam takes 48 gigs of states, on H100s with plain DDP.",
        "Global batch 1024 at 4096, 120k steps, half a trillion tokens.",
        "We ramped the batch from one million tokens to four million, 75k steps, 285B tokens.",
        "50k steps at 2.4 seconds is 33 hours; with a dead node it took two days.",
        "64 GPUs with tensor parallel 8, micro batch 2, accumulation 32, batch of 512.",
        "Steps took three seconds before flash attention and 1.1 after; 40k steps, twelve hours.",
        "The 1B saw 20B tokens on eight A100s in 1.5 days, and then the 7B saw 140B on 128 "
        "A100s in five days.",
        "Phase one was 90k steps at a context of 2k, phase two 10k steps at 8k, both with 512 "
        "sequences, 135B tokens.",
        "9.5k tokens per second per GPU for the 7B on H100s, 40% MFU.",
        "Our corpus was 1.2T tokens, the model saw 300B.",
        "52k examples, three epochs, batch of 128, 1,200 steps.",
        "500k examples, packed, one epoch at batch 64, 900 steps.",
        "For pretraining a 7B took 256 A100s and two weeks for 1T tokens. SFT took three hours on "
        "eight A100s.",
        "It was in FP8, an 8B, at 17k tokens per second per H100.",
    ],
)
def test_honest_numbers_raise_no_alarm(text: str) -> None:
    assert sums(text) == ()


def test_a_peak_is_that_of_the_device_that_was_named() -> None:
    text = "A 3B on 100B tokens, {} and five days."
    assert sums(text.format("eight A100s")) != ()
    assert sums(text.format("eight B200s")) == ()


def test_a_sum_is_cited_with_the_claims_it_was_made_of() -> None:
    [contradiction] = sums("The batch was 4M tokens, 256 sequences of length 2048, lr 3e-4.")
    assert [claim.text for claim in contradiction.claims] == [
        "256 sequences",
        "2048",
        "4M tokens",
    ]


@pytest.mark.parametrize(
    "name",
    [
        *("gpt-2 small", "gpt-2 xl", "gpt-3", "llama 65b", "llama 2 7b", "llama 2 13b"),
        *("llama 2 70b", "llama 3 8b", "llama 3 70b", "llama 3.1 405b", "mistral 7b", "mixtral"),
        *("qwen2.5 0.5b", "qwen2.5 1.5b", "qwen2.5 7b", "qwen2.5 14b", "qwen2.5 32b"),
        "qwen2.5 72b",
    ],
)
def test_the_size_of_a_published_model_follows_from_its_shape(name: str) -> None:
    match = MODEL.search(name)
    assert match
    model = model_of(match)
    attention = 2 * model.width * model.head_width * (model.heads + model.kv_heads)
    matrices = 2 if name.startswith("gpt") else 3  # with a gate
    experts = model.experts[0] if model.experts else 1
    blocks = model.layers * (attention + experts * matrices * model.width * model.ffn_width)
    embeddings = model.vocabulary * model.width
    sizes = (blocks + embeddings, blocks + 2 * embeddings)
    assert any(size == pytest.approx(model.parameters, rel=0.006) for size in sizes)
