"""Words in doubt are put to the model with the key of the open points; its yes needs a quote."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from dataclasses import replace

import pytest
from support.fake_endpoint import FakeEndpoint, context_of, fenced_lines, said
from support.tables import table

from interviewer.errors import ExaminerError
from interviewer.examiner.llm import examiner as llm
from interviewer.examiner.llm.examiner import read_giveaways
from interviewer.grading.verdicts import Verdict
from interviewer.rubric.rubric import Rating

CASES = table("cases", __file__)["llm_giveaways"]

TEXTS = (
    "Since the beta term vanishes there, what is left of the sum?",
    "What did you see in the corner, and when?",
)
NOTHING = (1, "", False), (2, "", False)


def reply(*found: tuple[object, object, object]) -> str:
    """A reply with these numbers, words and verdicts."""
    entries = [
        {"number": number, "point": "beta", "words": words, "gives_away": verdict}
        for number, words, verdict in found
    ]
    return json.dumps({"utterances": entries})


async def test_it_is_told_the_key_of_the_open_points_alone(server: FakeEndpoint) -> None:
    server.will(said(reply(*NOTHING)))
    made = replace(context_of(), verdicts=(Verdict("alpha", Rating.MET, "alpha effect decides"),))
    await server.examiner().giveaways(made, TEXTS)
    _, points, talk, utterances = (m["content"] for m in server.bodies[0]["messages"])
    beta, gamma, *harder = fenced_lines(points)
    assert [beta["id"], gamma["id"]] == ["beta", "gamma"]
    assert beta["claim"] == made.rubric.criterion("beta").claim
    assert beta["ask"] == made.rubric.criterion("beta").probe
    assert harder == [{"ask": each} for each in made.rubric.harder]
    assert [turn["who"] for turn in fenced_lines(talk)] == ["interviewer", "candidate"]
    assert [each["text"] for each in fenced_lines(utterances)] == list(TEXTS)


@pytest.mark.parametrize("found", CASES["no words"])
def test_a_yes_without_words_of_the_utterance_does_not_count(
    found: Iterable[tuple[object, object, object]],
) -> None:
    assert read_giveaways(reply(*found), TEXTS).value == ("", "")


@pytest.mark.parametrize(
    ("quoted", "verdict"),
    [("The beta term vanishes,", True), ("“the beta term”", "Yes"), ("BETA  term", "true")],
)
def test_a_quote_may_differ_in_case_and_punctuation(quoted: str, verdict: object) -> None:
    found = read_giveaways(reply((1, quoted, verdict), (2, "", "no")), TEXTS).value
    assert found == (quoted.strip(), "")


@pytest.mark.parametrize("text", CASES["unsettled"])
async def test_what_does_not_settle_each_text_clears_none(server: FakeEndpoint, text: str) -> None:
    assert read_giveaways(text, TEXTS).problems
    server.will(said(text or " "))
    examiner = server.examiner()
    with pytest.raises(ExaminerError):
        await examiner.giveaways(context_of(), TEXTS)
    assert examiner.drain_calls()[-1].outcome != "ok"


async def test_a_call_that_takes_too_long_is_dropped(
    server: FakeEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def slow(*_: object) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(llm, "GIVEAWAYS_SECONDS", 0.01)
    examiner = server.examiner()
    monkeypatch.setattr(examiner._client, "complete", slow)
    with pytest.raises(ExaminerError):
        await examiner.giveaways(context_of(), TEXTS)
