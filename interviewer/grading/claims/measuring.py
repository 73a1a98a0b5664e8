"""What an amount in a sentence measures, by a grammar rule or by its unit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from interviewer.grading.claims.claim import Measure
from interviewer.grading.claims.grammar import RULES, Rule, is_possible
from interviewer.grading.claims.hardware import Device
from interviewer.grading.claims.sentence import LETTERS, SECONDS, Amount, Sentence

_MEMORY = (Measure.GPU_MEMORY, Measure.STATE_MEMORY)
_UNITS = {
    Measure.PARAMETERS: "parameters",
    Measure.ACTIVE_PARAMETERS: "parameters",
    Measure.TOKENS: "tokens",
    Measure.DATASET_TOKENS: "tokens",
    Measure.EXAMPLES: "examples",
    Measure.EPOCHS: "epochs",
    Measure.BATCH_SEQUENCES: "sequences",
    Measure.BATCH_TOKENS: "tokens",
    Measure.MICRO_BATCH: "sequences",
    Measure.ACCUMULATION: "micro-batches",
    Measure.DATA_PARALLEL: "ranks",
    Measure.SEQUENCE_LENGTH: "tokens",
    Measure.STEPS: "steps",
    Measure.GPUS: "GPUs",
    Measure.MFU: "%",
    Measure.THROUGHPUT: "tokens/s",
    Measure.DEVICE_THROUGHPUT: "tokens/s",
    Measure.DEVICE_TIME: "GPU hours",
}


@dataclass(frozen=True)
class Measured:
    """An amount and its measure, at its place in a sentence in shorthand."""

    measure: Measure
    amount: Amount
    place: int
    start: int
    end: int
    unit: str
    device: Device | None = None


def unit_of(measure: Measure, amount: Amount, device: Device | None = None) -> str:
    """The unit as stated: the device's name, "days", "tokens"."""
    if device is not None and measure is Measure.GPUS:
        return device.name
    if measure in _UNITS or not amount.unit:
        return _UNITS.get(measure, "")
    return f"{amount.unit}s" if measure not in _MEMORY and amount.unit in SECONDS else amount.unit


def measured_at(sentence: Sentence, place: int, measure: Measure, unit: str = "") -> Measured:
    """The amount at ``place`` as this measure, in its own unit unless one is given."""
    amount = sentence.amount(place)
    return Measured(measure, amount, place, place, place + 1, unit or unit_of(measure, amount))


class Scope(StrEnum):
    """What an amount is per: the noun after "each" or "a"."""

    STEP = "step"
    DEVICE = "device"
    SEQUENCE = "sequence"


