"""Hostile texts on every screen that shows what candidates, models, rubrics or plans say."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from support.examiners import ScriptedExaminer
from support.hostile_texts import (
    FINISHED,
    RUBRICS,
    TEXTS,
    examiner,
    practised,
    steering,
    told_in,
)
from support.rubrics import library_of
from support.scenes import home, new_mock, opened
from support.stage import (
    Script,
    an_app,
    answer,
    answers_on_disk,
    app_of,
    editor,
    engine_of,
    in_interview,
    my_turn,
    sees,
    shown,
    still,
    until,
)
from textual import events
from textual.pilot import Pilot
from textual.strip import Strip

from interviewer.errors import ExaminerError
from interviewer.settings import load_settings
from tui import messages
from tui.app import InterviewerApp

ALL = frozenset(TEXTS)
EVERY = " ".join(TEXTS.values())
SIZE = (150, 100)
"""So large that next to nothing is out of sight."""
Reach = Callable[[Pilot[None]], Awaitable[None]]


async def transcript(pilot: Pilot[None]) -> None:
    app_of(pilot).post_message(messages.Go("transcript", (FINISHED,)))
    await until(pilot, lambda: told_in(shown(pilot)))


async def debrief_of(pilot: Pilot[None]) -> None:
    app_of(pilot).post_message(messages.Go("debrief", (FINISHED,)))
    await until(pilot, lambda: told_in(shown(pilot)) and pilot.app.focused)


questions = opened("u", "9 questions")


def then(reach: Reach, *keys: str) -> Reach:
    """Go there, and press these."""

    async def reached(pilot: Pilot[None]) -> None:
        await reach(pilot)
        await still(pilot)
        await pilot.press(*keys)
        await still(pilot)

    return reached


async def interview(pilot: Pilot[None]) -> None:
    await in_interview(pilot)
    pilot.app.post_message(events.Paste(EVERY))
    await until(pilot, lambda: editor(pilot).text)
    await pilot.press("ctrl+s")
    await until(pilot, lambda: answers_on_disk(pilot))
    await my_turn(pilot)


async def failure(pilot: Pilot[None]) -> None:
    scripted = engine_of(pilot).script.examiner
    assert isinstance(scripted, ScriptedExaminer)
    scripted.fail_judge = [ExaminerError(EVERY)]
    await in_interview(pilot)
    await answer(pilot, "zebras graze where rivers bend")
    await until(pilot, lambda: told_in(shown(pilot)) == ALL)


async def notices(pilot: Pilot[None]) -> None:
    await home(pilot)
    for number, text in enumerate(TEXTS.values()):
        if number % 2:
            app_of(pilot).tell(text)
        else:
            app_of(pilot).screen.notify(text, title=text, markup=False)


PLACES: dict[str, tuple[Reach, frozenset[str]]] = {
    "home": (home, ALL),
    "sessions": (opened("s", "Search every"), ALL),
    "transcript": (transcript, frozenset({"ansi", "osc"})),
    "transcript, its end": (then(transcript, "G"), frozenset({"bidi", "nul"})),
    "debrief": (debrief_of, frozenset({"ansi", "osc", "c1"})),
    "debrief, questions": (then(debrief_of, "c"), ALL),
    "debrief, study": (then(debrief_of, "3"), ALL - {"bidi", "nul"}),
    "questions": (questions, ALL),
    "answers": (then(questions, "j", "a"), ALL),
    "set-up": (new_mock, ALL),
    "settings": (opened("comma", "Looks and keys"), frozenset({"textual"})),
    "interview": (interview, ALL),
    "failure": (failure, ALL),
    "notices": (notices, ALL),
}
"""How to get there, and which of the texts can be seen at once."""


def an_app_full_of_it() -> InterviewerApp:
    practised(load_settings().database)
    script = Script(examiner(), list(RUBRICS.values()), clock=lambda: 0.0)
    app = an_app(script, model=TEXTS["textual"], base_url="http://127.0.0.1:9/v1")
    engine = app.bridge.engine
    plans, _ = engine.plans()
    hostile = [
        plan.model_copy(update={"title": f"{text} plan", "description": f"{text} described"})
        for plan, text in zip(plans, TEXTS.values(), strict=False)
    ]
    engine.plans = lambda: (tuple(hostile), tuple(TEXTS.values()))  # type: ignore[method-assign]
    library = library_of(*RUBRICS.values())
    engine.library = lambda: library  # type: ignore[method-assign]
    return app


def executed(strips: list[Strip]) -> list[str]:
    """The parts of the screen where a text made a link, or says what a click does."""
    found = []
    for strip in strips:
        for segment in strip:
            if segment.style and ("pwned" in repr(segment.style.meta) or segment.style.link):
                found.append(segment.text)
            if segment.control:
                found.append(repr(segment.control))
    return found


ALONE = ("interview", "failure", "notices")
"""Places that leave something behind."""


async def is_shown_as_text(pilot: Pilot[None], place: str) -> None:
    reach, expected = PLACES[place]
    await reach(pilot)
    await until(pilot, lambda: told_in(shown(pilot)) >= expected)
    if "textual" in expected:
        await sees(pilot, "[@click=app.pwned]click[/]")
    assert steering(shown(pilot)) == [], place
    assert executed(pilot.app.screen._compositor.render_strips()) == [], place


async def test_it_is_shown_as_text_on_every_page() -> None:
    async with an_app_full_of_it().run_test(size=SIZE) as pilot:
        for place in PLACES:
            if place not in ALONE:
                await is_shown_as_text(pilot, place)
                while len(pilot.app.screen_stack) > 1:
                    await pilot.app.pop_screen()


@pytest.mark.parametrize("place", ALONE)
async def test_it_is_shown_as_text(place: str) -> None:
    async with an_app_full_of_it().run_test(size=SIZE) as pilot:
        await is_shown_as_text(pilot, place)
