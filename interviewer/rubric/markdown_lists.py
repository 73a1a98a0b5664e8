"""Questions in Markdown as people write it: which lines ask, and what below them is the answer.

A list has one shape throughout: headings, numbered items, bullets, bold lines, "Q:" lines,
``<summary>`` or the rows of a table. The shape that asks most is the list's; what has that shape
and asks nothing is left out with a reason, and all else belongs to an answer or to no question.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from interviewer.rubric.question_lists import FIELDS, Item, Question, Skipped, heading_level

_FENCE = re.compile(r" {0,3}(```|~~~)")
_SUMMARY = re.compile(r"\s*(?:<details[^>]*>)?\s*<summary[^>]*>(.*?)(?:</summary>.*)?$", re.I)
_DETAILS_END = re.compile(r"\s*</details>", re.I)
_LABELLED = re.compile(
    r"\s*(?:[-*+] +)?[*_]*(?:question|ques|q)[ .]*\d*[*_]*\s*[:.)][*_]*\s+(\S.*)|"
    r"\s*(?:[-*+] +)?[*_]*(?:question|q)[ .]*\d+[*_]*\s*[-:.)][*_]*\s*(\S.*)",
    re.I,
)
_NUMBERED = re.compile(r" {0,3}\d{1,4}[.)][ \t]+(.+)")
_BOLD_NUMBER = re.compile(r" {0,3}(?:\*\*|__)\d{1,4}[.)]")
_BULLET = re.compile(r" {0,1}[-*+•][ \t]+(.+)")
_BOLD = re.compile(r" {0,3}(\*\*|__)(.+?)\1[ :]*")
_ANCHOR = re.compile(r"\W*(?:\d+[.)]\s*)?\[[^\]]*\]\(#[^)]*\)\W*")
_ROW = re.compile(r"\s*\|.*\|\s*")
_RULE = re.compile(r"[\s|:-]*-{3,}[\s|:-]*|[*_\s]{3,}")

_ASKING = re.compile(
    r"(?:what|what's|whats|why|how|when|where|which|who|whose|given|suppose|imagine|explain"
    r"|describe|compare|contrast|discuss|define|derive|prove|show that|implement|write|design"
    r"|sketch|estimate|calculate|compute|outline|walk (?:me|us)|tell (?:me|us)|talk (?:me|us)"
    r"|give (?:me |us )?(?:an?|some|two|three)|name|state(?! of)|list(?! of)|differentiate"
    r"|distinguish|elaborate|illustrate|summari[sz]e|justify|in what|under what|for what|on what"
    r"|from what|to what)\b",
    re.I,
)
"""How a question or task begins; others need a question mark."""
_MARK_OF_QUESTION = re.compile(r"\?(?=\W*(?:\s|$))")
_VERSUS = re.compile(r"\bvs\.?\b|\bversus\b|\bdifferences? between\b", re.I)
_FURNITURE = re.compile(
    r"(?:table of )?contents?|toc|index|introduction|overview|about\b.*|contribut\w*.*|licen[cs]e.*"
    r"|acknowledge?ments?|credits?|references?|resources?|further reading|(?:\w+ )?resources"
    r"|how to (?:use|contribute|read|navigate)\b.*|star history|stargazers|sponsors?|support\b.*"
    r"|changelog|disclaimer|contact.*|authors?|connect with.*|conclusion|summary|faqs?|questions?"
    r"|interview questions?|prerequisites?|what(?:'s| is) (?:inside|in this repo\w*|new)\b.*"
    r"|who (?:is this|this is) for\b.*|why this (?:repo|list|guide)\w*\b.*",
    re.I,
)
_PREFIX = re.compile(
    r"(?:\W*\b(?:question|ques|q)[ .]*\d*\s*[:.)-]+\s+|\W*\b(?:question|q)[ .]*\d+\s*[:.)-]+\s*"
    r"|\W*\b\d+(?:\.\d+)+\s*[.):-]*\s+|\W*\b\d+\s*[.):-]+\s+|\[[ xX]\]\s+)",
    re.I,
)
_SOURCE = re.compile(
    r"\[?\[(?:src|source|ref|link|\d+|\*|video|article|paper|blog)\]\]?(?:\([^)]*\))?\]?", re.I
)
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)|!\[[^\]]*\]\[[^\]]*\]")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)|<(?:https?://[^>]*)>")
_EMPHASIS = re.compile(r"(\*\*\*|\*\*|__)(\S.*?)\1|(?<![\w*])\*(\S[^*]*)\*(?![\w*])")
_BREAK = re.compile(r"<br\s*/?>", re.I)
_TAG = re.compile(r"</?[a-z][a-z0-9-]*(?:\s[^<>]*)?/?>|<!--.*?-->", re.I)
_PICTURES = re.compile(
    "[\u200b-\u200f\u2060\ufeff\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\ufe0f\U0001f000-\U0001faff]+"
)
_TO_THE_TOP = re.compile(
    r"[\W_]*(?:back|go|return)?\s*to\s+(?:the\s+)?(?:top|contents|index)[\W_]*", re.I
)
_ANSWER_LABEL = re.compile(
    r"[\s>*_-]*(?:(?:(?:sample |short |model )?answer|ans)[ .]*\d*[*_]*\s*[:.)]|a\d*[*_]*:)"
    r"[*_]*(?:\s+|$)",
    re.I,
)
_CODE = re.compile(r"(`+[^`]*`+)")
SERIES, SERIES_SHARE = 3, 0.6
"""So many numbered headings that ask, and this share of all, make a number the sign of one."""
LONGEST_QUESTION = 400
"""Characters; a longer line is text."""


@dataclass(frozen=True)
class _Mark:
    """A line that may ask. ``shape`` is what it looks like; ``level`` is a heading's depth."""

    at: int
    shape: str
    title: str
    level: int = 0
    numbered: bool = False

    @property
    def asks(self) -> bool:
        """Whether it is a question or a task; a number set off in bold says so by itself."""
        return asks(self.title) or (self.shape == "bold number" and bool(self.title))

    @property
    def parts(self) -> tuple[str, str]:
        """The question, and what is said after it on the same line: the beginning of an answer."""
        ends = list(_MARK_OF_QUESTION.finditer(self.title))
        said = self.title[ends[-1].end() :].strip() if ends else ""
        if not said or said.startswith("(") or asks(said) or self.shape == "heading":
            return self.title, ""
        return self.title[: ends[-1].end()], said


