"""``interviewer doctor``: what works, and what does not, in sentences."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from support.command_line import call, called
from support.endpoint import StubEndpoint


@pytest.fixture(autouse=True)
def _no_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading torch takes seconds; what is said of the bench is tested with the sandbox command."""
    monkeypatch.setenv("INTERVIEWER_SANDBOX_PYTHON", "/no/such/python")


def checks(*options: str | Path) -> dict[str, dict[str, Any]]:
    """What the doctor says, by the name of the check."""
    found = json.loads(call(*options, "doctor", "--json").stdout)
    assert all(set(check) == {"name", "status", "message"} for check in found)
    return {check["name"]: check for check in found}


def test_a_fresh_machine_is_well() -> None:
    result = called("doctor")
    assert "ok: endpoint: None is configured; the offline examiner is used." in result.stdout
    assert "will be created with the first session" in result.stdout
    assert "ok: rubrics: " in result.stdout
    assert "warning: terminal: " in result.stdout


def test_a_file_that_is_no_database_of_ours_fails(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE groceries (name TEXT)")
    result = call("--database", path, "doctor")
    assert result.exit_code == 1
    assert result.stderr == "Error: Not everything works: database.\n"
    assert "failed: database: " in result.stdout
    assert "other.db" in result.stdout


def test_a_broken_rubric_is_a_warning_that_names_it(config: Path) -> None:
    (config / "rubrics" / "broken.yaml").write_text("id: [")
    (config / "rubrics" / "bare.yaml").write_text("id: bare")
    check = checks()["rubrics"]
    assert check["status"] == "warning"
    assert "bare.yaml" in check["message"]
    assert "interviewer rubrics lint" in check["message"]
    assert called("doctor").exit_code == 0


def test_an_endpoint_without_a_model_fails_with_what_to_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with StubEndpoint() as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        result = call("doctor")
    assert result.exit_code == 1
    assert "failed: model: " in result.stdout
    assert "INTERVIEWER_MODEL. The server lists stub." in result.stdout
    assert "Not everything works: model." in result.stderr
