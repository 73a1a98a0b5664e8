"""Numbers that one sentence ties together: a part of a whole, a value before and after."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from interviewer.grading.claims.claim import Measure
from interviewer.grading.claims.rules.amounts import Amount
from interviewer.grading.claims.rules.measuring import Measured
from interviewer.grading.claims.rules.sentence import Sentence

Said = tuple[Sentence, Measured]
Group = tuple[Said, ...]
_LEAD = r"(?:,|:|;|\.)?(?: (?:so|i\.e\.|=|=>|->|that's|that is|that was|which is|which was|it's"
r"|thus|hence|makes"
_LEAD += r"|giving|or|for|this is|and that's|meaning|equals|gives|a|an|of|about|the|rate|share"
r"|failure|win"
_LEAD += r"|accuracy|pass|success|score|error|total|is|was|\())*\(? ?"
_NOUNS = r"(?: (?!of\b|or\b|to\b|in\b)[a-z'@-]+){0,3}"
_PART_OF = (
    re.compile(
        rf"(?P<part>[NB]){_NOUNS} (?:out of|of|in|/|from) (?:the |our |all |my |these |those |a "
        rf"total "
        rf"of )*(?P<whole>[NB])\b(?:(?! and | but | while "
        rf")[^NBTMPDX.;()]){{0,70}}?{_LEAD}(?P<share>P)"
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
        rf"[^NBTMPDX.;]{{0,40}}?{_LEAD}(?P<share>P)"
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
_BEHIND = (
    r"^(?:[^NBTMPDWFX.;]{0,80}[.;] (?:and )?(?:so|in other words|that's|that is|meaning|hence|thus"
    r"|which)\b)?"
)
"""What leads from a change to its size, maybe in the next sentence."""
_CHANGE = re.compile(
    rf"{_BEHIND}[^NBTMPDWFX.;]{{0,50}}?(?P<change>P)(?: relative)? (?:drop|fall|rise|reduction"
    r"|increase|decrease|less|lower|fewer|more|higher|off|improvement|jump|gain|cut|saving|smaller"
    r"|larger|relative|shorter|decline|growth|saved|better|worse)\b"
    rf"|{_BEHIND}[^NBTMPDWFX.;]{{0,60}}? by (?P<by>P)(?! p)"
    rf"|{_BEHIND}[^NBTMPDWFX.;]{{0,40}}?\b(?:remov|cut|eliminat|sav|fix|got rid of)\w* "
    r"(?P<removed>P) of (?:the|our|all)\b"
)
_RATIO = re.compile(
    r"^[^NBTMPDWFX.;]{0,50}?(?:(?:(?P<ratio>X)|(?P<fold>N) ?(?:x|times|fold)) (?:as |times "
    r")?(?:faster"
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
_ALL = re.compile(
    r"\b(?:all (?:the |of the )?(?:sources|parts|categories|buckets|domains)|in total|nothing else"
    r"|mix(?:ture)?|exactly (?:one|1)|splits?|breakdown|composition|made up of|consist\w*"
    r"|(?:never|not) (?:two|both)|no overlaps?|disjoint|mutually exclusive|one (?:label|source"
    r"|category|class|bucket|verdict) each|everything|add(?:s|ed)? up|rest)\b"
)
_OVERLAPPING = re.compile(r"\b(?:several|multiple|overlap(?:s|ping)|more than one|multi|had two)\b")
_LISTED = re.compile(
    r"(?: (?!of\b|to\b|from\b|then\b|before\b|after\b|than\b|at\b)[a-z'-]+){0,5},?(?: and|,|;|\)"
    r"| /)*"
    r"(?: (?!from\b|to\b|of\b|at\b|by\b)[a-z'-]+){0,4}(?: \()? ?$"
)
"""Between two items of a list of shares."""
_WHOLE_BEFORE = re.compile(
    r"(?P<whole>[NB])(?: (?!times\b|x\b|percent\b)[a-z'-]+){0,3} [a-z]+s\b"
    r"(?:[^NBTMPDX=]|(?:every|each) N\b|X){0,120}?"
    r"(?P<part>N)(?P<noun>(?: [a-z'-]+){0,2}? (?:out )?of (?:them|those|these|which)\b)?"
    r"(?P<between>[^NBTMPDX]{1,150}?)(?P<share>P)(?! (?:to|or|and|more|less|points?|fewer|higher"
    r"|lower|relative|better|worse|of the (?:time|way))\b)"
)
_CONCLUDING = re.compile(
    r"\b(?:so|that's|that is|makes?|which is|rate|share|fraction|meaning|hence|in other "
    r"words)\b|=|:|i\.e\."
)
_SOMETHING_ELSE = re.compile(
    r"\b(?:after|before|now|then|later|rest|others?|remaining|previous\w*|baseline|targets?|goal"
    r"|instead|versus|vs|compared|whereas|while|but|another|next|fix\w*|dropped|fell|rose|went"
    r"|each|per|mfu|accuracy)\b"
)
_BEFORE_AFTER = re.compile(
    rf"(?P<before>{_VALUE})(?: [a-z]+){{0,2}} before(?: [a-z]+){{0,2}},? (?:and )?"
    rf"(?P<after>{_VALUE})(?: [a-z]+){{0,2}} (?:after|afterwards|now)\b"
)
_PASS = re.compile(
    r"(?P<mean>\b(?:averaged over|mean over|on average over)\b)|(?P<any>\bat least N (?:\w+ ){0,2}?"
    r"(?:correct|right|passing|good)\b|\bany of (?:the|those|them)\b)|\bpass ?(?:@|at) "
    r"?(?P<k>[Nk])\b"
)
_OF_SAMPLES = re.compile(r"\bpass ?(?:@|at)|\bsamples\b")
_SAME_SAMPLES = re.compile(r"\b(?:same|those|these|averaged|mean|any|at least (?:N|one)|of them)\b")
_NO_SCORE = re.compile(r"(?:\b(?:over|of|from|the|these|those|same|on|best|k|at least)|@|=) ?$")
_ALIKE = re.compile(
    r"(?:\b(?:the (?:two|N)|they|both|the (?:N )?judges)\b[^NBTMPDX.]{0,40}\b(?:agree[sd]?|same "
    r"(?:answer"
    r"|label|verdict|choice|decision|vote)|coincided?|matched)\b|\bagree[sd]? with each other\b"
    r"|\bagreement (?:between|of) (?:them|the two))[^NBTMPDX]{0,50}(?P<overlap>P)"
)
_RIGHT = re.compile(
    r"\b(?:right|correct|accura\w+|agree[sd]? with (?:the )?(?:humans?|labels|gold))\b"
)
_FEWEST_PORTIONS = 3
_LEAST_PORTION = 0.015
_FEWEST = 10
"""A smaller whole is rarely one that shares are told of: "one box of 8 at 40 %"."""
_WORDS = {"doubl": 2.0, "halv": 0.5, "tripl": 3.0, "quadrupl": 4.0}


_MAY_END = re.compile(r"P|\bpass|\bsample|\bN\b.*\bN\b")
"""Groups end in such a sentence."""
_SENTENCES = 3
"""Over which a count and its share may be spread."""


class Groups:
    """Goes through the sentences of a text and finds what belongs together in each.

    Each group is in full: nothing is guessed that the text does not link.
    """

    def __init__(self) -> None:
        self._before: list[Sentence] = []

    def of(self, sentence: Sentence) -> Iterator[Group]:
        """The groups that end in this sentence, the next of the text."""
        found = list(_within(_Text([sentence]))) if sentence.is_numeric else []
        yield from found
        if not found and _MAY_END.search(sentence.text):
            yield from _across(_Text([*self._before, sentence]))
        self._before = [*self._before, sentence][1 - _SENTENCES :]


class _Text:
    """Sentences in a row as one text, whose places lead back to them."""

    def __init__(self, sentences: list[Sentence]) -> None:
        self.sentences = sentences
        self.text = " ".join(sentence.text for sentence in sentences)
        self.plain = " ".join(sentence.plain for sentence in sentences)
        sizes = [len(sentence.text) + 1 for sentence in sentences]
        self.begins = [sum(sizes[:at]) for at in range(len(sizes))]

    @property
    def last(self) -> int:
        """Where the last sentence begins."""
        return self.begins[-1]

    def said(self, place: int, measure: Measure, *, is_percent: bool = False) -> Said:
        """The amount at a place of the text as this measure."""
        at = max(i for i, begin in enumerate(self.begins) if begin <= place)
        sentence, place = self.sentences[at], place - self.begins[at]
        token = sentence.index_at(place)
        amount = sentence.tokens[token].amount
        assert amount is not None
        if is_percent and sentence.tokens[token].word == "N":
            amount = amount.times(0.01, "%")
        return sentence, Measured(measure, amount, place, (token, token + 1), amount.unit)


def _within(said: _Text) -> Iterator[Group]:
    """The groups of one sentence."""
    text = said.text
    if "P" in text:
        for pattern in _PART_OF:
            for match in pattern.finditer(text):
                if not _GOES_ON.match(text, match.end("share")):
                    yield from _part(said, match)
    for match in (*_MOVED.finditer(text), *_BEFORE_AFTER.finditer(text)):
        yield from _moved(said, match)
    for match in _PRODUCT.finditer(text):
        if not _FACTOR_AHEAD.search(text, 0, match.start()):
            yield from _product(said, match)
    for match in _SUM.finditer(text):
        places = [match.start() + at for at, letter in enumerate(match[0]) if letter.isupper()]
        if len({text[place] for place in places}) == 1:
            terms = (said.said(place, Measure.ADDEND) for place in places[:-1])
            yield (*terms, said.said(places[-1], Measure.TOTAL))
    yield from _listed(said)
    yield from _passes(said)
    yield from _judges(said)


_GOES_ON = re.compile(r" to [NP]")
_FACTOR_AHEAD = re.compile(r"(?:x|×|\*|times|of)(?: [a-z-]+){0,2} $")


def _across(said: _Text) -> Iterator[Group]:
    """The groups that go back to the sentences before."""
    text = said.text
    has_share = "P" in text[said.last :]
    for match in _WHOLE_BEFORE.finditer(text) if has_share else ():
        between = match["between"]
        is_told = match["noun"] or _is_alone(text, match)
        if (
            match.start("share") >= said.last
            and is_told
            and _CONCLUDING.search(between)
            and not _SOMETHING_ELSE.search(between)
        ):
            yield from _part(said, match)
            return
    changes = (*_MOVED.finditer(text), *_BEFORE_AFTER.finditer(text)) if has_share else ()
    for match in changes:
        if match.end() < said.last:
            yield from _moved(said, match)
    yield from _listed(said)
    yield from _passes(said)
    yield from _judges(said)


def _is_alone(text: str, match: re.Match[str]) -> bool:
    """Without "of them": no other number is near, and the share is a conclusion."""
    begins = text.rfind(". ", 0, match.start("whole")) + 1
    others = re.findall(r"\b[NBTMPDX]\b", text[begins : match.start("share")])
    is_count = not _NO_COUNT.search(text, 0, match.start("part"))
    return len(others) == 2 and is_count and bool(_SO.search(match["between"]))


_NO_COUNT = re.compile(r"\b(?:all|both|of|on|by|over|with|at|in|to|from|than|top|for|every|each) $")
_SO = re.compile(r"\bso\b|\bthat's\b|\bmakes\b|\bmeaning\b")


def _listed(said: _Text) -> Iterator[Group]:
    """ "55 percent web, 30 code and 25 books": shares of one whole, the sign may be left out."""
    if "P" not in said.text[said.last :] and not _EXCLUSIVE.search(said.plain):
        return
    if not _ALL.search(said.plain) or _OVERLAPPING.search(said.plain):
        return
    places = [m.start() for m in re.finditer(r"\b[NBTMPDWFX]\b", said.text)]
    run: list[int] = []
    for place in [p for p in places if p >= said.last] + [len(said.text)]:
        is_share = said.text[place : place + 1] in ("P", "N")
        between = said.text[run[-1] + 1 : place] if run else ""
        is_next = not run or (_LISTED.fullmatch(between) and len(between) > len(" "))
        if is_share and is_next:
            run.append(place)
            continue
        yield from _portions(said, run)
        run = [place] if is_share else []


def _portions(said: _Text, places: list[int]) -> Iterator[Group]:
    letters = [said.text[place] for place in places]
    if set(letters) == {"N"} and len(places) > 1:
        yield from _counted_portions(said, places)
    if len(places) < _FEWEST_PORTIONS or "P" not in (letters[:1] + letters[-1:]):
        return
    group = tuple(said.said(place, Measure.PORTION, is_percent=True) for place in places)
    if all(_LEAST_PORTION <= measured.amount.value <= 1 for _, measured in group):
        yield group


def _counted_portions(said: _Text, places: list[int]) -> Iterator[Group]:
    """ "1,000 failures, each in exactly one bucket: 620 were hallucinations, 310 formatting"."""
    if not _EXCLUSIVE.search(said.plain):
        return
    portions = [said.said(place, Measure.PORTION_COUNT) for place in places]
    largest = max(portion.amount.value for _, portion in portions)
    wholes = [
        said.said(match.start(), Measure.WHOLE)
        for match in re.finditer(r"\b[NB](?: [a-z'-]+){0,2} [a-z]+s\b", said.text[: places[0]])
    ]
    whole = next((each for each in reversed(wholes) if each[1].amount.value > largest), None)
    if whole is not None and min(portion.amount.value for _, portion in portions) > 1:
        yield (whole, *portions)


_EXCLUSIVE = re.compile(
    r"\b(?:exactly|just|only) (?:one|1) \w+|\bnever (?:two|both)\b|\bdisjoint\b"
    r"|\bmutually exclusive\b|\bone (?:label|bucket|class|category|reason|cause|tag) (?:each"
    r"|only)\b"
)


def _passes(said: _Text) -> Iterator[Group]:
    """ "pass@1, the mean over the eight, is 61, pass@8 on the same samples 54 percent"."""
    passes = list(_PASS.finditer(said.text)) if _OF_SAMPLES.search(said.text) else []
    if named := [match for match in passes if match["k"]]:
        passes = named
    if len(passes) != len(("1", "k")) or not _SAME_SAMPLES.search(said.text):
        return
    group: list[Said] = []
    for match, end in zip(passes, (passes[1].start(), len(said.text)), strict=True):
        of_one = bool(match["mean"]) or (
            match["k"] == "N" and said.said(match.start("k"), Measure.EACH)[1].amount.value == 1
        )
        score = _score(said.text, match.end(), end)
        if score is not None:
            measure = Measure.PASS_AT_1 if of_one else Measure.PASS_AT_K
            group.append(said.said(score, measure, is_percent=True))
    if len({measured.measure for _, measured in group}) == len(passes):
        yield tuple(group)


def _score(text: str, start: int, end: int) -> int | None:
    """The first share there, else the first number that counts nothing."""
    shares = (m.start() for m in re.finditer(r"\bP\b", text[:end]) if m.start() >= start)
    numbers = (
        m.start()
        for m in re.finditer(r"\bN\b(?=[,.;)]| and| from| on|$)", text[:end])
        if m.start() >= start and not _NO_SCORE.search(text, 0, m.start())
    )
    return next(shares, None) or next(numbers, None)


def _judges(said: _Text) -> Iterator[Group]:
    """Two that are right so often agree with each other so often."""
    alike = _ALIKE.search(said.text)
    if alike is None or not _RIGHT.search(said.text, 0, alike.start()):
        return
    ahead = [m.start() for m in re.finditer(r"\b[PN]\b", said.text[: alike.start()])]
    right = [place for place in ahead if said.text[place] == "P"][-2:]
    if len(right) == 1:
        right += [place for place in ahead if place > right[0]]
    scores = [said.said(place, Measure.ACCURACY, is_percent=True) for place in right]
    scores = [(where, each) for where, each in scores if 0.3 <= each.amount.value <= 1]
    if len(scores) == 2:
        yield (*scores, said.said(alike.start("overlap"), Measure.OVERLAP))


def _part(said: _Text, match: re.Match[str]) -> Iterator[Group]:
    group = tuple(
        said.said(match.start(measure.value), measure)
        for measure in (Measure.PART, Measure.WHOLE, Measure.SHARE)
    )
    part, whole = group[0][1].amount.value, group[1][1].amount.value
    if 0 <= part < whole and whole >= _FEWEST:
        yield group


def _product(said: _Text, match: re.Match[str]) -> Iterator[Group]:
    """ "64 x 5 GB is 320 GB"; nothing if the units do not fit."""
    group = tuple(
        said.said(match.start(measure.value), measure)
        for measure in (Measure.TIMES, Measure.EACH, Measure.TOTAL)
    )
    letters = ["N" if match[m.measure.value] == "B" else match[m.measure.value] for _, m in group]
    times, each, total = (measured.amount.value for _, measured in group)
    is_elided = any(0.9 < total / (times * each * scale) < 1.1 for scale in (1e3, 1e6, 1e9))
    if letters[0] == "N" and letters[1] == letters[2] and not is_elided:
        yield group


def _moved(said: _Text, match: re.Match[str]) -> Iterator[Group]:
    text = said.text
    first, second = ("before", "after") if match["before"] else ("first", "second")
    sentence, before = said.said(match.start(first), Measure.BEFORE)
    other, after = said.said(match.start(second), Measure.AFTER)
    if match[first] != match[second]:
        if match[first] == "N":
            amount = before.amount.times(after.amount.factor, after.amount.unit)
            before = replace(before, amount=amount)
        elif match[second] == "N" and _ALONE.match(text, match.end()):
            amount = after.amount.times(before.amount.factor, before.amount.unit)
            after = replace(after, amount=amount)
        else:
            return
    if min(before.amount.value, after.amount.value) <= 0:
        return
    moved = ((sentence, before), (other, after))
    ahead, behind = text[: match.start()], text[match.end() :]
    if (ratio := _RATIO.search(behind)) is not None:
        if ratio["word"]:
            stem = next(stem for stem in _WORDS if ratio["word"].startswith(stem))
            said_as = replace(after, measure=Measure.RATIO, amount=Amount.of(_WORDS[stem], "times"))
            yield (*moved, (other, said_as))
        else:
            name = next(name for name in ("ratio", "fold", "of") if ratio[name])
            at = match.end() + ratio.start(name)
            yield (*moved, said.said(at, Measure.RATIO))
    elif (change := _CHANGE.search(behind)) is not None:
        name = next(name for name in ("change", "by", "removed") if change[name])
        yield (*moved, said.said(match.end() + change.start(name), Measure.CHANGE))
    elif (by := _BY.search(ahead)) is not None:
        yield (*moved, said.said(by.start("change"), Measure.CHANGE))


_ALONE = re.compile(
    r"[,.;)]|$| (?:after|on|in|when|with|by|so|which|and|over|at|for|once|since|within)\b"
)
