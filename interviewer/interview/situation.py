"""What the policy looks at: a question after the candidate's latest turn, and what is open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from interviewer.examiner.listening import tells_of_own_work
from interviewer.examiner.offline.by_words import credit_by_words
from interviewer.examiner.protocol import CloseReason, Move, MoveKind, is_on_own_work
from interviewer.grading.transcript import DialogueAct, ParsedAnswer, Turn, TurnKind
from interviewer.grading.verdicts import credit
from interviewer.interview.events import Mode
from interviewer.interview.numbers import Numbers
from interviewer.interview.state import QuestionState
from interviewer.rubric.rubric import Criterion, Further, Rating, Rubric
from interviewer.rubric.text import content_stems

TRIES_PER_CRITERION = 2
"""Questions towards one criterion; help, clarifications and most drills are no tries."""
MAY_BE_SAID = 0.4
"""From this likelihood by words on, a point is not asked for."""
DRILLS = {True: 2, False: 1}
"""The most drills of a question, where own work comes first and elsewhere."""
OWN_WORK = ("experience", "number")
EXERCISES = frozenset({"estimation", "derivation", "pseudocode"})
"""Kinds of question whose numbers are given or derived: no own work is asked for."""
_STUCK = frozenset(
    {DialogueAct.GIVES_UP, DialogueAct.WANTS_SMALLER, DialogueAct.BARE, DialogueAct.DECLINES}
)
_SEEKING = (TurnKind.PROBE, TurnKind.CHALLENGE, TurnKind.SIMPLIFY)
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

    ``follow_ups`` is the most that is said about one question after asking it. Hints, their offers
    and explanations in practice are free, leading back and clarifying at first.
    With ``drills``, own work and its figures are asked about before definitions.
    """

    follow_ups: int
    drills: bool = False


