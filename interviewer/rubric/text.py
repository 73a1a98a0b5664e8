"""Text in plain form for matching, with a map back to the text as typed; sentences and words."""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from operator import itemgetter
from typing import Any, NamedTuple

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def table(name: str, package: str) -> Any:
    """The words or other data in a YAML file that lies beside the code of a package."""
    text = (files(package) / f"{name}.yaml").read_text(encoding="utf-8")
    return yaml.load(text, Loader=_LOADER)


Span = tuple[int, int]
"""A half-open range of character positions."""

LONGEST_SENTENCE = 400
"""Text without punctuation is cut after this many characters."""

ALIKE = 0.8
"""The share of common words from which two statements count as the same."""
HAN = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""Characters of scripts without spaces, of which each counts as a word."""
_WORDS = re.compile(rf"[{HAN}]|[^\W_{HAN}]+(?:[.,]\d+)*")
_WRAPPED_LINE = 60
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−﹘", "-"),
        **dict.fromkeys("⁄∕", "/"),
    }
)
# Invisible letters and marks that Unicode doesn't class as format characters.
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0]")
_SENTENCE_END = re.compile(r"[.!?;:]+[\"')\]]*(?=\s|$)")
_LINE_END = re.compile(r"\r\n?|\n")
_NO_END = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|cf|approx|resp|fig|eq|al|ea|betw|incl|excl|ca)|^\s*\(?\d{1,2})\.$"
)
_TAIL = 12
"""More characters than any abbreviation or list number has."""


@dataclass(frozen=True)
class Normalised:
    """Text in matching form.

    Character ``i`` of ``text`` stands for the original characters ``starts[i]`` to ``ends[i]``
    (half-open). ``breaks`` are the positions in ``text`` at which the original began a new line on
    purpose, as in a list, rather than to wrap prose.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    breaks: tuple[int, ...] = ()

    def original_span(self, start: int, end: int) -> Span:
        """The span of original characters behind ``text[start:end]``, which must not be empty."""
        if not 0 <= start < end <= len(self.text):
            raise ValueError(f"no characters at {start}:{end} of {len(self.text)}")
        return self.starts[start], self.ends[end - 1]


