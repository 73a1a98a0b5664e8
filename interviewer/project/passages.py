"""The passages of project notes that an interviewer would put a finger on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from interviewer.grading.claims.extract import extract
from interviewer.grading.orders import gives_orders
from interviewer.grading.quantities import quantities
from interviewer.rubric.rubric import Looks
from interviewer.rubric.text import whole_sentences

PASSAGE_WORDS = range(5, 31)
"""A shorter passage says nothing to ask about; a longer one is quoted up to here."""

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


@dataclass(frozen=True)
class Passage:
    """A sentence of the notes, without its Markdown, and what can be asked about it."""

    text: str
    looks: frozenset[Looks]
    weight: int
    """How much there is in it: the numbers stated, and what else it shows."""


def passages(notes: str) -> tuple[Passage, ...]:
    """The sentences worth a question, in the order of the notes.

    Headings and code say too little, and a sentence that is addressed to the examiner is left out.
    """
    return tuple(_passages(notes))


def _passages(notes: str) -> Iterator[Passage]:
    for said in _sentences(notes):
        words = said.split()
        if len(words) < PASSAGE_WORDS.start or gives_orders(said):
            continue
        numbers = len(extract(said)) or min(1, sum(1 for _ in quantities(said)))
        looks = {look for look, sign in _SIGNS.items() if sign.search(said.lower())}
        looks |= {"number"} if numbers else set()
        yield Passage(_shortened(words), frozenset(looks | {"anything"}), numbers + len(looks))


def _sentences(notes: str) -> Iterator[str]:
    """The sentences of paragraphs and list items, without their Markdown."""
    for block in _blocks(notes):
        for sentence in whole_sentences(block, leads_on=(";", ":")):
            yield " ".join(sentence.split()).strip(" .;:,–—-")


def _blocks(notes: str) -> Iterator[str]:
    tokens = MarkdownIt().parse(notes)
    for before, token in pairwise(tokens):
        if token.type == "inline" and before.type != "heading_open":
            yield "".join(_text_of(part) for part in token.children or ())


def _text_of(part: Token) -> str:
    return " " if part.type in ("softbreak", "hardbreak") else part.content


def _shortened(words: list[str]) -> str:
    most = PASSAGE_WORDS.stop - 1
    return " ".join(words) if len(words) <= most else " ".join(words[:most]).rstrip(",;:–—-") + " …"
