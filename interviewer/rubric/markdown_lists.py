"""Questions in Markdown as people write it: which lines ask, and what below them is the answer.

A list has one shape throughout: headings, numbered items, bullets, bold lines, "Q:" lines,
``<summary>`` or the rows of a table. The shape that asks most is the list's; what has that shape
and asks nothing is left out with a reason, and all else belongs to an answer or to no question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from interviewer.rubric.markdown_words import BREAK, LINK, is_numbered, plain, without_markup
from interviewer.rubric.question_lists import (
    Item,
    Question,
    Skipped,
    columns_of,
    heading_level,
    without_answers,
)

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
_NESTED = re.compile(r"\s+(?:[-*+•]|\d{1,3}[.)])[ \t]+(.+)")
_BOLD = re.compile(r" {0,3}(\*\*|__)(.+?)\1[ :]*")
_ANCHOR = re.compile(r"\W*(?:\d+[.)]\s*)?\[[^\]]*\]\(#[^)]*\)\W*")
_ROW = re.compile(r"\s*\|.*\|\s*")
_RULE = re.compile(r"[\s|:-]*-{3,}[\s|:-]*|[*_\s]{3,}")

_ASKING = re.compile(
    r"(?:what|what's|whats|why|how|when|where|which|who|whose|given|suppose|imagine|explain"
    r"|describe|compare|contrast|discuss|define|derive|prove|show that|implement|write|design"
    r"|sketch|estimate|calculate|compute|outline|walk (?:me|us)|tell (?:me|us)|talk (?:me|us|about)"
    r"|(?:give|provide) (?:me |us )?(?:an?|some|two|three)|name|state(?! of)|list(?! of)"
    r"|differentiate|distinguish|elaborate|illustrate|summari[sz]e|justify|in what|under what"
    r"|for what|on what|from what|to what)\b",
    re.I,
)
"""How a question or task begins; others need a question mark."""
_TASK = re.compile(
    r"(?:analy[sz]e|apply|build|calculate|check|code|convert|create|debug|demonstrate|detect"
    r"|determine|develop|draw|evaluate|explore|extend|find|fit|fix|generate|identify|improve"
    r"|interpret|measure|modify|optimi[sz]e|plan|plot|predict|propose|refactor|reproduce|review"
    r"|rewrite|select|set up|share|simulate|solve|specify|suggest|test|train|tune|use|visuali[sz]e"
    r")(?! of\b)\s",
    re.I,
)
"""How a task begins where those around it are questions; elsewhere it may be advice."""
_MARK_OF_QUESTION = re.compile(r"\?(?=\W*(?:\s|$))")
_VERSUS = re.compile(r"\bvs\.?\b|\bversus\b|\bdifferences? between\b", re.I)
_FURNITURE = re.compile(
    r"(?:table of )?contents?|toc|index|introduction|overview|about\b.*|contribut\w*.*|licen[cs]e.*"
    r"|acknowledge?ments?|credits?|references?|resources?|further reading|(?:\w+ )?resources"
    r"|how (?:to|do i|can i|you can) (?:contribute|navigate)\b.*"
    r"|where (?:are|is|to find) (?:the |all )?answers?\b.*"
    r"|how to (?:use|read)(?: (?:this|these|the|it)\b.*)?"
    r"|star history|stargazers|sponsors?|support\b.*"
    r"|changelog|disclaimer|contact.*|authors?|connect with.*|conclusion|summary|faqs?|questions?"
    r"|interview questions?|prerequisites?|what(?:'s| is) (?:inside|in this repo\w*|new)\b.*"
    r"|who (?:is this|this is) for\b.*|why this (?:repo|list|guide)\w*\b.*",
    re.I,
)
_HINT = re.compile(r"[\s>*_-]*hints?[\s*_]*:.*", re.I)
_TO_THE_TOP = re.compile(
    r"[\W_]*(?:back|go|return)?\s*to\s+(?:the\s+)?(?:top|contents|index)[\W_]*", re.I
)
_ANSWER_LABEL = re.compile(
    r"\A(?:[\s>*_-]*(?:(?:(?:sample |short |model )?(?:answer|solution)|ans)[ .]*\d*[*_]*\s*[:.)]"
    r"|a\d*[*_]*:)[*_]*(?:\s+|$)|[\s>*_-]*(?:answer|ans|solution)[\s*_]*$)",
    re.I,
)
_LETTER = re.compile(r"\A[\s>*_-]*A\d*[*_]*[.)][*_]*\s+")
"""An answer's label, too, unless options follow: "A. Yes"."""
_ADMONITION = re.compile(r"\s*\?{3}\+? *\w* *\"(.*)\"\s*")
"""What MkDocs folds away below its title."""
_FOLDED_ANSWER = re.compile(
    r"\W*(?:(?:click|expand|open|reveal|see|show|tap|toggle|view)\b.{0,30}?)?"
    r"\b(?:answer|explanation|solution)s?\b.{0,20}|\W*(?:click|expand|show) .{0,20}",
    re.I,
)
_LABELLED_ANSWER = re.compile(r"[\s>*_#-]*(?:answer|ans|solution)[*_]*\s*[:.)]", re.I)
_ABOUT_IT = re.compile(
    r"\W*(?:difficulty|level|tags?|topics?|category|compan(?:y|ies)|asked (?:by|at|in))\W*:.*", re.I
)
"""What a list notes on a question; nothing of its answer."""
_OPTION = re.compile(r"\s*(?:[-*+] +)?\(?[A-Ha-h][.):]\s+\S")
_NOTHING_SAID = re.compile(r"\s*(?:[-*+]|\d{1,4}[.)])\s*|\s*!{3} .*")
_LED_NOWHERE = re.compile(r"(?:\A|\n\n)[^\n.]{1,80}:\Z")
"""A last line that leads to the next question."""
SERIES, SERIES_SHARE = 3, 0.6
"""So many numbered headings that ask, and this share of all, make a number the sign of one."""
IN_COMPANY = 0.8
"""Where so many of a section's items ask, one that begins like a task is a task."""
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
    in_company: bool = False
    """It begins like a task, and those around it ask."""
    below: str = ""
    """The question that a title has below it."""

    @property
    def asks(self) -> bool:
        """Whether it is a question or a task; some shapes say so by themselves."""
        if self.shape == "labelled":
            return bool(self.title) and not _is_furniture(self)
        if self.shape.startswith("bold") and self.title.endswith(":"):
            return False  # the label of a part of an answer
        return self.in_company or bool(self.below) or asks(self.title)

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
    sentences = re.split(r"(?<=[.!]) ", title)
    is_task = any(_ASKING.match(each) for each in (sentences[0], sentences[-1]))
    return bool(is_task or _MARK_OF_QUESTION.search(title) or _VERSUS.search(title))


