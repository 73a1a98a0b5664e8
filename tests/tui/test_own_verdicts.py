"""One's own verdict where the examiner's is read: at a break, in the debrief, on appeal."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.endpoint import Body, StubEndpoint
from support.judged import marks
from support.lived_in import FINISHED
from support.scenes import BY_NAME
from support.stage import (
    NARROW,
    SESSION,
    WIDE,
    Script,
    an_app,
    answer,
    app_of,
    engine_of,
    in_interview,
    lines_with,
    my_turn,
    opens,
    resumed,
    sees,
    shown,
    until,
)
from textual.pilot import Pilot
from textual.widgets import Input, TabbedContent

from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.store.store import Store
from tui import messages
from tui.screens.debrief import DebriefScreen
from tui.widgets.dialogs import Prompt
from tui.widgets.points import CriterionRow, VerdictCard

PARTLY = "First alpha decides, and gamma closes the row."
"""An answer that leaves one point of the scripted question out, beta."""
UNREAD = "alpha decides it. 首先是第一个字母决定结果，然后是第二个，最后是第三个。"
SAID = "It keeps the policy near the reference model"
REMARK = "That is what steers it."


def own(pilot: Pilot[None], session: str = SESSION) -> object:
    return marks(app_of(pilot).bridge.engine.store.own_verdicts.of(session).verdicts)


async def to_the_verdict(pilot: Pilot[None], said: str = PARTLY) -> None:
    await in_interview(pilot)
    await answer(pilot, said)
    await my_turn(pilot)
    await pilot.press("f4", "y")
    await at_the_verdict(pilot)


async def at_the_verdict(pilot: Pilot[None]) -> None:
    await opens(pilot, VerdictCard)
    await until(pilot, lambda: isinstance(pilot.app.focused, CriterionRow))


class TestAtABreak:
    """The card after a question of a practice."""

    async def test_a_key_settles_a_point_right_there(self) -> None:
        async with an_app(Script(mode="practice")).run_test(size=NARROW) as pilot:
            await to_the_verdict(pilot)
            assert "m Your verdict" in shown(pilot).splitlines()[-1]
            assert "enter Continue" in shown(pilot).splitlines()[-1]
            assert not lines_with(pilot, "A Appeal")
            await pilot.press("j", "m")
            await sees(pilot, "○ not met · you: ● said")
            await until(pilot, lambda: own(pilot) == {1: {"beta": "said"}})
            await sees(pilot, "· with your own verdicts 1.00")
            assert engine_of(pilot).interviews[0].state.rounds[0].questions[0].grade
            await pilot.press("k", "m", "m", "enter")
            await my_turn(pilot)
            assert own(pilot) == {1: {"alpha": "not", "beta": "said"}}

    async def test_it_survives_a_pause_and_is_in_the_debrief(self) -> None:
        async with an_app(Script(mode="practice")).run_test(size=WIDE) as pilot:
            await to_the_verdict(pilot)
            await pilot.press("j", "m")
            await until(pilot, lambda: own(pilot) == {1: {"beta": "said"}})
            await pilot.press("f2")
            await until(pilot, lambda: not pilot.app.screen_stack[1:])
            await resumed(pilot)
            await pilot.press("f8", "y")
            await opens(pilot, DebriefScreen)
            await until(pilot, lambda: pilot.app.screen.query(TabbedContent))
            await pilot.press("2")
            await sees(pilot, "○ not met · you: ● said")

    async def test_what_another_window_settles_is_seen_with_the_next_verdict(self) -> None:
        async with an_app(Script(mode="practice")).run_test(size=NARROW) as pilot:
            await to_the_verdict(pilot)
            elsewhere = Store(engine_of(pilot).settings.database)
            elsewhere.own_verdicts.add(SESSION, 1, "beta", "not")
            elsewhere.close()
            await pilot.press("m")
            await sees(pilot, "○ not met · you: ○ not said")
            assert own(pilot) == {1: {"alpha": "said", "beta": "not"}}

    async def test_a_point_that_could_not_be_judged_is_settled_like_any_other(self) -> None:
        script = Script(OfflineExaminer(), mode="practice")
        async with an_app(script).run_test(size=WIDE) as pilot:
            await to_the_verdict(pilot, UNREAD)
            assert len(lines_with(pilot, "– not judged, language")) == 2
            await pilot.press("j", "m")
            await sees(pilot, "– not judged, language · you: ● said")
            assert not lines_with(pilot, "with your own verdicts")
            await pilot.press("j", "m")
            await sees(pilot, "· with your own verdicts 1.00")
            assert own(pilot) == {1: {"beta": "said", "gamma": "said"}}


def met(body: Body) -> str:
    """A judgement that credits the point with words that were said."""
    finding = {"id": "target", "evidence": [SAID], "verdict": "met", "missing": ""}
    return json.dumps({"criteria": [finding]})


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Any:
    with StubEndpoint(judge=met) as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        monkeypatch.setenv("INTERVIEWER_MODEL", "stub")
        yield stub


class TestAppeal:
    """A model judges one point once more."""

    async def at_the_point(self, pilot: Pilot[None]) -> None:
        pilot.app.post_message(messages.ReadDebrief(FINISHED))
        await opens(pilot, DebriefScreen)
        await until(pilot, lambda: pilot.app.screen.query(TabbedContent) and pilot.app.focused)
        await pilot.press("c")
        await until(pilot, lambda: isinstance(pilot.app.focused, CriterionRow))

    async def appeal(self, pilot: Pilot[None], remark: str) -> None:
        await pilot.press("A")
        await opens(pilot, Prompt)
        pilot.app.screen.query_one(Input).value = remark
        await pilot.press("enter")
        await opens(pilot, DebriefScreen)

    async def test_it_stands_beside_both_other_verdicts(self, stub: StubEndpoint) -> None:
        async with BY_NAME["debrief"].app().run_test(size=WIDE) as pilot:
            await self.at_the_point(pilot)
            await sees(pilot, "A Appeal")
            await pilot.press("m")
            await self.appeal(pilot, REMARK)
            told = f"○ not met · on appeal: ● met (“{SAID}”) · you: ● said"
            await sees(pilot, told)
            await sees(pilot, "Score: examiner 0.71 · with your own verdicts 1.00")
            assert REMARK in json.dumps(stub.requests[-1]["messages"])

    async def test_one_that_fails_is_told(self, stub: StubEndpoint) -> None:
        stub.judge = lambda body: "no idea"
        async with BY_NAME["debrief"].app().run_test(size=WIDE, notifications=True) as pilot:
            await self.at_the_point(pilot)
            await self.appeal(pilot, REMARK)
            await sees(pilot, "could not be used")
            assert not lines_with(pilot, "on appeal")

    async def test_offline_there_is_none(self) -> None:
        async with BY_NAME["debrief"].app().run_test(size=WIDE) as pilot:
            await self.at_the_point(pilot)
            assert "A Appeal" not in shown(pilot)
            await pilot.press("A")
            assert isinstance(pilot.app.screen, DebriefScreen)
