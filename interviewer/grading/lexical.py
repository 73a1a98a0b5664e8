"""Words as evidence of a topic: content stems, function words, overlap."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from interviewer.rubric.text import Normalised, normalise

MIN_CONTENT_WORDS = 3
"""Answers with fewer content words than this count only if they make a point in full."""
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_STEM_LETTERS = 6
"""Words with the same first six letters count as one, which measured as well as a stemmer."""

_FUNCTION_WORDS = """
    a about above after again all also although always am an and another any are aren't as at be
    because been before being below between both but by can can't could couldn't did didn't do
    does doesn't doing don't down during each either else even ever every few for from further get
    gets getting give given gives go goes going got had hadn't has hasn't have haven't having he
    her here hers him his how however i i'd i'll i'm i've if in instead into is isn't it it's its
    itself just kind kinda know let let's like lot made make makes making many may maybe me mean
    means might mine more most much must my need needs neither no nor not now of off ok okay on
    once one ones only or other others our out over own perhaps pretty put quite rather really
    right said same say says see she should shouldn't since so some something sort still such take
    takes than that that's the their them then there there's these they they're thing things think
    this those though through thus to too took uh um under until up upon us use used uses using
    usually very want was wasn't way we we'd we'll we're we've well were weren't what what's when
    where whether which while who why will with within without won't would would wouldn't yes yet
    you you'd you'll you're you've your basically actually simply honestly guess sure suppose
    because cause whole
    """
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


def words(text: str) -> list[str]:
    """The words and numbers of a text, in lower case."""
    return words_of(normalise(text))


def words_of(plain: Normalised) -> list[str]:
    """The words and numbers of a normalised text."""
    return _WORD.findall(plain.text)


@lru_cache(maxsize=4096)
def content_stems(text: str) -> frozenset[str]:
    """The stems of the words that carry content."""
    return stems_of(words(text))


def stems_of(tokens: Iterable[str]) -> frozenset[str]:
    """The stems of those words that carry content."""
    return frozenset(stem(token) for token in tokens if is_content(token))


def is_content(word: str) -> bool:
    """Not a function word or a single letter. Numbers are content."""
    return word not in FUNCTION_WORDS and (len(word) > 1 or word.isdigit())


def stem(word: str) -> str:
    """The first six letters of a word without a plural s; numbers stay whole."""
    if word.isdigit():
        return word
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    return word[:_STEM_LETTERS]


def function_word_share(text: str) -> float:
    """The share of function words, 0..1; 1 for an empty text."""
    tokens = words(text)
    return sum(token in FUNCTION_WORDS for token in tokens) / len(tokens) if tokens else 1.0


def recall(wanted: frozenset[str], found: frozenset[str]) -> float:
    """The share of the wanted stems that were found, 0..1; 0 if none are wanted."""
    return len(wanted & found) / len(wanted) if wanted else 0.0


def shared_trigrams(tokens: Sequence[str], others: Iterable[Sequence[str]]) -> float:
    """The largest share of a text's word trigrams found in any one of the others, 0..1."""
    mine = _trigrams(tokens)
    if not mine:
        return 0.0
    return max((len(mine & _trigrams(other)) / len(mine) for other in others), default=0.0)


def _trigrams(tokens: Sequence[str]) -> frozenset[tuple[str, str, str]]:
    return frozenset(zip(tokens, tokens[1:], tokens[2:], strict=False))


COMMON_STEMS = content_stems(
    "model training train step data loss number value set size change run choose chose measure "
    "effect reason happen result example work compute time cost memory token different part first "
    "second large small point answer question explain mention come coming stay moment concrete "
    "given"
)
"""Words so common in the field that they neither give a point away nor show a topic."""
