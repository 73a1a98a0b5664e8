"""Parses a text's claims, grouped by the runs they are about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from interviewer.grading.claims.account import Account, Named
from interviewer.grading.claims.circumstances import (
    BINDING,
    Circumstance,
    Stage,
    circumstances,
    is_negated,
    real_stretches,
    stages,
)
from interviewer.grading.claims.claim import Claim, Measure, Passage, Statement
from interviewer.grading.claims.hardware import Device
from interviewer.grading.claims.rules.amounts import Amount
from interviewer.grading.claims.rules.bare import is_of_a_part
from interviewer.grading.claims.rules.groups import Groups
from interviewer.grading.claims.rules.implied import implied
from interviewer.grading.claims.rules.measuring import Measured, Reader, unit_of
from interviewer.grading.claims.rules.outside import is_outside
from interviewer.grading.claims.rules.reference import compared
from interviewer.grading.claims.rules.sentence import Sentence, shorthand
from interviewer.grading.claims.run import SAME
from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.grading.units import SCALES
from interviewer.rubric.text import Span

_CUE = (
    r"(?:no(?! (?:more|less))|sorry|wait|i mean|i meant|i misspoke|make that|scratch that"
    r"|correction|or rather|strike that|excuse me|pardon|my mistake|hang on|let me correct)"
)
_OPENING = re.compile(rf"^(?:{_CUE}|actually|oh|hm+|ah)\b")
_ANYWHERE = re.compile(
    r"\b(?:sorry|i meant|i misspoke|make that|scratch that|correction|strike that|my mistake"
    r"|misremembered|i was wrong|that was wrong|actually)\b"
)
_SLIP = re.compile(
    rf"(?P<old>[NBTMPDWFH])(?: (?!and\b)[a-zG]+){{0,3}} ?(?:,|-|\.\.\.|…)? ?{_CUE}\b"
    r"(?:,? (?!and\b)[a-z']+){0,9}?,? (?P<new>[NBTMPDWFH])"
)
_WRONG = re.compile(
    r"\b(?:wrong|mistaken|off)\b[^NBTMPDWFH;:!?]*(?P<old>[NBTMPDWFH])[^NBTMPDWFH;:!?]{0,30}, "
    r"(?:it|that)(?:'s"
    r"| was| is| should (?:be|have been)) (?:actually |really )?(?P<new>[NBTMPDWFH])"
)
_SLIP_WORDS = (
    *("no", "sorry", "wait", "mean", "misspoke", "make that", "scratch", "correction", "rather"),
    *("strike", "excuse", "pardon", "mistake", "hang on", "let me", "wrong", "off"),
)
"""What the patterns of slips need; looked for first since it costs less."""
_SHORT = 40
"""In a sentence of up to this many characters a bare number can only be a correction."""
_IN_OTHER_UNITS = (Measure.DURATION, Measure.STEP_TIME, Measure.GPU_MEMORY)
_WITHOUT_SCALE = 1000


def is_correcting(text: str) -> bool:
    """The sentence in shorthand contains words of correction."""
    return bool(_OPENING.search(text) or _ANYWHERE.search(text))


def without_slips(
    sentence: Sentence, found: Sequence[Measured]
) -> tuple[list[Measured], list[Measured]]:
    """The amounts that stand, and those that the same sentence takes back.

    The old and new number fill in each other's missing measure or scale.
    """
    if not any(cue in sentence.text for cue in _SLIP_WORDS):
        return list(found), []
    by_place = {m.place: m for m in reversed(found)}
    renewed: dict[int, Measured | None] = {}
    slips: list[Measured] = []
    for match in (*_SLIP.finditer(sentence.text), *_WRONG.finditer(sentence.text)):
        old, new = match.start("old"), match.start("new")
        first, second = by_place.get(old), by_place.get(new)
        model = first or second
        if model is None or (first and second and not _are_akin(first, second)):
            continue
        slips.append(first or _at(sentence, old, model))
        renewed[old] = None
        if second is None:
            found_new = _at(sentence, new, model)
            amount = _in_scale_of(model.amount, found_new.amount)
            renewed[new] = by_place[new] = replace(found_new, amount=amount)
        elif first and second.measure is Measure.TOKENS:
            renewed[new] = replace(second, measure=first.measure, unit=first.unit)
    kept = [m for m in found if m.place not in renewed] + [m for m in renewed.values() if m]
    return sorted(kept, key=lambda m: m.place), slips


def put_right(sentence: Sentence, last: Claim) -> list[Measured]:
    """The bare number of a short correction, as a new value for the last claim."""
    match = re.search("[NB]", sentence.text)
    is_about_it = _OPENING.search(sentence.text) and len(sentence.text) <= _SHORT
    if not match or not is_about_it or last.measure in _IN_OTHER_UNITS:
        return []
    at = sentence.index_at(match.start())
    amount = sentence.tokens[at].amount
    if amount is None:
        return []
    return [Measured(last.measure, amount, match.start(), (at, at + 1), last.unit)]


def _at(sentence: Sentence, place: int, model: Measured) -> Measured:
    """The amount at a place, measured like another."""
    at = sentence.index_at(place)
    amount = sentence.tokens[at].amount or model.amount
    return replace(model, amount=amount, place=place, tokens=(at, at + 1))


def replaced_by(
    sentence: Sentence, found: Sequence[Measured], claims: Sequence[Claim]
) -> list[Claim]:
    """The earlier claims that the correcting sentence's amounts replace."""
    if not claims or not _OPENING.search(sentence.text):
        return []
    renewed = {m.measure for m in found}
    if claims[-1].unit == "tokens" and any(m.unit.startswith("tokens") for m in found):
        renewed.add(claims[-1].measure)
    return [claim for claim in claims if claim.measure in renewed]


