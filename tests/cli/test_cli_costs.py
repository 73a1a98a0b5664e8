"""``interviewer sessions costs``, what ``sessions show`` says of money, and the month's budget."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from support.command_line import PLAN, call, called
from support.endpoint import StubEndpoint
from support.tables import table

from interviewer.errors import SettingsError
from interviewer.examiner.protocol import ModelCall
from interviewer.report.costs import (
    about_prices,
    bill,
    price_of,
    spent_this_month,
)
from interviewer.settings import load_settings
from interviewer.store.records import SpentRow
from interviewer.store.store import Store

CASES = table("cli_costs", __file__)

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)


def used(model: str, prompt: int = 1_000_000, cached: int = 0, completion: int = 0) -> SpentRow:
    return SpentRow("2026-05-20", "5e55", model, 1, prompt, cached, completion)


def a_call(model: str, prompt: int | None = 1000, cached: int | None = 200) -> dict[str, Any]:
    return asdict(ModelCall("judge", "judge-1", model, "ok", 12, None, prompt, cached, 100))


def log(tmp_path: Path, session: str, at: datetime, calls: Sequence[dict[str, Any]]) -> None:
    with closing(Store(tmp_path / "data" / "sessions.db")) as store:
        store.log_calls(session, at, calls)


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
    assert "2025" in about_prices()


def test_ones_own_prices_count_before_those_listed(tmp_path: Path) -> None:
    config = tmp_path / "config"
    write_config(config, 'model = "m"\nprice = 3\n[prices."gpt-5"]\ninput = 7\noutput = 9\n')
    settings = load_settings()
    assert price_of(settings, "gpt-5") != price_of(settings, "gpt-5-mini")
    assert bill(settings, [used("gpt-5", cached=500_000, completion=1_000_000)]).money == 16
    assert bill(settings, [used("m", completion=1_000_000)]).money == 6


@pytest.mark.parametrize("text", CASES["what_is_no_price_or_budget_is_said_in_a_sentence"])
def test_what_is_no_price_or_budget_is_said_in_a_sentence(tmp_path: Path, text: str) -> None:
    write_config(tmp_path / "config", text)
    with pytest.raises(SettingsError, match=r"config\.toml sets (prices|budget) "):
        load_settings()


def test_costs_by_month_and_session(finished: str, tmp_path: Path) -> None:
    assert "nothing was spent" in called("sessions", "costs").stdout
    assert "tokens" not in called("sessions", "show", finished).stdout
    log(tmp_path, finished, NOW, [a_call("gpt-5"), a_call("gpt-5"), a_call("unheard-of")])
    log(tmp_path, finished, NOW - timedelta(days=40), [a_call("gpt-5", None, None)])
    months = json.loads(called("sessions", "costs", "--json").stdout)
    assert [(each["month"], each["calls"]) for each in months] == [("2026-04", 1), ("2026-05", 3)]
    assert months[1]["prompt_tokens"] == 3000
    assert months[1]["money"] == pytest.approx(2 * (800 * 1.25 + 200 * 0.125 + 100 * 10) / 1e6)
    assert months[1]["unpriced"] == ["unheard-of"]
    table = called("sessions", "costs", "--by", "session").stdout
    assert finished in table
    assert "No price is known for unheard-of" in table
    shown = called("sessions", "show", finished).stdout
    assert "Asked of models: 4 calls, 3,000 tokens sent (600 cached) and 400 received" in shown


def test_a_month_begins_on_its_first(finished: str, tmp_path: Path) -> None:
    log(tmp_path, finished, NOW.replace(day=1, hour=0), [a_call("gpt-5")])
    log(tmp_path, finished, NOW.replace(day=1, hour=0) - timedelta(seconds=1), [a_call("gpt-5")])
    with closing(Store(tmp_path / "data" / "sessions.db")) as store:
        assert spent_this_month(load_settings(), store, NOW).calls == 1


def test_a_budget_asks_before_it_is_passed(config: Path, finished: str, tmp_path: Path) -> None:
    write_config(config, 'budget = 1.0\n[prices."stub"]\ninput = 5\noutput = 5\n')
    with StubEndpoint() as stub:
        endpoint = ("--base-url", stub.base_url, "--model", "stub")
        mock = (*endpoint, "run", "--plan", PLAN, "--examiner", "llm")
        again = (*endpoint, "sessions", "regrade", "--all", "--examiner", "llm", "--yes")
        log(tmp_path, finished, datetime.now(UTC), [a_call("stub", 199_000, 0)])
        refused = call(*mock)  # 0.9955 is spent, and the shortest mock takes more than the rest
        assert refused.exit_code == 2
        assert "The budget of 1.00 a month would be passed: 0.9955 is spent" in refused.stderr
        log(tmp_path, finished, datetime.now(UTC), [a_call("stub", 11_000, 0)])
        one = (*endpoint, "sessions", "regrade", finished, "--examiner", "llm")
        appeal = (*endpoint, "sessions", "appeal", finished, "1", "variance", "--remark", "I did.")
        for command, code in ((again, 2), (one, 2), (appeal, 1)):
            refused = call(*command)
            assert refused.exit_code == code
            assert "would be passed: 1.05 is spent" in refused.stderr
        assert stub.requests == []
        called(*again, "--over-budget")
        assert stub.requests
    assert "of the budget of 1.00" in called("sessions", "costs").stdout
