"""The debrief on the command line: the person first, and the examiner's exam beside it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from support.command_line import FULL_ANSWER, PLAN, called, json_lines, write_script

from interviewer.composition import open_store
from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.grading.agreement import ExamResult
from interviewer.settings import load_settings


def failed_exam() -> None:
    """Keep an exam that the offline examiner did not pass."""
    taken = datetime(2026, 1, 2, tzinfo=UTC)
    result = ExamResult(
        *(OfflineExaminer.name, OfflineExaminer.version, taken, 126, 0.31, 0.5, 0.1, 0.2),
        failed_on=("kappa 0.31 is below 0.5",),
    )
    store = open_store(load_settings())
    store.exams.save(result, "ab" * 32, {})
    store.close()


def test_a_run_ends_with_the_person_before_the_mean(config: Path, tmp_path: Path) -> None:
    script = write_script(tmp_path / "script.yaml", FULL_ANSWER)
    told = called("run", "--plan", PLAN, "--script", script).stdout
    places = [
        told.index(words)
        for words in (
            "2 of 2 points heard",
            "Recommendation by what was heard: not enough",
            "Band 4.0 of 4",
            "Question 1:",
        )
    ]
    assert places == sorted(places)


def test_the_long_form_is_an_option_away(config: Path, tmp_path: Path) -> None:
    script = write_script(tmp_path / "script.yaml", FULL_ANSWER)
    brief = called("run", "--plan", PLAN, "--script", script).stdout
    full = called("run", "--plan", PLAN, "--script", script, "--full").stdout
    (row, *_) = json.loads(called("sessions", "list", "--json").stdout)
    shown = called("sessions", "show", row["id"]).stdout
    shown_full = called("sessions", "show", row["id"], "--full").stdout
    for told, appendix in ((brief, False), (full, True), (shown, False), (shown_full, True)):
        for kept in ("Appendix\n", "Profile\n", "unassisted", "Reference answer:\n"):
            assert (kept in told) is appendix, kept
    assert brief.splitlines()[-1].startswith("In full: interviewer sessions show ")
    assert "In full: " not in full


def test_every_form_of_the_debrief_tells_of_a_failed_exam(config: Path, tmp_path: Path) -> None:
    failed_exam()
    script = write_script(tmp_path / "script.yaml", FULL_ANSWER)
    told = called("run", "--plan", PLAN, "--script", script).stdout
    assert "Judged by offline-v3, which failed its own exam" in told
    ended = json_lines(called("run", "--plan", PLAN, "--script", script, "--json").stdout)[-1]
    (question,) = ended["debrief"]["rounds"][0]["questions"]
    assert question["failed_exam"] == ["offline-v3"]
    (row, *_) = json.loads(called("sessions", "list", "--json").stdout)
    for form in (("show", row["id"]), ("export", row["id"])):
        assert "offline-v3 failed its exam on 126 samples" in called("sessions", *form).stdout
    values = json.loads(called("sessions", "show", row["id"], "--json").stdout)
    assert values["debrief"]["exams"]["offline-v3"]["passed"] is False


def test_an_examiner_without_an_exam_says_so(config: Path, tmp_path: Path) -> None:
    script = write_script(tmp_path / "script.yaml", FULL_ANSWER)
    told = called("run", "--plan", PLAN, "--script", script).stdout
    assert "offline-v3 has not taken the exam here" in told
    assert "failed its own exam" not in told
