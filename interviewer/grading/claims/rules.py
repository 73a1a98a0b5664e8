"""Reads figures by rules: only what is explicit, a number beside its noun in one clause.

A false reading accuses a right candidate, a missed one costs a question. Patterns are data:
``quantities.yaml`` has the nouns, ``words.yaml`` the rest.
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

from interviewer.grading.claims.quantity import (
    Measure,
    Outcome,
    Quantity,
    Reading,
    device_of,
    device_pattern,
    known_circumstances,
    measures,
    named_devices,
    word_lists,
)
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


@dataclass(frozen=True)
class _Number:
    """A number with its unit: ``tail`` is what follows it, ``lead`` what stands before."""

    value: float
    kind: str
    unit: str
    lead: str
    tail: str
    span: Span
    scale: str
    is_article: bool
    """It may be no figure: "one"."""
    measure: str = ""
    """The quantity that words name for it, "" for none."""
    reach: int = 0
    """How many characters behind it those words take."""
    is_nearby: bool = False
    """Some of those words are not right beside it."""

    @property
    def is_fact(self) -> bool:
        """It was neither denied nor only planned."""
        return not (_NEGATED.search(self.lead) or word_lists()["planned"].search(self.lead))


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
    if word_lists()["asks_of_part"].search(asked):
        found = tuple(each for each in found if each.measure not in OF_THE_WHOLE)
    if home == UNLINKED:
        is_aside = len(found) <= FEW and not any(q.measure == "parameters" for q in found)
        goes_on = not theirs or (found and (is_aside or asks_of_run))
        home = MAIN_RUN if goes_on else f"#{turn}.1"
        found = tuple(replace(q, run=home if q.run == UNLINKED else q.run) for q in found)
    named = {device.name for device, _ in named_devices(text)}
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
    is_one = {each.run for each in known if each.measure == "parameters"} <= {MAIN_RUN}
    return bool(known) and is_one and word_lists()["asks_of_run"].search(asked) is not None


def _circumstances(told: str) -> list[str]:
    """What was said of the run that explains figures, like a warm start."""
    return [
        name
        for name, (_, pattern) in known_circumstances().items()
        if (match := pattern.search(told)) and not _DENIED.search(told[: match.start()])
    ]


def _resolution(text: str) -> Outcome | Literal[""]:
    words = word_lists()
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
    text = answer.plain.text
    names = [match.span() for match in word_lists()["never"].finditer(text)]
    names += [span for _, span in named_devices(text)]
    never = {at for span in names for at in range(*span)}
    articles = (Numeral(1.0, "", at.span(), is_spoken=True) for at in _A_WHILE.finditer(text))
    numerals = [
        each
        for each in sorted((*_with_cents(answer), *articles), key=_at)
        if never.isdisjoint(range(*each.span)) and not answer.takes_back(each.span)
    ]
    said = [
        (sentence, reports_from, here, _told(text, sentence, here))
        for sentence, reports_from in sentences
        if (here := _within(numerals, sentence))
    ]
    nearby: dict[str, set[float]] = defaultdict(set)
    for each in (number for *_, told in said for number in told if number and number.is_nearby):
        nearby[each.measure].add(each.value)
    for sentence, reports_from, here, told in said:
        found, are_read = [], True
        for numeral, number in zip(here, told, strict=True):
            quantity = None
            is_doubtful = number and number.is_nearby and len(nearby[number.measure]) > 1
            if number and not is_doubtful and numeral.span[0] >= reports_from:
                quantity = _quantity(answer, number, sentence, runs)
            if quantity:
                found.append(quantity)
            else:
                unit = _UNIT.match(text, numeral.span[1])
                is_few = numeral.is_spoken and numeral.value <= A_FEW
                are_read = are_read and is_few and not (unit and is_unit(unit["unit"]))
        yield from (found if are_read else (replace(each, unsure=True) for each in found))


def _sentences(
    answer: ParsedAnswer, known_sizes: Collection[float], *, own_work: bool
) -> Iterator[tuple[Span, int]]:
    """Each sentence, and from where on it reports on work of their own: its end for nowhere."""
    words, is_own = word_lists(), own_work
    for start, end in answer.sentences:
        sentence = answer.plain.text[start:end]
        own, other = words["own"].search(sentence), words["other"].search(sentence)
        is_known = any(
            isclose(numeral.value, size, rel_tol=SAME_SIZE)
            for numeral in _within(answer.numerals, (start, end))
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
    answer: ParsedAnswer, number: _Number, sentence: Span, runs: _Runs
) -> Quantity | None:
    text, words = answer.plain.text, word_lists()
    measure, is_nearby = number.measure, number.is_nearby
    is_long = number.kind == "time" and number.value >= LONG and not number.is_article
    is_guess = is_long and not measure
    if is_guess:
        measure, is_nearby = "duration", False  # a meeting's, perhaps
    if not (measure and number.is_fact):
        return None
    as_typed = answer.text[slice(*answer.plain.original_span(*number.span))]
    if _RAISED.search(as_typed) or (
        measure in OF_THE_WHOLE and words["measured"].search(_around(text, number.span, sentence))
    ):
        return None
    if measure == "parameters":
        runs.of_size(number.value)
    at, last = number.span[0], number.span[1] + number.reach
    device = device_of(text[at : last + REACH]) if measure == "gpus" else None
    span = answer.plain.original_span(at, last)
    return Quantity(
        measure,
        number.value,
        number.unit,
        answer.text[slice(*span)],
        runs.turn,
        span,
        run=runs.current,
        replaces=bool(words["corrects_before"].search(text[slice(*sentence)])),
        device=device.name if device else "",
        loose=True,
        unsure=is_guess,
        nearby=is_nearby,
    )


def _around(text: str, span: Span, sentence: Span) -> str:
    start, end = sentence
    return (
        f"{text[max(start, span[0] - NEAR) : span[0]]} {text[span[1] : min(end, span[1] + REACH)]}"
    )


def _within(numerals: Sequence[Numeral], part: Span) -> Sequence[Numeral]:
    first, last = (bisect_left(numerals, end, key=_at) for end in part)
    return numerals[first:last]


def _at(numeral: Numeral) -> int:
    return numeral.span[0]


def _with_cents(answer: ParsedAnswer) -> Sequence[Numeral]:
    """The numerals; "two dollars fifty" is one number."""
    joined: list[Numeral] = []
    for each in answer.numerals:
        last = joined[-1] if joined and each.value < 100 and not each.scale else None
        if last and _CENTS.fullmatch(answer.plain.text, last.span[1], each.span[0]):
            span = last.span[0], each.span[1]
            joined[-1] = Numeral(last.value + each.value / 100, "", span, is_spoken=False)
        else:
            joined.append(each)
    return joined


def _number(text: str, numeral: Numeral, end: int) -> _Number | None:
    """The number with its unit, None where it is glued to other characters or says too little."""
    at, to = numeral.span
    before = text[at - 1 : at]
    is_dash = before == "-" and text[at - 2 : at - 1] == " "
    if before and not is_dash and (before.isalnum() or before in "-_/.@#^"):
        return None
    if _GLUED.match(text, to) or _GLUED.match(text, at - 1):
        return None  # "2,31" and "2.097.152" are no numbers that are read for sure
    lead = text[max(0, at - LEAD) : at]
    tail = _PRAISED.sub(" ", text[to : min(end, to + TAIL)])
    is_money = lead.rstrip().endswith("$") or _CENTS.search(text, at, to) is not None
    kind, factor, unit, width = _unit_of(numeral, tail, is_money=is_money)
    if tail[:1].isalpha() and kind not in ("time", "bytes", "byte_rate", "flop", "flop_rate"):
        return None
    is_one = numeral.is_spoken and not numeral.scale and numeral.factor == 1
    return _Number(
        numeral.value * factor,
        kind,
        unit,
        _ABOUT.sub("", lead),
        tail[width:].lstrip(" -"),
        (at, to + width),
        numeral.scale,
        is_article=is_one and not _after(_ONE_OF).match(tail),
    )


def _unit_of(numeral: Numeral, tail: str, *, is_money: bool) -> tuple[str, float, str, int]:
    """What the number counts, its unit in the base unit, as said, and how long that is."""
    if is_money or _CURRENCY.match(tail):
        price = _PRICE.match(_CURRENCY.sub("", tail))
        return ("price", 1 / HOUR, "$", 0) if price else ("money", 1.0, "$", 0)
    if match := _DEVICE_HOURS.match(tail):
        return "device_time", SECONDS[match["unit"]], "GPU hours", match.end()
    if not (match := _UNIT.match(tail)):
        return "number", 1.0, "", 0
    word, width = match["unit"], match.end()
    if word in ("%", "percent"):
        return "share", 0.01, word, width
    if size := factor_of(word, BYTES):
        is_rate = match["rate"] or _A_SECOND.match(tail, width)
        return "byte_rate" if is_rate else "bytes", size, word, width
    if operations := factor_of(word, FLOPS):
        is_count = numeral.value * operations > MOST_FLOPS and not match["rate"]
        return "flop" if is_count else "flop_rate", operations, word, width
    if (seconds := factor_of(word, SECONDS)) and not 0 < len(numeral.scale) < 3:
        return "time", seconds, word, width
    return "money" if factor_of(word, MONEY) else "number", 1.0, "", 0


def _told(text: str, sentence: Span, here: Sequence[Numeral]) -> list[_Number | None]:
    """The numbers of a sentence, each with the quantity that words beside it or near name."""
    seen = [_number(text, each, sentence[1]) for each in here]
    beside = [each and _beside(each) for each in seen]
    known = list(filter(None, beside))

    def told(number: _Number) -> _Number:
        of_kind = [each for each in known if each.kind == number.kind]
        if not (number.measure or number.is_article):
            number = replace(number, measure=_nearest(number, of_kind, text, sentence))
            number = replace(number, is_nearby=bool(number.measure))
        where = measures()[number.measure].where if number.measure else {}
        for other, words in where.items():
            rivals = [each for each in of_kind if each.measure in (number.measure, other)]
            if _fits(measures()[other], number) and _apart(
                number, _after(words), rivals, text, sentence
            ):
                return replace(number, measure=other, is_nearby=True)
        return number

    return [each and told(each) for each in beside]


def _nearest(number: _Number, of_kind: Sequence[_Number], text: str, sentence: Span) -> str:
    """The quantity whose words stand nearest to the number in its sentence, "" for none."""
    found = []
    for measure in _by_kind()[number.kind]:
        noun = _after(measure.near_noun)
        if measure.near and noun.match(number.tail) and _fits(measure, number):
            rivals = [
                each
                for each in of_kind
                if each.measure == measure.id or (noun.match(each.tail) and _fits(measure, each))
            ]
            apart = _apart(number, _after(measure.near), rivals, text, sentence)
            found += [(distance, measure.id) for distance in apart]
    return min(found)[1] if found else ""


def _apart(
    number: _Number, words: re.Pattern[str], rivals: Iterable[_Number], text: str, sentence: Span
) -> list[tuple[int, int]]:
    """Clauses and characters between the number and words that are nearer to it than to rivals."""

    def apart(word: Span, span: Span) -> tuple[int, int]:
        one, other = sorted((word, span))
        return len(_CLAUSE.findall(text, one[1], other[0])), other[0] - one[1]

    found = []
    for match in words.finditer(text, *sentence):
        own = apart(match.span(), number.span)
        most = AROUND if match.start() < number.span[0] else TAIL
        if own[1] <= most and all(own <= apart(match.span(), each.span) for each in rivals):
            found.append(own)
    return found


def _beside(number: _Number) -> _Number:
    """The number with the quantity that words right beside it name."""
    if number.kind in ("device_time", "price"):
        return replace(number, measure=number.kind)
    if number.is_article and number.kind != "number":
        return number
    strong, after, weak = _patterns()[number.kind]
    told = [
        (match.start(), each.id)
        for each in _by_kind()[number.kind]
        if each.then
        and _after(each.then).match(number.tail)
        and (match := _after(f"(?:{each.before})$").search(number.lead))
    ]
    if told and not number.is_article:
        return replace(number, measure=min(told)[1])
    if (found := strong and strong.search(number.lead)) and (name := _named(found, number)):
        return replace(number, measure=name)
    if number.is_article:
        return number
    if (found := after and after.match(number.tail)) and (name := _named(found, number)):
        return replace(number, measure=name, reach=len(found[0]) + 1)
    if (found := weak and weak.search(number.lead)) and (name := _named(found, number)):
        is_of_anything = name == "parameters" and number.scale != "b"  # "the 1.2 trillion"
        return number if is_of_anything else replace(number, measure=name)
    return number


def _named(found: re.Match[str], number: _Number) -> str:
    """The quantity, or what it is where tokens follow; "" if the number does not fit it."""
    known = measures()[str(found.lastgroup)]
    others = known.instead.items() if found.string == number.lead else ()
    other = next((each for words, each in others if _after(words).match(number.tail)), "")
    return other or (known.id if _fits(known, number) else "")


def _fits(measure: Measure, number: _Number) -> bool:
    if measure.not_before and _after(measure.not_before).match(number.tail):
        return False
    if measure.not_after and _after(measure.not_after).search(number.lead):
        return False
    if measure.scaled is not None:
        fits = number.value >= LARGE if measure.scaled else 0 < number.value < 1e8
    else:
        fits = number.value > measure.least
    return fits and number.value <= measure.most


@cache
def _after(words: str) -> re.Pattern[str]:
    """A pattern of the data, its names in capitals filled in."""
    device = re.sub(r"\(\?P<d\d+>", "(?:", device_pattern().pattern)
    filled = words.replace("ALL", _NOT_EACH).replace("BARE", r"(?:[.,;:!?)]|$)")
    return re.compile(filled.replace("DEVICE", device).replace("IS", _IS))


@cache
def _by_kind() -> Mapping[str, Sequence[Measure]]:
    """The quantities by unit. Numbers and rates look alike until the noun is read."""
    found: dict[str, list[Measure]] = defaultdict(list)
    for each in measures().values():
        found["number" if each.unit == "rate" else each.unit].append(each)
    return found


@cache
def _patterns() -> Mapping[str, tuple[re.Pattern[str] | None, ...]]:
    """For each unit what stands before a number, what follows it, and what tells little."""

    def joined(
        known: Iterable[Measure], field: str, end: str = "", start: str = ""
    ) -> re.Pattern[str] | None:
        parts = [f"(?P<{each.id}>{said})" for each in known if (said := getattr(each, field))]
        one = "(?<!per )(?<!each )(?<!every )" if end else ""  # "per rank" counts no ranks
        return _after(f"{start}{one}(?:{'|'.join(parts)}){end}") if parts else None

    found = {}
    for kind, known in _by_kind().items():
        weak = [each for each in known if each.id in _TOLD_BY_ARTICLE]
        strong = [each for each in known if not (each in weak or each.then)]
        found[kind] = (
            joined(strong, "before", "$", r"\b(?=[\w%])"),
            joined(known, "after"),
            joined(weak, "before", "$"),
        )
    return found


def value_of(typed: str, unit: str) -> float | None:
    """A value typed for a figure, in its base unit (as a bare number is); None of another kind."""
    answer = ParsedAnswer(typed)
    for numeral in answer.numerals:
        number = _number(answer.plain.text, numeral, len(answer.plain.text))
        if number and (unit in (number.kind, "any") or _is_bare(number, unit)):
            return number.value
    return None


def _is_bare(number: _Number, unit: str) -> bool:
    return number.kind == "number" and unit in _COUNTABLE
