"""The offline examiner: what it credits, what it holds back, and that it cannot be talked round."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.judged import checked
from support.rubrics import a_criterion, a_rubric, scaling_rubric
from support.shipped import shipped_rubrics
from support.tables import table

from interviewer.examiner.offline import guards
from interviewer.examiner.offline.judge import OfflineExaminer, in_order, judge
from interviewer.examiner.protocol import NEUTRAL, QuestionContext
from interviewer.grading.transcript import Turn, TurnKind, exchange
from interviewer.grading.verdicts import Flag, Judgement, Verdict, weighted_score
from interviewer.rubric.rubric import Rating, Rubric, Step
from interviewer.rubric.text import is_denied

CASES = table("sentences", __file__)["offline_judge"]
VERDICTS = table("sentences", __file__)["verdicts"]

SCALING = scaling_rubric()
GOOD = (
    "If the entries have unit variance, then the variance of the dot product grows with the head "
    "width. For a head of 128 that gives a standard deviation around 11.3 before any scaling."
)


def turns_of(rubric: Rubric, *answers: str) -> tuple[Turn, ...]:
    question = Turn(1, "examiner", TurnKind.QUESTION, rubric.question)
    return (
        question,
        *(
            Turn(number, "candidate", TurnKind.ANSWER, text)
            for number, text in enumerate(answers, start=2)
        ),
    )


def judged(rubric: Rubric, *answers: str) -> Judgement:
    return judge(rubric, turns_of(rubric, *answers))


def verdicts(rubric: Rubric, *answers: str) -> dict[str, Verdict]:
    turns = turns_of(rubric, *answers)
    return {v.criterion: v for v in checked(rubric, turns)}


def score(rubric: Rubric, answer: str) -> float:
    value = weighted_score(rubric, verdicts(rubric, answer).values())
    assert value is not None
    return value


@pytest.mark.parametrize("case", VERDICTS.values(), ids=VERDICTS)
def test_what_an_answer_is_worth(case: dict[str, Any]) -> None:
    found = verdicts(SCALING, *case["said"])["variance"]
    assert found.verdict == case.get("verdict", found.verdict) != case.get("not")
    judgement = judged(SCALING, *case["said"])
    if "vague" in case:
        assert found.vague
    if "list" in case:
        assert Flag.KEYWORD_LIST in judgement.flags
        assert {finding.verdict for finding in judgement.findings} == {Rating.NOT_MET}


def test_half_of_a_point_is_partial_and_vague_where_the_rubric_says_what_half_is() -> None:
    half = a_rubric(a_criterion("growth", partly=(("variance", "width"),)))
    touched = "Somehow the variance of the products plays a part with the width there."
    found = verdicts(half, touched)["growth"]
    assert found.verdict is Rating.PARTIAL
    assert found.vague


def test_a_later_correction_mends_a_mistake_and_a_later_mistake_spoils_the_point() -> None:
    wrong = "The scale is there to prevent an overflow of the logits in half precision."
    assert verdicts(SCALING, wrong, GOOD)["variance"].verdict is Rating.MET
    assert verdicts(SCALING, GOOD, wrong)["variance"].verdict is Rating.CONTRADICTED


def test_what_names_points_by_the_ids_of_the_key_is_no_evidence() -> None:
    both = a_rubric(a_criterion("alpha-grows", patterns=(("alpha",),)), a_criterion("beta-falls"))
    pasted = '{"criteria": [{"id": "alpha-grows", "evidence": "alpha"}, {"id": "beta-falls"}]}'
    assert verdicts(both, pasted)["alpha-grows"].verdict is Rating.NOT_MET
    assert verdicts(both, "What I call alpha-grows is alpha.")["alpha-grows"].verdict is Rating.MET


def test_what_lies_far_apart_in_a_sentence_is_quoted_in_parts() -> None:
    point = a_criterion(
        "variance", claim="Alpha grows; beta falls.", patterns=(("alpha grows", "beta falls"),)
    )
    filler = "and here I go on about something else for quite a while, as one does at a whiteboard"
    answer = f"Alpha grows with the width; {filler}; {filler}; {filler}; so beta falls in the end."
    found = verdicts(a_rubric(point), answer)["variance"]
    assert found.verdict is Rating.MET
    assert [quote.text for quote in found.quotes] == [
        "Alpha grows with the width;",
        "so beta falls in the end",
    ]


def test_the_question_said_back_earns_nothing() -> None:
    assert score(SCALING, SCALING.question + " " + SCALING.question) == 0


@pytest.mark.parametrize("attack", CASES["persuasion"])
def test_there_is_nobody_to_persuade(attack: str) -> None:
    weak = "It has to do with keeping the numbers in a good range, as far as I remember."
    assert score(SCALING, f"{weak} {attack}") == score(SCALING, weak)


@given(st.text(max_size=400))
def test_any_text_is_told_every_point_and_twice_the_same(answer: str) -> None:
    first = judged(SCALING, answer)
    assert sorted(f.criterion for f in first.findings) == sorted(c.id for c in SCALING.criteria)
    assert judged(SCALING, answer) == first


def test_shipped_samples_full_beats_wrong_and_empty(shipped_rubric: Rubric) -> None:
    """Not tuned to a figure: only the order that any use of the examiner rests on."""
    rubric = shipped_rubric
    by_kind = {sample.kind: score(rubric, sample.answer) for sample in rubric.samples}
    assert by_kind["full"] >= 0.7
    assert by_kind["empty"] == 0
    assert by_kind["wrong"] <= 0.2
    assert by_kind["full"] - by_kind["recited"] >= 0.25


def context_of(rubric: Rubric, *answers: str) -> QuestionContext:
    return QuestionContext(rubric, turns_of(rubric, *answers), (), NEUTRAL, exam=False)


async def test_others_run_between_its_steps_and_it_can_be_cancelled() -> None:
    context, turns = context_of(SCALING, GOOD, GOOD), 0
    judging = asyncio.create_task(OfflineExaminer().judge(context))
    while not judging.done():
        turns += 1
        await asyncio.sleep(0)
    assert judging.result() == judge(SCALING, context.turns)
    assert turns >= 2 * len(SCALING.criteria)
    judging = asyncio.create_task(OfflineExaminer().judge(context))
    await asyncio.sleep(0)
    judging.cancel()
    with pytest.raises(asyncio.CancelledError):
        await judging


FIGURE = a_rubric(a_criterion(**CASES["figure"]))


@pytest.mark.parametrize(("answers", "verdict"), CASES["taken back"])
def test_what_is_taken_back_neither_earns_nor_costs(answers: list[str], verdict: str) -> None:
    assert verdicts(FIGURE, *answers)["volume"].verdict == verdict


def test_a_reply_on_the_point_completes_what_was_half_said() -> None:
    rubric = a_rubric(
        a_criterion(
            "read",
            claim="Some outputs are read by hand and each error is labelled.",
            patterns=[[r"\boutputs?\b", r"\b(read|eyeball)\w*", r"\blabel\w*"]],
            partly=[r"\b(read|eyeball)\w*.{0,20}outputs?"],
        )
    )
    first = "First I eyeball a bunch of outputs."
    reply = "Fifty or so, I put them in a spreadsheet and label each with what went wrong."

    def told(target: str | None) -> Verdict:
        turns = (
            *turns_of(rubric, first),
            Turn(3, "examiner", TurnKind.PIN_DOWN, "What do you do with them?", target=target),
            Turn(4, "candidate", TurnKind.ANSWER, reply),
        )
        return checked(rubric, turns)[0]

    found = told("read")
    assert found.verdict is Rating.MET
    assert [each.turn for each in found.quotes] == [4, 2]
    assert told("another").verdict is Rating.PARTIAL


HALVES = a_rubric(a_criterion(**CASES["half made"]))


@pytest.mark.parametrize(("answer", "verdict"), CASES["halves"])
def test_half_a_point_and_a_rejected_wording(answer: str, verdict: str) -> None:
    found = verdicts(HALVES, answer)["sync"]
    assert (found.verdict, found.alternative) == (verdict, None)


@pytest.mark.parametrize(("answer", "verdict"), CASES["made by denying"])
def test_a_claim_that_denies_may_be_made_by_denying(answer: str, verdict: str) -> None:
    rubric = a_rubric(
        a_criterion(
            "prefill",
            claim="A hit skips the prefill, while decoding is no faster.",
            patterns=[["prefill", "decoding", "faster"]],
        )
    )
    assert verdicts(rubric, answer)["prefill"].verdict == verdict


# -- what holds a hit back ------------------------------------------------------------


GUARDS = table("sentences", __file__)["guards"]


@pytest.mark.parametrize(("text", "asked_for_names", "a_list"), GUARDS["lists"])
def test_bare_terms_in_a_row_or_words_that_nothing_joins_are_a_list(
    text: str, asked_for_names: bool, a_list: bool
) -> None:
    at, whole = text.index("gradient"), ((0, len(text)),)
    found = guards.is_listed(text, whole, (at, at + 8), wanted=bool(asked_for_names))
    assert found is bool(a_list)


@pytest.mark.parametrize(("text", "denied"), GUARDS["denials"])
def test_a_denial_reaches_what_follows_it_in_its_sentence(text: str, denied: bool) -> None:
    assert is_denied(text, text.index("variance")) is denied


# -- points whose order counts --------------------------------------------------------


IN_STEPS = table("sentences", __file__)["steps"]

STEPS = (
    Step(claim="Halt", patterns=(r"\bhalt\w*", r"\bstop\w*")),
    Step(claim="Rewind", patterns=(r"\brewind\w*",)),
    Step(claim="Resume", patterns=(r"\bresum\w*",)),
)
STEPPED = a_rubric(a_criterion("rewind", steps=STEPS), question="What do you do about it?")


def verdict_on(*answers: str) -> tuple[Rating, bool]:
    """The verdict on the point after these answers, and whether another reader might differ."""
    turns = [Turn(1, "examiner", TurnKind.QUESTION, STEPPED.question)]
    for answer in answers:
        turns.append(Turn(len(turns) + 1, "candidate", TurnKind.ANSWER, answer))
        turns.append(Turn(len(turns) + 1, "examiner", TurnKind.PROBE, "What else?", "rewind"))
    (found,) = checked(STEPPED, turns[:-1])
    return found.verdict, found.alternative is Rating.MET


@pytest.mark.parametrize("answers", IN_STEPS["in order"])
def test_all_steps_in_their_order_are_the_whole_point(answers: list[str]) -> None:
    assert verdict_on(*answers) == (Rating.MET, False)


def test_another_order_or_a_step_that_is_missing_is_half_the_point() -> None:
    wrong_way = "I resume the run from the best checkpoint, rewind the data, and halt the sampler."
    assert verdict_on(wrong_way) == (Rating.PARTIAL, True)
    assert verdict_on("I rewind the run to the best one we have.") == (Rating.PARTIAL, True)
    assert verdict_on("I would look at the curves of that run.")[0] is Rating.NOT_MET


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param(criterion.steps, id=criterion.id)
        for rubric in shipped_rubrics()
        for criterion in rubric.criteria
        if criterion.steps
    ],
)
def test_the_steps_of_a_shipped_point_count_only_in_their_order(steps: tuple[Step, ...]) -> None:
    said = [step.claim for step in steps]
    assert in_order(steps, [" ".join(said)])
    assert not in_order(steps, [" ".join(reversed(said))])
    assert not in_order(steps, [" ".join([said[-1], *said[:-1]])])


# -- misconceptions -------------------------------------------------------------------


ASSERTED = table("sentences", __file__)["assertion"]

STATES = a_rubric(a_criterion(**CASES["states"]))


def is_contradicted(answer: str) -> bool:
    found = judge(STATES, exchange(STATES.question, answer)).findings
    return any(finding.verdict is Rating.CONTRADICTED for finding in found)


@pytest.mark.parametrize("answer", ASSERTED["asserted"])
def test_what_is_asserted_contradicts(answer: str) -> None:
    assert is_contradicted(answer)


@pytest.mark.parametrize("answer", ASSERTED["not asserted"])
def test_what_is_reported_denied_or_taken_back_does_not(answer: str) -> None:
    assert not is_contradicted(answer)


def test_a_point_and_its_opposite_are_neither_credited_nor_called_wrong() -> None:
    both = (
        "The states take 112 GB in total, all of them together. And the buffer is big, by the way."
    )
    (found,) = judge(STATES, exchange(STATES.question, both)).findings
    assert found.verdict is Rating.NOT_MET
    assert found.vague
