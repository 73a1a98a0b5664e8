"""The claims of a session: corrections, runs that are told apart, order."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from interviewer.grading.claims.claim import Measure
from interviewer.grading.claims.ledger import ledger
from interviewer.grading.transcript import Turn, TurnKind

IMPOSSIBLE = "We trained a 70B on 2T tokens with 64 A100s in two weeks."


def session(*said: tuple[str, str] | str) -> list[Turn]:
    """Turns in order; a plain text is the candidate's, a pair is the examiner's kind and words."""
    return list(_turns(said))


def _turns(said: tuple[tuple[str, str] | str, ...]) -> Iterator[Turn]:
    for number, words in enumerate(said, start=1):
        if isinstance(words, str):
            yield Turn(number, "candidate", TurnKind.ANSWER, words)
        else:
            kind, text = words
            target = "a-criterion" if kind == "probe" else None
            yield Turn(number, "examiner", TurnKind(kind), text, target)


def challenge(*said: tuple[str, str] | str) -> tuple[str, str]:
    """The examiner's turn that cites the first sum of what was said."""
    return "challenge", ledger(session(*said)).contradictions[0].sentence


def values(turns: list[Turn], measure: Measure) -> list[float]:
    return [claim.value for claim in ledger(turns).claims if claim.measure is measure]


def test_claims_of_one_turn_stand_with_their_contradiction() -> None:
    found = ledger(session(("question", "Tell me about a run."), IMPOSSIBLE))
    assert [claim.text for claim in found.claims] == ["70B", "2T tokens", "64 A100s", "two weeks"]
    assert {claim.turn for claim in found.claims} == {2}
    [contradiction] = found.contradictions
    assert "FLOPs of a run" in contradiction.relations
    assert found.retracted == ()


def test_the_examiner_claims_nothing() -> None:
    assert ledger(session(("question", IMPOSSIBLE), ("probe", IMPOSSIBLE))).claims == ()


def test_numbers_of_one_question_meet_over_its_turns() -> None:
    turns = session(
        ("question", "Which run?"),
        "We pretrained a 70B on two trillion tokens.",
        ("probe", "On what?"),
        "On 64 A100s, and it took two weeks.",
    )
    [contradiction] = ledger(turns).contradictions
    assert {claim.turn for claim in contradiction.claims} == {2, 4}


def test_numbers_of_another_round_meet_where_the_same_model_is_named() -> None:
    first = "We pretrained a 70B on two trillion tokens."
    same = session(
        ("question", "Which run?"),
        first,
        ("question", "The cluster?"),
        "The 70B ran on 64 A100s for two weeks, which we rented.",
    )
    other = session(
        ("question", "Which run?"),
        first,
        ("question", "The cluster?"),
        "The 7B ran on 64 A100s for two weeks, which we rented.",
    )
    [contradiction] = ledger(same).contradictions
    assert "FLOPs of a run" in contradiction.relations
    assert ledger(other).contradictions == ()


def test_what_was_said_in_general_meets_no_run_of_another_question() -> None:
    turns = session(
        ("question", "What is a batch?"),
        "With four million tokens a step, 500k steps make two trillion tokens.",
        ("question", "Tell me about a run of yours."),
        "We trained a 7B on eight A100s and it took three days.",
    )
    assert ledger(turns).contradictions == ()


def test_another_stage_is_another_run() -> None:
    turns = session(
        ("question", "Which run?"),
        "We pretrained a 7B on 1T tokens with 256 A100s in two weeks.",
        ("probe", "And then?"),
        "The SFT took us three hours on eight A100s.",
    )
    assert ledger(turns).contradictions == ()


def test_two_runs_of_one_text_are_not_mixed() -> None:
    text = (
        "First run: 10k steps at two seconds, under six hours. "
        "Second run was eight thousand steps at thirty seconds and also finished within six hours."
    )
    [contradiction] = ledger(session(text)).contradictions
    assert "time of all steps" in contradiction.relations
    assert [claim.value for claim in contradiction.claims] == [8000, 30, 21600]


def test_a_correction_replaces_the_old_number() -> None:
    turns = session(
        ("question", "Which run?"), IMPOSSIBLE, ("probe", "Sure?"), "Sorry, I meant 4,096 A100s."
    )
    found = ledger(turns)
    assert values(turns, Measure.GPUS) == [4096]
    assert [claim.text for claim in found.retracted] == ["64 A100s"]
    assert found.contradictions == ()


