"""Summaries of rubrics, kept from one start to the next."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from support.rubric_writing import rubric_values, write_yaml

from interviewer.content.collection import Entry
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


def test_an_index_that_cannot_be_written_does_no_harm(own: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    written(own)
    assert mine(load_library([own], tmp_path / "cache" / "rubrics.json"))


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
