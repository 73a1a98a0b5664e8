"""Copying: through the terminal, and through the desktop's own tool where there is one."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.app import App

_TOOLS = (
    ("wl-copy",),
    ("xclip", "-selection", "clipboard"),
    ("xsel", "--clipboard", "--input"),
    ("pbcopy",),
)
PATIENCE = 1.0
"""Seconds for the tool; without a display it may never answer."""


def copy(app: App[Any], text: str) -> None:
    """Put the text on the clipboard; never raises. The terminal's own way also works over ssh."""
    app.copy_to_clipboard(text)
    tool = next((tool for tool in _TOOLS if shutil.which(tool[0])), None)
    if tool:
        app.run_worker(lambda: _pipe(tool, text), thread=True, exit_on_error=False)


def _pipe(tool: tuple[str, ...], text: str) -> None:
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        subprocess.run(
            tool,
            input=text.encode(errors="replace"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=False,
        )
