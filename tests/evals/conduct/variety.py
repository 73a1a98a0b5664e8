"""How much an examiner repeats itself over a whole mock: sentences said twice, turns alike.

    python -m tests.evals conduct.variety [--plan ID …] [--interviews 1]

Three candidates hold each plan offline: one who recites and then tells of a run, one who says that
they don't know, and one who asks for everything that can be asked for. A sentence counts that was
said before in the session, but where the candidate asked for it or said again what they had said
before; a beginning is the first two words of a turn.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from evals.figures import Figure, share
from support.tables import table

from interviewer.composition import load_library, load_plans, new_interview
from interviewer.examiner.protocol import MoveKind
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.interview import commands, events
from interviewer.interview.interview import Interview
from interviewer.interview.state import rubric_of
from interviewer.rubric.text import words
from interviewer.settings import load_settings
from interviewer.store.store import Store

SAID = table("variety", __file__)
"""A run that is told of, notes on a project, and what a candidate may say besides an answer."""
_SENTENCE = re.compile(r"(?<=[.?!])\s+")


def _asks(interview: Interview) -> commands.Command:
    turn = interview.state.turns // 2
    kinds = SAID["asides"]
    ways = kinds[turn % len(kinds)]
    return commands.Answer(ways[turn // len(kinds) % len(ways)])


def reply_with_a_run(interview: Interview) -> commands.Command:
    """A full answer, then a run of their own or a phrasing of what was asked for."""
    question = interview.state.question
    assert question is not None
    rubric = rubric_of(question, interview.rubrics)
    if not question.moves:
        full = next((each.answer for each in rubric.samples if each.kind == "full"), "")
        return commands.Answer(full or f"{rubric.question} {SAID['own_run']}")
    move = question.moves[-1]
    if move.kind is MoveKind.DRILL:
        return commands.Answer(SAID["own_run"])
    known = {criterion.id: criterion for criterion in rubric.criteria}
    if move.kind is MoveKind.ESCALATE:
        return commands.Answer(f"I would expect the same reasons to decide it. {SAID['own_run']}")
    aimed = known.get(move.target or "")
    if aimed is None or not aimed.accept:
        return commands.DontKnow()
    return commands.Answer(aimed.accept[len(question.moves) % len(aimed.accept)])


CANDIDATES: dict[str, Callable[[Interview], commands.Command]] = {
    "tells of a run": reply_with_a_run,
    "does not know": lambda _: commands.DontKnow(),
    "asks": _asks,
}


def sentences(turns: Sequence[Turn]) -> Iterator[str]:
    """What the examiner said, unless it was asked for or the candidate repeated themselves."""
    asked = {each for turn in turns if turn.kind is TurnKind.QUESTION for each in _split(turn)}
    said = set[str]()
    for before, turn in pairwise((turns[0], *turns)):
        if turn.author == "candidate":
            continue
        is_repeated = before.kind is not TurnKind.DONT_KNOW and before.text in said
        said.add(before.text)
        is_asked_for = turn.kind is TurnKind.CLARIFY or before.kind is TurnKind.ASIDE
        for sentence in [] if is_repeated else _split(turn):
            if not (is_asked_for and (sentence in asked or sentence.endswith("?"))):
                yield sentence


def _split(turn: Turn) -> list[str]:
    return _SENTENCE.split(turn.text.strip())


def beginnings(turns: Sequence[Turn]) -> list[str]:
    """The first two words of each of the examiner's turns."""
    return [" ".join(words(turn.text)[:2]) for turn in turns if turn.author == "examiner"]


async def held(plan: str, seed: int, reply: Callable[[Interview], commands.Command]) -> list[Turn]:
    settings = load_settings()
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "sessions.db")
        try:
            interview = new_interview(
                settings,
                store,
                load_library(settings),
                load_plans(settings).get(plan).model,
                examiner="offline",
                seed=seed,
                project=SAID["notes"],
            )
            async for event in interview:
                if isinstance(event, events.YourTurn):
                    interview.send(reply(interview))
            await interview.aclose()
            return [turn for question in interview.state.questions for turn in question.spoken]
        finally:
            store.close()


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--plan", action="append")
    parser.add_argument("--interviews", type=int, default=1)


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    """What is said twice, and how often a turn begins as the commonest of its session does."""
    for name, reply in CANDIDATES.items():
        twice, again, said, worst = list[str](), 0, 0, 0.0
        for plan in asked.plan or SAID["plans"]:
            for seed in range(asked.interviews):
                turns = asyncio.run(held(plan, seed, reply))
                counted = Counter(sentences(turns))
                twice += [f"{n} × {each}" for each, n in counted.items() if n > 1]
                again += counted.total() - len(counted)
                said += counted.total()
                begun = Counter(beginnings(turns))
                worst = max(worst, begun.most_common(1)[0][1] / begun.total())
        yield share(f"{name}: sentences said before in the session", again, said, twice)
        yield Figure(f"{name}: most turns of a session that begin alike", worst)
