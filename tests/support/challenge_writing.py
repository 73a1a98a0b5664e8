"""A small challenge that lints clean, and lines and functions for it."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from support.rubric_writing import write_yaml
from support.tables import table

CHALLENGE = "mean-square"
RIGHT_LINES = "squares = x * x\nout = sum(squares, dim=-1) / n\n"
WRONG_LINES = "squares = x * x\nout = sum(squares, dim=-1)\n"


def challenge_values(challenge_id: str = CHALLENGE, **changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(table("challenge_writing", __file__)), "id": challenge_id, **changes}


def write_challenge(config: Path, challenge_id: str = CHALLENGE, **changes: Any) -> Path:
    path = config / "challenges" / f"{challenge_id}.yaml"
    return write_yaml(path, challenge_values(challenge_id, **changes))
