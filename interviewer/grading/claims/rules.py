"""Reads figures by rules: only what is explicit, a number beside its noun in one clause.

What is doubtful is left out: a false reading accuses a right candidate, a missed one costs a
question. The patterns are data: ``quantities.yaml`` has the nouns, ``words.yaml`` the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from interviewer.grading.claims import catalog
from interviewer.grading.claims.quantity import Outcome, Quantity, Reading
from interviewer.grading.numerals import Numeral
from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.grading.units import BYTES, FLOPS, HOUR, MONEY, SECONDS, factor_of
from interviewer.rubric.text import Span

MAIN_RUN = "#1"
"""The run that rules take figures for, where no words say that they are of another."""
LARGE = 1e6
"""From here on a number is written with a scale, or might be."""
SMALL_WORD = 12
"""Up to here a number word alone is often no figure ("one of them")."""
OTHER_SIZE = 0.15
"""Parameters that differ by a larger share are another model's."""
NEAR = 40
"""Characters between a number and the one that takes its place in the same breath."""
LEAD, TAIL = 60, 60
_ABOUT = re.compile(
    r"(?:\b(?:(?:a little|a bit|slightly|just|well) (?:over|under|below|above)|about|around|roughly"
    r"|approximately|some|nearly|almost|just|only|exactly|precisely|up to|close to|somewhere"
    r"|something like|like|maybe|a total of|in total|all|[~≈]) ?|[~≈($])*$"
)
_NEGATED = re.compile(r"\b(?:not|never|no|without|nor)(?: \w+)? $")
_COUNTED = re.compile(
    r"\b(?:micro-?batch(?:es)?(?: size)?|parallel(?:ism)?|accumulation)(?: of| was| is)? $"
)
_LIST = re.compile(r"\d\w*, \d[\w.]*(?:,| and| or|, and) \d")
_LISTED = re.compile(r"\d\w*(?:,| and|, and| or|, or) $")
_PART = re.compile(r"\b(?:every|each|within|first|last|next|another|per|of the) $")
_DENIED = re.compile(
    r"(?:\b(?:not?|never|nothing|without|neither|nor|against|considered|avoid\w*)\b|n't\b)[^.,;:]{0,30}$"
)
_UNIT = re.compile(r"[ -]?(?P<unit>%|[a-zµ]+)(?P<rate>/s(?:ec(?:ond)?)?\b)?(?!\w)")
_DEVICE_HOURS = re.compile(
    r"[ -]?(?:\w+[ -])?(?:gpu|card|device|accelerator|chip|[a-z]+\d+)[ -]"
    r"(?P<unit>hour|day|week|year|h)s?\b"
)
_TOLD_BY_ARTICLE = frozenset(("parameters", "cost"))
_COUNTABLE = frozenset(("number", "rate", "width", "time", "share", "bytes"))
_KINDS = ("number", "share", "bytes", "flop", "flop_rate", "time", "money")
_CURRENCY = re.compile(r"^ ?(?:dollars|bucks|usd|euros?)\b")
_PRICE = re.compile(r" ?(?:per|an?|/) ?(?:\w+(?: (?:per|an?))?)?[ -]?(?:hour|hr|h)\b")
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
    is_spelt: bool = False
    """Its scale is a word, as in "7 billion"."""


def read(answer: ParsedAnswer, turn: int, *, own_work: bool, to_objection: bool = False) -> Reading:
    """The figures of the candidate's own runs in an answer.

    ``own_work``: the question was on their own work. ``to_objection``: the answer replies to an
    objection to figures.
    """
    text, words = answer.plain.text, catalog.words()
    found = tuple(_quantities(answer, turn, own_work=own_work or to_objection))
    named = {
        device.name
        for m in catalog.device_pattern().finditer(text)
        if (device := catalog.device_of(m[0]))
    }
    if len(named) == 1:
        found = tuple(replace(each, device=each.device or next(iter(named))) for each in found)
    if to_objection:
        found = tuple(replace(each, replaces=True) for each in found)
    names = [
        name
        for name, (_, pattern) in catalog.circumstances().items()
        if (match := pattern.search(text)) and not _DENIED.search(text[: match.start()])
    ]
    runs = dict.fromkeys((MAIN_RUN, *(each.run for each in found)))
    resolves: Outcome | str = ""
    if to_objection and words.gives_up.search(text):
        resolves = "given_up"
    elif to_objection and words.explains.search(text) and not words.doubts.search(text):
        resolves = "explained"
    stated = tuple((run, name) for run in runs for name in names)
    is_several = bool(words.another_run.search(text) or _LIST.search(text)) or len(runs) > 1
    return Reading(turn, found, stated, resolves, several=is_several)  # type: ignore[arg-type]


