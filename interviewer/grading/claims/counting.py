"""Sums of plain counting: tokens, steps, batches, time and epochs."""

from __future__ import annotations

from collections.abc import Iterator

from interviewer.grading.claims import wording
from interviewer.grading.claims.circumstances import Circumstance
from interviewer.grading.claims.claim import Contradiction, Measure, Sum
from interviewer.grading.claims.figures import Figure, Run, figure_of, product

SLACK = 1.6
"""Three rounded numbers multiplied may be off by this factor and no one lied."""
BATCH_SLACK = 1.4
"""Batch sizes are known exactly; "4k" and "two million" still stand for powers of two."""
TIME_SLACK = 1.5
IDLE_SLACK = 3.0
"""By this factor a run's calendar may exceed its steps: restarts, queues, evaluations."""
EXAMPLES_SLACK = 2.0
_RAMP = 20.0
"""The factor from the first to the last batch of a ramp, of which either may have been named."""


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
    """Tokens a step: as stated, or sequences × length. A ramp lets it begin small."""
    batch = run.figure(Measure.BATCH_TOKENS) or product(
        (_batch_sequences(run), run.figure(Measure.SEQUENCE_LENGTH))
    )
    if batch is not None and run.has(Circumstance.RAMPED):
        return _ramped(batch)
    return batch


def token_sums(run: Run) -> Iterator[Contradiction]:
    """Batch × steps against tokens; of a run in stages, each has its own batch and steps."""
    if run.has(Circumstance.STAGED):
        return
    made = product((batch_tokens(run), run.figure(Measure.STEPS)))
    stated = run.figure(Measure.TOKENS)
    if made and stated and _clash(made, stated, SLACK):
        yield _equation(Sum.TOKENS, made, stated, "tokens")


def duration_sums(run: Run) -> Iterator[Contradiction]:
    """Step time × steps against the time that the run took."""
    made = product((run.figure(Measure.STEPS), run.figure(Measure.STEP_TIME)))
    stated = run.figure(Measure.DURATION)
    if made and stated and (made.above(stated, TIME_SLACK) or stated.above(made, IDLE_SLACK)):
        says = f"{wording.stated_all(made.claims, ' at ')} make {wording.time(_near(made, stated))}"
        yield Contradiction(
            Sum.DURATION,
            f"By your numbers {says}; you said {wording.stated_all(stated.claims, ' and ')}.",
            (*made.claims, *stated.claims),
        )


def batch_sums(run: Run) -> Iterator[Contradiction]:
    """Sequences × length against tokens a step; micro-batch × accumulation × ranks against both."""
    tokens, sequences = run.figure(Measure.BATCH_TOKENS), run.figure(Measure.BATCH_SEQUENCES)
    length, ranked = run.figure(Measure.SEQUENCE_LENGTH), _ranked_batch(run)
    if tokens and run.has(Circumstance.RAMPED):
        tokens = _ramped(tokens)
    made = product((sequences or ranked, length))
    if made and tokens and _clash(made, tokens, BATCH_SLACK):
        yield _equation(Sum.BATCH, made, tokens, "tokens a step")
    if ranked and sequences and _clash(ranked, sequences, BATCH_SLACK):
        yield _equation(Sum.BATCH, ranked, sequences, "sequences a step")


def rate_sums(run: Run) -> Iterator[Contradiction]:
    """Tokens a second × time against tokens; one device's rate × devices against all's."""
    each = product((run.figure(Measure.GPUS), run.figure(Measure.DEVICE_THROUGHPUT)))
    stated = run.figure(Measure.THROUGHPUT)
    yield from _rates_in_two_units(run)
    if each and stated and _clash(each, stated, SLACK):
        yield _equation(Sum.THROUGHPUT, each, stated, "tokens a second")
    rate, tokens = stated or each, tokens_trained(run)
    made = product((rate, run.figure(Measure.DURATION)))
    if made and tokens and (tokens.above(made, TIME_SLACK) or made.above(tokens, IDLE_SLACK)):
        yield _equation(Sum.THROUGHPUT, made, tokens, "tokens", joint=" for ")
    steps = product((rate, run.figure(Measure.STEP_TIME)))
    batch = batch_tokens(run)
    if steps and batch and _clash(steps, batch, EXAMPLES_SLACK):
        yield _equation(Sum.THROUGHPUT, steps, batch, "tokens a step")


def _rates_in_two_units(run: Run) -> Iterator[Contradiction]:
    """Tokens a day against tokens a second."""
    seconds, longer = (
        figure_of([s for s in run.of(Measure.THROUGHPUT) if (s.claim.unit == "tokens/s") is each])
        for each in (True, False)
    )
    if seconds and longer and _clash(seconds, longer, SLACK):
        yield _equation(Sum.THROUGHPUT, longer, seconds, "tokens a second")


def epoch_sums(run: Run) -> Iterator[Contradiction]:
    """Dataset × epochs against tokens; examples × epochs / batch against steps."""
    epochs = run.figure(Measure.EPOCHS)
    if len({s.claim.value for s in run.of(Measure.EPOCHS)}) > 1:
        return  # parts of the data were seen more often than others
    made = product((epochs, run.figure(Measure.DATASET_TOKENS)))
    tokens = run.figure(Measure.TOKENS) or product((batch_tokens(run), run.figure(Measure.STEPS)))
    if made and tokens and _clash(made, tokens, SLACK) and not run.has(Circumstance.PARTIAL):
        yield _equation(Sum.EPOCHS, made, tokens, "tokens")
    seen = product((epochs, run.figure(Measure.EXAMPLES)))
    used = product((run.figure(Measure.STEPS), _batch_sequences(run)))
    if seen and used and not run.has(Circumstance.PARTIAL):
        too_few = seen.above(used, EXAMPLES_SLACK) and not run.has(Circumstance.PACKED)
        if too_few or used.above(seen, EXAMPLES_SLACK):
            yield Contradiction(
                Sum.EPOCHS,
                f"By your numbers {wording.stated_all(seen.claims)} make "
                f"{wording.count(seen.high)} examples; {wording.stated_all(used.claims)} make "
                f"{wording.count(used.high)}.",
                (*seen.claims, *used.claims),
            )


def _ramped(batch: Figure) -> Figure:
    """From the first to the last batch; both are known where several were named."""
    if len(batch.claims) > 1:
        return batch
    return Figure(batch.low / _RAMP, batch.high * _RAMP, batch.claims)


def _batch_sequences(run: Run) -> Figure | None:
    return run.figure(Measure.BATCH_SEQUENCES) or _ranked_batch(run)


def _ranked_batch(run: Run) -> Figure | None:
    """Micro-batch × accumulation × data-parallel ranks.

    Ranks are the devices unless a model is split over several; accumulation that was not stated
    may be anything from one.
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
    """The end of what was reckoned that comes closest to what was stated."""
    return made.low if made.low > stated.high else made.high


def _equation(
    kind: Sum, made: Figure, stated: Figure, noun: str, joint: str = " × "
) -> Contradiction:
    said = wording.stated_all(stated.claims)
    return Contradiction(
        kind,
        f"By your numbers {wording.stated_all(made.claims, joint)} make "
        f"{wording.count(_near(made, stated))} {noun}; you said {said}.",
        tuple(dict.fromkeys((*made.claims, *stated.claims))),
    )
