"""The factors of the relations, by what was said of the run.

Their two ends hold what honest counting leaves open: attention beside the matrix products, hours
idle, "4k" for 4,096.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from interviewer.grading.claims.circumstances import Circumstance as C
from interviewer.grading.claims.circumstances import Stage
from interviewer.grading.claims.claim import Claim
from interviewer.grading.claims.claim import Measure as M
from interviewer.grading.claims.run import Bounds, Run


@dataclass(frozen=True)
class Ratio:
    """The factor of a relation: its bounds, its usual value, and the claims that it rests on.

    One that is computed from the stated numbers themselves goes one way: it gives the result only.
    """

    low: float
    high: float
    value: float
    claims: tuple[Claim, ...] = ()
    is_one_way: bool = False


def always(low: float, high: float, value: float = 1.0) -> Callable[[Run], Ratio]:
    """The same bounds whatever was said."""
    ratio = Ratio(low, high, value)
    return lambda run: ratio


def unless(
    circumstances: tuple[C, ...], low: float, high: float, value: float = 1.0
) -> Callable[[Run], Ratio | None]:
    """Nothing follows where one of these was stated."""
    ratio = Ratio(low, high, value)
    return lambda run: None if run.has(*circumstances) else ratio


def when(
    circumstances: tuple[C, ...], low: float, high: float, value: float = 1.0
) -> Callable[[Run], Ratio | None]:
    """Only where one of these was stated."""
    ratio = Ratio(low, high, value)
    return lambda run: ratio if run.has(*circumstances) else None


IDLE = 1.5
"""Time on the calendar over time at work, where nothing went wrong."""
IDLE_IN_STEPS = 3.0
"""The same over steps × time: restarts, queues, evaluations."""
_FEW_TOKENS = 1e12
"""No stage after pre-training sees as many."""


def flops(run: Run) -> Ratio:
    """Operations a parameter and token: 2 forward, 4 backward, and attention on top."""
    if run.has(C.FORWARD_ONLY, C.FROZEN):
        return Ratio(1.7, 7.5, 2.0)
    if run.has(C.ADAPTERS):
        return Ratio(3.4, 7.5, 4.0)
    return Ratio(5.3, max(7.2, 6.3 * (1 + _attention(run))), 6.0)


_USUAL_LENGTH = 4096.0


def _attention(run: Run) -> float:
    """Operations of the attention scores over those of the weights: length / (6 · width)."""
    length, width = run.bounds(M.SEQUENCE_LENGTH), run.bounds(M.WIDTH)
    size = run.bounds(M.ACTIVE_PARAMETERS) or run.bounds(M.PARAMETERS)
    wide = width.low if width else 2.1 * size.low ** (1 / 3) if size else math.inf
    return (length.high if length else _USUAL_LENGTH) / (6 * max(wide, 64.0))


def mfu_of_tokens(run: Run) -> Ratio | None:
    """Operations of a token; a stated share may be one of a time with stops in it."""
    if not run.of(M.MFU):
        return None
    counted = flops(run)
    return Ratio(counted.low / 1.4, counted.high * 1.03, counted.value, is_one_way=True)


def run_flops(run: Run) -> Ratio | None:
    tokens = run.bounds(M.TOKENS)
    is_later = run.stage not in (None, Stage.PRETRAINING)
    if tokens and is_later and tokens.high >= _FEW_TOKENS:
        return None  # these are the base model's tokens
    return flops(run)


def reached(run: Run) -> Ratio:
    """Operations done over those that the stated utilisation allows: idle hours are not counted."""
    idle = IDLE_IN_STEPS if run.has(C.FAILED, C.PARTIAL) else IDLE
    uncounted = max(0.0, _attention(run) - _LITTLE)  # some count attention in one of the two only
    return Ratio(1 / (idle * (1 + uncounted)), 1.1, 1.0)


_LITTLE = 0.17
"""Attention over the weights' operations in a 7B at 4,096 tokens."""


