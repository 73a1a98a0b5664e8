"""A judge's findings, and the verdicts left after checking them in code."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from interviewer.rubric.rubric import Verdict


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
    """Asked what they did themselves, the candidate gave neither a figure nor a decision."""
    INJECTION_SUSPECTED = "injection_suspected"
    NOT_EXECUTED = "not_executed"
    """Work submitted from the bench could not be executed and was judged as prose."""
    PARSE_REPAIRED = "parse_repaired"
    FALLBACK = "fallback"
    """Judged by the offline examiner because the model's reply was unusable."""
    CANARY = "canary"
    """The model credited a planted point that no answer could make, so its reply was discarded."""
    CUT_OFF = "cut_off"
    """Time ran out while the answer was being typed."""


@dataclass(frozen=True)
class Finding:
    """What an examiner says about one criterion, not yet checked.

    ``evidence`` should be a literal span of a candidate turn. ``vague`` marks a point that came up
    but cannot be credited as worded, so it calls for a follow-up. ``votes`` holds the verdicts in
    order when the examiner judged more than once.
    """

    criterion: str
    evidence: str
    verdict: Verdict
    missing: str = ""
    vague: bool = False
    votes: tuple[Verdict, ...] = ()


@dataclass(frozen=True)
class Judgement:
    """An examiner's findings on one question's transcript.

    Criteria missing from ``findings`` could not be judged; ``ungraded`` gives the reason by
    criterion id. Scores leave them out: they count neither as zero nor as a pass.
    """

    findings: tuple[Finding, ...]
    examiner: str
    flags: frozenset[Flag] = frozenset()
    ungraded: tuple[tuple[str, str], ...] = ()
    doubts: tuple[Finding, ...] = ()
    """Findings that call for a second look."""


@dataclass(frozen=True)
class CriterionVerdict:
    """A finding that has been checked in code.

    ``turn`` and ``span`` locate the evidence: the number of the candidate's turn and the half-open
    character range in its text as typed. ``unsupported`` says in one sentence why credit given by
    the judge was withdrawn. ``votes`` is as in :class:`Finding`.
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
