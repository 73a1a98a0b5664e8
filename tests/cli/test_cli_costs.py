"""Prices of models, and what ``sessions show`` says a session cost."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from support.command_line import called
from support.tables import table

from interviewer.errors import SettingsError
from interviewer.examiner.protocol import ModelCall
from interviewer.report.costs import (
    bill,
    price_of,
)
from interviewer.settings import load_settings
from interviewer.store.records import SpentRow
from interviewer.store.store import Store

CASES = table("cli_costs", __file__)

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)


def used(model: str, cached: int = 0) -> SpentRow:
    return SpentRow(model, 1, 1_000_000, cached, 1_000_000)


def a_call(model: str, prompt: int | None = 1000, cached: int | None = 200) -> dict[str, Any]:
    return asdict(ModelCall("judge", "judge-1", model, "ok", 12, None, prompt, cached, 100))


def write_config(config: Path, text: str) -> None:
    config.mkdir(exist_ok=True)
    (config / "config.toml").write_text(text, "utf-8")


def test_a_listed_model_has_its_price_by_any_dated_name() -> None:
    settings = load_settings()
    listed = price_of(settings, "gpt-5-mini")
    assert listed == price_of(settings, "gpt-5-mini-2025-08-07")
    assert price_of(settings, "gpt-5-mini-or-so") is None
    assert listed is not None
    assert listed.of(1_000_000, 0, 0) == listed.input
    assert listed.of(1_000_000, 1_000_000, 1_000_000) == listed.cached + listed.output


def test_ones_own_prices_count_before_those_listed(tmp_path: Path) -> None:
    config = tmp_path / "config"
    write_config(config, 'model = "m"\nprice = 3\n[prices."gpt-5"]\ninput = 7\noutput = 9\n')
    settings = load_settings()
    assert price_of(settings, "gpt-5") != price_of(settings, "gpt-5-mini")
    assert bill(settings, [used("gpt-5", cached=500_000)]).endswith(" received, about 16.00")
    assert bill(settings, [used("m")]).endswith(" received, about 6.00")


@pytest.mark.parametrize("text", CASES["what_is_no_price_is_said_in_a_sentence"])
def test_what_is_no_price_is_said_in_a_sentence(tmp_path: Path, text: str) -> None:
    write_config(tmp_path / "config", text)
    with pytest.raises(SettingsError, match=r"config\.toml sets prices "):
        load_settings()


def test_a_session_is_shown_with_what_it_cost(finished: str, tmp_path: Path) -> None:
    assert "tokens" not in called("sessions", "show", finished).stdout
    calls = [a_call("gpt-5"), a_call("gpt-5"), a_call("unheard-of")]
    with closing(Store(tmp_path / "data" / "sessions.db")) as store:
        store.log_calls(finished, NOW, calls)
        store.log_calls(finished, NOW - timedelta(days=40), [a_call("gpt-5", None, None)])
    shown = called("sessions", "show", finished).stdout
    assert "Asked of models: 4 calls, 3,000 tokens sent (600 cached) and 400 received" in shown
