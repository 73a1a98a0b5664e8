"""What a turn does besides answering: each has a reply of its own, and none is graded."""

from __future__ import annotations

import pytest
from support.rubrics import a_rubric
from support.sessions import begin, hold, of_kind, outline

from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import Heard, MoveKind, QuestionContext
from interviewer.grading.transcript import DialogueAct, TurnKind
from interviewer.interview.commands import Answer, Command, Pause, Rephrase, SaidThat, Skip
from interviewer.interview.events import AnswerJudged, FollowUpAsked
from interviewer.rubric.rubric import Rating
from interviewer.store.store import Store

FIRST, SECOND = a_rubric(), a_rubric(id="more-letters")
RUBRICS = {each.id: each for each in (FIRST, SECOND)}


@pytest.mark.parametrize(
    ("aside", "words"),
    [
        (Rephrase(), "After alpha"),
        (Answer("What do you mean by that?"), "say what you assume"),
        (Answer("How am I doing?"), "before the end"),
        (Answer("I disagree."), "Fair enough"),
        (Answer("Let me try this first."), "Go ahead"),
    ],
)
async def test_it_is_replied_to_and_not_graded(store: Store, aside: Command, words: str) -> None:
    rubric = a_rubric(simpler=("After alpha, which letter comes to mind?",))
    interview = begin(store, [outline(rubric)], {rubric.id: rubric}, OfflineExaminer())
    heard = await hold(interview, [aside, Pause()])
    assert words in of_kind(heard, FollowUpAsked)[-1].text
    (question,) = interview.state.questions
    assert question.last_turn.author == "examiner"
    assert question.follow_ups_used == 0
    assert not any(v.verdict is Rating.MET for v in question.verdicts.values())


async def test_what_was_said_on_another_question_is_found_and_credited(store: Store) -> None:
    interview = begin(store, [outline(FIRST, SECOND)], RUBRICS, OfflineExaminer())
    replies = [Answer("beta matters a good deal"), Skip(), Answer("alpha comes first")]
    heard = await hold(interview, [*replies, SaidThat(), Pause()])
    question = interview.state.questions[-1]
    found = question.verdicts["beta"]
    assert (found.verdict, found.turn) == (Rating.MET, 2)
    assert "You did; I have it now." in of_kind(heard, FollowUpAsked)[-1].text


class _Hears(OfflineExaminer):
    """Hears a question back in everything."""

    async def listen(self, context: QuestionContext) -> Heard:
        return Heard(frozenset({DialogueAct.QUESTION_BACK}))


async def test_what_a_model_hears_as_no_answer_is_not_graded(store: Store) -> None:
    interview = begin(store, [outline(FIRST)], RUBRICS, _Hears())
    said = "That depends on the block layouts you have in mind"
    heard = await hold(interview, [Answer(said), Pause()])
    assert interview.state.questions[-1].turns[1].kind is TurnKind.ASIDE
    assert of_kind(heard, AnswerJudged) == []
    assert of_kind(heard, FollowUpAsked)[-1].move.kind is MoveKind.CLARIFY


async def test_what_makes_a_point_is_an_answer_whatever_a_model_hears(store: Store) -> None:
    interview = begin(store, [outline(FIRST)], RUBRICS, _Hears())
    await hold(interview, [Answer("alpha comes first"), Pause()])
    assert interview.state.questions[-1].verdicts["alpha"].verdict is Rating.MET
