"""Patterns put into a file: where they land, and that nothing else moves."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.shipped import shipped_library

from interviewer.content.files import read
from interviewer.errors import RubricFileError
from interviewer.rubric.own_patterns import add_patterns
from interviewer.rubric.rubric import Rubric

NEW = [(r"\bnois\w*", "{shrink}"), ("it's",)]
FILE = """\
# My first question.
id: ema
version: 1
title: EMA
round: own
topic: own
difficulty: easy
kind: concept
question: Why average the weights?   # short
reference: Noise cancels.
criteria:
  # The main point.
  - id: noise
    claim: >-
      Noise cancels in
      a mean.
    weight: 2
    kind: mechanism
FIELDS

    # Ask this last.
    probe: What do two checkpoints differ in when the step is large?
  - {id: other, claim: It lags., weight: 1, kind: fact, probe: When is it worse?}
"""


def written(folder: Path, fields: str) -> Path:
    path = folder / "ema.yaml"
    path.write_text(FILE.replace("FIELDS", fields))
    return path


@pytest.mark.parametrize(
    ("fields", "after"),
    [
        (
            "    accept:\n    - it cancels\n",
            "    accept:\n    - it cancels\n    patterns:\n"
            "      - ['\\bnois\\w*', '{shrink}']\n      - 'it''s'\n",
        ),
        (
            "    reject: [a,\n      b]",
            "    reject: [a,\n      b]\n    patterns:\n"
            "      - ['\\bnois\\w*', '{shrink}']\n      - 'it''s'",
        ),
        (
            "    patterns:   # mine\n      - - 'a'\n        - b\n      # half\n    partly: [c]",
            "    patterns:   # mine\n      - - 'a'\n        - b\n"
            "      - ['\\bnois\\w*', '{shrink}']\n      - 'it''s'\n      # half\n    partly: [c]",
        ),
        (
            "    patterns: ['a b', [c, d]]  # mine",
            "    patterns:\n      - 'a b'\n      - [c, d]\n"
            "      - ['\\bnois\\w*', '{shrink}']\n      - 'it''s'  # mine",
        ),
    ],
)
def test_they_land_among_the_fields_and_all_else_stays(
    tmp_path: Path, fields: str, after: str
) -> None:
    path = written(tmp_path, fields)
    before = read(path, Rubric).required()
    add_patterns(path, {"noise": NEW})
    assert path.read_text() == FILE.replace("FIELDS", after)
    rubric = read(path, Rubric).required()
    assert len(rubric.criteria[0].patterns) == len(before.criteria[0].patterns) + 2


def test_where_it_cannot_be_done_safely_nothing_is_written(tmp_path: Path) -> None:
    path = written(tmp_path, "    accept: [x y]")
    for added in ({"other": NEW}, {"noise": NEW, "other": NEW}):
        with pytest.raises(RubricFileError, match="paste the patterns in yourself"):
            add_patterns(path, added)
    assert path.read_text() == FILE.replace("FIELDS", "    accept: [x y]")


def test_a_shared_term_that_the_file_defines_otherwise_is_not_used(tmp_path: Path) -> None:
    path = written(tmp_path, "    accept: [x y]")
    text = path.read_text().replace("criteria:", "terms: {shrink: 'less'}\ncriteria:")
    path.write_text(text)
    with pytest.raises(RubricFileError, match="paste the patterns in yourself"):
        add_patterns(path, {"noise": NEW})
    assert path.read_text() == text


def test_a_shipped_file_stays_as_it_is() -> None:
    entry = next(iter(shipped_library().entries.values()))
    before = entry.path.read_bytes()
    with pytest.raises(RubricFileError, match="rubrics copy"):
        add_patterns(entry.path, {entry.model.criteria[0].id: NEW})
    assert entry.path.read_bytes() == before
