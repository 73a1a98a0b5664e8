"""Files of one's own in the question browser: edited with lint, duplicated, imported, deleted."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.drafts import drafted
from support.endpoint import StubEndpoint
from support.questions import at_questions, own_rubric
from support.stage import NARROW, WIDE, an_app, app_of, lines_with, sees, type_in, until
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from tui.app import InterviewerApp
from tui.questions.editor import AnswerCard, RubricEditor
from tui.questions.files import Preview, Report
from tui.questions.screen import QuestionsScreen
from tui.widgets.dialogs import Confirm, Prompt

SHIPPED = "zero3-versus-fsdp"
LIST = """\
question,answer,difficulty
Why warm up?,Adam's second moment is noisy. Small steps bound the harm.,easy
Why decay?,,hrad
"""


@pytest.fixture(autouse=True)
def _no_editor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)


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
    await until(pilot, lambda: on(pilot, Prompt))
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


class TestEditor:
    async def test_it_is_linted_while_typing_and_saved_sound_or_not(self) -> None:
        app = an_app()
        path = own_rubric(app, id="my-letters")
        async with app.run_test(size=NARROW) as pilot:
            area = await editing(pilot)
            broken = area.text.replace("difficulty: easy", "difficulty: brutal")
            line = broken[: broken.index("brutal")].count("\n") + 1
            area.replace(broken, (0, 0), area.document.end)
            await sees(pilot, f"✗ line {line}: difficulty")
            await sees(pilot, "not saved")
            await pilot.press("ctrl+s")
            await sees(pilot, "Saved. It cannot be asked before")
            assert path.read_text() == broken
            area.replace(broken.replace("brutal", "hard"), (0, 0), area.document.end)
            await until(pilot, lambda: not lines_with(pilot, "✗ line"))
            await pilot.press("ctrl+s")
            await until(pilot, lambda: "difficulty: hard" in path.read_text())
            await pilot.press("escape")
            await until(pilot, lambda: on(pilot, QuestionsScreen) and lines_with(pilot, "· hard ·"))

    async def test_unsaved_text_is_kept_as_a_draft_and_comes_back(self) -> None:
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
            await pilot.press("escape")
            await until(pilot, lambda: on(pilot, QuestionsScreen))

    async def test_what_was_typed_is_on_disk_when_the_program_quits(self) -> None:
        app = an_app()
        own_rubric(app, id="my-letters")
        async with app.run_test(size=NARROW) as pilot:
            await editing(pilot)
            await type_in(pilot, "abc")
            await pilot.press("ctrl+q")
            await pilot.pause()
        [draft] = (app.settings.data_folder / "rubrics").iterdir()
        assert draft.read_text().startswith("abc")

    async def test_a_broken_file_is_a_row_with_its_problems_and_can_be_mended(self) -> None:
        app = an_app()
        path = own_rubric(app, id="my-letters")
        whole = path.read_text()
        path.write_text(whole.replace("difficulty: easy", "difficulty: brutal"))
        async with app.run_test(size=WIDE) as pilot:
            await at_mine(pilot)
            await sees(pilot, "✗ mine.yaml")
            await sees(pilot, "This file cannot be used as it is")
            await pilot.press("e")
            area = await opened(pilot)
            area.replace(whole, (0, 0), area.document.end)
            await pilot.press("ctrl+s")
            await until(pilot, lambda: path.read_text() == whole)
            await pilot.press("escape")
            await until(pilot, lambda: on(pilot, QuestionsScreen) and lines_with(pilot, "yours"))
            assert not lines_with(pilot, "✗ mine.yaml")


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An $EDITOR that each time spoils a file the first time, and mends it the second."""
    script = tmp_path / "editor.py"
    script.write_text(
        "import pathlib, sys\n"
        "steps = pathlib.Path(sys.argv[1]); target = pathlib.Path(sys.argv[2])\n"
        "now, *later = steps.read_text().splitlines()\n"
        "old, new = now.split('>')\n"
        "target.write_text(target.read_text().replace(old, new))\n"
        "steps.write_text('\\n'.join(later))\n"
    )
    brutal, hard = "difficulty: brutal", "difficulty: hard"
    steps = tmp_path / "steps"
    steps.write_text(f"difficulty: easy>{brutal}\n{brutal}>{hard}")
    command = shlex.join([sys.executable, str(script), str(steps)])
    monkeypatch.setenv("EDITOR", command)

    @contextmanager
    def suspend(_: InterviewerApp) -> Iterator[None]:
        yield

    monkeypatch.setattr(InterviewerApp, "suspend", suspend)


class TestOutside:
    @pytest.mark.usefixtures("outside")
    async def test_problems_are_told_by_line_with_a_key_to_edit_again(self) -> None:
        app = an_app()
        path = own_rubric(app, id="my-letters")
        async with app.run_test(size=NARROW) as pilot:
            await at_mine(pilot)
            await pilot.press("e")
            await until(pilot, lambda: on(pilot, Report) and lines_with(pilot, ": difficulty"))
            await sees(pilot, "mine.yaml: ")
            await pilot.press("e")
            await until(pilot, lambda: "difficulty: hard" in path.read_text())
            await until(pilot, lambda: not lines_with(pilot, ": difficulty"))


