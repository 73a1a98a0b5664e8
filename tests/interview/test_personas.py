"""Scripted candidates: how their script is followed, and how what comes of it is scored."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from evals.conduct.endpoint_calls import read_verdict
from evals.conduct.played import Exchange
from evals.conduct.scripted import (
    Item,
    PersonaScore,
    Script,
    ScriptedInterview,
    ScriptedTurn,
    load_personas,
    play,
    scored,
)
from pydantic import ValidationError
from support.shipped import shipped
from support.tables import table

from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.store.store import Store

CASES = table("cases", __file__)["personas"]


# -- the script -------------------------------------------------------------------------


def _script(*turns: dict[str, object], otherwise: tuple[str, ...] = ("Hm.", "No.")) -> Script:
    parsed = tuple(ScriptedTurn.model_validate({"kinds": ["answer"]} | each) for each in turns)
    return Script(
        ScriptedInterview(
            rubrics=("one", "two"), drills=False, follow_ups=4, turns=parsed, otherwise=otherwise
        )
    )


def test_words_of_the_examiner_bring_out_their_turn_first() -> None:
    script = _script({"say": "a"}, {"say": "b"}, {"say": "c", "when": "batch"})
    assert script.next(1, None) == 0
    said = ("Which BATCH size?", *["Which batch size?"] * 2)
    assert [script.next(1, words) for words in said] == [2, 1, None]
    asked_first = _script({"say": "a", "when": "batch"}, {"say": "b"})
    assert asked_first.next(1, None) == 1, "the question itself brings out none by its words"


def test_turns_belong_to_their_question_and_three_lines_outside_the_script_are_enough() -> None:
    script = _script({"say": "a"}, {"say": "b", "question": 2}, {"say": "c"})
    assert (script.next(2, None), script.next(2, "Go on.")) == (1, None)
    assert [script.line() for _ in range(4)] == ["Hm.", "No.", "No.", None]


@pytest.mark.parametrize(
    "values", [{}, {"moves": ["probe"], "words": "x"}, {"moves": ["nudge"]}, {"words": "("}]
)
def test_an_item_that_cannot_be_checked_is_refused(values: dict[str, object]) -> None:
    with pytest.raises((ValidationError, re.error)):
        Item.model_validate(values)


# -- judged items and waits -------------------------------------------------------------


@pytest.mark.parametrize(("reply", "ruling"), CASES["rulings"])
def test_a_ruling_needs_words_that_were_said(reply: str, ruling: object) -> None:
    assert list(read_verdict(reply, "So which batch size did you set?")) == ruling


async def test_items_for_a_judge_are_open_until_one_rules(tmp_path: Path) -> None:
    persona = next(each for each in load_personas() if each.persona == "argues-back")
    script = persona.interviews[0]
    library = {name: shipped(name) for name in script.rubrics}
    store = Store(tmp_path / "judged.db")
    try:
        played = await play(
            store, OfflineExaminer(), persona, script, library, session="5e55107700"
        )
    finally:
        store.close()

    async def judge(talk: str, exchange: Exchange, statement: str) -> tuple[bool, str]:
        assert talk.endswith(f"Candidate: {exchange.said}")
        return False, statement

    without, ruled = await scored(played), await scored(played, judge)
    assert PersonaScore.model_validate_json(ruled.model_dump_json()) == ruled
    open_ = sum(without.count(must=must, result="open") for must in (True, False))
    assert open_ > 0
    assert sum(ruled.count(must=must, result="open") for must in (True, False)) == 0
    assert ruled.count(must=False, result="broken") == without.count(must=False, result="broken")
