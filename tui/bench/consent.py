"""Before a person's own code runs without walls around it, they say that it may."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tui.widgets.confirm import Confirm

if TYPE_CHECKING:
    from textual.app import App

    from interviewer.interview.bench import Bench

QUESTION = (
    "This system offers no wall around files and network: your function would run with your own "
    "rights, limited in time and memory only. Run the functions that you write here?"
)


def with_consent(app: App[Any], bench: Bench | None, source: str, run: Callable[[], None]) -> None:
    """Call ``run``; where a function would have no walls, ask first, once for each bench."""
    from interviewer.sandbox.checking.python_source import is_function

    walled = bench is None or bench.tier != "reduced" or bench.allow_functions
    if walled or not is_function(source):
        run()
        return

    def answered(yes: bool | None) -> None:
        if yes and bench:
            bench.allow_functions = True
            run()

    app.push_screen(Confirm(QUESTION), answered)
