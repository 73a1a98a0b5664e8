"""The full-screen front end: screens over the same engine that ``interviewer run`` drives."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interviewer.settings import Settings

__all__ = ["main"]


def main(settings: Settings) -> int:
    """Run the app in this terminal until the user leaves it; returns the exit code."""
    gc.disable()  # until the first frame: importing leaves next to no garbage
    from tui import terminal
    from tui.app import InterviewerApp

    terminal.install()
    app = InterviewerApp(settings)
    app.run()
    return app.return_code or 0
