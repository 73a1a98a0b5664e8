from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.rubric_writing import rubric_values, write_yaml

from interviewer.content.collection import yaml_files
from interviewer.errors import UnknownNameError
from interviewer.rubric.library import load_library, snapshot
from interviewer.rubric.rubric import Rubric

SHIPPED = "attention-scale-root-dk"


def test_shipped_rubrics_are_at_hand_without_any_folder() -> None:
    library = load_library()
    assert library.problems == ()
    rounds = {"transformer", "rlhf", "distributed", "project", "people"}
    assert {summary.round for summary in library.summaries()} >= rounds
    assert {entry.origin for entry in library.entries.values()} == {"shipped"}
    assert len(library.models()) >= 18
    assert not [each for each in library.entries.values() if each.path.parent.name == "plans"]


def test_own_rubrics_join_and_replace_visibly(tmp_path: Path) -> None:
    write_yaml(tmp_path / "deep" / "new.yaml", rubric_values("my-own-question"))
    write_yaml(tmp_path / "mine.yml", rubric_values(SHIPPED, title="My version"))
    library = load_library([tmp_path])
    assert library.problems == ()
    own, replaced = library.get("my-own-question"), library.get(SHIPPED)
    assert (own.origin, own.replaces) == ("yours", False)
    assert (replaced.origin, replaced.replaces) == ("yours", True)
    assert replaced.model.title == "My version"
    assert replaced.path == tmp_path / "mine.yml"


def test_broken_files_keep_no_other_from_loading(tmp_path: Path) -> None:
    sound = write_yaml(tmp_path / "b-sound.yaml", rubric_values("sound-one"))
    write_yaml(tmp_path / "a-broken.yaml", {"id": "x"})
    (tmp_path / "d-folder.yaml").mkdir()
    library = load_library([tmp_path, tmp_path / "nowhere", sound])
    assert library.get("sound-one").origin == "yours"
    broken = {Path(problem.path).name for problem in library.problems}
    assert broken == {"a-broken.yaml", "b-sound.yaml", "d-folder.yaml"}


def test_of_two_own_files_with_one_id_the_first_stays(tmp_path: Path) -> None:
    first = write_yaml(tmp_path / "a.yaml", rubric_values(SHIPPED, title="First"))
    second = write_yaml(tmp_path / "b.yaml", rubric_values(SHIPPED, title="Second"))
    library = load_library([tmp_path])
    assert library.get(SHIPPED).model.title == "First"
    (problem,) = library.problems
    assert problem.path == str(second)
    assert (problem.line, problem.field) == (1, "id")
    assert str(first) in problem.message


def test_symlink_loops_and_hidden_entries(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    write_yaml(inner / "one.yaml", rubric_values("one-question"))
    write_yaml(tmp_path / ".hidden" / "two.yaml", rubric_values("two-question"))
    (inner / "back").symlink_to(tmp_path)
    (inner / "gone.yaml").symlink_to(tmp_path / "nowhere.yaml")
    found, problems = yaml_files(tmp_path)
    assert [path.name for path in found] == ["gone.yaml", "one.yaml"]
    assert problems == ()
    (problem,) = load_library([tmp_path]).problems
    assert "No such file" in problem.message


def test_an_unknown_id_lists_what_comes_close() -> None:
    with pytest.raises(UnknownNameError, match=f"did you mean.*{SHIPPED}"):
        load_library().get("attention-scale-rot-dk")
    with pytest.raises(UnknownNameError, match="'interviewer rubrics list' shows"):
        load_library().get("zzzz")


def test_a_snapshot_comes_back_equal_through_json() -> None:
    rubric = load_library().get(SHIPPED).model
    assert Rubric.model_validate(json.loads(json.dumps(snapshot(rubric)))) == rubric
