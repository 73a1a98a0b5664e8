"""Fixtures for all tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from interviewer.store.store import Store


@pytest.fixture(autouse=True)
def _own_folders(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No test reads or writes the folders of the person who runs it, nor uses their key."""
    # One for all tests, so that the shipped rubrics are parsed once.
    monkeypatch.setenv("INTERVIEWER_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "cache"))
    monkeypatch.setenv("INTERVIEWER_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("INTERVIEWER_DATA_DIR", str(tmp_path / "data"))
    for variable in (
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "INTERVIEWER_MODEL",
        "INTERVIEWER_EXAMINER",
        "INTERVIEWER_DATABASE",
        "INTERVIEWER_RUBRICS",
        "INTERVIEWER_PROJECT",
        "INTERVIEWER_THEME",
        "INTERVIEWER_SEND_KEY",
        "INTERVIEWER_TIMEOUT",
        "INTERVIEWER_SANDBOX_PYTHON",
    ):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A real database file."""
    opened = Store(tmp_path / "sessions.db")
    yield opened
    opened.close()
