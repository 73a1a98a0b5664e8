"""A model reads a question list: it says which lines ask and answer, and code takes the words.

What it names and the list does not hold is dropped and reported, as is each line it did not name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Annotated

from pydantic import BaseModel

from interviewer.errors import ExaminerError
from interviewer.examiner.llm.client import ChatClient, ChatRequest, ask_for
from interviewer.examiner.llm.messages import Message, fenced, load_prompt
from interviewer.examiner.llm.replies import Read, Usable, Words, or_else, read_as, schema_of
from interviewer.rubric.question_lists import Item, Question, Skipped

PART = 48_000
"""Characters of one request; a longer list is read in parts."""
CAP, LONGEST = 24_000, 90_000
QUESTION_LINES = 6
"""A question's words end at most so many lines below the one they begin in."""
SHOWN = 60
_BETWEEN_WORDS = re.compile(r"[\s*_`>#|\\]+")
_RULED = re.compile(r"[\W_]*")


class _Entry(BaseModel):
    line: int
    question: str
    answer: Annotated[list[list[int]], or_else([])] = []
    begins: Words = ""
    follow_ups: Usable[str] = []
    topic: Words = ""


class _Entries(BaseModel):
    questions: Usable[_Entry]


async def read_list(client: ChatClient, text: str) -> tuple[Item, ...]:
    """The questions that the model finds, and each stretch of lines that belongs to none.

    Raises ExaminerError if a call fails or its reply cannot be used.
    """
    lines = text.split("\n")
    entries: list[_Entry] = []
    for first, last in _parts(lines):
        request = _request(lines, first, last)
        found, _ = await ask_for(client, request, partial(_read, between=(first, last)))
        if found.problems:
            why = found.problems[0]
            raise ExaminerError(f"The model's reading of the list can't be used: {why}.")
        entries += found.value
    return tuple(sorted(_items(lines, entries), key=lambda item: item.line))


def _parts(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The first and the last number of the lines of each request, broken where a line is blank."""
    first = size = 0
    blank = -1
    for n, line in enumerate(lines):
        size += len(line)
        blank = n if not line.strip() else blank
        if size > PART and blank > first:
            yield first + 1, blank
            first, size = blank, sum(map(len, lines[blank : n + 1]))
    yield first + 1, len(lines)


def _request(lines: Sequence[str], first: int, last: int) -> ChatRequest:
    prompt = load_prompt("question_list")
    numbered = [
        {"n": n, "text": lines[n - 1]} for n in range(first, last + 1) if lines[n - 1].strip()
    ]
    messages = (
        Message("system", prompt.text),
        Message("user", fenced("The lines of the list", numbered, f"list {first}")),
    )
    return ChatRequest("list", prompt.version, messages, CAP, 0.0, LONGEST, schema_of(_Entries))


def _read(reply: str, between: tuple[int, int]) -> Read[list[_Entry]]:
    found = read_as(reply, _Entries, "questions")
    if isinstance(found, str):
        return Read([], (found,))
    first, last = between
    return Read([each for each in found.questions if first <= each.line <= last])


def _items(lines: Sequence[str], entries: Sequence[_Entry]) -> Iterator[Item]:
    taken: set[int] = set()
    for entry in entries:
        asked = lines[entry.line - 1 : entry.line - 1 + QUESTION_LINES]
        if not _holds("\n".join(asked), entry.question):
            yield Skipped(entry.line, f"does not hold what the model read ({_short(entry)})")
            continue
        spans = [(a, b) for a, b in filter(_is_span, entry.answer) if 1 <= a <= b <= len(lines)]
        follow_ups = {each: _line_of(lines, each) for each in entry.follow_ups}
        taken.update(range(entry.line, entry.line + _length(asked, entry.question)))
        taken.update(*(range(a, b + 1) for a, b in spans), follow_ups.values())
        answer = "\n".join("\n".join(lines[a - 1 : b]) for a, b in spans)
        yield Question(
            entry.line,
            " ".join(entry.question.split()),
            _from(answer, entry.begins),
            section=entry.topic,
            follow_ups=tuple(each for each, line in follow_ups.items() if line),
        )
    yield from _left(lines, taken)


def _left(lines: Sequence[str], taken: set[int]) -> Iterator[Skipped]:
    """Each stretch of lines with words that is part of no question and no answer."""
    worded = [n for n, line in enumerate(lines, 1) if not _RULED.fullmatch(line)]
    for is_taken, stretch in groupby(worded, key=taken.__contains__):
        if not is_taken:
            first = next(stretch)
            words = " ".join(lines[first - 1].split())[:SHOWN]
            yield Skipped(first, f"is taken neither for a question nor for an answer ({words})")


def _is_span(part: Sequence[int]) -> bool:
    return len(part) == 2


def _short(entry: _Entry) -> str:
    return " ".join(entry.question.split())[:SHOWN]


def _bare(text: str) -> str:
    return _BETWEEN_WORDS.sub(" ", text).strip()


def _holds(text: str, words: str) -> bool:
    """The words stand in the text, whatever markup is between them."""
    return bool(_bare(words)) and _bare(words) in _bare(text)


def _line_of(lines: Sequence[str], words: str) -> int:
    """The number of the line that holds the words, 0 if none does."""
    return next((n for n, line in enumerate(lines, 1) if _holds(line, words)), 0)


def _length(lines: Sequence[str], words: str) -> int:
    """How many of the lines the words take."""
    return next(
        (n for n in range(1, len(lines)) if _holds("\n".join(lines[:n]), words)), len(lines)
    )


def _from(answer: str, begins: str) -> str:
    """The answer from its first words on, which a label on their line may stand before."""
    start = answer.split("\n", 1)[0].find(begins)
    return answer[max(start, 0) :].strip()