def device_time(run: Run) -> Ratio | None:
    """A bill of device hours may leave out idle ones; a product of two figures does not."""
    if run.has(C.STAGED):
        return None
    return Ratio(1 / IDLE, 1.12, 1.0) if run.of(M.DEVICE_TIME) else Ratio(1.0, 1.0, 1.0)


def active(run: Run) -> Ratio:
    return Ratio(0.004, 1.0, 1.0) if run.has(C.EXPERTS) else Ratio(1.0, 1.0, 1.0)


def _degree(run: Run, *parallelisms: M) -> tuple[float, tuple[Claim, ...]]:
    """The product of the stated degrees, and the claims behind it."""
    stated = [bounds for measure in parallelisms if (bounds := run.exact(measure))]
    claims = tuple(claim for each in stated for claim in each.claims)
    return math.prod(each.high for each in stated), claims


def ranks(run: Run) -> Ratio:
    """Data-parallel ranks over devices: one over the degrees of the other parallelisms."""
    degree, claims = _degree(run, M.TENSOR_PARALLEL, M.PIPELINE_STAGES, M.CONTEXT_PARALLEL)
    is_told = run.of(M.TENSOR_PARALLEL) and (run.of(M.PIPELINE_STAGES) or not run.has(C.SPLIT))
    is_open = run.has(C.SPLIT) if not claims else not (is_told and run.of(M.DATA_PARALLEL))
    if not claims and (run.of(M.DATA_PARALLEL) or not run.of(M.MICRO_BATCH)):
        is_open = True
    high = math.inf if is_open else degree
    return Ratio(1 / high, 1 / degree, 1 / degree, claims)


def _is_short(run: Run) -> bool:
    """Sequences of examples, not packed, are shorter than the longest allowed."""
    return run.stage not in (None, Stage.PRETRAINING, Stage.CONTINUED) and not run.has(C.PACKED)


def sequence_tokens(run: Run) -> Ratio:
    return Ratio(0.02 if _is_short(run) else 0.93, 1.08, 1.0)


def _is_even(run: Run) -> bool:
    """All of the data was seen equally often."""
    return not run.has(C.PARTIAL) and len({s.claim.value for s in run.of(M.EPOCHS)}) <= 1


def steps_of_examples(run: Run) -> Ratio | None:
    """Steps over what the examples would fill; packed, they fill far fewer."""
    return Ratio(0.02 if run.has(C.PACKED) else 0.5, 1.9, 1.0) if _is_even(run) else None


def epochs(run: Run) -> Ratio | None:
    """Tokens seen over the dataset's times the epochs."""
    return Ratio(0.7, 1.35, 1.0) if _is_even(run) else None


# Memory

_KEPT = {C.ZERO_1: 4.0, C.ZERO_2: 2.0}
"""Bytes of sixteen that each rank keeps whole."""


def is_lean(run: Run) -> bool:
    """States are no sixteen bytes a parameter; two models of PPO's four are always frozen."""
    return run.has(*(each for each in LEAN if each is not C.FROZEN or not run.has(C.FOUR_MODELS)))


def states(run: Run) -> Ratio | None:
    """Of one model; where four are held, a stated total may be of all."""
    if is_lean(run) or (run.has(C.FOUR_MODELS) and run.of(M.STATE_BYTES)):
        return None
    return Ratio(0.95, 1.1, 1.0)


LEAN = (C.ADAPTERS, C.FROZEN, C.LEAN, C.OFFLOADED, C.FAILED)
"""With one of these, states are no sixteen bytes a parameter."""


def share_of_states(run: Run) -> Ratio | None:
    """The part of all states that lies on one device."""
    if run.has(C.OFFLOADED):
        return None
    split = run.has(C.SHARDED, C.SPLIT)
    stage = next((stage for stage in _KEPT if run.has(stage)), None)
    if run.has(C.UNSHARDED) and not split and stage is None:
        return Ratio(1.0, 1.0, 1.0)
    devices = run.bounds(M.GPUS) or run.bounds(M.DATA_PARALLEL)
    if devices is None or math.isinf(devices.high):
        return None
    kept = _KEPT[stage] / 16 if stage and not split else 0.0
    least = kept + (1 - kept) / max(1.0, devices.high)
    is_fixed = stage is not None or (run.has(C.SHARDED) and not run.has(C.UNSHARDED))
    most = max(least * 1.1, 0.14) if is_fixed else 1.0  # hybrid sharding stays within a node
    return Ratio(least * 0.98, most, least, devices.claims)


