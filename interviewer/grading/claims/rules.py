"""Reads figures by rules: only what is explicit, a number beside its noun in one clause.

What is doubtful is left out: a false reading accuses a right candidate, a missed one costs a
question. The patterns are data: ``quantities.yaml`` has the nouns, ``words.yaml`` the rest.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import isclose
from typing import Literal

from interviewer.grading.claims import catalog
from interviewer.grading.claims.catalog import Measure
from interviewer.grading.claims.quantity import Outcome, Quantity, Reading
from interviewer.grading.numerals import (
    BYTES,
    FLOPS,
    HOUR,
    MONEY,
    SECONDS,
    Numeral,
    factor_of,
    is_unit,
)
from interviewer.grading.transcript import ParsedAnswer
from interviewer.rubric.text import NEGATOR, Span

MAIN_RUN, UNLINKED = "#1", "#"
"""The run that rules take figures for, where no words say that they are of another; and one that
nothing links to it yet."""
A_FEW = 12
"""Up to here a number word that is not read counts something else ("those two figures")."""
FEW = 2
"""So many figures in an answer to another question may be an aside on the run of before."""
LARGE = 1e6
"""From here on a number is written with a scale, or might be."""
SAME_SIZE, OTHER_SIZE = 0.01, 0.15
"""Parameters that differ by no more are one model's; by a larger share, another's."""
NEAR = 40
"""Characters between a number and the one that takes its place in the same breath."""
LEAD, TAIL, REACH, AROUND = 50, 60, 25, 90
"""Characters before a number and after it, from there to the name of its device, and before it to
words further off that tell what it is of."""
_ABOUT = re.compile(
    r"(?:\b(?:(?:a little|a bit|slightly|just|well) (?:over|under|below|above)|about|around|roughly"
    r"|approximately|some|nearly|almost|just|only|exactly|precisely|up to|close to|somewhere"
    r"|something like|like|maybe|a total of|in total|all|[~≈]) ?|[~≈($])*$"
)
_PRAISED = re.compile(r"^ (?:useful|effective|sustained|real|whole|full|solid|good|long) ")
_IS = (
    r"(?:(?: (?!per|and|with|for|on|but|than|after|before|in|from|lengths?)[a-z-]+){0,4}?"
    r" (?:of|was|is|at|to|were|being|reached|hit|took|takes)|:| =|=)? "
)
"""Between a noun and its number."""
_NOT_EACH = r"\b(?! ?(?:/|(?:each|apiece|per|an?|every)\b))"
_NEGATED = re.compile(rf"{NEGATOR.pattern}(?: \w+)? $")
_SIZED = r"(?:\d+[ -]?(?:gb|gigs?|gigabytes?) )?"
_ONE_OF = rf" (?:single|{_SIZED}DEVICE|week|weekend|month|fortnight|second|minute|hour|epoch)"
OF_THE_WHOLE = frozenset({"duration", "tokens", "steps", "device_time"})
"""What a run has one of: said of a part of it, it is no figure of the run."""
LONG = 3 * HOUR
"""A run takes as long at least, so such a time may be the run's."""
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]")
"""A power, which reading in plain form would lose."""
_A_WHILE = re.compile(r"\ban?(?= (?:week|weekend|month|fortnight)\b| single )")
_CLAUSE = re.compile(r"[,;:()]|\bbut\b")
_GLUED = re.compile(r"[.,]\d")
_DENIED = re.compile(
    r"(?:\b(?:not?|never|nothing|without|neither|nor|against|considered|avoid\w*)\b|n't\b)[^.,;:]{0,30}$"
)
_UNIT = re.compile(r"[ -]?(?P<unit>%|[a-zµ]+)(?P<rate>/s(?:ec(?:ond)?)?\b)?(?!\w)")
_DEVICE_HOURS = re.compile(
    r"[ -]?(?:(?!per|an?\b|each|every)\w+[ -])?(?:gpu|card|device|accelerator|chip|[a-z]+\d+)[ -]"
    r"(?P<unit>hour|day|week|year|h)s?\b"
)
_TOLD_BY_ARTICLE = frozenset(("parameters", "cost"))
_COUNTABLE = frozenset(("number", "rate", "width", "time", "share", "bytes"))
_CURRENCY = re.compile(r"^ ?(?:dollars?|bucks|usd|euros?)\b")
_CENTS = re.compile(r" (?:dollars?|bucks|euros?) (?:and )?")
_PRICE = re.compile(
    r" ?(?:per|an?|each|every|/) ?(?:[\w-]+(?: (?:per|an?|and|each))?)?[ -]?(?:hour|hr|h)\b"
    r"| (?:per|each) (?:gpu|card|device)[ -]?(?:and )?hour"
)
_A_SECOND = re.compile(r" ?(?:per|an?|each|every|/) ?(?:second|sec|s)\b")
MOST_FLOPS = 1e20
"""More operations than that are no speed."""
_SHORT = frozenset(("s", "h", "d", "m", "t", "b", "k", "g", "min"))


