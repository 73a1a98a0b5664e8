"""What stands between a pattern's hit and a verdict.

Bare terms and words of the answer key earn no credit, but get a follow-up. What is denied,
reported or asked is not asserted. What English patterns cannot read is not graded. Functions take
text in matching form, those on unread parts the text as typed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import groupby
from typing import Any

from interviewer.grading.evidence import candidate_turns, locate
from interviewer.grading.transcript import READ_CHARACTERS, Turn
from interviewer.grading.verdicts import Flag, Judgement, Ungraded, Verdict
from interviewer.rubric.rubric import Rating, Rubric, compile_pattern
from interviewer.rubric.text import (
    CLAUSE_BREAK,
    FUNCTION_WORDS,
    NEGATOR,
    Span,
    has_negator,
    is_negated_before,
    is_visible,
    overlapping,
    table,
    words,
)

LIST_WORDS, LIST_TERMS = 8, 5
TERMS_WANTED = 12
"""So many words in so many bare terms in a row are a list; where the question wants names, it takes
so many terms."""
BARE_WORDS = 5
NEAR = 3
"""Sentences on either side that may belong to the same list."""
BAGS = ((10, 0.1), (14, 0.16))
"""Words without punctuation, and the share of function words that even terse prose has."""
_MATHS = frozenset(
    ["equals", "equal", "minus", "plus", "times", "gives", "per", "divided", "squared", "x"]
)
REPEATED_WORDS = 6
_WITHIN_TERMS = frozenset(["a", "an", "and", "in", "of", "off", "on", "or", "out", "the", "up"])
"""Function words that names have: "mixture of experts"."""
_PIECE = re.compile(r"(?:[^,;.!?/\n]|[,;.!?/](?! |$))+")
"""What stands between commas and stops."""
_SAYS_SO = re.compile(r"->|=>|→|⇒|[≈∝:=<>~]|\bvs\b")
"""Signs that make terse notes a statement."""
_MARK = re.compile(r"[,.;:!?](?= |$)|[()=→]|->| [-+*/<>|~^] ")


def repeats(sentence: str, phrasing: str) -> bool:
    """The sentence is the phrasing word for word, as only someone who has read it would put it."""
    tokens = words(sentence)
    return len(tokens) >= REPEATED_WORDS and tokens == words(phrasing)


def names_the_key(text: str, ids: Iterable[str]) -> bool:
    """It holds two ids of the answer key as written there: nobody says them who has not read it."""
    return sum("-" in each and each in text for each in ids) > 1


def is_listed(text: str, sentences: Sequence[Span], hit: Span, *, wanted: bool) -> bool:
    """The hit is one of many bare terms in a row; it takes more where names are ``wanted``."""
    near = overlapping(sentences, hit)
    if not near:
        return False
    begin = sentences[max(0, near[0] - NEAR)][0]
    end = sentences[min(len(sentences) - 1, near[-1] + NEAR)][1]
    # The numbers of steps are no terms.
    pieces = [each for each in _PIECE.finditer(text, begin, end) if not each[0].strip().isdigit()]
    for is_bare, group in groupby(pieces, lambda each: _is_bare(each[0])):
        run = list(group)
        if is_bare and run[0].start() <= hit[0] < run[-1].end():
            count = sum(len(words(each[0])) for each in run)
            least = TERMS_WANTED if wanted else LIST_TERMS
            if len(run) >= least and count >= LIST_WORDS:
                return True
    return _is_in_a_bag(text[slice(*sentences[near[0]])], hit[0] - sentences[near[0]][0])


def _is_bare(piece: str) -> bool:
    """A name, with what belongs to it, that says nothing of itself."""
    tokens = words(piece)
    return (
        0 < len(tokens) <= BARE_WORDS
        and not _SAYS_SO.search(piece)
        and all(token in _WITHIN_TERMS or token not in FUNCTION_WORDS for token in tokens)
    )


def _is_in_a_bag(sentence: str, at: int) -> bool:
    begins = max((m.end() for m in _MARK.finditer(sentence, 0, max(0, at))), default=0)
    following = _MARK.search(sentence, max(at, begins))
    tokens = words(sentence[begins : following.start() if following else len(sentence)])
    joined = sum(token in FUNCTION_WORDS or token in _MATHS for token in tokens)
    return any(len(tokens) >= most and joined < share * len(tokens) for most, share in BAGS)


@lru_cache(maxsize=1024)
def wants_list(phrasings: tuple[str, ...]) -> bool:
    """One of the right phrasings is itself a list, so the question asks for one."""
    return any(is_listed(each, ((0, len(each)),), (0, 1), wanted=False) for each in phrasings)


_ANOTHER_WORD = re.compile(r"(?:less(?:ly|ness)?|ful(?:ly)?|free)\b|[a-z]?e?r than\b")
"""Behind a hit: it ended within another word ("harm" in "harmless", "big" in "bigger than")."""


@cache
def _asserting() -> dict[str, re.Pattern[str]]:
    listed = table("words", __package__)
    return {name: re.compile("|".join(patterns)) for name, patterns in listed.items()}


def denies(text: str, sentences: Sequence[Span], hit: Span) -> bool:
    """A clause of the hit denies something; what it sets apart afterwards it may deny."""
    for n in overlapping(sentences, hit):
        begin, end = clause_of(text, sentences[n], hit)
        until = min(hit[1], end)
        if has_negator(text[begin:until]) or has_negator(_CONTRASTS.sub(" ", text[until:end])):
            return True
    return False


_CONTRASTS = re.compile(
    r"\b(?:without|instead of|rather than|(?:nothing|no) (?:else|other|more))\b"
)


def clause_of(text: str, sentence: Span, hit: Span) -> Span:
    """The clause, or clauses, of the sentence that the hit touches."""
    start, end = max(hit[0], sentence[0]), min(hit[1], sentence[1])
    before = [each.end() for each in CLAUSE_BREAK.finditer(text, sentence[0], start)]
    after = CLAUSE_BREAK.search(text, end, sentence[1])
    return (before[-1] if before else sentence[0]), (after.start() if after else sentence[1])


def is_asserted(text: str, sentences: Sequence[Span], hit: Span, regex: str) -> bool:
    """The hit is what they say is so: not denied, asked, supposed, another's or called wrong."""
    if (
        _takes_in_a_negator(text[slice(*hit)], regex)
        or is_negated_before(text, hit)
        or _ANOTHER_WORD.match(text, hit[1])
    ):
        return False
    asserting = _asserting()
    joined = asserting["another_clause"].search(text[slice(*hit)])
    if joined and joined[0] not in regex:
        return False
    for n in overlapping(sentences, hit):
        sentence = text[slice(*sentences[n])]
        lead = text[slice(*sentences[n - 1])] if n else ""
        begin, end = clause_of(text, sentences[n], hit)
        following = text[end : sentences[n + 1][1] if n + 1 < len(sentences) else len(text)]
        if (
            sentence.endswith("?")
            or asserting["not_their_own"].search(sentence)
            or (lead.endswith(":") and asserting["not_their_own"].search(lead))
            or (text[end:].startswith(",") and asserting["supposed"].match(text, begin, hit[0]))
            or asserting["called_wrong"].match(following)
        ):
            return False
    return True


