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
            "footer-key-foreground": plain,
            "button-color-foreground": on_colour,
            "link-color-hover": on_colour,
            "scrollbar": self.line,
            "scrollbar-background": background,
            "markdown-h6-color": muted,
        }


DARK = Palette(
    name="dark",
    dark=True,
    grounds=("#14161b", "#1b1e25", "#232731"),
    texts=("#e6e8ec", "#b3b9c5", "#a3aab7"),
    verdicts=("#7fd6a0", "#ecc07c", "#f79a9f"),
    primary="#8ab4f8",
    cursors=("#2d3b58", "#2a3140"),
    line="#626b7e",
)
LIGHT = Palette(
    name="light",
    dark=False,
    grounds=("#fbfaf7", "#f3f2ee", "#eae9e4"),
    texts=("#1b1d21", "#4b5059", "#555a64"),
    verdicts=("#14623a", "#744700", "#a3201c"),
    primary="#1f4fb5",
    cursors=("#d3e0fa", "#e0e5ef"),
    line="#858a95",
)
_DARK_CONTRAST = replace(
    DARK,
    name="dark-high-contrast",
    grounds=("#000000", "#000000", "#1a1a1a"),
    texts=("#ffffff", "#e0e0e0", "#d0d0d0"),
    verdicts=("#8dffb4", "#ffe07a", "#ffb3b8"),
    primary="#9cc8ff",
    cursors=("#00006e", "#333333"),
    line="#c0c0c0",
    underlined=True,
)
_LIGHT_CONTRAST = replace(
    LIGHT,
    name="light-high-contrast",
    grounds=("#ffffff", "#ffffff", "#ededed"),
    texts=("#000000", "#2b2b2b", "#383838"),
    verdicts=("#004d26", "#553300", "#8a0000"),
    primary="#00307f",
    cursors=("#ffe999", "#dcdcdc"),
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
