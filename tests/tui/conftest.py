"""Pilots that wait for the app, but not for longer than it needs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from textual import _wait

from tui import keyboard

GRANULARITY = 1 / 200
"""Seconds; Textual looks every 1/50 whether the process is idle, twice for every key."""


@pytest.fixture(scope="session", autouse=True)
def _short_waits() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        share = _wait.SLEEP_IDLE / _wait.SLEEP_GRANULARITY
        patch.setattr(_wait, "SLEEP_GRANULARITY", GRANULARITY)
        patch.setattr(_wait, "SLEEP_IDLE", GRANULARITY * share)
        yield


@pytest.fixture(autouse=True)
def _no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pilots look before they press; what the grace does has tests of its own."""
    monkeypatch.setattr(keyboard, "GRACE", 0.0)
