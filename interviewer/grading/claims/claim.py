"""Claims about training runs, and the ledger of all claims in a session."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from interviewer.rubric.text import Span


class Measure(StrEnum):
    """What a number measures. Values are kept in the base unit given here."""

    PARAMETERS = "parameters"
    ACTIVE_PARAMETERS = "active_parameters"
    TOKENS = "tokens"
    """Seen in training."""
    DATASET_TOKENS = "dataset_tokens"
    EXAMPLES = "examples"
    """In the dataset of a fine-tuning run."""
    EPOCHS = "epochs"
    BATCH_SEQUENCES = "batch_sequences"
    BATCH_TOKENS = "batch_tokens"
    """Tokens a step."""
    MICRO_BATCH = "micro_batch"
    """Sequences that one rank processes at a time."""
    ACCUMULATION = "accumulation"
    """Micro-batches that one rank accumulates before a step."""
    DATA_PARALLEL = "data_parallel"
    """Ranks that each see different data."""
    SEQUENCE_LENGTH = "sequence_length"
    STEPS = "steps"
    STEP_TIME = "step_time"
    """Seconds."""
    DURATION = "duration"
    """Seconds of wall time."""
    DEVICE_TIME = "device_time"
    """Seconds summed over all devices, as in "GPU hours"."""
    GPUS = "gpus"
    """A count; the claim's ``unit`` is the type, if one was named."""
    GPU_MEMORY = "gpu_memory"
    """Bytes that one device has."""
    STATE_MEMORY = "state_memory"
    """Bytes of weights, gradients and optimizer states; ``unit`` is "per device" or "in total"."""
    MFU = "mfu"
    """0..1."""
    THROUGHPUT = "throughput"
    """Tokens a second, of all devices together."""
    DEVICE_THROUGHPUT = "device_throughput"
    """Tokens a second of one device."""
    LEARNING_RATE = "learning_rate"


class ConsistencyCheck(StrEnum):
    """The arithmetic by which claims are checked against each other."""

    COMPUTE = "compute"
    MEMORY = "memory"
    TOKENS = "tokens"
    DURATION = "duration"
    BATCH = "batch"
    THROUGHPUT = "throughput"
    EPOCHS = "epochs"


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
class Contradiction:
    """Claims that cannot all be true. ``sentence`` states the arithmetic, addressed to "you"."""

    check: ConsistencyCheck
    sentence: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True)
class Ledger:
    """The claims that stand, those retracted, and the contradictions among those that stand."""

    claims: tuple[Claim, ...] = ()
    retracted: tuple[Claim, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
