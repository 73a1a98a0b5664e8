"""The offline examiner behind the common protocol."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from interviewer.examiner.offline import judge as verdicts
from interviewer.examiner.offline.about import ABOUT, NAME
from interviewer.examiner.offline.speech import utterance
from interviewer.examiner.protocol import Case, ModelCall, Move
from interviewer.grading.verdicts import Judgement


class OfflineExaminer:
    """Judges by authored patterns, asks by authored probes. Same input, same output."""

    name = NAME
    about = ABOUT

    async def judge(self, case: Case) -> Judgement:
        """Never fails: what cannot be seen offline comes out as not met, or vague."""
        return verdicts.judge(case.rubric, case.turns)

    async def ask(self, case: Case, move: Move) -> AsyncGenerator[str]:
        """The utterance in one piece."""
        yield utterance(case, move)

    def drain_calls(self) -> tuple[ModelCall, ...]:
        """None: no model is called."""
        return ()

    async def aclose(self) -> None:
        """Nothing to release."""
