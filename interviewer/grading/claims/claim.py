"""What a claim is, and what the ledger of a session's claims holds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from interviewer.rubric.text import Span


class Measure(StrEnum):
    """What a number is a number of. Values are kept in the base unit named here."""

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
    """Sequences that one rank works on at a time."""
    ACCUMULATION = "accumulation"
    """Micro-batches that one rank adds up before a step."""
    DATA_PARALLEL = "data_parallel"
    """Ranks that each see other data."""
    SEQUENCE_LENGTH = "sequence_length"
    STEPS = "steps"
    STEP_TIME = "step_time"
    """Seconds."""
    DURATION = "duration"
    """Seconds of wall time."""
    DEVICE_TIME = "device_time"
    """Seconds of all devices added up, as in "GPU hours"."""
    GPUS = "gpus"
    """A count; the type, where one was named, is the claim's ``unit``."""
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


class Sum(StrEnum):
    """Which arithmetic two or more claims are held against."""

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

    ``text`` is the candidate's wording, ``value`` is in the measure's base unit, ``unit`` names
    what was said ("A100", "days", "tokens"). ``turn`` and ``span`` place the words.
    """

    text: str
    measure: Measure
    value: float
    unit: str
    turn: int
    span: Span


@dataclass(frozen=True)
class Contradiction:
    """Claims that cannot be true together. ``sentence`` states the sum, addressed to "you"."""

    sum: Sum
    sentence: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True)
class Ledger:
    """All claims that stand, those given up since, and what does not add up among the first."""

    claims: tuple[Claim, ...] = ()
    retracted: tuple[Claim, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
