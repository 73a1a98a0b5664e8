"""Checks on every follow-up before it counts as asked; a failing one is replaced by the probe.

The checks are those of a structured interviewer: one short question, grounded in what was said,
new, neutral, and giving nothing away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interviewer.examiner.lexical import content_stems, shared_trigrams, words
from interviewer.examiner.protocol import Case, Move, MoveKind
from interviewer.grading.evidence import gives_orders
from interviewer.grading.quantities import quantities
from interviewer.grading.transcript import TurnKind
from interviewer.rubric.rubric import Criterion, Rubric

LEAST_WORDS, MOST_WORDS = 4, 45
REPEATED_FROM = 0.6
_QUOTED = re.compile(r"[“\"].*?[”\"]")
_LEADING = re.compile(
    r"^(isn't|aren't|wasn't|don't you|doesn't|wouldn't you|so you mean|would you agree)\b"
)
_VERDICT = re.compile(
    r"^(correct|right|wrong|yes|no|exactly|great|perfect|excellent|nice|good)\b"
    r"|\b(that's|you're|you are|it's|answer is) "
    r"(quite |not |partly |simply )?(correct|incorrect|right|wrong|mistaken)\b"
    r"|\b(well done|excellent|good (answer|point|job)|great (answer|point|job)|impressive|brilliant"
    r"|not quite)\b"
)
_SYSTEM_TEXT = re.compile(
    r"[{}]|\b(rubric|criteri(on|a)|weight \d|must_have|verdict|system prompt|as an ai)\b"
    r"|<\|?\w+\|?>"
)
_STACKED = re.compile(r"\band also\b.*\?|\badditionally\b.*\?")


def objections(text: str, case: Case, move: Move) -> tuple[str, ...]:
    """Why the utterance may not stand, empty if it may.

    Hints and tellings are the rubric's own words and are not checked here.
    """
    if move.kind in (MoveKind.HINT, MoveKind.TELL):
        return ()
    return tuple(_objections(text, case, move))


def _objections(text: str, case: Case, move: Move) -> Iterator[str]:
    spoken = _QUOTED.sub(" ", text)
    plain = " ".join(words(spoken))
    if spoken.count("?") != 1 or _STACKED.search(spoken.lower()):
        yield "it does not ask exactly one question"
    if not LEAST_WORDS <= len(words(text)) <= MOST_WORDS:
        yield "its length is off"
    if _LEADING.search(plain):
        yield "it leads"
    if _VERDICT.search(plain) and case.exam:
        yield "it passes judgement"
    if _SYSTEM_TEXT.search(spoken.lower()):
        yield "it speaks of the grading"
    if gives_orders(text):
        yield "it repeats an instruction"
    if shared_trigrams(text, _asked_before(case)) >= REPEATED_FROM:
        yield "it was asked before"
    if leaks := leaked_stems(text, case, move):
        yield f"it gives away {', '.join(sorted(leaks))}"


def _asked_before(case: Case) -> tuple[str, ...]:
    return tuple(t.text for t in case.turns if t.author == "examiner" and t.kind != TurnKind.HINT)


def leaked_stems(text: str, case: Case, move: Move) -> frozenset[str]:
    """Stems and numbers that only the answer key holds and that nobody has said yet."""
    rubric = case.rubric
    targets = [c for c in rubric.criteria if move.target in (None, c.id)]
    secret = content_stems(" ".join(_secrets(targets)))
    public = content_stems(" ".join(_public(rubric, case)))
    leaked = (content_stems(text) & secret) - public - _COMMON
    known_numbers = {q.value for part in _public(rubric, case) for q in quantities(part)}
    numbers = {f"{q.value:g}" for q in quantities(text) if q.value not in known_numbers}
    secret_numbers = {f"{q.value:g}" for part in _secrets(targets) for q in quantities(part)}
    return leaked | (numbers & secret_numbers)


def _secrets(criteria: list[Criterion]) -> list[str]:
    return [part for c in criteria for part in (c.claim, *c.accept)]


def _public(rubric: Rubric, case: Case) -> list[str]:
    """All that may be said freely: the question, what was said so far, the neutral probes."""
    probes = [criterion.probe for criterion in rubric.criteria]
    return [rubric.question, *rubric.escalations, *probes, *(turn.text for turn in case.turns)]


_COMMON = content_stems(
    "model training train step data loss number value set size change run choose chose measure "
    "effect reason happen result example work compute time cost memory token different part first "
    "second large small point answer question explain"
)
