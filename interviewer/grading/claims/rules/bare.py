"""Amounts that no word names: what they are by the sentence, and whether they are a total."""

from __future__ import annotations

import re

from interviewer.grading.claims.claim import Measure
from interviewer.grading.claims.rules.amounts import Amount
from interviewer.grading.claims.rules.rows import LIMITS
from interviewer.grading.claims.rules.sentence import Sentence

_DURATION_OF_SOMETHING_ELSE = re.compile(
    r"(?<!no )(?<!without )\b(?:(?<!T )(?:every|each)|lost|lose|losing|wait(?:ed|ing)?|timeout"
    r"|(?<!last )(?<!final )checkpoint\w*|debug\w*|eval\w*|queue\w*|downtime|outage|set ?up"
    r"|scan\w*|add(?:s|ed)"
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
_ITS_SIZE = re.compile(r"\b(?:it is|it's|model,? it is|model,? it's|model is|model was) (?:an? )?$")
_OF_A_SUM = re.compile(
    r"(?:\b[NBTMDW]\)? ?=|\b[NB] ?/ ?[NB]|\b(?:in total|all in all|together),?) $"
)
""" "1.56M a layer x 40 = 62.6M", "with the replay in total 32.5B"."""
_SHARED = re.compile(r"\bP(?: [a-z]+){1,3} \($")
_ENCLOSED = re.compile(r"\)")
""" "70% Turkish (21B)"."""
_PART_OF = re.compile(r" of (?!(?:them|those|these) active)")
_NAMED_MODEL = re.compile(r" (?:dense|moe|model|base|run|in total|total)|$|\.")
_SMALL_MODEL = 2e7
_LARGE_MODEL = 2e11
"""A bare "600B" above this is as likely to be tokens."""
_TOTAL = re.compile(r"\b(?:out of|of) $")


_STEPS_BEFORE = re.compile(r"\b(?:steps?|updates?|iterations?)\b[^.;:!?]*$")
_NO_STEP = re.compile(
    r"\bT (?:[a-z]+ )*(?:step|update|iteration)|of (?:that|which|it|this)\b|\b(?:checkpoint|latency"
    r"|sav|load|eval|compil|communicat|reduce|gather|forward|backward|wait|profil)\w*"
)
_ONE_OF_MANY = re.compile(
    r"\b(?:N|each) (?:is|was|takes|took|ran|run(?:s)?(?: (?:is|was|takes|took))?)(?: for)? $"
)
_FOR_EACH = re.compile(
    r",? (?:each|apiece|per (?:run|seed|ablation|experiment|config\w*|trial)|a (?:run|seed"
    r"|trial))\b"
)
_OF_EACH = re.compile(r" (?:each|(?:per|an?|for each) (?:param|weight))\b")
_REACH = 40


def bare_time(sentence: Sentence, place: int, amount: Amount) -> Measure | None:
    """How long the run took, or a step if the time is short and steps were mentioned."""
    text = sentence.text
    if amount.value < LIMITS[Measure.DURATION][0]:
        is_of_steps = _STEPS_BEFORE.search(text[:place]) and not _NO_STEP.search(text)
        return Measure.STEP_TIME if is_of_steps else None
    if amount.unit in ("second", "millisecond"):
        return None
    if _ONE_OF_MANY.search(text[:place]) or _FOR_EACH.match(text, place + 1):
        return None
    if _FROM_THE_START.match(text[place + 1 :]):
        return Measure.DURATION
    if _DURATION_OF_SOMETHING_ELSE.search(text[:place]):
        return None
    return None if _DURATION_AFTERWARDS.search(text[place + 1 :]) else Measure.DURATION


def bare_size(
    sentence: Sentence, place: int, amount: Amount, before: str, knows_size: bool
) -> Measure | None:
    """ "the seventy-B" is a model; "saw 140 billion" and "1.4T" are tokens."""
    text = sentence.text
    ahead = text[max(0, place - _REACH) : place]
    if _OF_EACH.match(text, place + 1) and "byte" in sentence.plain + before:
        return None
    if _FED.match(text, place + 1):
        return Measure.TOKENS
    if _OF_A_SUM.search(ahead) or (_SHARED.search(ahead) and _ENCLOSED.match(text, place + 1)):
        return Measure.TOKENS if _TOKENS_COUNTED.search(text) and "in" in ahead else None
    if not knows_size and _ITS_SIZE.search(ahead) and amount.value < _LARGE_MODEL:
        return Measure.PARAMETERS
    is_size = amount.scale in ("b", "bn", "m") and amount.value < 3e12
    if _OF_MODEL.search(ahead) or (_TOTAL.search(ahead) and "active" in text[:place]):
        return Measure.PARAMETERS
    if _PART_OF.match(text, place + 1):
        return None
    if amount.scale in ("million", "mil", "mio", "mn", "k"):
        return None
    if amount.scale == "m" and (knows_size or amount.value < _SMALL_MODEL):
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


_FORMERLY = re.compile(
    r"\b(?:initially|at first|originally|previously|formerly|used to|start(?:ed|ing)? (?:at|with"
    r"|out)|beg[ia]n(?:ning)? (?:at|with)|instead of(?!(?: \w+){1,3} (?:we|i) )|first (?:step"
    r"|iteration|update|few)"
    r"|before (?:the|that|this|we|it|adding|switching))\b(?:(?! and | but )[^,;:])*$"
)
_FORMER = re.compile(
    r"^(?: \w+){0,3} (?:before (?!it|we|(?:the|an?|each|every) (?:[a-z]+ )?(?:step|update)"
    r"|optimi|activations)|initially|at first|originally|in the beginning|until)\b"
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
_INCIDENT = re.compile(
    r"\b(?:spik\w*|jumped|shot up|recover\w*|diverg\w*|nans?|instab\w*|blew up|grad\w* norm)\b"
)
_MOMENT = re.compile(
    r"^ (?:later|earlier|before|back|ago|apart|into(?! (?:an?|the|our) B)|behind(?! it)|ahead"
    r"|more)\b"
)
_LOSS_AT = re.compile(r"\b(?:loss|perplexity|ppl|accuracy|score)(?: \w+){0,2} at $|, at $")
_FINAL_STEP = re.compile(r"\b(?:done|finish\w*|stopp?ed|ended|shut|final|complete[d]?)\b")
_CHANGED_FROM = re.compile(r"\bfrom $")
_ENDURING = (Measure.TOKENS, Measure.STEPS, Measure.DURATION, Measure.DATASET_TOKENS)
"""Measures of a whole run: an earlier value is a part of it, not one since changed."""


_AS_SAID = (
    *(Measure.CHECKPOINT_TIME, Measure.REFERENCE_SHARE, Measure.POLICY_SHARE, Measure.FIRST_LOSS),
)
""" "45 s until it was written", "from 5% under the reference to 70%", "before the first update"."""
_ANY_OF_THEM = re.compile(r"\b(?:what(?:ever)?|how (?:much|many \w+)|than|than what|if|per) $")
""" "What one device takes" counts none."""


def is_of_a_part(text: str, measure: Measure, place: int) -> bool:
    """The amount is not a total: "again 400 steps later", "after 300B tokens the loss was 1.9"."""
    before, after = text[:place], text[place + 1 :]
    if measure in _AS_SAID:
        return False
    if measure is Measure.GPUS and _ANY_OF_THEM.search(before):
        return True
    if measure in (Measure.LOSS, Measure.PERPLEXITY) and _INCIDENT.search(text):
        return True
    if measure not in _ENDURING:
        return _was_so(before, after)
    if measure is Measure.DATASET_TOKENS:
        return False
    noun = re.sub(r"^ [a-z]+", "", after) if measure is not Measure.DURATION else after
    if _MOMENT.search(noun) and not (measure is Measure.DURATION and _COMPLETE.search(text)):
        return True
    if re.search(r"\b(?:step|iteration|update) $", before) and not _FINAL_STEP.search(text):
        return True
    is_moment = _SO_FAR.search(before) or _INCIDENT.search(text)
    if is_moment and not _COMPLETE.search(text):
        return True
    if measure is Measure.TOKENS and "loss" in text and _LOSS_AT.search(before):
        return True
    return measure is Measure.STEPS and bool(_PART_OF_RUN.search(before))


def _was_so(before: str, after: str) -> bool:
    """The amount no longer held in the run: "three seconds before flash attention"."""
    if _CHANGED_FROM.search(before) and " to " in after:
        return True
    return bool(_FORMERLY.search(before) or _FORMER.search(after))