def questions_of_markdown(text: str) -> Iterator[Item]:
    """The questions with the answers below them, and what looks like one but asks nothing."""
    lines = re.split(r"\r\n?|\n", text)
    marks = list(_in_company(list(_with_question_below(lines, list(_marks(lines))))))
    shapes = Counter(mark.shape for mark in marks if mark.asks)
    shape = max(shapes, key=lambda each: (shapes[each], _RANK.index(each)), default="heading")
    found = list(_of_shape(lines, marks, shape))
    found += list(_beside(lines, marks, found))
    rows = list(_rows_of_tables(lines))
    if shapes or not rows:
        rows += [each.item for each in found]
    yield from _in_sections(sorted(rows, key=lambda item: item.line), marks)


@dataclass(frozen=True)
class _Found:
    """An item and the line after its last, counted from 0."""

    item: Item
    end: int


def _in_company(marks: Sequence[_Mark]) -> Iterator[_Mark]:
    """The marks, with tasks among questions of their shape and section taken for questions."""
    section = 0
    placed = []
    for mark in marks:
        section += mark.shape == "heading"
        # These are rare enough to be looked at in the whole list.
        placed.append((0 if mark.shape in ("summary", "bold number") else section, mark))
    together = Counter((at, mark.shape) for at, mark in placed)
    asking = Counter((at, mark.shape) for at, mark in placed if mark.asks)
    for at, mark in placed:
        others = together[at, mark.shape] - 1
        most_ask = asking[at, mark.shape] >= max(SERIES, IN_COMPANY * others)
        may_ask = mark.shape in ("summary", "bold number") or _TASK.match(mark.title)
        alone = mark.shape == "bold number" and not asking
        yield replace(mark, in_company=bool((most_ask and may_ask) or alone))


