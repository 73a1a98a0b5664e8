"""The relations between the quantities of a run, in one table.

A relation says that a quantity is a product of others times a factor between two bounds, which
:mod:`.factors` gives. :mod:`.engine` solves it for any of its quantities. To add one is to add an
entry to ``RELATIONS``, and its quantities to :class:`.claim.Measure` if they are new.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

from interviewer.grading.claims.circumstances import Circumstance as C
from interviewer.grading.claims.claim import Measure as M
from interviewer.grading.claims.comparisons import (
    added_up,
    apart,
    at_least,
    best_of,
    ceiling,
    change_of,
    computed,
    difference,
    exponential,
    generating,
    lanes,
    moved,
    overlap,
    part_of,
    portions,
    ratio_of,
)
from interviewer.grading.claims.factors import (
    HELD,
    IDLE,
    IDLE_IN_STEPS,
    PER_RANK,
    SHAPE,
    Ratio,
    activation_bytes,
    active,
    always,
    bubble,
    cache_share,
    cached_heads,
    checkpoint_bytes,
    device_time,
    epochs,
    expert_size,
    flops,
    gradient_bytes,
    kept_whole,
    logit_bytes,
    logits_whole,
    mfu_of_tokens,
    model_size,
    optimizer_bytes,
    parts_held,
    ranks,
    reached,
    ring,
    run_flops,
    score_bytes,
    scores_of_all,
    sequence_tokens,
    served,
    share_of_states,
    share_of_weights,
    states,
    steps_of_examples,
    unless,
    when,
    whole_layers,
    writing,
)
from interviewer.grading.claims.run import Run

MADE = "{terms} make {result}"


@dataclass(frozen=True)
class Relation:
    """``result = ratio · Π factor^power``, where it comes from, and how it is said.

    ``ratio`` gives None for a run that the relation does not hold for. ``says`` has the fields
    ``{terms}`` and ``{result}``; an empty one goes without saying.
    """

    name: str
    result: M
    factors: tuple[tuple[M, float], ...]
    ratio: Callable[[Run], Ratio | None]
    source: str
    says: str = MADE
    joint: str = " × "

    @cached_property
    def measures(self) -> frozenset[M]:
        """All quantities that it joins."""
        return frozenset((self.result, *(measure for measure, _ in self.factors)))


_BY_DEFINITION = "by definition"
_KAPLAN = "6 operations a parameter and token: Kaplan et al. 2020, arXiv:2001.08361, section 2.1"
_PALM = "MFU: Chowdhery et al. 2022, arXiv:2204.02311, appendix B"
_ZERO = "Rajbhandari et al. 2019, arXiv:1910.02054, section 3"
_KORTHIKANTI = "Korthikanti et al. 2022, arXiv:2205.05198, section 4"
_MEGATRON = "Narayanan et al. 2021, arXiv:2104.04473, section 2.2"
_RING = "Patarasuk and Yuan 2009, bandwidth-optimal all-reduce"
_LORA = "Hu et al. 2021, arXiv:2106.09685, section 4"
_GQA = "Ainslie et al. 2023, arXiv:2305.13245"
_MLA = "DeepSeek-V2 2024, arXiv:2405.04434, section 2.1"
_PINSKER = "Pinsker's inequality"
_BON = "Beirami et al. 2024, arXiv:2401.01879: an upper bound"


def _of(*measures: M, per: tuple[M, ...] = ()) -> tuple[tuple[M, float], ...]:
    """The factors: these, over those."""
    return (*((m, 1.0) for m in measures), *((m, -1.0) for m in per))


# fmt: off
RELATIONS: tuple[Relation, ...] = (
    # Operations
    Relation("active size", M.ACTIVE_PARAMETERS, _of(M.PARAMETERS), active, _BY_DEFINITION, ""),
    Relation("FLOPs of a run", M.RUN_FLOPS, _of(M.ACTIVE_PARAMETERS, M.TOKENS), run_flops,
        _KAPLAN, "{terms} need {result}", " on "),
    Relation("FLOPs of a step", M.STEP_FLOPS, _of(M.ACTIVE_PARAMETERS, M.BATCH_TOKENS), flops,
        _KAPLAN, "{terms} need {result}", " on "),
    Relation("FLOPs of all steps", M.RUN_FLOPS, _of(M.STEP_FLOPS, M.STEPS),
        unless((C.STAGED, C.RAMPED), 0.8, 1.25), _BY_DEFINITION),
    Relation("FLOPs on offer", M.RUN_FLOPS, _of(M.DEVICE_TIME, M.PEAK, M.MFU), reached, _PALM,
        "{terms} come to {result}", " at "),
    Relation("FLOPs on offer, recomputation included", M.RUN_FLOPS,
        _of(M.DEVICE_TIME, M.PEAK, M.HFU), always(0.5 / IDLE, 1.1), _KORTHIKANTI,
        "{terms} come to {result}", " at "),
    Relation("FLOPs at the reached rate", M.RUN_FLOPS, _of(M.DEVICE_TIME, M.DEVICE_FLOPS),
        always(0.6 / IDLE, 1.15), _BY_DEFINITION, "{terms} come to {result}", " at "),
    Relation("FLOPs of a step on offer", M.STEP_FLOPS, _of(M.GPUS, M.STEP_TIME, M.PEAK, M.MFU),
        always(0.72, 1.15), _PALM, "{terms} come to {result}", " at "),
    Relation("FLOPs of a step at the reached rate", M.STEP_FLOPS,
        _of(M.GPUS, M.STEP_TIME, M.DEVICE_FLOPS), always(0.6, 1.15), _BY_DEFINITION,
        "{terms} come to {result}", " at "),
    Relation("FLOPs a second of a device", M.DEVICE_FLOPS,
        _of(M.ACTIVE_PARAMETERS, M.DEVICE_THROUGHPUT),
        lambda run: Ratio(flops(run).low, flops(run).high * 1.4, flops(run).value), _KAPLAN,
        "{terms} take {result}", " at "),
    Relation("MFU of a rate", M.DEVICE_FLOPS, _of(M.PEAK, M.MFU), always(0.9, 1.5), _PALM,
        "{terms} come to {result}", " at "),
    Relation("MFU of tokens a second", M.MFU,
        _of(M.ACTIVE_PARAMETERS, M.DEVICE_THROUGHPUT, per=(M.PEAK,)), mfu_of_tokens, _PALM),
    Relation("HFU of a rate", M.DEVICE_FLOPS, _of(M.PEAK, M.HFU), always(0.62, 1.1), _KORTHIKANTI,
        "{terms} come to {result}", " at "),
    Relation("HFU over MFU", M.HFU, _of(M.MFU), always(0.98, 1.5, 1.33), _KORTHIKANTI),
    Relation("FLOPs a second of all", M.TOTAL_FLOPS, _of(M.GPUS, M.DEVICE_FLOPS),
        always(0.85, 1.15), _BY_DEFINITION),
    # Time and money
    Relation("device time", M.DEVICE_TIME, _of(M.GPUS, M.DURATION), device_time, _BY_DEFINITION,
        joint=" for "),
    Relation("time of all steps", M.DURATION, _of(M.STEPS, M.STEP_TIME),
        unless((C.STAGED,), 0.75, IDLE_IN_STEPS), _BY_DEFINITION, joint=" at "),
    Relation("time of the micro-batches", M.STEP_TIME, _of(M.MICRO_STEP_TIME, M.ACCUMULATION),
        always(0.85, math.inf), _BY_DEFINITION),
    Relation("cost of tokens", M.COST, _of(M.GENERATED_TOKENS, M.TOKEN_PRICE),
        always(0.45, 2.5), _BY_DEFINITION, "{terms} cost {result}"),
    Relation("cost", M.COST, _of(M.DEVICE_TIME, M.PRICE), always(0.75, 1.6), _BY_DEFINITION,
        "{terms} cost {result}"),
    # Rates
    Relation("rate of all", M.THROUGHPUT, _of(M.GPUS, M.DEVICE_THROUGHPUT), always(0.82, 1.2),
        _BY_DEFINITION),
    Relation("rate of a step", M.BATCH_TOKENS, _of(M.THROUGHPUT, M.STEP_TIME),
        unless((C.RAMPED,), 0.7, 1.4), _BY_DEFINITION),
    Relation("tokens at a rate", M.TOKENS, _of(M.THROUGHPUT, M.DURATION),
        unless((C.STAGED,), 1 / IDLE_IN_STEPS, 1.25),
        _BY_DEFINITION, joint=" for "),
    Relation("sequences at a rate", M.BATCH_SEQUENCES, _of(M.SAMPLE_RATE, M.STEP_TIME),
        always(0.75, 1.3), _BY_DEFINITION),
    Relation("tokens of sequences at a rate", M.THROUGHPUT, _of(M.SAMPLE_RATE, M.SEQUENCE_LENGTH),
        sequence_tokens, _BY_DEFINITION),
    # Tokens and batches
    Relation("tokens of all steps", M.TOKENS, _of(M.BATCH_TOKENS, M.STEPS),
        unless((C.STAGED,), 0.8, 1.25),
        _BY_DEFINITION),
    Relation("tokens of a batch", M.BATCH_TOKENS, _of(M.BATCH_SEQUENCES, M.SEQUENCE_LENGTH),
        sequence_tokens, _BY_DEFINITION),
    Relation("sequences of a batch", M.BATCH_SEQUENCES,
        _of(M.MICRO_BATCH, M.ACCUMULATION, M.DATA_PARALLEL), always(0.97, 1.03), _BY_DEFINITION),
    Relation("sequences of the pipelines", M.BATCH_SEQUENCES,
        _of(M.MICRO_BATCH, M.MICRO_BATCHES, M.DATA_PARALLEL), always(0.97, 1.03), _BY_DEFINITION),
    Relation("ranks", M.DATA_PARALLEL, _of(M.GPUS), ranks, _BY_DEFINITION),
    Relation("layers of the stages", M.LAYERS, _of(M.PIPELINE_STAGES, M.STAGE_LAYERS),
        always(0.93, 1.07), _BY_DEFINITION),
    Relation("rate of the nodes", M.THROUGHPUT, _of(M.NODE_THROUGHPUT, M.NODES),
        always(0.8, 1.2), _BY_DEFINITION),
    Relation("rate of a node", M.NODE_THROUGHPUT, _of(M.DEVICE_THROUGHPUT, M.NODE_GPUS),
        always(0.8, 1.2), _BY_DEFINITION),
    Relation("price of a node", M.NODE_PRICE, _of(M.PRICE, M.NODE_GPUS), always(0.8, 1.25),
        _BY_DEFINITION),
    Relation("whole layers", M.LAYERS, (), whole_layers, "every stage holds as many",
        "{terms} of as many layers allow {result}"),
    Relation("nodes", M.GPUS, _of(M.NODES, M.NODE_GPUS), always(0.97, 1.03), _BY_DEFINITION),
    Relation("epochs", M.TOKENS, _of(M.DATASET_TOKENS, M.EPOCHS), epochs, _BY_DEFINITION),
    Relation("steps of the examples", M.STEPS, _of(M.EXAMPLES, M.EPOCHS, per=(M.BATCH_SEQUENCES,)),
        steps_of_examples, _BY_DEFINITION),
    Relation("tokens of the examples", M.DATASET_TOKENS, _of(M.EXAMPLES, M.EXAMPLE_LENGTH),
        always(0.75, 1.3), _BY_DEFINITION),
    Relation("tokens of the documents", M.DATASET_TOKENS, _of(M.DOCUMENTS, M.DOCUMENT_LENGTH),
        always(0.75, 1.3), _BY_DEFINITION),
    Relation("bytes of the documents", M.DATA_SIZE, _of(M.DOCUMENTS, M.DOCUMENT_BYTES),
        lambda run: Ratio(0.1 if run.has(C.COMPRESSED) else 0.7, 1.4, 1.0), _BY_DEFINITION),
    Relation("bytes of the text", M.DATA_SIZE, _of(M.DATASET_TOKENS, M.TOKEN_BYTES),
        lambda run: Ratio(0.15 if run.has(C.COMPRESSED) else 0.85, 1.25, 1.0),
        "measured: 3 to 5 bytes of English text a token"),
    Relation("token ids of their width", M.TOKENISED_SIZE, _of(M.DATASET_TOKENS, M.ID_BYTES),
        always(0.9, 1.15), _BY_DEFINITION),
    Relation("ids of the vocabulary", M.VOCABULARY, (),
        partial(computed, M.ID_BYTES, lambda b: 0.0, lambda b: 256.0**min(b, 8)),
        "so many bytes tell 256 to that power apart", "{terms} allow {result}"),
    Relation("bytes of the token ids", M.TOKENISED_SIZE, _of(M.DATASET_TOKENS),
        always(1.7, 9.0, 2.0), "two, four or eight bytes an id"),
    # Size of the model
    Relation("parameters of the layers", M.PARAMETERS, (), model_size, _KAPLAN),
    Relation("parameters of the experts", M.PARAMETERS, (), expert_size, _BY_DEFINITION),
    Relation("embeddings", M.PARAMETERS, _of(M.VOCABULARY, M.WIDTH),
        lambda run: Ratio(1.9 if run.has(C.UNTIED) else 0.95, math.inf, 1.0 + run.has(C.UNTIED)),
        _BY_DEFINITION, "{terms} alone make {result}"),
    Relation("active experts", M.ACTIVE_PARAMETERS,
        _of(M.PARAMETERS, M.ACTIVE_EXPERTS, per=(M.EXPERTS,)), always(0.9, math.inf),
        _BY_DEFINITION),
    Relation("all experts", M.PARAMETERS, _of(M.EXPERTS, M.EXPERT_PARAMETERS),
        always(0.95, math.inf), _BY_DEFINITION, "{terms} alone make {result}"),
    Relation("experts of a token", M.ACTIVE_PARAMETERS,
        _of(M.ACTIVE_EXPERTS, M.EXPERT_PARAMETERS), always(0.95, math.inf), _BY_DEFINITION,
        "{terms} alone make {result}"),
    Relation("width of the heads", M.WIDTH, _of(M.HEADS, M.HEAD_WIDTH), always(0.45, 2.1),
        _BY_DEFINITION),
    Relation("grouped queries", M.KV_HEADS, _of(M.HEADS), always(0.0, 1.0), _GQA),
    # Adapters
    Relation("share trained", M.TRAINABLE_PARAMETERS, _of(M.PARAMETERS, M.TRAINABLE_SHARE),
        always(0.85, 1.15), _BY_DEFINITION),
    Relation("adapters of the layers", M.TRAINABLE_PARAMETERS, _of(M.RANK, M.LAYERS, M.WIDTH),
        when((C.ADAPTERS,), *PER_RANK, 8.0), _LORA),
    Relation("adapters of the model", M.TRAINABLE_PARAMETERS,
        ((M.RANK, 1.0), (M.PARAMETERS, 2 / 3)),
        when((C.ADAPTERS,), SHAPE[0] * PER_RANK[0], SHAPE[1] * PER_RANK[1], 0.72),
        _LORA, "rank {terms} makes at most about {result}"),
    Relation("saved adapters", M.ADAPTER_SIZE, _of(M.TRAINABLE_PARAMETERS),
        always(0.9, 18.0, 2.0), _BY_DEFINITION),
    # Memory of weights and states
    Relation("weights", M.WEIGHT_TOTAL, _of(M.PARAMETERS, M.WEIGHT_BYTES),
        lambda run: Ratio(0.93, 1.35 if run.has(C.LEAN) else 1.12, 1.0), _ZERO),
    Relation("gradients", M.GRADIENT_TOTAL, _of(M.PARAMETERS), gradient_bytes, _ZERO),
    Relation("optimizer states", M.OPTIMIZER_TOTAL, _of(M.PARAMETERS), optimizer_bytes, _ZERO),
    Relation("states", M.STATE_TOTAL, _of(M.PARAMETERS, M.STATE_BYTES), states,
        _ZERO, "weights, gradients and optimizer states of {terms} take {result}"),
    Relation("weights and gradients on each rank", M.STATE_MEMORY, _of(M.PARAMETERS), kept_whole,
        _ZERO, "weights and gradients of {terms} take {result} on each device"),
    Relation("states on a device", M.STATE_MEMORY, _of(M.STATE_TOTAL), share_of_states, _ZERO,
        "{terms} leave {result} on each device"),
    Relation("weights on a device", M.WEIGHT_MEMORY, _of(M.WEIGHT_TOTAL), share_of_weights,
        _ZERO, "{terms} leave {result} on each device"),
    *(Relation(f"room for {measure.replace('_', ' ')}", M.USED_MEMORY, _of(measure),
        unless((C.OFFLOADED,), 0.95, math.inf), _BY_DEFINITION, "") for measure in HELD),
    Relation("room for all of it", M.USED_MEMORY, (), parts_held, _BY_DEFINITION),
    Relation("room", M.USED_MEMORY, _of(M.GPU_MEMORY),
        unless((C.FAILED, C.OFFLOADED), 0.0, 1.0), _BY_DEFINITION,
        "each device has {result}"),
    # Activations
    Relation("activations", M.ACTIVATION_MEMORY,
        _of(M.LAYERS, M.WIDTH, M.MICRO_BATCH, M.SEQUENCE_LENGTH), activation_bytes,
        _KORTHIKANTI),
    Relation("attention scores of all layers", M.SCORE_MEMORY,
        ((M.LAYERS, 1.0), (M.MICRO_BATCH, 1.0), (M.HEADS, 1.0), (M.SEQUENCE_LENGTH, 2.0)),
        scores_of_all, _KORTHIKANTI, "{terms} (length squared) make {result}"),
    Relation("attention scores", M.SCORE_MEMORY,
        ((M.MICRO_BATCH, 1.0), (M.HEADS, 1.0), (M.SEQUENCE_LENGTH, 2.0)), score_bytes,
        _KORTHIKANTI),
    Relation("attention scores of a layer", M.LAYER_SCORE_MEMORY,
        ((M.MICRO_BATCH, 1.0), (M.HEADS, 1.0), (M.SEQUENCE_LENGTH, 2.0)), always(0.95, 6.5, 2.0),
        _KORTHIKANTI, "{terms} (length squared) make {result}"),
    Relation("logits of their width", M.LOGIT_MEMORY,
        _of(M.MICRO_BATCH, M.SEQUENCE_LENGTH, M.VOCABULARY, M.LOGIT_BYTES), logits_whole,
        _BY_DEFINITION),
    Relation("logits", M.LOGIT_MEMORY, _of(M.MICRO_BATCH, M.SEQUENCE_LENGTH, M.VOCABULARY),
        logit_bytes, "two or four bytes a logit, and its gradient"),
    # KV cache
    Relation("cache of a token", M.TOKEN_CACHE,
        _of(M.LAYERS, M.KV_HEADS, M.HEAD_WIDTH, M.CACHE_BYTES), cached_heads, _GQA),
    Relation("cache of a token, latent", M.TOKEN_CACHE,
        _of(M.LAYERS, M.LATENT_WIDTH, M.CACHE_BYTES), when((C.LATENT,), 0.9, 1.35), _MLA),
    Relation("cache", M.CACHE_MEMORY, _of(M.TOKEN_CACHE, M.SEQUENCE_LENGTH, M.CACHED_SEQUENCES),
        lambda run: Ratio(0.75, 1.25 if run.of(M.CACHED_SEQUENCES) else math.inf, 1.0),
        _BY_DEFINITION),
    Relation("cache of all tokens", M.CACHE_MEMORY, _of(M.TOKEN_CACHE, M.CACHED_TOKENS),
        always(0.85, 1.2), _BY_DEFINITION),
    Relation("room for weights and cache", M.USED_MEMORY, (), served, _BY_DEFINITION,
        "{terms} take {result} on each device"),
    Relation("room for the cache", M.USED_MEMORY, _of(M.CACHE_MEMORY),
        lambda run: at_least(cache_share(run)), _BY_DEFINITION, "{terms} take {result}"),
    # Files
    Relation("checkpoint", M.CHECKPOINT_SIZE, _of(M.PARAMETERS), checkpoint_bytes, _ZERO),
    Relation("time in checkpoints", M.CHECKPOINT_OVERHEAD,
        _of(M.CHECKPOINT_TIME, per=(M.CHECKPOINT_INTERVAL,)), unless((C.OVERLAPPED,), 0.6, 1.25),
        _BY_DEFINITION),
    Relation("writing a checkpoint", M.CHECKPOINT_TIME,
        _of(M.CHECKPOINT_SIZE, per=(M.STORAGE_RATE,)), writing, _BY_DEFINITION),
    # Communication
    Relation("lanes of a slot", M.HOST_RATE, (),
        partial(computed, M.PCIE, lambda g: 0.0, lambda g: 1.03 * lanes(g)),
        "PCI Express base specifications 3.0 to 6.0", "{terms} allows {result}"),
    Relation("move to or from the host", M.HOST_TIME, _of(M.HOST_BYTES, per=(M.HOST_RATE,)),
        always(0.9, 5.0, 1.0), _BY_DEFINITION),
    Relation("gradients to reduce", M.MESSAGE_SIZE, _of(M.PARAMETERS),
        lambda run: None if run.of(M.MESSAGE_SIZE) else Ratio(1.9, 4.2, 2.0), _ZERO),
    Relation("all-reduce", M.ALL_REDUCE_TIME, _of(M.MESSAGE_SIZE, per=(M.BANDWIDTH,)),
        partial(ring, 2.0), _RING),
    Relation("all-gather", M.ALL_GATHER_TIME, _of(M.MESSAGE_SIZE, per=(M.BANDWIDTH,)),
        partial(ring, 1.0), _RING),
    Relation("bubble", M.BUBBLE, (), bubble, _MEGATRON, "{terms} leave a bubble of {result}"),
    # Rollouts
    Relation("rollouts", M.ROLLOUTS, _of(M.PROMPTS, M.GROUP_SIZE), always(0.97, 1.03),
        _BY_DEFINITION),
    Relation("prompts of all steps", M.RUN_PROMPTS, _of(M.PROMPTS, M.STEPS), always(0.8, 1.25),
        _BY_DEFINITION),
    Relation("tokens of the rollouts", M.ROLLOUT_TOKENS, _of(M.ROLLOUTS, M.RESPONSE_LENGTH),
        always(0.7, 1.35), _BY_DEFINITION),
    Relation("time to generate", M.GENERATION_TIME,
        _of(M.ROLLOUT_TOKENS, per=(M.GENERATION_RATE,)), always(0.7, 2.5), _BY_DEFINITION),
    Relation("rate of generating", M.GENERATION_RATE, _of(M.GPUS, M.DEVICE_THROUGHPUT),
        generating, _BY_DEFINITION),
    Relation("generating in a step", M.STEP_TIME, _of(M.GENERATION_TIME),
        unless((C.OVERLAPPED,), 0.95, math.inf), _BY_DEFINITION, "{terms} take {result}"),
    # Losses
    Relation("perplexity", M.PERPLEXITY, (),
        partial(computed, M.LOSS, lambda x: 0.97 * exponential(x - 0.06),
            lambda x: 1.03 * exponential(x + 0.06)),
        _BY_DEFINITION),
    Relation("loss at the start", M.FIRST_LOSS, (),
        partial(computed, M.VOCABULARY, lambda v: 0.9 * math.log(v), lambda v: 1.3 * math.log(v)),
        "uniform over the vocabulary: ln V"),
    Relation("loss in bits", M.LOSS_BITS, _of(M.LOSS),
        always(0.96 / math.log(2), 1.04 / math.log(2), 1 / math.log(2)), _BY_DEFINITION),
    Relation("bits per byte", M.BITS_PER_BYTE, _of(M.LOSS, per=(M.TOKEN_BYTES,)),
        always(0.9 / math.log(2), 1.1 / math.log(2), 1 / math.log(2)), _BY_DEFINITION),
    Relation("KL of log-probabilities", M.KL, (), difference, "Monte Carlo estimate of the KL"),
    Relation("KL of a response", M.SEQUENCE_KL, _of(M.KL, M.RESPONSE_LENGTH), always(0.6, 1.6),
        "chain rule of the KL"),
    Relation("KL of a change", M.SEQUENCE_KL, (), moved, "data processing inequality",
        "{terms} need {result}"),
    Relation("KL of the best of n", M.SEQUENCE_KL, (),
        partial(computed, M.BEST_OF, lambda n: 0.0, lambda n: best_of(n) + 0.1), _BON,
        "{terms} allow {result}"),
    Relation("what a KL can change", M.CHANGED_SHARE, ((M.KL, 0.5),),
        always(0.0, 1.15 * math.sqrt(0.5), math.sqrt(0.5)), _PINSKER,
        "{terms} can move {result}"),
    Relation("ceiling of the labels", M.ACCURACY, (),
        partial(computed, M.LABEL_AGREEMENT, lambda a: 0.0, lambda a: 1.03 * ceiling(a)),
        "annotators who err independently", "{terms} allow {result}"),
    Relation("ceiling of flipped labels", M.ACCURACY, (),
        partial(computed, M.LABEL_NOISE, lambda p: 0.0, lambda p: 1.02 * max(p, 1 - p) + 0.01),
        "a flipped label is met by luck alone", "{terms} allow {result}"),
    # Counts in one statement
    Relation("sum", M.TOTAL, (), added_up, _BY_DEFINITION),
    Relation("so many at so much", M.TOTAL, _of(M.TIMES, M.EACH), always(0.9, 1.11),
        _BY_DEFINITION),
    Relation("answers alike", M.OVERLAP, (), overlap, "inclusion and exclusion"),
    Relation("answers apart", M.CHANGED_SHARE, (), apart, "they differ only where one is wrong",
        "{terms} allow {result}"),
    Relation("kappa", M.KAPPA, (),
        partial(computed, M.LABEL_AGREEMENT, lambda a: 0.0, lambda a: a + 0.01),
        "agreement corrected for chance is no higher", "{terms} allow {result}"),
    Relation("pass@k", M.PASS_AT_K, _of(M.PASS_AT_1), always(0.98, math.inf), _BY_DEFINITION,
        "{terms} make pass@k {result}"),
    Relation("parts of a whole", M.PORTIONS, (), portions, _BY_DEFINITION),
    Relation("share", M.SHARE, (), part_of, _BY_DEFINITION),
    Relation("ratio", M.RATIO, (), ratio_of, _BY_DEFINITION),
    Relation("change", M.CHANGE, (), change_of, _BY_DEFINITION),
)
# fmt: on
