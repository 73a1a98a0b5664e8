"""Can a plan be held with the rubrics at hand?"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from interviewer.interview.plan import Plan
from interviewer.rubric.files import read
from interviewer.rubric.folders import close_to, yaml_files
from interviewer.rubric.library import Library
from interviewer.rubric.problems import Locator, Problem

_MINUTES_A_QUESTION = 2


def lint_plan_paths(paths: Iterable[Path], library: Library) -> tuple[int, list[Problem]]:
    """Lint files and folders: how many files were read, and all problems in order."""
    checked = 0
    problems: list[Problem] = []
    for path in paths:
        found, unread = yaml_files(path) if path.is_dir() else ((path,), ())
        problems += unread
        for file in found:
            checked += 1
            reading = read(file, Plan)
            problems += reading.problems
            if reading.value is not None:
                problems += lint_plan(reading.value, library, reading.where)
    return checked, problems


def lint_plan(plan: Plan, library: Library, where: Locator) -> list[Problem]:
    """Unknown ids, picks and rungs that find too little, rounds too short for their questions."""
    problems: list[Problem] = []
    named = {rubric for part in plan.rounds for rubric in part.ask}
    for i, part in enumerate(plan.rounds):
        for n, rubric in enumerate(part.ask):
            if rubric not in library.entries:
                hint = close_to(rubric, library.entries, "rubric")
                message = f"no rubric is called {rubric}; {hint}"
                problems.append(where.error(("rounds", i, "ask", n), message))
        if part.pick is not None:
            free = sum(part.pick.allows(r) and r.id not in named for r in library.briefs())
            wanted = part.count - len(part.ask)
            if free < wanted:
                complain = where.warning if free or part.ask else where.error
                message = f"finds {free} of the {wanted} questions wanted; widen it"
                problems.append(complain(("rounds", i, "pick"), message))
        for n, rung in enumerate(part.ladder):
            if not any(rung.allows(rubric) for rubric in library.briefs()):
                message = "finds no question, so nobody can stand on this rung; widen it"
                problems.append(where.error(("rounds", i, "ladder", n), message))
        if part.minutes < _MINUTES_A_QUESTION * part.count:
            message = f"leave under {_MINUTES_A_QUESTION} minutes a question; allow more"
            problems.append(where.warning(("rounds", i, "minutes"), message))
    return problems
