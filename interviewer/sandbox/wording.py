"""What is wrong in the candidate's terms: names of axes, how far off, in which draw."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isfinite

from interviewer.sandbox.challenge import Challenge
from interviewer.sandbox.jobs import Draw
from interviewer.sandbox.numbers import (
    Difference,
    Fault,
    Numbers,
    Tolerance,
    constant_factor,
    is_transposed,
    same_entries,
)

LONGEST_OUTPUT = 4000
"""Characters of what a function printed that are kept."""
MOST_NAMED = 6
"""Right lines that are listed by name."""
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_].*?(?:\x07|\x1b\\|$)|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]",
    re.DOTALL,
)
_LINE = re.compile(r"line (\d{1,4}): ")
_SHAPE = re.compile(r"[\[(](\d+(?:, ?\d+)*),?[\])]")


def stripped(text: str) -> str:
    """Text of a child without escape sequences, control and invisible characters."""
    kept = _ESCAPES.sub("", text)
    return "".join(char for char in kept if char.isprintable() or char in "\n\t")


def output(data: bytes) -> str:
    """What a function printed, fit for display."""
    text = stripped(data.decode("utf-8", "replace")).rstrip()
    if len(text) > LONGEST_OUTPUT:
        return f"{text[:LONGEST_OUTPUT]}\n[the rest of the output is cut off]"
    return text


def shape(sizes: Sequence[int], draw: Draw) -> str:
    """A shape with the names of its axes where a size has only one: ``[n, d]``."""
    if not sizes:
        return "a single number"
    return f"[{', '.join(_axis(size, draw) for size in sizes)}]"


def _axis(size: int, draw: Draw) -> str:
    names = [name for name, number in draw.dims.items() if number == size]
    return names[0] if len(names) == 1 and size != 1 else str(size)


def with_names(text: str, draw: Draw) -> str:
    """The text with every shape in it written by the names of its axes."""

    def named(found: re.Match[str]) -> str:
        return shape([int(size) for size in found[1].split(",")], draw)

    return _SHAPE.sub(named, text)


def where(number: int, draw: Draw) -> str:
    """The draw as a clause: its number from 1 and what is unusual about it."""
    sizes = ", ".join(f"{name} = {size}" for name, size in draw.dims.items())
    return f"draw {number + 1}" + (f", {draw.about}" if draw.about else f", {sizes}" * bool(sizes))


def fault(found: Fault, draw: Draw) -> str:
    """Why an expression could not be evaluated, or a function failed."""
    text = with_names(stripped(found.text), draw).rstrip(". ")
    match found.code:
        case "shape":
            return f"The shapes do not fit: {text}."
        case "raised":
            return f"Your function stopped with an error: {_LINE.sub('', text, count=1)}."
        case "type":
            return f"This cannot be evaluated: it {text}." if _verb(text) else _cannot(text)
        case "changed":
            return f"Your function changes {text} in place; work on a copy, as clone() makes one."
        case "banned":
            return f"{text} may not be used here: it is what you are asked to write."
        case "gradient":
            return f"This has no gradient: {text}."
        case _:
            return _cannot(text)


def listed(names: Sequence[str]) -> str:
    """Names as "q, k and v"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def right(names: Sequence[str], lines: int) -> str:
    """Which of so many lines are right: "3 of 5 lines are right: q, k and v."; "" if none is."""
    if not names:
        return ""
    count = f"{len(names)} of {lines} line{'s' * (lines > 1)} {'is' if len(names) == 1 else 'are'}"
    return f"{count} right{f': {listed(names)}' if len(names) <= MOST_NAMED else ''}."


def line_of(found: Fault) -> int | None:
    """The line at which a function stopped, if the error says."""
    told = _LINE.match(found.text) if found.code == "raised" else None
    return int(told[1]) if told else None


def _verb(text: str) -> bool:
    return text.startswith("returns ")


def _cannot(text: str) -> str:
    return f"This cannot be evaluated: {text}."


