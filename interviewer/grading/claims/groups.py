"""Numbers that one sentence ties together: a part of a whole, a value before and after."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from interviewer.grading.claims.amounts import Amount
from interviewer.grading.claims.claim import Measure
from interviewer.grading.claims.measuring import Measured
from interviewer.grading.claims.sentence import Sentence

Group = tuple[Measured, ...]
_SO = r"(?:,|:|;|\.)?(?: (?:so|i\.e\.|=|=>|->|that's|that is|that was|which is|which was|it's"
r"|thus|hence|makes"
_SO += r"|giving|or|for|this is|and that's|meaning|equals|gives|a|an|of|about|the|rate|share"
r"|failure|win"
_SO += r"|accuracy|pass|success|score|error|total|is|was|\())*\(? ?"
_NOUNS = r"(?: (?!of\b|or\b|to\b|in\b)[a-z'@-]+){0,3}"
_PART_OF = (
    re.compile(
        rf"(?P<part>[NB]){_NOUNS} (?:out of|of|in|/|from) (?:the |our |all |my |these |those |a "
        rf"total "
        rf"of )*(?P<whole>[NB])\b(?:(?! and | but | while "
        rf")[^NBTMPDX.;()]){{0,70}}?{_SO}(?P<share>P)"
    ),
    re.compile(
        rf"(?P<share>P)(?: [a-z']+){{0,4}}?(?:,|:| \(|\()? ?(?:\(|i\.e\. |so |that's |or "
        rf"|namely |which "
        rf"is )?(?P<part>[NB]){_NOUNS} (?:out of|of|/) (?:the |our |all |these )*(?P<whole>[NB])\b"
    ),
    re.compile(
        r"(?P<whole>N) (?!times|x|layers|heads|gpus|steps|tokens)[a-z]+[^NBTMPDX.;]{0,40} "
        r"(?:and|,) "
        r"(?P<part>N) of (?:them|these|those|which)\b[^NBTMPDX.;]{0,60}?"
        r"(?:,|=|that's|which is|so)[^NBTMPDX.;]{0,40}?(?P<share>P)"
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
    r"^[^NBTMPDWFX.;]{0,50}?(?P<change>P)(?: relative)? (?:drop|fall|rise|reduction|increase"
    r"|decrease"
    r"|less|lower|fewer|more|higher|off|improvement|jump|gain|cut|saving|smaller|larger|relative"
    r"|shorter|decline|growth|saved|better|worse)\b|^[^NBTMPDWFX.;]{0,60}? by (?P<by>P)(?! p)"
)
_RATIO = re.compile(
    r"^[^NBTMPDWFX.;]{0,50}?(?:(?P<ratio>[NX])(?: ?(?:x|times|fold))? (?:as |times )?(?:faster"
    r"|slower|as "
    r"(?:fast|many|much|large|big|small|long|high|good)|fast|many|much|less|more|fewer|smaller"
    r"|bigger"
    r"|larger|cheaper|speed ?up|longer|shorter|the (?:size|speed|throughput|rate))|factor of "
    r"(?P<of>N)"
    r"|(?P<word>\b(?:doubl|halv|tripl|quadrupl)(?:ed|ing)\b))"
)
_IS = r"(?:=|=>|is|are|makes?|gives?|comes to|came to)"
_PRODUCT = re.compile(
    rf"(?<!x )(?<!× )(?<!\* )(?<!times )(?P<times>[NB]) ?(?:x|×|\*|times) (?P<each>[NBTMDW])(?: "
    rf"(?:each|apiece|per [a-z]+))? "
    rf"?{_IS}(?: (?:so|that's|is|just|only))* (?P<total>[NBTMDW])\b(?! ?(?:x|×|\*|per|a |/))"
)
_SUM = re.compile(
    r"(?P<first>[NBTMDP])(?P<more>(?: ?\+ ?[NBTMDP])+) ?(?:=|=>|is|makes|gives|->) "
    r"(?P<total>[NBTMDP])\b"
)
_PORTIONS = re.compile(
    r"(?:P(?: (?!of\b)[a-z]+){1,3}(?:, (?:and )?| and )){2,}P(?: (?!of\b)[a-z]+){1,3}"
)
_ALL = re.compile(
    r"\b(?:all (?:the |of the )?(?:sources|parts|categories|buckets|domains)|in total|nothing else"
    r"|mix(?:ture)?|exactly one|splits?|breakdown|composition|made up of|consist\w*)\b"
)
_FEWEST = 10
"""A smaller whole is rarely one that shares are told of: "one box of 8 at 40 %"."""
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
    for match in _PRODUCT.finditer(text):
        if (product := _product(sentence, match)) is not None:
            yield product
    for match in _SUM.finditer(text):
        places = [match.start() + at for at, letter in enumerate(match[0]) if letter.isupper()]
        if len({text[place] for place in places}) == 1:
            terms = (_measured(sentence, place, Measure.ADDEND) for place in places[:-1])
            yield (*terms, _measured(sentence, places[-1], Measure.TOTAL))
    if _ALL.search(text):
        for match in _PORTIONS.finditer(text):
            places = [match.start() + at for at, letter in enumerate(match[0]) if letter == "P"]
            yield tuple(_measured(sentence, place, Measure.PORTION) for place in places)


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
    if not 0 <= part.amount.value < whole.amount.value or whole.amount.value < _FEWEST:
        return None
    return part, whole, share


def _product(sentence: Sentence, match: re.Match[str]) -> Group | None:
    """ "64 x 5 GB is 320 GB"; None if the units do not fit."""
    times, each, total = (
        _measured(sentence, match.start(name), measure)
        for name, measure in (
            ("times", Measure.TIMES),
            ("each", Measure.EACH),
            ("total", Measure.TOTAL),
        )
    )
    letters = [sentence.text[m.place] for m in (times, each, total)]
    letters = ["N" if letter == "B" else letter for letter in letters]
    is_fitting = letters[0] == "N" and letters[1] == letters[2]
    return (times, each, total) if is_fitting else None


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
