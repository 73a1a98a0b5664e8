"""Checks every credit against what the candidate actually said.

A judge, model or not, must back credit with up to three quotes: words from the candidate's own
turns, each from one of them, that do more than echo the examiner and are not part of an attempt to
instruct the judge. A number that was asked for must really have been stated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from interviewer.grading.numerals import Quantity, matches, matches_apart_from_unit, quantities
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.grading.verdicts import (
    MOST_QUOTES,
    CriterionVerdict,
    Evidence,
    Finding,
    Flag,
    Source,
)
from interviewer.rubric.rubric import Criterion, Rubric, Verdict
from interviewer.rubric.text import COMMON_STEMS, Span, content_stems, normalise

MIN_WORDS = 3
_WORD = re.compile(r"[^\W_]+")
_SYMBOL = re.compile(r"\d+|[^\W\d_a-z]|[^\s\w.,;:!?()'\"/-]")
"""A number, a letter of another alphabet, a sign of mathematics."""


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
    """Turn findings into verdicts. Credit becomes not_met, with the reason, if a quote fails.

    A contradiction needs the candidate's words just as credit does. Findings on criteria that the
    rubric does not have are dropped; of several on one criterion the last counts.
    """
    known = {criterion.id: criterion for criterion in rubric.criteria}
    latest = {f.criterion: f for f in findings if f.criterion in known}
    return tuple(
        _check_one(criterion, turns, latest[criterion_id], _about(rubric, criterion))
        for criterion_id, criterion in known.items()
        if criterion_id in latest
    )


def _about(rubric: Rubric, criterion: Criterion) -> str:
    """All that the rubric says of the point."""
    wrong = (each.claim for each in criterion.misconceptions)
    own = (criterion.claim, *criterion.accept, *criterion.reject, *wrong)
    return " ".join((*own, rubric.reference))


def _shares_words(quote: str, about: str) -> bool:
    """A content word, a number or a symbol is in both, or they are written in different scripts."""
    said, wanted = normalise(quote).text, normalise(about).text
    if sum(map(str.isascii, said)) < len(said) / 2:
        return True
    return bool(
        (content_stems(said) & content_stems(wanted)) - COMMON_STEMS
        or set(_SYMBOL.findall(said)) & set(_SYMBOL.findall(wanted))
    )


def _check_one(
    criterion: Criterion, turns: Sequence[Turn], finding: Finding, about: str
) -> CriterionVerdict:
    verdict = CriterionVerdict(
        finding.criterion,
        finding.verdict,
        missing=finding.missing,
        vague=finding.vague,
        votes=finding.votes,
        doubt=finding.doubt,
        alternative=finding.alternative,
    )
    if finding.verdict is Verdict.NOT_MET:
        return verdict
    found: list[Evidence] = []
    for quote in finding.quotes[:MOST_QUOTES] or ("",):
        place = _placed(quote, turns)
        if isinstance(place, str):
            return _refused(verdict, place)
        if not any(map(place.overlaps, found)):
            found.append(place)
    is_sure = finding.confirmed or finding.matched or finding.verdict is Verdict.CONTRADICTED
    if not (is_sure or _shares_words(" ".join(each.text for each in found), about)):
        return _refused(verdict, "The quote shares no word with the point.")
    main, *further = found
    sources = [source_of(criterion.id, each.turn, turns) for each in found]
    verdict = replace(
        verdict,
        evidence=main.text,
        turn=main.turn,
        span=main.span,
        further=tuple(further),
        source=max(sources, key=_HELP.index),
    )
    return _with_number_checked(criterion, turns, verdict, confirmed=finding.confirmed)


_HELP = tuple(Source)
"""The least help first; a point that was made in pieces took the help of its last one."""


def _placed(quote: str, turns: Sequence[Turn]) -> Evidence | str:
    """Where the candidate said so, or why these words carry nothing."""
    place = locate(quote, turns)
    if place is None:
        return "The quote is not in any of your answers."
    number, span = place
    turn = next(t for t in turns if t.number == number)
    text = turn.text[slice(*span)]
    if not (is_substantial(text) or _is_all_of_a_sentence(text, turn, span)):
        return "The quote is too short to show anything."
    if is_echo(text, [t for t in turns if t.number < number]):
        return "The quote repeats the examiner's own words."
    if turn.parsed.gives_orders(span):
        return "The quote sits in text that tries to instruct the examiner."
    return Evidence(text, number, span)


def _is_all_of_a_sentence(quote: str, turn: Turn, span: Span) -> bool:
    """No word of its sentence is left out, and one of them carries content ("BF16.")."""
    around = " ".join(turn.parsed.plain.text[a:b] for a, b in _sentences_at(turn, span))
    words = _WORD.findall(normalise(quote).text)
    return words == _WORD.findall(around) and bool(content_stems(quote))


def _sentences_at(turn: Turn, span: Span) -> Iterator[Span]:
    """The sentences, as spans of the plain text, that these characters as typed lie in."""
    for start, end in turn.parsed.sentences:
        first, last = turn.parsed.plain.original_span(start, end)
        if first < span[1] and span[0] < last:
            yield start, end


def _refused(verdict: CriterionVerdict, why: str) -> CriterionVerdict:
    return replace(verdict, verdict=Verdict.NOT_MET, unsupported=why, vague=True)


NUMBER_MISSING = "The number asked for is missing or outside its tolerance."


def _with_number_checked(
    criterion: Criterion, turns: Sequence[Turn], verdict: CriterionVerdict, *, confirmed: bool
) -> CriterionVerdict:
    """Partial where a number is missing; a second look outweighs the search, and the doubt stays.

    The search reads what it can: a judge that was asked again may know better.
    """
    if verdict.verdict is not Verdict.MET or _states_all(criterion, turns, verdict.quotes):
        return verdict
    if confirmed:
        return replace(verdict, doubt=verdict.doubt or NUMBER_MISSING, alternative=Verdict.PARTIAL)
    return replace(verdict, verdict=Verdict.PARTIAL, unsupported=NUMBER_MISSING, vague=True)


def _states_all(criterion: Criterion, turns: Sequence[Turn], quotes: Sequence[Evidence]) -> bool:
    """Every number asked for is stated: with its unit anywhere, or in a quoted sentence without."""
    if not criterion.numbers:
        return True
    stated = [q for turn in candidate_turns(turns) for q in turn.parsed.standing_quantities]
    near = [quantity for quote in quotes for quantity in _quantities_near(quote, turns)]
    return all(
        any(matches(fact, q) for q in stated) or any(matches_apart_from_unit(fact, q) for q in near)
        for fact in criterion.numbers
    )


def _quantities_near(quote: Evidence, turns: Sequence[Turn]) -> Iterator[Quantity]:
    """The numbers of the sentences that the quote lies in."""
    turn = next(t for t in turns if t.number == quote.turn)
    for start, end in _sentences_at(turn, quote.span):
        first, last = turn.parsed.plain.original_span(start, end)
        yield from (q for q in turn.parsed.standing_quantities if first <= q.span[0] < last)


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
    said = [turn.parsed for turn in turns if turn.author == "candidate"]
    flags = set()
    if any(text.gives_orders() for text in said):
        flags.add(Flag.INJECTION_SUSPECTED)
    if not all(text.is_read_whole for text in said):
        flags.add(Flag.READ_IN_PART)
    return frozenset(flags)
