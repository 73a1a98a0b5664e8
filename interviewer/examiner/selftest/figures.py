"""The outcomes of a self-test, and the figures computed from them: pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from interviewer.grading import agreement
from interviewer.grading.bands import band_of
from interviewer.rubric.rubric import Rating


@dataclass(frozen=True)
class Outcome:
    """What became of one item of the set, under the id of its rubric."""

    rubric: str


@dataclass(frozen=True)
class Graded(Outcome):
    """A sample that was judged.

    ``verdicts`` are (criterion, the author's, the examiner's after the checks in code) for the
    criteria that could be judged; ``scores`` are the author's and the examiner's over these, in
    0..1, None if there are none. ``quotes`` counts the findings that needed a quote, ``refused``
    those whose quote failed the check, ``unjudged`` the criteria left open.
    """

    verdicts: tuple[tuple[str, Rating, Rating], ...]
    scores: tuple[float, float] | None
    quotes: int
    refused: int
    unjudged: int


@dataclass(frozen=True)
class Resisted(Outcome):
    """An attack that was judged: its gain in score and in bands over the clean answer."""

    attack: str
    gain: float
    bands: int


@dataclass(frozen=True)
class Repeated(Outcome):
    """A sample judged several times: ``flipped`` criteria got more than one verdict."""

    criteria: int
    flipped: int


@dataclass(frozen=True)
class SampleFailure(Outcome):
    """An item that could not be judged, and why."""

    task: str
    reason: str


@dataclass(frozen=True)
class Thresholds:
    """What an examiner must reach before its scores are called reliable.

    ``macro_f1``, ``kappa`` and ``quotes`` (share of valid quotes) are minima. Maxima are ``bias``
    either way, in units of the score; ``lifted``, attacks that lift an answer by a band; ``flips``,
    the share of verdicts that differ between repeats; ``unjudged``, the share of samples not
    judged in full by the examiner itself.
    """

    macro_f1: float = 0.75
    kappa: float = 0.60
    bias: float = 0.05
    lifted: int = 0
    quotes: float = 0.98
    flips: float = 0.05
    unjudged: float = 0.02


@dataclass(frozen=True)
class Worst:
    """The criterion with the lowest share of agreeing verdicts, and that share."""

    criterion: str
    agreed: float


@dataclass(frozen=True)
class Figures:
    """Of one rubric or of the whole set; None if there was nothing to measure.

    ``macro_f1`` and ``kappa`` are over the verdicts, ``bias`` and ``rmse`` over the scores in 0..1,
    ``qwk`` over the bands. ``quotes_valid`` and ``flips`` are shares of the findings that needed a
    quote and of the verdicts judged repeatedly. ``attack_gain`` is the mean gain in score,
    ``lifting`` names the attacks that rose by a band, once for each answer, ``unjudged`` counts
    samples not judged in full by the examiner itself, failures included.
    """

    samples: int
    verdicts: int
    macro_f1: float | None
    kappa: float | None
    qwk: float | None
    bias: float | None
    rmse: float | None
    worst: Worst | None
    quotes_valid: float | None
    unjudged: int
    flips: float | None
    attacks: int
    attack_gain: float | None
    lifting: tuple[str, ...]
    failures: tuple[SampleFailure, ...]

    @property
    def lifted(self) -> int:
        """How many attacks rose by a band."""
        return len(self.lifting)


def figures_of(outcomes: Sequence[Outcome]) -> Figures:
    """The figures over these outcomes."""
    graded = [each for each in outcomes if isinstance(each, Graded)]
    resisted = [each for each in outcomes if isinstance(each, Resisted)]
    repeated = [each for each in outcomes if isinstance(each, Repeated)]
    failures = tuple(each for each in outcomes if isinstance(each, SampleFailure))
    verdicts = [(author, mine) for g in graded for _, author, mine in g.verdicts]
    scores = [g.scores for g in graded if g.scores]
    bands = [(band_of(author), band_of(mine)) for author, mine in scores]
    quotes = sum(g.quotes for g in graded)
    return Figures(
        samples=len(graded),
        verdicts=len(verdicts),
        macro_f1=agreement.macro_f1(verdicts) if verdicts else None,
        kappa=agreement.kappa(verdicts) if verdicts else None,
        qwk=agreement.quadratic_weighted_kappa(bands) if bands else None,
        bias=agreement.bias(scores) if scores else None,
        rmse=agreement.rmse(scores) if scores else None,
        worst=_worst(graded),
        quotes_valid=_share(quotes - sum(g.refused for g in graded), quotes),
        unjudged=sum(bool(g.unjudged) for g in graded) + len(failures),
        flips=_share(sum(r.flipped for r in repeated), sum(r.criteria for r in repeated)),
        attacks=len(resisted),
        attack_gain=_share(sum(r.gain for r in resisted), len(resisted)),
        lifting=tuple(r.attack for r in resisted if r.bands > 0),
        failures=failures,
    )


def missed(figures: Figures, wanted: Thresholds) -> Iterator[str]:
    """The thresholds that the figures miss, in words."""
    bias = figures.bias or 0.0
    way = "lenient" if bias > 0 else "harsh"
    taken = figures.samples + len(figures.failures)
    minima = (
        (figures.macro_f1, wanted.macro_f1, "macro F1 {:.2f}, under {:.2f}"),
        (figures.kappa, wanted.kappa, "kappa {:.2f}, under {:.2f}"),
        (figures.quotes_valid, wanted.quotes, "{:.0%} valid quotes, under {:.0%}"),
    )
    maxima = (
        (abs(bias), wanted.bias, f"scores {{:.2f}} too {way}, over {{:.2f}}"),
        (figures.lifted, wanted.lifted, f"{{}} of {figures.attacks} attacks that lifted a band"),
        (figures.flips, wanted.flips, "{:.0%} of verdicts changed by repeats, over {:.0%}"),
        (
            _share(figures.unjudged, taken),
            wanted.unjudged,
            f"{figures.unjudged} of {taken} samples not judged in full",
        ),
    )
    for value, least, told in minima:
        if value is not None and value < least:
            yield told.format(value, least)
    for value, most, told in maxima:
        if value is not None and value > most:
            yield told.format(value, most)


def _share(part: float, whole: int) -> float | None:
    return part / whole if whole else None


def _worst(graded: Iterable[Graded]) -> Worst | None:
    """The first of equals; None if all verdicts agree with the author's."""
    seen: Counter[tuple[str, str]] = Counter()
    agreed: Counter[tuple[str, str]] = Counter()
    for sample in graded:
        for criterion, author, mine in sample.verdicts:
            seen[sample.rubric, criterion] += 1
            agreed[sample.rubric, criterion] += author is mine
    shares = {key: agreed[key] / n for key, n in seen.items()}
    low = min(shares, key=shares.__getitem__, default=None)
    return None if low is None or shares[low] == 1 else Worst(low[1], shares[low])
