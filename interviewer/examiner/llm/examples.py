"""Which of a rubric's graded samples go along with the answer key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from interviewer.examiner.llm.messages import as_json
from interviewer.rubric.rubric import Rubric, Sample

FEWEST_EXAMPLES, MOST_EXAMPLES = 2, 4
MOST_CONSIDERED = 12
"""Of more samples the shortest are considered, since all their combinations are tried."""


@dataclass(frozen=True)
class _Candidate:
    verdicts: Mapping[str, str]
    shown: Mapping[str, object]
    size: int

    @classmethod
    def of(cls, sample: Sample, criteria: Collection[str]) -> _Candidate:
        verdicts = {c: v.value for c, v in sample.verdicts.items() if c in criteria}
        shown = {"answer": sample.answer, "verdicts": verdicts}
        return cls(verdicts, shown, len(as_json(shown)))


def examples(
    rubric: Rubric, criteria: Collection[str], room: int, *, leave_out: Iterable[str] = ()
) -> tuple[Mapping[str, object], ...]:
    """Two to four samples as data: those that show the verdicts on these criteria most evenly.

    All of them fit into ``room`` characters; among equals the shortest set is taken. Where no two
    fit it is one or none. Samples that are the very answer under judgement are left out: they
    would give it away.
    """
    hidden = set(leave_out)
    candidates = [
        _Candidate.of(sample, criteria)
        for sample in rubric.samples
        if sample.kind != "empty" and sample.answer.strip() not in hidden
    ]
    candidates = sorted((c for c in candidates if c.verdicts), key=lambda c: c.size)
    for fewest, most in ((FEWEST_EXAMPLES, MOST_EXAMPLES), (1, 1)):
        fitting = [
            chosen
            for count in range(fewest, most + 1)
            for chosen in combinations(candidates[:MOST_CONSIDERED], count)
            if _size(chosen) <= room
        ]
        if fitting:
            best = min(fitting, key=lambda chosen: (_imbalance(chosen), _size(chosen)))
            return tuple(candidate.shown for candidate in best)
    return ()


def _imbalance(chosen: Sequence[_Candidate]) -> float:
    """How lopsided the verdicts are: from 0.25 for even ones to 1, in steps of 0.01."""
    shown = Counter(verdict for candidate in chosen for verdict in candidate.verdicts.values())
    return round(sum(count**2 for count in shown.values()) / shown.total() ** 2, 2)


def _size(chosen: Sequence[_Candidate]) -> int:
    return sum(candidate.size for candidate in chosen)
