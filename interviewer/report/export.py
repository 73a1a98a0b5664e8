"""A session as JSON, in a shape that stays.

``session_json`` gives::

    {"schema": 1,
     "session": {"id", "plan", "plan_title", "mode", "examiner", "status",
                 "created_at", "updated_at"},
     "debrief": {"band", "headline", "about", "doubts": […],
                 "profile": {"topics": [{"topic", "round", "earned", "possible", "bands", …}],
                             "kinds": {kind: {"earned", "possible", "points"}}},
                 "recommendation": {"level", "anchor", "reasons": [{"text", "quote"}], "reach"},
                 "strongest": […], "hardest": […], "study": […], "exams": {examiner: …},
                 "claims": {"made": […], "retracted": […], "impossible": […]},
                 "rounds": [{"round", "title", "band", "not_asked": […],
                             "questions": [{"question", "rubric", "title", "closed", "grade",
                                            "next_time": […], "freezes": […],
                                            "failed_exam": […], "bench", "turns"}]}]},
     "rubrics": {id: the rubric as it was when the session began},
     "events": [{"seq", "at", "elapsed", "event", …the event's own fields}]}

A grade holds ``band``, the scores ``first``, ``unassisted`` and ``final`` (0..1 or null),
``interval`` and ``between_bands`` (two ends, or null without votes), ``examiner``, ``flags``,
``reasons``, and ``verdicts``: one per criterion with ``criterion``, ``claim``, ``weight``,
``verdict`` (null where it could not be judged; ``reason`` then says why), ``evidence``, ``turn``,
``span``, ``source``, ``missing``, ``unsupported`` and ``votes``. A quote is ``{"turn", "author",
"text", "span"}``, null for silence. Weights
earned, possible and lost are in the rubrics' units. A turn of kind "bench" is a run and carries its
``result``; an answer that hands one in names the run's turn as ``bench``. A question's ``bench``
tells of its runs and holds the written solution.
Times are ISO 8601 in UTC, ``elapsed`` is the round's clock in seconds. Fields may be added under
the same schema number; none is renamed, removed or given another meaning.

What is still kept from the candidate is not in it: an exam's grades are null and its verdict events
absent until it is finished, and a rubric is there once its question may be talked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from interviewer.grading.score import Grade
from interviewer.grading.transcript import Turn
from interviewer.interview.debrief import CriterionLine, Debrief, QuestionDebrief, RoundDebrief
from interviewer.interview.events import as_shown, to_json
from interviewer.interview.replay import Replay
from interviewer.report.bench import bench_json, turn_bench_json
from interviewer.report.overview_json import (
    freeze_json,
    lesson_json,
    moment_json,
    overview_json,
)
from interviewer.report.reveal import grades_may_be_shown, rubrics_to_show

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
