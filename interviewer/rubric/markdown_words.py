"""The words of question lists in Markdown: what asks, what labels, and lines without markup."""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from interviewer.rubric.text import table

_INLINE = MarkdownIt("commonmark").disable("escape")  # a backslash is TeX here

LONGEST_QUESTION = 400
"""Characters; a longer line is text."""
LONGEST_HAN = 40
"""The same where a word anywhere in the line asks."""

_LISTS = table("list_words", "interviewer.rubric")
_WORDS = {name: f"(?:{'|'.join(words)})" for name, words in _LISTS.items()}
_PARTS = {name: re.compile(_WORDS[name], re.I) for name in ("title", "about_the_list", "answers")}
_ASKING = re.compile(rf"{_WORDS['asking']}(?:\b|\s)", re.I)
_ASKING_ANYWHERE = re.compile(_WORDS["asking_anywhere"], re.I)
FOLD = re.compile(_WORDS["fold"], re.I)
_LABEL_ENDS = r"(?:\s*\d+[*_]*\s*[:：.)-]|[*_]*\s*[:：]|\.(?=\s)|\)(?=\s))[*_]*\s*"
LABEL = {
    name.removesuffix("_label"): re.compile(rf"[\s>*_#+-]*{words}{_LABEL_ENDS}", re.I)
    for name, words in _WORDS.items()
    if name.endswith("_label")
}
BEFORE_ANSWER = re.compile(
    rf"\A(?:{LABEL['answer'].pattern}|[\s>*_-]*{_WORDS['answer_label']}[\s*_]*$"
    r"|[\s>*_-]*A\d*[*_]*[.)][*_]*\s+)",
    re.I,
)
"""A label, which may stand alone, or a letter: "A. Noise"."""

_VERBATIM = re.compile(r"(\$[^$]+\$|`+[^`]*`+)")
QUESTION_MARK = re.compile(r"[？؟]|\?(?=\W*(?:\s|$)|[^\x00-\x7f])")
_VERSUS = re.compile(r"\bvs\.?\b|\bversus\b|\bdifferences? between\b", re.I)
_LEVEL = r"[emh]|easy|medium|hard|basic|beginner|junior|intermediate|advanced|senior|expert"
_BEFORE_TITLE = re.compile(
    r"(?:\W*\b\d+(?:(?:\.\d+)+\s*[.):-]*\s+|\s*[.):-]+\s+|、|\s+(?=[^\x00-\x7f]))|\[[ xX]\]\s+"
    rf"|\W*[\[(](?:{_LEVEL})[\])][\s:.-]*)",
    re.I,
)
"""A number, a box to tick, or how hard a list says a question is."""
_SOURCE = re.compile(r"\[?\[(?:src|source|ref|link|\d+|\*|video|article|paper|blog)\]\]?\(\S+\)\]?")
_PICTURES = re.compile(
    "[\u200b-\u200f\u2060\ufeff\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\ufe0f\U0001f000-\U0001faff]+"
)
ITEM = re.compile(r"^(?:\s|>)*(?:[-*+•]|\d{1,4}[.)])(?:\s+|$)")
NUMBER = re.compile(r"\W*(\d{1,4})(?:(?:\.\d+)+\s|\s*[.):]|、)")
BOLD = re.compile(r"(\*\*|__)(.+?)\1[ :：]*")
BOLD_NUMBER = re.compile(r"(?:\*\*|__)\d{1,4}[.)]")
HTML_HEADING = re.compile(r"[\s*_]{0,5}<h([1-6])(?:\s[^>]*)?>(.+?)(?:</h\1>[\s*_]*)?", re.I)
SUMMARY = re.compile(r"\s*(?:<details[^>]*>)?\s*<summary[^>]*>(.*?)(?:</summary>.*)?", re.I)
ADMONITION = re.compile(r'\s*\?{3}\+? *\w* *"(.*)"\s*')
"""What MkDocs folds away below its title."""
RULE = re.compile(r"[\s|:-]*-{3,}[\s|:-]*|[*_\s]{3,}|\s*!{3} .*")
OPTION = re.compile(r"\s*(?:[-*+] +)?\(?[A-Ha-h][.):]\s+\S")
LINK = re.compile(r"\W*\[[^\]]*\]\([^)]*\)\W*")
ANCHOR = re.compile(r"\W*\[[^\]]*\]\(#[^)]*\)\W*")
"""An entry of a table of contents."""
TO_THE_TOP = re.compile(r"\W*(?:(?:back|go|return) )?to (?:the )?(?:top|contents|index)\W*", re.I)


def asks(title: str) -> bool:
    """Whether the words are a question or a task."""
    if not title or len(title) > LONGEST_QUESTION or names_a_part(title):
        return False
    sentences = re.split(r"(?<=[.!]) ", title)
    begins = any(_ASKING.match(each) for each in (sentences[0], sentences[-1]))
    anywhere = len(title) <= LONGEST_HAN and _ASKING_ANYWHERE.search(title)
    return bool(begins or anywhere or QUESTION_MARK.search(title) or _VERSUS.search(title))


def names_a_part(title: str) -> str:
    """Which part of a list has this title: "" for a question or a subject."""
    named = title.rstrip(" :?.？：")
    return next((part for part, words in _PARTS.items() if words.fullmatch(named)), "")


def plain(words: str) -> str:
    """The words of a title without number, label, links, pictures and other markup."""
    text = _PICTURES.sub(" ", without_markup(_SOURCE.sub("", words))).strip()
    for before in (LABEL["question"], _BEFORE_TITLE, _BEFORE_TITLE):
        if found := before.match(text):
            text = text[found.end() :]
    return " ".join(text.split()).strip("#").strip(" *_")


def without_markup(text: str) -> str:
    """Links, emphasis and tags outside code and formulas give way to their words."""
    parts = _VERBATIM.split(text)
    for n in range(0, len(parts), 2):
        if words := parts[n].strip():
            before, _, after = parts[n].partition(words)
            (inline,) = _INLINE.parseInline(words)
            parts[n] = before + "".join(map(_shown, inline.children or ())) + after
    return "".join(parts)


def _shown(token: Token) -> str:
    if token.type == "html_inline":
        return "\n" if token.content.lower().startswith("<br") else ""
    if token.type in ("softbreak", "hardbreak"):
        return "\n"
    return "" if token.type == "image" else token.content


def outdented(lines: Sequence[str]) -> list[str]:
    """The lines without the indentation that all of them share."""
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    return [line[min(indents, default=0) :] for line in lines]


def says_nothing(line: str) -> bool:
    """No word at all, a box, a way to the answer or the top, or a note on the question."""
    bare = without_markup(ITEM.sub("", line)).strip(" \t\n>")
    leads_away = LINK.fullmatch(ITEM.sub("", line)) and FOLD.fullmatch(bare)
    is_furniture = RULE.fullmatch(line) or TO_THE_TOP.fullmatch(bare) or leads_away
    return not re.search(r"\w", bare) or bool(is_furniture or LABEL["note"].match(line))
