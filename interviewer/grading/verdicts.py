"""Verdicts, with the candidate's words for them, and the grade that they come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Literal, NamedTuple, TypeVar

from pydantic import BeforeValidator, Field

from interviewer.grading.bands import band_of
from interviewer.rubric.rubric import Criterion, Rating, Rubric
from interviewer.rubric.text import Span, overlap

Q = TypeVar("Q")

MOST_QUOTES = 3
"""A point may be made in pieces that stand far apart; more than this is a collage."""
IF_ANY = Field(exclude_if=lambda value: not value)
"""Left out of the journal while empty, as in sessions from before the field existed."""


class Source(StrEnum):
    """How much help it took to make a point."""

    FIRST = "first"
    PROBE = "probe"
    HINT_1 = "hint_1"
    HINT_2 = "hint_2"
    TOLD = "told"


class Flag(StrEnum):
    """What a reader of the grade should know about how it was reached."""

    RECITED = "recited"
    KEYWORD_LIST = "keyword_list"
    ECHO = "echo"
    TOO_SHORT = "too_short"
    BOTH_SIDES = "both_sides"
    NO_OWN_WORK = "no_own_work"
    """In older sessions: asked what they did, they gave neither a figure nor a decision."""
    FIGURES_OPEN = "figures_open"
    """They were asked why figures of their own runs cannot all be true, and they still cannot."""
    INJECTION_SUSPECTED = "injection_suspected"
    NOT_EXECUTED = "not_executed"
    """Work submitted from the bench could not be executed and was judged as prose."""
    PARSE_REPAIRED = "parse_repaired"
    FALLBACK = "fallback"
    """In older sessions: judged offline because the model's reply was unusable."""
    CANARY = "canary"
    """The model credited a planted point that no answer could make, so its reply was discarded."""
    UNFIT = "unfit"
    """Most points that the model credited rest on words that have nothing to do with them."""
    CUT_OFF = "cut_off"
    """Time ran out while the answer was being typed."""
    READ_IN_PART = "read_in_part"
    """An answer is so long that only its beginning was read."""


class Ungraded(StrEnum):
    """Why a criterion could not be judged; :data:`REASONS` says it in a sentence."""

    LANGUAGE = "language"
    FORMULA = "formula"
    CODE = "code"
    TABLE = "table"
    UNUSABLE = "unusable"
    UNJUDGED = "unjudged"
    OWN_WORK = "own_work"
    """By words alone nobody can weigh what the candidate did themselves."""
    NO_KEY = "no_key"
    OTHER = "other"
    """In older sessions, told in words alone."""


UNREAD = frozenset({Ungraded.LANGUAGE, Ungraded.FORMULA, Ungraded.CODE, Ungraded.TABLE})
"""The point may stand in a part of an answer that was not read."""
REASONS = {
    **dict.fromkeys(
        UNREAD, "{codes}: it may stand in what was not read. Settle it yourself, or use a model."
    ),
    Ungraded.UNUSABLE: "The model's reply could not be used: {missing}.",
    Ungraded.UNJUDGED: "Your last answer to this question was never judged.",
    Ungraded.OWN_WORK: "Your own work can't be weighed by words alone: mark it, or use a model.",
    Ungraded.NO_KEY: "Its list has no answer to grade by; the question browser takes yours.",
    Ungraded.OTHER: "{missing}",
}


@dataclass(frozen=True)
class Evidence:
    """Words of the candidate at a span of a turn as typed; turn 0: they were not looked for yet."""

    text: str
    turn: int = 0
    span: Span = (0, 0)

    def overlaps(self, other: Evidence) -> bool:
        """Some characters belong to both."""
        return self.turn == other.turn and overlap(self.span, other.span)


def _as_evidence(value: object) -> object:
    """Older journals and caches hold quotes that were not looked for as plain texts."""
    return {"text": value} if isinstance(value, str) else value


