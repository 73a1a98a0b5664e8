"""From a question's history to its grade."""

from __future__ import annotations

from interviewer.grading.score import Grade, grade_question
from interviewer.grading.verdicts import Flag
from interviewer.interview.moves import standings
from interviewer.interview.state import QuestionState
from interviewer.rubric.rubric import Rubric, Verdict

UNJUDGED = "Your last answer on this question was never judged."


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
    names = dict.fromkeys(judged.examiner for judged in question.judged)
    return grade_question(
        rubric,
        [[v for v in j.verdicts if v.criterion not in open_ids] for j in question.judged],
        examiner=", then ".join(names) or examiner,
        flags=flags | ({Flag.CUT_OFF} if question.cut_off else frozenset()),
        ungraded=tuple(ungraded.items()),
    )
