"""The consistency checks on one run's numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from interviewer.grading.claims import wording
from interviewer.grading.claims.circumstances import Circumstance, Stage
from interviewer.grading.claims.claim import (
    Claim,
    ConsistencyCheck,
    Contradiction,
    Measure,
    Statement,
)
from interviewer.grading.claims.hardware import Device
from interviewer.grading.claims.reading import SAME

_ADDITIVE = (
    Measure.TOKENS,
    Measure.STEPS,
    Measure.DURATION,
    Measure.EPOCHS,
    Measure.DEVICE_TIME,
)
"""Several values of these may be parts of a whole: two phases, two weeks and then three days."""


@dataclass(frozen=True)
class Figure:
    """A number between two bounds, with the claims it was computed from."""

    low: float
    high: float
    claims: tuple[Claim, ...] = ()

    def __mul__(self, other: Figure | float) -> Figure:
        if isinstance(other, Figure):
            claims = tuple(dict.fromkeys((*self.claims, *other.claims)))
            return Figure(self.low * other.low, self.high * other.high, claims)
        return Figure(self.low * other, self.high * other, self.claims)

    def above(self, other: Figure, slack: float) -> bool:
        """Even its low end exceeds the other's high end by more than the factor."""
        return self.low > other.high * slack


@dataclass(frozen=True)
class Run:
    """All that was said about one training run."""

    statements: tuple[Statement, ...] = ()
    circumstances: frozenset[Circumstance] = field(default_factory=frozenset)
    stage: Stage | None = None
    is_own: bool = False

    def has(self, *circumstances: Circumstance) -> bool:
        """Any of these was stated."""
        return bool(self.circumstances.intersection(circumstances))

    def of(self, *measures: Measure) -> tuple[Statement, ...]:
        """The statements of these measures, in order; a repeated value counts once."""
        return tuple(s for s in self._distinct if s.claim.measure in measures)

    @cached_property
    def _distinct(self) -> tuple[Statement, ...]:
        kept: dict[Measure, list[Statement]] = {}
        for statement in self.statements:
            same = kept.setdefault(statement.claim.measure, [])
            if not _is_repeated(statement, same):
                same.append(statement)
        return tuple(statement for same in kept.values() for statement in same)

    def figure(self, *measures: Measure) -> Figure | None:
        """One figure for all values stated of the measures; None if there are none."""
        return figure_of(self.of(*measures), is_sum=measures[0] in _ADDITIVE)

    @property
    def device(self) -> Device | None:
        """The fastest accelerator mentioned with its numbers."""
        devices = [s.device for s in self.statements if s.device]
        return max(devices, key=lambda device: device.flops, default=None)


def figure_of(statements: Sequence[Statement], *, is_sum: bool = False) -> Figure | None:
    """One figure for all values: from the smallest to the largest, or to the sum of all."""
    if not statements:
        return None
    high = (sum if is_sum else max)(s.high for s in statements)
    return Figure(min(s.low for s in statements), high, tuple(s.claim for s in statements))


def product(factors: Iterable[Figure | None]) -> Figure | None:
    """The product of all factors; None if one is unknown."""
    result = Figure(1.0, 1.0)
    for factor in factors:
        if factor is None:
            return None
        result *= factor
    return result


def _is_repeated(statement: Statement, before: Sequence[Statement]) -> bool:
    value = statement.claim.value
    return any(
        abs(value - other.claim.value) <= SAME * max(value, other.claim.value)
        and (statement.low, statement.high) == (value, value)
        for other in before
    )


SLACK = 1.6
"""The product of three rounded numbers may honestly be off by this factor."""
BATCH_SLACK = 1.4
"""Batch sizes are known exactly, but "4k" and "two million" may be powers of two."""
TIME_SLACK = 1.5
IDLE_SLACK = 3.0
"""A run's calendar time may exceed its step time by this: restarts, queues, evaluations."""
EXAMPLES_SLACK = 2.0
_RAMP = 20.0
"""The factor between the first and last batch of a ramp; either may have been stated."""


def tokens_trained(run: Run) -> Figure | None:
    """Tokens seen: as stated, or batch × steps, or dataset × epochs."""
    return (
        run.figure(Measure.TOKENS)
        or product((batch_tokens(run), run.figure(Measure.STEPS)))
        or product((run.figure(Measure.DATASET_TOKENS), run.figure(Measure.EPOCHS)))
    )