def _with_question_below(lines: Sequence[str], marks: Sequence[_Mark]) -> Iterator[_Mark]:
    """The marks, with the questions below titles where most titles of that depth have one."""
    headings = [mark for mark in marks if mark.shape == "heading"]
    below: dict[_Mark, str] = {}
    leaves: Counter[int] = Counter()
    for mark, after in _with_next(headings):
        if _is_leaf(lines, mark, after):
            leaves[mark.level] += 1
            body = lines[mark.at + 1 : after.at if after else len(lines)]
            if not asks(mark.title) and (asked := _asked_below(body)):
                below[mark] = asked
    with_one = Counter(mark.level for mark in below)
    for mark in marks:
        level = mark.level
        telling = with_one[level] >= max(SERIES, SERIES_SHARE * leaves[level])
        yield replace(mark, below=below[mark]) if telling and mark in below else mark


def _asked_below(body: Sequence[str]) -> str:
    """The text of a body that is nothing but a question, else ""."""
    if any(_FENCE.match(line) or _BULLET.match(line) for line in body):
        return ""
    text = " ".join(plain(line) for line in body if not LINK.fullmatch(line.strip(" -|")))
    text = " ".join(text.split())
    asks_at_last = text.rstrip(" )\"'*_").endswith("?") or _ASKING.match(text)
    return text if asks_at_last and len(text) <= 2 * LONGEST_QUESTION else ""


def _of_shape(lines: Sequence[str], marks: Sequence[_Mark], shape: str) -> Iterator[_Found]:
    if shape == "heading":
        return _of_headings(lines, [mark for mark in marks if mark.shape == "heading"])
    return _of_items(lines, marks, shape)


def _beside(
    lines: Sequence[str], marks: Sequence[_Mark], found: Sequence[_Found]
) -> Iterator[_Found]:
    """Questions of another shape where the list's own shape has none: a list in two parts."""
    for start, end in _stretches(found, len(lines)):
        here = list(_outside_furniture([mark for mark in marks if start <= mark.at < end]))
        asking = Counter((mark.shape, mark.level) for mark in here if mark.asks)
        there = Counter((mark.shape, mark.level) for mark in here)
        telling = [each for each in asking if _tells(each[0], asking[each], there[each])]
        if telling:
            shape, _ = max(telling, key=lambda each: (asking[each], _RANK.index(each[0])))
            parts = _of_shape(lines[:end], here, shape)
            yield from (each for each in parts if isinstance(each.item, Question))


def _tells(shape: str, asking: int, there: int) -> bool:
    """So many lines of a shape are questions, and not chance."""
    return shape in ("labelled", "summary") or (asking >= SERIES and asking > SERIES_SHARE * there)


def _stretches(found: Sequence[_Found], length: int) -> Iterator[tuple[int, int]]:
    """From and to which lines no question and no answer is."""
    start = 0
    for each in found:
        if isinstance(each.item, Question):
            yield start, each.item.line - 1
            start = each.end
    yield start, length


