"""One's own verdict where the examiner's is read: at a break, over a transcript, on appeal."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.endpoint import Body, StubEndpoint
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
    resumed,
    shown,
    until,
)
from textual.pilot import Pilot
from textual.widgets import Input, TabbedContent

from interviewer.store.store import Store
from tui import messages
from tui.screens.debrief import DebriefScreen
from tui.screens.help import HelpScreen
from tui.screens.sessions import TranscriptScreen
from tui.widgets.points import CriterionRow, VerdictCard
from tui.widgets.prompt import Prompt

PARTLY = "First alpha decides, and gamma closes the row."
"""An answer that leaves one point of the scripted question out, beta."""
SAID = "It keeps the policy near the reference model"
REMARK = "That is what steers it."


def own(pilot: Pilot[None], session: str = SESSION) -> object:
    return app_of(pilot).bridge.engine.store.own_verdicts.of(session).verdicts


async def to_the_verdict(pilot: Pilot[None]) -> None:
    await in_interview(pilot)
    await answer(pilot, PARTLY)
    await my_turn(pilot)
    await pilot.press("f4", "y")
    await at_the_verdict(pilot)


async def at_the_verdict(pilot: Pilot[None]) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, VerdictCard))
    await until(pilot, lambda: isinstance(pilot.app.focused, CriterionRow))


class TestAtABreak:
    """The card after a question of a practice."""

    @pytest.mark.parametrize("size", [NARROW, WIDE])
    async def test_a_key_settles_a_point_right_there(self, size: tuple[int, int]) -> None:
        async with an_app(Script(mode="practice")).run_test(size=size) as pilot:
            await to_the_verdict(pilot)
            assert "m Your verdict" in shown(pilot).splitlines()[-1]
            assert "enter Continue" in shown(pilot).splitlines()[-1]
            assert not lines_with(pilot, "A Appeal")
            await pilot.press("j", "m")
            await until(pilot, lambda: lines_with(pilot, "○ not met · you: ● said"))
            await until(pilot, lambda: own(pilot) == {1: {"beta": "said"}})
            await until(pilot, lambda: lines_with(pilot, "· with your own verdicts 1.00"))
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
            await until(pilot, lambda: isinstance(pilot.app.screen, DebriefScreen))
            await until(pilot, lambda: pilot.app.screen.query(TabbedContent))
            await pilot.press("2")
            await until(pilot, lambda: lines_with(pilot, "○ not met · you: ● said"))

    async def test_what_another_window_settles_is_seen_once_one_is_back(self) -> None:
        async with an_app(Script(mode="practice")).run_test(size=NARROW) as pilot:
            await to_the_verdict(pilot)
            elsewhere = Store(engine_of(pilot).settings.database)
            elsewhere.own_verdicts.add(SESSION, 1, "beta", "not")
            elsewhere.close()
            await pilot.press("f1")
            await until(pilot, lambda: isinstance(pilot.app.screen, HelpScreen))
            await pilot.press("escape")
            await until(pilot, lambda: lines_with(pilot, "○ not met · you: ○ not said"))


class TestOverATranscript:
    """The points of the question whose answer is in view."""

    async def test_a_key_leads_to_them_and_the_transcript_shows_what_was_settled(self) -> None:
        async with BY_NAME["transcript"].app().run_test(size=WIDE) as pilot:
            pilot.app.post_message(messages.ReadTranscript(FINISHED))
            await until(pilot, lambda: lines_with(pilot, "○ not met  An adaptive controller"))
            assert "m Your verdict" in shown(pilot).splitlines()[-1]
            await pilot.press("m")
            await at_the_verdict(pilot)
            assert lines_with(pilot, "Your verdict: band 3 of 4")
            assert not lines_with(pilot, "the clock is stopped")
            assert not lines_with(pilot, "F2 Pause")
            await pilot.press("j", "m")
            await until(pilot, lambda: own(pilot, FINISHED) == {1: {"target": "said"}})
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, TranscriptScreen))
            told = "○ not met · you: ● said  An adaptive controller"
            await until(pilot, lambda: lines_with(pilot, told))

    async def test_it_is_the_question_that_was_asked_for(self) -> None:
        async with BY_NAME["transcript"].app().run_test(size=NARROW) as pilot:
            session = app_of(pilot).bridge.engine.session(FINISHED)
            third = session.replay.state.questions[2]
            wanted = messages.ReadTranscript(FINISHED, third.judged[-1].answer_turn)
            pilot.app.post_message(wanted)
            await until(pilot, lambda: lines_with(pilot, "The variance of the dot product"))
            await pilot.press("m")
            await at_the_verdict(pilot)
            await until(pilot, lambda: lines_with(pilot, "Why attention logits are divided"))

    async def test_there_is_nothing_to_settle_while_an_exam_hides_its_verdicts(self) -> None:
        async with an_app().run_test(size=WIDE) as pilot:
            await engine_of(pilot).hold()
            pilot.app.post_message(messages.ReadTranscript(SESSION))
            await until(pilot, lambda: lines_with(pilot, "Verdicts appear once"))
            assert "m Your verdict" not in shown(pilot)
            await pilot.press("m")
            assert isinstance(pilot.app.screen, TranscriptScreen)


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
        await until(pilot, lambda: isinstance(pilot.app.screen, DebriefScreen))
        await until(pilot, lambda: pilot.app.screen.query(TabbedContent) and pilot.app.focused)
        await pilot.press("c")
        await until(pilot, lambda: isinstance(pilot.app.focused, CriterionRow))

    async def appeal(self, pilot: Pilot[None], remark: str) -> None:
        await pilot.press("A")
        await until(pilot, lambda: isinstance(pilot.app.screen, Prompt))
        pilot.app.screen.query_one(Input).value = remark
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, DebriefScreen))

    async def test_it_stands_beside_both_other_verdicts(self, stub: StubEndpoint) -> None:
        async with BY_NAME["debrief"].app().run_test(size=WIDE) as pilot:
            await self.at_the_point(pilot)
            assert "A Appeal" in shown(pilot).splitlines()[-1]
            await pilot.press("m")
            await self.appeal(pilot, REMARK)
            told = f"○ not met · on appeal: ● met (“{SAID}”) · you: ● said"
            await until(pilot, lambda: lines_with(pilot, told))
            assert lines_with(pilot, "Score: examiner 0.71 · with your own verdicts 1.00")
            assert REMARK in json.dumps(stub.requests[-1]["messages"])

    async def test_one_that_fails_is_told_and_its_remark_is_kept(self, stub: StubEndpoint) -> None:
        stub.judge = lambda body: "no idea"
        async with BY_NAME["debrief"].app().run_test(size=WIDE, notifications=True) as pilot:
            await self.at_the_point(pilot)
            await self.appeal(pilot, REMARK)
            await until(pilot, lambda: lines_with(pilot, "reply could not be used"))
            assert not lines_with(pilot, "on appeal")
            await pilot.press("A")
            await until(pilot, lambda: isinstance(pilot.app.screen, Prompt))
            assert pilot.app.screen.query_one(Input).value == REMARK

    async def test_offline_there_is_none(self) -> None:
        async with BY_NAME["debrief"].app().run_test(size=WIDE) as pilot:
            await self.at_the_point(pilot)
            assert "A Appeal" not in shown(pilot)
            await pilot.press("A")
            assert isinstance(pilot.app.screen, DebriefScreen)
