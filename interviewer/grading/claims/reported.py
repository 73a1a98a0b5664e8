"""What a model says it read in an answer: kept if the words hold it.

All that is checked is that the quote stands in the answer and that the number stands in the quote.
Whose figure it is, of which run and whether it stands is the model's to say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from interviewer.grading.claims import catalog, spelling
from interviewer.grading.claims.quantity import Outcome, Quantity, Reading, Whose
from interviewer.grading.units import BIT_RATES, BYTES, FLOPS, MONEY, SCALES, SECONDS, factor_of

WHOSE: Mapping[str, Whose] = {
    "own": "own",
    "team": "team",
    "other": "other",
    "exercise": "exercise",
}
LARGE_RATE = 1e9
"""Operations that are written out need no unit; fewer are of one that was left out."""
_WORD = re.compile(r"[%‰]|\$|€|£|[^\W\d_]+")
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
        if quantity := _verified(each, turn, text):
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


def _verified(reported: Reported, turn: int, text: str) -> Quantity | None:
    measure = catalog.measures().get(reported.measure)
    span = _place(reported.quote, text)
    if measure is None or span is None:
        return None
    number = spelling.holds(text[slice(*span)], reported.value)
    base = None if number is None else _in_base(number, reported.unit, measure.unit)
    if base is None:
        return None
    device = catalog.device_of(reported.device) if reported.device else None
    return Quantity(
        measure.id,
        base,
        reported.unit if measure.unit in ("time", "any") else "",
        text[slice(*span)],
        turn,
        span,
        run=reported.run,
        whose=WHOSE.get(reported.whose, "other"),
        status="withdrawn" if reported.status == "withdrawn" else "stands",
        replaces=reported.replaces,
        device=device.name if device else "",
    )


def _place(quote: str, text: str) -> tuple[int, int] | None:
    """Where the quote stands, spaces, case and quotation marks aside."""
    words = quote.strip().strip("\"'“”").split()
    if not words:
        return None
    match = re.search(r"\s*".join(map(re.escape, words)), text) or re.search(
        r"\s*".join(map(re.escape, words)), text, re.IGNORECASE
    )
    return match.span() if match else None


def _in_base(number: float, said: str, unit: str) -> float | None:
    """The number in the base unit of its dimension; None if the unit said is of another one.

    Scale words in the unit are the number's own and were counted with it.
    """
    words = [word for word in _WORD.findall(said.lower()) if word not in SCALES or len(word) == 1]
    match unit:
        case "number" | "any":
            if any(factor_of(word, BYTES) for word in words if len(word) > 1):
                return number * _factor(words, BYTES) if unit == "any" else None
            return number * (_time_of(words) if unit == "any" and _is_time(words) else 1.0)
        case "share":
            if {"mille", "permille", "‰"} & set(words):
                return number / 1000
            if {"%", "percent", "pct", "points", "cent"} & set(words):
                return number / 100
            return number if 0 <= number <= 1 else number / 100
        case "time":
            return number * _time_of(words) if _is_time(words) else None
        case "device_time":
            return number * _time_of(words) if _is_time(words) else None
        case "bytes":
            return number * _factor(words, BYTES) if _factor(words, BYTES) else None
        case "width":
            return number / 8 if {"bit", "bits"} & set(words) else number
        case "byte_rate":
            bits = next((BIT_RATES[w] for w in words if w in BIT_RATES), 0.0)
            found = bits or _factor(words, BYTES)
            return number * found if found else None
        case "rate":
            tail = _RATE.split(said.lower(), maxsplit=1)[1:]
            per = (
                _time_of(_WORD.findall(tail[0]))
                if tail and _is_time(_WORD.findall(tail[0]))
                else 1.0
            )
            return number / per
        case "flop" | "flop_rate":
            factor = _factor(words, FLOPS) or (1.0 if number > LARGE_RATE else 0.0)
            return number * factor if factor else None
        case "money":
            return number * (_factor(words, MONEY) or 1.0)
        case "price":
            return (
                number
                * (_factor(words, MONEY) or 1.0)
                / (_time_of(words) if _is_time(words) else SECONDS["hour"])
            )
        case _:
            return number


def _factor(words: Sequence[str], table: Mapping[str, float]) -> float:
    return next((f for word in words if (f := factor_of(word, table)) is not None), 0.0)


def _is_time(words: Sequence[str]) -> bool:
    return _factor(words, SECONDS) > 0


def _time_of(words: Sequence[str]) -> float:
    return _factor(words, SECONDS)