def kept_whole(run: Run) -> Ratio | None:
    """Bytes a parameter of the weights and gradients that the first stages of ZeRO do not split."""
    is_split = run.has(C.SHARDED, C.SPLIT, *LEAN)
    if is_split or run.has(C.FORWARD_ONLY, C.ADAM, C.FULL) or not run.has(C.ZERO_1, C.ZERO_2):
        return None
    low = 1.9 if run.has(C.ZERO_2) else 3.8
    return Ratio(low, 18.5, low / 0.95)


def share_of_weights(run: Run) -> Ratio | None:
    """The part of all weights that lies on one device; the first stages of ZeRO split none."""
    if run.has(C.OFFLOADED):
        return None
    if run.has(C.UNSHARDED, *_KEPT) and not run.has(C.SHARDED, C.SPLIT):
        return Ratio(1.0, 1.0, 1.0)
    degree, claims = _degree(run, M.TENSOR_PARALLEL, M.PIPELINE_STAGES)
    devices = run.bounds(M.GPUS)
    if claims and (devices is None or run.has(C.FORWARD_ONLY)):
        least = 1 / degree
        return Ratio(least * 0.95, least * 1.25, least, claims)
    if devices is None or math.isinf(devices.high):
        return None
    return _spread_over(devices)


def _spread_over(devices: Bounds) -> Ratio:
    """From an even share of these devices to all of it on one."""
    least = 1 / max(1.0, devices.high)
    return Ratio(0.97 * least, 1.0, least, devices.claims)


def gradient_bytes(run: Run) -> Ratio | None:
    """A gradient is kept in two or four bytes."""
    if run.has(C.ADAPTERS, C.FROZEN):
        return None
    return Ratio(0.95 if run.has(C.LEAN) else 1.9, 4.2, 2.0)


def optimizer_bytes(run: Run) -> Ratio | None:
    """Two moments and a master copy in FP32 are twelve bytes."""
    if run.has(C.ADAPTERS, C.FROZEN):
        return None
    if run.has(C.LEAN) or not run.has(C.ADAM, C.FULL):
        return Ratio(0.9, 12.8, 12.0)
    return Ratio(7.6 if run.has(C.ADAM) else 3.8, 12.8, 12.0)


def parts_held(run: Run) -> Ratio | None:
    """The stated parts of one device's memory, added up."""
    parts = [
        bounds
        for measure in HELD
        if measure is not M.STATE_MEMORY and (bounds := run.bounds(measure))
    ]
    if len(parts) < 2 or run.of(M.STATE_MEMORY):
        return None
    low = sum(each.low for each in parts)
    claims = tuple(claim for each in parts for claim in each.claims)
    return Ratio(low * 0.93, math.inf, low, claims, is_one_way=True)


HELD = (
    *(M.STATE_MEMORY, M.WEIGHT_MEMORY, M.GRADIENT_MEMORY, M.OPTIMIZER_MEMORY),
    *(M.ACTIVATION_MEMORY, M.SCORE_MEMORY, M.LOGIT_MEMORY),
)


def activation_bytes(run: Run) -> Ratio | None:
    """Bytes a layer, token and channel of the residual stream: 34 in FP16, 2 if recomputed.

    Recomputing is so usual that it need not be said.
    """
    split, claims = _degree(run, M.TENSOR_PARALLEL, M.CONTEXT_PARALLEL, M.PIPELINE_STAGES)
    if run.has(C.SPLIT) and not claims:
        return None
    low = 8.0 if run.has(C.STORED) and not run.has(C.RECOMPUTED, C.OFFLOADED) else 0.05
    if run.has(C.RECOMPUTED) and run.has(C.UNSHARDED) and not run.has(C.OFFLOADED):
        low = 0.4
    high = math.inf if not run.has(C.FUSED_ATTENTION, C.RECOMPUTED) else 90.0
    return Ratio(low / split, high, (2.0 if run.has(C.RECOMPUTED) else 34.0) / split, claims)


