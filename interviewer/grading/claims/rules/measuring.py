"""What the amounts of a text measure: the words around each are looked up in the table of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from interviewer.grading.claims.claim import Measure
from interviewer.grading.claims.hardware import Device
from interviewer.grading.claims.rules import patterns, patterns_memory
from interviewer.grading.claims.rules.amounts import Amount, Token
from interviewer.grading.claims.rules.bare import bare_size, bare_time
from interviewer.grading.claims.rules.context import PER, SCOPES, SKIPPED, STOPS, Past, View
from interviewer.grading.claims.rules.rows import Row
from interviewer.grading.claims.rules.sentence import Sentence
from interviewer.grading.claims.rules.vocabulary import words

UNITS = {
    **dict.fromkeys((Measure.PARAMETERS, Measure.ACTIVE_PARAMETERS), "parameters"),
    **dict.fromkeys((Measure.TOKENS, Measure.DATASET_TOKENS, Measure.BATCH_TOKENS), "tokens"),
    Measure.TRAINABLE_PARAMETERS: "parameters",
    Measure.EXAMPLES: "examples",
    Measure.EPOCHS: "epochs",
    **dict.fromkeys((Measure.BATCH_SEQUENCES, Measure.MICRO_BATCH), "sequences"),
    Measure.SEQUENCE_LENGTH: "tokens",
    Measure.ACCUMULATION: "micro-batches",
    Measure.DATA_PARALLEL: "ranks",
    Measure.STEPS: "steps",
    Measure.GPUS: "GPUs",
    Measure.MFU: "%",
    Measure.DEVICE_TIME: "GPU hours",
}
_ROWS = (patterns.ROWS + patterns_memory.ROWS).by_place()
_RATES = (Measure.THROUGHPUT, Measure.DEVICE_THROUGHPUT)


@dataclass(frozen=True)
class Measured:
    """An amount and its measure, at a place of its sentence; ``tokens`` are those that say it."""

    measure: Measure
    amount: Amount
    place: int
    tokens: tuple[int, int]
    unit: str
    device: Device | None = None


def unit_of(measure: Measure, amount: Amount, device: Device | None = None) -> str:
    """The unit as stated: the device's name, "days", "tokens"."""
    if device is not None and measure is Measure.GPUS:
        return device.name
    if measure in UNITS or not amount.unit:
        return UNITS.get(measure, "")
    is_word = amount.unit.isalpha() and amount.unit.islower() and amount.unit != "bytes"
    return f"{amount.unit}s" if is_word and not amount.unit.endswith("s") else amount.unit


_LINKING = words("of at with x × by * , to into")
_NAMING = words("is was are were as for being ,")
_BEFORE_NAME = words("as is was the our a my its for")
_FITTED = words("packed padded truncated cut filled capped trimmed chopped limited")
_LEADS = words("in on for to at of from out")
_ENDS = frozenset([".", ";", "!", "?"])
_LINKS = words(
    "is was were are be been being at to of set fixed constant held kept stays stayed came "
    "comes out equals an a the then both always it as in with by up that's gave gives ended "
    "peaked ran reached hit got final total took takes need needs needed lasted over per still "
    "we us has had have having each one = ( : , size number count length used use our my on for "
    "this that also i so i.e i'm measured lasts here now alone around said shows showed made "
    "makes means say stood"
)
_COMING = words(", : = ( is was it that's came comes to at")
_COPULAS = words("in is was takes took needs needed comes came to at")
_AGAIN = words("to then now and or later → -> => afterwards became vs versus on")
_LOOK_BACK = 400
_NEAR_AHEAD, _NEAR_BEHIND = 12, 7
_CROSSING, _BRACKET, _WINDOW, _NEXT = 2, 4, 16, 2
_POINTING = frozenset(["that's", "that", "this", "it's", "which"])
_OWNING = words("owns own holds hold has gets get had held got")
_HAVING = words("has had have with of")
_PRONOUNS = words("it they that this these those each")
_OPENING = 6
_ROUNDED = 0.06
_GOING_ON = (["each"], ["per"], ["apiece"])
_TIMES = words("x × * times by @")


