"""The parts of a debrief in sentences, in full; :mod:`.surface` has what is read first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interviewer.counting import counted
from interviewer.grading.agreement import ExamResult
from interviewer.grading.claims.quantity import Outcome, Quantity
from interviewer.interview.consistency import NOTES_TURN
from interviewer.interview.debrief import Debrief
from interviewer.interview.debrief.assessment import Tally, TopicProfile
from interviewer.interview.debrief.questions import Cause, Lesson, Quote, Stall, Strength
from interviewer.interview.debrief.study import StudyTopic
from interviewer.report import words


def exam_sentence(result: ExamResult | None, examiner: str) -> str:
    """How far to trust this examiner's grades; ``result`` is None if it took no exam."""
    if result is None:
        return f"{examiner} has not taken the exam here: run `interviewer rubrics selftest`."
    samples = counted(result.samples, "sample")
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
    """With sign and two decimals; a value that rounds to zero has no sign."""
    shown = f"{value:+.2f}".replace("-", "−")
    return "0.00" if shown[1:] == "0.00" else shown


CAUSE = {
    Cause.CONTRADICTED: "you said otherwise",
    Cause.DONT_KNOW: "you didn't know",
    Cause.SKIPPED: "you skipped it",
    Cause.NO_ANSWER: "you said nothing",
    Cause.HINT: "you asked for a hint instead of answering",
    Cause.TOO_SHORT: "too short to show anything",
    Cause.NO_GAIN: "you added nothing new",
}
"""Why an exchange stalled, after the title of its question."""


@dataclass(frozen=True)
class Entry:
    """A sentence, details below it, and the turn where it can be checked."""

    text: str
    details: tuple[str, ...] = ()
    turn: int | None = None


@dataclass(frozen=True)
class Section:
    """A titled part of the overview; never empty."""

    title: str
    entries: tuple[Entry, ...]


def sections(debrief: Debrief) -> tuple[Section, ...]:
    """The appendix: profile, reasons, moments, everything to study, and all numbers stated."""
    found = (
        Section("Profile", tuple(_profile(debrief))),
        Section("Why this recommendation", tuple(reasons(debrief))),
    )
    filled = (section for section in found if section.entries)
    return (*filled, *moments(debrief), *study(debrief), *claims(debrief))


def moments(debrief: Debrief) -> tuple[Section, ...]:
    """Where the answers were strongest and where they stalled."""
    strongest = tuple(_strength(strength) for strength in debrief.strongest)
    hardest = tuple(_stall(stall) for stall in debrief.hardest)
    found = (Section("Strongest moments", strongest), Section("Where you stalled", hardest))
    return tuple(section for section in found if section.entries)


def study(debrief: Debrief) -> tuple[Section, ...]:
    """What to study, by topic."""
    entries = tuple(entry for topic in debrief.study for entry in _study(topic))
    return (Section("What to study, by topic", entries),) if entries else ()


def place(claim: Quantity) -> str:
    """Where a number was stated."""
    return "your notes" if claim.turn == NOTES_TURN else f"turn {claim.turn}"


def claims(debrief: Debrief) -> tuple[Section, ...]:
    """The numbers stated about real runs, and those that cannot all be true."""
    told = debrief.claims
    made = [
        *(("", claim) for claim in told.made),
        *(("withdrawn: ", claim) for claim in told.retracted),
        *((f"{claim.status}: ", claim) for claim in told.replaced),
    ]
    entries = [
        Entry(
            f"{note}{words.measure_words(claim.measure)}: “{claim.text}” ({place(claim)})",
            turn=claim.turn or None,
        )
        for note, claim in made
    ]
    entries += [
        Entry(f"{sum_.sentence} {became(sum_.challenged, sum_.outcome)}", turn=sum_.challenged)
        for sum_ in told.impossible
    ]
    return (Section("Numbers you stated", tuple(entries)),) if entries else ()


def recommendation_title(debrief: Debrief) -> str:
    """The recommendation as a heading, with what it rests on."""
    told = debrief.recommendation
    return f"Recommendation{told.basis and f' {told.basis}'}: {told.level}"


