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

FINISHED = "5e551000ff"
"""The session finished last."""


def _point(id_: str, claim: str, word: str, **changes: Any) -> Criterion:
    return a_criterion(
        id_,
        claim=claim,
        patterns=((word,),),
        probe=f"And what about {word.split()[0]}?",
        hints=(f"Think of {word}.", f"It has to do with {word}."),
        **changes,
    )


RUBRICS: tuple[Rubric, ...] = (
    a_rubric(
        _point(
            "reference",
            "The KL term keeps the policy near the reference model",
            "reference",
            weight=3,
            must_have=True,
        ),
        _point(
            "target",
            "An adaptive controller steers the coefficient to a target KL",
            "target",
            weight=2,
        ),
        _point(
            "hacking",
            "Without it the policy drifts to text that fools the reward model",
            "fools",
            weight=2,
            kind="pitfall",
        ),
        id="kl-penalty",
        title="What the KL penalty buys in PPO",
        topic="alignment",
        round="rlhf",
        question="What does the KL term in PPO buy you, and how would you set it?",
        reference="It keeps the policy close to the reference model. An adaptive controller "
        "steers the coefficient to a target of a few nats. Without it the policy drifts to text "
        "that fools the reward model.",
        sources=("Ziegler et al. (2019), arXiv:1909.08593",),
    ),
    a_rubric(
        _point(
            "shards",
            "ZeRO-3 shards parameters, gradients and optimiser states",
            "shards",
            weight=3,
            must_have=True,
        ),
        _point(
            "traffic",
            "It pays with one and a half times the traffic of data parallelism",
            "traffic",
            weight=2,
            kind="number",
        ),
        id="zero-three",
        title="What ZeRO-3 shards and what it costs",
        topic="distributed",
        round="distributed",
        question="What does ZeRO-3 shard, and what do you pay for it?",
        reference="It shards parameters, gradients and optimiser states over the data-parallel "
        "ranks. The price is one and a half times the traffic.",
        sources=("Rajbhandari et al. (2020), arXiv:1910.02054",),
    ),
    a_rubric(
        _point(
            "variance",
            "The dot product of two unit-variance vectors has variance d",
            "variance",
            weight=3,
            must_have=True,
        ),
        _point(
            "saturates",
            "Unscaled logits saturate the softmax and its gradient vanishes",
            "saturates",
            weight=2,
        ),
        id="attention-scale",
        title="Why attention logits are divided by the root of d",
        topic="transformer",
        question="Why are attention logits divided by the root of the head width?",
        reference="The dot product of two unit-variance vectors has variance d. Without the "
        "division the softmax saturates and its gradient vanishes.",
        sources=("Vaswani et al. (2017), arXiv:1706.03762",),
    ),
    a_rubric(
        _point(
            "spike",
            "A loss spike is first checked against the batch that caused it",
            "batch",
            weight=2,
        ),
        _point(
            "rewind",
            "Rewind to the last good checkpoint and skip the data",
            "checkpoint",
            weight=2,
            kind="experience",
        ),
        id="loss-spike",
        title="A loss spike at step 40,000",
        topic="debugging",
        question="The loss spikes at step 40,000. What do you do in the first hour?",
        reference="Look at the batch that caused it. Rewind to the last good checkpoint and skip "
        "that data.",
    ),
)
BY_ID = {rubric.id: rubric for rubric in RUBRICS}
KNOWN = {
    "kl-penalty": "It keeps the policy near the reference model, and else it fools the judge.",
    "zero-three": "It shards parameters, gradients and optimiser states across the ranks.",
    "attention-scale": "The variance of the dot product grows with d, and the softmax saturates.",
    "loss-spike": "I look at the batch, then go back to the last good checkpoint and skip it.",
    "zero-three-numbers": "It shards parameters, gradients and optimiser states across the ranks. "
    "We trained 7 billion parameters on 2 trillion tokens with 64 H100s in 6 days at 40% MFU.",
}
STANDS_BY_IT = "Yes, those are the figures in our report."
VAGUE = "It matters a good deal in practice, and one has to tune it with some care over time."
PAST: tuple[tuple[float, str, Sequence[str], Sequence[str]], ...] = (
    (26, "Sprint", ("kl-penalty", "zero-three"), ()),
    (20, "Sprint", ("attention-scale", "loss-spike"), ("loss-spike",)),
    (13, "Frontier loop", ("kl-penalty", "zero-three", "loss-spike"), ("zero-three",)),
    (9, "The driller", ("attention-scale",), ("attention-scale",)),
    (6, "Weak spots", ("kl-penalty",), ("kl-penalty",)),
    (3, "Sprint", ("zero-three", "loss-spike"), ("zero-three", "loss-spike")),
    (1, "Frontier loop", tuple(BY_ID), ("kl-penalty", "zero-three", "attention-scale")),
)
"""Days ago, the plan, what it asked, and what was known."""


async def practise(store: Store, now: datetime) -> None:
    """Fill the store with finished sessions up to the day before ``now``, and an open one."""
    for number, (days, title, asked, known) in enumerate(PAST):
        last = number == len(PAST) - 1
        session = FINISHED if last else f"5e551000{number:02}"
        replies = [
            Answer(said)
            for each in asked
            for said in (_said(each, last) if each in known else (VAGUE,))
        ]
        await _hold(store, session, title, asked, replies, now - timedelta(days=days))
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
