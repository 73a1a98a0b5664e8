"""Turning a question list into rubrics: read it, draft each, write what is new."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from interviewer.content.fields import LONGEST_TEXT
from interviewer.content.files import bytes_of, decoded, rendered, without_control, write_new
from interviewer.content.kinds import RUBRICS
from interviewer.content.scaffold import (
    free_slug,
    is_slug,
    schema_beside,
    schema_text,
    slug_of,
)
from interviewer.errors import RubricFileError
from interviewer.rubric.figure import MOST_CHARACTERS, MOST_LINES
from interviewer.rubric.question_lists import (
    Item,
    Question,
    QuestionList,
    Skipped,
    is_anki_export,
    is_tabbed,
    questions_of_anki,
    questions_of_json,
    questions_of_table,
)
from interviewer.rubric.rubric import Difficulty, Rubric
from interviewer.rubric.text import nearly_same, normalise, table, whole_sentences

if TYPE_CHECKING:
    from interviewer.content.collection import Entry
    from interviewer.rubric.library import Library, Summary

OWN = "own"
"""The round of one's own questions, and the topic of those that name none."""
MOST_CRITERIA = 6
FEWEST_WORDS = 3
"""A shorter sentence ("Yes.") is not a point of its own."""
NO_ANSWER = "TODO: what a very good answer says, as it would be spoken."
ANY_ANSWER = "The question is answered correctly, with the reason why it is so."
LONGEST_TITLE = 80
CUT = "\n\n[The list says more.]"
BELOW_THE_QUESTION = "What stands below the question in the list"
_SAID: dict[str, Any] = table("importing", "interviewer.rubric")
PROBES: list[str] = _SAID["probes"]
TERM_WORDS = 6
"""An item of a list with more words says something of its own."""
HEADING_WORDS = 8
"""A line without a stop and with no more words than this is a heading."""
ITEM_MARK = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
"""What an item of an imported answer begins with."""
_ENDED = re.compile(r"[.!?:;…)\"']\s*$")
_NO_PROSE = re.compile(
    r"^ {0,3}(```|~~~).*?(?:^ {0,3}\1[^\n]*$|\Z)|\$\$.*?\$\$|\\\[.*?\\\]|^\s*\|.*\|\s*$",
    re.DOTALL | re.MULTILINE,
)
"""Code, displayed formulas and tables."""
_FORMULA = re.compile(r"\$[^$\n]+\$|\\\(.*?\\\)|`[^`]*`|\S*[=∑∏√∇]\S*")
_ASIDE = re.compile(r"(?:for example|for instance|e\.g\.|example|note|see|read more)\b", re.I)
_MARKS = re.compile(r"\*\*|__|`")
_WORD = re.compile(r"\w+")


def rubric_of(question: Question, rubric_id: str, topic: str) -> dict[str, Any]:
    """The rubric as the fields of a file."""
    return {
        "id": rubric_id,
        "version": 1,
        "title": _title(question.question),
        "round": OWN,
        "topic": topic,
        "difficulty": difficulty_of(question.difficulty),
        "kind": _kind(question.question),
        "question": " ".join(question.question.split()),
        **_figure(question.shown),
        "reference": _reference(question),
        "criteria": list(_criteria(question)),
        **({"escalations": list(question.follow_ups)} if question.follow_ups else {}),
    }


def _figure(shown: str) -> dict[str, Any]:
    """What the question gives to look at, unless it is too long for a screen."""
    if not _fits(shown):
        return {}
    return {"figure": {"caption": BELOW_THE_QUESTION, "text": shown}}


def _fits(shown: str) -> bool:
    return bool(shown) and shown.count("\n") < MOST_LINES and len(shown) <= MOST_CHARACTERS


def _reference(question: Question) -> str:
    """The answer, below what did not fit on the screen."""
    kept = "" if _fits(question.shown) else question.shown
    text = "\n\n".join(filter(None, [kept, question.answer or NO_ANSWER]))
    if len(text) <= LONGEST_TEXT:
        return text
    most = text[: LONGEST_TEXT - len(CUT)]
    whole_lines, _, _ = most.rpartition("\n")
    return (whole_lines or most) + CUT


def lacks_answer(rubric: Rubric) -> bool:
    """Whether its answer is still to be written, since the list that it is from had none."""
    return rubric.reference.endswith(NO_ANSWER)