def _outside_furniture(marks: Sequence[_Mark]) -> Iterator[_Mark]:
    """The marks that are not below a heading such as "Resources"; it ends what is above it."""
    below = 0
    for mark in marks:
        if mark.shape == "heading" and (not below or mark.level <= below):
            below = mark.level if _is_furniture(mark) else 0
            yield mark
        elif not below:
            yield mark


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
            if shape == "heading" and _LABELLED_ANSWER.match(words):
                continue
            title = plain(words)
            yield _Mark(at, shape, title, level, is_numbered(words))


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
    if match := _SUMMARY.match(line) or _ADMONITION.fullmatch(line):
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


def _of_headings(lines: Sequence[str], marks: Sequence[_Mark]) -> Iterator[_Found]:
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
            body = [] if mark.below else lines[mark.at + 1 : end_of_answer]
            yield _Found(_question(mark.at + 1, mark.below or mark.title, body), end_of_answer)
        elif mark.at >= end_of_answer and not _holds(marks[n:], chosen):
            yield _Found(_left_out(mark), mark.at + 1)


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


def _of_items(lines: Sequence[str], marks: Sequence[_Mark], shape: str) -> Iterator[_Found]:
    """Lines of one shape; the text up to the next, or to a heading or "Q:", is the answer."""
    ends = [mark for mark in marks if mark.shape in (shape, "heading", "labelled")]
    for n, mark in enumerate(ends):
        if mark.shape != shape:
            continue
        if not mark.asks:
            end = ends[n + 1].at if n + 1 < len(ends) else len(lines)
            parts = list(_nested_questions(lines[:end], mark.at + 1))
            yield from parts or [_Found(_left_out(mark), mark.at + 1)]
            continue
        # A bold line that asks nothing stands in an answer; any other mark ends one.
        after = (o for o in ends[n + 1 :] if shape != "bold" or o.shape == "heading" or o.asks)
        following = next(after, None)
        end = following.at if following else len(lines)
        if shape == "summary":
            end = _end_of_details(lines, mark.at, end)
        question, said = mark.parts
        body = [said, *lines[mark.at + 1 : end]] if said else lines[mark.at + 1 : end]
        if more := _asked_further(body):
            question, body = f"{question} {more}", []
        yield _Found(
            _question(mark.at + 1, question, body, _still_asked(lines[mark.at], body)), end
        )


def _nested_questions(lines: Sequence[str], start: int) -> Iterator[_Found]:
    """The items nested from a line on, if all of them ask: their title is a subject."""
    found = ((at, _NESTED.fullmatch(line)) for at, line in enumerate(lines[start:], start))
    nested = [(at, plain(match[1])) for at, match in found if match]
    if all(asks(title) for _, title in nested):
        ends = [at for at, _ in nested[1:]] + [len(lines)]
        for (at, title), end in zip(nested, ends, strict=False):
            yield _Found(_question(at + 1, title, lines[at + 1 : end]), end)


def _asked_further(body: Sequence[str]) -> str:
    """The questions below a question, if there is nothing else there."""
    said = [line for line in body if line.strip() and not _HINT.fullmatch(line)]
    nested = [_NESTED.fullmatch(line) for line in said]
    further = [plain(match[1]) for match in nested if match and not _ANSWER_LABEL.match(match[1])]
    return " ".join(further) if len(further) == len(nested) and all(map(asks, further)) else ""


def _end_of_details(lines: Sequence[str], start: int, end: int) -> int:
    return next((n for n in range(start, end) if _DETAILS_END.match(lines[n])), end)


def _still_asked(line: str, body: Sequence[str]) -> int:
    """How many lines of the body a ``<summary>`` goes on for."""
    if "<summary" not in line.lower() or "</summary" in line.lower():
        return 0
    return next((n for n, each in enumerate(body, 1) if "</summary" in each.lower()), 0)


def _question(line: int, title: str, body: Sequence[str], asked: int = 0) -> Question:
    """The question with what it gives to look at: ``asked`` lines, or all before the answer."""
    body = _outdented([each for each in body if not _ABOUT_IT.fullmatch(each)])
    shown = asked or _before_the_answer(body)
    below = [each for each in body[shown:] if not _is_fold(each)]
    return Question(line, title, _answer(_outdented(below)), shown=_verbatim(body[:shown]))


