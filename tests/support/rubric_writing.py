"""A small rubric that lints clean, and ways to spoil it."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import yaml

from support.tables import table


def rubric_values(rubric_id: str = "scaled-logits", **changes: Any) -> dict[str, Any]:
    values = copy.deepcopy(table("rubric_writing", __file__))
    return {**values, "id": rubric_id, **changes}


def write_yaml(path: Path, values: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(values, sort_keys=False, allow_unicode=True), "utf-8")
    return path
