"""What of a session its candidate may see by now."""

from __future__ import annotations

from interviewer.interview.state import SessionState


def grades_may_be_shown(state: SessionState) -> bool:
    """An exam shows no verdict and no reference answer before it is finished."""
    return state.mode == "practice" or state.finished is not None


def rubrics_to_show(state: SessionState) -> frozenset[str]:
    """The ids of the rubrics that may be read whole: of graded questions, all at the end.

    What else stood on a ladder's rungs stays unread: it may be asked another day.
    """
    asked = frozenset(question.rubric for question in state.questions)
    if state.finished:
        lists = (outline.questions for outline in state.outline if not outline.rungs)
        return asked.union(*lists)
    if not grades_may_be_shown(state):
        return frozenset()
    return frozenset(question.rubric for question in state.questions if question.grade)
