"""What one answer passes on its way to the next question; CONTRIBUTING tells it file by file."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MOST_FILES = {"offline": 24, "llm": 34}


@cache
def walk_of(kind: str) -> dict[str, list[str]]:
    """The functions called by file, in the order of their first call, in a fresh process."""
    path = os.pathsep.join(map(str, (ROOT, ROOT / "tests")))
    done = subprocess.run(
        [sys.executable, "-m", "support.walk", kind],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
    )
    walk: dict[str, list[str]] = json.loads(done.stdout)
    return walk


@pytest.mark.parametrize("kind", MOST_FILES)
def test_an_answer_passes_few_files(kind: str) -> None:
    walk = walk_of(kind)
    lines = [f"{path} ({len(functions)})" for path, functions in walk.items()]
    assert len(walk) <= MOST_FILES[kind], "\n".join((f"{len(lines)} files:", *lines))


def test_it_goes_where_contributing_says() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    account = text.split("## Where an answer goes")[1].split("\n## ")[0]
    offline, model = (
        {path for path in re.findall(r"`([\w/]+\.py)`", part) if not path.startswith("tests/")}
        for part in account.split("### With a model")
    )
    assert sorted(offline) == sorted(walk_of("offline"))
    assert sorted(model) == sorted(walk_of("llm").keys() - offline)
