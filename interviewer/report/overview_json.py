"""The parts of a debrief above and beside its verdicts, as JSON values."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from interviewer.grading.agreement import ExamResult
from interviewer.grading.claims.claim import Claim
from interviewer.interview.debrief import (
    ClaimsDebrief,
    Debrief,
    Freeze,
    Lesson,
    Profile,
    Quote,
    Recommendation,
    Strength,
    StudyTopic,
    Tally,
)


def overview_json(debrief: Debrief, *, revealed: bool) -> dict[str, Any]:
    """Profile, recommendation, moments, study plan, claims and exams; all empty if kept back."""
    if not revealed:
        return {
            "profile": None,
            "recommendation": None,
            "strongest": [],
            "hardest": [],
            "study": [],
            "claims": None,
            "exams": {},
        }
    return {
        "profile": _profile(debrief.profile),
        "recommendation": _recommendation(debrief.recommendation),
        "strongest": [_strength(strength) for strength in debrief.strongest],
        "hardest": [freeze_json(freeze) for freeze in debrief.hardest],
        "study": [_study(topic) for topic in debrief.study],
        "claims": _claims(debrief.claims),
        "exams": {name: result and _exam(result) for name, result in debrief.exams},
    }


def freeze_json(freeze: Freeze) -> dict[str, Any]:
    """One exchange in which the answer froze."""
    return {
        "cause": freeze.cause.value,
        "title": freeze.title,
        "criterion": freeze.asked.turn.target,
        "asked": _quote(freeze.asked),
        "said": freeze.said and _quote(freeze.said),
        "hint": freeze.hint,
        "closed": freeze.closed,
        "lost": freeze.lost,
    }


def lesson_json(lesson: Lesson) -> dict[str, Any]:
    """What to say next time on a lost point."""
    return {
        "criterion": lesson.line.criterion.id,
        "claim": lesson.line.criterion.claim,
        "lost": lesson.line.lost,
        "said": lesson.said and _quote(lesson.said),
        "missing": lesson.line.verdict.missing if lesson.line.verdict else "",
        "reference": lesson.reference,
    }


def moment_json(at: datetime) -> str:
    """A time as ISO 8601 in UTC."""
    return at.astimezone(UTC).isoformat()


def _quote(quote: Quote) -> dict[str, Any]:
    return {
        "turn": quote.turn.number,
        "author": quote.turn.author,
        "text": quote.text,
        "span": list(quote.span),
    }


def _profile(profile: Profile) -> dict[str, Any]:
    return {
        "topics": [
            {
                "topic": topic.topic,
                "round": topic.round,
                **_tally(topic.tally),
                "bands": list(topic.bands),
                "mean_band": topic.mean_band,
                "strong": list(topic.strong),
                "weak": list(topic.weak),
                "kinds": _kinds(topic.kinds),
            }
            for topic in profile.topics
        ],
        "kinds": _kinds(profile.kinds),
    }


def _kinds(kinds: Iterable[tuple[str, Tally]]) -> dict[str, Any]:
    return {kind: _tally(tally) for kind, tally in kinds}


def _tally(tally: Tally) -> dict[str, Any]:
    return {"earned": tally.earned, "possible": tally.possible, "points": tally.points}


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


def _claims(claims: ClaimsDebrief) -> dict[str, Any]:
    return {
        "made": [_claim(claim) for claim in claims.made],
        "retracted": [_claim(claim) for claim in claims.retracted],
        "impossible": [
            {"sentence": each.sentence, "challenged": each.challenged, "outcome": each.outcome}
            for each in claims.impossible
        ],
    }


def _claim(claim: Claim) -> dict[str, Any]:
    return {
        "text": claim.text,
        "measure": claim.measure.value,
        "value": claim.value,
        "unit": claim.unit,
        "turn": claim.turn,
        "span": list(claim.span),
    }


def _exam(result: ExamResult) -> dict[str, Any]:
    return {
        "version": result.version,
        "taken_at": moment_json(result.taken_at),
        "passed": result.passed,
        "samples": result.samples,
        "kappa": result.kappa,
        "macro_f1": result.macro_f1,
        "bias": result.bias,
        "rmse": result.rmse,
        "failed_on": list(result.failed_on),
    }
