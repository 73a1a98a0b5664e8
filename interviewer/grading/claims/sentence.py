"""Text in shorthand: numbers are parsed and each amount becomes one capital letter."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from interviewer.grading.claims.hardware import DEVICE, Device, device_of
from interviewer.grading.numerals import SCALES, Numeral
from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.rubric.text import LONGEST_SENTENCE, Normalised, Span

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
SECONDS = {
    **dict.fromkeys(("millisecond", "ms", "msec", "milli"), 1e-3),
    **dict.fromkeys(("second", "sec", "s"), 1.0),
    **dict.fromkeys(("minute", "min"), MINUTE),
    **dict.fromkeys(("hour", "hr", "h"), HOUR),
    "night": 12 * HOUR,
    **dict.fromkeys(("day", "d"), DAY),
    **{"week": 7 * DAY, "wk": 7 * DAY, "fortnight": 14 * DAY, "weekend": 2.5 * DAY},
    **{"month": 30.4 * DAY, "quarter": 91 * DAY, "year": 365 * DAY},
}

LETTERS = frozenset("NBGTMPX")


@dataclass(frozen=True)
class Amount:
    """What a capital letter stands for: seconds, bytes, a share of one, or a plain number.

    ``low`` and ``high`` bound the value as worded: they differ for a range, and one end is 0 or
    infinite for "at most" or "at least".
    """

    value: float
    low: float
    high: float
    unit: str = ""
    device: Device | None = None
    scale: str = ""

    @classmethod
    def of(cls, value: float, unit: str = "", scale: str = "") -> Amount:
        """An exact amount."""
        return cls(value, value, value, unit, scale=scale)

    def times(self, factor: float, unit: str) -> Amount:
        """The amount in a unit of ``factor`` base units."""
        value, low, high = self.value * factor, self.low * factor, self.high * factor
        return replace(self, value=value, low=low, high=high, unit=unit)


@dataclass(frozen=True)
class Cell:
    """The normalised characters behind one character of shorthand."""

    start: int
    end: int
    amount: Amount | None = None


@dataclass(frozen=True)
class Sentence:
    """One sentence in shorthand; ``cells`` runs parallel to ``text``.

    ``plain`` is the sentence with its numbers in place and spaces for hyphens in words.
    """

    text: str
    cells: tuple[Cell, ...]
    plain: str
    begins: int
    """Where ``plain`` begins in the normalised text."""

    def place_of(self, position: int) -> int:
        """The place in ``text`` of a position in ``plain``, or the next place that was kept."""
        return bisect_left(self.cells, self.begins + position, key=lambda cell: cell.start)

    def amount(self, place: int) -> Amount:
        """What the capital letter at ``place`` stands for."""
        amount = self.cells[place].amount
        assert amount is not None
        return amount

    def span(self, start: int, end: int) -> Span:
        """The normalised characters behind ``text[start:end]``."""
        return self.cells[start].start, self.cells[end - 1].end

    def rewritten(
        self,
        pattern: re.Pattern[str],
        amount_of: Callable[[Sentence, re.Match[str]], Amount | None],
    ) -> Sentence:
        """Replace each match by one letter if ``amount_of`` finds an amount in it.

        The letter is the name of the last group that matched.
        """
        pieces: list[str] = []
        cells: list[Cell] = []
        done = 0
        for match in pattern.finditer(self.text):
            if (amount := amount_of(self, match)) is None:
                continue
            start, end = match.span()
            pieces += (self.text[done:start], str(match.lastgroup))
            cells += (*self.cells[done:start], Cell(*self.span(start, end), amount))
            done = end
        if not done:
            return self
        text = "".join(pieces) + self.text[done:]
        return replace(self, text=text, cells=(*cells, *self.cells[done:]))

    def without(self, pattern: re.Pattern[str]) -> Sentence:
        """The sentence without the matches."""
        kept: list[int] = []
        done = 0
        for match in pattern.finditer(self.text):
            kept += range(done, match.start())
            done = match.end()
        kept += range(done, len(self.text))
        text = "".join(self.text[i] for i in kept)
        return replace(self, text=text, cells=tuple(self.cells[i] for i in kept))


_BYTES = {"m": 1e6, "g": 1e9, "t": 1e12}
_UNIT_NAMES = {
    **dict.fromkeys(("ms", "msec", "milli"), "millisecond"),
    **dict.fromkeys(("s", "sec"), "second"),
    **{"min": "minute", "h": "hour", "hr": "hour", "d": "day", "wk": "week"},
}
_HOW_OFTEN = {"once": 1, "twice": 2, "thrice": 3}
_PARTS = {"a half": 1 / 2, "a third": 1 / 3, "two thirds": 2 / 3, "a quarter": 1 / 4}
_PARTS["three quarters"] = 3 / 4
_BIG = 1e6


def shorthand(answer: ParsedAnswer) -> Iterator[Sentence]:
    """The sentences of a text in shorthand, in order."""
    plain = answer.plain
    marks = _marks(answer.numerals, plain.text)
    starts = [start for start, *_ in marks]
    for first, last in _joined(plain, answer.sentences):
        inside = marks[bisect_left(starts, first) : bisect_left(starts, last)]
        yield _in_shorthand(plain.text, first, last, inside)


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
_Mark = tuple[int, int, str, Amount]


def _marks(numbers: Iterable[Numeral], plain: str) -> list[_Mark]:
    """Devices and numbers of the text in order; a number in a device's name does not count."""
    devices = [
        (*match.span(), "G", _of_device(device_of(match))) for match in DEVICE.finditer(plain)
    ]
    begins = [start for start, *_ in devices]
    marks: list[_Mark] = list(devices)
    for numeral in numbers:
        start, end = numeral.span
        at = bisect_left(begins, end)
        if at and devices[at - 1][1] > start:
            continue
        letter = "B" if numeral.scale and numeral.value >= _BIG else "N"
        marks.append((start, end, letter, Amount.of(numeral.value, scale=numeral.scale)))
    return sorted(marks, key=lambda mark: mark[0])


