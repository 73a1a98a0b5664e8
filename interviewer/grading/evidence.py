"""Checks every credit against what the candidate actually said.

Credit takes up to three quotes of the candidate's own that do more than echo the examiner and are
no orders to the judge. What runs at the bench prove is evidence too; nothing is executed here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from interviewer.grading.transcript import (
    BYTES,
    SCALES,
    ParsedAnswer,
    Quantity,
    Turn,
    TurnKind,
    factor_of,
    is_unit,
)
from interviewer.grading.verdicts import (
    MOST_QUOTES,
    Evidence,
    Flag,
    Source,
    Verdict,
    credit,
)
from interviewer.rubric.rubric import Criterion, NumberFact, Rating, Rubric
from interviewer.rubric.text import COMMON_STEMS, HAN, Span, content_stems, normalise, shortened
from interviewer.sandbox.result import CheckOutcome, CheckResult

MIN_WORDS = 3
QUOTED_CHARACTERS = 120
"""Longer lines of a run are cut off when quoted."""
_WORD = re.compile(rf"[{HAN}]|[^\W_{HAN}]+")
_JOINED = re.compile(rf"[^\W_{HAN}]{{2}}")
_SYMBOL = re.compile(r"\d+|[^\W\d_a-z]|[^\s\w.,;:!?()'\"/-]")
"""A number, a letter of another alphabet, a sign of mathematics."""


def candidate_turns(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """The candidate's own answers."""
    return tuple(t for t in turns if t.author == "candidate" and t.kind is TurnKind.ANSWER)


