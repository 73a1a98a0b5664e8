"""Reading what is being typed: what cannot be read yet, in one quiet sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interviewer.sandbox.challenges.challenge import Challenge

AFTER = 0.3
"""Seconds without a key before the text is read."""
LONGEST = 4_000
"""Characters; to read more would take longer than a key may, and a check reads them anyway."""


def unreadable(challenge: Challenge, source: str, row: int) -> str:
    """The first problem of the lines, the one at ``row`` (from 1) last; empty for a function."""
    from interviewer.sandbox.checking.python_source import is_function
    from interviewer.sandbox.language import read

    if not source.strip() or len(source) > LONGEST or is_function(source):
        return ""
    problems = read(source, given=challenge.given, banned=challenge.banned).problems
    ordered = sorted(problems, key=lambda problem: (problem.line == row, problem.line))
    return f"line {ordered[0].line}: {ordered[0].message}" if ordered else ""
