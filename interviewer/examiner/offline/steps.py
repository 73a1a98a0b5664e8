"""Points whose order counts: half of such a point is what is said, half is where it is said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.grading.transcript import Turn
from interviewer.grading.verdicts import Finding
from interviewer.rubric.patterns import occurrences
from interviewer.rubric.rubric import Criterion, Step, Verdict

_TURNED = re.compile(
    r"\b(?:after|before|once|unless|until|last|right away|only (?:if|when|then))\b"
)
"""In "offload only after sharding" the later step is named first, and rightly so."""


def ordered(finding: Finding, criterion: Criterion, turns: Sequence[Turn]) -> Finding:
    """The finding; half of it where a point was made without its steps in their order."""
    made = finding.verdict is Verdict.MET and criterion.steps
    if not made or in_order(criterion.steps, [turn.parsed.read for turn in turns]):
        return finding
    missing, doubt = "Not all its steps in their order.", "its steps may be worded otherwise"
    half = replace(finding, verdict=Verdict.PARTIAL, missing=missing, vague=True)
    return replace(half, doubt=doubt, alternative=Verdict.MET)


def in_order(steps: Sequence[Step], answers: Sequence[str]) -> bool:
    """Each step is said after the one before it, or all are, and words tell the order."""
    said = ParsedAnswer("\n".join(answers))
    text, at = said.plain.text, -1
    places = [[a for each in step.patterns for a, _ in occurrences(each, text)] for step in steps]
    for step in places:
        at = min((place for place in step if place > at), default=len(text))
    told = [text[a:b] for a, b in said.sentences for step in places for p in step if a <= p < b]
    return at < len(text) or (all(places) and any(map(_TURNED.search, told)))
