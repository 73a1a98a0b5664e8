"""The changes between two gradings of a session, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interviewer.grading.bands import mean_band
from interviewer.interview.regrading import GradedQuestion, PointChange, QuestionChange
from interviewer.report import words


def change_lines(
    before: Sequence[GradedQuestion],
    after: Sequence[GradedQuestion],
    changes: Sequence[QuestionChange],
) -> Iterator[str]:
    """The mean bands, then question by question what changed."""
    earlier, later = _mean_band(before), _mean_band(after)
    yield f"Mean {words.band_words(earlier)}, then {words.band_words(later)}."
    if not changes:
        yield "Nothing changed: every verdict and score is the same."
    for change in changes:
        yield ""
        yield from _question_lines(change)


def _mean_band(graded: Sequence[GradedQuestion]) -> float | None:
    return mean_band([question.grade.band for question in graded])


def _question_lines(change: QuestionChange) -> Iterator[str]:
    old, new = change.before.grade, change.after.grade
    yield (
        f"Round {change.before.round}, question {change.before.question}: {change.before.title}, "
        f"{words.band_words(old.band)}, then {words.band_words(new.band)}"
    )
    yield f"  Before: {words.scores_sentence(old)}"
    yield f"  Then:   {words.scores_sentence(new)}"
    if old.examiner != new.examiner:
        yield f"  Judged by {old.examiner}, then {new.examiner}."
    if old.rubric_version != new.rubric_version:
        yield f"  Rubric version {old.rubric_version}, then {new.rubric_version}."
    for point in change.points:
        yield from _point_lines(point, old.examiner, new.examiner)


def _point_lines(point: PointChange, old: str, new: str) -> Iterator[str]:
    before, after = words.verdict_words(point.before, old), words.verdict_words(point.after, new)
    yield f"  {before} → {after}: {point.claim}"
    for name, verdict, by in (("Before", point.before, old), ("Then", point.after, new)):
        if verdict:
            said = " … ".join(f"“{text}”" for text in verdict.words)
            for note in (said, *words.notes(verdict, by)):
                yield from [f"      {name}: {note}"] if note else []
