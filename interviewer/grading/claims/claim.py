"""Claims about runs and systems, and the ledger of all claims in a session."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from interviewer.grading.claims.circumstances import Circumstance, Stage
from interviewer.grading.claims.hardware import Device
from interviewer.rubric.text import Span


class Measure(StrEnum):
    """What a number measures. Values are kept in the base unit given here.

    Times are seconds, memory and data are bytes, rates are a second, shares are 0..1.
    """

    # The model
    PARAMETERS = "parameters"
    ACTIVE_PARAMETERS = "active_parameters"
    TRAINABLE_PARAMETERS = "trainable_parameters"
    """Of adapters, or of what was not frozen."""
    TRAINABLE_SHARE = "trainable_share"
    LAYERS = "layers"
    WIDTH = "width"
    """Of the residual stream: d_model."""
    FFN_WIDTH = "ffn_width"
    HEADS = "heads"
    KV_HEADS = "kv_heads"
    HEAD_WIDTH = "head_width"
    VOCABULARY = "vocabulary"
    EXPERTS = "experts"
    ACTIVE_EXPERTS = "active_experts"
    """Experts that each token passes."""
    EXPERT_PARAMETERS = "expert_parameters"
    """Of one expert, over all layers."""
    LATENT_WIDTH = "latent_width"
    """Numbers a token and layer that MLA caches."""
    RANK = "rank"
    """Of low-rank adapters."""
    WEIGHT_BYTES = "weight_bytes"
    """Bytes a weight: 2 for "in bf16", 0.5 for "4-bit"."""
    CACHE_BYTES = "cache_bytes"
    """Bytes a number in the KV cache."""

    # Tokens and steps
    TOKENS = "tokens"
    """Seen in training."""
    DATASET_TOKENS = "dataset_tokens"
    EXAMPLES = "examples"
    """In the dataset of a fine-tuning run."""
    EXAMPLE_LENGTH = "example_length"
    """Tokens of an average example."""
    EPOCHS = "epochs"
    BATCH_SEQUENCES = "batch_sequences"
    BATCH_TOKENS = "batch_tokens"
    """Tokens a step."""
    MICRO_BATCH = "micro_batch"
    """Sequences that one rank processes at a time."""
    ACCUMULATION = "accumulation"
    """Micro-batches that one rank accumulates before a step."""
    SEQUENCE_LENGTH = "sequence_length"
    STEPS = "steps"
    STEP_TIME = "step_time"
    DURATION = "duration"
    """Wall time."""
    MICRO_STEP_TIME = "micro_step_time"
    """Forward and backward of one micro-batch."""
    THROUGHPUT = "throughput"
    """Tokens a second, of all devices together."""
    DEVICE_THROUGHPUT = "device_throughput"
    """Tokens a second of one device."""
    NODE_THROUGHPUT = "node_throughput"
    """Tokens a second of one node."""
    SAMPLE_RATE = "sample_rate"
    """Sequences a second, of all devices together."""
    LEARNING_RATE = "learning_rate"

    # Devices and how the work is split over them
    GPUS = "gpus"
    """A count; the claim's ``unit`` is the type, if one was named."""
    NODES = "nodes"
    NODE_GPUS = "node_gpus"
    """Devices in one node."""
    DATA_PARALLEL = "data_parallel"
    """Ranks that each see different data."""
    TENSOR_PARALLEL = "tensor_parallel"
    PIPELINE_STAGES = "pipeline_stages"
    STAGE_LAYERS = "stage_layers"
    """Layers on each pipeline stage."""
    EXPERT_PARALLEL = "expert_parallel"
    CONTEXT_PARALLEL = "context_parallel"
    MICRO_BATCHES = "micro_batches"
    """That pass the pipeline in one step."""
    VIRTUAL_STAGES = "virtual_stages"
    """Chunks of layers on each stage of an interleaved schedule."""
    BUBBLE = "bubble"
    """Share of the step in which a stage waits."""

    # Operations
    PEAK = "peak"
    """Operations a second that one device can do."""
    MFU = "mfu"
    HFU = "hfu"
    """Like MFU, recomputation included."""
    DEVICE_FLOPS = "device_flops"
    """Operations a second that one device reached."""
    TOTAL_FLOPS = "total_flops"
    """Operations a second that all devices reached together."""
    RUN_FLOPS = "run_flops"
    """Operations of the whole run."""
    STEP_FLOPS = "step_flops"
    """Operations of one step."""

    # Money
    DEVICE_TIME = "device_time"
    """Seconds summed over all devices, as in "GPU hours"."""
    COST = "cost"
    """US dollars."""
    PRICE = "price"
    """US dollars for a second of one device."""
    NODE_PRICE = "node_price"
    """US dollars for a second of one node."""
    TOKEN_PRICE = "token_price"
    """US dollars for one token of an API."""
    GENERATED_TOKENS = "generated_tokens"
    """Tokens that were paid for or generated in all, outside a training step."""

    # Memory
    GPU_MEMORY = "gpu_memory"
    """That one device has."""
    USED_MEMORY = "used_memory"
    """All that one device held at its peak."""
    STATE_MEMORY = "state_memory"
    """Weights, gradients and optimizer states on one device; so for the next three."""
    WEIGHT_MEMORY = "weight_memory"
    GRADIENT_MEMORY = "gradient_memory"
    OPTIMIZER_MEMORY = "optimizer_memory"
    """Moments, and the master weights if they were counted there."""
    ACTIVATION_MEMORY = "activation_memory"
    SCORE_MEMORY = "score_memory"
    """Stored attention scores."""
    LAYER_SCORE_MEMORY = "layer_score_memory"
    """Stored attention scores of one layer."""
    LOGIT_BYTES = "logit_bytes"
    """Bytes of a logit in memory."""
    LOGIT_MEMORY = "logit_memory"
    CACHE_MEMORY = "cache_memory"
    """KV cache of all sequences held at once."""
    TOKEN_CACHE = "token_cache"
    """KV cache of one token."""
    CACHED_TOKENS = "cached_tokens"
    """Tokens in the KV cache of all sequences held at once."""
    CACHED_SEQUENCES = "cached_sequences"
    """Sequences that are served at once."""
    ADAPTER_SIZE = "adapter_size"
    """The saved adapters."""
    STATE_BYTES = "state_bytes"
    """Bytes a parameter for weights, gradients and optimizer states: 16 with Adam."""
    WEIGHT_TOTAL = "weight_total"
    """On all devices together, each weight counted once; so for the next three."""
    GRADIENT_TOTAL = "gradient_total"
    OPTIMIZER_TOTAL = "optimizer_total"
    STATE_TOTAL = "state_total"

    # Files
    CHECKPOINT_SIZE = "checkpoint_size"
    CHECKPOINT_TIME = "checkpoint_time"
    """To write one."""
    CHECKPOINT_INTERVAL = "checkpoint_interval"
    """Training time between two of them."""
    CHECKPOINT_OVERHEAD = "checkpoint_overhead"
    """Share of the time that goes into writing them."""
    STORAGE_RATE = "storage_rate"
    """Bytes a second, to or from storage."""
    DATA_SIZE = "data_size"
    """Of the text of the dataset."""
    TOKENISED_SIZE = "tokenised_size"
    """Of the token ids on disk."""
    ID_BYTES = "id_bytes"
    """Bytes of a token id on disk."""
    TOKEN_BYTES = "token_bytes"
    """Bytes of text in a token."""
    DOCUMENTS = "documents"
    DOCUMENT_LENGTH = "document_length"
    """Tokens of an average document."""
    DOCUMENT_BYTES = "document_bytes"
    """Text of an average document."""

    # Communication
    BANDWIDTH = "bandwidth"
    """Bytes a second that the collective has for each device."""
    MESSAGE_SIZE = "message_size"
    """Bytes that a collective reduces or gathers."""
    ALL_REDUCE_TIME = "all_reduce_time"
    ALL_GATHER_TIME = "all_gather_time"
    """Also of a reduce-scatter, or of one point-to-point transfer of the whole message."""
    PCIE = "pcie"
    """Generation of the slot, sixteen lanes wide."""
    HOST_RATE = "host_rate"
    """Bytes a second between the host and one device, one way; so for the next two."""
    HOST_BYTES = "host_bytes"
    HOST_TIME = "host_time"

    # Reinforcement learning
    PROMPTS = "prompts"
    """A step."""
    RUN_PROMPTS = "run_prompts"
    """Of all steps, repeats included."""
    GROUP_SIZE = "group_size"
    """Responses to each prompt."""
    ROLLOUTS = "rollouts"
    """Responses a step."""
    RESPONSE_LENGTH = "response_length"
    """Tokens of an average response."""
    ROLLOUT_TOKENS = "rollout_tokens"
    """Tokens generated a step."""
    GENERATION_RATE = "generation_rate"
    """Tokens generated a second, of all devices together."""
    GENERATION_TIME = "generation_time"
    """Of all responses of a step."""

    # Loss and agreement
    LOSS = "loss"
    """Cross-entropy in nats a token."""
    FIRST_LOSS = "first_loss"
    """At initialisation, in nats a token."""
    LOSS_BITS = "loss_bits"
    """Cross-entropy in bits a token."""
    PERPLEXITY = "perplexity"
    BITS_PER_BYTE = "bits_per_byte"
    KL = "kl"
    """To the reference, in nats a token."""
    SEQUENCE_KL = "sequence_kl"
    """To the reference, in nats a response."""
    POLICY_LOSS = "policy_loss"
    """Minus the mean log-probability of the policy's samples under itself, in nats a token."""
    REFERENCE_LOSS = "reference_loss"
    """The same samples under the reference."""
    BEST_OF = "best_of"
    """Samples of which the best by reward is taken."""
    REFERENCE_SHARE = "reference_share"
    """Of responses with some property, sampled from the reference."""
    POLICY_SHARE = "policy_share"
    """The same of the policy, on the same prompts."""
    CHANGED_SHARE = "changed_share"
    """Of the probability, or of greedy tokens or answers, that differs from the reference."""
    LABEL_AGREEMENT = "label_agreement"
    """Between two annotators."""
    KAPPA = "kappa"
    """Agreement of two annotators beyond chance."""
    LABEL_NOISE = "label_noise"
    """Share of the test labels that were flipped at random."""
    ACCURACY = "accuracy"
    """Against the labels of one annotator."""
    CHANCE = "chance"
    """Accuracy of guessing."""
    OVERLAP = "overlap"
    """Share of items on which the two systems whose accuracies were said answer alike."""
    PASS_AT_1 = "pass_at_1"
    PASS_AT_K = "pass_at_k"
    """Share of problems with at least one right answer among several, on the same samples."""

    # Counts within one statement; see PARTS
    PART = "part"
    WHOLE = "whole"
    SHARE = "share"
    PORTION = "portion"
    """One of several shares of one whole that cannot overlap."""
    PORTION_COUNT = "portion_count"
    """The same as a count; the whole is ``WHOLE``."""
    PORTIONS = "portions"
    """All portions together."""
    BEFORE = "before"
    AFTER = "after"
    CHANGE = "change"
    """How much it rose or fell, as a share of what it was."""
    RATIO = "ratio"
    """after / before."""
    ADDEND = "addend"
    """A term of a sum whose total was said, in the total's unit."""
    TIMES = "times"
    """How many of something that each costs, takes or holds ``EACH``."""
    EACH = "each"
    TOTAL = "total"
    """Of the terms, or of all that were counted."""


