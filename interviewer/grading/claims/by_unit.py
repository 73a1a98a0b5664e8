"""Amounts measured by their unit word, wherever it stands, and by what they are per."""

from __future__ import annotations

import re
from dataclasses import replace

from interviewer.grading.claims.claim import Measure
from interviewer.grading.claims.grammar import LIMITS
from interviewer.grading.claims.measured import Measured, unit_of
from interviewer.grading.claims.scope import Scope, scope_of
from interviewer.grading.claims.sentence import Sentence

_UNITS = {
    "tokens": r"tok(?:en)?s?",
    "steps": r"(?:steps|updates|iterations|iters)",
    "sequences": r"(?:sequences?|samples?|seqs?|examples?|prompts|conversations|dialogues|pairs)",
    "gpus": r"(?:G|gpus|cards|devices|accelerators|chips|boards)",
    "epochs": r"(?:epochs?|passe?s?|(?:rounds|trips|sweeps) (?:over|through))",
    "accumulation": r"(?:(?:gradient )?accumulation(?! of)|micro ?batches|micro ?steps|rounds)",
    "parameters": r"(?:parameters?|params|weights)",
}
_UNIT = "|".join(f"(?P<{name}>{words})" for name, words in _UNITS.items())
_NO_MODIFIER = (
    r"(?:per|an?|each|every|the|on|for|of|to|in|at|is|was|were|and|or|but|so|with|from|by|than"
    r"|that|which|we|i|it|our|over|across|through|after|before|then|as|times|x|its|their|tokens?"
    r"|steps?|days?|hours?)"
)
_AFTER = re.compile(
    rf"^(?: of)?(?: N(?= sequences?| samples?))?(?: (?!{_NO_MODIFIER}\b)[a-z']+){{0,3}}? "
    rf"(?:{_UNIT})\b(?! (?:per|a) (?:epoch|node))"
)
_OF_THEM = re.compile(
    r"^(?: [a-z]+)? (?:of (?:them|those|these|which)|more|further|additional)\b"
    r"|^ (?:were|are|had been) (?:through|done|in|over|finished|complete[d]?)\b"
)
_OF_THEM_NAMED = re.compile(rf"^ of (?:them|those|these),? (?:all )?(?:{_UNIT})\b")
_THERE_ARE = re.compile(r"\bthere (?:are|were) $")
_ALL = re.compile(r"\bhow many(?: of (?:them|those|these))?\? $|\ball(?: of)?(?: the)? $|^all $")
_LABEL = re.compile(
    rf"(?:^(?:{_UNIT.replace('P<', 'P<bare_')}) $|\b(?:{_UNIT}|(?P<step>(?:step|iteration"
    rf"|update)(?= count| number)))"
    r"(?P<rest>(?: (?:counter|count|number|total|budget))?(?! (?:per|an?|each|every) )"
    r"[^NBTMPXG.;!?:,]{0,30}?"
    r"(?: (?:is|was|were|are|ended (?:up )?(?:on|at)|stood at|stopped at|reads?|showed|shows|said)"
    r"|[:=?]|(?<=to [a-z]{5}),|(?<=to [a-z]{6}),)) $)"
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
_NOUNS = re.compile(
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
_LOOK_BACK = 400
_REACH = 70
_OPTIMISER_SEES = re.compile(r"\boptimi[sz]er (?:sees|saw|gets|got|steps? on|works on)\b[^,.;]*$")
_SHOWN = re.compile(
    r"\b(?:saw|seen|show(?:ed|n)|read|came up|comes up|used|looped|cycled|passed|went (?:over"
    r"|through)"
    r"|repeated|visited)\b[^;.]*$"
)
_DATA = re.compile(
    r"\b(?:corpus|data ?set|data|samples|examples|pairs|documents|tokens"
    r"|dialogues)\b"
)
_FEWEST_PER_STEP = 3e4


def by_unit(sentence: Sentence, place: int, before: str) -> Measured | None:
    """A number that no rule took, by its unit; None where it names none."""
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
    if measure is None or not LIMITS[measure][0] <= value <= LIMITS[measure][1]:
        return None
    amount = sentence.amount(place)
    device = None
    return Measured(
        measure, amount, place, place, place + 1, unit_of(measure, amount, device), device
    )


def passes(sentence: Sentence, place: int) -> Measured | None:
    """How often the data were seen: "the corpus, 70 billion tokens, three times"."""
    ahead = sentence.text[:place]
    if not (_SHOWN.search(ahead) and _DATA.search(ahead)):
        return None
    amount = sentence.amount(place)
    return Measured(Measure.EPOCHS, amount, place, place, place + 1, "epochs")


def scoped(sentence: Sentence, found: Measured, before: str) -> Measured:
    """What a rule measured as a total may be per step, by words that stand further off."""
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
    if measure is None or not LIMITS[measure][0] <= found.amount.value <= LIMITS[measure][1]:
        return found
    return replace(found, measure=measure, unit=unit_of(measure, found.amount, None))


def _unit(text: str, place: int, before: str, value: float) -> str | None:
    """The name in ``_UNITS`` of what an amount counts."""
    after = text[place + 1 :]
    if match := _AFTER.search(after) or _OF_THEM_NAMED.search(after):
        return str(match.lastgroup)
    if match := _LABEL.search(text[max(0, place - _REACH) : place]):
        return _name_in(match)
    is_pronoun = _OF_THEM.search(after) or _ALL.search(text[:place]) or _SAME.search(text[:place])
    if not (is_pronoun or (_THERE_ARE.search(text[:place]) and not re.match(" [a-z]", after))):
        return None
    nouns = _NOUNS.finditer(f"{before} {text[:place]}"[-_LOOK_BACK:])
    names = [str(noun.lastgroup) for noun in nouns]
    fitting = [n for n in names if n != "tokens" or value >= _FEWEST_TOKENS]
    if _SAME.search(text[:place]):
        fitting = [n for n in fitting if n == "gpus"]
    return fitting[-1] if fitting else None


def _name_in(label: re.Match[str]) -> str:
    groups = {name: words for name, words in label.groupdict().items() if words is not None}
    if "step" in groups:
        return "steps"
    return next(name for name in _UNITS if name in groups or f"bare_{name}" in groups)


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
