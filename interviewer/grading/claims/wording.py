"""Figures as an examiner would say them, and what they come to."""

from __future__ import annotations

from itertools import groupby

from interviewer.grading.claims.claim import PARTS, Claim, Measure
from interviewer.grading.claims.conversion import dimension
from interviewer.grading.claims.meanings import Unit
from interviewer.grading.units import HOUR, SECONDS

_SIZES = ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "KB"))
_SCALES = ((1e12, "T"), (1e9, "B"), (1e6, "M"))
_TIMES = (
    (2 * 7 * 86400.0, 7 * 86400.0, "weeks"),
    (2 * 86400.0, 86400.0, "days"),
    (3600.0, 3600.0, "hours"),
    (60.0, 60.0, "minutes"),
    (1.0, 1.0, "seconds"),
)
_LEAST_WITH_POWER = 1e15


def count(value: float) -> str:
    """ "7B", "1.4T", "64", "4,096", "5.9e22"."""
    if value >= _LEAST_WITH_POWER:
        return f"{value:.1e}".replace("e+", "e")
    for size, letter in _SCALES:
        if value >= size:
            return f"{value / size:.3g}{letter}"
    if value >= 10 and abs(value - round(value)) < 0.05:
        return f"{value:,.0f}"
    if value >= 1000:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.3g}"


def time(seconds: float) -> str:
    """ "2.5 days", "13.9 hours", "0.5 seconds"."""
    for least, size, unit in _TIMES:
        if seconds >= least:
            number = f"{seconds / size:.3g}"
            return f"{number} {unit[:-1] if number == '1' else unit}"
    return f"{seconds * 1000:.3g} milliseconds"


def _time_in(seconds: float, unit: str) -> str:
    """The time in the unit it was stated in, if that is a unit of time."""
    if unit not in SECONDS:
        return time(seconds)
    number = f"{seconds / SECONDS[unit]:.3g}"
    return f"{number} {unit if number == '1' else f'{unit}s'}"


def memory(size: float) -> str:
    """ "80 GB", "1.12 TB", "320 KB"."""
    scale, unit = next((each for each in _SIZES if size >= each[0]), (1.0, "bytes"))
    return f"{size / scale:.3g} {unit}"


def share(value: float) -> str:
    """ "45%", "3,480%"."""
    percent = value * 100
    return f"{percent:,.0f}%" if percent >= 10 else f"{percent:.2g}%"


def devices(claim: Claim) -> str:
    """ "64 A100s", "one H100"."""
    name = claim.unit if claim.unit != "GPUs" else "GPU"
    if claim.value == 1:
        return f"one {name}"
    return f"{claim.value:,.0f} {name}s"


def rate(value: float) -> str:
    """ "200 GB a second", bytes."""
    return f"{memory(value)} a second"


def amount(measure: Measure, value: float, unit: str = "") -> str:
    """A value of the measure in its usual unit; ``unit`` is the one that it was said in."""
    if measure in _TIMED:
        return _time_in(value, unit.removesuffix("s"))
    if measure in _SIZED:
        return f"{memory(value)} {_NOUNS.get(measure, '')}".strip()
    if measure in _SHARES:
        return f"{share(value)} {_NOUNS.get(measure, '')}".strip()
    if measure in (Measure.STORAGE_RATE, Measure.BANDWIDTH, Measure.HOST_RATE):
        return rate(value)
    if measure is Measure.DEVICE_TIME:
        return (
            f"{_round_hours(value / HOUR)} {'GPU' if unit == 'GPU hours' else unit or 'GPU'}-hours"
        )
    if measure is Measure.COST:
        return f"${count(value)}"
    if measure is Measure.PCIE:
        return f"PCIe {value:.0f} x16"
    if measure in (Measure.PRICE, Measure.NODE_PRICE):
        return f"${value * HOUR:.3g} an hour"
    if measure is Measure.THROUGHPUT and unit.startswith("tokens/") and unit != "tokens/s":
        per = unit.removeprefix("tokens/")
        return f"{count(value * SECONDS[per])} tokens a {per}"
    if measure in _MEMBERS:
        return _member(value, unit)
    noun = _NOUNS.get(measure, unit)
    if value == 1:
        first, *rest = noun.split(" ")
        noun = " ".join((first.removesuffix("s"), *rest))
    return f"{count(value)} {noun}".strip()