class _Piece(NamedTuple):
    """Characters that stand for ``start:end`` of the original."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=512)
def normalise(original: str) -> Normalised:
    """Unify compatibility forms, fold case, straighten quotes and dashes, collapse spaces.

    Invisible characters (zero-width, bidi, control) are dropped so that they can neither hide a
    word nor fake one. The result is stable: normalising its text changes nothing.
    """
    if _is_plain(original):
        places = range(len(original) + 1)
        text = original.lower().translate(_PLAIN)
        return Normalised(text, places[:-1], places[1:])
    text, starts, ends = _by_cluster(original)
    return Normalised(text, starts, ends, tuple(_line_breaks(original, text, starts)))


def _by_cluster(original: str) -> tuple[str, Sequence[int], Sequence[int]]:
    pieces = [
        _Piece(char, index, index + 1) for index, char in enumerate(original) if is_visible(char)
    ]
    text, before = "", None
    while not _is_settled(text, before):
        # Repeats only if folding frees a mark that joins its new neighbour.
        folded = (
            _Piece(char, each.start, each.end)
            for each in _clusters(pieces)
            for char in _folded(each.text)
        )
        before, pieces = text, list(_collapse_spaces(folded))
        text = "".join(piece.text for piece in pieces)
    starts = array("L", (piece.start for piece in pieces))
    return text, starts, array("L", (piece.end for piece in pieces))


def sentences(normalised: Normalised) -> tuple[Span, ...]:
    """The sentences as spans of the normalised text, in order, without outer spaces.

    A sentence ends at ``. ! ? ; :`` before a space, or at an intended line end; not at decimal
    points, "e.g." or list numbers. Sentences over 400 characters are cut.
    """
    text = normalised.text
    cuts = {0, len(text), *normalised.breaks}
    begin = 0
    for end in _SENTENCE_END.finditer(text):
        tail = text[max(begin, end.end() - _TAIL) : end.end()]
        if not _NO_END.search(tail):
            cuts.add(end.end())
            begin = end.end()
    return tuple(part for a, b in pairwise(sorted(cuts)) for part in _chopped(text, a, b))


def words_of(text: str) -> list[str]:
    """Its words and numbers, normalised; each Chinese character is a word."""
    return _WORDS.findall(normalise(text).text)


def nearly_same(one: str, other: str) -> bool:
    """So many words are common that whoever says the one says the other."""
    mine, theirs = set(words_of(one)), set(words_of(other))
    return bool(mine) and len(mine & theirs) >= ALIKE * len(mine | theirs)


def shortened(text: str, most: int) -> str:
    """The text, or its first ``most`` characters and a sign that the rest is missing."""
    return text if len(text) <= most else f"{text[:most].rstrip()}…"


def whole_sentences(text: str, leads_on: tuple[str, ...] = (":",)) -> Iterator[str]:
    """The sentences as written; one that ends in a sign in ``leads_on`` is joined to the next."""
    plain = normalise(text)
    begin: int | None = None
    for span in sentences(plain):
        first, last = plain.original_span(*span)
        begin = first if begin is None else begin
        if not text[begin:last].endswith(leads_on):
            yield text[begin:last]
            begin = None
    if begin is not None:
        yield text[begin:].strip()


def windows(normalised: Normalised, size: int = 2) -> tuple[Span, ...]:
    """The spans of every ``size`` consecutive sentences; one span if there are fewer."""
    return consecutive(sentences(normalised), size)


def overlap(a: Span, b: Span) -> bool:
    """Some characters belong to both."""
    return a[0] < b[1] and b[0] < a[1]


def overlapping(parts: Sequence[Span], span: Span) -> range:
    """The indices of those parts, which come in order, that share characters with the span."""
    first = bisect_right(parts, span[0], key=itemgetter(1))
    return range(first, bisect_left(parts, span[1], lo=first, key=itemgetter(0)))


def consecutive(parts: Sequence[Span], size: int = 2) -> tuple[Span, ...]:
    """The spans over every ``size`` neighbours; one span over all if there are fewer."""
    if not parts:
        return ()
    return tuple(
        (parts[i][0], parts[min(i + size, len(parts)) - 1][1])
        for i in range(max(1, len(parts) - size + 1))
    )


def _is_plain(text: str) -> bool:
    """Only case and quotes can change, as in most text and in all normalised text."""
    return text.isascii() and text.isprintable() and "  " not in text and text == text.strip()


def is_visible(char: str) -> bool:
    """Neither a control character nor one that leaves no trace on a screen."""
    if (char.isprintable() and char.isascii()) or char.isspace():
        return True
    # Lone surrogates (Cs) go too: they can't be encoded for the matcher.
    return unicodedata.category(char) not in {"Cc", "Cf", "Cs"} and not _INVISIBLE.match(char)


def _clusters(pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    """Join characters that Unicode composes or reorders."""
    held: _Piece | None = None
    for piece in pieces:
        if held is None:
            held = piece
        elif not piece.text.isascii() and _joins(held.text, piece.text):
            held = _Piece(held.text + piece.text, held.start, piece.end)
        else:
            yield held
            held = piece
    if held is not None:
        yield held


@lru_cache(maxsize=2048)
def _joins(before: str, char: str) -> bool:
    if unicodedata.combining(char):
        return True
    composed = unicodedata.normalize("NFKC", before + char)
    return composed != unicodedata.normalize("NFKC", before) + unicodedata.normalize("NFKC", char)


@lru_cache(maxsize=2048)
def _folded(cluster: str) -> str:
    composed = unicodedata.normalize("NFKC", cluster.translate(_PLAIN))
    return unicodedata.normalize("NFKC", composed.casefold()).translate(_PLAIN)


def _is_settled(text: str, before: str | None) -> bool:
    """Another pass would change nothing."""
    if before is None or text.isascii() or text == before:
        return before is not None
    stable = unicodedata.is_normalized("NFKC", text) and text.casefold() == text
    return stable and text.translate(_PLAIN) == text


def _collapse_spaces(pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    """Collapse each run of white space to one space; drop it at both ends."""
    space: _Piece | None = None
    begun = False
    for piece in pieces:
        if piece.text.isspace():
            space = _Piece(" ", space.start if space else piece.start, piece.end)
            continue
        if space and begun:
            yield space
        space = None
        begun = True
        yield piece


def _line_breaks(original: str, text: str, starts: Sequence[int]) -> Iterator[int]:
    """Positions after spaces that stand for intended line ends rather than wrapped prose."""
    line_begin = 0
    if not _LINE_END.search(original):
        return
    for i in range(1, len(text) - 1):
        if text[i] != " ":
            continue
        lines = len(_LINE_END.findall(original[starts[i] : starts[i + 1]]))
        if lines:
            wrapped = lines == 1 and i - line_begin >= _WRAPPED_LINE and text[i + 1].isalpha()
            line_begin = i + 1
            if not wrapped:
                yield i + 1


def _chopped(text: str, start: int, end: int) -> Iterator[Span]:
    """The part without outer spaces, cut where it is too long for a sentence."""
    end = start + len(text[start:end].rstrip())
    start = end - len(text[start:end].lstrip())
    while end - start > LONGEST_SENTENCE:
        space = text.rfind(" ", start, start + LONGEST_SENTENCE)
        cut = space if space > start else start + LONGEST_SENTENCE
        yield start, cut
        start = cut + (text[cut] == " ")
    if start < end:
        yield start, end


NEGATION_REACH = 25
"""A negator within this many characters before a hit cancels it."""

NEGATOR = re.compile(
    r"\b(?:not(?! only| just)|never|no(?! matter| doubt)|nor|neither|without|cannot|hardly|barely"
    r"|scarcely|rarely|seldom|instead of|rather than|\w+n't|doesnt|dont|isnt|wont|cant|didnt"
    r"|fails? to|nothing|none)\b"
)
_DENIAL = re.compile(
    r"\b(?:it(?:'s| is| was)? (?:simply |just )?(?:not|never|hardly) (?:the case|true|so|right"
    r"|correct|as if)(?: at all)?(?: to say)?(?: that)?|it (?:isn't|wasn't) (?:the case|true|so"
    r"|right|correct)(?: at all)?(?: to say)?(?: that)?|it(?:'s| is| was) (?:simply "
    r"|just )?(?:wrong|false|untrue|incorrect|nonsense|a myth)(?: to (?:say|claim|think|assume"
    r"|believe)(?: that)?| that)|(?:i|we) (?:don't|do not|wouldn't|would not|can't"
    r"|never) (?:really )?(?:think|believe|say|agree|claim|see)(?: that)?|(?:nobody|no one) (?:says"
    r"|said|claims|thinks|believes)(?: that)?|there(?:'s| is) no (?:way|sense in which)(?: "
    r"that)?|or (?:exactly |quite )?the (?:opposite|reverse)|(?:can|could|may|might) go "
    r"either way)\b"
)
_TURN = re.compile(r"\b(?:but|however|rather|instead|because|since)\b|[;:]")
CLAUSE_BREAK = re.compile(
    r"[,;:.!?()]|\b(?:but|because|since|so|it's|which|and then|or (?:it|they|you|we))\b"
)
_ESCAPE = re.compile(r"\\[a-zA-Z]")


def has_negator(text: str) -> bool:
    return bool(NEGATOR.search(text))


def denied_parts(text: str) -> Iterator[str]:
    """The rest of each clause of the normalised text from its first negator on."""
    for clause in CLAUSE_BREAK.split(text):
        if negator := NEGATOR.search(clause):
            yield clause[negator.end() :]


def looks_for_negator(regex: str) -> bool:
    r"""The pattern itself contains a negator such as ``\bno\b``, so it looks for one."""
    return has_negator(_ESCAPE.sub(" ", regex))


def is_negated(text: str, span: Span) -> bool:
    """A negator is inside the hit, or shortly before it in the same clause."""
    return has_negator(text[slice(*span)]) or is_negated_before(text, span)


def is_negated_before(text: str, span: Span) -> bool:
    """A negator comes shortly before the hit in the same clause, whatever is inside the hit."""
    start = span[0]
    before = text[max(0, start - NEGATION_REACH) : start]
    breaks = list(CLAUSE_BREAK.finditer(before))
    return has_negator(before[breaks[-1].end() :] if breaks else before)


def denies(sentence: str) -> bool:
    """The sentence denies something ("it isn't the case that …") or leaves its opposite open."""
    return bool(_DENIAL.search(sentence))


def is_denied(sentence: str, start: int) -> bool:
    """The text at ``start`` of the sentence is denied as a whole ("it isn't the case that …").

    A denial extends to the end of its sentence, or to a word such as "but" or "because".
    """
    before = sentence[:start]
    denials = list(_DENIAL.finditer(before))
    return bool(denials) and not _TURN.search(before[denials[-1].end() :])


MIN_CONTENT_WORDS = 3
"""Answers with fewer content words than this count only if they make a point in full."""
_TOKEN = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_STEM_LETTERS = 6
"""Words with the same first six letters count as one, which measured as well as a stemmer."""

WORDS: Mapping[str, str] = table("words", "interviewer.rubric")
FUNCTION_WORDS = frozenset(WORDS["function"].split())


def words(text: str) -> list[str]:
    """The words and numbers of a text, in lower case."""
    return words_in(normalise(text))


def words_in(plain: Normalised) -> list[str]:
    """The words and numbers of a normalised text."""
    return _TOKEN.findall(plain.text)


@lru_cache(maxsize=4096)
def content_stems(text: str) -> frozenset[str]:
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


COMMON_STEMS = content_stems(WORDS["of_the_field"])
"""Words so common in the field that they neither give a point away nor show a topic."""


_LETTERS_OF_A_WORD = re.compile(r"[^\W_]+")
_ENDING = re.compile(
    r"(?<=\w\w\w)(?:at(?:e[ds]?|ing|ions?|ors?)?|ings?|ions?|ers?|ors?|e[ds]|ly|(?<![aisu])s|e)$"
)
_DOUBLED = re.compile(r"(?<=\w\w)([bdfgmnprtz])\1$")


_CLOSED = re.compile(
    r"^(?:(?:so|and|now|then|but|ok|okay|well),? )?(?:is|are|was|were|do|does|did|can|could|would"
    r"|will|should|has|have|had)\b(?!.*\b(?:or|how|why|what|which|where|when|who)\b)"
)


def says(text: str, term: str) -> bool:
    """Whether the text contains the term, inflected and with or without hyphens."""
    wanted = "".join(_roots(term))
    said = _roots(text)
    if wanted not in "".join(said):
        return False
    longest = len(_roots(term)) + 1  # "allreduce" may be spoken of as "all-reduce"
    return any(
        "".join(said[start : start + length]) == wanted
        for start in range(len(said))
        for length in range(1, longest + 1)
    )


def closed(text: str) -> bool:
    """Whether yes or no would answer the question that the text asks."""
    before = text.partition("?")[0]
    sentence = re.split(r"[.!:;]\s", before)[-1].strip(" ,–—-").lower()
    return bool(_CLOSED.search(sentence))


def long_words(text: str) -> set[str]:
    """The first letters of the text's longer words, without those that say little."""
    found = re.findall(r"[a-z0-9]{4,}", normalise(text).text)
    return {word[:_STEM_LETTERS] for word in found if word not in _LITTLE}


@lru_cache(maxsize=1024)
def _roots(text: str) -> tuple[str, ...]:
    return tuple(_root(word) for word in _LETTERS_OF_A_WORD.findall(normalise(text).text))


def _root(word: str) -> str:
    """The word without its ending, in British spelling; "clipped" and "clipping" are one."""
    if word.endswith("ies") and len(word) > 4:
        word = f"{word[:-3]}y"
    while (bare := _ENDING.sub("", word)) != word:
        word = _DOUBLED.sub(r"\1", bare)
    return word.replace("iz", "is")


_LITTLE = frozenset(WORDS["little"].split())
