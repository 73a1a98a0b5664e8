"""What patterns would change: how many of a rubric's own texts are read as their author did."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from interviewer.examiner.offline.judge import judge
from interviewer.examiner.offline.proposals import Proposed, with_patterns
from interviewer.grading.evidence import check
from interviewer.grading.transcript import exchange
from interviewer.rubric.patterns import asserts
from interviewer.rubric.rubric import AllOf, Rubric, Verdict


@dataclass(frozen=True)
class Change:
    """A sample, counted from 1, whose verdict the patterns change."""

    sample: int
    kind: str
    before: Verdict
    after: Verdict
    authors: Verdict


@dataclass(frozen=True)
class Found:
    """How many of some phrasings the patterns find, before and after."""

    before: int
    after: int
    of: int


@dataclass(frozen=True)
class Effect:
    """What the proposed patterns change for one criterion."""

    criterion: str
    accepted: Found
    """The claim is not among these: nobody says it in these words."""
    rejected: Found
    agreeing: Found
    """Samples with the verdict that their author gave."""
    changes: tuple[Change, ...]

    @property
    def harms(self) -> bool:
        """Fewer samples are judged as their author did."""
        return self.agreeing.after < self.agreeing.before


def effects_of(rubric: Rubric, proposed: Iterable[Proposed]) -> tuple[Effect, ...]:
    """The effect on each criterion, as the offline examiner judges."""
    after = with_patterns(rubric, proposed)
    verdicts = [
        (_judged(rubric, sample.answer), _judged(after, sample.answer)) for sample in rubric.samples
    ]
    found = []
    for old, new in zip(rubric.criteria, after.criteria, strict=True):
        rows = [
            Change(n, sample.kind, before[old.id], then[old.id], sample.verdicts[old.id])
            for n, (sample, (before, then)) in enumerate(
                zip(rubric.samples, verdicts, strict=True), start=1
            )
            if old.id in sample.verdicts
        ]
        effect = Effect(
            old.id,
            _found(old.patterns, new.patterns, old.accept),
            _found(old.patterns, new.patterns, old.reject),
            Found(
                sum(row.before is row.authors for row in rows),
                sum(row.after is row.authors for row in rows),
                len(rows),
            ),
            tuple(row for row in rows if row.before is not row.after),
        )
        found.append(effect)
    return tuple(found)


def _found(before: Iterable[AllOf], after: Iterable[AllOf], texts: tuple[str, ...]) -> Found:
    def count(patterns: tuple[AllOf, ...]) -> int:
        return sum(any(asserts(each, text) for each in patterns) for text in texts)

    return Found(count(tuple(before)), count(tuple(after)), len(texts))


def _judged(rubric: Rubric, answer: str) -> dict[str, Verdict]:
    turns = exchange(rubric.question, answer)
    findings = judge(rubric, turns).findings
    return {each.criterion: each.verdict for each in check(rubric, turns, findings)}
