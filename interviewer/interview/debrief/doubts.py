"""What the bands and the recommendation rest on uneasily, said beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interviewer.examiner.offline.about import is_offline
from interviewer.grading.score import Grade
from interviewer.grading.verdicts import Flag
from interviewer.interview.debrief.questions import QuestionDebrief
from interviewer.interview.debrief.recommendation import ENOUGH_QUESTIONS, Recommendation

_FLAGGED = (
    (Flag.FALLBACK, "Some points were judged offline since the model's reply could not be used."),
    (
        Flag.CANARY,
        "The model credited a planted point that nobody could make; that look was thrown away.",
    ),
    (Flag.CUT_OFF, "The clock cut at least one answer short."),
    (
        Flag.INJECTION_SUSPECTED,
        "Some text tried to instruct the examiner; it carried no credit.",
    ),
    (Flag.RECITED, "At least one answer repeats the reference nearly word for word."),
)


def doubts_about(
    questions: Sequence[QuestionDebrief], recommendation: Recommendation
) -> Iterator[str]:
    """Sentences on what the results do not show, the weightiest first."""
    graded = [question for question in questions if question.grade]
    grades = [question.grade for question in questions if question.grade]
    if 0 < len(graded) < ENOUGH_QUESTIONS:
        plural = "question" if len(graded) == 1 else "questions"
        yield f"The overall band rests on {len(graded)} graded {plural} only."
    yield from _of_the_examiner(graded)
    yield from _of_the_votes(graded, recommendation)
    if missing := sum(bool(grade.ungraded) for grade in grades):
        yield f"{missing} of {len(grades)} questions could not be judged in full."
    flagged = frozenset[Flag]().union(*(grade.flags for grade in grades))
    yield from (sentence for flag, sentence in _FLAGGED if flag in flagged)


def _of_the_examiner(graded: Sequence[QuestionDebrief]) -> Iterator[str]:
    judged = [question for question in graded if question.examiners]
    failed = [question for question in judged if question.failed_exam]
    if failed:
        names = " and ".join(dict.fromkeys(n for q in failed for n in q.failed_exam))
        yield (
            f"{len(failed)} of {len(graded)} questions were judged by an examiner that failed its "
            f"own exam ({names})."
        )
    offline = sum(any(map(is_offline, question.examiners)) for question in judged)
    if offline:
        yield (
            f"{offline} of {len(graded)} questions were judged offline, by word patterns: good "
            "reasoning in unusual words may count for nothing."
        )
    if len({name for question in judged for name in question.examiners}) > 1:
        yield "More than one examiner judged: bands before and after the change do not compare."


def _of_the_votes(
    graded: Sequence[QuestionDebrief], recommendation: Recommendation
) -> Iterator[str]:
    grades: list[Grade] = [question.grade for question in graded if question.grade]
    voted = [verdict for grade in grades for verdict in grade.verdicts if verdict.votes]
    split = sum(len(set(verdict.votes)) > 1 for verdict in voted)
    if split:
        yield f"On {split} of {len(voted)} points the looks of the examiner disagreed."
    between = sum(grade.between_bands is not None for grade in grades)
    if between:
        yield f"{between} of {len(grades)} questions lie between two bands by those looks."
    if recommendation.reach:
        harshest, kindest = recommendation.reach
        yield (
            f"Read harshly throughout, the same looks would make it “{harshest}”; read kindly, "
            f"“{kindest}”."
        )
