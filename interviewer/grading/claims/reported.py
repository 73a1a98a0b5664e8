"""What a model says it read in an answer: kept if the words hold it.

All that is checked is that the quote stands in the answer and that the number stands in the quote.
Whose figure it is, of which run and whether it stands is the model's to say.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from interviewer.grading.claims import catalog, spelling
from interviewer.grading.claims.quantity import Outcome, Quantity, Reading, Whose
from interviewer.grading.numerals import BIT_RATES, BYTES, FLOPS, MONEY, SCALES, SECONDS, factor_of

WHOSE: Mapping[str, Whose] = {each: each for each in get_args(Whose)}
LARGE_RATE = 1e9
"""Operations that are written out need no unit; fewer are of one that was left out."""
_PER_MILLE = re.compile(r"‰|\bper ?mille\b", re.IGNORECASE)
_WORD = re.compile(r"%|\$|€|£|[^\W\d_]++(?!\d)")
_PERCENT = re.compile(r"%|％|\b(?:percent\w*|pct|points?)\b", re.IGNORECASE)
_TOKENS = re.compile(r"(?P<count>[\d,]*) ?(?P<scale>[a-z]*?)[ -]?tok")
_RATE = re.compile(r"/|\bper\b|\ba\b|\ban\b|\beach\b|每")


@dataclass(frozen=True)
class Reported:
    """One figure as a model reports it: ``value`` and ``unit`` as said, nothing converted."""

    quote: str
    measure: str
    value: float
    unit: str = ""
    run: str = ""
    whose: str = "own"
    status: str = "stands"
    device: str = ""
    replaces: bool = False


def verified(
    reported: Sequence[Reported],
    circumstances: Sequence[tuple[str, str]],
    turn: int,
    text: str,
    resolves: Outcome | Literal[""] = "",
    *,
    unusable: int = 0,
) -> Reading:
    """The figures that the text of a turn holds; ``unusable`` entries count as dropped."""
    kept: dict[Quantity, None] = {}
    dropped = unusable
    for each in reported:
        if each.status == "hypothetical":
            continue
        if quantity := _verified(each, turn, text, {q.span[0] for q in kept}):
            kept[quantity] = None
        else:
            dropped += 1
    known = catalog.circumstances()
    return Reading(
        turn,
        tuple(sorted(kept, key=lambda each: each.place)),
        tuple((run, name) for run, name in circumstances if name in known),
        resolves,
        by="model",
        dropped=dropped,
    )


def _verified(reported: Reported, turn: int, text: str, taken: Collection[int]) -> Quantity | None:
    measure = catalog.measures().get(reported.measure)
    if measure is None:
        return None
    for start, end in _places(reported.quote, text, taken):
        base = _value(reported, text[start:end], measure.unit)
        if base is None:
            continue
        device = catalog.device_of(reported.device) if reported.device else None
        return Quantity(
            measure.id,
            base,
            _unit_shown(reported.unit) if measure.unit in ("time", "any") else "",
            text[start:end],
            turn,
            (start, end),
            run=reported.run,
            whose=WHOSE.get(reported.whose, "other"),
            status="withdrawn" if reported.status == "withdrawn" else "stands",
            replaces=reported.replaces,
            device=device.name if device else "",
        )
    return None


def _places(quote: str, text: str, taken: Collection[int]) -> Iterator[tuple[int, int]]:
    """Where the quote stands, spaces, case and quotation marks aside.

    No two figures have one place: of a quote that others have, the rest of the words comes first.
    """
    words = quote.strip().strip("\"'“”").split()
    if not words:
        return
    pattern = r"\s*".join(map(re.escape, words))
    found = [m.span() for m in re.finditer(pattern, text)] or [
        m.span() for m in re.finditer(pattern, text, re.IGNORECASE)
    ]
    for start, end in found:
        starts = (start, *(start + m.end() for m in re.finditer(r"\s+|[x×]", text[start:end])))
        yield from ((at, end) for at in starts if at < end and at not in taken)
    yield from found


def _value(reported: Reported, words: str, unit: str) -> float | None:
    """The value in the base unit, None where the words do not hold it."""
    number = spelling.holds(words, reported.value)
    if unit == "share":
        if number is None:  # 0.45 for "45 %"
            number = spelling.holds(words, reported.value * 100)
        if number is not None and _PER_MILLE.search(reported.unit or words):
            return number / 1000
        is_percent = _PERCENT.search(reported.unit or words) or (number is not None and number > 1)
        return number / 100 if number is not None and is_percent else number
    return None if number is None else _in_base(number, reported.unit.lower(), unit)


def _unit_shown(said: str) -> str:
    """The unit without scale words, which are counted with the number."""
    return " ".join(word for word in said.split() if word.lower() not in SCALES)


def _in_base(number: float, said: str, unit: str) -> float | None:
    """The number in the base unit of its dimension; None if the unit said is of another one."""
    words = _WORD.findall(said)
    match unit:
        case "number":
            return None if any(factor_of(word, BYTES) for word in words) else number
        case "any":
            only = _unit_shown(said)
            return number * (factor_of(only, SECONDS) or factor_of(only, BYTES) or 1.0)
        case "time" | "device_time":
            return number * _factor(words, SECONDS) or None
        case "bytes":
            return number * _factor(words, BYTES) or None
        case "width":
            return number / 8 if {"bit", "bits"} & set(words) else number
        case "byte_rate":
            size = _factor(words, BIT_RATES) or _factor(words, BYTES)
            return number * size / _per(said) or None
        case "rate":
            return number / _per(said)
        case "flop":  # "petaflop/s-days" too
            times = (factor_of(word, SECONDS) or 1.0 for word in words)
            return number * (_factor(words, FLOPS) or 1.0) * max((1.0, *times))
        case "flop_rate":
            return number * (_factor(words, FLOPS) or float(number > LARGE_RATE)) or None
        case "money":
            return number * (_factor(words, MONEY) or 1.0)
        case "price":
            hours = _factor(words, SECONDS) or SECONDS["hour"]
            return number * (_factor(words, MONEY) or 1.0) / hours
        case _:
            return _in_base_of_tokens(number * (_factor(words, MONEY) or 1.0), said)


def _in_base_of_tokens(price: float, said: str) -> float | None:
    """The price of one token, from "dollars per million tokens"."""
    match = _TOKENS.search(said)
    if match is None:
        return None
    count = float(match["count"].replace(",", "") or 1)
    return price / (count or 1.0) / SCALES.get(match["scale"], 1.0)


def _per(said: str) -> float:
    """The seconds of "a day", "/s"; 1 for none."""
    _, *after = _RATE.split(said, maxsplit=1)
    return _factor(_WORD.findall(after[0]), SECONDS) or 1.0 if after else 1.0


def _factor(words: Sequence[str], table: Mapping[str, float]) -> float:
    return next((f for word in words if (f := factor_of(word, table)) is not None), 0.0)
