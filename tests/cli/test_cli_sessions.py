"""``interviewer sessions``: listing, reading, exporting and deleting."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

import pytest
from support.command_line import (
    FULL_ANSWER,
    PLAN,
    RUBRIC,
    call,
    called,
    json_lines,
    typed,
    write_script,
)
from support.examiners import ScriptedExaminer
from support.ordinary_user import as_ordinary_user

from interviewer.examiner.protocol import QuestionContext
from interviewer.grading.verdicts import Judgement, Verdict
from interviewer.rubric.rubric import Rating
from interviewer.settings import load_settings

GAP = "The variance of the dot product grows with the width of a head."


def hold(tmp_path: Path, *script: Any, mode: str = "exam") -> str:
    """Hold an interview and return the session's id."""
    path = write_script(tmp_path / "script.yaml", *script)
    result = called("run", "--plan", PLAN, "--mode", mode, "--script", path, "--json")
    session: str = json_lines(result.stdout)[0]["session"]
    return session


@pytest.fixture
def finished(config: Path, tmp_path: Path) -> str:
    return hold(tmp_path, GAP, "/skip")


def test_an_empty_database_says_how_to_begin() -> None:
    assert "interviewer run" in called("sessions", "list").stdout
    assert json.loads(called("sessions", "list", "--json").stdout) == []


def test_sessions_are_listed_latest_first_and_in_pages(config: Path, tmp_path: Path) -> None:
    first, second = hold(tmp_path, "/end"), hold(tmp_path, GAP)
    rows = json.loads(called("sessions", "list", "--json").stdout)
    assert [row["id"] for row in rows] == [second, first]
    assert [row["status"] for row in rows] == ["paused", "finished"]
    told = called("sessions", "list", "--limit", "1").stdout
    assert second in told
    assert first not in told
    assert "1 of 2" in told
    assert first in called("sessions", "list", "--offset", "1").stdout


def test_a_read_only_folder_of_data_is_listed_shown_and_exported(finished: str) -> None:
    folder = load_settings().database.parent
    folder.chmod(0o500)
    try:
        for command in (
            ("list",),
            ("show", finished),
            ("export", finished),
            ("search", "variance"),
        ):
            told = as_ordinary_user(lambda given=command: call("sessions", *given))
            assert told.exit_code == 0
            assert finished in told.stdout
        refused = as_ordinary_user(lambda: call("sessions", "delete", finished, "--yes"))
    finally:
        folder.chmod(0o700)
    assert refused.exit_code == 1
    assert "its folder is read-only" in refused.stderr


def test_search_finds_the_session_by_what_was_said(finished: str) -> None:
    word = next(word for word in GAP.split() if len(word) > 6).strip(".,;")
    (hit,) = json.loads(called("sessions", "search", word, "--json").stdout)
    assert hit["id"] == finished
    assert f"{finished}  " in called("sessions", "search", word).stdout
    assert json.loads(called("sessions", "search", "zebra", word, "--json").stdout) == []
    assert "No turn" in called("sessions", "search", "zebra").stdout


def test_show_reads_like_the_interview_and_ends_with_verdicts(finished: str) -> None:
    told = called("sessions", "show", finished[:4]).stdout
    said = told.index(GAP)
    assert told.index("Why does attention scale its logits?") < said
    assert said < told.index("● heard: The dot product's variance grows")
    assert "Skipped." in told


def test_an_exam_keeps_its_verdicts_until_it_is_finished(config: Path, tmp_path: Path) -> None:
    session = hold(tmp_path, GAP)
    for form in (("show", session), ("export", session)):
        told = called("sessions", *form).stdout
        assert GAP in told
        assert "once the exam is finished" in told
        assert "● heard" not in told
        assert "initial-loss" not in told
        assert "loss starts at 11.5" not in told
    page = called("sessions", "export", session, "--format", "html").stdout
    assert "once the exam is finished" in page
    assert "initial-loss" not in page
    table = called("sessions", "export", session, "--format", "csv").stdout
    assert "initial-loss" not in table
    [row] = csv.DictReader(io.StringIO(table))
    assert (row["rubric"], row["criterion"], row["verdict"]) == (RUBRIC, "", "")
    values = called("sessions", "export", session, "--format", "json").stdout
    assert '"judged"' not in values
    assert json.loads(values)["rubrics"] == {}


def test_an_unfinished_practice_shows_the_grades_it_has(config: Path, tmp_path: Path) -> None:
    session = hold(tmp_path, GAP, mode="practice")
    values = json.loads(called("sessions", "show", session, "--json").stdout)
    [question] = values["debrief"]["rounds"][0]["questions"]
    assert question["grade"] is None
    assert values["rubrics"] == {}
    assert "Reference answer" not in called("sessions", "export", session).stdout


