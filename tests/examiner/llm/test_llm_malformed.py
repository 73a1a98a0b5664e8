"""A corpus of malformed replies: nothing is invented, nothing is lost without a reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from support.fake_endpoint import FakeEndpoint, context_of, said
from support.judged import reasons, unjudged

from interviewer.errors import ExaminerError
from interviewer.examiner.llm.judge import read_findings
from interviewer.examiner.llm.replies import without_thinking
from interviewer.grading.evidence import check
from interviewer.grading.verdicts import Judgement, Verdict, grade_question
from interviewer.rubric.rubric import Rating

CORPUS = yaml.safe_load(Path(__file__).with_name("malformed_replies.yaml").read_text("utf-8"))
NAMES = [entry["name"] for entry in CORPUS]
LETTERS = ["alpha", "beta", "gamma"]


def text_of(entry: dict[str, Any]) -> str:
    if "reply" in entry:
        return str(entry["reply"])
    return "".join(part * times for part, times in entry["parts"])


async def judged(server: FakeEndpoint, entry: dict[str, Any], **options: Any) -> Judgement:
    server.will(said(text_of(entry), finish=entry.get("finish", "stop")))
    try:
        return await server.examiner(**options).judge(context_of())
    except ExaminerError as error:
        return Judgement(tuple(unjudged(each, str(error)) for each in LETTERS), "tiny")


@pytest.mark.parametrize("entry", CORPUS, ids=NAMES)
async def test_each_criterion_has_the_verdict_given_or_a_reason_and_no_score_of_its_own(
    server: FakeEndpoint, entry: dict[str, Any]
) -> None:
    judgement = await judged(server, entry)
    usable = entry.get("usable", {})
    assert {f.criterion: f.verdict for f in judgement.findings if f.verdict} == usable
    told = reasons(judgement.findings)
    assert [*told] == [name for name in LETTERS if name not in usable]
    for why in told.values():
        assert why.startswith("The model's reply could not be used: ")
        assert why.endswith(".")
    for finding in judgement.findings:
        (finding.evidence + finding.missing).encode()  # raises for what no file can hold
    assert len(server.requests) <= 8
    context = context_of()
    verdicts = check(context.rubric, context.turns, judgement.findings)
    graded = grade_question(context.rubric, [verdicts], examiner="tiny")
    deserved = [Verdict(criterion, Rating(verdict)) for criterion, verdict in usable.items()]
    left = [unjudged(each) for each in told]
    expected = grade_question(context.rubric, [[*deserved, *left]], examiner="tiny")
    assert graded.final == expected.final
    assert (graded.final is None) == (not usable)


# -- any text -------------------------------------------------------------------------


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just("met"),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["criteria", "id", "verdict", "evidence", "missing"]), inner
        )
    ),
    max_leaves=20,
)


@given(JSON)
def test_no_json_makes_up_a_verdict(value: object) -> None:
    reading = read_findings(json.dumps({"criteria": value}), ["alpha"])
    if reading.value:
        (finding,) = reading.value.values()
        assert finding.criterion == "alpha"
        assert finding.verdict in Rating
        assert finding.verdict.value in json.dumps(value).lower().replace(" ", "_")
    else:
        assert reading.problems


@given(st.text(alphabet='{}[]":, criteamt\n\\`', max_size=200))
def test_no_text_makes_the_reader_stumble(text: str) -> None:
    reading = read_findings(text, ["alpha"])
    assert not reading.value
    assert reading.problems


@given(
    st.sampled_from(["", "<think>hm</think>", "\n<THINKING>\na < b</THINKING>", "<think></think>"]),
    st.text(alphabet="<thinkg/> ?\n", max_size=20).filter(lambda text: ">" not in text),
)
def test_leading_reasoning_is_no_part_of_a_reply(reasoning: str, words: str) -> None:
    assert without_thinking(reasoning + words).lstrip() == words.lstrip()
