"""Files of one's own in the question browser: edited with lint, duplicated, imported, deleted."""

from __future__ import annotations

import json
from pathlib import Path

from support.endpoint import StubEndpoint
from support.questions import at_questions, own_rubric
from support.stage import NARROW, WIDE, an_app, app_of, lines_with, sees, type_in, until
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from tui.questions.editor import AnswerCard, RubricEditor
from tui.questions.screen import QuestionsScreen
from tui.widgets.dialogs import Confirm, InputDialog, Reader

SHIPPED = "zero3-versus-fsdp"
LIST = """\
question,answer,difficulty
Why warm up?,Adam's second moment is noisy. Small steps bound the harm.,easy
Why decay?,,hrad
"""


def on(pilot: Pilot[None], screen: type[object]) -> bool:
    return isinstance(pilot.app.screen, screen)


async def at_mine(pilot: Pilot[None]) -> None:
    """The browser with one's own questions alone."""
    await at_questions(pilot)
    await pilot.press("1")
    await sees(pilot, "✓1 Mine")


async def ask_anew(pilot: Pilot[None], question: str) -> None:
    """Type a new question of one's own."""
    await pilot.press("n")
    await until(pilot, lambda: on(pilot, InputDialog))
    await type_in(pilot, question)
    await pilot.press("enter")


async def editing(pilot: Pilot[None]) -> TextArea:
    """The editor inside, with the text in it."""
    await at_mine(pilot)
    await pilot.press("e")
    return await opened(pilot)


async def opened(pilot: Pilot[None]) -> TextArea:
    await until(pilot, lambda: on(pilot, RubricEditor) and pilot.app.screen.query(TextArea))
    area = pilot.app.screen.query_one(TextArea)
    await until(pilot, lambda: not area.read_only)
    await sees(pilot, "problem")
    return area


async def test_a_file_is_linted_while_typing_and_saved_sound_or_not() -> None:
    """A broken one is a row with its problems, and can be mended."""
    app = an_app()
    path = own_rubric(app, id="my-letters")
    async with app.run_test(size=WIDE) as pilot:
        area = await editing(pilot)
        broken = area.text.replace("difficulty: easy", "difficulty: brutal")
        line = broken[: broken.index("brutal")].count("\n") + 1
        area.replace(broken, (0, 0), area.document.end)
        await sees(pilot, f"✗ line {line}: difficulty")
        await sees(pilot, "not saved")
        await pilot.press("ctrl+s")
        await sees(pilot, "Saved.")
        assert path.read_text() == broken
        await pilot.press("escape")
        await sees(pilot, "✗ mine.yaml")
        await sees(pilot, "This file cannot be used as it is")
        await pilot.press("e")
        area = await opened(pilot)
        area.replace(broken.replace("brutal", "hard"), (0, 0), area.document.end)
        await until(pilot, lambda: not lines_with(pilot, "✗ line"))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "difficulty: hard" in path.read_text())
        await pilot.press("escape")
        await until(pilot, lambda: on(pilot, QuestionsScreen) and lines_with(pilot, "· hard ·"))
        assert not lines_with(pilot, "✗ mine.yaml")


async def test_unsaved_text_is_kept_as_a_draft_also_when_the_program_quits() -> None:
    app = an_app()
    path = own_rubric(app, id="my-letters")
    before = path.read_text()
    async with app.run_test(size=NARROW) as pilot:
        area = await editing(pilot)
        await type_in(pilot, "abc")
        await pilot.press("escape")
        await until(pilot, lambda: on(pilot, Confirm))
        await pilot.press("y")
        await until(pilot, lambda: on(pilot, QuestionsScreen))
        await pilot.press("e")
        area = await opened(pilot)
        assert area.text.startswith("abc")
        await sees(pilot, "Your unsaved text from last time is back")
        assert path.read_text() == before
        await pilot.press("ctrl+r")
        await until(pilot, lambda: area.text == before)
        await type_in(pilot, "xyz")
        await pilot.press("ctrl+q")
        await until(pilot, lambda: not app.is_running)
    [draft] = (app.settings.data_folder / "rubrics").iterdir()
    assert "xyz" in draft.read_text()


