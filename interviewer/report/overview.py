"""The debrief above its questions: in sentences, and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from interviewer.grading.agreement import ExamResult
from interviewer.grading.claims.claim import Claim
from interviewer.interview.consistency import NOTES_TURN
from interviewer.interview.debrief import (
    Cause,
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
    TopicProfile,
)
from interviewer.report import words


def exam_sentence(result: ExamResult | None, examiner: str) -> str:
    """How far this examiner's grades can be trusted, in a sentence; None: no exam was sat."""
    if result is None:
        return f"{examiner} has not sat the exam here: run `interviewer rubrics selftest`."
    samples = "1 sample" if result.samples == 1 else f"{result.samples} samples"
    if result.failed_on:
        return (
            f"{examiner} failed its exam on {samples} ({'; '.join(result.failed_on)}): take its "
            "grades with care."
        )
    return (
        f"{examiner} agreed with the authors at κ {result.kappa:.2f} on {samples} "
        f"(bias {signed(result.bias)})."
    )


def signed(value: float) -> str:
    """With its sign and two decimals; a value that rounds to nothing has none."""
    shown = f"{value:+.2f}".replace("-", "−")
    return "0.00" if shown[1:] == "0.00" else shown


CAUSE = {
    Cause.CONTRADICTED: "Said the opposite of what holds",
    Cause.DONT_KNOW: "Did not know",
    Cause.NO_ANSWER: "Said nothing",
    Cause.HINT: "Took a hint instead of an answer",
    Cause.TOO_SHORT: "Too short to show anything",
    Cause.NO_GAIN: "Brought nothing new",
}


@dataclass(frozen=True)
class Entry:
    """A sentence with what belongs under it, and the turn where it can be looked up."""

    text: str
    details: tuple[str, ...] = ()
    turn: int | None = None


@dataclass(frozen=True)
class Section:
    """A titled part of the overview; never empty."""

    title: str
    entries: tuple[Entry, ...]


def sections(debrief: Debrief) -> tuple[Section, ...]:
    """What there is to tell, the profile first."""
    return (*summary(debrief), *moments(debrief), *study(debrief), *claims(debrief))


def summary(debrief: Debrief) -> tuple[Section, ...]:
    """The profile, the recommendation with its reasons, and the doubts about both."""
    found = (
        Section("Profile", tuple(_profile(debrief))),
        Section(recommendation_title(debrief), tuple(_recommendation(debrief))),
        Section("Doubts", tuple(Entry(doubt) for doubt in doubts(debrief))),
    )
    return tuple(section for section in found if section.entries)


def moments(debrief: Debrief) -> tuple[Section, ...]:
    """Where the answers were strongest and where they froze."""
    strongest = tuple(_strength(strength) for strength in debrief.strongest)
    hardest = tuple(_freeze(freeze) for freeze in debrief.hardest)
    found = (Section("Strongest moments", strongest), Section("Where it froze", hardest))
    return tuple(section for section in found if section.entries)


def study(debrief: Debrief) -> tuple[Section, ...]:
    """What to study, by topic."""
    entries = tuple(entry for topic in debrief.study for entry in _study(topic))
    return (Section("What to study, costliest first", entries),) if entries else ()


def _place(claim: Claim) -> str:
    return "your notes" if claim.turn == NOTES_TURN else f"turn {claim.turn}"


def claims(debrief: Debrief) -> tuple[Section, ...]:
    """The numbers stated about real runs, and those that cannot be true together."""
    told = debrief.claims
    made = [
        *(("", claim) for claim in told.made),
        *(("given up: ", claim) for claim in told.retracted),
    ]
    entries = [
        Entry(
            f"{note}{words.measure_words(claim.measure)}: “{claim.text}” ({_place(claim)})",
            turn=claim.turn or None,
        )
        for note, claim in made
    ]
    entries += [
        Entry(f"{sum_.sentence} {_became(sum_.challenged, sum_.outcome)}", turn=sum_.challenged)
        for sum_ in told.impossible
    ]
    return (Section("Numbers you stated", tuple(entries)),) if entries else ()


def recommendation_title(debrief: Debrief) -> str:
    """The recommendation as a heading."""
    return f"Recommendation: {debrief.recommendation.level}"


def reasons(debrief: Debrief) -> Iterator[Entry]:
    """The grounds of the recommendation."""
    for reason in debrief.recommendation.reasons:
        quote = reason.quote
        text = f"{reason.text} {quoted(quote)}" if quote else reason.text
        yield Entry(text, turn=quote.turn.number if quote else None)


def doubts(debrief: Debrief) -> Iterator[str]:
    """What the results do not show, and how the examiners did in their own exam."""
    yield from debrief.doubts
    for examiner, result in debrief.exams:
        yield exam_sentence(result, examiner)


