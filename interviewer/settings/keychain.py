"""The API key in the system's keyring: the one place besides the environment where it may be kept.

Needs the optional package ``keyring``; importing this module does not load it.
"""

from __future__ import annotations

from typing import Any

from interviewer.errors import SettingsError

SERVICE = "mock-interviewer"
_PLAIN_FILES = "keyrings.alt"
"""Backends that write the key into a file, some of them as plain text."""
NOT_INSTALLED = (
    "The package keyring is not installed: install 'mock-interviewer[keyring]', or keep the key in "
    "OPENAI_API_KEY."
)
NO_KEYRING = "This system offers no keyring that keeps secrets; keep the key in OPENAI_API_KEY."


def read_key(address: str) -> str | None:
    """The key for this address, None if none is kept for it. Raises SettingsError."""
    failed = f"The keyring did not give the key for {address}: "
    keyring = _keyring(failed)
    try:
        key: str | None = keyring.get_password(SERVICE, address)
    except keyring.errors.KeyringError as error:
        why = str(error).rstrip(".") or "it is locked"
        raise SettingsError(f"{failed}{why}. Unlock it, or set OPENAI_API_KEY.") from error
    return key


def keep_key(address: str, key: str) -> None:
    """Keep the key for this address; "" forgets it. Raises SettingsError."""
    keyring = _keyring()
    try:
        if key:
            keyring.set_password(SERVICE, address, key)
        else:
            keyring.delete_password(SERVICE, address)
    except keyring.errors.PasswordDeleteError:
        return  # there was none
    except keyring.errors.KeyringError as error:
        raise SettingsError(f"The keyring did not keep the key: {error}") from error


def _keyring(failed: str = "") -> Any:
    """The package, where it keeps secrets safely; else raises SettingsError."""
    try:
        import keyring
        import keyring.errors
    except ImportError:
        raise SettingsError(failed + NOT_INSTALLED) from None
    if not _is_safe(keyring.get_keyring()):
        raise SettingsError(failed + NO_KEYRING)
    return keyring


def _is_safe(backend: Any) -> bool:
    """Whether this backend, or one of those it tries in turn, keeps secrets safely."""
    module = type(backend).__module__
    if module.startswith(_PLAIN_FILES):
        return False
    if module == "keyring.backends.chainer":
        return any(map(_is_safe, backend.backends))
    return module not in ("keyring.backends.fail", "keyring.backends.null")
