"""What was tried at the bench on a question, and the written solution."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from interviewer.grading.bench import first_fault, source_lines
from interviewer.grading.transcript import Turn
from interviewer.interview.state import QuestionState
from interviewer.rubric.rubric import Rubric
from interviewer.sandbox.challenges.challenge import Challenge
from interviewer.sandbox.result import CheckResult


@dataclass(frozen=True)
class BenchDebrief:
    """A question's runs, oldest first, and its challenge.

    ``handed_in`` are the numbers of the runs given as answers. ``challenge`` is None where it was
    not kept with the session; its runs can be read without it.
    """

    id: str
    challenge: Challenge | None
    runs: tuple[Turn, ...]
    handed_in: frozenset[int] = frozenset()

    @property
    def last(self) -> CheckResult | None:
        """How the last run ended, None without a run."""
        return self.runs[-1].result if self.runs else None

    @property
    def first_bad(self) -> tuple[int, str, str] | None:
        """Of the last run: the first bad line's number, its text as typed, and what it was told."""
        result = self.last
        lines = source_lines(self.runs[-1].text) if self.runs else []
        if result is None or result.first_bad_line is None:
            return None
        number = result.first_bad_line
        typed = lines[number - 1].strip() if number <= len(lines) else ""
        return number, typed, first_fault(result)


def bench_debrief(
    question: QuestionState, rubric: Rubric, challenges: Mapping[str, Challenge]
) -> BenchDebrief | None:
    """The question's work at the bench, None where it has no challenge that was offered."""
    if rubric.challenge is None or not (question.runs or rubric.challenge in challenges):
        return None
    return BenchDebrief(
        id=rubric.challenge,
        challenge=challenges.get(rubric.challenge),
        runs=question.runs,
        handed_in=frozenset(turn.run for turn in question.turns if turn.run is not None),
    )