def test_json_export_has_the_documented_shape(finished: str) -> None:
    values = json.loads(called("sessions", "export", finished, "--format", "json").stdout)
    assert list(values) == ["schema", "session", "debrief", "rubrics", "events"]
    assert values["schema"] == 1
    assert values["session"]["id"] == finished
    assert list(values["rubrics"]) == [RUBRIC]
    assert [event["seq"] for event in values["events"]] == list(range(1, len(values["events"]) + 1))
    assert values["events"][0]["event"] == "session"
    assert values["events"][-1]["event"] == "debrief"
    assert "judged" in {event["event"] for event in values["events"]}
    [question] = values["debrief"]["rounds"][0]["questions"]
    assert question["grade"]["band"] == values["debrief"]["band"]
    assert [v["verdict"] for v in question["grade"]["verdicts"]] == ["met", "not_met"]
    assert json.loads(called("sessions", "show", finished, "--json").stdout) == values


def test_the_csv_has_a_row_for_each_criterion(finished: str) -> None:
    table = called("sessions", "export", finished, "--format", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(table)))
    values = json.loads(called("sessions", "show", finished, "--json").stdout)
    [question] = values["debrief"]["rounds"][0]["questions"]
    verdicts = question["grade"]["verdicts"]
    assert [row["criterion"] for row in rows] == [each["criterion"] for each in verdicts]
    assert [row["your words"] for row in rows] == [each["evidence"] for each in verdicts]
    assert [float(row["earned"]) for row in rows] == [each["earned"] for each in verdicts]
    assert [row["verdict"] for row in rows] == [each["verdict"] for each in verdicts]
    assert {row["examiner_kind"] for row in rows} == {"offline"}


def test_the_page_tells_what_the_markdown_tells(finished: str) -> None:
    page = called("sessions", "export", finished, "--format", "html").stdout
    text = called("sessions", "export", finished).stdout
    titles = [line.strip("# ") for line in text.splitlines() if line.startswith("#")]
    assert titles
    assert re.findall(r"<h\d>(.*?)</h\d>", page) == [escape(each) for each in titles]


def torn(session: str, config: Path) -> None:
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
    torn(session, config)
    shown = called("sessions", "show", session)
    assert shown.stdout == before
    assert f"interviewer sessions repair {session}" in shown.stderr
    assert f"sessions repair {session}" in called("sessions", "export", session).stderr
    refused = call("run", "--resume", session)
    assert refused.exit_code == 1
    assert "makes no sense after entry" in refused.stderr
    repaired = called("sessions", "repair", session).stdout
    assert "1 answer is now the draft of the next one" in repaired
    copy = next(load_settings().database.parent.glob(f"session-{session}-*.json"))
    assert json.loads(copy.read_text())[-1]["payload"]["text"] == "Lost?"
    assert copy.stat().st_mode & 0o777 == 0o600
    assert not called("sessions", "show", session).stderr
    assert "Lost?" in typed("run", "--resume", session).stdout


def test_an_exported_journal_folds_back_to_the_same_session(finished: str) -> None:
    from interviewer.interview.debrief import debrief
    from interviewer.interview.events import from_json
    from interviewer.interview.state import replay
    from interviewer.report.session_json import debrief_json
    from interviewer.rubric.rubric import Rubric

    values = json.loads(called("sessions", "export", finished, "--format", "json").stdout)
    rubrics = {name: Rubric.model_validate(body) for name, body in values["rubrics"].items()}
    entries = []
    for event in values["events"]:
        elapsed = event.pop("elapsed")
        del event["seq"], event["at"]
        entries.append((from_json(event), elapsed))
    state, read = replay(entries)
    assert read == len(entries)
    again = debrief_json(debrief(state, rubrics))
    for part in values["debrief"]["rounds"]:
        for question in part["questions"]:
            for turn in question["turns"]:
                turn["at"] = None
    assert again == values["debrief"]


def test_export_writes_a_file_once(finished: str, tmp_path: Path) -> None:
    path = tmp_path / "transcript.md"
    called("sessions", "export", finished, "--output", path)
    written = path.read_text("utf-8")
    assert written == called("sessions", "export", finished).stdout
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_text("precious")
    result = call("sessions", "export", finished, "--output", path)
    assert result.exit_code == 1
    assert "--force" in result.stderr
    assert path.read_text() == "precious"
    called("sessions", "export", finished, "--output", path, "--force")
    assert path.read_text("utf-8") == written


def test_a_file_that_cannot_be_written_is_named(finished: str, tmp_path: Path) -> None:
    result = call("sessions", "export", finished, "--output", tmp_path / "no" / "t.md")
    assert result.exit_code == 1
    assert "no/t.md" in result.stderr


def test_delete_removes_the_session_and_nothing_else(config: Path, tmp_path: Path) -> None:
    first, second = hold(tmp_path, "/end"), hold(tmp_path, "/end")
    assert first in called("sessions", "delete", first, "--yes").stdout
    rows = json.loads(called("sessions", "list", "--json").stdout)
    assert [row["id"] for row in rows] == [second]
    assert call("sessions", "show", first).exit_code == 1