_NOUNS = {
    Scope.STEP: r"steps?|updates?|iterations?|iters?|its?(?=/)|batch(?! (?:size|of))",
    Scope.DEVICE: r"G|gpus?|cards?|devices?|accelerators?|chips?|boards?|ranks?|replicas?|workers?",
    Scope.SEQUENCE: r"sequences?|samples?|examples?|documents?|rows?",
}
_UNIT = "|".join(f"(?P<{scope}>{nouns})" for scope, nouns in _NOUNS.items())
_KIND = (
    r"(?:(?:optimi[sz]er|training|gradient|update|weight|parameter|global|such|data parallel|ppo"
    r"|grpo|dpo|sft|rl|train|inner|outer|pretraining|full|complete|logical|real) )*"
)
_ONE = r"(?:an?|each|every|one|N|any)(?: single| N| given| individual)?"
_ONE_UNIT = rf"(?:{_ONE} of (?:the|our|my|these|those)(?: N)? {_KIND}|{_ONE} {_KIND}(?!\w+s\b))"
_CLAUSE, _SENTENCE = r"[^NBTMPX,.;:!?]{0,45}?", r"[^NBTMPX.;:!?]{0,45}"
_AFTER = re.compile(
    rf"^(?:{_CLAUSE}|[,.!;:] (?:and )?(?:that|this|which|it)(?:'s| is| was)(?: [a-z]+){{0,3}}? )"
    rf"(?:(?:\bper |/ ?){_KIND}|\b{_ONE_UNIT})(?:{_UNIT})\b(?! (?:count|parallel|of [NB]))"
)
_BEFORE = re.compile(
    rf"(?:(?:^|[.,;:!?] (?:and |so |but )?|\band )(?:per|(?:on|in|for|at|into) {_ONE}|each|every) "
    rf"{_KIND}(?!\w+s\b)(?:{_UNIT})\b{_SENTENCE}"
    rf"|\b{_ONE_UNIT}(?:{_UNIT.replace('P<', 'P<one_')})\b(?! count)[^NBTMPX.;:!?,]{{0,45}}(?:\? "
    rf")?)$"
)
_VERB = (
    r"(?:took|takes?|taking|lasted|lasts|consumed|consumes|saw|sees|had|has|held|holds|was|is|were"
    r"|being|of|with|at|cost|costs|needed|needs|covered|covers|processed|processes|contained"
    r"|contains|carried|got|gets|came|ran|ate|worth|spans?|amounted|used|uses|did|does|contributed"
    r"|brought|adds?|added|seeing|averaged|clocked|swallowed|ingested|chewed|fed|packed|around)"
)
_EACH = re.compile(
    r"(?:\beach|\bevery(?: single)? N|\beach N|\b(?:any )?N(?= of (?:them|those|these|which)\b))"
    rf"(?: of (?:them|those|these|which))?,? (?:(?:[a-z]+ly )?{_VERB}(?: [a-z']+){{0,3}} )?$"
    r"|\b(?:in|for|of|per) (?:each|every N|N of (?:them|those|these))(?: of (?:them|those"
    r"|these))?[?:] $"
)
_EACH_AFTER = re.compile(
    r"^(?: [a-z]+){0,3},? (?:(?:in|into|for|of|to|at) (?:each|every N|any) of (?:them|those|these))"
    r"|^(?: [a-z]+)?,? (?:each|apiece|a piece|a pop|(?:in|for|of) (?:each|any|every)(?: "
    r"single)?(?: N)?(?: of (?:them|those|these))?)(?! ?(?:step|update|iteration|G\b|gpu|card"
    r"|device|node|sequence|sample|day|second|epoch|of\b|N|T))"
)
_COUNTED = re.compile(
    r"\b(?:(?P<step>steps|updates|iterations|iters|batches)|(?P<device>G|gpus|cards|devices"
    r"|accelerators|chips|ranks|replicas|workers)|(?P<sequence>sequences|samples|documents"
    r"|examples))\b"
)
_LOOK_BACK = 400


def scope_of(text: str, place: int, before: str) -> Scope | None:
    """What the amount at ``place`` of a sentence in shorthand is per; None for a total.

    ``before`` is the shorthand of the sentences before it, where "each of those" finds its noun.
    """
    ahead, after = text[:place], text[place + 1 :]
    if match := _AFTER.search(after):
        return _named(match)
    if _EACH.search(ahead[-_LOOK_BACK:]) or _EACH_AFTER.search(after):
        counted = list(_COUNTED.finditer(f"{before} {ahead}"[-_LOOK_BACK:]))
        if counted:
            return _named(counted[-1])
    match = _BEFORE.search(ahead[-_LOOK_BACK:])
    return _named(match) if match else None


def _named(match: re.Match[str]) -> Scope:
    return Scope(str(match.lastgroup).removeprefix("one_"))


