from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rubric_writing import rubric_values, write_yaml

from interviewer.content.files import LARGEST_FILE, read
from interviewer.errors import RubricFileError
from interviewer.rubric.rubric import Rubric

MINIMAL = """\
id: own-question
version: 1
title: Own question
round: own
topic: own
difficulty: easy
kind: concept
question: What is it?
reference: It is this.
criteria:
  - id: it
    claim: It is this.
    weight: 1
    kind: fact
    probe: What is it, in your own words, and how do you know?
"""


def problems_of(path: Path, text: str | bytes) -> list[str]:
    data = text.encode() if isinstance(text, str) else text
    path.write_bytes(data)
    reading = read(path, Rubric)
    assert reading.value is None
    return [str(problem).removeprefix(f"{path}") for problem in reading.problems]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "own.yaml"


def test_a_sound_file_is_read(file: Path) -> None:
    reading = read(write_yaml(file, rubric_values()), Rubric)
    assert reading.problems == ()
    assert reading.required() == Rubric.model_validate(rubric_values())


def test_short_forms_windows_lines_and_a_byte_order_mark_are_read(file: Path) -> None:
    text = MINIMAL + "    misconceptions: [It is that.]\n    patterns: ['this']\n"
    file.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    criterion = read(file, Rubric).required().criteria[0]
    assert criterion.misconceptions[0].claim == "It is that."
    assert criterion.patterns == (("this",),)


def test_all_problems_are_told_with_line_and_field(file: Path) -> None:
    text = MINIMAL.replace("weight: 1", "weight: 0").replace("easy", "simple") + "colour: red\n"
    assert problems_of(file, text) == [
        ":6: difficulty: must be 'easy', 'medium' or 'hard'",
        ":13: criteria[0].weight: must be greater than 0",
        ":16: colour: is not a known field; remove it",
    ]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("version: 1", "version: one", ":2: version: must be a whole number"),
        ("title: Own question", "title: 7", ":3: title: must be text; put quotes around it"),
        ("title: Own question", "title: ''", ":3: title: must have at least 1 character"),
        ("title: Own question\n", "", ":1: title: is missing; add it"),
        ("round: own", "rounds: own", ":4: rounds: is not a known field; did you mean round?"),
        (
            "id: own-question",
            "id: Own Question",
            ":1: id: must be lower-case words joined by hyphens, as in dpo-versus-ppo",
        ),
        ("id: own-question", "id: a\nid: b", ":2: id: appears twice, first on line 1; remove one"),
        ("weight: 1", "weight: much", ":13: criteria[0].weight: must be a number"),
        ("version: 1", "version: !!python/name:os.x 1", ":2: version: has the tag tag:yaml.org"),
        ("version: 1", f"version: {'9' * 5000}", ":2: version: is not a valid int"),
        (
            "What is it?",
            '"a\\e[2J"',
            r":8: question: holds the control character '\x1b'; remove it",
        ),
    ],
)
def test_a_field_that_is_wrong_is_named(file: Path, old: str, new: str, problem: str) -> None:
    told = problems_of(file, MINIMAL.replace(old, new, 1))
    assert [one for one in told if one.startswith(problem)], told


def test_two_criteria_with_one_id_are_refused(file: Path) -> None:
    twice = MINIMAL + MINIMAL[MINIMAL.index("  - id: it") :]
    assert problems_of(file, twice) == [
        ":16: criteria[1].id: is also the id of criteria[0]; give each its own"
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", ":1: is empty"),
        ("# only a comment\n", ":1: is empty"),
        ("- a\n- b\n", ":1: must consist of fields with values"),
        ("just words", ":1: must consist of fields with values"),
        ("id: a\n---\nid: b\n", ":2: holds several documents"),
        ("id: a\n  version: 1\n", ":2: is not valid YAML (mapping values are not allowed"),
        ("id: a\nhints: [where\n", ":3: is not valid YAML"),
        ("id: a\n\ttitle: b\n", ":2: is not valid YAML"),
        ("? [id]\n: a\n", ":1: has a field name that is not plain text"),
        ("id: a\n? ''\n: \x07\n", r":3: holds the control character '\x07'; remove it"),
        ("id: a\nx: &a [b]\ny: [*a, *a]\n", ":2: uses an anchor or alias"),
        ("x: " + "[" * 50_000, ":1: is nested more than 24 levels deep"),
        (b"id: a\ntitle: gr\xfc\xdfe\n", ":2: is not UTF-8 text"),
        ("id: a".encode("utf-16"), ":1: is not UTF-8 text"),
        (b"# " + b"x" * LARGEST_FILE, ": is larger than 512 KB"),
    ],
)
def test_what_cannot_be_a_rubric_is_refused(file: Path, text: str | bytes, problem: str) -> None:
    (told,) = problems_of(file, text)
    assert told.startswith(problem)


def test_an_alias_bomb_is_refused_before_it_grows(file: Path) -> None:
    levels = [f"l{i}: &l{i} [{', '.join([f'*l{i - 1}'] * 9)}]" for i in range(1, 12)]
    (told,) = problems_of(file, "\n".join(["l0: &l0 [lol]", *levels]))
    assert told.startswith(":1: uses an anchor or alias")


def test_what_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.yaml").mkdir()
    os.mkfifo(tmp_path / "pipe.yaml")
    told = [
        str(read(tmp_path / name, Rubric).problems[0])
        for name in ("folder.yaml", "pipe.yaml", "nowhere.yaml")
    ]
    assert "is a folder" in told[0]
    assert "is not a regular file" in told[1]
    assert "No such file" in told[2]


def test_messages_hold_nothing_that_moves_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[2J.yaml"
    path.write_text(MINIMAL + '"\\u202eevil\\e[31m": 1\n', "utf-8")
    reading = read(path, Rubric)
    assert reading.problems
    for problem in reading.problems:
        assert str(problem).isprintable()
        assert problem.field.isprintable()


def test_required_raises_with_the_first_problem_and_the_number_of_others(file: Path) -> None:
    file.write_text(MINIMAL.replace("weight: 1", "weight: 0").replace("easy", "simple"))
    with pytest.raises(RubricFileError, match=r"own\.yaml:6: difficulty.*and 1 more"):
        read(file, Rubric).required()


@settings(max_examples=150)
@given(
    st.text(max_size=80)
    | st.text(alphabet="ab:-[]{}&*!|>'\"#?, \n0.", max_size=60)
    | st.binary(max_size=60)
)
def test_any_content_ends_in_a_value_or_a_problem(file: Path, content: str | bytes) -> None:
    data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
    file.write_bytes(data)
    reading = read(file, Rubric)
    assert reading.value is None
    assert all(str(problem).isprintable() for problem in reading.problems)
    assert reading.problems
