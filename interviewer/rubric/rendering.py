"""Values as the YAML of a file that a person goes on with: blocks for long texts, and comments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from interviewer.rubric.document import CONTROL

WIDTH = 98
_LONGEST_PLAIN = 76
"""Characters of a text that still stands on the line of its field."""


class _Dumper(yaml.SafeDumper):
    """Lists are indented, as in the shipped files."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:
        return super().increase_indent(flow, False)


def _as_block(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else ">" if len(text) > _LONGEST_PLAIN else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _as_block)


def rendered(
    values: Mapping[str, Any],
    *,
    heading: Iterable[str] = (),
    notes: Mapping[str, Iterable[str]] | None = None,
) -> str:
    """The fields in their order. ``heading`` and, above a field, ``notes`` become comments."""
    parts = [*map(_comment, heading)]
    for field, value in values.items():
        parts += map(_comment, (notes or {}).get(field, ()))
        parts.append(as_yaml({field: value}))
    return "".join(parts)


def as_yaml(values: Mapping[str, Any]) -> str:
    """The values as YAML, which ends with a line end."""
    text: str = yaml.dump(values, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=WIDTH)
    return text


def without_control(text: str) -> str:
    """The text without the characters that no rubric file may hold."""
    return CONTROL.sub(" ", text)


def _comment(line: str) -> str:
    """One line whatever the text holds, so that nothing in it becomes a field."""
    return f"# {' '.join(without_control(line).split())}\n"
