"""A challenge as shown to the candidate, and how lines are written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from interviewer.sandbox.jobs import resolve_dims
from interviewer.sandbox.language.functions import RULES, examples
from tui.widgets.plain_text import one_line, plain, spoken

if TYPE_CHECKING:
    from interviewer.sandbox.challenge import Challenge, Input, Kind

_NEW_LINE = Content("\n")
_TITLES = 12
"""Columns of the titles of a table."""
_ROOM = 64
"""Columns of the task beside the list on a screen of 120."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def task(challenge: Challenge, hints: int = 0) -> Content:
    """All that may be known before the attempt, and the first ``hints`` hints."""
    return _NEW_LINE.join(
        [
            Content.assemble(one_line(challenge.title, "bold"), f" · {challenge.kind}"),
            spoken(challenge.task.strip()),
            *_tables(challenge),
            *_rules(challenge),
            *_hints(challenge, hints),
        ]
    )


def names(challenge: Challenge) -> Content:
    """The names given and wanted with their shapes, on a line that is always visible."""
    given = [_named(name, each.shape) for name, each in challenge.inputs.items()]
    wanted = [_named(part.name, part.shape) for part in challenge.answer]
    sizes = " ".join(_size(name, size) for name, size in _dims(challenge).items())
    return plain(f"{'  '.join(given)}  →  {'  '.join(wanted)}   {sizes}")


def _tables(challenge: Challenge) -> Iterator[Content]:
    dims = _dims(challenge)
    given = [(name, _given(each, dims), each.about) for name, each in challenge.inputs.items()]
    wanted = [
        (part.name, _sizes(part.shape, dims) or part.unit, part.about) for part in challenge.answer
    ]
    steps = [
        (
            step.name,
            _sizes(step.shape, dims),
            f"{step.about} (required)".lstrip() if step.required else step.about,
        )
        for step in challenge.steps
    ]
    for title, rows in (("Given", given), ("Wanted", wanted), ("Steps", steps)):
        yield from _table(title, rows)


def _table(title: str, rows: Sequence[tuple[str, str, str]]) -> Iterator[Content]:
    widest, facts = (max((len(row[i]) for row in rows), default=0) for i in (0, 1))
    beside = _TITLES + widest + facts + 4
    is_long = any(beside + len(about) > _ROOM for _, _, about in rows)
    for place, (name, fact, about) in enumerate(rows):
        row = Content.assemble(
            (f"{title if place == 0 else '':<{_TITLES}}", "dim"),
            plain(f"{name:<{widest}}", "bold"),
            plain(f"  {fact:<{facts}}  "),
        )
        if is_long:  # rather than wrap to the first column
            yield row
            yield Content(" " * _TITLES) + one_line(about, "dim")
        else:
            yield row + one_line(about, "dim")


def _given(each: Input, dims: Mapping[str, int | str]) -> str:
    if each.shape:
        return _sizes(each.shape, dims)
    if each.instance is not None:
        return f"= {each.instance:g} {each.unit}".rstrip()
    return f"a number, {each.unit}" if each.unit else "a number"


def _sizes(shape: Sequence[int | str], dims: Mapping[str, int | str]) -> str:
    """As in ``[n, d]   n=5 d=11``; empty for a single number."""
    if not shape:
        return ""
    named = dict.fromkeys(name for size in shape for name in _NAME.findall(str(size)))
    values = " ".join(_size(name, dims[name]) for name in named if name in dims)
    return f"[{', '.join(map(str, shape))}]   {values}".rstrip()


def _dims(challenge: Challenge) -> Mapping[str, int | str]:
    try:
        return resolve_dims(challenge.dims)
    except ValueError:
        return challenge.dims


def _size(name: str, size: int | str) -> str:
    return f"{name}={size}".replace(" ", "")


def _named(name: str, shape: Sequence[int | str]) -> str:
    return f"{name}[{','.join(map(str, shape))}]" if shape else name


def _rules(challenge: Challenge) -> Iterator[Content]:
    yield plain(f"{'As code':<12}{challenge.head}:", "dim")
    if challenge.banned:
        yield plain(f"{'Not allowed':<12}{', '.join(challenge.banned)}", "dim")


def _hints(challenge: Challenge, count: int) -> Iterator[Content]:
    for number, hint in enumerate(challenge.hints[:count], start=1):
        yield Content.assemble((f"Hint {number}  ", "bold $text-warning"), spoken(hint.strip()))


# -- how lines are written ---------------------------------------------------------------------


def grammar(kind: Kind) -> Content:
    """Six rules and two examples that fit a challenge of this kind."""
    return _NEW_LINE.join(_lines(kind))


def _lines(kind: Kind) -> Iterator[Content]:
    widest = max(map(len, RULES))
    for about, text in RULES.items():
        yield Content.assemble(plain(f"{about:<{widest}}  ", "dim"), plain(text))
    for example in examples(kind):
        yield Content()
        comment, *lines = example.source.splitlines()
        yield plain(comment, "dim")
        yield from (plain(line, "bold") for line in lines)
