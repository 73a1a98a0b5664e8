"""Writing the config file: single keys change, everything else in it stays as the user wrote it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from interviewer.content.files import put_whole
from interviewer.errors import SettingsError
from interviewer.settings import CONFIG_FILE, check_values

Value = str | float | bool | None
"""What a key is set to; None removes it."""


def save(folder: Path, changes: Mapping[str, Value]) -> None:
    """Change these keys of the file in ``folder``, which is made if it is not there.

    Comments, order and all other keys stay; a new key comes first, above every table. The new file
    takes the place of the old one only when it is whole; a link to it stays a link. Raises
    SettingsError if a value is invalid, or the file cannot be read or written.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    path = folder / CONFIG_FILE
    if "api_key" in changes:
        raise SettingsError(f"api_key is not written to {path}; keep it elsewhere.")
    check_values({key: value for key, value in changes.items() if value is not None})
    try:
        document = tomlkit.parse(path.read_bytes().decode())
    except FileNotFoundError:
        document = tomlkit.document()
    except (OSError, ValueError, TOMLKitError) as error:
        raise SettingsError(f"{path} cannot be read: {error}. Fix or remove the file.") from error
    new = {}
    for key, value in changes.items():
        if value is None:
            document.pop(key, None)
        elif key in document:
            document[key] = value
        else:
            new[key] = value
    text = document.as_string()
    gap = "\n" if new and text.startswith("#") else ""  # else a comment would seem to be on them
    try:
        target = path.resolve()
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o600
        put_whole(target, f"{tomlkit.dumps(new)}{gap}{text}".encode(), mode=mode)
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror}.") from error