_RATES = (Measure.THROUGHPUT, Measure.DEVICE_THROUGHPUT)
_RATE_WORDS = re.compile(r"tok|throughput|\btps\b")
_SEQUENCE_WORDS = re.compile(r"\b(?:seq\w*|batch\w*|context|tok\w*|lengths?|samples?|long)\b")
_BATCH_WORDS = re.compile(
    r"\b(?:batch\w*|accumulation|step|(?:each|every|per|an?|one) (?:update|iteration))\b"
)
_STATES = re.compile(r"\b(?:states?|weights?|grad\w*|optimi[sz]er) ")
_PER_DEVICE = re.compile(r"M (?:of [a-z]+ )?(?:per|an?|each|every|on each) (?:gpu|card|device|G)\b")
_LARGE_BATCH = 3e7
"""Up to this many tokens may be those of a step if the sentence mentions steps."""
_PER_DGX = 8
_SHORT_UNITS = (1.0, 60.0, 3600.0)
_LONG = {"minute": "minute", "hour": "hour", "day": "day", "week": "week"}


def by_rules(sentence: Sentence, taken: set[int]) -> Iterator[Measured]:
    """What the rules find, each amount once.

    The places of all amounts they match are added to ``taken``, even those of no interest.
    """
    letters = frozenset(sentence.text) & LETTERS
    for rule in RULES:
        if letters.isdisjoint(rule.letters):
            continue
        for match in rule.pattern.finditer(sentence.text):
            if (found := _by_rule(sentence, rule, match, taken)) is not None:
                yield found


def _by_rule(
    sentence: Sentence, rule: Rule, match: re.Match[str], taken: set[int]
) -> Measured | None:
    groups = match.groupdict()
    place = next(match.start(g) for g in groups if g[0] == "v" and groups[g])
    factor_place = match.start("w") if groups.get("w") else None
    if place in taken or factor_place in taken:
        return None
    if rule.measure is None:
        taken.add(place)
        return None
    amount = _scaled(sentence, rule, match, place)
    if amount is None or not is_possible(rule.measure, amount.value):
        return None
    if not _is_plausible(rule.measure, amount, sentence.text):
        return None
    taken |= {place} if factor_place is None else {place, factor_place}
    letter = sentence.text.find("G", *match.span())
    device = sentence.amount(letter).device if letter >= 0 else None
    unit = unit_of(rule.measure, amount, device)
    if rule.measure in _RATES:
        unit = f"tokens/{_LONG.get(amount.unit, 's')}"
    return Measured(rule.measure, amount, place, *match.span(), unit, device)


def _is_plausible(measure: Measure, amount: Amount, text: str) -> bool:
    if measure is Measure.TOKENS and amount.value < _LARGE_BATCH:
        return not _BATCH_WORDS.search(text)
    if measure is Measure.SEQUENCE_LENGTH:
        return bool(_SEQUENCE_WORDS.search(text))
    if measure is Measure.GPU_MEMORY:
        return not (_STATES.search(text) and _PER_DEVICE.search(text))
    return measure not in _RATES or bool(_RATE_WORDS.search(text))


def _scaled(sentence: Sentence, rule: Rule, match: re.Match[str], place: int) -> Amount | None:
    """The amount in the measure's base unit; None if the match makes no sense."""
    amount, groups = sentence.amount(place), match.groupdict()
    if groups.get("w") and sentence.text[match.start("w")] == "T":
        return _rate_in(sentence.amount(match.start("w")), amount, rule.measure)
    if groups.get("w"):
        return _product(amount, sentence.amount(match.start("w")))
    if groups.get("dgx") is not None:
        return amount.times(_PER_DGX, amount.unit)
    per = SECONDS.get((groups.get("unit") or "second").removesuffix("s"), 1.0)
    if rule.measure in _RATES:
        return amount.times(1 / per, groups.get("unit") or "")
    if rule.measure is Measure.DEVICE_TIME:
        return amount.times(per, amount.unit)
    if rule.measure is Measure.STEP_TIME and groups.get("unit"):
        return _inverse(amount, per)
    if rule.measure is Measure.MFU and sentence.text[place] == "N" and amount.value > 1:
        return amount.times(0.01, "%")
    return amount


