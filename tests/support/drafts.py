"""What a model sends when it is asked for the draft of a rubric."""

from __future__ import annotations

import copy
import json
from typing import Any

from support.tables import table


def draft_values(**changes: Any) -> dict[str, Any]:
    """The fields of a sound draft, with some of them changed."""
    return {**copy.deepcopy(table("drafts", __file__)), **changes}


def drafted(**changes: Any) -> str:
    """The same as a model writes it."""
    return json.dumps(draft_values(**changes))
