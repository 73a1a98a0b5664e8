"""What may be said aloud about a rubric: terms to withhold, and questions that stand alone."""

from __future__ import annotations

import re
from functools import lru_cache

from interviewer.rubric.text import normalise

_WORD = re.compile(r"[^\W_]+")
_ENDING = re.compile(
    r"(?<=\w\w\w)(?:at(?:e[ds]?|ing|ions?|ors?)?|ings?|ions?|ers?|ors?|e[ds]|ly|(?<![aisu])s|e)$"
)
_DOUBLED = re.compile(r"(?<=\w\w)([bdfgmnprtz])\1$")

_COMMON_WORDS = """
    a about above after again all also an and another any are as at away back bad be because been
    before being below best better between big both but by can case cause change check compare
    could did different do does done down each end enough error even every exactly example fact
    few figure find first fix for from gain general get give go good half have high how huge idea
    if in into is it item its just keep kind know large last later learn less level like limit
    little long look lot low main make many mean might more most move much must need never new
    next no not now number of off often old on once one only or order other our out over own part
    place point problem question quite rather real reason result right same say second see set
    setting several share short should show side simple size small so some start step still such
    sum take tell test than that the their them then there these they thing think this those time
    to together too total two under up use value very want way we well what when where which while
    who why will with without word work worse would wrong year you your
    answer batch card compute cost count data device fast gpu gradient group input layer
    length loss machine matrix measure memory method metric model network output parameter pass
    quality rate run sample scale score slow speed state store system task text token train
    training update user vector weight
"""

_LONG_WORD = re.compile(r"[a-z0-9]{4,}")
_FIRST_LETTERS = 6
_LITTLE_WORDS = """
    about above after also because before being both does each every from have into just less
    more most much must only other over same such than that their them then there these they this
    those when where which while will with without would your
"""

_CLOSED = re.compile(
    r"^(?:(?:so|and|now|then|but|ok|okay|well),? )?(?:is|are|was|were|do|does|did|can|could|would"
    r"|will|should|has|have|had)\b(?!.*\b(?:or|how|why|what|which|where|when|who)\b)"
)


def says(text: str, term: str) -> bool:
    """Whether the text contains the term, inflected and with or without hyphens."""
    wanted = "".join(_stems(term))
    said = _stems(text)
    longest = len(_stems(term)) + 1  # "allreduce" may be spoken of as "all-reduce"
    return any(
        "".join(said[start : start + length]) == wanted
        for start in range(len(said))
        for length in range(1, longest + 1)
    )


def is_common(term: str) -> bool:
    """Whether the term is made of everyday words and numbers only, so that it betrays nothing."""
    return all(stem in _COMMON or stem.isdigit() for stem in _stems(term))


def closed(text: str) -> bool:
    """Whether yes or no would answer the question that the text asks."""
    before = text.partition("?")[0]
    sentence = re.split(r"[.!:;]\s", before)[-1].strip(" ,–—-").lower()
    return bool(_CLOSED.search(sentence))


def long_words(text: str) -> set[str]:
    """The first letters of the text's longer words, without those that say little."""
    found = _LONG_WORD.findall(normalise(text).text)
    return {word[:_FIRST_LETTERS] for word in found if word not in _LITTLE}


@lru_cache(maxsize=1024)
def _stems(text: str) -> tuple[str, ...]:
    return tuple(_stem(word) for word in _WORD.findall(normalise(text).text))


def _stem(word: str) -> str:
    """The word without its ending, in British spelling; "clipped" and "clipping" are one."""
    if word.endswith("ies") and len(word) > 4:
        word = f"{word[:-3]}y"
    while (bare := _ENDING.sub("", word)) != word:
        word = _DOUBLED.sub(r"\1", bare)
    return word.replace("iz", "is")


_COMMON = frozenset(_stems(_COMMON_WORDS))
_LITTLE = frozenset(_LITTLE_WORDS.split())