def test_nothing_is_deleted_without_being_asked_for(finished: str) -> None:
    result = call("sessions", "delete", finished)
    assert result.exit_code == 2
    assert "--yes" in result.stderr
    assert len(json.loads(called("sessions", "list", "--json").stdout)) == 1


def test_lone_surrogates_survive_every_way_out(config: Path, tmp_path: Path) -> None:
    path = tmp_path / "script.jsonl"
    path.write_text('"Variance \\ud800 grows with the width."\n"/end"\n')
    result = called("run", "--plan", PLAN, "--script", path, "--json")
    session = json_lines(result.stdout)[0]["session"]
    assert "<U+D800>" in called("sessions", "show", session).stdout
    assert "<U+D800>" in called("sessions", "export", session).stdout
    values = json.loads(called("sessions", "show", session, "--json").stdout)
    answer = next(event for event in values["events"] if event["event"] == "answer")
    assert answer["text"] == "Variance \ud800 grows with the width."


def test_full_credit_is_told_as_such(config: Path, tmp_path: Path) -> None:
    session = hold(tmp_path, FULL_ANSWER)
    assert "Band 4.0 of 4" in called("sessions", "show", session).stdout


def test_a_backup_holds_every_session_and_overwrites_nothing(finished: str, tmp_path: Path) -> None:
    copy = tmp_path / "backup.db"
    told = called("sessions", "backup", str(copy)).stdout
    assert "1 session is in" in told
    listed = called("--database", str(copy), "sessions", "list", "--json").stdout
    assert [row["id"] for row in json.loads(listed)] == [finished]
    again = call("sessions", "backup", str(copy))
    assert again.exit_code == 1
    assert "exists already" in again.stderr


def test_a_backup_without_a_name_is_put_beside_the_database(finished: str) -> None:
    (line,) = [each for each in called("sessions", "backup").stdout.splitlines() if " in /" in each]
    copy = Path(line.partition(" in ")[2].partition(", sound")[0])
    assert copy.is_file()
    assert copy.parent == load_settings().database.parent


def test_a_backup_holds_the_sessions_of_all_users_and_says_so(config: Path, tmp_path: Path) -> None:
    script = write_script(tmp_path / "script.yaml", "/end")
    for user in ("ada", "bea"):
        called("--user", user, "run", "--plan", PLAN, "--script", script)
    for user, share in (("ada", "1"), ("cleo", "none")):
        copy = tmp_path / f"{user}.db"
        told = called("--user", user, "sessions", "backup", copy).stdout
        assert f"2 sessions are in {copy}, {share} of them yours, sound" in told
        assert f"--user {user} sessions list" in told
        theirs = called("--database", copy, "--user", "bea", "sessions", "list", "--json").stdout
        assert len(json.loads(theirs)) == 1


UNSURE = Verdict(
    "variance", Rating.PARTIAL, GAP, doubt="whether it names the factor", alternative=Rating.MET
)


def unsure(context: QuestionContext) -> Judgement:
    """One point in doubt, the other not made."""
    missed = Verdict("initial-loss", Rating.NOT_MET, missing="the figure")
    return Judgement((UNSURE, missed), "scripted", doubts=(UNSURE,))


def second_look(context: QuestionContext, doubts: Sequence[Verdict]) -> Judgement:
    """Another verdict, and the doubt stays."""
    seen = replace(UNSURE, verdict=Rating.MET, alternative=Rating.PARTIAL, confirmed=True)
    votes = (Rating.PARTIAL, Rating.MET)
    return Judgement((replace(seen, votes=votes),), "scripted")


def test_votes_and_doubts_are_told_of_an_answer_as_in_a_session(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    examiner = ScriptedExaminer(judgement=unsure, settles=second_look)
    monkeypatch.setattr("interviewer.composition.make_examiner", lambda *_: examiner)
    [alone] = json_lines(called("grade", RUBRIC, "--json", stdin=GAP).stdout)
    values = json.loads(called("sessions", "show", hold(tmp_path, GAP, "/skip"), "--json").stdout)
    graded = values["debrief"]["rounds"][0]["questions"][0]["grade"]
    assert alone["interval"] == graded["interval"]
    for grade in (alone, graded):
        variance, loss = grade["verdicts"]
        assert (variance["verdict"], variance["votes"]) == ("met", ["partial", "met"])
        assert variance["doubt"] == {
            "alternative": "partial",
            "why": "whether it names the factor",
        }
        assert (loss["missing"], loss["doubt"]) == ("the figure", None)
        assert grade["interval"][0] < grade["interval"][1]


def test_a_backup_to_the_home_of_nobody_is_refused_in_a_sentence(finished: str) -> None:
    result = call("sessions", "backup", "~nobody-known-here/copy.db")
    assert result.exit_code == 1
    assert "write the path in full" in result.stderr
