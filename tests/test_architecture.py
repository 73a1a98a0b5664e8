"""Who may import whom, and what loads when."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HOMES = {
    "openai": ("interviewer/examiner/llm/",),
    "sqlalchemy": ("interviewer/store/",),
    "textual": ("tui/",),
    "click": ("interviewer/cli/", "tui/interview/screen.py"),
    "re2": ("interviewer/rubric/",),
    "yaml": (
        "interviewer/content/",
        "interviewer/rubric/",
        "interviewer/cli/conversation.py",
    ),
    "torch": ("interviewer/sandbox/worker/",),
    "keyring": ("interviewer/settings/keychain.py",),
    "tomlkit": ("interviewer/settings/config_file.py",),
    "plotext": ("interviewer/report/figures.py",),
}
WORKER = ROOT / "interviewer" / "sandbox" / "worker"


def loaded_by(code: str) -> set[str]:
    """The top-level modules that a fresh interpreter has after running the code."""
    script = f"{code}\nimport json, sys\nprint(json.dumps([m.split('.')[0] for m in sys.modules]))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


@cache
def imports_of(path: Path) -> frozenset[str]:
    """All modules that a file names in an import, in functions too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
    return frozenset(found)


def test_the_layers_hold() -> None:
    lint = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([lint, "--no-cache"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("package", "home"), HOMES.items())
def test_each_heavy_package_has_one_home(package: str, home: tuple[str, ...]) -> None:
    strangers = [
        path.relative_to(ROOT).as_posix()
        for top in ("interviewer", "tui")
        for path in (ROOT / top).rglob("*.py")
        if any(name.split(".")[0] == package for name in imports_of(path))
    ]
    assert [path for path in strangers if not path.startswith(home)] == []


def test_the_worker_needs_the_standard_library_and_torch_alone() -> None:
    for path in WORKER.rglob("*.py"):
        tops = {name.split(".")[0] for name in imports_of(path)}
        assert tops <= {*sys.stdlib_module_names, "torch"}, path


def test_the_engine_takes_nothing_of_the_worker_but_its_protocol() -> None:
    package = "interviewer.sandbox.worker"
    for top in ("interviewer", "tui"):
        for path in (ROOT / top).rglob("*.py"):
            if WORKER not in path.parents:
                named = {name for name in imports_of(path) if name.startswith(package)}
                assert named <= {f"{package}.protocol", package}, path


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        (
            "import interviewer.cli.root",
            {"textual", "openai", "sqlalchemy", "pydantic", "yaml", "torch", "re2", "asyncio"},
        ),
        ("import interviewer.composition", {"openai", "sqlalchemy", "pydantic", "textual"}),
        ("import interviewer.examiner.registry", {"pydantic", "re2", "openai", "sqlalchemy"}),
        ("import interviewer.store.reader", {"sqlalchemy", "alembic", "pydantic"}),
        ("import interviewer.interview.interview", {"openai", "textual", "torch"}),
        ("import interviewer.sandbox.bench", {"torch", "textual", "sqlalchemy", "openai"}),
        ("import tui.app", {"openai", "sqlalchemy", "torch", "pydantic", "yaml", "plotext"}),
        ("import tui.screens.settings", {"openai", "sqlalchemy", "keyring", "tomlkit"}),
    ],
)
def test_what_an_import_does_not_load(code: str, absent: set[str]) -> None:
    assert loaded_by(code) & absent == set()


def test_modules_stay_readable() -> None:
    long = {
        path.relative_to(ROOT).as_posix(): lines
        for top in ("interviewer", "tui")
        for path in (ROOT / top).rglob("*.py")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 620
    }
    assert long == {}


def test_functions_stay_readable() -> None:
    long = [
        f"{path.relative_to(ROOT).as_posix()}:{node.lineno} {node.name}"
        for top in ("interviewer", "tui")
        for path in (ROOT / top).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= 60
    ]
    assert long == []
