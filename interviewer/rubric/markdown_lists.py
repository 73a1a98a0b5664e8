"""Question lists in Markdown, in the shapes in which people write them.

markdown-it finds the blocks. A heading, an item of a list, a bold line, "Q:", a ``<summary>`` or a
paragraph may ask; what stands below, up to the next of its kind, is the answer. Every block that
belongs to no question is reported with its line.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from markdown_it import MarkdownIt
from markdown_it.token import Token

from interviewer.rubric.list_shapes import shaped
from interviewer.rubric.markdown_words import (
    ADMONITION,
    ANCHOR,
    BEFORE_ANSWER,
    BOLD,
    BOLD_NUMBER,
    FOLD,
    HTML_HEADING,
    ITEM,
    LABEL,
    LINK,
    NUMBER,
    OPTION,
    QUESTION_MARK,
    SUMMARY,
    asks,
    names_a_part,
    outdented,
    plain,
    says_nothing,
    without_markup,
)
from interviewer.rubric.question_lists import (
    Item,
    Question,
    Skipped,
    columns_by_shape,
    columns_of,
    question_of,
    without_answers,
)

# Answers are often indented, folded away, or followed at once by a rule.
_BLOCKS = MarkdownIt("commonmark").enable("table").disable(["code", "lheading", "html_block"])

SERIES, SERIES_SHARE, LIST_SHARE = 3, 0.6, 0.8
"""So many of a kind that ask, and this share of all, tell that the others with a number ask as
well: of headings, folds and bold lines, and of the items of a list."""


_Rows = list[tuple[int, list[str]]]
"""The cells of a table's rows, each with its line."""


MANY, FEW = 8, 0.34
"""Beside so many questions, one among whose like only this share asks is none."""


@dataclass(eq=False)
class _List:
    """A list and its lines; ``first`` is the number of its first item."""

    start: int
    end: int
    ordered: bool
    first: int
    size: int = 0


@dataclass(frozen=True)
class _Mark:
    """A line that may ask. ``at`` counts from 0; ``body`` is the line where its answer begins.

    ``level`` is a heading's depth, or how deep an item is nested; ``end`` is where an item ends.
    """

    at: int
    shape: str
    title: str
    body: int
    level: int = 0
    number: int | None = None
    list: _List | None = None
    end: int = 0

    @property
    def asks(self) -> bool:
        if self.shape in ("fold", "other"):
            return False
        if self.shape == "asked":
            return bool(self.title)
        if self.shape == "label":
            return bool(self.title) and not names_a_part(self.title)
        if self.shape == "bold" and self.title.endswith((":", "：")):
            return False  # the label of a part of an answer
        return asks(self.title)

    @property
    def parts(self) -> tuple[str, str]:
        """The question, and what is said after it on the same line: the beginning of an answer."""
        ends = list(QUESTION_MARK.finditer(self.title))
        said = self.title[ends[-1].end() :].strip() if ends else ""
        if not said or said[0] in "()（" or asks(said) or self.shape == "heading":
            return self.title, ""
        return self.title[: ends[-1].end()], said


def _number(words: str) -> int | None:
    found = NUMBER.match(without_markup(words))
    return int(found[1]) if found else None


