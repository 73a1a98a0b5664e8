"""The figure of a question on the screen: under it, in full, and never in the way."""

from __future__ import annotations

from support.figures import CURVES, LISTING
from support.rubrics import a_rubric
from support.stage import (
    WIDE,
    Script,
    an_app,
    answer,
    editor,
    in_interview,
    interviewing,
    lines_with,
    my_turn,
    sees,
    shown,
    type_in,
    until,
)
from textual.pilot import Pilot

from tui.widgets.dialogs import Reader

TINY = (40, 20)
WITH_CURVES = a_rubric(figure=CURVES)
WITH_CODE = a_rubric(figure=LISTING)
BRAILLE = {chr(code) for code in range(0x2801, 0x2900)}


def drawn(pilot: Pilot[None]) -> bool:
    return bool(BRAILLE & set(shown(pilot)))


def in_full(pilot: Pilot[None]) -> bool:
    return isinstance(pilot.app.screen, Reader)


async def test_a_large_figure_is_folded_and_a_key_shows_it_in_full() -> None:
    async with an_app(Script(rubrics=[WITH_CURVES])).run_test(size=TINY) as pilot:
        await in_interview(pilot)
        await sees(pilot, "▸ Figure:")
        assert not drawn(pilot)
        await sees(pilot, "alt+o figure")
        await pilot.press("alt+o")
        await until(pilot, lambda: in_full(pilot) and drawn(pilot))
        await sees(pilot, "loss (line: train")
        await pilot.press("escape")
        await until(pilot, lambda: not in_full(pilot))
        await type_in(pilot, "alpha")
        assert editor(pilot).region.bottom <= TINY[1]
        assert editor(pilot).region.height >= 5


async def test_where_there_is_room_it_stands_under_the_question() -> None:
    async with an_app(Script(rubrics=[WITH_CURVES])).run_test(size=WIDE) as pilot:
        await in_interview(pilot)
        await until(pilot, lambda: drawn(pilot))
        last = max(y for y, line in enumerate(shown(pilot).splitlines()) if BRAILLE & set(line))
        assert last < editor(pilot).region.y


async def test_code_is_shown_with_line_numbers_and_never_as_markup() -> None:
    async with interviewing(Script(rubrics=[WITH_CODE])) as pilot:
        await sees(pilot, "2 │     loss = model(batch)[0]")
        await pilot.press("alt+o")
        await until(pilot, lambda: in_full(pilot) and lines_with(pilot, "# [bold red]shout[/]"))


async def test_a_question_without_one_has_no_key_for_it() -> None:
    async with interviewing() as pilot:
        assert "alt+o" not in shown(pilot)
        await pilot.press("alt+o")
        await answer(pilot, "alpha")
        await my_turn(pilot)
        assert not in_full(pilot)
