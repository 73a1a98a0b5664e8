"""Writing the config file: single keys change, everything else in it stays as the user wrote it."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING

from interviewer.content.files import put_whole
from interviewer.errors import SettingsError
from interviewer.names import all_names
from interviewer.settings import CONFIG_FILE, check_values

if TYPE_CHECKING:
    import tomlkit

Value = str | float | bool | None
"""What a key is set to; None removes it."""
NEVER_WRITTEN = frozenset({"api_key"})


def save(folder: Path, changes: Mapping[str, Value]) -> None:
    """Change these keys of the file in ``folder``, which is made if it is not there.

    Comments, order and all other keys stay. The new file takes the place of the old one only when
    it is whole. Raises SettingsError if a value is invalid, or the file cannot be read or written.
    """
    path = folder / CONFIG_FILE
    if secret := NEVER_WRITTEN & changes.keys():
        raise SettingsError(f"{', '.join(secret)} is not written to {path}; keep it elsewhere.")
    check_values({key: value for key, value in changes.items() if value is not None})
    import tomlkit

    document = _read(path)
    for key, value in changes.items():
        if value is None:
            document.pop(key, None)
        elif key in document:
            document[key] = value
        else:
            document = tomlkit.parse(_with_new(document, key, value))
    _write(path, document)


def save_keys(folder: Path, changes: Mapping[str, str | None]) -> None:
    """Set the keys of these actions in ``[keys]``; None takes the entry away.

    All else stays as it is. Raises SettingsError as ``save`` does.
    """
    path = folder / CONFIG_FILE
    check_values({"keys": {action: keys for action, keys in changes.items() if keys is not None}})
    import tomlkit

    document = _read(path)
    table = document.get("keys")
    if table is None:
        document["keys"] = tomlkit.table()
        table = document["keys"]
    for each in (name for action in changes for name in all_names(action)):
        scope, _, name = each.partition(".")
        nested = table.get(scope)
        place, key = (nested, name) if isinstance(nested, MutableMapping) else (table, each)
        if (keys := changes.get(each)) is None:
            place.pop(key, None)
        else:
            place[key] = keys
    _write(path, document)


def _write(path: Path, document: tomlkit.TOMLDocument) -> None:
    try:
        _replace(path, document.as_string())
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror}.") from error


def _read(path: Path) -> tomlkit.TOMLDocument:
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        return tomlkit.parse(path.read_bytes().decode())
    except FileNotFoundError:
        return tomlkit.document()
    except (OSError, ValueError, TOMLKitError) as error:
        raise SettingsError(f"{path} cannot be read: {error}. Fix or remove the file.") from error


def _with_new(document: tomlkit.TOMLDocument, key: str, value: str | float | bool) -> str:
    """The text with a new key, above the comment of the first table rather than under it."""
    import tomlkit

    line = f"{key} = {tomlkit.item(value).as_string()}\n"
    text = document.as_string()
    lines = text.splitlines(keepends=True)
    at = next((i for i, each in enumerate(lines) if each.lstrip().startswith("[")), len(lines))
    while at > 0 and lines[at - 1].lstrip()[:1] in ("", "#") and at < len(lines):
        at -= 1
    if at == 0 and lines[:1] and lines[0].startswith("#"):
        line += "\n"
    if at and not lines[at - 1].endswith("\n"):
        lines[at - 1] += "\n"
    placed = "".join([*lines[:at], line, *lines[at:]])
    document[key] = value
    try:
        kept = tomlkit.parse(placed).unwrap() == document.unwrap()
    except tomlkit.exceptions.TOMLKitError:
        kept = False
    return placed if kept else document.as_string()


def _replace(path: Path, text: str) -> None:
    """Replace the file's text; a link to it stays a link, and its permissions stay."""
    target = path.resolve()
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o600
    put_whole(target, text.encode(), mode=mode)
