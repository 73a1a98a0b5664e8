"""The library: shipped rubrics and one's own, and their summaries kept between two starts."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from support.rubric_writing import rubric_values, write_yaml

from interviewer.content.collection import Entry, yaml_files
from interviewer.errors import RubricFileError
from interviewer.rubric.library import Library, Summary, load_library
from interviewer.rubric.rubric import Rubric


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "rubrics.json"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "own"


def mine(library: Library) -> list[Entry[Summary, Rubric]]:
    return [entry for entry in library.entries.values() if entry.origin == "yours"]


def written(folder: Path, name: str = "mine", **changes: object) -> Path:
    return write_yaml(folder / f"{name}.yaml", rubric_values(name, **changes))


def overwritten_unseen(path: Path, text: str) -> None:
    """Put other text of the same size and time in its place: only a reader would notice."""
    before = path.stat()
    path.write_text(text.ljust(before.st_size)[: before.st_size])
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_what_has_not_changed_is_not_read_again(own: Path, index: Path) -> None:
    path = written(own, title="A first title")
    before = load_library([own], index)
    overwritten_unseen(path, "no rubric at all")
    after = load_library([own], index)
    assert after.summaries() == before.summaries()
    assert [entry.summary.title for entry in mine(after)] == ["A first title"]
    assert after.problems == ()
    with pytest.raises(RubricFileError, match=r"mine\.yaml"):
        _ = mine(after)[0].model


def test_broken_files_are_told_at_every_start(own: Path, index: Path) -> None:
    written(own, difficulty="brutal")
    sound = written(own, "sound")
    write_yaml(own / "twin.yaml", rubric_values("sound"))
    first, again = load_library([own], index), load_library([own], index)
    assert [(each.field, each.line) for each in first.problems] == [("difficulty", 6), ("id", 1)]
    assert again.problems == first.problems
    assert [entry.model.id for entry in mine(again)] == [sound.stem]


@pytest.mark.parametrize("text", ["", "[]", '{"made_by": [], "files": {}}', '{"files": 3}', "\x00"])
def test_an_index_that_cannot_be_used_counts_as_empty(own: Path, index: Path, text: str) -> None:
    written(own)
    whole = load_library([own], index).summaries()
    index.write_text(text)
    assert load_library([own], index).summaries() == whole
    assert json.loads(index.read_text())["files"]


def test_changed_files_are_read_anew_and_those_that_are_gone_forgotten(
    own: Path, index: Path
) -> None:
    path = written(own, title="A first title")
    load_library([own], index)
    written(own, title="Quite another one")
    [entry] = mine(load_library([own], index))
    assert entry.summary.title == entry.model.title == "Quite another one"
    assert "mine.yaml" in index.read_text()
    path.unlink()
    assert not mine(load_library([own], index))
    assert "mine.yaml" not in index.read_text()


SHIPPED = "attention-scale-root-dk"


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
