"""Reasoning that some models put in front of their words, taken off."""

from __future__ import annotations

import re

_OPENING = re.compile(r"\s*<(think|thinking|reasoning)>", re.IGNORECASE)
_CLOSING = re.compile(r"</(think|thinking|reasoning)>\s*", re.IGNORECASE)
_ANSWER = re.compile(r"\s*[{`]")
"""A judgement that begins at once: a tag further on is quoted from somebody."""


def without_thinking(text: str) -> str:
    """What follows the reasoning; "" where the reasoning never ends."""
    if closes_unopened(text):
        text = _CLOSING.split(text, maxsplit=1)[-1]
    while _OPENING.match(text):
        closing = _CLOSING.search(text)
        text = text[closing.end() :] if closing else ""
    return text


def closes_unopened(text: str) -> bool:
    """The reasoning ends with a tag that nothing opened: the server's template did."""
    begins_otherwise = _OPENING.match(text) or _ANSWER.match(text)
    return bool(_CLOSING.search(text)) and not begins_otherwise


class ThinkingFilter:
    """The same for a reply that arrives in pieces; reasoning is held back until it closes."""

    def __init__(self, *, opened: bool) -> None:
        """``opened``: replies were seen to begin inside the reasoning."""
        self._held = ""
        self._expected = opened
        self._tagged = False
        self._speaking = False

    @property
    def reasoning(self) -> bool:
        """The reply is, as far as it is here, nothing but reasoning."""
        return not self._speaking and (self._tagged or self._expected)

    def feed(self, piece: str) -> str:
        """What of the reply may be shown now."""
        if self._speaking:
            return piece
        self._held += piece
        self._tagged = self._tagged or bool(_OPENING.match(self._held))
        if closing := _CLOSING.search(self._held):
            self._held = self._held[closing.end() :]
            return self._release()
        waiting = self._tagged or self._expected or _may_become_tag(self._held)
        return "" if waiting else self._release()

    def end(self) -> str:
        """What was held back and was no reasoning, now that the reply is complete."""
        return "" if self._tagged else self._release()

    def _release(self) -> str:
        text = self._held.lstrip()
        self._speaking = bool(text)
        self._held = ""
        self._tagged = self._expected = False
        return text


def _may_become_tag(text: str) -> bool:
    start = text.lstrip().lower()
    tags = ("<think>", "<thinking>", "<reasoning>")
    return any(tag.startswith(start) for tag in tags)
