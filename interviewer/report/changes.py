"""The changes between two gradings of a session, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from interviewer.examiner.registry import kind_of
from interviewer.grading.bands import mean_band
from interviewer.grading.verdicts import Verdict
from interviewer.interview.regrading import GradedQuestion, PointChange, QuestionChange
from interviewer.report import words
from interviewer.report.session_json import fields, verdict_json


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


def changes_json(
    before: Sequence[GradedQuestion],
    after: Sequence[GradedQuestion],
    changes: Sequence[QuestionChange],
) -> dict[str, Any]:
    """The same as JSON values: ``band`` [before, after], and ``changes`` by question."""
    return {
        "band": [_mean_band(before), _mean_band(after)],
        "changes": [_question_json(change) for change in changes],
    }


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
            yield from (f"      {name}: {note}" for note in _notes(verdict, by))


def _notes(verdict: Verdict, examiner: str) -> Iterator[str]:
    if verdict.evidence:
        yield words.evidence_words(verdict)
    if verdict.unsupported:
        yield verdict.unsupported
    if len(set(verdict.votes)) > 1:
        yield words.votes_words(verdict.votes, examiner)
    if doubt := words.doubt_words(verdict, examiner):
        yield doubt


def _question_json(change: QuestionChange) -> dict[str, Any]:
    old, new = change.before.grade, change.after.grade
    sides = ("rubric_version", "examiner", "band", "first", "unassisted", "final")
    return {
        "round": change.before.round,
        "question": change.before.question,
        "rubric": old.rubric,
        **{name: [getattr(grade, name) for grade in (old, new)] for name in sides},
        "examiner_kind": [kind_of(grade.examiner).choice for grade in (old, new)],
        "points": [
            fields(point, "criterion", "claim")
            | {"before": point.before and verdict_json(point.before)}
            | {"after": point.after and verdict_json(point.after)}
            for point in change.points
        ],
    }