class _Page:
    """A file: its lines, its blocks, and the lines that may ask."""

    def __init__(self, text: str, ending: str) -> None:
        self.lines, asked = shaped(re.split(r"\r\n?|\n", text), ending)
        self.tokens = _BLOCKS.parse("\n".join(self.lines))
        fences = [token.map for token in self.tokens if token.type == "fence" and token.map]
        self.code = {at for start, end in fences for at in range(start, end)}
        self.tables = dict(self._tables())
        within = {at for each in asked for at in range(each.at, each.end)}
        marks = [mark for mark in self._marks() if mark.at not in within or mark.shape == "fold"]
        marks += [
            _Mark(q.at, "asked", plain(q.title), q.body, number=q.number, end=q.end) for q in asked
        ]
        self.marks = sorted(marks, key=lambda mark: mark.at)
        self.over = list(self._headings_above())
        self.folds = {mark.at for mark in self.marks if mark.shape == "fold"}
        self.asking: set[int] = set()
        self.asking = self._asking()

    def words(self, at: int) -> str:
        """The line without the sign of an item before its text."""
        return ITEM.sub("", self.lines[at])

    def _tables(self) -> Iterator[tuple[int, tuple[int, _Rows, dict[str, int]]]]:
        """The tables outside lists with a column of questions: end, rows and columns, by start."""
        found: list[tuple[int, int, _Rows]] = []
        rows: _Rows = []
        opened = (0, 0)
        for token in self.tokens:
            if token.type == "table_open" and token.map:
                rows, opened = [], (token.map[0], token.map[1])
            elif token.type == "tr_open" and token.map:
                rows.append((token.map[0], []))
            elif token.type == "inline" and token.level and rows:
                rows[-1][1].append(token.content)
            elif token.type == "table_close":
                if not token.level:
                    found.append((*opened, rows))
                rows = []
        alike: dict[tuple[str, ...], list[list[str]]] = defaultdict(list)
        for _, _, (first, *below) in found:
            alike[tuple(first[1])] += [cells for _, cells in below]
        for start, end, rows in found:
            head = rows[0][1]
            columns = columns_of([*map(plain, head)])
            if columns := columns or columns_by_shape(alike[tuple(head)]):
                yield start, (end, rows, columns)

    def _marks(self) -> Iterator[_Mark]:
        lists: list[_List] = []
        item: Token | None = None  # until its first line is read
        for n, token in enumerate(self.tokens):
            start, end = token.map or (0, 0)
            if token.type in ("ordered_list_open", "bullet_list_open"):
                first = int(token.attrGet("start") or 1)
                lists.append(_List(start, end, token.type.startswith("ordered"), first))
            elif token.type in ("ordered_list_close", "bullet_list_close"):
                lists.pop()
            elif token.type == "list_item_open":
                item = token
                lists[-1].size += 1
            elif token.type == "list_item_close":
                item = None
            elif token.type == "heading_open" and (lists or self.lines[start][:4].strip()):
                words = self.tokens[n + 1].content
                shape = "other" if LABEL["answer"].match(words) else "heading"
                number = int(item.info) if item and item.info else _number(words)
                yield _Mark(start, shape, plain(words), start + 1, int(token.tag[1]), number)
                item = None
            elif token.type == "paragraph_open":
                title = [self._item(item, start, end, lists)] if item else []
                found = list(self._in_lines(range(start + len(title), end), nested=bool(lists)))
                yield from title + found
                if not found and not lists:
                    yield from self._paragraph(n, start, end)
                item = None

    def _item(self, item: Token, start: int, end: int, lists: Sequence[_List]) -> _Mark:
        """An item, whose question may go on for lines."""
        words, body = self.words(start), start + 1
        for at in range(start, min(start + 3, end)):
            if QUESTION_MARK.search(without_markup(self.lines[at])):
                words, body = " ".join([words, *self.lines[start + 1 : at + 1]]), at + 1
                break
            if self.lines[at].rstrip().endswith((".", ":", "。", "：", "**")):
                break
        title, last = plain(words), (item.map or (start, end))[1]
        leads_away = ANCHOR.fullmatch(words) or says_nothing(self.lines[start])
        shape = "item" if title and not leads_away else "other"
        number = int(item.info) if item.info else None
        return _Mark(start, shape, title, body, len(lists), number, lists[-1], last)

    def _paragraph(self, n: int, start: int, end: int) -> Iterator[_Mark]:
        """A question on lines of its own, or a task that is all there is below a heading."""
        said = (line for line in self.lines[start:end] if not LINK.fullmatch(line))
        title = plain(" ".join(said))
        around = [self.tokens[n - 1].type, *(token.type for token in self.tokens[n + 3 : n + 4])]
        alone = all(kind.startswith("heading") for kind in around)
        if QUESTION_MARK.search(title[-4:]) or (alone and asks(title)):
            yield _Mark(start, "paragraph", title, end)

    def _in_lines(self, lines: Sequence[int], *, nested: bool) -> Iterator[_Mark]:
        for at in lines:
            line = self.lines[at]
            words = line.strip(" \t>")
            if match := HTML_HEADING.fullmatch(line):
                depth, words = int(match[1]), match[2]
                yield _Mark(at, "heading", plain(words), at + 1, depth, _number(words))
            elif match := SUMMARY.fullmatch(line) or ADMONITION.fullmatch(line):
                shape = "fold" if FOLD.fullmatch(plain(match[1])) else "summary"
                yield _Mark(at, shape, plain(match[1]), at + 1)
            elif nested:
                continue
            elif label := LABEL["question"].match(words):
                yield _Mark(at, "label", plain(words[label.end() :]), at + 1)
            elif BOLD_NUMBER.match(words):
                yield _Mark(at, "bold number", plain(words), at + 1)
            elif match := BOLD.fullmatch(words):
                yield _Mark(at, "bold", plain(words), at + 1)

    def _asking(self) -> set[int]:
        """The places of the marks that ask, by themselves or in company."""
        elsewhere = {n for n in range(len(self.marks)) if self.part(n)}
        asking = {n for n, mark in enumerate(self.marks) if mark.asks}
        asking -= {n for n in elsewhere if self.part(n) == "about_the_list"}
        asking -= set(self._stray(asking))
        paragraphs = {n for n in asking if self.marks[n].shape == "paragraph"}
        if len(paragraphs) < min(SERIES, len(asking)):
            asking -= paragraphs
        groups = [self._group(n) for n in range(len(self.marks))]
        total, among = Counter(groups), Counter(groups[n] for n in asking)
        for n, mark in enumerate(self.marks):
            if not mark.title or n in elsewhere or names_a_part(mark.title):
                continue
            is_sign = mark.number is not None or mark.shape in ("summary", "bold number")
            share = LIST_SHARE if mark.shape == "item" else SERIES_SHARE
            fewest = SERIES if is_sign else 2 * SERIES if mark.shape == "item" else len(self.marks)
            if among[groups[n]] >= max(fewest, share * (total[groups[n]] - 1)):
                asking.add(n)
        sure = {n for n in asking if self.marks[n].shape == "asked"}
        return sure if 2 * len(sure) > len(asking) else asking

    def _stray(self, asking: set[int]) -> Iterator[int]:
        """Headings and items among whose like few ask, beside many that do."""
        rows = sum(len(rows) - 1 for _, rows, _ in self.tables.values())
        like = [mark.list or (mark.shape, mark.level) for mark in self.marks]
        total, among = Counter(like), Counter(like[n] for n in asking)
        depths = [each for each in among if isinstance(each, tuple) and each[0] == "heading"]
        many = [d[1] for d in depths if among[d] >= max(MANY, SERIES_SHARE * total[d])]
        for n in asking:
            mark, few = self.marks[n], among[like[n]] <= FEW * total[like[n]]
            is_above = mark.shape == "heading" and mark.level < min(many, default=0)
            is_item = mark.shape == "item" and rows + len(asking) - among[like[n]] >= MANY
            if few and (is_above or is_item):
                yield n

    def _group(self, n: int) -> tuple[object, ...]:
        """What this mark is compared with: headings of a depth, items of a section."""
        mark = self.marks[n]
        if mark.shape == "heading":
            return mark.shape, mark.level, mark.number is not None
        its = mark.list
        return (mark.shape, mark.level, *self.over[n][-1:], its.ordered) if its else (mark.shape,)

    def _headings_above(self) -> Iterator[tuple[int, ...]]:
        """The places of the headings that each mark stands below, the nearest last."""
        above: tuple[int, ...] = ()
        for n, mark in enumerate(self.marks):
            if mark.shape == "heading":
                above = tuple(k for k in above if self.marks[k].level < mark.level)
            yield above
            if mark.shape == "heading":
                above += (n,)

    def part(self, n: int) -> str:
        """The part of the list that the n-th mark stands in or begins: "answers", say."""
        named = (names_a_part(self.marks[k].title) for k in (*self.over[n], n))
        return next((part for part in named if part not in ("", "title")), "")

    @cached_property
    def _titles(self) -> set[int]:
        """The headings that ask nothing; a single one of the first depth titles the whole."""
        marks = enumerate(self.marks)
        found = [n for n, each in marks if each.shape == "heading" and n not in self.asking]
        found = [n for n in found if self.marks[n].title and not names_a_part(self.marks[n].title)]
        single = sum(self.marks[n].level == 1 for n in found) == 1
        return {n for n in found if not single or self.marks[n].level > 1}

    def section(self, n: int) -> str:
        """The title of the section that the n-th mark is in."""
        return next((self.marks[k].title for k in self.over[n][::-1] if k in self._titles), "")

    def end_of(self, n: int) -> int:
        """The line after the answer to the n-th mark."""
        mark = self.marks[n]
        if mark.shape == "asked" or (mark.shape == "item" and not self._goes_on(mark)):
            return mark.end
        ends = [len(self.lines), *(at for at in self.tables if at > mark.at)]
        if mark.shape == "summary":
            ends.append(self._end_of_details(mark.at))
            if ends[-1] < len(self.lines):
                return ends[-1]
        following = range(n + 1, len(self.marks))
        ended = (self.marks[k].at for k in following if self._ends(mark, self.marks[k], k))
        return min([*ends, *islice(ended, 1)])

    def _ends(self, mark: _Mark, other: _Mark, k: int) -> bool:
        if other.at < mark.end:  # inside the item
            return False
        if other.shape == "heading":
            return mark.shape not in ("heading", "summary") or other.level <= mark.level
        if other.list and other.shape == "item":
            same = mark.list and mark.list.ordered == other.list.ordered
            return bool(same and other.level <= mark.level) or self._asks_apart(other, k)
        if other.shape == "label" or k not in self.asking:
            return other.shape == "label"
        return other.shape == mark.shape or mark.shape == "paragraph"

    def _asks_apart(self, mark: _Mark, k: int) -> bool:
        """A numbered list all of whose items ask."""
        its = mark.list
        if its is None or not its.ordered or mark.level > 1 or mark.at != its.start:
            return False
        own = (n for n in range(k, len(self.marks)) if self.marks[n].list == its)
        return all(n in self.asking for n in own)

    def _goes_on(self, mark: _Mark) -> bool:
        """The text below the last item of a list, if it broke the list, is that item's answer."""
        its = mark.list
        if its is None or mark.level > 1 or mark.end < its.end:
            return False
        others = (m.list for m in self.marks if m.list and m.level == 1 and m.at >= its.end)
        following = next((each for each in others if each.ordered == its.ordered), None)
        is_continued = its.ordered and following and following.first == its.first + its.size
        return bool(its.size == 1 or its.first > 1 or is_continued)

    def _end_of_details(self, start: int) -> int:
        depth = int("<details" not in self.lines[start].lower())
        for at, line in enumerate(self.lines[start:], start):
            depth += line.lower().count("<details") - line.lower().count("</details")
            if depth <= 0 and "</details" in line.lower():
                return at + 1
        return len(self.lines)