@dataclass(frozen=True)
class Verdict:
    """The verdict on one criterion: as an examiner finds it, then as checked in code.

    ``verdict`` is None where it could not be judged, for the reasons in ``ungraded``: scores leave
    it out, and it counts neither as zero nor as a pass. ``by`` says whose verdict it is.
    ``evidence`` should be a literal span of a candidate turn, and so should each of ``further``,
    where one span does not carry the verdict alone; once checked, ``turn`` and ``span`` say where
    it stands, and ``unsupported`` in one sentence why credit was withdrawn. ``vague`` marks a point
    that came up but cannot be credited as worded, so it calls for a follow-up. ``votes`` holds the
    verdicts in order when the examiner judged more than once. Where the examiner is not sure,
    ``alternative`` is the verdict that another careful reader might give, and ``doubt`` says what
    speaks for it. What the check goes by: ``confirmed``, a second look at this criterion alone came
    to it; ``matched``, the rubric's own patterns found the words.
    """

    criterion: str
    verdict: Rating | None
    evidence: str = ""
    turn: int | None = None
    span: Span | None = None
    source: Source = Source.FIRST
    missing: str = ""
    vague: bool = False
    unsupported: str = ""
    votes: tuple[Rating, ...] = ()
    further: Annotated[tuple[Annotated[Evidence, BeforeValidator(_as_evidence)], ...], IF_ANY] = ()
    doubt: Annotated[str, IF_ANY] = ""
    alternative: Annotated[Rating | None, IF_ANY] = None
    confirmed: Annotated[bool, IF_ANY] = False
    matched: Annotated[bool, IF_ANY] = False
    ungraded: Annotated[tuple[Ungraded, ...], IF_ANY] = ()
    by: Annotated[
        Literal["examiner", "candidate"], Field(exclude_if=lambda by: by == "examiner")
    ] = "examiner"

    @property
    def unread(self) -> frozenset[Ungraded]:
        """What was not read, where the point may stand."""
        return UNREAD.intersection(self.ungraded)

    @property
    def reason(self) -> str:
        """Why it could not be judged, "" if it was."""
        codes = ", ".join(self.ungraded)
        told = REASONS[self.ungraded[0]] if self.ungraded else ""
        return told.format(codes=codes, missing=self.missing)

    @property
    def words(self) -> tuple[str, ...]:
        """All that is said to carry the verdict, found or not; the main words first."""
        return tuple(filter(str.strip, (self.evidence, *(each.text for each in self.further))))

    @property
    def quotes(self) -> tuple[Evidence, ...]:
        """All that the verdict rests on, the main words first; empty if it quotes nothing."""
        if self.turn is None or self.span is None:
            return ()
        return (Evidence(self.evidence, self.turn, self.span), *self.further)


@dataclass(frozen=True)
class Judgement:
    """An examiner's findings on one question's transcript."""

    findings: tuple[Verdict, ...]
    examiner: str
    flags: frozenset[Flag] = frozenset()
    doubts: tuple[Verdict, ...] = ()
    """Verdicts that call for a second look."""


# From verdicts to a grade.

VALUE: dict[Rating | None, float] = {
    Rating.MET: 1.0,
    Rating.PARTIAL: 0.5,
    Rating.NOT_MET: 0.0,
    Rating.CONTRADICTED: -0.25,
    None: 0.0,
}
FACTOR = {
    Source.FIRST: 1.0,
    Source.PROBE: 1.0,
    Source.HINT_1: 0.75,
    Source.HINT_2: 0.5,
    Source.TOLD: 0.0,
}


class Cap(NamedTuple):
    """The highest score after a flag, or a must-have with this verdict; ``why`` is a clause."""

    most: float
    after: Flag | Rating
    why: str


CAPS = (
    Cap(0.34, Rating.CONTRADICTED, "A must-have is contradicted"),
    Cap(0.34, Flag.FIGURES_OPEN, "A sum of your own figures is open"),
    Cap(0.5, Rating.NOT_MET, "A must-have earned nothing"),
)
"""The lowest first. In bands 1 and 2: no pass, whatever else was said."""
UNASSISTED = frozenset({Source.FIRST, Source.PROBE})


