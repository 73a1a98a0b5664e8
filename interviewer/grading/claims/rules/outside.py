"""Numbers that a sentence states, but not of the run: of a node, a day, a test set, all runs."""

from __future__ import annotations

import re

from interviewer.grading.claims.claim import Measure

_AMOUNT = "NBTHMPDWF"
_NEAR = rf"[^{_AMOUNT}.;:!?]{{0,25}}"
_MACHINE = r"(?:nodes?|box(?:es)?|servers?|machines?|clusters?|racks?|pods?|instances?)"
_MANY = (
    r"(?:runs|trials|attempts|experiments|ablations|rungs|rounds|pilots|seeds|jobs|variants|configs"
    r"|models|sweeps|tries)"
)
_ALL = rf"(?:(?:all|both)(?: (?:of )?(?:the|our|these|those|N))* {_MANY}|both|the N {_MANY})"
_THEM = r"(?:all|the whole lot)(?: N)?(?: of (?:them|these|those))?"
_SAME_THING = r"(?:[HDF],? (?:or |so |i\.e\. |= ?|about |roughly )?)*"
""" "All of them 540 GPU hours, $750"."""
_ONE_OF_THEM = re.compile(
    rf"\b(?:one|N|each)(?: of them)? (?:is|was|took|takes|costs?|ran)\b|\bN {_MANY}\b"
)
_OF_THEM = re.compile(rf"\b{_THEM}{_NEAR}{_SAME_THING}$")
_OF_ALL = re.compile(
    rf"\b(?:(?<!with ){_ALL}|(?:with|after|over) (?:all )?N {_MANY}|N {_MANY}"
    rf"[^{_AMOUNT}.;]{{0,12}}(?:in (?:all|total|sum)|together|altogether|all in))"
    rf"{_NEAR}{_SAME_THING}$"
)
_FOR_ALL = re.compile(rf"^(?: in total| together| altogether)? (?:for|over|across) {_ALL}\b")
_REGULAR = re.compile(
    r"^(?:/| ?(?:a|per|each|every) ?)(?:day|week|month|quarter|yr|year|question|query|request|user)"
    r"|^,? (?:daily|weekly|monthly|yearly|annually)\b"
)
_OF_A_MACHINE = re.compile(
    rf"^{_NEAR}\b(?:for|of) (?:the|a|an|N|each|every)(?: whole| entire| full)? {_MACHINE}\b"
    rf"|^(?:/| ?(?:a|per) ?){_MACHINE}\b"
)
_MACHINE_AT = re.compile(
    rf"\b(?:a|the|each|every|per|whole|entire|N)(?: N| G)* {_MACHINE}(?: (?:of|with) N(?: G)?)? "
    r"(?:(?:is |was )?at|is|was|for|costs?|rents? (?:for|at)|goes for)(?: us)?"
    r"(?: about| roughly)? $"
)
_OF_A_WORKER = re.compile(
    rf"^{_NEAR}\b(?:per|a|each|every|(?:on|for) (?:a|N|one|each|every)) (?:single )?(?:cpu )?"
    r"(?:cores?|workers?|process(?:es)?|threads?|cpus?|users?|streams?)\b"
)
_TESTED = r"(?:held[- ]out|hold ?out|test|validation|eval(?:uation)?|dev|benchmark|probe)"
_IS_TESTED = re.compile(rf"^(?: (?:[a-z]+))? {_TESTED}\b")
_TESTED_ON = re.compile(
    rf"\b(?:held out|set aside|evaluat\w+ on|test(?:ed|ing)? on|spot[- ]?check\w*"
    rf"|{_TESTED} (?:set|split|sample)s?(?: of| has| had| with| was|,)*)(?: the| a| another)? $"
)
_PRICED_AS = re.compile(r"\b(?:the (?:price|cost|equivalent|salary) of|as (?:much|many|long) as) $")
_PHASE = re.compile(
    r"\b(?:updates?|(?:training|learning|optimi[sz]er|backward|forward|policy|critic) (?:part|phase"
    rf"|half|side|pass)|reference|weight sync|sync(?:ing)?|scoring)\b{_NEAR}$"
)
_GENERATING = re.compile(r"\b(?:rollouts?|generat\w+|sampling|completions?|vllm)\b")
_A_STEP = re.compile(
    r"\b(?:(?:micro|mini)?[ -]?(?:steps?|batch\w*)|updates?|iterations?|a time|at once|gbs)\b"
    rf"|\b(?:each|every|per)[^{_AMOUNT}.;:!?,]{{0,15}} B"
    r"|B(?: tok\w*)? ?(?:/|each\b|per\b|every\b|a\b)"
)
_NEEDED = r"(?:needs?|needed|takes?|took|does|did|finish(?:es|ed)|manage[sd]?|gets?|got|ran|runs)"
_SETUPS = re.compile(
    r"\b(?P<by>on|with)(?: an?| the)? N(?: M)? (?:gpus?|cards?|devices?)\b[^.;!?]*?\b(?P=by) N"
    r"(?= (?:gpus?|cards?|devices?|of them|it|that|N)\b| ?[TPD]|[,.]|$)"
    rf"|\bN(?: M)? (?:gpus?|cards?|devices?) {_NEEDED}\b[^.;!?]*?\bN"
    rf"(?=(?: gpus?| cards?| devices?| of them)? {_NEEDED}\b)"
)
"""Setups held against each other ("on one GPU 30 minutes, on four 11"), none of them the run's."""
_ADDED = (Measure.DEVICE_TIME, Measure.COST, Measure.RUN_FLOPS, Measure.DURATION)
_EXAMPLES = (Measure.EXAMPLES, Measure.TOKENS, Measure.DATASET_TOKENS, Measure.PROMPTS)


def is_outside(text: str, measure: Measure, place: int, before: str) -> bool:
    """The amount at ``place`` of a sentence in shorthand is none of the run's.

    ``before`` is what was said ahead of the sentence.
    """
    ahead, behind = text[:place], text[place + 1 :]
    if _PRICED_AS.search(ahead):
        return True
    if measure is Measure.GPUS:
        return any(found.start() <= place < found.end() for found in _SETUPS.finditer(text))
    if measure is Measure.COST and _REGULAR.search(behind):
        return True
    if measure is Measure.PRICE:
        return bool(_OF_A_MACHINE.search(_without_unit(behind)) or _MACHINE_AT.search(ahead))
    if measure in _EXAMPLES:
        return bool(_IS_TESTED.search(behind) or _TESTED_ON.search(ahead))
    if measure in _ADDED:
        is_of_them = _OF_THEM.search(ahead) and _ONE_OF_THEM.search(before + ahead)
        return bool(is_of_them or _OF_ALL.search(ahead) or _FOR_ALL.search(behind))
    if measure is Measure.THROUGHPUT:
        return bool(_OF_A_WORKER.search(behind))
    if measure is Measure.STEP_TIME:
        return bool(_PHASE.search(ahead) and _GENERATING.search(before + text))
    return measure is Measure.BATCH_TOKENS and not _A_STEP.search(text)


def _without_unit(behind: str) -> str:
    """What follows "D/h" or "D an hour"."""
    return re.sub(r"^(?:/| ?(?:a|an|per|each|every) ?)(?:h|hr|hour)\b", "", behind)
