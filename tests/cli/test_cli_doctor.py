"""``interviewer doctor`` and the log: what works, and nothing that anyone said."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from support.command_line import FULL_ANSWER, PLAN, call, called, write_script
from support.endpoint import StubEndpoint

from interviewer.settings import load_settings, log


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


SECRET = "sk-not-for-any-log-4711"


def lines() -> list[dict[str, Any]]:
    path = log.log_file(load_settings().data_folder)
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_the_log_tells_what_happened_and_no_word_of_the_candidate(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    script = write_script(tmp_path / "script.yaml", FULL_ANSWER, "/end")
    called("--debug", "run", "--plan", PLAN, "--examiner", "offline", "--script", script)
    told = lines()
    assert {"session", "round", "answer"} <= {each["event"] for each in told}
    path = log.log_file(load_settings().data_folder)
    assert path.stat().st_mode & 0o777 == 0o600
    text = path.read_text("utf-8")
    assert SECRET not in text
    assert not [word for word in FULL_ANSWER.split() if len(word) > 6 and word in text]


def broken(*_: object, **__: object) -> None:
    raise KeyError("what the candidate said")


def test_an_error_nobody_foresaw_is_one_sentence_and_its_place_is_logged(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interviewer.rubric.library.load_library", broken)
    result = call("rubrics", "list")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: Unexpected error (KeyError: ")
    (line,) = [each for each in lines() if each["event"] == "unexpected error"]
    assert line["error"] == "KeyError"
    assert line["frames"][-1].endswith("broken")
    assert "what the candidate said" not in json.dumps(line)


def test_a_log_that_cannot_be_written_stops_nothing(config: Path) -> None:
    folder = load_settings().data_folder
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "log").write_text("in the way")
    assert called("rubrics", "list").exit_code == 0
