"""Finding questions by words and states."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rubrics import a_rubric, library_of
from support.tables import table

from interviewer.practice.attempts import Attempt
from interviewer.practice.browsing import Browser, State
from interviewer.practice.progress import Standing

CASES = table("browsing", __file__)

AT = datetime(2026, 5, 4, tzinfo=UTC)
LIBRARY = library_of(
    a_rubric(
        id="kl-penalty",
        title="What the KL penalty buys in PPO",
        round="rlhf",
        topic="alignment",
        difficulty="medium",
        question="What does it cost to drop the reference model?",
    ),
    a_rubric(
        id="zero-three",
        title="What ZeRO-3 shards",
        round="distributed",
        topic="distributed",
        difficulty="hard",
        question="Which states are sharded?",
        covers=["sharding"],
    ),
    a_rubric(
        id="loss-spike",
        title="A loss spike at step 40,000",
        topic="debugging",
        kind="debugging",
        question="The loss doubles. What do you look at?",
    ),
    a_rubric(id="ecole", title="L'École  d'été", question="Où est la référence?"),
)
BROWSER = Browser(LIBRARY)


def found(words: str = "", *states: State, **mine: Any) -> list[str]:
    return [hit.id for hit in BROWSER.find(words, frozenset(states), **mine)]


def test_without_words_all_come_by_round_and_title() -> None:
    assert found() == ["zero-three", "kl-penalty", "loss-spike", "ecole"]


@pytest.mark.parametrize(("words", "ids"), CASES["every_word_is_found_somewhere"])
def test_every_word_is_found_somewhere(words: str, ids: list[str]) -> None:
    assert found(words) == ids


def test_a_title_comes_before_a_question() -> None:
    library = library_of(
        a_rubric(id="aa", title="Aa", question="Why zebras?"),
        a_rubric(id="bb", title="Zebras", question="Why?"),
    )
    hits = Browser(library).find("zebras")
    assert [hit.id for hit in hits] == ["bb", "aa"]
    assert hits[0].letters == frozenset(range(6))
    assert not hits[1].letters


def test_all_states_hold() -> None:
    tried = (Attempt("s", AT, "kl-penalty", "KL", "rlhf", 1, True, ()),)
    standing = Standing(tried, weak=True, due_since=AT)
    mine = {"standings": {"kl-penalty": standing}, "marked": ["ecole"]}
    assert found("", "weak", "due", **mine) == ["kl-penalty"]
    assert found("", "weak", "never asked", **mine) == []
    assert found("", "marked", **mine) == ["ecole"]
    assert found("", "mine", **mine) == []
    assert "kl-penalty" not in found("", "never asked", **mine)


@given(st.text(max_size=40))
def test_any_text_can_be_searched_for(words: str) -> None:
    for hit in BROWSER.find(words):
        title = " ".join(LIBRARY.entries[hit.id].summary.title.split())
        assert all(at < len(title) for at in hit.letters)