def _of_device(device: Device) -> Amount:
    return Amount(1, 1, 1, device.name, device)


def _in_shorthand(plain: str, first: int, last: int, marks: list[_Mark]) -> Sentence:
    text: list[str] = []
    cells: list[Cell] = []
    at = first
    for start, end, letter, amount in marks:
        text += (plain[at:start], letter)
        cells += (*(Cell(i, i + 1) for i in range(at, start)), Cell(start, end, amount))
        at = end
    text.append(plain[at:last])
    cells += (Cell(i, i + 1) for i in range(at, last))
    spoken = _HYPHEN.sub(" ", plain[first:last])
    sentence = Sentence("".join(text), tuple(cells), spoken, first).rewritten(_RANGE, _range)
    sentence = replace(sentence, text=_HYPHEN.sub(" ", sentence.text)).without(_FILLER)
    for pattern, amount_of in _PASSES:
        sentence = sentence.rewritten(pattern, amount_of)
    return sentence


_HYPHEN = re.compile(r"(?<=\w)[-_](?=\w)|(?<=[a-z])=(?=[NBTMP])")
_FILLER = re.compile(
    r"(?<![\w'])(?:not (?:quite|even|yet)|about|around|roughly|approximately|approx\.?|maybe"
    r"|perhaps|probably|nearly|almost|basically|essentially|pretty much|exactly|precisely|simply"
    r"|literally|quite|easily|comfortably|i want to say|i think|i guess|i'd guess|i believe|i'd say"
    r"|i would say|something like|somewhere (?:around|near|between)|(?:in|on|of) the order of"
    r"|(?:let's )?call it|let's say|say|a total of|some|like|um+|uh+|er+|you know|close to"
    r"|a (?:good|solid|mere|whopping|measly)|in the neighbou?rhood of|as many as|(?:just|a (?:bit"
    r"|little|shade|touch|tad)|slightly|barely|marginally|well) (?:under|over|below|above|short of"
    r"|less than|more than|shy of)|short of|just|only),? | (?:or so|or thereabouts|or something"
    r"|more or less|give or take|ish|and change|and a bit)\b"
)
_RANGE = re.compile(
    r"(?P<N>[NB](?: to | or | ?- ?|(?:, N)*, N,? (?:and|or) )N)|(?P<B>[NB](?: to | or | ?- ?)B)"
)
_TIME = re.compile(
    r"(?P<T>(?:(?P<count>[NB]) ?|(?<!tokens )(?<!token )(?<!toks )(?<!tok )(?<!steps )(?<!step "
    r")(?<!updates )(?<!iterations )(?<!sequences )(?<!samples )(?<!examples )(?<!batches "
    r")(?<!times )(?<!hours )(?<!flops )(?<![NBMT] )\b(?:an?|another) )(?:(?:full|whole|entire"
    r"|straight|solid|single|calendar|long|short|wall ?clock|clock|good"
    r"|more) )*(?:(?P<long>milli(?:second)?|second(?! (?:run|attempt|phase|stage|time|one|model"
    r"|epoch|node|pass|try|set|half|cluster|experiment|job|moment|order|part|team))|minute|hour|day"
    r"|week|night|fortnight|weekend|month|year|sec|min(?! ?hash| ?max)|hr|wk)s?|(?P<short>ms|msec|s"
    r"|h|(?<=N)d(?! (?:parallel|torus|attention|mesh|conv))))(?!\w)|(?<!\w)overnight(?!\w))"
)
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)
_BY_DAY = re.compile(
    r"\b(?:on|by|before|until|at|after)(?: the(?: very)? (?:end|close|evening|morning|afternoon) "
    r"of)? (?P<T>(?:the )?(?P<day>day|week|month) (?P<count>N)\b|the (?P<ordinal>"
    + "|".join(_ORDINALS)
    + r") (?P<unit>day|week|month)\b)"
)
_BY_CLOCK = re.compile(
    r"(?P<T>\b(?:by|before|at) (?:noon|lunch(?: ?time)?|midnight|dinner|sunset|tea ?time)(?: (?:of"
    r"|on) the same day)?|\b(?:(?:by|on|in) )?the same (?:day|afternoon|evening|morning|night)"
    r"|\b(?:by|before) the (?:next|following) morning|\bover lunch\b)"
)
_CLOCKS = {"lunch": 3 * HOUR, "noon": 12 * HOUR, "morning": 18 * HOUR}
_COMPLETED = re.compile(
    r"\b(?:done|finish\w*|complet\w*|through|over|ended|in|ready|had (?:seen|eaten)|saw)\b"
)
_TIME_SUM = re.compile(
    r"(?P<T>T (?:and )?T(?! (?:per|a|each|every))|T and (?P<part>a half|a third|two thirds|a "
    r"quarter|three quarters)(?! of\b))"
)
_MEMORY = re.compile(
    r"(?P<M>[NB] ?(?P<prefix>[gmt])(?:igs?|i?b|igabytes?|erabytes?|egabytes?)?(?!\w)"
    r"(?! ?/ ?s| (?:per|a) sec))"
)
_PERCENT = re.compile(r"(?P<P>N ?(?:%|percent\b|per cent\b))")
_SINGLE = re.compile(
    r"(?<!each )(?<!every )(?<!per )(?P<N>(?:\ban? |\bone |\bmy )?\b(?:single|lone|solitary"
    r"|sole))(?= (?:N ?)?(?:[GM]|gpu|card"
    r"|node|box|machine|server|device|pass|epoch|accelerator|chip|gig))"
)
_TIMES = re.compile(
    r"(?P<X>\b(?:(?<!at )once|twice|thrice)\b|N times\b(?! ?(?:[NB]|larger|bigger|more|faster|as"
    r"|the size|accum|grad|micro|gpus|G\b|data|dp\b|ranks|workers|slower|longer|smaller|less"
    r"|better|over the peak)))"
)
_BOUND = re.compile(
    r"\b(?:(?P<most>(?:[a-z]+n't|not) (?:take |need |last )?(?:any )?(?:more|longer) than|under"
    r"|less than|fewer than|within|at most|(?<!ed )(?<!went )(?<!go )(?<!it )(?<!adds )(?<!add "
    r")(?<!sums )(?<!comes )(?<!gets )(?<!you )(?<!ing )up to|no more than|not more than|below"
    r"|inside(?: of)?|a maximum of)|(?P<least>more than|at least|upwards of|north of|no less than"
    r"|not less than|no fewer than|a minimum of)) (?:a |the |one )?(?:(?P<N>N)|(?P<B>B)|(?P<T>T)"
    r"|(?P<M>M)|(?P<P>P))"
)


