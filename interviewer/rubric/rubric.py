"""A rubric: a question, its criteria and its graded samples, as written in a YAML file.

And where its patterns are found in a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache, partial
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import BeforeValidator, Field, model_validator

from interviewer.content.fields import (
    FieldPath,
    FieldsError,
    Finite,
    Frozen,
    Name,
    Slug,
    Text,
    dotted,
)
from interviewer.rubric.figure import Figure
from interviewer.rubric.terms import with_terms
from interviewer.rubric.text import Span, is_negated, looks_for_negator, normalise, windows


class Rating(StrEnum):
    """How far an answer meets one criterion."""

    MET = "met"
    PARTIAL = "partial"
    NOT_MET = "not_met"
    CONTRADICTED = "contradicted"


def _one_or_many(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _alone(field: str, value: Any) -> Any:
    """A text that stands for a whole with this field."""
    return {field: value} if isinstance(value, str) else value


_T = TypeVar("_T")
_Few = Annotated[tuple[_T, ...], Field(max_length=50)]
"""More than a person writes, and still matched in a moment."""
_OneText = Annotated[str, Field(min_length=1)]
_Regexes = Annotated[tuple[Text, ...], Field(min_length=1, max_length=20)]
AllOf = Annotated[
    _Regexes, BeforeValidator(_one_or_many, json_schema_input_type=_OneText | _Regexes)
]
"""Regular expressions (RE2, case ignored) all found close together; a file may have one alone."""


class NumberFact(Frozen):
    """A quantity the criterion asks for.

    A stated value counts when it lies within ``rel`` (a share of the value) of ``value`` or of one
    of ``alternatives``, and carries ``unit`` where one is given.
    """

    value: Finite
    unit: str = ""
    rel: Finite = Field(default=0.05, ge=0, le=1)
    alternatives: tuple[Finite, ...] = ()


class Misconception(Frozen):
    """A statement that contradicts the criterion; its patterns are for the offline examiner."""

    claim: Text
    patterns: _Few[AllOf] = ()


_ClaimOrMore = Annotated[
    Misconception,
    BeforeValidator(partial(_alone, "claim"), json_schema_input_type=_OneText | Misconception),
]


CriterionKind = Literal["fact", "mechanism", "number", "tradeoff", "pitfall", "experience"]


class _Point(Frozen):
    """What every point has that an answer is judged by."""

    id: Slug
    claim: Text
    accept: _Few[Text] = ()
    reject: _Few[Text] = ()
    misconceptions: _Few[_ClaimOrMore] = ()
    numbers: _Few[NumberFact] = ()
    patterns: _Few[AllOf] = ()
    partly: _Few[AllOf] = ()
    """Patterns that earn half the point: it is touched on, but a step or number is missing."""
    secret_terms: _Few[Text] = ()
    """Words that would give the point away; no examiner says one before the candidate has."""


class OwnDrill(Frozen):
    """What they are asked about their own work; ``wants`` names what a reply must hold."""

    ask: Text
    wants: Text
    again: Text


class Step(Frozen):
    """One of several steps whose order matters; any of its patterns finds it."""

    claim: Text
    patterns: _Regexes


class Criterion(_Point):
    """One proposition that an answer should hold."""

    weight: Finite = Field(gt=0, le=10)
    kind: CriterionKind
    must_have: bool = False
    extra: bool = False
    """The question does not ask for it: it can add to a score, and never takes from one."""
    probe: Text
    deeper: str = Field(default="", exclude_if=lambda deeper: not deeper)
    """What is asked once the point was made: one step further into it."""
    hints: tuple[Text, ...] = Field(default=(), max_length=2)
    bench: Name | None = None
    """The part or step of the rubric's challenge whose derivation proves this point."""
    drill: OwnDrill | None = Field(default=None, exclude_if=lambda drill: drill is None)
    steps: tuple[Step, ...] = Field(default=(), min_length=2, exclude_if=lambda steps: not steps)
    """What the point consists of, where half of it is their order."""

    @property
    def is_own(self) -> bool:
        """It is on what the candidate did, which nobody else can know."""
        return self.kind == "experience"