def asks(title: str) -> bool:
    """Whether the words are a question or a task."""
    if not title or len(title) > LONGEST_QUESTION or _FURNITURE.fullmatch(title.rstrip(" :?.")):
        return False
    return bool(_MARK_OF_QUESTION.search(title) or _ASKING.match(title) or _VERSUS.search(title))


def questions_of_markdown(text: str) -> Iterator[Item]:
    """The questions with the answers below them, and what looks like one but asks nothing."""
    lines = re.split(r"\r\n?|\n", text)
    marks = list(_marks(lines))
    shapes = Counter(mark.shape for mark in marks if mark.asks)
    shape = max(shapes, key=lambda each: (shapes[each], _RANK.index(each)), default="heading")
    if shape == "heading":
        found = _of_headings(lines, [mark for mark in marks if mark.shape == "heading"])
    else:
        found = _of_items(lines, marks, shape)
    rows = list(_rows_of_tables(lines))
    if shapes or not rows:
        rows += found
    yield from _in_sections(sorted(rows, key=lambda item: item.line), marks)


def _in_sections(items: Sequence[Item], marks: Sequence[_Mark]) -> Iterator[Item]:
    """The items, each question with the heading above it that is none itself.

    A single heading of the first depth is the title of the whole list and no section.
    """
    asked = {item.line for item in items if isinstance(item, Question)}
    depth = {mark.at + 1: mark.level for mark in marks if mark.shape == "heading"}
    above = [mark for mark in marks if mark.at + 1 in depth.keys() - asked and mark.title]
    if sum(mark.level == 1 for mark in above) == 1:
        above = [mark for mark in above if mark.level > 1]
    for item in items:
        if isinstance(item, Question):
            own = depth.get(item.line, max(depth.values(), default=0) + 1)
            over = [each.title for each in above if each.at < item.line - 1 and each.level < own]
            item = replace(item, section=over[-1] if over else "")
        yield item


