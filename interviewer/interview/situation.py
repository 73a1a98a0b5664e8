"""A question after the candidate's latest turn: what is open, what was tried, what may come."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import pairwise

from interviewer.examiner.listening import commits, is_off_topic
from interviewer.examiner.moves import (
    BenchChallenge,
    Challenge,
    Close,
    CloseReason,
    Drill,
    Escalate,
    FollowUp,
    Hint,
    PinDown,
    Probe,
    Tell,
    target_of,
)
from interviewer.grading.score import credit, standing
from interviewer.grading.transcript import DialogueAct, Turn, TurnKind
from interviewer.grading.verdicts import CriterionVerdict, Flag
from interviewer.interview.consistency import Numbers
from interviewer.interview.events import Mode
from interviewer.interview.state import QuestionState
from interviewer.rubric.rubric import Criterion, Further, Rubric, Verdict

TRIES_PER_CRITERION = 2
"""Questions towards one criterion; help, clarifications and most drills are no tries."""
DRILLS = {True: 2, False: 1}
"""The most drills of a question, in a round that drills and in another."""
OWN_WORK = ("experience", "number")


class Status(StrEnum):
    """The state of a criterion."""

    CONTRADICTED = "contradicted"
    VAGUE = "vague"
    OPEN = "open"
    LEFT = "left"
    """Asked about often enough, told, or not to be judged."""
    MET = "met"


_MOST_URGENT = (Status.CONTRADICTED, Status.VAGUE, Status.OPEN, Status.LEFT)


@dataclass(frozen=True)
class Caps:
    """Limits of a round.

    ``follow_ups`` is the most that is said about one question after asking it, hints and offers
    included. Only leading back and clarifying are free, once each, and explanations in practice.
    With ``drills``, own work and its figures are asked about before definitions. With ``guides``, a
    hint is offered as soon as a question brought nothing, and one missed point is added at the end.
    """

    follow_ups: int
    drills: bool = False
    guides: bool = False


@dataclass(frozen=True)
class NextMove:
    """The move that is due, and the kinds that an examiner may propose in its place."""

    move: FollowUp | Close
    instead: frozenset[TurnKind] = frozenset()


def standings(question: QuestionState) -> dict[str, CriterionVerdict]:
    """The verdict that counts for each criterion judged so far."""
    histories: dict[str, list[CriterionVerdict]] = {}
    for judged in question.judged:
        for verdict in judged.verdicts:
            histories.setdefault(verdict.criterion, []).append(verdict)
    return {criterion: standing(history) for criterion, history in histories.items()}


def status_of(question: QuestionState, criterion: Criterion) -> Status:
    """The criterion's status; LEFT if it was read and not judged, as asking again is blind."""
    verdict = standings(question).get(criterion.id)
    if verdict and verdict.verdict is Verdict.MET:
        return Status.MET
    if _tries(question, criterion) >= TRIES_PER_CRITERION or was_told(question, criterion):
        return Status.LEFT
    if verdict is None:
        asks = not question.judged or criterion.id in question.judged[-1].unread
        return Status.OPEN if asks else Status.LEFT
    if verdict.verdict is Verdict.CONTRADICTED:
        return Status.CONTRADICTED
    if verdict.verdict is Verdict.PARTIAL or verdict.vague:
        return Status.VAGUE
    return Status.LEFT if _tries(question, criterion) else Status.OPEN


EXERCISES = frozenset({"estimation", "derivation", "pseudocode"})
"""Kinds of question whose numbers are given or derived: no own work is asked for."""


def follow_ups_used(question: QuestionState) -> int:
    """What of the cap is used up."""
    used, free = 0, {TurnKind.REDIRECT: 1, TurnKind.CLARIFY: 1}
    for move in question.moves:
        if isinstance(move, Tell):
            continue
        if free.get(move.kind):
            free[move.kind] -= 1
        else:
            used += 1
    return used