class Further(Criterion):
    """A criterion of an escalation that was asked: an extra, and nothing but the reply is due."""


class HarderPoint(_Point):
    """What an escalation asks for, as a file has it."""

    weight: Finite = Field(default=1, gt=0, le=10)
    kind: CriterionKind = "mechanism"


SampleKind = Literal["empty", "wrong", "middle", "full", "recited", "negated", "swapped"]


class Sample(Frozen):
    """An answer with its verdicts: the rubric's own test."""

    kind: SampleKind
    answer: str = Field(max_length=8000)
    verdicts: dict[Slug, Rating]


class Escalation(Frozen):
    """A harder variant, for those who made the main points; not graded where it is a text alone."""

    ask: Text
    criteria: tuple[HarderPoint, ...] = Field(default=(), max_length=2)
    """What the reply is graded by: extras, which add to the question's score."""
    samples: tuple[Sample, ...] = ()
    """Replies to it with their verdicts."""


_AskOrMore = Annotated[
    Escalation,
    BeforeValidator(partial(_alone, "ask"), json_schema_input_type=_OneText | Escalation),
]


Difficulty = Literal["easy", "medium", "hard"]
QuestionKind = Literal[
    "derivation",
    "concept",
    "comparison",
    "debugging",
    "design",
    "project",
    "estimation",
    "pseudocode",
    "one-liner",
    "discussion",
]
"""A one-liner is asked and answered within a minute: it has one or two points. A discussion has no
right answers: its criteria are what to ask about, and it gets no grade."""


Looks = Literal["number", "decision", "trouble", "result", "anything"]
PASSAGE = "{passage}"
"""The placeholder for the candidate's words in a question about their own project."""


class OwnProject(Frozen):
    """How the question is put to a candidate who gave notes on a project of their own.

    ``looks_for`` says which passage of the notes it is about. ``passage`` is that passage, set when
    a session is planned and never in a file.
    """

    looks_for: Looks
    question: Text
    passage: str = ""

    @model_validator(mode="after")
    def _has_room_for_the_passage(self) -> OwnProject:
        if self.question.count(PASSAGE) != 1 and not self.passage:
            raise ValueError(f"its question needs {PASSAGE} exactly once, where their words go")
        return self