class Reader:
    """Goes through the sentences of a text, keeping what pronouns may refer to."""

    def __init__(self) -> None:
        self._past = Past()

    def measured(self, sentence: Sentence) -> list[Measured]:
        """What the sentence's amounts measure, in order."""
        view, past = View(sentence, self._past), self._past
        numbers = [at for at, token in enumerate(view.tokens) if token.is_number]
        found: list[Measured] = []
        knew_bubble = past.knows_bubble
        for order, at in enumerate(numbers):
            first = numbers[order - 1] + 1 if order else 0
            last = numbers[order + 1] if order + 1 < len(numbers) else len(view.tokens)
            frame = _Frame(view, at, max(first, at - _NEAR_AHEAD), min(last, at + _NEAR_BEHIND))
            measured = frame.measured()
            if measured is None or (knew_bubble and measured.measure is Measure.VIRTUAL_STAGES):
                continue  # chunks that came after a bubble was said make another schedule
            view.knows_size |= measured.measure is Measure.PARAMETERS
            past.knows_bubble |= measured.measure is Measure.BUBBLE
            found.append(measured)
        past.counted += [t.term for t in sentence.tokens if t.is_plural and t.term in SCOPES]
        past.recent = [*past.recent[-1:], view.words]
        past.topics = [t.term for t in sentence.tokens if t.term]
        past.text = f"{past.text} {sentence.text}"[-_LOOK_BACK:]
        past.knows_size |= view.knows_size
        return found


