"""The prompts as files: a line with the version, a blank line, the text."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

PromptName = Literal[
    "judge",
    "judge_bench",
    "repair",
    "second_look",
    "appeal",
    "listen",
    "listen_bench",
    "giveaways",
    "figures",
    "open",
    "draft",
]


@dataclass(frozen=True)
class Prompt:
    """``version`` is logged: name, version line and a digest that tells edits apart."""

    text: str
    version: str


@cache
def load(name: PromptName) -> Prompt:
    """The prompt of this name."""
    data = files(__name__).joinpath(f"{name}.md").read_bytes()
    heading, text = data.decode("utf-8").split("\n", 1)
    number = heading.removeprefix("version:").strip()
    return Prompt(text.strip(), f"{name}-{number}-{hashlib.sha256(data).hexdigest()[:8]}")
