"""Every action and its keys, from the one table ``keys.json``.

Bindings, footer, help, command palette, KEYS.md and the user's ``[keys]`` all come from it. It has
the actions by scope: the screen or kind of widget they belong to, with the ``title`` that people
read; ``over`` marks the scopes of dialogues, in which the app's keys do nothing, ``typed`` those in
which the focus is on an editor, as a rule. ``together`` lists scopes whose keys work at the same
time, besides those of the app. Keys are in Textual's spelling, separated by commas.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from textual.binding import ActiveBinding, Binding, BindingType

if TYPE_CHECKING:
    from textual.app import App

    from interviewer.settings import Settings


class Action(NamedTuple):
    """Something the user can do. The footer shows the first of its keys."""

    scope: str
    name: str
    """Its method is ``action_<name>``; the app's, if the name begins with "app."."""
    keys: str
    label: str
    """For the footer: one or two words."""
    help: str = ""
    """A sentence for the command palette and the tooltip; "" keeps it out of the palette."""
    footer: bool = True
    priority: bool = False
    """Takes precedence over the focused widget's own keys."""
    asks: bool = False
    """Asks first, or opens what can be left again: heard on a screen that is not yet read, too."""

    @property
    def id(self) -> str:
        """Its name in ``[keys]`` of config.toml."""
        return f"{self.scope}.{self.name.removeprefix('app.')}"

    @property
    def does(self) -> str:
        """What it does, in as many words as there are."""
        return self.help or self.label

    @property
    def heading(self) -> str:
        """What people read in place of its scope."""
        title: str = SCOPES[self.scope]["title"]
        return title

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


_TABLE = json.loads(Path(__file__).with_name("keys.json").read_text(encoding="utf-8"))
SCOPES: dict[str, dict[str, Any]] = _TABLE["scopes"]
TOGETHER = [frozenset(scopes) for scopes in _TABLE["together"]]
ACTIONS = tuple(
    Action(scope, name, **fields)
    for scope, of_scope in SCOPES.items()
    for name, fields in of_scope["actions"].items()
)
BY_ID = {action.id: action for action in ACTIONS}
ASKING = frozenset(action.id for action in ACTIONS if action.asks)
HELP_KEY = replace(BY_ID["app.toggle_help"].binding, action="app.toggle_help")
"""For dialogues too, where the app's other keys do nothing."""
HEADINGS = sorted(
    dict.fromkeys(action.heading for action in ACTIONS), key=SCOPES["app"]["title"].__eq__
)
"""In the order in which people read them; what works everywhere comes last."""
AWAY_FROM_BENCH = frozenset(
    {"send", "dont_know", "skip", "end_round", "end_interview", "edit", "page_up", "page_down"}
)
"""Actions of the interview that wait while the bench has the focus, since it uses their keys."""
ENTER_SENDS = {
    "interview.send": "ctrl+s",
    "answer.newline": "alt+enter,ctrl+j,shift+enter",
}
"""The keymap for ``send_key = "enter"``; the answer editor handles Enter itself."""


def bindings(*of: str) -> list[BindingType]:
    return [action.binding for action in ACTIONS if {action.scope, action.id} & {*of}]


def in_table_order(active: dict[str, ActiveBinding]) -> dict[str, ActiveBinding]:
    """This table's bindings in its order, then the others."""
    order = {action.id: place for place, action in enumerate(ACTIONS)}
    return dict(sorted(active.items(), key=lambda each: order.get(each[1].binding.id or "", 999)))


def keymap(settings: Settings) -> dict[str, str]:
    """The keys that differ from the table: by ``send_key``, then by the user's ``[keys]``."""
    return {**(ENTER_SENDS if settings.send_key == "enter" else {}), **settings.keys}


def shown_keys(app: App[Any], settings: Settings, action_id: str) -> list[str]:
    binding = BY_ID[action_id].binding
    keys = keymap(settings).get(action_id, binding.key).split(",")
    return [app.get_key_display(binding.with_key(key.strip())) for key in keys]