@dataclass
class _Frame:
    """An amount and the words around it."""

    view: View
    at: int
    first: int
    last: int
    linked: str = ""
    """The things that the amount is of each: "sequences of 4,096"."""

    def __post_init__(self) -> None:
        self.token: Token = self.view.tokens[self.at]
        assert self.token.amount is not None
        self.amount: Amount = self.token.amount

    @cached_property
    def near(self) -> frozenset[str]:
        """The words and terms between the amounts before and after this one."""
        inside = self.view.tokens[self.first : self.last]
        return frozenset(t.word for t in inside) | frozenset(t.term for t in inside)

    @cached_property
    def behind(self) -> list[int]:
        """The nouns that the amount counts: "token" and "batch" of "4M token batches"."""
        tokens, place, skipped = self.view.tokens, self.at + 1, 0
        if place < len(tokens) and tokens[place].word == "of":
            place += 1
            while place < len(tokens) and tokens[place].word in SKIPPED:
                place += 1
        while place < len(tokens):
            token = tokens[place]
            if token.term == "apiece":
                return []
            if token.term and not token.is_number:
                break
            is_size = self.token.word == "N" and token.word in "MQ" and token.word
            if token.word in ("x", "×", "*", "way", "'s") or is_size:
                place += 1
                continue
            if token.amount is not None and not self._is_compound(place):
                return []
            if token.word in STOPS or not (token.word.isalpha() or token.word == '"'):
                return []
            skipped += 1
            if skipped > 3:
                return []
            place += 1
        chain: list[int] = []
        while place < len(tokens) and tokens[place].term and not tokens[place].is_number:
            chain.append(place)
            place += 1
        if chain and place < len(tokens) and tokens[place].word in "NB":
            is_factor = tokens[chain[0] - 1].word in ("x", "×", "*")
            return [] if is_factor else chain  # "4 × accumulation 16" names the second
        return chain

    def _is_compound(self, place: int) -> bool:
        """ "four eight-GPU nodes": the second number belongs to the nodes."""
        following = self.view.tokens[place + 1 : place + 3]
        return len(following) == 2 and following[1].term == "node" and self.token.word == "N"

    @cached_property
    def per_behind(self) -> set[str]:
        """What the words after the amount say that it is per."""
        found: set[str] = set()
        tokens = self.view.tokens
        begin = place = (self.behind[-1] if self.behind else self.at) + 1
        while place < len(tokens) and place < begin + 8:
            token = tokens[place]
            if token.word in _ENDS or token.word in (",", ":"):
                following = [t.word for t in tokens[place + 1 : place + 3]]
                is_said_of = bool(following) and following[0] in _POINTING
                if not is_said_of and following[:1] not in _GOING_ON:
                    break
            elif token.is_number and not self.view.is_one(place):
                break
            elif token.word in PER or token.term == "apiece" or token.is_number:
                is_loose = token.word in ("a", "an", "one", "any", "@") and place > begin + 1
                scope = self.view.per(place, self.at)
                is_next = (
                    tokens[place - 1].word == "," and token.word != "per" and scope is not None
                )
                if scope and not is_loose and not (is_next and scope[1] > place):
                    found.add(scope[0])
                    place = max(place, scope[1])
            place += 1
        if len(self.behind) > 1 and self._is_node_size():
            found.add("node")
        return found

    def _is_node_size(self) -> bool:
        """ "an 8-GPU node"."""
        tokens = self.view.tokens
        first, second = (tokens[place] for place in self.behind[:2])
        if self.amount.value == 1:
            return False
        if any(token.is_number for token in tokens[self.at + 1 : self.behind[0]]):
            return False
        ahead = tokens[self.at - 1] if self.at else None
        is_tight = tokens[self.at + 1].word in ("x", "×")
        is_led = is_tight or (
            ahead is not None and (ahead.word in ("a", "an", "the", "one") or ahead.is_number)
        )
        return first.term == "card" and second.term == "node" and is_led

    @cached_property
    def per_ahead(self) -> set[str]:
        """What the words before the amount say that it is per."""
        found: set[str] = set()
        tokens, place, commas = self.view.tokens, self.at - 1, 0
        while place >= 0 and place > self.at - 12:
            token = tokens[place]
            is_each_one = place > 0 and tokens[place - 1].word in ("every", "each")
            if token.word in _ENDS or (
                token.is_number and not is_each_one and not self.view.is_one(place)
            ):
                break
            commas += token.word == ","
            if (token.word in PER or token.is_number) and (
                scope := self.view.per(place)
            ) is not None:
                opens = place == 0 or tokens[place - 1].word in (",", ".", ":", "and", "so", "?")
                opens = opens or (tokens[place - 1].word in _LEADS and place < 3)
                is_anaphor = scope[1] == place
                is_next = all(t.word in _COMING for t in tokens[scope[1] + 1 : self.at])
                if scope[1] < self.at and (
                    not commas or is_next or (opens and commas == 1 and not is_anaphor)
                ):
                    found.add(scope[0])
            place -= 1
        link = self.at - 1
        if link > 0 and tokens[link].word in ("a", "an", "the"):
            link -= 1
        noun = link - 1
        if noun >= 0 and tokens[link].word in _LINKING:
            is_listed = tokens[link].word == ","
            term = tokens[noun].term
            if noun and tokens[noun].word in ("full", "up", "down", "out", "long"):
                noun -= 1
            if tokens[noun].word in _FITTED:
                term = "seq"
            is_counted = tokens[noun].is_plural or term in ("seq", "node")
            if is_counted and term in SCOPES - {"card"} and not is_listed:
                self.linked = term
                found.add(term)
        return found

    @cached_property
    def per(self) -> set[str]:
        return self.per_behind | self.per_ahead

    @cached_property
    def leading(self) -> frozenset[str]:
        """The terms right before the amount."""
        return frozenset(self.view.tokens[place].term for place, gap in self.labels if gap <= 1)

    def _is_every(self) -> bool:
        """ "every 1,000 steps", "the last 30 minutes": no total of the run."""
        ahead = self.view.tokens[self.at - 1].word if self.at else ""
        if ahead not in ("every", "each", "last", "next", "past", "first"):
            return False
        counted = {self.view.tokens[place].term for place in self.behind}
        return bool(counted & {"step", "token"}) or (self.token.word == "T" and ahead != "each")

    @cached_property
    def labels(self) -> list[tuple[int, int]]:
        """The terms before the amount, nearest first, each with its distance in words.

        What stands in brackets right before it comes last: "a step (all micro-batches): 1.1 s".
        """
        tokens, place, gap = self.view.tokens, self.at - 1, 0
        found: list[tuple[int, int]] = []
        enclosed: list[tuple[int, int]] = []
        outside = self._before_brackets
        while place >= 0 and gap <= _WINDOW:
            token = tokens[place]
            if token.word in _ENDS and token.word != "?":
                break
            if token.is_number:
                gap += 0 if place > outside else _CROSSING
            elif token.term or token.word == "G":
                if self._is_label(place):
                    (enclosed if place > outside else found).append((place, gap))
                gap += place < outside
            elif token.word == ")":
                gap += _BRACKET if place < outside else 0
            elif token.word not in _LINKS or token.word == "and":
                gap += place < outside
            place -= 1
        return [*found, *enclosed]

    @cached_property
    def _before_brackets(self) -> int:
        """Where the brackets open that end right before the amount; its own place without."""
        tokens, place = self.view.tokens, self.at - 1
        while place > 0 and tokens[place].word in _LINKS and tokens[place].word != "(":
            place -= 1
        if place <= 0 or tokens[place].word != ")":
            return self.at
        opens = (at for at in range(place, -1, -1) if tokens[at].word == "(")
        return next(opens, self.at)

    def _is_label(self, place: int) -> bool:
        """The term may say what the amount is; "no TP" and "once per step" do not."""
        tokens = self.view.tokens
        ahead = tokens[place - 1].word if place else ""
        if ahead in ("no", "without", "per", "/") and place < self.at - 1:
            return False
        is_head = tokens[place].term != "card" or tokens[place].word == "G"
        return not is_head or self._is_free(place)

    def _is_free(self, place: int) -> bool:
        """The head is not that of another amount, unless this one goes on from it."""
        letter = self.view.used.get(place)
        if letter is None:
            return True
        if place not in self.view.by_label:
            is_attribute = letter != self.token.word and not self.view.tokens[place].is_plural
            return is_attribute and place == self._noun_ahead
        between = self.view.tokens[place + 1 : self.at]
        same = [t for t in between if t.word == self.token.word]
        return (
            letter == self.token.word
            and len(between) < 8
            and bool(same)
            and any(t.word in _AGAIN for t in between)
        )

    @cached_property
    def _noun_ahead(self) -> int:
        """The noun that the amount is said of: "the 7B gradient is 14 GB"."""
        place = self.at - 1
        while place > 0 and self.view.tokens[place].word in _COPULAS:
            place -= 1
        return place if place < self.at - 1 else -1

    @cached_property
    def named_after(self) -> list[int]:
        """The noun of "512 is the batch size", "4,096 for the context"."""
        tokens, place = self.view.tokens, self.at + 1
        if place >= len(tokens) or tokens[place].word not in _NAMING:
            return []
        place += 1
        while place < len(tokens) and tokens[place].word in _BEFORE_NAME:
            place += 1
        is_noun = place < len(tokens) and tokens[place].term and not tokens[place].amount
        following = [t for t in tokens[place + 1 : place + 3] if t.word not in ("=", ":")]
        if following and following[0].is_number:  # it has its own
            return []
        return [place] if is_noun and not tokens[place].is_plural else []

    def measured(self) -> Measured | None:
        """What the amount measures: the first row that fits, heads nearest first."""
        if self._is_factor_in_bytes():
            return None
        if self._is_every():
            is_saved = self.token.word == "T" and not {"checkpoint", "saving"}.isdisjoint(self.near)
            if not is_saved:
                return None
            return self._made(Measure.CHECKPOINT_INTERVAL, self.amount, self.at + 1)
        if self.token.term and (row := self._row(self.token.term, "", 0)) is not None:
            return self._as(row, self.at + 1)
        if (peak := self._of_peak()) is not None:
            return peak
        of_them = self._of_them()
        heads = self.behind[:1] if len(self.behind) > 1 and self._is_node_size() else self.behind
        for place in reversed(heads):
            if (row := self._row(self.view.tokens[place].term, ">", 0)) is not None:
                if self.token.word != "Q" and not self.view.is_one(self.at):
                    self.view.used.update(dict.fromkeys(self.behind, self.token.word))
                return self._as(row, self.behind[-1] + 1)
        if of_them and (row := self._row(of_them, ">", 0)) is not None:
            return self._as(row, self.at + 1)
        if (
            (self.per_behind or (self.per_ahead and (self.linked or self._is_had_by_each())))
            and (row := self._row("", "", 0)) is not None
            and row.per
        ):
            return self._as(row, self.at + 1)
        labels = [*self.labels, *((place, 2) for place in self.named_after)]
        if self.behind and self.view.tokens[self.behind[-1]].is_plural:  # it counts these
            labels = [each for each in labels if each[1] <= _NEXT]
        if self.amount.value == 1 and self.token.word == "N" and not self.amount.unit:
            labels = [each for each in labels if each[1] == 0]
        for place, gap in labels:
            term = self.view.tokens[place].term
            if (row := self._row(term, "<", gap, place)) is not None:
                self.view.used[place] = self.token.word
                self.view.by_label.add(place)
                return self._as(row, self.at + 1)
        for term in self._topics():
            if (row := self._row(term, "<", 0)) is not None:
                return self._as(row, self.at + 1)
        if (row := self._row("", "", 0)) is not None:
            return self._as(row, self.at + 1)
        measure = self._factor_of_batch() or self._bare()
        if measure is not None:
            return self._made(measure, self.amount, self.at + 1)
        return self._elliptic()

    def _of_peak(self) -> Measured | None:
        """ "28 percent of 125 teraflops": both the utilisation and the peak."""
        if self.token.word not in "PF":
            return None
        letters = "".join(t.word for t in self.view.tokens[self.at : self.at + 4] if t.is_number)
        said = [t.word for t in self.view.tokens[max(0, self.at - 3) : self.at]]
        following = [t.word for t in self.view.tokens[self.at + 1 : self.at + 4]]
        if self.token.word == "P" and letters == "PF" and following[:1] == ["of"]:
            return self._made(Measure.MFU, self.amount, self.at + 1)
        is_whole = said[-2:] == ["P", "of"] or (said[:2] == ["P", "of"] and said[2:] == ["the"])
        if self.token.word == "F" and is_whole and 5e13 <= self.amount.value <= 5e15:
            return self._made(Measure.PEAK, self.amount, self.at + 1)
        return None

    def _is_factor_in_bytes(self) -> bool:
        """ "16,384 x 4,096 x 2 B": no two billion."""
        if self.token.word != "B" or not self.at:
            return False
        begins = self.view.sentence.begins
        said = self.view.sentence.plain[self.token.start - begins : self.token.end - begins]
        return said.endswith(" b") and self.view.tokens[self.at - 1].word in _TIMES

    def _topics(self) -> Sequence[str]:
        """What "they were 140 GB each" is said of: the terms of the sentence before."""
        opens = self.view.tokens[0].word in _PRONOUNS and self.at < _OPENING
        topics = self.view.past.topics if opens and self.token.word == "M" else ()
        return [topic for topic in topics if topic != "card" or self.near & _HAVING]

    def _elliptic(self) -> Measured | None:
        """ "26 GB of weights plus 26 for gradients", "on 8 cards 16 seconds, on 64 it was 2.2"."""
        tokens = self.view.tokens
        if self.token.word != "N" or self.behind:
            return None
        others = [t for t in tokens[: self.at] if t.is_number and t.word in "MTP"]
        others = others or [t for t in tokens[self.at :] if t.word == "M"]
        if not others or others[-1].amount is None or self.amount.value < 10:
            return None
        if tokens[self.at - 1].word in ("to", "into", "by") and others[-1].word == "M":
            return None
        like = others[-1]
        amount = self.amount.times(like.amount.factor, like.amount.unit) if like.amount else None
        candidates = [("", -1, 0), *((tokens[p].term, p, gap) for p, gap in self.labels)]
        after = [t for t in tokens[self.at + 1 : self.at + 5] if t.term][:1]
        is_for = self.at + 1 < len(tokens) and tokens[self.at + 1].word in ("for", "of")
        if is_for and after:
            candidates.insert(0, (after[0].term, -1, 0))
        for term, place, gap in candidates:
            side = ">" if place < 0 else "<"
            row = self._row(term, side, gap, place, like.word, amount) if gap <= 2 else None
            if row is not None and amount is not None and (term or row.per):
                return self._as(row, self.at + 1, amount)
        return None

    def _is_had_by_each(self) -> bool:
        """ "Each stage owns 12 of them"."""
        ahead = [token.word for token in self.view.tokens[max(0, self.at - 4) : self.at]]
        return bool(ahead) and ahead[-1] in _OWNING and bool({"each", "every"} & set(ahead))

    def _of_them(self) -> str:
        """What "of them" counts."""
        tokens = self.view.tokens[self.at + 1 : self.at + 3]
        words = [token.word for token in tokens]
        if self.at and self.view.tokens[self.at - 1].word == "same":
            counted = (*self.view.past.counted, self.view.last_counted(self.at))
            return "card" if "card" in counted else ""
        is_more = words[:1] == ["more"] and (len(words) < 2 or words[1] in STOPS)
        if is_more and self.token.word == "N":
            return "step" if "step" in self.view.around else ""
        if len(words) == 2 and words[0] == "of" and words[1] in ("them", "those", "these", "which"):
            named = self.view.tokens[self.at + 3 : self.at + 5]
            if len(named) == 2 and named[0].word == "," and named[1].term in SCOPES:
                return named[1].term
            term = self.view.last_counted(self.at)
            if term == "token" and self.amount.value < 1e6:
                term = "step" if "step" in self.view.around else None
            if self.view.last_counted(self.at) is None:
                likely = ("microbatch", "step")
                term = next((each for each in likely if each in self.view.around), None)
            if term in ("pp", "stage") and self.per & {"pp", "stage"}:
                return ""
            return "" if term is None or term in self.per else term
        return ""

    def _row(
        self,
        head: str,
        side: str,
        gap: int,
        label: int = -1,
        letter: str = "",
        amount: Amount | None = None,
    ) -> Row | None:
        """The first row for this head that fits; one without a measure ends the search."""
        value = (amount or self.amount).value
        avoided = self.near
        if label >= 0:
            inside = self.view.tokens[min(label, self.at) : self.at]
            avoided = frozenset(t.word for t in inside) | frozenset(t.term for t in inside[1:])
        for row in _ROWS.get((letter or self.token.word, head), ()):
            if (
                row.low <= value <= row.high
                and gap <= row.reach
                and (not row.side or not side or row.side == side)
                and (row.per is None or (row.per <= self.per if row.per else not self.per))
                and (not row.near or not row.near.isdisjoint(self.near))
                and row.never.isdisjoint(avoided)
                and (not row.led or not row.led.isdisjoint(self.leading))
                and (not row.about or not row.about.isdisjoint(self.view.around))
                and row.off.isdisjoint(self.view.around)
            ):
                return row
        return None

    def _as(self, row: Row, end: int, amount: Amount | None = None) -> Measured | None:
        if row.measure is None:
            return None
        amount = amount or self.amount
        if row.factor < 0:
            if amount.low <= 0 or amount.value <= 0:
                return None
            low, high = -row.factor / amount.high, -row.factor / amount.low
            value = -row.factor / amount.value
            amount = replace(amount, value=value, low=low, high=high, unit="second")
        elif row.factor != 1.0:
            amount = amount.times(row.factor, amount.unit)
        return self._made(row.measure, amount, end)

    def _made(self, measure: Measure, amount: Amount, end: int) -> Measured:
        device = next(
            (
                t.amount.device
                for t in self.view.tokens[self.at : end]
                if t.word == "G" and t.amount
            ),
            None,
        )
        unit = unit_of(measure, amount, device)
        if measure in _RATES:
            long = next((w for w in ("minute", "hour", "day", "week") if w in self.per), "s")
            unit = f"tokens/{long}"
        place = self.view.sentence.places[self.at]
        return Measured(measure, amount, place, (self.at, end), unit, device)

    def _factor_of_batch(self) -> Measure | None:
        """ "1,024 x 4,096 per step": sequences and their length."""
        tokens = self.view.tokens
        about = {"batch", "step", "seq", "token", "microbatch"} & self.view.around
        if self.token.word != "N" or not about:
            return None
        for sign, other, measure in (
            (self.at + 1, self.at + 2, Measure.BATCH_SEQUENCES),
            (self.at - 1, self.at - 2, Measure.SEQUENCE_LENGTH),
        ):
            if (
                0 <= other < len(tokens)
                and tokens[sign].word in _TIMES
                and tokens[other].word == "N"
            ):
                length = self.amount if measure is Measure.SEQUENCE_LENGTH else tokens[other].amount
                if length and length.value >= 128 and self.amount.value < 2e6:
                    if measure is Measure.BATCH_SEQUENCES and "microbatch" in self.near:
                        return Measure.MICRO_BATCH
                    return measure
        return None

    def _bare(self) -> Measure | None:
        if self.token.word == "T":
            return bare_time(self.view.sentence, self.view.sentence.places[self.at], self.amount)
        if self.token.word == "B":
            return self._bare_size()
        return None

    def _bare_size(self) -> Measure | None:
        named = [token.model.parameters for token in self.view.tokens if token.model]
        if any(abs(self.amount.value - size) < _ROUNDED * size for size in named):
            return Measure.PARAMETERS
        knows_size = self.view.past.knows_size or self.view.knows_size
        place = self.view.sentence.places[self.at]
        return bare_size(self.view.sentence, place, self.amount, self.view.past.text, knows_size)
