"""Copies of rubrics in one's own folder, and deleting them."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.rubric_writing import rubric_values, write_yaml

from interviewer.content.files import read
from interviewer.errors import RubricFileError, UnknownNameError
from interviewer.rubric.library import Library, load_library
from interviewer.rubric.own import about_id, copy_rubric, delete_own, unused_id
from interviewer.rubric.rubric import Rubric

SHIPPED = "zero3-versus-fsdp"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "own"


@pytest.fixture
def library() -> Library:
    return load_library()


def test_a_copy_keeps_everything_but_the_id(library: Library, own: Path) -> None:
    path = copy_rubric(library, SHIPPED, "my-zero", own)
    copy = read(path, Rubric).required()
    assert copy == library.get(SHIPPED).model.model_copy(update={"id": "my-zero"})
    assert path.read_text().startswith("# yaml-language-server: $schema=rubric.schema.json\n")
    assert (own / "rubric.schema.json").exists()
    assert load_library([own]).entries["my-zero"].origin == "yours"


def test_a_copy_that_keeps_the_id_replaces_the_shipped_one(library: Library, own: Path) -> None:
    assert "will replace the shipped question" in about_id(library, SHIPPED)
    copy_rubric(library, SHIPPED, SHIPPED, own)
    assert load_library([own]).entries[SHIPPED].replaces


def test_a_suggested_id_is_free_and_not_numbered_twice(library: Library, own: Path) -> None:
    first = unused_id(library, SHIPPED)
    copy_rubric(library, SHIPPED, first, own)
    again = load_library([own])
    second = unused_id(again, first)
    assert second not in again.entries
    assert second == f"{SHIPPED}-3"


@pytest.mark.parametrize("wrong", ["Mine", "a", "my question", "../up"])
def test_an_id_that_cannot_be_one_is_refused(library: Library, own: Path, wrong: str) -> None:
    with pytest.raises(RubricFileError, match="cannot be an id"):
        copy_rubric(library, SHIPPED, wrong, own)
    assert not own.exists()


def test_nothing_of_ones_own_is_overwritten(library: Library, own: Path) -> None:
    path = copy_rubric(library, SHIPPED, "my-zero", own)
    before = path.read_text()
    with pytest.raises(RubricFileError, match="is the id of"):
        copy_rubric(load_library([own]), SHIPPED, "my-zero", own)
    (own / "taken.yaml").write_text("broken: [")
    with pytest.raises(RubricFileError, match="already exists"):
        copy_rubric(load_library([own]), SHIPPED, "taken", own)
    assert path.read_text() == before
    with pytest.raises(UnknownNameError):
        copy_rubric(library, "no-such-question", "my-other", own)


def test_an_id_written_in_an_unusual_way_is_told(own: Path, tmp_path: Path) -> None:
    path = write_yaml(tmp_path / "other" / "mine.yaml", rubric_values("mine-too"))
    path.write_text(path.read_text().replace("id: mine-too\n", "id: >-\n  mine-too\n", 1))
    library = load_library([path.parent])
    with pytest.raises(RubricFileError, match="must stand on a line of its own"):
        copy_rubric(library, "mine-too", "a-copy", own)
    assert not (own / "a-copy.yaml").exists()


def test_only_ones_own_files_are_deleted(library: Library, own: Path) -> None:
    path = copy_rubric(library, SHIPPED, "my-zero", own)
    delete_own(path)
    assert not path.exists()
    with pytest.raises(RubricFileError, match="cannot be deleted"):
        delete_own(path)
    shipped = library.get(SHIPPED).path
    with pytest.raises(RubricFileError, match="shipped"):
        delete_own(shipped)
    assert shipped.exists()
