"""Amounts that no rule of the grammar takes, measured by the words round them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from interviewer.grading.claims.claim import Measure
from interviewer.grading.claims.grammar import LIMITS
from interviewer.grading.claims.measured import IN_TOTAL, PER_DEVICE, Measured, unit_of
from interviewer.grading.claims.scope import Scope, scope_of
from interviewer.grading.claims.sentence import SECONDS, Amount, Sentence

_DURATION_OF_SOMETHING_ELSE = re.compile(
    r"(?<!no )(?<!without )\b(?:(?<!T )(?:every|each)|lost|lose|losing|wait(?:ed|ing)?|timeout"
    r"|(?<!last )(?<!final )checkpoint\w*|debug\w*|eval\w*|queue\w*|downtime|outage|set ?up"
    r"|clean\w*|dedup\w*"
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
_FROM_THE_START = re.compile(
    r"^ (?:after|from|since) (?:the |our )?(?:first(?! (?:run|spike|crash|epoch|stage))|start"
    r"|launch"
    r"|beginning|kick ?off)\b"
)
_STATES = re.compile(r"\b(?:states?|everything|all of (?:it|that|them)|memory|footprint)\b")
_COMPONENTS = tuple(
    re.compile(pattern)
    for pattern in (r"\b(?:weights?|param\w*)\b", r"\bgrad\w*", r"\b(?:optimi[sz]er|adam|moments?)")
)
_NOT_STATES = re.compile(
    r"\b(?:activation memory|for activations|free|left|headroom|kv|cache|checkpoints?|dataset|disk"
    r"|host|cpu|ram|bandwidth|traffic"
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
    r"|got to|stood at|(?:read|reads|showed|shows|reached|said|says|fed)(?: the)?|(?:trained"
    r"|training|token|grand)"
    r" total (?:was|is|of)|(?:full|whole) (?:the )?)) $"
)
_BEFORE_EITHER = re.compile(r"\b(?:on|for|at|to|was|is|did|its|of|with|in) $")
_FED = re.compile(
    r" (?:is|was) (?:what|how much)[^.;,]{0,40} (?:fed|saw|seen|got|read|trained on|digested)\b"
)
_TOKENS_COUNTED = re.compile(r"[NB] tokens\b")
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
    elif text[place] == "B":
        measure = _big_measure(text, place, amount, before, knows_size)
    if measure is None or not LIMITS[measure][0] <= amount.value <= LIMITS[measure][1]:
        return None
    unit = unit or unit_of(measure, amount, None)
    return Measured(measure, amount, place, place, place + 1, unit)


def elliptic(sentence: Sentence, place: int, found: list[Measured]) -> Measured | None:
    """ "on 8 GPUs a step took 16 seconds, on 64 it took 2.2": the unit and measure said before."""
    earlier = [m for m in found if m.place < place and m.amount.unit in SECONDS]
    if sentence.text[place] != "N" or not earlier or not _is_again(sentence.text, place):
        return None
    last = max(earlier, key=lambda m: m.place)
    amount = sentence.amount(place).times(SECONDS[last.amount.unit], last.amount.unit)
    return replace(last, amount=amount, place=place, start=place, end=place + 1)


def _is_again(text: str, place: int) -> bool:
    """The number is of the kind of an earlier one: "and then 2.2", ", 1.6 on 128"."""
    if _AGAIN.search(text[:place]):
        return True
    if re.search(r"\b(?:on|with|at) N $", text[:place]):
        return True
    return bool(_OTHERWISE.match(text, place + 1)) and text[:place].endswith((", ", " and "))


def _time_measure(text: str, place: int, amount: Amount, before: str) -> Measure | None:
    is_short = amount.value <= LIMITS[Measure.STEP_TIME][1]
    if is_short and (scope_of(text, place, before) is Scope.STEP or _STEPS_AT.search(text[:place])):
        return Measure.STEP_TIME
    if amount.value < LIMITS[Measure.DURATION][0]:
        is_of_steps = _STEPS_BEFORE.search(text[:place]) and not _NO_STEP.search(text)
        return Measure.STEP_TIME if is_of_steps else None
    if _FROM_THE_START.match(text[place + 1 :]):
        return Measure.DURATION
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
    if _FED.match(text, place + 1):
        return Measure.TOKENS
    is_size = amount.scale in ("b", "bn", "m") and amount.value < 3e12
    if _OF_MODEL.search(ahead) or (_TOTAL.search(ahead) and "active" in text[:place]):
        return Measure.PARAMETERS
    if _PART_OF.match(text, place + 1):
        return None
    if amount.scale in ("million", "mn", "k") or (amount.scale == "m" and knows_size):
        return None
    if (
        not is_size
        and not knows_size
        and _TOKENS_COUNTED.search(before[-_REACH * 3 :] + text[:place])
    ):
        return Measure.TOKENS
    if _ARTICLE.search(ahead) and amount.value < 1e12 and (is_size or "tok" not in text[place:]):
        return Measure.PARAMETERS
    if is_size and not knows_size and not _TOKEN_WORDS.search(before + text):
        return Measure.PARAMETERS
    if is_size and not _BEFORE_TOKENS.search(ahead):
        is_free = knows_size and (_BEFORE_EITHER.search(ahead) or amount.value > _LARGE_MODEL)
        if not is_free and (amount.value <= _LARGE_MODEL or _NAMED_MODEL.match(text, place + 1)):
            return Measure.PARAMETERS
    if is_size or _TOKEN_WORDS.search(before + text):
        return Measure.TOKENS
    return None


_OTHERWISE = re.compile(r" (?:on|with|at|for|after|before|without) (?:N|the|it)\b")
_AGAIN = re.compile(
    r"(?:\b(?:afterwards|(?:it|that|this|they) (?:took|was|were|is|became|takes|(?:dropped|fell"
    r"|went|came) "
    r"(?:down )?to))|,? (?:and|then|to|later|now)) $"
)
_STEPS_AT = re.compile(
    r"\b(?:steps|updates|iterations|iters)\b(?: (?!took|in\b|were|was)[a-z]+){0,4} (?:at|of|x"
    r"|times) $"
)
_STEPS_BEFORE = re.compile(r"\b(?:steps?|updates?|iterations?)\b[^.;:!?]*$")
_NO_STEP = re.compile(
    r"\bT (?:[a-z]+ )*(?:step|update|iteration)|of (?:that|which|it|this)\b|\b(?:checkpoint|latency"
    r"|sav|load|eval|compil|communicat|reduce|gather|forward|backward|wait|profil)\w*"
)
_REACH = 40


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
        re.compile(
            r"\b(?:(?:without(?: any)?|no) (?:gradient |grad )?accumulat(?:ion|ing)"
            r"|(?:don't|didn't|never|not) accumulated?)\b"
        ),
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
