"""Text from people, models and files made safe to print to a terminal."""

from __future__ import annotations

import unicodedata

_CONTROL_PICTURES = 0x2400
_DELETE_PICTURE = "␡"
_JOINERS = "\u200c\u200d"
_JOINED = frozenset({"Lo", "Mc", "Mn", "Sk", "Sm", "So"})
"""Letters of scripts without cases, their marks, and symbols with their colours."""
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode's categories of controls, formats, lone surrogates, line and paragraph separators."""


def printable(text: str) -> str:
    """The text with everything that could steer a terminal, or hide in it, made visible.

    Control characters other than newline and tab become their pictures (an escape is "␛"); C1
    controls, zero-width characters, bidi overrides and lone surrogates become "<U+202E>" and the
    like, but for joiners that make one emoji, or a word of their script, of what is beside them. A
    Windows line end counts as a newline.
    """
    if text.isprintable():
        return text
    text = text.replace("\r\n", "\n")
    return "".join(char if _joins(text, at) else _seen(char) for at, char in enumerate(text))


def _joins(text: str, at: int) -> bool:
    sides = text[at - 1 : at], text[at + 1 : at + 2]
    joined = (side and unicodedata.category(side) in _JOINED for side in sides)
    return text[at] in _JOINERS and all(joined)


def _seen(char: str) -> str:
    if char.isprintable() or char in "\n\t" or unicodedata.category(char) not in _UNSEEN:
        return char
    if char < " ":
        return chr(_CONTROL_PICTURES + ord(char))
    return _DELETE_PICTURE if char == "\x7f" else f"<U+{ord(char):04X}>"
