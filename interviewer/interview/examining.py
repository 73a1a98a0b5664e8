"""One question and its examiner: what it may know, its checked verdicts and words, the grade."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass
from itertools import pairwise

from interviewer.errors import ExaminerError
from interviewer.examiner.checks import objections
from interviewer.examiner.moves import Close, Open, Spoken
from interviewer.examiner.non_answers import commits
from interviewer.examiner.protocol import NEUTRAL, Examiner, QuestionContext
from interviewer.examiner.wording import utterance
from interviewer.grading.bench_evidence import flags_of_runs, with_runs
from interviewer.grading.evidence import check, suspicions
from interviewer.grading.score import Grade, grade_question
from interviewer.grading.transcript import TurnKind, exchange
from interviewer.grading.verdicts import Flag, Judgement
from interviewer.interview.policy import Caps, next_move, standings
from interviewer.interview.state import Judged, QuestionState, SessionState
from interviewer.rubric.rubric import Rubric, Verdict

_OF_PROSE = frozenset({Flag.RECITED, Flag.KEYWORD_LIST, Flag.ECHO, Flag.TOO_SHORT, Flag.BOTH_SIDES})
"""Flags on how an answer reads, which mean nothing for the lines of a derivation."""
UNJUDGED = "Your last answer to this question was never judged."
_CAPS = Caps(follow_ups=4)
"""For a single answer, outside any round."""


def context_of(state: SessionState, rubrics: Mapping[str, Rubric]) -> QuestionContext:
    """What the examiner may know about the open question."""
    running = state.rounds[-1]
    question = running.questions[-1]
    return QuestionContext(
        rubric=rubrics[question.rubric],
        turns=question.turns,
        verdicts=tuple(standings(question).values()),
        persona=running.outline.persona,
        exam=state.mode == "exam",
    )


def checked(context: QuestionContext, judgement: Judgement) -> Judged:
    """What remains of a judgement of the latest answer once code has checked its quotes.

    Where a run at the bench and the judge disagree, the run wins.
    """
    read = check(context.rubric, context.turns, judgement.findings)
    verdicts = with_runs(context.rubric, context.turns, read)
    known = {verdict.criterion for verdict in verdicts}
    answer = context.turns[-1]
    flags = judgement.flags if answer.run is None else judgement.flags - _OF_PROSE
    return Judged(
        answer_turn=answer.number,
        verdicts=verdicts,
        examiner=judgement.examiner,
        flags=flags | suspicions(context.turns) | flags_of_runs(context.turns),
        ungraded=tuple(each for each in judgement.ungraded if each[0] not in known),
    )


@dataclass(frozen=True)
class Asked:
    """The final wording. ``replaced`` says why the examiner's own was rejected, else ""."""

    text: str
    replaced: str = ""


def as_asked(text: str, context: QuestionContext, move: Spoken) -> Asked:
    """The examiner's wording if it passes the checks, else the template's."""
    authored = utterance(context, move)
    if text == authored:
        return Asked(text)
    faults = objections(text, context, move)
    return Asked(authored, "; ".join(faults)) if faults else Asked(text)


async def worded(examiner: Examiner, context: QuestionContext, move: Spoken) -> str:
    """The final wording of a move, in one piece. Raises ExaminerError."""
    async with aclosing(examiner.ask(context, move)) as pieces:
        said = "".join([piece async for piece in pieces]).strip()
    return as_asked(said, context, move).text


async def opening(examiner: Examiner, context: QuestionContext) -> str:
    """The question on the candidate's own project in the examiner's words.

    The rubric's own wording stands in where the examiner fails; the call log keeps the error.
    """
    try:
        return await worded(examiner, context, Open())
    except ExaminerError:
        return context.rubric.question


def grade_of(question: QuestionState, rubric: Rubric, examiner: str) -> Grade:
    """The grade of a closed question.

    If its last answer was never judged (the examiner failed and the candidate moved on), only
    points already met are graded: the others may have been made in that answer. ``examiner`` is
    the name on record where nobody judged.
    """
    ungraded = dict(question.judged[-1].ungraded) if question.judged else {}
    open_ids: set[str] = set()
    if question.unjudged_answer:
        standing = standings(question)
        met = {id_ for id_, verdict in standing.items() if verdict.verdict is Verdict.MET}
        open_ids = {criterion.id for criterion in rubric.criteria} - met
        ungraded |= {c.id: UNJUDGED for c in rubric.criteria if c.id in open_ids}
    flags = _flags_of_history(question).union(*(judged.flags for judged in question.judged))
    names = dict.fromkeys(judged.examiner for judged in question.judged)
    return grade_question(
        rubric,
        [[v for v in j.verdicts if v.criterion not in open_ids] for j in question.judged],
        examiner=", then ".join(names) or examiner,
        flags=flags,
        ungraded=tuple(ungraded.items()),
    )


def _flags_of_history(question: QuestionState) -> frozenset[Flag]:
    """Flags that no single judgement can see."""
    flags = {Flag.CUT_OFF} if question.cut_off else set()
    for asked, reply in pairwise(question.spoken):
        if asked.kind is TurnKind.DRILL and not commits(reply.parsed):
            flags.add(Flag.NO_OWN_WORK)
    return frozenset(flags)


@dataclass(frozen=True)
class SingleGrade:
    """The grade of one answer and the follow-up it would get, None where the question closes."""

    grade: Grade
    follow_up: str | None


async def grade_answer(examiner: Examiner, rubric: Rubric, answer: str) -> SingleGrade:
    """Grade one answer outside any session. Raises ExaminerError."""
    context = QuestionContext(rubric, exchange(rubric.question, answer), (), NEUTRAL, exam=True)
    judged = checked(context, await examiner.judge(context))
    question = QuestionState(1, 1, rubric.id, context.turns, judged=(judged,))
    grade = grade_of(question, rubric, examiner.name)
    move = next_move(question, rubric, _CAPS, "exam")
    if isinstance(move, Close):
        return SingleGrade(grade, None)
    verdicts = tuple(standings(question).values())
    judged_context = QuestionContext(rubric, question.turns, verdicts, NEUTRAL, exam=True)
    return SingleGrade(grade, await worded(examiner, judged_context, move))
