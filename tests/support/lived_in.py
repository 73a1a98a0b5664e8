"""A database of someone who has practised for weeks: own questions, fixed days, one left open."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from interviewer.interview.commands import Answer, Command
from interviewer.rubric.rubric import Criterion, Rubric
from interviewer.store.store import Store
from support.examiners import ScriptedExaminer
from support.rubrics import a_criterion, a_rubric
from support.sessions import begin, hold, outline
from support.tables import table

FINISHED = "5e551000ff"
"""The session finished last."""


_TOLD = table("lived_in", __file__)


def _point(name: str, claim: str, word: str, **further: Any) -> Criterion:
    return a_criterion(
        name,
        claim=claim,
        patterns=((word,),),
        probe=f"And what about {word.split()[0]}?",
        hints=(f"Think of {word}.", f"It has to do with {word}."),
        **further,
    )


def _rubric(points: list[dict[str, Any]], **fields: Any) -> Rubric:
    return a_rubric(*(_point(**each) for each in points), **fields)


RUBRICS = tuple(_rubric(**each) for each in _TOLD["rubrics"])
BY_ID = {rubric.id: rubric for rubric in RUBRICS}
KNOWN: dict[str, str] = _TOLD["known"]
STANDS_BY_IT = "Yes, those are the figures in our report."
VAGUE = "It matters a good deal in practice, and one has to tune it with some care over time."
PAST: list[dict[str, Any]] = _TOLD["past"]
"""How many days ago, by which plan, what was asked and what was known."""


async def practise(store: Store, now: datetime) -> None:
    """Fill the store with finished sessions up to the day before ``now``, and an open one."""
    for number, each in enumerate(PAST):
        last = number == len(PAST) - 1
        session = FINISHED if last else f"5e551000{number:02}"
        replies = [
            Answer(said)
            for rubric in each["asked"]
            for said in (_said(rubric, last) if rubric in each["known"] else (VAGUE,))
        ]
        at = now - timedelta(days=each["days"])
        await _hold(store, session, each["plan"], each["asked"], replies, at)
    at = now - timedelta(minutes=12)
    await _hold(store, "5e551000aa", "Sprint", ("zero-three", "kl-penalty"), [], at)


def _said(rubric: str, with_numbers: bool) -> tuple[str, ...]:
    """The answer, and where its numbers are objected to, that they are so."""
    told = KNOWN.get(f"{rubric}-numbers") if with_numbers else None
    return (told, STANDS_BY_IT) if told else (KNOWN[rubric],)


async def _hold(
    store: Store,
    session: str,
    title: str,
    asked: Sequence[str],
    replies: Sequence[Command],
    begins: datetime,
) -> None:
    seconds = count()
    interview = begin(
        store,
        [outline(*(BY_ID[each] for each in asked), follow_ups=0)],
        BY_ID,
        ScriptedExaminer(),
        session=session,
        title=title,
        at=lambda: begins + timedelta(seconds=next(seconds)),
    )
    await hold(interview, replies)
