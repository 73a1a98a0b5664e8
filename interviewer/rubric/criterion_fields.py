"""The fields of one criterion, read from and put into the text of its file, comments and all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

import yaml

from interviewer.content.files import without_control
from interviewer.errors import RubricFileError
from interviewer.rubric.rubric import CriterionKind

TEXTS = ("claim", "weight", "probe", "kind", "must_have")
HINTS = ("hint_1", "hint_2")
KINDS: tuple[str, ...] = get_args(CriterionKind)
_WIDTH = 10**6


def criterion_at(text: str, line: int) -> tuple[int, dict[str, str]]:
    """Place (from 0) and fields of the criterion on or above this line. Raises RubricFileError."""
    points = _criteria(text)
    above = [place for place, node in enumerate(points) if node.start_mark.line <= line]
    place = above[-1] if above else 0
    return place, _values(points[place])


def with_fields(text: str, place: int, values: Mapping[str, str]) -> str:
    """The text with these fields in the criterion at this place. Raises RubricFileError."""
    before = _values(_criteria(text)[place])
    changed = {
        name: value
        for name, value in values.items()
        if value != before.get(name, "") and (name in before or value != "false")
    }
    if changed.keys() & {*HINTS}:
        text = _put(text, place, "hints", _hints({**before, **values}))
    if "drill" in changed:
        text = _put(text, place, "drill", _written(values["drill"]), inside="ask")
    for name in TEXTS:
        if name in changed:
            text = _put(text, place, name, _written(changed[name]))
    return text


def _criteria(text: str) -> list[yaml.MappingNode]:
    try:
        root = yaml.compose(without_control(text), Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise RubricFileError("This is no YAML yet: mend what is listed below first.") from error
    found = _get(root, "criteria")
    points = found.value if isinstance(found, yaml.SequenceNode) else []
    mappings = [point for point in points if isinstance(point, yaml.MappingNode)]
    if not mappings:
        raise RubricFileError("There is no criterion yet: begin one with '- id: …' below criteria.")
    return mappings


def _get(node: yaml.Node | None, name: str) -> yaml.Node | None:
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return next((value for key, value in pairs if key.value == name), None)


def _values(point: yaml.MappingNode) -> dict[str, str]:
    values = {name: said for name in TEXTS if (said := _said(_get(point, name))) is not None}
    hints = _get(point, "hints")
    listed = hints.value if isinstance(hints, yaml.SequenceNode) else []
    values |= {name: str(node.value) for name, node in zip(HINTS, listed, strict=False)}
    ask = _said(_get(_get(point, "drill"), "ask"))
    return values if ask is None else values | {"drill": ask}


def _said(node: yaml.Node | None) -> str | None:
    return str(node.value).strip() if isinstance(node, yaml.ScalarNode) else None


def _hints(values: Mapping[str, str]) -> str:
    said = [values.get(name, "") for name in HINTS]
    listed: str = yaml.safe_dump(
        list(filter(None, said)), default_flow_style=True, allow_unicode=True, width=_WIDTH
    )
    return listed.strip()


def _written(value: str) -> str:
    """The value on one line; numbers and true or false as such."""
    if value in ("true", "false") or value.replace(".", "", 1).isdigit():
        return value
    dumped: str = yaml.safe_dump(" ".join(value.split()), allow_unicode=True, width=_WIDTH)
    return dumped.removesuffix("...\n").strip()


def _put(text: str, place: int, name: str, value: str, inside: str = "") -> str:
    point = _criteria(text)[place]
    node = _get(point, name)
    if inside and node is not None:
        node = _get(node, inside)
    if node is not None:
        start, end = node.start_mark.index, node.end_mark.index
        old = text[start:end]
        return text[:start] + value + old[len(old.rstrip()) :] + text[end:]
    at = point.value[0][1].end_mark.index
    return f"{text[:at]}\n{' ' * point.start_mark.column}{name}: {value}{text[at:]}"
