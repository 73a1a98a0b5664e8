"""What English patterns cannot read, and which points are not graded for it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from interviewer.grading.claims.catalog import table
from interviewer.grading.evidence import candidate_turns, locate
from interviewer.grading.lexical import FUNCTION_WORDS
from interviewer.grading.parsed_answer import READ_CHARACTERS
from interviewer.grading.transcript import Turn
from interviewer.grading.verdicts import Flag, Judgement
from interviewer.rubric.rubric import Rubric, Verdict
from interviewer.rubric.text import Span

Part = tuple[Span, str]
"""Characters of a text as typed, and why they are not read."""
_Place = tuple[int, Span]
"""The number of a turn, and characters of it."""
_FEWEST_LETTERS, _SHARE_OF_LETTERS = 4, 0.3  # of another script; fewer are a name
_FEWEST_POINTS, _WORDS_PER_SIGN = 3, 7  # for another language by its words


def set_aside(rubric: Rubric, turns: Sequence[Turn], judgement: Judgement) -> Judgement:
    """The judgement, with points ungraded that were not heard and may stand in an unread part.

    A part in which a pattern hears a whole point is read. Not so another language, where nothing
    tells whether the English terms are denied. What was run at the bench is read by running it.
    """
    said = {turn.number: turn.parsed for turn in candidate_turns(turns) if turn.run is None}
    unread = {
        (number, span): why
        for number, answer in said.items()
        for span, why in parts(answer.text)
        if not answer.gives_orders(span)
    }
    if not unread:
        return judgement
    quoted = {
        found: [place for quote in found.quotes if (place := locate(quote, turns))]
        for found in judgement.findings
    }
    foreign = [place for place, why in unread.items() if why == "language"]
    met = (each for each in quoted if each.verdict is Verdict.MET)
    heard = [each for each in met if not _lie_in(quoted[each], foreign)]
    read = [place for each in heard for place in quoted[each]]
    left = [place for place in unread if place in foreign or not _lie_in([place], read)]
    with_number = [
        (n, (a, b)) for n, (a, b) in left if _pattern("number").search(said[n].text[a:b])
    ]
    kept, ungraded = [], list(judgement.ungraded)
    for found in judgement.findings:
        holding = with_number if rubric.criterion(found.criterion).kind == "number" else left
        is_open = found.verdict is Verdict.NOT_MET or _lie_in(quoted[found], [*unread])
        if found not in heard and is_open and holding:
            codes = ", ".join(sorted({unread[place] for place in holding}))
            ungraded.append((found.criterion, f"{codes}: {_data()['reason']}"))
        else:
            kept.append(found)
    flags = judgement.flags - {Flag.TOO_SHORT, Flag.KEYWORD_LIST} if left else judgement.flags
    return replace(judgement, findings=tuple(kept), flags=flags, ungraded=tuple(ungraded))


def notice(codes: Sequence[str]) -> str:
    """What is said right after an answer that was not read whole."""
    where = " and ".join(_data()["named"][code] for code in codes)
    return str(_data()["notice"]).format(where, "English" if "language" in codes else "words")


def _lie_in(places: Sequence[_Place], others: Sequence[_Place]) -> bool:
    """More than half of these characters belong to the others too."""
    pairs = ((a, b) for turn, a in places for other, b in others if turn == other)
    shared = sum(max(0, min(a[1], b[1]) - max(a[0], b[0])) for a, b in pairs)
    return 2 * shared > sum(end - start for _, (start, end) in places)


@lru_cache(maxsize=64)
def parts(text: str) -> tuple[Part, ...]:
    """The parts that are not read, in order; they do not overlap.

    Whole lines of tables and code, whole sentences in another language, and clauses that are
    nothing but a formula. English with a symbol, a name or a number in it is read.
    """
    text = text[:READ_CHARACTERS].replace("\r", "\n")
    found, rest = list[Part](), list(text)
    for block in _pattern("block").finditer(text):
        lines = _pattern("line").finditer(text, *block.span())
        found += [(line.span(), str(block.lastgroup)) for line in lines]
        rest[slice(*block.span())] = "\n" * len(block[0])
    prose = "".join(rest)
    sentences = list(_pattern("sentence").finditer(prose))
    told = [_is_foreign(sentence[0]) for sentence in sentences]
    is_foreign = next((each for each in told if each is not None), False)
    for sentence, each in zip(sentences, told, strict=True):
        is_foreign = is_foreign if each is None else each  # what tells nothing goes with the rest
        clauses = () if each else _pattern("clause").finditer(prose, *sentence.span())
        formulas = [(each.span(), "formula") for each in clauses if _is_formula(each[0])]
        found += formulas or [(sentence.span(), "language")] * is_foreign
    return tuple(sorted(found))


def _is_foreign(sentence: str) -> bool | None:
    """By its script, else by its function words; None if it has none that tell."""
    plain = unicodedata.normalize("NFKC", sentence).replace("’", "'")
    other = "".join(_pattern("other").findall(plain))
    weight = len(other) + 2 * len(_pattern("wide").findall(other))  # each is half a word
    if weight >= max(_FEWEST_LETTERS, _SHARE_OF_LETTERS * sum(map(str.isalpha, plain))):
        return True
    typed = [word for word in _pattern("word").findall(plain) if not word.isupper()]
    words = [word.lower() for word in typed]
    said = frozenset(words)
    marked = {word for word in said.intersection(typed) if _pattern("marked").fullmatch(word)}
    for its in map(_words, _data()["languages"]):
        telling = (said & its) - FUNCTION_WORDS | marked
        # Names hold short words, and letters with a mark.
        points = sum(1 if each in marked else min(len(each), 4) - 1 for each in telling)
        if points >= _FEWEST_POINTS:
            english = sum(each in FUNCTION_WORDS and each not in its for each in words)
            count = sum(each in telling for each in words)
            if count >= max(english, len(words) / _WORDS_PER_SIGN):
                return True
    return None if said.isdisjoint(FUNCTION_WORDS) else False


def _is_formula(clause: str) -> bool:
    """It relates symbols, and has hardly a word besides."""
    relates, is_scaled = (bool(_pattern(each).search(clause)) for each in ("relation", "scaled"))
    if not (relates or is_scaled or len(_pattern("sign").findall(clause)) > 1):
        return False
    chunks = _pattern("chunk").findall(_pattern("figure").sub("0", clause))
    symbols = [each for each in chunks if _pattern("symbol").fullmatch(each)]
    words = {each.lower() for each in chunks if each.isalpha() and each not in symbols}
    words -= _words("functions")
    most = 2 if is_scaled else (2 * len(symbols) - 1) // 3 if relates else 0
    is_short = len(words) <= most and (is_scaled or len(symbols) > 1)
    return is_short and not words & FUNCTION_WORDS - _words("joining")


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = table("unread", __package__)
    return data


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_data()["patterns"][name], re.MULTILINE | re.VERBOSE)


@cache
def _words(name: str) -> frozenset[str]:
    lists = _data()["words"] | _data()["languages"]
    return frozenset(lists[name].split())