def _takes_in_a_negator(found: str, regex: str) -> bool:
    """With one of its negators blotted out the pattern still matches, so it asked for none."""
    pattern = compile_pattern(regex)
    return any(
        pattern.search(f"{found[: each.start()]}{'q' * len(each[0])}{found[each.end() :]}")
        for each in NEGATOR.finditer(found)
    )


Part = tuple[Span, str]
"""Characters of a text as typed, and why they are not read."""
_Place = tuple[int, Span]
"""The number of a turn, and characters of it."""
_FEWEST_LETTERS, _SHARE_OF_LETTERS = 4, 0.3  # of another script; fewer are a name
_FEWEST_POINTS, _WORDS_PER_SIGN = 3, 7  # for another language by its words


def set_aside(rubric: Rubric, turns: Sequence[Turn], judgement: Judgement) -> Judgement:
    """The judgement, with points ungraded that were not heard and may stand in an unread part.

    A part in which a pattern hears a whole point is read, but not in another language.
    """
    said = {turn.number: turn.parsed for turn in candidate_turns(turns) if turn.run is None}
    unread = {
        (number, span): why
        for number, answer in said.items()
        for span, why in unread_parts(answer.text)
        if not answer.gives_orders(span)
    }
    if not unread:
        return judgement
    quoted = {
        found: [place for quote in found.words if (place := locate(quote, turns))]
        for found in judgement.findings
    }
    foreign = [place for place, why in unread.items() if why == "language"]
    met = (each for each in quoted if each.verdict is Rating.MET)
    heard = [each for each in met if not _lie_in(quoted[each], foreign)]
    read = [place for each in heard for place in quoted[each]]
    left = [place for place in unread if place in foreign or not _lie_in([place], read)]
    with_number = [
        (n, (a, b)) for n, (a, b) in left if _pattern("number").search(said[n].text[a:b])
    ]
    findings = []
    for found in judgement.findings:
        holding = with_number if rubric.criterion(found.criterion).kind == "number" else left
        is_open = found.verdict is Rating.NOT_MET or _lie_in(quoted[found], [*unread])
        if found not in heard and is_open and holding:
            codes = sorted({Ungraded(unread[place]) for place in holding})
            found = Verdict(found.criterion, None, ungraded=tuple(codes))
        findings.append(found)
    flags = judgement.flags - {Flag.TOO_SHORT, Flag.KEYWORD_LIST} if left else judgement.flags
    return replace(judgement, findings=tuple(findings), flags=flags)


