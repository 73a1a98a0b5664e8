"""What bounds a quantity without having been said: rounding, limits, the device, what is usual."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from interviewer.grading.claims.circumstances import Circumstance as C
from interviewer.grading.claims.claim import Claim
from interviewer.grading.claims.claim import Measure as M
from interviewer.grading.claims.factors import is_lean
from interviewer.grading.claims.hardware import Device
from interviewer.grading.claims.prices import DOLLARS_AN_HOUR
from interviewer.grading.claims.run import Run
from interviewer.grading.units import HOUR


@dataclass(frozen=True)
class Known:
    """What is known without having been said, as of the device.

    ``value`` is the figure to be said, its ``high`` if None.
    """

    measure: M
    low: float
    high: float
    claims: tuple[Claim, ...] = ()
    note: str = ""
    value: float | None = None


LIMITS: dict[M, tuple[float, str]] = {
    M.MFU: (1.0, "at full peak"),
    M.HFU: (1.0, "at full peak"),
    M.SHARE: (1.0, "no more than all"),
    M.ACCURACY: (1.0, "no more than all"),
    M.LABEL_AGREEMENT: (1.0, "no more than all"),
    M.BUBBLE: (1.0, "no more than the whole step"),
    M.REFERENCE_SHARE: (1.0, "no more than all"),
    M.POLICY_SHARE: (1.0, "no more than all"),
    M.TRAINABLE_SHARE: (1.0, "no more than all"),
    M.PORTIONS: (1.0, "no more than all"),
}
"""What a quantity cannot exceed, and how that is said."""

# How exactly a figure is said

_NAMED = (0.93, 1.1)
_POWER_OF_TWO = (0.98, 1.05)
_ROUNDED = (0.94, 1.07)
_EXACT = (0.999, 1.001)
_ROUNDING: dict[M, tuple[float, float]] = {
    **dict.fromkeys((M.PARAMETERS, M.ACTIVE_PARAMETERS), _NAMED),
    **dict.fromkeys((M.BATCH_TOKENS, M.SEQUENCE_LENGTH, M.VOCABULARY), _POWER_OF_TWO),
    **dict.fromkeys((M.WIDTH, M.FFN_WIDTH, M.RESPONSE_LENGTH), _POWER_OF_TWO),
    **dict.fromkeys((M.BATCH_SEQUENCES, M.ROLLOUTS, M.PROMPTS), (0.98, 1.03)),
    **dict.fromkeys((M.MFU, M.HFU, M.ACCURACY, M.BUBBLE), (0.97, 1.0001)),
    **dict.fromkeys((M.PART, M.WHOLE, M.SHARE, M.BEFORE, M.AFTER, M.CHANGE, M.RATIO), (1.0, 1.0)),
    **dict.fromkeys((M.PASS_AT_1, M.PASS_AT_K, M.OVERLAP), (0.985, 1.015)),
    **dict.fromkeys((M.LOSS, M.FIRST_LOSS, M.KL, M.PERPLEXITY, M.LOSS_BITS), (0.985, 1.015)),
    **dict.fromkeys(
        (
            *(M.GPUS, M.NODES, M.NODE_GPUS, M.DATA_PARALLEL, M.TENSOR_PARALLEL, M.LAYERS, M.HEADS),
            *(M.PIPELINE_STAGES, M.EXPERT_PARALLEL, M.CONTEXT_PARALLEL, M.MICRO_BATCHES, M.RANK),
            *(M.MICRO_BATCH, M.ACCUMULATION, M.KV_HEADS, M.HEAD_WIDTH, M.EXPERTS, M.GROUP_SIZE),
            *(
                M.TIMES,
                M.STAGE_LAYERS,
                M.ACTIVE_EXPERTS,
                M.VIRTUAL_STAGES,
                M.BEST_OF,
                M.WEIGHT_BYTES,
                M.CACHE_BYTES,
                M.ID_BYTES,
                M.LOGIT_BYTES,
                M.PCIE,
            ),
        ),
        _EXACT,
    ),
}


def rounding(measure: M, run: Run) -> tuple[float, float]:
    """The factors down and up by which a stated value of the measure may be rounded."""
    if measure is M.BATCH_TOKENS and run.has(C.RAMPED) and len(run.of(measure)) == 1:
        return 1 / _RAMP, _RAMP
    return _ROUNDING.get(measure, _ROUNDED)


_RAMP = 20.0
"""Between the first and last batch of a ramp; either may have been stated."""

# Known of the device


def known_of(run: Run) -> Iterator[Known]:
    """The peak, memory, links and price of the device, and what is usual where nothing is said."""
    device = run.device
    if device is not None:
        claims = tuple(run.device_claims())
        yield from _known_of(device, run, claims)
    if not run.of(M.STATE_BYTES) and run.has(C.ADAM, C.FULL, C.FOUR_MODELS) and not is_lean(run):
        low = 15.5 if run.has(C.ADAM, C.FOUR_MODELS) else 7.5  # of one model, or of all four
        most, usual = (18.0, 16.0) if not run.has(C.FOUR_MODELS) else (44.0, 36.0)
        yield Known(M.STATE_BYTES, low, most, note=f"at {usual:.0f} bytes a parameter", value=usual)
    if not run.of(M.WEIGHT_BYTES):
        low = 0.25 if run.has(C.LEAN) else 0.45
        yield Known(M.WEIGHT_BYTES, low, 4.0, note="at two bytes a weight", value=2.0)
    if not run.of(M.CACHE_BYTES):
        yield Known(M.CACHE_BYTES, 1.0, 2.05, note="at two bytes a number", value=2.0)
    if not run.of(M.TOKEN_BYTES):
        yield Known(M.TOKEN_BYTES, 1.6, 8.0, note="at about four bytes a token", value=4.2)
    if run.has(C.EXACT_KL):
        yield Known(M.KL, 0.0, math.inf, note="no KL below zero", value=0.0)
    if run.of(M.MICRO_BATCH) and not run.of(M.ACCUMULATION):
        most, note = math.inf, ""
        if run.has(C.UNACCUMULATED):
            most, note = 1.0, "without accumulation"
        yield Known(M.ACCUMULATION, 1.0, most, value=1.0, note=note)
    if run.of(M.DATA_PARALLEL) and not run.of(M.MICRO_BATCH):
        yield Known(M.MICRO_BATCH, 1.0, math.inf, value=1.0)
        yield Known(M.ACCUMULATION, 1.0, math.inf, value=1.0)
    if not run.of(M.CACHED_SEQUENCES):
        yield Known(M.CACHED_SEQUENCES, 1.0, math.inf, value=1.0)


def _known_of(device: Device, run: Run, claims: tuple[Claim, ...]) -> Iterator[Known]:
    plain = device.flops
    peak = plain * (2.0 if run.has(C.EIGHT_BIT_MATHS) and device.has_fp8 else 1.0)
    peak *= 2.0 if run.has(C.SPARSITY) else 1.0
    for stated in run.of(M.PEAK):  # in eight bits, or with sparsity
        times = round(stated.claim.value / plain)
        if times in (2, 4) and abs(stated.claim.value / plain - times) < 0.05 * times:
            peak = max(peak, times * plain)
    yield Known(M.PEAK, plain * 0.95, peak * 1.04, claims, f"one {device.name}", peak)
    if not run.of(M.GPU_MEMORY):
        yield Known(
            M.GPU_MEMORY,
            device.memory * 0.45,
            device.memory * 1.08,
            claims,
            f"one {device.name}",
            device.memory,
        )
    if device.link and run.of(M.BANDWIDTH):
        note = (
            f"no more than {device.link / 1e9:.0f} GB a second over the links of one {device.name}"
        )
        yield Known(M.BANDWIDTH, 0.0, device.link * 1.02, claims, note)
    if not run.of(M.PRICE) and (prices := DOLLARS_AN_HOUR.get(device.name)):
        low, high = prices
        note = f"at {low:g} to {high:g} dollars an hour"
        yield Known(M.PRICE, low / HOUR, high / HOUR, note=note)
