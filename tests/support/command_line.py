"""The command line as a test drives it: in this process, or as a process of its own."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml
from click.testing import CliRunner, Result

from interviewer.cli.root import root
from support.rubric_writing import rubric_values, write_yaml

RUBRIC = "scaled-logits"
PLAN = "one-question"
GAP = "The variance of the dot product grows with the width of a head."
"""An answer that makes the first of the rubric's two points."""
FULL_ANSWER = "Variance grows with the width. The loss starts at 11.5 nats."


def call(*arguments: str | Path, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(root, [str(a) for a in arguments], input=stdin)


def called(*arguments: str | Path, stdin: str | bytes = "") -> Result:
    """Run the command in this process; it must succeed."""
    result = call(*arguments, stdin=stdin)
    assert result.exit_code == 0, result.output
    return result


def typed(*arguments: str | Path, stdin: str = "") -> Result:
    """Run the command in this process with a real file as descriptor 0; it must succeed."""
    kept = os.dup(0)
    with tempfile.TemporaryFile() as file:
        file.write(stdin.encode())
        file.seek(0)
        os.dup2(file.fileno(), 0)
        try:
            return called(*arguments)
        finally:
            os.dup2(kept, 0)
            os.close(kept)


def process(*arguments: str | Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "interviewer", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def json_lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def write_rubric(folder: Path, rubric_id: str = RUBRIC, **changes: Any) -> Path:
    return write_yaml(folder / "rubrics" / f"{rubric_id}.yaml", rubric_values(rubric_id, **changes))


def write_plan(folder: Path, *rubrics: str, plan_id: str = PLAN, **changes: Any) -> Path:
    asked = list(rubrics) or [RUBRIC]
    part = {
        "id": "only",
        "title": "The only round",
        "persona": {"name": "Ada", "manner": "Patient."},
        "minutes": 10,
        "count": len(asked),
        "ask": asked,
        **changes,
    }
    return write_yaml(
        folder / "plans" / f"{plan_id}.yaml",
        {
            "id": plan_id,
            "version": 1,
            "title": "One question",
            "description": "For tests.",
            "rounds": [part],
        },
    )


def write_script(path: Path, *entries: Any) -> Path:
    """A script for ``interviewer run``."""
    path.write_text(yaml.safe_dump(list(entries)), "utf-8")
    return path


def hold(tmp_path: Path, *script: Any, mode: str = "exam") -> str:
    """The id of a session in which the offline examiner heard this script."""
    path = write_script(tmp_path / "script.yaml", *script)
    options = ("--plan", PLAN, "--mode", mode, "--script", path, "--json", "--examiner", "offline")
    first, *_ = json_lines(called("run", *options).stdout)
    return str(first["session"])


SAID = (
    GAP,
    "Without the root the softmax saturates and learns nothing.",
    "It keeps the logits at unit scale when the loss starts.",
)
"""Three answers about attention."""


def shown(session: str) -> dict[str, Any]:
    """The session as ``sessions show --json`` has it."""
    values: dict[str, Any] = json.loads(called("sessions", "show", session, "--json").stdout)
    return values


def question_of(session: str) -> dict[str, Any]:
    """Its first question with grade and verdicts."""
    question: dict[str, Any] = shown(session)["debrief"]["rounds"][0]["questions"][0]
    return question


def exported(session: str, form: str) -> str:
    return called("sessions", "export", session, "--format", form).stdout


def verdict_rows(session: str) -> list[dict[str, str]]:
    """The session as a table, a verdict a row."""
    return list(csv.DictReader(io.StringIO(exported(session, "csv"))))