@dataclass(frozen=True)
class _Seen:
    """A number with its unit: ``tail`` is what follows it, ``lead`` what stands before."""

    value: float
    kind: str
    unit: str
    lead: str
    tail: str
    span: Span
    scale: str = ""
    is_article: bool = False
    """It may be no figure: "one"."""

    @property
    def is_fact(self) -> bool:
        """It was neither denied nor only planned."""
        return not (_NEGATED.search(self.lead) or catalog.words()["planned"].search(self.lead))


def read(
    answer: ParsedAnswer,
    turn: int,
    *,
    own_work: bool,
    to_objection: bool = False,
    known: Sequence[Quantity] = (),
    since: int = 0,
    asked: str = "",
) -> Reading:
    """The figures of the candidate's own runs in an answer.

    ``own_work``: the question was on their own work. ``to_objection``: the answer replies to an
    objection to figures. ``known`` are the figures of before, those from the turn ``since`` on of
    the same question, and ``asked`` the words that it replies to.
    """
    text = answer.plain.text
    theirs = [each for each in known if each.counts]
    asked = asked.lower()
    in_question = ParsedAnswer(asked).numerals
    home = _home((*in_question, *answer.numerals), theirs, since)
    sizes = {q.value: q.run for q in theirs if q.measure == "parameters"}
    asks_of_run = _asks_of_run(theirs, asked)
    is_own = own_work or to_objection or asks_of_run or _home(in_question, theirs, 0) != UNLINKED
    told = tuple(_sentences(answer, sizes, own_work=is_own))
    found = tuple(_quantities(answer, _Runs(turn, home, sizes), told))
    if catalog.words()["asks_of_part"].search(asked):
        found = tuple(each for each in found if each.measure not in OF_THE_WHOLE)
    if home == UNLINKED:
        is_aside = len(found) <= FEW and not any(q.measure == "parameters" for q in found)
        goes_on = not theirs or (found and (is_aside or asks_of_run))
        home = MAIN_RUN if goes_on else f"#{turn}.1"
        found = tuple(replace(q, run=home if q.run == UNLINKED else q.run) for q in found)
    named = {device.name for device, _ in catalog.named_devices(text)}
    if len(named) == 1:
        found = tuple(replace(each, device=each.device or next(iter(named))) for each in found)
    if to_objection:  # what the sum was of is replaced; other figures of the reply explain it
        summed = {
            each.measure for each in read(ParsedAnswer(asked), turn, own_work=True).quantities
        }
        found = tuple(replace(q, replaces=not summed or q.measure in summed) for q in found)
    runs = dict.fromkeys((home, *(each.run for each in found)))
    of_own_work = " ".join(text[a:b] for (a, b), reports_from in told if reports_from < b)
    circumstances = _circumstances(of_own_work)
    return Reading(
        turn,
        found,
        tuple((run, name) for run in runs for name in circumstances),
        _resolution(text) if to_objection else "",
    )


def _asks_of_run(known: Sequence[Quantity], asked: str) -> bool:
    """The question is on a run, and at most one run has been described."""
    is_one = {each.run for each in known if each.measure == "parameters"} <= {MAIN_RUN}
    return bool(known) and is_one and catalog.words()["asks_of_run"].search(asked) is not None


def _circumstances(told: str) -> list[str]:
    """What was said of the run that explains figures, like a warm start."""
    return [
        name
        for name, (_, pattern) in catalog.circumstances().items()
        if (match := pattern.search(told)) and not _DENIED.search(told[: match.start()])
    ]