def _product(first: Amount, second: Amount) -> Amount:
    value = first.value * second.value
    return replace(first, value=value, low=first.low * second.low, high=first.high * second.high)


def _rate_in(time: Amount, amount: Amount, measure: Measure | None) -> Amount | None:
    """ "in a minute we do five updates": the rate, or the time per step."""
    if time.value not in _SHORT_UNITS:
        return None
    if measure is Measure.STEP_TIME:
        return _inverse(amount, time.value)
    return amount.times(1 / time.value, time.unit)


def _inverse(amount: Amount, per: float) -> Amount | None:
    if amount.value <= 0 or amount.low <= 0:
        return None
    low, high = per / amount.high, per / amount.low
    return replace(amount, value=per / amount.value, low=low, high=high, unit="second")


_BY_UNIT_UNITS = {
    "tokens": r"tok(?:en)?s?",
    "steps": r"(?:steps|updates|iterations|iters)",
    "sequences": r"(?:sequences?|samples?|seqs?|examples?|prompts|conversations|dialogues|pairs)",
    "gpus": r"(?:G|gpus|cards|devices|accelerators|chips|boards)",
    "epochs": r"(?:epochs?|passe?s?|(?:rounds|trips|sweeps) (?:over|through))",
    "accumulation": r"(?:(?:gradient )?accumulation(?! of)|micro ?batches|micro ?steps|rounds)",
    "parameters": r"(?:parameters?|params|weights)",
}
_BY_UNIT_UNIT = "|".join(f"(?P<{name}>{words})" for name, words in _BY_UNIT_UNITS.items())
_NO_MODIFIER = (
    r"(?:per|an?|each|every|the|on|for|of|to|in|at|is|was|were|and|or|but|so|with|from|by|than"
    r"|that|which|we|i|it|our|over|across|through|after|before|then|as|times|x|its|their|tokens?"
    r"|steps?|days?|hours?)"
)
_BY_UNIT_AFTER = re.compile(
    rf"^(?: of)?(?: N(?= sequences?| samples?))?(?: (?!{_NO_MODIFIER}\b)[a-z']+){{0,3}}? "
    rf"(?:{_BY_UNIT_UNIT})\b(?! (?:per|a) (?:epoch|node))"
)
_OF_THEM = re.compile(
    r"^(?: [a-z]+)? (?:of (?:them|those|these|which)|more|further|additional)\b"
    r"|^ (?:were|are|had been) (?:through|done|in|over|finished|complete[d]?)\b"
)
_OF_THEM_NAMED = re.compile(rf"^ of (?:them|those|these),? (?:all )?(?:{_BY_UNIT_UNIT})\b")
_THERE_ARE = re.compile(r"\bthere (?:are|were) $")
_ALL = re.compile(r"\bhow many(?: of (?:them|those|these))?\? $|\ball(?: of)?(?: the)? $|^all $")
_LABEL = re.compile(
    rf"(?:^(?:{_BY_UNIT_UNIT.replace('P<', 'P<bare_')}) $|\b(?:{_BY_UNIT_UNIT}|(?P<step>(?:step"
    rf"|iteration|update)(?= count| number)))"
    r"(?P<rest>(?: (?:counter|count|number|total|budget))?(?! (?:per|an?|each"
    r"|every) )[^NBTMPXG.;!?:,]{0,30}?(?: (?:is|was|were|are|ended (?:up )?(?:on|at)|stood at"
    r"|stopped at|reads?|showed|shows|said)|[:=?]|(?<=to [a-z]{5}),|(?<=to [a-z]{6}),)) $)"
)
_SAME = re.compile(r"\b(?:those|these|the|that)(?: very)? same $")
_LENGTH = re.compile(
    r"\b(?:context|window|length|sequences?|seq(?:len)?)(?: [a-z]+)? (?:of|is|was|at|set to|:|=) $"
    r"|\b(?:pack(?:ed|ing)?|truncat\w+|cut)(?: them| it| up| down)? (?:to|at) $"
)
_MEASURES: dict[tuple[str, Scope | None], Measure] = {
    ("tokens", None): Measure.TOKENS,
    ("tokens", Scope.STEP): Measure.BATCH_TOKENS,
    ("tokens", Scope.SEQUENCE): Measure.SEQUENCE_LENGTH,
    ("steps", None): Measure.STEPS,
    ("sequences", Scope.STEP): Measure.BATCH_SEQUENCES,
    ("sequences", Scope.DEVICE): Measure.MICRO_BATCH,
    ("gpus", None): Measure.GPUS,
    ("epochs", None): Measure.EPOCHS,
    ("accumulation", None): Measure.ACCUMULATION,
    ("accumulation", Scope.STEP): Measure.ACCUMULATION,
    ("accumulation", Scope.DEVICE): Measure.ACCUMULATION,
    ("parameters", None): Measure.PARAMETERS,
}
_NEVER_PER = ("gpus", "epochs", "parameters")
_UNIT_OF = {
    Measure.TOKENS: "tokens",
    Measure.EXAMPLES: "sequences",
    Measure.BATCH_SEQUENCES: "sequences",
}
_BY_UNIT_NOUNS = re.compile(
    r"\b(?:(?P<steps>steps?|updates?|iterations?)|(?P<gpus>G|gpus?|cards?|accelerators?|devices?)"
    r"|(?P<sequences>examples?|conversations?|samples?|sequences?|window|context)"
    r"|(?P<tokens>tok(?:en)?s?))\b"
)
_BATCH = re.compile(
    r"\bbatch\b(?! size of)|\bstep size\b|\b(?:every|each|per|an?|one) (?:step|update|iteration)\b"
)
_RANKED = re.compile(r"\bbatch\b|\baccumulat")
_AT_A_TIME = re.compile(r"^(?: [a-z]+){0,3} at (?:a time|once)\b")
_BATCH_OF_TOKENS = re.compile(
    r"\bbatch\w*|\bsteps? (?:at|of|with) [NB]|tokens (?:per|an?|each|every|in each) "
)
_GOES_ON_AT = re.compile(
    r"\b(?:stay(?:ed|s)|remain(?:ed|s)|kept|held|grew|grown|rose|went(?: up)?|raised|increased"
    r"|doubled|ramped(?: up)?|moved)(?: it| steady| constant| flat| there)? (?:at|to) $"
)
_FEWEST_TOKENS, _MOST_IN_BATCH = 1e6, 3e7
_MOST_SEQUENCES = 2e5
_BY_UNIT_LOOK_BACK = 400
_REACH = 70
_OPTIMISER_SEES = re.compile(r"\boptimi[sz]er (?:sees|saw|gets|got|steps? on|works on)\b[^,.;]*$")
_SHOWN = re.compile(
    r"\b(?:saw|seen|show(?:ed|n)|read|came up|comes up|used|looped|cycled|passed|went (?:over"
    r"|through)|repeated|visited)\b[^;.]*$"
)
_DATA = re.compile(
    r"\b(?:corpus|data ?set|data|samples|examples|pairs|documents|tokens|dialogues)\b"
)
_FEWEST_PER_STEP = 3e4


