"""Sentences as terms and amounts: what a reader of numbers sees of a text.

Every number with its unit is one token, named by a capital letter: N a number, B one of millions or
more with its scale, T a time, H a time of devices, M bytes, W bytes a second, F operations, P a
share, D money, Q a precision, X how often, G a device. Phrases with a meaning become one token too,
and words of no weight are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate

from interviewer.grading.claims.hardware import DEVICE, Device, device_of
from interviewer.grading.claims.models import MODEL, Published, model_of
from interviewer.grading.claims.vocabulary import BEGINNINGS, BITS, LONGEST, PHRASES
from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.grading.units import (
    BIT_RATES,
    BYTES,
    DAY,
    FLOPS,
    HOUR,
    MONEY,
    SCALES,
    SECONDS,
    TIME_NAMES,
    factor_of,
)
from interviewer.rubric.text import LONGEST_SENTENCE, Normalised, Span

LETTERS = frozenset("NBTHMWFPDQXG")
INFINITE = float("inf")


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in base units: seconds, bytes, a share of one, or a plain number.

    ``low`` and ``high`` bound the value as worded: they differ for a range and for "about", and one
    end is 0 or infinite for "at most" or "at least".
    """

    value: float
    low: float
    high: float
    unit: str = ""
    device: Device | None = None
    scale: str = ""
    factor: float = 1.0
    """Of the unit, to take a number without it along: "two to three weeks"."""

    @classmethod
    def of(cls, value: float, unit: str = "", scale: str = "") -> Amount:
        """An exact amount."""
        return cls(value, value, value, unit, scale=scale)

    def times(self, factor: float, unit: str) -> Amount:
        """The amount in a unit of ``factor`` base units."""
        value, low, high = self.value * factor, self.low * factor, self.high * factor
        return replace(self, value=value, low=low, high=high, unit=unit, factor=factor)

    def between(self, low: float, high: float) -> Amount:
        """The amount with wider bounds, as factors."""
        return replace(self, low=self.low * low, high=self.high * high)


@dataclass(slots=True)
class Token:
    """A word, phrase, sign or amount. ``word`` is its letter if it is an amount."""

    word: str
    start: int
    end: int
    term: str = ""
    amount: Amount | None = None
    model: Published | None = None
    is_plural: bool = False

    @property
    def is_number(self) -> bool:
        """An amount that may measure something; a device's name does not."""
        return self.amount is not None and self.word != "G"


