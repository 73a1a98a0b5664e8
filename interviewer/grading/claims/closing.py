"""What else follows from one run's numbers: a quantity not stated, or one that was and fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from interviewer.grading.claims import wording
from interviewer.grading.claims.circumstances import Circumstance, Stage
from interviewer.grading.claims.claim import Claim, Measure
from interviewer.grading.claims.engine import conflicts
from interviewer.grading.claims.factors import known_of
from interviewer.grading.claims.run import Bounds, Run
from interviewer.grading.units import DAY, HOUR

AGREES = 1.15
"""Up to this factor apart a stated and a computed figure fit. It lies well inside the slacks of the
contradictions: 24% and 40% MFU do not contradict each other, but nobody would say that they fit."""
EQUAL = 1.03
"""Up to this factor apart they are the same figure, rounded."""
_FEWEST_FACTORS_BARE = 3
TRAINING = 6.0
"""Operations per parameter and token."""
FEW_TOKENS = 1e12
"""No stage after pre-training sees as many."""
_NO_GPUS = ("TPU", "Gaudi", "Trainium", "Ascend")
_SPOKEN_WITH_A_VOWEL = ("8", "11", "18")


@dataclass(frozen=True)
class Closing:
    """One sum that closes.

    ``figure`` is what was computed, "" where the candidate had stated it; ``claims`` are all that
    take part, the stated result included.
    """

    sentence: str
    question: str
    figure: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True)
class Sum:
    """A computed value, and the factors in words."""

    value: float
    factors: str
    claims: tuple[Claim, ...]
    noun: str = ""
    """Follows the figure: " on each of them"."""


@dataclass(frozen=True)
class Relation:
    """A quantity, how it follows from others, and what to ask once it is known."""

    result: Measure
    made: Callable[[Run], Sum | None]
    says: Callable[[float], str]
    plausible: tuple[float, float]
    question: str
    source: str
    """Where the formula comes from."""


def closings(run: Run) -> Iterator[Closing]:
    """All that follows from the run's numbers, the most telling first.

    Nothing follows from numbers that contradict each other, from ranges, or from a measure that has
    several values.
    """
    disputed = {claim for found in conflicts(run) for claim in found.claims}
    said: set[frozenset[Claim]] = set()
    for relation in RELATIONS:
        made = relation.made(run)
        found = _closed(run, relation, made) if made else None
        if found is None or disputed.intersection(found.claims):
            continue
        if frozenset(found.claims) not in said:  # the same equation, solved for another quantity
            said.add(frozenset(found.claims))
            yield found


def _closed(run: Run, relation: Relation, made: Sum) -> Closing | None:
    low, high = relation.plausible
    if not low <= made.value <= high:
        return None
    stated = run.of(relation.result)
    if not stated:
        figure = relation.says(made.value) + made.noun
        sentence = f"{made.factors}: that makes {figure}."
        return Closing(sentence, relation.question, figure, made.claims)
    exact = run.exact(relation.result)
    if exact is None:
        return None
    apart = max(made.value / exact.low, exact.low / made.value)
    if apart > AGREES:
        return None
    [given] = exact.claims
    words = f"{relation.says(exact.low)}{made.noun}"
    if relation.result is Measure.DURATION:
        words = wording.stated(given)
    if apart <= EQUAL:
        verb = "is" if " × " in made.factors else "comes to"
        sentence = f"That fits: {made.factors} {verb} the {words} you gave."
    else:
        computed = f"{relation.says(made.value)}{made.noun}"
        sentence = f"That fits: {made.factors} makes {computed}, close to the {words} you gave."
    return Closing(sentence, relation.question, "", (*made.claims, given))


def _product(factors: Iterable[Bounds | None]) -> Bounds | None:
    """The product of exact factors; None if one is unknown."""
    result = Bounds(1.0, 1.0)
    for factor in factors:
        if factor is None:
            return None
        claims = tuple(dict.fromkeys((*result.claims, *factor.claims)))
        result = Bounds(result.low * factor.low, result.high * factor.high, claims)
    return result


def _times(one: Bounds, other: Bounds) -> Bounds:
    made = _product((one, other))
    assert made is not None
    return made


def _peak(run: Run) -> float | None:
    """Peak operations a second of one device."""
    return next((known.value for known in known_of(run) if known.measure is Measure.PEAK), None)


def _said(figure: Bounds) -> str:
    return wording.stated_all(figure.claims, " and ")


def _named_devices(run: Run) -> bool:
    """One type of accelerator, named."""
    return len({s.device.name for s in run.statements if s.device}) == 1


def _whole(run: Run) -> bool:
    """The numbers are about the whole of a run that finished, in one phase."""
    return not run.has(Circumstance.FAILED, Circumstance.PARTIAL, Circumstance.STAGED)


def _trained_size(run: Run) -> tuple[Bounds, str] | None:
    """The parameters that each token passes, all of them trained, and the model in words."""
    if run.has(Circumstance.ADAPTERS, Circumstance.FROZEN):
        return None
    if active := run.exact(Measure.ACTIVE_PARAMETERS):
        return active, _said(active)
    size = run.exact(Measure.PARAMETERS)
    if size is None or run.has(Circumstance.EXPERTS):
        return None
    name = wording.count(size.low)
    return size, f"{'an' if name.startswith(_SPOKEN_WITH_A_VOWEL) else 'a'} {name}"


def _mfu(run: Run) -> Sum | None:
    """Operations of the whole run over devices × peak × time, or of a device's tokens a second."""
    peak, model = _peak(run), _trained_size(run)
    if peak is None or model is None or not _named_devices(run) or not _is_training_only(run):
        return None
    return _mfu_of_rate(run, peak, *model) or _mfu_of_run(run, peak, *model)


