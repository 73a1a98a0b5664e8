"""How much of what each plan is known for a candidate meets.

    python -m tests.evals conduct.plans [--plan ID …] [--seeds 24]

A plan follows a published account of interviews or a question list; its signature questions are
those that a reader of that document would miss. For each plan, over all seeds: the share of the
signature questions that fit the first session and were met, whether they came in the document's
order, how many were met after two and three sessions, and how many questions came again meanwhile.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import mean

from evals.figures import Figure
from support.tables import table

from interviewer.composition import load_library, load_plans
from interviewer.grading.score import Grade
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.interview.drawing import lay_out, next_question
from interviewer.interview.plans import Plan
from interviewer.interview.state import QuestionState, RoundState, SessionState
from interviewer.rubric.library import Library
from interviewer.settings import load_settings

SIGNATURE = table("signatures", __file__)
"""By plan, in the order of its document."""
SIGNATURE |= {"frontier-loop-days": SIGNATURE["frontier-loop"]}
SESSIONS = 3


def asked_in(
    plan: Plan, library: Library, seed: int, before: Sequence[str], band: int
) -> list[str]:
    """What one session asks, of a candidate whose every answer is graded with this band."""
    outlines = lay_out(plan, library, seed=seed, asked=before)
    state = SessionState(outline=outlines)
    for number, outline in enumerate(outlines, start=1):
        state = replace(state, rounds=(*state.rounds, RoundState(number, outline)))
        while (rubric := next_question(state)) is not None:
            *others, running = state.rounds
            question = _graded(number, rubric, band)
            running = replace(running, questions=(*running.questions, question))
            state = replace(state, rounds=(*others, running))
    return [question.rubric for question in state.questions]


def _graded(round_: int, rubric: str, band: int) -> QuestionState:
    score = band / 4
    grade = Grade(rubric, 1, "nobody", (), score, score, score, band)
    said = Turn(1, "examiner", TurnKind.QUESTION, "?")
    return QuestionState(round_, 1, rubric, (said,), grade=grade)


@dataclass(frozen=True)
class Met:
    """Of one seed: shares in 0..1, and the questions asked in each session."""

    of_what_fits: float
    in_order: float
    after: tuple[float, ...]
    again: int


def met(plan: Plan, library: Library, seed: int, band: int) -> Met:
    """What a candidate meets in a few sessions of the plan."""
    signature = SIGNATURE[plan.id].split()
    sessions: list[list[str]] = []
    for number in range(SESSIONS):
        before = [rubric for session in reversed(sessions) for rubric in reversed(session)]
        sessions.append(asked_in(plan, library, seed + number, before, band))
    heard: set[str] = set()
    after = []
    for session in sessions:
        heard |= set(session) & set(signature)
        after.append(len(heard) / len(signature))
    first = [rubric for rubric in sessions[0] if rubric in signature]
    steps = [signature.index(a) < signature.index(b) for a, b in pairwise(first)]
    every = [rubric for session in sessions for rubric in session]
    return Met(
        of_what_fits=len(first) / sum(fits(plan, signature)),
        in_order=mean(steps),
        after=tuple(after),
        again=len(every) - len(set(every)),
    )


def fits(plan: Plan, signature: Sequence[str]) -> Iterator[int]:
    """How many signature questions each round has time for."""
    for part in plan.rounds:
        named = {*part.named, *(rubric for rung in part.ladder for rubric in rung.only)}
        yield min(part.count, sum(rubric in named for rubric in signature))


def figures(library: Library, plan: Plan, seeds: int, band: int) -> Iterator[Figure]:
    """What is met of one plan's document, if every answer is graded with this band."""
    found = [met(plan, library, seed, band) for seed in range(seeds)]
    signature = SIGNATURE[plan.id].split()
    name = f"{plan.id}, band {band}"
    fitting = f"{sum(fits(plan, signature))} fit of {len(signature)}"
    yield Figure(f"{name}: met of what fits", mean(each.of_what_fits for each in found), fitting)
    yield Figure(f"{name}: in the document's order", mean(each.in_order for each in found))
    for number in range(SESSIONS):
        after = mean(each.after[number] for each in found)
        yield Figure(f"{name}: met after {number + 1} of {SESSIONS} sessions", after)
    yield Figure(f"{name}: questions asked again", mean(each.again for each in found))


def options(parser: argparse.ArgumentParser) -> None:
    """What can be asked."""
    parser.add_argument("--seeds", type=int, default=24)
    parser.add_argument("--plan", action="append", choices=SIGNATURE)


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    """What is met of each plan."""
    settings = load_settings()
    library, plans = load_library(settings), load_plans(settings)
    for plan in (plans.get(name).model for name in asked.plan or SIGNATURE):
        for band in (4, 1):
            yield from figures(library, plan, asked.seeds, band)