class Rubric(Frozen):
    """A question, what a good answer contains, and how to drill towards it."""

    id: Slug
    version: int = Field(ge=1)
    title: Text
    round: Slug
    topic: Slug
    difficulty: Difficulty
    kind: QuestionKind
    covers: tuple[Slug, ...] = ()
    question: Text
    figure: Figure | None = Field(default=None, exclude_if=lambda figure: figure is None)
    """What the question gives to look at."""
    reference: Text
    terms: dict[str, Text] = Field(default_factory=dict)
    """Named synonyms, used as ``{name}`` in this rubric's patterns.

    They are expanded when a file is read; a rubric in use, or stored with a session, has none."""
    criteria: tuple[Criterion, ...] = Field(min_length=1, max_length=12)
    escalations: tuple[_AskOrMore, ...] = ()
    simpler: tuple[Text, ...] = ()
    """Easier ways into the question, for those who are stuck; they give no point away."""
    own_project: OwnProject | None = None
    candidate_asks: bool = False
    """In a discussion: they ask, and the interviewer answers."""
    challenge: Slug | None = None
    samples: tuple[Sample, ...] = ()
    sources: tuple[Text, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _terms_are_put_in(cls, values: Any) -> Any:
        return with_terms(values)

    @model_validator(mode="after")
    def _criteria_are_distinct(self) -> Rubric:
        places: list[FieldPath] = [("criteria", n) for n in range(len(self.criteria))]
        ids = [criterion.id for criterion in self.criteria]
        for n, escalation in enumerate(self.escalations):
            places += [("escalations", n, "criteria", k) for k in range(len(escalation.criteria))]
            ids += [point.id for point in escalation.criteria]
        first = {each: places[ids.index(each)] for each in ids}
        faults = [
            ((*place, "id"), f"is also the id of {dotted(first[each])}; give each its own")
            for place, each in zip(places, ids, strict=True)
            if first[each] != place
        ]
        if faults:
            raise FieldsError(*faults)
        return self

    @property
    def asked(self) -> tuple[str, ...]:
        """All that the question says: its words, and those of its figure."""
        return (self.question, self.figure.words) if self.figure else (self.question,)

    @property
    def is_discussion(self) -> bool:
        """It is talked over and not graded."""
        return self.kind == "discussion"

    @property
    def has_hints(self) -> bool:
        return any(criterion.hints for criterion in self.criteria)

    def on_point(self, criterion_id: str) -> Rubric:
        """This rubric with one criterion left; KeyError where it has none of this id."""
        changes = {"criteria": (self.criterion(criterion_id),), "challenge": None}
        return self.model_copy(update={**changes, "escalations": (), "simpler": (), "samples": ()})

    @property
    def harder(self) -> tuple[str, ...]:
        """What its escalations ask."""
        return tuple(escalation.ask for escalation in self.escalations)

    @property
    def escalation_to_ask(self) -> int | None:
        """The place of the harder variant to ask: the first that is graded, else the first."""
        graded = (n for n, each in enumerate(self.escalations) if each.criteria)
        return next(graded, 0 if self.escalations else None)

    def with_escalation(self, n: int) -> Rubric:
        """This rubric with the criteria of its n-th escalation as extras. Raises KeyError."""
        if n >= len(self.escalations):
            raise KeyError(n)
        harder = self.escalations[n]
        further = tuple(
            Further(**dict(point), extra=True, probe=harder.ask) for point in harder.criteria
        )
        return self.model_copy(update={"criteria": (*self.criteria, *further)})

    def on_escalation(self, n: int) -> Rubric:
        """The n-th escalation, from 0, as a question of its own; it must be graded."""
        harder = self.escalations[n]
        return self.model_copy(
            update={
                "question": harder.ask,
                "reference": " ".join(point.claim for point in harder.criteria),
                "criteria": tuple(
                    Criterion(**dict(point), probe=harder.ask) for point in harder.criteria
                ),
                "escalations": (),
                "simpler": (),
                "own_project": None,
                "challenge": None,
                "samples": harder.samples,
            }
        )

    def criterion(self, criterion_id: str) -> Criterion:
        """The criterion with this id; KeyError where there is none."""
        return {each.id: each for each in self.criteria}[criterion_id]


# -- its patterns, found in a text
# RE2 runs in time linear in the text whatever the pattern, so no rubric file can hang the program.
# The price: no lookaround, no backreferences, and ``\w`` and ``\b`` only know ASCII letters.

KEPT_PATTERNS = 2048
"""Enough for a long mock. RE2 caches states with each pattern: all that ship would take hundreds of
megabytes."""
MOST_TRIES = 8
"""How many matches of a pattern in one window are tried before it counts as not found."""


@dataclass(frozen=True)
class AllOfMatch:
    """Where the patterns of the all-of list ``alternative`` were found in one window, in order."""

    spans: tuple[Span, ...]
    alternative: int = 0

    @property
    def end(self) -> int:
        """Where the last of them ends."""
        return max(end for _, end in self.spans)


Counts = Callable[[Span, str], bool]
"""Whether a match, given with the pattern that was found there, may count."""


def always(_span: Span, _regex: str) -> bool:
    """Accept every match."""
    return True


@lru_cache(maxsize=KEPT_PATTERNS)
def compile_pattern(regex: str) -> re.Pattern[str]:
    """Compile a pattern for normalised text. Raises ValueError with RE2's reason."""
    import re2  # takes time to load, and lists of rubrics need none of it

    options = re2.Options()
    options.case_sensitive = regex == regex.lower()  # folding what is folded takes a third longer
    options.log_errors = False
    options.never_capture = True  # groups are not read, and cost a second pass over each match
    try:
        return cast("re.Pattern[str]", re2.compile(regex, options))
    except re2.error as error:
        reason = error.args[0]
        raise ValueError(reason.decode() if isinstance(reason, bytes) else reason) from error


def occurrences(regex: str, text: str, window: Span | None = None) -> Iterator[Span]:
    """Where the pattern matches in ``text`` or in a window of it; empty matches are left out."""
    start, end = window or (0, len(text))
    for match in compile_pattern(regex).finditer(text[start:end]):
        first, last = match.span()
        if first < last:
            yield start + first, start + last


def find(
    alternatives: Iterable[Sequence[str]],
    text: str,
    windows: Sequence[Span] | None = None,
    counts: Counts = always,
) -> AllOfMatch | None:
    """The first of the all-of lists that is whole within any one window (the whole text if None).

    ``text`` must be normalised. ``counts(span, regex)`` may reject a match, say a negated one; the
    next match of the same pattern in the window is then tried.
    """
    for index, all_of in enumerate(alternatives):
        # Searching the whole text first spares most patterns the search of every window.
        if not all(_may_match(regex, text) for regex in all_of):
            continue
        for window in windows if windows is not None else [(0, len(text))]:
            if spans := _spans_in(all_of, text, window, counts):
                return AllOfMatch(spans, index)
    return None


def is_usable(alternative: Sequence[str]) -> bool:
    """Whether all of its patterns can be compiled."""
    try:
        return all(compile_pattern(regex) is not None for regex in alternative)
    except ValueError:
        return False


def hits(alternative: Sequence[str], text: str, *, asserted: bool = False) -> bool:
    """Whether the whole alternative is found within two sentences; ``asserted``: and not denied."""
    plain = normalise(text).text
    if not all(_may_match(regex, plain) for regex in alternative):
        return False  # usually; no need to look for its sentences
    negative = not asserted or any(looks_for_negator(regex) for regex in alternative)

    def counts(span: Span, _regex: str) -> bool:
        return negative or not is_negated(plain, span)

    return any(_spans_in(alternative, plain, window, counts) for window in _windows_of(text))


def hit_texts(
    alternative: Sequence[str], texts: Sequence[str], *, asserted: bool = False
) -> Iterator[int]:
    """The places of the texts that the alternative hits: usually none, which is soon told."""
    together = _joined(tuple(texts))
    if all(_may_match(regex, together) for regex in alternative):
        yield from (n for n, text in enumerate(texts) if hits(alternative, text, asserted=asserted))


@lru_cache(maxsize=512)
def _joined(texts: tuple[str, ...]) -> str:
    return "\n".join(normalise(text).text for text in texts)


@lru_cache(maxsize=512)
def _windows_of(text: str) -> tuple[Span, ...]:
    return windows(normalise(text))


def _may_match(regex: str, text: str) -> bool:
    """False if no window of the text can match."""
    return _is_anchored(regex) or compile_pattern(regex).search(text) is not None


@lru_cache(maxsize=KEPT_PATTERNS)
def _is_anchored(regex: str) -> bool:
    """It may match at a window's edge only; the sign of a negated class is no anchor."""
    return bool(re.search(r"(?<![\[\\])\^|(?<!\\)\$|\\[Az]", regex))


def _spans_in(
    all_of: Sequence[str], text: str, window: Span, counts: Counts
) -> tuple[Span, ...] | None:
    """A match of each pattern, None if one has none."""
    found: list[Span] = []
    for regex in all_of:
        span = _counting(regex, text, window, counts)
        if span is None:
            return None
        found.append(span)
    return tuple(found)


def _counting(regex: str, text: str, window: Span, counts: Counts) -> Span | None:
    """The first match that counts; one that does not may hide another starting inside it."""
    start, end = window
    for _ in range(MOST_TRIES):
        span = next(occurrences(regex, text, (start, end)), None)
        if span is None or counts(span, regex):
            return span
        start = span[0] + 1
    return None
