"""The events that the interview builds from its state, and the check on the examiner's words."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass

from interviewer.errors import ExaminerError
from interviewer.examiner.checks import objections
from interviewer.examiner.moves import CloseReason, FollowUp, Hint, Open, Spoken
from interviewer.examiner.protocol import Examiner, QuestionContext
from interviewer.examiner.wording import utterance
from interviewer.grading.score import price_of_hint
from interviewer.interview import commands, events
from interviewer.interview.policy import standings
from interviewer.interview.state import QuestionState, SessionState
from interviewer.rubric.rubric import Rubric
from interviewer.sandbox.challenges.challenge import Challenge


@dataclass(frozen=True)
class Asked:
    """The words that stand. ``replaced`` says why the examiner's own were not used, else ""."""

    text: str
    replaced: str = ""


async def opening(examiner: Examiner, context: QuestionContext) -> str:
    """The question on the candidate's own project as the examiner words it.

    As authored where the examiner fails or its words cannot be used: that is as good a question,
    and the log of calls keeps what went wrong.
    """
    try:
        return await worded(examiner, context, Open())
    except ExaminerError:
        return context.rubric.question


async def worded(examiner: Examiner, context: QuestionContext, move: Spoken) -> str:
    """The words of the move that stand, all at once. Raises ExaminerError."""
    async with aclosing(examiner.ask(context, move)) as pieces:
        said = "".join([piece async for piece in pieces]).strip()
    return as_asked(said, context, move).text


def as_asked(text: str, context: QuestionContext, move: Spoken) -> Asked:
    """The examiner's words where they pass the checks, the rubric's probe where they do not."""
    authored = utterance(context, move)
    if text == authored:
        return Asked(text)
    faults = objections(text, context, move)
    return Asked(authored, "; ".join(faults)) if faults else Asked(text)


def round_start(state: SessionState) -> events.RoundStarted:
    """The round after those that were begun."""
    number = len(state.rounds) + 1
    outline = state.outline[number - 1]
    return events.RoundStarted(
        round=number,
        rounds=len(state.outline),
        title=outline.title,
        persona=outline.persona,
        seconds=outline.seconds,
        questions=outline.count,
    )


def question_asked(
    state: SessionState, rubric: Rubric, text: str, challenge: Challenge | None
) -> events.QuestionAsked:
    """The rubric's question in these words, next in the running round."""
    running = state.rounds[-1]
    return events.QuestionAsked(
        round=running.number,
        question=len(running.questions) + 1,
        questions=running.outline.count,
        rubric=rubric.id,
        title=rubric.title,
        turn=state.turns + 1,
        text=text,
        challenge=challenge.id if challenge else None,
    )


def question_closed(question: QuestionState, reason: CloseReason) -> events.QuestionClosed:
    """The question is over."""
    return events.QuestionClosed(question.round, question.number, question.rubric, reason)


def uttered(
    state: SessionState, move: FollowUp, words: Asked, examiner: str
) -> events.FollowUpAsked | events.HintGiven:
    """What the examiner said to make the move."""
    turn = state.turns + 1
    if isinstance(move, Hint):
        requested = state.rounds[-1].questions[-1].hint_requested
        return events.HintGiven(turn, words.text, move, price_of_hint(move.level), requested)
    return events.FollowUpAsked(turn, words.text, move, examiner, words.replaced)


def interrupted(stage: events.Stage, command: commands.Command) -> events.JournalEvent:
    """The candidate did not want to wait for the examiner any longer."""
    if isinstance(command, commands.Pause):
        return events.Paused()
    return events.TurnFailed(stage, "You stopped waiting for the examiner.", retryable=True)


def context_of(state: SessionState, rubrics: Mapping[str, Rubric]) -> QuestionContext:
    """The open question as its examiner may know it."""
    running = state.rounds[-1]
    question = running.questions[-1]
    return QuestionContext(
        rubric=rubrics[question.rubric],
        turns=question.turns,
        verdicts=tuple(standings(question).values()),
        persona=running.outline.persona,
        exam=state.mode == "exam",
    )
