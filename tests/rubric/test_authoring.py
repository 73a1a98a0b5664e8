"""New files: starters that hold together, ids, names that are taken, the schema beside them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from pydantic import BaseModel
from support.judged import verdicts_on

from interviewer.content.files import keep_text, read, rendered, write_new
from interviewer.content.kinds import CHALLENGES, PLANS, RUBRICS, Kind
from interviewer.content.scaffold import (
    require_slug,
    schema_beside,
    schema_text,
    slug_of,
    starter_text,
)
from interviewer.errors import RubricFileError
from interviewer.interview.plans import Plan
from interviewer.rubric.lint import lint_paths
from interviewer.rubric.rubric import Rubric
from interviewer.sandbox.challenge import Challenge


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


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("What does label smoothing do?", "label-smoothing"),
        ("Why do you use Adam's ε, and which?", "adams"),
        ("What is it?", "what-is-it"),
        ("Größe der Schichten", "groe-der-schichten"),
        ("为什么需要预热？", "question"),
        ("C", "question-c"),
        ("x" * 90, "x" * 48),
    ],
)
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


def test_kept_texts_get_names_of_their_own(tmp_path: Path) -> None:
    kept = [keep_text(tmp_path / "a.draft.txt", text) for text in ("one", "two", "three")]
    assert [path.name for path in kept] == ["a.draft.txt", "a.draft-2.txt", "a.draft-3.txt"]
    assert [path.read_text() for path in kept] == ["one", "two", "three"]


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
