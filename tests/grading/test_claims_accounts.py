"""Long honest accounts: several runs, parts of one, figures of others, and what still clashes."""

from __future__ import annotations

import pytest

from interviewer.grading.claims.claim import Measure
from interviewer.grading.claims.ledger import ledger
from interviewer.grading.claims.rules.reading import extract
from interviewer.grading.transcript import Turn, TurnKind


def sums(text: str) -> list[tuple[str, ...]]:
    found = ledger([Turn(1, "candidate", TurnKind.ANSWER, text)]).contradictions
    return [each.relations for each in found]


def read(text: str, measure: Measure) -> list[float]:
    return [claim.value for claim in extract(text) if claim.measure is measure]


def test_numbers_of_one_long_sentence_meet() -> None:
    text = (
        "What I remember best from that spring is the bill, since we had rented one hundred and "
        "ninety-two H100s, which nobody had ever done there before, and we kept all of them busy "
        "for twenty-five days without a break, at two dollars an hour for each of them, and in "
        "the end it was only eleven thousand dollars."
    )
    assert sums(text) == [("device time", "cost")]


def test_numbers_far_apart_in_an_account_do_not_meet() -> None:
    account = (
        "Our baseline was 24 layers deep and took 0.9 seconds a step. The tokenizer came next. It "
        "was trained on news only. Names were split badly. We fixed that with more data. Then "
        "the deeper one ran for 50,000 steps. It was done after {time}."
    )
    assert sums(account.format(time="six days")) == []
    assert sums("It took 0.9 seconds a step, 50,000 steps, and was done after six days.") != []


def test_where_two_runs_are_told_a_sum_is_of_one_sentence() -> None:
    account = (
        "We had a batch of 128 on 16 cards. {} In the end it was a batch of 512 on 64 cards. "
        "A step takes two seconds there."
    )
    assert sums(account.format("It ran for 90,000 steps in nine hours.")) == []
    assert sums(account.format("It ran for 90,000 steps at two seconds, six hours in all.")) != []


def test_the_turns_on_one_question_are_one_account() -> None:
    told = (
        "The old set-up had a batch of 128 on 16 cards.",
        "The new set-up has a batch of 512 on 64 cards.",
        "It ran for 90,000 steps.",
        "The whole run took nine hours.",
        "A step takes two seconds there.",
    )
    question = Turn(1, "examiner", TurnKind.QUESTION, "Tell me about it.")
    answers = [Turn(n, "candidate", TurnKind.ANSWER, text) for n, text in enumerate(told, start=2)]
    assert ledger([question, *answers]).contradictions == ()
    assert ledger([question, *answers[2:]]).contradictions != ()


def test_a_number_said_as_the_sum_asks_for_it_is_the_run_s() -> None:
    spoken = "We rented 64 H100s for ten days at two dollars an hour{}. I was paid $4,100 for it."
    assert sums(spoken.format("")) == [("device time", "cost")]
    assert sums(spoken.format(", so that was $30,700")) == []


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("Thirty H100s at two dollars an hour, which was $1,440 a day.", Measure.COST),
        ("The storage is $260 per month.", Measure.COST),
        ("We paid $19 an hour for the whole node.", Measure.PRICE),
        ("The node was at $19 an hour.", Measure.PRICE),
        ("Each took ten hours on 8 A100s, and all nine runs 720 GPU-hours.", Measure.DEVICE_TIME),
        ("One is six hours on 16 cards, so all of them $1,400.", Measure.COST),
        ("It was 700 GPU-hours for both.", Measure.DEVICE_TIME),
        ("On 500 held-out examples it was right.", Measure.EXAMPLES),
        ("The filter did 9,000 tokens a second per core.", Measure.THROUGHPUT),
        ("We set aside 90M tokens.", Measure.TOKENS),
        ("That is the price of 200 GPU-hours.", Measure.DEVICE_TIME),
    ],
)
def test_numbers_of_a_day_a_node_a_test_set_or_all_runs_are_none_of_the_run(
    text: str, measure: Measure
) -> None:
    assert read(text, measure) == []


@pytest.mark.parametrize(
    ("text", "measure", "value"),
    [
        ("We paid $19 an hour for 8 H100s.", Measure.PRICE, 19 / 3600),
        ("The whole run cost $1,440.", Measure.COST, 1440),
        ("All 64 cards were busy and it took 700 GPU-hours.", Measure.DEVICE_TIME, 700 * 3600),
    ],
)
def test_numbers_of_the_run_stay(text: str, measure: Measure, value: float) -> None:
    assert read(text, measure) == [pytest.approx(value)]


def test_a_phase_of_a_step_is_no_step() -> None:
    text = "The rollouts take 80 seconds. The policy update is then 30 seconds."
    assert read(text, Measure.STEP_TIME) == []
    assert read("One step is 30 seconds.", Measure.STEP_TIME) == [30.0]


def test_a_count_of_tokens_without_a_step_is_no_batch() -> None:
    text = "It ran for 600 steps. About 3.5M tokens through the model, at 900 tokens a second."
    assert read(text, Measure.BATCH_TOKENS) == []


def test_parts_of_the_text_are_no_model_sizes() -> None:
    text = "Our 7B saw 50B tokens of code. Two epochs of it, 100B, and 25B of prose, 125B together."
    assert read(text, Measure.PARAMETERS) == [7e9]
    assert read(
        "We had 300B tokens. The teacher was a 70B, the 7B its student.", Measure.PARAMETERS
    ) == [
        70e9,
        7e9,
    ]


def test_parameters_of_adapters_are_those_trained() -> None:
    text = "LoRA with rank 16 on the attention of a 13B model comes to 26 million parameters."
    assert read(text, Measure.TRAINABLE_PARAMETERS) == [26e6]
    assert read(text, Measure.PARAMETERS) == [13e9]


@pytest.mark.parametrize(
    "text",
    [
        "Ours has 2.1M tokens a second. The group downstairs had 64 H100s and an MFU of 70%.",
        "Sales quoted an MFU of 70% for it.",
        "Somebody else in our building trained with 64 H100s.",
    ],
)
def test_figures_of_others_are_not_claims(text: str) -> None:
    assert read(text, Measure.MFU) == read(text, Measure.GPUS) == []


@pytest.mark.parametrize(
    "text",
    [
        "Before: 8 stages, 24 micro-batches, a bubble of 23%. Now: 2 chunks a stage.",
        "It had 8 stages and 24 micro-batches, a bubble of 23%. The new one has 2 chunks a stage.",
        "It had 8 stages and 24 micro-batches, a bubble of 23%. We then moved to 2 chunks a stage.",
    ],
)
def test_a_changed_set_up_is_another_run(text: str) -> None:
    assert sums(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Refusals went from 20 to 31 of 500, so four percent to 6.2.",
        "Each block's share times sixteen is 16 × 120 = 1.92B.",
        "It is 4 × 16 × 1,024 = 65.5k tokens.",
        "The vocabulary went from 40k to 52k, so 12k more rows.",
    ],
)
def test_numbers_of_one_sentence_are_tied_as_it_ties_them(text: str) -> None:
    assert sums(text) == []


def test_a_measure_with_two_values_hides_no_other_sum() -> None:
    text = (
        "All weights of a 30B were trained with AdamW in mixed precision and fp32 moments. I did "
        "it on a single H100-80, with no offload and no sharding; it sat at 71 GB."
    )
    assert sums(text) != []