def _quantities(answer: ParsedAnswer, turn: int, *, own_work: bool) -> Iterator[Quantity]:
    text, words = answer.plain.text, catalog.words()
    never = [match.span() for match in words.never.finditer(text)]
    gone = set(_replaced(answer))
    is_own, run, runs, sizes = own_work, MAIN_RUN, 1, dict[str, float]()
    for start, end in answer.sentences:
        sentence = text[start:end]
        says_own = bool(words.own.search(sentence))
        is_own = is_own or says_own
        is_report = not words.not_a_report.search(sentence) and (
            says_own or not (words.other.search(sentence) or words.in_general.search(sentence))
        )
        switches = [start + match.start() for match in words.another_run.finditer(sentence)]
        for numeral in answer.numerals:
            at, to = numeral.span
            if not start <= at < end:
                continue
            while switches and switches[0] < at:
                switches.pop(0)
                runs += 1
                run = f"#{turn}.{runs}"
            if any(a < to and at < b for a, b in never) or numeral in gone:
                continue
            if not (is_own and is_report) or answer.takes_back((at, to)):
                continue
            seen = _seen(text, numeral, end)
            measure, reach = _measure_of(seen) if seen else ("", 0)
            if seen is None or not measure:
                continue
            if measure in ("duration", "tokens") and words.measured.search(sentence):
                continue
            if measure == "parameters":
                run = next((r for r, s in sizes.items() if _same_size(s, seen.value)), run)
                if not _same_size(sizes.get(run, seen.value), seen.value):
                    runs += 1
                    run = f"#{turn}.{runs}"
                sizes[run] = seen.value
            last = max(to, seen.span[1] + reach)
            device = (
                catalog.device_pattern().search(text, at, last + 25) if measure == "gpus" else None
            )
            span = answer.plain.original_span(at, last)
            yield Quantity(
                measure,
                seen.value,
                seen.unit,
                answer.text[slice(*span)],
                turn,
                span,
                run=run,
                replaces=bool(words.corrects_before.search(sentence)),
                device=(found.name if device and (found := catalog.device_of(device[0])) else ""),
                loose=True,
            )


def _same_size(one: float, other: float) -> bool:
    return abs(one - other) <= OTHER_SIZE * one


def _replaced(answer: ParsedAnswer) -> Iterator[Numeral]:
    """Numbers that the candidate corrects in the same breath."""
    text, corrects = answer.plain.text, catalog.words().corrects
    for one, other in zip(answer.numerals, answer.numerals[1:], strict=False):
        between = text[one.span[1] : other.span[0]]
        if len(between) <= NEAR and corrects.search(between):
            yield one


def _seen(text: str, numeral: Numeral, end: int) -> _Seen | None:
    """The number with its unit, None where it is glued to other characters or says too little."""
    at, to = numeral.span
    before = text[at - 1 : at]
    is_dash = before == "-" and text[at - 2 : at - 1] == " "
    if before and not is_dash and (before.isalnum() or before in "-_/.@#^"):
        return None
    lead = text[max(0, at - LEAD) : at]
    is_money = lead.rstrip().endswith("$")
    lead = _ABOUT.sub("", lead)
    if any(p.search(lead) for p in (_NEGATED, _PART, _LISTED, catalog.words().planned)):
        return None
    tail = text[to : min(end, to + TAIL)]
    if tail[:1].isalpha():
        return (
            _with_unit(numeral, lead, tail, to)
            if _UNIT.match(tail) and _is_glued_unit(tail)
            else None
        )
    if is_money or _CURRENCY.match(tail):
        price = _PRICE.match(_CURRENCY.sub("", tail))
        value = numeral.value / HOUR if price else numeral.value
        return _Seen(value, "price" if price else "money", "$", lead, tail, (at, to))
    return _with_unit(numeral, lead, tail, to)


def _is_glued_unit(tail: str) -> bool:
    match = _UNIT.match(tail)
    word = match["unit"] if match else ""
    return any(factor_of(word, table) is not None for table in (SECONDS, BYTES, FLOPS))


