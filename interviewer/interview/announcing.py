"""What the conductor tells of where the session stands, read off its state."""

from __future__ import annotations

from collections.abc import Mapping

from interviewer.examiner.protocol import Case, CloseReason, Move, MoveKind
from interviewer.grading.score import price_of_hint
from interviewer.interview import commands as do
from interviewer.interview import events as told
from interviewer.interview.asking import Asked
from interviewer.interview.moves import standings
from interviewer.interview.state import QuestionState, SessionState
from interviewer.rubric.rubric import Rubric
from interviewer.sandbox.challenges.challenge import Challenge


def round_start(state: SessionState) -> told.RoundStarted:
    """The round after those that were begun."""
    number = len(state.rounds) + 1
    outline = state.outline[number - 1]
    return told.RoundStarted(
        round=number,
        rounds=len(state.outline),
        title=outline.title,
        persona=outline.persona,
        seconds=outline.seconds,
        questions=outline.count,
    )


def question_asked(
    state: SessionState, rubric: Rubric, text: str, challenge: Challenge | None
) -> told.QuestionAsked:
    """The rubric's question in these words, next in the running round."""
    running = state.rounds[-1]
    return told.QuestionAsked(
        round=running.number,
        question=len(running.questions) + 1,
        questions=running.outline.count,
        rubric=rubric.id,
        title=rubric.title,
        turn=state.turns + 1,
        text=text,
        challenge=challenge.id if challenge else None,
    )


def question_closed(question: QuestionState, reason: CloseReason) -> told.QuestionClosed:
    """The question is over."""
    return told.QuestionClosed(question.round, question.number, question.rubric, reason)


def uttered(
    state: SessionState, move: Move, words: Asked, examiner: str
) -> told.FollowUpAsked | told.HintGiven:
    """What the examiner said to make the move."""
    turn = state.turns + 1
    if move.kind is MoveKind.HINT:
        requested = state.rounds[-1].questions[-1].hint_requested
        return told.HintGiven(turn, words.text, move, price_of_hint(move.hint_level), requested)
    return told.FollowUpAsked(turn, words.text, move, examiner, words.replaced)


def interrupted(stage: told.Stage, command: do.Command) -> told.JournalEvent:
    """The candidate did not want to wait for the examiner any longer."""
    if isinstance(command, do.Pause):
        return told.Paused()
    return told.TurnFailed(stage, "You stopped waiting for the examiner.", retryable=True)


def case_of(state: SessionState, rubrics: Mapping[str, Rubric]) -> Case:
    """The open question as its examiner may know it."""
    running = state.rounds[-1]
    question = running.questions[-1]
    return Case(
        rubric=rubrics[question.rubric],
        turns=question.turns,
        verdicts=tuple(standings(question).values()),
        persona=running.outline.persona,
        exam=state.mode == "exam",
    )