def _are_akin(first: Measured, second: Measured) -> bool:
    """One may correct the other: the same measure, or both count tokens."""
    if first.measure is second.measure:
        return True
    return first.unit.startswith("tokens") and second.unit.startswith("tokens")


def _in_scale_of(model: Amount, amount: Amount) -> Amount:
    """ "7 billion, no, 13": the new number in the old one's scale."""
    if not model.scale or amount.scale or amount.value >= _WITHOUT_SCALE:
        return amount
    return amount.times(SCALES[model.scale], amount.unit)


_TRAINED = re.compile(
    r"\b(?:(?:pre ?)?train(?:ed|ing)?|steps?|epochs?|batch(?: size)?|fine ?tun\w+|sft"
    r"|optimi[sz]er|loss"
    r"|corpus|micro ?batch\w*|gradients?|mfu)\b"
)
_GENERATED = re.compile(r"\b(?:rollouts?|grpo|ppo|rlhf|rl|group|reward|critic)\b")
"""Generating is a part of such training."""
_GENERATING = frozenset(
    (
        *(Measure.ROLLOUTS, Measure.PROMPTS, Measure.GROUP_SIZE, Measure.ROLLOUT_TOKENS),
        *(Measure.GENERATION_RATE, Measure.GENERATION_TIME),
    )
)
SHAPE = frozenset(
    (
        *(Measure.PARAMETERS, Measure.ACTIVE_PARAMETERS, Measure.LAYERS, Measure.WIDTH),
        *(Measure.FFN_WIDTH, Measure.HEADS, Measure.KV_HEADS, Measure.HEAD_WIDTH),
        *(Measure.VOCABULARY, Measure.EXPERTS, Measure.ACTIVE_EXPERTS, Measure.LATENT_WIDTH),
        *(Measure.GPUS, Measure.GPU_MEMORY, Measure.WEIGHT_BYTES),
    )
)
"""What a model that is trained and then served keeps."""
SERVED = SHAPE | {
    *(Measure.CACHE_BYTES, Measure.CACHE_MEMORY, Measure.TOKEN_CACHE, Measure.CACHED_SEQUENCES),
    *(Measure.CACHED_TOKENS, Measure.SEQUENCE_LENGTH, Measure.TENSOR_PARALLEL),
}
"""What serving alone is told with."""
_BREAK = re.compile(r"[,;:] | (?:and then|while|whereas|but|and the) ")
_ANOTHER_RUN = re.compile(
    r"(?<!\bfrom )(?<!\bthan )\b(?:first|second|third|fourth|other|another|next|previous|earlier"
    r"|later|different|separate|smaller|larger|bigger|old|new|original) (?:training |big |small )?"
    r"(?:runs?|attempt|try|experiment|project|job|model|set-?up|config\w*|version|recipe|cluster"
    r"|layout)\b"
    r"|\bthe (?:old|new|second|third|other|small|smaller|big|bigger|large|larger|next) one (?:is"
    r"|was|has|had|ran|took|takes|got|used|uses|needed)\b"
    r"|^(?:(?:the )?(?:old|new|first|second|third|fourth|last|final|other|small|big|large) (?:one)?"
    r"|before|after|afterwards|now|then|old|new|first|second|third|pilot|plan|today|baseline):"
    r"|\b(?:then|later|afterwards|now|after that)\b.*\b(?:went|dropped|fell|rose|jumped|came|got"
    r"|shrank|grew) (?:down |up |back )?to\b|\b(?:we|i) (?:then |later |finally |eventually )?"
    r"(?:switched|moved|migrated|upgraded|changed) (?:\w+ )?(?:over )?to\b"
)
_OF_A_MODEL = re.compile(
    r"B(?:-| )?(?:[a-z']+ ){0,2}(?:models?|param\w*|weights|base|version|variant|teacher|student"
    r"|policy|dense|moe|net\w*|transformer|checkpoint|llms?|one)\b"
)
_ARTICLE = re.compile(
    r"\b(?:an?|the|our|my|this|that|each|every|on|another|size|sized|model) (?:= )?$"
)
_IN_ALL = re.compile(
    r"\b(?:in total|in all|altogether|together|overall|all in all|in sum)(?: about)? $"
)
_COUNTED = re.compile(r" (?:extra |more |added )?(?:param|weights)")
_ADAPTERS_ARE = re.compile(
    r"\b(?:q?lora|dora|adapters?)\b[^.;]*\b(?:is|are|has|have|makes?|gives?|adds?|comes? to|came to"
    r"|was|were)(?: about| roughly| only| just| some)? $"
)
_SAME_RUN = re.compile(r"\b(?:that|this|the same|said) (?:run|training|model|job|project)\b")
_OWN_PAST = re.compile(
    r"\b(?:we|i|our|my|us)\b.*\b(?:was|were|had|did|took|ran|used|got|saw|went|spent|gave|made|kept"
    r"|held|set|chose|came|\w\w+ed)\b"
)


