"""``rubrics new`` and ``import``, ``plans new``: files of one's own, and what stands in the way."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from support.command_line import RUBRIC, call, called

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


def test_a_new_rubric_is_written_linted_and_graded(own: Path) -> None:
    result = called("rubrics", "new", "my-question", "--title", "Mine: alone", "--topic", "tricks")
    path = own / "my-question.yaml"
    assert result.stdout == f"{path}\n"
    assert "grade my-question" in result.stderr
    assert problems_of("rubrics", "lint", "--strict", path) == []
    shown = json.loads(called("rubrics", "show", "my-question", "--json").stdout)
    assert (shown["title"], shown["round"], shown["topic"]) == ("Mine: alone", "own", "tricks")
    answer = "Consecutive batches are correlated, so the gradient is biased."
    graded = json.loads(called("grade", "my-question", "--json", stdin=answer).stdout)
    assert graded["verdicts"][0]["verdict"] == "met"


def test_the_next_steps_work_as_they_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "a folder"
    result = called("rubrics", "new", "my-question", "--to", folder)
    told = [line.strip() for line in result.stderr.splitlines() if "interviewer " in line]
    commands = [shlex.split(line.partition("  ")[0])[1:] for line in told]
    assert [command[-2] for command in commands] == ["lint", "grade"]
    for command in commands:
        called(*command, stdin="Consecutive batches are correlated and biased.")


def test_the_schema_lies_where_the_file_says(own: Path) -> None:
    called("rubrics", "new", "my-question")
    called("plans", "new", "my-loop")
    for path in (own / "my-question.yaml", own.parent / "plans" / "my-loop.yaml"):
        first = path.read_text().splitlines()[0]
        schema = path.parent / first.removeprefix("# yaml-language-server: $schema=")
        assert json.loads(schema.read_text())["title"] in {"Rubric", "Plan"}
    assert called("rubrics", "list").stderr == ""


def test_a_new_plan_is_written_linted_and_listed(own: Path) -> None:
    result = called("plans", "new", "my-loop", "--title", "My loop")
    path = own.parent / "plans" / "my-loop.yaml"
    assert result.stdout == f"{path}\n"
    assert problems_of("plans", "lint", path) == []
    listed = {plan["id"]: plan for plan in json.loads(called("plans", "list", "--json").stdout)}
    assert listed["my-loop"]["title"] == "My loop"
    elsewhere = called("plans", "new", "other-loop", "--to", own.parent / "elsewhere")
    assert f"move it to {own.parent / 'plans'}" in elsewhere.stderr


@pytest.mark.parametrize("group", ["rubrics", "plans"])
def test_nothing_is_written_over(own: Path, group: str) -> None:
    path = own.parent / group / "one-of-mine.yaml"
    called(group, "new", "one-of-mine")
    before = path.read_bytes()
    result = call(group, "new", "one-of-mine")
    assert result.exit_code == 1
    assert f"{path} already" in result.stderr
    broken = path.with_name("broken.yaml")
    broken.write_text("id: [")
    result = call(group, "new", "broken")
    assert "already exists and is left as it is" in result.stderr
    assert (path.read_bytes(), broken.read_text()) == (before, "id: [")


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (("rubrics", "new", "attention-scale-root-dk"), "is the id of a shipped rubric; to change"),
        (("rubrics", "new", RUBRIC), f"{RUBRIC} is the id of"),
        (("rubrics", "new", "../evil"), "'../evil' cannot be an id"),
        (("rubrics", "new", "fine", "--round", "My Round"), "'My Round' cannot be a round"),
        (("rubrics", "new", "fine", "--topic", "a b"), "'a b' cannot be a topic"),
        (("rubrics", "new", "fine", "--to", "FILE"), "cannot be written (File exists)"),
        (("plans", "new", "three-rounds"), "three-rounds is the id of"),
        (("plans", "new", "a/b"), "'a/b' cannot be an id"),
        (("rubrics", "import", "FOLDER"), "is a folder, not a file"),
        (("rubrics", "import", "nowhere.csv"), "cannot be read (No such file"),
        (("rubrics", "import", "FILE"), "contains no question"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    config: Path, tmp_path: Path, command: tuple[str, ...], sentence: str
) -> None:
    (tmp_path / "file.md").write_text("Nothing is asked here.")
    places = {"FILE": tmp_path / "file.md", "FOLDER": tmp_path}
    result = call(*(places.get(word, word) for word in command))
    assert result.exit_code == 1
    assert sentence in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_list_is_imported_and_its_bad_lines_are_named(own: Path, questions: Path) -> None:
    result = called("rubrics", "import", questions, "--round", "warm-up", "--topic", "optimiser")
    told = result.stdout
    assert told == f"2 questions imported into {own}, 1 already there, 2 lines skipped.\n"
    assert "Skipped: line 3 has no question." in result.stderr
    assert "Skipped: line 4 has the difficulty 'hrad'" in result.stderr
    rubric = json.loads(called("rubrics", "show", "warm-up", "--json").stdout)
    assert (rubric["round"], rubric["topic"], rubric["difficulty"]) == (
        "warm-up",
        "optimiser",
        "easy",
    )
    lint = called("rubrics", "lint", own)
    assert "clip.yaml:" in lint.stdout
    assert "is still to be written" in lint.stdout
    answer = "Early on the second moment of Adam is noisy, and small steps bound what harm it does."
    assert "Why warm up?" in called("grade", "warm-up", stdin=answer).stdout


def test_importing_again_adds_nothing(own: Path, questions: Path) -> None:
    called("rubrics", "import", questions)
    before = sorted((path.name, path.read_text()) for path in own.iterdir())
    again = called("rubrics", "import", questions)
    assert again.stdout.startswith(f"No questions imported into {own}, 3 already there")
    assert sorted((path.name, path.read_text()) for path in own.iterdir()) == before


def test_an_import_can_be_read_by_programs(own: Path, questions: Path) -> None:
    outcome = json.loads(called("rubrics", "import", questions, "--json").stdout)
    assert [each["id"] for each in outcome["written"]] == ["warm-up", "clip"]
    assert outcome["written"][0]["path"] == str(own / "warm-up.yaml")
    assert [each["line"] for each in outcome["duplicates"]] == [6]
    assert [each["line"] for each in outcome["skipped"]] == [3, 4]


def test_an_import_fails_only_where_nothing_could_be_used(own: Path, tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_text("question,difficulty\n" + "Why?,hrad\n" * 30)
    result = call("rubrics", "import", path)
    assert result.exit_code == 1
    assert "No question of" in result.stderr
    assert "10 more; --json lists them all" in result.stderr


def test_text_of_a_list_cannot_steer_the_terminal(own: Path, tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_text("question,difficulty\nWhy?,\x1b[2J\u202e\nWhy \x1b[2J then?,\n")
    result = called("rubrics", "import", path)
    assert "\x1b" not in result.output
    assert "\u202e" not in result.output
    (written,) = own.glob("*.yaml")
    assert "\x1b" not in written.read_text()


def test_a_copy_is_written_and_a_replacement_is_told(own: Path) -> None:
    result = called("rubrics", "copy", "zero3-versus-fsdp")
    assert result.stdout == f"{own / 'zero3-versus-fsdp-2.yaml'}\n"
    assert problems_of("rubrics", "lint", own) == []
    replacing = called("rubrics", "copy", "zero3-versus-fsdp", "zero3-versus-fsdp")
    assert "replaces the shipped zero3-versus-fsdp" in replacing.stderr
    listed = json.loads(called("rubrics", "list", "--json").stdout)
    origins = {each["id"]: (each["origin"], each["replaces"]) for each in listed}
    assert origins["zero3-versus-fsdp"] == ("yours", True)
    again = call("rubrics", "copy", "zero3-versus-fsdp", "zero3-versus-fsdp")
    assert again.exit_code == 1
    assert "edit that file, or choose another id" in again.stderr
