"""A debrief and a transcript as plain lines, for terminals, pipes and screen readers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime

from interviewer.grading.score import Grade
from interviewer.grading.transcript import Turn
from interviewer.interview.debrief import Debrief
from interviewer.interview.debrief.questions import (
    BenchDebrief,
    CriterionLine,
    Lesson,
    QuestionDebrief,
    RoundDebrief,
)
from interviewer.interview.journal import Replay
from interviewer.interview.state import SessionState
from interviewer.report import overview, surface, words
from interviewer.report.bench_runs import bench_lines, run_lines, solution_lines
from interviewer.report.figures import captioned, told
from interviewer.report.overview import Entry, Section


def grades_may_be_shown(state: SessionState) -> bool:
    """An exam shows no verdict and no reference answer until it is finished."""
    return state.mode == "practice" or state.finished is not None


def rubrics_to_show(state: SessionState) -> frozenset[str]:
    """The ids of the rubrics that may be read in full: those graded, and all at the end.

    Rubrics that a ladder or a reserve did not need stay hidden: they may be asked another day.
    """
    asked = frozenset(question.rubric for question in state.questions)
    if state.finished:
        return asked.union(*(outline.due for outline in state.outline))
    if not grades_may_be_shown(state):
        return frozenset()
    return frozenset(question.rubric for question in state.questions if question.grade)


def debrief_lines(debrief: Debrief, *, full: bool = False) -> Iterator[str]:
    """The debrief: the person, what to do, each question in brief; ``full`` adds the appendix."""
    yield f"Debrief: {debrief.plan_title}"
    yield ""
    yield debrief.person
    yield from section_lines(surface.above(debrief))
    for part in debrief.rounds:
        yield from _round(part, brief_lines)
    yield from section_lines(surface.below(debrief))
    if full:
        yield from appendix_lines(debrief)


def appendix_lines(debrief: Debrief, *, questions: bool = True) -> Iterator[str]:
    """The long form: profile, reasons, moments, every point with its evidence and reference."""
    yield ""
    yield "Appendix"
    yield from section_lines((*surface.talk_in_full(debrief), *overview.sections(debrief)))
    if questions:
        for part in debrief.rounds:
            yield from _round(part, question_lines)


def section_lines(sections: Iterable[Section]) -> Iterator[str]:
    """Sections with their entries."""
    for section in sections:
        yield ""
        yield section.title
        yield from _entries(section.entries)


def brief_lines(question: QuestionDebrief) -> Iterator[str]:
    """One question in brief."""
    yield surface.question_title(question)
    yield from _entries(surface.question_entries(question))


def taught_lines(question: QuestionDebrief) -> Iterator[str]:
    """One question in brief, with what there is to learn from: the reference and the solution."""
    yield from brief_lines(question)
    yield f"  Reference answer: {question.rubric.reference}"
    if question.bench:
        yield from _solution(question.bench)


def _entries(entries: Iterable[Entry]) -> Iterator[str]:
    for entry in entries:
        yield f"  {entry.text}"
        yield from (f"      {detail}" for detail in entry.details)


def _round(
    part: RoundDebrief, lines_of: Callable[[QuestionDebrief], Iterator[str]]
) -> Iterator[str]:
    yield ""
    yield f"Round {part.number}: {part.title}, {words.band_words(part.band)}"
    for question in part.questions:
        yield ""
        yield from lines_of(question)
    if part.not_asked:
        yield ""
        yield f"Not asked: {'; '.join(part.not_asked)}."


def transcript_lines(replay: Replay, debrief: Debrief, *, full: bool = False) -> Iterator[str]:
    """Everything that was said, with the verdicts after each question once they may be seen.

    A finished session's debrief comes last, where a terminal is read first. ``full`` shows every
    verdict with its evidence, the scores and the reference answers.
    """
    shown = grades_may_be_shown(replay.state)
    yield f"{debrief.plan_title} ({debrief.mode}), session {replay.session.id}"
    yield f"{local_time(replay.session.created_at)}, examiner {debrief.examiner}"
    yield debrief.headline if replay.state.finished else f"Status: {replay.session.status}"
    if not shown:
        yield "Verdicts appear once the exam is finished."
    for part in debrief.rounds:
        yield ""
        yield f"Round {part.number}: {part.title}"
        for question in part.questions:
            yield ""
            for turn in question.turns:
                kind = words.asked(turn, question) if shown else ""
                yield turn_line(turn, replay.times.get(turn.number), kind)
            if question.closed is not None and shown:
                yield words.CLOSED[question.closed]
            if question.grade and shown:
                yield from question_lines(question) if full else brief_lines(question)
    if replay.state.finished:
        yield ""
        yield debrief.person
        yield from section_lines((*surface.above(debrief), *surface.below(debrief)))
        if full:
            yield from appendix_lines(debrief, questions=False)


def question_lines(question: QuestionDebrief) -> Iterator[str]:
    """One question's grade: its points with their evidence, scores, the reference answer."""
    grade = question.grade
    if question.rubric.is_discussion:
        yield from brief_lines(question)
        return
    yield surface.question_title(question)
    if grade:
        yield from grade_lines(grade, question.lines, question.lessons)
        if own := words.own_sentence(question):
            yield f"  {own}"
        if question.drills:
            yield f"  {words.drills_sentence(question.drills)}"
        if question.failed_exam:
            yield f"  {words.failed_exam_sentence(question.failed_exam)}"
        yield f"  Reference answer: {question.rubric.reference}"
        if question.bench:
            yield from _bench(question.bench)


