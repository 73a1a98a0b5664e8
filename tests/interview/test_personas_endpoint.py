"""A persona played against an endpoint: waits are counted, and a reader rules on single items."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from evals.conduct.endpoint_calls import CallCounter, counted, judge_at
from evals.conduct.scripted import PersonaPlayed, load_personas, play, scored
from support.endpoint import StubEndpoint, judge_nothing
from support.shipped import shipped

from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.examiner.llm.examiner import LlmExaminer
from interviewer.store.store import Store

QUOTED = "what"


def _judge(body: dict[str, Any]) -> str:
    """Rules that every statement about the stub's words is true; else judges as ever."""
    if "quotation" in json.dumps(body["response_format"]):
        return json.dumps({"quotation": QUOTED, "true": True})
    return judge_nothing(body)


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[tuple[PersonaPlayed, Endpoint, CallCounter]]:
    """A persona played against a stub."""
    persona = next(each for each in load_personas() if each.persona == "memoriser")
    (script,) = persona.interviews
    library = {name: shipped(name) for name in script.rubrics}
    calls, store = CallCounter(), Store(tmp_path / "personas.db")
    with StubEndpoint(judge=_judge) as stub:
        endpoint = Endpoint(stub.base_url, None, "stub")
        examiner = LlmExaminer(counted(endpoint, calls), canaries=0.0)
        try:
            played = await play(
                store,
                examiner,
                persona,
                script,
                library,
                session="5e55107700",
                waits=calls.take_waits,
            )
            assert calls.total == len(stub.requests)
            yield played, endpoint, calls
        finally:
            await examiner.aclose()
            store.close()


async def test_judging_and_listening_are_one_wait(
    stage: tuple[PersonaPlayed, Endpoint, CallCounter],
) -> None:
    played, _, calls = stage
    waits = [exchange.waits for _, exchange in played.played.each()]
    assert played.played.finished
    assert calls.total > len(waits)
    assert waits[0] == 1


async def test_a_reader_rules_with_words_that_were_said(
    stage: tuple[PersonaPlayed, Endpoint, CallCounter],
) -> None:
    played, endpoint, _ = stage
    client, judge = judge_at(endpoint)
    try:
        score = await scored(played, judge)
    finally:
        await client.aclose()
    ruled = [
        (turn, item)
        for turn in score.turns
        for item in turn.items
        if item.item.judge and turn.utterance
    ]
    assert any(item.result == "broken" for _, item in ruled)
    for turn, item in ruled:
        assert (item.result == "open") is (QUOTED not in turn.utterance.lower())
