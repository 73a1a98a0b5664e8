"""The second look: quotes asked for again, and votes where a verdict is in doubt."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
import pytest
from support.fake_endpoint import ANSWER, FakeEndpoint, context_of, judged, refusal, said

from interviewer.errors import SettingsError
from interviewer.examiner.llm.examiner import LlmExaminer
from interviewer.examiner.protocol import QuestionContext
from interviewer.grading.evidence import check
from interviewer.grading.verdicts import CriterionVerdict, Finding, Judgement
from interviewer.rubric.rubric import Verdict

GOOD, INVENTED = "alpha effect decides it", "the omega effect is what decides"
"""A quote from ANSWER, in which the patterns find alpha and beta made and gamma not."""
Entry = tuple[str, str]
AGREED: dict[str, Entry] = {
    "alpha": ("met", GOOD),
    "beta": ("met", "beta term vanishes early"),
    "gamma": ("not_met", ""),
}


@dataclass
class Script:
    """What each kind of request is answered with; a vote by its place among the votes."""

    first: dict[str, Entry]
    again: dict[str, Entry] | httpx.Response = field(default_factory=dict)
    votes: Sequence[dict[str, Entry] | httpx.Response] = ()
    kinds: list[str] = field(default_factory=list)
    voted: list[list[str]] = field(default_factory=list)

    def __call__(self, body: dict[str, Any]) -> httpx.Response:
        wanted = json.loads(body["messages"][-1]["content"].split("\n")[-1])
        kind, reply = self._reply(body, wanted)
        self.kinds.append(kind)
        return reply if isinstance(reply, httpx.Response) else self._said(reply)

    def _reply(
        self, body: dict[str, Any], wanted: list[Any]
    ) -> tuple[str, dict[str, Entry] | httpx.Response]:
        if isinstance(wanted[0], dict):
            return "again", self.again
        if body["temperature"] == 0:
            return "first", self.first
        self.voted.append(wanted)
        return "vote", self.votes[len(self.voted) - 1]

    def _said(self, entries: dict[str, Entry]) -> httpx.Response:
        return said(
            judged(
                {"id": each, "evidence": quote, "verdict": verdict, "missing": ""}
                for each, (verdict, quote) in entries.items()
            )
        )


async def judge(
    server: FakeEndpoint, script: Script, *, context: QuestionContext | None = None, votes: int = 3
) -> Judgement:
    server.by_request = script
    return await with_second_look(server.examiner(votes=votes), context or context_of(ANSWER))


async def with_second_look(examiner: LlmExaminer, context: QuestionContext) -> Judgement:
    """The judgement with its doubts settled: one after the other, as after an answer."""
    judgement = await examiner.judge(context)
    settled = await examiner.settle(context, judgement.doubts)
    anew = {finding.criterion: finding for finding in settled.findings}
    undecided = dict(settled.ungraded)
    assert anew.keys() | undecided.keys() <= {doubt.criterion for doubt in judgement.doubts}
    findings = (anew.get(f.criterion, f) for f in judgement.findings)
    return replace(
        judgement,
        findings=tuple(f for f in findings if f.criterion not in undecided),
        ungraded=(*judgement.ungraded, *settled.ungraded),
    )


def found(judgement: Judgement, criterion: str) -> Finding:
    return next(f for f in judgement.findings if f.criterion == criterion)


async def test_without_a_doubt_there_is_one_call(server: FakeEndpoint) -> None:
    script = Script(AGREED)
    judgement = await judge(server, script)
    assert script.kinds == ["first"]
    assert all(finding.votes == () for finding in judgement.findings)


async def test_a_judgement_names_its_doubts_and_leaves_them_for_later(
    server: FakeEndpoint,
) -> None:
    bad = {"alpha": ("met", INVENTED), "gamma": ("met", GOOD)}
    script = Script(AGREED | bad)
    server.by_request = script
    judgement = await server.examiner(votes=3).judge(context_of(ANSWER))
    assert script.kinds == ["first"]
    assert [(doubt.criterion, doubt.evidence) for doubt in judgement.doubts] == [
        ("alpha", INVENTED),
        ("gamma", GOOD),
    ]
    assert found(judgement, "alpha").evidence == INVENTED


async def test_without_votes_only_refused_quotes_are_doubted(server: FakeEndpoint) -> None:
    server.by_request = Script(AGREED | {"alpha": ("met", INVENTED), "gamma": ("met", GOOD)})
    judgement = await server.examiner(votes=1).judge(context_of(ANSWER))
    assert [doubt.criterion for doubt in judgement.doubts] == ["alpha"]


async def test_what_was_not_doubted_is_not_settled(server: FakeEndpoint) -> None:
    everything = dict.fromkeys(AGREED, ("met", GOOD))
    server.by_request = Script(AGREED, votes=[everything, everything])
    doubt = Finding("gamma", GOOD, Verdict.MET)
    settled = await server.examiner(votes=3).settle(context_of(ANSWER), (doubt,))
    assert [finding.criterion for finding in settled.findings] == ["gamma"]


async def test_without_a_doubt_settling_takes_no_call(server: FakeEndpoint) -> None:
    settled = await server.examiner(votes=3).settle(context_of(ANSWER), ())
    assert (settled.findings, settled.ungraded, server.requests) == ((), (), [])


async def test_a_second_look_that_fails_settles_nothing(server: FakeEndpoint) -> None:
    server.by_request = lambda _: refusal(500, "oops")
    doubt = Finding("alpha", INVENTED, Verdict.MET)
    settled = await server.examiner(votes=3).settle(context_of(ANSWER), (doubt,))
    assert (settled.findings, settled.ungraded) == ((), ())


async def test_half_a_step_apart_is_no_doubt(server: FakeEndpoint) -> None:
    script = Script(AGREED | {"beta": ("partial", "beta term vanishes early")})
    await judge(server, script)
    assert script.kinds == ["first"]


async def test_a_quote_that_fails_is_asked_for_once_more(server: FakeEndpoint) -> None:
    script = Script(AGREED | {"alpha": ("met", INVENTED)}, {"alpha": ("met", GOOD)})
    judgement = await judge(server, script, votes=1)
    assert script.kinds == ["first", "again"]
    assert found(judgement, "alpha") == Finding("alpha", GOOD, Verdict.MET)


async def test_the_request_names_the_failure_and_only_what_failed(server: FakeEndpoint) -> None:
    script = Script(AGREED | {"alpha": ("met", INVENTED)}, {"alpha": ("met", GOOD)})
    await judge(server, script, votes=1)
    first, again = server.bodies
    assert again["messages"][:3] == first["messages"][:3]
    assert json.loads(again["messages"][3]["content"].split("\n")[-1]) == [
        {
            "id": "alpha",
            "evidence": INVENTED,
            "verdict": "met",
            "problem": "The quote is not in any of your answers.",
        }
    ]


@pytest.mark.parametrize("verdict", ["met", "partial", "contradicted"])
async def test_a_quote_that_fails_again_leaves_the_finding_to_the_check(
    server: FakeEndpoint, verdict: str
) -> None:
    bad = {"alpha": (verdict, INVENTED)}
    script = Script(AGREED | bad, bad)
    judgement = await judge(server, script, votes=1)
    assert script.kinds == ["first", "again"]
    assert found(judgement, "alpha").evidence == INVENTED
    checked = {
        v.criterion: v for v in check(context_of().rubric, context_of().turns, judgement.findings)
    }
    assert checked["alpha"].verdict is Verdict.NOT_MET
    assert checked["alpha"].unsupported


async def test_second_thoughts_without_a_quote_count(server: FakeEndpoint) -> None:
    script = Script(AGREED | {"alpha": ("met", INVENTED)}, {"alpha": ("not_met", "")})
    judgement = await judge(server, script, votes=1)
    assert found(judgement, "alpha").verdict is Verdict.NOT_MET


async def test_a_full_step_from_the_patterns_is_voted_on(server: FakeEndpoint) -> None:
    claim = {"gamma": ("met", "beta term vanishes early")}
    script = Script(AGREED | claim, votes=[claim, {"gamma": ("not_met", "")}])
    judgement = await judge(server, script)
    assert script.kinds == ["first", "vote", "vote"]
    assert script.voted == [["gamma"], ["gamma"]]
    gamma = found(judgement, "gamma")
    assert (gamma.verdict, gamma.votes) == (
        Verdict.MET,
        (Verdict.MET, Verdict.MET, Verdict.NOT_MET),
    )
    assert found(judgement, "alpha").votes == ()


@pytest.mark.parametrize("verdict", ["not_met", "contradicted"])
async def test_a_denied_point_that_the_patterns_find_is_voted_on(
    server: FakeEndpoint, verdict: str
) -> None:
    script = Script(AGREED | {"alpha": (verdict, GOOD)}, votes=[AGREED, AGREED])
    alpha = found(await judge(server, script), "alpha")
    assert alpha.verdict is Verdict.MET
    assert alpha.votes == (Verdict(verdict), Verdict.MET, Verdict.MET)
    assert alpha.evidence == GOOD


async def test_a_failed_quote_is_asked_for_and_voted_on_in_one_round(server: FakeEndpoint) -> None:
    bad = {"alpha": ("met", INVENTED)}
    script = Script(AGREED | bad, again=bad, votes=[{"alpha": ("met", GOOD)}, bad])
    alpha = found(await judge(server, script), "alpha")
    assert sorted(script.kinds) == ["again", "first", "vote", "vote"]
    assert (alpha.verdict, alpha.evidence) == (Verdict.MET, GOOD)


async def test_the_second_look_goes_out_at_once(server: FakeEndpoint) -> None:
    bad = {"alpha": ("met", INVENTED)}
    script = Script(AGREED | bad, again=bad, votes=[bad, bad])
    all_three = asyncio.Barrier(3)

    async def answer(request: httpx.Request) -> httpx.Response:
        reply = script(json.loads(request.content))
        if script.kinds[-1] != "first":
            await asyncio.wait_for(all_three.wait(), 10)  # for ever, if one waited for another
        return reply

    client = httpx.AsyncClient(transport=httpx.MockTransport(answer))
    await with_second_look(server.examiner(votes=3, http_client=client), context_of(ANSWER))
    assert sorted(script.kinds) == ["again", "first", "vote", "vote"]


async def test_three_verdicts_are_no_verdict(server: FakeEndpoint) -> None:
    script = Script(
        AGREED | {"gamma": ("met", GOOD)},
        votes=[{"gamma": ("partial", GOOD)}, {"gamma": ("not_met", "")}],
    )
    judgement = await judge(server, script)
    assert [finding.criterion for finding in judgement.findings] == ["alpha", "beta"]
    assert judgement.ungraded == (
        ("gamma", "Three votes gave three verdicts: met, partial, not_met."),
    )


async def test_with_a_vote_lost_two_must_agree(server: FakeEndpoint) -> None:
    script = Script(
        AGREED | {"gamma": ("met", GOOD)},
        votes=[refusal(500, "oops"), {"gamma": ("not_met", "")}],
    )
    judgement = await judge(server, script)
    assert judgement.ungraded == (("gamma", "Two votes gave two verdicts: met, not_met."),)


async def test_with_both_votes_lost_the_first_stands_and_nobody_waits(
    server: FakeEndpoint, waits: list[float]
) -> None:
    script = Script(
        AGREED | {"gamma": ("met", GOOD)}, votes=[refusal(500, "oops"), refusal(429, "later")]
    )
    server.by_request = script
    examiner = server.examiner(votes=3)
    gamma = found(await with_second_look(examiner, context_of(ANSWER)), "gamma")
    assert (gamma.verdict, gamma.votes) == (Verdict.MET, ())
    assert (script.kinds, waits) == (["first", "vote", "vote"], [])
    outcomes = sorted(call.outcome for call in examiner.drain_calls())
    assert outcomes == ["http 429", "http 500", "ok"]


async def test_a_vote_that_cannot_be_read_is_no_vote(server: FakeEndpoint) -> None:
    script = Script(AGREED | {"alpha": ("not_met", "")}, votes=[said("hm"), AGREED])
    judgement = await judge(server, script)
    assert judgement.ungraded == (("alpha", "Two votes gave two verdicts: not_met, met."),)
    assert script.kinds == ["first", "vote", "vote"]


async def test_verdicts_that_nobody_asked_for_in_a_vote_do_not_count(server: FakeEndpoint) -> None:
    everything = dict.fromkeys(AGREED, ("contradicted", GOOD))
    script = Script(AGREED | {"gamma": ("met", GOOD)}, votes=[everything, everything])
    judgement = await judge(server, script)
    assert found(judgement, "alpha").verdict is Verdict.MET
    assert found(judgement, "gamma").verdict is Verdict.CONTRADICTED


async def test_one_verdict_is_never_voted_on(server: FakeEndpoint) -> None:
    script = Script(dict.fromkeys(AGREED, ("not_met", "")))
    await judge(server, script, votes=1)
    assert script.kinds == ["first"]


@pytest.mark.parametrize("votes", [0, 6, -1])
def test_votes_out_of_range_are_refused(server: FakeEndpoint, votes: int) -> None:
    with pytest.raises(SettingsError, match="from 1 to 5"):
        server.examiner(votes=votes)


async def test_votes_ask_in_an_order_of_their_own_and_the_same_again(server: FakeEndpoint) -> None:
    denied = dict.fromkeys(AGREED, ("contradicted", GOOD))
    orders = []
    for _ in range(2):
        script = Script(denied, votes=[denied] * 4)
        await judge(server, script, votes=5)
        orders.append(script.voted)
    assert orders[0] == orders[1]
    assert len({tuple(order) for order in orders[0]}) > 1
    assert {tuple(sorted(order)) for order in orders[0]} == {("alpha", "beta")}


async def test_votes_share_all_but_the_last_message_and_come_from_separate_calls(
    server: FakeEndpoint,
) -> None:
    script = Script(AGREED | {"alpha": ("not_met", "")}, votes=[AGREED, AGREED])
    await judge(server, script)
    first, *votes = server.bodies
    assert len(votes) == 2
    for vote in votes:
        assert vote["messages"][:3] == first["messages"][:3]
        assert vote["response_format"] == first["response_format"]
        assert vote["temperature"] > 0
        assert "n" not in vote


def voted_before(context: QuestionContext, outcome: Verdict) -> QuestionContext:
    votes = (Verdict.NOT_MET, Verdict.NOT_MET, Verdict.MET)
    return replace(context, verdicts=(CriterionVerdict("alpha", outcome, votes=votes),))


async def test_what_was_voted_on_is_not_voted_on_again_with_the_same_outcome(
    server: FakeEndpoint,
) -> None:
    script = Script(AGREED | {"alpha": ("not_met", "")})
    context = voted_before(context_of(ANSWER), Verdict.NOT_MET)
    judgement = await judge(server, script, context=context)
    assert script.kinds == ["first"]
    assert found(judgement, "alpha").votes == context.verdicts[0].votes


async def test_a_new_outcome_is_voted_on_anew(server: FakeEndpoint) -> None:
    script = Script(AGREED | {"alpha": ("contradicted", GOOD)}, votes=[AGREED, AGREED])
    judgement = await judge(
        server, script, context=voted_before(context_of(ANSWER), Verdict.NOT_MET)
    )
    assert script.kinds == ["first", "vote", "vote"]
    assert found(judgement, "alpha").verdict is Verdict.MET


async def test_a_met_point_is_judged_again_and_may_be_taken_back(server: FakeEndpoint) -> None:
    taken_back = "I was wrong, the omega effect decides it after all."
    standing = (CriterionVerdict("alpha", Verdict.MET, GOOD, turn=2),)
    context = replace(context_of(ANSWER, taken_back), verdicts=standing)
    reply = AGREED | {"alpha": ("contradicted", taken_back)}
    judgement = await judge(server, Script(reply, votes=[reply, reply]), context=context)
    assert found(judgement, "alpha").verdict is Verdict.CONTRADICTED


async def test_stopping_the_second_look_stops_all_of_it(server: FakeEndpoint) -> None:
    waiting, never = asyncio.Event(), asyncio.Event()
    script = Script(AGREED | {"alpha": ("not_met", "")})

    async def answer(request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        if body["temperature"]:
            waiting.set()
            await never.wait()
        return script(body)

    client = httpx.AsyncClient(transport=httpx.MockTransport(answer))
    examiner = server.examiner(votes=3, http_client=client)
    task = asyncio.create_task(with_second_look(examiner, context_of(ANSWER)))
    await asyncio.wait_for(waiting.wait(), 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    outcomes = [call.outcome for call in examiner.drain_calls()]
    assert outcomes[0] == "ok"
    assert set(outcomes[1:]) == {"cancelled"}
