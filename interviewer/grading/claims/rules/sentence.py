"""Sentences as terms and amounts: what a reader of numbers sees of a text.

Every number with its unit is one token, named by a capital letter: N a number, B one of millions or
more with its scale, T a time, H a time of devices, M bytes, W bytes a second, F operations, P a
share, D money, Q a precision, X how often, G a device. Phrases with a meaning become one token too,
and words of no weight are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from interviewer.grading.claims.hardware import DEVICE, device_of
from interviewer.grading.claims.models import MODEL, model_of
from interviewer.grading.claims.rules.amounts import INFINITE, MERGES, ONES, Amount, Token
from interviewer.grading.claims.rules.vocabulary import BEGINNINGS, LONGEST, PHRASES
from interviewer.grading.numerals import ORDINALS, PARTS
from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.grading.units import DAY, HOUR, SECONDS
from interviewer.rubric.text import LONGEST_SENTENCE, Normalised, Span


@dataclass(frozen=True)
class Sentence:
    """One sentence. ``plain`` has its numbers in place and spaces for hyphens in words."""

    tokens: tuple[Token, ...]
    plain: str
    begins: int
    """Where ``plain`` begins in the normalised text."""

    @cached_property
    def is_numeric(self) -> bool:
        """It has a number."""
        return any(token.is_number for token in self.tokens)

    @cached_property
    def text(self) -> str:
        """The sentence with a capital letter for each amount."""
        return "".join(self._pieces)

    @cached_property
    def _pieces(self) -> list[str]:
        pieces: list[str] = []
        end = self.tokens[0].start if self.tokens else 0
        for token in self.tokens:
            pieces.append((" " if token.start > end else "") + token.word)
            end = token.end
        return pieces

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Where each token begins in ``text``."""
        ends = accumulate(map(len, self._pieces))
        return tuple(end - len(token.word) for end, token in zip(ends, self.tokens, strict=True))

    def index_at(self, place: int) -> int:
        """The token at a place of ``text``."""
        return bisect_left(self.places, place)

    def place_of(self, position: int) -> int:
        """The place in ``text`` of a position in ``plain``, or the next place that was kept."""
        at = bisect_left(self.tokens, self.begins + position, key=lambda token: token.start)
        return self.places[at] if at < len(self.tokens) else len(self.text)


def shorthand(answer: ParsedAnswer) -> Iterator[Sentence]:
    """The sentences of a text, in order."""
    plain = answer.plain
    marks = _marks(answer)
    starts = [mark.start for mark in marks]
    for first, last in _joined(plain, answer.sentences):
        inside = marks[bisect_left(starts, first) : bisect_left(starts, last)]
        tokens = _with_phrases(list(_tokens(plain.text, first, last, inside)))
        if any(token.amount is not None or token.word in ONES for token in tokens):
            for merge in MERGES:
                tokens = merge(tokens)
        yield Sentence(tuple(tokens), _HYPHEN.sub(" ", plain.text[first:last]), first)


def _joined(plain: Normalised, cuts: Sequence[Span]) -> Iterator[Span]:
    """The sentences, joined to the next after a colon or a rhetorical "how many?".

    "That's per step" joins the sentence before it.
    """
    begun: int | None = None
    for place, (first, last) in enumerate(cuts, start=1):
        begin = first if begun is None else begun
        leads_on = (
            plain.text[last - 1] == ":"
            or _HOW_MANY.match(plain.text, first, last)
            or (place < len(cuts) and _PER.match(plain.text, cuts[place][0]))
        )
        if leads_on and last - begin < LONGEST_SENTENCE:
            begun = begin
        else:
            yield begin, last
            begun = None
    if begun is not None:
        yield begun, len(plain.text)


_HOW_MANY = re.compile(
    r"(?:and )?how (?:many|long|much|big|large|fast)\b[^?\d]{0,40}\?$|what (?:is|was|does|did) (?:a"
    r"|an|one|each|the|your) (?:step|update|iteration|batch)[^?\d]{0,25}\?$"
)
_PER = re.compile(
    r"(?:and )?(?:that|this|which)(?:'s| is| was) (?:per|for (?:each|every|one)"
    r"|(?:the|our)(?: [a-z]+)? (?:time|cost|duration|length) (?:of|for|per)"
    r"|how long|what (?:a|one|each|every))\b"
)
_HYPHEN = re.compile(r"(?<=\w)[-_](?=\w)")
_ORDINALS = ("first", "second", *ORDINALS)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DATED = re.compile(
    r"\b(?:on|by|before|until|at|after)(?: the(?: very)? (?:end|close|evening|morning|afternoon) "
    r"of)? (?:the )?(?:(?P<unit>day|week|month) (?P<count>\d+|"
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen)\b"
    rf"|(?P<ordinal>{'|'.join(_ORDINALS)}) (?P<of>day|week|month)\b)"
    r"|(?P<clock>\b(?:by|before|at) (?:noon|lunch(?: ?time)?|midnight|dinner|sunset|tea ?time)"
    r"(?: (?:of|on) the same day)?|\b(?:(?:by|on|in) )?the same (?:day|afternoon|evening|morning"
    r"|night)|\b(?:by|before) the (?:next|following) morning|\bover lunch\b|\bovernight\b)"
    rf"|\bon (?:a )?(?P<from>{'|'.join(_WEEKDAYS)})\b[^.!?]{{0,160}}?\b(?:by|on|until|till) "
    rf"(?P<to>{'|'.join(_WEEKDAYS)})(?: (?:night|evening|morning|noon|afternoon))?\b(?! (?:after"
    r"|of the (?:next|following)))"
)
"""Dates from which a duration follows: "on day nine it was done", "all done by noon"."""
_CLOCKS = {"lunch": 3 * HOUR, "noon": 12 * HOUR, "morning": 18 * HOUR, "overnight": 16 * HOUR}
_COMPLETED = re.compile(
    r"\b(?:done|finish\w*|complet\w*|through|over|ended|in|ready|had (?:seen|eaten|gone)|saw|ran)\b"
)


