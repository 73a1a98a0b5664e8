"""The program's own themes: legible everywhere, for every eye, on every terminal."""

from __future__ import annotations

from itertools import combinations

import pytest
from support.contrast import contrast, difference
from support.stage import NARROW, an_app, sees
from textual.color import Color

from tui.theme import FEW_COLOURS, PALETTES, Palette

GROUNDS = (
    "background",
    "surface",
    "panel",
    "block-cursor-background",
    "block-cursor-blurred-background",
)
TEXTS = (
    "foreground",
    "text",
    "text-muted",
    "text-disabled",
    "text-primary",
    "text-success",
    "text-warning",
    "text-error",
    "text-accent",
    "primary",
    "success",
    "warning",
    "error",
)
EACH = pytest.mark.parametrize("palette", PALETTES, ids=lambda palette: palette.name)


def colours(palette: Palette) -> dict[str, str]:
    return palette.theme.to_color_system().generate()


@EACH
def test_every_text_is_legible_on_every_ground(palette: Palette) -> None:
    made = {name: Color.parse(value) for name, value in colours(palette).items() if value[0] == "#"}
    least = 7.0 if "high-contrast" in palette.name else 4.5
    faint = [
        (text, ground, round(contrast(made[text], made[ground]), 2))
        for text in TEXTS
        for ground in GROUNDS
        if contrast(made[text], made[ground]) < least
    ]
    assert not faint


@pytest.mark.parametrize("kind", ["protanopia", "deuteranopia", "tritanopia"])
@pytest.mark.parametrize("name", ["dark-colour-blind", "light-colour-blind"])
def test_verdicts_are_told_apart_without_all_cones(name: str, kind: str) -> None:
    palette = next(each for each in PALETTES if each.name == name)
    made = [Color.parse(colour) for colour in palette.verdicts]
    assert min(difference(*pair, kind) for pair in combinations(made, 2)) > 25


async def test_without_colours_the_row_under_the_cursor_is_underlined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with an_app().run_test(size=NARROW) as pilot:
        assert pilot.app.theme == FEW_COLOURS
        await sees(pilot, "New mock")
        await pilot.press("n")
        await sees(pilot, "The driller")
        strips = pilot.app.screen._compositor.render_strips()
        told = [text for strip in strips for text, style, _ in strip if style and style.underline]
        assert "Three-round mock" in " ".join(told)
