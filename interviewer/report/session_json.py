"""A session, its debrief, its turns and grades as JSON values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, TypedDict

from pydantic_core import to_jsonable_python

from interviewer.examiner.registry import kind_of
from interviewer.grading.agreement import ExamResult
from interviewer.grading.score import Grade
from interviewer.grading.transcript import Turn
from interviewer.grading.verdicts import CriterionVerdict
from interviewer.interview.debrief import Debrief
from interviewer.interview.debrief.assessment import (
    Profile,
    Recommendation,
    TopicProfile,
)
from interviewer.interview.debrief.drills import DrillMark
from interviewer.interview.debrief.questions import (
    CriterionLine,
    Lesson,
    QuestionDebrief,
    Quote,
    RoundDebrief,
    Stall,
    Strength,
)
from interviewer.interview.debrief.study import Action, StudyPoint, StudyTopic
from interviewer.interview.debrief.talk import Incident
from interviewer.interview.events import as_shown, to_json
from interviewer.interview.journal import Replay
from interviewer.report.bench_runs import bench_json, result_json
from interviewer.report.text import grades_may_be_shown, rubrics_to_show

SCHEMA = 1


def session_json(replay: Replay, debrief: Debrief) -> dict[str, Any]:
    """The whole session."""
    session = replay.session
    revealed = grades_may_be_shown(replay.state)
    return {
        "schema": SCHEMA,
        "session": {
            **_fields(session, "id", "plan", "plan_title", "mode", "examiner", "status"),
            "created_at": _moment(session.created_at),
            "updated_at": _moment(session.updated_at),
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
    """The debrief; turns carry their times where known.

    ``revealed`` false withholds everything that tells how it went.
    """
    return {
        "band": debrief.band if revealed else None,
        "own_band": debrief.own_band if revealed else None,
        "person": debrief.person if revealed else "",
        "headline": debrief.headline if revealed else "",
        "about": debrief.about,
        "doubts": list(debrief.doubts) if revealed else [],
        **(_overview(debrief) if revealed else _WITHHELD),
        "rounds": [_round(part, times or {}, revealed) for part in debrief.rounds],
    }


_WITHHELD: dict[str, Any] = {
    "to_do": [],
    "talk": [],
    "study_points": [],
    "profile": None,
    "recommendation": None,
    "strongest": [],
    "hardest": [],
    "study": [],
    "claims": None,
    "exams": {},
}


def turn_json(turn: Turn, at: datetime | None = None) -> dict[str, Any]:
    """One utterance, without the criterion it was aimed at."""
    ran = {"result": result_json(turn.result)} if turn.result else {}
    submitted = {"bench": turn.run} if turn.run is not None else {}
    shown = {"figure": turn.figure.as_data()} if turn.figure else {}
    return {
        "turn": turn.number,
        "author": turn.author,
        "kind": turn.kind.value,
        "text": turn.text,
        "at": None if at is None else _moment(at),
        **ran,
        **submitted,
        **shown,
    }


class QuoteJson(TypedDict):
    """Words of the candidate: the turn's number, and the half-open range in it as typed."""

    text: str
    turn: int
    span: list[int]


class DoubtJson(TypedDict):
    """The verdict that is possible as well, and what speaks for it, "" if nothing was said."""

    alternative: str
    why: str


class VerdictJson(TypedDict):
    """A verdict. ``evidence``, ``turn`` and ``span`` are the main words, ``quotes`` all of them.

    ``unsupported`` says why code took credit back, "" if it did not. ``votes`` holds both verdicts
    where there was a second look, the first one first.
    """

    verdict: str
    evidence: str
    turn: int | None
    span: list[int] | None
    source: str
    missing: str
    unsupported: str
    votes: list[str]
    quotes: list[QuoteJson]
    doubt: DoubtJson | None


class AppealJson(VerdictJson):
    """What a model made of a point when it was appealed; ``remark`` are the candidate's words."""

    remark: str
    examiner: str


class PointJson(TypedDict):
    """A criterion; ``earned`` is what of its weight it adds to the score.

    ``further``: the harder variant asked for it, not the question. ``own`` is the candidate's own
    verdict, "said" or "not", null without one. ``examiner_kind`` is "offline" or "llm".
    """

    criterion: str
    claim: str
    weight: float
    must_have: bool
    extra: bool
    further: bool
    earned: float
    own: str | None
    examiner_kind: str
    appeal: AppealJson | None


class JudgedJson(PointJson, VerdictJson):
    """A criterion with its verdict."""


class UnjudgedJson(PointJson):
    """A criterion that could not be judged, and why."""

    verdict: None
    evidence: str
    reason: str


