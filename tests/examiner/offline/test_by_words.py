"""Criteria without patterns, judged from their claim and phrasings alone."""

from __future__ import annotations

from typing import Any

import pytest
from support.judged import checked
from support.tables import table

from interviewer.examiner.offline.judge import judge
from interviewer.grading.evidence import check
from interviewer.grading.transcript import exchange
from interviewer.grading.verdicts import Judgement, Verdict, weighted_score
from interviewer.report.words import doubt_words
from interviewer.rubric.importing import rubric_of
from interviewer.rubric.question_lists import Question
from interviewer.rubric.rubric import Rating, Rubric

CASES = table("sentences", __file__)["by_words"]

QUESTION = "Why does one warm up the learning rate?"
CLAIM = "Adam's second-moment estimate is noisy in the first steps, so large updates would diverge."
CRITERION: dict[str, Any] = CASES["criterion"]
CREDITED = (Rating.MET, Rating.PARTIAL)


def rubric_with(**changes: Any) -> Rubric:
    question = Question(1, QUESTION, CLAIM)
    values = rubric_of(question, "own-warmup", topic="own")
    return Rubric.model_validate(values | {"criteria": [CRITERION | changes]})


def judged(answer: str, rubric: Rubric | None = None) -> tuple[Verdict, Judgement]:
    rubric = rubric or rubric_with()
    turns = exchange(rubric.question, answer)
    judgement = judge(rubric, turns)
    (verdict,) = check(rubric, turns, judgement.findings)
    return verdict, judgement


@pytest.mark.parametrize("answer", CASES["credited"])
def test_right_answers_in_other_words_are_credited_with_a_quote(answer: str) -> None:
    verdict, _ = judged(answer)
    assert verdict.verdict in CREDITED
    assert verdict.evidence in answer
    assert verdict.evidence


@pytest.mark.parametrize("answer", CASES["not credited"])
def test_what_says_nothing_of_the_point_is_not_credited(answer: str) -> None:
    verdict, _ = judged(answer)
    assert verdict.verdict is Rating.NOT_MET


@pytest.mark.parametrize("terms", CASES["bare terms"])
def test_a_few_bare_terms_are_a_list_too_unless_the_key_is_one(terms: str) -> None:
    assert judged(terms)[0].verdict is Rating.NOT_MET
    listed = rubric_with(accept=["noisy Adam, large updates, divergence"])
    assert judged("Adam, noisy moments, large updates, divergence.", listed)[0].verdict in CREDITED


def test_a_sentence_on_one_point_earns_nothing_for_another_that_shares_a_word() -> None:
    slow = {**CRITERION, "id": "slow-link", "reject": [], "misconceptions": [], "accept": []}
    claims = (
        "Between nodes the links are about ten times slower than NVLink inside a node.",
        "Between nodes one uses pipeline or data parallelism instead, which talk less.",
    )
    criteria = [slow | {"id": f"point-{n}", "claim": claim} for n, claim in enumerate(claims)]
    question = "Why does tensor parallelism stay inside a machine?"
    rubric = Rubric.model_validate(
        rubric_with().model_dump() | {"question": question, "criteria": criteria}
    )
    answers = (
        "Outside the machine the links are ten times slower than the NVLink between its GPUs.",
        "Pipeline stages go on different machines, since pipeline parallelism talks less.",
    )
    for n, answer in enumerate(answers):
        turns = exchange(rubric.question, answer)
        verdicts = checked(rubric, turns)
        assert [each.verdict in CREDITED for each in verdicts] == [n == 0, n == 1]


def test_words_alone_never_contradict() -> None:
    verdict, _ = judged("Warm-up lets one train with a smaller batch, that is all it does.")
    assert verdict.verdict is Rating.NOT_MET


def test_credit_by_words_is_in_doubt() -> None:
    verdict, _ = judged(
        "Adam's variance estimates are poor at the start, big steps blow up the run."
    )
    assert verdict.verdict in CREDITED
    assert verdict.alternative not in (None, verdict.verdict)
    assert "words alone" in doubt_words(verdict, "offline-v3")


def test_a_question_whose_list_had_no_answer_is_not_graded_but_says_why() -> None:
    values = rubric_of(Question(1, QUESTION), "own-warmup", topic="own")
    rubric = Rubric.model_validate(values)
    turns = exchange(rubric.question, CRITERION["accept"][0])
    judgement = judge(rubric, turns)
    (found,) = judgement.findings
    assert (found.verdict, found.criterion) == (None, rubric.criteria[0].id)
    assert "question browser" in found.reason
    assert weighted_score(rubric, check(rubric, turns, judgement.findings)) is None
