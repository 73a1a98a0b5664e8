from __future__ import annotations

from pathlib import Path

import pytest

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
    with pytest.raises(RubricFileError, match=r"own\.yaml:6: difficulty.*and 2 more"):
        read(file, Rubric).required()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (MINIMAL.replace("Own question", "''"), ":3: title: must have at least 1 character"),
        (MINIMAL.replace("round:", "rounds:"), ":4: rounds: is not a known field; did you mean"),
        ("? [id]\n: a\n", ":1: has a field name that is not plain text"),
        ("id: a\n? ''\n: \x07\n", r":3: holds the control character '\x07'; remove it"),
        (b"# " + b"x" * LARGEST_FILE, ": is larger than 512 KB"),
    ],
)
def test_what_no_broken_file_beside_this_shows_is_named_too(
    file: Path, text: str | bytes, problem: str
) -> None:
    told = problems_of(file, text)
    assert [one for one in told if one.startswith(problem)], told