def by_unit(sentence: Sentence, place: int, before: str) -> Measured | None:
    """What a number that no rule matched measures, by its unit; None if it has none."""
    text = sentence.text
    value = sentence.amount(place).value
    unit = _unit(text, place, before, value)
    measure = _measure(text, place, before, unit, value) if unit else None
    if unit is None and scope_of(text, place, before) is Scope.STEP:
        measure = Measure.BATCH_TOKENS if value > _FEWEST_PER_STEP else Measure.BATCH_SEQUENCES
    if unit is None and measure is None and _RANKED.search(before + text):
        is_ranked = scope_of(text, place, before) is Scope.DEVICE
        measure = Measure.MICRO_BATCH if is_ranked and value > 1 else None
    if unit is None and measure is None and scope_of(text, place, before) is Scope.SEQUENCE:
        measure = Measure.SEQUENCE_LENGTH
    if measure is None and _LENGTH.search(text[:place]):
        measure = Measure.SEQUENCE_LENGTH
    if measure is None and _GOES_ON_AT.search(text[:place]):
        is_batch = value <= _MOST_IN_BATCH and _BATCH_OF_TOKENS.search(before + text[:place])
        measure = Measure.BATCH_TOKENS if is_batch else None
    if measure is None or not is_possible(measure, value):
        return None
    return measured_at(sentence, place, measure)


