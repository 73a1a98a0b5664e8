"""A small model on this machine plays one question, from the first word to the grade.

    python -m tests.evals endpoint.local_model --url http://127.0.0.1:8300/v1 --model NAME

The candidate gives a fair answer, replies to each follow-up beside the point, and skips. Weak
models call every point met and quote whatever stands in the answer, so what counts is what became
of that: no credit may rest on words that have nothing to do with their point.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from evals.figures import Figure, count, share
from support.sessions import begin, grade_in, outline

from interviewer.examiner.llm.endpoint import LOCAL_TIMEOUT, Endpoint
from interviewer.examiner.llm.examiner import LlmExaminer
from interviewer.grading.verdicts import Flag, Verdict, credit
from interviewer.interview import commands, events
from interviewer.interview.state import SessionState
from interviewer.rubric.library import load_library
from interviewer.rubric.rubric import Rubric
from interviewer.rubric.text import COMMON_STEMS, content_stems
from interviewer.store.store import Store

ASIDE = "Honestly it depends on the team; we had a good time and drank a lot of coffee."
REPLIES = 2


async def play(endpoint: Endpoint, rubric: Rubric, answer: str) -> tuple[SessionState, list[str]]:
    """The session at its end, and what failed on the way; offline takes over where it may."""
    said = [answer, *[ASIDE] * REPLIES]
    failed: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "sessions.db")
        interview = begin(
            store, (outline(rubric),), {rubric.id: rubric}, LlmExaminer(endpoint), now=lambda: 0.0
        )
        async for event in interview:
            if isinstance(event, events.TurnFailed):
                failed.append(event.message)
                interview.send(commands.Retry() if len(failed) == 1 else commands.GoOffline())
            elif isinstance(event, events.YourTurn):
                interview.send(commands.Answer(said.pop(0)) if said else commands.Skip())
        store.close()
    return interview.state, failed


def _is_related(verdict: Verdict, rubric: Rubric) -> bool:
    """The quotes share a content word with the point or the reference."""
    point = rubric.criterion(verdict.criterion)
    wanted = content_stems(" ".join((point.claim, *point.accept, rubric.reference)))
    return bool((content_stems(" ".join(verdict.words)) & wanted) - COMMON_STEMS)


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--url", default="http://127.0.0.1:8300/v1")
    parser.add_argument("--model", default="0.5b")
    parser.add_argument("--rubric", default="attention-scale-root-dk")


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    rubric = load_library().get(asked.rubric).model
    answer = next(each.answer for each in rubric.samples if each.kind == "middle")
    endpoint = Endpoint(asked.url, None, asked.model, timeout=LOCAL_TIMEOUT)
    started = time.monotonic()
    state, failed = asyncio.run(play(endpoint, rubric, answer))
    yield Figure("seconds to the grade", time.monotonic() - started)
    yield count("failures told", failed)
    verdicts = grade_in(state).verdicts
    lines = [
        f"{each.criterion}: {each.verdict} {each.words} {each.unsupported}" for each in verdicts
    ]
    credited = [each for each in verdicts if credit(each)]
    yield share("points credited", len(credited), len(verdicts), lines)
    unrelated = [each.criterion for each in credited if not _is_related(each, rubric)]
    yield count("credited to unrelated words", unrelated, len(credited))
    flags = sorted(grade_in(state).flags)
    yield Figure("named unfit", float(Flag.UNFIT in flags), ", ".join(flags))