@dataclass(frozen=True)
class Grade:
    """The grade of one question.

    Scores lie in 0..1, or are None if nothing could be judged. ``first`` counts only the first
    answer, ``unassisted`` everything said without hints, ``final`` everything, less the price of
    hints. ``band`` is that of ``final`` by the edges at the time. ``reasons`` are sentences on what
    shaped the score. ``interval`` is the lowest and highest final score that votes and doubts
    allow, None if there were none.
    """

    rubric: str
    rubric_version: int
    examiner: str
    verdicts: tuple[Verdict, ...]
    first: float | None
    unassisted: float | None
    final: float | None
    band: int | None = None
    flags: frozenset[Flag] = frozenset()
    reasons: tuple[str, ...] = ()
    interval: tuple[float, float] | None = None
    cap: Annotated[float | None, IF_ANY] = None
    """The score that the final one was kept to, by :data:`CAPS`; None if it was not."""

    def __post_init__(self) -> None:
        if self.band is None and self.final is not None:
            object.__setattr__(self, "band", band_of(self.final))

    @property
    def is_none(self) -> bool:
        """There was nothing to grade: the question was talked over."""
        return not self.verdicts

    @property
    def between_bands(self) -> tuple[int, int] | None:
        """The bands at the two ends of the interval if they differ, else None."""
        if self.interval is None:
            return None
        low, high = band_of(self.interval[0]), band_of(self.interval[1])
        return (low, high) if low != high else None


def price_of_hint(level: int) -> float:
    """The share of a point's value that this hint costs (0.25 for level 1)."""
    return 1.0 - FACTOR[Source.HINT_1 if level <= 1 else Source.HINT_2]


def credit(verdict: Verdict) -> float:
    """The share of the criterion's weight that this verdict earns, -0.25..1."""
    value = VALUE[verdict.verdict]
    return value if value < 0 else value * FACTOR[verdict.source]


def graded(verdicts: Iterable[Verdict]) -> dict[str, Verdict]:
    """Those on what could be judged, by criterion; the last on each."""
    return {each.criterion: each for each in verdicts if each.verdict}


def _counting(history: Sequence[Verdict]) -> Sequence[Verdict]:
    """Of all verdicts those on what could be judged, else the last; missed may be unread since."""
    unread = max((i for i, v in enumerate(history) if v.unread), default=0)
    missed = [v.verdict is Rating.NOT_MET and i < unread for i, v in enumerate(history)]
    heard = (v for v, gone in zip(history, missed, strict=True) if v.verdict and not gone)
    return tuple(heard) or history[-1:]


def standing(history: Sequence[Verdict]) -> Verdict:
    """The verdict that counts among all verdicts on one criterion, oldest first.

    A contradiction in the last answer stands, otherwise the best since the last one: neither later
    silence nor later help takes credit away.
    """
    history = _counting(history)
    latest = history[-1]
    if latest.verdict is Rating.CONTRADICTED:
        return latest
    since = max((i for i, v in enumerate(history) if v.verdict is Rating.CONTRADICTED), default=-1)
    settled = history[since + 1 :]
    best = max(credit(v) for v in settled)
    if best > 0:
        return next(v for v in settled if credit(v) == best)
    return latest


def weighted_score(
    rubric: Rubric, verdicts: Iterable[Verdict], flags: frozenset[Flag] = frozenset()
) -> float | None:
    """Earned over possible weight, 0..1, at most what :data:`CAPS` allow; None for none."""
    return _capped(rubric, graded(verdicts), flags)[0]


def _capped(
    rubric: Rubric, by_id: Mapping[str, Verdict], flags: frozenset[Flag]
) -> tuple[float | None, Cap | None]:
    score = _uncapped(rubric, by_id)
    happened = {*flags, *(_loss(by_id[c.id]) for c in missing_must_haves(rubric.criteria, by_id))}
    kept = (cap for cap in CAPS if cap.most < (score or 0.0) and cap.after in happened)
    cap = next(kept, None)
    return (cap.most if cap else score), cap


def _loss(verdict: Verdict) -> Rating:
    """What a verdict that earns nothing counts as; a point that was told was not made."""
    return Rating.CONTRADICTED if credit(verdict) < 0 else Rating.NOT_MET