def wall_time(run: Run) -> Figure | None:
    """Seconds: as stated, or step time × steps."""
    return run.figure(Measure.DURATION) or product(
        (run.figure(Measure.STEP_TIME), run.figure(Measure.STEPS))
    )


def batch_tokens(run: Run) -> Figure | None:
    """Tokens a step: as stated, or sequences × length. Widened for a batch-size ramp."""
    batch = run.figure(Measure.BATCH_TOKENS) or product(
        (_batch_sequences(run), run.figure(Measure.SEQUENCE_LENGTH))
    )
    if batch is not None and run.has(Circumstance.RAMPED):
        return _ramped(batch)
    return batch


def token_checks(run: Run) -> Iterator[Contradiction]:
    """Batch × steps against tokens, unless stages have batches and steps of their own."""
    if run.has(Circumstance.STAGED):
        return
    made = product((batch_tokens(run), run.figure(Measure.STEPS)))
    stated = run.figure(Measure.TOKENS)
    if made and stated and _clash(made, stated, SLACK):
        yield _equation(ConsistencyCheck.TOKENS, made, stated, "tokens")


def duration_checks(run: Run) -> Iterator[Contradiction]:
    """Step time × steps against the duration."""
    made = product((run.figure(Measure.STEPS), run.figure(Measure.STEP_TIME)))
    stated = run.figure(Measure.DURATION)
    if made and stated and (made.above(stated, TIME_SLACK) or stated.above(made, IDLE_SLACK)):
        says = f"{wording.stated_all(made.claims, ' at ')} make {wording.time(_near(made, stated))}"
        yield Contradiction(
            ConsistencyCheck.DURATION,
            f"By your numbers {says}; you said {wording.stated_all(stated.claims, ' and ')}.",
            (*made.claims, *stated.claims),
        )


def batch_checks(run: Run) -> Iterator[Contradiction]:
    """Sequences × length against tokens a step; micro-batch × accumulation × ranks against both."""
    tokens, sequences = run.figure(Measure.BATCH_TOKENS), run.figure(Measure.BATCH_SEQUENCES)
    length, ranked = run.figure(Measure.SEQUENCE_LENGTH), _ranked_batch(run)
    if tokens and run.has(Circumstance.RAMPED):
        tokens = _ramped(tokens)
    made = product((sequences or ranked, length))
    if made and tokens and _clash(made, tokens, BATCH_SLACK):
        yield _equation(ConsistencyCheck.BATCH, made, tokens, "tokens a step")
    if ranked and sequences and _clash(ranked, sequences, BATCH_SLACK):
        yield _equation(ConsistencyCheck.BATCH, ranked, sequences, "sequences a step")


def rate_checks(run: Run) -> Iterator[Contradiction]:
    """Tokens a second × time against tokens; one device's rate × devices against all's."""
    each = product((run.figure(Measure.GPUS), run.figure(Measure.DEVICE_THROUGHPUT)))
    stated = run.figure(Measure.THROUGHPUT)
    yield from _rates_in_two_units(run)
    if each and stated and _clash(each, stated, SLACK):
        yield _equation(ConsistencyCheck.THROUGHPUT, each, stated, "tokens a second")
    rate, tokens = stated or each, tokens_trained(run)
    made = product((rate, run.figure(Measure.DURATION)))
    if made and tokens and (tokens.above(made, TIME_SLACK) or made.above(tokens, IDLE_SLACK)):
        yield _equation(ConsistencyCheck.THROUGHPUT, made, tokens, "tokens", joint=" for ")
    steps = product((rate, run.figure(Measure.STEP_TIME)))
    batch = batch_tokens(run)
    if steps and batch and _clash(steps, batch, EXAMPLES_SLACK):
        yield _equation(ConsistencyCheck.THROUGHPUT, steps, batch, "tokens a step")


def _rates_in_two_units(run: Run) -> Iterator[Contradiction]:
    """Tokens a day against tokens a second."""
    seconds, longer = (
        figure_of([s for s in run.of(Measure.THROUGHPUT) if (s.claim.unit == "tokens/s") is each])
        for each in (True, False)
    )
    if seconds and longer and _clash(seconds, longer, SLACK):
        yield _equation(ConsistencyCheck.THROUGHPUT, longer, seconds, "tokens a second")