_RANK = (
    "bullet",
    "numbered",
    "bold",
    "bold number",
    "bold bullet",
    "heading",
    "summary",
    "labelled",
)
"""The shapes, the plainest first: of two that ask equally often the plainer is in the answers."""


def _marks(lines: Sequence[str]) -> Iterator[_Mark]:
    """The lines outside code that may ask."""
    for at, line in _outside_code(lines):
        if _ANCHOR.fullmatch(line):
            continue  # an entry of a table of contents
        if found := _shape_of(line):
            shape, words, level = found
            title = plain(words)
            yield _Mark(at, shape, title, level, bool(_PREFIX.match(_unmarked(words))))


def _outside_code(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    fence = ""
    for at, line in enumerate(lines):
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1] == fence):
            fence = "" if fence else mark[1]
        elif not fence:
            yield at, line


def _shape_of(line: str) -> tuple[str, str, int] | None:
    if heading := heading_level(line):
        return "heading", heading[1], heading[0]
    if match := _SUMMARY.match(line):
        return "summary", match[1], 0
    if match := _LABELLED.fullmatch(line):
        return "labelled", match[1] or match[2], 0
    if _BOLD_NUMBER.match(line):
        return "bold number", line, 0
    if match := _NUMBERED.fullmatch(line):
        return "numbered", match[1], 0
    if match := _BULLET.fullmatch(line):
        is_bold = match[1].lstrip().startswith(("**", "__"))
        return ("bold bullet" if is_bold else "bullet"), match[1], 0
    if match := _BOLD.fullmatch(line):
        return "bold", match[2], 0
    return None


def _of_headings(lines: Sequence[str], marks: Sequence[_Mark]) -> Iterator[Item]:
    """Headings that ask; deeper ones that ask nothing belong to the answer above them.

    Where the questions are numbered, others at their depth or below ask nothing of their own.
    """
    asking = [mark for mark in marks if mark.asks]
    numbered = [mark.level for mark in asking if mark.numbered]
    in_series = len(numbered) >= SERIES and len(numbered) > SERIES_SHARE * len(asking)
    if not asking:
        taken = [mark for mark, after in _with_next(marks) if _is_leaf(lines, mark, after)]
    elif in_series:
        (depth, _), *_ = Counter(numbered).most_common(1)
        taken = [mark for mark in marks if _is_in_series(mark, depth)]
    else:
        taken = asking
    end_of_answer, chosen = -1, set(taken)
    for n, mark in enumerate(marks):
        if mark in chosen:
            below = next((o for o in marks[n + 1 :] if o.level <= mark.level or o in chosen), None)
            end_of_answer = below.at if below else len(lines)
            yield Question(mark.at + 1, mark.title, _answer(lines[mark.at + 1 : end_of_answer]))
        elif mark.at >= end_of_answer and not _holds(marks[n:], chosen):
            yield _left_out(mark)


def _is_in_series(mark: _Mark, depth: int) -> bool:
    if mark.level == depth and mark.numbered:
        return not _is_furniture(mark)
    return mark.level <= depth and mark.asks


def _with_next(marks: Sequence[_Mark]) -> Iterator[tuple[_Mark, _Mark | None]]:
    yield from zip(marks, [*marks[1:], None], strict=False)


def _is_leaf(lines: Sequence[str], mark: _Mark, after: _Mark | None) -> bool:
    text = "".join(lines[mark.at + 1 : after.at if after else len(lines)]).strip()
    is_leaf = after is None or after.level <= mark.level
    return is_leaf and bool(text) and bool(mark.title) and not _is_furniture(mark)


def _holds(marks: Sequence[_Mark], chosen: set[_Mark]) -> bool:
    """The first heading is above one of the chosen ones."""
    first, *rest = marks
    for mark in rest:
        if mark.level <= first.level:
            return False
        if mark in chosen:
            return True
    return False


