"""An interview about the candidate's own project, from their notes to the debrief."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.rubrics import a_rubric, library_of
from support.sessions import hold, of_kind
from support.tables import table

from interviewer.composition import new_interview
from interviewer.errors import SettingsError
from interviewer.interview import commands, events
from interviewer.interview.debrief import debrief
from interviewer.interview.journal import load
from interviewer.interview.plans import Plan
from interviewer.report.text import debrief_lines
from interviewer.settings import load_settings
from interviewer.store.store import Store

CASES = table("cases", __file__)["own_project"]

IMPOSSIBLE = "We trained a 70B model on 2T tokens with 8 A100s in 3 days, and I ran it alone."
OWN = {"looks_for": "number", "question": 'You write: "{passage}". How was that measured?'}
PROJECT = a_rubric(id="own-number", kind="project", round="project", own_project=OWN)
PLAN = CASES["plan"]


async def held(store: Store, project: str | None, *more: str) -> list[events.Event]:
    library = library_of(PROJECT)
    plan = Plan.model_validate(PLAN)
    interview = new_interview(
        load_settings(), store, library, plan, examiner="offline", project=project
    )
    said = map(commands.Answer, ("Alpha decides it, as we saw.", *more))
    return await hold(interview, [*said, commands.EndInterview()])


def question_of(seen: list[events.Event]) -> events.QuestionAsked:
    return of_kind(seen, events.QuestionAsked)[0]


async def test_the_question_quotes_the_notes(store: Store, tmp_path: Path) -> None:
    notes = tmp_path / "cv.md"
    notes.write_text(f"# CV\n\n- {IMPOSSIBLE}\n")
    seen = await held(store, str(notes))
    assert question_of(seen).text == (
        f'You write: "{IMPOSSIBLE.rstrip(".")}". How was that measured?'
    )


async def test_without_notes_it_is_asked_as_it_stands(store: Store) -> None:
    assert question_of(await held(store, None)).text == PROJECT.question


async def test_notes_that_cannot_be_read_begin_nothing(store: Store) -> None:
    with pytest.raises(SettingsError, match=r"gone\.md cannot be read"):
        await held(store, "gone.md")
    assert store.history.count() == 0


async def test_numbers_of_the_notes_are_added_up_and_told_in_the_debrief(store: Store) -> None:
    seen = await held(store, IMPOSSIBLE, "No, that is how it was.")
    challenge = of_kind(seen, events.FollowUpAsked)[0]
    assert "FLOP" in challenge.text
    session = store.history.sessions(1)[0].id
    replay = load(store, session)
    assert replay.state.project == IMPOSSIBLE
    told = debrief(replay.state, replay.rubrics)
    assert "(your notes)" in "\n".join(debrief_lines(told))
