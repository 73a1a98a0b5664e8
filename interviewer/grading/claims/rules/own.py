"""Whose numbers they are: which sentences speak of a run that the candidate made."""

from __future__ import annotations

import re
from collections.abc import Collection

from interviewer.grading.claims.circumstances import NAMES
from interviewer.grading.claims.claim import Claim, Measure
from interviewer.grading.claims.hardware import DEVICE, device_of
from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.rubric.text import Span

_ANCHOR = re.compile(
    r"\b(?:our|my) own\b|\b(?:at|in|on) (?:my|our) (?:last|previous|old|current|former|first|real"
    r"|actual)?\s?(?:company|job|lab|team|employer|project|place|startup|group|phd|internship"
    r"|thesis|production|work|run|training)\b|\bin (?:reality|practice|production)\b|\blast year\b"
    r"|\bfor real\b|\bwhen (?:we|i) (?:actually )?(?:pre-?)?(?:trained|ran|did|built)\b"
)
"""Says that this is no exercise."""
_RAN = re.compile(
    r"\b(?:we|i)(?:'ve)? (?:(?:\w+ly|once|then|also|have|had|even) )?(?:(?:pre|re)-?trained"
    r"|trained|fine-?tuned|ran|rented|launched)\b"
    r"|\b(?:we|i) (?:\w+ly )?had (?:\S+ ){1,4}?(?:gpus?|cards|nodes|[abhv]\d{2,3}0?s?|tpus?)\b"
)
_OWN_THING = re.compile(
    r"\b(?:our|my)(?: own)?(?: [\w.]+){0,2} (?:runs?|training|pretraining|project|job|model"
    r"|[\d.]+b)\b.*\b(?:was|were|had|did|took|ran|used|got|saw|went|spent|reached|\w\w+ed)\b"
)
_GOES_ON = re.compile(
    r"^(?:and |but |then )?(?:it|that|this|that run|the run|the training|the model|we|i|our|my"
    r")(?:'d)? (?:\w+ )?(?:was|were|had|did|took|ran|used|got|saw|went|spent|gave|reached|made"
    r"|\w\w+ed)\b"
)
_WORKED_OUT = re.compile(
    r"\b(?:so|hence|thus|therefore|gives?|makes|equals?|divid\w+|multipl\w+|assum\w+|estimat\w+"
    r"|calculat\w+|comput(?:e|ed|ing)|work(?:ed|ing)? out|the (?:sum|numbers|formula|question"
    r"|exercise|task)|flops?|flop/s|given|times|6nd|6 ?n ?d)\b|="
)
_SUPPOSED = re.compile(
    r"\b(?:suppos(?:e|ing)|imagine|hypothetical\w*|assum(?:e|ing)|say we|let's|if|consider|take)\b"
)
_NOT_OWN = re.compile(
    r"\b(?:you(?! know)|your|people|someone|somebody|they|their|typical(?:ly)?|usual(?:ly)?"
    r"|generally|normally|in general|commonly|by default|for example|for instance|e\.g\.|will"
    r"|let's say|(?:i|we)'d (?:run|put|need|use|take|go|want|train|have|get|set|expect|pick|start)"
    r"|(?:an)?other (?:team|lab|group|company|people)|colleagues?|friends?|competitors?|vendors?"
    r"|told (?:us|me)|start(?:ed|ing)? from|checkpoint\b.*\b(?:seen|saw)"
    r"|one (?:uses|needs|takes|trains|runs|gets|can|should|has))\b"
)
_BY_NAME = re.compile(rf"\b{NAMES}\b")
_FIRST_PERSON = re.compile(
    r"\b(?:we|i|our|my|us|ours|mine)\b(?! (?:know|think|believe|recall|remember|read|heard|guess))"
)
_ROUGH = re.compile(r"\bbetween\b.*\band\b|\bor maybe\b")
_PRESENT = re.compile(
    r"\b(?:is|are|takes?|needs?|requires?|costs?|has|have|gives?|makes?|uses?|can|should|trains?"
    r"|runs|gets?|sees?|say|consider)\b"
)


def own_part(answer: ParsedAnswer, given: Collection[float]) -> str:
    """The answer to an exercise with all but the sentences on real runs of one's own blanked.

    Places stay as they are. ``given`` are the examiner's numbers: a sentence that repeats one of
    them speaks of the exercise, unless it says that it does not.
    """
    kept = [" "] * len(answer.text)
    is_own = is_supposed = False
    for sentence in answer.sentences:
        text = answer.plain.text[slice(*sentence)]
        anchored = bool(_ANCHOR.search(text))
        is_supposed = (is_supposed or bool(_SUPPOSED.search(text))) and not anchored
        speaks = _RAN.search(text) or _OWN_THING.search(text) or (is_own and _GOES_ON.search(text))
        is_own = (
            bool(speaks)
            and not (is_supposed or _WORKED_OUT.search(text) or _NOT_OWN.search(text))
            and (anchored or not _repeats(answer, sentence, given))
        )
        if is_own:
            start, end = answer.plain.original_span(*sentence)
            kept[start:end] = answer.text[start:end]
    return "".join(kept)


def _repeats(answer: ParsedAnswer, sentence: Span, values: Collection[float]) -> bool:
    start, end = sentence
    return any(n.value in values for n in answer.numerals if start <= n.span[0] < end)


def is_doubtful(answer: ParsedAnswer, claim: Claim) -> bool:
    """The sentence around this claim is general, rough, or about others or the future.

    A count of devices is also in doubt if the answer names several types, and the count none.
    """
    text = _around(answer, claim.span)
    if _NOT_OWN.search(text) or _ROUGH.search(text):
        return True
    if claim.measure is Measure.GPUS and not _devices(claim.text.lower()):
        return len(_devices(answer.plain.text)) > 1
    return bool(_BY_NAME.search(text)) and not _FIRST_PERSON.search(text)


def _devices(text: str) -> set[str]:
    return {device_of(match).name for match in DEVICE.finditer(text)}


def is_report(answer: ParsedAnswer, claim: Claim) -> bool:
    """The sentence around this claim may report a run: nothing in it is in the present tense."""
    return not _PRESENT.search(_around(answer, claim.span))


def _around(answer: ParsedAnswer, span: Span) -> str:
    for sentence in answer.sentences:
        start, end = answer.plain.original_span(*sentence)
        if start <= span[0] < end:
            return answer.plain.text[slice(*sentence)]
    return ""