def epoch_checks(run: Run) -> Iterator[Contradiction]:
    """Dataset × epochs against tokens; examples × epochs / batch against steps."""
    epochs = run.figure(Measure.EPOCHS)
    if len({s.claim.value for s in run.of(Measure.EPOCHS)}) > 1:
        return  # parts of the data were repeated more often than others
    made = product((epochs, run.figure(Measure.DATASET_TOKENS)))
    tokens = run.figure(Measure.TOKENS) or product((batch_tokens(run), run.figure(Measure.STEPS)))
    if made and tokens and _clash(made, tokens, SLACK) and not run.has(Circumstance.PARTIAL):
        yield _equation(ConsistencyCheck.EPOCHS, made, tokens, "tokens")
    seen = product((epochs, run.figure(Measure.EXAMPLES)))
    used = product((run.figure(Measure.STEPS), _batch_sequences(run)))
    if seen and used and not run.has(Circumstance.PARTIAL):
        too_few = seen.above(used, EXAMPLES_SLACK) and not run.has(Circumstance.PACKED)
        if too_few or used.above(seen, EXAMPLES_SLACK):
            yield Contradiction(
                ConsistencyCheck.EPOCHS,
                f"By your numbers {wording.stated_all(seen.claims)} make "
                f"{wording.count(seen.high)} examples; {wording.stated_all(used.claims)} make "
                f"{wording.count(used.high)}.",
                (*seen.claims, *used.claims),
            )


def _ramped(batch: Figure) -> Figure:
    """From the first to the last batch; if several were stated they are already known."""
    if len(batch.claims) > 1:
        return batch
    return Figure(batch.low / _RAMP, batch.high * _RAMP, batch.claims)


def _batch_sequences(run: Run) -> Figure | None:
    return run.figure(Measure.BATCH_SEQUENCES) or _ranked_batch(run)


def _ranked_batch(run: Run) -> Figure | None:
    """Micro-batch × accumulation × data-parallel ranks.

    There are as many ranks as devices unless the model is split over several. Unstated accumulation
    may be anything from one up.
    """
    micro = run.figure(Measure.MICRO_BATCH)
    accumulation = run.figure(Measure.ACCUMULATION) or Figure(1.0, float("inf"))
    ranks, gpus = run.figure(Measure.DATA_PARALLEL), run.figure(Measure.GPUS)
    if ranks is None and gpus is not None:
        is_split = run.has(Circumstance.SPLIT)
        ranks = Figure(1.0 if is_split else gpus.low, gpus.high, gpus.claims)
    return product((micro, accumulation, ranks))


def _clash(one: Figure, other: Figure, slack: float) -> bool:
    return one.above(other, slack) or other.above(one, slack)


def _near(made: Figure, stated: Figure) -> float:
    """The bound of the computed figure that is closest to the stated one."""
    return made.low if made.low > stated.high else made.high


def _equation(
    kind: ConsistencyCheck, made: Figure, stated: Figure, noun: str, joint: str = " × "
) -> Contradiction:
    said = wording.stated_all(stated.claims)
    return Contradiction(
        kind,
        f"By your numbers {wording.stated_all(made.claims, joint)} make "
        f"{wording.count(_near(made, stated))} {noun}; you said {said}.",
        tuple(dict.fromkeys((*made.claims, *stated.claims))),
    )


BYTES = 16.0
KEPT_IN_STAGE_1, KEPT_IN_STAGE_2 = 4.0, 2.0
"""Bytes a parameter that each rank keeps unsharded."""

ADAM_SLACK = 1.15
FULL_SLACK = 2.2
"""For an unnamed optimizer: pure BF16 would halve the states."""
STATED_SLACK = 1.7
TOO_LARGE = 3.0

_EXCUSES = (
    Circumstance.ADAPTERS,
    Circumstance.FROZEN,
    Circumstance.LEAN,
    Circumstance.OFFLOADED,
    Circumstance.FAILED,
)


def memory_checks(run: Run) -> Iterator[Contradiction]:
    """Sixteen bytes a parameter, sharded if possible, against the device and stated memory."""
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
            ConsistencyCheck.MEMORY,
            f"By your numbers ({wording.stated_all(needed.claims, ', ')}) weights, gradients and "
            f"Adam's states at {BYTES:.0f} bytes a parameter take {wording.memory(needed.low)} on "
            f"each device before any activations; the {wording.memory(room.high)}{held} cannot "
            "hold that.",
            (*needed.claims, *room.claims),
        )