def _resolution(text: str) -> Outcome | Literal[""]:
    words = catalog.words()
    if words["gives_up"].search(text):
        return "given_up"
    explains = words["explains"].search(text) and not words["doubts"].search(text)
    return "explained" if explains else ""


def _home(numerals: Iterable[Numeral], known: Sequence[Quantity], since: int) -> str:
    """The run that the answer goes on about: that of a size that is named, or of its question."""
    for numeral in numerals:
        for each in known:
            if each.measure == "parameters" and isclose(
                numeral.value, each.value, rel_tol=SAME_SIZE
            ):
                return each.run
    here = [each.run for each in known if each.turn >= since > 0 and each.loose]
    return here[-1] if here else UNLINKED


@dataclass
class _Runs:
    """Which run the next figure is of, while a turn is read; ``known`` are runs by their size."""

    turn: int
    current: str
    known: Mapping[float, str]
    count: int = 1
    sizes: dict[str, float] = field(default_factory=dict)

    def of_size(self, parameters: float) -> None:
        """A model of this size is told of: one of before, or another."""
        told = (*((run, size) for size, run in self.known.items()), *self.sizes.items())
        for run, size in told:
            if isclose(parameters, size, rel_tol=OTHER_SIZE):
                self.current = run
                break
        else:
            if self.current in self.sizes:
                self.count += 1
                self.current = f"#{self.turn}.{self.count}"
        self.sizes[self.current] = parameters


def _quantities(
    answer: ParsedAnswer, runs: _Runs, sentences: Iterable[tuple[Span, int]]
) -> Iterator[Quantity]:
    text, words = answer.plain.text, catalog.words()
    names = [match.span() for match in words["never"].finditer(text)]
    names += [span for _, span in catalog.named_devices(text)]
    never = {at for span in names for at in range(*span)}
    numerals = sorted((*_with_cents(answer), *_articles(text)), key=_at)
    said = []
    for (start, end), reports_from in sentences:
        here = [
            each
            for each in _within(numerals, start, end)
            if never.isdisjoint(range(*each.span)) and not answer.takes_back(each.span)
        ]
        if here:
            seen = {each: _seen(text, each, end) for each in here}
            told = _told((start, text[start:end]), [each for each in seen.values() if each])
            said.append(((start, end), reports_from, seen, told))
    doubtful = _doubtful({number: what for *_, told in said for number, what in told.items()})
    for sentence, reports_from, seen, told in said:
        found, are_read = [], True
        for numeral, number in seen.items():
            quantity = None
            if number and number not in doubtful and numeral.span[0] >= reports_from:
                what = told[number]
                quantity = _quantity(answer, number, what, sentence, runs)
            if quantity:
                found.append(quantity)
            else:
                unit = _UNIT.match(text, numeral.span[1])
                is_few = numeral.is_spoken and numeral.value <= A_FEW
                are_read = are_read and is_few and not (unit and is_unit(unit["unit"]))
        yield from (found if are_read else (replace(each, unsure=True) for each in found))


def _doubtful(told: Mapping[_Seen, tuple[str, int, bool]]) -> set[_Seen]:
    """The numbers whose quantity words further off tell, where it comes out with other values."""
    values: dict[str, set[float]] = defaultdict(set)
    for seen, (measure, _, is_nearby) in told.items():
        if measure and is_nearby:
            values[measure].add(seen.value)
    return {each for each, (measure, _, near) in told.items() if near and len(values[measure]) > 1}


def _sentences(
    answer: ParsedAnswer, known_sizes: Collection[float], *, own_work: bool
) -> Iterator[tuple[Span, int]]:
    """Each sentence, and from where on it reports on work of their own: its end for nowhere.

    Where it tells of another's work first, that is from its first word of the candidate's own.
    """
    words, is_own = catalog.words(), own_work
    for start, end in answer.sentences:
        sentence = answer.plain.text[start:end]
        own, other = words["own"].search(sentence), words["other"].search(sentence)
        is_known = any(
            isclose(numeral.value, size, rel_tol=SAME_SIZE)
            for numeral in _within(answer.numerals, start, end)
            for size in known_sizes
        )
        is_own = is_own or is_known or own is not None
        is_anothers = (
            own is None and not is_known and (other or words["in_general"].search(sentence))
        )
        if not is_own or is_anothers or words["not_a_report"].search(sentence):
            yield (start, end), end
        elif own and other and other.start() < own.start():
            yield (start, end), start + own.start()
        else:
            yield (start, end), start