def _uncapped(rubric: Rubric, by_id: Mapping[str, Verdict]) -> float | None:
    possible = sum(c.weight for c in rubric.criteria if c.id in by_id and not c.extra)
    if not possible:
        return None
    earned = sum(earnings(rubric, by_id.values()).values())
    return min(1.0, max(0.0, earned / possible))


def earnings(rubric: Rubric, verdicts: Iterable[Verdict]) -> dict[str, float]:
    """What each judged criterion adds, by id: its weight times the credit of its verdict.

    Of contradictions that rest on the same words only the heaviest subtracts, an extra never.
    """
    by_id = graded(verdicts)
    earned: dict[str, float] = {}
    paid: list[Evidence] = []
    for criterion in sorted(rubric.criteria, key=lambda c: -c.weight):
        if criterion.id not in by_id:
            continue
        verdict = by_id[criterion.id]
        share = credit(verdict)
        if share < 0:
            words = verdict.quotes
            if criterion.extra or any(a.overlaps(b) for a in words for b in paid):
                share = 0.0
            else:
                paid += words
        earned[criterion.id] = criterion.weight * share
    return earned


def spread(
    rubric: Rubric, verdicts: Sequence[Verdict], flags: frozenset[Flag] = frozenset()
) -> tuple[float, float] | None:
    """The lowest and the highest score that votes and the worst doubt allow; None for neither."""
    if not any((v.votes or v.alternative) and not v.unsupported for v in verdicts):
        return None
    if weighted_score(rubric, verdicts) is None:
        return None
    ends = []
    for end in (min, max):
        votes = [(v.verdict,) if v.unsupported else (v.verdict, *v.votes) for v in verdicts]
        voted = [
            replace(v, verdict=end(theirs, key=VALUE.__getitem__))
            for v, theirs in zip(verdicts, votes, strict=True)
        ]
        doubts = [v for v in voted if v.alternative and not v.unsupported]
        others = ((*voted, replace(v, verdict=v.alternative)) for v in doubts)
        ends.append(end(weighted_score(rubric, each, flags) or 0.0 for each in (voted, *others)))
    return ends[0], ends[1]


def decisive(rubric: Rubric, verdicts: Iterable[Verdict]) -> frozenset[str]:
    """The criteria in doubt of which the ``alternative``, each by itself, would move the band."""
    stands = tuple(verdicts)

    def band(*other: Verdict) -> int | None:
        score = weighted_score(rubric, (*stands, *other))  # the last on a criterion counts
        return None if score is None else band_of(score)

    others = (replace(v, verdict=v.alternative) for v in stands if v.alternative)
    return frozenset(each.criterion for each in others if band(each) != band())


def missing_must_haves(
    criteria: Iterable[Criterion], by_id: Mapping[str, Verdict]
) -> tuple[Criterion, ...]:
    """The must-have criteria whose verdict earns nothing."""
    return tuple(c for c in criteria if c.must_have and c.id in by_id and credit(by_id[c.id]) <= 0)


def unread_points(rubric: Rubric, verdicts: Iterable[Verdict]) -> frozenset[str]:
    """The points asked for that may stand in what was not read: with one there is no number."""
    due = {criterion.id for criterion in rubric.criteria if not criterion.extra}
    return frozenset(each.criterion for each in verdicts if each.criterion in due and each.unread)


def grade_question(
    rubric: Rubric,
    judgements: Sequence[Sequence[Verdict]],
    *,
    examiner: str,
    flags: frozenset[Flag] = frozenset(),
) -> Grade:
    """Grade a question from the checked verdicts on each judged answer, oldest first.

    A criterion without any verdict is not met; with points that were not read there is no score.
    """
    said = [verdict for verdicts in judgements for verdict in verdicts]
    histories = [
        _counting([v for v in said if v.criterion == each.id]) or [_nothing(each.id)]
        for each in rubric.criteria
    ]
    final = [standing(h) for h in histories]
    unassisted = [standing(_without_help(h)) for h in histories]
    first = [h[0] if h[0].source is Source.FIRST else _nothing(h[0].criterion) for h in histories]
    counted = () if unread_points(rubric, final) else (first, unassisted, final)
    scores = [weighted_score(rubric, verdicts, flags) for verdicts in counted] or [None] * 3
    by_id = graded(final) if counted else {}
    _, cap = _capped(rubric, by_id, flags)
    return Grade(
        rubric=rubric.id,
        rubric_version=rubric.version,
        examiner=examiner,
        verdicts=tuple(final),
        first=scores[0],
        unassisted=scores[1],
        final=scores[2],
        flags=flags,
        reasons=_reasons(rubric, cap, by_id, judgements, final),
        interval=spread(rubric, final, flags) if counted else None,
        cap=cap.most if cap else None,
    )


