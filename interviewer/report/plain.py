"""Text from people, models and files made safe to print to a terminal."""

from __future__ import annotations

_KEPT = {0x09, 0x0A}
_CONTROL_PICTURES = 0x2400
_DELETE_PICTURE = 0x2421
_INVISIBLE = (
    0x00AD,  # soft hyphen
    0x061C,  # Arabic letter mark
    0x180E,  # Mongolian vowel separator
    *range(0x200B, 0x2010),  # zero-width space and joiners, direction marks
    0x2028,  # line separator
    0x2029,  # paragraph separator
    *range(0x202A, 0x202F),  # bidi embeddings and overrides
    *range(0x2060, 0x2070),  # word joiner, invisible operators, bidi isolates
    0xFEFF,  # byte order mark
    *range(0xFFF9, 0xFFFC),  # interlinear annotation
)


def _signs() -> dict[int, str]:
    signs = {code: chr(_CONTROL_PICTURES + code) for code in range(0x20) if code not in _KEPT}
    signs[0x7F] = chr(_DELETE_PICTURE)
    for code in (*range(0x80, 0xA0), *_INVISIBLE):
        signs[code] = f"<U+{code:04X}>"
    return signs


_SIGNS = _signs()


def printable(text: str) -> str:
    """The text with everything that could steer a terminal, or hide in it, made visible.

    Control characters other than newline and tab become their pictures (an escape is "␛"); C1
    controls, zero-width characters and bidi overrides become "<U+202E>" and the like. Lone
    surrogates, which no encoding can print, likewise. A Windows line end counts as a newline.
    """
    shown = text.replace("\r\n", "\n").translate(_SIGNS)
    if shown.isascii():
        return shown
    return "".join(f"<U+{ord(c):04X}>" if "\ud800" <= c <= "\udfff" else c for c in shown)