def quoted(quote: Quote) -> str:
    """The words on one line, with their place."""
    return f"“{' '.join(quote.text.split())}” (turn {quote.turn.number})"


def said_words(lesson: Lesson) -> str:
    """What the candidate brought on a lost point where no verdict rests on it, "" for nothing."""
    if lesson.said is None or (lesson.line.verdict and lesson.line.verdict.evidence):
        return ""
    return f"You said: {quoted(lesson.said)}"


def tally_words(tally: Tally) -> str:
    """The weight made out of the weight judged."""
    return f"{_points(tally.earned)} of {_points(tally.possible)}"


def bands_words(topic: TopicProfile) -> str:
    """The band of each of the topic's questions."""
    told = [words.band_words(None) if band is None else str(band) for band in topic.bands]
    return f"band{'s' if len(told) > 1 else ''} {', '.join(told)}"


def kinds_words(strong: tuple[str, ...], weak: tuple[str, ...]) -> str:
    """In which kinds of points the candidate is strong or weak, "" for neither."""
    told = [
        f"{label} in {', '.join(words.KIND[kind] for kind in kinds)}"
        for label, kinds in (("strong", strong), ("weak", weak))
        if kinds
    ]
    return "; ".join(told)


def _profile(debrief: Debrief) -> Iterator[Entry]:
    for topic in debrief.profile.topics:
        kinds = kinds_words(topic.strong, topic.weak)
        yield Entry(
            f"{topic.topic} (round {topic.round}): {tally_words(topic.tally)} points, "
            f"{bands_words(topic)}{f'; {kinds}' if kinds else ''}"
        )
    if len(debrief.profile.topics) > 1:
        told = [f"{words.KIND[kind]} {tally_words(t)}" for kind, t in debrief.profile.kinds]
        yield Entry(f"By kind over all topics: {', '.join(told)}")


def _recommendation(debrief: Debrief) -> Iterator[Entry]:
    yield Entry(debrief.recommendation.anchor)
    yield from reasons(debrief)
    yield Entry(debrief.headline)


def _strength(strength: Strength) -> Entry:
    made = f"{_points(strength.weight)} points at once on “{strength.title}”"
    points = tuple(f"made: {criterion.claim}" for criterion in strength.made)
    return Entry(f"{quoted(strength.quote)}: {made}", points, strength.quote.turn.number)


def _freeze(freeze: Freeze) -> Entry:
    after = [f"hint {freeze.hint} followed"] if freeze.hint else []
    after += ["the question was given up"] if freeze.closed else []
    tail = f"; {', then '.join(after)}" if after else ""
    head = f"{CAUSE[freeze.cause]} on “{freeze.title}”{tail}"
    told = [f"You: {quoted(freeze.said)}"] if freeze.said else []
    return Entry(head, (f"Asked: {quoted(freeze.asked)}", *told), freeze.turn)


def _study(topic: StudyTopic) -> Iterator[Entry]:
    lost = tuple(
        f"{lesson.line.criterion.claim} ({_points(lesson.line.lost)})" for lesson in topic.lessons
    )
    sources = tuple(f"Source: {source}" for source in topic.sources)
    yield Entry(f"{topic.topic}, {_points(topic.lost)} points lost", (*lost, *sources))


def _became(challenged: int | None, outcome: str) -> str:
    met = f"Put to you in turn {challenged}" if challenged else "Never put to you"
    return f"{met}; {'it stands' if outcome == 'stands' else 'given up since'}."


def _points(weight: float) -> str:
    return f"{round(weight, 2):g}"


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
        "profile": _overview_json_profile(debrief.profile),
        "recommendation": _overview_json_recommendation(debrief.recommendation),
        "strongest": [_overview_json_strength(strength) for strength in debrief.strongest],
        "hardest": [freeze_json(freeze) for freeze in debrief.hardest],
        "study": [_overview_json_study(topic) for topic in debrief.study],
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


def _overview_json_profile(profile: Profile) -> dict[str, Any]:
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


def _overview_json_recommendation(recommendation: Recommendation) -> dict[str, Any]:
    return {
        "level": recommendation.level.value,
        "anchor": recommendation.anchor,
        "reasons": [
            {"text": reason.text, "quote": reason.quote and _quote(reason.quote)}
            for reason in recommendation.reasons
        ],
        "reach": recommendation.reach and [level.value for level in recommendation.reach],
    }


def _overview_json_strength(strength: Strength) -> dict[str, Any]:
    return {
        "title": strength.title,
        "quote": _quote(strength.quote),
        "weight": strength.weight,
        "made": [criterion.claim for criterion in strength.made],
    }


def _overview_json_study(topic: StudyTopic) -> dict[str, Any]:
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
