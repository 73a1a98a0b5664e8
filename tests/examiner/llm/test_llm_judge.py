"""Judging: one call where all goes well, a bounded ladder where it does not."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest
from support.fake_endpoint import (
    ALL,
    ANSWER,
    URL,
    FakeEndpoint,
    chunk,
    context_of,
    findings,
    refusal,
    said,
    streamed,
)
from support.judged import reasons
from support.rubrics import a_criterion, a_rubric
from support.tables import table

from interviewer.errors import ExaminerError
from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.examiner.llm.examiner import LlmExaminer
from interviewer.examiner.protocol import QuestionContext
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.grading.verdicts import Flag, Judgement, Verdict
from interviewer.rubric.rubric import Rating, Rubric

CASES = table("cases", __file__)["llm_judge"]

NOTHING = findings(alpha="not_met", beta="not_met", gamma="not_met")


def verdicts(judgement: Judgement) -> dict[str, str | None]:
    return {finding.criterion: finding.verdict for finding in judgement.findings}


async def test_a_good_reply_takes_exactly_one_call(server: FakeEndpoint) -> None:
    server.will(said(ALL))
    examiner = server.examiner()
    judgement = await examiner.judge(context_of())
    assert judgement == Judgement(
        (
            Verdict("alpha", Rating.MET, "alpha effect decides it"),
            Verdict("beta", Rating.PARTIAL, "since the beta term vanishes early"),
            Verdict("gamma", Rating.NOT_MET, "alpha effect decides it"),
        ),
        "tiny",
    )
    assert [call.outcome for call in examiner.drain_calls()] == ["ok"]
    assert len(server.requests) == 1


@pytest.mark.parametrize("reply", CASES["found"])
async def test_json_is_found_in_whatever_stands_around_it(server: FakeEndpoint, reply: str) -> None:
    server.will(said(reply))
    answer = f"{ANSWER} Tags like </think> alpha effect decides it too."
    judgement = await server.examiner().judge(context_of(answer))
    assert verdicts(judgement) == {"alpha": "met", "beta": "partial", "gamma": "not_met"}
    assert (judgement.flags, len(server.requests)) == (frozenset(), 1)


BAD = (ALL[:-9], "The candidate did well.", ALL.replace('"met"', '"excellent"'))


@pytest.mark.parametrize("reply", BAD)
async def test_an_unusable_reply_gets_one_repair_request(server: FakeEndpoint, reply: str) -> None:
    server.will(said(reply), said(ALL))
    examiner = server.examiner()
    judgement = await examiner.judge(context_of())
    assert verdicts(judgement) == {"alpha": "met", "beta": "partial", "gamma": "not_met"}
    assert judgement.flags == {Flag.PARSE_REPAIRED}
    first, repair = examiner.drain_calls()
    assert (first.outcome, repair.outcome) == ("unparsable", "ok")
    assert first.detail
    assert first.prompt_version.startswith("judge-")
    assert repair.prompt_version.startswith("repair-")


async def test_an_early_finding_is_not_replaced_by_a_later_reply(server: FakeEndpoint) -> None:
    server.will(said(findings(alpha="not_met")), said(ALL))
    judgement = await server.examiner().judge(context_of())
    assert verdicts(judgement)["alpha"] == "not_met"


async def test_without_a_usable_reply_no_rule_stands_in(server: FakeEndpoint) -> None:
    server.will(said("I would say four of five."))
    with pytest.raises(ExaminerError, match="no complete JSON object") as caught:
        await server.examiner().judge(context_of())
    assert caught.value.retryable
    assert len(server.requests) == 2  # the reply and the repair


async def test_a_refusal_fails_without_more_calls(server: FakeEndpoint) -> None:
    server.will(streamed(chunk(refusal="I can't help with that."), chunk(finish="stop")))
    examiner = server.examiner()
    with pytest.raises(ExaminerError, match="it declined to answer"):
        await examiner.judge(context_of())
    assert [call.outcome for call in examiner.drain_calls()] == ["refused"]


async def test_json_without_an_end_is_stopped(server: FakeEndpoint) -> None:
    endless = ['{"criteria": [{"id": "alpha", "evidence": "', *(["and so on " * 10] * 100)]
    server.will(said(*endless), said(ALL))
    examiner = server.examiner()
    await examiner.judge(context_of())
    assert [call.outcome for call in examiner.drain_calls()][:2] == ["cut off", "ok"]
    assert len(server.bodies[1]["messages"]) == 6


@pytest.mark.parametrize(
    "answer", ["", ".", "Thought process:", "uh, so, well, yes", "I don't know", "alpha, alpha"]
)
async def test_an_answer_of_nothing_takes_no_call(server: FakeEndpoint, answer: str) -> None:
    examiner = server.examiner()
    judgement = await examiner.judge(context_of(answer))
    assert verdicts(judgement) == {"alpha": "not_met", "beta": "not_met", "gamma": "not_met"}
    assert judgement.flags == {Flag.TOO_SHORT}
    assert (examiner.drain_calls(), server.requests) == ((), [])


@pytest.mark.parametrize("answers", CASES["short"])
async def test_a_short_answer_is_judged(server: FakeEndpoint, answers: tuple[str, ...]) -> None:
    server.will(said(NOTHING))
    await server.examiner().judge(context_of(*answers))
    assert len(server.requests) == 1


async def test_the_examiners_own_words_do_not_lift_the_gate(server: FakeEndpoint) -> None:
    context = context_of("ok")
    hint = Turn(3, "examiner", TurnKind.HINT, "Think about alpha, beta and gamma rays.")
    told = context.__class__(context.rubric, (*context.turns, hint), (), context.persona, True)
    assert (await server.examiner().judge(told)).flags == {Flag.TOO_SHORT}


# -- many criteria --------------------------------------------------------------------


NAMES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")


def rubric_with(count: int) -> Rubric:
    return a_rubric(*(a_criterion(name) for name in NAMES[:count]))


def case_with(count: int) -> QuestionContext:
    return context_of("Nothing that any pattern would find here", rubric=rubric_with(count))


def asked(body: dict[str, Any]) -> list[str]:
    """The criteria that a judge request asks about."""
    names: list[str] = json.loads(body["messages"][3]["content"].split("\n")[-1])
    return names


def judge_as_asked(body: dict[str, Any]) -> httpx.Response:
    return said(findings(**dict.fromkeys(asked(body), "not_met")))


@pytest.mark.parametrize(("count", "calls"), [(1, [1]), (6, [6]), (7, [3, 4]), (8, [4, 4])])
async def test_up_to_six_criteria_are_one_call_and_more_are_split_evenly(
    server: FakeEndpoint, count: int, calls: list[int]
) -> None:
    server.by_request = judge_as_asked
    judgement = await server.examiner().judge(case_with(count))
    assert [finding.criterion for finding in judgement.findings] == list(NAMES[:count])
    assert sorted(len(asked(body)) for body in server.bodies) == calls


async def test_batches_go_out_at_the_same_time() -> None:
    both = asyncio.Barrier(2)

    async def answer(request: httpx.Request) -> httpx.Response:
        await asyncio.wait_for(both.wait(), 10)  # for ever, if one waited for the other
        return judge_as_asked(json.loads(request.content))

    client = httpx.AsyncClient(transport=httpx.MockTransport(answer))
    examiner = LlmExaminer(Endpoint(URL, None, "tiny", http_client=client), canaries=0.0)
    judgement = await examiner.judge(case_with(8))
    assert len(judgement.findings) == 8


async def test_a_batch_that_cannot_be_used_spoils_no_other(server: FakeEndpoint) -> None:
    def answer(body: dict[str, Any]) -> httpx.Response:
        return said("no") if "theta" in asked(body) else judge_as_asked(body)

    server.by_request = answer
    judgement = await server.examiner().judge(case_with(8))
    assert [finding.criterion for finding in judgement.findings] == list(NAMES[:8])
    assert [*reasons(judgement.findings)] == ["epsilon", "zeta", "eta", "theta"]
    assert Flag.PARSE_REPAIRED in judgement.flags


async def test_one_batch_that_fails_fails_the_judgement(server: FakeEndpoint) -> None:
    def answer(body: dict[str, Any]) -> httpx.Response:
        return refusal(401, "bad key") if "theta" in asked(body) else judge_as_asked(body)

    server.by_request = answer
    with pytest.raises(ExaminerError, match="does not accept the key"):
        await server.examiner().judge(case_with(8))


async def test_batches_refused_together_learn_one_lesson_once(server: FakeEndpoint) -> None:
    def answer(body: dict[str, Any]) -> httpx.Response:
        if body.get("response_format", {}).get("type") == "json_schema":
            return refusal(400, "json_schema unsupported")
        return judge_as_asked(body)

    server.by_request = answer
    examiner = server.examiner()
    await examiner.judge(case_with(8))
    formats = [body["response_format"]["type"] for body in server.bodies]
    assert sorted(formats) == ["json_object"] * 2 + ["json_schema"] * 2
    assert "json_object is asked for instead" in server.learned()[0]