PARTS = frozenset(
    (
        *(Measure.PART, Measure.WHOLE, Measure.SHARE, Measure.PORTION, Measure.PORTION_COUNT),
        *(Measure.BEFORE, Measure.AFTER, Measure.CHANGE, Measure.RATIO),
        *(Measure.ADDEND, Measure.TIMES, Measure.EACH, Measure.TOTAL),
    )
)
"""They belong together by sentence: a passage of its own holds each group."""


@dataclass(frozen=True)
class Claim:
    """One number as stated.

    ``text`` is the candidate's wording, ``value`` is in the measure's base unit, ``unit`` is the
    unit as stated ("A100", "days", "tokens"). ``turn`` and ``span`` locate the words.
    """

    text: str
    measure: Measure
    value: float
    unit: str
    turn: int
    span: Span


@dataclass(frozen=True)
class Statement:
    """A claim and the bounds of its value as worded, with the device it was said of.

    They differ for "two to three" and "about"; one end is 0 or infinite for "at most" and "at
    least". How far a number may have been rounded is not part of them.
    """

    claim: Claim
    low: float
    high: float
    device: Device | None = None


@dataclass(frozen=True)
class Passage:
    """Statements of one text that are about the same run."""

    statements: tuple[Statement, ...] = ()
    circumstances: frozenset[Circumstance] = field(default_factory=frozenset)
    stage: Stage | None = None
    is_another: bool = False
    """It says that it is about another run than what came before."""
    refers_back: bool = False
    is_own: bool = False
    label: str = ""
    """Names its run, where a model read it: the same label is the same run, in all turns."""
    replaces: frozenset[Measure] = frozenset()
    """Measures whose earlier values in the run these replace."""
    withdrawn: tuple[Claim, ...] = ()
    """Numbers of the run that are taken back, from this turn or an earlier one."""


@dataclass(frozen=True)
class Contradiction:
    """Claims that cannot all be true. ``sentence`` states the arithmetic, addressed to "you".

    ``relations`` names the relations that it went through; none if a figure breaks a limit alone.
    """

    relations: tuple[str, ...]
    sentence: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True)
class Ledger:
    """The claims that stand, those retracted, and the contradictions among those that stand."""

    claims: tuple[Claim, ...] = ()
    retracted: tuple[Claim, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
