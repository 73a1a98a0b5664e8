"""Data of the program that lie as YAML beside the code which reads them."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def table(name: str, package: str) -> Any:
    """The data of a file that lies beside the code of a package."""
    text = (files(package) / f"{name}.yaml").read_text(encoding="utf-8")
    return yaml.load(text, Loader=_LOADER)
