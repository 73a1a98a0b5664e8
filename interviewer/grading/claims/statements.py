"""What the numbers of a sentence measure, by context, and which of them are not totals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from interviewer.grading.claims.claim import Measure
from interviewer.grading.claims.grammar import LIMITS, is_possible
from interviewer.grading.claims.measuring import (
    Measured,
    Scope,
    by_rules,
    by_unit,
    measured_at,
    passes,
    scope_of,
    scoped,
    unit_of,
)
from interviewer.grading.claims.sentence import SECONDS, Amount, Sentence

_DURATION_OF_SOMETHING_ELSE = re.compile(
    r"(?<!no )(?<!without )\b(?:(?<!T )(?:every|each)|lost|lose|losing|wait(?:ed|ing)?|timeout"
    r"|(?<!last )(?<!final )checkpoint\w*|debug\w*|eval\w*|queue\w*|downtime|outage|set ?up"
    r"|clean\w*|dedup\w*|tokeni[sz]\w*|preprocess\w*|download\w*|planning|mtt[fbr]|mtbf|latency"
    r"|rebuild\w*|reload\w*|sav(?:e|ing)|stall\w*|deadline|notice|meetings?|(?<!fine )tun(?:ed|ing)"
    r"|sweeps?|ablations?|annotat\w*|restarts? (?:took|cost)|label\w*|collect\w*|implement\w*|ago"
    r"|interview\w*|warm ?up)\b(?:(?! and | but )[^,;:])*$"
)
_DURATION_AFTERWARDS = re.compile(
    r"^ (?:ago|before|earlier|old|of (?:downtime|debugging|waiting|experience|preparation|cleaning"
    r"|queue\w*|outage|lost|work)|timeout|lost|to (?:restart|recover|load|save|write|checkpoint"
    r"|debug|set up|fix|find|notice|clean)|between|into|apart|intervals?|notice|per|a)\b"
)
_FROM_THE_START = re.compile(
    r"^ (?:after|from|since) (?:the |our )?(?:first(?! (?:run|spike|crash|epoch|stage))|start"
    r"|launch|beginning|kick ?off)\b"
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
    r"|training|token|grand) total (?:was|is|of)|(?:full|whole) (?:the )?)) $"
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
"""A bare "600B" above this is as likely to be tokens."""
_TOTAL = re.compile(r"\b(?:out of|of) $")


def by_context(sentence: Sentence, place: int, before: str, knows_size: bool) -> Measured | None:
    """What an amount measures that no rule matched, judging by the words around it."""
    text, amount = sentence.text, sentence.amount(place)
    measure = None
    unit = ""
    if text[place] == "T":
        measure = _time_measure(text, place, amount, before)
    elif text[place] == "M":
        measure, unit = _memory_measure(text, place)
    elif text[place] == "B":
        measure = _big_measure(text, place, amount, before, knows_size)
    if measure is None or not is_possible(measure, amount.value):
        return None
    return measured_at(sentence, place, measure, unit)


def elliptic(sentence: Sentence, place: int, found: list[Measured]) -> Measured | None:
    """ "on 8 GPUs a step took 16 seconds, on 64 it took 2.2": same unit and measure as before."""
    earlier = [m for m in found if m.place < place and m.amount.unit in SECONDS]
    if sentence.text[place] != "N" or not earlier or not _is_again(sentence.text, place):
        return None
    last = max(earlier, key=lambda m: m.place)
    amount = sentence.amount(place).times(SECONDS[last.amount.unit], last.amount.unit)
    return replace(last, amount=amount, place=place, start=place, end=place + 1)


def _is_again(text: str, place: int) -> bool:
    """The number is of the same kind as an earlier one: "and then 2.2", ", 1.6 on 128"."""
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
    return (Measure.STATE_MEMORY if each else Measure.STATE_TOTAL), ""


def _big_measure(
    text: str, place: int, amount: Amount, before: str, knows_size: bool
) -> Measure | None:
    """ "the seventy-B" is a model; "saw 140 billion" and "1.4T" are tokens."""
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
    r"|went|came) (?:down )?to))|,? (?:and|then|to|later|now)) $"
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
    """What is stated without a number: no accumulation, no repeats, one card, a box of eight."""
    for measure, amount, pattern in _IMPLIED:
        for match in pattern.finditer(text):
            start, end = match.span()
            yield Measured(measure, amount, start, start, end, unit_of(measure, amount))


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
            r"|ing)?\b|\b(?:never|not) (?:repeated|reused)(?: any| a| one)? (?:data|documents?"
            r"|samples?|tokens?)\b|\bnever (?:saw|seen|show\w*|us\w+|read)(?: [a-z]+){1,3} (?:X"
            r"|again)|\bno (?:data )?(?:repetition|repeats)\b|\bno (?:document|sample"
            r"|token)s? (?:was|were) seen twice\b"
        ),
    ),
)


_FORMERLY = re.compile(
    r"\b(?:initially|at first|originally|previously|formerly|used to|start(?:ed|ing)? (?:at|with"
    r"|out)|beg[ia]n(?:ning)? (?:at|with)|instead of|first (?:step|iteration|update|few)"
    r"|before (?:the|that|this|we|it|adding|switching))\b(?:(?! and | but )[^,;:])*$"
)
_FORMER = re.compile(
    r"^(?: \w+){0,3} (?:before (?!it|we)|initially|at first|originally|in the beginning|until)\b"
)
_SO_FAR = re.compile(
    r"\b(?:after|at|(?<!multiply )(?<!multiplied )by|within|until|past|around|by then) $"
)
_COMPLETE = re.compile(
    r"\b(?:done|finish\w*|complet\w*|over|stopp?ed|ended|through|total|in all|out|end|overall|seen"
    r"|saw|had an?|shut down|(?:was|were) in|counter|had (?:the|our) (?:\w+ )?(?:model|weights"
    r"|result|checkpoint)s?|that was after|of (?:continuous|pure"
    r"|non ?stop|uninterrupted)|all N|consumed|processed|covered|read(?:y|ily))\b|B tok"
)
"""The sentence is about the whole run, not a moment in it."""
_PART_OF_RUN = re.compile(
    r"\b(?:skip\w*|roll\w* back|rewound|lost|lasted|spik\w*|warm\w*|ramp\w*|decay\w*|cool\w*"
    r"|anneal\w*|diverg\w*|averag\w*|sav(?:e|ed|ing)|checkpoint\w*|eval\w*|log(?:ged|ging)|resum\w*"
    r"|restart\w*|first|next|another|remaining|last)\b(?:(?! and | but )[^,;:])*$"
)
_INCIDENT = re.compile(r"\b(?:spik\w*|recover\w*|diverg\w*|nans?|instab\w*|blew up|grad\w* norm)\b")
_MOMENT = re.compile(
    r"^ (?:later|earlier|before|back|ago|apart|into(?! (?:an?|the|our) B)|behind(?! it)|ahead"
    r"|more)\b"
)
_GATHERED = re.compile(
    r"\b(?:generat|collect|crawl|scrap|gather|download|prepar|curat|synthesi|annotat|clean|filter"
    r"|dedup|extract)\w*\b(?:(?! and | but |train)[^,;])*$"
)
_CONSUMED_WHOLE = re.compile(
    r"\b(?:digest|consum|s[ae]{1,2}[wn]?\b|read|ate\b|eaten|process|swallow|chew|through|finish"
    r"|cover|ingest)\w*\b(?: \w+){0,2} (?:complete|whole|full|entire|all(?: of)?(?: the)?) $"
)
_FINAL_STEP = re.compile(r"\b(?:done|finish\w*|stopp?ed|ended|shut|final|complete[d]?)\b")
_CHANGED_FROM = re.compile(r"\bfrom $")
_ENDURING = (Measure.TOKENS, Measure.STEPS, Measure.DURATION, Measure.DATASET_TOKENS)
"""Measures of a whole run: an earlier value is a part of it, not one since changed."""


_OF_STATES = r"(?:of |for )?(?:the )?(?:grad\w*|master|moments?|optimi[sz]er|states)\b"
_BYTES = re.compile(
    r"^ (?:(?:per|an?|each|for (?:each|every|the|a)) (?:param\w*|weights?)\b"
    rf"|{_OF_STATES})"
)
_BYTES_OF_STATES = re.compile(rf"\bbytes?\b|\bB {_OF_STATES}")
_BESIDE_STATES = re.compile(r"^ (?:each|(?:of |for )?(?:the )?weights?)\b")


def is_bytes(text: str, found: Measured) -> bool:
    """ "5.5B a parameter", "2 B weights, 2 B grads": B means bytes."""
    if found.measure is not Measure.PARAMETERS:
        return False
    after = text[found.place + 1 :]
    is_beside = _BESIDE_STATES.search(after) and _BYTES_OF_STATES.search(text)
    return bool(_BYTES.search(after) or is_beside)


def gathered(text: str, found: Measured) -> Measured:
    """Tokens that were collected are the dataset's, not those trained on."""
    if found.measure is Measure.TOKENS and _GATHERED.search(text[: found.place]):
        return replace(found, measure=Measure.DATASET_TOKENS)
    if found.measure is Measure.DATASET_TOKENS and _CONSUMED_WHOLE.search(text[: found.place]):
        return replace(found, measure=Measure.TOKENS)
    return found