@dataclass(frozen=True)
class ParsedClaims:
    """All that a text states. ``withdrawn`` are numbers that it corrects itself."""

    passages: tuple[Passage, ...]
    withdrawn: tuple[Claim, ...]
    corrects: bool
    """It opens by correcting something said before."""
    account: Account = field(default_factory=Account)


@dataclass
class _Stretch:
    """A passage in the making."""

    statements: list[Statement] = field(default_factory=list)
    circumstances: set[Circumstance] = field(default_factory=set)
    stage: Stage | None = None
    is_another: bool = False
    refers_back: bool = False
    is_own: bool = False

    @property
    def is_served(self) -> bool:
        """It is about serving or evaluating a model."""
        return Circumstance.FORWARD_ONLY in self.circumstances

    sizes: list[float] = field(default_factory=list)
    """The distinct model sizes mentioned."""

    def add(self, statement: Statement) -> None:
        """Add what was stated."""
        self.statements.append(statement)
        claim = statement.claim
        if claim.measure is Measure.PARAMETERS and not _is_close(claim.value, self.sizes):
            self.sizes.append(claim.value)

    def drop(self, claim: Claim) -> None:
        """Remove what was taken back."""
        self.statements = [s for s in self.statements if s.claim != claim]


@lru_cache(maxsize=256)
def parse_claims(answer: ParsedAnswer, turn: int) -> ParsedClaims:
    """The claims of one turn; spans index the text as typed.

    Cached because every new answer has the ledger go through all turns again.
    """
    return _ClaimParser(answer, turn).parse()


