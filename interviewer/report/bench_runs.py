"""Runs at the bench in words: the source with a mark on each line, the result."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interviewer.grading.evidence import source_lines
from interviewer.interview.debrief.questions import BenchDebrief
from interviewer.plural import pluralize
from interviewer.sandbox.result import CheckResult, LineStatus

SIGN = {
    LineStatus.HOLDS: "✓ holds",
    LineStatus.DEFINED: "· defined",
    LineStatus.FAILS: "✗ fails",
    LineStatus.ERROR: "! error",
    LineStatus.NOT_JUDGED: "– not judged",
}
"""A sign and a word, so that neither colour nor sight of the sign is needed."""
_WIDEST = max(map(len, SIGN.values()))
_WRAPPED = re.compile(r"(?<=\S)\n(?=[^\s\-*#>|\d])")
NO_SOLUTION = "Its written solution was not stored with this session."


def run_lines(source: str, result: CheckResult) -> Iterator[str]:
    """The source with its marks, messages below their lines, then the overall result."""
    marks = {line.line: line for line in result.lines}
    for number, line in enumerate(source_lines(source), start=1):
        mark = marks.get(number)
        sign = SIGN[mark.status] if mark else ""
        yield f"{number:>3}  {sign:<{_WIDEST}}  {line}".rstrip()
        if mark and mark.message:
            yield f"     {'':<{_WIDEST}}  {mark.message}"
    yield from outcome_lines(result)


def outcome_lines(result: CheckResult) -> Iterator[str]:
    """The overall result of a run, with its output."""
    yield f"{result.summary} ({result.tier}, {result.milliseconds:.0f} ms)"
    if result.output:
        yield "It printed:"
        yield from (f"     {line}" for line in result.output.splitlines())


def bench_lines(bench: BenchDebrief) -> Iterator[str]:
    """A question's runs, without the solution."""
    result = bench.last
    if result is None:
        yield "The bench was not used."
        return
    tries = pluralize(len(bench.runs), "run")
    submitted = f"{len(bench.submitted) or 'none'} submitted"
    yield f"At the bench: {tries}, {submitted}. The last: {next(outcome_lines(result))}"
    if bad := bench.first_bad:
        number, typed, told = bad
        yield f"The first bad line is line {number}: “{typed}”. {told}"
    for point in result.open_points:
        yield f"Not shown by the run: {point}"


def solution_lines(bench: BenchDebrief) -> Iterator[str]:
    """The challenge's written solution and worked derivation, line by line."""
    if bench.challenge is None:
        yield NO_SOLUTION
        return
    yield from unwrapped(bench.challenge.solution).splitlines()
    if bench.challenge.derivation:
        yield ""
        yield from bench.challenge.derivation.strip().splitlines()


def unwrapped(text: str) -> str:
    """The text with each paragraph on one line, for callers that wrap to their own width.

    Lists, headings, quotes and indented lines keep their line breaks.
    """
    return _WRAPPED.sub(" ", text.strip())