def questions_of_markdown(text: str, ending: str = ".md") -> Iterator[Item]:
    """The questions with their answers, and every block that belongs to none, if one asks."""
    page = _Page(text, ending)
    found: list[Item] = []
    taken: set[int] = set()
    for start, (end, rows, columns) in page.tables.items():
        found += _rows(rows, columns)
        taken |= set(range(start, end))
    numbers: dict[int, Question] = {}
    done = 0
    for n, mark in enumerate(page.marks):
        if mark.at < done or n not in page.asking:
            continue
        done = page.end_of(n)
        question = _question(page, n, done)
        found.append(question)
        numbers.setdefault(mark.number or 0, question)
        taken |= set(range(mark.at, done))
    found = list(_with_answers_below(page, found, numbers, taken))
    if found:
        yield from sorted([*found, *_left_out(page, taken)], key=lambda item: item.line)


def _question(page: _Page, n: int, end: int) -> Question:
    mark = page.marks[n]
    title, said = mark.parts
    lines = list(range(mark.body, end))
    is_scene = not QUESTION_MARK.search(title)
    lines, further = _asked_further(page, lines, asks if is_scene else QUESTION_MARK.search)
    hints = [at for at in lines if LABEL["hint"].match(page.lines[at])]
    if is_scene and further and hints == lines:
        title, further = " ".join([title, *further]), []
    shown = _before_the_answer(page, mark, lines)
    lines = [at for at in lines if at not in shown and at not in hints]
    return Question(
        mark.at + 1,
        title,
        "\n".join(filter(None, [said, _text(page, lines, is_answer=True)])),
        shown=_text(page, shown),
        section=page.section(n),
        follow_ups=tuple(further),
        hints=tuple(LABEL["hint"].sub("", plain(page.lines[at]), 1) for at in hints),
    )


