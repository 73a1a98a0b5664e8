"""The offline examiner behind the common protocol."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable

from interviewer.examiner.moves import Spoken
from interviewer.examiner.offline import ABOUT, NAME
from interviewer.examiner.offline import judge as verdicts
from interviewer.examiner.protocol import ModelCall, QuestionContext, Retrying
from interviewer.examiner.wording import utterance
from interviewer.grading.verdicts import Judgement


class OfflineExaminer:
    """Judges by authored patterns, asks by authored probes. Same input, same output."""

    name = NAME
    version = NAME
    about = ABOUT

    async def judge(self, context: QuestionContext) -> Judgement:
        """Never fails: what cannot be seen offline comes out as not met, or vague."""
        return verdicts.judge(context.rubric, context.turns)

    async def ask(self, context: QuestionContext, move: Spoken) -> AsyncGenerator[str]:
        """The utterance in one piece."""
        yield utterance(context, move)

    def drain_calls(self) -> tuple[ModelCall, ...]:
        """None: no model is called."""
        return ()

    def on_retry(self, listener: Callable[[Retrying], None]) -> None:
        """There is nothing to tell: no call is made, so none fails."""

    async def aclose(self) -> None:
        """Nothing to release."""
