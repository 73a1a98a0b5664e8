"""An amount together with what it measures."""

from __future__ import annotations

from dataclasses import dataclass

from interviewer.grading.claims.claim import Measure
from interviewer.grading.claims.hardware import Device
from interviewer.grading.claims.sentence import SECONDS, Amount

PER_DEVICE, IN_TOTAL = "per device", "in total"
"""The units of memory that states take."""

_MEMORY = (Measure.GPU_MEMORY, Measure.STATE_MEMORY)
_UNITS = {
    Measure.PARAMETERS: "parameters",
    Measure.ACTIVE_PARAMETERS: "parameters",
    Measure.TOKENS: "tokens",
    Measure.DATASET_TOKENS: "tokens",
    Measure.EXAMPLES: "examples",
    Measure.EPOCHS: "epochs",
    Measure.BATCH_SEQUENCES: "sequences",
    Measure.BATCH_TOKENS: "tokens",
    Measure.MICRO_BATCH: "sequences",
    Measure.ACCUMULATION: "micro-batches",
    Measure.DATA_PARALLEL: "ranks",
    Measure.SEQUENCE_LENGTH: "tokens",
    Measure.STEPS: "steps",
    Measure.GPUS: "GPUs",
    Measure.MFU: "%",
    Measure.THROUGHPUT: "tokens/s",
    Measure.DEVICE_THROUGHPUT: "tokens/s",
    Measure.DEVICE_TIME: "GPU hours",
}


@dataclass(frozen=True)
class Measured:
    """An amount with its measure, at its place in a sentence in shorthand."""

    measure: Measure
    amount: Amount
    place: int
    start: int
    end: int
    unit: str
    device: Device | None = None


def unit_of(measure: Measure, amount: Amount, device: Device | None) -> str:
    """What was said to be counted: the device's name, "days", "tokens"."""
    if device is not None and measure is Measure.GPUS:
        return device.name
    if measure in _UNITS or not amount.unit:
        return _UNITS.get(measure, "")
    return f"{amount.unit}s" if measure not in _MEMORY and amount.unit in SECONDS else amount.unit