def _with_unit(numeral: Numeral, lead: str, tail: str, to: int) -> _Seen | None:
    at = numeral.span[0]
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
            kind, factor = "bytes", size
        elif (operations := factor_of(word, FLOPS)) is not None:
            kind, factor = (
                "flop_rate" if match["rate"] or word.endswith("s") else "flop",
                operations,
            )
        elif (seconds := factor_of(word, SECONDS)) is not None and not numeral.scale:
            kind, factor = "time", seconds
        elif factor_of(word, MONEY) is not None:
            kind = "money"
        if kind != "number":
            width, unit = match.end(), word
    is_one = numeral.is_spoken and not numeral.scale and numeral.factor == 1
    if is_one and not (tail.startswith(" single") or _COUNTED.search(lead)):
        return None  # an article more often than a figure
    rest = tail[width:].lstrip(" -")
    is_spelt = len(numeral.scale) > 1
    return _Seen(numeral.value * factor, kind, unit, lead, rest, (at, to + width), is_spelt)


def _measure_of(seen: _Seen) -> tuple[str, int]:
    """The quantity that the words around the number name, "" for none, and how far they reach."""
    if seen.kind in ("device_time", "price"):
        return seen.kind, 0
    strong, after, weak = _patterns()[seen.kind]
    for pattern, words, reaches in (
        (strong, seen.lead, 0),
        (after, seen.tail, 1),
        (weak, seen.lead, 0),
    ):
        found = None if pattern is None else (pattern.match if reaches else pattern.search)(words)
        measure = found.lastgroup if found else None
        if found and measure and (measure := _told_by(measure, seen, reaches=bool(reaches))):
            return measure, (len(found[0]) + 1) * reaches
    return "", 0


def _told_by(measure: str, seen: _Seen, *, reaches: bool) -> str:
    """The quantity, or what it is where tokens follow; "" if the number does not fit it."""
    known = catalog.measures()[measure]
    if measure == "parameters" and seen.is_spelt and not reaches:
        return ""  # "the forty billion" are tokens as often
    for words, other in known.instead.items():
        if not reaches and _after(words).match(seen.tail):
            return other
    if known.then and not reaches and not _after(known.then).match(seen.tail):
        return ""
    return measure if _fits(known, seen) else ""


def _fits(measure: catalog.Measure, seen: _Seen) -> bool:
    if measure.id == "learning_rate":
        return seen.value < 1
    if measure.scaled is not None:
        return seen.value >= LARGE if measure.scaled else 0 < seen.value < 1e8
    return seen.value > measure.least


@cache
def _after(words: str) -> re.Pattern[str]:
    """A pattern of the data, with any device's name for DEVICE."""
    device = re.sub(r"\(\?P<d\d+>", "(?:", catalog.device_pattern().pattern)
    return re.compile(words.replace("DEVICE", device))


@cache
def _patterns() -> Mapping[str, tuple[re.Pattern[str] | None, ...]]:
    """For each unit three patterns, a group a quantity: what stands before a number, what follows
    it, and what stands before it but tells little.

    Numbers and rates look alike until the noun is read.
    """
    table = catalog.measures()
    kinds: dict[str, list[str]] = {kind: [] for kind in _KINDS}
    for id_, measure in table.items():
        kinds.setdefault("number" if measure.unit == "rate" else measure.unit, []).append(id_)

    def joined(ids: Iterable[str], field: str, end: str = "") -> re.Pattern[str] | None:
        parts = [f"(?P<{id_}>{words})" for id_ in ids if (words := getattr(table[id_], field))]
        return _after(f"(?:{'|'.join(parts)}){end}") if parts else None

    return {
        kind: (
            joined((id_ for id_ in ids if id_ not in _TOLD_BY_ARTICLE), "before", "$"),
            joined(ids, "after"),
            joined((id_ for id_ in ids if id_ in _TOLD_BY_ARTICLE), "before", "$"),
        )
        for kind, ids in kinds.items()
    }


def value_of(typed: str, unit: str) -> float | None:
    """A value typed for a figure of this unit, in its base unit; None if it is of another kind.

    A number alone is in the base unit.
    """
    answer = ParsedAnswer(typed)
    for numeral in answer.numerals:
        seen = _seen(answer.plain.text, numeral, len(answer.plain.text))
        if seen is None:
            continue
        if seen.kind == unit or (seen.kind == "number" and unit in _COUNTABLE):
            return seen.value
        if unit == "any":
            return seen.value
    return None
