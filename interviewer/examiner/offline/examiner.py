"""The offline examiner as an :class:`~interviewer.examiner.protocol.Examiner`."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable

from interviewer.examiner.moves import Spoken
from interviewer.examiner.offline import ABOUT, NAME
from interviewer.examiner.offline import judge as verdicts
from interviewer.examiner.protocol import ModelCall, QuestionContext, Retrying
from interviewer.examiner.wording import utterance
from interviewer.grading.verdicts import Judgement


class OfflineExaminer:
    """Judges with authored patterns and asks authored probes. Deterministic."""

    name = NAME
    version = NAME
    about = ABOUT

    async def judge(self, context: QuestionContext) -> Judgement:
        """Never fails: what patterns cannot recognise counts as not met, or as vague."""
        return verdicts.judge(context.rubric, context.turns)

    async def ask(self, context: QuestionContext, move: Spoken) -> AsyncGenerator[str]:
        """Yield the whole utterance at once."""
        yield utterance(context, move)

    def drain_calls(self) -> tuple[ModelCall, ...]:
        """Always empty: no model is called."""
        return ()

    def on_retry(self, listener: Callable[[Retrying], None]) -> None:
        """Do nothing: no call is made, so none is retried."""

    async def aclose(self) -> None:
        """Nothing to release."""
