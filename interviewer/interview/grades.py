"""From a judgement to what stands, and from a question's history to its grade."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from interviewer.examiner.moves import Close
from interviewer.examiner.non_answers import commits
from interviewer.examiner.protocol import NEUTRAL, Examiner, QuestionContext
from interviewer.grading.bench_evidence import flags_of_runs, with_runs
from interviewer.grading.evidence import check, suspicions
from interviewer.grading.score import Grade, grade_question
from interviewer.grading.transcript import TurnKind, exchange
from interviewer.grading.verdicts import Flag, Judgement
from interviewer.interview.announcing import worded
from interviewer.interview.policy import Caps, next_move, standings
from interviewer.interview.state import Judged, QuestionState
from interviewer.rubric.rubric import Rubric, Verdict

_OF_PROSE = frozenset({Flag.RECITED, Flag.KEYWORD_LIST, Flag.ECHO, Flag.TOO_SHORT, Flag.BOTH_SIDES})
UNJUDGED = "Your last answer on this question was never judged."


def checked(context: QuestionContext, judgement: Judgement) -> Judged:
    """What stands of a judgement on the case's last answer.

    Code looks at its quotes, and what was run at the bench goes before what was read.
    """
    read = check(context.rubric, context.turns, judgement.findings)
    verdicts = with_runs(context.rubric, context.turns, read)
    known = {verdict.criterion for verdict in verdicts}
    return Judged(
        answer_turn=context.turns[-1].number,
        verdicts=verdicts,
        examiner=judgement.examiner,
        flags=_fitting(judgement.flags, context)
        | suspicions(context.turns)
        | flags_of_runs(context.turns),
        ungraded=tuple(each for each in judgement.ungraded if each[0] not in known),
    )


def _fitting(flags: frozenset[Flag], context: QuestionContext) -> frozenset[Flag]:
    """Lines of a derivation are not judged by how they read."""
    return flags - _OF_PROSE if context.turns[-1].run is not None else flags


def grade_of(question: QuestionState, rubric: Rubric, examiner: str) -> Grade:
    """The grade of a closed question.

    When its last answer was left unjudged (the examiner failed and the candidate went on), only
    points already met are graded: the others may have been made in it. ``examiner`` is named where
    nobody judged.
    """
    ungraded = dict(question.judged[-1].ungraded) if question.judged else {}
    open_ids: set[str] = set()
    if question.unjudged_answer:
        standing = standings(question)
        open_ids = {
            c.id
            for c in rubric.criteria
            if c.id not in standing or standing[c.id].verdict is not Verdict.MET
        }
        ungraded |= dict.fromkeys(open_ids, UNJUDGED)
    flags = frozenset[Flag]().union(*(judged.flags for judged in question.judged))
    flags |= _of_the_history(question)
    names = dict.fromkeys(judged.examiner for judged in question.judged)
    return grade_question(
        rubric,
        [[v for v in j.verdicts if v.criterion not in open_ids] for j in question.judged],
        examiner=", then ".join(names) or examiner,
        flags=flags,
        ungraded=tuple(ungraded.items()),
    )


def _of_the_history(question: QuestionState) -> frozenset[Flag]:
    """What no single look at the question can see."""
    flags = {Flag.CUT_OFF} if question.cut_off else set()
    for asked, reply in pairwise(question.spoken):
        if asked.kind is TurnKind.DRILL and not commits(reply.parsed):
            flags.add(Flag.NO_OWN_WORK)
    return frozenset(flags)


_CAPS = Caps(follow_ups=4)


@dataclass(frozen=True)
class SingleGrade:
    """A grade, and what would be asked next; None when the examiner would go on."""

    grade: Grade
    follow_up: str | None


async def grade_answer(examiner: Examiner, rubric: Rubric, answer: str) -> SingleGrade:
    """Judge, check, score and word the next move. Raises ExaminerError."""
    context = QuestionContext(rubric, exchange(rubric.question, answer), (), NEUTRAL, exam=True)
    judged = checked(context, await examiner.judge(context))
    question = QuestionState(1, 1, rubric.id, context.turns, judged=(judged,))
    grade = grade_of(question, rubric, examiner.name)
    return SingleGrade(grade, await _follow_up(examiner, rubric, question))


async def _follow_up(examiner: Examiner, rubric: Rubric, question: QuestionState) -> str | None:
    move = next_move(question, rubric, _CAPS, "exam")
    if isinstance(move, Close):
        return None
    context = QuestionContext(
        rubric, question.turns, tuple(standings(question).values()), NEUTRAL, exam=True
    )
    return await worded(examiner, context, move)