def score_bytes(run: Run) -> Ratio | None:
    """Of one layer, or of all of them; scores, their softmax and the dropout mask.

    That none are stored is so usual that it need not be said.
    """
    if not run.of(M.SCORE_MEMORY):
        return None
    layers, split = run.bounds(M.LAYERS), run.bounds(M.TENSOR_PARALLEL)
    ranks = split.high if split else 1.0
    return Ratio(0.95 / ranks, 6.5 * (layers.high if layers else 200.0), 2.0)


def scores_of_all(run: Run) -> Ratio | None:
    """Where it was said that the scores of all layers are stored."""
    if not run.has(C.PLAIN_ATTENTION) or run.has(C.SPLIT, C.RECOMPUTED, C.OFFLOADED, C.FAILED):
        return None
    degree, claims = _degree(run, M.TENSOR_PARALLEL)
    return Ratio(0.95 / degree, 6.5 / degree, 2.0 / degree, claims)


def logits_whole(run: Run) -> Ratio | None:
    """All logits of a micro-batch at once, and perhaps their gradient and a copy."""
    if run.has(C.SPLIT, C.OFFLOADED):
        return None
    degree, claims = _degree(run, M.TENSOR_PARALLEL)
    return Ratio(0.95 / degree, 4.2 / degree, 1.0 / degree, claims)


def logit_bytes(run: Run) -> Ratio | None:
    """Two or four bytes a logit, and as many for its gradient; tensor ranks share them."""
    split = run.bounds(M.TENSOR_PARALLEL)
    if run.has(C.SPLIT) and split is None:
        return None
    return Ratio(1.8 / (split.high if split else 1.0), 16.5, 4.0, split.claims if split else ())


def whole_layers(run: Run) -> Ratio | None:
    """The nearest number of layers that stages of equal size can hold."""
    stages, layers = run.exact(M.PIPELINE_STAGES), run.exact(M.LAYERS)
    if stages is None or layers is None or not run.has(C.EVEN_STAGES):
        return None
    held = stages.high * max(1, round(layers.high / stages.high))
    return Ratio(held * 0.999, held * 1.001, held, stages.claims, is_one_way=True)


def cached_heads(run: Run) -> Ratio | None:
    """Keys and values of every KV head; without grouped queries there is one for each head."""
    return None if run.has(C.LATENT) else Ratio(1.9, 2.1, 2.0)


def served(run: Run) -> Ratio | None:
    """Weights and cache of a model that serves, spread evenly over its devices."""
    stated = [
        run.exact(m)
        for m in (
            *(M.PARAMETERS, M.WEIGHT_BYTES, M.LAYERS, M.KV_HEADS, M.HEAD_WIDTH, M.CACHE_BYTES),
            *(M.SEQUENCE_LENGTH, M.CACHED_SEQUENCES),
        )
    ]
    devices = run.exact(M.GPUS) or run.exact(M.TENSOR_PARALLEL)
    known = [each for each in stated if each]
    if devices is None or len(known) < len(stated) or run.has(C.OFFLOADED, C.LATENT, C.FAILED):
        return None
    weights = math.prod(each.low for each in known[:2])
    cache = 2 * math.prod(each.low for each in known[2:])
    claims = tuple(claim for each in (*known, devices) for claim in each.claims)
    least = (0.9 * weights + 0.8 * cache) / devices.high
    whole = (weights + cache) / devices.high
    return Ratio(least, math.inf, whole, claims, is_one_way=True)


def cache_share(run: Run) -> Ratio | None:
    """The part of the cache that lies on one device."""
    devices = run.bounds(M.TENSOR_PARALLEL) or run.bounds(M.GPUS)
    return _spread_over(devices) if devices else None


# Sizes


