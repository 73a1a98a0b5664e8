"""From a question and its answer to a rubric that can be asked, and that lint finds fault with.

Each sentence of the answer becomes a criterion. Which of them matter, how else they may be said
and by which patterns they are found is left to the author; the comments of the file say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, get_args

from interviewer.rubric.importing.question import Question
from interviewer.rubric.rendering import rendered
from interviewer.rubric.rubric import Difficulty
from interviewer.rubric.slugs import slug_of
from interviewer.rubric.text import normalise, sentences

MOST_CRITERIA = 6
FEWEST_WORDS = 3
"""A shorter sentence ("Yes.") is no point of its own."""
NO_ANSWER = "TODO: what a very good answer says, as it would be spoken."
ANY_ANSWER = "The question is answered correctly, with the reason why it is so."
LONGEST_TITLE = 80
PROBES = (
    "What would you say first about this, and what makes you sure of it?",
    "Which part of this have you not spoken about yet, and what would you say on it?",
    "What happens there, step by step, as you understand it?",
    "What else belongs to a complete answer here, in your own words?",
    "Where have you seen this matter yourself, and what did you make of it?",
    "What would be missing if you stopped at what you have said so far?",
)
"""Neutral, and different: an examiner does not ask the same thing twice."""
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_MARKS = re.compile(r"\*\*|__|`")
_WORD = re.compile(r"\w+")
_KIND: tuple[tuple[str, str], ...] = (
    (r"\b(?:derive|prove|show that)\b", "derivation"),
    (r"\b(?:versus|vs|compare|difference between|differ)\b", "comparison"),
    (r"\b(?:design|architect)\b", "design"),
    (r"\b(?:debug|diagnos\w+|goes wrong|went wrong)\b", "debugging"),
    (r"\b(?:how (?:much|many|long)|estimate)\b", "estimation"),
)


def rubric_of(question: Question, rubric_id: str, *, round_id: str, topic: str) -> dict[str, Any]:
    """The rubric as the fields of a file."""
    return {
        "id": rubric_id,
        "version": 1,
        "title": _title(question.question),
        "round": round_id,
        "topic": topic,
        "difficulty": question.difficulty.lower() or "medium",
        "kind": _kind(question.question),
        "question": " ".join(question.question.split()),
        "reference": question.answer or NO_ANSWER,
        "criteria": list(_criteria(question)),
    }


def file_text(rubric: dict[str, Any], *, schema: str, source: str) -> str:
    """The rubric as the text of a file, with comments on what is still to be done."""
    return rendered(
        rubric,
        heading=[
            f"yaml-language-server: $schema={schema}",
            f"Imported from {source}. It can be asked as it is;",
            "'interviewer rubrics lint' says what it lacks.",
        ],
        notes={
            "criteria": [
                "One for each sentence of the answer. Keep those that an answer has to hold, give "
                "them weights,",
                "and add accept, patterns, hints and a probe of their own.",
            ]
        },
    )


def is_difficulty(word: str) -> bool:
    """One of the words that rubrics know; none at all counts as medium."""
    return not word or word.lower() in get_args(Difficulty)


def _title(question: str) -> str:
    title = " ".join(question.split())
    if len(title) > LONGEST_TITLE:
        title = title[: LONGEST_TITLE - 1].rsplit(" ", 1)[0] + "…"
    return title


def _kind(question: str) -> str:
    plain = normalise(question).text
    return next((kind for regex, kind in _KIND if re.search(regex, plain)), "concept")


def _criteria(question: Question) -> Iterator[dict[str, Any]]:
    points = list(dict.fromkeys(_points(question.answer)))[:MOST_CRITERIA] or [ANY_ANSWER]
    taken: set[str] = set()
    for probe, claim in zip(PROBES, points, strict=False):
        name = slug_of(claim, taken, otherwise="point")
        taken.add(name)
        yield {"id": name, "claim": claim, "weight": 1, "kind": "fact", "probe": probe}


def _points(answer: str) -> Iterator[str]:
    """The sentences of the answer, without list marks; what only leads on is left out."""
    plain = normalise(answer)
    held = ""
    for start, end in sentences(plain):
        first, last = plain.original_span(start, end)
        piece = " ".join(_MARKS.sub("", _BULLET.sub("", answer[first:last])).split())
        if _BULLET.match(answer[first:last]):
            held = ""  # a list follows: the line that leads to it is no point
        held = f"{held} {piece}".strip()
        if held.endswith((":", ";")):
            continue
        if len(_WORD.findall(held)) >= FEWEST_WORDS:
            yield held
        held = ""
    if len(_WORD.findall(held)) >= FEWEST_WORDS:
        yield held
