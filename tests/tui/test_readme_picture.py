"""The interview in the README is this screen; its other pictures are scenes of test_looks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from support.stage import NOW, editor, my_turn, sees, still, until
from textual.pilot import Pilot

from interviewer.composition import load_plans, new_interview
from interviewer.interview.interview import Interview
from interviewer.settings import load_settings
from tui.app import InterviewerApp
from tui.engine import Engine
from tui.interview.screen import InterviewScreen

QUESTION = "low-mfu-speedup"
ANSWERS = (
    "We had that when we trained a 13B on 64 H100s for nine days, at 31% MFU. I took a profile "
    "first and looked where the step waits.",
    "The all-gathers were not overlapped. With prefetching, and `checkpoint` on every second layer "
    "only, we got to 44%.",
)
DRAFT = "Then the data loader: more workers, and the tokenised shards on local NVMe, because"


def test_the_picture_of_the_readme(
    snap_compare: Callable[..., bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(Interview, "seconds_left", property(lambda self: 2257.0))
    settings = load_settings()
    engine = Engine(settings)
    plan = load_plans(settings).get("frontier-loop").model
    [distributed] = [each for each in plan.rounds if each.id == "distributed"]
    first = distributed.parts[0].model_copy(update={"ask": (QUESTION,), "chain": False})
    asked = distributed.model_copy(update={"parts": (first, *distributed.parts[1:])})
    plan = plan.model_copy(update={"rounds": (asked,)})
    app = InterviewerApp(settings, engine=engine, now=lambda: NOW)

    async def settle(pilot: Pilot[None]) -> None:
        library, drawn = engine.library(), {"examiner": "offline", "project": "", "seed": 1}
        opening = partial(new_interview, settings, engine.store, library, plan, **drawn)
        pilot.app.push_screen(InterviewScreen(app.bridge, opening))
        for text in ANSWERS:
            await my_turn(pilot)
            editor(pilot).fill(text)
            await pilot.press("ctrl+s")
            await until(pilot, lambda: not editor(pilot).text)
        await my_turn(pilot)
        editor(pilot).fill(DRAFT)
        for words in (
            "3 follow-ups left",
            "31% MFU",
            "14 words · saved",
            "Priya ▌ Okay. Suppose the GPUs",
        ):
            await sees(pilot, words)
        # What is beside the talk is read in a thread, which a busy machine may keep waiting.
        await until(pilot, lambda: not [each for each in app.workers if each.group == "overview"])
        await still(pilot)

    assert snap_compare(app, terminal_size=(120, 36), run_before=settle)