def _quantity(
    answer: ParsedAnswer,
    seen: _Seen,
    told: tuple[str, int, bool],
    sentence: Span,
    runs: _Runs,
) -> Quantity | None:
    text, words = answer.plain.text, catalog.words()
    said = text[slice(*sentence)]
    (measure, reach, is_nearby), is_sure = told, True
    if seen.kind == "time" and seen.value >= LONG and not (measure or seen.is_article):
        measure, is_nearby, is_sure = "duration", False, False  # a meeting's, perhaps
    if not (measure and seen.is_fact):
        return None
    as_typed = answer.text[slice(*answer.plain.original_span(*seen.span))]
    if _RAISED.search(as_typed) or (
        measure in OF_THE_WHOLE and words["measured"].search(_around(text, seen.span, sentence))
    ):
        return None
    if measure == "parameters":
        runs.of_size(seen.value)
    at, last = seen.span[0], seen.span[1] + reach
    device = catalog.device_of(text[at : last + REACH]) if measure == "gpus" else None
    span = answer.plain.original_span(at, last)
    return Quantity(
        measure,
        seen.value,
        seen.unit,
        answer.text[slice(*span)],
        runs.turn,
        span,
        run=runs.current,
        replaces=bool(words["corrects_before"].search(said)),
        device=device.name if device else "",
        loose=True,
        unsure=not is_sure,
        nearby=is_nearby,
    )


def _around(text: str, span: Span, sentence: Span) -> str:
    start, end = sentence
    return (
        f"{text[max(start, span[0] - NEAR) : span[0]]} {text[span[1] : min(end, span[1] + REACH)]}"
    )


def _within(numerals: Sequence[Numeral], start: int, end: int) -> Sequence[Numeral]:
    """The numerals that begin between two places; they are in order."""
    return numerals[bisect_left(numerals, start, key=_at) : bisect_left(numerals, end, key=_at)]


def _at(numeral: Numeral) -> int:
    return numeral.span[0]


def _articles(text: str) -> Iterator[Numeral]:
    """ "A week" is a number, too."""
    for match in _A_WHILE.finditer(text):
        yield Numeral(1.0, "", match.span(), is_spoken=True)


def _with_cents(answer: ParsedAnswer) -> Iterator[Numeral]:
    """The numerals; "two dollars fifty" is one number."""
    text, last = answer.plain.text, None
    for each in answer.numerals:
        between = _CENTS.fullmatch(text, last.span[1], each.span[0]) if last else None
        if last and between and each.value < 100 and not each.scale:
            last = Numeral(last.value + each.value / 100, "", (last.span[0], each.span[1]), False)
            continue
        if last:
            yield last
        last = each
    if last:
        yield last


def _seen(text: str, numeral: Numeral, end: int) -> _Seen | None:
    """The number with its unit, None where it is glued to other characters or says too little."""
    at, to = numeral.span
    before = text[at - 1 : at]
    is_dash = before == "-" and text[at - 2 : at - 1] == " "
    if before and not is_dash and (before.isalnum() or before in "-_/.@#^"):
        return None
    if _GLUED.match(text, to) or _GLUED.match(text, at - 1):
        return None  # "2,31" and "2.097.152" are no numbers that are read for sure
    lead = text[max(0, at - LEAD) : at]
    is_money = lead.rstrip().endswith("$") or _CENTS.search(text, at, to)
    lead = _ABOUT.sub("", lead)
    tail = _PRAISED.sub(" ", text[to : min(end, to + TAIL)])
    if tail[:1].isalpha():
        return _with_unit(numeral, lead, tail) if _is_glued_unit(tail) else None
    if is_money or _CURRENCY.match(tail):
        price = _PRICE.match(_CURRENCY.sub("", tail))
        kind, value = ("price", numeral.value / HOUR) if price else ("money", numeral.value)
        return _Seen(value, kind, "$", lead, tail, (at, to))
    return _with_unit(numeral, lead, tail)


