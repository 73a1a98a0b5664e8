"""What CONTRIBUTING names is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TEXT)


def functions_in(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    defined = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.walk(tree) if isinstance(node, defined)}


def test_each_test_that_is_named_exists() -> None:
    assert len(NAMED) >= 12
    missing = [name for path, name in NAMED if name not in functions_in(path)]
    assert not missing


def test_each_request_of_users_has_a_test() -> None:
    section = TEXT.split("## What users of such programs ask for")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")][2:]
    assert len(rows) == 12
    assert [row for row in rows if "::" not in row] == []
