"""The keys as they are set: in one table, and what is wrong with keys of one's own."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
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

_NAMED = frozenset(key.value.rpartition("+")[2] for key in Keys)
_LONG_NAMES = {short: long for long, short in KEY_NAME_REPLACEMENTS.items()}
"""Textual finds a key's character by its name in Unicode, but writes some names shorter."""


def split(keys: str) -> list[str]:
    """The keys of one string, by name: "?" is "question_mark"."""
    return [each.key for each in Binding.make_bindings([Binding(keys, "")])]


def character_of(key: str) -> str | None:
    """What the key types, None for a key that types nothing."""
    return key_to_character(_LONG_NAMES.get(key, key))


def problems(keys: Mapping[str, str]) -> list[str]:
    """A sentence for each id, key and conflict in ``[keys]`` that somebody has to look at."""
    return list(_problems(keys))


def _problems(keys: Mapping[str, str]) -> Iterator[str]:
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
    lines = [INTRODUCTION]
    for where in HEADINGS:
        lines += [f"## {where}\n", "| keys | what they do | id |", "| --- | --- | --- |"]
        for row in listed:
            if row.where == where:
                keys = " ".join(f"`{key}`" for key in row.keys)
                lines.append(f"| {keys} | {row.does} | `{row.id}` |")
        lines.append("")
    return "\n".join(lines)
