"""What is told in words while the interview goes on."""

from __future__ import annotations

import pytest

from interviewer.interview.events import CloseReason
from interviewer.report.words import CLOSING

VERDICTS = ("point", "harder", "nothing new", "covered")


@pytest.mark.parametrize("reason", CloseReason)
def test_no_verdict_is_told_when_a_question_closes(reason: CloseReason) -> None:
    told = CLOSING[reason]
    assert told.endswith(".")
    assert not any(word in told.lower() for word in VERDICTS)
