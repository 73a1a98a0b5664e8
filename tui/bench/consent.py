"""Before a person's own code runs without walls around it, they say that it may."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from tui.widgets.confirm import Confirm

if TYPE_CHECKING:
    from textual.app import App

    from interviewer.sandbox.result import Tier

QUESTION = (
    "This system offers no wall around files and network: your function would run with your own "
    "rights, limited in time and memory only. Run the functions that you write here?"
)


@runtime_checkable
class Asking(Protocol):
    """A bench that runs functions on some systems only when it is told that it may."""

    allow_functions: bool

    @property
    def tier(self) -> Tier: ...


def with_consent(app: App[Any], bench: object, source: str, run: Callable[[], None]) -> None:
    """Call ``run``; where a function would have no walls, ask first, once for each bench."""
    from interviewer.sandbox.checking.python_source import is_function

    unwalled = isinstance(bench, Asking) and bench.tier == "reduced" and not bench.allow_functions
    if not (unwalled and is_function(source)):
        run()
        return

    def answered(yes: bool | None) -> None:
        if yes and isinstance(bench, Asking):
            bench.allow_functions = True
            run()

    app.push_screen(Confirm(QUESTION), answered)
