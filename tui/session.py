"""A session as the reading screens get it."""

from __future__ import annotations

from dataclasses import dataclass

from interviewer.interview.debrief import Debrief
from interviewer.interview.replay import Replay


@dataclass(frozen=True)
class Session:
    """A whole session as read back; ``debrief`` is None while the grades may not be seen."""

    replay: Replay
    debrief: Debrief | None
