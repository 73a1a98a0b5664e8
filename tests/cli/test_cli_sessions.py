"""``interviewer sessions``: listing, reading, exporting, backing up and deleting."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from html import escape
from pathlib import Path
from typing import Any

from support.command_line import (
    GAP,
    PLAN,
    RUBRIC,
    call,
    called,
    exported,
    hold,
    json_lines,
    question_of,
    shown,
    typed,
    verdict_rows,
    write_script,
)

from interviewer.settings import load_settings

MADE, MISSED = "variance", "initial-loss"


def listed(*options: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(called("sessions", "list", *options, "--json").stdout)
    return rows


def test_sessions_are_listed_latest_first_and_in_pages(config: Path, tmp_path: Path) -> None:
    assert "interviewer run" in called("sessions", "list").stdout
    assert listed() == []
    first, second = hold(tmp_path, "/end"), hold(tmp_path, GAP)
    assert [(row["id"], row["status"]) for row in listed()] == [
        (second, "paused"),
        (first, "finished"),
    ]
    told = called("sessions", "list", "--limit", "1").stdout
    assert second in told
    assert first not in told
    assert "1 of 2" in told


def test_a_session_is_found_by_what_was_said_and_shown_like_the_interview(finished: str) -> None:
    (hit,) = json.loads(called("sessions", "search", "variance", "--json").stdout)
    assert hit["id"] == finished
    assert f"{finished}  " in called("sessions", "search", "variance").stdout
    assert json.loads(called("sessions", "search", "zebra", "variance", "--json").stdout) == []
    assert "No turn" in called("sessions", "search", "zebra").stdout
    told = called("sessions", "show", finished[:4]).stdout
    said = told.index(GAP)
    assert told.index("Why does attention scale its logits?") < said
    assert said < told.index("● heard: The dot product's variance grows")
    assert "Skipped; moving on." in told


def test_an_exam_keeps_its_verdicts_until_it_is_finished(config: Path, tmp_path: Path) -> None:
    session = hold(tmp_path, GAP)
    for told in (called("sessions", "show", session).stdout, exported(session, "md")):
        assert GAP in told
        assert "once the exam is finished" in told
        assert "● heard" not in told
        assert "loss starts at 11.5" not in told
    assert "once the exam is finished" in exported(session, "html")
    for form in ("md", "html", "csv"):
        assert MISSED not in exported(session, form)
    [row] = verdict_rows(session)
    assert (row["rubric"], row["criterion"], row["verdict"]) == (RUBRIC, "", "")
    values = exported(session, "json")
    assert '"judged"' not in values
    assert json.loads(values)["rubrics"] == {}


def test_exports_agree_with_each_other_and_have_the_documented_shape(finished: str) -> None:
    values = json.loads(exported(finished, "json"))
    assert list(values) == ["schema", "session", "debrief", "rubrics", "events"]
    assert (values["schema"], values["session"]["id"]) == (1, finished)
    assert list(values["rubrics"]) == [RUBRIC]
    assert [event["seq"] for event in values["events"]] == list(range(1, len(values["events"]) + 1))
    kinds = [event["event"] for event in values["events"]]
    assert (kinds[0], kinds[-1], "judged" in kinds) == ("session", "debrief", True)
    assert shown(finished) == values
    grade = question_of(finished)["grade"]
    assert grade["band"] == values["debrief"]["band"]
    assert [v["verdict"] for v in grade["verdicts"]] == ["met", "not_met"]
    rows = verdict_rows(finished)
    for column, name in (("criterion", "criterion"), ("your words", "evidence")):
        assert [row[column] for row in rows] == [v[name] for v in grade["verdicts"]]
    assert [float(row["earned"]) for row in rows] == [v["earned"] for v in grade["verdicts"]]
    assert [row["verdict"] for row in rows] == ["met", "not_met"]
    assert {row["examiner_kind"] for row in rows} == {"offline"}
    titles = [
        line.strip("# ") for line in exported(finished, "md").splitlines() if line.startswith("#")
    ]
    assert titles
    page = exported(finished, "html")
    assert re.findall(r"<h\d>(.*?)</h\d>", page) == [escape(each) for each in titles]


def torn(session: str) -> None:
    """Two windows wrote it, as versions without a check let them."""
    late = json.dumps({"event": "answer", "turn": 9, "kind": "answer", "text": "Lost?"})
    with closing(sqlite3.connect(load_settings().database)) as connection, connection:
        connection.execute(
            "INSERT INTO entries SELECT session_id, max(seq) + 1, 'answer', ?, at, 0 FROM entries "
            "WHERE session_id = ?",
            (late, session),
        )


def test_a_torn_session_is_read_as_far_as_it_goes_and_repaired(
    config: Path, tmp_path: Path
) -> None:
    session = hold(tmp_path, GAP)
    assert "nothing was changed" in called("sessions", "repair", session).stdout
    before = called("sessions", "show", session).stdout
    torn(session)
    read = called("sessions", "show", session)
    assert read.stdout == before
    assert f"interviewer sessions repair {session}" in read.stderr
    assert f"sessions repair {session}" in called("sessions", "export", session).stderr
    refused = call("run", "--resume", session)
    assert refused.exit_code == 1
    assert "makes no sense after entry" in refused.stderr
    repaired = called("sessions", "repair", session).stdout
    assert "Now in the draft of the next answer: 1 answer." in repaired
    copy = next(load_settings().database.parent.glob(f"session-{session}-*.json"))
    assert json.loads(copy.read_text())[-1]["payload"]["text"] == "Lost?"
    assert copy.stat().st_mode & 0o777 == 0o600
    assert not called("sessions", "show", session).stderr
    assert "Lost?" in typed("run", "--resume", session).stdout


def test_delete_asks_and_removes_the_session_and_nothing_else(config: Path, tmp_path: Path) -> None:
    first, second = hold(tmp_path, "/end"), hold(tmp_path, "/end")
    refused = call("sessions", "delete", first)
    assert refused.exit_code == 2
    assert "--yes" in refused.stderr
    assert len(listed()) == 2
    assert first in called("sessions", "delete", first, "--yes").stdout
    assert [row["id"] for row in listed()] == [second]
    assert call("sessions", "show", first).exit_code == 1
    assert first in called("sessions", "list", "--deleted").stdout
    assert first in called("sessions", "restore", first[:6]).stdout
    assert {row["id"] for row in listed()} == {first, second}
    assert "No sessions deleted" in called("sessions", "list", "--deleted").stdout
    assert call("sessions", "restore", first).exit_code == 1


def test_lone_surrogates_survive_every_way_out(config: Path) -> None:
    said = '"Variance \\ud800 grows with the width."\n"/end"\n'
    result = typed("run", "--plan", PLAN, "--json", stdin=said)
    session = json_lines(result.stdout)[0]["session"]
    assert "<U+D800>" in called("sessions", "show", session).stdout
    assert "<U+D800>" in exported(session, "md")
    answer = next(event for event in shown(session)["events"] if event["event"] == "answer")
    assert answer["text"] == "Variance \ud800 grows with the width."


def test_a_backup_holds_the_sessions_of_all_users_and_overwrites_nothing(
    config: Path, tmp_path: Path
) -> None:
    script = write_script(tmp_path / "script.yaml", "/end")
    for user in ("ada", "bea"):
        called("--user", user, "run", "--plan", PLAN, "--script", script)
    copy = tmp_path / "copy.db"
    assert (
        f"All sessions are in {copy};" in called("--user", "ada", "sessions", "backup", copy).stdout
    )
    theirs = called("--database", copy, "--user", "bea", "sessions", "list", "--json").stdout
    assert len(json.loads(theirs)) == 1
    told = called("sessions", "backup").stdout
    beside = Path(told.partition(" in ")[2].partition("; ")[0])
    assert beside.is_file()
    assert beside.parent == load_settings().database.parent
    for place, why in ((copy, "exists already"), ("~nobody-known-here/copy.db", "in full")):
        refused = call("sessions", "backup", place)
        assert refused.exit_code == 1
        assert why in refused.stderr