class GradeJson(TypedDict):
    """A grade as ``interviewer grade --json`` and ``sessions show --json`` give it.

    Scores lie in 0..1. ``cap`` is the score that a missing must-have kept ``final`` to;
    ``interval`` the lowest and the highest that votes and doubts allow, and ``between_bands`` the
    bands at its ends where they differ; all three are null where there is nothing of the kind.
    ``reasons`` are sentences.
    """

    band: int | None
    first: float | None
    unassisted: float | None
    final: float | None
    interval: list[float] | None
    between_bands: list[int] | None
    cap: float | None
    examiner: str
    examiner_kind: str
    flags: list[str]
    reasons: list[str]
    verdicts: list[JudgedJson | UnjudgedJson]


_SCORES = ("band", "first", "unassisted", "final", "interval", "between_bands", "cap")


def grade_json(grade: Grade, lines: tuple[CriterionLine, ...]) -> dict[str, Any]:
    """A grade with its verdicts, in the shape of :class:`GradeJson`."""
    return {
        **_fields(grade, *_SCORES),
        "examiner": grade.examiner,
        "examiner_kind": kind_of(grade.examiner).choice,
        "flags": sorted(grade.flags),
        "reasons": list(grade.reasons),
        "verdicts": [criterion_json(line) for line in lines],
    }


def verdict_json(verdict: CriterionVerdict) -> dict[str, Any]:
    """What a verdict says, what it rests on, and what speaks for another one: VerdictJson."""
    names = ("verdict", "evidence", "turn", "span", "source", "missing", "unsupported", "votes")
    quotes = [_fields(quote, "text", "turn", "span") for quote in verdict.quotes]
    doubt = verdict.alternative and {"alternative": verdict.alternative, "why": verdict.doubt}
    return {**_fields(verdict, *names), "quotes": quotes, "doubt": to_jsonable_python(doubt)}


def _fields(value: object, *names: str) -> dict[str, Any]:
    """These attributes as JSON values, in this order."""
    values: dict[str, Any] = to_jsonable_python({name: getattr(value, name) for name in names})
    return values


def _moment(at: datetime) -> str:
    """ISO 8601 in UTC."""
    return at.astimezone(UTC).isoformat()


def _events(replay: Replay, *, revealed: bool) -> Iterator[dict[str, Any]]:
    for seq, recorded in enumerate(replay.journal, start=1):
        event = recorded.event if revealed else as_shown(recorded.event, replay.state.mode)
        if event is not None:
            at = _moment(recorded.at)
            yield {"seq": seq, "at": at, "elapsed": recorded.elapsed, **to_json(event)}


def _round(part: RoundDebrief, times: Mapping[int, datetime], revealed: bool) -> dict[str, Any]:
    return {
        "round": part.number,
        "title": part.title,
        "band": part.band if revealed else None,
        "not_asked": list(part.not_asked) if revealed else [],
        "questions": [_question(question, times, revealed) for question in part.questions],
    }


def _question(
    question: QuestionDebrief, times: Mapping[int, datetime], revealed: bool
) -> dict[str, Any]:
    graded = question.grade if revealed else None
    return {
        "question": question.number,
        "place": question.place,
        "rubric": question.rubric.id,
        "title": question.rubric.title,
        "closed": question.closed,
        "answered": question.answered,
        "skipped": question.skipped,
        "grade": grade_json(graded, question.lines) if graded else None,
        "own": _own(question) if graded else None,
        "next_time": [_lesson(each) for each in question.lessons] if graded else [],
        "freezes": [_stall(each) for each in question.stalls] if graded else [],
        "failed_exam": list(question.failed_exam) if graded else [],
        "bench": bench_json(question.bench) if graded and question.bench else None,
        "drills": [_drill(mark) for mark in question.drills] if graded else [],
        "turns": [turn_json(turn, times.get(turn.number)) for turn in question.turns],
    }


def _own(question: QuestionDebrief) -> dict[str, Any] | None:
    """The result with the candidate's own verdicts, beside that in ``grade``."""
    if question.own_score is None:
        return None
    return {"band": question.own_band, "final": question.own_score}


def _drill(mark: DrillMark) -> dict[str, Any]:
    return {"turn": mark.asked.number, "reply": mark.reply.number, "passed": mark.passed}


