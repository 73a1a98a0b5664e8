"""What of a session its candidate may see by now."""

from __future__ import annotations

from interviewer.interview.state import SessionState


def grades_may_be_shown(state: SessionState) -> bool:
    """An exam shows no verdict and no reference answer before it is finished."""
    return state.mode == "practice" or state.finished is not None
