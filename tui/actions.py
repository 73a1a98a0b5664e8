"""Every action of the front end with its keys, in one table.

Bindings, footer, help panel, command palette and the user's ``[keys]`` all come from here. A key
list is in Textual's spelling, several keys separated by commas; the first one is printed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from textual.binding import Binding


@dataclass(frozen=True)
class Action:
    """One thing a person can do. ``scope`` is the screen or kind of widget that it belongs to."""

    scope: str
    name: str
    """The method behind it is ``action_<name>``, of the app where it begins with "app."."""
    keys: str
    label: str
    """For the footer: one or two words."""
    help: str
    """For the command palette and the tooltip: a sentence."""
    footer: bool = True
    priority: bool = False
    """Comes before the keys of the focused widget (the answer editor)."""

    @property
    def id(self) -> str:
        """The name under which ``[keys]`` in config.toml remaps it."""
        return f"{self.scope}.{self.name.removeprefix('app.')}"

    @property
    def binding(self) -> Binding:
        return Binding(
            self.keys,
            self.name,
            self.label,
            show=self.footer,
            priority=self.priority,
            tooltip=self.help,
            id=self.id,
        )


ACTIONS = (
    Action("app", "toggle_help", "f1,question_mark", "Keys", "Show or hide all keys of this place"),
    Action("app", "quit", "ctrl+q,ctrl+c", "Quit", "Save what is typed and leave", footer=False),
    Action("home", "resume", "r", "Resume", "Go on with the interview that is open"),
    Action("home", "new", "n", "New mock", "Choose a plan and begin"),
    Action("home", "sessions", "s", "Sessions", "Past interviews: resume, read, delete"),
    Action("home", "rubrics", "b", "Rubrics", "The questions and what they are worth"),
    Action("home", "app.quit", "q", "Quit", "Leave the program"),
    Action("setup", "start", "ctrl+s", "Start", "Begin the interview as chosen", priority=True),
    Action("back", "back", "escape", "Back", "To the screen before"),
    Action(
        "interview",
        "send",
        "ctrl+s,alt+enter",
        "Send",
        "Hand the answer to the examiner",
        priority=True,
    ),
    Action(
        "interview",
        "hint",
        "ctrl+t",
        "Hint",
        "Ask for the next hint; the price is shown in the state line",
        priority=True,
    ),
    Action(
        "interview",
        "dont_know",
        "ctrl+n",
        "Don't know",
        "Say that you don't know; honest, and brings a hint",
        priority=True,
    ),
    Action("interview", "cancel", "escape", "Cancel", "Stop waiting for the examiner"),
    Action("interview", "pause", "f2", "Pause", "Stop the clock and leave", priority=True),
    Action("interview", "skip", "f4", "Skip", "Leave this question as it is", priority=True),
    Action("interview", "end_round", "f6", "End round", "Close the round early", priority=True),
    Action(
        "interview", "end_interview", "f8", "End", "Close everything; debrief follows", priority=True
    ),
    Action(
        "answer", "newline", "ctrl+j,shift+enter", "New line", "A new line; never sends", footer=False
    ),
    Action("failure", "first", "r", "Again", "Try the same once more"),
    Action("failure", "offline", "o", "Offline", "The offline examiner takes over from here"),
    Action("failure", "last", "p", "Later", "Stop here; the interview can be resumed"),
    Action("failure", "next", "right,down,j,l", "Next", "The next choice", footer=False),
    Action("failure", "previous", "left,up,k,h", "Previous", "The choice before", footer=False),
    Action("confirm", "yes", "y", "Yes", "Do it"),
    Action("confirm", "no", "n,escape", "No", "Leave it as it is"),
    Action("debrief", "transcript", "t", "In the transcript", "Show where this was said"),
    Action("debrief", "expand_all", "a", "Open all", "Open or close all questions"),
    Action("debrief", "next", "j,down", "Down", "The next line", footer=False),
    Action("debrief", "previous", "k,up", "Up", "The line before", footer=False),
    Action("debrief", "first", "g,home", "Top", "To the top", footer=False),
    Action("debrief", "last", "G,end", "Bottom", "To the bottom", footer=False),
    Action("sessions", "transcript", "t", "Transcript", "Read the session turn by turn"),
    Action("sessions", "delete", "d,delete", "Delete", "Delete the session for good"),
    Action("rubrics", "reload", "f5", "Reload", "Read the rubric files again"),
    Action("list", "cursor_down", "j,down", "Down", "One down", footer=False),
    Action("list", "cursor_up", "k,up", "Up", "One up", footer=False),
    Action("list", "first", "g,home", "First", "To the first", footer=False),
    Action("list", "last", "G,end", "Last", "To the last", footer=False),
    Action("scroll", "scroll_down", "j,down", "Down", "Scroll down", footer=False),
    Action("scroll", "scroll_up", "k,up", "Up", "Scroll up", footer=False),
    Action("scroll", "scroll_home", "g,home", "Top", "Scroll to the top", footer=False),
    Action("scroll", "scroll_end", "G,end", "Bottom", "Scroll to the bottom", footer=False),
)
ENTER_SENDS = {
    "interview.send": "ctrl+s",
    "answer.newline": "alt+enter,ctrl+j,shift+enter",
}
"""The keymap under ``send_key = "enter"``; Enter itself is the answer editor's business."""


def bindings(*scopes: str) -> list[Binding]:
    """The bindings of these scopes, in the order of the table."""
    return [action.binding for action in ACTIONS if action.scope in scopes]


def unknown_ids(keys: Mapping[str, str]) -> list[str]:
    """A sentence for each id in ``[keys]`` that no action carries, with the nearest ones."""
    known = [action.id for action in ACTIONS]
    return [
        f"[keys] names {wrong!r}, which is no action"
        + (f"; did you mean {close[0]!r}?" if (close := get_close_matches(wrong, known, 1)) else ".")
        for wrong in keys
        if wrong not in known
    ]