def _member(value: float, unit: str) -> str:
    """The member of a group in the unit that it was said in."""
    found, kind = dimension(unit)
    match kind:
        case Unit.SHARE:
            return share(value)
        case Unit.MONEY:
            return f"${count(value)}"
        case Unit.BYTES:
            return memory(value)
        case Unit.BYTE_RATE:
            return rate(value)
        case Unit.TIME:
            return f"{value / found.factor:.3g} {unit}"
        case Unit.OPERATIONS | Unit.OPERATION_RATE:
            return f"{count(value)} {'FLOP' if kind is Unit.OPERATIONS else 'FLOP/s'}"
        case _:
            noun = found.name.removesuffix("s") if value == 1 else found.name
            return f"{count(value)} {noun}".strip()


_MEMBERS = PARTS - {Measure.SHARE, Measure.CHANGE, Measure.RATIO, Measure.PORTION}


def stated(claim: Claim) -> str:
    """The claim's value with the usual unit of its measure."""
    if claim.measure is Measure.GPUS:
        return devices(claim)
    if claim.measure is Measure.DEVICE_TIME:
        return amount(claim.measure, claim.value)
    return amount(claim.measure, claim.value, claim.unit)


_TIMED = frozenset(
    (
        *(Measure.DURATION, Measure.STEP_TIME, Measure.CHECKPOINT_TIME, Measure.GENERATION_TIME),
        *(Measure.CHECKPOINT_INTERVAL, Measure.MICRO_STEP_TIME),
        *(Measure.ALL_REDUCE_TIME, Measure.ALL_GATHER_TIME, Measure.HOST_TIME),
    )
)
_SIZED = frozenset(
    (
        *(Measure.GPU_MEMORY, Measure.USED_MEMORY, Measure.STATE_MEMORY, Measure.WEIGHT_MEMORY),
        *(Measure.GRADIENT_MEMORY, Measure.OPTIMIZER_MEMORY, Measure.ACTIVATION_MEMORY),
        *(Measure.SCORE_MEMORY, Measure.LOGIT_MEMORY, Measure.CACHE_MEMORY, Measure.TOKEN_CACHE),
        *(Measure.ADAPTER_SIZE, Measure.WEIGHT_TOTAL, Measure.GRADIENT_TOTAL, Measure.STATE_TOTAL),
        *(Measure.LAYER_SCORE_MEMORY, Measure.OPTIMIZER_TOTAL, Measure.CHECKPOINT_SIZE),
        Measure.DATA_SIZE,
        *(Measure.TOKENISED_SIZE, Measure.MESSAGE_SIZE, Measure.DOCUMENT_BYTES),
        Measure.HOST_BYTES,
    )
)
_SHARES = frozenset(
    (
        *(Measure.MFU, Measure.HFU, Measure.BUBBLE, Measure.TRAINABLE_SHARE, Measure.CHANGED_SHARE),
        *(Measure.OVERLAP, Measure.PASS_AT_1, Measure.PASS_AT_K, Measure.CHECKPOINT_OVERHEAD),
        *(Measure.PORTION, Measure.PORTIONS, Measure.LABEL_NOISE),
        *(Measure.REFERENCE_SHARE, Measure.POLICY_SHARE),
        *(Measure.LABEL_AGREEMENT, Measure.ACCURACY, Measure.CHANCE, Measure.SHARE, Measure.CHANGE),
    )
)
_NOUNS = {
    **dict.fromkeys((Measure.RUN_FLOPS, Measure.STEP_FLOPS), "FLOP"),
    **dict.fromkeys((Measure.DEVICE_FLOPS, Measure.TOTAL_FLOPS, Measure.PEAK), "FLOP/s"),
    **dict.fromkeys((Measure.LOSS, Measure.FIRST_LOSS, Measure.KL), "nats a token"),
    **dict.fromkeys((Measure.WEIGHT_MEMORY, Measure.WEIGHT_TOTAL), "of weights"),
    **dict.fromkeys((Measure.GRADIENT_MEMORY, Measure.GRADIENT_TOTAL), "of gradients"),
    **dict.fromkeys((Measure.OPTIMIZER_MEMORY, Measure.OPTIMIZER_TOTAL), "of optimizer states"),
    **dict.fromkeys((Measure.STATE_MEMORY, Measure.STATE_TOTAL), "of states"),
    Measure.LAYER_SCORE_MEMORY: "of attention scores a layer",
    Measure.LOGIT_BYTES: "bytes a logit",
    Measure.KAPPA: "of kappa",
    Measure.LABEL_NOISE: "of labels flipped",
    Measure.REFERENCE_SHARE: "under the reference",
    Measure.POLICY_SHARE: "under the policy",
    Measure.EXPERT_PARAMETERS: "parameters an expert",
    Measure.NODE_THROUGHPUT: "tokens a second on each node",
    Measure.CACHED_TOKENS: "tokens in the cache",
    Measure.ID_BYTES: "bytes an id",
    Measure.RUN_PROMPTS: "prompts in all",
    Measure.MFU: "MFU",
    Measure.HFU: "HFU",
    Measure.BUBBLE: "of the step",
    Measure.ACCURACY: "accuracy",
    Measure.LABEL_AGREEMENT: "agreement",
    Measure.CHANGED_SHARE: "changed",
    Measure.CHANCE: "by chance",
    Measure.TRAINABLE_SHARE: "of the parameters",
    Measure.EXPERT_PARALLEL: "expert-parallel ranks",
    Measure.CONTEXT_PARALLEL: "context-parallel ranks",
    Measure.CHECKPOINT_SIZE: "a checkpoint",
    Measure.ADAPTER_SIZE: "of adapters",
    Measure.DATA_SIZE: "of text",
    Measure.TOKENISED_SIZE: "of token ids",
    Measure.ACTIVATION_MEMORY: "of activations",
    Measure.SCORE_MEMORY: "of attention scores",
    Measure.LOGIT_MEMORY: "of logits",
    Measure.CACHE_MEMORY: "of KV cache",
    Measure.TOKEN_CACHE: "of KV cache a token",
    Measure.PARAMETERS: "parameters",
    Measure.ACTIVE_PARAMETERS: "active parameters",
    Measure.TRAINABLE_PARAMETERS: "trainable parameters",
    Measure.TOKENS: "tokens",
    Measure.STEPS: "steps",
    Measure.EPOCHS: "epochs",
    Measure.BATCH_TOKENS: "tokens a step",
    Measure.BATCH_SEQUENCES: "sequences a step",
    Measure.SEQUENCE_LENGTH: "tokens a sequence",
    Measure.EXAMPLE_LENGTH: "tokens an example",
    Measure.MICRO_BATCH: "sequences a micro-batch",
    Measure.MICRO_BATCHES: "micro-batches",
    Measure.ACCUMULATION: "accumulation steps",
    Measure.DATASET_TOKENS: "tokens in the dataset",
    Measure.EXAMPLES: "examples",
    Measure.DATA_PARALLEL: "data-parallel ranks",
    Measure.TENSOR_PARALLEL: "tensor-parallel ranks",
    Measure.PIPELINE_STAGES: "pipeline stages",
    Measure.VIRTUAL_STAGES: "chunks a stage",
    Measure.THROUGHPUT: "tokens a second",
    Measure.DEVICE_THROUGHPUT: "tokens a second on each device",
    Measure.SAMPLE_RATE: "sequences a second",
    Measure.NODES: "nodes",
    Measure.NODE_GPUS: "GPUs a node",
    Measure.LAYERS: "layers",
    Measure.WIDTH: "wide",
    Measure.FFN_WIDTH: "wide in the MLP",
    Measure.HEADS: "heads",
    Measure.KV_HEADS: "KV heads",
    Measure.HEAD_WIDTH: "wide a head",
    Measure.VOCABULARY: "tokens of vocabulary",
    Measure.EXPERTS: "experts",
    Measure.ACTIVE_EXPERTS: "active experts",
    Measure.LATENT_WIDTH: "latent numbers",
    Measure.RANK: "",
    Measure.WEIGHT_BYTES: "bytes a weight",
    Measure.CACHE_BYTES: "bytes a number",
    Measure.STATE_BYTES: "bytes a parameter",
    Measure.CACHED_SEQUENCES: "sequences at once",
    Measure.TOKEN_BYTES: "bytes a token",
    Measure.STAGE_LAYERS: "layers a stage",
    Measure.GENERATED_TOKENS: "tokens",
    Measure.DOCUMENTS: "documents",
    Measure.DOCUMENT_LENGTH: "tokens a document",
    Measure.PROMPTS: "prompts a step",
    Measure.GROUP_SIZE: "responses a prompt",
    Measure.ROLLOUTS: "rollouts a step",
    Measure.RESPONSE_LENGTH: "tokens a response",
    Measure.ROLLOUT_TOKENS: "generated tokens a step",
    Measure.GENERATION_RATE: "generated tokens a second",
    Measure.LOSS_BITS: "bits a token",
    Measure.PERPLEXITY: "of perplexity",
    Measure.BITS_PER_BYTE: "bits a byte",
    Measure.SEQUENCE_KL: "nats a response",
    Measure.BEST_OF: "samples",
    Measure.RATIO: "times",
}


def _round_hours(hours: float) -> str:
    return f"{hours:,.0f}" if hours >= 10 else f"{hours:.2g}"


def stated_all(claims: tuple[Claim, ...], joint: str = " × ") -> str:
    """The claims' values in order; several of one measure are joined by "and"."""
    groups = groupby(claims, key=lambda claim: claim.measure)
    return joint.join(" and ".join(map(stated, group)) for _, group in groups)