def _tokens_seen(run: Run) -> Bounds | None:
    """As stated, unless they are the base model's."""
    tokens = run.exact(Measure.TOKENS)
    is_later = run.stage not in (None, Stage.PRETRAINING)
    return None if tokens and is_later and tokens.low >= FEW_TOKENS else tokens


def _is_training_only(run: Run) -> bool:
    """Not a stage in which much of the time goes into generating text, or a frozen second model."""
    return run.stage not in (Stage.PREFERENCE, Stage.REWARD)


def _mfu_of_run(run: Run, peak: float, size: Bounds, model: str) -> Sum | None:
    tokens, spent = _tokens_seen(run), _spent(run)
    if tokens is None or spent is None or not _whole(run):
        return None
    time, words = spent
    value = TRAINING * size.low * tokens.low / (time.low * peak)
    claims = (*time.claims, *tokens.claims, *size.claims)
    return Sum(value, f"{words} on {_said(tokens)} with {model}", claims)


def _mfu_of_rate(run: Run, peak: float, size: Bounds, model: str) -> Sum | None:
    rate = run.exact(Measure.DEVICE_THROUGHPUT)
    if rate is None:
        return None
    device = run.device
    assert device is not None
    words = f"{wording.count(rate.low)} tokens a second on each {device.name} with {model}"
    value = TRAINING * size.low * rate.low / peak
    return Sum(value, words, (*rate.claims, *size.claims))


def _spent(run: Run) -> tuple[Bounds, str] | None:
    """Device seconds, as devices × duration or as stated, and in words."""
    gpus, time = run.exact(Measure.GPUS), run.exact(Measure.DURATION)
    if gpus and time:
        return _times(gpus, time), f"{_said(gpus)} for {_said(time)}"
    if stated := run.exact(Measure.DEVICE_TIME):
        return stated, f"{_hours(stated.low)} {run.device.name if run.device else 'GPU'}-hours"
    return None


def _batch(run: Run) -> tuple[Bounds, ...] | None:
    """The factors of the tokens in a step, None if it grew during the run."""
    if run.has(Circumstance.RAMPED, Circumstance.STAGED):
        return None
    if tokens := run.exact(Measure.BATCH_TOKENS):
        return (tokens,)
    return _sequences(run)


def _sequences(run: Run) -> tuple[Bounds, ...] | None:
    """The factors of the sequences in a step, and their length."""
    length = run.exact(Measure.SEQUENCE_LENGTH)
    sequences = run.exact(Measure.BATCH_SEQUENCES)
    factors = (sequences,) if sequences else _ranked(run)
    return (*factors, length) if length and factors else None


def _ranked(run: Run) -> tuple[Bounds, ...] | None:
    """Micro-batch, accumulation and data-parallel ranks, all of them stated."""
    ranks = run.exact(Measure.DATA_PARALLEL)
    if ranks is None and not run.has(Circumstance.SPLIT):
        ranks = run.exact(Measure.GPUS)
    micro, accumulated = run.exact(Measure.MICRO_BATCH), run.exact(Measure.ACCUMULATION)
    return (micro, accumulated, ranks) if micro and accumulated and ranks else None


def _tokens(run: Run) -> Sum | None:
    batch, steps = _batch(run), run.exact(Measure.STEPS)
    if batch is None or steps is None or not _whole(run):
        return None
    factors = (*batch, steps)
    return _multiplied(factors)


def _batch_of_sequences(run: Run) -> Sum | None:
    """Only against what was stated: by itself it is no news."""
    if not run.of(Measure.BATCH_TOKENS):
        return None
    factors = None if run.has(Circumstance.RAMPED) else _sequences(run)
    return _multiplied(factors) if factors else None


def _multiplied(factors: Sequence[Bounds]) -> Sum:
    """Three numbers and more are said without their units."""
    made = _product(factors)
    assert made is not None
    if len(factors) < _FEWEST_FACTORS_BARE:
        words = " × ".join(map(_said, factors))
    else:
        words = " × ".join(wording.count(factor.low) for factor in factors)
    return Sum(made.low, words, made.claims)


def _steps(run: Run) -> Sum | None:
    batch, tokens = _product(_batch(run) or (None,)), _tokens_seen(run)
    if batch is None or tokens is None or not _whole(run):
        return None
    words = f"{_said(tokens)} at {_round(batch.low)} tokens a step"
    return Sum(tokens.low / batch.low, words, (*tokens.claims, *batch.claims))