def unanswered(library: Library, rubric_id: str) -> Entry[Summary, Rubric]:
    """One's own question that waits for its answer. Raises UnknownNameError, RubricFileError."""
    entry = library.get(rubric_id)
    if entry.origin != "yours" or not lacks_answer(entry.model):
        raise RubricFileError(f"{rubric_id} has an answer already: {entry.path}.")
    return entry


def answered(rubric: Rubric, answer: str) -> dict[str, Any]:
    """The fields of the rubric with this answer and its points. Raises RubricFileError."""
    if not answer.strip():
        raise RubricFileError("That is no answer; nothing was written.")
    values = rubric.model_dump(mode="json", exclude_defaults=True)
    question = Question(0, rubric.question, answer.strip())
    values |= {
        "reference": rubric.reference.removesuffix(NO_ANSWER) + question.answer,
        "criteria": list(_criteria(question)),
    }
    try:
        Rubric.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        raise RubricFileError(f"The answer makes no rubric: {first['msg']}.") from error
    return values


def file_text(rubric: dict[str, Any], *, schema: str, origin: str) -> str:
    """The rubric as the text of a file, with comments: its ``origin``, and what is still to do."""
    return rendered(
        rubric,
        heading=[
            f"yaml-language-server: $schema={schema}",
            f"{origin}. It can be asked as it is;",
            "'interviewer rubrics lint' lists what is missing.",
        ],
        notes={
            "criteria": [
                "One per point of the answer. Keep those that an answer must contain, weight",
                "them, and add accept, patterns, hints and a probe of their own.",
            ]
        },
    )


_LEVELS: dict[str, Difficulty] = {
    "": "medium",
    **{word: level for level, words in _SAID["difficulty"].items() for word in words.split()},
}


def difficulty_of(word: str) -> Difficulty | None:
    """The difficulty that a list means, None if the word says none."""
    return _LEVELS.get(word.strip().lower())


def _title(question: str) -> str:
    title = " ".join(question.split())
    if len(title) > LONGEST_TITLE:
        title = title[: LONGEST_TITLE - 1].rsplit(" ", 1)[0] + "…"
    return title


def _kind(question: str) -> str:
    plain = normalise(question).text
    return next((k for k, regex in _SAID["kinds"].items() if re.search(regex, plain)), "concept")


def _criteria(question: Question) -> Iterator[dict[str, Any]]:
    points = points_of(question.answer) or [ANY_ANSWER]
    taken: set[str] = set()
    for probe, claim in zip(PROBES, points, strict=False):
        name = slug_of(claim, taken, otherwise="point")
        hints = {"hints": list(question.hints[:2])} if question.hints and not taken else {}
        taken.add(name)
        yield {"id": name, "claim": claim, "weight": 1, "kind": "fact", "probe": probe, **hints}


def points_of(answer: str) -> list[str]:
    """What the answer consists of, at most :data:`MOST_CRITERIA`: each a claim.

    Code, formulas on lines of their own, tables, headings, examples and questions are no points. A
    list of terms is one point with the line that leads to it; items that say something stand alone.
    """
    points: list[str] = []
    for point in _points(answer):
        if not any(nearly_same(point, earlier) for earlier in points):
            points.append(point)
    return points[:MOST_CRITERIA]


