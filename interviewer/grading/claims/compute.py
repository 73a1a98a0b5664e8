"""Sums about operations: what a run needed against what its machines can give.

Training takes about 6·N·D operations for N parameters and D tokens: two a parameter and token
forwards, four backwards (Kaplan et al. 2020, "Scaling Laws for Neural Language Models", §2.1;
Hoffmann et al. 2022, "Training Compute-Optimal Large Language Models", appendix F). Only active
parameters count in a mixture of experts. Adapters need no gradients of the weights (4·N·D), frozen
layers not even those of activations (2·N·D). Attention comes on top, so the sums err in the
candidate's favour. The share of the peak that this makes is the MFU (Chowdhery et al. 2022).
"""

from __future__ import annotations

from collections.abc import Iterator

from interviewer.grading.claims import wording
from interviewer.grading.claims.circumstances import Circumstance, Stage
from interviewer.grading.claims.claim import Contradiction, Measure, Sum
from interviewer.grading.claims.counting import tokens_trained, wall_time
from interviewer.grading.claims.figures import Figure, Run, product

TRAINING, ADAPTING, FORWARD = 6.0, 4.0, 2.0
"""Operations a parameter and token."""

PEAK_SLACK = 1.25
"""Beyond this factor over the peak no rounding explains a number."""
MFU_SLACK = 1.7
"""Attention, vocabulary and recomputation are counted differently by different people."""
FEW_TOKENS = 1e12
"""No later stage sees as many."""
IDLE_SLACK = 3.0
"""A run may well have stood still for two thirds of its calendar time."""


def compute_sums(run: Run) -> Iterator[Contradiction]:
    """6·N·D against devices × peak × time, and against a stated MFU."""
    tokens = tokens_trained(run)
    if tokens and run.stage not in (None, Stage.PRETRAINING) and tokens.high >= FEW_TOKENS:
        return  # these are the tokens that the base model had seen
    needed = product((operations_per_token(run), tokens))
    peak = _peak(run)
    given = _device_seconds(run)
    if needed is None or peak is None or given is None:
        return
    offered = given * peak
    words = (
        f"By your numbers this run needs {wording.count(needed.low)} FLOPs "
        f"({wording.stated_all(needed.claims)}); "
    )
    if needed.above(offered, PEAK_SLACK):
        yield Contradiction(
            Sum.COMPUTE,
            f"{words}{wording.stated_all(given.claims, ' for ')} give at most "
            f"{wording.count(offered.high)}, even at full peak.",
            (*needed.claims, *given.claims),
        )
        return
    mfu = run.figure(Measure.MFU)
    if mfu is not None:
        given_words = (
            f"{wording.stated_all(given.claims, ' for ')} at {wording.share(mfu.high)} MFU"
        )
        yield from _against_mfu(needed, offered * mfu, words + given_words, run)


def _against_mfu(needed: Figure, offered: Figure, words: str, run: Run) -> Iterator[Contradiction]:
    """What was done at the stated MFU, against what was needed: too little, or far too much."""
    slack = MFU_SLACK * (2.0 if _in_eight_bits(run) else 1.0)
    if needed.above(offered, slack) or offered.above(needed, IDLE_SLACK):
        given = offered.high if needed.above(offered, slack) else offered.low
        yield Contradiction(
            Sum.COMPUTE,
            f"{words} come to {wording.count(given)}.",
            (*needed.claims, *offered.claims),
        )


def peak_sums(run: Run) -> Iterator[Contradiction]:
    """6·N × tokens a second against the peak, and against a stated MFU."""
    each = run.figure(Measure.DEVICE_THROUGHPUT)
    total, gpus = run.figure(Measure.THROUGHPUT), run.figure(Measure.GPUS)
    peak, cost = _peak(run), operations_per_token(run)
    if peak is None or cost is None:
        return
    if each is not None:
        yield from _rate_against_peak(each * cost, Figure(peak, peak), run, "one device")
    elif total is not None and gpus is not None:
        yield from _rate_against_peak(total * cost, gpus * peak, run, "your devices together")


def _rate_against_peak(
    needed: Figure, peak: Figure, run: Run, whose: str
) -> Iterator[Contradiction]:
    mfu = run.figure(Measure.MFU)
    device = run.device
    assert device is not None
    claims = (*needed.claims, *peak.claims)
    words = (
        f"By your numbers ({wording.stated_all(needed.claims, ', ')}) training takes "
        f"{wording.count(needed.low)} FLOP/s of {whose}"
    )
    if needed.above(peak, PEAK_SLACK):
        ceiling = f"the peak ({device.name}) is {wording.count(peak.high)}"
        yield Contradiction(Sum.THROUGHPUT, f"{words}; {ceiling}.", claims)
    elif mfu is not None and (
        needed.above(peak * mfu, MFU_SLACK) or (peak * mfu).above(needed, MFU_SLACK)
    ):
        reached = f"that is an MFU of {wording.share(needed.low / peak.high)}"
        said = f"you said {wording.share(mfu.high)}"
        yield Contradiction(Sum.THROUGHPUT, f"{words}; {reached}, {said}.", (*claims, *mfu.claims))


def operations_per_token(run: Run) -> Figure | None:
    """What a token costs in training; None where the active size is not known."""
    size = run.figure(Measure.ACTIVE_PARAMETERS)
    if size is None and not run.has(Circumstance.EXPERTS):
        size = run.figure(Measure.PARAMETERS)
    if size is None:
        return None
    if run.has(Circumstance.FROZEN):
        return size * FORWARD
    return size * (ADAPTING if run.has(Circumstance.ADAPTERS) else TRAINING)


def _in_eight_bits(run: Run) -> bool:
    return run.has(Circumstance.EIGHT_BIT_MATHS)


def _peak(run: Run) -> float | None:
    """Operations a second of one device."""
    device = run.device
    if device is None:
        return None
    return device.flops * (2.0 if _in_eight_bits(run) and device.has_fp8 else 1.0)


def _device_seconds(run: Run) -> Figure | None:
    stated = run.figure(Measure.DEVICE_TIME)
    return stated or product((run.figure(Measure.GPUS), wall_time(run)))