@dataclass(frozen=True)
class Situation:
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
        on_topic = self.gained or self.last.run is not None or self.follows(MoveKind.DRILL)
        return acts - {DialogueAct.OFF_TOPIC} if on_topic else acts

    @property
    def answers(self) -> bool:
        return DialogueAct.ANSWER in self.acts

    @property
    def gained(self) -> bool:
        return self.last.number in self.question.gains

    @property
    def is_stuck(self) -> bool:
        return bool(self.acts & _STUCK) and not self.answers

    @property
    def is_stuck_deeper(self) -> bool:
        """On what lies behind a point that was made: nothing is missing there."""
        made = self.status.get(self.last_target) is Status.MET
        return self.is_stuck and self.follows(MoveKind.PIN_DOWN) and made

    @property
    def dodged(self) -> bool:
        """It speaks around what was asked, as only a model hears."""
        return DialogueAct.DODGE in self.acts and not self.gained

    # -- the criteria -----------------------------------------------------------------

    @cached_property
    def status(self) -> dict[str, Status]:
        return {c.id: self._status(c) for c in self.rubric.criteria}

    def _status(self, criterion: Criterion) -> Status:
        """LEFT if it was tried, or read and not judged, as asking again is blind."""
        verdict = self.question.verdicts.get(criterion.id)
        if verdict and verdict.verdict is Rating.MET:
            return Status.MET
        tries = self._tries(criterion)
        if tries >= TRIES_PER_CRITERION or self.question.made(MoveKind.TELL, on=criterion.id):
            return Status.LEFT
        if verdict is None or verdict.verdict is None:
            asks = verdict.unread if verdict else not self.question.judged
            return Status.OPEN if asks and not tries else Status.LEFT
        if verdict.verdict is Rating.CONTRADICTED:  # an honest "never did that" is only noted
            return Status.LEFT if criterion.is_own else Status.CONTRADICTED
        if verdict.verdict is Rating.PARTIAL or verdict.vague:
            return Status.VAGUE
        is_due = self.dodged and criterion.id == self.last_target
        return Status.LEFT if tries and not is_due else Status.OPEN

    def _tries(self, criterion: Criterion) -> int:
        """A harder variant, and the drill of an experience, ask for the point itself, too."""
        drilled = criterion.drill and criterion.is_own
        tried = (*_TRIES, MoveKind.DRILL) if drilled else _TRIES
        return self.question.made(*tried, on=criterion.id) + isinstance(criterion, Further)

    def earns(self, criterion: Criterion) -> bool | None:
        """It has some credit; None if it was not judged."""
        verdict = self.question.verdicts.get(criterion.id)
        return credit(verdict) > 0 if verdict and verdict.verdict else None

    def open(self) -> list[Criterion]:
        """The criteria not asked about yet: must-haves first, extras last.

        In a round that drills, own experience and figures come before the rest; then what was
        least likely said.
        """
        wanting = [c for c in self.rubric.criteria if self.status[c.id] is Status.OPEN]
        later = {c.id: self.caps.drills and c.kind not in OWN_WORK for c in wanting}
        likely = self._said_by_words
        return sorted(
            wanting, key=lambda c: (not c.must_have, c.extra, later[c.id], likely.get(c.id, 0))
        )

    @cached_property
    def _said_by_words(self) -> dict[str, float]:
        """How likely each point was made in words, found or not, 0..1."""
        turns = [turn for turn in self.question.spoken if turn.run is None]
        said = "\n".join(turn.text for turn in turns if turn.author == "candidate")
        given = content_stems(" ".join(t.text for t in turns if t.author == "examiner"))
        return credit_by_words(self.rubric, ParsedAnswer(said), given) if said else {}

    def may_be_said(self, criterion: Criterion) -> bool:
        """It is likely enough in their words that asking for it may be asking again."""
        return self._said_by_words.get(criterion.id, 0) >= MAY_BE_SAID

    @property
    def just_made(self) -> list[Criterion]:
        """The points that the last answer made, in its order, and nobody took further yet."""
        verdicts = self.question.verdicts
        new = [
            c
            for c in self.rubric.criteria
            if self.status[c.id] is Status.MET
            and verdicts[c.id].turn == self.last.number
            and not self.question.made(MoveKind.PIN_DOWN, on=c.id)
        ]
        return sorted(new, key=lambda c: verdicts[c.id].span or (0, 0))

    @property
    def target(self) -> str:
        """The criterion that the talk is about: the last aimed at, else the easiest open one."""
        last = self.last_target
        if last and self.status[last] is not Status.MET:
            return last
        return next((c.id for c in self.open()), "")

    def follows(self, kind: MoveKind) -> bool:
        return self.last_move is not None and self.last_move.kind is kind

    @property
    def last_move(self) -> Move | None:
        return self.question.moves[-1] if self.question.moves else None

    @property
    def last_target(self) -> str:
        """The criterion that the last move was aimed at, "" for none."""
        return self.last_move.target if self.last_move else ""

    def is_done(self, criteria: Iterable[Criterion]) -> bool:
        """All of these are made or were asked about."""
        return all(self.status[c.id] in (Status.MET, Status.LEFT) for c in criteria)

    @property
    def points_done(self) -> bool:
        """All that the question asks for, which extras are not, is."""
        return self.is_done(c for c in self.rubric.criteria if not c.extra)

    def close(self, otherwise: CloseReason) -> Move:
        """The close, with this reason if not all that was asked for is met; extras are not."""
        further = [c for c in self.rubric.criteria if isinstance(c, Further)]
        if any(self.status[c.id] is not Status.MET for c in self.rubric.criteria if not c.extra):
            why = otherwise
        elif further and not any(map(self.earns, further)):
            why = CloseReason.HARDER_OPEN
        else:
            why = CloseReason.COVERED
        return Move(MoveKind.CLOSE, why=why)

    # -- what was tried, and what is left ---------------------------------------------

    @property
    def is_spent(self) -> bool:
        return self.question.follow_ups_used >= self.caps.follow_ups

    @property
    def is_last(self) -> bool:
        return self.question.follow_ups_used == self.caps.follow_ups - 1

    @property
    def may_escalate(self) -> bool:
        made = self.question.made(MoveKind.ESCALATE)
        return self.rubric.escalation_to_ask is not None and not made

    @property
    def may_drill(self) -> bool:
        """A drill fits this question, is not used up, and does not follow on another.

        Nor does it follow on one that told of no own work: an honest no is enough. An exercise is
        drilled on figures of their own alone.
        """
        if self.last.run is not None or (self.rubric.kind in EXERCISES and not self.numbers.drills):
            return False
        drills = {each for each in self.question.moves if each.kind is MoveKind.DRILL}
        if len(drills) >= DRILLS[self.drills_own] or self.follows(MoveKind.DRILL):
            return False
        own = {c.id for c in self.rubric.criteria if c.is_own}
        return all(mark.commits for mark in self.question.drills) and not self.question.denies(own)

    @property
    def model_heard(self) -> bool:
        heard = self.question.heard_in(self.last)
        return bool(heard and heard.acts)

    @property
    def tells_of_own(self) -> bool:
        """Own work is asked for or was told of, or a model listens, who knows when to ask."""
        own = is_on_own_work(self.rubric) or tells_of_own_work(self.last.parsed)
        return own or self.model_heard

    @property
    def drills_own(self) -> bool:
        """What was done comes before what is known: the round asks for it, or the question."""
        return self.caps.drills or is_on_own_work(self.rubric)

    @property
    def sharper(self) -> Move | None:
        """The second try of the drill that was just answered without what it asked for."""
        if self.numbers.pressing:
            return self.numbers.pressing
        mark = self.question.drills[-1] if self.question.drills else None
        if mark is None or mark.passed or mark.reply.number != self.last.number:
            return None
        own = mark.move.target and self.rubric.criterion(mark.move.target).drill
        was_first = self.question.made(MoveKind.DRILL, on=mark.move.target) == 1
        return mark.move if own and was_first and not mark.has_none else None

    @cached_property
    def hint(self) -> Move | None:
        """The hint that can be had now: on the point last asked about, else on the worst one."""
        urgency = list(Status)
        left = [
            Move(MoveKind.HINT, c.id, level)
            for c in self.rubric.criteria
            if self.status[c.id] is not Status.MET
            and not self.question.made(MoveKind.TELL, on=c.id)
            and (level := 1 + self._hints_given(c)) <= len(c.hints)
        ]

        def place(hint: Move) -> tuple[bool, int, float]:
            weight = self.rubric.criterion(hint.target).weight
            return hint.target != self.last_target, urgency.index(self.status[hint.target]), -weight

        return min(left, key=place, default=None)

    def _hints_given(self, criterion: Criterion) -> int:
        hints = (m for m in self.question.moves if m.kind is MoveKind.HINT)
        return max((m.hint_level for m in hints if m.target == criterion.id), default=0)

    @property
    def offer(self) -> Move | None:
        """The offer of that hint, once a question; none on what the candidate alone can know."""
        hint, made = self.hint, self.question.made(MoveKind.OFFER, MoveKind.HINT)
        if self.is_spent or made or not hint or self.rubric.criterion(hint.target).is_own:
            return None
        return Move(MoveKind.OFFER, hint.target, hint.hint_level)

    @property
    def dry(self) -> int:
        """Questions towards a point since the last answer that brought something new."""
        dry, asked = 0, False
        for turn in self.question.turns:
            if turn.author == "candidate":
                dry = 0 if turn.number in self.question.gains else dry + asked
            asked = turn.author == "examiner" and turn.kind in _SEEKING and turn.target is not None
        return dry
