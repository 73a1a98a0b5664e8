"""``interviewer rubrics`` and ``interviewer plans``."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from support.command_line import PLAN, RUBRIC, call, called, write_plan, write_rubric

from interviewer.content.kinds import Kind


def test_the_list_holds_shipped_rubrics_and_ones_own(config: Path) -> None:
    listed = json.loads(called("rubrics", "list", "--json").output)
    entries = {entry["id"]: entry for entry in listed}
    assert entries[RUBRIC]["origin"] == "yours"
    assert entries[RUBRIC]["path"] == str(config / "rubrics" / f"{RUBRIC}.yaml")
    assert entries["attention-scale-root-dk"]["origin"] == "shipped"
    told = called("rubrics", "list").output
    assert all(rubric_id in told for rubric_id in entries)


def test_a_rubric_that_takes_a_shipped_ones_place_is_marked(config: Path) -> None:
    write_rubric(config, "attention-scale-root-dk", title="Mine")
    line = next(
        line
        for line in called("rubrics", "list").output.splitlines()
        if line.startswith("attention-scale-root-dk")
    )
    assert "yours, replaces shipped" in line
    assert line.endswith("Mine")


def test_a_further_folder_is_read(tmp_path: Path) -> None:
    write_rubric(tmp_path / "more", "one-of-mine")
    result = called("--rubrics", tmp_path / "more" / "rubrics", "rubrics", "show", "one-of-mine")
    assert "Why does attention scale its logits?" in result.output


def test_show_tells_question_criteria_and_reference(config: Path) -> None:
    told = called("rubrics", "show", RUBRIC).output
    assert "Question: Why does attention scale its logits?" in told
    assert "variance (weight 3, must have)" in told
    assert "Reference answer: The variance of a dot product" in told
    values = json.loads(called("rubrics", "show", RUBRIC, "--json").output)
    assert [criterion["id"] for criterion in values["criteria"]] == ["variance", "initial-loss"]


def test_path_names_the_file_or_the_folders(config: Path) -> None:
    assert called("rubrics", "path", RUBRIC).output == f"{config}/rubrics/{RUBRIC}.yaml\n"
    folders = json.loads(called("rubrics", "path", "--json").output)
    assert folders[-1] == str(config / "rubrics")
    assert (Path(folders[0]) / "transformer").is_dir()


def test_lint_passes_a_sound_file_and_counts_it(config: Path) -> None:
    result = called("rubrics", "lint", config / "rubrics")
    assert result.stdout.endswith("1 rubric file checked: no errors, no warnings.\n")


def test_lint_names_file_line_and_field_and_fails(config: Path) -> None:
    path = write_rubric(config, "too-light", criteria=[])
    result = call("rubrics", "lint", path, config / "rubrics" / f"{RUBRIC}.yaml")
    assert result.exit_code == 1
    assert f"error: {path}:" in result.stdout
    assert "criteria: " in result.stdout
    assert result.stderr.startswith("Error: 2 rubric files checked: ")
    [problem, *_] = json.loads(call("rubrics", "lint", path, "--json").stdout)
    assert problem["path"] == str(path)
    assert problem["severity"] == "error"
    assert isinstance(problem["line"], int)


def test_strict_lint_turns_a_lack_into_an_error(config: Path) -> None:
    path = write_rubric(config, "bare-one", samples=[])
    assert "warning: " in called("rubrics", "lint", path).stdout
    assert call("rubrics", "lint", "--strict", path).exit_code == 1


def test_lint_of_a_folder_without_files_says_so(tmp_path: Path) -> None:
    result = call("rubrics", "lint", tmp_path)
    assert result.exit_code == 1
    assert "no rubric file" in result.stderr


def test_lint_without_a_path_checks_what_is_in_use(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path / "shipped"
    write_rubric(shipped, "of-those-that-ship", criteria=[])
    monkeypatch.setattr(Kind, "shipped", shipped / "rubrics")
    write_rubric(config, "too-light", criteria=[])
    result = call("rubrics", "lint")
    assert result.exit_code == 1
    assert "of-those-that-ship.yaml" in result.stdout
    assert "too-light.yaml" in result.stdout
    assert "3 rubric files checked" in result.stderr


def test_plans_are_listed_with_their_extent(config: Path) -> None:
    plans = {plan["id"]: plan for plan in json.loads(called("plans", "list", "--json").output)}
    assert {"three-rounds", "frontier-loop", PLAN} <= set(plans)
    assert plans[PLAN]["minutes"] == 10
    assert plans[PLAN]["questions"] == 1
    assert plans["three-rounds"]["origin"] == "shipped"
    assert PLAN in called("plans", "list").output


def test_a_plan_is_shown_round_by_round(config: Path) -> None:
    told = called("plans", "show", "three-rounds").output
    assert told.count("Round ") == 3
    assert "Draws 1 from rounds transformer" in told
    assert f"Asks {RUBRIC}" in called("plans", "show", PLAN).output
    assert json.loads(called("plans", "show", PLAN, "--json").output)["id"] == PLAN


def test_lint_of_a_plan_names_the_rubric_that_is_missing(config: Path) -> None:
    path = write_plan(config, "no-such-rubric", plan_id="wishful")
    result = call("plans", "lint", path)
    assert result.exit_code == 1
    assert f"error: {path}:" in result.stdout
    assert "no-such-rubric" in result.stdout
    sound = called("plans", "lint", config / "plans" / f"{PLAN}.yaml")
    assert sound.stdout == "1 plan file checked: no errors, no warnings.\n"


@pytest.mark.parametrize("group", ["rubrics", "plans"])
def test_unknown_ids_bring_what_comes_close(config: Path, group: str) -> None:
    meant = {"rubrics": RUBRIC, "plans": PLAN}[group]
    result = call(group, "show", meant[:-1])
    assert result.exit_code == 1
    assert meant in result.stderr


def test_plans_beside_own_rubrics_are_linted_like_those_that_load(tmp_path: Path) -> None:
    (tmp_path / "plans").mkdir()
    (tmp_path / "plans" / "broken.yaml").write_text("id: [")
    result = call("--rubrics", tmp_path, "plans", "lint")
    assert result.exit_code == 1
    assert "broken.yaml" in result.stdout


BROKEN = {
    "bad yaml": ("id: mine-own\ntitle: [\n", ":3: "),
    "a field is missing": ("id: mine-own  # mine\n", ":1: "),
    "no text": ("id: mine-own\ntitle: \x07\n", ":2: holds the control character"),
}


@pytest.mark.parametrize(("stem", "fault"), [*product(["mine-own"], BROKEN), ("other", "bad yaml")])
@pytest.mark.parametrize(
    ("folder", "command"),
    [
        ("plans", ("run", "--plan")),
        ("plans", ("plans", "show")),
        ("rubrics", ("run", "--question")),
        ("rubrics", ("grade",)),
        ("rubrics", ("rubrics", "show")),
        ("challenges", ("check", "show")),
    ],
    ids=lambda each: each if isinstance(each, str) else " ".join(each),
)
def test_what_is_wrong_with_a_file_is_said_where_it_is_named(
    config: Path, folder: str, command: tuple[str, ...], fault: str, stem: str
) -> None:
    text, problem = BROKEN[fault]
    file = config / folder / f"{stem}.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    result = call(*command, "mine-own")
    assert result.exit_code == 1
    told = result.stderr.splitlines()[-1]
    assert f"'mine-own' cannot be used: {file}{problem}" in told
    assert "There is no" not in result.output
