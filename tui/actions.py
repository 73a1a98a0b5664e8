"""Every action and its keys, from the one table ``keys.json``, and what is wrong with one's own.

Bindings, footer, help, command palette, KEYS.md and the user's ``[keys]`` all come from it. It has
the actions by scope: the screen or kind of widget they belong to, with the ``title`` that people
read; ``over`` marks the scopes of dialogues, in which the app's keys do nothing, ``typed`` those in
which the focus is on an editor, as a rule. ``together`` lists scopes whose keys work at the same
time, besides those of the app. Keys are in Textual's spelling, separated by commas.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from textual.binding import ActiveBinding, Binding, BindingType
from textual.keys import KEY_NAME_REPLACEMENTS, Keys, key_to_character

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


# -- what is wrong with keys of one's own --------------------------------------------------------

_NAMED = frozenset(key.value.rpartition("+")[2] for key in Keys)
_LONG_NAMES = {short: long for long, short in KEY_NAME_REPLACEMENTS.items()}
"""Textual finds a key's character by its name in Unicode, but writes some names shorter."""


def split(keys: str) -> list[str]:
    """The keys of one string, by name: "?" is "question_mark"."""
    return [each.key for each in Binding.make_bindings([Binding(keys, "")])]


def character_of(key: str) -> str | None:
    """What the key types, None for a key that types nothing."""
    return key_to_character(_LONG_NAMES.get(key, key))


def problems(keys: Mapping[str, str]) -> Iterator[str]:
    """A sentence for each id, key and conflict in ``[keys]`` that somebody has to look at."""
    for wrong in keys.keys() - BY_ID.keys():
        close = get_close_matches(wrong, BY_ID, 1)
        hint = f"; did you mean {close[0]!r}?" if close else "."
        yield f"[keys] names {wrong!r}, which is not an action{hint}"
    for mine in (BY_ID[id_] for id_ in keys if id_ in BY_ID):
        for key in split(keys[mine.id]):
            if why := _trouble(mine, key):
                yield f"[keys] gives {key} to {mine.id!r}, but {why}."
        yield from _conflicts(mine, keys)


def _trouble(action: Action, key: str) -> str:
    """Why the key would do nothing, or would stop one from typing; or ""."""
    base = key.rpartition("+")[2] or key
    if len(base) > 1 and base not in _NAMED and not character_of(base):
        return f"there is no key {key!r}"
    character = character_of(key)
    is_text = character and not unicodedata.category(character).startswith("C")
    if is_text and (action.priority or SCOPES[action.scope].get("typed")):
        return "it is typed as text where this action is"
    return ""


def _conflicts(mine: Action, keys: Mapping[str, str]) -> Iterator[str]:
    """Each key that another action has at the same time.

    A key that two actions share in the table is shared on purpose.
    """
    for other in ACTIONS:
        is_told = other.id in keys and other.id < mine.id  # on the other one's turn
        if other != mine and not is_told and meet(mine, other):
            shared = set(split(mine.keys)) & set(split(other.keys))
            theirs = set(split(keys.get(other.id, other.keys)))
            for key in split(keys[mine.id]):
                if key in theirs - shared:
                    yield f"[keys] gives {key} to {mine.id!r}, but {other.id!r} has it too."


def meet(one: Action, other: Action) -> bool:
    """Whether one key could mean both: they can be active at the same time."""
    scopes = {one.scope, other.scope}
    if "app" in scopes and "toggle_help" in (one.name, other.name):
        return True
    if "app" in scopes and "help" not in scopes:
        over = any(SCOPES[scope].get("over") for scope in scopes)
        return one.priority or other.priority or not over
    if scopes == {"interview", "bench"}:
        return not {one.name, other.name} & AWAY_FROM_BENCH
    return len(scopes) == 1 or any(scopes <= together for together in TOGETHER)


# -- the table, for the command line and for KEYS.md ------------------------------------------

INTRODUCTION = """\
# Keys

All keys of the full screen. <kbd>F1</kbd> shows those of the screen you are on. `interviewer keys`
prints them as you have set them.

Set keys of your own in `config.toml` under `[keys]`, by id; several are separated by commas:

```toml
[keys]
"interview.hint" = "ctrl+g"
"list.cursor_down" = "n,down"
```

This file is made from the table in `keys.json` by `interviewer keys --defaults --markdown`.
"""


class KeyRow(NamedTuple):
    """An action as it is listed; ``changed`` if its keys are not those of the table."""

    where: str
    id: str
    keys: tuple[str, ...]
    changed: bool
    does: str


def rows(settings: Settings | None) -> list[KeyRow]:
    """Every action with its keys, as configured or, without settings, as in the table."""
    changed = keymap(settings) if settings else {}
    keys = {each.id: tuple(split(changed.get(each.id, each.keys))) for each in ACTIONS}
    return [
        KeyRow(each.heading, each.id, keys[each.id], each.id in changed, each.does)
        for each in ACTIONS
    ]


def markdown(listed: list[KeyRow]) -> str:
    lines = [INTRODUCTION]
    for where in HEADINGS:
        lines += [f"## {where}\n", "| keys | what they do | id |", "| --- | --- | --- |"]
        for row in listed:
            if row.where == where:
                keys = " ".join(f"`{key}`" for key in row.keys)
                lines.append(f"| {keys} | {row.does} | `{row.id}` |")
        lines.append("")
    return "\n".join(lines)
