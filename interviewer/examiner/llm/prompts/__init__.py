"""The prompts as files: a line with the version, a blank line, the text."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from interviewer.yaml_tables import table


@dataclass(frozen=True)
class Prompt:
    """``version`` is logged: name, version line and a digest that tells edits apart."""

    text: str
    version: str


@cache
def load(name: str) -> Prompt:
    """The prompt of this name."""
    data = files(__name__).joinpath(f"{name}.md").read_bytes()
    heading, text = data.decode("utf-8").split("\n", 1)
    number = heading.removeprefix("version:").strip()
    return Prompt(text.strip(), f"{name}-{number}-{hashlib.sha256(data).hexdigest()[:8]}")


@cache
def tasks() -> dict[str, Any]:
    """The sentences of ``tasks.yaml``."""
    found: dict[str, Any] = table("tasks", __name__)
    return found