def _asked_further(
    page: _Page, lines: Sequence[int], is_question: Callable[[str], object]
) -> tuple[list[int], list[str]]:
    """The lines without follow-up questions, which have a label or are all there is; and these."""
    further: list[str] = []
    kept: list[int] = []
    labelled = False
    for at in lines:
        label = LABEL["follow_up"].match(page.lines[at])
        labelled = bool(label) or (labelled and bool(ITEM.match(page.lines[at])))
        if label and (words := plain(page.lines[at][label.end() :])):
            further.append(words)
        elif labelled and not label and asks(plain(page.words(at))):
            further.append(plain(page.words(at)))
        elif not label:
            kept.append(at)
    said = [at for at in kept if not says_nothing(page.lines[at])]
    items = [at for at in said if at not in page.code and ITEM.match(page.lines[at])]
    items = [at for at in items if not LABEL["answer"].match(page.lines[at])]
    hints = [at for at in said if LABEL["hint"].match(page.lines[at])]
    asked = [plain(page.words(at)) for at in items]
    if items and len(items) + len(hints) == len(said) and all(map(is_question, asked)):
        return hints, [*asked, *further]
    return kept, further


def _before_the_answer(page: _Page, mark: _Mark, lines: Sequence[int]) -> Sequence[int]:
    """The lines of an open ``<summary>``, or before an answer that is folded away or labelled."""
    first = page.lines[mark.at].lower()
    if "<summary" in first and "</summary" not in first:
        closed = (n for n, at in enumerate(lines, 1) if "</summary" in page.lines[at].lower())
        return lines[: next(closed, 0)]
    options = [at for at in lines if OPTION.match(page.lines[at])]
    for n, at in enumerate(lines):
        if at in page.folds:
            return lines[:n]
        is_option = at in options and len(options) > 1
        if not is_option and LABEL["answer"].match(page.lines[at]):
            return lines[:n] if any(a in page.code or a in options for a in lines[:n]) else ()
    return ()


