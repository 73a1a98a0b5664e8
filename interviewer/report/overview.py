"""The parts of a debrief above its questions, in sentences; every way of showing it renders these.

The sentences hold what was typed as it was typed: who renders them makes it harmless.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interviewer.grading.claims.claim import Claim
from interviewer.interview.debrief import (
    Cause,
    Debrief,
    Freeze,
    Lesson,
    Quote,
    Strength,
    StudyTopic,
    Tally,
    TopicProfile,
)
from interviewer.interview.reckoning import NOTES_TURN
from interviewer.report import words
from interviewer.report.exam import exam_sentence

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
