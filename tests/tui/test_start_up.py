"""What is loaded before the first paint, and where the heavy packages may be imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tui

HEAVY = ("sqlalchemy", "openai", "torch", "pydantic", "yaml", "alembic", "re2", "markdown_it")
FIRST_PAINT = """
import asyncio, json, sys
import tui.app
from interviewer.settings import load_settings

tui.app.warm_up = lambda settings: None

async def look():
    app = tui.app.InterviewerApp(load_settings())
    painted = []
    app.screen_at_ready = None
    ready = app.on_ready

    def on_ready():
        painted.extend(sys.modules)
        ready()

    app.on_ready = on_ready
    async with app.run_test(size=(80, 24)) as pilot:
        while not painted:
            await pilot.pause(0.01)
        print(json.dumps(painted))

asyncio.run(look())
"""


def run(script: str) -> str:
    environment = {**os.environ, "OPENAI_API_KEY": "sk-test"}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True
    )
    return done.stdout


def test_importing_the_app_loads_nothing_heavy() -> None:
    loaded = json.loads(run("import json, sys, tui.app; print(json.dumps(list(sys.modules)))"))
    assert not set(HEAVY) & set(loaded)


def test_the_first_paint_loads_nothing_heavy() -> None:
    loaded = json.loads(run(FIRST_PAINT))
    assert "tui.home.screen" in loaded
    assert not set(HEAVY) & set(loaded)
    assert "textual.widgets._text_area" not in loaded


def test_importing_the_package_loads_not_even_textual() -> None:
    loaded = json.loads(run("import json, sys, tui; print(json.dumps(list(sys.modules)))"))
    assert "textual" not in loaded


@pytest.mark.parametrize("package", ["sqlalchemy", "openai", "torch", "yaml", "pydantic"])
def test_the_front_end_never_imports_the_engine_s_packages(package: str) -> None:
    folder = Path(tui.__file__).parent
    for path in folder.rglob("*.py"):
        text = path.read_text()
        assert f"import {package}" not in text, path
        assert f"from {package}" not in text, path
