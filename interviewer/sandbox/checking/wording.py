"""What is wrong in the candidate's terms: names of axes, how far off, in which draw."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interviewer.sandbox.challenges.challenge import Challenge
from interviewer.sandbox.checking.jobs import Draw
from interviewer.sandbox.checking.numbers import (
    Difference,
    Fault,
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
            return f"Other entries are finite than in {what} ({place})."
        case "gradient":
            name = _differentiable(challenge)[found.wrt or 0]
            return (
                f"The value agrees with {what}, but its gradient with respect to {name} does not."
            )
        case _:
            return _values(found, what, place)


def _values(found: Difference, what: str, place: str) -> str:
    factor = constant_factor(found.got, found.wanted)
    if factor is not None and abs(factor + 1) < 1e-6:
        return f"It has the opposite sign of {what} in every entry."
    if factor is not None:
        return f"It is not {what}: every entry is off by the same factor ({place})."
    largest = max((abs(entry) for entry in found.wanted.entries), default=0.0)
    return (
        f"It is not {what}: off by up to {found.largest:.3g} where the largest entry is "
        f"{largest:.3g} ({place})."
    )


def _differentiable(challenge: Challenge) -> list[str]:
    return [name for name, given in challenge.inputs.items() if given.differentiable]
