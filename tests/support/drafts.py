"""What a model sends when it is asked for the draft of a rubric."""

from __future__ import annotations

import copy
import json
from typing import Any

_DRAFT: dict[str, Any] = {
    "title": "EMA of the weights",
    "question": "Why would you evaluate an exponential average of the weights, not the last ones?",
    "kind": "concept",
    "difficulty": "medium",
    "reference": "At a high learning rate the last weights jitter around the valley, and averaging "
    "takes the jitter out. A decay of 0.999 looks back about a thousand steps.",
    "criteria": [
        {
            "claim": "Averaging removes the jitter of late steps.",
            "weight": 3,
            "kind": "mechanism",
            "must_have": True,
            "accept": ["the noise of single updates cancels out"],
            "reject": ["it makes the model better"],
            "misconceptions": [],
            "probe": "What do the final few updates of such a run look like from above?",
            "hints": ["Look at two checkpoints in a row.", "Think of what a mean does to noise."],
        },
        {
            "claim": "A decay of 0.999 looks back about a thousand steps.",
            "weight": 2,
            "kind": "number",
            "must_have": False,
            "accept": [],
            "reject": [],
            "misconceptions": ["It looks back ten steps."],
            "probe": "How would you choose the constant, and what does your choice stand for?",
            "hints": ["Think of a half-life.", "Take one over the rest."],
        },
    ],
}


def draft_values(**changes: Any) -> dict[str, Any]:
    """The fields of a sound draft, with some of them changed."""
    return {**copy.deepcopy(_DRAFT), **changes}


def drafted(**changes: Any) -> str:
    """The same as a model writes it."""
    return json.dumps(draft_values(**changes))
