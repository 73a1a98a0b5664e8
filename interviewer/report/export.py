"""A session as JSON and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from interviewer.grading.score import Grade
from interviewer.grading.transcript import Turn
from interviewer.grading.verdicts import CriterionVerdict
from interviewer.interview.debrief import (
    BenchDebrief,
    CriterionLine,
    Debrief,
    Lesson,
    QuestionDebrief,
    RoundDebrief,
)
from interviewer.interview.events import as_shown, to_json
from interviewer.interview.journal import Replay
from interviewer.report import overview, words
from interviewer.report.bench import GONE, bench_json, bench_lines, run_lines, turn_bench_json
from interviewer.report.overview import freeze_json, lesson_json, moment_json, overview_json
from interviewer.report.plain import printable
from interviewer.report.text import grades_may_be_shown, rubrics_to_show

SCHEMA = 1


def session_json(replay: Replay, debrief: Debrief) -> dict[str, Any]:
    """The whole session as JSON values."""
    session = replay.session
    revealed = grades_may_be_shown(replay.state)
    return {
        "schema": SCHEMA,
        "session": {
            "id": session.id,
            "plan": session.plan,
            "plan_title": session.plan_title,
            "mode": session.mode,
            "examiner": session.examiner,
            "status": session.status,
            "created_at": moment_json(session.created_at),
            "updated_at": moment_json(session.updated_at),
        },
        "debrief": debrief_json(debrief, times=replay.times, revealed=revealed),
        "rubrics": {
            rubric_id: replay.rubrics[rubric_id].model_dump(mode="json")
            for rubric_id in sorted(rubrics_to_show(replay.state))
        },
        "events": list(_events(replay, revealed=revealed)),
    }


def debrief_json(
    debrief: Debrief,
    *,
    times: Mapping[int, datetime] | None = None,
    revealed: bool = True,
) -> dict[str, Any]:
    """The debrief as JSON values; turns carry the times that are known.

    ``revealed`` false keeps back all that tells how it went.
    """
    return {
        "band": debrief.band if revealed else None,
        "headline": debrief.headline if revealed else "",
        "about": debrief.about,
        "doubts": list(debrief.doubts) if revealed else [],
        **overview_json(debrief, revealed=revealed),
        "rounds": [_round_json(part, times or {}, revealed) for part in debrief.rounds],
    }


def turn_json(turn: Turn, at: datetime | None = None) -> dict[str, Any]:
    """One utterance as JSON values, without the criterion it was aimed at."""
    return {
        "turn": turn.number,
        "author": turn.author,
        "kind": turn.kind.value,
        "text": turn.text,
        "at": None if at is None else moment_json(at),
        **turn_bench_json(turn),
    }


def grade_json(grade: Grade, lines: tuple[CriterionLine, ...]) -> dict[str, Any]:
    """A grade with its verdicts as JSON values."""
    return {
        "band": grade.band,
        "first": grade.first,
        "unassisted": grade.unassisted,
        "final": grade.final,
        "interval": grade.interval and list(grade.interval),
        "between_bands": grade.between_bands and list(grade.between_bands),
        "examiner": grade.examiner,
        "flags": sorted(grade.flags),
        "reasons": list(grade.reasons),
        "verdicts": [_verdict_json(line) for line in lines],
    }


def _round_json(
    part: RoundDebrief, times: Mapping[int, datetime], revealed: bool
) -> dict[str, Any]:
    return {
        "round": part.number,
        "title": part.title,
        "band": part.band if revealed else None,
        "not_asked": list(part.not_asked) if revealed else [],
        "questions": [_question_json(question, times, revealed) for question in part.questions],
    }


def _question_json(
    question: QuestionDebrief, times: Mapping[int, datetime], revealed: bool
) -> dict[str, Any]:
    graded = question.grade if revealed else None
    return {
        "question": question.number,
        "rubric": question.rubric.id,
        "title": question.rubric.title,
        "closed": question.closed,
        "grade": grade_json(graded, question.lines) if graded else None,
        "next_time": [lesson_json(each) for each in question.lessons] if graded else [],
        "freezes": [freeze_json(each) for each in question.freezes] if graded else [],
        "failed_exam": list(question.failed_exam) if graded else [],
        "bench": bench_json(question.bench) if graded and question.bench else None,
        "turns": [turn_json(turn, times.get(turn.number)) for turn in question.turns],
    }


def _verdict_json(line: CriterionLine) -> dict[str, Any]:
    verdict = line.verdict
    criterion = {
        "criterion": line.criterion.id,
        "claim": line.criterion.claim,
        "weight": line.criterion.weight,
    }
    if verdict is None:
        return {**criterion, "verdict": None, "reason": line.ungraded_reason}
    return {
        **criterion,
        "verdict": verdict.verdict.value,
        "evidence": verdict.evidence,
        "turn": verdict.turn,
        "span": list(verdict.span) if verdict.span else None,
        "source": verdict.source.value,
        "missing": verdict.missing,
        "unsupported": verdict.unsupported,
        "votes": [vote.value for vote in verdict.votes],
    }


def _events(replay: Replay, *, revealed: bool) -> Iterator[dict[str, Any]]:
    for seq, recorded in enumerate(replay.journal, start=1):
        event = recorded.event if revealed else as_shown(recorded.event, replay.state.mode)
        if event is not None:
            at = moment_json(recorded.at)
            yield {"seq": seq, "at": at, "elapsed": recorded.elapsed, **to_json(event)}


_INLINE = re.compile(r"([\\`*_{}\[\]<>|~&$#])")
_LINE_START = re.compile(r"^([-+=]|\d+(?=[.)]))(.?)")
_BACKTICKS = re.compile(r"`+")


def transcript_markdown(replay: Replay, debrief: Debrief) -> str:
    """The whole session: who said what and when, the verdicts, and the reference answers.

    Verdicts and references stand only where the candidate may see them already: after each
    question in practice, after the last one in an exam.
    """
    shown = grades_may_be_shown(replay.state)
    lines = [*_head(replay, debrief, shown)]
    for part in debrief.rounds:
        lines += _round(part, replay.times, shown)
    return "\n".join(lines).rstrip("\n") + "\n"


def inline(text: str) -> str:
    """Text for the middle of a Markdown line: one line, with nothing in it that is markup."""
    one_line = " ".join(printable(text).split())
    escaped = _INLINE.sub(r"\\\1", one_line)
    return _LINE_START.sub(_escaped_start, escaped)


def fenced(text: str) -> list[str]:
    """Text as a code block whose fence is longer than any that stands in it."""
    shown = printable(text)
    longest = max((len(run) for run in _BACKTICKS.findall(shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", *shown.split("\n"), fence]


def quoted(text: str) -> list[str]:
    """Text as a block quote; its lines are kept, its markup is escaped."""
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
        yield "Verdicts and reference answers follow once the exam is finished."
        yield ""
        return
    if replay.state.finished:
        yield from _overview(debrief)


def _overview(debrief: Debrief) -> Iterator[str]:
    for section in overview.sections(debrief):
        yield f"## {inline(section.title)}"
        yield ""
        for entry in section.entries:
            yield f"- {inline(entry.text)}"
            yield from (f"  - {inline(detail)}" for detail in entry.details)
        yield ""


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
        yield from _turn(turn, times.get(turn.number))
    if question.closed is not None:
        yield words.CLOSED[question.closed]
        yield ""
    if shown and question.grade is not None:
        yield from _grade(question)


def _turn(turn: Turn, at: datetime | None) -> Iterator[str]:
    author = "Examiner" if turn.author == "examiner" else "You"
    when = f", {_moment(at)}" if at is not None else ""
    yield f"**{author}** ({words.TURN[turn.kind]}{when})"
    yield ""
    if turn.result:
        yield from fenced("\n".join(run_lines(turn.text, turn.result)))
    elif turn.run:
        yield f"Handed in from the bench, as run in turn {turn.run}."
    else:
        yield from quoted(turn.text) if turn.author == "examiner" else fenced(turn.text)
    yield ""


def _grade(question: QuestionDebrief) -> Iterator[str]:
    grade = question.grade
    assert grade is not None
    yield f"#### Verdicts: {words.grade_words(grade)}"
    yield ""
    yield "| Point | Weight | Verdict | Your words, and what to say of them | Next time |"
    yield "|---|---|---|---|---|"
    yield from (_row(line, question.lesson_on(line.criterion)) for line in question.lines)
    yield ""
    yield words.scores_sentence(grade)
    yield ""
    notes = [
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
        yield GONE
        yield ""
        return
    yield from quoted(bench.challenge.solution)
    yield ""
    if bench.challenge.derivation:
        yield from fenced(bench.challenge.derivation.strip())
        yield ""


def _row(line: CriterionLine, lesson: Lesson | None) -> str:
    weight = f"{line.criterion.weight:g}{', must have' if line.criterion.must_have else ''}"
    verdict = words.verdict_words(line.verdict) if line.verdict else words.NOT_JUDGED
    cells = (
        inline(line.criterion.claim),
        weight,
        verdict,
        _words(line.verdict, lesson) if line.verdict else inline(line.ungraded_reason),
        inline(lesson.reference) if lesson else "",
    )
    return f"| {' | '.join(cells)} |"


def _words(verdict: CriterionVerdict, lesson: Lesson | None) -> str:
    told = [f"“{inline(verdict.evidence)}” (turn {verdict.turn})"] if verdict.evidence else []
    if lesson and (said := overview.said_words(lesson)):
        told.append(inline(said))
    told += [inline(note) for note in words.notes(verdict)]
    return " ".join(told)


def _moment(at: datetime) -> str:
    """UTC, to the second: a document travels between time zones."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