def different(
    found: Difference, what: str, place: str, draw: Draw, challenge: Challenge, limit: Tolerance
) -> str:
    """How a value differs from ``what`` it should equal."""
    got, wanted = found.got, found.wanted
    match found.kind:
        case "shape":
            shapes = f"{shape(got.shape, draw)} where {what} has {shape(wanted.shape, draw)}"
            if is_transposed(got, wanted, limit):
                return f"The numbers are right but the axes are swapped: {shapes}."
            if same_entries(got, wanted, limit):
                return f"Right numbers, wrong shape: {shapes}."
            return f"The shape differs: {shapes}."
        case "not finite":
            return f"Infinities or NaNs stand where {what} has none, or the reverse ({place})."
        case "gradient":
            name = _differentiable(challenge)[found.wrt or 0]
            return (
                f"The value agrees with {what}, but its gradient with respect to {name} does not."
            )
        case _:
            return _values(found, what, place, limit)


def _values(found: Difference, what: str, place: str, limit: Tolerance) -> str:
    """How the numbers differ, without a number from which the right ones could be told."""
    factor = constant_factor(found.got, found.wanted)
    if factor is not None and abs(factor + 1) < 1e-6:
        return f"Every entry has the opposite sign of {what}."
    if factor is not None:
        return f"This is not {what}: every entry is off by the same factor ({place})."
    if len(found.wanted.entries) == 1:
        off = _number_off(found.got.entries[0], found.wanted.entries[0])
    else:
        off = _entries_off(found.got, found.wanted, limit)
    return f"This is not {what}: {off} ({place})."


_ABOUT = ((1.1, "slightly"), (2, "by less than a factor of 2"), (10, "by a factor of 2 to 10"))


def _number_off(got: float, wanted: float) -> str:
    """Which way a number is off, and by how much in steps too coarse to correct it by."""
    if got and wanted and (got < 0) != (wanted < 0):
        return "the sign is wrong"
    way = "high" if got > wanted else "low"
    if min(got, wanted) <= 0:  # of negative numbers the higher is the smaller
        return f"too {way}"
    ratio = max(got, wanted) / min(got, wanted)
    much = next((words for below, words in _ABOUT if ratio < below), "by more than a factor of 10")
    return f"slightly too {way}" if much == "slightly" else f"too {way} {much}"


def _entries_off(got: Numbers, wanted: Numbers, limit: Tolerance) -> str:
    """Which entries are off and which way, in words."""
    allowed = limit.of(wanted.entries)
    gaps = [
        mine - theirs if isfinite(theirs) else 0.0
        for mine, theirs in zip(got.entries, wanted.entries, strict=True)
    ]
    off = [place for place, gap in enumerate(gaps) if abs(gap) > allowed]
    high = {gaps[place] > 0 for place in off}
    way = "" if len(high) > 1 else " too high" if high == {True} else " too low"
    if len(off) < len(gaps):
        verb = "is" if len(off) == 1 else "are"
        where = _region(off, wanted.shape)
        return f"{len(off)} of {len(gaps)} entries {verb}{way or ' off'}{where}"
    first = gaps[0]
    if all(abs(gap - first) <= 1e-6 * abs(first) for gap in gaps):
        return f"every entry is{way} by the same amount"
    return f"every entry is{way or ' off'}"


def _region(off: Sequence[int], shape: Sequence[int]) -> str:
    """Where all of these entries of a matrix or vector stand, if that has a name."""
    if len(shape) == 1:
        return f", number {off[0] + 1}" if len(off) == 1 else ""
    if len(shape) != 2:
        return ""
    cells = [divmod(place, shape[1]) for place in off]
    rows, columns = ({cell[axis] for cell in cells} for axis in (0, 1))
    if len(rows) == 1:
        return f", all in row {cells[0][0] + 1}" if len(off) > 1 else f", in row {cells[0][0] + 1}"
    if len(columns) == 1:
        return f", all in column {cells[0][1] + 1}"
    if all(row == column for row, column in cells):
        return ", all on the diagonal"
    if all(row < column for row, column in cells):
        return ", all above the diagonal"
    if all(row > column for row, column in cells):
        return ", all below the diagonal"
    return ""


def _differentiable(challenge: Challenge) -> list[str]:
    return [name for name, given in challenge.inputs.items() if given.differentiable]
