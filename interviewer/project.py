"""The candidate's own project: notes, passages worth asking about, and questions on them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt

from interviewer.content.fields import RefusedError
from interviewer.content.files import text_of
from interviewer.errors import InterviewerError, SettingsError
from interviewer.grading.claims import rules
from interviewer.grading.transcript import ParsedAnswer
from interviewer.paths import expanded
from interviewer.rubric.rubric import PASSAGE, Looks, OwnProject, Rubric
from interviewer.rubric.text import whole_sentences

LARGEST_NOTES = 64 * 1024
"""Bytes."""
LEAST_WORDS = 8
"""Shorter notes leave nothing to ask about."""
_PATH = re.compile(r"[~./\\]?\S*[/\\]\S*|\S+\.(?:md|markdown|txt|text|rst)", re.IGNORECASE)
PASSAGE_WORDS = range(5, 31)
"""A shorter passage leaves nothing to ask about; a longer one is cut off here."""

_SIGNS: dict[Looks, re.Pattern[str]] = {
    "decision": re.compile(
        r"\b(?:chose|chosen|choos\w+|decid\w+|pick\w+|opt(?:ed|ing) for|switch\w+|replac\w+"
        r"|instead of|rather than|over\b.{1,30}\bbecause|in favou?r of|settled on|moved (?:from|to)"
        r"|trade-?offs?|compared|versus|ablat\w+)\b"
    ),
    "trouble": re.compile(
        r"\b(?:fail\w*|diverg\w+|spik\w+|crash\w*|nans?\b|oom|out of memory|hang\w*|hung|stuck"
        r"|bugs?|regress\w+|overfit\w*|collaps\w+|instab\w+|unstable|wrong|broke\w*|leak\w*|deadlock\w*"
        r"|straggler\w*|debug\w+|incident\w*|root cause|rolled? back|lost|hack\w*|degenerat\w+)\b"
    ),
    "result": re.compile(
        r"\b(?:improv\w+|reduc\w+|increas\w+|rais\w+|cut\b|sav(?:ed|ing)|speed\w*|faster|gain\w*|beat"
        r"|outperform\w*|win rate|from .{1,30} to|lower\w*|halv\w+|doubl\w+|achiev\w+|reach\w*"
        r"|shipped|launched|deployed)\b"
    ),
}


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
        1, len(ParsedAnswer(sentence).quantities)
    )
    looks = {look for look, sign in _SIGNS.items() if sign.search(sentence.lower())}
    looks |= {"number"} if numbers else set()
    text = _shortened(sentence.split())
    return Passage(text, frozenset(looks | {"anything"}), numbers + len(looks))


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
