"""Files of one's own: starters, ids, the schema beside them, copies, and deleting them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from pydantic import BaseModel
from support.judged import verdicts_on
from support.rubric_writing import rubric_values, write_yaml
from support.tables import table

from interviewer.content.files import read, rendered, write_new
from interviewer.content.kinds import CHALLENGES, PLANS, RUBRICS, Kind
from interviewer.content.scaffold import (
    require_slug,
    schema_beside,
    schema_text,
    slug_of,
    starter_text,
)
from interviewer.errors import RubricFileError, UnknownNameError
from interviewer.interview.plans import Plan
from interviewer.rubric.library import Library, load_library
from interviewer.rubric.lint import lint_paths
from interviewer.rubric.own import copy_rubric, delete_own
from interviewer.rubric.rubric import Rubric
from interviewer.sandbox.challenge import Challenge

CASES = table("authoring", __file__)


@pytest.fixture
def starter(tmp_path: Path) -> Path:
    write_new(tmp_path / "my-question.yaml", starter_text(RUBRICS, "my-question", "s.json"))
    return tmp_path / "my-question.yaml"


def test_the_starter_of_a_rubric_lints_and_the_offline_examiner_agrees_with_its_samples(
    starter: Path,
) -> None:
    assert lint_paths([starter]) == (1, [])
    rubric = read(starter, Rubric).required()
    assert (rubric.id, rubric.title) == ("my-question", "My question")
    assert (rubric.round, rubric.topic) == ("own", "own")
    for sample in rubric.samples:
        assert verdicts_on(rubric, sample.answer) == sample.verdicts, sample.answer
    assert "title: My loop" in starter_text(PLANS, "my-loop", PLANS.schema)


def test_text_in_a_comment_stays_in_the_comment() -> None:
    text = rendered({"id": "a-b"}, heading=["by me\nid: evil\u2028x\x85y"], notes={"id": ["z\rq"]})
    assert text == "# by me id: evil x y\n# z q\nid: a-b\n"


@pytest.mark.parametrize(("text", "slug"), CASES["an_id_is_made_of_the_telling_words"])
def test_an_id_is_made_of_the_telling_words(text: str, slug: str) -> None:
    assert slug_of(text) == slug
    assert slug_of(text, {slug}) == f"{slug}-2"
    assert require_slug(slug, "an id") == slug


@pytest.mark.parametrize("text", ["", "x", "../etc/passwd", "My Question", "a--b", "ä-b", "a" * 81])
def test_what_cannot_be_an_id_is_refused_with_one_that_can(text: str) -> None:
    with pytest.raises(RubricFileError, match=r"cannot be an id: .*, as in '[a-z0-9-]+'\."):
        require_slug(text, "an id")


@pytest.mark.parametrize("hard_links", [True, False])
def test_a_file_that_is_there_is_never_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hard_links: bool
) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    if not hard_links:
        monkeypatch.setattr(os, "link", no_links)
    path, link = tmp_path / "a.yaml", tmp_path / "b.yaml"
    write_new(path, "mine")
    link.symlink_to(tmp_path / "nowhere")
    for there in (path, link):
        with pytest.raises(RubricFileError, match="already exists and is left as it is"):
            write_new(there, "theirs")
    assert path.read_text() == "mine"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a.yaml", "b.yaml"]


def test_the_schema_beside_ones_files_is_kept_up_to_date(tmp_path: Path) -> None:
    name = PLANS.schema
    assert schema_beside(tmp_path, PLANS, json.dumps({"old": 1})) == name
    assert schema_beside(tmp_path, PLANS, "{}") == name
    assert (tmp_path / name).read_text() == "{}"
    assert schema_beside(tmp_path / "sub", PLANS, "{}") == f"../{name}"
    assert not (tmp_path / "sub").exists()


@pytest.mark.parametrize(
    ("kind", "model"), [(RUBRICS, Rubric), (PLANS, Plan), (CHALLENGES, Challenge)]
)
def test_the_shipped_schema_is_in_step_with_the_model(kind: Kind, model: type[BaseModel]) -> None:
    shipped = (kind.shipped / kind.schema).read_text("utf-8")
    assert shipped == schema_text(model), "write it anew from schema_text(model)"


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
