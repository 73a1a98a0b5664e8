"""How well an examiner agrees with the authors of samples, by pairs (author's, examiner's)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import sqrt
from statistics import correlation, fmean
from typing import TypeVar

Label = TypeVar("Label", bound=Hashable)
Pair = TypeVar("Pair")


@dataclass(frozen=True)
class ExamResult:
    """The result of an examiner's own exam, shown beside the grades it gives later.

    ``examiner`` and ``version`` are those of the :class:`~interviewer.examiner.protocol.Examiner`.
    ``kappa`` and ``macro_f1`` are over verdicts, ``bias`` and ``rmse`` over scores in 0..1.
    ``failed_on`` names the thresholds it missed and is empty if it passed.
    """

    examiner: str
    version: str
    taken_at: datetime
    samples: int
    kappa: float
    macro_f1: float
    bias: float
    rmse: float
    failed_on: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """No threshold was missed."""
        return not self.failed_on


def macro_f1(pairs: Iterable[tuple[Label, Label]]) -> float:
    """The F1 of van Rijsbergen (1979), averaged over all labels used by either side, 0..1."""
    counts, authors, examiners = _counted(pairs)
    labels = authors.keys() | examiners.keys()
    return sum(2 * counts[x, x] / (authors[x] + examiners[x]) for x in labels) / len(labels)


def kappa(pairs: Iterable[tuple[Label, Label]]) -> float:
    """Cohen's kappa (1960): agreement beyond chance, -1..1; 1 if both sides only use one label."""
    return _weighted_kappa(pairs, lambda a, b: float(a != b))


def quadratic_weighted_kappa(pairs: Iterable[tuple[int, int]]) -> float:
    """Cohen's weighted kappa (1968) with squared distances, -1..1; 1 if both sides use one band."""
    return _weighted_kappa(pairs, lambda a, b: float(a - b) ** 2)


def _weighted_kappa(
    pairs: Iterable[tuple[Label, Label]], distance: Callable[[Label, Label], float]
) -> float:
    counts, authors, examiners = _counted(pairs)
    observed = sum(n * distance(a, b) for (a, b), n in counts.items())
    chance = sum(n * m * distance(a, b) for a, n in authors.items() for b, m in examiners.items())
    return 1.0 if chance == 0 else 1 - observed * counts.total() / chance


def pearson(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Pearson's correlation (1895), -1..1; None if one side is constant."""
    authors, examiners = zip(*_at_least_one(pairs), strict=True)
    if min(len(set(authors)), len(set(examiners))) == 1:
        return None
    return correlation(authors, examiners)


def bias(pairs: Sequence[tuple[float, float]]) -> float:
    """Mean signed error, positive if the examiner is more lenient than the author."""
    return fmean(b - a for a, b in _at_least_one(pairs))


def rmse(pairs: Sequence[tuple[float, float]]) -> float:
    """Root mean squared error (Gauss), in units of the scores."""
    return sqrt(fmean((b - a) ** 2 for a, b in _at_least_one(pairs)))


def _counted(
    pairs: Iterable[tuple[Label, Label]],
) -> tuple[Counter[tuple[Label, Label]], Counter[Label], Counter[Label]]:
    listed = _at_least_one(tuple(pairs))
    return Counter(listed), Counter(a for a, _ in listed), Counter(b for _, b in listed)


def _at_least_one(pairs: Sequence[Pair]) -> Sequence[Pair]:
    if not pairs:
        raise ValueError("agreement needs at least one pair")
    return pairs
