"""Sums about memory: what training keeps a parameter against what the devices hold.

Mixed precision with Adam keeps sixteen bytes a parameter: two each for weight and gradient, twelve
for the FP32 copy and both moments. ZeRO shards the twelve over the ranks (stage 1), the gradient
as well (stage 2), all sixteen (stage 3) (Rajbhandari et al. 2020, "ZeRO: Memory Optimizations
Toward Training Trillion Parameter Models", §3). Activations come on top and are left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from interviewer.grading.claims import wording
from interviewer.grading.claims.circumstances import Circumstance
from interviewer.grading.claims.claim import Contradiction, Measure, Sum
from interviewer.grading.claims.figures import Figure, Run, figure_of
from interviewer.grading.claims.measured import PER_DEVICE

BYTES = 16.0
KEPT_IN_STAGE_1, KEPT_IN_STAGE_2 = 4.0, 2.0
"""Bytes a parameter that each rank keeps whole."""

ADAM_SLACK = 1.15
FULL_SLACK = 2.2
"""Where the optimizer was not named: pure BF16 would halve the states."""
STATED_SLACK = 1.7
TOO_LARGE = 3.0

_EXCUSES = (
    Circumstance.ADAPTERS,
    Circumstance.FROZEN,
    Circumstance.LEAN,
    Circumstance.OFFLOADED,
    Circumstance.FAILED,
)


def memory_sums(run: Run) -> Iterator[Contradiction]:
    """Sixteen bytes a parameter, sharded at best, against a device and against stated states."""
    size = run.figure(Measure.PARAMETERS)
    if size is None or run.has(*_EXCUSES) or not run.has(Circumstance.ADAM, Circumstance.FULL):
        return
    yield from _against_device(run, size)
    yield from _against_stated(run, size)


def _against_device(run: Run, size: Figure) -> Iterator[Contradiction]:
    needed, device, stated = _each(run, size), run.device, run.figure(Measure.GPU_MEMORY)
    if needed is None or (device is None and stated is None):
        return
    room = stated or Figure(0, device.memory if device else 0)
    slack = ADAM_SLACK if run.has(Circumstance.ADAM) else FULL_SLACK
    if needed.above(room, slack):
        held = "" if stated or not device else f" of {device.name}"
        yield Contradiction(
            Sum.MEMORY,
            f"By your numbers ({wording.stated_all(needed.claims, ', ')}) weights, gradients and "
            f"Adam's states at {BYTES:.0f} bytes a parameter take {wording.memory(needed.low)} on "
            f"each device before any activations; the {wording.memory(room.high)}{held} cannot "
            "hold that.",
            (*needed.claims, *room.claims),
        )


def _against_stated(run: Run, size: Figure) -> Iterator[Contradiction]:
    statements = run.of(Measure.STATE_MEMORY)
    each = figure_of([s for s in statements if s.claim.unit == PER_DEVICE])
    total = figure_of([s for s in statements if s.claim.unit != PER_DEVICE])
    for stated, needed in ((each, _each(run, size)), (total, size * BYTES)):
        if stated is None or needed is None:
            continue
        is_too_large = stated is total and stated.above(needed, TOO_LARGE)
        if needed.above(stated, STATED_SLACK) or is_too_large:
            where = "each device" if stated is each else "all devices together"
            yield Contradiction(
                Sum.MEMORY,
                f"By your numbers ({wording.stated_all(needed.claims, ', ')}) weights, gradients "
                f"and Adam's states at {BYTES:.0f} bytes a parameter take "
                f"{wording.memory(needed.low)} on {where}; you said "
                f"{wording.stated_all(stated.claims)}.",
                (*needed.claims, *stated.claims),
            )


def _each(run: Run, size: Figure) -> Figure | None:
    """Bytes on one device, sharded as far as was said, or as far as possible."""
    gpus = run.figure(Measure.GPUS) or run.figure(Measure.DATA_PARALLEL)
    is_sharded = run.has(Circumstance.SHARDED, Circumstance.SPLIT)
    if run.has(Circumstance.UNSHARDED) and not is_sharded and not _has_zero(run):
        return size * BYTES
    if gpus is None:
        return None
    kept = 0.0
    if not is_sharded and _has_zero(run):
        kept = KEPT_IN_STAGE_2 if run.has(Circumstance.ZERO_2) else KEPT_IN_STAGE_1
    least = kept + (BYTES - kept) / max(1.0, gpus.high)
    most = kept + (BYTES - kept) / max(1.0, gpus.low)
    return Figure(size.low * least, size.high * most, (*size.claims, *gpus.claims))


def _has_zero(run: Run) -> bool:
    return run.has(Circumstance.ZERO_1, Circumstance.ZERO_2)