class _ClaimParser:
    """Goes through the sentences once, tracking which run they are about."""

    def __init__(self, answer: ParsedAnswer, turn: int) -> None:
        self.text, self.turn = answer.text, turn
        self.plain = answer.plain
        self.sentences = list(shorthand(answer))
        self.stretches = [_Stretch()]
        self.current = self.stretches[0]
        self.trained = False
        """Training was spoken of."""
        self.by_name: set[Claim] = set()
        """What follows from the name of a published model; what is said goes before it."""
        self.groups: list[tuple[Statement, ...]] = []
        self.withdrawn: list[Claim] = []
        self.devices: list[Device] = []
        self.counts_tokens = self.knows_size = False
        """The last large number was of tokens; a model size was said."""
        self.corrects = False

    def parse(self) -> ParsedClaims:
        reader, groups = Reader(), Groups()
        real_in: dict[int, list[Span]] = {}
        worded = [s for s in self.sentences if any(char.isalnum() for char in s.text)]
        reals = real_stretches(sentence.text for sentence in worded)
        before = ""
        for sentence, real in zip(worded, reals, strict=True):
            found = [
                m
                for m in _with_totals(sentence, _read(reader, sentence))
                if _is_in(m.place, real)
                and not is_negated(sentence.text, m.place)
                and not is_of_a_part(sentence.text, m.measure, m.place)
                and not is_outside(sentence.text, m.measure, m.place, before)
            ]
            self._devices_of(sentence)
            real_in[sentence.begins] = real
            for group in groups.of(sentence):
                if all(
                    _is_in(m.place, real_in[said.begins]) and not is_negated(said.text, m.place)
                    for said, m in group
                ):
                    self.groups.append(tuple(self._statement(said, m) for said, m in group))
            found = [
                _of_adapters(sentence.text, m)
                for m in found
                if not self._is_of_the_text(sentence.text, m)
            ]
            self._sentence(sentence, self._corrected(sentence, found), real)
            before = sentence.text
        return ParsedClaims(
            tuple(self._passages()), tuple(self.withdrawn), self.corrects, self._account()
        )

    def _is_of_the_text(self, text: str, found: Measured) -> bool:
        """ "40B tokens left, two epochs of it, 80B": no other model size, where one is known."""
        if text[found.place] != "B":
            return False
        if found.measure is not Measure.PARAMETERS:
            self.counts_tokens = found.unit.startswith("tokens")
            return False
        if _OF_A_MODEL.match(text, found.place) or _ARTICLE.search(text[: found.place]):
            self.counts_tokens = False
            self.knows_size = True
            return False
        is_sum = self.counts_tokens and _IN_ALL.search(text[: found.place])
        if is_sum or (self.counts_tokens and self.knows_size):
            return True
        self.knows_size = True
        return False

    def _account(self) -> Account:
        original = self.plain.original_span
        return Account(
            tuple(self.plain.starts[each.begins] for each in self.sentences),
            tuple(
                Named(token.word, token.amount.value, original(token.start, token.end))
                for sentence in self.sentences
                for token in sentence.tokens
                if token.amount is not None and token.is_number
            ),
        )

    def _devices_of(self, sentence: Sentence) -> None:
        for token in sentence.tokens:
            device = token.amount.device if token.amount else None
            if device and device not in self.devices:
                self.devices.append(device)

    def _corrected(self, sentence: Sentence, found: list[Measured]) -> list[Measured]:
        """The sentence's amounts, applying its corrections to them and to earlier claims."""
        earlier = [s.claim for s in self.current.statements]
        kept, slips = without_slips(sentence, found)
        self.withdrawn += [self._statement(sentence, slip).claim for slip in slips]
        if not is_correcting(sentence.text):
            return kept
        is_first = not any(stretch.statements for stretch in self.stretches)
        self.corrects |= is_first and not slips
        if earlier:
            kept = kept or put_right(sentence, earlier[-1])
        for claim in replaced_by(sentence, kept, earlier):
            self.current.drop(claim)
            self.withdrawn.append(claim)
        return kept

    def _sentence(self, sentence: Sentence, found: list[Measured], real: list[Span]) -> None:
        is_training = _TRAINED.search(sentence.plain) and not _GENERATED.search(sentence.plain)
        if self.current.is_served and is_training:
            self._turn_to_training()
        self.trained |= bool(is_training)
        is_own = bool(_OWN_PAST.search(sentence.text))
        for event in _events(sentence, found, real):
            self.current.is_own |= is_own
            if isinstance(event, Measured):
                if event.measure in (Measure.EXPERTS, Measure.ACTIVE_PARAMETERS):
                    self.current.circumstances.add(Circumstance.EXPERTS)
                elif event.measure is Measure.LATENT_WIDTH:
                    self.current.circumstances.add(Circumstance.LATENT)
                self.current.add(self._statement(sentence, event))
            elif event is Circumstance.FORWARD_ONLY:
                self._turn_to_serving(sentence, {m.measure for m in found})
            elif isinstance(event, Circumstance):
                self.current.circumstances.add(event)
            elif isinstance(event, Stage):
                self._turn_to_stage(event)
            elif isinstance(event, float):
                self._turn_to_size(event)
            elif event == "another":
                self._begin(_Stretch(is_another=True))
            else:
                self.current.refers_back = True

    def _turn_to_serving(self, sentence: Sentence, said: set[Measure]) -> None:
        """Serving and evaluating share the model with a training run, and nothing else."""
        if self.current.is_served or self.current.stage is Stage.PREFERENCE:
            return
        is_training = any(s.claim.measure in _GENERATING for s in self.current.statements)
        if is_training or _GENERATED.search(sentence.plain):
            return
        stretch = _Stretch(is_another=True)
        for statement in self.current.statements:
            if statement.claim.measure in SHAPE - said:
                stretch.add(statement)
        is_first = not self.trained and all(
            not s.statements for s in self.stretches if s is not self.current
        )
        if is_first and all(s.claim.measure in SERVED for s in self.current.statements):
            self.current.circumstances.add(Circumstance.FORWARD_ONLY)
            return
        stretch.circumstances.add(Circumstance.FORWARD_ONLY)
        self._begin(stretch)

    def _turn_to_training(self) -> None:
        trained = [s for s in self.stretches if not s.is_served]
        if trained:
            self.current = trained[-1]
        else:
            self._begin(_Stretch(is_another=True))

    def _turn_to_size(self, size: float) -> None:
        """A different model size means a different run."""
        if not self.current.sizes or _is_close(size, self.current.sizes):
            return
        known = [s for s in self.stretches if _is_close(size, s.sizes)]
        if known:
            self.current = known[-1]
        else:
            self._begin(_Stretch(is_another=True))

    def _turn_to_stage(self, stage: Stage) -> None:
        if self.current.stage in (None, stage):
            self.current.stage = stage
            return
        stretch = _Stretch(stage=stage, is_another=True)
        for statement in self.current.statements:
            if statement.claim.measure is Measure.PARAMETERS:
                stretch.add(statement)
        self._begin(stretch)

    def _begin(self, stretch: _Stretch) -> None:
        if not (self.current.statements or self.current.circumstances or self.current.stage):
            self.stretches.remove(self.current)
            stretch.is_another |= self.current.is_another
        self.stretches.append(stretch)
        self.current = stretch

    def _statement(self, sentence: Sentence, found: Measured) -> Statement:
        first, last = (sentence.tokens[at] for at in (found.tokens[0], found.tokens[1] - 1))
        start, end = self.plain.original_span(first.start, last.end)
        amount = found.amount
        device = found.device or (self.devices[-1] if self.devices else None)
        unit = found.unit
        if found.measure is Measure.GPUS and unit == "GPUs" and device:
            unit = device.name
        claim = Claim(
            self.text[start:end], found.measure, amount.value, unit, self.turn, (start, end)
        )
        if first.model is not None:
            self.by_name.add(claim)
        return Statement(claim, amount.low, amount.high, device)

    def _passages(self) -> Iterator[Passage]:
        device = self.devices[0] if len(self.devices) == 1 else None
        for stretch in self.stretches:
            stated = {s.claim.measure for s in stretch.statements if s.claim not in self.by_name}
            yield Passage(
                tuple(
                    _with_device(s, device)
                    for s in stretch.statements
                    if s.claim not in self.by_name or s.claim.measure not in stated
                ),
                frozenset(stretch.circumstances),
                stretch.stage,
                stretch.is_another,
                stretch.refers_back,
                stretch.is_own,
            )
        for group in self.groups:
            yield Passage(group, is_another=True)


