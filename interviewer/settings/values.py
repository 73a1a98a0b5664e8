"""What the value of each setting may be, in a file, a variable or a flag.

A reader raises ValueError with the rest of a sentence that begins "config.toml sets user …".
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

from interviewer.errors import InterviewerError
from interviewer.names import RETIRED, current
from interviewer.paths import expanded
from interviewer.settings.database_url import Place, Server, fault_in, is_address

SendKey = Literal["ctrl+s", "enter"]
Clock = Literal["always", "late"]
ExaminerChoice = Literal["offline", "llm"]
LONGEST_NAME = 63
"""Bytes of a user's name, as PostgreSQL has it of its own users."""


def read_value(name: str, value: Any) -> Any:
    """The value of this setting. Raises ValueError, which never quotes a key or an address."""
    reader = _READERS.get(name)
    return reader(value) if reader else _text(value)


def user_name(value: Any) -> str:
    """One name however its accents are written. Raises ValueError."""
    from unicodedata import normalize  # most settings name nobody

    name = normalize("NFC", _text(value))
    if (size := len(name.encode())) > LONGEST_NAME:
        raise ValueError(f"to a name of {size} bytes; give one of {LONGEST_NAME} at most")
    return name


def path(value: Any) -> Path:
    """A path with the home folder filled in. Raises ValueError."""
    if not isinstance(value, str | Path) or not str(value).strip():
        raise ValueError(f"to {value!r}; give a path in quotes")
    try:
        return expanded(value)
    except InterviewerError as error:
        raise ValueError(f"to a path that cannot be used: {str(error).rstrip('.')}") from error


def _text(value: Any, *, may_hold: str = "", secret: bool = False) -> str:
    if not isinstance(value, str) or not value.strip():
        told = "what cannot be used" if secret else repr(value)
        raise ValueError(f"to {told}; give a non-empty string")
    text = value.strip()
    if not all(character.isprintable() for character in set(text) - set(may_hold)):
        raise ValueError(
            "to text with a line break or another control character in it; write it again without"
        )
    return text


def _place(value: Any) -> Place:
    if not is_address(value):
        return path(value)
    if fault := fault_in(value):
        raise ValueError(f"to {fault}")
    return Server(value)


def _folders(value: Any) -> tuple[Path, ...]:
    parts = value.split(os.pathsep) if isinstance(value, str) else value
    if not isinstance(parts, list | tuple):
        raise ValueError(f"to {value!r}; give a list of folders")
    folders = tuple(path(part) for part in parts if part != "")
    for folder in folders:
        if not folder.is_dir():
            raise ValueError(f"to {str(folder)!r}, which is not a folder")
    return folders


def _amount(value: Any, *, what: str = "a number") -> float:
    try:
        number = 0.0 if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = 0.0
    if not 0 < number < float("inf"):
        raise ValueError(f"to {value!r}; give {what} above 0")
    return number


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"to {value!r}; use true or false")
    return value


def _choice(value: Any, *, of: tuple[str, ...]) -> str:
    if value not in of:
        raise ValueError(f"to {value!r}; use {' or '.join(of)}")
    return str(value)


def _keys(value: Any) -> dict[str, str]:
    """Both spellings: "interview.hint" = "ctrl+g" and TOML's nested interview.hint = "ctrl+g"."""
    flat: dict[str, Any] = {}
    for name, entry in (value if isinstance(value, Mapping) else {"": value}).items():
        nested = entry if isinstance(entry, Mapping) else {None: entry}
        flat |= {f"{name}.{action}" if action else name: keys for action, keys in nested.items()}
    for action, keys in flat.items():
        if not (action and isinstance(keys, str) and all(k.strip() for k in keys.split(","))):
            raise ValueError(
                f"of {action!r} to {keys!r}; [keys] is a table of actions, each with its keys in "
                'one string, such as "interview.hint" = "ctrl+t,f7"'
            )
    renamed = {current(action): keys for action, keys in flat.items() if action in RETIRED}
    return renamed | {action: keys for action, keys in flat.items() if action not in RETIRED}


def _prices(value: Any) -> dict[str, dict[str, float]]:
    prices = {}
    for model, given in (value if isinstance(value, Mapping) else {"": value}).items():
        values = {"cached": given.get("input"), **given} if isinstance(given, Mapping) else {}
        sound = values.keys() == {"input", "cached", "output"} and all(
            map(_is_price, values.values())
        )
        if not (model and sound):
            raise ValueError(
                f'of {model!r} to {given!r}; [prices."MODEL"] has input, output and, if it '
                "differs, cached: numbers for a million tokens"
            )
        prices[model] = values
    return prices


def _is_price(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0 <= value < float("inf")


_READERS: dict[str, Callable[[Any], Any]] = {
    "api_key": partial(_text, secret=True),
    "base_url": partial(_text, secret=True),
    "clock": partial(_choice, of=get_args(Clock)),
    "database": _place,
    "examiner": partial(_choice, of=get_args(ExaminerChoice)),
    "key_in_keyring": _flag,
    "keys": _keys,
    "price": _amount,
    "prices": _prices,
    "project": partial(_text, may_hold="\n\t"),
    "rubric_folders": _folders,
    "sandbox_python": lambda value: path(value).absolute(),
    "send_key": partial(_choice, of=get_args(SendKey)),
    "timeout": partial(_amount, what="a number of seconds"),
    "user": user_name,
}
"""All others are text on one line."""
