"""Why a pattern's hit may be misleading: lists of bare terms, words of the answer key.

Such a hit earns no credit but is not lost either: it counts as vague and gets a follow-up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from interviewer.grading.lexical import FUNCTION_WORDS, function_word_share, words
from interviewer.rubric.text import Span

LIST_WORDS = 8
LIST_REACH = 60
LIST_SHARE = 0.10
TERM_WORDS = 3
"""Eight or more words around a hit are a list of terms if most pieces between commas have at most
three words and under 10 % are function words."""
NEAR = 3
"""Sentences on either side that show whether a short one is part of a list."""
STRING_FROM, WANTED_FROM = 8, 12
"""Bare terms in a row that are a string of keywords; the latter where the question wants names."""
BARE_WORDS = 5
BAGS = ((10, 0.1), (14, 0.16))
"""Words without punctuation, and the share of function words that even terse prose has."""
_MATHS = frozenset(
    ["equals", "equal", "minus", "plus", "times", "gives", "per", "divided", "squared", "x"]
)
REPEATED_WORDS = 6
STRUNG_FROM = 3
"""Terms joined by this many "and" are strung together like those between commas."""
_AND = re.compile(r"\b(?:and|plus)\b")
_WITHIN_TERMS = frozenset(["a", "an", "and", "in", "of", "off", "on", "or", "out", "the", "up"])
"""Function words that names have: "mixture of experts"."""
_SAYS_SO = re.compile(r"->|=>|→|⇒|[≈∝:]| [=<>~] ")
_MARK = re.compile(r"[,.;:!?](?= |$)|[()=→]|->| [-+*/<>|~^] ")
_RELATION = re.compile(r"->|=>|→|⇒|[=<>≈~∝/]|\bvs\b|: |\d[\w.%]*( [a-z]\w*)?[,.;)](?= |$)")
"""Signs that make terse notes a statement, including a figure set off by punctuation."""


def repeats(sentence: str, phrasing: str) -> bool:
    """The sentence is the phrasing word for word, as only someone who has read it would put it."""
    tokens = words(sentence)
    return len(tokens) >= REPEATED_WORDS and tokens == words(phrasing)


def names_the_key(text: str, ids: Iterable[str]) -> bool:
    """It holds two ids of the answer key as written there: nobody says them who has not read it."""
    return sum("-" in each and each in text for each in ids) > 1


def is_in_a_list(sentence: str, start: int, end: int) -> bool:
    """``sentence[start:end]`` is one in a series of bare terms."""
    around = sentence[max(0, start - LIST_REACH) : end + LIST_REACH]
    if _RELATION.search(around) or len(words(around)) < LIST_WORDS:
        return False
    joined = len(_AND.findall(around)) >= STRUNG_FROM
    return _are_bare(re.split(rf"[,;/]|{_AND.pattern}" if joined else r"[,;/]", around))


def is_among_fragments(text: str, sentences: Sequence[Span], own: int) -> bool:
    """The sentence ``own`` is one in a series of bare terms, each ended by a stop or a line."""
    start, end = sentences[own]
    labelled = own and text[sentences[own - 1][1] - 1] == ":" and _MARK.search(text, start, end - 1)
    if labelled or _RELATION.search(text[start:end].rstrip(".")):
        return False
    near = [text[a:b] for a, b in sentences[max(0, own - NEAR) : own + NEAR + 1]]
    return len(near) > NEAR and _are_bare(near)


def is_in_a_string(sentence: str, start: int, *, wanted: bool) -> bool:
    """The text at ``start`` is one of many bare terms in a row, with figures or without.

    ``wanted`` if the question asks for names; then it takes more of them.
    """
    own = run = 0
    for piece, begins in _pieces(sentence):
        if not _is_bare(piece):
            if begins > start:
                break
            run = own = 0
            continue
        run += 1
        own += begins <= start <= begins + len(piece)
    return bool(own) and run >= (WANTED_FROM if wanted else STRING_FROM)


def _pieces(sentence: str) -> Iterator[tuple[str, int]]:
    """What stands between commas, with where it begins."""
    begins = 0
    for mark in _COMMA.finditer(sentence):
        yield sentence[begins : mark.start()], begins
        begins = mark.end()
    yield sentence[begins:], begins


_COMMA = re.compile(r"[,;] | / ")


def _is_bare(piece: str) -> bool:
    """A name, with what belongs to it, that says nothing of itself."""
    tokens = words(piece)
    return (
        0 < len(tokens) <= BARE_WORDS
        and not _SAYS_SO.search(piece)
        and all(token in _WITHIN_TERMS or token not in FUNCTION_WORDS for token in tokens)
    )


def _are_bare(pieces: Sequence[str]) -> bool:
    """Most pieces have hardly a word more than a term, and hardly a word joins them."""
    short = [len(words(piece)) <= TERM_WORDS for piece in pieces]
    return sum(short) > len(short) / 2 and function_word_share(" ".join(pieces)) < LIST_SHARE


@lru_cache(maxsize=1024)
def enumerate_terms(phrasings: tuple[str, ...]) -> bool:
    """One of the right phrasings is itself a list, so the question asks for one."""
    return any(is_in_a_list(phrasing, 0, len(phrasing)) for phrasing in phrasings)


def is_in_a_bag(sentence: str, start: int, end: int) -> bool:
    """``sentence[start:end]`` is in a long run of words with hardly a mark or function word."""
    begins = max((m.end() for m in _MARK.finditer(sentence, 0, start)), default=0)
    following = _MARK.search(sentence, end)
    stretch = sentence[begins : following.start() if following else len(sentence)]
    tokens = words(stretch)
    joined = sum(token in FUNCTION_WORDS or token in _MATHS for token in tokens)
    return any(len(tokens) >= most and joined < share * len(tokens) for most, share in BAGS)


def names_only(sentence: str, phrasings: Sequence[str]) -> bool:
    """The sentence strings terms together, where no right phrasing is a list.

    Stricter than what patterns need: they find a relation by themselves, shared words do not.
    """
    if _SAYS_SO.search(sentence) or any(len(_COMMA.findall(each)) > 1 for each in phrasings):
        return False
    pieces = [words(piece) for piece, _ in _pieces(sentence)]
    if len(pieces) >= NAMES_FROM and all(len(piece) <= TERM_WORDS for piece in pieces):
        return True
    tokens = words(_COMPOUND.sub("x", sentence))
    return len(tokens) >= LIST_WORDS and not any(
        token in FUNCTION_WORDS or token in _MATHS for token in tokens
    )


NAMES_FROM = 4
"""Terms between commas that are a mere list where words alone decide."""
_COMPOUND = re.compile(r"\w+(?:-\w+)+")
