"""Whether an escalation is worth asking: harder than the question, and not answered before."""

from __future__ import annotations

from collections.abc import Iterator

from interviewer.content.problems import Locator, Problem
from interviewer.rubric.patterns import hits, is_usable
from interviewer.rubric.rubric import HarderPoint, Rating, Rubric
from interviewer.rubric.speech import long_words
from interviewer.rubric.text import normalise, windows

FEWEST_ACCEPTED = 3
FEWEST_REJECTED = 1
FEWEST_SAMPLES = 2
TOLD = 0.7
"""The share of a claim's own words from which two sentences of the reference answer it."""


def escalation_problems(
    rubric: Rubric, n: int, where: Locator, *, strict: bool
) -> Iterator[Problem]:
    """All problems of the n-th escalation, which is graded, with its question and reference."""
    lacking = where.error if strict else where.warning
    for k, point in enumerate(rubric.escalations[n].criteria):
        field = ("criteria", k)
        if len(point.accept) < FEWEST_ACCEPTED:
            message = f"should be at least {FEWEST_ACCEPTED}; add other ways to say it"
            yield lacking((*field, "accept"), message)
        if len(point.reject) < FEWEST_REJECTED:
            message = "is missing; add what sounds right and isn't enough"
            yield lacking((*field, "reject"), message)
        if _is_told(point, rubric):
            message = "is nearly said in the reference; ask for something that goes further"
            yield where.warning((*field, "claim"), message)
        for j, alternative in enumerate(point.patterns):
            if is_usable(alternative) and hits(alternative, rubric.reference):
                message = "matches the reference, so the question's own answer would earn it"
                yield lacking((*field, "patterns", j), message)
    yield from _samples(rubric, n, where, strict=strict)


def _samples(rubric: Rubric, n: int, where: Locator, *, strict: bool) -> Iterator[Problem]:
    """Replies that are judged in full, one that goes further and one that doesn't."""
    escalation = rubric.escalations[n]
    known = {point.id for point in escalation.criteria}
    for k, sample in enumerate(escalation.samples):
        field = ("samples", k, "verdicts")
        for unknown in sorted(sample.verdicts.keys() - known):
            message = "is not the id of a criterion of this escalation; correct or remove it"
            yield where.error((*field, unknown), message)
        if missing := sorted(known - sample.verdicts.keys()):
            yield where.error(field, f"lack {', '.join(missing)}; judge every criterion")
    given = [verdict for sample in escalation.samples for verdict in sample.verdicts.values()]
    if (
        len(escalation.samples) < FEWEST_SAMPLES
        or Rating.MET not in given
        or Rating.NOT_MET not in given
    ):
        message = (
            f"should be at least {FEWEST_SAMPLES}, one that meets a criterion and one that "
            "doesn't; 'rubrics selftest' grades them"
        )
        yield (where.error if strict else where.warning)(("samples",), message)


def _is_told(point: HarderPoint, rubric: Rubric) -> bool:
    mine = long_words(point.claim) - long_words(rubric.question)
    plain = normalise(rubric.reference)
    near = (long_words(plain.text[start:end]) for start, end in windows(plain))
    return len(mine) >= 3 and any(len(mine & told) >= TOLD * len(mine) for told in near)
