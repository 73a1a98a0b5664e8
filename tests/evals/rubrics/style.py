"""How the shipped rubrics are written: said aloud, standing alone, and rich enough to grade by.

``interviewer rubrics lint`` says what is wrong with any rubric; these are the habits of the house.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interviewer.content.problems import FieldPath
from interviewer.rubric.lint import examiners_texts, spoken
from interviewer.rubric.patterns import hits, is_usable
from interviewer.rubric.rubric import HarderPoint, Rubric
from interviewer.rubric.text import closed, long_words, normalise, windows, words_of

FEWEST_ACCEPTED = 3
TOLD = 0.7
"""The share of a claim's own words from which two sentences of the reference answer it."""
SAME_PHRASE = 5
"""So many words in a row sound like something that was asked before."""

_STILTED = re.compile(
    r"\b(?:nought|elder|shall|thrifty|dear(?:er|est)?|as to|whoever|pupils?|by and by|so to say"
    r"|what troubles|say the steps|put figures|come by|lay \w+ over|for the sake of|with me an?"
    r"|the thing|hangs? on it|set \w+ against"
    # Places in a list: after a few turns nobody remembers the list.
    r"|(?:first|second|third|last) of the (?:two|three|four|five)|the (?:other|newer) one)\b"
)


_DANGLING = re.compile(
    # An opening that continues a list or an argument nobody may have begun.
    r"^(?:and|so|then|next|but|also|otherwise|instead)\b"
    r"|^(?:those|these|that|this)\b(?! (?:time|week|morning))"
    r"|^(?:besides|apart from|on top of|after|beyond) (?:that|this|these|those)\b"
    r"|^(?:what|which|where|who|how) else\b"
    r"|^suppose (?:that|this) (?:is|isn't|was|still)\b"
    r"|^(?:which|what|how many) of (?:these|those|them)\b"
    # One of several things that only the answer, if anything, has named.
    r"|\b(?:the|that) (?:other|first|second|third|previous|remaining|last) ones?\b"
    r"|\bthe (?:former|latter)\b"
    r"|^now,? (?:for |to )?the (?:other|second|third|next|last|rest|remaining)\b"
    # What the candidate is taken to have said, or to have on paper by now.
    r"|\byou(?:'ve| have)? (?:just )?(?:said|mentioned|claimed|told me|described|named|coded"
    r"|written|explained|argued)\b|^you say\b|\bas you say\b|\bnow that you\b|\bthat \w+ of yours\b"
    r"|\bwhat you just\b"
    r"|\b(?:figures?|numbers?|formula|results?|what) you (?:now )?have\b"
    r"|\byour (?:own |first |two |last |safe )?(?:sums?|lists?|ledgers?|answers?|arguments?|proofs?"
    r"|derivations?|formulas?|equations?|sketch|results?|chain|explanation|reasoning|story"
    r"|defence|claims?)\b"
)

_PRAISE = re.compile(
    r"\b(?:well done|well put|(?:good|great|nice|excellent|perfect|brilliant) (?:answer|point|job"
    r"|start|question|thinking|work))\b"
)
_TWO_CLAIMS = re.compile(
    r";|, and |\band (?:it|they|this|that|so|then|therefore|thus|not|does|is|are|has|have|can"
    r"|must|needs?|keeps?|makes?|gives?)\b"
)
_OF_OWN = re.compile(
    r"\b(?:the candidate|(?:runs?|models?|projects?|set-up) of their own)\b", re.IGNORECASE
)
Habit = tuple[FieldPath, str]


def against_the_style(rubric: Rubric) -> Iterator[Habit]:
    """The fields that are not written as the house writes, and why."""
    yield from _aloud(rubric)
    if rubric.is_discussion:
        return
    if not rubric.simpler:
        yield ("simpler",), "is missing; ask something easier that leads to the main point"
    alone = [(("simpler", n), text) for n, text in enumerate(rubric.simpler)]
    alone += [(("criteria", i, "probe"), each.probe) for i, each in enumerate(rubric.criteria)]
    for field, text in alone:
        if leaning := dangling(text):
            yield field, f"leans on what may not have been said ('{leaning}')"
    for i, criterion in enumerate(rubric.criteria):
        if _TWO_CLAIMS.search(normalise(criterion.claim).text):
            yield ("criteria", i, "claim"), "seems to contain two propositions"
        if not criterion.extra and rubric.kind != "project" and _OF_OWN.search(criterion.claim):
            yield ("criteria", i, "claim"), "is about the candidate's own work: mark it extra"
    for n, escalation in enumerate(rubric.escalations):
        for k, point in enumerate(escalation.criteria):
            field = ("escalations", n, "criteria", k)
            if len(point.accept) < FEWEST_ACCEPTED or not point.reject:
                yield field, f"needs {FEWEST_ACCEPTED} accepted wordings and a rejected one"
            if _is_told(point, rubric):
                yield (*field, "claim"), "is nearly said in the reference"
            if any(is_usable(each) and hits(each, rubric.reference) for each in point.patterns):
                yield (*field, "patterns"), "match the reference"


def _aloud(rubric: Rubric) -> Iterator[Habit]:
    for field, text in (*examiners_texts(rubric), *_misconceptions(rubric)):
        if odd := stilted(text):
            yield field, f"says '{odd}', which nobody says aloud"
    before = _phrases(rubric.question)
    for field, text in _follow_ups(rubric):
        if closed(text):
            yield field, "would be answered by yes or no"
        if said := praise(text):
            yield field, f"says '{said}', which sounds like a verdict"
        if again := sorted((_phrases(text) - _phrases(rubric.question)) & before):
            yield field, f"says '{again[0]}', as another one does"
        before |= _phrases(text)


def _follow_ups(rubric: Rubric) -> Iterator[tuple[FieldPath, str]]:
    """What may be asked after the question."""
    for i, criterion in enumerate(rubric.criteria):
        yield from (each for each in spoken(i, criterion) if "hints" not in each[0])
    for n, escalation in enumerate(rubric.escalations):
        yield ("escalations", n), escalation.ask


def _phrases(text: str) -> set[str]:
    said = words_of(text)
    starts = range(len(said) - SAME_PHRASE + 1)
    return {" ".join(said[start : start + SAME_PHRASE]) for start in starts}


def stilted(text: str) -> str:
    """The first phrase of the text that no engineer says aloud, or ""."""
    found = _STILTED.search(normalise(text).text)
    return found[0] if found else ""


def dangling(text: str) -> str:
    """The part of a question that leans on something which may not have been said, or ""."""
    found = _DANGLING.search(normalise(text).text)
    return found[0] if found else ""


def praise(text: str) -> str:
    """The words that sound like a verdict on an answer, or ""."""
    found = _PRAISE.search(normalise(text).text)
    return found[0] if found else ""


def _misconceptions(rubric: Rubric) -> Iterator[tuple[FieldPath, str]]:
    for i, criterion in enumerate(rubric.criteria):
        for n, misconception in enumerate(criterion.misconceptions):
            yield ("criteria", i, "misconceptions", n, "claim"), misconception.claim


def _is_told(point: HarderPoint, rubric: Rubric) -> bool:
    mine = long_words(point.claim) - long_words(rubric.question)
    plain = normalise(rubric.reference)
    near = (long_words(plain.text[start:end]) for start, end in windows(plain))
    return len(mine) >= 3 and any(len(mine & told) >= TOLD * len(mine) for told in near)
