"""The candidate's own project: notes, passages worth asking about, and questions on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from markdown_it import MarkdownIt

from interviewer.content.fields import RefusedError
from interviewer.content.files import text_of
from interviewer.errors import InterviewerError, SettingsError
from interviewer.grading.claims import rules
from interviewer.grading.numerals import quantities
from interviewer.grading.transcript import ParsedAnswer
from interviewer.paths import expanded
from interviewer.rubric.rubric import PASSAGE, Looks, OwnProject, Rubric
from interviewer.rubric.text import table, whole_sentences

LARGEST_NOTES = 64 * 1024
"""Bytes."""
LEAST_WORDS = 8
"""Shorter notes leave nothing to ask about."""
_PATH = re.compile(r"[~./\\]?\S*[/\\]\S*|\S+\.(?:md|markdown|txt|text|rst)", re.IGNORECASE)
PASSAGE_WORDS = range(5, 31)
"""A shorter passage leaves nothing to ask about; a longer one is cut off here."""


def read_notes(given: str) -> str:
    """The notes in the text or Markdown file ``given``, or ``given`` itself if it is no path.

    Raises SettingsError if a file cannot be read, is not text or too large, or if there is too
    little to ask about.
    """
    given = given.strip()
    try:
        path = expanded(given)
        is_path = bool(_PATH.fullmatch(given)) or path.exists()
    except (InterviewerError, OSError):  # a description may begin with ~, or is long for a name
        is_path = False
    try:
        text = text_of(path, largest=LARGEST_NOTES) if is_path else given
    except RefusedError as error:
        raise SettingsError(f"The notes file {path} {error.problem.message}.") from error
    if len(text.split()) < LEAST_WORDS:
        raise SettingsError(
            f"The project notes have fewer than {LEAST_WORDS} words; write what you built, with "
            "its numbers, or give the path of a text or Markdown file."
        )
    return text


@dataclass(frozen=True)
class Passage:
    """A sentence of the notes without Markdown, and what can be asked about it."""

    text: str
    looks: frozenset[Looks]
    weight: int
    """How much there is to ask: the numbers it states, plus the kinds of question it suits."""


def passages(notes: str) -> tuple[Passage, ...]:
    """The sentences worth a question, in the order of the notes.

    Headings and code say too little, and sentences that instruct the examiner are left out.
    """
    return tuple(
        _passage(sentence)
        for sentence in _sentences(notes)
        if len(sentence.split()) >= PASSAGE_WORDS.start
        and not ParsedAnswer(sentence).gives_orders()
    )


def _passage(sentence: str) -> Passage:
    numbers = len(rules.read(ParsedAnswer(sentence), 0, own_work=True).quantities) or min(
        1, sum(1 for _ in quantities(sentence))
    )
    looks = {look for look, sign in _signs().items() if sign.search(sentence)}
    looks |= {"number"} if numbers else set()
    text = _shortened(sentence.split())
    return Passage(text, frozenset(looks | {"anything"}), numbers + len(looks))


@cache
def _signs() -> dict[Looks, re.Pattern[str]]:
    """The words by which a sentence is known to be worth a question of a kind."""
    words = table("project", "interviewer")
    return {look: re.compile(rf"\b(?:{'|'.join(words[look])})\b", re.I) for look in words}


def _sentences(notes: str) -> Iterator[str]:
    """The sentences of paragraphs and list items, without their Markdown."""
    for block in _blocks(notes):
        for sentence in whole_sentences(block, leads_on=(";", ":")):
            yield " ".join(sentence.split()).strip(" .;:,–—-")


def _blocks(notes: str) -> Iterator[str]:
    tokens = MarkdownIt().parse(notes)
    for before, token in pairwise(tokens):
        if token.type == "inline" and before.type != "heading_open":
            parts = token.children or ()
            breaks = ("softbreak", "hardbreak")
            yield "".join(" " if part.type in breaks else part.content for part in parts)


def _shortened(words: list[str]) -> str:
    most = PASSAGE_WORDS.stop - 1
    return " ".join(words) if len(words) <= most else " ".join(words[:most]).rstrip(",;:–—-") + " …"


def put_to_project(rubrics: Iterable[Rubric], notes: str) -> Mapping[str, Rubric]:
    """The rubrics that can be asked about the project, by id, each about its own passage.

    A rubric without :attr:`~interviewer.rubric.rubric.Rubric.own_project`, or for which no fitting
    passage is left, is asked as it stands and not among them. Rubrics that look for something
    particular choose first; one that takes anything may reuse a passage when none is left.
    """
    offers = [(rubric, own) for rubric in rubrics if (own := rubric.own_project)]
    offers.sort(key=lambda offer: offer[1].looks_for == "anything")
    every = passages(notes)
    left = list(every)
    about: dict[str, Rubric] = {}
    for rubric, own in offers:
        again = every if own.looks_for == "anything" else ()
        if passage := _best(left, own.looks_for) or _best(again, own.looks_for):
            left = [other for other in left if other != passage]
            about[rubric.id] = _asked_about(rubric, own, passage)
    return about


def _asked_about(rubric: Rubric, own: OwnProject, passage: Passage) -> Rubric:
    question = own.question.replace(PASSAGE, passage.text)
    kept = own.model_copy(update={"passage": passage.text})
    return rubric.model_copy(update={"question": question, "own_project": kept})


def _best(left: Sequence[Passage], look: Looks) -> Passage | None:
    """The fitting passage with the most to ask about, the earliest of equals; None if none fits."""
    fitting = [passage for passage in left if look in passage.looks]
    return max(fitting, key=lambda passage: passage.weight, default=None)
