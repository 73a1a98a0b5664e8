"""The words of Markdown without its markup: of a title, and of a line."""

from __future__ import annotations

import html
import re

_PREFIX = re.compile(
    r"(?:\W*\b(?:question|ques|q)[ .]*\d*\s*[:.)-]+\s+|\W*\b(?:question|q)[ .]*\d+\s*[:.)-]+\s*"
    r"|\W*\b\d+(?:\.\d+)+\s*[.):-]*\s+|\W*\b\d+\s*[.):-]+\s+|\[[ xX]\]\s+)",
    re.I,
)
_LEVEL = re.compile(
    r"[\[(](?:[emh]|easy|medium|hard|basic|beginner|junior|intermediate|advanced|senior|expert)"
    r"[\])][\s:.-]*",
    re.I,
)
"""How hard a list says a question is."""
_SOURCE = re.compile(
    r"\[?\[(?:src|source|ref|link|\d+|\*|video|article|paper|blog)\]\]?(?:\([^)]*\))?\]?", re.I
)
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)|!\[[^\]]*\]\[[^\]]*\]")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)|<(?:https?://[^>]*)>")
_EMPHASIS = re.compile(r"(\*\*\*|\*\*|__)(\S.*?)\1|(?<![\w*])\*(\S[^*]*)\*(?![\w*])")
BREAK = re.compile(r"<br\s*/?>", re.I)
_TAG = re.compile(r"</?[a-z][a-z0-9-]*(?:\s[^<>]*)?/?>|<!--.*?-->", re.I)
_PICTURES = re.compile(
    "[\u200b-\u200f\u2060\ufeff\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\ufe0f\U0001f000-\U0001faff]+"
)
_ASKED_WHERE = re.compile(r"\s[-–—|]\s[^?]*\binterview questions?$", re.I)
_CODE = re.compile(r"(`+[^`]*`+)")


def is_numbered(words: str) -> bool:
    """Whether they begin with a number or a label such as "Q3:"."""
    return bool(_PREFIX.match(_EMPHASIS.sub(lambda match: match[2] or match[3], words).strip()))


def plain(words: str) -> str:
    """The words of a title without number, links, pictures and other markup."""
    text = _IMAGE.sub("", _SOURCE.sub("", words))
    text = without_markup(text)
    text = _PICTURES.sub(" ", text).strip()
    if label := _PREFIX.match(text):
        text = text[label.end() :]
    if level := _LEVEL.match(text):
        text = text[level.end() :]
    text = _ASKED_WHERE.sub("", text)
    return " ".join(text.split()).strip("#").strip(" *_")


def without_markup(text: str) -> str:
    """Links, emphasis and tags outside code give way to their words."""
    parts = _CODE.split(text)
    for n in range(0, len(parts), 2):
        part = LINK.sub(lambda match: match[1] or "", _IMAGE.sub("", _SOURCE.sub("", parts[n])))
        part = _TAG.sub("", BREAK.sub("\n", part))
        parts[n] = html.unescape(_EMPHASIS.sub(lambda match: match[2] or match[3], part))
    return "".join(parts)
