"""What a streamed reply has brought so far."""

from __future__ import annotations

from interviewer.examiner.llm.reply import Part
from interviewer.examiner.llm.thinking import ThinkingFilter


class Heard:
    """Takes the parts of one stream and tells what may be shown of them."""

    def __init__(self, *, thinks_aloud: bool) -> None:
        self._thinking = ThinkingFilter(opened=thinks_aloud)
        self.finish: str | None = None
        self.refused = False
        self.reasoned = False
        self.spoke = False
        """Something was shown."""

    @property
    def cut_off(self) -> bool:
        """The token cap ended the reply."""
        return self.finish == "length"

    def take(self, part: Part) -> str:
        """What of this part may be shown now."""
        self.finish = part.finish or self.finish
        self.refused = self.refused or part.refused
        shown = self._thinking.feed(part.text)
        self.reasoned = self.reasoned or part.reasoned or self._thinking.reasoning
        self.spoke = self.spoke or bool(shown)
        return shown

    def rest(self) -> str:
        """What was held back in case it were reasoning, now that the stream is complete."""
        if self.cut_off and self._thinking.reasoning:
            return ""
        shown = self._thinking.end()
        self.spoke = self.spoke or bool(shown)
        return shown
