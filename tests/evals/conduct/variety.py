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

from interviewer.composition import load_library, load_plans, new_interview
from interviewer.examiner.protocol import MoveKind
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.interview import commands, events
from interviewer.interview.interview import Interview
from interviewer.interview.state import rubric_of
from interviewer.rubric.text import words
from interviewer.settings import load_settings
from interviewer.store.store import Store

OWN_RUN = (
    "In our own run, a 7B model on 64 A100s, I set a global batch of 2 million tokens and a peak "
    "learning rate of 3e-4. It ran at 41 percent MFU for nine days, and I knew from the validation "
    "loss, which went from 2.61 to 2.47."
)
"""What the candidate says when asked what they did."""
NOTES = """\
I pre-trained a 1.3B model on 26B tokens with 32 A100s in about two days.

We chose a cosine schedule over a constant rate because the ablation at 160M was clearer.

Loss spiked at step 9,000; I traced it to a shard of repeated forum pages and dropped it.

The evaluation loss went from 2.61 to 2.47 against our previous base model.
"""
PLANS = ("three-rounds", "the-driller", "frontier-loop", "training-ladder")
ASIDES = (
    ("Could I have a hint?", "Give me a hint, please.", "I'd like a hint here.", "Any hint?"),
    ("What do you mean by that?", "What does that mean?", "What exactly are you asking?"),
    ("How am I doing?", "Am I failing?", "Am I doing okay?", "How am I doing so far?"),
    ("I said that already.", "See above.", "I already told you that.", "I've said that."),
    ("I don't know.", "No idea.", "I have no clue.", "I can't say."),
    ("Let me think.", "Give me a moment.", "Let me try this first.", "One second."),
    (
        "It cuts the traffic, since each rank sends less of it.",
        "The gradients get smaller there, so the update hardly moves.",
        "You need more memory for it, and the step gets slower.",
        "I would look at the loss on held-out text before anything else.",
    ),
)
_SENTENCE = re.compile(r"(?<=[.?!])\s+")


def _asks(interview: Interview) -> commands.Command:
    turn = interview.state.turns // 2
    ways = ASIDES[turn % len(ASIDES)]
    return commands.Answer(ways[turn // len(ASIDES) % len(ways)])


def reply_with_a_run(interview: Interview) -> commands.Command:
    """A full answer, then a run of their own or a phrasing of what was asked for."""
    question = interview.state.question
    assert question is not None
    rubric = rubric_of(question, interview.rubrics)
    if not question.moves:
        full = next((each.answer for each in rubric.samples if each.kind == "full"), "")
        return commands.Answer(full or f"{rubric.question} {OWN_RUN}")
    move = question.moves[-1]
    if move.kind is MoveKind.DRILL:
        return commands.Answer(OWN_RUN)
    known = {criterion.id: criterion for criterion in rubric.criteria}
    if move.kind is MoveKind.ESCALATE:
        return commands.Answer(f"I would expect the same reasons to decide it. {OWN_RUN}")
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
                project=NOTES,
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
        twice, again, said, alike = list[str](), 0, 0, Counter[str]()
        worst = 0.0
        for plan in asked.plan or PLANS:
            for seed in range(asked.interviews):
                turns = asyncio.run(held(plan, seed, reply))
                counted = Counter(sentences(turns))
                twice += [f"{n} × {each}" for each, n in counted.items() if n > 1]
                again += counted.total() - len(counted)
                said += counted.total()
                begun = Counter(beginnings(turns))
                alike += begun
                worst = max(worst, begun.most_common(1)[0][1] / begun.total())
        yield share(f"{name}: sentences said before in the session", again, said, twice)
        common = [f"{n} × {begin}" for begin, n in alike.most_common(8)]
        yield Figure(f"{name}: most turns of a session that begin alike", worst, "", common)
