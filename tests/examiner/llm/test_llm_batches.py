"""Rubrics with many criteria: a few at a time, all at once."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest
from support.fake_endpoint import URL, FakeEndpoint, context_of, findings, refusal, said
from support.judged import reasons
from support.rubrics import a_criterion, a_rubric

from interviewer.errors import ExaminerError
from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.examiner.llm.examiner import LlmExaminer
from interviewer.examiner.protocol import QuestionContext
from interviewer.grading.verdicts import Flag
from interviewer.rubric.rubric import Rubric

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
    assert [*reasons(judgement.findings)] == ["theta"]
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