class TestDuplicate:
    async def test_a_shipped_question_is_copied_before_it_is_edited(self) -> None:
        app = an_app()
        async with app.run_test(size=NARROW) as pilot:
            listed = await at_questions(pilot)
            listed.highlighted = listed.get_option_index(SHIPPED)
            await pilot.press("e")
            await until(pilot, lambda: on(pilot, Confirm))
            await pilot.press("y")
            await until(pilot, lambda: on(pilot, Prompt))
            await pilot.press("enter")
            area = await opened(pilot)
            assert f"id: {SHIPPED}-2\n" in area.text
        folder = app.settings.config_folder / "rubrics"
        assert (folder / f"{SHIPPED}-2.yaml").exists()


class TestImport:
    async def test_a_list_becomes_questions_and_what_was_left_out_is_told(
        self, tmp_path: Path
    ) -> None:
        path = tmp_path / "questions.csv"
        path.write_text(LIST)
        app = an_app()
        async with app.run_test(size=NARROW) as pilot:
            await at_questions(pilot)
            for answer, comes in (("n", QuestionsScreen), ("y", Report)):
                assert not lines_with(pilot, "Why warm up?")
                await pilot.press("i")
                await until(pilot, lambda: on(pilot, Prompt))
                field = pilot.app.screen.query_one(Input)
                field.value = str(tmp_path / "ques")
                await sees(pilot, "There is no such file yet")
                field.value = str(path)
                await pilot.press("enter")
                await until(pilot, lambda: on(pilot, Preview))
                for told in ("Import 1 question?", "difficulty 'hrad'", "line 2: Why warm up?"):
                    await sees(pilot, told)
                await pilot.press(answer)
                await until(pilot, lambda screen=comes: on(pilot, screen))  # type: ignore[misc]
            await sees(pilot, "1 question imported")
            await sees(pilot, "line 3 has the difficulty 'hrad'")
            await pilot.press("escape")
            await until(pilot, lambda: on(pilot, QuestionsScreen))
            await sees(pilot, "Why warm up?")


class TestDelete:
    async def test_ones_own_is_deleted_after_a_question(self) -> None:
        app = an_app()
        path = own_rubric(app, id="my-letters")
        async with app.run_test(size=NARROW) as pilot:
            await at_mine(pilot)
            await pilot.press("delete")
            await until(pilot, lambda: on(pilot, Confirm))
            await pilot.press("n")
            assert path.exists()
            await pilot.press("delete")
            await until(pilot, lambda: on(pilot, Confirm))
            await pilot.press("y")
            await sees(pilot, "0 of")
        assert not path.exists()


class TestNew:
    """A question of one's own, without a file in an editor."""

    async def test_it_is_asked_and_then_answered_at_once_or_later(self) -> None:
        async with an_app().run_test(size=NARROW, notifications=True) as pilot:
            await at_mine(pilot)
            await sees(pilot, "n writes one, i imports a list")
            await ask_anew(pilot, "Why decay weights?")
            await until(pilot, lambda: on(pilot, AnswerCard))
            await pilot.press("escape")
            await sees(pilot, "w Write answer")
            await pilot.press("w")
            await until(pilot, lambda: on(pilot, AnswerCard))
            await type_in(pilot, "Large weights overfit. Decay pulls them to zero.")
            await pilot.press("ctrl+s")
            await until(pilot, lambda: on(pilot, QuestionsScreen) and lines_with(pilot, "Saved."))
            [path] = app_of(pilot).bridge.engine.own_folder().glob("*.yaml")
            assert "claim: Decay pulls them to zero." in path.read_text()
            assert path.read_text().splitlines()[1].startswith("# A question of your own.")


class TestAnswer:
    """What a list asked without answering."""

    async def asked(self, pilot: Pilot[None]) -> TextArea:
        """The card for a question from a list without answers."""
        own = app_of(pilot).bridge.engine.own_folder()
        source = own.parent / "list.csv"
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text("question\nWhy decay?\n")
        app_of(pilot).bridge.engine.import_list(source)
        await at_mine(pilot)
        await sees(pilot, "w Write answer")
        await pilot.press("w")
        await until(pilot, lambda: on(pilot, AnswerCard))
        return pilot.app.screen.query_one(TextArea)

    async def test_what_is_not_saved_is_there_the_next_time(self) -> None:
        async with an_app().run_test(size=NARROW) as pilot:
            await self.asked(pilot)
            await type_in(pilot, "Large weights")
            await pilot.press("escape")
            await until(pilot, lambda: on(pilot, QuestionsScreen))
            await pilot.press("w")
            await sees(pilot, "Your unsaved text from last time")
            assert pilot.app.screen.query_one(TextArea).text == "Large weights"

    async def test_the_model_drafts_it_where_one_is_set(self) -> None:
        with StubEndpoint(judge=lambda body: drafted()) as server:
            app = an_app(base_url=server.base_url, model="stub")
            async with app.run_test(size=WIDE) as pilot:
                await self.asked(pilot)
                await pilot.press("f5")
                area = await opened(pilot)
                assert "averaging takes the jitter" in " ".join(area.text.split())
                assert "question: Why decay?" in area.text

    async def test_a_draft_that_cannot_be_used_leaves_what_was_typed(self) -> None:
        with StubEndpoint(judge=lambda body: "no") as server:
            app = an_app(base_url=server.base_url, model="stub")
            async with app.run_test(size=WIDE) as pilot:
                editor = await self.asked(pilot)
                await type_in(pilot, "mine")
                await pilot.press("f5")
                await sees(pilot, "cannot be used")
                assert editor.text == "mine"
                assert editor.has_focus
