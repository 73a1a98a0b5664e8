"""Challenges by id: shipped and own, and what is said of files that cannot be used."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from support.challenge_writing import challenge_values, write_challenge
from support.rubric_writing import rubric_values, write_yaml
from support.shipped import shipped_catalogue

from interviewer.composition import load_challenges, own_folders
from interviewer.content.collection import yaml_files
from interviewer.content.files import read
from interviewer.content.kinds import CHALLENGES
from interviewer.rubric.library import load_library
from interviewer.sandbox.challenge import Challenge, Group, is_shipped, load_catalogue
from interviewer.settings import load_settings

SHIPPED = "attn"


def test_challenges_are_not_taken_for_rubrics(tmp_path: Path) -> None:
    write_yaml(tmp_path / "one.yaml", rubric_values("one-question"))
    write_challenge(tmp_path)
    found, _ = yaml_files(tmp_path)
    assert [path.name for path in found] == ["one.yaml"]
    assert load_library([tmp_path]).problems == ()
    shipped = load_library().entries.values()
    assert not [entry for entry in shipped if entry.path.parent.name == CHALLENGES.subfolder]


def test_own_challenges_join_the_shipped_and_replace_visibly(tmp_path: Path) -> None:
    write_challenge(tmp_path)
    write_challenge(tmp_path, SHIPPED, title="My version")
    catalogue = load_catalogue([tmp_path / "challenges"])
    own, replaced = catalogue.get("mean-square"), catalogue.get(SHIPPED)
    assert (catalogue.problems, catalogue.get("dpo").origin) == ((), "shipped")
    assert (own.origin, own.replaces) == ("yours", False)
    assert (replaced.origin, replaced.replaces) == ("yours", True)
    assert replaced.model.title == "My version"


def test_own_folders_are_those_of_the_config_and_of_every_rubric_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    further = tmp_path / "further"
    write_challenge(tmp_path / "config", "of-the-config")
    write_challenge(further, "of-a-rubric-folder")
    monkeypatch.setenv("INTERVIEWER_RUBRICS", str(further))
    settings = load_settings()
    assert own_folders(settings, CHALLENGES) == (
        tmp_path / "config" / "challenges",
        further / "challenges",
    )
    assert {"of-the-config", "of-a-rubric-folder"} < set(load_challenges(settings).entries)
    assert load_library([further]).problems == ()


def test_what_comes_with_the_program_is_told_from_what_does_not(tmp_path: Path) -> None:
    shipped = load_catalogue().get(SHIPPED).model
    assert is_shipped(shipped)
    assert not is_shipped(shipped.model_copy(update={"reference": "def f():\n    return 1"}))
    write_challenge(tmp_path, "of-mine")
    assert not is_shipped(load_catalogue([tmp_path / "challenges"]).get("of-mine").model)


@pytest.mark.parametrize(
    ("changes", "field", "said"),
    [
        ({"arguments": ["x", "y"]}, "arguments[1]", "y is neither an input nor a dim"),
        ({"dims": {"x": 3, "m": 3, "n": 5}}, "inputs.x", "declared twice"),
        ({"kind": "riddle"}, "kind", "must be"),
        ({"refrence": "def f(): ..."}, "refrence", "did you mean reference?"),
        ({"inputs": {"x": {"draw": "choice"}}}, "inputs.x.values", "is empty"),
        ({"accepted": [{}]}, "accepted[0]", "needs either lines or code"),
        ({"dims": {"m": 3, "n": 5, "2k": 3}}, "dims.2k", "must be a letter, then letters"),
        ({"id": "Mean Square"}, "id", "must be lower-case words joined by hyphens"),
        ({"version": 0}, "version", "must be greater than or equal to 1"),
        ({"rtol": float("nan")}, "rtol", "must be a finite number"),
    ],
)
def test_a_problem_names_the_field_and_the_mend(
    tmp_path: Path, changes: dict[str, object], field: str, said: str
) -> None:
    path = write_yaml(tmp_path / "spoilt.yaml", challenge_values("spoilt", **changes))
    problems = {problem.field: problem for problem in read(path, Challenge).problems}
    assert said in problems[field].message
    assert problems[field].line


def test_an_exercise_that_forbids_says_what_may_be_used() -> None:
    forbidding = [each.model for each in shipped_catalogue().entries.values() if each.model.banned]
    assert [each.id for each in forbidding if not each.operators] == []
    listed = forbidding[0].model_copy(update={"operators": get_args(Group)}).allowed
    assert sorted(set(listed)) == sorted(listed)
