"""Named groups of synonyms for use in patterns.

``{grow}`` in a pattern matches "grows", "increases", "goes up" …; a rubric may define terms of its
own under ``terms``, building on the shared ones.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from interviewer.content.fields import FieldPath, FieldsError
from interviewer.content.files import LOADER

LONGEST_PATTERN = 8000
"""Characters, as for any text in a rubric."""

TABLE = Path(__file__).with_name("terms.yaml")
SHARED: Mapping[str, str] = yaml.load(TABLE.read_text("utf-8"), LOADER)

_REFERENCE = re.compile(r"(?<!\\)\{([a-z][a-z0-9_-]*)\}")
_MATCHED = ("criteria", "escalations")
_FIELDS = ("patterns", "partly")


def expanded(regex: str, terms: Mapping[str, str]) -> str:
    """The pattern with its terms expanded. Raises ValueError: an unknown name, or too long."""
    room = LONGEST_PATTERN

    def words_of(match: re.Match[str]) -> str:
        nonlocal room
        name = match[1]
        if name not in terms:
            raise ValueError(_unknown(name, terms))
        room -= len(terms[name])
        if room < 0:
            raise ValueError(
                f"has more than {LONGEST_PATTERN} characters once its terms are expanded; use fewer"
            )
        return terms[name]

    return _REFERENCE.sub(words_of, regex)


def _unknown(name: str, terms: Mapping[str, str]) -> str:
    close = difflib.get_close_matches(name, sorted(terms), n=1)
    meant = f"write {{{close[0]}}}" if close else f"use one of {', '.join(sorted(SHARED))}"
    return f"there is no term {{{name}}}: {meant}, or define it under 'terms' before using it"


def with_terms(rubric: Any) -> Any:
    """A rubric as read from its file, terms expanded in all patterns. Raises FieldsError."""
    own = rubric.get("terms", {}) if isinstance(rubric, dict) else None
    if not isinstance(own, dict) or not all(isinstance(each, str) for each in own.values()):
        return rubric
    terms = dict(SHARED)
    for name, regex in own.items():
        try:
            terms[str(name)] = f"(?:{expanded(regex, terms)})"
        except ValueError as error:
            raise FieldsError((("terms", str(name)), str(error))) from error
    faults: list[tuple[FieldPath, str]] = []

    def filled(value: Any, where: FieldPath, inside: bool) -> Any:
        """The value with the terms expanded in every text below a pattern field."""
        if isinstance(value, dict):
            return {
                k: filled(v, (*where, str(k)), inside or k in _FIELDS) for k, v in value.items()
            }
        if isinstance(value, list | tuple):
            return [filled(each, (*where, n), inside) for n, each in enumerate(value)]
        if not inside or not isinstance(value, str):
            return value
        try:
            return expanded(value, terms)
        except ValueError as error:
            faults.append((where, str(error)))

    matched = {
        field: filled(rubric[field], (field,), False) for field in _MATCHED if field in rubric
    }
    if faults:
        raise FieldsError(*faults)
    return rubric | {"terms": {}} | matched
