"""``rubrics new`` and ``import``, ``plans new``."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from support.command_line import call, called
from support.tables import table

from interviewer.content.files import read
from interviewer.rubric.rubric import Rubric

CASES = table("cli_authoring", __file__)

QUESTIONS = """\
question,answer,difficulty
Why warm up?,Adam's second moment is noisy. Small steps bound the harm.,easy
,nobody asks this,
Why decay?,,hrad
Why clip?,,
why warm up,again,
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The folder of one's own rubrics, which is not there yet."""
    return tmp_path / "config" / "rubrics"


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.csv"
    path.write_text(QUESTIONS)
    return path


def problems_of(*command: str | Path) -> list[dict[str, object]]:
    return json.loads(call(*command, "--json").stdout)


def rubric_of(path: Path) -> Rubric:
    return read(path, Rubric).required()


def test_a_new_rubric_is_written_and_the_next_steps_work_as_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERVIEWER_CONFIG_DIR", str(tmp_path / "a folder"))
    result = called("rubrics", "new", "my-question")
    path = tmp_path / "a folder" / "rubrics" / "my-question.yaml"
    assert result.stdout == f"{path}\n"
    assert problems_of("rubrics", "lint", "--strict", path) == []
    shown = json.loads(called("rubrics", "show", "my-question", "--json").stdout)
    assert (shown["title"], shown["round"], shown["topic"]) == ("My question", "own", "own")
    lint = result.stderr.split("; '")[1].removesuffix("' then points out what is wrong.\n")
    called(*shlex.split(lint)[1:])
    answer = "Consecutive batches are correlated, so the gradient is biased."
    graded = json.loads(called("grade", "my-question", "--json", stdin=answer).stdout)
    assert graded["verdicts"][0]["verdict"] == "met"


@pytest.mark.parametrize("group", ["rubrics", "plans"])
def test_nothing_is_written_over_and_the_schema_lies_where_the_file_says(
    own: Path, group: str
) -> None:
    path = own.parent / group / "one-of-mine.yaml"
    called(group, "new", "one-of-mine")
    before = path.read_bytes()
    schema = path.read_text().splitlines()[0].removeprefix("# yaml-language-server: $schema=")
    assert json.loads((path.parent / schema).read_text())["title"] in {"Rubric", "Plan"}
    assert f"{path} already" in call(group, "new", "one-of-mine").stderr
    broken = path.with_name("broken.yaml")
    broken.write_text("id: [")
    result = call(group, "new", "broken")
    assert result.exit_code == 1
    assert "already exists and is left as it is" in result.stderr
    assert (path.read_bytes(), broken.read_text()) == (before, "id: [")


@pytest.mark.parametrize(("command", "sentence"), CASES["what_cannot_be_done_is_said_in_a"])
def test_what_cannot_be_done_is_said_in_a_sentence(
    config: Path, tmp_path: Path, command: list[str], sentence: str
) -> None:
    (tmp_path / "file.md").write_text("Nothing is asked here.")
    places = {"FILE": tmp_path / "file.md", "FOLDER": tmp_path}
    result = call(*(places.get(word, word) for word in command))
    assert result.exit_code == 1
    assert sentence in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_list_is_imported_once_and_its_bad_lines_are_named(own: Path, questions: Path) -> None:
    preview = called("rubrics", "import", questions, "--preview").stdout
    assert preview.startswith("2 questions would be imported.\nline 2: Why warm up? (2 points)\n")
    assert not own.exists()
    result = called("rubrics", "import", questions)
    assert result.stdout.startswith(f"2 questions imported.\nThey are in {own}, and can be asked")
    assert "Already there: 1 question\n" in result.stdout
    assert "Skipped: 2 lines\n  line 3 has no question.\n" in result.stdout
    assert "  line 4 has the difficulty 'hrad'" in result.stdout
    rubric = rubric_of(own / "warm-up.yaml")
    assert (rubric.round, rubric.topic, rubric.difficulty) == ("own", "own", "easy")
    lint = called("rubrics", "lint", own)
    assert "clip.yaml:" in lint.stdout
    assert "is still to be written" in lint.stdout
    answer = "Early on the second moment of Adam is noisy, and small steps bound what harm it does."
    assert "Why warm up?" in called("grade", "warm-up", stdin=answer).stdout
    before = sorted((path.name, path.read_text()) for path in own.iterdir())
    again = called("rubrics", "import", questions)
    assert again.stdout.startswith("No questions imported.\nNothing was written.\n")
    assert "Already there: 3 questions" in again.stdout
    assert sorted((path.name, path.read_text()) for path in own.iterdir()) == before


def test_an_import_is_read_by_programs_and_fails_only_where_nothing_could_be_used(
    questions: Path,
) -> None:
    outcome = json.loads(called("rubrics", "import", questions, "--json").stdout)
    assert [each["id"] for each in outcome["written"]] == ["warm-up", "clip"]
    assert [each["line"] for each in (*outcome["duplicates"], *outcome["skipped"])] == [6, 3, 4]
    questions.write_text("question,difficulty\n" + "Why?,hrad\x1b[2J\n" * 30)
    result = call("rubrics", "import", questions)
    assert result.exit_code == 1
    assert "No question of" in result.stderr
    assert "\x1b" not in result.output
