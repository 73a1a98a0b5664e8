"""The log of requests: what each took, brought and counted. Holds neither key nor content."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Literal

from interviewer.examiner.llm.reply import Part, Usage
from interviewer.examiner.protocol import ModelCall

Stage = Literal["judge", "ask", "check", "draft"]


@dataclass
class CallInProgress:
    """One request on its way; ends in exactly one log entry."""

    stage: Stage
    prompt_version: str
    model: str
    record: Callable[[ModelCall], None]
    started: float = field(default_factory=monotonic)
    first_token: int | None = None
    usage: Usage = field(default_factory=Usage)
    entry: ModelCall | None = None
    """Set once the call has ended."""

    def heard(self, part: Part) -> None:
        """Note what a chunk or reply says of itself."""
        self.model = part.model or self.model
        self.usage = part.usage or self.usage

    def spoke(self) -> None:
        """The first piece of a stream is here."""
        if self.first_token is None:
            self.first_token = self._elapsed()

    def end(self, outcome: str, detail: str = "") -> ModelCall:
        """Write the entry."""
        self.entry = ModelCall(
            self.stage,
            self.prompt_version,
            self.model,
            outcome,
            self._elapsed(),
            self.first_token,
            self.usage.prompt,
            self.usage.cached,
            self.usage.completion,
            detail=detail,
        )
        self.record(self.entry)
        return self.entry

    def _elapsed(self) -> int:
        return round((monotonic() - self.started) * 1000)


class CallLog:
    """The calls since the last drain, oldest first."""

    def __init__(self) -> None:
        self._calls: list[ModelCall] = []

    def begin(self, stage: Stage, prompt_version: str, model: str) -> CallInProgress:
        """A request goes out now."""
        return CallInProgress(stage, prompt_version, model, self._calls.append)

    def correct(self, call: ModelCall, outcome: str, detail: str = "") -> None:
        """The reply came, and reading it showed that it is of no use."""
        for place, logged in enumerate(self._calls):
            if logged is call:
                self._calls[place] = replace(call, outcome=outcome, detail=detail)

    def drain(self) -> tuple[ModelCall, ...]:
        """Hand out the calls and start anew."""
        drained, self._calls = tuple(self._calls), []
        return drained
