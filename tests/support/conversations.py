"""An interview held over streams: lines typed by a test, and what it is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from interviewer.cli.conversation import Candidate, JsonLines, TextConversation, TypedLines
from interviewer.grading.claims.quantity import Quantity
from interviewer.interview import events
from interviewer.interview.interview import Interview
from interviewer.store.records import Pane


class Listener:
    """A display that keeps what it is told, and lets a test wait for it."""

    def __init__(self) -> None:
        self.events: list[events.Event] = []
        self.refusals: list[str] = []
        self.numbers: list[list[str]] = []
        """The figures of each list, with what became of those that do not stand."""
        self._news = asyncio.Event()

    def show(self, event: events.Event) -> None:
        self.events.append(event)
        self._news.set()

    def refuse(self, why: str) -> None:
        self.refusals.append(why)
        self._news.set()

    def show_numbers(self, figures: Sequence[Quantity]) -> None:
        marks = ("" if each.status == "stands" else f", {each.status}" for each in figures)
        self.numbers.append(
            [f"{each.text}{mark}" for each, mark in zip(figures, marks, strict=True)]
        )
        self._news.set()

    def count(self, kind: str) -> int:
        """Of such events, of refusals, or of lists of numbers."""
        told = {"refused": len(self.refusals), "numbers": len(self.numbers)}
        return told.get(kind) or sum(event.event == kind for event in self.events)

    async def until(self, kind: str, times: int = 1) -> None:
        async with asyncio.timeout(10):
            while self.count(kind) < times:
                self._news.clear()
                await self._news.wait()

    def answers(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, events.AnswerGiven)]


class Keyboard:
    """Lines typed by the test."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()

    def type(self, *lines: str) -> None:
        for line in lines:
            self._lines.put_nowait(line)

    def end(self) -> None:
        self._lines.put_nowait(None)

    async def lines(self) -> AsyncIterator[str]:
        while (line := await self._lines.get()) is not None:
            yield line


class Held:
    """An interview in progress, with its listener and keyboard."""

    def __init__(self, interview: Interview, *, as_json: bool = False) -> None:
        self.keyboard = Keyboard()
        self.listener = Listener()
        self.saved = asyncio.Event()
        self.interview = interview
        candidate: Candidate = (
            JsonLines(self.keyboard.lines())
            if as_json
            else TypedLines(
                self.keyboard.lines(),
                draft=interview.drafts()["answer"],
                save=self._save,
                sends_rest=False,
            )
        )
        self.conversation = TextConversation(interview, candidate, self.listener)

    def _save(self, text: str, pane: Pane) -> None:
        self.interview.save_draft(text, pane)
        self.saved.set()

    async def __aenter__(self) -> Held:
        self.task = asyncio.create_task(self.conversation.hold())
        return self

    async def __aexit__(self, *_: object) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)

    async def type(self, *lines: str, until: str | tuple[str, int]) -> None:
        """Type these lines, and wait for an event, or for so many of its kind."""
        self.keyboard.type(*lines)
        await self.listener.until(*((until,) if isinstance(until, str) else until))

    async def ends(self, *lines: str) -> None:
        self.keyboard.type(*lines)
        await self.ended()

    async def ended(self) -> None:
        async with asyncio.timeout(10):
            await self.task
