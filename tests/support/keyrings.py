"""A keyring for tests."""

from __future__ import annotations

from typing import ClassVar

import keyring
from keyring.backend import KeyringBackend


class InMemory(KeyringBackend):
    """A keyring that forgets everything at the end of the test."""

    priority: ClassVar[float] = 1

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.kept.pop((service, username), None) is None:
            raise keyring.errors.PasswordDeleteError
