"""``interviewer rubrics selftest``: what it prints, when it fails, and what it leaves behind."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from support.command_line import RUBRIC, call, called, write_rubric
from support.endpoint import StubEndpoint

from interviewer.composition import exam_results
from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.grading.agreement import ExamResult
from interviewer.store.store import Store

SAMPLES = [
    ("empty", "No idea, I never looked at it.", "not_met", "not_met"),
    ("wrong", "The temperature of the room decides what it does.", "not_met", "not_met"),
    ("middle", "The variance grows with the width of a head.", "met", "not_met"),
    ("full", "The variance grows with the width. The loss starts at 11.5 nats.", "met", "met"),
]
"""Plain enough for any examiner."""
SELFTEST = ("rubrics", "selftest", RUBRIC, "--examiner", "offline")


def samples(*rows: tuple[str, str, str, str]) -> list[dict[str, object]]:
    return [
        {"kind": kind, "answer": answer, "verdicts": {"variance": a, "initial-loss": b}}
        for kind, answer, a, b in rows
    ]


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A config folder with one rubric of one's own."""
    write_rubric(tmp_path / "config", samples=samples(*SAMPLES))
    return tmp_path / "config"


def exams(tmp_path: Path) -> list[ExamResult]:
    """The results of all exams kept."""
    with closing(Store(tmp_path / "data" / "sessions.db")) as store:
        return store.exams()


def reports(tmp_path: Path) -> list[dict[str, Any]]:
    """All figures of the exams kept."""
    with closing(sqlite3.connect(tmp_path / "data" / "sessions.db")) as database:
        return [json.loads(report) for (report,) in database.execute("SELECT report FROM exams")]


def test_the_offline_examiner_sits_an_exam_and_it_is_kept(config: Path, tmp_path: Path) -> None:
    result = called(*SELFTEST, "--no-attacks")
    heading, row, total, *notes = result.stdout.splitlines()
    assert heading.split()[:4] == ["RUBRIC", "SAMPLES", "F1", "KAPPA"]
    assert row.split()[:2] == [RUBRIC, "4"]
    assert total.split()[:2] == ["all", "4"]
    assert notes[-1].startswith(f"{OfflineExaminer.name} agreed with the authors at κ ")
    assert result.stderr == ""
    [exam] = exams(tmp_path)
    assert (exam.examiner, exam.samples) == (OfflineExaminer.name, 4)
    report = json.loads(called(*SELFTEST, "--no-attacks", "--json").stdout)
    assert report["rubrics"].keys() == {RUBRIC}
    assert (report["result"]["failed_on"], report["total"]["lifting"]) == ([], [])
    assert report in reports(tmp_path)


def test_a_limit_and_the_rubrics_named_decide_what_is_asked(config: Path) -> None:
    write_rubric(config, "second-one", samples=samples(*SAMPLES))
    write_rubric(config, "bare-one", samples=[])
    asked = call(*SELFTEST, "second-one", "bare-one", "--samples", "4", "--json")
    figures = json.loads(asked.stdout)["rubrics"]
    assert {name: each["samples"] for name, each in figures.items()} == {RUBRIC: 2, "second-one": 2}
    assert "Left out, without samples: bare-one." in asked.stderr
    alone = call("rubrics", "selftest", "bare-one", "--examiner", "offline")
    assert alone.exit_code == 1
    assert "No sample to grade" in alone.stderr


def test_missed_thresholds_are_one_sentence_and_exit_code_1(config: Path, tmp_path: Path) -> None:
    harsh = [(kind, answer, "not_met", "met") for kind, answer, *_ in SAMPLES]
    write_rubric(config, samples=samples(*harsh))
    result = call(*SELFTEST, "--no-attacks")
    assert result.exit_code == 1
    [sentence] = result.stderr.splitlines()
    assert sentence.startswith(f"Error: {OfflineExaminer.name} failed its exam on 4 samples (")
    assert "kappa −0" in sentence.replace("-", "−")
    assert "under 0.60" in sentence
    assert not exams(tmp_path)[0].passed


def test_a_model_sits_it_through_the_endpoint(config: Path, tmp_path: Path) -> None:
    with StubEndpoint() as stub:
        result = call(
            *("--base-url", stub.base_url, "--model", "stub", "rubrics", "selftest", RUBRIC),
            *("--examiner", "llm", "--samples", "3", "--json"),
        )
    assert result.exit_code == 1
    assert "stub failed its exam" in result.stderr
    assert json.loads(result.stdout)["total"]["samples"] == 3
    assert stub.requests
    [exam] = exams(tmp_path)
    assert exam.examiner == "stub"


def test_an_interrupt_leaves_nothing_half_stored(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("interviewer.examiner.selftest.exam.run_exam", interrupted)
    result = call(*SELFTEST)
    assert result.exit_code == 1
    assert result.stderr == "Error: Stopped before the end; nothing was stored.\n"
    assert exams(tmp_path) == []


def test_only_exams_of_todays_version_are_shown_beside_grades(tmp_path: Path, config: Path) -> None:
    with closing(Store(tmp_path / "data" / "sessions.db")) as kept:
        assert exam_results(kept) == {}
        called(*SELFTEST, "--no-attacks")
        called(*SELFTEST, "--no-attacks")
        newest, first = kept.exams()
        assert newest.taken_at > first.taken_at
        for name in (OfflineExaminer.name, "stub"):
            later = newest.taken_at + timedelta(days=1)
            old = replace(newest, version="old", examiner=name, taken_at=later)
            kept.save_exam(old, "ab" * 32, {})
        assert exam_results(kept) == {OfflineExaminer.name: newest}
