"""A corpus of malformed replies: nothing is invented, nothing is lost without a reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from support.fake_endpoint import FakeEndpoint, context_of, said
from support.judged import reasons, unjudged

from interviewer.errors import ExaminerError
from interviewer.grading.evidence import check
from interviewer.grading.score import grade_question
from interviewer.grading.verdicts import Judgement, Verdict
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


def test_the_corpus_is_large_and_names_each_entry_once() -> None:
    assert len(CORPUS) >= 60
    assert len(set(NAMES)) == len(NAMES)
    assert all(("reply" in entry) != ("parts" in entry) for entry in CORPUS)


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
