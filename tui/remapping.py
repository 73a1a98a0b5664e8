"""The keys as they are set: in one table, and what is wrong with keys of one's own."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from textual.binding import Binding
from textual.keys import KEY_NAME_REPLACEMENTS, Keys, key_to_character

from tui.actions import (
    ACTIONS,
    AWAY_FROM_BENCH,
    BY_ID,
    HEADINGS,
    SCOPES,
    TOGETHER,
    Action,
    keymap,
)

if TYPE_CHECKING:
    from interviewer.settings import Settings

SAME_IN_TERMINALS = {
    "ctrl+i": "tab",
    "ctrl+m": "enter",
    "ctrl+h": "backspace",
    "ctrl+left_square_bracket": "escape",
}
"""Keys that most terminals send as another one."""
_MODIFIERS = ("ctrl+", "shift+", "alt+", "super+", "hyper+", "meta+")
_NAMED = frozenset(key.value.rpartition("+")[2] for key in Keys)
_ALWAYS_SENT_WITH_CTRL = frozenset("abcdefghijklmnopqrstuvwxyz") | {
    *("up", "down", "left", "right", "home", "end", "pageup", "pagedown", "insert", "delete"),
    *("at", "space", "backslash", "right_square_bracket", "circumflex_accent", "underscore"),
    *(f"f{number}" for number in range(1, 25)),
}
_LONG_NAMES = {short: long for long, short in KEY_NAME_REPLACEMENTS.items()}
"""Textual finds a key's character by its name in Unicode, but writes some names shorter."""


class Conflict(NamedTuple):
    """Two actions that have a key at the same time."""

    key: str
    mine: Action
    other: Action

    def __str__(self) -> str:
        return f"[keys] gives {self.key} to {self.mine.id!r}, but {self.other.id!r} has it too."


def split(keys: str) -> list[str]:
    """The keys of one string, by name: "?" is "question_mark"."""
    return [each.key for each in Binding.make_bindings([Binding(keys, "")])]


def character_of(key: str) -> str | None:
    """What the key types, None for a key that types nothing."""
    return key_to_character(_LONG_NAMES.get(key, key))


def problems(keys: Mapping[str, str]) -> list[str]:
    """A sentence for each id, key and conflict in ``[keys]`` that somebody has to look at."""
    unknown = [_unknown(wrong) for wrong in keys if wrong not in BY_ID]
    useless = [
        f"[keys] gives {keys[each]} to {each!r}, but {why}."
        for each in keys
        if each in BY_ID and (why := trouble(BY_ID[each], keys[each]))
    ]
    return [*unknown, *useless, *map(str, conflicts(keys))]


def conflicts(keys: Mapping[str, str]) -> list[Conflict]:
    """Each key that an action got and another has at the same time.

    A key that two actions share in the table is shared on purpose.
    """
    return [
        found
        for mine in keys
        if mine in BY_ID
        for found in conflicts_of(mine, keys)
        if found.other.id not in keys or mine < found.other.id
    ]


def conflicts_of(mine: str, keys: Mapping[str, str]) -> Iterator[Conflict]:
    """The conflicts of one action, if the keys are these."""
    action = BY_ID[mine]
    for other in ACTIONS:
        if other.id != mine and meet(action, other):
            shared = set(split(action.keys)) & set(split(other.keys))
            theirs = split(keys.get(other.id, other.keys))
            for key in dict.fromkeys(split(keys.get(mine, action.keys))):
                if key in theirs and key not in shared:
                    yield Conflict(key, action, other)


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


def swapped(keys: Mapping[str, str], mine: str, new: str) -> dict[str, str]:
    """The changes that give ``new`` to an action, and its old keys to those that had the new."""
    before = split(keys.get(mine, BY_ID[mine].keys))
    spare = [key for key in before if key not in split(new)]
    changes = {mine: new}
    for other in dict.fromkeys(c.other for c in conflicts_of(mine, {**keys, mine: new})):
        theirs = split(keys.get(other.id, other.keys))
        left = [key for key in theirs if key not in split(new)]
        if not left:
            left, spare = spare, []
        if left:
            changes[other.id] = ",".join(left)
    return changes


def trouble(action: Action, keys: str) -> str:
    """Why the action could not be reached by one of these keys, or would stop typing; or ""."""
    each = split(keys)
    found = (_misnamed(key) or _sent_as(key) or typed_as_text(action, key) for key in each)
    if why := next(filter(None, found), ""):
        return why
    if all(map(_needs_protocol, each)):
        return f"only terminals with the Kitty keyboard protocol send {' or '.join(each)}"
    return ""


def _misnamed(key: str) -> str:
    base = key
    while base.startswith(_MODIFIERS):
        base = base.partition("+")[2]
    if len(base) == 1 or base in _NAMED or character_of(base):
        return ""
    return f"there is no key {key!r}"


def _sent_as(key: str) -> str:
    as_other = SAME_IN_TERMINALS.get(key)
    return f"most terminals send {key} as {as_other}" if as_other else ""


def sent_alike(key: str) -> str:
    """What else the terminal sends as this key, for one that was pressed; or ""."""
    alike = [other for other, sent in SAME_IN_TERMINALS.items() if sent == key]
    return f"In most terminals {alike[0]} is the same key as {key}." if alike else ""


def typed_as_text(action: Action, key: str) -> str:
    """Why the key stays a character in the editors where the action is; "" if it can be a key."""
    character = character_of(key)
    if not character or unicodedata.category(character).startswith("C"):
        return ""
    if action.priority or SCOPES[action.scope].get("typed"):
        return f"{key} is typed as text where this action is"
    return ""


def _needs_protocol(key: str) -> bool:
    *modifiers, base = key.split("+") if len(key) > 1 else [key]
    if modifiers == ["ctrl"]:
        return base not in _ALWAYS_SENT_WITH_CTRL
    if base in ("enter", "escape", "space", "backspace", "tab"):
        return bool(modifiers) and modifiers not in (["alt"], ["shift"] if base == "tab" else [])
    return "super" in modifiers or "hyper" in modifiers or modifiers == ["ctrl", "shift"]


def _unknown(wrong: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(wrong, BY_ID, 1)
    hint = f"; did you mean {close[0]!r}?" if close else "."
    return f"[keys] names {wrong!r}, which is not an action{hint}"


# -- the table, for the command line and for KEYS.md ------------------------------------------

INTRODUCTION = """\
# Keys

All keys of the full screen. <kbd>F1</kbd> shows those of the screen you are on. Settings
(<kbd>F10</kbd>, then <kbd>F6</kbd>) list all of them: press <kbd>Enter</kbd>, then the new key.
`interviewer keys` prints them as you have set them.

Ids are the names for `[keys]` in `config.toml`, where several keys are separated by commas:

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
    return [
        KeyRow(
            action.heading,
            action.id,
            tuple(split(changed.get(action.id, action.keys))),
            action.id in changed,
            action.does,
        )
        for action in ACTIONS
    ]


def markdown(listed: list[KeyRow]) -> str:
    """The table with its introduction."""
    lines = [INTRODUCTION]
    for where in HEADINGS:
        lines += [f"## {where}\n", "| keys | what they do | id |", "| --- | --- | --- |"]
        for row in listed:
            if row.where == where:
                keys = " ".join(f"`{key}`" for key in row.keys)
                lines.append(f"| {keys} | {row.does} | `{row.id}` |")
        lines.append("")
    return "\n".join(lines)
