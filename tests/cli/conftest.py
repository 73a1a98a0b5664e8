"""Fixtures for the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import GAP, hold, write_plan, write_rubric


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A config folder with a rubric and a plan of one's own."""
    folder = tmp_path / "config"
    write_rubric(folder)
    write_plan(folder)
    return folder


@pytest.fixture
def finished(config: Path, tmp_path: Path) -> str:
    """The id of a finished session, in which one of two points was made."""
    return hold(tmp_path, GAP, "/skip")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file for the sessions of a test that is about files alone."""
    return tmp_path / "data" / "sessions.db"
