"""The second look: what code would take back, and doubts of the judge that could move the band."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
import pytest
from support.fake_endpoint import ANSWER, FakeEndpoint, context_of, judged, refusal, said
from support.rubrics import a_criterion, a_rubric
from support.tables import table

from interviewer.examiner.llm.examiner import LlmExaminer
from interviewer.examiner.protocol import QuestionContext
from interviewer.grading.evidence import check
from interviewer.grading.verdicts import Judgement, Verdict
from interviewer.rubric.rubric import Rating

CASES = table("cases", __file__)["llm_second_look"]

GOOD, INVENTED = "alpha effect decides it", "the omega effect is what decides"
BETA = "beta term vanishes early"
Entry = dict[str, Any]


def entry(verdict: str, *quotes: str, otherwise: str = "", doubt: str = "") -> Entry:
    """A finding as a model writes it; with ``otherwise`` it is not sure."""
    sure = "low" if otherwise else "high"
    return {
        "evidence": list(quotes),
        "verdict": verdict,
        "missing": "",
        "sure": sure,
        "otherwise": otherwise,
        "doubt": doubt,
    }


SURE = {"alpha": entry("met", GOOD), "beta": entry("met", BETA), "gamma": entry("not_met")}
TORN = entry("partial", GOOD, otherwise="met", doubt="whether 'decides' names the direction")


@dataclass
class Script:
    """What the first and the second look are answered with, and what they asked."""

    first: dict[str, Entry]
    second: dict[str, Entry] | httpx.Response = field(default_factory=dict)
    asked: list[list[Any]] = field(default_factory=list)

    def __call__(self, body: dict[str, Any]) -> httpx.Response:
        wanted = json.loads(body["messages"][-1]["content"].split("\n")[-1])
        self.asked.append(wanted)
        reply = self.second if isinstance(wanted[0], dict) else self.first
        if isinstance(reply, httpx.Response):
            return reply
        return said(judged({"id": each, **told} for each, told in reply.items()))


async def judge(
    server: FakeEndpoint, script: Script, *, context: QuestionContext | None = None
) -> Judgement:
    server.by_request = script
    return await with_second_look(server.examiner(), context or context_of(ANSWER))


async def with_second_look(examiner: LlmExaminer, context: QuestionContext) -> Judgement:
    """The judgement with its doubts settled: one after the other, as after an answer."""
    judgement = await examiner.judge(context)
    settled = await examiner.settle(context, judgement.doubts)
    anew = {finding.criterion: finding for finding in settled.findings}
    assert anew.keys() <= {doubt.criterion for doubt in judgement.doubts}
    return replace(judgement, findings=tuple(anew.get(f.criterion, f) for f in judgement.findings))


def found(judgement: Judgement, criterion: str) -> Verdict:
    return next(f for f in judgement.findings if f.criterion == criterion)


@pytest.mark.parametrize("said", [{}, {"alpha": entry("not_met"), "gamma": entry("met", GOOD)}])
async def test_a_sure_judge_is_asked_once(server: FakeEndpoint, said: dict[str, Entry]) -> None:
    script = Script(SURE | said)
    judgement = await judge(server, script)
    assert len(script.asked) == 1
    assert judgement.doubts == ()


async def test_a_doubt_that_could_move_the_band_gets_one_more_look(server: FakeEndpoint) -> None:
    script = Script(SURE | {"alpha": TORN}, {"alpha": entry("met", GOOD)})
    judgement = await judge(server, script)
    assert len(script.asked) == 2
    alpha = found(judgement, "alpha")
    assert (alpha.verdict, alpha.votes) == (Rating.MET, (Rating.PARTIAL, Rating.MET))
    assert (alpha.doubt, alpha.alternative) == ("", None)


async def test_a_doubt_that_moves_nothing_is_shown_and_costs_no_call(server: FakeEndpoint) -> None:
    light = a_rubric(a_criterion("alpha", weight=0.1), a_criterion("beta"), a_criterion("gamma"))
    script = Script(SURE | {"alpha": TORN})
    judgement = await judge(server, script, context=context_of(ANSWER, rubric=light))
    assert len(script.asked) == 1
    alpha = found(judgement, "alpha")
    assert (alpha.alternative, alpha.doubt) == (Rating.MET, TORN["doubt"])


async def test_a_quote_that_fails_is_asked_for_once_more(server: FakeEndpoint) -> None:
    script = Script(SURE | {"alpha": entry("met", INVENTED)}, {"alpha": entry("met", GOOD)})
    judgement = await judge(server, script)
    problem = "The quote is not in any of your answers."
    assert script.asked[1] == [{"id": "alpha", "refused": [INVENTED], "problem": problem}]
    assert found(judgement, "alpha") == Verdict("alpha", Rating.MET, GOOD, confirmed=True)


@pytest.mark.parametrize("verdict", ["met", "partial", "contradicted"])
async def test_a_quote_that_fails_again_leaves_the_finding_to_the_check(
    server: FakeEndpoint, verdict: str
) -> None:
    bad = {"alpha": entry(verdict, INVENTED)}
    judgement = await judge(server, Script(SURE | bad, bad))
    checked = {
        v.criterion: v for v in check(context_of().rubric, context_of().turns, judgement.findings)
    }
    assert checked["alpha"].verdict is Rating.NOT_MET
    assert checked["alpha"].unsupported


NUMBER = a_rubric(a_criterion(**CASES["number"]), a_criterion("beta"))
SPOKEN = "Seven lots of four gigs, so that is the alpha of it. And beta comes after that."


@pytest.mark.parametrize("verdict", ["met", "partial"])
async def test_a_number_that_code_does_not_find_is_asked_about_before_credit_goes(
    server: FakeEndpoint, verdict: str
) -> None:
    said_so = "Seven lots of four gigs"
    script = Script(
        {"alpha": entry("met", said_so), "beta": entry("met", "beta comes after")},
        {"alpha": entry(verdict, said_so)},
    )
    context = context_of(SPOKEN, rubric=NUMBER)
    judgement = await judge(server, script, context=context)
    (asked,) = script.asked[1]
    assert "number asked for" in asked["problem"]
    checked = check(NUMBER, context.turns, judgement.findings)[0]
    assert checked.verdict is Rating(verdict)
    assert checked.unsupported == ""
    assert checked.votes == (Rating.MET, Rating(verdict))
    assert bool(checked.doubt) is (verdict == "met")


async def test_what_was_not_doubted_is_not_settled(server: FakeEndpoint) -> None:
    everything = {each: entry("met", GOOD) for each in SURE}
    server.by_request = Script(SURE, everything)
    doubt = Verdict("gamma", Rating.MET, GOOD, alternative=Rating.PARTIAL)
    settled = await server.examiner().settle(context_of(ANSWER), (doubt,))
    assert [finding.criterion for finding in settled.findings] == ["gamma"]


@pytest.mark.parametrize("doubts", [(), (Verdict("omega", Rating.MET),)])
async def test_no_doubt_takes_no_call(server: FakeEndpoint, doubts: Sequence[Verdict]) -> None:
    settled = await server.examiner().settle(context_of(ANSWER), doubts)
    assert (settled.findings, server.requests) == ((), [])


@pytest.mark.parametrize("reply", [refusal(500, "oops"), refusal(429, "later"), said("hm")])
async def test_a_second_look_that_fails_changes_nothing_and_nobody_waits(
    server: FakeEndpoint, waits: list[float], reply: httpx.Response
) -> None:
    alpha = found(await judge(server, Script(SURE | {"alpha": TORN}, reply)), "alpha")
    assert (alpha.verdict, alpha.votes, alpha.alternative) == (Rating.PARTIAL, (), Rating.MET)
    assert waits == []


OPEN = Verdict("alpha", Rating.MET, GOOD, turn=2, alternative=Rating.NOT_MET, doubt="?")


@pytest.mark.parametrize(
    ("now", "looks"), [(entry("not_met"), 1), (entry("met", GOOD), 0), (entry("met", INVENTED), 0)]
)
async def test_a_doubt_left_open_is_looked_at_unless_the_judge_has_settled_it(
    server: FakeEndpoint, now: Entry, looks: int
) -> None:
    script = Script(SURE | {"alpha": now}, {"alpha": entry("partial", GOOD)})
    context = replace(context_of(ANSWER), verdicts=(OPEN,))
    await judge(server, script, context=context)
    assert len(script.asked) == 1 + looks
    for asked in script.asked[1:]:
        assert asked == [{"id": "alpha", "between": ["met", "not_met"], "doubt": "?"}]


async def test_a_point_made_before_is_not_in_doubt_for_lack_of_words(server: FakeEndpoint) -> None:
    made = Verdict("alpha", Rating.MET, GOOD, turn=2)
    script = Script(SURE | {"alpha": entry("met", INVENTED)})
    await judge(server, script, context=replace(context_of(ANSWER), verdicts=(made,)))
    assert len(script.asked) == 1


async def test_a_met_point_is_judged_again_and_may_be_taken_back(server: FakeEndpoint) -> None:
    taken_back = "I was wrong, the omega effect decides it after all."
    standing = (Verdict("alpha", Rating.MET, GOOD, turn=2),)
    context = replace(context_of(ANSWER, taken_back), verdicts=standing)
    reply = SURE | {"alpha": entry("contradicted", taken_back)}
    judgement = await judge(server, Script(reply), context=context)
    assert found(judgement, "alpha").verdict is Rating.CONTRADICTED
