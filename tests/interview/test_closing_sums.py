"""Sums that close over the candidate's own numbers, and silence over everybody else's."""

from __future__ import annotations

from dataclasses import replace

import pytest
from interviewer.grading.claims.closing import ASKED
from support.closing_statements import CLOSING, GIVEN, SILENT
from support.mocks import Mock
from support.rubrics import a_criterion, a_rubric

from interviewer.examiner.moves import Probe
from interviewer.interview.consistency import ClosingSum, closing_sums
from interviewer.rubric.rubric import NumberFact, Rubric

RUBRICS = {
    kind: a_rubric(id=f"a-{kind}", kind=kind, question=GIVEN if kind == "estimation" else "Well?")
    for kind in ("project", "concept", "estimation", "derivation")
}


def sums_on(kind: str, *answers: str) -> tuple[ClosingSum, ...]:
    mock = Mock([RUBRICS[kind]])
    mock.ask()
    for answer in answers:
        mock.say(answer)
    return closing_sums(mock.state, mock.rubrics)


@pytest.mark.parametrize(("kind", "answer", "says"), CLOSING)
def test_own_numbers_that_suffice_close(kind: str, answer: str, says: str) -> None:
    found = sums_on(kind, answer)
    assert any(says in each.sentence for each in found), [each.sentence for each in found]


@pytest.mark.parametrize(("kind", "answer"), SILENT)
def test_nothing_is_said_on_other_numbers(kind: str, answer: str) -> None:
    assert [each.sentence for each in sums_on(kind, answer)] == []


SIZE = "We trained a 7B on 400B tokens."
CLUSTER = "That run took twelve days on 128 A100s."
MFU = "7B parameters on 400B tokens over 128 A100s for 12 days: that makes 41% MFU."


def asked(*rubrics: Rubric, notes: str = "") -> Mock:
    """One round for each of these, the first question posed."""
    mock = Mock(*([rubric] for rubric in rubrics))
    mock.state = replace(mock.state, project=notes)
    mock.ask()
    return mock


def sentences(mock: Mock) -> list[str]:
    return [each.sentence for each in closing_sums(mock.state, mock.rubrics)]


def test_a_sum_names_its_claims_and_asks_one_question() -> None:
    [first, *_] = sums_on("project", SIZE, CLUSTER)
    assert first.sentence == MFU
    assert first.question == "What limited it?"
    assert sorted(claim.text for claim in first.claims) == [
        "128 A100s",
        "400B tokens",
        "7B",
        "twelve days",
    ]


def test_the_newest_comes_first_and_only_what_the_latest_answer_completes() -> None:
    mock = asked(RUBRICS["project"])
    mock.say("Our batch was 4M tokens and we ran 50k steps. We had 64 A100s for ten days.")
    assert [said.split(": ")[-1] for said in sentences(mock)] == [
        "that makes 231,000 tokens a second.",
        "that makes 15,360 GPU-hours.",
        "that makes 200B tokens.",
    ]
    mock.follow_up(Probe("alpha"))
    mock.say("The learning rate was 3e-4.")
    assert sentences(mock) == []


def test_each_is_said_once_in_a_session() -> None:
    mock = asked(RUBRICS["project"], RUBRICS["concept"])
    mock.say(f"{SIZE} {CLUSTER}")
    assert MFU in sentences(mock)
    mock.follow_up(Probe("alpha"), f"{MFU} What limited it?")
    mock.say(f"As I said. {SIZE} {CLUSTER}")
    assert MFU not in sentences(mock)
    mock.close()
    mock.ask()
    mock.say(f"{SIZE} {CLUSTER}")
    assert MFU not in sentences(mock)


def test_the_notes_and_earlier_rounds_take_part() -> None:
    by_notes = asked(RUBRICS["concept"], notes=f"# CV\n\n- {SIZE}")
    by_notes.say("Our 7B ran on 128 A100s and took twelve days.")
    assert MFU in sentences(by_notes)
    by_round = asked(RUBRICS["project"], RUBRICS["concept"], RUBRICS["concept"])
    by_round.say(SIZE)
    by_round.close()
    by_round.ask()
    by_round.say(CLUSTER)
    assert MFU in sentences(by_round)


def test_own_numbers_on_an_exercise_never_meet_those_of_the_exercise() -> None:
    given = RUBRICS["estimation"]
    mock = asked(given)
    mock.say("400B tokens and a 7B, so 1.7e22 FLOPs. We had 64 H100s for ten days at my old job.")
    assert sentences(mock) == ["64 H100s for 10 days: that makes 15,360 GPU-hours."]


def test_a_number_that_the_question_asks_for_is_not_given_away() -> None:
    criterion = a_criterion("alpha", numbers=(NumberFact(value=41, unit="%", rel=0.03),))
    mock = asked(a_rubric(criterion, id="mfu", kind="concept"))
    mock.say(f"{SIZE} {CLUSTER}")
    assert sentences(mock)
    assert not any("MFU" in said for said in sentences(mock))
    mock.follow_up(Probe("alpha"))
    mock.say("We measured 41% MFU in that run.")
    assert any("MFU" in said for said in sentences(mock))


@pytest.mark.parametrize(
    "said",
    [
        "We trained a 7B on 400B tokens with 64 A100s in ten days.",  # 97%
        "We trained a 7B on 4B tokens with 64 A100s in ten days.",  # 1%
        "We trained a 7B with LoRA on 40B tokens with 64 A100s in ten days.",
        "Our MoE with 47B in total saw 100B tokens on 64 A100s in ten days.",
        "We trained a 7B on 100B tokens with 64 GPUs in ten days.",
        "Some nodes had A100s and some H100s: our 7B saw 100B tokens on 64 GPUs in ten days.",
        "We trained a 7B on 100B tokens; PPO on the 7B took 64 A100s for ten days.",
    ],
)
def test_no_utilisation_where_it_is_implausible_or_undefined(said: str) -> None:
    assert not any("MFU" in each.sentence for each in sums_on("project", said))


def test_figures_that_are_too_far_apart_neither_fit_nor_clash() -> None:
    said = "Our 7B got 55% MFU: 400B tokens on 128 A100s in twelve days."
    assert not any("MFU" in each.sentence for each in sums_on("project", said))


def test_nothing_is_said_before_an_answer_or_after_a_question_is_graded() -> None:
    mock = asked(RUBRICS["project"])
    assert sentences(mock) == []
    mock.say(f"{SIZE} {CLUSTER}")
    mock.follow_up(Probe("alpha"))
    mock.dont_know()
    assert sentences(mock) == []
    mock.close()
    assert sentences(mock) == []


def test_every_relation_names_its_source() -> None:
    assert len({asked.measure for asked in ASKED}) == len(ASKED)
    assert all(asked.question.endswith("?") for asked in ASKED)
