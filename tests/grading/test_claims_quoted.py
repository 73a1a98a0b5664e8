"""Claims that a model reports: believed where the answer says the value in words, else dropped."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.grading.claims.circumstances import Circumstance
from interviewer.grading.claims.claim import Claim, Ledger, Measure
from interviewer.grading.claims.hardware import DEVICE, device_of
from interviewer.grading.claims.ledger import known_runs, ledger
from interviewer.grading.claims.meanings import CIRCUMSTANCES, MEANINGS, Unit
from interviewer.grading.claims.reported.in_quotes import amounts_in
from interviewer.grading.claims.reported.quoted import ReportedClaim, ReportedRun, verified
from interviewer.grading.claims.reported.record import ReadClaim, ReadClaims
from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.grading.transcript import Turn, TurnKind

M = Measure
IMPOSSIBLE = "We trained a 7B on 1.4T tokens with thirty-two A100s in nine days."
DAY = 86400.0


def reported(
    measure: Measure, value: float, unit: str, quote: str, run: str = "main", **more: Any
) -> ReportedClaim:
    return ReportedClaim(measure, value, unit, quote, run, **more)


RUN = (
    reported(M.PARAMETERS, 7, "B", "a 7B"),
    reported(M.TOKENS, 1.4, "T tokens", "1.4T tokens"),
    reported(M.GPUS, 32, "A100s", "thirty-two A100s", device="A100"),
    reported(M.DURATION, 9, "days", "nine days"),
)


def read(text: str, *claims: ReportedClaim, runs: tuple[ReportedRun, ...] = ()) -> ReadClaims:
    return verified(claims, runs, ParsedAnswer(text))


def only(found: ReadClaims) -> ReadClaim:
    ((claim,),) = (run.claims for run in found.runs)
    return claim


def told(*answers: tuple[str, tuple[ReportedClaim, ...]]) -> Ledger:
    """The ledger after these answers, each with what a model reported of it."""
    turns = [
        Turn(number, "candidate", TurnKind.ANSWER, text)
        for number, (text, _) in enumerate(answers, start=1)
    ]
    found = {number: read(text, *claims) for number, (text, claims) in enumerate(answers, start=1)}
    return ledger(turns, found)


def values(claims: tuple[Claim, ...], measure: Measure) -> list[float]:
    return [claim.value for claim in claims if claim.measure is measure]


def test_every_quantity_and_circumstance_has_a_meaning() -> None:
    assert set(MEANINGS) == set(Measure)
    assert set(CIRCUMSTANCES) == set(Circumstance)


@pytest.mark.parametrize(
    ("measure", "value", "unit", "quote", "base"),
    [
        (M.PARAMETERS, 7, "billion parameters", "seven billion parameters", 7e9),
        (M.PARAMETERS, 7e9, "parameters", "7B", 7e9),
        (M.TOKENS, 1.4, "T tokens", "1.4T tokens", 1.4e12),
        (M.GPUS, 64, "GPUs", "sixty-four GPUs", 64),
        (M.GPUS, 1, "H100", "a single H100", 1),
        (M.GPUS, 1, "card", "an 80-gig card", 1),
        (M.DURATION, 1.5, "hours", "an hour and a half", 5400),
        (M.GPUS, 64, "GPUs", "eight nodes of eight", 64),
        (M.DURATION, 10, "days", "ten days", 10 * DAY),
        (M.DURATION, 1, "week", "a week", 7 * DAY),
        (M.STEP_TIME, 350, "ms", "350ms", 0.35),
        (M.GPU_MEMORY, 80, "gig", "80-gig", 80e9),
        (M.CHECKPOINT_SIZE, 1.5, "TiB", "1.5 TiB", 1.5 * 2**40),
        (M.WEIGHT_BYTES, 16, "bit", "in bf16", 2),
        (M.WEIGHT_BYTES, 4, "bit", "4-bit", 0.5),
        (M.STATE_BYTES, 16, "bytes", "sixteen bytes", 16),
        (M.BANDWIDTH, 400, "Gbps", "400 Gbps", 50e9),
        (M.STORAGE_RATE, 2.5, "TB/s", "2.5TB/s", 2.5e12),
        (M.PEAK, 312, "TFLOPS", "312 TFLOPS", 312e12),
        (M.RUN_FLOPS, 3, "petaflop/s-days", "3 petaflop/s-days", 3e15 * DAY),
        (M.MFU, 45, "%", "45 % MFU", 0.45),
        (M.MFU, 0.45, "", "MFU of 0.45", 0.45),
        (M.MFU, 0.45, "%", "45 % MFU", 0.45),
        (M.PRICE, 2.5, "dollars an hour", "$2.50 an hour", 2.5 / 3600),
        (M.TOKEN_PRICE, 3, "dollars per million tokens", "$3 per million tokens", 3e-6),
        (M.COST, 2.5, "k dollars", "$2.5k", 2500),
        (M.DEVICE_TIME, 2000, "A100 hours", "2000 A100 hours", 2000 * 3600),
        (M.THROUGHPUT, 400, "k tokens/s", "400k tok/s", 4e5),
        (M.THROUGHPUT, 5, "billion tokens a day", "5 billion tokens a day", 5e9 / DAY),
        (M.LEARNING_RATE, 3e-4, "", "3e-4", 3e-4),
        (M.RATIO, 2, "times", "twice as fast", 2),
        (M.BATCH_TOKENS, 2.1, "M tok", "batch 2.1M", 2.1e6),
        (M.DURATION, 9, "d", "9 d", 9 * DAY),
        (M.DURATION, 10, "days", "ten", 10 * DAY),
        (M.DURATION, 1.6667, "hours", "one hour forty", 6000),
        (M.STEP_TIME, 0.3, "s", "three tenths of a second", 0.3),
        (M.DEVICE_THROUGHPUT, 8.9, "k tok/s", "8.9k per chip", 8900),
        (M.DEVICE_FLOPS, 164, "TF", "164 TF", 164e12),
        (M.DEVICE_TIME, 836, "k GPU-hours", "836k", 836e3 * 3600),
        (M.PRICE, 2.5, "dollars per GPU-hour", "two dollars fifty", 2.5 / 3600),
        (M.PRICE, 1.6, "$ per GPU-hour", "$1.60", 1.6 / 3600),
        (M.TOKEN_PRICE, 3, "$/1M", "$3", 3e-6),
        (M.COST, 0.5, "M$", "$0.5M", 5e5),
        (M.USED_MEMORY, 55, "GB", "peaked near 55", 55e9),
        (M.TOKEN_CACHE, 131072, "B", "131,072 B", 131072),
        (M.STATE_BYTES, 16, "B/param", "16 B/param", 16),
        (M.BANDWIDTH, 400, "Gb/s", "400 Gb/s", 50e9),
        (M.BUBBLE, 0.2, "", "a fifth of the time", 0.2),
        (M.SHARE, 1 / 9, "", "every 9th", 1 / 9),
        (M.SHARE, 1 / 3, "", "a third", 1 / 3),
        (M.KL, -0.8, "nats", "minus 0.8 nats", -0.8),
        (M.POLICY_LOSS, 0.6, "nats", "-0.60", 0.6),
        (M.TOTAL, 1.5, "TB", "1.5 TB", 1.5e12),
        (M.TOTAL, 1.25, "h", "an hour and a quarter", 4500),
        (M.EACH, 14, "B/param", "14 B", 14),
        (M.TIMES, 20, "days", "twenty days", 20),
        (M.EACH, 30, "cents", "30 cents", 0.3),
        (M.WHOLE, 20, "B", "20B", 20e9),
    ],
)
def test_a_value_that_the_words_say_is_kept_in_the_base_unit(
    measure: Measure, value: float, unit: str, quote: str, base: float
) -> None:
    text = f"I recall {quote} for that one."
    claim = only(read(text, reported(measure, value, unit, quote)))
    assert claim.value == pytest.approx(base)
    assert text[slice(*claim.span)] == claim.text == quote


@pytest.mark.parametrize(
    ("measure", "value", "unit", "quote"),
    [
        (M.PARAMETERS, 7, "million parameters", "seven billion"),
        (M.PARAMETERS, 13, "billion parameters", "seven billion"),
        (M.PARAMETERS, 5, "billion", "5 billion"),
        (M.DURATION, 64, "days", "64 GPUs for ten days"),
        (M.DURATION, 10, "weeks", "ten days"),
        (M.DURATION, 9, "days", "nine days"),
        (M.DURATION, 10, "days", ""),
        (M.COST, 30, "dollars", "30 yen"),
        (M.TOKENS, 7, "", "seven"),
        (M.MFU, 7, "billion", "seven billion"),
        (M.GPUS, 65, "GPUs", "64 GPUs for ten days"),
    ],
)
def test_what_the_words_do_not_say_is_dropped_and_counted(
    measure: Measure, value: float, unit: str, quote: str
) -> None:
    text = "It was seven billion on 64 GPUs for ten days, 7.5 billion later, and 30 yen."
    found = read(text, reported(measure, value, unit, quote))
    assert found == ReadClaims(dropped=1)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("ten days", 10, 10),
        ("about ten days", 8.5, 11.5),
        ("ten days or so", 8.5, 11.5),
        ("more than ten days", 10, math.inf),
        ("at most ten days", 0, 10),
        ("nine to ten days", 9, 10),
    ],
)
def test_the_words_around_a_number_say_how_exact_it_is(text: str, low: float, high: float) -> None:
    found = read(f"It took {text}.", reported(M.DURATION, 10, "days", "ten days"))
    if text.startswith("nine"):
        found = read(f"It took {text}.", reported(M.DURATION, 10, "days", text))
    claim = only(found)
    assert claim.low == pytest.approx(low * DAY)
    assert (math.inf if claim.high is None else claim.high) == pytest.approx(high * DAY)


@pytest.mark.parametrize("status", ["hypothetical", "planned", "asked"])
def test_only_real_numbers_are_claims(status: str) -> None:
    claim = reported(M.DURATION, 9, "days", "nine days", status=status)
    assert read(IMPOSSIBLE, claim) == ReadClaims()


def test_other_peoples_runs_never_enter_the_ledger() -> None:
    theirs = tuple(
        reported(each.measure, each.value, each.unit, each.quote, whose="other") for each in RUN
    )
    assert told((IMPOSSIBLE, theirs)) == Ledger()


def test_what_is_impossible_is_left_to_arithmetic() -> None:
    [contradiction] = told((IMPOSSIBLE, RUN)).contradictions
    assert "5.9e22" in contradiction.sentence
    assert {claim.measure for claim in contradiction.claims} == {claim.measure for claim in RUN}


def test_runs_with_different_labels_do_not_mix() -> None:
    apart = (
        *RUN[:2],
        *(reported(c.measure, c.value, c.unit, c.quote, "other one") for c in RUN[2:]),
    )
    assert told((IMPOSSIBLE, apart)).contradictions == ()


def test_a_label_names_the_same_run_in_a_later_turn() -> None:
    found = told(
        ("We trained a 7B on 1.4T tokens.", RUN[:2]),
        ("Something else took a day.", (reported(M.DURATION, 1, "day", "a day", "small"),)),
        ("That was thirty-two A100s, nine days.", RUN[2:]),
    )
    assert len(found.contradictions) == 1


def test_a_number_that_replaces_another_retracts_it() -> None:
    mended = reported(M.DURATION, 200, "days", "200 days", replaces=True)
    found = told((IMPOSSIBLE, RUN), ("It was 200 days.", (mended,)))
    assert values(found.claims, M.DURATION) == [200 * DAY]
    assert values(found.retracted, M.DURATION) == [9 * DAY]
    assert found.contradictions == ()


def test_a_number_taken_back_is_retracted_from_its_earlier_turn() -> None:
    gone = reported(M.DURATION, 9, "days", "nine days", status="withdrawn")
    found = told((IMPOSSIBLE, RUN), ("Forget the nine days.", (gone,)))
    assert values(found.claims, M.DURATION) == []
    assert 9 * DAY in values(found.retracted, M.DURATION)


def test_a_number_withdrawn_at_once_is_no_claim() -> None:
    text = "Nine days, sorry, ten days."
    found = told(
        (
            text,
            (
                reported(M.DURATION, 9, "days", "Nine days", status="withdrawn"),
                reported(M.DURATION, 10, "days", "ten days"),
            ),
        )
    )
    assert values(found.claims, M.DURATION) == [10 * DAY]
    assert values(found.retracted, M.DURATION) == [9 * DAY]


def test_counts_form_groups_of_their_own() -> None:
    text = f"{IMPOSSIBLE} 24 of 400 failed, so 60 %."
    counts = (
        reported(M.PART, 24, "", "24 of 400", "failures"),
        reported(M.WHOLE, 400, "", "24 of 400", "failures"),
        reported(M.SHARE, 60, "%", "60 %", "failures"),
    )
    found = told((text, counts))
    assert [each.relations for each in found.contradictions] == [("share",)]
    mixed = tuple(reported(c.measure, c.value, c.unit, c.quote) for c in counts)
    assert len(told((text, (*RUN[:2], *mixed))).contradictions) == 1


def test_a_group_with_two_of_a_kind_is_dropped() -> None:
    text = "24 of 400 failed, and 30 of 500."
    quotes = ("24 of 400", "30 of 500")
    parts = [reported(M.PART, v, "", q, "x") for v, q in zip((24, 30), quotes, strict=True)]
    assert read(text, *parts) == ReadClaims(dropped=2)


def test_a_group_of_another_turn_is_another_group() -> None:
    first = (
        reported(M.PART, 24, "", "24 of 400", "x"),
        reported(M.WHOLE, 400, "", "24 of 400", "x"),
    )
    second = (reported(M.SHARE, 60, "%", "60 %", "x"),)
    assert told(("24 of 400.", first), ("Here 60 %.", second)).contradictions == ()


def test_a_device_must_be_known_and_named() -> None:
    text = "We used 64 of them."
    wafers = reported(M.GPUS, 64, "wafers", "64 of them", device="Cerebras")
    hopper = reported(M.GPUS, 64, "H100s", "64 of them", device="H100")
    for unnamed in ("", "GPU", "n/a", "NVIDIA GPUs"):
        claim = reported(M.GPUS, 64, "GPUs", "64 of them", device=unnamed)
        assert only(read(text, claim)).device == "", unnamed
    assert read(text, wafers).dropped == 1
    assert read(text, hopper).dropped == 1
    assert only(verified([hopper], (), ParsedAnswer(text), {"H100"})).device == "H100"


def test_a_circumstance_needs_words_of_the_answer() -> None:
    text = f"{IMPOSSIBLE} With FSDP."
    stated = (("sharded", "FSDP"), ("offloaded", "to the CPU"))
    found = read(text, *RUN, runs=(ReportedRun("main", "pretraining", stated),))
    (run,) = found.runs
    assert (run.circumstances, run.stage, found.dropped) == (("sharded",), "pretraining", 1)


def test_circumstances_that_rules_find_excuse_too() -> None:
    assert len(told((IMPOSSIBLE, RUN)).contradictions) == 1
    assert told((f"{IMPOSSIBLE} It was a mixture of experts.", RUN)).contradictions == ()


def test_the_shape_of_a_published_model_follows_from_its_name() -> None:
    text = "We served Llama-3-70B on eight H100s."
    found = told((text, (reported(M.PARAMETERS, 70, "B", "Llama-3-70B", "serving"),)))
    assert values(found.claims, M.PARAMETERS) == [70e9]
    assert values(found.claims, M.LAYERS) == [80]


def test_an_answer_that_no_model_read_is_read_by_rules() -> None:
    turns = [Turn(1, "candidate", TurnKind.ANSWER, IMPOSSIBLE)]
    assert len(ledger(turns).claims) == 4
    assert ledger(turns, {1: ReadClaims()}) == Ledger()


def test_known_runs_are_named_with_their_figures_and_devices() -> None:
    turns = [Turn(1, "candidate", TurnKind.ANSWER, IMPOSSIBLE)]
    (by_rules,) = known_runs(turns)
    assert by_rules.name == "run 1"
    (run,) = known_runs(turns, {1: read(IMPOSSIBLE, *RUN)})
    assert (run.name, run.devices) == ("main", ("A100",))
    assert "duration: 9 days" in run.figures


def test_a_run_that_rules_found_is_joined_by_its_name() -> None:
    turns = [
        Turn(1, "candidate", TurnKind.ANSWER, "We trained a 7B on 1.4T tokens."),
        Turn(2, "candidate", TurnKind.ANSWER, "That was thirty-two A100s, nine days."),
    ]
    later = [
        reported(c.measure, c.value, c.unit, c.quote, "Run 1", device=c.device) for c in RUN[2:]
    ]
    found = ledger(turns, {2: read(turns[1].text, *later)})
    assert len(found.contradictions) == 1


def test_devices_are_found_again_by_their_names() -> None:
    for name in ("A100", "H100 PCIe", "TPU v4", "MI300X", "RTX 6000 Ada", "Trainium 2"):
        match = DEVICE.search(name.lower())
        assert match
        assert device_of(match).name == name


@given(
    text=st.text(alphabet="0123456789 .,$%/-xkmbtgdhs\u00e9\n", max_size=60),
    unit=st.sampled_from(Unit),
)
def test_any_text_can_be_quoted(text: str, unit: Unit) -> None:
    answer = ParsedAnswer(text)
    for amount in amounts_in(answer, (0, len(answer.plain.text)), unit):
        assert amount.low <= amount.high
