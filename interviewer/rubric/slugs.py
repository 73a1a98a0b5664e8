"""Short ids made of the words of a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container

from interviewer.errors import RubricFileError

LONGEST = 48
MOST_WORDS = 6
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_EMPTY = """
    a an and are as at be by can could describe did do does explain for from give has have how i if
    in is it its me of on or please so some tell that the their them then there these they this to
    use used was we what when where which who why will with would you your
"""
_EMPTY_WORDS = frozenset(_EMPTY.split())


def slug_of(text: str, taken: Container[str] = (), *, otherwise: str = "question") -> str:
    """An id of the text's first telling words that is not taken yet.

    ``otherwise`` is used for a text without Latin letters or digits.
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", plain.replace("'", ""))
    telling = [word for word in words if word not in _EMPTY_WORDS] or words
    slug = ""
    for word in telling[:MOST_WORDS]:
        longer = f"{slug}-{word}" if slug else word[:LONGEST]
        if len(longer) > LONGEST:
            break
        slug = longer
    if len(slug) < 2:
        slug = f"{otherwise}-{slug}" if slug else otherwise
    return free_slug(slug, taken)


def is_slug(text: str) -> bool:
    """The text can be an id as it is."""
    return bool(_SLUG.fullmatch(text)) and 2 <= len(text) <= 80


def require_slug(text: str, what: str) -> str:
    """The text, if it can be an id; raises RubricFileError with one that can."""
    if is_slug(text):
        return text
    raise RubricFileError(
        f"{text!r} cannot be {what}: it has 2 to 80 lower-case letters, digits and single hyphens, "
        f"as in {slug_of(text)!r}."
    )


def free_slug(slug: str, taken: Container[str]) -> str:
    """The id, with a number where it is taken."""
    number, free = 1, slug
    while free in taken:
        number += 1
        free = f"{slug}-{number}"
    return free
