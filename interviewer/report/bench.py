"""Runs at the bench in words: the source with a mark on every line, and what came of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from interviewer.grading.bench_evidence import source_lines
from interviewer.grading.transcript import Turn
from interviewer.interview.debrief.questions import BenchDebrief
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
GONE = "Its written solution was not kept with this session."


def run_lines(source: str, result: CheckResult) -> Iterator[str]:
    """The source with its marks, the messages below their lines, then what came of the whole."""
    marks = {line.line: line for line in result.lines}
    for number, line in enumerate(source_lines(source), start=1):
        mark = marks.get(number)
        sign = SIGN[mark.status] if mark else ""
        yield f"{number:>3}  {sign:<{_WIDEST}}  {line}".rstrip()
        if mark and mark.message:
            yield f"     {'':<{_WIDEST}}  {mark.message}"
    yield from outcome_lines(result)


def outcome_lines(result: CheckResult) -> Iterator[str]:
    """What came of a run as a whole, with what it printed."""
    yield f"{result.summary} ({result.tier}, {result.milliseconds:.0f} ms)"
    if result.output:
        yield "It printed:"
        yield from (f"     {line}" for line in result.output.splitlines())


def bench_lines(bench: BenchDebrief) -> Iterator[str]:
    """The debrief of a question's runs, without the solution."""
    result = bench.last
    if result is None:
        yield "The bench was not used."
        return
    tries = "1 run" if len(bench.runs) == 1 else f"{len(bench.runs)} runs"
    given = len(bench.handed_in)
    handed_in = "none handed in" if not given else f"{given} handed in"
    yield f"At the bench: {tries}, {handed_in}. The last: {next(outcome_lines(result))}"
    if bad := bench.first_bad:
        number, typed, told = bad
        yield f"Its first bad line, {number}: “{typed}”. {told}"
    for point in result.open_points:
        yield f"Not shown by the run: {point}"


def solution_lines(bench: BenchDebrief) -> Iterator[str]:
    """The challenge's written solution and worked derivation, line by line."""
    if bench.challenge is None:
        yield GONE
        return
    yield from unwrapped(bench.challenge.solution).splitlines()
    if bench.challenge.derivation:
        yield ""
        yield from bench.challenge.derivation.strip().splitlines()


def unwrapped(text: str) -> str:
    """The text with its paragraphs on one line each, for whoever breaks lines to a width of theirs.

    Lines that begin a list, a heading or a quote, or are indented, stay as they are.
    """
    return _WRAPPED.sub(" ", text.strip())


def result_json(result: CheckResult) -> dict[str, Any]:
    """What a candidate may see of a run at any time, as JSON values."""
    return {
        "challenge": result.challenge,
        "outcome": result.outcome.value,
        "passed": result.passed,
        "summary": result.summary,
        "lines": [
            {"line": line.line, "status": line.status.value, "message": line.message}
            for line in result.lines
        ],
        "first_bad_line": result.first_bad_line,
        "derived": list(result.derived),
        "output": result.output,
        "tier": result.tier,
        "milliseconds": result.milliseconds,
    }


def bench_json(bench: BenchDebrief) -> dict[str, Any]:
    """The debrief of a question's runs with the solution; the runs themselves are its turns."""
    return {
        "challenge": bench.id,
        "runs": [turn.number for turn in bench.runs],
        "handed_in": sorted(bench.handed_in),
        "last": bench.last and result_json(bench.last),
        "open_points": list(bench.last.open_points) if bench.last else [],
        "solution": bench.challenge.solution if bench.challenge else None,
        "derivation": bench.challenge.derivation if bench.challenge else None,
    }


def turn_bench_json(turn: Turn) -> dict[str, Any]:
    """What a turn adds where it is a run, or hands one in."""
    ran = {"result": result_json(turn.result)} if turn.result else {}
    return ran | ({"bench": turn.run} if turn.run is not None else {})
