"""No text from outside breaks a reader: of what people type, of files, of models' replies.

Each returns something, or raises the error that its callers expect.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from support.rubrics import a_rubric
from support.tables import table

from interviewer.content.files import read_text
from interviewer.errors import InterviewerError
from interviewer.examiner.llm.conversation import read_figures_reply, read_heard
from interviewer.examiner.llm.examiner import read_findings, read_giveaways
from interviewer.examiner.llm.messages import on_one_line
from interviewer.examiner.llm.replies import Part, as_reply
from interviewer.examiner.offline.judge import judge
from interviewer.grading.claims import rules
from interviewer.grading.claims.ledger import ledger
from interviewer.grading.claims.quantity import measures
from interviewer.grading.transcript import ParsedAnswer, Turn, TurnKind, exchange
from interviewer.interview.events import from_json
from interviewer.interview.plans import Plan
from interviewer.project import passages
from interviewer.rubric.markdown_lists import questions_of_markdown
from interviewer.rubric.question_lists import questions_of_anki, questions_of_table
from interviewer.rubric.rubric import Rubric
from interviewer.sandbox import language
from interviewer.sandbox.challenge import Challenge
from interviewer.sandbox.jobs import SourceError, function_in
from interviewer.settings import check_values
from interviewer.settings.web_address import is_usable, shown

RUBRIC = a_rubric()
_HERE = Path("typed.yaml")


def _judged(text: str) -> None:
    for turn in exchange(RUBRIC.question, text)[1:]:
        _ = turn.parsed.sentences, turn.parsed.quantities, turn.parsed.order_spans
    judge(RUBRIC, exchange(RUBRIC.question, text))


def _figures(text: str) -> None:
    ledger([rules.read(ParsedAnswer(text), 2, own_work=True, to_objection=True)])


def _reported(text: str) -> None:
    """A reply on an answer that holds as much."""
    ledger([read_figures_reply(text, Turn(2, "candidate", TurnKind.ANSWER, f"7B {text}")).value])


def _typed_value(text: str) -> None:
    for measure in measures().values():
        rules.value_of(text, measure.unit)


def _journal(text: str) -> None:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return
    from_json(data)


def _config(text: str) -> None:
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError):  # the caller names the file
        return
    check_values(values)


def _address(text: str) -> None:
    is_usable(text)
    shown(text)


READERS: Mapping[str, Callable[[str], object]] = {
    "answer": _judged,
    "figures": _figures,
    "value": _typed_value,
    "reply": lambda text: as_reply(Part(text), 400),
    "findings": lambda text: read_findings(text, ("alpha", "beta"), ("alpha", "beta", "gamma")),
    "heard": lambda text: read_heard(text, RUBRIC, Turn(2, "candidate", TurnKind.ANSWER, "7B")),
    "spoken": on_one_line,
    "reported figures": _reported,
    "giveaways": lambda text: read_giveaways(text, ("alpha is first", "so what")),
    "rubric": lambda text: read_text(_HERE, text, Rubric),
    "plan": lambda text: read_text(_HERE, text, Plan),
    "challenge": lambda text: read_text(_HERE, text, Challenge),
    "table": lambda text: list(questions_of_table(text)),
    "markdown": lambda text: list(questions_of_markdown(text)),
    "anki": lambda text: list(questions_of_anki(text)),
    "notes": lambda text: list(passages(text)),
    "derivation": lambda text: language.read(text, given=("x", "y"), banned=("kl",)),
    "function": function_in,
    "journal": _journal,
    "config": _config,
    "address": _address,
}
EXPECTED = (InterviewerError, SourceError, ValidationError)
"""What a reader may raise: its callers make a sentence of it."""

SEEDS: Mapping[str, list[str]] = table("parsers", __file__)
"""Something that each reader understands, to begin from."""

ANY = st.text(st.characters(exclude_categories=()), max_size=200)


@st.composite
def mutated(draw: st.DrawFn, name: str) -> str:
    """Something that the reader knows, with a piece of it taken out, doubled or replaced."""
    text = draw(st.sampled_from(SEEDS[name]))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, len(text)))
        piece = draw(st.one_of(st.just(""), st.just(text[start:end] * 2), ANY))
        text = text[:start] + piece + text[end:]
    return text


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=25)
@given(st.data())
def test_any_text_is_read_or_refused_in_a_sentence(name: str, data: st.DataObject) -> None:
    with suppress(*EXPECTED):
        READERS[name](data.draw(st.one_of(mutated(name), ANY)))
