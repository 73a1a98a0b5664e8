"""The text of a list in whatever encoding a spreadsheet or an old editor wrote it."""

from __future__ import annotations

import codecs

MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""What a file may begin with; the longer marks come first."""
_CANDIDATES = [
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "koi8_r", "iso8859_2"),
    *("gb18030", "big5", "shift_jis", "euc_jp", "cp949"),
]
_CHAOS_MARGIN, _COHERENCE_MARGIN = 0.005, 0.05
"""Two readings no further apart in chaos and coherence are equally likely; then the most common
encoding wins."""


def encoding_of(data: bytes) -> str:
    """By its mark, else UTF-8 if it is that, else the most likely one."""
    for mark, encoding in MARKS.items():
        if data.startswith(mark):
            return encoding
    text = data.decode(errors="replace")
    bad, odd = text.count("\ufffd"), sum(not letter.isascii() for letter in text)
    # A zero is no text, and UTF-8 with a damaged place is told by the line of it.
    return "utf-8" if b"\0" in data or 2 * bad <= odd else _likely(data)


def _likely(data: bytes) -> str:
    from charset_normalizer import from_bytes  # rarely needed

    found = list(from_bytes(data, threshold=0.5, cp_isolation=_CANDIDATES))
    if not found:
        return "utf-8"
    best = found[0]
    chaos, coherence = best.chaos + _CHAOS_MARGIN, best.coherence - _COHERENCE_MARGIN
    equal = [each for each in found if each.chaos <= chaos and each.coherence >= coherence]
    return (
        "cp1252" if any("cp1252" in each.could_be_from_charset for each in equal) else best.encoding
    )
