"""The whole command line with its sessions on a server."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import PLAN, call, called, write_script
from support.postgres import Postgres

from interviewer.settings import load_settings, log

pytestmark = pytest.mark.postgres

PASSWORD = "5318008"


@pytest.fixture
def url(postgres: Postgres, config: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of an empty database, where all commands find their sessions."""
    database = str(postgres.empty()).rpartition("/")[2]
    url = postgres.address(database, f"ada:{PASSWORD}").url
    monkeypatch.setenv("INTERVIEWER_DATABASE", url)
    return url


def test_the_doctor_looks_at_the_server(url: str) -> None:
    assert "will get its tables with the first session" in call("doctor").stdout
    called("sessions", "list")
    assert "holds no sessions of user ada" in call("doctor").stdout


def test_a_backup_is_left_to_the_tools_of_the_server(url: str) -> None:
    result = call("sessions", "backup")
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert "pg_dump" in result.stderr


def test_a_server_that_is_not_there_is_one_sentence(url: str) -> None:
    away = url.replace("?host=", "?host=/nowhere")
    for command in (["sessions", "list"], ["run", "--plan", PLAN]):
        result = call("--database", away, *command)
        assert result.exit_code == 1
        assert "cannot be reached" in result.stderr
        assert result.stderr.count("\n") == 1
        assert PASSWORD not in result.output


def test_the_password_is_never_told(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERVIEWER_SANDBOX_PYTHON", "/bin/false")  # the bench is not needed
    script = write_script(tmp_path / "script.yaml", "An answer.")
    told = called("--debug", "--database", url, "run", "--plan", PLAN, "--script", script).output
    told += call("--debug", "--database", url.replace("?host=", "?host=/no"), "doctor").output
    told += log.log_file(load_settings().data_folder).read_text("utf-8")
    assert PASSWORD not in told
