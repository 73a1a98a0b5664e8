"""Pilots that wait for the app, but not for longer than it needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from textual import _wait
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

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


@pytest.fixture(scope="session", autouse=True)
def _style_sheets_are_parsed_once() -> Iterator[None]:
    """Every app has a style sheet of its own, of the same sources."""
    parse = Stylesheet._parse_rules
    kept: dict[tuple[Any, ...], list[RuleSet]] = {}

    def kept_or_parsed(self: Stylesheet, *args: Any, **options: Any) -> list[RuleSet]:
        variables = frozenset(self._variables.items())
        source = (variables, *args, *options.items())
        if source not in kept:
            kept[source] = parse(self, *args, **options)
        return kept[source]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", kept_or_parsed)
        yield


@pytest.fixture(autouse=True)
def _no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pilots look before they press; what the grace does has tests of its own."""
    monkeypatch.setattr(keyboard, "GRACE", 0.0)
