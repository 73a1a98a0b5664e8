"""The API key in the system's keyring."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoKeyring
from keyring.errors import KeyringLocked
from support.keyrings import InMemory

from interviewer.errors import SettingsError
from interviewer.examiner.llm.endpoint import DEFAULT_MODEL, endpoint_of, model_of
from interviewer.settings import keychain, load_settings

ADDRESS = "https://api.openai.com/v1"


class PlainFile(InMemory):
    """As keyrings.alt has them."""


class Locked(InMemory):
    """Whose owner closed the question for the password."""

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked("The prompt was dismissed.")


PlainFile.__module__ = "keyrings.alt.file"


@pytest.fixture
def backend() -> Iterator[InMemory]:
    before, backend = keyring.get_keyring(), InMemory()
    keyring.set_keyring(backend)
    yield backend
    keyring.set_keyring(before)


def test_a_key_kept_is_the_one_that_the_endpoint_gets_until_it_is_forgotten(
    backend: InMemory,
) -> None:
    keychain.keep_key(ADDRESS, "sk-kept")
    settings = load_settings(key_in_keyring=True)
    assert settings.endpoint_configured
    assert endpoint_of(settings).key == "sk-kept"
    assert endpoint_of(load_settings(key_in_keyring=True, api_key="sk-set")).key == "sk-set"
    elsewhere = load_settings(key_in_keyring=True, base_url="https://other.test/v1", model="m")
    assert endpoint_of(elsewhere).key is None
    for _ in range(2):
        keychain.keep_key(ADDRESS, "")
    assert keychain.read_key(ADDRESS) is None


NOT_GIVEN = r"did not give the key .* keep the key in OPENAI_API_KEY"
WITHOUT = r"mock-interviewer\[keyring\]"


@pytest.mark.parametrize(
    ("unfit", "kept", "read"),
    [
        (NoKeyring, "no keyring that keeps secrets", NOT_GIVEN),
        (PlainFile, "no keyring that keeps secrets", NOT_GIVEN),
        (None, WITHOUT, WITHOUT),
    ],
)
def test_without_a_safe_keyring_or_its_package_it_says_so_plainly(
    backend: InMemory,
    monkeypatch: pytest.MonkeyPatch,
    unfit: type[KeyringBackend] | None,
    kept: str,
    read: str,
) -> None:
    if unfit:
        keyring.set_keyring(unfit())
    else:
        monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(SettingsError, match=kept):
        keychain.keep_key(ADDRESS, "sk-kept")
    with pytest.raises(SettingsError, match=read):
        keychain.read_key(ADDRESS)


def test_a_locked_keyring_is_not_taken_for_one_without_a_key(backend: InMemory) -> None:
    keyring.set_keyring(Locked())
    settings = load_settings(key_in_keyring=True)
    with pytest.raises(SettingsError, match=r"did not give the key .*dismissed\. Unlock it"):
        endpoint_of(settings)
    assert model_of(settings) == DEFAULT_MODEL
    assert endpoint_of(load_settings(key_in_keyring=True, api_key="sk-set")).key == "sk-set"
