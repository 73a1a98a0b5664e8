"""A small challenge that lints clean, and lines and functions for it."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from support.rubric_writing import write_yaml

CHALLENGE = "mean-square"
RIGHT_LINES = "squares = x * x\nout = sum(squares, dim=-1) / n\n"
WRONG_LINES = "squares = x * x\nout = sum(squares, dim=-1)\n"

_VALUES: dict[str, Any] = {
    "id": CHALLENGE,
    "version": 1,
    "title": "Mean square of each row",
    "kind": "derivation",
    "task": "Write the mean of the squares of each row of x [m, n].",
    "dims": {"m": 3, "n": 5},
    "inputs": {"x": {"shape": ["m", "n"], "about": "a vector a row"}},
    "answer": [{"name": "out", "shape": ["m"], "about": "one number for each row"}],
    "steps": [
        {
            "name": "squares",
            "shape": ["m", "n"],
            "value": "x * x",
            "required": True,
            "about": "every entry squared",
        }
    ],
    "reference": "def mean_square(x):\n    return (x * x).mean(-1)\n",
    "banned": ["mean"],
    "wrong": [
        {
            "id": "sum",
            "label": "not divided",
            "says": "What happens to your number when a row gets twice as long?",
            "code": "def mean_square(x):\n    return (x * x).sum(-1)\n",
        },
        {
            "id": "over-rows",
            "label": "divided by the number of rows",
            "says": "Which count did you divide by?",
            "code": "def mean_square(x):\n    return (x * x).sum(-1) / x.shape[0]\n",
        },
    ],
    "hints": ["Square first.", "Count what you add up."],
    "derivation": RIGHT_LINES,
    "solution": "Square, add up along the row, divide by its length.",
}


def challenge_values(challenge_id: str = CHALLENGE, **changes: Any) -> dict[str, Any]:
    """The fields of the challenge, some of them changed."""
    return {**copy.deepcopy(_VALUES), "id": challenge_id, **changes}


def write_challenge(config: Path, challenge_id: str = CHALLENGE, **changes: Any) -> Path:
    """A challenge of one's own in the config folder."""
    path = config / "challenges" / f"{challenge_id}.yaml"
    return write_yaml(path, challenge_values(challenge_id, **changes))
