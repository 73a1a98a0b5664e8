"""Every command of the README and of the pages it leads to is run, here or by .ci/run."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from support.command_line import called, typed
from support.terminal_typing import typed_at_a_terminal

ROOT = Path(__file__).parents[1]
PAGES = [
    "README.md",
    "interviewer/GUIDE.md",
    "interviewer/SETTINGS.md",
    "interviewer/examiner/GRADING.md",
    "interviewer/sandbox/BENCH.md",
    "rubrics/GUIDE.md",
]
TEXTS = {page: (ROOT / page).read_text(encoding="utf-8") for page in PAGES}
PIPELINE = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))


def blocks(language: str) -> list[str]:
    """The blocks of all pages in this language, the README's first."""
    found = [re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL) for text in TEXTS.values()]
    return [block for page in found for block in page]


COMMANDS = [line for block in blocks("console") for line in block.splitlines() if line]
ASKING = "interviewer sandbox install"
OWN = [line for line in COMMANDS if line.startswith("interviewer ") and line != ASKING]
SWEEPS = ["interviewer check lint", "interviewer rubrics selftest"]
"""They run all that ships, which takes a minute, and .ci/run does it."""
SCRIPT = """
- The variance of the dot product grows with the head width, so we divide by its root.
- /hint
- /idk
- /end
"""


pytestmark = pytest.mark.usefixtures("shared_worker")


def pipeline_commands() -> list[str]:
    """The shell commands of the public pipeline, in order."""
    return [step["run"] for step in PIPELINE["jobs"]["test"]["steps"] if "run" in step]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the README's commands name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answers.yaml").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "answer.txt").write_text("Its variance grows with the head width.")
    (tmp_path / "notes.md").write_text(
        "- I tuned a 7B model with LoRA on two GPUs for a week.\n", encoding="utf-8"
    )
    (tmp_path / "questions.csv").write_text("question,answer\nWhy clip gradients?,Rare steps.\n")
    (tmp_path / "derivation.txt").write_text(
        "weights = softmax(Q @ T(K) / sqrt(d), dim=-1)\nout = weights @ V\n", encoding="utf-8"
    )
    (tmp_path / "my-rubric.yaml").write_text(blocks("yaml")[0], encoding="utf-8")
    return tmp_path


def test_the_install_and_test_commands_are_those_that_ci_runs() -> None:
    start, tests, cpu_torch = (line for line in COMMANDS if not line.startswith("interviewer "))
    assert start.split(" && ") == [
        "python3 -m venv .venv",
        ".venv/bin/pip install -c constraints.txt .",
        ".venv/bin/interviewer",
    ]
    assert tests in (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert cpu_torch in pipeline_commands()


def test_the_pipeline_covers_every_python_that_is_named() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = [each.rpartition(" ")[2] for each in project["classifiers"] if ":: 3." in each]
    matrix = PIPELINE["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == named
    assert project["requires-python"] == f">={named[0]}"
    assert {each.partition("-")[0] for each in matrix["os"]} == {"ubuntu", "macos"}
    assert pipeline_commands()[-1] == ".ci/run tests"


def test_the_pipeline_runs_every_stage() -> None:
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    [stages] = re.findall(r"^stages=\((.*)\)$", script, re.MULTILINE)
    assert ["tests", *PIPELINE["jobs"]["stage"]["strategy"]["matrix"]["stage"]] == stages.split()


def test_torch_is_installed_on_request() -> None:
    assert ASKING in COMMANDS
    assert "Install it? [y/N]" in typed_at_a_terminal("n\n", *ASKING.split()[1:])


@pytest.mark.parametrize("command", SWEEPS)
def test_what_takes_long_is_run_by_ci(command: str) -> None:
    assert command in OWN
    assert f".venv/bin/{command}" in (ROOT / ".ci/run").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", [line for line in OWN if line not in SWEEPS])
def test_the_command_works_as_written(command: str, folder: Path) -> None:
    if "SESSION" in command:
        called("run", "--script", "answers.yaml")
        (session,) = json.loads(called("sessions", "list", "--json").stdout)
        command = command.replace("SESSION", session["id"])
        if "diff" in command:
            called("sessions", "regrade", session["id"])
    command = command.replace("PATH", sys.executable)
    done = typed(*command.split()[1:], stdin="A first answer of a few words.\n\n/end\n")
    assert done.stdout.strip()


def test_the_rubric_example_is_listed_and_can_be_asked(folder: Path) -> None:
    own = folder / "config" / "rubrics"
    own.mkdir(parents=True)
    (own / "mine.yaml").write_text(blocks("yaml")[0], encoding="utf-8")
    listed = json.loads(called("rubrics", "list", "--json").stdout)
    assert "packing-documents" in json.dumps(listed)
    answer = "A token of one document can attend across the border to another document."
    done = called("grade", "packing-documents", "--json", stdin=answer)
    assert json.loads(done.stdout)["verdicts"][0]["verdict"] == "met"


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_files(page: str) -> None:
    for target in re.findall(r"\]\(((?!http)[^)#]+)[^)]*\)", TEXTS[page].replace("\n", " ")):
        assert ((ROOT / page).parent / target).exists(), target
