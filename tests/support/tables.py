"""Cases of a test that are data: they lie as YAML beside it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def table(name: str, beside: str) -> Any:
    """The table of this name in the folder of a test, which gives its ``__file__``."""
    path = Path(beside).parent / f"{name}.yaml"
    return yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)