def next_hint(question: QuestionState, rubric: Rubric, caps: Caps) -> Hint | None:
    """The hint that can be had now: on the point last asked about, else on the worst one."""
    if follow_ups_used(question) >= caps.follow_ups:
        return None
    last = last_target(question)
    statuses = {c.id: status_of(question, c) for c in rubric.criteria}
    wanting = [c for c in rubric.criteria if statuses[c.id] is not Status.MET]
    wanting = [c for c in wanting if not was_told(question, c)]
    wanting.sort(key=lambda c: (c.id != last, _MOST_URGENT.index(statuses[c.id]), -c.weight))
    for criterion in wanting:
        level = _hints_given(question, criterion) + 1
        if level <= len(criterion.hints):
            return Hint(criterion.id, level)
    return None


@dataclass(frozen=True)
class Situation:
    """The question after the candidate's latest turn, as the rules look at it."""

    question: QuestionState
    rubric: Rubric
    caps: Caps
    mode: Mode
    numbers: Numbers = field(default_factory=Numbers)

    @property
    def last(self) -> Turn:
        return self.question.last_words

    @cached_property
    def acts(self) -> frozenset[DialogueAct]:
        """What the candidate's latest turn does; empty if the examiner spoke last."""
        if self.last.author != "candidate":
            return frozenset()
        acts = self.question.acts
        if self.gained or self.last.run is not None:
            return acts - {DialogueAct.OFF_TOPIC}
        if self._nobody_heard and is_off_topic(self.last.parsed, self.rubric):
            return frozenset({DialogueAct.OFF_TOPIC})
        return acts

    @property
    def _nobody_heard(self) -> bool:
        """There are only rules to tell what the latest turn, an answer, is about."""
        heard = self.question.heard
        by_model = bool(heard) and heard[-1].turn == self.last.number and bool(heard[-1].acts)
        return not by_model and self.question.acts == {DialogueAct.ANSWER}

    @cached_property
    def gained(self) -> bool:
        """The latest answer raised the credit."""
        return self.last.number in gaining_answers(self.question)

    @cached_property
    def status(self) -> dict[str, Status]:
        return {c.id: status_of(self.question, c) for c in self.rubric.criteria}

    @cached_property
    def standing(self) -> dict[str, CriterionVerdict]:
        return standings(self.question)

    @property
    def recited(self) -> bool:
        return bool(self.question.judged) and Flag.RECITED in self.question.judged[-1].flags

    @property
    def must_haves_done(self) -> bool:
        must = [c for c in self.rubric.criteria if c.must_have]
        return all(self.status[c.id] in (Status.MET, Status.LEFT) for c in must)

    @property
    def all_met(self) -> bool:
        """All that the question asks for; extras are not missed."""
        asked = [c for c in self.rubric.criteria if not c.extra]
        return all(self.status[c.id] is Status.MET for c in asked)

    @property
    def may_escalate(self) -> bool:
        return self.rubric.escalation_to_ask is not None and not self.made(Escalate)

    @property
    def escalation(self) -> Escalate:
        return Escalate(self.rubric.escalation_to_ask or 0)

    @property
    def may_drill(self) -> bool:
        """A drill fits this question, is not used up, and does not follow on another."""
        if self.rubric.kind in EXERCISES or self.last.run is not None:
            return False
        return not self._drilled_in_vain and self.made(Drill) < DRILLS[self.caps.drills]

    @property
    def _drilled_in_vain(self) -> bool:
        """The last move was a drill, or one before told of no own work: an honest no is enough."""
        moves, spoken = self.question.moves, self.question.spoken
        if moves and isinstance(moves[-1], Drill):
            return True
        drilled = (reply for asked, reply in pairwise(spoken) if asked.kind is TurnKind.DRILL)
        return any(not commits(reply.parsed) for reply in drilled)

    def made(self, kind: type[FollowUp]) -> int:
        """How often this kind of move was made on this question."""
        return sum(isinstance(move, kind) for move in self.question.moves)

    def made_on(self, kind: type[FollowUp], criterion: Criterion) -> bool:
        moves = self.question.moves
        return any(isinstance(m, kind) and target_of(m) == criterion.id for m in moves)

    @cached_property
    def target(self) -> str:
        """The criterion that the talk is about: the last aimed at, else the easiest open one."""
        last = last_target(self.question)
        if last and self.status[last] is not Status.MET:
            return last
        return next((c.id for c in self.open()), "")

    def open(self) -> Iterator[Criterion]:
        """The criteria not asked about yet: must-haves first, extras last.

        In a round that drills, own experience and figures come before the rest.
        """
        wanting = [c for c in self.rubric.criteria if self.status[c.id] is Status.OPEN]
        drills = self.caps.drills
        yield from sorted(
            wanting, key=lambda c: (not c.must_have, c.extra, drills and c.kind not in OWN_WORK)
        )

    def covered(self, otherwise: CloseReason) -> NextMove:
        """The close, with this reason if not all that was asked for is met."""
        if not self.all_met:
            return NextMove(Close(otherwise))
        further = [c.id for c in self.rubric.criteria if isinstance(c, Further)]
        earned = any(credit(self.standing[c]) > 0 for c in further if c in self.standing)
        is_open = bool(further) and not earned
        return NextMove(Close(CloseReason.HARDER_OPEN if is_open else CloseReason.COVERED))