def locate(quote: str, turns: Sequence[Turn]) -> tuple[int, Span] | None:
    """The latest candidate turn that holds the quote, and its characters as typed; None for none.

    Case, spacing, quotation marks and invisible characters may differ; words may not.
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
    return normalise(quote).text.strip(" .…\"'")


def _whole_words(text: str, start: int, end: int) -> bool:
    """The span cuts no word in two: "met" is not a quote from "method"."""
    before, after = text[max(0, start - 1) : start + 1], text[end - 1 : end + 1]
    return not (_JOINED.fullmatch(before) or _JOINED.fullmatch(after))


def check(
    rubric: Rubric,
    turns: Sequence[Turn],
    findings: Iterable[Verdict],
    elsewhere: Sequence[Turn] = (),
) -> tuple[Verdict, ...]:
    """Turn findings into verdicts. Credit becomes not_met, with the reason, if a quote fails.

    Of several findings on one criterion the last counts. What was said on other questions,
    ``elsewhere``, carries a point that is made in full and no other verdict.
    """
    known = {criterion.id: criterion for criterion in rubric.criteria}
    latest = {f.criterion: f for f in findings if f.criterion in known}
    given = Counter(_bare(f.evidence) for f in latest.values() if f.verdict in _CREDITED)

    def checked(criterion: Criterion) -> Verdict:
        finding = latest[criterion.id]
        reused = given[_bare(finding.evidence)] > 1 and finding.verdict in _CREDITED
        if reused and not (finding.confirmed or finding.matched or _says_of(criterion, finding)):
            return _refused(_without_evidence(finding), REUSED)
        return _check_one(criterion, turns, finding, _about(rubric, criterion), elsewhere)

    return tuple(checked(criterion) for criterion in known.values() if criterion.id in latest)


WORDS_OF_EACH = 2
"""A quote given for several points must share so many content words with each."""
LONGEST_REUSED = 60
"""Words, or characters of Chinese: to quote more for several points is to quote the answer."""
UNFIT_POINTS = 2
"""Fewer credits refused for words that are off the point say nothing of the judge."""
UNRELATED = "The quote shares no word with the point."
REUSED = "The same words are given for several points, and say little of this one."
_CREDITED = (Rating.MET, Rating.PARTIAL)


def _says_of(criterion: Criterion, finding: Verdict) -> bool:
    if len(_WORD.findall(finding.evidence)) > LONGEST_REUSED:
        return False
    said = content_stems(" ".join(finding.words)) - COMMON_STEMS
    right = (criterion.claim, *criterion.accept)
    is_near = any(len(said & content_stems(each)) >= WORDS_OF_EACH for each in right)
    return is_near or not _is_ascii(finding.evidence)


def is_unfit(verdicts: Sequence[Verdict]) -> bool:
    """Most of the points that a judge credited rest on words that have nothing to do with them."""
    refused = sum(each.unsupported in (UNRELATED, REUSED) for each in verdicts)
    credited = sum(credit(each) > 0 for each in verdicts)
    return refused >= UNFIT_POINTS and refused > credited


def _about(rubric: Rubric, criterion: Criterion) -> str:
    wrong = (each.claim for each in criterion.misconceptions)
    own = (criterion.claim, *criterion.accept, *criterion.reject, *wrong)
    return " ".join((*own, rubric.reference))


def _shares_words(quote: str, about: str) -> bool:
    """A content word, a number or a symbol is in both, or they are written in different scripts."""
    said, wanted = normalise(quote).text, normalise(about).text
    if not _is_ascii(said):
        return True
    return bool(
        (content_stems(said) & content_stems(wanted)) - COMMON_STEMS
        or set(_SYMBOL.findall(said)) & set(_SYMBOL.findall(wanted))
    )


def _is_ascii(text: str) -> bool:
    return sum(map(str.isascii, text)) >= len(text) / 2


def _check_one(
    criterion: Criterion,
    turns: Sequence[Turn],
    finding: Verdict,
    about: str,
    elsewhere: Sequence[Turn],
) -> Verdict:
    verdict = _without_evidence(finding)
    if finding.verdict in (Rating.NOT_MET, None):
        return verdict
    found: list[Evidence] = []
    for quote in finding.words[:MOST_QUOTES] or ("",):
        place = _placed(quote, turns)
        if isinstance(place, str) and finding.verdict is Rating.MET and not finding.alternative:
            carried = _placed(quote, elsewhere)
            place = place if isinstance(carried, str) else carried
        if isinstance(place, str):
            return _refused(verdict, place)
        if not any(map(place.overlaps, found)):
            found.append(place)
    is_sure = finding.confirmed or finding.matched or finding.verdict is Rating.CONTRADICTED
    is_sure = is_sure or criterion.is_own  # their own run has its own words
    if not (is_sure or _shares_words(_around(found, (*elsewhere, *turns)), about)):
        return _refused(verdict, UNRELATED)
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
    if {each.number for each in elsewhere}.isdisjoint(each.turn for each in found):
        return _with_number_checked(criterion, turns, verdict, confirmed=finding.confirmed)
    if _states_all(criterion, (*elsewhere, *turns), verdict.quotes):
        return replace(verdict, missing="You said it on an earlier question.")
    return replace(_without_evidence(finding), verdict=Rating.NOT_MET)


def _without_evidence(finding: Verdict) -> Verdict:
    bare = replace(finding, evidence="", turn=None, span=None, further=(), source=Source.FIRST)
    return replace(bare, unsupported="", confirmed=False, matched=False)


_HELP = tuple(Source)
"""The least help first; a point that was made in pieces took the help of its last one."""


def _placed(quote: str, turns: Sequence[Turn]) -> Evidence | str:
    """Where the candidate said so, or why these words carry nothing."""
    place = locate(quote, turns)
    if place is None:
        return "The quote is not in any of your answers."
    number, span = place
    turn = next(t for t in turns if t.number == number)
    found = Evidence(turn.text[slice(*span)], number, span)
    words, bare = _WORD.findall(normalise(found.text).text), _bare(found.text)
    is_all = words == _WORD.findall(_around([found], turns)) and bool(content_stems(found.text))
    is_number = any(q.tail or len(words) > 1 for q in ParsedAnswer(found.text).quantities)
    if not (len(words) >= MIN_WORDS or is_number or is_all):
        return "The quote is too short to show anything."
    before = (t for t in turns if t.number < number and t.author == "examiner")
    if any(bare in t.parsed.plain.text for t in before):
        return "The quote repeats the examiner's own words."
    if turn.parsed.gives_orders(span):
        return "The quote sits in text that tries to instruct the examiner."
    return found


def _around(quotes: Sequence[Evidence], turns: Sequence[Turn]) -> str:
    said = {turn.number: turn.parsed for turn in turns}
    places = ((said[each.turn], each.span) for each in quotes)
    return " ".join(
        parsed.plain.text[a:b] for parsed, span in places for a, b in parsed.sentences_at(span)
    )


def _refused(verdict: Verdict, why: str) -> Verdict:
    return replace(verdict, verdict=Rating.NOT_MET, unsupported=why, vague=True)


NUMBER_MISSING = "The number asked for is missing or outside its tolerance."


def _with_number_checked(
    criterion: Criterion, turns: Sequence[Turn], verdict: Verdict, *, confirmed: bool
) -> Verdict:
    """Partial where a number is missing; a second look outweighs the search, with a doubt."""
    if verdict.verdict is not Rating.MET or _states_all(criterion, turns, verdict.quotes):
        return verdict
    if confirmed:
        return replace(verdict, doubt=verdict.doubt or NUMBER_MISSING, alternative=Rating.PARTIAL)
    return replace(verdict, verdict=Rating.PARTIAL, unsupported=NUMBER_MISSING, vague=True)


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
    parsed = next(t.parsed for t in turns if t.number == quote.turn)
    for sentence in parsed.sentences_at(quote.span):
        first, last = parsed.plain.original_span(*sentence)
        yield from (q for q in parsed.standing_quantities if first <= q.span[0] < last)


# Numbers that a rubric asks for.


def states(fact: NumberFact, text: str) -> bool:
    """Some number in the text matches the fact."""
    return any(matches(fact, quantity) for quantity in ParsedAnswer(text).quantities)


def matches(fact: NumberFact, quantity: Quantity) -> bool:
    """The quantity is within ``rel`` of one of the fact's values, converted to the fact's unit."""
    return any(_is_near(fact, stated) for stated in _values_in(quantity, fact.unit))


def matches_apart_from_unit(fact: NumberFact, quantity: Quantity) -> bool:
    """The number is the fact's, and no other unit follows it: its own may stand elsewhere."""
    return not is_unit(quantity.tail) and _is_near(fact, quantity.value)


