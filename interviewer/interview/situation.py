"""A question after the candidate's latest turn: what is open, what was tried, what may come."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import pairwise

from interviewer.examiner.listening import commits, is_off_topic
from interviewer.examiner.protocol import CloseReason, Move, MoveKind
from interviewer.grading.score import credit
from interviewer.grading.transcript import DialogueAct, Turn, TurnKind
from interviewer.grading.verdicts import Flag
from interviewer.interview.events import Mode
from interviewer.interview.figures import Numbers
from interviewer.interview.state import QuestionState
from interviewer.rubric.rubric import Criterion, Further, Rubric, Verdict

TRIES_PER_CRITERION = 2
"""Questions towards one criterion; help, clarifications and most drills are no tries."""
DRILLS = {True: 2, False: 1}
"""The most drills of a question, in a round that drills and in another."""
OWN_WORK = ("experience", "number")
EXERCISES = frozenset({"estimation", "derivation", "pseudocode"})
"""Kinds of question whose numbers are given or derived: no own work is asked for."""
_SEEKING = (TurnKind.PROBE, TurnKind.PIN_DOWN, TurnKind.CHALLENGE, TurnKind.SIMPLIFY)
_TRIES = (MoveKind.PROBE, MoveKind.PIN_DOWN, MoveKind.CHALLENGE, MoveKind.BAD_LINE)


class Status(StrEnum):
    """The state of a criterion, the most urgent first."""

    CONTRADICTED = "contradicted"
    VAGUE = "vague"
    OPEN = "open"
    LEFT = "left"
    """Asked about often enough, told, or not to be judged."""
    MET = "met"


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
class Situation:
    """The question as the rules look at it."""

    question: QuestionState
    rubric: Rubric
    caps: Caps
    mode: Mode = "exam"
    numbers: Numbers = field(default_factory=Numbers)

    # -- the latest turn --------------------------------------------------------------

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
        heard = self.question.heard
        by_model = bool(heard) and heard[-1].turn == self.last.number and bool(heard[-1].acts)
        by_rules_alone = not by_model and acts == {DialogueAct.ANSWER}
        if by_rules_alone and is_off_topic(self.last.parsed, self.rubric):
            return frozenset({DialogueAct.OFF_TOPIC})
        return acts

    @property
    def answers(self) -> bool:
        """It holds something that can be judged."""
        return DialogueAct.ANSWER in self.acts

    @property
    def gained(self) -> bool:
        """It raised the credit."""
        return self.last.number in self.question.gains

    @property
    def is_stuck(self) -> bool:
        return _is_stuck(self.acts)

    @property
    def recited(self) -> bool:
        return bool(self.question.judged) and Flag.RECITED in self.question.judged[-1].flags

    # -- the criteria -----------------------------------------------------------------

    @cached_property
    def status(self) -> dict[str, Status]:
        return {c.id: self._status(c) for c in self.rubric.criteria}

    def _status(self, criterion: Criterion) -> Status:
        """LEFT if it was read and not judged, as asking again is blind."""
        verdict = self.question.verdicts.get(criterion.id)
        if verdict and verdict.verdict is Verdict.MET:
            return Status.MET
        tries = self._tries(criterion)
        if tries >= TRIES_PER_CRITERION or self.question.made(MoveKind.TELL, on=criterion.id):
            return Status.LEFT
        if verdict is None:
            judged = self.question.judged
            asks = not judged or criterion.id in judged[-1].unread
            return Status.OPEN if asks else Status.LEFT
        if verdict.verdict is Verdict.CONTRADICTED:
            return Status.CONTRADICTED
        if verdict.verdict is Verdict.PARTIAL or verdict.vague:
            return Status.VAGUE
        return Status.LEFT if tries else Status.OPEN

    def _tries(self, criterion: Criterion) -> int:
        """A harder variant, and the drill of an experience, ask for the point itself, too."""
        drilled = criterion.drill and criterion.kind == "experience"
        tried = (*_TRIES, MoveKind.DRILL) if drilled else _TRIES
        return self.question.made(*tried, on=criterion.id) + isinstance(criterion, Further)

    def earns(self, criterion: Criterion) -> bool | None:
        """It has some credit; None if it was not judged."""
        verdict = self.question.verdicts.get(criterion.id)
        return None if verdict is None else credit(verdict) > 0

    def open(self) -> list[Criterion]:
        """The criteria not asked about yet: must-haves first, extras last.

        In a round that drills, own experience and figures come before the rest.
        """
        wanting = [c for c in self.rubric.criteria if self.status[c.id] is Status.OPEN]
        drills = self.caps.drills
        return sorted(
            wanting, key=lambda c: (not c.must_have, c.extra, drills and c.kind not in OWN_WORK)
        )

    @property
    def target(self) -> str:
        """The criterion that the talk is about: the last aimed at, else the easiest open one."""
        last = self.last_target
        if last and self.status[last] is not Status.MET:
            return last
        return next((c.id for c in self.open()), "")

    @property
    def last_target(self) -> str:
        """The criterion that the last move was aimed at, "" for none."""
        return self.question.moves[-1].target if self.question.moves else ""

    @property
    def must_haves_done(self) -> bool:
        must = [c for c in self.rubric.criteria if c.must_have]
        return all(self.status[c.id] in (Status.MET, Status.LEFT) for c in must)

    def close(self, otherwise: CloseReason) -> Move:
        """The close, with this reason if not all that was asked for is met; extras are not."""
        asked = [c for c in self.rubric.criteria if not c.extra]
        if any(self.status[c.id] is not Status.MET for c in asked):
            return Move(MoveKind.CLOSE, why=otherwise)
        further = [c for c in self.rubric.criteria if isinstance(c, Further)]
        is_open = bool(further) and not any(map(self.earns, further))
        why = CloseReason.HARDER_OPEN if is_open else CloseReason.COVERED
        return Move(MoveKind.CLOSE, why=why)

    # -- what was tried, and what is left ---------------------------------------------

    @property
    def is_spent(self) -> bool:
        """The follow-ups are used up."""
        return self.question.follow_ups_used >= self.caps.follow_ups

    @property
    def may_escalate(self) -> bool:
        made = self.question.made(MoveKind.ESCALATE)
        return self.rubric.escalation_to_ask is not None and not made

    @property
    def escalation(self) -> Move:
        return Move(MoveKind.ESCALATE, escalation=self.rubric.escalation_to_ask or 0)

    @property
    def may_drill(self) -> bool:
        """A drill fits this question, is not used up, and does not follow on another.

        Nor does it follow on one that told of no own work: an honest no is enough.
        """
        moves = self.question.moves
        if self.rubric.kind in EXERCISES or self.last.run is not None:
            return False
        if self.question.made(MoveKind.DRILL) >= DRILLS[self.caps.drills]:
            return False
        replies = (b for a, b in pairwise(self.question.spoken) if a.kind is TurnKind.DRILL)
        follows = bool(moves) and moves[-1].kind is MoveKind.DRILL
        return not follows and all(commits(reply.parsed) for reply in replies)

    @cached_property
    def hint(self) -> Move | None:
        """The hint that can be had now: on the point last asked about, else on the worst one."""
        if self.is_spent:
            return None
        urgency = list(Status)
        told = self.question.made
        wanting = [
            c
            for c in self.rubric.criteria
            if self.status[c.id] is not Status.MET and not told(MoveKind.TELL, on=c.id)
        ]
        wanting.sort(
            key=lambda c: (c.id != self.last_target, urgency.index(self.status[c.id]), -c.weight)
        )
        hints = ((c, 1 + self._hints_given(c)) for c in wanting)
        return next((_hint(c, level) for c, level in hints if level <= len(c.hints)), None)

    def _hints_given(self, criterion: Criterion) -> int:
        moves = self.question.moves
        hints = (m for m in moves if m.kind is MoveKind.HINT and m.target == criterion.id)
        return max((hint.hint_level for hint in hints), default=0)

    @property
    def offer(self) -> Move | None:
        """The offer of that hint; once a question, and not after a hint."""
        if self.hint is None or self.question.made(MoveKind.OFFER, MoveKind.HINT):
            return None
        return Move(MoveKind.OFFER, self.hint.target, self.hint.hint_level)

    @property
    def stuck_in_a_row(self) -> int:
        """How many of the candidate's latest turns said that they had nothing to say."""
        own = [turn for turn in self.question.spoken if turn.author == "candidate"]
        stuck = (_is_stuck(self.question.acts_at(turn)) for turn in reversed(own))
        return next((n for n, each in enumerate(stuck) if not each), len(own))

    @property
    def dry(self) -> int:
        """Questions towards a point since the last answer that brought something new."""
        dry, asked = 0, False
        for turn in self.question.turns:
            if turn.author == "candidate":
                dry = 0 if turn.number in self.question.gains else dry + asked
            asked = turn.author == "examiner" and turn.kind in _SEEKING and turn.target is not None
        return dry


def _hint(criterion: Criterion, level: int) -> Move:
    return Move(MoveKind.HINT, criterion.id, level)


def _is_stuck(acts: frozenset[DialogueAct]) -> bool:
    stuck = acts & {DialogueAct.GIVES_UP, DialogueAct.BARE, DialogueAct.DECLINES}
    return bool(stuck) and DialogueAct.ANSWER not in acts