def _read(reader: Reader, sentence: Sentence) -> list[Measured]:
    """What the amounts of a sentence measure, and what it states without or beside them."""
    pair = list(compared(sentence))
    places = {each.place for each in pair}
    measured = (each for each in reader.measured(sentence) if each.place not in places)
    return [*measured, *pair, *implied(sentence)]


def _with_device(statement: Statement, device: Device | None) -> Statement:
    return statement if statement.device or not device else replace(statement, device=device)


def _is_close(value: float, others: Sequence[float]) -> bool:
    return any(abs(value - other) <= SAME * max(value, other) for other in others)


def _of_adapters(text: str, found: Measured) -> Measured:
    """ "LoRA on all layers is 70 million parameters": those trained, not the model's."""
    if found.measure is not Measure.PARAMETERS or not _COUNTED.match(text, found.place + 1):
        return found
    is_theirs = _ADAPTERS_ARE.search(text[: found.place])
    return replace(found, measure=Measure.TRAINABLE_PARAMETERS) if is_theirs else found


def _with_totals(sentence: Sentence, found: Sequence[Measured]) -> Iterator[Measured]:
    """ "Eight nodes of eight H100s" are sixty-four of them, unless a total is given."""
    yield from found
    by_measure = {m.measure: m for m in found}
    nodes, size = by_measure.get(Measure.NODES), by_measure.get(Measure.NODE_GPUS)
    last = sentence.tokens[size.tokens[1] - 1] if size else None
    if size and last and last.term == "node" and not nodes and not last.is_plural:
        nodes = replace(size, amount=Amount.of(1.0))
    if nodes and size and Measure.GPUS not in by_measure:
        low, high = nodes.amount.low * size.amount.low, nodes.amount.high * size.amount.high
        amount = Amount(nodes.amount.value * size.amount.value, low, high)
        edges = (*nodes.tokens, *size.tokens)
        unit = unit_of(Measure.GPUS, amount, size.device)
        place = max(nodes.place, size.place)
        yield Measured(Measure.GPUS, amount, place, (min(edges), max(edges)), unit, size.device)


