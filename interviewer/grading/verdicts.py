"""A judge's findings before the checks, and the verdicts that stand after them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from interviewer.rubric.rubric import Verdict


class Source(StrEnum):
    """With how much help a point was made."""

    FIRST = "first"
    PROBE = "probe"
    HINT_1 = "hint_1"
    HINT_2 = "hint_2"
    TOLD = "told"


class Flag(StrEnum):
    """What a reader of the grade should know about how it came about."""

    RECITED = "recited"
    KEYWORD_LIST = "keyword_list"
    ECHO = "echo"
    TOO_SHORT = "too_short"
    BOTH_SIDES = "both_sides"
    NO_OWN_WORK = "no_own_work"
    """Asked what they actually did, the candidate named neither a figure nor a decision."""
    INJECTION_SUSPECTED = "injection_suspected"
    NOT_EXECUTED = "not_executed"
    """What was handed in from the bench could not be executed: it was judged as words."""
    PARSE_REPAIRED = "parse_repaired"
    FALLBACK = "fallback"
    """Judged by the offline examiner since the model's reply could not be used."""
    CANARY = "canary"
    """The model credited a planted point that nobody could make: what it said was thrown away."""
    CUT_OFF = "cut_off"
    """The clock ran out while the answer was being typed."""


@dataclass(frozen=True)
class Finding:
    """What an examiner says about one criterion, not yet believed.

    ``evidence`` is claimed to be a literal span of a candidate turn. ``vague`` marks a point that
    was touched but cannot be credited as said: it calls for a follow-up. ``votes`` are the verdicts
    of all looks where the examiner looked more than once, in the order of the looks.
    """

    criterion: str
    evidence: str
    verdict: Verdict
    missing: str = ""
    vague: bool = False
    votes: tuple[Verdict, ...] = ()


@dataclass(frozen=True)
class Judgement:
    """All findings of one look at a question's transcript, with who judged.

    Criteria that are absent from ``findings`` could not be judged; ``ungraded`` gives the reason
    by criterion id. They are left out of scores, never counted as zero or as a pass.
    """

    findings: tuple[Finding, ...]
    examiner: str
    flags: frozenset[Flag] = frozenset()
    ungraded: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class CriterionVerdict:
    """A finding after the checks in code.

    ``turn`` and ``span`` place the evidence: the number of the candidate's turn and the half-open
    character range in its text as typed. ``unsupported`` says in a sentence why a credit that the
    judge gave was taken back ("the quote is not in any of your answers"). ``votes`` are the
    verdicts of all looks where there was more than one: the spread behind the verdict.
    """

    criterion: str
    verdict: Verdict
    evidence: str = ""
    turn: int | None = None
    span: tuple[int, int] | None = None
    source: Source = Source.FIRST
    missing: str = ""
    vague: bool = False
    unsupported: str = ""
    votes: tuple[Verdict, ...] = ()
