"""What was chosen for a new mock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from interviewer.interview.plan import Plan
    from interviewer.settings import ExaminerKind


@dataclass(frozen=True)
class Choice:
    """A plan and how to hold it."""

    plan: Plan
    length: Literal["quick", "standard", "extended"]
    examiner: ExaminerKind
    mode: Literal["exam", "practice"]
    project: str
    """Notes on the candidate's own project, or the path of their file; "" for none."""