def model_size(run: Run) -> Ratio | None:
    """Attention and MLP matrices of all layers, and the embeddings.

    Attention takes 2 to 4 width² (fewer with grouped queries), a plain MLP 2 and a gated one 3
    width × inner width.
    """
    layers, width = run.exact(M.LAYERS), run.exact(M.WIDTH)
    if layers is None or width is None or run.has(C.EXPERTS):
        return None
    inner, claims = run.exact(M.FFN_WIDTH), [*layers.claims, *width.claims]
    if inner is None:
        low, high, value = 8.0, 17.0, 12.0
    else:
        claims += inner.claims
        wide = inner.high / width.high
        low, high, value = 2.0 + 1.95 * wide, 4.1 + 3.05 * wide, 3.5 + 2.8 * wide
    square = layers.high * width.high**2
    embeddings = 0.0
    if (vocabulary := run.exact(M.VOCABULARY)) is not None:
        embeddings = vocabulary.high * width.high
        claims += vocabulary.claims
    allowed = 2.1 * embeddings if embeddings else 0.35 * square * low + 2.2 * 2.6e5 * width.high
    return Ratio(
        low * square + 0.95 * embeddings,
        high * square + allowed,
        value * square + 1.5 * embeddings,
        tuple(claims),
        is_one_way=True,
    )


def expert_size(run: Run) -> Ratio | None:
    """The experts' matrices alone, two or three for each."""
    stated = [run.exact(m) for m in (M.LAYERS, M.WIDTH, M.FFN_WIDTH, M.EXPERTS)]
    size, claims = 1.0, list[Claim]()
    for each in stated:
        if each is None:
            return None
        size *= each.high
        claims += each.claims
    return Ratio(size, 3.6 * size + 2e10, 3.0 * size, tuple(claims), is_one_way=True)


PER_RANK = (1.3, 32.0)
"""Rows and columns of the adapted matrices over width: query and value alone, or all seven."""
SHAPE = (0.028, 0.055)
"""Layers × width over parameters^(2/3), from 0.5B to 405B."""


def checkpoint_bytes(run: Run) -> Ratio | None:
    """From the weights alone to all states and a copy."""
    if run.has(C.ADAPTERS):
        return None
    is_full = run.has(C.FULL_CHECKPOINT) and not run.has(C.WEIGHTS_ONLY)  # both kinds are kept
    low = 0.4 if run.has(C.LEAN) else 9.5 if is_full else 1.9
    return Ratio(low, 18.5, 14.0 if is_full else 2.0)


def writing(run: Run) -> Ratio | None:
    """Time over size / rate; the rate may be that of one node."""
    if run.has(C.OVERLAPPED):
        return None
    nodes = run.bounds(M.NODES) or run.bounds(M.GPUS)
    return Ratio(0.8 / (max(1.0, nodes.high) if nodes else 1.0), 6.0, 1.0)


# Communication and pipelines


def ring(passes: float, run: Run) -> Ratio | None:
    """A ring passes (n-1)/n of the message, twice for an all-reduce."""
    ranks = run.bounds(M.DATA_PARALLEL) or run.bounds(M.TENSOR_PARALLEL) or run.bounds(M.GPUS)
    count = ranks.high if ranks and ranks.high > 1 else 8.0
    part = passes * (count - 1) / count
    least = part / passes  # some say the traffic instead of the message
    return Ratio(0.8 * least, 15.0 * part, part)


def bubble(run: Run) -> Ratio | None:
    """(p-1)/(m+p-1) of the step, or (p-1)/m on top of it; by v with v chunks a stage."""
    stages, batches = run.exact(M.PIPELINE_STAGES), run.exact(M.MICRO_BATCHES)
    if stages is None or batches is None or run.has(C.ZERO_BUBBLE):
        return None
    chunks = run.exact(M.VIRTUAL_STAGES)
    idle = (stages.high - 1) / (chunks.high if chunks else 1.0)
    claims = (*stages.claims, *batches.claims, *(chunks.claims if chunks else ()))
    share, extra = idle / (batches.high + idle), idle / batches.high
    return Ratio(share * 0.85 - 0.004, extra * 2.5 + 0.02, share, claims, is_one_way=True)
