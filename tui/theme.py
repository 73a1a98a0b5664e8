"""The program's own themes: dark and light, each also with high contrast and for colour blindness.

Every colour of text reaches 4.5:1 on every ground that it may stand on, 7:1 with high contrast.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from textual.theme import Theme

DEFAULT = "dark"
FEW_COLOURS = "dark-high-contrast"
"""For terminals with 16 colours or none: it underlines the row under the cursor."""


@dataclass(frozen=True)
class Palette:
    """The decisions behind a theme; every variable of Textual's follows from them."""

    name: str
    dark: bool
    grounds: tuple[str, str, str]
    """Background, surface, panel."""
    texts: tuple[str, str, str]
    """Plain, muted, disabled."""
    verdicts: tuple[str, str, str]
    """Good, half, wrong."""
    primary: str
    cursors: tuple[str, str]
    """The row under the cursor, with the focus and without."""
    line: str
    underlined: bool = False
    """The row under the cursor is underlined too, which shows without any colour."""

    @property
    def theme(self) -> Theme:
        background, surface, panel = self.grounds
        success, warning, error = self.verdicts
        return Theme(
            name=self.name,
            dark=self.dark,
            background=background,
            surface=surface,
            panel=panel,
            foreground=self.texts[0],
            primary=self.primary,
            secondary=self.texts[1],
            accent=self.primary,
            success=success,
            warning=warning,
            error=error,
            variables=self._variables(),
        )

    def _variables(self) -> dict[str, str]:
        background, surface, _ = self.grounds
        plain, muted, disabled = self.texts
        focused, blurred = self.cursors
        on_colour = background if self.dark else "#ffffff"
        return {
            "text": plain,
            "text-muted": muted,
            "text-disabled": disabled,
            "foreground-muted": muted,
            "foreground-disabled": disabled,
            "border": self.primary,
            "border-blurred": self.line,
            "block-cursor-background": focused,
            "block-cursor-foreground": plain,
            "block-cursor-text-style": "bold underline" if self.underlined else "bold",
            "block-cursor-blurred-background": blurred,
            "block-cursor-blurred-foreground": plain,
            "block-cursor-blurred-text-style": "bold",
            "block-hover-background": surface,
            "input-selection-background": blurred,
            "screen-selection-background": blurred,
            "footer-background": background,
            "footer-foreground": muted,
            "footer-description-foreground": muted,
            "footer-key-foreground": self.primary,
            "button-color-foreground": on_colour,
            "link-color-hover": on_colour,
            "scrollbar": self.line,
            "scrollbar-background": background,
            "markdown-h6-color": muted,
        }


DARK = Palette(
    name="dark",
    dark=True,
    grounds=("#0f1316", "#161b1f", "#1f262b"),
    texts=("#e9e6df", "#b9b6ae", "#a8a69f"),
    verdicts=("#7fd6a0", "#e6d96b", "#ff9a94"),
    primary="#ffb454",
    cursors=("#46351c", "#2c2a24"),
    line="#6d6a60",
)
LIGHT = Palette(
    name="light",
    dark=False,
    grounds=("#fcf9f2", "#f5f0e4", "#ece5d5"),
    texts=("#1d1b16", "#4e4a40", "#585347"),
    verdicts=("#14623a", "#5f5200", "#a3201c"),
    primary="#8a4200",
    cursors=("#f8dfb4", "#ece3d0"),
    line="#858a95",
)
_DARK_CONTRAST = replace(
    DARK,
    name="dark-high-contrast",
    grounds=("#000000", "#000000", "#1a1a1a"),
    texts=("#ffffff", "#e0e0e0", "#d0d0d0"),
    verdicts=("#8dffb4", "#fff07a", "#ffb3b8"),
    primary="#ffc46b",
    cursors=("#4a2c00", "#333333"),
    line="#c0c0c0",
    underlined=True,
)
_LIGHT_CONTRAST = replace(
    LIGHT,
    name="light-high-contrast",
    grounds=("#ffffff", "#ffffff", "#ededed"),
    texts=("#000000", "#2b2b2b", "#383838"),
    verdicts=("#004d26", "#553300", "#8a0000"),
    primary="#6b3000",
    cursors=("#ffe08a", "#dcdcdc"),
    line="#4a4a4a",
    underlined=True,
)
# Blue, yellow and red far apart for every kind of colour blindness, where green is not.
_DARK_BLIND = replace(
    DARK,
    name="dark-colour-blind",
    verdicts=("#8ec6ff", "#f7e75a", "#ff8c7a"),
    primary="#c9cedb",
)
_LIGHT_BLIND = replace(
    LIGHT,
    name="light-colour-blind",
    verdicts=("#0050c1", "#705d00", "#ab2a6b"),
    primary="#343a46",
)
PALETTES = (DARK, LIGHT, _DARK_CONTRAST, _LIGHT_CONTRAST, _DARK_BLIND, _LIGHT_BLIND)
THEMES = tuple(palette.theme for palette in PALETTES)
