"""The guide for authors: its example holds together, and its commands are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.command_line import call, called
from support.judged import verdicts_on

from interviewer.content.files import read
from interviewer.rubric.lint import lint_paths
from interviewer.rubric.rubric import Rubric

GUIDE = (Path(__file__).parents[2] / "rubrics" / "GUIDE.md").read_text("utf-8")
COMMANDS = sorted(set(re.findall(r"`interviewer ((?:rubrics|plans) \w+|\w+)", GUIDE)))


@pytest.fixture
def example(tmp_path: Path) -> Path:
    _, text = re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)  # after the smallest that works
    path = tmp_path / "config" / "rubrics" / "ema-of-weights.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(text, "utf-8")
    return path


def test_the_example_lints_and_the_offline_examiner_agrees_with_its_samples(example: Path) -> None:
    assert lint_paths([example]) == (1, [])
    rubric = read(example, Rubric).required()
    for sample in rubric.samples:
        assert verdicts_on(rubric, sample.answer) == sample.verdicts, sample.answer


def test_the_example_is_graded_and_examined_by_its_name(example: Path) -> None:
    answer = "The updates bounce around, and over many of them that cancels out."
    assert "Averaging cancels the noise" in called("grade", "ema-of-weights", stdin=answer).stdout
    called("rubrics", "selftest", "ema-of-weights", "--no-attacks", "--examiner", "offline")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_that_it_names_is_there(command: str) -> None:
    assert call(*command.split(), "--help").exit_code == 0