@dataclass(frozen=True)
class Sentence:
    """One sentence. ``plain`` has its numbers in place and spaces for hyphens in words."""

    tokens: tuple[Token, ...]
    plain: str
    begins: int
    """Where ``plain`` begins in the normalised text."""
    _places: tuple[int, ...] = field(init=False, repr=False)

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
        if any(token.amount is not None or token.word in _ONES for token in tokens):
            for merge in _MERGES:
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
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DATED = re.compile(
    r"\b(?:on|by|before|until|at|after)(?: the(?: very)? (?:end|close|evening|morning|afternoon) "
    r"of)? (?:the )?(?:(?P<unit>day|week|month) (?P<count>\d+|"
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen)\b"
    rf"|(?P<ordinal>{'|'.join((*_ORDINALS, 'tenth'))}) (?P<of>day|week|month)\b)"
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
        amount = Amount(1, 1, 1, device.name, device)
        marks.append(Token("G", *match.span(), "card", amount))
    for match in _at_candidates(_MAYBE_MODEL, MODEL, text):
        marks.append(Token(match[0], *match.span(), "model", model=model_of(match)))
    for match in _DATED.finditer(text):
        if (amount := _date(answer, match)) is not None:
            span = match.span("to") if match["to"] else match.span()
            marks.append(Token("T", *span, amount=amount))
    for numeral in answer.numerals:
        if numeral.value == INFINITE:
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
_MAYBE_DEVICE = re.compile(
    r"(?:\b|(?<=\dx))(?=(?:[abhlptv]|g[bh]|mi|rtx|trn)[ -]?a?\d|[3456]0[09]0|v[2-6][ep ]|[abhv][ -](?:one"
    r"|two|eight|hundred)|(?:thir|for)ty[ -]nine|nvidia|amd |intel|google|huawei|geforce|tpu|trillium"
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
        number = (*_ORDINALS, "tenth").index(match["ordinal"]) + 1.0
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
        ahead, behind = (
            plain[match.start() - 1 : match.start()],
            plain[match.end() : match.end() + 1],
        )
        if match[0] == "-" and (
            (ahead.isalnum() and behind.isalpha()) or (ahead.isalpha() and behind.isalnum())
        ):
            continue
        if label := _LABELLED.match(match[0]):
            middle = match.start() + label.end(1)
            yield Token(label[1], match.start(), middle)
            yield Token("N", middle, match.end(), amount=Amount.of(float(label[2])))
        else:
            yield Token(match[0], *match.span())


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
    best = (1, PHRASES.get((words[at],), ""))
    size = 1
    most = min(LONGEST, len(words) - at)
    while size < most and (*words[at : at + size],) in BEGINNINGS:
        size += 1
        if (term := PHRASES.get((*words[at : at + size],))) is not None:
            best = (size, term)
    return best


# Merges: a number and its unit, ranges, bounds

_ONES = frozenset(("a", "an", "another", "once", "twice", "thrice", "single", "lone"))
_MODIFIERS = frozenset(
    (
        *("full", "whole", "entire", "straight", "solid", "single", "calendar", "long", "short"),
        *("good", "more", "clock", "wall", "extra", "additional", "further", "consecutive"),
        *("model", "bf16", "useful", "sustained", "achieved", "effective", "us", "american"),
        *("-", "model", "peak", "dense", "real"),
    )
)
_NOT_A_SECOND = frozenset(
    [
        "run",
        "attempt",
        "phase",
        "stage",
        "time",
        "one",
        "model",
        "epoch",
        "node",
        "pass",
        "try",
        "set",
        "half",
        "cluster",
        "experiment",
        "job",
        "moment",
        "order",
        "part",
        "team",
        "thought",
        "batch",
        "checkpoint",
        "copy",
        "opinion",
        "look",
    ]
)
_RATED = frozenset(
    ["token", "step", "sequence", "example", "rollout", "response", "prompt", "batch"]
)
_NEVER_TIMES = frozenset(
    [
        "larger",
        "bigger",
        "more",
        "faster",
        "as",
        "slower",
        "longer",
        "smaller",
        "less",
        "better",
        "higher",
        "lower",
        "fewer",
        "cheaper",
        "the",
        "over",
        "worse",
    ]
)


_VARIANT = (16, 288)


def _with_variants(tokens: list[Token]) -> list[Token]:
    """ "A100-80", "A100-40GB": the device and its memory."""
    if all(token.word != "G" for token in tokens):
        return tokens
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        out.append(token)
        at += 1
        begin = at + (at < len(tokens) and tokens[at].word == "-")
        number = tokens[begin] if begin < len(tokens) else None
        if token.word != "G" or number is None or number.word != "N" or number.amount is None:
            continue
        is_size = _VARIANT[0] <= number.amount.value <= _VARIANT[1]
        is_tight = (number.start <= token.end + 1 and begin > at) or number.start == token.end + 1
        unit = tokens[begin + 1].word if begin + 1 < len(tokens) else ""
        has_unit = unit in ("gb", "gbs", "gig", "gigs", "g", "gib")
        if not is_size or not is_tight or not (has_unit or begin > at):
            continue
        is_suffix = unit == "s" and tokens[begin + 1].start == number.end
        at = begin + (2 if has_unit or is_suffix else 1)
        amount = number.amount.times(1e9, "GB")
        out.append(Token("M", number.start, tokens[at - 1].end, "variant", amount))
    return out


def _with_units(tokens: list[Token]) -> list[Token]:
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        token, size = _measured(tokens, at, out)
        out.append(token)
        at += size
    return out


def _measured(tokens: list[Token], at: int, before: list[Token]) -> tuple[Token, int]:
    """The token at a place with the unit that follows it, and how many tokens that takes."""
    token = tokens[at]
    if token.word in ("$", "€", "£") and at + 1 < len(tokens) and tokens[at + 1].word in "NB":
        amount = tokens[at + 1].amount or Amount.of(0)
        unit = factor_of(token.word, MONEY) or 1.0
        return Token("D", token.start, tokens[at + 1].end, "", amount.times(unit, "$")), 2
    if token.word in ("a", "an", "another"):
        return _one(tokens, at, before)
    if token.word in ("once", "twice", "thrice") and (not before or before[-1].word != "at"):
        often = {"once": 1.0, "twice": 2.0, "thrice": 3.0}[token.word]
        return Token("X", token.start, token.end, "", Amount.of(often, "times")), 1
    if token.word in ("single", "lone", "solitary", "sole") and _counts_one(tokens, at + 1):
        return Token("N", token.start, token.end, "", Amount.of(1.0)), 1
    if token.amount is None or token.word not in ("N", "B"):
        return token, 1
    next_ = at + 1
    while next_ < len(tokens) and tokens[next_].word in _MODIFIERS and next_ < at + 4:
        next_ += 1
    for place in dict.fromkeys((at + 1, next_)):
        if place < len(tokens) and (found := _unit(tokens, at, place)) is not None:
            letter, factor, unit, end = found
            amount = token.amount.times(factor, unit)
            named = tokens[place].amount
            if letter == "H" and named is not None:
                amount = replace(amount, device=named.device)
            return Token(letter, token.start, tokens[end - 1].end, "", amount), end - at
    return token, 1


def _counts_one(tokens: list[Token], at: int) -> bool:
    following = tokens[at : at + 4]
    is_counted = any(
        (t.term in ("card", "node", "epoch", "seq") and not t.is_plural) or t.word == "G"
        for t in following[:2]
    )
    return is_counted or bool(
        following
        and following[0].word in "NB"
        and len(following) > 2
        and any(t.term in ("card", "node") for t in following[1:])
    )


def _one(tokens: list[Token], at: int, before: list[Token]) -> tuple[Token, int]:
    """ "a week" is an amount unless it is what a rate is per."""
    token = tokens[at]
    place = at + 1
    while place < len(tokens) and tokens[place].word in _MODIFIERS:
        place += 1
    if place >= len(tokens):
        return token, 1
    unit = TIME_NAMES.get(tokens[place].word, tokens[place].word)
    is_time = unit in SECONDS and tokens[place].word not in TIME_NAMES and len(unit) > 2
    if is_time and unit == "second" and place + 1 < len(tokens):
        is_time = tokens[place + 1].word not in _NOT_A_SECOND
    last = before[-1] if before else None
    is_rate = last is not None and (
        last.amount is not None or last.term in _RATED or last.word in ("times", "hours", "often")
    )
    if not is_time or is_rate or unit == "quarter" or _is_rate_of(unit, place + 1, tokens, before):
        return token, 1
    end = tokens[place].end
    return Token(
        "T", token.start, end, "", Amount.of(1.0).times(SECONDS[unit], unit)
    ), place + 1 - at


def _is_rate_of(unit: str, place: int, tokens: list[Token], before: list[Token]) -> bool:
    """ "In a minute we do five updates"."""
    if unit not in ("second", "minute", "hour") or not before or before[-1].word != "in":
        return False
    opens = len(before) == 1 or before[-2].word in (",", ";", ".", "and", "so")
    return opens and place < len(tokens) and tokens[place].word in ("we", "it", "the", "i")


def _unit(tokens: list[Token], at: int, place: int) -> tuple[str, float, str, int] | None:
    """The letter, factor and name of the unit at ``place``, and where it ends."""
    token, word = tokens[at], tokens[place].word
    after = tokens[place + 1].word if place + 1 < len(tokens) else ""
    is_tight = tokens[place].start <= token.end + 1
    if (is_tight or len(word) > 2) and (seconds := factor_of(word, SECONDS)) is not None:
        is_ordinal = word == "second" and after in _NOT_A_SECOND and token.amount is not None
        if word == "d" and tokens[place].start != token.end:
            return None
        if not is_ordinal and word != "quarter":
            name = word.removesuffix("s") or word
            return "T", seconds, TIME_NAMES.get(name, name), place + 1
    if tokens[place].term == "gpu hour":
        name = word.split()[-1]
        return "H", factor_of(name, SECONDS) or HOUR, "GPU hours", place + 1
    if tokens[place].term == "card" and place + 1 < len(tokens):
        if (seconds := factor_of(after, SECONDS)) is not None and after not in ("s", "d", "second"):
            return "H", seconds, "GPU hours", place + 2
    if (factor := factor_of(word, BIT_RATES)) is not None:
        return "W", factor, "Gb/s", _after_rate(tokens, place + 1)
    if (factor := factor_of(word, BYTES)) is not None and word not in ("b", "bs"):
        return _bytes(tokens, place, factor, word)
    if word in ("g", "t") and is_tight and not (token.amount and token.amount.scale):
        return "M", 1e9 if word == "g" else 1e12, f"{word.upper()}B", place + 1
    if (factor := factor_of(word, FLOPS)) is not None:
        end = _after_rate(tokens, place + 1)
        is_rate = end > place + 1 or word.endswith(("flopps",))
        return "F", factor, "FLOP/s" if is_rate else "FLOPs", end
    if word in ("%", "percent") or (word == "per" and after == "cent"):
        end = place + (2 if word == "per" else 1)
        is_points = end < len(tokens) and tokens[end].word in ("point", "points")
        return None if is_points else ("P", 0.01, "%", end)
    if (factor := factor_of(word, MONEY)) is not None:
        return "D", factor, "$", place + 1
    if word == "times" and after not in _NEVER_TIMES and not _is_factor(tokens, place + 1):
        return "X", 1.0, "times", place + 1
    if tokens[place].term == "bit" and token.amount and token.amount.value in BITS:
        value = token.amount.value
        return "Q", BITS[int(value)] / value, "bytes", place + 1
    return None


def _is_factor(tokens: list[Token], place: int) -> bool:
    """ "N times N", "eight times accumulation": a product, not how often."""
    if place >= len(tokens):
        return False
    token = tokens[place]
    return token.amount is not None or token.term in (
        *("accumulation", "microbatch", "card", "dp", "rank", "batch", "length"),
    )


def _bytes(
    tokens: list[Token], place: int, factor: float, word: str
) -> tuple[str, float, str, int]:
    end = _after_rate(tokens, place + 1)
    unit = f"{word[0].upper()}B" if word[0] in "kmgtp" else "bytes"
    if end > place + 1:
        return "W", factor, f"{unit}/s", end
    following = tokens[place + 1].term if place + 1 < len(tokens) else ""
    if following == "link" and word in ("gig", "gigs"):
        return "W", factor / 8, "Gb/s", end
    return "M", factor, unit, end


def _after_rate(tokens: list[Token], place: int) -> int:
    """The place after "/s", "per second" or "a second"; ``place`` if none is there."""
    words = [token.word for token in tokens[place : place + 2]]
    if (
        len(words) == 2
        and words[0] in ("/", "per", "a", "each", "every")
        and words[1] in (*("s", "sec", "second"),)
    ):
        return place + 2
    return place


def _sums(tokens: list[Token]) -> list[Token]:
    """ "two days and six hours", "a week and a half"."""
    if all(token.word != "T" for token in tokens):
        return tokens
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        last = out[-1] if out else None
        if token.word == "T" and token.amount and out:
            first = out[-2] if last and last.word == "and" and len(out) > 1 else last
            if first and first.word == "T" and first.amount and first.amount.unit in SECONDS:
                if (
                    token.amount.value < first.amount.value
                    and token.amount.unit != first.amount.unit
                ):
                    while out[-1] is not first:
                        out.pop()
                    _add(first, token.amount.value, token.end)
                    at += 1
                    continue
        words = [t.word for t in tokens[at : at + 3]]
        if last and last.word == "T" and last.amount and words[:1] == ["and"] and len(words) > 2:
            part = _PARTS.get(" ".join(words[1:3]))
            if (
                part
                and last.amount.unit in SECONDS
                and (at + 3 >= len(tokens) or tokens[at + 3].word != "of")
            ):
                _add(last, part * SECONDS[last.amount.unit], tokens[at + 2].end)
                at += 3
                continue
        out.append(token)
        at += 1
    return out


_PARTS = {"a half": 1 / 2, "a third": 1 / 3, "two thirds": 2 / 3, "a quarter": 1 / 4, "a bit": 0.1}


def _add(token: Token, more: float, end: int) -> None:
    assert token.amount is not None
    value, low, high = (x + more for x in (token.amount.value, token.amount.low, token.amount.high))
    token.amount = replace(token.amount, value=value, low=low, high=high)
    token.end = end


_BETWEEN = frozenset(("to", "or", "-"))
_CHANGES = frozenset(
    [
        "from",
        "went",
        "dropped",
        "fell",
        "rose",
        "improved",
        "increased",
        "down",
        "up",
        "doubled",
        "raised",
        "moved",
        "grew",
        "cut",
    ]
)


def _ranges(tokens: list[Token]) -> list[Token]:
    """ "two to three weeks", "17 or 18", "3-5 million" become one amount."""
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if (
            token.is_number
            and len(out) >= 2
            and out[-2].is_number
            and (
                out[-1].word in _BETWEEN
                or (out[-1].word == "and" and len(out) > 2 and out[-3].word == "between")
            )
            and not (len(out) > 2 and out[-1].word == "to" and out[-3].word in _CHANGES)
            and (amount := _range(out[-2], token)) is not None
        ):
            out[-2:] = [Token(token.word, out[-2].start, token.end, "", amount)]
        else:
            out.append(token)
        at += 1
    return out


def _range(first: Token, second: Token) -> Amount | None:
    """The first takes the second's unit or scale if it has none of its own."""
    assert first.amount and second.amount
    low, high = first.amount.value, second.amount.value
    if first.word != second.word:
        if first.word != "N" or second.word not in "BTMPDF":
            return None
        if not first.amount.scale:
            low *= SCALES.get(second.amount.scale, 1.0) * second.amount.factor
    elif not first.amount.scale and second.amount.scale and low < high:
        low *= SCALES[second.amount.scale]
    if not low < high <= 10 * low:
        return None
    return replace(second.amount, value=(low + high) / 2, low=low, high=high)


_MOST = (
    *(("more", "than"), ("longer", "than"), ("under",), ("less", "than"), ("fewer", "than")),
    *(("within",), ("at", "most"), ("up", "to"), ("no", "more", "than"), ("not", "more", "than")),
    *(("below",), ("inside", "of"), ("inside",), ("a", "maximum", "of"), ("<",), ("≤",)),
)
_LEAST = (
    *(
        ("more", "than"),
        ("at", "least"),
        ("upwards", "of"),
        ("north", "of"),
        ("no", "less", "than"),
    ),
    *(("not", "less", "than"), ("no", "fewer", "than"), ("a", "minimum", "of"), (">",), ("≥",)),
    ("longer", "than"),
)
_DENIED = re.compile(r"n't$|^(?:not|no|never|cannot|without)$")
_ENDS_AT = re.compile(r"\w(?:ed|ing)$|^(?:went|go|it|adds?|sums|comes|gets|you)$")
_APPROXIMATE = (0.85, 1.15)
_REACH = 6


def _bounds(tokens: list[Token]) -> list[Token]:
    """Applies "about", "more than" and "at most" to the number after them, "ish" before it."""
    out: list[Token] = []
    vague = False
    for token in tokens:
        if token.term == "~":
            if out and out[-1].is_number and token.word in _AFTERWARDS:
                _widen(out[-1])
            else:
                vague = True
            continue
        if token.is_number:
            if vague:
                _widen(token)
            token.amount = _bounded(token, [t.word for t in out[-_REACH:]])
            vague = False
        elif token.term or token.word in (",", ".", ";", ":"):
            vague = vague and token.word not in (",", ".", ";", ":")
        out.append(token)
    return out


_AFTERWARDS = frozenset(
    ("or so", "ish", "give or take", "or thereabouts", "more or less", "or something", "roughly")
)


def _widen(token: Token) -> None:
    if token.amount and token.amount.low == token.amount.high:
        token.amount = token.amount.between(*_APPROXIMATE)


_BOUNDING = frozenset(words[-1] for words in (*_MOST, *_LEAST))


def _bounded(token: Token, before: list[str]) -> Amount | None:
    amount = token.amount
    while before and before[-1] in ("a", "the", "one"):
        before = before[:-1]
    if not before or before[-1] not in _BOUNDING:
        return amount
    is_denied = any(_DENIED.search(word) for word in before[-5:-2])
    for words in _LEAST:
        if amount and (*before[-len(words) :],) == words:
            return replace(amount, low=0.0) if is_denied else replace(amount, high=INFINITE)
    for words in _MOST:
        if amount and (*before[-len(words) :],) == words:
            ahead = before[-len(words) - 1] if len(before) > len(words) else ""
            if words == ("up", "to") and (token.word == "B" or _ENDS_AT.search(ahead)):
                return amount
            return replace(amount, low=0.0)
    return amount


_MERGES: tuple[Callable[[list[Token]], list[Token]], ...] = (
    *(_with_variants, _with_units, _sums, _ranges, _bounds),
)
