"""What a model sends when it is asked for the draft of a rubric."""

from __future__ import annotations

import copy
import json
from typing import Any

from support.tables import table


def draft_values(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(table("drafts", __file__)), **changes}


def drafted(**changes: Any) -> str:
    return json.dumps(draft_values(**changes))
