"""Lists in other shapes than Markdown's, in several encodings: ``list_shapes.yaml`` has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from interviewer.errors import RubricFileError
from interviewer.rubric.importing import read_list
from interviewer.rubric.question_lists import Question

LISTS: dict[str, Any] = yaml.safe_load(
    Path(__file__).with_name("list_shapes.yaml").read_text("utf-8")
)


def read(path: Path, text: str, encoding: str) -> tuple[list[str], str]:
    """What is read, each in a line, and in which encoding."""
    path.write_bytes(text.encode(encoding))
    found = []
    listed = read_list(path)
    for item in listed.items:
        if isinstance(item, Question):
            words = (f"{item.line}: {item.question}", item.answer, *item.follow_ups)
            found.append(" | ".join(words))
        else:
            found.append(f"{item.line} {item.why}")
    return found, listed.encoding or "utf-8"


@pytest.mark.parametrize("name", LISTS)
def test_each_shape_is_read_whole_in_its_encoding(tmp_path: Path, name: str) -> None:
    encoding = LISTS[name].get("encoding", "utf-8")
    found = read(tmp_path / name, LISTS[name]["text"], encoding)
    assert found == (LISTS[name]["found"], encoding)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_mark_tells_the_encoding(tmp_path: Path, encoding: str) -> None:
    text = "Why is größer better?,Noise"
    assert read(tmp_path / "q.csv", text, encoding) == (
        ["1: Why is größer better? | Noise"],
        "utf-8",
    )


@pytest.mark.parametrize("name", LISTS)
def test_every_line_with_words_is_taken_or_reported(tmp_path: Path, name: str) -> None:
    lines = LISTS[name]["text"].split("\n")
    for at in range(len(lines) + 1):
        text = "\n".join([*lines[:at], "", "Zyzzyva stands here.", "", *lines[at:]])
        try:
            found, _ = read(tmp_path / name, text, LISTS[name].get("encoding", "utf-8"))
        except RubricFileError:  # it stood inside what makes the shape: nothing is taken at all
            continue
        assert any("Zyzzyva" in line for line in found), at