def _is_glued_unit(tail: str) -> bool:
    match = _UNIT.match(tail)
    word = match["unit"] if match else ""
    return any(factor_of(word, table) is not None for table in (SECONDS, BYTES, FLOPS))


def _with_unit(numeral: Numeral, lead: str, tail: str) -> _Seen:
    at, to = numeral.span
    if hours := _DEVICE_HOURS.match(tail):
        value = numeral.value * SECONDS[hours["unit"]]
        return _Seen(
            value, "device_time", "GPU hours", lead, tail[hours.end() :], (at, to + hours.end())
        )
    kind, factor, width, unit = "number", 1.0, 0, ""
    if match := _UNIT.match(tail):
        word = match["unit"]
        if word in ("%", "percent"):
            kind, factor = "share", 0.01
        elif (size := factor_of(word, BYTES)) is not None and word not in _SHORT:
            rate = match["rate"] or _A_SECOND.match(tail, match.end())
            kind, factor = "byte_rate" if rate else "bytes", size
        elif (operations := factor_of(word, FLOPS)) is not None:
            is_count = numeral.value * operations > MOST_FLOPS and not match["rate"]
            kind, factor = "flop" if is_count else "flop_rate", operations
        elif (seconds := factor_of(word, SECONDS)) is not None and not 0 < len(numeral.scale) < 3:
            kind, factor = "time", seconds
        elif factor_of(word, MONEY) is not None:
            kind = "money"
        if kind != "number":
            width, unit = match.end(), word
    is_one = numeral.is_spoken and not numeral.scale and numeral.factor == 1
    rest = tail[width:].lstrip(" -")
    value, span = numeral.value * factor, (at, to + width)
    is_article = is_one and not _after(_ONE_OF).match(tail)
    return _Seen(value, kind, unit, lead, rest, span, numeral.scale, is_article)


def _told(sentence: tuple[int, str], seen: Sequence[_Seen]) -> dict[_Seen, tuple[str, int, bool]]:
    """The quantity that words name for each number of a sentence, "" for none; how far they reach,
    and whether some are not right beside it.

    A word further off tells of one number only, the nearest that it can be of.
    """
    beside = {each: _beside(each) for each in seen}
    told, table = {}, catalog.measures()
    for each, (measure, reach) in beside.items():
        of_kind = {s: beside[s][0] for s in seen if s.kind == each.kind}
        is_nearby = not (measure or each.is_article)
        if is_nearby:
            measure = _nearest(each, of_kind, sentence)
        for other, words in table[measure].where.items() if measure else ():
            rivals = [s for s, said in of_kind.items() if said in (measure, other)]
            if _fits(table[other], each) and _apart(each, _after(words), rivals, sentence):
                measure, is_nearby = other, True
                break
        told[each] = measure, reach, is_nearby
    return told


def _nearest(seen: _Seen, of_kind: Mapping[_Seen, str], sentence: tuple[int, str]) -> str:
    """Of the quantities that such a number can be, that whose words stand nearest to it in its
    sentence, "" for none."""
    found = []
    for measure in _by_kind()[seen.kind]:
        noun = _after(measure.near_noun)
        if measure.near and noun.match(seen.tail) and _fits(measure, seen):
            rivals = [
                each
                for each, said in of_kind.items()
                if said == measure.id or (noun.match(each.tail) and _fits(measure, each))
            ]
            words = _after(measure.near)
            found += [(apart, measure.id) for apart in _apart(seen, words, rivals, sentence)]
    return min(found)[1] if found else ""


def _apart(
    seen: _Seen, words: re.Pattern[str], rivals: Iterable[_Seen], sentence: tuple[int, str]
) -> list[tuple[int, int]]:
    """How far from the number those of the words stand that are nearer to it than to its rivals:
    clauses, and characters."""
    start, text = sentence

    def apart(word: Span, span: Span) -> tuple[int, int]:
        one, other = sorted((word, (span[0] - start, span[1] - start)))
        return len(_CLAUSE.findall(text, one[1], other[0])), other[0] - one[1]

    found = []
    for match in words.finditer(text):
        own = apart(match.span(), seen.span)
        most = AROUND if match.start() < seen.span[0] - start else TAIL
        if own[1] <= most and all(own <= apart(match.span(), each.span) for each in rivals):
            found.append(own)
    return found


