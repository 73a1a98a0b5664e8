"""What is loaded before the first paint."""

from __future__ import annotations

import json
import os
import subprocess
import sys

HEAVY = ("sqlalchemy", "openai", "torch", "pydantic", "yaml", "alembic", "re2", "markdown_it")
FIRST_PAINT = """
import asyncio, json, sys
import tui.app
from interviewer.settings import load_settings

def on_ready(app):
    print(json.dumps(list(sys.modules)), file=sys.__stdout__)
    app.exit()

tui.app.InterviewerApp.on_ready = on_ready
app = tui.app.InterviewerApp(load_settings())
asyncio.run(app.run_async(headless=True))
"""


def run(script: str) -> str:
    environment = {**os.environ, "OPENAI_API_KEY": "sk-test", "INTERVIEWER_EXAMINER": "llm"}
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, check=True, timeout=60
    )
    return done.stdout


def test_the_first_paint_loads_nothing_heavy() -> None:
    loaded = json.loads(run(FIRST_PAINT))
    assert "tui.screens.home" in loaded
    assert not set(HEAVY) & set(loaded)
    assert "textual.widgets._text_area" not in loaded