def unread_notice(codes: Sequence[str]) -> str:
    """What is said right after an answer that was not read whole."""
    where = " and ".join(_unread()["named"][code] for code in codes)
    return str(_unread()["notice"]).format(where, "English" if "language" in codes else "words")


def _lie_in(places: Sequence[_Place], others: Sequence[_Place]) -> bool:
    """More than half of these characters belong to the others too."""
    pairs = ((a, b) for turn, a in places for other, b in others if turn == other)
    shared = sum(max(0, min(a[1], b[1]) - max(a[0], b[0])) for a, b in pairs)
    return 2 * shared > sum(end - start for _, (start, end) in places)


@lru_cache(maxsize=64)
def unread_parts(text: str) -> tuple[Part, ...]:
    """Tables, code, sentences in another language, and clauses that are nothing but a formula."""
    text = text[:READ_CHARACTERS].replace("\r", "\n")
    found, rest = list[Part](), list(text)
    for block in _pattern("block").finditer(text):
        lines = _pattern("line").finditer(text, *block.span())
        found += [(line.span(), str(block.lastgroup)) for line in lines]
        rest[slice(*block.span())] = "\n" * len(block[0])
    prose = "".join(rest)
    sentences = list(_pattern("sentence").finditer(prose))
    told = [_is_foreign(_visible(sentence[0])) for sentence in sentences]
    is_foreign = next((each for each in told if each is not None), False)
    for sentence, each in zip(sentences, told, strict=True):
        is_foreign = is_foreign if each is None else each  # what tells nothing goes with the rest
        clauses = () if each else _pattern("clause").finditer(prose, *sentence.span())
        formulas = [(each.span(), "formula") for each in clauses if _is_formula(_visible(each[0]))]
        found += formulas or [(sentence.span(), "language")] * is_foreign
    return tuple(sorted(found))


def _visible(text: str) -> str:
    return "".join(filter(is_visible, text))


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
    for its in map(_listed, _unread()["languages"]):
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
    words -= _listed("functions")
    most = 2 if is_scaled else (2 * len(symbols) - 1) // 3 if relates else 0
    is_short = len(words) <= most and (is_scaled or len(symbols) > 1)
    return is_short and not words & FUNCTION_WORDS - _listed("joining")


@cache
def _unread() -> dict[str, Any]:
    data: dict[str, Any] = table("unread", __package__)
    return data


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_unread()["patterns"][name], re.MULTILINE | re.VERBOSE)


@cache
def _listed(name: str) -> frozenset[str]:
    lists = _unread()["words"] | _unread()["languages"]
    return frozenset(lists[name].split())