async def test_a_shipped_question_is_copied_before_it_is_edited_and_the_copy_deleted() -> None:
    app = an_app()
    copy = app.settings.config_folder / "rubrics" / f"{SHIPPED}-2.yaml"
    async with app.run_test(size=NARROW) as pilot:
        listed = await at_questions(pilot)
        listed.highlighted = listed.get_option_index(SHIPPED)
        await pilot.press("e")
        await until(pilot, lambda: on(pilot, Confirm))
        await pilot.press("y")
        area = await opened(pilot)
        assert f"id: {SHIPPED}-2\n" in area.text
        assert copy.exists()
        await pilot.press("escape")
        await until(pilot, lambda: on(pilot, QuestionsScreen))
        await pilot.press("1")
        await sees(pilot, "1 of")
        for answer in ("n", "y"):
            assert copy.exists()
            await pilot.press("delete")
            await until(pilot, lambda: on(pilot, Confirm))
            await pilot.press(answer)
            await until(pilot, lambda: on(pilot, QuestionsScreen))
        await sees(pilot, "0 of")
    assert not copy.exists()


class TestImport:
    async def test_a_list_becomes_questions_and_what_was_left_out_is_told(
        self, tmp_path: Path
    ) -> None:
        path = tmp_path / "questions.csv"
        path.write_text(LIST)
        app = an_app()
        async with app.run_test(size=NARROW) as pilot:
            await at_questions(pilot)
            for answer, comes in (("n", QuestionsScreen), ("y", Reader)):
                assert not lines_with(pilot, "Why warm up?")
                await pilot.press("i")
                await until(pilot, lambda: on(pilot, InputDialog))
                field = pilot.app.screen.query_one(Input)
                field.value = str(tmp_path / "ques")
                await sees(pilot, "There is no such file yet")
                field.value = str(path)
                await pilot.press("enter")
                await until(pilot, lambda: on(pilot, Confirm))
                for told in ("Import 1 question?", "difficulty 'hrad'", "line 2: Why warm up?"):
                    await sees(pilot, told)
                await pilot.press(answer)
                await until(pilot, lambda screen=comes: on(pilot, screen))  # type: ignore[misc]
            await sees(pilot, "1 question imported")
            await sees(pilot, "line 3 has the difficulty 'hrad'")
            await pilot.press("escape")
            await until(pilot, lambda: on(pilot, QuestionsScreen))
            await sees(pilot, "Why warm up?")

    async def test_a_model_reads_what_the_rules_cannot(self, tmp_path: Path) -> None:
        path = tmp_path / "mail.txt"
        path.write_text("Hi,\nthey wanted the DPO loss from me, derived. Nothing else.\n")
        found = {"line": 2, "question": "the DPO loss", "answer": []}
        reply = json.dumps({"questions": [found]})
        with StubEndpoint(judge=lambda _: reply) as stub:
            app = an_app(base_url=stub.base_url, model="stub")
            async with app.run_test(size=NARROW) as pilot:
                await at_questions(pilot)
                await pilot.press("i")
                await until(pilot, lambda: on(pilot, InputDialog))
                pilot.app.screen.query_one(Input).value = str(path)
                await pilot.press("enter")
                await sees(pilot, "No question found")
                await pilot.press("y", "m")
                await sees(pilot, "Import 1 question?")
                await sees(pilot, "line 1 is taken neither for a question nor for an answer (Hi,)")
                await pilot.press("m", "y")
                await sees(pilot, "1 question imported")
        assert len(stub.requests) == 1


class TestNew:
    """A question of one's own, without a file in an editor."""

    async def test_it_is_asked_and_then_answered_at_once_or_later(self) -> None:
        async with an_app().run_test(size=NARROW, notifications=True) as pilot:
            await at_mine(pilot)
            await sees(pilot, "n writes one, i imports a list")
            await ask_anew(pilot, "Why decay weights?")
            await until(pilot, lambda: on(pilot, AnswerCard))
            await type_in(pilot, "Large weights overfit.")
            await pilot.press("escape")
            await sees(pilot, "w Write answer")
            await pilot.press("w")
            await sees(pilot, "Your unsaved text from last time")
            assert pilot.app.screen.query_one(TextArea).text == "Large weights overfit."
            await pilot.press("ctrl+end")
            await type_in(pilot, " Decay pulls them to zero.")
            await pilot.press("ctrl+s")
            await until(pilot, lambda: on(pilot, QuestionsScreen) and lines_with(pilot, "Saved."))
            [path] = app_of(pilot).bridge.engine.own_folder().glob("*.yaml")
            assert "claim: Decay pulls them to zero." in path.read_text()
            assert path.read_text().splitlines()[1].startswith("# A question of your own.")
