"""What goes into a new content file: an id, a commented starter, a JSON schema for editors."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Container
from pathlib import Path

from pydantic import BaseModel

from interviewer.content.fields import LONGEST_SLUG, SHORTEST_SLUG, SLUG_PATTERN
from interviewer.content.files import as_yaml, write_over
from interviewer.content.kinds import Kind
from interviewer.errors import RubricFileError

_LONGEST_MADE = 48
"""Characters of an id made from a text."""
_MOST_WORDS = 6
_STOP = """
    a an and are as at be by can could describe did do does explain for from give has have how i if
    in is it its me of on or please so some tell that the their them then there these they this to
    use used was we what when where which who why will with would you your
"""
_STOP_WORDS = frozenset(_STOP.split())


def slug_of(text: str, taken: Container[str] = (), *, otherwise: str = "question") -> str:
    """An unused id of the first telling words; ``otherwise`` for a text without Latin letters."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", plain.replace("'", ""))
    telling = [word for word in words if word not in _STOP_WORDS] or words
    slug = ""
    for word in telling[:_MOST_WORDS]:
        longer = f"{slug}-{word}" if slug else word[:_LONGEST_MADE]
        if len(longer) > _LONGEST_MADE:
            break
        slug = longer
    if len(slug) < SHORTEST_SLUG:
        slug = f"{otherwise}-{slug}" if slug else otherwise
    return free_slug(slug, taken)


def free_slug(slug: str, taken: Container[str]) -> str:
    """The id, numbered if it is taken."""
    number, free = 1, slug
    while free in taken:
        number += 1
        free = f"{slug}-{number}"
    return free


def is_slug(text: str) -> bool:
    """Whether the text can be an id as it is."""
    return SHORTEST_SLUG <= len(text) <= LONGEST_SLUG and bool(re.fullmatch(SLUG_PATTERN, text))


def require_slug(text: str, what: str) -> str:
    """The text, if it can be an id; raises RubricFileError, which suggests one that can."""
    if is_slug(text):
        return text
    raise RubricFileError(
        f"{text!r} cannot be {what}: use {SHORTEST_SLUG} to {LONGEST_SLUG} lower-case letters, "
        f"digits and single hyphens, as in {slug_of(text)!r}."
    )


def starter_text(kind: Kind, id_: str, schema: str) -> str:
    """A file that works as it stands and explains its fields; ``schema`` is for editors."""
    words = id_.replace("-", " ")
    title = as_yaml({"title": words[:1].upper() + words[1:]})
    text = kind.starter().replace("SCHEMA", schema, 1).replace("title: TITLE\n", title, 1)
    return text.replace(" ID'", f" {id_}'").replace("id: ID\n", as_yaml({"id": id_}), 1)


def schema_text(model: type[BaseModel]) -> str:
    """The JSON schema of a content file, as the text of the schema's own file."""
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return json.dumps(model.model_json_schema() | dialect, indent=2, ensure_ascii=False) + "\n"


def schema_beside(folder: Path, kind: Kind, text: str) -> str:
    """The address of the kind's schema, as files in this folder write it.

    That is a copy in the folder itself, brought up to date here: it moves with the folder, while a
    path into the installed program would break with the next upgrade. A folder whose parent holds
    the schema, as the shipped ones do, uses that. Raises RubricFileError.
    """
    path = folder / kind.schema
    if not path.exists() and (folder.parent / kind.schema).exists():
        return f"../{kind.schema}"
    try:
        stale = not path.exists() or path.read_bytes() != text.encode()
    except OSError as error:
        raise RubricFileError(f"{path} cannot be read ({error.strerror}); check it.") from error
    if stale:
        write_over(path, text)
    return kind.schema
