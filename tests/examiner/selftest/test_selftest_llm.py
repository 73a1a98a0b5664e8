"""The exam of a model, through the endpoint: tokens, failures, replies that cannot be used."""

from __future__ import annotations

import json

import httpx
from support.fake_endpoint import FakeEndpoint, chunk, streamed, usage
from support.rubric_writing import rubric_values

from interviewer.examiner.selftest.exam import Exam, eval_set, run_exam
from interviewer.rubric.rubric import Rubric

RUBRIC = Rubric.model_validate(rubric_values())
NOT_MET = json.dumps(
    {
        "criteria": [
            {"id": criterion.id, "evidence": "", "verdict": "not_met", "missing": "All of it."}
            for criterion in RUBRIC.criteria
        ]
    }
)


async def exam_of(fake: FakeEndpoint, **options: object) -> Exam:
    examiner = fake.examiner(**options)
    try:
        return await run_exam(examiner, eval_set([RUBRIC], attacks=False, repeats=1))
    finally:
        await examiner.aclose()


async def test_tokens_are_added_up_over_all_calls() -> None:
    fake = FakeEndpoint()
    fake.will(streamed(chunk(NOT_MET), chunk(finish="stop"), usage(900, 40, cached=600)))
    exam = await exam_of(fake)
    spent = exam.total.spent
    assert spent.calls == len(fake.requests) > 0
    assert spent.prompt_tokens == 900 * spent.calls
    assert spent.cached_tokens == 600 * spent.calls
    assert spent.completion_tokens == 40 * spent.calls
    assert exam.result.examiner == "tiny"
    assert exam.result.bias < 0


async def test_a_server_that_breaks_down_later_is_reported() -> None:
    fake = FakeEndpoint()
    good = streamed(chunk(NOT_MET), chunk(finish="stop"))
    again = streamed(chunk(NOT_MET), chunk(finish="stop"))
    fake.will(good, again, httpx.Response(404, json={"error": {"message": "model not found"}}))
    exam = await exam_of(fake)
    assert exam.total.failures
    assert "HTTP 404" in exam.total.failures[0].reason