def _range(sentence: Sentence, match: re.Match[str]) -> Amount | None:
    """ "two to three", "17 or 18", "3-5 million"; the first takes the second's scale if needed."""
    first, second = sentence.amount(match.start()), sentence.amount(match.end() - 1)
    if "," in match[0]:
        listed = [sentence.amount(match.start() + i).value for i in _places(match[0], "NB")]
        return replace(second, low=min(listed), high=max(listed))
    low = first.value
    if low < second.value and not first.scale and second.scale:
        low *= second.value / _factor(second)
    if not low < second.value <= 10 * low:
        return None
    return replace(second, value=(low + second.value) / 2, low=low, high=second.value)


def _places(text: str, letters: str) -> list[int]:
    return [place for place, letter in enumerate(text) if letter in letters]


def _factor(amount: Amount) -> float:
    """The number before its scale word."""
    return amount.value / SCALES[amount.scale]


def _time(sentence: Sentence, match: re.Match[str]) -> Amount | None:
    if not (match["long"] or match["short"]):
        return Amount(12 * HOUR, 6 * HOUR, 16 * HOUR, "overnight")
    unit = match["long"] or match["short"]
    unit = _UNIT_NAMES.get(unit, unit)
    if not match["count"]:
        return None if match["short"] else Amount.of(SECONDS[unit], unit)
    return sentence.amount(match.start("count")).times(SECONDS[unit], unit)


