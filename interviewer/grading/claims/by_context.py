"""Amounts that no rule of the grammar takes, measured by the words round them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from interviewer.grading.claims.claim import Measure
from interviewer.grading.claims.grammar import LIMITS
from interviewer.grading.claims.measured import IN_TOTAL, PER_DEVICE, Measured, unit_of
from interviewer.grading.claims.shorthand import SECONDS, Amount, Sentence

_DURATION_OF_SOMETHING_ELSE = re.compile(
    r"(?<!no )(?<!without )\b(?:(?<!T )(?:every|each)|lost|lose|losing|wait(?:ed|ing)?|timeout"
    r"|checkpoint\w*|debug\w*|eval\w*|queue\w*|downtime|outage|set ?up|clean\w*|dedup\w*"
    r"|tokeni[sz]\w*|preprocess\w*|download\w*|planning|mtt[fbr]|mtbf|latency|rebuild\w*|reload\w*"
    r"|sav(?:e|ing)|stall\w*|deadline|notice|meetings?|(?<!fine )tun(?:ed|ing)|sweeps?|ablations?"
    r"|annotat\w*|restarts? (?:took|cost)|label\w*|collect\w*|implement\w*|ago|interview\w*"
    r"|warm ?up)\b(?:(?! and | but )[^,;:])*$"
)
_DURATION_AFTERWARDS = re.compile(
    r"^ (?:ago|before|earlier|old|of (?:downtime|debugging|waiting|experience|preparation|cleaning"
    r"|queue\w*|outage|lost|work)|timeout|lost|to (?:restart|recover|load|save|write|checkpoint"
    r"|debug|set up|fix|find|notice|clean)|between|into|apart|intervals?|notice|per|a)\b"
)
_STATES = re.compile(r"\b(?:states?|everything|all of (?:it|that|them)|memory|footprint)\b")
_COMPONENTS = tuple(
    re.compile(pattern)
    for pattern in (r"\b(?:weights?|param\w*)\b", r"\bgrad\w*", r"\b(?:optimi[sz]er|adam|moments?)")
)
_NOT_STATES = re.compile(
    r"\b(?:free|left|headroom|kv|cache|checkpoints?|dataset|disk|host|cpu|ram|bandwidth|traffic"
    r"|activations? (?:took|were|was|of|alone)|(?:just|only|alone|for) the (?:weights|param\w*"
    r"|activations|gradients)|weights (?:alone|only)|optimi[sz]er states? (?:alone|only))\b"
)
_PER_DEVICE = re.compile(
    r"^[^.;:M]{0,70}? (?:per|an?|each|every|on (?:each|every|an?|one)) (?:gpu|card|device|rank|G)\b"
    r"|^ (?:each|apiece)\b"
)
_OF_CARD = re.compile(r"^ (?:per|an?|each|on each) (?:gpu|card|device|G)\b")
_MEMORY_VERBS = re.compile(
    r"\b(?:is|was|are|were|that's|it's|took|takes?|us(?:e|ed|es|ing)|need\w*|came|comes|sat|at|to"
    r"|left|states?|grad\w*|weights?|optimi[sz]er\w*|param\w*|activations?|cache)\b"
)
_EACH_DEVICE = re.compile(
    r"\b(?:each|every|per)(?: of (?:the|our)(?: N)?)? (?:gpu|card|device|rank|G)\b[^.;:M]{0,60}$"
)
_TOKEN_WORDS = re.compile(r"\btok|\b(?:corpus|data(?:set)?|saw|seen|trained|training|through)\b")
_BEFORE_TOKENS = re.compile(
    r"(?:\b(?:through|saw|seen|sees?|consumed|processed|over|covered|reached|another|after|ate"
    r"|eaten|trained (?:it )?(?:on|for|to)|train (?:on|for)|(?:out|stopp?ed|ended|finished) at"
    r"|got to|(?:full|whole) (?:the )?)) $"
)
_BEFORE_EITHER = re.compile(r"\b(?:on|for|at|to|was|is|did|its|of|with|in) $")
_ARTICLE = re.compile(r"\b(?:the|an?|our|that|this|my|dense|same|each|one) $")
_OF_MODEL = re.compile(
    r"\b(?:model|size|parameters|params) (?:size )?(?:of|with|at|was|is|had|has|:) $"
)
_PART_OF = re.compile(r" of (?!(?:them|those|these) active)")
_NAMED_MODEL = re.compile(r" (?:dense|moe|model|base|run|in total|total)|$|\.")
_LARGE_MODEL = 2e11
"""A bare "600B" beyond this is as likely tokens."""
_TOTAL = re.compile(r"\b(?:out of|of) $")


def by_context(sentence: Sentence, place: int, before: str, knows_size: bool) -> Measured | None:
    """What an amount measures that no rule took: by the words round it, or not at all."""
    text, amount = sentence.text, sentence.amount(place)
    measure = None
    unit = ""
    if text[place] == "T":
        measure = _time_measure(text, place, amount, before)
    elif text[place] == "M":
        measure, unit = _memory_measure(text, place)
    else:
        measure = _pronoun_measure(text, place, amount, before)
        if measure is None and text[place] == "B":
            measure = _big_measure(text, place, amount, before, knows_size)
    if measure is None or not LIMITS[measure][0] <= amount.value <= LIMITS[measure][1]:
        return None
    unit = unit or unit_of(measure, amount, None)
    return Measured(measure, amount, place, place, place + 1, unit)


def elliptic(sentence: Sentence, place: int, found: list[Measured]) -> Measured | None:
    """ "on 8 GPUs a step took 16 seconds, on 64 it took 2.2": the unit and measure said before."""
    earlier = [m for m in found if m.place < place and m.amount.unit in SECONDS]
    if sentence.text[place] != "N" or not earlier or not _AGAIN.search(sentence.text[:place]):
        return None
    last = max(earlier, key=lambda m: m.place)
    amount = sentence.amount(place).times(SECONDS[last.amount.unit], last.amount.unit)
    return replace(last, amount=amount, place=place, start=place, end=place + 1)


def _time_measure(text: str, place: int, amount: Amount, before: str) -> Measure | None:
    if _EACH_ONE.search(text[:place]) or re.match(r" (?:each|apiece)\b", text[place + 1 :]):
        return Measure.STEP_TIME if _last_noun(before, 0) is Measure.STEPS else None
    if _DURATION_OF_SOMETHING_ELSE.search(text[:place]):
        return None
    return None if _DURATION_AFTERWARDS.search(text[place + 1 :]) else Measure.DURATION


def _memory_measure(text: str, place: int) -> tuple[Measure | None, str]:
    if _NOT_STATES.search(text):
        return None, ""
    parts = sum(bool(part.search(text)) for part in _COMPONENTS)
    if _OF_CARD.match(text[place + 1 :]) and not _MEMORY_VERBS.search(text[:place]):
        return Measure.GPU_MEMORY, ""
    if not (parts == len(_COMPONENTS) or _STATES.search(text)):
        return None, ""
    each = _PER_DEVICE.search(text[place + 1 :]) or _EACH_DEVICE.search(text[:place])
    return Measure.STATE_MEMORY, PER_DEVICE if each else IN_TOTAL


def _big_measure(
    text: str, place: int, amount: Amount, before: str, knows_size: bool
) -> Measure | None:
    """ "the seventy-B" is a model, "saw 140 billion" and "1.4T" are tokens."""
    ahead = text[max(0, place - _REACH) : place]
    is_size = amount.scale in ("b", "bn", "m") and amount.value < 3e12
    if _OF_MODEL.search(ahead) or (_TOTAL.search(ahead) and "active" in text[:place]):
        return Measure.PARAMETERS
    if _PART_OF.match(text, place + 1):
        return None
    if amount.scale in ("million", "mn", "k") or (amount.scale == "m" and knows_size):
        return None
    if _ARTICLE.search(ahead) and amount.value < 1e12 and (is_size or "tok" not in text[place:]):
        return Measure.PARAMETERS
    if is_size and not _BEFORE_TOKENS.search(ahead):
        is_free = knows_size and (_BEFORE_EITHER.search(ahead) or amount.value > _LARGE_MODEL)
        if not is_free and (amount.value <= _LARGE_MODEL or _NAMED_MODEL.match(text, place + 1)):
            return Measure.PARAMETERS
    if is_size or _TOKEN_WORDS.search(before + text):
        return Measure.TOKENS
    return None


_AGAIN = re.compile(
    r"(?:\b(?:it|that|this|they) (?:took|was|were|is|became|takes|(?:dropped|fell|went|came) "
    r"(?:down )?to)|,? (?:and|then|to|later|now)) $"
)
_EACH_ONE = re.compile(
    r"\b(?:each|every)(?: N| single N| of (?:them|those|these))(?: [a-z]+){1,2} $"
)
_NOUNS = re.compile(
    r"\b(?:(?P<steps>steps?|updates?|iterations?)|(?P<gpus>G|gpus?|cards?|accelerators?|devices?)"
    r"|(?P<examples>examples?|conversations?|samples?)|(?P<sequences>sequences?)|(?P<tokens>tokens?))\b"
)
_MEANT = {
    "steps": Measure.STEPS,
    "gpus": Measure.GPUS,
    "examples": Measure.EXAMPLES,
    "sequences": Measure.BATCH_SEQUENCES,
    "tokens": Measure.TOKENS,
}
_REACH = 40
_FEWEST_TOKENS = 1e6
_LOOK_BACK = 400


def _pronoun_measure(text: str, place: int, amount: Amount, before: str) -> Measure | None:
    """ "32 of them": of what was counted last; a small number is none of tokens."""
    if not re.match(r" of (?:them|those|these)\b", text[place + 1 :]):
        return None
    return _last_noun(before + " " + text[:place], amount.value)


def _last_noun(text: str, number: float) -> Measure | None:
    """What was counted last, of the things that people count in such numbers."""
    meant = [_MEANT[str(noun.lastgroup)] for noun in _NOUNS.finditer(text[-_LOOK_BACK:])]
    fitting = [m for m in meant if m is not Measure.TOKENS or number >= _FEWEST_TOKENS]
    return fitting[-1] if fitting else None


def implied(text: str) -> Iterator[Measured]:
    """What is said without a number: no accumulation, no repetition, one card, one box of eight."""
    for measure, amount, pattern in _IMPLIED:
        for match in pattern.finditer(text):
            start, end = match.span()
            yield Measured(measure, amount, start, start, end, unit_of(measure, amount, None))


_IMPLIED = (
    (Measure.GPUS, Amount.of(8), re.compile(r"\b(?:an?|our|my|one) (?:dgx|hgx)\b")),
    (
        Measure.GPUS,
        Amount.of(1),
        re.compile(r"\b(?:an?|my|my own) M (?:card|gpu|device)\b(?! (?:cluster|node|machine))"),
    ),
    (
        Measure.ACCUMULATION,
        Amount.of(1),
        re.compile(r"\b(?:without(?: any)?|no) (?:gradient |grad )?accumulat(?:ion|ing)\b"),
    ),
    (
        Measure.EPOCHS,
        Amount(1, 0, 1),
        re.compile(
            r"\b(?:no|without)(?: \w+){0,4} (?:was|were|ever|being|got)? ?(?:ever )?repeat(?:ed|s"
            r"|ing)?\b"
            r"|\b(?:never|not) (?:repeated|reused)(?: any| a| one)? (?:data|documents?|samples?"
            r"|tokens?)\b|\bnever (?:saw|seen|show\w*|us\w+|read)(?: [a-z]+){1,3} (?:X|again)"
            r"|\bno (?:data )?(?:repetition|repeats)\b|\bno (?:document|sample|token)s? (?:was"
            r"|were) seen twice\b"
        ),
    ),
)
