"""A session's transcript as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime

from interviewer.grading.transcript import Turn
from interviewer.grading.verdicts import CriterionVerdict
from interviewer.interview.debrief import Debrief
from interviewer.interview.debrief.questions import (
    BenchDebrief,
    CriterionLine,
    Lesson,
    QuestionDebrief,
    RoundDebrief,
)
from interviewer.interview.journal import Replay
from interviewer.report import overview, surface, words
from interviewer.report.bench_runs import NO_SOLUTION, bench_lines, run_lines
from interviewer.report.figures import captioned, drawn, value_rows
from interviewer.report.overview import Entry, Section
from interviewer.report.plain import printable
from interviewer.report.text import grades_may_be_shown
from interviewer.rubric.figure import Figure

FIGURE_WIDTH = 76
_INLINE = re.compile(r"([\\`*_{}\[\]<>|~&$#])")
_LINE_START = re.compile(r"^([-+=]|\d+(?=[.)]))(.?)")
_BACKTICKS = re.compile(r"`+")


def transcript_markdown(replay: Replay, debrief: Debrief) -> str:
    """The whole session: the debrief, who said what and when, and an appendix with every verdict.

    Verdicts and references appear only once the candidate may see them: after each question in
    practice, after the last one in an exam.
    """
    shown = grades_may_be_shown(replay.state)
    lines = [*_head(replay, debrief, shown)]
    for part in debrief.rounds:
        lines += _round(part, replay.times, shown)
    if shown:
        lines += _appendix(replay, debrief)
    return "\n".join(lines).rstrip("\n") + "\n"


def inline(text: str) -> str:
    """Text on one line with all markup escaped."""
    one_line = " ".join(printable(text).split())
    escaped = _INLINE.sub(r"\\\1", one_line)
    return _LINE_START.sub(_escaped_start, escaped)


def fenced(text: str) -> list[str]:
    """Text as a code block, with a fence longer than any inside it."""
    shown = printable(text)
    longest = max((len(run) for run in _BACKTICKS.findall(shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", *shown.split("\n"), fence]


def quoted(text: str) -> list[str]:
    """Text as a block quote: line breaks kept, markup escaped."""
    lines = [inline(line) for line in printable(text).strip().split("\n")]
    following = [*lines[1:], ""]
    return [
        f"> {line}\\" if line and after else f"> {line}".rstrip()
        for line, after in zip(lines, following, strict=True)
    ]


def _escaped_start(match: re.Match[str]) -> str:
    mark, after = match.groups()
    return f"{mark}\\{after}" if mark.isdigit() else f"\\{mark}{after}"


def _head(replay: Replay, debrief: Debrief, shown: bool) -> Iterator[str]:
    session = replay.session
    yield f"# {inline(debrief.plan_title)}"
    yield ""
    yield f"- Session: {inline(session.id)}"
    yield f"- Begun: {_moment(session.created_at)}"
    yield f"- Mode: {debrief.mode}"
    yield f"- Examiner: {inline(debrief.examiner)}"
    yield f"- Status: {session.status}"
    yield ""
    if not shown:
        yield "Verdicts and reference answers appear once the exam is finished."
        yield ""
        return
    if replay.state.finished:
        yield from _overview(debrief)


def _overview(debrief: Debrief) -> Iterator[str]:
    yield inline(debrief.person)
    yield ""
    yield from _sections((*surface.above(debrief), *surface.below(debrief)), "##")


def _sections(sections: Iterable[Section], level: str) -> Iterator[str]:
    for section in sections:
        yield f"{level} {inline(section.title)}"
        yield ""
        yield from _entries(section.entries)
        yield ""


def _entries(entries: Iterable[Entry]) -> Iterator[str]:
    for entry in entries:
        yield f"- {inline(entry.text)}"
        yield from (f"  - {inline(detail)}" for detail in entry.details)


def _appendix(replay: Replay, debrief: Debrief) -> Iterator[str]:
    """Everything that the debrief above leaves out, each graded question in full."""
    graded = [each for each in debrief.questions if each.grade and not each.grade.is_none]
    if not graded:
        return
    yield "## Appendix"
    yield ""
    if replay.state.finished:
        sections = (*surface.talk_in_full(debrief), *overview.sections(debrief))
        yield from _sections(sections, "###")
    for question in graded:
        yield from _grade(question)


def _round(part: RoundDebrief, times: Mapping[int, datetime], shown: bool) -> Iterator[str]:
    result = f" ({words.band_words(part.band)})" if shown and part.band is not None else ""
    yield f"## Round {part.number}: {inline(part.title)}{result}"
    yield ""
    for question in part.questions:
        yield from _question(question, times, shown)
    if part.not_asked and shown:
        yield f"Not asked: {', '.join(inline(title) for title in part.not_asked)}."
        yield ""


def _question(
    question: QuestionDebrief, times: Mapping[int, datetime], shown: bool
) -> Iterator[str]:
    yield f"### Question {question.number}: {inline(question.rubric.title)}"
    yield ""
    for turn in question.turns:
        kind = words.asked(turn, question) if shown else words.TURN[turn.kind]
        yield from _turn(turn, kind, times.get(turn.number))
    if question.closed is not None:
        yield words.CLOSED[question.closed]
        yield ""
    if shown and question.grade is not None:
        yield f"#### In brief: {words.grade_words(question)}"
        yield ""
        yield from _entries(surface.question_entries(question))
        yield ""


def _turn(turn: Turn, kind: str, at: datetime | None) -> Iterator[str]:
    author = "Examiner" if turn.author == "examiner" else "You"
    when = f", {_moment(at)}" if at is not None else ""
    yield f"**{author}** ({kind}{when})"
    yield ""
    if turn.result:
        yield from fenced("\n".join(run_lines(turn.text, turn.result)))
    elif turn.run:
        yield f"Submitted from the bench, as run in turn {turn.run}."
    else:
        yield from quoted(turn.text) if turn.author == "examiner" else fenced(turn.text)
    yield ""
    if turn.figure:
        yield from _figure(turn.figure)


def _figure(figure: Figure) -> Iterator[str]:
    """The drawing or the listing as a block, then the values of the curves as a table."""
    yield inline(captioned(figure))
    yield ""
    yield from fenced("\n".join(drawn(figure, FIGURE_WIDTH)))
    yield ""
    if figure.plot:
        heads, *rows = value_rows(figure.plot)
        yield f"| {' | '.join(map(inline, heads))} |"
        yield f"|{'---:|' * len(heads)}"
        yield from (f"| {' | '.join(row)} |" for row in rows)
        yield ""


def _grade(question: QuestionDebrief) -> Iterator[str]:
    grade = question.grade
    assert grade is not None
    yield f"### {inline(question.rubric.title)}: {words.grade_words(question)}"
    yield ""
    yield "| Point | Weight | Verdict | Your words, with comments | Next time |"
    yield "|---|---|---|---|---|"
    yield from (_row(line, question.lesson_on(line.criterion)) for line in question.lines)
    yield ""
    yield words.scores_sentence(grade)
    yield ""
    notes = [
        words.own_sentence(question),
        *grade.reasons,
        words.flags_sentence(grade.flags),
        words.failed_exam_sentence(question.failed_exam),
    ]
    for note in filter(None, notes):
        yield inline(note)
        yield ""
    yield "#### Reference answer"
    yield ""
    yield from quoted(question.rubric.reference)
    yield ""
    if question.bench:
        yield from _bench(question.bench)


def _bench(bench: BenchDebrief) -> Iterator[str]:
    yield "#### At the bench"
    yield ""
    yield from (f"- {inline(line)}" for line in bench_lines(bench))
    yield ""
    if bench.challenge is None:
        yield NO_SOLUTION
        yield ""
        return
    yield from quoted(bench.challenge.solution)
    yield ""
    if bench.challenge.derivation:
        yield from fenced(bench.challenge.derivation.strip())
        yield ""


def _row(line: CriterionLine, lesson: Lesson | None) -> str:
    extra = line.criterion.extra and not line.further
    kind = ", must have" * line.criterion.must_have + ", extra" * extra
    weight = f"{line.criterion.weight:g}{kind}"
    cells = (
        inline(line.criterion.claim),
        weight,
        inline(words.line_words(line)),
        _words(line, line.verdict, lesson) if line.verdict else inline(line.ungraded_reason),
        inline(lesson.reference) if lesson else "",
    )
    return f"| {' | '.join(cells)} |"


def _words(line: CriterionLine, verdict: CriterionVerdict, lesson: Lesson | None) -> str:
    told = [f"“{inline(each.text)}” (turn {each.turn})" for each in verdict.quotes]
    if lesson and (said := overview.said_words(lesson)):
        told.append(inline(said))
    told += [inline(note) for note in words.notes(verdict, line.examiner)]
    return " ".join(told)


def _moment(at: datetime) -> str:
    """UTC, to the second: a document travels between time zones."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
