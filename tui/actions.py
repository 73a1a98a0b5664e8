"""Every action of the front end with its keys, in one table.

Bindings, footer, help panel, command palette and the user's ``[keys]`` all come from here. A key
list is in Textual's spelling, several keys separated by commas; the first one is printed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from textual.binding import ActiveBinding, Binding

if TYPE_CHECKING:
    from textual.app import App

    from interviewer.settings import Settings


class Action(NamedTuple):
    """One thing a person can do. ``scope`` is the screen or kind of widget that it belongs to."""

    scope: str
    name: str
    """The method behind it is ``action_<name>``, of the app where it begins with "app."."""
    keys: str
    label: str
    """For the footer: one or two words."""
    help: str = ""
    """For the command palette and the tooltip: a sentence; "" keeps it out of the palette."""
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
    Action("home", "resume", "r", "Resume", "Go on with the interview that is open"),
    Action("home", "new", "n", "New mock", "Choose a plan and begin"),
    Action("home", "sessions", "s", "Sessions", "Past interviews: resume, read, delete"),
    Action("home", "rubrics", "u", "Rubrics", "The questions and what they are worth"),
    Action("home", "bench", "b", "Bench", "Derive and write code by yourself, checked by numbers"),
    Action("home", "app.quit", "q", "Quit", "Leave the program"),
    Action("setup", "start", "ctrl+s", "Start", "Begin the interview as chosen", priority=True),
    Action("back", "back", "escape", "Back", "To the screen before"),
    Action("failure", "first", "r", "Again", "Try the same once more"),
    Action("failure", "offline", "o", "Offline", "The offline examiner takes over from here"),
    Action("failure", "last", "p", "Later", "Stop here; the interview can be resumed"),
    Action("failure", "next", "right,down,j,l", "Next", footer=False),
    Action("failure", "previous", "left,up,k,h", "Previous", footer=False),
    Action("bench", "run", "ctrl+r,f5", "Run", "Check the lines or the function", priority=True),
    Action("bench", "stop", "escape", "Stop", "Stop the check that is running"),
    Action(
        "bench",
        "hand_in",
        "ctrl+s,alt+enter",
        "Hand in",
        "Hand what stands at the bench to the examiner as your answer",
        priority=True,
    ),
    Action("bench", "task", "f3", "Task", "Fold the task away, or show it", priority=True),
    Action("bench_editor", "indent", "tab", "Indent", footer=False),
    Action("practice", "hint", "ctrl+t", "Hint", "Show the next hint of the task", priority=True),
    Action("practice", "solution", "ctrl+o", "Solution", "Show the worked solution", priority=True),
    Action("interview", "cancel", "escape", "Cancel", "Stop waiting for the examiner"),
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
        "bench",
        "ctrl+b,f9",
        "Bench",
        "Between the conversation and the derivation bench of this question",
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
    Action("interview", "pause", "f2", "Pause", "Stop the clock and leave", priority=True),
    Action("interview", "skip", "f4", "Skip", "Leave this question as it is", priority=True),
    Action("interview", "end_round", "f6", "End round", "Close the round early", priority=True),
    Action(
        "interview",
        "end_interview",
        "f8",
        "End",
        "Close everything; debrief follows",
        footer=False,  # no room for it at 80 columns beside the bench
        priority=True,
    ),
    Action(
        "answer",
        "newline",
        "ctrl+j,shift+enter",
        "New line",
        "A new line; never sends",
        footer=False,
    ),
    Action("confirm", "yes", "y", "Yes", "Do it"),
    Action("confirm", "no", "n,escape", "No", "Leave it as it is"),
    Action("debrief", "transcript", "t", "In the transcript", "Show where this was said"),
    Action("debrief", "expand_all", "a", "Open all", "Open or close everything"),
    Action("debrief", "next", "j,down", "Down", footer=False),
    Action("debrief", "previous", "k,up", "Up", footer=False),
    Action("debrief", "first", "g,home", "Top", footer=False),
    Action("debrief", "last", "G,end", "Bottom", footer=False),
    Action("page", "page_down", "pagedown,space", "Page down", footer=False),
    Action("page", "page_up", "pageup", "Page up", footer=False),
    Action("sessions", "transcript", "t", "Transcript", "Read the session turn by turn"),
    Action("sessions", "delete", "d,delete", "Delete", "Delete the session for good"),
    Action("rubrics", "reload", "f5", "Reload", "Read the rubric files again"),
    Action("list", "cursor_down", "j,down", "Down", footer=False),
    Action("list", "cursor_up", "k,up", "Up", footer=False),
    Action("list", "first", "g,home", "First", footer=False),
    Action("list", "last", "G,end", "Last", footer=False),
    Action("scroll", "scroll_down", "j,down", "Down", footer=False),
    Action("scroll", "scroll_up", "k,up", "Up", footer=False),
    Action("scroll", "scroll_home", "g,home", "Top", footer=False),
    Action("scroll", "scroll_end", "G,end", "Bottom", footer=False),
    Action("app", "toggle_help", "f1,question_mark", "Keys", "Show or hide all keys of this place"),
    Action("app", "quit", "ctrl+q,ctrl+c", "Quit", "Save what is typed and leave", footer=False),
)
BY_ID = {action.id: action for action in ACTIONS}
ENTER_SENDS = {
    "interview.send": "ctrl+s",
    "answer.newline": "alt+enter,ctrl+j,shift+enter",
}
"""The keymap under ``send_key = "enter"``; Enter itself is the answer editor's business."""


def bindings(*scopes: str) -> list[Binding]:
    """The bindings of these scopes, in the order of the table."""
    return [action.binding for action in ACTIONS if action.scope in scopes]


def in_table_order(active: dict[str, ActiveBinding]) -> dict[str, ActiveBinding]:
    """Bindings of this table in its order, then the others."""
    order = {action.id: place for place, action in enumerate(ACTIONS)}
    places = sorted(
        active.items(), key=lambda item: order.get(item[1].binding.id or "", len(order))
    )
    return dict(places)


def keymap(settings: Settings) -> dict[str, str]:
    """The keys that differ from the table: those of ``send_key``, then the user's own."""
    return {**(ENTER_SENDS if settings.send_key == "enter" else {}), **settings.keys}


def shown_keys(app: App[Any], settings: Settings, action_id: str) -> list[str]:
    """The keys of an action as they are now, the way the footer writes them."""
    binding = BY_ID[action_id].binding
    keys = keymap(settings).get(action_id, binding.key).split(",")
    return [app.get_key_display(binding.with_key(key.strip())) for key in keys]


def unknown_ids(keys: Mapping[str, str]) -> list[str]:
    """A sentence for each id in ``[keys]`` that no action carries, with the nearest ones."""
    return [_unknown(wrong) for wrong in keys if wrong not in BY_ID]


def _unknown(wrong: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(wrong, BY_ID, 1)
    hint = f"; did you mean {close[0]!r}?" if close else "."
    return f"[keys] names {wrong!r}, which is no action{hint}"