def _against_stated(run: Run, size: Figure) -> Iterator[Contradiction]:
    each, total = run.figure(Measure.STATE_MEMORY), run.figure(Measure.STATE_TOTAL)
    for stated, needed in ((each, _each(run, size)), (total, size * BYTES)):
        if stated is None or needed is None:
            continue
        is_too_large = stated is total and stated.above(needed, TOO_LARGE)
        if needed.above(stated, STATED_SLACK) or is_too_large:
            where = "each device" if stated is each else "all devices together"
            yield Contradiction(
                ConsistencyCheck.MEMORY,
                f"By your numbers ({wording.stated_all(needed.claims, ', ')}) weights, gradients "
                f"and Adam's states at {BYTES:.0f} bytes a parameter take "
                f"{wording.memory(needed.low)} on {where}; you said "
                f"{wording.stated_all(stated.claims)}.",
                (*needed.claims, *stated.claims),
            )


def _each(run: Run, size: Figure) -> Figure | None:
    """Bytes on one device, sharded as far as stated, or else as far as possible."""
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


TRAINING, ADAPTING, FORWARD = 6.0, 4.0, 2.0
"""Operations per parameter and token."""

PEAK_SLACK = 1.25
"""No rounding explains a number above the peak by more than this factor."""
MFU_SLACK = 1.7
"""People differ in how they count attention, vocabulary and recomputation."""
FEW_TOKENS = 1e12
"""No stage after pre-training sees as many."""


def compute_checks(run: Run) -> Iterator[Contradiction]:
    """6·N·D against devices × peak × time, and against a stated MFU."""
    tokens = tokens_trained(run)
    if tokens and run.stage not in (None, Stage.PRETRAINING) and tokens.high >= FEW_TOKENS:
        return  # these are the base model's tokens
    needed = product((operations_per_token(run), tokens))
    peak = peak_of(run)
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
            ConsistencyCheck.COMPUTE,
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
    """Operations done at the stated MFU against those needed: too few, or far too many."""
    slack = MFU_SLACK * (2.0 if _in_eight_bits(run) else 1.0)
    if needed.above(offered, slack) or offered.above(needed, IDLE_SLACK):
        given = offered.high if needed.above(offered, slack) else offered.low
        yield Contradiction(
            ConsistencyCheck.COMPUTE,
            f"{words} come to {wording.count(given)}.",
            (*needed.claims, *offered.claims),
        )


def peak_checks(run: Run) -> Iterator[Contradiction]:
    """6·N × tokens a second against the peak, and against a stated MFU."""
    each = run.figure(Measure.DEVICE_THROUGHPUT)
    total, gpus = run.figure(Measure.THROUGHPUT), run.figure(Measure.GPUS)
    peak, cost = peak_of(run), operations_per_token(run)
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
        yield Contradiction(ConsistencyCheck.THROUGHPUT, f"{words}; {ceiling}.", claims)
    elif mfu is not None and (
        needed.above(peak * mfu, MFU_SLACK) or (peak * mfu).above(needed, MFU_SLACK)
    ):
        reached = f"that is an MFU of {wording.share(needed.low / peak.high)}"
        said = f"you said {wording.share(mfu.high)}"
        yield Contradiction(
            ConsistencyCheck.THROUGHPUT, f"{words}; {reached}, {said}.", (*claims, *mfu.claims)
        )


def operations_per_token(run: Run) -> Figure | None:
    """Operations to train on one token; None if the active size is unknown."""
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


def peak_of(run: Run) -> float | None:
    """Peak operations a second of one device."""
    device = run.device
    if device is None:
        return None
    return device.flops * (2.0 if _in_eight_bits(run) and device.has_fp8 else 1.0)


def _device_seconds(run: Run) -> Figure | None:
    stated = run.figure(Measure.DEVICE_TIME)
    return stated or product((run.figure(Measure.GPUS), wall_time(run)))


_CHECKS = (
    compute_checks,
    memory_checks,
    token_checks,
    duration_checks,
    batch_checks,
    peak_checks,
    rate_checks,
    epoch_checks,
)


def contradictions(run: Run) -> Iterator[Contradiction]:
    """What cannot be true together in this run, in a fixed order."""
    for check in _CHECKS:
        yield from check(run)