def _is_near(fact: NumberFact, stated: float) -> bool:
    wanted = (fact.value, *fact.alternatives)
    return any(abs(stated - each) <= fact.rel * abs(each) + 1e-12 for each in wanted)


def bytes_of(quantity: Quantity) -> float | None:
    """The size in bytes of a quantity with a unit of memory, None with any other."""
    unit = factor_of(quantity.tail, BYTES)
    return None if unit is None else quantity.value * unit


def _values_in(quantity: Quantity, unit: str) -> Iterator[float]:
    """The quantity's value in ``unit`` under every plausible interpretation."""
    unit, tail = unit.strip().lower(), quantity.tail
    if (base := factor_of(unit, BYTES)) is not None:
        if (size := bytes_of(quantity)) is not None:
            yield size / base
        return
    if unit in ("%", "percent"):
        if tail in ("%", "percent"):
            yield quantity.value
        elif 0 < quantity.value <= 1:
            yield quantity.value * 100
        return
    yield quantity.value
    if tail in SCALES:
        yield quantity.value * SCALES[tail]


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


_DECIDED = (CheckOutcome.PASSED, CheckOutcome.FAILED, CheckOutcome.INCOMPLETE)
"""Outcomes that tell something about the source; the others are inconclusive."""
_UNSHOWN = "You submitted this from the bench, where it did not hold."
_NAME = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?!=)")
_LINE_END = re.compile(r"\r\n|\r|\n")
_COMMENT = re.compile(r"#.*")
_CHAINED = re.compile(r"=(?!=)")


def run_that_counts(turns: Sequence[Turn]) -> Turn | None:
    """The run behind the last answer: the one it submits, else the latest run if that passed."""
    runs = [turn for turn in turns if turn.kind is TurnKind.BENCH and turn.result]
    submitted = turns[-1].run if turns else None
    if submitted is not None:
        return next((turn for turn in runs if turn.number == submitted), None)
    latest = runs[-1] if runs else None
    return latest if latest and latest.result and latest.result.passed else None


def with_runs(
    rubric: Rubric, turns: Sequence[Turn], verdicts: Sequence[Verdict]
) -> tuple[Verdict, ...]:
    """The verdicts on the last answer, combined with what its run proves.

    A criterion whose quantity held is met, even if a later line fails. If the submitted run failed,
    its text earns nothing where the quantity did not hold. An inconclusive run changes nothing.
    """
    run = run_that_counts(turns)
    if run is None or run.result is None or run.result.outcome not in _DECIDED:
        return tuple(verdicts)
    read = {verdict.criterion: verdict for verdict in verdicts}
    joined = (_joined(each, run, run.result, turns, read.get(each.id)) for each in rubric.criteria)
    return tuple(verdict for verdict in joined if verdict is not None)


def flags_of_runs(turns: Sequence[Turn]) -> frozenset[Flag]:
    """NOT_EXECUTED if the last answer rests on a run that could not be executed."""
    run = run_that_counts(turns)
    if run is None or run.result is None or run.result.outcome in _DECIDED:
        return frozenset()
    return frozenset({Flag.NOT_EXECUTED})