def _points(answer: str) -> Iterator[str]:
    lead = ""
    terms: list[str] = []
    for block in _blocks(_NO_PROSE.sub("\n\n", answer)):
        is_item = bool(ITEM_MARK.match(block))
        pieces = list(_sentences(ITEM_MARK.sub("", block)))
        if is_item and lead and len(pieces) == 1 and _size(pieces[0]) <= TERM_WORDS:
            terms.append(pieces[0].rstrip(".,;"))
            continue
        yield from _listed(lead, terms)
        terms = []
        if not is_item:
            lead = next((piece for piece in pieces[-1:] if piece.endswith(":")), "")
        yield from filter(_is_point, pieces)
    yield from _listed(lead, terms)


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs and list items, each on one line; headings above something are left out."""
    blocks: list[str] = []
    begins = True
    for line in text.split("\n"):
        if not line.strip():
            begins = True
        elif begins or ITEM_MARK.match(line):
            blocks.append(line)
            begins = False
        else:
            blocks[-1] += f" {line.strip()}"
    for block, following in zip(blocks, [*blocks[1:], ""], strict=False):
        if not following or not _is_heading(block):
            yield block


def _is_heading(block: str) -> bool:
    is_text = ITEM_MARK.match(block) or _ENDED.search(block)
    return not is_text and _size(block) <= HEADING_WORDS


def _sentences(block: str) -> Iterator[str]:
    for sentence in whole_sentences(block, leads_on=(";", ":")):
        yield " ".join(_MARKS.sub("", sentence).split())


def _listed(lead: str, terms: Sequence[str]) -> Iterator[str]:
    if terms:
        yield f"{lead} {'; '.join(terms)}."


def _is_point(piece: str) -> bool:
    return (
        _size(_FORMULA.sub(" ", piece)) >= FEWEST_WORDS
        and not piece.endswith(("?", ":"))
        and not _ASIDE.match(piece)
    )


def _size(text: str) -> int:
    return len(_WORD.findall(text))


_NOT_A_WORD = re.compile(r"\W+")


@dataclass(frozen=True)
class Imported:
    """A rubric that was written, or would be; the line of its question, and its points."""

    line: int
    id: str
    path: Path
    question: str
    points: int
    """How many criteria come from the answer: 0 where the list has none."""


@dataclass
class Outcome:
    """What an import wrote, or would write."""

    written: list[Imported] = field(default_factory=list)
    duplicates: list[Question] = field(default_factory=list)
    """Questions that existed already, or appear in the list twice."""
    skipped: list[Skipped] = field(default_factory=list)
    encoding: str = ""
    """The one that was guessed, where the list is not in UTF-8 and does not say."""


def import_questions(
    items: Iterable[Item],
    there: Iterable[Rubric],
    folder: Path,
    source: str,
    *,
    write: bool = True,
    encoding: str = "",
) -> Outcome:
    """Write a rubric for every question of the list ``source`` that no rubric in ``there`` asks.

    Without ``write`` nothing is written: the outcome is what would be. ``encoding`` is the one that
    was guessed.

    Raises RubricFileError if the folder cannot be written; what was written stays and is skipped
    the next time.
    """
    known = {rubric.id: _asked_by(rubric) for rubric in there}
    ids, asked = set(known), set(known.values())
    outcome = Outcome(encoding=encoding)
    schema = _schema_in(folder) if write else None
    for item in items:
        if isinstance(item, Skipped):
            outcome.skipped.append(item)
        elif _asked(item) in asked:
            outcome.duplicates.append(item)
        elif why := _why_not(item):
            outcome.skipped.append(Skipped(item.line, why))
        else:
            asked.add(_asked(item))
            origin = f"Imported from {source}, line {item.line}"
            _import(item, ids, folder, outcome, origin, schema)
    return outcome


def _schema_in(folder: Path) -> str:
    """The address of the schema, which is put there, as the files in the folder write it."""
    return schema_beside(folder, RUBRICS, schema_text(Rubric))


def _import(
    item: Question,
    ids: set[str],
    folder: Path,
    outcome: Outcome,
    origin: str,
    schema: str | None,
) -> None:
    """Add the question to the outcome; its file is written where there is a ``schema``."""
    taken = _Taken(ids, folder)
    as_it_is = is_slug(item.id)
    rubric_id = free_slug(item.id, taken) if as_it_is else slug_of(item.id or item.question, taken)
    named = item.topic or item.section
    topic = slug_of(named, otherwise=OWN) if named else OWN
    values = rubric_of(item, rubric_id, topic)
    try:
        Rubric.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        outcome.skipped.append(Skipped(item.line, f"makes no rubric ({place}: {first['msg']})"))
        return
    path = folder / f"{rubric_id}.yaml"
    if schema is not None:
        write_new(path, file_text(values, schema=schema, origin=origin))
    ids.add(rubric_id)
    points = sum(criterion["claim"] != ANY_ANSWER for criterion in values["criteria"])
    outcome.written.append(Imported(item.line, rubric_id, path, values["question"], points))


def write_question(text: str, there: Iterable[Summary], folder: Path) -> Imported:
    """Write a question of one's own that nothing asks yet. Raises RubricFileError."""
    known, gist = list(there), _gist(text)
    item = Question(0, text.strip(), "")
    if same := next((each.id for each in known if _gist(each.question) == gist), ""):
        raise RubricFileError(f"That is asked already, by {same}: edit or copy that one.")
    outcome = Outcome()
    if why := _why_not(item):
        outcome.skipped.append(Skipped(0, why))
    else:
        ids, origin = {each.id for each in known}, "A question of your own"
        _import(item, ids, folder, outcome, origin, _schema_in(folder))
    if outcome.skipped:
        raise RubricFileError(f"What you typed {outcome.skipped[0].why}; nothing was written.")
    return outcome.written[0]


