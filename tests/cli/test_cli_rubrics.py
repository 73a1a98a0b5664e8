"""``interviewer rubrics`` and ``interviewer plans``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.command_line import PLAN, RUBRIC, call, called, write_plan, write_rubric

from interviewer.content.kinds import Kind


def values(*command: str) -> Any:
    return json.loads(called(*command, "--json").stdout)


def test_lists_hold_shipped_files_and_ones_own(config: Path) -> None:
    write_rubric(config, "attention-scale-root-dk", title="Mine")
    entries = {entry["id"]: entry for entry in values("rubrics", "list")}
    assert entries[RUBRIC]["origin"] == "yours"
    assert entries[RUBRIC]["path"] == str(config / "rubrics" / f"{RUBRIC}.yaml")
    assert entries["dpo-derivation"]["origin"] == "shipped"
    told = called("rubrics", "list").stdout.splitlines()
    assert len(told) == 1 + len(entries)
    (replacing,) = (line for line in told if line.startswith("attention-scale-root-dk"))
    assert "yours, replaces shipped" in replacing
    assert replacing.endswith("Mine")
    plans = {plan["id"]: plan for plan in values("plans", "list")}
    assert {"three-rounds", "frontier-loop", PLAN} <= set(plans)
    assert (plans[PLAN]["minutes"], plans[PLAN]["questions"]) == (10, 1)
    assert plans["three-rounds"]["origin"] == "shipped"
    assert PLAN in called("plans", "list").stdout


def test_show_tells_all_of_a_rubric_also_from_a_further_folder(
    config: Path, tmp_path: Path
) -> None:
    told = called("rubrics", "show", RUBRIC).stdout
    assert "question: Why does attention scale its logits?" in told
    assert "  - id: variance\n" in told
    assert "reference: The variance of a dot product" in told
    assert "patterns:" not in told
    criteria = values("rubrics", "show", RUBRIC)["criteria"]
    assert [criterion["id"] for criterion in criteria] == ["variance", "initial-loss"]
    write_rubric(tmp_path / "more", "one-of-mine")
    result = called("--rubrics", tmp_path / "more" / "rubrics", "rubrics", "show", "one-of-mine")
    assert "Why does attention scale its logits?" in result.stdout


def test_lint_names_file_line_and_field_and_fails(config: Path) -> None:
    sound = config / "rubrics" / f"{RUBRIC}.yaml"
    passed = called("rubrics", "lint", sound).stdout
    assert passed == "1 rubric file checked: no errors, no warnings.\n"
    path = write_rubric(config, "too-light", criteria=[])
    result = call("rubrics", "lint", path, sound)
    assert result.exit_code == 1
    assert f"error: {path}:" in result.stdout
    assert "criteria: " in result.stdout
    assert result.stderr.startswith("Error: 2 rubric files checked: ")
    [problem, *_] = json.loads(call("rubrics", "lint", path, "--json").stdout)
    assert (problem["path"], problem["severity"]) == (str(path), "error")
    assert isinstance(problem["line"], int)
    lacking = write_rubric(config, "bare-one", question="TODO: what decides it?")
    assert "warning: " in called("rubrics", "lint", lacking).stdout
    assert call("rubrics", "lint", "--strict", lacking).exit_code == 1


def test_lint_without_a_path_checks_what_is_in_use(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = call("rubrics", "lint", tmp_path / "config" / "nothing-here")
    assert empty.exit_code == 1
    shipped = tmp_path / "shipped"
    write_rubric(shipped, "of-those-that-ship", criteria=[])
    monkeypatch.setattr(Kind, "shipped", shipped / "rubrics")
    write_rubric(config, "too-light", criteria=[])
    result = call("rubrics", "lint")
    assert result.exit_code == 1
    assert "of-those-that-ship.yaml" in result.stdout
    assert "too-light.yaml" in result.stdout
    assert "3 rubric files checked" in result.stderr
    (tmp_path / "none").mkdir()
    assert "no rubric file" in call("rubrics", "lint", tmp_path / "none").stderr


def test_lint_of_plans_names_the_rubric_that_is_missing(config: Path, tmp_path: Path) -> None:
    sound = called("plans", "lint", config / "plans" / f"{PLAN}.yaml")
    assert sound.stdout == "1 plan file checked: no errors, no warnings.\n"
    path = write_plan(config, "no-such-rubric", plan_id="wishful")
    result = call("plans", "lint", path)
    assert result.exit_code == 1
    assert f"error: {path}:" in result.stdout
    assert "no-such-rubric" in result.stdout
    (tmp_path / "more" / "plans").mkdir(parents=True)
    (tmp_path / "more" / "plans" / "broken.yaml").write_text("id: [")
    assert "broken.yaml" in call("--rubrics", tmp_path / "more", "plans", "lint").stdout


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("id: mine-own\ntitle: [\n", ":3: "),
        ("id: mine-own  # mine\n", ":1: "),
        ("id: mine-own\ntitle: \x07\n", ":2: holds the control character"),
    ],
)
@pytest.mark.parametrize("stem", ["mine-own", "of-another-name"])
def test_what_is_wrong_with_a_file_is_said_where_it_is_named(
    config: Path, text: str, problem: str, stem: str
) -> None:
    for folder, command in (
        ("plans", ("run", "--plan")),
        ("plans", ("plans", "show")),
        ("rubrics", ("run", "--question")),
        ("rubrics", ("grade",)),
        ("rubrics", ("rubrics", "show")),
        ("challenges", ("check", "show")),
    ):
        file = config / folder / f"{stem}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        result = call(*command, "mine-own")
        assert result.exit_code == 1
        told = result.stderr.splitlines()[-1]
        assert f"'mine-own' cannot be used: {file}{problem}" in told
        assert "There is no" not in result.output


def test_a_plan_is_shown_round_by_round(config: Path) -> None:
    told = called("plans", "show", "three-rounds").stdout
    assert told.count("persona:") == 3
    assert f"- {RUBRIC}\n" in called("plans", "show", PLAN).stdout
    assert values("plans", "show", PLAN)["id"] == PLAN
