"""Listening: what a turn did, and what could be said next; what cannot be used is dropped."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter
from support.fake_endpoint import FakeEndpoint, context_of, heard, said
from support.rubrics import a_rubric
from support.tables import table

from interviewer.examiner.llm.conversation import read_heard
from interviewer.examiner.protocol import Heard, Move, MoveKind, Proposal
from interviewer.grading.claims.quantity import Reading
from interviewer.grading.transcript import DialogueAct, Turn, TurnKind

CASES = table("cases", __file__)["llm_listen"]

RUBRIC = a_rubric()
"""Its criteria alpha, beta and gamma are the topics t1, t2 and t3."""
WORDS = "Eight cards, noted. What batch size did you actually set?"
SAID = context_of().turns[-1]
UNSTATED = Reading(SAID.number, by="model")
"""No number is in it."""
NOTHING = Heard(frozenset(), reading=UNSTATED)
UNHEARD = "The reply of tiny could not be used, so what is asked next is up to the rubric."


def proposals(*say: tuple[str, str, str]) -> tuple[Proposal, ...]:
    return read_heard(heard("answer", say=say), RUBRIC, SAID).value.proposals


async def test_one_call_brings_the_acts_and_what_to_say(server: FakeEndpoint) -> None:
    say = [("drill", "t1", WORDS), ("probe", "t2", "And what happens to memory there?")]
    server.will(said(heard("answer", "question_back", say=say)))
    examiner = server.examiner()
    assert await examiner.listen(context_of()) == Heard(
        frozenset({DialogueAct.ANSWER, DialogueAct.QUESTION_BACK}),
        (
            Proposal(WORDS, Move(MoveKind.DRILL, "alpha")),
            Proposal("And what happens to memory there?", Move(MoveKind.PROBE, "beta")),
        ),
        UNSTATED,
    )
    (call,) = examiner.drain_calls()
    assert (call.stage, call.outcome) == ("listen", "ok")
    assert call.prompt_version.startswith("listen-")


@pytest.mark.parametrize(("move", "topic", "made"), CASES["moves"])
def test_each_move_can_be_proposed(move: str, topic: str, made: dict[str, str]) -> None:
    expected = TypeAdapter(Move).validate_python(made)
    assert proposals((move, topic, WORDS)) == (Proposal(WORDS, expected),)


@pytest.mark.parametrize("say", CASES["dropped"])
def test_a_proposal_that_cannot_be_used_is_dropped_alone(say: tuple[str, str, str]) -> None:
    good = ("drill", "t2", WORDS)
    assert proposals(say, good) == (Proposal(WORDS, Move(MoveKind.DRILL, "beta")),)


def test_three_proposals_are_enough_and_none_comes_twice() -> None:
    say = [("drill", f"t{n}", WORDS) for n in (1, 1, 2, 3)]
    say.append(("probe", "t1", WORDS))
    assert [each.move for each in proposals(*say)] == [
        Move(MoveKind.DRILL, "alpha"),
        Move(MoveKind.DRILL, "beta"),
        Move(MoveKind.DRILL, "gamma"),
    ]


def test_words_come_on_one_line_without_control_characters() -> None:
    (only,) = proposals(("drill", "t1", " Noted.\n\nWhat\x1b[31m\x00 did\tyou set? "))
    assert only.text == "Noted. What [31m did you set?"


@pytest.mark.parametrize("reply", CASES["unusable"])
async def test_a_reply_of_no_use_says_so_and_is_left(server: FakeEndpoint, reply: str) -> None:
    server.will(said(reply))
    examiner = server.examiner()
    assert await examiner.listen(context_of()) == replace(NOTHING, unusable=UNHEARD)
    assert [call.outcome for call in examiner.drain_calls()] == ["unparsable" if reply else "empty"]


@pytest.mark.parametrize(
    ("gives", "kept"),
    [("learning_rate", "learning_rate"), ("Nothing", "nothing"), ("a lot", ""), (3, "")],
)
@pytest.mark.parametrize(("whose", "named"), [("team", "team"), ("exercise", ""), (3, "")])
def test_what_a_turn_gives_is_a_known_name_or_unsaid(
    gives: object, kept: str, whose: object, named: str
) -> None:
    reply = json.dumps({"acts": ["answer"], "gives": gives, "whose": whose, "say": []})
    heard = read_heard(reply, RUBRIC, Turn(2, "candidate", TurnKind.ANSWER, "It was so.")).value
    assert heard
    assert (heard.gives, heard.whose) == (kept, named)


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["answer", "drill", "probe", "reframe", "t1", "t2", "none"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["acts", "say", "move", "topic", "text"]), inner)
    ),
    max_leaves=25,
)


@given(ANYTHING, ANYTHING)
def test_no_json_makes_up_an_act_or_a_move(acts: object, say: object) -> None:
    reply = json.dumps({"acts": acts, "say": say})
    read = read_heard(reply, RUBRIC, SAID).value
    assert all(act.value in reply for act in read.acts)
    assert len(read.proposals) <= 3
    for proposal in read.proposals:
        assert proposal.move.kind.value in reply
        assert 0 < len(proposal.text) <= 600
        assert getattr(proposal.move, "target", "") in ("", "alpha", "beta", "gamma")


@given(st.text(alphabet='{}[]":, actsy\n\\`', max_size=200))
def test_no_text_makes_the_reader_stumble(text: str) -> None:
    assert read_heard(text, RUBRIC, SAID).value.proposals == ()


# -- a harder variant -----------------------------------------------------------------


OMEGA = {"id": "omega", "claim": "Reversed, the omega effect decides it", "patterns": ["omega"]}
HARDER = a_rubric(escalations=["Anything else?", {"ask": "And reversed?", "criteria": [OMEGA]}])


async def test_before_it_is_asked_the_model_knows_the_question_alone(server: FakeEndpoint) -> None:
    context = replace(context_of(), rubric=HARDER)
    server.will(
        said(
            json.dumps(
                {
                    "acts": ["answer"],
                    "say": [{"move": "escalate", "topic": "", "text": "And reversed?"}],
                }
            )
        )
    )
    heard = await server.examiner().listen(context)
    assert [each.move for each in heard.proposals] == [Move(MoveKind.ESCALATE, escalation=1)]
    sent = server.requests[0].content.decode()
    assert "And reversed?" in sent
    assert "omega" not in sent
