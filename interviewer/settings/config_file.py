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

    Comments, order and all other keys stay; a new key comes first, above every table. The new file
    takes the place of the old one only when it is whole. Raises SettingsError if a value is
    invalid, or the file cannot be read or written.
    """
    path = folder / CONFIG_FILE
    if secret := NEVER_WRITTEN & changes.keys():
        raise SettingsError(f"{', '.join(secret)} is not written to {path}; keep it elsewhere.")
    check_values({key: value for key, value in changes.items() if value is not None})
    import tomlkit

    document, new = _read(path), {}
    for key, value in changes.items():
        if value is None:
            document.pop(key, None)
        elif key in document:
            document[key] = value
        else:
            new[key] = value
    text = document.as_string()
    gap = "\n" if new and text.startswith("#") else ""  # else a comment would seem to be on them
    _write(path, f"{tomlkit.dumps(new)}{gap}{text}")


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
    _write(path, document.as_string())


def _write(path: Path, text: str) -> None:
    """Replace the file's text; a link to it stays a link, and its permissions stay."""
    try:
        target = path.resolve()
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o600
        put_whole(target, text.encode(), mode=mode)
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