@dataclass(frozen=True)
class _Taken:
    """Ids in use, and file names: a file may hold a broken rubric or another id."""

    ids: set[str]
    folder: Path

    def __contains__(self, rubric_id: object) -> bool:
        return rubric_id in self.ids or os.path.lexists(self.folder / f"{rubric_id}.yaml")


def _why_not(item: Question) -> str:
    if not _gist(item.question):
        return "has a question without a word"
    if difficulty_of(item.difficulty) is None:
        return f"has the difficulty {item.difficulty!r}; use easy, medium or hard"
    return ""


def _asked(item: Question) -> tuple[str, str]:
    return _gist(item.question), " ".join(item.shown.split()) if _fits(item.shown) else ""


def _asked_by(rubric: Rubric) -> tuple[str, str]:
    shown = rubric.figure.listing if rubric.figure else ""
    return _gist(rubric.question), " ".join(shown.split())


def _gist(question: str) -> str:
    """What makes two questions the same: their words, whatever is between them."""
    return _NOT_A_WORD.sub(" ", normalise(question).text).strip()


LARGEST_LIST = 10 * 1024**2
"""Bytes."""
MOST_QUESTIONS = 5000


def _answers(items: Iterable[Item]) -> tuple[int, int]:
    """How many questions there are, and how many of them have an answer."""
    asked = [item for item in items if isinstance(item, Question)]
    return len(asked), sum(bool(item.answer) for item in asked)


def text_of(path: Path) -> tuple[str, str]:
    """The text of a list, and its encoding if that was guessed. Raises RubricFileError."""
    data = bytes_of(path, LARGEST_LIST)
    encoding = _encoding_of(data)
    text = decoded(path, data, encoding)
    if "\0" in text:
        raise RubricFileError(f"{path} is not a text file; export the questions as text.")
    return without_control(text), "" if encoding.startswith("utf") else encoding


def read_list(path: Path) -> QuestionList:
    """The contents of a question list, line by line. Raises RubricFileError if it is none."""
    from interviewer.rubric.markdown_lists import questions_of_markdown  # rarely needed

    text, encoding = text_of(path)
    match path.suffix.lower():
        case ".csv":
            found = questions_of_table(text)
        case ".tsv":
            found = questions_of_table(text, "\t")
        case ".json" | ".jsonl":
            found = questions_of_json(text)
        case ".txt" if is_anki_export(text) or is_tabbed(text):
            found = questions_of_anki(text)
        case ".txt":  # as Markdown or as numbered text, whichever finds more
            readings = [tuple(questions_of_markdown(text, each)) for each in (".txt", ".md")]
            found = iter(max(readings, key=_answers))
        case ".md" | ".markdown" | ".org" as ending:
            found = questions_of_markdown(text, ending)
        case _:
            raise RubricFileError(
                f"{path} has no ending that says its format; name it .csv, .tsv, .json, .jsonl, "
                ".md (headings or numbered questions), .org or .txt (also Anki's text export)."
            )
    items = tuple(islice(found, MOST_QUESTIONS + 1))
    if len(items) > MOST_QUESTIONS:
        raise RubricFileError(
            f"{path} contains more than {MOST_QUESTIONS} questions; split the file."
        )
    if not items:
        raise RubricFileError(
            f"{path} contains no question: a table needs one per row, JSON a field 'question', "
            "Markdown a heading or a numbered item that ends in a question mark."
        )
    return QuestionList(items, encoding)


_BYTE_ORDER_MARKS = {
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


def _encoding_of(data: bytes) -> str:
    """By its mark, else UTF-8 if it is that, else the most likely one."""
    for mark, encoding in _BYTE_ORDER_MARKS.items():
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
