"""Figures as an examiner would say them."""

from __future__ import annotations

from itertools import groupby

from interviewer.grading.claims.claim import Claim, Measure
from interviewer.grading.claims.sentence import SECONDS

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
    """ "80 GB", "1.12 TB"."""
    return f"{size / 1e12:.3g} TB" if size >= 1e12 else f"{size / 1e9:.3g} GB"


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


def stated(claim: Claim) -> str:
    """The claim's value with the usual unit of its measure."""
    if claim.measure in (Measure.DURATION, Measure.STEP_TIME):
        return _time_in(claim.value, claim.unit.removesuffix("s"))
    if claim.measure in (Measure.GPU_MEMORY, Measure.STATE_MEMORY, Measure.STATE_TOTAL):
        return memory(claim.value)
    if claim.measure is Measure.MFU:
        return share(claim.value)
    if claim.measure is Measure.GPUS:
        return devices(claim)
    if claim.measure is Measure.THROUGHPUT and claim.unit != "tokens/s":
        per = claim.unit.removeprefix("tokens/")
        return f"{count(claim.value * SECONDS[per])} tokens a {per}"
    return f"{count(claim.value)} {_noun(claim)}".strip()


def _noun(claim: Claim) -> str:
    nouns = {
        Measure.ACTIVE_PARAMETERS: "active parameters",
        Measure.BATCH_TOKENS: "tokens a step",
        Measure.BATCH_SEQUENCES: "sequences a step",
        Measure.SEQUENCE_LENGTH: "tokens a sequence",
        Measure.MICRO_BATCH: "sequences a micro-batch",
        Measure.ACCUMULATION: "accumulation steps",
        Measure.DATASET_TOKENS: "tokens in the dataset",
        Measure.EXAMPLES: "examples",
        Measure.DATA_PARALLEL: "data-parallel ranks",
        Measure.THROUGHPUT: "tokens a second",
        Measure.DEVICE_THROUGHPUT: "tokens a second on each device",
    }
    noun = nouns.get(claim.measure, claim.unit)
    return noun[:-1] if claim.value == 1 and noun.endswith("s") else noun


def stated_all(claims: tuple[Claim, ...], joint: str = " × ") -> str:
    """The claims' values in order; several of one measure are joined by "and"."""
    groups = groupby(claims, key=lambda claim: claim.measure)
    return joint.join(" and ".join(map(stated, group)) for _, group in groups)
