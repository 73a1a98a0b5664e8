"""All claims of a session: which stand, which were given up, and which cannot be true together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from interviewer.grading.claims.arithmetic import contradictions
from interviewer.grading.claims.claim import Claim, Contradiction, Ledger, Measure
from interviewer.grading.claims.reading import read
from interviewer.grading.claims.runs import Runs
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.rubric.text import normalise

_GIVES_UP = re.compile(
    r"\b(?:take (?:that|it|this|those|them|the [\w ]{1,20}) back|forget (?:that|the|those|about)"
    r"|scrap that"
    r"|(?:don't|do not|can't|cannot|couldn't) (?:really |exactly |honestly )?(?:remember|recall)"
    r"|not sure (?:about|of) (?:that|the|those)|withdraw|(?:i'm|i am|i was|that's|that was|that is"
    r"|must be|must have been|probably) (?:\w+ )?(?:wrong|mistaken|off|confused|mixing"
    r"|misremember\w*)|misremember\w*|misspoke"
    r"|(?:mixed|mixing) (?:that|it|them|things|those|up)|strike that|scratch that|no idea)\b"
)
_NAMED = (
    (re.compile(r"\btok"), (Measure.TOKENS, Measure.DATASET_TOKENS)),
    (re.compile(r"\b(?:param|model size|size of the model)"), (Measure.PARAMETERS,)),
    (re.compile(r"\b(?:gpus?|cards?|nodes?|accelerators?)\b"), (Measure.GPUS,)),
    (
        re.compile(r"\b(?:days?|weeks?|months?|hours?|duration|how long|wall clock|time)\b"),
        (Measure.DURATION,),
    ),
    (re.compile(r"\bsteps\b"), (Measure.STEPS,)),
    (re.compile(r"\bbatch"), (Measure.BATCH_TOKENS, Measure.BATCH_SEQUENCES)),
    (re.compile(r"\b(?:mfu|utili[sz]ation)\b"), (Measure.MFU,)),
    (re.compile(r"\bepochs?\b"), (Measure.EPOCHS,)),
    (
        re.compile(r"\b(?:throughput|a second|per second)\b"),
        (Measure.THROUGHPUT, Measure.DEVICE_THROUGHPUT),
    ),
)
"""Words by which a number is given up on its own, and not all numbers of the sum."""


def ledger(turns: Sequence[Turn]) -> Ledger:
    """The claims of these turns, oldest first, as they stand after the last.

    Only the candidate's turns make claims. A number stated anew with words of correction, or in
    answer to a challenge by arithmetic, replaces the old one; "I take that back" in such an answer
    gives it up. Any other number that differs belongs to another run.
    """
    runs = Runs()
    challenged: tuple[Contradiction, ...] = ()
    for turn in turns:
        if turn.author == "examiner":
            if turn.kind is TurnKind.QUESTION:
                runs.new_question()
            is_sum = turn.kind is TurnKind.CHALLENGE and turn.target is None
            challenged = _cited(runs, turn.text) if is_sum else ()
        elif turn.kind is TurnKind.ANSWER:
            _answer(runs, turn, challenged)
    stated = (s.claim for run in runs.runs for s in run.statements)
    return Ledger(_in_order(stated), _in_order(runs.retracted), _found(runs))


def _answer(runs: Runs, turn: Turn, challenged: Sequence[Contradiction]) -> None:
    reading = read(turn.text, turn.number)
    runs.retracted += reading.withdrawn
    if challenged:
        runs.retract(_given_up(turn.text, challenged))
    corrects = reading.corrects or bool(challenged)
    about = challenged[0].claims[0] if challenged else None
    for passage in reading.passages:
        corrects = corrects and not passage.is_another
        runs.add(passage, corrects=corrects, about=about)


def _given_up(text: str, challenged: Sequence[Contradiction]) -> list[Claim]:
    """The claims of the sum that the answer takes back: those it names, or else all."""
    plain = normalise(text).text
    if not (match := _GIVES_UP.search(plain)):
        return []
    claims = [claim for contradiction in challenged for claim in contradiction.claims]
    near = plain[max(0, match.start() - 60) : match.end() + 60]
    named = {m for pattern, measures in _NAMED if pattern.search(near) for m in measures}
    return [claim for claim in claims if claim.measure in named] or claims


def _cited(runs: Runs, challenge: str) -> tuple[Contradiction, ...]:
    """The contradictions that the examiner's words state, or all there are."""
    found = _found(runs)
    return tuple(c for c in found if c.sentence in challenge) or found


def _found(runs: Runs) -> tuple[Contradiction, ...]:
    return tuple(dict.fromkeys(c for run in runs.runs for c in contradictions(run)))


def _in_order(claims: Iterator[Claim] | Sequence[Claim]) -> tuple[Claim, ...]:
    return tuple(dict.fromkeys(sorted(claims, key=lambda c: (c.turn, c.span, c.measure))))