def grade_lines(
    grade: Grade, lines: Sequence[CriterionLine], lessons: Sequence[Lesson] = ()
) -> Iterator[str]:
    """The points with verdicts and what to say next time, the scores, notes on the grade."""
    by_criterion = {lesson.line.criterion.id: lesson for lesson in lessons}
    for line in lines:
        yield from _criterion(line)
        if lesson := by_criterion.get(line.criterion.id):
            yield from _lesson(lesson)
    yield f"  {words.scores_sentence(grade)}"
    for note in (*grade.reasons, words.flags_sentence(grade.flags)):
        if note:
            yield f"  {note}"


def turn_line(turn: Turn, at: datetime | None = None, kind: str = "") -> str:
    """One utterance with its author, its kind in words, its time where known, and its figure."""
    kind = kind or words.TURN[turn.kind]
    author = "Examiner" if turn.author == "examiner" else "You"
    when = f", {local_time(at)}" if at else ""
    if turn.result:
        ran = "\n".join(run_lines(turn.text, turn.result))
        return f"{author} ({kind}{when}):\n{ran}"
    said = f"(submitted from the bench, turn {turn.run})" if turn.run else turn.text
    shown = (captioned(turn.figure), *told(turn.figure)) if turn.figure else ()
    return "\n".join([f"{author} ({kind}{when}): {said}", *shown])


def local_time(at: datetime) -> str:
    """A moment to the minute, in the time zone of this machine."""
    return f"{at.astimezone():%Y-%m-%d %H:%M}"


def _bench(bench: BenchDebrief) -> Iterator[str]:
    yield from (f"  {line}" for line in bench_lines(bench))
    yield from _solution(bench)


def _solution(bench: BenchDebrief) -> Iterator[str]:
    yield "  Written solution:"
    yield from (f"      {line}".rstrip() for line in solution_lines(bench))


def _criterion(line: CriterionLine) -> Iterator[str]:
    if line.verdict is None:
        yield f"  {words.line_words(line)}: {line.criterion.claim}"
        yield f"      {line.ungraded_reason}"
        return
    yield f"  {words.line_words(line)}: {line.criterion.claim}"
    if line.verdict.evidence:
        yield f"      {words.evidence_words(line.verdict)}"
    for note in words.notes(line.verdict, line.examiner):
        yield f"      {note}"


def _lesson(lesson: Lesson) -> Iterator[str]:
    if said := overview.said_words(lesson):
        yield f"      {said}"
    if lesson.reference:
        yield f"      Next time: {lesson.reference}"
