"""Figures as an examiner would say them."""

from __future__ import annotations

from interviewer.grading.claims import catalog
from interviewer.grading.claims.quantity import Quantity
from interviewer.grading.numerals import BYTES, DAY, HOUR, SECONDS, TIME_NAMES, factor_of

_SIZES = ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "KB"))
_SCALES = ((1e12, "T"), (1e9, "B"), (1e6, "M"))
_TIMES = (
    (14 * DAY, 7 * DAY, "weeks"),
    (2 * DAY, DAY, "days"),
    (HOUR, HOUR, "hours"),
    (60.0, 60.0, "minutes"),
    (1.0, 1.0, "seconds"),
)
_LEAST_WITH_POWER = 1e15
_COUNTS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def count(value: float) -> str:
    """ "7B", "1.4T", "64", "4,096", "5.9e22"."""
    if value >= _LEAST_WITH_POWER or 0 < value < 1e-3:
        return f"{value:.1e}".replace("e+", "e").replace("e-0", "e-")
    for size, letter in _SCALES:
        if value >= size:
            return f"{value / size:.3g}{letter}"
    if value >= 10 and abs(value - round(value)) < 0.05:
        return f"{value:,.0f}"
    return f"{float(f'{value:.3g}'):,.0f}" if value >= 1000 else f"{value:.3g}"


def time(seconds: float, unit: str = "") -> str:
    """ "2.5 days", "13.9 hours", "0.5 seconds"; in the unit that it was said in, if any."""
    unit = TIME_NAMES.get(unit, unit)
    if unit in SECONDS:
        scale, name = SECONDS[unit], f"{unit}s"
    else:
        found = ((size, each) for least, size, each in _TIMES if seconds >= least)
        scale, name = next(found, (1e-3, "milliseconds"))
    number = f"{seconds / scale:.3g}"
    return f"{number} {name[:-1] if number == '1' else name}"


def memory(size: float) -> str:
    """ "80 GB", "1.12 TB", "320 KB"."""
    scale, unit = next((each for each in _SIZES if size >= each[0]), (1.0, "bytes"))
    return f"{size / scale:.3g} {unit}"


def percent(share: float) -> str:
    """ "45%", "3,480%"."""
    value = share * 100
    return f"{value:,.0f}%" if value >= 10 else f"{value:.2g}%"


def amount(measure: str, value: float, unit: str = "", device: str = "") -> str:
    """A value of the quantity as one says it; ``unit`` is the one that it was said in."""
    known = catalog.measures()[measure]
    match known.unit:
        case "time":
            said = time(value, unit.rstrip("s") if len(unit) > 2 else unit)
        case "bytes":
            said = memory(value)
        case "byte_rate":
            said = f"{memory(value)} a second"
        case "share":
            said = percent(value)
        case "width":
            said = f"{value:g}"
        case "device_time":
            return f"{count(value / HOUR)} GPU-hours"
        case "money":
            return f"${count(value)}"
        case "price":
            return f"${value * HOUR:.3g} an hour"
        case "token_price":
            return f"${value * 1e6:.3g} a million tokens"
        case "flop":
            return f"{count(value)} FLOP"
        case "flop_rate":
            said = f"{count(value / 1e12)} TFLOP/s"
        case "any" if factor_of(unit, SECONDS):
            said = time(value, unit.removesuffix("s"))
        case "any" if factor_of(unit.lower(), BYTES):
            said = memory(value)
        case "any":
            said = f"{count(value)} {unit}"
        case _:
            said = count(value)
    noun = known.noun
    if measure == "gpus" and device:
        noun = f"{device}s"
    if said == "1" and noun:
        first, *rest = noun.split(" ")
        noun = " ".join((first.removesuffix("s"), *rest))
    return f"{said} {noun}".strip()


def kind_of(unit: str, other: str | None = None) -> str:
    """What a unit of any count is of: times and sizes are converted, others stay what they are."""
    word = unit.lower().removesuffix("s")
    if factor_of(word, SECONDS):
        return "time"
    return "byte" if factor_of(word, BYTES) else word if other is None else other


def shown(quantity: Quantity) -> str:
    """A figure of the candidate's as one says it back: "13B parameters", "64 H100s"."""
    return amount(quantity.measure, quantity.value, quantity.unit, quantity.device)


def which_is_off(figures: int) -> str:
    """The question after a sum that does not hold."""
    if figures < 2:
        return "How can that be?"
    number = _COUNTS[figures - 1] if figures <= len(_COUNTS) else str(figures)
    return f"Which of the {number} is off?"