def _before_the_answer(body: Sequence[str]) -> int:
    """How many lines stand before an answer that is folded away, or labelled after code."""
    for at, line in _outside_code(body):
        if _is_fold(line):
            return at
        if _LABELLED_ANSWER.match(line):
            in_code = set(range(at)) - {n for n, _ in _outside_code(body)}
            return at if in_code or any(_OPTION.match(each) for each in body[:at]) else 0
    return 0


def _verbatim(lines: Sequence[str]) -> str:
    """Code as it is and other lines without their markup, for the reader of a question."""
    outside = {at for at, _ in _outside_code(lines)}
    kept = [
        without_markup(line).rstrip() if at in outside else line
        for at, line in enumerate(lines)
        if not _FENCE.match(line)
    ]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip("\n")


def _rows_of_tables(lines: Sequence[str]) -> Iterator[Item]:
    """The rows of tables that have a column of questions; a table of contents has none."""
    for (first, head), *rows in _tables(lines):
        names = [plain(cell) for cell in head]
        columns = columns_of(names)
        if columns and not any(_ANCHOR.fullmatch(c) for _, row in rows for c in row):
            yield from without_answers(first + 1, names, columns)
            for at, row in rows:
                yield _row(at, {name: row[n] for name, n in columns.items() if n < len(row)})


def _tables(lines: Sequence[str]) -> Iterator[list[tuple[int, list[str]]]]:
    """The tables: of each, its rows with their line and cells, without the rule below the head."""
    table: list[tuple[int, list[str]]] = []
    for at, line in [*_outside_code(lines), (len(lines), "")]:
        if _ROW.fullmatch(line):
            if not _RULE.fullmatch(line):
                cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
                table.append((at, [cell.strip().replace("\\|", "|") for cell in cells]))
        elif table:
            yield table
            table = []


def _row(at: int, found: dict[str, str]) -> Item:
    title = plain(found.get("question", ""))
    if not title:
        return Skipped(at + 1, "has no question")
    known = {name: plain(found[name]) for name in ("topic", "difficulty", "id") if name in found}
    answer = _answer(BREAK.sub("\n", found.get("answer", "")).split("\n"))
    return Question(at + 1, title, answer, **known)


def _answer(body: Sequence[str]) -> str:
    """The text of an answer: code as it is, everything else without markup, labels and rules."""
    kept: list[str] = []
    code = set(range(len(body))) - {at for at, _ in _outside_code(body)}
    options = sum(bool(_OPTION.match(line)) for line in body) > 1
    for at, line in enumerate(body):
        if at in code:
            kept.append(line)
            continue
        if _says_nothing(line):
            continue
        if heading := heading_level(line):
            line = heading[1]
        if not any(each.strip() for each in kept):
            line = _ANSWER_LABEL.sub("", line, count=1)
            line = line if options else _LETTER.sub("", line, count=1)
        kept.append(without_markup(line).rstrip())
    answer = re.sub(r"\n{3,}", "\n\n", "\n".join(_outdented(kept)).strip())
    return _LED_NOWHERE.sub("", answer)


def _says_nothing(line: str) -> bool:
    """An item without words, the title of a box, a way back to the top, or a rule."""
    return bool(
        _NOTHING_SAID.fullmatch(line)
        or _TO_THE_TOP.fullmatch(without_markup(line))
        or (line.strip() and _RULE.fullmatch(line))
    )


def _is_fold(line: str) -> bool:
    """It only says that the answer follows."""
    found = _SUMMARY.match(line) or _ADMONITION.fullmatch(line)
    return bool(found and _FOLDED_ANSWER.fullmatch(plain(found[1])))


def _outdented(lines: Sequence[str]) -> list[str]:
    """The lines without the indentation that all of them share."""
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    return [line[min(indents, default=0) :] for line in lines]