def _beside(seen: _Seen) -> tuple[str, int]:
    if seen.kind in ("device_time", "price"):
        return seen.kind, 0
    if seen.is_article and seen.kind != "number":
        return "", 0
    strong, after, weak = _patterns()[seen.kind]
    told = [
        (match.start(), each.id)
        for each in _by_kind()[seen.kind]
        if each.then
        and _after(each.then).match(seen.tail)
        and (match := _after(f"(?:{each.before})$").search(seen.lead))
    ]
    if told and not seen.is_article:
        return min(told)[1], 0
    for pattern, words, reaches in (
        (strong, seen.lead, 0),
        *(() if seen.is_article else ((after, seen.tail, 1), (weak, seen.lead, 0))),
    ):
        found = None if pattern is None else (pattern.match if reaches else pattern.search)(words)
        if found is None or not found.lastgroup:
            continue
        if pattern is weak and found.lastgroup == "parameters" and seen.scale != "b":
            continue  # "the 1.2 trillion" may be of anything
        if measure := _told_by(found.lastgroup, seen, reaches=bool(reaches)):
            return measure, (len(found[0]) + 1) * reaches
    return "", 0


def _told_by(measure: str, seen: _Seen, *, reaches: bool) -> str:
    """The quantity, or what it is where tokens follow; "" if the number does not fit it."""
    known = catalog.measures()[measure]
    for words, other in known.instead.items():
        if not reaches and _after(words).match(seen.tail):
            return other
    return measure if _fits(known, seen) else ""


def _fits(measure: Measure, seen: _Seen) -> bool:
    if measure.not_before and _after(measure.not_before).match(seen.tail):
        return False
    if measure.not_after and _after(measure.not_after).search(seen.lead):
        return False
    if measure.scaled is not None:
        fits = seen.value >= LARGE if measure.scaled else 0 < seen.value < 1e8
    else:
        fits = seen.value > measure.least
    return fits and seen.value <= measure.most


@cache
def _after(words: str) -> re.Pattern[str]:
    """A pattern of the data, its names in capitals filled in."""
    device = re.sub(r"\(\?P<d\d+>", "(?:", catalog.device_pattern().pattern)
    filled = words.replace("ALL", _NOT_EACH).replace("BARE", r"(?:[.,;:!?)]|$)")
    return re.compile(filled.replace("DEVICE", device).replace("IS", _IS))


@cache
def _by_kind() -> Mapping[str, Sequence[Measure]]:
    """The quantities by unit. Numbers and rates look alike until the noun is read."""
    found: dict[str, list[Measure]] = defaultdict(list)
    for each in catalog.measures().values():
        found["number" if each.unit == "rate" else each.unit].append(each)
    return found


@cache
def _patterns() -> Mapping[str, tuple[re.Pattern[str] | None, ...]]:
    """For each unit three patterns, a group a quantity: what stands before a number, what follows
    it, and what stands before it but tells little."""

    def joined(
        measures: Iterable[Measure], field: str, end: str = "", start: str = ""
    ) -> re.Pattern[str] | None:
        parts = [f"(?P<{each.id}>{said})" for each in measures if (said := getattr(each, field))]
        one = "(?<!per )(?<!each )(?<!every )" if end else ""  # "per rank" counts no ranks
        return _after(f"{start}{one}(?:{'|'.join(parts)}){end}") if parts else None

    found = {}
    for kind, measures in _by_kind().items():
        weak = [each for each in measures if each.id in _TOLD_BY_ARTICLE]
        strong = [each for each in measures if not (each in weak or each.then)]
        found[kind] = (
            joined(strong, "before", "$", r"\b(?=[\w%])"),
            joined(measures, "after"),
            joined(weak, "before", "$"),
        )
    return found


def value_of(typed: str, unit: str) -> float | None:
    """A value typed for a figure of this unit, in its base unit; None if it is of another kind.

    A number alone is in the base unit.
    """
    answer = ParsedAnswer(typed)
    for numeral in answer.numerals:
        seen = _seen(answer.plain.text, numeral, len(answer.plain.text))
        if seen is None:
            continue
        if unit in (seen.kind, "any") or (seen.kind == "number" and unit in _COUNTABLE):
            return seen.value
    return None