def criterion_json(line: CriterionLine) -> dict[str, Any]:
    """A criterion and its verdict, or the reason why there is none."""
    criterion = {
        "criterion": line.criterion.id,
        **_fields(line.criterion, "claim", "weight", "must_have", "extra"),
        "further": line.further,
        "earned": round(line.earned, 4),
        "own": line.own,
        "examiner_kind": kind_of(line.examiner).choice,
        "appeal": line.appeal
        and verdict_json(line.appeal.verdict) | _fields(line.appeal, "remark", "examiner"),
    }
    if line.verdict is None:
        return {**criterion, "verdict": None, "evidence": "", "reason": line.ungraded_reason}
    return {**criterion, **verdict_json(line.verdict)}


def _lesson(lesson: Lesson) -> dict[str, Any]:
    return {
        "criterion": lesson.line.criterion.id,
        "claim": lesson.line.criterion.claim,
        "lost": lesson.line.lost,
        "said": lesson.said and _quote(lesson.said),
        "missing": lesson.line.verdict.missing if lesson.line.verdict else "",
        "reference": lesson.reference,
    }


def _stall(stall: Stall) -> dict[str, Any]:
    return {
        "cause": stall.cause.value,
        "title": stall.title,
        "criterion": stall.asked.turn.target,
        "asked": _quote(stall.asked),
        "said": stall.said and _quote(stall.said),
        **_fields(stall, "hint", "closed", "lost"),
    }


def _quote(quote: Quote) -> dict[str, Any]:
    return {
        "turn": quote.turn.number,
        "author": quote.turn.author,
        "text": quote.text,
        "span": list(quote.span),
    }


def _overview(debrief: Debrief) -> dict[str, Any]:
    return {
        "to_do": [_action(action) for action in debrief.to_do],
        "talk": [_incident(incident) for incident in debrief.talk],
        "study_points": [_point(point) for point in debrief.points],
        "profile": _profile(debrief.profile),
        "recommendation": _recommendation(debrief.recommendation),
        "strongest": [_strength(strength) for strength in debrief.strongest],
        "hardest": [_stall(stall) for stall in debrief.hardest],
        "study": [_study(topic) for topic in debrief.study],
        "claims": to_jsonable_python(debrief.claims),
        "exams": {name: result and _exam(result) for name, result in debrief.exams},
    }


def _action(action: Action) -> dict[str, Any]:
    criterion = action.point.lesson.line.criterion if action.point else None
    return {
        "rubric": action.rubric.id,
        "title": action.rubric.title,
        "criterion": criterion and criterion.id,
        "claim": criterion and criterion.claim,
        **_fields(action, "lost", "source", "contradicted"),
    }


def _incident(incident: Incident) -> dict[str, Any]:
    return {
        "what": incident.what.value,
        "title": incident.title,
        "quote": _quote(incident.quote),
        "words": incident.words,
    }


def _point(point: StudyPoint) -> dict[str, Any]:
    criterion = point.lesson.line.criterion
    return {
        "rubric": point.rubric.id,
        "title": point.rubric.title,
        "criterion": criterion.id,
        "claim": criterion.claim,
        **_fields(point, "lost", "source"),
    }


def _profile(profile: Profile) -> dict[str, Any]:
    return {
        "topics": [_topic(topic) for topic in profile.topics],
        "kinds": to_jsonable_python(dict(profile.kinds)),
    }


def _topic(topic: TopicProfile) -> dict[str, Any]:
    return {
        "topic": topic.topic,
        "round": topic.round,
        **_fields(topic.tally, "earned", "possible", "points"),
        **_fields(topic, "bands", "mean_band", "strong", "weak"),
        "kinds": to_jsonable_python(dict(topic.kinds)),
    }


def _recommendation(recommendation: Recommendation) -> dict[str, Any]:
    return {
        "level": recommendation.level.value,
        "anchor": recommendation.anchor,
        "reasons": [
            {"text": reason.text, "quote": reason.quote and _quote(reason.quote)}
            for reason in recommendation.reasons
        ],
        "reach": recommendation.reach and [level.value for level in recommendation.reach],
    }


def _strength(strength: Strength) -> dict[str, Any]:
    return {
        "title": strength.title,
        "quote": _quote(strength.quote),
        "weight": strength.weight,
        "made": [criterion.claim for criterion in strength.made],
    }


def _study(topic: StudyTopic) -> dict[str, Any]:
    return {
        "topic": topic.topic,
        "lost": topic.lost,
        "points": [
            {"claim": lesson.line.criterion.claim, "lost": lesson.line.lost}
            for lesson in topic.lessons
        ],
        "sources": list(topic.sources),
    }


def _exam(result: ExamResult) -> dict[str, Any]:
    figures = ("passed", "samples", "kappa", "macro_f1", "bias", "rmse", "failed_on")
    taken_at = _moment(result.taken_at)
    return {"version": result.version, "taken_at": taken_at, **_fields(result, *figures)}
