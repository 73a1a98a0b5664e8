"""The cache: the same input and versions give the same judgement without a call."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
import pytest
from support.fake_endpoint import (
    ALL,
    FakeEndpoint,
    chunk,
    context_of,
    findings,
    judged,
    said,
    streamed,
    usage,
)
from support.rubrics import a_rubric

from interviewer.errors import ExaminerError
from interviewer.examiner.llm import examiner, judge, messages
from interviewer.examiner.protocol import Persona, QuestionContext
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.grading.verdicts import Flag, Verdict
from interviewer.rubric.rubric import Rating


@dataclass
class Kept:
    """A cache that can only hold what JSON can."""

    bodies: dict[str, str] = field(default_factory=dict)

    def get(self, key: str) -> dict[str, Any] | None:
        return json.loads(self.bodies[key]) if key in self.bodies else None

    def put(self, key: str, body: dict[str, Any]) -> None:
        self.bodies[key] = json.dumps(body)


@pytest.fixture
def kept() -> Kept:
    return Kept()


async def test_the_second_time_takes_no_call(server: FakeEndpoint, kept: Kept) -> None:
    server.will(said(ALL), said(findings(alpha="not_met", beta="not_met", gamma="not_met")))
    first = await server.examiner(cache=kept).judge(context_of())
    again = await server.examiner(cache=kept).judge(context_of())
    assert first == again
    assert len(server.requests) == 1


async def test_a_remark_and_another_one_are_judged_anew(server: FakeEndpoint, kept: Kept) -> None:
    server.will(said(ALL))
    for remark in ("", "I said so.", "I meant it.", "I said so."):
        await server.examiner(cache=kept).judge(replace(context_of(), remark=remark))
    assert len(server.requests) == 3


async def test_what_no_judge_sees_makes_no_difference(server: FakeEndpoint, kept: Kept) -> None:
    server.will(said(ALL))
    context = context_of()
    await server.examiner(cache=kept).judge(context)
    later = tuple(replace(turn, number=turn.number + 20) for turn in context.turns)
    standing = (Verdict("alpha", Rating.MET),)
    other = replace(
        context, turns=later, verdicts=standing, persona=Persona("Bo", "fast"), exam=False
    )
    await server.examiner(cache=kept).judge(other)
    assert len(server.requests) == 1


def with_hint(context: QuestionContext, level: int, target: str) -> QuestionContext:
    hint = Turn(3, "examiner", TurnKind.HINT, "Look there.", target, level)
    return replace(context, turns=(*context.turns, hint))


BASE = with_hint(context_of(), 1, "alpha")
OTHERS = {
    "an answer": with_hint(context_of("The alpha effect decides it, early."), 1, "alpha"),
    "a rubric": with_hint(context_of(rubric=a_rubric(reference="Another reference.")), 1, "alpha"),
    "a hint level": with_hint(context_of(), 2, "alpha"),
    "a target": with_hint(context_of(), 1, "beta"),
    "an author": replace(
        BASE, turns=(*BASE.turns[:-1], replace(BASE.turns[-1], author="candidate"))
    ),
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
async def test_another_input_is_judged_anew(
    server: FakeEndpoint, kept: Kept, other: QuestionContext
) -> None:
    server.will(said(ALL))
    await server.examiner(cache=kept).judge(BASE)
    await server.examiner(cache=kept).judge(other)
    assert len(kept.bodies) == 2


OTHER_SETTINGS = ({"model": "other"}, {"base_url": "http://x.test/v1"}, {"extra_body": {"seed": 7}})


@pytest.mark.parametrize("changes", OTHER_SETTINGS, ids=lambda changes: next(iter(changes)))
async def test_other_settings_judge_anew(
    server: FakeEndpoint, kept: Kept, changes: dict[str, Any]
) -> None:
    server.will(said(ALL))
    await server.examiner(cache=kept).judge(context_of())
    await server.examiner(cache=kept, **changes).judge(context_of())
    assert len(kept.bodies) == 2


@pytest.mark.parametrize("edited", ["judge", "repair", "second_look"])
async def test_another_prompt_judges_anew(
    server: FakeEndpoint, kept: Kept, edited: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.will(said(ALL))
    await server.examiner(cache=kept).judge(context_of())
    load = messages.load_prompt

    def changed(name: str) -> messages.Prompt:
        prompt = load(name)
        return replace(prompt, version="next") if name == edited else prompt

    for module in (examiner, judge, messages):
        monkeypatch.setattr(module, "load_prompt", changed)
    await server.examiner(cache=kept).judge(context_of())
    assert len(kept.bodies) == 2


def crediting_all(body: dict[str, Any]) -> httpx.Response:
    ids = json.loads(body["messages"][3]["content"].split("\n")[-1])
    return said(findings(**dict.fromkeys(ids, "met")))


async def test_what_is_unusable_void_or_cut_is_not_kept(server: FakeEndpoint, kept: Kept) -> None:
    server.will(said("no"))
    with pytest.raises(ExaminerError):
        await server.examiner(cache=kept).judge(context_of())
    await server.examiner(cache=kept).judge(context_of("uh"))  # nothing in it
    server.by_request = crediting_all
    judgement = await server.examiner(cache=kept, canaries=1.0).judge(context_of())
    assert Flag.CANARY in judgement.flags
    server.by_request = None
    nothing = findings(alpha="not_met", beta="not_met", gamma="not_met")
    server.will(streamed(chunk(nothing), chunk(finish="stop"), usage(300, 90)))
    await server.examiner(cache=kept).judge(context_of("Some omega follows other terms. " * 200))
    assert any("cut long prompts" in each for each in server.learned())
    assert kept.bodies == {}


INVENTED = judged(
    [
        {"id": "alpha", "evidence": ["nobody said these words"], "verdict": "met"},
        {"id": "beta", "evidence": [], "verdict": "not_met"},
        {"id": "gamma", "evidence": [], "verdict": "not_met"},
    ]
)


async def test_doubts_and_what_came_of_them_are_kept(server: FakeEndpoint, kept: Kept) -> None:
    server.will(said(INVENTED), said(ALL))
    first = [server.examiner(cache=kept) for _ in range(2)]
    judgements = [await examiner.judge(context_of()) for examiner in first]
    settled = [await examiner.settle(context_of(), judgements[0].doubts) for examiner in first]
    assert judgements[0] == judgements[1]
    assert [doubt.criterion for doubt in judgements[0].doubts] == ["alpha"]
    assert settled[0] == settled[1]
    assert [finding.criterion for finding in settled[0].findings] == ["alpha"]
    assert len(server.requests) == 2


async def test_other_doubts_are_settled_anew(server: FakeEndpoint, kept: Kept) -> None:
    server.will(said(ALL))
    examiner = server.examiner(cache=kept)
    for criterion in ("alpha", "beta"):
        await examiner.settle(context_of(), (Verdict(criterion, Rating.NOT_MET),))
    assert len(kept.bodies) == 2


async def test_a_second_look_that_failed_is_not_kept(server: FakeEndpoint, kept: Kept) -> None:
    server.will(said(INVENTED), said("hm"))
    examiner = server.examiner(cache=kept)
    judgement = await examiner.judge(context_of())
    await examiner.settle(context_of(), judgement.doubts)
    assert len(kept.bodies) == 1


async def test_a_value_of_another_shape_is_judged_anew(server: FakeEndpoint, kept: Kept) -> None:
    server.will(said(ALL))
    await server.examiner(cache=kept).judge(context_of())
    (key,) = kept.bodies
    kept.put(key, {"findings": "of an older version"})
    assert len((await server.examiner(cache=kept).judge(context_of())).findings) == 3
    assert len(server.requests) == 2