def _by_day(sentence: Sentence, match: re.Match[str]) -> Amount | None:
    """ "on day nine it was done", "finished by the end of the third day"."""
    if not _COMPLETED.search(sentence.text):
        return None
    unit = match["day"] or match["unit"]
    if match["count"]:
        number = sentence.amount(match.start("count")).value
    else:
        number = _ORDINALS.index(match["ordinal"]) + 1.0
    amount = Amount(number, number - 1, number, unit)
    return amount.times(SECONDS[unit], unit)


def _by_clock(sentence: Sentence, match: re.Match[str]) -> Amount | None:
    """ "all updates were in by noon": a day at the very most."""
    if not _COMPLETED.search(sentence.text):
        return None
    most = next((time for word, time in _CLOCKS.items() if word in match[0]), DAY)
    return Amount(most, 0, most, match[0].strip())


def _time_sum(sentence: Sentence, match: re.Match[str]) -> Amount | None:
    """ "two days and six hours", "a week and a half"."""
    first = sentence.amount(match.start())
    if match["part"]:
        more = _PARTS[match["part"]] * SECONDS[first.unit] if first.unit in SECONDS else 0
    else:
        second = sentence.amount(match.end() - 1)
        more = second.value
        if not second.value < first.value or second.unit == first.unit:
            return None
    value, low, high = (x + more for x in (first.value, first.low, first.high))
    return replace(first, value=value, low=low, high=high)


def _memory(sentence: Sentence, match: re.Match[str]) -> Amount:
    unit = f"{match['prefix'].upper()}B"
    return sentence.amount(match.start()).times(_BYTES[match["prefix"]], unit)


def _percent(sentence: Sentence, match: re.Match[str]) -> Amount:
    return sentence.amount(match.start()).times(0.01, "%")


def _single(sentence: Sentence, match: re.Match[str]) -> Amount:
    return Amount.of(1)


def _times(sentence: Sentence, match: re.Match[str]) -> Amount:
    if match[0] in _HOW_OFTEN:
        return Amount.of(_HOW_OFTEN[match[0]], "times")
    return sentence.amount(match.start())


def _bounded(sentence: Sentence, match: re.Match[str]) -> Amount | None:
    amount = sentence.amount(match.end() - 1)
    if match["most"] == "up to" and match["B"]:
        return None  # "trained up to 2T tokens" is where it ended
    if match["most"]:
        return replace(amount, low=0.0)
    return replace(amount, high=float("inf"))


_PASSES: tuple[tuple[re.Pattern[str], Callable[[Sentence, re.Match[str]], Amount | None]], ...] = (
    (_TIME, _time),
    (_BY_DAY, _by_day),
    (_BY_CLOCK, _by_clock),
    (_TIME_SUM, _time_sum),
    (_MEMORY, _memory),
    (_PERCENT, _percent),
    (_SINGLE, _single),
    (_TIMES, _times),
    (_BOUND, _bounded),
)
