"""Adding patterns to a rubric file of one's own: all else in it, comments too, stays as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from interviewer.content.files import LOADER, read, read_text, text_of, write_over
from interviewer.content.kinds import RUBRICS
from interviewer.errors import RubricFileError
from interviewer.rubric.rubric import Rubric
from interviewer.rubric.terms import SHARED, expanded

Pattern = Sequence[str]
"""An alternative as a file writes it, shared terms not expanded."""
_FOLLOWING = ("partly", "probe")
"""The fields before which patterns belong; one of them is in every criterion."""


def pattern_line(pattern: Pattern) -> str:
    """An alternative as one YAML value, quoted as patterns are."""
    quoted = ["'" + regex.replace("'", "''") + "'" for regex in pattern]
    return quoted[0] if len(quoted) == 1 else f"[{', '.join(quoted)}]"


def add_patterns(path: Path, added: Mapping[str, Sequence[Pattern]]) -> None:
    """Add alternatives to the patterns of criteria, by id.

    Raises RubricFileError, also for a shipped file; the file then is as it was.
    """
    if path.resolve().is_relative_to(RUBRICS.shipped.resolve()):
        raise RubricFileError(
            f"{path} is shipped with the program and stays as it is; 'interviewer rubrics copy "
            f"{path.stem}' makes a copy of your own."
        )
    before = read(path, Rubric).required()
    text = text_of(path)
    for criterion, patterns in added.items():
        if patterns:
            text = _with_lines(text, criterion, [pattern_line(each) for each in patterns])
    if not text or read_text(path, text, Rubric).value != _expected(before, added):
        raise RubricFileError(
            f"{path} is written in a way that nothing can be added to safely; paste the patterns "
            "in yourself."
        )
    write_over(path, text)


def _expected(rubric: Rubric, added: Mapping[str, Sequence[Pattern]]) -> Rubric:
    criteria = []
    for criterion in rubric.criteria:
        new = [tuple(expanded(r, SHARED) for r in each) for each in added.get(criterion.id, ())]
        criteria.append(criterion.model_copy(update={"patterns": (*criterion.patterns, *new)}))
    return rubric.model_copy(update={"criteria": tuple(criteria)})


def _with_lines(text: str, criterion: str, lines: Sequence[str]) -> str:
    """The text with these alternatives added; "" where the criterion is not written in blocks.

    The text has been read before, so it is not nested too deep for the composer.
    """
    fields = _fields_of(yaml.compose(text, Loader=LOADER), criterion)
    if not fields:
        return ""
    indent = " " * fields[0][0].start_mark.column
    at = next((n for n, (name, _) in enumerate(fields) if name.value == "patterns"), None)
    if at is None:
        first = next(n for n, (name, _) in enumerate(fields) if name.value in _FOLLOWING)
        items = [f"{indent}  - {line}" for line in lines]
        return _after(text, fields[max(0, first - 1)][1], [f"{indent}patterns:", *items])
    patterns = fields[at][1]
    if isinstance(patterns, yaml.SequenceNode) and patterns.flow_style:
        old = [text[v.start_mark.index : v.end_mark.index] for v in patterns.value]
        items = [f"{indent}  - {line}" for line in (*old, *lines)]
        start, end = patterns.start_mark.index, patterns.end_mark.index
        return f"{text[:start].rstrip(' ')}\n" + "\n".join(items) + text[end:]
    indent = " " * patterns.start_mark.column
    return _after(text, patterns, [f"{indent}- {line}" for line in lines])


def _fields_of(root: yaml.Node | None, criterion: str) -> list[tuple[yaml.Node, yaml.Node]]:
    """The names and values of one criterion's fields, if each stands on a line of its own."""
    values = {} if root is None else {name.value: value for name, value in root.value}
    for node in values["criteria"].value if "criteria" in values else ():
        if any(n.value == "id" and v.value == criterion for n, v in node.value):
            return [] if node.flow_style else list(node.value)
    return []


def _after(text: str, node: yaml.Node, lines: Sequence[str]) -> str:
    """The text with lines put in below the last line of a value."""
    whole = text.splitlines(keepends=True)
    last = _last_line(node)
    while last and not whole[last].strip():
        last -= 1
    if not whole[last].endswith("\n"):
        whole[last] += "\n"
    return "".join([*whole[: last + 1], *(f"{line}\n" for line in lines), *whole[last + 1 :]])


def _last_line(node: yaml.Node) -> int:
    """The last line of the value, counted from 0."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _last_line(last[1] if isinstance(last, tuple) else last)
    # A text in a block ends where the next line begins.
    return int(node.end_mark.line) - (node.end_mark.column == 0)