def _nothing(criterion: str) -> Verdict:
    return Verdict(criterion, Rating.NOT_MET)


def _without_help(history: Sequence[Verdict]) -> list[Verdict]:
    return [v if v.source in UNASSISTED else _nothing(v.criterion) for v in history]


def _reasons(
    rubric: Rubric,
    cap: Cap | None,
    by_id: dict[str, Verdict],
    judgements: Sequence[Sequence[Verdict]],
    final: Sequence[Verdict],
) -> tuple[str, ...]:
    reasons = []
    if not judgements:
        reasons.append("There was no answer to grade.")
    if cap:
        why = f"{cap.why}, so the score stops at {cap.most}"
        missing = missing_must_haves(rubric.criteria, by_id)
        points = [c for c in missing if cap.after is _loss(by_id[c.id])]
        reasons += [f"{why}: {criterion.claim}" for criterion in points] or [f"{why}."]
    if ungraded := [each for each in final if each.ungraded]:
        then = "and are left out of the scores."
        if unread_points(rubric, ungraded):
            then = "as they were not read: there is no score until you settle them or a model does."
        told = f"{len(ungraded)} of {len(rubric.criteria)} criteria could not be judged"
        reasons.append(f"{told} {then}")
    return tuple(reasons)


# What the candidate puts beside the examiner's verdicts: verdicts of their own.

OwnMark = Literal["said", "not", "none"]
"""What is put on a point: "none" takes the verdict back."""
_RATING = {"said": Rating.MET, "not": Rating.NOT_MET}
Own = Mapping[int, Mapping[str, Verdict]]
"""The latest on each point, by the question's number in the session and criterion."""
NOTHING: Own = {}


def own_verdict(criterion: str, mark: str) -> Verdict | None:
    """What the mark says of the point, None where it takes that back."""
    return Verdict(criterion, _RATING[mark], by="candidate") if mark in _RATING else None


def own_mark(own: Verdict | None) -> str | None:
    """The mark that says this."""
    return next((mark for mark, each in _RATING.items() if own and own.verdict is each), None)


def latest(marks: Iterable[tuple[Q, str, str]]) -> dict[Q, dict[str, Verdict]]:
    """The verdicts that count by question and criterion; the marks come oldest first."""
    last = {(question, criterion): mark for question, criterion, mark in marks if mark != "appeal"}
    found: dict[Q, dict[str, Verdict]] = {}
    for (question, criterion), mark in last.items():
        if own := own_verdict(criterion, mark):
            found.setdefault(question, {})[criterion] = own
    return found


def own_score(rubric: Rubric, grade: Grade, own: Mapping[str, Verdict]) -> float | None:
    """The final score with the candidate's own verdicts; None without any or with unread points."""
    settled = own and unread_points(rubric, grade.verdicts) <= own.keys()
    return weighted_score(rubric, with_own(grade.verdicts, own), grade.flags) if settled else None


def with_own(verdicts: Iterable[Verdict], own: Mapping[str, Verdict]) -> tuple[Verdict, ...]:
    """The verdicts with the candidate's own in their place; a hint taken keeps its price."""
    found = {each.criterion: each for each in verdicts}
    for criterion, verdict in own.items():
        source = found.get(criterion, verdict).source
        source = Source.FIRST if source is Source.TOLD else source
        found[criterion] = replace(verdict, source=source)
    return tuple(found.values())