def reasons(debrief: Debrief) -> Iterator[Entry]:
    """The reasons for the recommendation."""
    for reason in debrief.recommendation.reasons:
        quote = reason.quote
        text = f"{reason.text} {quoted(quote)}" if quote else reason.text
        yield Entry(text, turn=quote.turn.number if quote else None)


def doubts(debrief: Debrief) -> Iterator[str]:
    """What the results do not show, and how the examiners did in their own exams."""
    yield from debrief.doubts
    for examiner, result in debrief.exams:
        yield exam_sentence(result, examiner)


def quoted(quote: Quote) -> str:
    """The quoted words on one line, with their turn."""
    return f"“{' '.join(quote.text.split())}” (turn {quote.turn.number})"


def said_words(lesson: Lesson) -> str:
    """What the candidate said about a lost point, "" if the verdict already quotes it."""
    if lesson.said is None or (lesson.line.verdict and lesson.line.verdict.evidence):
        return ""
    return f"You said: {quoted(lesson.said)}"


def tally_words(tally: Tally) -> str:
    """Points earned out of the points judged."""
    return f"{_points(tally.earned)} of {_points(tally.possible)}"


def bands_words(topic: TopicProfile) -> str:
    """The band of each of the topic's questions."""
    told = [words.band_words(None) if band is None else str(band) for band in topic.bands]
    return f"band{'s' if len(told) > 1 else ''} {', '.join(told)}"


def kinds_words(strong: tuple[str, ...], weak: tuple[str, ...]) -> str:
    """Kinds of points the candidate is strong or weak in, "" for neither."""
    told = [
        f"{label} in {', '.join(words.KIND[kind] for kind in kinds)}"
        for label, kinds in (("strong", strong), ("weak", weak))
        if kinds
    ]
    return "; ".join(told)


def _profile(debrief: Debrief) -> Iterator[Entry]:
    for topic in debrief.profile.topics:
        kinds = kinds_words(topic.strong, topic.weak)
        made = f"{tally_words(topic.tally)} points" if topic.answered else "no answer"
        yield Entry(
            f"{topic.topic} (round {topic.round}): {made}, "
            f"{bands_words(topic)}{f'; {kinds}' if kinds else ''}"
        )
    if len(debrief.profile.topics) > 1:
        told = [f"{words.KIND[kind]} {tally_words(t)}" for kind, t in debrief.profile.kinds]
        yield Entry(f"By kind, over all topics: {', '.join(told)}")


def _strength(strength: Strength) -> Entry:
    made = f"{words.points_words(strength.weight)} at once on “{strength.title}”"
    points = tuple(f"made: {criterion.claim}" for criterion in strength.made)
    return Entry(f"{quoted(strength.quote)}: {made}", points, strength.quote.turn.number)


def _stall(stall: Stall) -> Entry:
    after = [f"hint {stall.hint} came next"] if stall.hint else []
    after += ["the examiner moved on"] if stall.closed else []
    tail = f"; {', then '.join(after)}" if after else ""
    head = f"“{stall.title}”: {CAUSE[stall.cause]}{tail}"
    told = [f"You: {quoted(stall.said)}"] if stall.said else []
    return Entry(head, (f"Asked: {quoted(stall.asked)}", *told), stall.turn)


def _study(topic: StudyTopic) -> Iterator[Entry]:
    lost = tuple(
        f"{lesson.line.criterion.claim} ({_points(lesson.line.lost)})" for lesson in topic.lessons
    )
    sources = tuple(f"Source: {source}" for source in topic.sources)
    yield Entry(f"{topic.topic}, {words.points_words(topic.lost)} lost", (*lost, *sources))


def became(challenged: int | None, outcome: Outcome) -> str:
    """What became of numbers that cannot all be true."""
    raised = f"Raised in turn {challenged}" if challenged else "Never raised"
    return f"{raised}; {_OUTCOMES[outcome]}."


_OUTCOMES: dict[Outcome, str] = {
    "stands": "still open",
    "given_up": "taken back",
    "explained": "explained",
}


def _points(weight: float) -> str:
    return f"{round(weight, 2):g}"
