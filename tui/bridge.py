"""Between the engine and the screens: the only owner of workers.

Blocking reads run in threads, an interview runs as one worker over its events; whatever comes of
them is posted to the screen that asked, errors included. Screens never await the engine.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from interviewer.errors import InterviewerError
from tui.defects import defect

if TYPE_CHECKING:
    from textual.message import Message
    from textual.widget import Widget
    from textual.worker import Worker

    from interviewer.interview.bench_session import Bench
    from interviewer.interview.interview import Interview
    from interviewer.sandbox.challenges.challenge import Challenge
    from tui.bench.desk import Desk
    from tui.engine import Engine
    from tui.interview.conversation import Conversation

T = TypeVar("T")


class Bridge:
    """Runs the engine's work for screens and keeps the interview that is going on."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._conversation: Conversation | None = None
        self._desk: Desk | None = None

    def load(
        self, owner: Widget, group: str, work: Callable[[], T], arrived: Callable[[T], Message]
    ) -> None:
        """Do ``work`` in a thread and post ``arrived(result)``, or LoadFailed, to ``owner``.

        A newer load of the same group replaces one that is still under way.
        """
        from tui.messages import LoadFailed

        async def run() -> None:
            try:
                result = await asyncio.to_thread(work)
            except InterviewerError as error:
                owner.post_message(LoadFailed(str(error)))
            except Exception as error:  # noqa: BLE001  becomes a message, see defect
                owner.post_message(LoadFailed(defect(error)))
            else:
                owner.post_message(arrived(result))

        owner.run_worker(run(), group=group, exclusive=True, exit_on_error=False)

    def converse(self, owner: Widget, opening: Callable[[], Interview]) -> Conversation:
        """Open an interview and let it run; its events come to ``owner`` as messages."""
        from tui.interview.conversation import Conversation

        conversation = self._conversation = Conversation(owner, opening)
        owner.run_worker(conversation.run(), group="interview", exclusive=True, exit_on_error=False)
        return conversation

    def practise(self, owner: Widget, challenge: Challenge) -> Desk:
        """Put a challenge on the bench for oneself; its draft and the warm bench are told of."""
        from tui.bench.desk import Desk

        desk = self._desk = Desk(self.engine, owner, challenge)
        owner.run_worker(desk.open(), group="desk", exclusive=True, exit_on_error=False)
        return desk

    def check(self, owner: Widget, desk: Desk, source: str) -> Worker[None]:
        """Check a text at the desk; what came of it is told to ``owner``, a cancel too."""
        return owner.run_worker(
            desk.check(source), group="check", exclusive=True, exit_on_error=False
        )

    def warm(self, owner: Widget, bench: Bench, challenge: Challenge) -> None:
        """Have the bench of an interview ready; ``owner`` is told when it is."""
        from tui.bench.desk import warm

        owner.run_worker(
            warm(owner, bench, challenge), group="warming", exclusive=True, exit_on_error=False
        )

    def save_now(self) -> str:
        """Save what is typed, before the program ends; the sentence of a failure, or ""."""
        failures = [each.save_now() for each in (self._conversation, self._desk) if each]
        return " ".join(filter(None, failures))