def is_of_a_part(text: str, found: Measured) -> bool:
    """The amount is not a total: "again 400 steps later", "after 300B tokens the loss was 1.9"."""
    before, after = text[: found.place], text[found.place + 1 :]
    if found.measure not in _ENDURING:
        return _was_so(before, after)
    if found.measure is Measure.DATASET_TOKENS:
        return False
    noun = re.sub(r"^ [a-z]+", "", after) if found.measure is not Measure.DURATION else after
    if _MOMENT.search(noun) and not (found.measure is Measure.DURATION and _COMPLETE.search(text)):
        return True
    if re.search(r"\b(?:step|iteration|update) $", before) and not _FINAL_STEP.search(text):
        return True
    is_moment = _SO_FAR.search(before) or _INCIDENT.search(text)
    if is_moment and not _COMPLETE.search(text):
        return True
    return found.measure is Measure.STEPS and bool(_PART_OF_RUN.search(before))


def _was_so(before: str, after: str) -> bool:
    """The amount no longer held in the run: "three seconds before flash attention"."""
    if _CHANGED_FROM.search(before) and " to " in after:
        return True
    return bool(_FORMERLY.search(before) or _FORMER.search(after))


def measured(sentence: Sentence, before: str, knows_size: bool) -> list[Measured]:
    """What the sentence's amounts measure, by place.

    ``before`` is the shorthand of the sentences before it; ``knows_size`` is whether they gave a
    model size.
    """
    taken: set[int] = set()
    found = [scoped(sentence, m, before) for m in by_rules(sentence, taken)]
    for place, letter in enumerate(sentence.text):
        if letter in "NBTMX" and place not in taken:
            knows_size |= any(m.measure is Measure.PARAMETERS for m in found)
            hit = (
                (letter == "X" and passes(sentence, place))
                or (letter in "NB" and by_unit(sentence, place, before))
                or by_context(sentence, place, before, knows_size)
                or elliptic(sentence, place, found)
            )
            found += [hit] if hit else []
    found += implied(sentence.text)
    kept = (gathered(sentence.text, m) for m in found if not is_bytes(sentence.text, m))
    return sorted((m for m in kept if not is_of_a_part(sentence.text, m)), key=lambda m: m.place)