def gaining_answers(question: QuestionState) -> frozenset[int]:
    """The answer turns that raised the credit."""
    best: dict[str, float] = {}
    gains = set()
    for judged in question.judged:
        for verdict in judged.verdicts:
            if credit(verdict) > best.get(verdict.criterion, 0.0):
                best[verdict.criterion] = credit(verdict)
                gains.add(judged.answer_turn)
    return frozenset(gains)


def stuck_in_a_row(question: QuestionState) -> int:
    """How many of the candidate's latest turns said that they had nothing to say."""
    count = 0
    for turn in reversed(question.spoken):
        if turn.author == "candidate":
            if not is_stuck(question.acts_at(turn)):
                break
            count += 1
    return count


def is_stuck(acts: frozenset[DialogueAct]) -> bool:
    stuck = acts & {DialogueAct.GIVES_UP, DialogueAct.BARE, DialogueAct.DECLINES}
    return bool(stuck) and DialogueAct.ANSWER not in acts


def dry_follow_ups(question: QuestionState) -> int:
    """Questions towards a point since the last answer that brought something new."""
    gains = gaining_answers(question)
    dry, asked = 0, False
    for turn in question.turns:
        if turn.author == "candidate" and turn.number in gains:
            dry = 0
        elif turn.author == "candidate" and asked:
            dry += 1
        asked = turn.author == "examiner" and turn.kind in _SEEKING and turn.target is not None
    return dry


_SEEKING = (TurnKind.PROBE, TurnKind.PIN_DOWN, TurnKind.CHALLENGE, TurnKind.SIMPLIFY)


def last_target(question: QuestionState) -> str | None:
    return target_of(question.moves[-1]) if question.moves else None


def _tries(question: QuestionState, criterion: Criterion) -> int:
    """A harder variant, and the drill of an experience, ask for the point itself, as a try does."""
    tried: tuple[type[FollowUp], ...] = (Probe, PinDown, Challenge, BenchChallenge)
    tried += (Drill,) if criterion.drill and criterion.kind == "experience" else ()
    aimed = sum(isinstance(m, tried) and target_of(m) == criterion.id for m in question.moves)
    return aimed + isinstance(criterion, Further)


def was_told(question: QuestionState, criterion: Criterion) -> bool:
    return any(isinstance(m, Tell) and m.target == criterion.id for m in question.moves)


def _hints_given(question: QuestionState, criterion: Criterion) -> int:
    hints = (move for move in question.moves if isinstance(move, Hint))
    levels = [hint.level for hint in hints if hint.target == criterion.id]
    return max(levels, default=0)
