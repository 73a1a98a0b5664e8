"""Which stretches of a sentence speak of training runs that the candidate really had.

No claim is made by a question, a hypothesis ("if we had had two thousand H100s"), a plan, someone
else's model or paper, or a model being served.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from interviewer.rubric.text import Span

_TAG_QUESTION = re.compile(r"\b(?:right|ok|okay|yeah|no|correct|isn't it|you know)\?$")
_SUPPOSED = re.compile(r"\b(?:suppos(?:e|ing)|imagine|hypothetical\w*|assum(?:e|ing)|let's say)\b")
_HYPOTHETICAL = re.compile(
    r"\b(?:nobody|no one|noone) (?:would|could|can|has|have|trains?|does|is|will|needs?|ran|did)\b"
    r"|\bif (?!i (?:remember|recall|am|count)|i'm|memory|you "
    r"(?:multiply|work|do|count|add|divide))"
    r"|\b(?:would|wouldn't|(?:i|we|you|it|they)'d(?! (?:an?|the|our|N|guess|describe|call|say|put"
    r"|add|argue"
    r"|\w+ed|been|done|seen|had|got|run"
    r"|gone|spent)\b)|(?:could|should|might|must)(?: have|'ve)"
    r"|in theory|theoretical\w*|on paper|ideally|unless|what if|rule of thumb"
    r"|(?:you|one)(?: also| still)? (?:needs?|wants?|(?:has|have) to)|should (?:take|be|need|give)"
    r"|for example|for instance)\b"
)
_INTENDED = re.compile(
    r"(?<!as )\b(?:plan(?:ned|ning)?(?! b\b)|hop(?:ed?|ing)|expect(?:ed|ing)?|estimat\w+|projected"
    r"|budgeted|target\w*|goal|aim(?:ed|ing)?|wanted|wish\w*|promised|asked for|proposed"
    r"|going to|intended|meant to|swept|sweep(?:ing)? (?:over|of)|compared|grid search"
    r"|tr(?:ied|ying) (?:out|batch|learning|several|different|various|both|a few|all))\b"
)
_FULFILLED = re.compile(
    r"\b(?:that(?:'s| is| was)(?: also)? what (?:it|we|i|they)|which is what|(?:and|so) (?:we|i) "
    r"got (?:it|that|there)|and (?:so )?(?:it|that) (?:was|did|worked|held|gave)|as planned|we hit "
    r"it)\b"
)
_CONTRAST = re.compile(
    r"^\W*(?:but|in reality|in practice|in the end|however|actually|instead|we ended)\b"
)
_NAMES = (
    r"(?:llama|chinchilla|gopher|gpt|palm|bloom|opt|falcon|mistral|mixtral|qwen|deepseek|gemini"
    r"|gemma|megatron|bert|roberta|pythia|olmo|mpt|phi|yi|baichuan|glm|nemotron|grok|claude"
    r"|tinyllama|nanogpt|starcoder|stablelm|kimi|meta|google|openai|deepmind|anthropic|nvidia"
    r"|microsoft|bigscience|eleuther(?:ai)?|hugging ?face|kaplan|hoffmann|mosaic(?:ml)?|databricks"
    r"|alibaba|bytedance|moonshot|facebook|xai)"
)
_DID = (
    r"(?:used?|uses|was|were|is|are|took|takes|had|has|have|trained|trains|reports?|reported"
    r"|quotes?|quoted|says?|said|claims?|claimed|states?|stated|saw|needed|needs|did|got|burned"
    r"|burnt|spent|went|consumed|cost|lists?|gives?|gave|mentions?|mentioned|describes?|ran|shows?"
    r"|showed|reached|hit|wrote|talks?|recommends?|suggests?|put|published|goes|ended|finished)"
)
_SOURCE = r"(?:papers?|reports?|authors?|blog(?: posts?)?|posts?|articles?|literature|tech report)"
_OTHERS = re.compile(
    rf"\b{_NAMES}(?:'s)?(?: (?:team|people|folks|guys|{_SOURCE}|models?|run|technical|lab|one|et "
    rf"al\.?|N|B|[vr]?\d[\w.]*|{_NAMES}|large|base|chat|instruct|itself"
    rf"|alone))*,? (?:\w+ly )?{_DID}\b"
    rf"|\b(?:the|that|their|this|a|his|another)(?: [\w']+){{0,3}} {_SOURCE} (?:\w+ly )?{_DID}\b"
    rf"|(?<!as )(?<!like )(?<!than )(?<!same )\b(?:in|from|by) (?:the|their|that|this)(?: "
    rf"[\w']+){{0,3}} {_SOURCE}\b|\baccording to\b|\breportedly\b|\bi(?:'ve)? (?:read|heard)\b"
    rf"|\bwhat {_NAMES} (?:does|did|uses?|used)\b"
    rf"|\b(?:people|someone|somebody|(?:an)?other (?:team|group|lab|company)s?|a friend"
    rf"|colleagues?|competitors?) {_DID}\b"
    r"|\bthey (?:trained|used|report(?:ed)?|say|said|claim(?:ed)?|quoted?|published|wrote|spent)\b"
)
_ORIGIN = re.compile(
    r"\b(?:which|that) (?:has|had|have) B tokens (?:already|before|in it|behind it)\b"
    r"|\bthe (?:base|backbone|checkpoint)(?: model| checkpoint)? (?:had|saw|has"
    r"|was trained)\b[^;.]*|"
    r"\b(?:which|that) (?:has|had|have|was|were)(?: already| itself| been)* (?:seen|(?:pre "
    r"?)?trained)\b"
    rf"[^,;.]*|\btrained by {_NAMES}\b[^,;.]*"
    rf"|\b{_NAMES}\b(?: [NB]| [a-z]+){{0,2}} with (?:its|their) [^,;.]*"
)
"""How a model came about before the candidate had it."""
_SERVED = re.compile(
    r"(?<!not )\b(?:(?<!no )(?<!than )serv(?:ing|ed)|inference|vllm|decoding|rollouts?"
    r"|text generation|deployed|evaluat(?:ed|ing|ion)|benchmark(?:ed|ing)?)\b"
)
_OWN = re.compile(
    r"\b(?:i've|we've|we're|i'm|we|our|ours|us|i|my|mine)(?!['\w])"
    r"(?! (?:read|heard|know|believe|think|recall|remember|quote))"
)
_PART = re.compile(
    r"[,;]? (?=(?:but|whereas|while|in reality|in practice|in the end|however|instead)\b)"
    r"|(?:,| and)(?= (?:so |then )?(?:we|our|ours|i|my)\b)"
)
_PRONOUN = re.compile(r"^(?:and |so )?(?:they|their|it|its|that|this)\b")
_NEGATED = re.compile(
    r"(?:\bnot(?! only| just| more| less| counting)|n't|\bnever|\brather than|\binstead of"
    r"|\bas opposed to)\b(?:(?!\b(?:and|but|so|because|since|which|it's|when"
    r"|until)\b)[^,.;:!?]){0,25}$"
)
_NEGATION_REACH = 40


def real_stretches(sentences: Iterable[str]) -> Iterator[list[Span]]:
    """For each sentence in shorthand, the stretches in which a number is a claim."""
    supposed = of_others = False
    for text in sentences:
        real: list[Span] = []
        supposed = (supposed and not _OWN_PAST.search(text)) or bool(_SUPPOSED.search(text))
        of_others = of_others and bool(_PRONOUN.search(text))
        hypothetical = supposed or _is_question(text)
        for start, end in _parts(text):
            part = text[start:end]
            hypothetical = _is_hypothetical(text, part, hypothetical)
            of_others = (of_others or bool(_OTHERS.search(part))) and not _OWN.search(part)
            if not (hypothetical or of_others or _SERVED.search(part)):
                real += _without_origins(text, start, end)
        yield real


_OWN_PAST = re.compile(
    r"\b(?:in reality|actually|in practice)\b|\b(?:we|i) (?:had|used|trained|ran|did|got|spent)\b"
)


def _is_question(text: str) -> bool:
    return text.endswith("?") and not _TAG_QUESTION.search(text)


def _is_hypothetical(sentence: str, part: str, before: bool) -> bool:
    """A part keeps the mood of the part before it until a contrast ends it."""
    if _HYPOTHETICAL.search(part):
        return True
    if _INTENDED.search(part) and not _FULFILLED.search(sentence):
        return True
    return before and not _CONTRAST.search(part)


def _without_origins(text: str, start: int, end: int) -> Iterator[Span]:
    for origin in _ORIGIN.finditer(text, start, end):
        yield start, origin.start()
        start = origin.end()
    yield start, end


def _parts(text: str) -> Iterator[Span]:
    start = 0
    for cut in _PART.finditer(text):
        yield start, cut.end()
        start = cut.end()
    yield start, len(text)


def is_negated(text: str, place: int) -> bool:
    """The amount at ``place`` is what something was not."""
    return bool(_NEGATED.search(text[max(0, place - _NEGATION_REACH) : place]))