def _rate(run: Run) -> Sum | None:
    tokens, time = _tokens_seen(run), run.exact(Measure.DURATION)
    if tokens is None or time is None or not _whole(run) or not _is_training_only(run):
        return None
    words = f"{_said(tokens)} in {_said(time)}"
    return Sum(tokens.low / time.low, words, (*tokens.claims, *time.claims))


def _device_rate(run: Run) -> Sum | None:
    rate, gpus = _rate(run), run.exact(Measure.GPUS)
    if rate is None or gpus is None or gpus.low == 1:
        return None
    words = f"{rate.factors} on {_said(gpus)}"
    return Sum(rate.value / gpus.low, words, (*rate.claims, *gpus.claims), " on each of them")


def _total_rate(run: Run) -> Sum | None:
    """All devices together, where their number is unknown or the total was stated.

    Otherwise the rate of one device says more, as it compares between clusters.
    """
    is_known_of_each = _device_rate(run) is not None and not run.of(Measure.THROUGHPUT)
    return None if is_known_of_each else _rate(run)


def _epochs(run: Run) -> Sum | None:
    tokens, data = _tokens_seen(run), run.exact(Measure.DATASET_TOKENS)
    if tokens is None or data is None or not _whole(run):
        return None
    words = f"{_said(tokens)} from a dataset of {wording.count(data.low)}"
    return Sum(tokens.low / data.low, words, (*tokens.claims, *data.claims))


def _device_hours(run: Run) -> Sum | None:
    gpus, time = run.exact(Measure.GPUS), run.exact(Measure.DURATION)
    if gpus is None or time is None or gpus.low == 1:
        return None
    made = _times(gpus, time)
    is_gpu = not gpus.claims[0].unit.startswith(_NO_GPUS)
    noun = " GPU-hours" if is_gpu else " device-hours"
    return Sum(made.low, f"{_said(gpus)} for {_said(time)}", made.claims, noun)


def _duration(run: Run) -> Sum | None:
    steps, each = run.exact(Measure.STEPS), run.exact(Measure.STEP_TIME)
    if steps is None or each is None or not _whole(run):
        return None
    made = _times(steps, each)
    return Sum(made.low, f"{_said(steps)} at {_said(each)} each", made.claims)


def _round(value: float) -> str:
    """Three significant digits: "347,000", "12.6B", "0.25"."""
    return wording.count(float(f"{value:.3g}"))


def _hours(seconds: float) -> str:
    hours = seconds / HOUR
    return f"{hours:,.0f}" if hours >= 10 else f"{hours:.2g}"


def _counted(noun: str) -> Callable[[float], str]:
    return lambda value: f"{_round(value)} {noun}"


KAPLAN = "6 operations a parameter and token: Kaplan et al. 2020, arXiv:2001.08361, section 2.1"
MFU_OF_PALM = "MFU: Chowdhery et al. 2022, arXiv:2204.02311, appendix B"

RELATIONS = (
    Relation(
        Measure.MFU,
        _mfu,
        lambda share: f"{wording.share(share)} MFU",
        (0.03, 0.7),
        "What limited it?",
        f"{KAPLAN}; {MFU_OF_PALM}",
    ),
    Relation(
        Measure.TOKENS,
        _tokens,
        _counted("tokens"),
        (1e6, 1e14),
        "How did you decide on that many?",
        "by definition: tokens a step × steps",
    ),
    Relation(
        Measure.DEVICE_THROUGHPUT,
        _device_rate,
        _counted("tokens a second"),
        (10, 1e6),
        "Where did the time in a step go?",
        "by definition: tokens / (devices × time)",
    ),
    Relation(
        Measure.THROUGHPUT,
        _total_rate,
        _counted("tokens a second"),
        (10, 1e9),
        "What held that rate back?",
        "by definition: tokens / time",
    ),
    Relation(
        Measure.STEPS,
        _steps,
        _counted("steps"),
        (50, 1e7),
        "How did you settle on that batch size?",
        "by definition: tokens / tokens a step",
    ),
    Relation(
        Measure.BATCH_TOKENS,
        _batch_of_sequences,
        _counted("tokens a step"),
        (1e3, 1e9),
        "How did you settle on that batch size?",
        "by definition: sequences a step × their length",
    ),
    Relation(
        Measure.EPOCHS,
        _epochs,
        _counted("epochs"),
        (0.01, 100),
        "What made you stop there?",
        "by definition: tokens seen / tokens in the dataset",
    ),
    Relation(
        Measure.DURATION,
        _duration,
        wording.time,
        (HOUR / 2, 365 * DAY),
        "How much time came on top of the steps?",
        "by definition: steps × time a step",
    ),
    Relation(
        Measure.DEVICE_TIME,
        _device_hours,
        _hours,
        (HOUR, 1e8 * HOUR),
        "How much of that was lost to failures and restarts?",
        "by definition: devices × time",
    ),
)
"""Everything that can close, the most telling first."""
