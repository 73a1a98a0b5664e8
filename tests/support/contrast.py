"""How legible colours are, by WCAG 2 (2018), and how they look to a colour-blind eye."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Any

from textual.color import Color
from textual.pilot import Pilot

_MACHADO = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB."""
_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
_WHITE = (0.9505, 1.0, 1.089)
Triple = tuple[float, float, float]


def contrast(one: Color, other: Color) -> float:
    """From 1 (the same) to 21 (black on white)."""
    dark, light = sorted((_xyz(one)[1], _xyz(other)[1]))
    return (light + 0.05) / (dark + 0.05)


def difference(one: Color, other: Color, kind: str | None = None) -> float:
    """CIE 1976 distance in Lab, as an eye of this kind of colour blindness sees them."""
    return sum((a - b) ** 2 for a, b in zip(_lab(one, kind), _lab(other, kind), strict=True)) ** 0.5


def faint(pilot: Pilot[None], least: float = 4.5) -> list[tuple[str, float]]:
    """The texts on the screen that are harder to read than this, with their contrast."""
    found = {
        (text, round(contrast(colour, ground), 2))
        for text, colour, ground in _texts(pilot)
        if contrast(colour, ground) < least and not _is_under_the_cursor(text)
    }
    return sorted(found)


def _texts(pilot: Pilot[None]) -> Iterator[tuple[str, Color, Color]]:
    for strip in pilot.app.screen._compositor.render_strips():
        for text, style, _ in strip:
            if style is None or not any(map(_is_read, text)):
                continue
            colour, ground = _colour(style.color), _colour(style.bgcolor)
            if style.dim:
                colour = ground.blend(colour, 0.66)
            yield text.strip(), colour, ground


def _is_under_the_cursor(text: str) -> bool:
    """A placeholder's first letter, which the cursor of the empty field covers."""
    return len(text) == 1 and text.isalpha()


def _colour(rich: Any) -> Color:
    return Color.from_rich_color(rich)


def _is_read(char: str) -> bool:
    """Letters, digits and signs; not lines, bars and blanks, whose shape says nothing."""
    return unicodedata.category(char)[0] in "LNPS" and not "\u2500" <= char <= "\u259f"


def _linear(colour: Color) -> Triple:
    def linear(value: int) -> float:
        share = value / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    return linear(colour.r), linear(colour.g), linear(colour.b)


def _times(matrix: tuple[Triple, ...], vector: Triple) -> Triple:
    x, y, z = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return x, y, z


def _xyz(colour: Color, kind: str | None = None) -> Triple:
    seen = _times(_MACHADO[kind], _linear(colour)) if kind else _linear(colour)
    return _times(_XYZ, seen)


def _lab(colour: Color, kind: str | None) -> Triple:
    def root(share: float) -> float:
        share = max(share, 0.0)
        return share ** (1 / 3) if share > 0.008856 else 7.787 * share + 16 / 116

    x, y, z = (root(v / w) for v, w in zip(_xyz(colour, kind), _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)
