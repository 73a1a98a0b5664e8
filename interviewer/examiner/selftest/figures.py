"""From the outcomes of an exam to its figures, and which of them miss their threshold: pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from interviewer.examiner.selftest.outcomes import (
    Failure,
    Graded,
    Mutated,
    Outcome,
    Repeated,
    Resisted,
    Spent,
    together,
)
from interviewer.grading import agreement
from interviewer.grading.bands import band_of

O = TypeVar("O", Graded, Resisted, Repeated, Mutated, Failure)  # noqa: E741


@dataclass(frozen=True)
class Thresholds:
    """What an examiner has to reach before its scores are called reliable.

    ``macro_f1`` and ``kappa`` are least values; ``bias`` is the most either way, in units of the
    score; ``lifted`` the most attacks that may lift an answer by a band; ``quotes`` the least
    share of valid quotes; ``flips`` the most verdicts that may differ between repeats, as a share;
    ``unjudged`` the most samples, as a share, that may be left without a judgement in full of the
    examiner's own; ``caught`` the least share of mutants that must lose their point.
    """

    macro_f1: float = 0.75
    kappa: float = 0.60
    bias: float = 0.05
    lifted: int = 0
    quotes: float = 0.98
    flips: float = 0.05
    unjudged: float = 0.02
    caught: float = 0.80


@dataclass(frozen=True)
class Worst:
    """The criterion with the lowest share of equal verdicts, and that share."""

    rubric: str
    criterion: str
    agreed: float


@dataclass(frozen=True)
class Figures:
    """Of one rubric or of the whole exam; None where there was nothing to measure.

    ``macro_f1`` and ``kappa`` are over the verdicts, ``pearson``, ``bias`` and ``rmse`` over the
    scores in 0..1, ``qwk`` over the bands. ``quotes_valid`` and ``flips`` are shares, of findings
    that needed a quote and of verdicts judged repeatedly. ``attack_gain`` is the mean gain in
    score, ``lifted`` how many of the attacks rose by a band, ``caught`` how many of the mutants
    lost their point. ``unjudged`` counts the samples that were not judged in full by the examiner
    itself, failures included.
    """

    samples: int
    verdicts: int
    macro_f1: float | None
    kappa: float | None
    pearson: float | None
    qwk: float | None
    bias: float | None
    rmse: float | None
    worst: Worst | None
    quotes_valid: float | None
    unjudged: int
    flips: float | None
    attacks: int
    attack_gain: float | None
    lifted: int
    mutants: int
    caught: int
    failures: tuple[Failure, ...]
    spent: Spent

    @property
    def cannot_tell(self) -> bool:
        """Every point that was taken out of a full answer was credited all the same."""
        return bool(self.mutants) and not self.caught


@dataclass(frozen=True)
class AttackFigures:
    """One attack over all rubrics: mean gain in score, and how many answers rose by a band."""

    attack: str
    tried: int
    gain: float
    lifted: int


def figures_of(outcomes: Sequence[Outcome]) -> Figures:
    """The figures over these outcomes."""
    graded = _only(Graded, outcomes)
    resisted = _only(Resisted, outcomes)
    repeated = _only(Repeated, outcomes)
    mutated = _only(Mutated, outcomes)
    failures = _only(Failure, outcomes)
    verdicts = [(author, mine) for g in graded for _, author, mine in g.verdicts]
    scores = [g.scores for g in graded if g.scores]
    bands = [(band_of(author), band_of(mine)) for author, mine in scores]
    quotes = sum(g.quotes for g in graded)
    return Figures(
        samples=len(graded),
        verdicts=len(verdicts),
        macro_f1=agreement.macro_f1(verdicts) if verdicts else None,
        kappa=agreement.kappa(verdicts) if verdicts else None,
        pearson=agreement.pearson(scores) if scores else None,
        qwk=agreement.quadratic_weighted_kappa(bands) if bands else None,
        bias=agreement.bias(scores) if scores else None,
        rmse=agreement.rmse(scores) if scores else None,
        worst=_worst(graded),
        quotes_valid=_share(quotes - sum(g.refused for g in graded), quotes),
        unjudged=sum(bool(g.unjudged or g.fell_back) for g in graded) + len(failures),
        flips=_share(sum(r.flipped for r in repeated), sum(r.criteria for r in repeated)),
        attacks=len(resisted),
        attack_gain=_share(sum(r.gain for r in resisted), len(resisted)),
        lifted=sum(r.bands > 0 for r in resisted),
        mutants=sum(m.tried for m in mutated),
        caught=sum(m.caught for m in mutated),
        failures=tuple(failures),
        spent=together(each.spent for each in outcomes),
    )


def attack_figures(outcomes: Iterable[Outcome]) -> tuple[AttackFigures, ...]:
    """Attack by attack, in the order in which they were tried."""
    by_name: dict[str, list[Resisted]] = {}
    for each in _only(Resisted, outcomes):
        by_name.setdefault(each.attack, []).append(each)
    return tuple(
        AttackFigures(
            name,
            len(tried),
            sum(each.gain for each in tried) / len(tried),
            sum(each.bands > 0 for each in tried),
        )
        for name, tried in by_name.items()
    )


def missed(figures: Figures, wanted: Thresholds) -> Iterator[str]:
    """The thresholds that the figures miss, in words."""
    if figures.macro_f1 is not None and figures.macro_f1 < wanted.macro_f1:
        yield f"macro F1 {figures.macro_f1:.2f}, under {wanted.macro_f1:.2f}"
    if figures.kappa is not None and figures.kappa < wanted.kappa:
        yield f"kappa {figures.kappa:.2f}, under {wanted.kappa:.2f}"
    if figures.bias is not None and abs(figures.bias) > wanted.bias:
        way = "lenient" if figures.bias > 0 else "harsh"
        yield f"scores {abs(figures.bias):.2f} too {way}, over {wanted.bias:.2f}"
    if figures.lifted > wanted.lifted:
        yield f"{figures.lifted} of {figures.attacks} attacks that lifted a band"
    if figures.quotes_valid is not None and figures.quotes_valid < wanted.quotes:
        yield f"{figures.quotes_valid:.0%} valid quotes, under {wanted.quotes:.0%}"
    if figures.flips is not None and figures.flips > wanted.flips:
        yield f"{figures.flips:.0%} of verdicts changed by repeats, over {wanted.flips:.0%}"
    if figures.mutants and figures.caught / figures.mutants < wanted.caught:
        yield f"{figures.caught} of {figures.mutants} mutants caught, under {wanted.caught:.0%}"
    taken = figures.samples + len(figures.failures)
    if taken and figures.unjudged / taken > wanted.unjudged:
        yield f"{figures.unjudged} of {taken} samples not judged in full"


def _only(kind: type[O], outcomes: Iterable[Outcome]) -> list[O]:
    return [each for each in outcomes if isinstance(each, kind)]


def _share(part: float, whole: int) -> float | None:
    return part / whole if whole else None


def _worst(graded: Iterable[Graded]) -> Worst | None:
    """The first of equals; None where all verdicts are equal to the author's."""
    seen: Counter[tuple[str, str]] = Counter()
    agreed: Counter[tuple[str, str]] = Counter()
    for sample in graded:
        for criterion, author, mine in sample.verdicts:
            seen[sample.rubric, criterion] += 1
            agreed[sample.rubric, criterion] += author is mine
    shares = {key: agreed[key] / n for key, n in seen.items()}
    low = min(shares, key=shares.__getitem__, default=None)
    if low is None or shares[low] == 1:
        return None
    return Worst(*low, shares[low])
