"""The keys as one table, for the command line and for KEYS.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from tui.actions import ACTIONS, EVERYWHERE, HEADINGS, keymap
from tui.remapping import problems, split

if TYPE_CHECKING:
    from interviewer.settings import Settings

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

This file is made from the table in `actions.py` by `interviewer keys --defaults --markdown`.
"""


class KeyRow(NamedTuple):
    """An action as it is listed."""

    where: str
    id: str
    keys: tuple[str, ...]
    changed: bool
    """Its keys are not those of the table."""
    does: str


def rows(settings: Settings | None) -> list[KeyRow]:
    """Every action with its keys, as configured or, without settings, as in the table."""
    changed: Mapping[str, str] = keymap(settings) if settings else {}
    return [
        KeyRow(
            HEADINGS[action.scope],
            action.id,
            tuple(split(changed.get(action.id, action.keys))),
            action.id in changed,
            action.does,
        )
        for action in ACTIONS
    ]


def told(settings: Settings) -> list[str]:
    """What is wrong with the keys of the user's own."""
    return problems(settings.keys)


def markdown(listed: list[KeyRow]) -> str:
    """The table with its introduction."""
    return "\n".join([INTRODUCTION, *_sections(listed)])


def _sections(listed: list[KeyRow]) -> Iterator[str]:
    for where in sorted(dict.fromkeys(row.where for row in listed), key=EVERYWHERE.__eq__):
        yield f"## {where}\n"
        yield "| keys | what they do | id |"
        yield "| --- | --- | --- |"
        for row in listed:
            if row.where == where:
                keys = " ".join(f"`{key}`" for key in row.keys)
                yield f"| {keys} | {row.does} | `{row.id}` |"
        yield ""