def test_an_answer_to_a_sum_corrects_without_words_of_correction() -> None:
    asked = (("question", "Which run?"), IMPOSSIBLE)
    turns = session(*asked, challenge(*asked), "It was 2,048 A100s.")
    found = ledger(turns)
    assert [claim.value for claim in found.retracted] == [64]
    assert found.contradictions == ()


def test_a_different_number_without_cause_is_another_run() -> None:
    turns = session(
        ("question", "Which run?"), IMPOSSIBLE, ("probe", "More?"), "We had 2,048 A100s."
    )
    found = ledger(turns)
    assert found.retracted == ()
    assert len(found.contradictions) == 1


def test_a_number_taken_back_after_a_sum_is_retracted() -> None:
    asked = (("question", "Which run?"), IMPOSSIBLE)
    turns = session(*asked, challenge(*asked), "I take that back, I don't remember the GPUs.")
    found = ledger(turns)
    assert [claim.measure for claim in found.retracted] == [Measure.GPUS]
    assert found.contradictions == ()


def test_taking_all_back_retracts_all_of_the_sum() -> None:
    asked = (("question", "Which run?"), IMPOSSIBLE)
    found = ledger(session(*asked, challenge(*asked), "I take that back."))
    assert found.claims == ()
    assert len(found.retracted) == 4


def test_not_remembering_takes_nothing_back_where_no_sum_was_cited() -> None:
    turns = session(
        ("question", "Which run?"), IMPOSSIBLE, ("probe", "And the rate?"), "I don't remember."
    )
    assert len(ledger(turns).contradictions) == 1


def test_an_answer_to_a_sum_corrects_the_run_that_it_was_about() -> None:
    asked = (
        ("question", "Which runs?"),
        IMPOSSIBLE,
        ("probe", "And the other one?"),
        "Another run was a 1B on 20B tokens with 8 A100s in two days.",
    )
    found = ledger(session(*asked, challenge(*asked), "Sorry, 2,048 A100s."))
    assert [claim.value for claim in found.retracted] == [64]
    assert found.contradictions == ()


def test_a_slip_of_the_tongue_is_kept_as_retracted() -> None:
    found = ledger(session("We had 512, no, sorry, 1,024 A100s."))
    assert [claim.value for claim in found.claims] == [1024]
    assert [claim.value for claim in found.retracted] == [512]


def test_the_sentence_stays_while_its_numbers_do() -> None:
    asked = (("question", "Which run?"), IMPOSSIBLE)
    before = ledger(session(*asked)).contradictions
    after = ledger(session(*asked, ("probe", "Why?"), "Because of the learning rate of 3e-4."))
    assert after.contradictions == before


SAID = st.lists(
    st.sampled_from(
        [
            *("we trained a 7B", "the 70B", "on 2T tokens", "with 64 A100s", "in two weeks", "."),
            *(
                ", no, sorry, 512",
                "64 A100s. Sorry, 640",
                "batch of 512",
                "4k context",
                "50k steps",
            ),
            *("at 2 seconds a step", "actually", "first run:", "second run:", "SFT", "Adam", "DDP"),
            *("9k tokens/s per GPU", "MFU was 40%", "three epochs", "our corpus is 50B tokens"),
        ]
    ),
    max_size=15,
).map(" ".join)


@given(st.lists(SAID, min_size=1, max_size=4))
def test_every_contradiction_is_of_claims_that_stand(said: list[str]) -> None:
    found = ledger(session(*said))
    standing = set(found.claims)
    assert len(standing) == len(found.claims)
    assert standing.isdisjoint(found.retracted)
    for contradiction in found.contradictions:
        assert standing.issuperset(contradiction.claims)
    assert len(set(found.contradictions)) == len(found.contradictions)


@given(st.lists(st.tuples(st.sampled_from(list(TurnKind)), st.booleans(), st.text()), max_size=6))
def test_any_session_is_read_the_same_each_time(said: list[tuple[TurnKind, bool, str]]) -> None:
    turns = [
        Turn(number, "candidate" if is_candidate else "examiner", kind, text)
        for number, (kind, is_candidate, text) in enumerate(said, start=1)
    ]
    assert ledger(turns) == ledger(turns)