def _joined(
    criterion: Criterion,
    run: Turn,
    result: CheckResult,
    turns: Sequence[Turn],
    read: Verdict | None,
) -> Verdict | None:
    if _holds(criterion, result):
        shown = _shown(criterion, result, run, turns)
        return read if read and read.verdict and _goes_before(read, shown, run, turns) else shown
    if criterion.bench is None or result.passed or read is None or not _rests_on(read, run, turns):
        return read
    return _unshown(read, result)


def _holds(criterion: Criterion, result: CheckResult) -> bool:
    """The run proves it: by landmarks, a formula, or where an estimation asks for it a figure."""
    if criterion.id in result.criteria:
        return True
    if criterion.kind == "number" and result.estimation:
        return criterion.bench in result.figures
    return criterion.bench in result.derived


def _shown(criterion: Criterion, result: CheckResult, run: Turn, turns: Sequence[Turn]) -> Verdict:
    span = showing_span(criterion.bench or "", criterion.id, result, run.text)
    source = source_of(criterion.id, run.number, turns)
    text = run.text[slice(*span)]
    return Verdict(
        criterion.id, Rating.MET, evidence=text, turn=run.number, span=span, source=source
    )


def showing_span(name: str, criterion: str, result: CheckResult, source: str) -> Span:
    """Where the source shows the quantity or proves the criterion, or else defines the name."""
    lines = source_lines(source)
    showing = [each.line - 1 for each in result.lines if name in each.shows][:1]
    if criterion in result.criteria and not showing:
        showing = [each.line - 1 for each in result.lines if criterion in each.proves]
    if not showing:
        defining = [n for n, line in enumerate(lines) if name and name_defined(line) == name]
        showing = defining[:1] or [n for n, line in enumerate(lines) if _code(line)][-1:] or [0]
    begins = [0, *(match.end() for match in _LINE_END.finditer(source))]
    last = _end_of(lines, showing[-1])
    start, end = begins[showing[0]], begins[last] + len(lines[last])
    text = source[start:end]
    return start + len(text) - len(text.lstrip()), start + len(text.rstrip())


def _goes_before(read: Verdict, shown: Verdict, run: Turn, turns: Sequence[Turn]) -> bool:
    """It earns more, or as much by words outside the submitted source."""
    if credit(read) == credit(shown):
        return read.turn not in (run.number, turns[-1].number)
    return credit(read) > credit(shown)


def _rests_on(verdict: Verdict, run: Turn, turns: Sequence[Turn]) -> bool:
    """The verdict is not_met, or earned credit from the submitted source."""
    if verdict.verdict is Rating.NOT_MET:
        return True
    return verdict.turn in (run.number, turns[-1].number) and credit(verdict) > 0


def _unshown(read: Verdict, result: CheckResult) -> Verdict:
    had_credit = read.verdict is not Rating.NOT_MET
    return replace(
        _without_evidence(read),
        verdict=Rating.NOT_MET,
        doubt="",
        alternative=None,
        missing=first_fault(result),
        vague=read.vague or had_credit,
        unsupported=_UNSHOWN if had_credit else read.unsupported,
    )


def first_fault(result: CheckResult) -> str:
    """The message on the first bad line, else the summary of the run."""
    bad = result.first_bad_line
    messages = (line.message for line in result.lines if line.line == bad and line.message)
    return next(messages, result.summary)


def fault_of(source: str, result: CheckResult) -> tuple[str, str]:
    """The fault in a sentence that quotes its line, and the name the line defines, or ""."""
    bad, lines = result.first_bad_line, source_lines(source)
    if bad is None or not 1 <= bad <= len(lines):
        return result.summary, ""
    quoted = shortened(lines[bad - 1].strip(), QUOTED_CHARACTERS)
    return f"Line {bad}, “{quoted}”: {first_fault(result)}", name_defined(lines[bad - 1])


def source_lines(source: str) -> list[str]:
    """The lines of a source as the bench counts them."""
    return _LINE_END.split(source)


def name_defined(line: str) -> str:
    """The name that this line of a source defines, or ""."""
    match = _NAME.match(line)
    return match.group(1) if match else ""


def _end_of(lines: Sequence[str], first: int) -> int:
    """The last line of the statement: brackets closed and no chained ``=`` on the next line."""
    last, statement = first, _code(lines[first])
    for place in range(first + 1, len(lines)):
        code = _code(lines[place])
        if code and not (_is_open(statement) or _CHAINED.match(code)):
            break
        if code:
            last, statement = place, statement + code
    return last


def _is_open(code: str) -> bool:
    return sum(map(code.count, "([{")) > sum(map(code.count, ")]}"))


def _code(line: str) -> str:
    return _COMMENT.sub("", line).strip()