def _marks(answer: ParsedAnswer) -> list[Token]:
    """Devices, models, dates and numbers of the text in order, none inside another."""
    text = answer.plain.text
    marks: list[Token] = []
    for match in _at_candidates(_MAYBE_DEVICE, DEVICE, text):
        device = device_of(match)
        one = Amount(1, 1, 1, device.name, device)
        marks.append(Token("G", *match.span(), "card", one))
    for match in _at_candidates(_MAYBE_MODEL, MODEL, text):
        marks.append(Token(match[0], *match.span(), "model", model=model_of(match)))
    for match in _DATED.finditer(text):
        if (since := _date(answer, match)) is not None:
            span = match.span("to") if match["to"] else match.span()
            marks.append(Token("T", *span, amount=since))
    for match in _FRACTION.finditer(text) if " of " in text else ():
        share = Amount.of(PARTS[match["part"].replace("-", " ")], "%").between(*_ROUGH)
        marks.append(Token("P", *match.span("part"), amount=share))
    for match in _ONE_IN.finditer(text):
        end = match.end("count")
        count = next((n.value for n in answer.numerals if n.span[1] == end), 0.0)
        below = ORDINALS.index(match["nth"]) + 3 if match["nth"] in ORDINALS else count
        if below := below or float(re.sub(r"\D", "", match["nth"] or "0")):
            share = Amount.of(1 / below, "%").between(*_ROUGH)
            marks.append(
                Token(
                    "P", max(match.start("share"), match.start("every")), match.end(), amount=share
                )
            )
    for match in _BITS.finditer(text):
        start, end = answer.plain.original_span(*match.span())
        if answer.text[start:end].istitle():
            marks.append(Token(f"{match['size']}bit", *match.span()))
    for numeral in answer.numerals:
        if numeral.value == INFINITE or _NO_AMOUNT.match(text, numeral.span[1]):
            continue
        if not numeral.value and _STEP_AHEAD.search(text, 0, numeral.span[0]):
            continue
        letter = "B" if numeral.scale and numeral.value >= _BIG else "N"
        amount = Amount.of(numeral.value, scale=numeral.scale)
        marks.append(Token(letter, *numeral.span, amount=amount))
    kept: list[Token] = []
    for mark in sorted(marks, key=lambda mark: (mark.start, mark.word in ("N", "B"), -mark.end)):
        if not kept or mark.start >= kept[-1].end:
            kept.append(mark)
        elif kept[-1].word in ("N", "B") and mark.end > kept[-1].end:
            kept[-1] = mark
    return kept


_BIG = 1e6
_BITS = re.compile(r"(?<![a-z])(?P<size>[mgt])b(?= ?/ ?s\b| (?:per|a) sec)")
""" "Gb/s", which only its capitals tell from "GB/s"."""
_NO_AMOUNT = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")
""" "The 1st update"."""
_STEP_AHEAD = re.compile(r"\b(?:step|iteration) $")
""" "Step 0" is a time, not a count."""
_FRACTION = re.compile(
    rf"\b(?P<part>{'|'.join(sorted((p.replace(' ', '[ -]') for p in PARTS), key=len)[::-1])}) of "
    r"(?:(?:the|our|each|every|all|its) )?(?:(?:whole|total|wall clock|step|training) )?"
    r"(?:time|step|iteration|peak|(?<!half of )(?:them|those|these))\b"
)
_ONE_IN = re.compile(
    r"\b(?:(?P<share>(?:one|1) (?:in|out of)(?: every)? (?P<count>\d+|[a-z]+(?:-[a-z]+)?))\b"
    rf"|(?:roughly|about|almost|nearly|around|that's|is|was) (?P<every>every (?P<nth>"
    rf"{'|'.join(ORDINALS)}|\d+(?:th|rd)))\b(?! (?:layer|block|step|epoch|token|iteration|hour)))"
)
""" "One in nine", "roughly every ninth"."""
_ROUGH = (0.93, 1.07)
""" "A fifth of the time" is not said of 18 or 21.5 %, but of what lies between."""
_MAYBE_DEVICE = re.compile(
    r"(?:\b|(?<=\dx))(?=(?:[abhlptv]|g[bh]|mi|rtx|trn)[ -]?a?\d|[3456]0[09]0|v[2-6][ep ]"
    r"|[abhv][ -](?:one"
    r"|two|eight|hundred)|(?:thir|for)ty[ -]nine|nvidia|amd |intel|google|huawei|geforce|tpu"
    r"|trillium"
    r"|gaudi|trainium|ascend|910|ada )"
)
_MAYBE_MODEL = re.compile(
    r"\b(?=(?:meta|llama|gpt|bert|mistral|mixtral|qwen|deepseek)|\d+b (?:meta|llama))"
)


