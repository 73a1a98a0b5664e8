"""The claims of a session: which stand, which were retracted, which cannot all be true."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from interviewer.grading.claims.account import Account, is_of_one_run, without_rivals
from interviewer.grading.claims.circumstances import Circumstance
from interviewer.grading.claims.claim import (
    PARTS,
    Claim,
    Contradiction,
    Ledger,
    Measure,
    Passage,
    Statement,
)
from interviewer.grading.claims.engine import Conflict, Fact, conflicts, facts_of
from interviewer.grading.claims.meanings import Unit
from interviewer.grading.claims.reported.in_quotes import amounts_in
from interviewer.grading.claims.reported.record import ReadClaims, as_parsed
from interviewer.grading.claims.rules.reading import ParsedClaims, parse_claims
from interviewer.grading.claims.run import SAME, Run
from interviewer.grading.claims.sentences import bounded, contradiction, is_told_in
from interviewer.grading.claims.wording import stated
from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.grading.transcript import Turn, TurnKind

_CORRECTED_AT_ONCE = 2
"""A correction after a new question covers at most this many numbers; more mean another run."""
_SIZES = (Measure.PARAMETERS, Measure.ACTIVE_PARAMETERS)
NOTHING_READ: Mapping[int, ReadClaims] = MappingProxyType({})


class Runs:
    """The runs mentioned so far, built passage by passage; numbers of different runs never mix.

    A passage joins the run of the same model size, or without a size the last one mentioned. It
    opens a new run if it states a different value or stage of training, says that it is about
    another run, or is in doubt: general remarks on one question never join a run from another.
    """

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self.retracted: list[Claim] = []
        self.accounts: dict[int, Account] = {}
        """How the turns that rules have read were told."""
        self.question = 0
        self._latest: int | None = None
        self._since_question: set[int] = set()
        self._labels: dict[str, int] = {}

    def new_question(self) -> None:
        """From here on a passage without a size or reference joins no run from before."""
        self.question += 1
        self._since_question = set()

    def add(self, passage: Passage, *, corrects: bool, about: Claim | None = None) -> None:
        """Add the passage to its run. A correction replaces values instead of opening a run.

        ``about`` is a claim of the run that the passage responds about, if it does.
        """
        if not (passage.statements or passage.circumstances or passage.withdrawn):
            return
        if passage.label:
            self._add_labelled(passage, corrects=corrects, about=about)
            return
        corrects = corrects and (about is not None or not self._is_of_another_size(passage))
        index = self._run_with(about) if about and corrects else self._home_of(passage, corrects)
        self._join(index, passage, corrects=corrects)

    def names(self) -> tuple[str, ...]:
        """A name for each run: its label, or a number."""
        labels = {index: label for label, index in self._labels.items()}
        return tuple(labels.get(i, f"run {i + 1}") for i in range(len(self.runs)))

    def _add_labelled(self, passage: Passage, *, corrects: bool, about: Claim | None) -> None:
        """Add a passage that says which run it is about; the values that it replaces go."""
        names = self.names()
        index = names.index(passage.label) if passage.label in names else None
        is_count = any(s.claim.measure in PARTS for s in passage.statements)
        if index is None and corrects and about and not is_count:
            index = self._run_with(about)
        latest = self._latest
        if index is not None:
            self._take_back(index, passage)
        index = self._join(index, passage, corrects=corrects)
        self._labels.setdefault(passage.label, index)
        if is_count and latest is not None:  # what follows is not about the counts
            self._latest = latest

    def _take_back(self, index: int, passage: Passage) -> None:
        """Remove what the passage replaces or withdraws from what the run said before."""
        run = self.runs[index]
        gone = [
            s.claim
            for s in run.statements
            if s.claim.measure in passage.replaces
            or any(
                s.claim.measure is each.measure and _holds((s.claim.value,), each.value)
                for each in passage.withdrawn
            )
        ]
        self.retracted += gone
        kept = tuple(s for s in run.statements if s.claim not in gone)
        self.runs[index] = replace(run, statements=kept)

    def _join(self, index: int | None, passage: Passage, *, corrects: bool) -> int:
        """Add the passage to this run, None for a new one; gives the run's place."""
        if index is None:
            self.runs.append(Run())
            index = len(self.runs) - 1
        run = self.runs[index]
        if corrects:
            run = self._without_replaced(run, passage)
        self.runs[index] = replace(
            run,
            statements=(*run.statements, *passage.statements),
            circumstances=run.circumstances | passage.circumstances,
            stage=passage.stage or run.stage,
            is_own=run.is_own or passage.is_own,
        )
        if not all(s.claim.measure in PARTS for s in passage.statements):
            self._latest = index
        self._since_question.add(index)
        return index

    def retract(self, claims: Sequence[Claim]) -> None:
        """Remove these claims from their runs."""
        for index, run in enumerate(self.runs):
            kept = tuple(s for s in run.statements if s.claim not in claims)
            self.retracted += [s.claim for s in run.statements if s.claim in claims]
            self.runs[index] = replace(run, statements=kept)

    def _run_with(self, claim: Claim) -> int | None:
        for index, run in enumerate(self.runs):
            if any(statement.claim == claim for statement in run.statements):
                return index
        return self._latest

    def _is_of_another_size(self, passage: Passage) -> bool:
        """It gives another size and more numbers: another run, not a corrected size."""
        sizes = _values(passage.statements, *_SIZES)
        if not sizes or self._latest is None or len(passage.statements) == len(sizes):
            return False
        known = _values(self.runs[self._latest].statements, *_SIZES)
        return bool(known) and not any(_holds(known, size) for size in sizes)

    def _home_of(self, passage: Passage, corrects: bool) -> int | None:
        sizes = _values(passage.statements, *_SIZES)
        candidates = [
            index
            for index in reversed(range(len(self.runs)))
            if self._may_join(index, passage, corrects)
        ]
        if sizes and not corrects:
            named = [i for i in candidates if _values(self.runs[i].statements, *_SIZES)]
            if named:
                return named[0]
        if passage.is_another and not corrects:
            return None
        if self._latest in candidates and (
            len(self.runs) == 1 or self._latest in self._since_question or passage.refers_back
        ):
            return self._latest
        return None

    def _may_join(self, index: int, passage: Passage, corrects: bool) -> bool:
        run = self.runs[index]
        is_far = index not in self._since_question
        if corrects and is_far and len(passage.statements) > _CORRECTED_AT_ONCE:
            return False
        if is_far and not (corrects or passage.refers_back or (run.is_own and passage.is_own)):
            return False
        if _is_served(run) is not _is_served(passage) or _has_parts(run) or _has_parts(passage):
            return False
        if run.stage and passage.stage and run.stage is not passage.stage:
            return False
        return corrects or not _differs(run.statements, passage.statements)

    def _without_replaced(self, run: Run, passage: Passage) -> Run:
        """The run without the values that the passage restates."""
        values = {
            s.claim.measure: _values(passage.statements, s.claim.measure)
            for s in passage.statements
        }
        replaced = [
            s.claim
            for s in run.statements
            if s.claim.measure in values and not _holds(values[s.claim.measure], s.claim.value)
        ]
        self.retracted += replaced
        kept = tuple(s for s in run.statements if s.claim not in replaced)
        return replace(run, statements=kept)


