"""Broken rubrics and plans, each made of a sound one; ``rubric/broken.yaml`` has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

CASES: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parents[1] / "rubric" / "broken.yaml").read_text(encoding="utf-8")
)
SOUND = {"rubrics": CASES["sound_rubric"], "plans": CASES["sound_plan"]}


def write_broken(kind: str, name: str, folder: Path) -> Path:
    """Write one of them, under its name, into the folder."""
    sound, broken, *_ = CASES[kind][name]
    text = broken if sound is None else SOUND[kind].replace(sound, broken)
    path = folder / f"{name}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.replace("ID", name), encoding="utf-8")
    return path
