"""Verdicts, with the candidate's words for them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from interviewer.rubric.rubric import Rating
from interviewer.rubric.text import Span, overlap

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
    """Words of the candidate: the number of the turn, and the half-open range in it as typed.

    Turn 0: they were not looked for yet.
    """

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