def _is_served(said: Run | Passage) -> bool:
    return Circumstance.FORWARD_ONLY in said.circumstances


def _has_parts(said: Run | Passage) -> bool:
    """It holds a group of numbers of one sentence, which concern no other."""
    return any(statement.claim.measure in PARTS for statement in said.statements)


def _values(statements: Sequence[Statement], *measures: Measure) -> list[float]:
    """The distinct values of the measures, in ascending order."""
    return sorted({s.claim.value for s in statements if s.claim.measure in measures})


def _differs(run: Sequence[Statement], passage: Sequence[Statement]) -> bool:
    """For some measure, the passage has none of the run's values."""
    for measure in {s.claim.measure for s in passage}:
        known = _values(run, measure)
        if known and not any(_holds(known, value) for value in _values(passage, measure)):
            return True
    return False


def _holds(ascending: Sequence[float], value: float) -> bool:
    """One of the values equals this one within rounding."""
    at = bisect_left(ascending, value)
    return any(
        abs(value - near) <= SAME * max(value, near) for near in ascending[max(0, at - 1) : at + 1]
    )


_GIVES_UP = re.compile(
    r"\b(?:take (?:that|it|this|those|them|the [\w ]{1,20}) back|forget (?:that|the|those|about)"
    r"|scrap that|(?:don't|do not|can't|cannot|couldn't) (?:really |exactly |honestly )?(?:remember"
    r"|recall)|not sure (?:about|of) (?:that|the|those)|withdraw|(?:i'm|i am|i was|that's|that was"
    r"|that is|must be|must have been|probably) (?:\w+ )?(?:wrong|mistaken|off|confused|mixing"
    r"|misremember\w*)|misremember\w*|misspoke|(?:mixed|mixing) (?:that|it|them|things|those|up)"
    r"|strike that|scratch that|no idea)\b"
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
"""Words that limit a retraction to these measures, not all in the contradiction."""


def ledger(turns: Sequence[Turn], read: Mapping[int, ReadClaims] = NOTHING_READ) -> Ledger:
    """The claims of these turns, oldest first, as they stand after the last.

    ``read`` is what a model read in turns, by their numbers; the others are read by rules.
    """
    runs = runs_of(turns, read)
    stated = (s.claim for run in runs.runs for s in run.statements)
    return Ledger(_in_order(stated), _in_order(runs.retracted), _found(runs))


def runs_of(turns: Sequence[Turn], read: Mapping[int, ReadClaims] = NOTHING_READ) -> Runs:
    """The runs that these turns are about, as they stand after the last.

    Only the candidate's turns make claims. A number restated with words of correction, or in answer
    to a consistency challenge, replaces the old one; "I take that back" in such an answer retracts
    it. Any other number that differs belongs to another run.
    """
    runs = Runs()
    challenged: tuple[Contradiction, ...] = ()
    for turn in turns:
        if turn.author == "examiner":
            if turn.kind is TurnKind.QUESTION:
                runs.new_question()
            is_arithmetic = turn.kind is TurnKind.CHALLENGE and turn.target is None
            challenged = _cited(runs, turn.text) if is_arithmetic else ()
        elif turn.kind is TurnKind.ANSWER:
            if theirs := read.get(turn.number):
                parsed = as_parsed(theirs, turn)
            else:
                parsed = parse_claims(turn.parsed, turn.number)
                runs.accounts[turn.number] = replace(parsed.account, question=runs.question)
            _answer(runs, turn, parsed, challenged)
    return runs


def _answer(
    runs: Runs, turn: Turn, parsed: ParsedClaims, challenged: Sequence[Contradiction]
) -> None:
    runs.retracted += parsed.withdrawn
    if challenged:
        runs.retract(_given_up(turn.parsed, challenged))
    corrects = parsed.corrects or bool(challenged)
    about = challenged[0].claims[0] if challenged else None
    for passage in parsed.passages:
        corrects = corrects and not passage.is_another
        runs.add(passage, corrects=corrects, about=about)


def _given_up(answer: ParsedAnswer, challenged: Sequence[Contradiction]) -> list[Claim]:
    """The challenged claims that the answer takes back: those it names, or else all."""
    plain = answer.plain.text
    if not (match := _GIVES_UP.search(plain)):
        return []
    claims = [claim for contradiction in challenged for claim in contradiction.claims]
    near = plain[max(0, match.start() - 60) : match.end() + 60]
    named = {m for pattern, measures in _NAMED if pattern.search(near) for m in measures}
    return [claim for claim in claims if claim.measure in named] or claims


def _cited(runs: Runs, challenge: str) -> tuple[Contradiction, ...]:
    """The contradictions stated in the examiner's words, or else all there are."""
    found = _found(runs)
    return tuple(c for c in found if is_told_in(c, challenge)) or found


def _found(runs: Runs) -> tuple[Contradiction, ...]:
    stated = [statement.claim for run in runs.runs for statement in run.statements]
    return tuple(
        dict.fromkeys(
            _contradiction(conflict)
            for run in runs.runs
            for conflict in conflicts(without_rivals(run, runs.accounts))
            if is_of_one_run(conflict, run, stated, runs.accounts)
        )
    )


def contradictions(run: Run) -> Iterator[Contradiction]:
    """What cannot be true together in this run, the plainest first."""
    return map(_contradiction, conflicts(run))


def _contradiction(conflict: Conflict) -> Contradiction:
    names = tuple(relation.name for relation in conflict.relations)
    return Contradiction(names, contradiction(conflict), conflict.claims)


def _in_order(claims: Iterator[Claim] | Sequence[Claim]) -> tuple[Claim, ...]:
    return tuple(dict.fromkeys(sorted(claims, key=lambda c: (c.turn, c.span, c.measure))))


# What is told of it


_SMALL = 2
"""Number words up to here are mostly no figures."""


@dataclass(frozen=True)
class KnownRun:
    """A run by its name, with its figures ("duration: 9 days") and the devices named with them."""

    name: str
    figures: tuple[str, ...]
    devices: tuple[str, ...] = ()


def known_runs(
    turns: Sequence[Turn], read: Mapping[int, ReadClaims] = NOTHING_READ
) -> tuple[KnownRun, ...]:
    """The runs that these turns are about; counts of single sentences are none."""
    runs = runs_of(turns, read)
    return tuple(
        KnownRun(
            name,
            tuple(f"{s.claim.measure.value}: {stated(s.claim)}" for s in run.statements),
            tuple(dict.fromkeys(s.device.name for s in run.statements if s.device)),
        )
        for name, run in zip(runs.names(), runs.runs, strict=True)
        if run.statements and not any(s.claim.measure in PARTS for s in run.statements)
    )


def holds_numbers(turn: Turn) -> bool:
    """There is something to read in the turn: more than "one of them" or "two things"."""
    answer = turn.parsed
    if any(not n.is_spoken or n.scale or n.value > _SMALL for n in answer.numerals):
        return True
    return bool(answer.numerals) and any(
        amounts_in(answer, (0, len(answer.plain.text)), unit) for unit in (Unit.TIME, Unit.BYTES)
    )


@dataclass(frozen=True)
class Derived:
    """What a relation made of claims: a quantity, its value, and the value in words."""

    relation: str
    measure: Measure
    value: float
    words: str


def relations_entered(runs: Iterable[Run]) -> Mapping[Claim, tuple[Derived, ...]]:
    """For each claim, what the relations that took it as it was stated gave, plainest first."""
    found: dict[Claim, dict[tuple[str, Measure], Derived]] = defaultdict(dict)
    for run in runs:
        derived = [fact for facts in facts_of(run).values() for fact in facts]
        for fact in sorted(derived, key=_plainness):
            if fact.relation is None or not fact.relation.says:  # some go without saying
                continue
            gave = Derived(fact.relation.name, fact.measure, fact.value, bounded(fact))
            for claim in _taken(fact):
                found[claim].setdefault((gave.relation, gave.measure), gave)
    return {claim: tuple(each.values()) for claim, each in found.items()}


def _plainness(fact: Fact) -> tuple[bool, int, int]:
    """What a product of figures gave comes before mere limits and divisions."""
    is_limit = fact.low <= 0 or math.isinf(fact.high)
    return is_limit, fact.divisions, len(fact.claims)


def _taken(fact: Fact) -> Iterable[Claim]:
    stated = (claim for each in fact.inputs if each.relation is None for claim in each.claims)
    return dict.fromkeys((*stated, *fact.given))