def _text(page: _Page, lines: Sequence[int], *, is_answer: bool = False) -> str:
    """Code as it is, everything else without markup, labels and rules."""
    kept: list[str] = []
    texts = dict(zip(lines, outdented([page.lines[at] for at in lines]), strict=True))
    options = [at for at, line in texts.items() if OPTION.match(line)]
    for at, line in texts.items():
        if at in page.code:
            if is_answer or not line.strip().startswith(("```", "~~~")):
                kept.append(line)
            continue
        if at in page.folds or (line.strip() and says_nothing(line)):
            continue
        line = re.sub(r"^(\s*)#{1,6}\s+", r"\1", re.sub(r"^\s*(?:>\s?)+", "", line))
        is_option = at in options and len(options) > 1
        if is_answer and not is_option and not "".join(kept).strip():
            line = BEFORE_ANSWER.sub("", line, count=1)
        kept.append(without_markup(line).rstrip())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(outdented(kept)).strip("\n"))


def _rows(rows: _Rows, columns: Mapping[str, int]) -> Iterator[Item]:
    """The rows of a table that has a column of questions; a table of contents has none."""
    (start, head), *below = rows
    names = [plain(cell) for cell in head]
    if asks(names[columns["question"]]) and not columns_of(names):
        below = rows
    if any(ANCHOR.fullmatch(cell) for _, row in below for cell in row):
        yield Skipped(start + 1, "is a table of contents")
        return
    yield from without_answers(start + 1, names, columns)
    for at, row in below:
        cells = {name: row[n] for name, n in columns.items() if n < len(row)}
        answer = {"answer": without_markup(cells.get("answer", ""))}
        yield question_of(at + 1, {name: plain(cell) for name, cell in cells.items()} | answer)


def _with_answers_below(
    page: _Page, found: Sequence[Item], numbers: Mapping[int, Question], taken: set[int]
) -> Iterator[Item]:
    """Questions whose answers stand in a part of their own: repeated there, or by number."""
    answers: dict[str, str] = {}
    for item in found:
        if isinstance(item, Question) and item.answer:
            answers.setdefault(item.question, item.answer)
    for n, mark in enumerate(page.marks):
        question = numbers.get(mark.number or 0) if mark.level == 1 and mark.list else None
        if question and page.part(n) == "answers" and mark.at not in taken:
            below = _text(page, range(mark.at + 1, mark.end))
            said = without_markup(page.words(mark.at)).strip()
            answers.setdefault(question.question, "\n".join(filter(None, [said, below])))
            taken |= set(range(mark.at, mark.end))
    asked: set[str] = set()
    for item in found:
        if not isinstance(item, Question):
            yield item
        elif item.answer and item.question in asked:
            continue
        elif item.answer or item.question not in answers:
            yield item
        else:
            asked.add(item.question)
            yield replace(item, answer=answers[item.question])


def _left_out(page: _Page, taken: set[int]) -> Iterator[Skipped]:
    """The first line of every block of which nothing is taken; of a list in use, of every item."""
    begins = {token.map[0] for token in page.tokens if token.map and not token.level}
    lists = {mark.list for mark in page.marks if mark.list and mark.level == 1}
    used = {each for each in lists if not taken.isdisjoint(range(each.start, each.end))}
    begins |= {mark.at for mark in page.marks if mark.list in used}
    over = (page.over[n] for n, mark in enumerate(page.marks) if mark.at in taken)
    titles = {page.marks[k].at for above in over for k in above}
    is_said = False
    for at, line in enumerate(page.lines):
        is_said = is_said and at not in begins
        if at in taken:
            is_said = False
        elif not is_said and at not in titles and not says_nothing(line):
            is_said = True
            words = without_markup(page.words(at)).strip(" #*_>")
            yield Skipped(at + 1, f"asks nothing ({words[:60] or 'empty'})")