def passes(sentence: Sentence, place: int) -> Measured | None:
    """How often the data was seen: "the corpus, 70 billion tokens, three times"."""
    ahead = sentence.text[:place]
    if not (_SHOWN.search(ahead) and _DATA.search(ahead)):
        return None
    return measured_at(sentence, place, Measure.EPOCHS)


def scoped(sentence: Sentence, found: Measured, before: str) -> Measured:
    """Correct a total found by a rule if words further off make it per step."""
    unit = _UNIT_OF.get(found.measure)
    if unit is None or found.place != found.start:
        return found
    scope = scope_of(sentence.text, found.place, before)
    if (
        scope is None
        and unit == "sequences"
        and _OPTIMISER_SEES.search(sentence.text[: found.place])
    ):
        scope = Scope.STEP
    measure = _MEASURES.get((unit, scope)) if scope else None
    if measure is None or not is_possible(measure, found.amount.value):
        return found
    return replace(found, measure=measure, unit=unit_of(measure, found.amount))


def _unit(text: str, place: int, before: str, value: float) -> str | None:
    """What an amount counts, as a name in ``_BY_UNIT_UNITS``."""
    after = text[place + 1 :]
    if match := _BY_UNIT_AFTER.search(after) or _OF_THEM_NAMED.search(after):
        return str(match.lastgroup)
    if match := _LABEL.search(text[max(0, place - _REACH) : place]):
        return _name_in(match)
    is_pronoun = _OF_THEM.search(after) or _ALL.search(text[:place]) or _SAME.search(text[:place])
    if not (is_pronoun or (_THERE_ARE.search(text[:place]) and not re.match(" [a-z]", after))):
        return None
    nouns = _BY_UNIT_NOUNS.finditer(f"{before} {text[:place]}"[-_BY_UNIT_LOOK_BACK:])
    names = [str(noun.lastgroup) for noun in nouns]
    fitting = [n for n in names if n != "tokens" or value >= _FEWEST_TOKENS]
    if _SAME.search(text[:place]):
        fitting = [n for n in fitting if n == "gpus"]
    return fitting[-1] if fitting else None


def _name_in(label: re.Match[str]) -> str:
    groups = {name: words for name, words in label.groupdict().items() if words is not None}
    if "step" in groups:
        return "steps"
    return next(name for name in _BY_UNIT_UNITS if name in groups or f"bare_{name}" in groups)


def _measure(text: str, place: int, before: str, unit: str, value: float) -> Measure | None:
    scope = scope_of(text, place, before)
    if unit == "sequences" and scope is None:
        is_batch = value <= _MOST_SEQUENCES and (
            _BATCH.search(text[:place]) or _AT_A_TIME.search(text[place + 1 :])
        )
        return Measure.BATCH_SEQUENCES if is_batch else Measure.EXAMPLES
    if unit == "tokens" and scope is None and value <= _MOST_IN_BATCH:
        is_batch = _BATCH_OF_TOKENS.search(text[:place]) or _BATCH.search(text[:place])
        return Measure.BATCH_TOKENS if is_batch else None
    if unit == "steps" and scope is Scope.STEP and _OF_THEM.search(text[place + 1 :]):
        return Measure.STEPS
    if unit in _NEVER_PER:
        scope = None
    return _MEASURES.get((unit, scope))
