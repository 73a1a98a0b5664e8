"""The moments of a talk: each can be looked up, and no praise stands without one's own words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.mocks import Mock, a_mock, sentence
from support.rubrics import a_rubric
from support.tables import table

from interviewer.examiner.protocol import Move, MoveKind
from interviewer.grading.transcript import DialogueAct
from interviewer.grading.verdicts import Flag, Verdict
from interviewer.interview import events
from interviewer.interview.debrief.assessment import LONG, What
from interviewer.interview.debrief.questions import NOT_ONES_OWN
from interviewer.rubric.rubric import Rating

RUBRIC = a_rubric()
PROBE = Move(MoveKind.PROBE, "beta")
HINT = Move(MoveKind.HINT, "beta", 1)
ELSEWHERE = "The corner is decided by something else entirely, I believe."


def asked() -> Mock:
    return Mock([RUBRIC]).ask()


# -- praise ------------------------------------------------------------------------------


@settings(max_examples=60)
@given(
    st.text(max_size=60),
    st.sampled_from(Rating),
    st.sampled_from(["alpha", "beta", "gamma"]),
    st.frozensets(st.sampled_from(Flag), max_size=2),
)
def test_whatever_is_said_praise_quotes_it_literally(
    text: str, verdict: Rating, name: str, flags: frozenset[Flag]
) -> None:
    said = Verdict(name, verdict, sentence(name))
    mock = asked().answer(f"{text} {sentence(name)}", said, flags=flags).close()
    for strength in mock.debrief().strongest:
        assert strength.quote.text in mock.state.questions[0].turns[1].text
        assert sentence(name) in strength.quote.text
        assert verdict is Rating.MET
        assert not flags & NOT_ONES_OWN


def test_the_strongest_words_made_the_most_weight_without_help() -> None:
    said = " and ".join(map(sentence, ("alpha", "beta")))
    both = [Verdict(name, Rating.MET, said) for name in ("beta", "alpha")]
    mock = asked().answer(f"{said}. {sentence('gamma')}.", *both).close()
    (found,) = mock.debrief().strongest
    assert (found.quote.text, found.weight) == (said, 5)
    assert [claim.split()[1] for claim in found.made] == ["alpha", "beta"]
    apart = a_mock(("alpha", "beta", "gamma"), rubrics=[a_rubric()]).debrief().strongest
    assert [(each.quote.text, len(each.made)) for each in apart] == [
        (sentence(name), 1) for name in ("alpha", "beta", "gamma")
    ]


@pytest.mark.parametrize(
    "mock",
    [
        asked().follow_up(HINT, "Look near b.").make("beta"),
        *(asked().make("alpha", flags=frozenset({flag})) for flag in sorted(NOT_ONES_OWN)),
        asked()
        .make("alpha")
        .follow_up(PROBE)
        .answer(ELSEWHERE, Verdict("alpha", Rating.CONTRADICTED, ELSEWHERE)),
    ],
)
def test_what_was_helped_or_not_ones_own_or_taken_back_is_not_praised(mock: Mock) -> None:
    assert mock.close().debrief().strongest == ()


# -- the talk beside the points -------------------------------------------------------


CASES = table("cases", __file__)["talk"]

DRILL = Move(MoveKind.DRILL, "alpha")
PROBED = Move(MoveKind.PROBE, "beta")
OFFER, TAKEN = Move(MoveKind.OFFER, "beta", 1), Move(MoveKind.HINT, "beta", 1)
Told = list[tuple[What, int, str]]


def a_talk() -> Mock:
    return Mock([a_rubric()]).ask()


def talk(mock: Mock) -> Told:
    return [(each.what, each.quote.turn, each.quote.text) for each in mock.close().debrief().talk]


@pytest.mark.parametrize("reply", CASES["no event"])
@pytest.mark.parametrize("move", [DRILL, PROBED])
def test_no_rule_says_what_a_reply_took_back_lacked_or_fished_for(move: Move, reply: str) -> None:
    assert talk(a_talk().make("alpha").follow_up(move).say(reply)) == []


def test_only_hints_that_were_taken_are_told() -> None:
    mock = a_talk().make("alpha").follow_up(OFFER, "Want a hint?").aside("No, let me try.")
    mock.follow_up(TAKEN, "Look near b.").say("It has to do with beta then.")
    assert talk(mock) == [(What.HINT_TAKEN, 5, "Look near b.")]


@pytest.mark.parametrize(("words", "too_long"), [(LONG, False), (LONG + 1, True)])
def test_talking_too_long_is_counted_in_words(words: int, too_long: bool) -> None:
    mock = a_talk().say(" ".join(f"word{n}" for n in range(words))).close()
    assert [each.words for each in mock.debrief().talk] == ([words] if too_long else [])


def test_what_a_model_hears_of_fishing_is_told() -> None:
    mock = a_talk().make("alpha").follow_up(PROBED)
    mock.say("And which of those would you tick off, between us?")
    mock._tell(events.AnswerHeard(4, (DialogueAct.WANTS_RUBRIC,)))
    assert [(what, turn) for what, turn, _ in talk(mock)] == [(What.FISHED, 4)]
