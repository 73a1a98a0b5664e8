"""Loads what the next steps need while the user still reads the home screen."""

from __future__ import annotations

import importlib
import threading
from typing import TYPE_CHECKING

from interviewer.examiner.registry import chosen

if TYPE_CHECKING:
    from interviewer.settings import Settings

_ALWAYS = (
    "interviewer.composition",
    "interviewer.interview.interview",
    "interviewer.store.store",
    "tui.screens.setup",
    "tui.interview.screen",
)
_WITH_ENDPOINT = ("openai",)


def warm_up(settings: Settings) -> None:
    """Import the engine in a daemon thread, which never keeps the program from ending."""
    names = _ALWAYS + (_WITH_ENDPOINT if chosen(settings.chosen_examiner).needs_endpoint else ())
    threading.Thread(target=_import_all, args=(names,), name="warm-up", daemon=True).start()


def _import_all(names: tuple[str, ...]) -> None:
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError:
            return  # raised again, and told, where the module is really needed