def _is_furniture(mark: _Mark) -> bool:
    return bool(_FURNITURE.fullmatch(mark.title.rstrip(" :?.")))


def _left_out(mark: _Mark) -> Skipped:
    return Skipped(mark.at + 1, f"asks nothing ({mark.title[:60] or 'empty'})")


def _of_items(lines: Sequence[str], marks: Sequence[_Mark], shape: str) -> Iterator[Item]:
    """Lines of one shape; the text up to the next of them, or to a heading, is the answer."""
    ends = [mark for mark in marks if mark.shape == shape or mark.shape == "heading"]
    for n, mark in enumerate(ends):
        if mark.shape != shape:
            continue
        if not mark.asks:
            yield _left_out(mark)
            continue
        # A bold line that asks nothing stands in an answer; any other mark ends one.
        after = (o for o in ends[n + 1 :] if shape != "bold" or o.shape == "heading" or o.asks)
        following = next(after, None)
        body = lines[mark.at + 1 : following.at if following else len(lines)]
        if shape == "summary":
            body = _details(body)
        question, said = mark.parts
        yield Question(mark.at + 1, question, _answer([said, *body] if said else body))


def _details(body: Sequence[str]) -> Sequence[str]:
    """What is inside the element."""
    end = next((n for n, line in enumerate(body) if _DETAILS_END.match(line)), len(body))
    return body[:end]


def _rows_of_tables(lines: Sequence[str]) -> Iterator[Item]:
    """The rows of tables that have a column of questions."""
    columns: dict[str, int] | None = None
    for at, line in _outside_code(lines):
        if not _ROW.fullmatch(line):
            columns = None
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        names = [plain(cell).lower().rstrip("s") for cell in cells]
        if columns is None:
            columns = {name: names.index(name) for name in FIELDS if name in names}
        elif "question" in columns and not _RULE.fullmatch(line):
            found = {name: cells[n] for name, n in columns.items() if n < len(cells)}
            title = plain(found.get("question", ""))
            if not title:
                yield Skipped(at + 1, "has no question")
                continue
            known = {
                name: plain(found[name]) for name in ("topic", "difficulty", "id") if name in found
            }
            answer = _answer(_BREAK.sub("\n", found.get("answer", "")).split("\n"))
            yield Question(at + 1, title, answer, **known)


def _unmarked(words: str) -> str:
    return _EMPHASIS.sub(lambda match: match[2] or match[3], words).strip()


def plain(words: str) -> str:
    """The words of a title without number, links, pictures and other markup."""
    text = _IMAGE.sub("", _SOURCE.sub("", words))
    text = _without_markup(text)
    text = _PICTURES.sub(" ", text).strip()
    if label := _PREFIX.match(text):
        text = text[label.end() :]
    return " ".join(text.split()).strip("#").strip(" *_")


def _without_markup(text: str) -> str:
    """Links, emphasis and tags outside code give way to their words."""
    parts = _CODE.split(text)
    for n in range(0, len(parts), 2):
        part = _LINK.sub(lambda match: match[1] or "", _IMAGE.sub("", _SOURCE.sub("", parts[n])))
        part = _TAG.sub("", _BREAK.sub("\n", part))
        parts[n] = html.unescape(_EMPHASIS.sub(lambda match: match[2] or match[3], part))
    return "".join(parts)


def _answer(body: Sequence[str]) -> str:
    """The text of an answer: code as it is, everything else without markup, labels and rules."""
    kept: list[str] = []
    code = set(range(len(body))) - {at for at, _ in _outside_code(body)}
    for at, line in enumerate(body):
        if at in code:
            kept.append(line)
            continue
        if _TO_THE_TOP.fullmatch(_without_markup(line)) or (line.strip() and _RULE.fullmatch(line)):
            continue
        if heading := heading_level(line):
            line = heading[1]
        if not any(each.strip() for each in kept):
            line = _ANSWER_LABEL.sub("", line, count=1)
        kept.append(_without_markup(line).rstrip())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(_outdented(kept)).strip())


def _outdented(lines: Sequence[str]) -> list[str]:
    """The lines without the indentation that all of them share."""
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    return [line[min(indents, default=0) :] for line in lines]