def _at_candidates(
    begins: re.Pattern[str], pattern: re.Pattern[str], text: str
) -> Iterator[re.Match[str]]:
    """The matches of a costly pattern, tried only where one may begin."""
    done = 0
    for candidate in begins.finditer(text):
        if candidate.start() >= done and (match := pattern.match(text, candidate.start())):
            done = match.end()
            yield match


def _date(answer: ParsedAnswer, match: re.Match[str]) -> Amount | None:
    """How long it took to get there; a day at the very most for "by noon"."""
    cuts = answer.sentences
    at = bisect_left(cuts, match.end(), key=lambda cut: cut[1])
    around = answer.plain.text[slice(*cuts[min(at, len(cuts) - 1)])]
    if match["clock"] != "overnight" and not _COMPLETED.search(around):
        return None
    if match["clock"]:
        most = next((time for word, time in _CLOCKS.items() if word in match[0]), DAY)
        return Amount(most, 0, most, match[0].strip())
    if match["to"]:
        days = (_WEEKDAYS.index(match["to"]) - _WEEKDAYS.index(match["from"])) % 7
        return Amount(days, max(0.0, days - 1.0), days + 1.0, "day").times(DAY, "day")
    if match["count"]:
        number = next(n.value for n in answer.numerals if n.span[1] >= match.end("count"))
    else:
        number = _ORDINALS.index(match["ordinal"]) + 1.0
    unit = match["unit"] or match["of"]
    return Amount(number, number - 1, number, unit).times(SECONDS[unit], unit)


_WORD = re.compile(r"[a-z][a-z0-9]*(?:'[a-z]+)?|\d+|µs|=>|->|[^\w\s]")
_LABELLED = re.compile(r"(tp|pp|dp|ep|cp|sp|bs|mbs|gbs|ga|r|zero|fsdp|lr|seq|ctx)(\d+)$")


def _tokens(plain: str, first: int, last: int, marks: Sequence[Token]) -> Iterator[Token]:
    at = first
    for mark in marks:
        yield from _words(plain, at, mark.start)
        yield mark
        at = mark.end
    yield from _words(plain, at, last)


def _words(plain: str, start: int, end: int) -> Iterator[Token]:
    for match in _WORD.finditer(plain, start, end):
        word, (begin, after) = match[0], match.span()
        if word == "-" and _is_hyphen(plain[begin - 1 : begin], plain[after : after + 1]):
            continue
        label = _LABELLED.match(word) if word[-1].isdigit() else None
        if label is not None:
            middle = begin + label.end(1)
            yield Token(label[1], begin, middle)
            yield Token("N", middle, after, amount=Amount.of(float(label[2])))
        else:
            yield Token(word, begin, after)


def _is_hyphen(ahead: str, behind: str) -> bool:
    return (ahead.isalnum() and behind.isalpha()) or (ahead.isalpha() and behind.isalnum())


def _with_phrases(tokens: list[Token]) -> list[Token]:
    """The tokens with each longest phrase as one, fillers left out."""
    words = [token.word for token in tokens]
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        size, term = _phrase(words, at)
        token = tokens[at]
        if size > 1:
            token = Token(" ".join(words[at : at + size]), token.start, tokens[at + size - 1].end)
        at += size
        if term == ".":
            continue
        if term[:1] == "Q":
            token = Token("Q", token.start, token.end, amount=Amount.of(float(term[1:]), "bytes"))
        elif term and not token.term:
            token.term = term
            token.is_plural = token.word.endswith("s") and not token.word.endswith("ss")
        elif token.word == "G":
            token.is_plural = True
        out.append(token)
    return out


def _phrase(words: Sequence[str], at: int) -> tuple[int, str]:
    """How many words form the longest phrase, and its term; one word may have none."""
    first = (words[at],)
    best = (1, PHRASES.get(first, ""))
    if first not in BEGINNINGS:
        return best
    size = 1
    most = min(LONGEST, len(words) - at)
    while size < most and (*words[at : at + size],) in BEGINNINGS:
        size += 1
        if (term := PHRASES.get((*words[at : at + size],))) is not None:
            best = (size, term)
    return best
