"""Hostile texts in a session: nothing that is printed or written of it is more than text."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import yaml
from support.command_line import call, called
from support.hostile_texts import FINISHED, TEXTS, practised, steering, told_in

ALL = set(TEXTS)


def test_what_is_printed_and_exported_is_text(tmp_path: Path) -> None:
    practised(tmp_path / "data" / "sessions.db")
    called("sessions", "regrade", FINISHED, "--examiner", "offline")
    for command, expected in (
        (("show", FINISHED), ALL),
        (("show", FINISHED, "--json"), ALL),
        (("show", "5e55100001"), {"osc"}),
        (("list",), ALL),
        (("list", "--json"), ALL),
        (("search", "textual"), {"textual"}),
        (("diff", FINISHED), ALL),
        (("export", FINISHED), ALL),
        *((("export", FINISHED, "--format", form), ALL) for form in ("html", "csv", "json")),
    ):
        result = called("sessions", *command)
        assert steering(result.output) == [], command
        assert told_in(result.stdout) >= expected, command
    _of_a_table(called("sessions", "export", FINISHED, "--format", "csv").stdout)
    _of_json(called("sessions", "export", FINISHED, "--format", "json").stdout)


def _of_a_table(printed: str) -> None:
    """No cell is a formula."""
    rows = list(csv.DictReader(io.StringIO(printed)))
    cells = [cell for row in rows for cell in row.values()]
    assert not [cell for cell in cells if cell.startswith(tuple("=+-@"))]
    assert any(cell.startswith("'=HYPERLINK(formula) | @SUM(1)") for cell in cells)
    assert {float(row["weight"]) for row in rows} == {1.0}
    assert len(rows) == 2 * len(TEXTS)


def _of_json(printed: str) -> None:
    """It brings each text back as it was."""
    assert printed.isascii()
    said = {each["text"] for each in json.loads(printed)["events"] if each["event"] == "answer"}
    for text in TEXTS.values():
        assert any(text in each for each in said)


def test_problems_of_a_file_and_of_a_command_line_quote_it_as_text(tmp_path: Path) -> None:
    path = tmp_path / "hostile.yaml"
    path.write_text(yaml.safe_dump(dict.fromkeys(TEXTS.values(), "x")), "utf-8")
    said = call("rubrics", "lint", path).output
    assert steering(said) == []
    assert told_in(said) == ALL
    result = call("keys", "\x1b[2J\u202eevil", "more")
    assert result.exit_code == 2
    assert "evil" in result.output
    assert steering(result.output) == []
    for host in ("\u202e", "a" * 80, "a..b", "\x1b[2J"):
        result = call("serve", "--host", host)
        assert result.exit_code in (1, 2)
        assert "Error: " in result.output
        assert steering(result.output) == []