_Event = Measured | Circumstance | Stage | float | Literal["another", "back"]


def _events(sentence: Sentence, found: list[Measured], real: list[Span]) -> list[_Event]:
    """All that a sentence states, in order; what opens a run comes first in its clause.

    A float is a model size. Two sizes in one clause, say a teacher and its student, do not open
    two runs.
    """
    text = sentence.text
    sizes = {
        _clause_start(text, m.place): m.amount.value
        for m in reversed(found)
        if m.measure is Measure.PARAMETERS
    }
    events: list[tuple[int, int, _Event]] = [(m.place, 3, m) for m in found]
    for at, circumstance in circumstances(sentence.plain):
        if circumstance not in BINDING or _is_in(sentence.place_of(at), real):
            events.append((sentence.place_of(at), 3, circumstance))
    for at, stage in stages(sentence.plain):
        if _is_in(sentence.place_of(at), real):
            events.append((_clause_start(text, sentence.place_of(at)), 2, stage))
    events += [(start, 1, size) for start, size in sizes.items()]
    events += [
        (_clause_start(text, match.start()), 0, "another") for match in _ANOTHER_RUN.finditer(text)
    ]
    events += [(match.start(), 0, "back") for match in _SAME_RUN.finditer(text)]
    return [event for _, _, event in sorted(events, key=lambda e: e[:2])]


def _is_in(place: int, stretches: Sequence[Span]) -> bool:
    return any(start <= place < end for start, end in stretches)


def _clause_start(text: str, place: int) -> int:
    return max((b.end() for b in _BREAK.finditer(text, 0, place)), default=0)


def extract(text: str, turn: int = 0) -> tuple[Claim, ...]:
    """The numbers that a text states about real training runs, in order. Never raises.

    Hypotheses, plans, questions, other people's models and numbers that the text itself takes back
    are not claims. A claim's ``span`` indexes ``text`` as given.
    """
    stated = [
        statement.claim
        for passage in parse_claims(ParsedAnswer(text), turn).passages
        for statement in passage.statements
    ]
    return tuple(dict.fromkeys(sorted(stated, key=lambda claim: claim.span)))
