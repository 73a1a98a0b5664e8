"""Numbers that one sentence ties together: a part of a whole, a value before and after."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from interviewer.grading.claims.claim import Measure
from interviewer.grading.claims.measuring import Measured
from interviewer.grading.claims.sentence import Amount, Sentence

Group = tuple[Measured, ...]
_SO = r"(?:,|:|;|\.)?(?: (?:so|i\.e\.|=|=>|->|that's|that is|that was|which is|which was|it's|thus|hence|makes"
_SO += r"|giving|or|for|this is|and that's|meaning|equals|gives|a|an|of|about|the|rate|share|failure|win"
_SO += r"|accuracy|pass|success|score|error|total|is|was|\())*\(? ?"
_NOUNS = r"(?: (?!of\b|or\b|to\b|in\b)[a-z'@-]+){0,3}"
_PART_OF = (
    re.compile(
        rf"(?P<part>[NB]){_NOUNS} (?:out of|of|in|/|from) (?:the |our |all |my |these |those |a total "
        rf"of )*(?P<whole>[NB])\b(?:(?! and | but | while )[^NBTMPDX.;()]){{0,70}}?{_SO}(?P<share>P)"
    ),
    re.compile(
        rf"(?P<share>P)(?: [a-z']+){{0,4}}?(?:,|:| \(|\()? ?(?:\(|i\.e\. |so |that's |or |namely |which "
        rf"is )?(?P<part>[NB]){_NOUNS} (?:out of|of|/) (?:the |our |all |these )*(?P<whole>[NB])\b"
    ),
    re.compile(
        r"(?P<whole>N) (?!times|x|layers|heads|gpus|steps|tokens)[a-z]+[^NBTMPDX.;]{0,40} (?:and|,) "
        r"(?P<part>N) of (?:them|these|those|which)\b[^NBTMPDX.;]{0,60}?"
        rf"(?:,|=|that's|which is|so)[^NBTMPDX.;]{{0,40}}?(?P<share>P)"
    ),
    re.compile(
        r"out of (?:the |our |all |these )*(?P<whole>[NB])\b[^NBTMPDX.;]{0,40} (?P<part>[NB])\b"
        rf"[^NBTMPDX.;]{{0,40}}?{_SO}(?P<share>P)"
    ),
)
_VALUE = "[NBTMPDWF]"
_MOVED = re.compile(
    rf"\bfrom (?:the |an? |our )?(?P<before>{_VALUE})(?: [a-z]+){{0,2}},? (?:all the way |down |up "
    rf"|only )*(?:to|->|→) (?:the |an? )?(?P<after>{_VALUE})|(?P<first>{_VALUE}) ?(?:->|→) "
    rf"?(?P<second>{_VALUE})"
)
_BY = re.compile(
    r"(?:fell|rose|dropped|drop|cut|reduc\w+|increas\w+|decreas\w+|improv\w+|grew|went (?:up|down)"
    r"|up|down|declin\w+|shr[aiu]nk|gain(?:ed)?|sav\w+)\b[^NBTMPDWFX.;]{0,50}? by (?P<change>P)"
)
_CHANGE = re.compile(
    r"^[^NBTMPDWFX.;]{0,50}?(?P<change>P)(?: relative)? (?:drop|fall|rise|reduction|increase|decrease"
    r"|less|lower|fewer|more|higher|off|improvement|jump|gain|cut|saving|smaller|larger|relative"
    r"|shorter|decline|growth|saved|better|worse)\b|^[^NBTMPDWFX.;]{0,60}? by (?P<by>P)(?! p)"
)
_RATIO = re.compile(
    r"^[^NBTMPDWFX.;]{0,50}?(?:(?P<ratio>[NX])(?: ?(?:x|times|fold))? (?:as |times )?(?:faster|slower|as "
    r"(?:fast|many|much|large|big|small|long|high|good)|fast|many|much|less|more|fewer|smaller|bigger"
    r"|larger|cheaper|speed ?up|longer|shorter|the (?:size|speed|throughput|rate))|factor of (?P<of>N)"
    r"|(?P<word>\b(?:doubl|halv|tripl|quadrupl)(?:ed|ing)\b))"
)
_WORDS = {"doubl": 2.0, "halv": 0.5, "tripl": 3.0, "quadrupl": 4.0}


def groups(sentence: Sentence) -> Iterator[Group]:
    """The groups of a sentence, each in full: nothing is guessed that the text does not link."""
    text = sentence.text
    if "P" in text:
        for pattern in _PART_OF:
            for match in pattern.finditer(text):
                if (group := _part(sentence, match)) is not None:
                    yield group
    for match in _MOVED.finditer(text):
        yield from _moved(sentence, match)


def _measured(sentence: Sentence, place: int, measure: Measure) -> Measured:
    at = sentence.index_at(place)
    amount = sentence.tokens[at].amount
    assert amount is not None
    return Measured(measure, amount, place, (at, at + 1), amount.unit)


def _part(sentence: Sentence, match: re.Match[str]) -> Group | None:
    part, whole, share = (
        _measured(sentence, match.start(name), measure)
        for name, measure in (
            ("part", Measure.PART),
            ("whole", Measure.WHOLE),
            ("share", Measure.SHARE),
        )
    )
    if not 0 <= part.amount.value < whole.amount.value or whole.amount.value < 2:
        return None
    return part, whole, share


def _moved(sentence: Sentence, match: re.Match[str]) -> Iterator[Group]:
    text = sentence.text
    first = "before" if match["before"] else "first"
    second = "after" if match["before"] else "second"
    before = _measured(sentence, match.start(first), Measure.BEFORE)
    after = _measured(sentence, match.start(second), Measure.AFTER)
    if text[match.start(first)] != text[match.start(second)]:
        if text[match.start(first)] != "N":
            return
        amount = before.amount.times(after.amount.factor, after.amount.unit)
        before = replace(before, amount=amount)
    if min(before.amount.value, after.amount.value) <= 0:
        return
    ahead, behind = text[: match.start()], text[match.end() :]
    if (ratio := _RATIO.search(behind)) is not None:
        if ratio["word"]:
            stem = next(stem for stem in _WORDS if ratio["word"].startswith(stem))
            said = _measured(sentence, match.start(second), Measure.RATIO)
            yield before, after, replace(said, amount=Amount.of(_WORDS[stem], "times"))
        else:
            at = match.end() + (ratio.start("ratio") if ratio["ratio"] else ratio.start("of"))
            yield before, after, _measured(sentence, at, Measure.RATIO)
    elif (change := _CHANGE.search(behind)) is not None:
        name = "change" if change["change"] else "by"
        yield before, after, _measured(sentence, match.end() + change.start(name), Measure.CHANGE)
    elif (by := _BY.search(ahead)) is not None:
        yield before, after, _measured(sentence, by.start("change"), Measure.CHANGE)
