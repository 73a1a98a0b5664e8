"""Two users of one database at the command line: each has their own sessions and nobody else's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result
from support.command_line import FULL_ANSWER, PLAN, call, called, write_script

from interviewer.settings.database_url import Place, Server

MISSING = "ffffffffff"
"""An id as long as any, which nobody has."""

pytestmark = pytest.mark.usefixtures("config")


@pytest.fixture(autouse=True)
def _shared(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    where = place.url if isinstance(place, Server) else str(place)
    monkeypatch.setenv("INTERVIEWER_DATABASE", where)
    monkeypatch.setenv("INTERVIEWER_SANDBOX_PYTHON", "/no/such/python")


@pytest.fixture
def finished(tmp_path: Path) -> str:
    """The id of a session that Ada held, and graded again."""
    script = write_script(tmp_path / "script.yaml", FULL_ANSWER, "/end")
    called("--user", "ada", "run", "--plan", PLAN, "--script", script)
    (row,) = listed("ada")
    called("--user", "ada", "sessions", "regrade", row, "--examiner", "offline")
    return row


def listed(user: str) -> list[str]:
    found = json.loads(called("--user", user, "sessions", "list", "--json").stdout)
    return [row["id"] for row in found]


def told(result: Result) -> tuple[int, str]:
    return result.exit_code, result.output


def test_anothers_session_answers_as_one_that_does_not_exist(finished: str) -> None:
    export = ("--user", "ada", "sessions", "export", finished, "--format", "json")
    kept = called(*export).stdout
    for words in (
        ("show", "ID"),
        ("show", "ID", "--json"),
        ("export", "ID"),
        ("export", "ID", "--format", "json"),
        ("delete", "ID", "--yes"),
        ("repair", "ID"),
        ("regrade", "ID", "--examiner", "offline"),
        ("diff", "ID"),
        ("resume", "ID"),
    ):
        command = ("run", "--resume", "ID") if words[0] == "resume" else ("sessions", *words)

        def ask(session: str, command: tuple[str, ...] = command) -> tuple[int, str]:
            asked = (session if word == "ID" else word for word in command)
            code, said = told(call("--user", "bea", *asked))
            return code, said.replace(session, "ID")

        assert ask(finished) == ask(MISSING), words
        assert ask(finished[:4])[0] == ask(MISSING)[0] == 1, words
    assert called(*export).stdout == kept
