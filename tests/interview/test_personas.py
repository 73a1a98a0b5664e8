"""Scripted candidates interviewed offline: what must follow their turns, and what must not."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import ValidationError
from support.audit import audit
from support.auditing import Breach
from support.endpoint_calls import CallCounter, read_verdict
from support.personas import (
    PRACTICE,
    Item,
    PersonaScore,
    Script,
    ScriptedInterview,
    ScriptedTurn,
    broken_items,
    load_personas,
    play,
    scored,
)
from support.played import Exchange
from support.shipped import shipped

from interviewer.examiner.offline.examiner import OfflineExaminer
from interviewer.store.store import Store

FLOORS = {
    "argues-back": 85,
    "bluffer": 50,
    "cold-after-mistake": 57,
    "formula-only": 85,
    "hint-asker": 85,
    "other-question": 57,
    "over-long": 80,
    "takes-back": 85,
}
"""The least share of musts kept, in percent; 100 for the others."""
MUST_NOTS_KNOWN: frozenset[tuple[str, int]] = frozenset({("other-question", 1), ("over-long", 5)})
"""Turns, by persona and number, after which something happens that must not."""
BREACHES_KNOWN: dict[int, int] = {1: 8, 8: 1, 9: 1, 12: 1, 26: 1, 45: 5}
"""How many breaches of an item of the audit are known."""


@dataclass(frozen=True)
class Outcome:
    """All personas played once."""

    scores: list[PersonaScore]
    breaches: list[Breach]
    transcripts: list[str]


async def _all(folder: Path) -> Outcome:
    personas = load_personas()
    names = {name for each in personas for script in each.interviews for name in script.rubrics}
    library = {name: shipped(name) for name in sorted(names)}
    outcome = Outcome([], [], [])
    store = Store(folder / "personas.db")
    try:
        for number, persona in enumerate(personas):
            for part, script in enumerate(persona.interviews):
                session = f"{number:08x}{part:02x}"
                examiner = OfflineExaminer()
                played = await play(store, examiner, persona, script, library, session=session)
                outcome.scores.append(await scored(played))
                outcome.breaches.extend(audit(played.played))
                outcome.transcripts.append(played.played.transcript())
    finally:
        store.close()
    return outcome


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    return asyncio.run(_all(tmp_path_factory.mktemp("personas")))


def test_what_must_not_happen_does_not(outcome: Outcome) -> None:
    broken = {
        (score.persona, turn.number)
        for score, turn, item in broken_items(outcome.scores)
        if not item.must
    }
    assert broken == MUST_NOTS_KNOWN


def test_each_persona_gets_what_must_happen_as_often_as_before(outcome: Outcome) -> None:
    shares = {}
    for score in outcome.scores:
        kept, broken = (score.count(must=True, result=r) for r in ("kept", "broken"))
        shares[score.persona] = 100 * kept // (kept + broken)
    assert {name: share for name, share in shares.items() if share < FLOORS.get(name, 100)} == {}


def test_the_audit_finds_nothing_but_what_is_known(outcome: Outcome) -> None:
    found = Counter(breach.item for breach in outcome.breaches)
    more = {item for item, count in found.items() if count > BREACHES_KNOWN.get(item, 0)}
    assert [str(breach) for breach in outcome.breaches if breach.item in more] == []


@pytest.mark.parametrize("persona", ["bluffer", "honest-senior", "memoriser"])
def test_three_interviews_read_as_they_were_played(outcome: Outcome, persona: str) -> None:
    """Written anew with ``simulated_interviews.py --transcripts`` after a look at the change."""
    kept = (PRACTICE / "transcripts" / f"{persona}.txt").read_text("utf-8")
    place = [score.persona for score in outcome.scores].index(persona)
    assert outcome.transcripts[place].strip() == kept.strip()


def test_every_persona_is_played_to_its_last_question(outcome: Outcome) -> None:
    for score, transcript in zip(outcome.scores, outcome.transcripts, strict=True):
        asked = [f"({rubric})" in transcript for rubric in score.rubrics]
        assert all(asked), transcript


def test_what_personas_know_are_points_of_their_rubrics() -> None:
    for persona in load_personas():
        for name, known in persona.knows.items():
            assert set(known) <= {criterion.id for criterion in shipped(name).criteria}


def test_scores_can_be_written_and_read_again(outcome: Outcome) -> None:
    for score in outcome.scores:
        assert PersonaScore.model_validate_json(score.model_dump_json()) == score


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
    assert script.next(1, "Which BATCH size?") == 2
    assert script.next(1, "Which batch size?") == 1
    assert script.next(1, "Which batch size?") is None


def test_the_question_itself_brings_out_no_turn_by_its_words() -> None:
    script = _script({"say": "a", "when": "batch"}, {"say": "b"})
    assert script.next(1, None) == 1


def test_turns_belong_to_their_question() -> None:
    script = _script({"say": "a"}, {"say": "b", "question": 2}, {"say": "c"})
    assert script.next(2, None) == 1
    assert script.next(2, "Go on.") is None


def test_three_lines_outside_the_script_are_enough() -> None:
    script = _script({"say": "a"})
    assert [script.line() for _ in range(4)] == ["Hm.", "No.", "No.", None]


@pytest.mark.parametrize(
    "values", [{}, {"moves": ["probe"], "words": "x"}, {"moves": ["nudge"]}, {"words": "("}]
)
def test_an_item_that_cannot_be_checked_is_refused(values: dict[str, object]) -> None:
    with pytest.raises((ValidationError, re.error)):
        Item.model_validate(values)


# -- judged items and waits -------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "ruling"),
    [
        ('{"quotation": "which batch size", "true": true}', (True, "which batch size")),
        ('Here: {"quotation": "absent", "true": false}', (False, "")),
        ('{"quotation": "what nobody said", "true": true}', (None, "what nobody said")),
        ("It is true.", (None, "")),
        ('{"quotation": "which"', (None, "")),
    ],
)
def test_a_ruling_needs_words_that_were_said(reply: str, ruling: object) -> None:
    assert read_verdict(reply, "So which batch size did you set?") == ruling


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
    open_ = sum(without.count(must=must, result="open") for must in (True, False))
    assert open_ > 0
    assert sum(ruled.count(must=must, result="open") for must in (True, False)) == 0
    assert ruled.count(must=False, result="broken") == without.count(must=False, result="broken")


def test_calls_side_by_side_are_one_wait() -> None:
    calls = CallCounter(spans=[(1.0, 3.0), (1.1, 2.0), (3.5, 4.0)])
    assert calls.take_waits() == 2
    assert calls.take_waits() == 0
