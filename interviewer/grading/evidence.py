"""Checks every credit against what the candidate actually said.

A judge, model or not, must back credit with a quote: words from one of the candidate's own turns
that do more than echo the examiner and are not part of an attempt to instruct the judge. A number
that was asked for must really have been stated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from interviewer.grading.numerals import matches, quantities
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.grading.verdicts import CriterionVerdict, Finding, Flag, Source
from interviewer.rubric.rubric import Criterion, Rubric, Verdict
from interviewer.rubric.text import Span, normalise

MIN_WORDS = 3
_EARNING = (Verdict.MET, Verdict.PARTIAL)
_WORD = re.compile(r"[^\W_]+")


def candidate_turns(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """The candidate's own answers."""
    return tuple(t for t in turns if t.author == "candidate" and t.kind is TurnKind.ANSWER)


def locate(quote: str, turns: Sequence[Turn]) -> tuple[int, Span] | None:
    """Find a quote: the candidate turn's number and the character span in its text as typed.

    Case, spacing, quotation marks and invisible characters may differ; words may not. The latest
    turn containing the quote wins; None if there is none.
    """
    wanted = _bare(quote)
    if not wanted:
        return None
    for turn in reversed(candidate_turns(turns)):
        plain = turn.parsed.plain
        for match in re.finditer(re.escape(wanted), plain.text):
            start, end = match.span()
            if _whole_words(plain.text, start, end):
                return turn.number, plain.original_span(start, end)
    return None


def _bare(quote: str) -> str:
    """The quote in matching form, without the punctuation a judge puts around it."""
    return normalise(quote).text.strip(" .…\"'")


def _whole_words(text: str, start: int, end: int) -> bool:
    """The span cuts no word in two: "met" is not a quote from "method"."""
    before, after = text[max(0, start - 1) : start + 1], text[end - 1 : end + 1]
    return not (len(before) == 2 and before.isalnum()) and not (len(after) == 2 and after.isalnum())


def is_substantial(quote: str) -> bool:
    """The quote has at least three words, or a number with a unit or another word."""
    words = _WORD.findall(normalise(quote).text)
    return len(words) >= MIN_WORDS or any(q.tail or len(words) > 1 for q in quantities(quote))


def is_echo(quote: str, turns: Iterable[Turn]) -> bool:
    """The quote appears in something the examiner said."""
    wanted = _bare(quote)
    return any(t.author == "examiner" and wanted in t.parsed.plain.text for t in turns)


def check(
    rubric: Rubric, turns: Sequence[Turn], findings: Iterable[Finding]
) -> tuple[CriterionVerdict, ...]:
    """Turn findings into verdicts. Credit whose quote fails becomes not_met, with the reason.

    A contradiction needs a quote from the candidate just as credit does. Findings on criteria that
    the rubric does not have are dropped; of several on one criterion the last counts.
    """
    known = {criterion.id: criterion for criterion in rubric.criteria}
    latest = {f.criterion: f for f in findings if f.criterion in known}
    return tuple(
        _check_one(criterion, turns, latest[criterion_id])
        for criterion_id, criterion in known.items()
        if criterion_id in latest
    )


def _check_one(criterion: Criterion, turns: Sequence[Turn], finding: Finding) -> CriterionVerdict:
    verdict = CriterionVerdict(
        finding.criterion,
        finding.verdict,
        missing=finding.missing,
        vague=finding.vague,
        votes=finding.votes,
    )
    if finding.verdict is Verdict.NOT_MET:
        return verdict
    place = locate(finding.evidence, turns)
    if place is None:
        return _refused(verdict, "The quote is not in any of your answers.")
    number, span = place
    turn = next(t for t in turns if t.number == number)
    quote = turn.text[span[0] : span[1]]
    earlier = [t for t in turns if t.number < number]
    if problem := _objection(quote, turn, span, earlier):
        return _refused(verdict, problem)
    verdict = replace(
        verdict,
        evidence=quote,
        turn=number,
        span=span,
        source=source_of(criterion.id, number, turns),
    )
    return _with_number_checked(criterion, turns, verdict)


def _objection(quote: str, turn: Turn, span: Span, earlier: Sequence[Turn]) -> str:
    if not is_substantial(quote):
        return "The quote is too short to show anything."
    if is_echo(quote, earlier):
        return "The quote repeats the examiner's own words."
    if turn.parsed.gives_orders(span):
        return "The quote sits in text that tries to instruct the examiner."
    return ""


def _refused(verdict: CriterionVerdict, why: str) -> CriterionVerdict:
    return replace(verdict, verdict=Verdict.NOT_MET, unsupported=why, vague=True)


def _with_number_checked(
    criterion: Criterion, turns: Sequence[Turn], verdict: CriterionVerdict
) -> CriterionVerdict:
    if verdict.verdict is not Verdict.MET or not criterion.numbers:
        return verdict
    stated = [q for turn in candidate_turns(turns) for q in turn.parsed.quantities]
    if all(any(matches(fact, q) for q in stated) for fact in criterion.numbers):
        return verdict
    why = "The number asked for is missing or outside its tolerance."
    return replace(verdict, verdict=Verdict.PARTIAL, unsupported=why, vague=True)


def source_of(criterion_id: str, turn_number: int, turns: Sequence[Turn]) -> Source:
    """How much help the candidate had had on this criterion before the turn."""
    before = [t for t in turns if t.number < turn_number]
    on_it = [t for t in before if t.target == criterion_id]
    if any(t.kind is TurnKind.TELL for t in on_it):
        return Source.TOLD
    level = max((t.hint_level for t in on_it), default=0)
    if level:
        return Source.HINT_1 if level == 1 else Source.HINT_2
    answered = (t for t in turns if t.author == "candidate" and t.kind is not TurnKind.BENCH)
    first = next((t.number for t in answered), turn_number)
    return Source.FIRST if turn_number <= first else Source.PROBE


def suspicions(turns: Iterable[Turn]) -> frozenset[Flag]:
    """Flags that depend only on the candidate's text, whoever judges it."""
    if any(turn.parsed.gives_orders() for turn in turns if turn.author == "candidate"):
        return frozenset({Flag.INJECTION_SUSPECTED})
    return frozenset()
