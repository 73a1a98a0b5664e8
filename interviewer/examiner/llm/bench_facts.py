"""What a model is told of runs at the bench: facts that the program found, as JSON values."""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.examiner.llm import prompts
from interviewer.examiner.protocol import Case
from interviewer.grading.bench import run_that_counts
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.sandbox.result import CheckResult, LineStatus

_HELD = (LineStatus.HOLDS, LineStatus.DEFINED)


def has_runs(case: Case) -> bool:
    """Something of this question was run."""
    return any(turn.kind is TurnKind.BENCH for turn in case.turns)


def rules(name: prompts.PromptName, about_runs: prompts.PromptName, case: Case) -> str:
    """The prompt, with the passage on runs where there are any: others are not charged for it."""
    text = prompts.load(name).text
    return f"{text}\n\n{prompts.load(about_runs).text}" if has_runs(case) else text


def facts_of(result: CheckResult) -> dict[str, object]:
    """What came of a run; which known wrong answer it matched stays with the program."""
    facts: dict[str, object] = {
        "outcome": result.outcome.value,
        "summary": result.summary,
        "held": [line.line for line in result.lines if line.status in _HELD],
        "not_hold": [
            {"line": line.line, "status": line.status.value, "said": line.message}
            for line in result.lines
            if line.status not in _HELD
        ],
        "derived": list(result.derived),
        "confinement": result.tier,
    }
    return facts


def run_facts(turn: Turn, turns: Sequence[Turn]) -> dict[str, object]:
    """What an entry of the transcript carries beside its text; places count from 1."""
    if turn.result:
        return {"bench": facts_of(turn.result) | {"open_points": list(turn.result.open_points)}}
    place = next((n for n, each in enumerate(turns, start=1) if each.number == turn.run), None)
    return {"hands_in": place} if place else {}


def open_points(case: Case) -> tuple[str, ...]:
    """What the run that counts could not show, if it passed."""
    run = run_that_counts(case.turns)
    passed = run is not None and run.result is not None and run.result.passed
    return run.result.open_points if passed and run and run.result else ()
