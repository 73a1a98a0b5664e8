"""Every shipped plan, held from the first question to the debrief."""

from __future__ import annotations

from collections import Counter

import pytest

from interviewer.composition import load_library, load_plans, new_interview
from interviewer.content.kinds import PLANS as PLAN_FILES
from interviewer.interview import commands, events
from interviewer.interview.debrief import debrief
from interviewer.interview.debrief.assessment import Level
from interviewer.interview.interview import Interview
from interviewer.interview.journal import Replay, load
from interviewer.interview.plans import Length
from interviewer.names import DEFAULT_PLAN
from interviewer.settings import load_settings
from interviewer.store.store import Store

pytestmark = pytest.mark.usefixtures("shared_worker")

PLANS = sorted(path.stem for path in PLAN_FILES.shipped.glob("*.yaml"))
NOTES = """\
I pre-trained a 1.3B model on 26B tokens with 32 A100s in about two days.

We chose a cosine schedule over a constant rate because the ablation at 160M was clearer.

Loss spiked at step 9,000; I traced it to a shard of repeated forum pages and dropped it.

The evaluation loss went from 2.61 to 2.47 against our previous base model.
"""


async def held(
    store: Store,
    plan_id: str,
    *,
    seed: int,
    kind: str = "middle",
    project: str = "",
    length: Length = Length.STANDARD,
) -> Replay:
    """The plan at this length: a sample answer to each question, and on after one follow-up.

    Without a ``kind`` of sample every question is skipped.
    """
    settings = load_settings()
    interview = new_interview(
        settings,
        store,
        load_library(settings),
        load_plans(settings).get(plan_id).model,
        length=length,
        examiner="offline",
        seed=seed,
        project=project,
    )
    async for event in interview:
        if isinstance(event, events.YourTurn):
            interview.send(_reply(interview, kind))
    return load(store, interview.session_id)


def _reply(interview: Interview, kind: str) -> commands.Command:
    question = interview.state.question
    assert question is not None
    if not kind or len(question.turns) > 1:
        return commands.Skip()
    samples = interview.rubrics[question.rubric].samples
    answers = (sample.answer for sample in samples if sample.kind == kind)
    return commands.Answer(next(answers, "We argued about it for a week, and then I ran it."))


@pytest.mark.parametrize(("length", "questions"), [(Length.QUICK, 4), (Length.STANDARD, 6)])
async def test_the_default_mock_has_three_rounds_and_a_recommendation(
    store: Store, length: Length, questions: int
) -> None:
    for seed in range(20):
        replay = await held(store, DEFAULT_PLAN, seed=seed, kind="full", length=length)
        found = debrief(replay.state, replay.rubrics)
        assert (len(found.rounds), len(replay.state.questions)) == (3, questions)
        assert found.recommendation.level is not Level.NOT_ENOUGH


async def test_each_round_of_the_default_mock_begins_with_a_quick_one(store: Store) -> None:
    replay = await held(store, DEFAULT_PLAN, seed=1)
    for part in replay.state.rounds:
        first, second = (replay.rubrics[question.rubric].kind for question in part.questions)
        assert first == "one-liner" != second


def asked(replay: Replay) -> list[str]:
    return [question.rubric for question in replay.state.questions]


@pytest.mark.parametrize("plan_id", PLANS)
async def test_a_plan_is_held_to_its_debrief(store: Store, plan_id: str) -> None:
    replay = await held(store, plan_id, seed=5)
    plan = load_plans(load_settings()).get(plan_id).model
    finished = replay.state.finished
    assert finished is not None
    talks = [q for q in replay.state.questions if replay.rubrics[q.rubric].is_discussion]
    assert finished.graded + len(talks) == sum(part.count for part in plan.rounds)
    assert (finished.ungraded, finished.not_asked) == (0, 0)
    assert len(debrief(replay.state, replay.rubrics).rounds) == len(plan.rounds)


@pytest.mark.parametrize("plan_id", PLANS)
async def test_the_next_time_other_questions_are_asked(store: Store, plan_id: str) -> None:
    first = await held(store, plan_id, seed=5, kind="")
    second = await held(store, plan_id, seed=5, kind="")
    again = Counter(asked(first)) & Counter(asked(second))
    assert sum(again.values()) <= _unavoidable(plan_id)


def _unavoidable(plan_id: str) -> int:
    """How many questions come back for want of others: those always asked, and of small pools."""
    settings = load_settings()
    plan, briefs = load_plans(settings).get(plan_id).model, load_library(settings).summaries()
    named = {rubric for part in plan.rounds for rubric in part.named}
    forced = 0
    for part in plan.rounds:
        always = sum(each.share for each in part.in_parts if each.always)
        picks = [each.pick for each in part.in_parts if each.pick]
        drawn = {b.id for b in briefs if b.id not in named and any(p.allows(b) for p in picks)}
        pool = len(drawn | set(part.named)) - always
        if not part.ladder:
            forced += always + max(0, 2 * (part.count - always) - pool)
        for rung in part.ladder:  # all questions of a round may stand on one rung
            forced += max(0, 2 * part.count - sum(rung.allows(brief) for brief in briefs))
    return forced


async def test_a_strong_candidate_climbs_the_ladder_and_a_weak_one_stays_down(
    store: Store,
) -> None:
    strong = await held(store, "training-ladder", seed=5, kind="full")
    weak = await held(store, "training-ladder", seed=5, kind="wrong")

    def height(replay: Replay) -> float:
        (climb,) = (part for part in replay.state.rounds if part.outline.rungs)
        rung = {each: n for n, rung in enumerate(climb.outline.rungs) for each in rung}
        return sum(rung[q.rubric] for q in climb.questions) / len(climb.questions)

    assert height(strong) > height(weak) + 0.5


async def test_project_questions_quote_the_notes(store: Store) -> None:
    replay = await held(store, "the-driller", seed=5, project=NOTES)
    about = [q for q in replay.state.questions if replay.rubrics[q.rubric].own_project]
    assert len(about) == 3
    lines = NOTES.split("\n\n")
    quoted = {line for line in lines for q in about if line[:30] in q.turns[0].text}
    assert len(quoted) == 3
