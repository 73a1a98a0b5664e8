"""Which follow-up comes next: a table of rules over a question as it stands. All pure.

Help is given when it is asked for or an offer is accepted, never otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from interviewer.examiner.listening import tells_of_own_work
from interviewer.examiner.offline.by_words import credit_by_words
from interviewer.examiner.offline.guards import unread_parts
from interviewer.examiner.protocol import (
    CloseReason,
    Move,
    MoveKind,
    is_on_own_work,
)
from interviewer.grading.evidence import fault_of
from interviewer.grading.transcript import ASKS_BACK, DialogueAct, ParsedAnswer, Turn, TurnKind
from interviewer.grading.verdicts import credit, graded
from interviewer.interview.events import Mode
from interviewer.interview.numbers import Numbers
from interviewer.interview.state import QuestionState
from interviewer.rubric.rubric import Criterion, Further, Rating, Rubric
from interviewer.rubric.text import content_stems
from interviewer.sandbox.result import CheckOutcome

TRIES_PER_CRITERION = 2
"""Questions towards one criterion; help, clarifications and most drills are no tries."""
MAY_BE_SAID = 0.4
"""From this likelihood by words on, a point is not asked for."""
DRILLS = {True: 2, False: 1}
"""The most drills of a question, where own work comes first and elsewhere."""
DRY_FOLLOW_UPS = 4
REDIRECTIONS = SMALLER_STEPS = 3
PLAIN_WISH = 25
"""The most words of a wish to stop that ends the interview at once."""
BAD_LINES = 2
"""The most times a candidate is shown a bad line of theirs in a question."""
OWN_WORK = ("experience", "number")
EXERCISES = frozenset({"estimation", "derivation", "pseudocode"})
"""Kinds of question whose numbers are given or derived: no own work is asked for."""
_STUCK = frozenset(
    {DialogueAct.GIVES_UP, DialogueAct.WANTS_SMALLER, DialogueAct.BARE, DialogueAct.DECLINES}
)
_STRAYS = (
    DialogueAct.ORDER,
    DialogueAct.WANTS_RUBRIC,
    DialogueAct.WANTS_ANSWER,
    DialogueAct.INSULT,
    DialogueAct.WANTS_TO_STOP,
    DialogueAct.WANTS_COMFORT,
    DialogueAct.OBJECTS,
    DialogueAct.TRIES,
    DialogueAct.REPETITION,
    DialogueAct.OFF_TOPIC,
    DialogueAct.BARE,
)
"""What is led back to the question, the most pressing first."""
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


AIMED_AT = {
    MoveKind.PROBE: (Status.OPEN, Status.VAGUE),
    MoveKind.PIN_DOWN: (Status.OPEN, Status.VAGUE, Status.CONTRADICTED),
    MoveKind.CHALLENGE: (Status.VAGUE, Status.CONTRADICTED),
}


@dataclass(frozen=True)
class Situation:
    """A question after the candidate's latest turn, with the limits of its round."""

    question: QuestionState
    rubric: Rubric
    follow_ups: int
    drills: bool = False
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
    def wants_less(self) -> bool:
        """Stuck, but not on what lies behind a point that was made: nothing is missing there."""
        made = self.status.get(self.last_target) is Status.MET
        return self.is_stuck and not (self.follows(MoveKind.PIN_DOWN) and made)

    @property
    def dodged(self) -> bool:
        """It speaks around what was asked, as only a model hears."""
        return DialogueAct.DODGE in self.acts and not self.gained

    @property
    def model_heard(self) -> bool:
        return bool(self.question.heard_in(self.last).acts)

    # -- the latest move --------------------------------------------------------------

    @property
    def last_move(self) -> Move | None:
        return self.question.moves[-1] if self.question.moves else None

    @property
    def last_target(self) -> str:
        """The criterion that the last move was aimed at, "" for none."""
        return self.last_move.target if self.last_move else ""

    def follows(self, kind: MoveKind) -> bool:
        return self.last_move is not None and self.last_move.kind is kind

    @property
    def left(self) -> int:
        """Follow-ups that may still be asked."""
        return max(0, self.follow_ups - self.question.follow_ups_used)

    # -- the criteria -----------------------------------------------------------------

    @cached_property
    def status(self) -> dict[str, Status]:
        return {c.id: self._status(c) for c in self.rubric.criteria}

    def _status(self, criterion: Criterion) -> Status:
        """LEFT if it was tried, or read and not judged, as asking again is blind."""
        verdict = self.question.verdicts.get(criterion.id)
        if verdict and verdict.verdict is Rating.MET:
            return Status.MET
        # A harder variant, and the drill of an experience, ask for the point itself, too.
        drilled = criterion.drill and criterion.is_own
        tried = (*_TRIES, MoveKind.DRILL) if drilled else _TRIES
        tries = self.question.made(*tried, on=criterion.id) + isinstance(criterion, Further)
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

    def earns(self, criterion: Criterion) -> bool:
        verdict = self.question.verdicts.get(criterion.id)
        return verdict is not None and credit(verdict) > 0

    @property
    def open(self) -> list[Criterion]:
        """Those not asked about yet: must-haves first, extras last.

        In a round that drills, own work comes before the rest; then what was least likely said.
        """

        def place(c: Criterion) -> tuple[bool, bool, bool, float]:
            later = self.drills and c.kind not in OWN_WORK
            return not c.must_have, c.extra, later, self._said_by_words.get(c.id, 0)

        wanting = (c for c in self.rubric.criteria if self.status[c.id] is Status.OPEN)
        return sorted(wanting, key=place)

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
        made = (c for c in self.rubric.criteria if self.status[c.id] is Status.MET)
        new = (c for c in made if verdicts[c.id].turn == self.last.number)
        left = (c for c in new if not self.question.made(MoveKind.PIN_DOWN, on=c.id))
        return sorted(left, key=lambda c: verdicts[c.id].span or (0, 0))

    def close(self, otherwise: CloseReason) -> Move:
        """The close, with this reason if not all that was asked for is met; extras are not."""
        further = [c for c in self.rubric.criteria if isinstance(c, Further)]
        if all(self.status[c.id] is Status.MET for c in self.rubric.criteria if not c.extra):
            is_open = further and not any(map(self.earns, further))
            otherwise = CloseReason.HARDER_OPEN if is_open else CloseReason.COVERED
        return Move(MoveKind.CLOSE, why=otherwise)

    # -- help, the harder variant, own work -------------------------------------------

    @cached_property
    def hint(self) -> Move | None:
        """The hint that can be had now: on the point last asked about, else on the worst one."""
        moves, urgency = self.question.moves, list(Status)
        given = {m.target: m.hint_level for m in moves if m.kind is MoveKind.HINT}
        left = [
            c
            for c in self.rubric.criteria
            if self.status[c.id] is not Status.MET
            and not self.question.made(MoveKind.TELL, on=c.id)
            and given.get(c.id, 0) < len(c.hints)
        ]

        def place(c: Criterion) -> tuple[bool, int, float]:
            return c.id != self.last_target, urgency.index(self.status[c.id]), -c.weight

        point = min(left, key=place, default=None)
        return Move(MoveKind.HINT, point.id, given.get(point.id, 0) + 1) if point else None

    @property
    def offer(self) -> Move | None:
        """The offer of that hint, once a question; none on what the candidate alone can know."""
        hint, made = self.hint, self.question.made(MoveKind.OFFER, MoveKind.HINT)
        if not self.left or made or not hint or self.rubric.criterion(hint.target).is_own:
            return None
        return Move(MoveKind.OFFER, hint.target, hint.hint_level)

    @property
    def drills_own(self) -> bool:
        """What was done comes before what is known: the round asks for it, or the question."""
        return self.drills or is_on_own_work(self.rubric)

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


@dataclass(frozen=True)
class NextMove:
    """The move that is due by a rule, and the kinds that an examiner may put in its place."""

    move: Move
    instead: frozenset[MoveKind] = frozenset()
    rule: str = ""


@dataclass(frozen=True)
class Rule:
    """A row of the table: the move if it is due, and the kinds that may take its place."""

    name: str
    due: Callable[[Situation], Move | None]
    instead: frozenset[MoveKind] = frozenset()


def next_move(at: Situation) -> NextMove:
    """What the examiner does after the candidate's latest turn, by the first rule that is due."""
    rules: tuple[Rule, ...] = (*_REACTIONS, *_GOING_ON)
    if at.rubric.is_discussion:
        rules = _DISCUSSION
    elif at.last.kind is TurnKind.TELL:
        rules = _GOING_ON
    rule, move = next((rule, move) for rule in rules if (move := rule.due(at)))
    return NextMove(move, rule.instead, rule.name)


# -- the rules ------------------------------------------------------------------------


def _leave(at: Situation) -> Move | None:
    """A wish to stop ends the interview, confirmed if it may be a slip or no model heard it."""
    stop, remarks = DialogueAct.WANTS_TO_STOP, [move.remark for move in at.question.moves]
    is_plain = at.model_heard and len(at.last.parsed.words) <= PLAIN_WISH and not at.answers
    confirms = remarks[-1:] == [stop] and DialogueAct.BARE in at.acts
    if confirms or (stop in at.acts and (is_plain or stop in remarks)):
        return Move(MoveKind.CLOSE, why=CloseReason.INTERVIEW_ENDED)
    skips = DialogueAct.WANTS_SKIP in at.acts
    return Move(MoveKind.CLOSE, why=CloseReason.SKIPPED) if skips else None


def _hint(at: Situation) -> Move | None:
    """For those who asked by key or in words, or accepted an offer."""
    if at.question.hint_requested:
        return at.hint
    none_left = Move(MoveKind.REDIRECT, remark=DialogueAct.WANTS_HINT)
    wants = at.acts & {DialogueAct.WANTS_HINT, DialogueAct.ACCEPTS}
    return at.hint or none_left if wants else None


def _question_back(at: Situation) -> Move | None:
    clarified = at.question.made(MoveKind.CLARIFY) and not at.left
    unasked = at.answers and not at.question.would_make(MoveKind.CLARIFY)
    if not at.acts & ASKS_BACK or clarified or unasked:
        return None
    return Move(MoveKind.CLARIFY, at.last_target)


def _clash(at: Situation) -> Move | None:
    """Figures that cannot all be true; the cap is stretched by one such move."""
    may = at.left or not at.question.made(MoveKind.NUMBERS_CLASH)
    is_due = may and at.last.author == "candidate"
    return next(iter(at.numbers.impossible), None) if is_due else None


def _stray(at: Situation) -> Move | None:
    """Back to the question, unless there is an answer beside it or this has not helped before."""
    before = at.question.made(MoveKind.REDIRECT)
    adds = at.answers and not at.acts & {DialogueAct.REPETITION, DialogueAct.WANTS_TO_STOP}
    if adds or before >= REDIRECTIONS or (before and not at.left):
        return None
    # Who worries and is stuck gets a smaller step, which is what calms.
    calmed = {DialogueAct.WANTS_COMFORT} if DialogueAct.GIVES_UP in at.acts else set()
    acts = at.acts - calmed
    return next((Move(MoveKind.REDIRECT, remark=act) for act in _STRAYS if act in acts), None)


def _false_claim(at: Situation) -> Move | None:
    """A main point that was just contradicted is put to the test, past the cap by one such move."""
    if not (at.answers and at.question.follow_ups_used == at.follow_ups):
        return None
    said = at.question.verdicts
    must = (c for c in at.rubric.criteria if c.must_have and c.id in said)
    new = [c for c in must if said[c.id].turn == at.last.number]
    return next((m for m in _unsettled(at, new) if m.kind is MoveKind.CHALLENGE), None)


def _used_up(at: Situation) -> Move | None:
    return at.close(CloseReason.FOLLOW_UPS_USED) if not at.left else None


def _unread(at: Situation) -> Move | None:
    """Once, to say it in English."""
    judged, asks = at.question.judged, Move(MoveKind.REDIRECT, remark=DialogueAct.UNREAD)
    is_unread = judged and judged[-1].unread and unread_parts(at.last.text)
    is_due = is_unread and at.answers and not at.gained and asks not in at.question.moves
    return asks if is_due else None


def _bad_line(at: Situation) -> Move | None:
    """What is wrong with the run just submitted, in the words of its first bad line."""
    run = next((turn for turn in at.question.runs if turn.number == at.last.run), None)
    failed = (CheckOutcome.FAILED, CheckOutcome.INCOMPLETE)
    if run is None or run.result is None or run.result.outcome not in failed:
        return None
    said = [move.bench for move in at.question.moves if move.kind is MoveKind.BAD_LINE]
    words, name = fault_of(run.text, run.result)
    if len(said) >= BAD_LINES or words in said:
        return None
    target = next((c.id for c in at.rubric.criteria if name and c.bench == name), "")
    return Move(MoveKind.BAD_LINE, target, bench=words)


def _withdrawal(at: Situation) -> Move | None:
    is_new = DialogueAct.WITHDRAWAL in at.acts and not at.question.made(MoveKind.REFRAME)
    return Move(MoveKind.REFRAME) if is_new else None


def _arithmetic(at: Situation) -> Move | None:
    """Figures that close, once."""
    is_due = at.last.author == "candidate" and not at.question.made(MoveKind.NUMBERS_FIT)
    return next(iter(at.numbers.closing), None) if is_due else None


def _easier(at: Situation) -> Move | None:
    """A smaller step each time; between the first two a hint is offered."""
    made = at.question.made(MoveKind.SIMPLIFY)
    own = SMALLER_STEPS if at.question.would_make(MoveKind.SIMPLIFY) else 1
    is_left = made < max(own, len(at.rubric.simpler)) and not (made and at.offer)
    if not (at.wants_less and is_left):
        return None
    target = at.last_target
    if not target or at.status[target] is Status.MET:
        target = next((c.id for c in at.open), "")
    return Move(MoveKind.SIMPLIFY, target) if target else None


def _sharper(at: Situation) -> Move | None:
    """The second try of the drill that was just answered without what it asked for."""
    mark = at.question.drills[-1] if at.question.drills and at.answers else None
    if mark and at.numbers.pressing:
        return at.numbers.pressing
    if mark is None or mark.passed or mark.has_none or mark.reply.number != at.last.number:
        return None
    own = mark.move.target and at.rubric.criterion(mark.move.target).drill
    was_first = at.question.made(MoveKind.DRILL, on=mark.move.target) == 1
    return mark.move if own and was_first else None


def _drill_on_figure(at: Situation) -> Move | None:
    """What was actually done: a figure just said goes before all else."""
    fresh = (move for move in at.numbers.drills if move.figures[0][0] == at.last.number)
    return next(fresh, None) if at.answers and at.may_drill else None


def _drill(at: Situation) -> Move | None:
    """Where own work comes first, what was made or is near; a model knows when to ask."""
    tells = is_on_own_work(at.rubric) or tells_of_own_work(at.last.parsed) or at.model_heard
    if not (at.answers and at.drills_own and tells and at.may_drill) or at.question.told_own:
        return None
    if at.rubric.kind in EXERCISES or (at.question.moves and not at.gained):
        return None
    undrilled = (c for c in at.rubric.criteria if not at.question.made(MoveKind.DRILL, on=c.id))
    own = [c for c in undrilled if c.drill and c.drill.wants not in at.numbers.stated]
    earned = [c for c in own if at.earns(c) and not c.is_own]
    untold = [c for c in own if at.status[c.id] in AIMED_AT[MoveKind.PROBE] and c.is_own]
    untold.sort(key=lambda c: len(content_stems(f"{c.claim} {c.probe}") & at.last.parsed.stems))
    best = max(earned or untold[-1:], key=lambda c: (c.kind in OWN_WORK, c.weight), default=None)
    return Move(MoveKind.DRILL, best.id, wants=best.drill.wants) if best and best.drill else None


def _dodge(at: Situation) -> Move | None:
    asks = at.last_move and at.last_move.kind in (*AIMED_AT, MoveKind.DRILL)
    asked = at.last_target if at.dodged and asks else ""
    is_open = asked and at.status[asked] in AIMED_AT[MoveKind.PIN_DOWN]
    return Move(MoveKind.PIN_DOWN, asked) if is_open else None


def _latest_answer(at: Situation) -> Move | None:
    """Puts what is wrong to the test, and has what is vague made concrete."""
    if at.last.run is not None or not at.answers:
        return None
    verdicts = at.question.verdicts
    moves = (move for move in _unsettled(at, at.rubric.criteria) if move.target in verdicts)
    return next((m for m in moves if verdicts[m.target].turn in (at.last.number, None)), None)


def _unsettled(at: Situation, criteria: Iterable[Criterion]) -> Iterator[Move]:
    """What is wrong and then what is vague among these criteria, each taken up once."""
    taken_up = {Status.CONTRADICTED: MoveKind.CHALLENGE, Status.VAGUE: MoveKind.PIN_DOWN}
    for status, kind in taken_up.items():
        for criterion in criteria:
            if at.status[criterion.id] is status and not at.question.made(kind, on=criterion.id):
                yield Move(kind, criterion.id)


def _deeper(at: Situation) -> Move | None:
    """One step further into the point that the answer made last, in turn with what is open."""
    is_prose = at.answers and at.last.run is None
    made = [c for c in at.just_made if c.deeper] if is_prose else []
    missing = any(not c.extra and not at.may_be_said(c) for c in at.open)
    waits = missing and (at.left == 1 or at.follows(MoveKind.PIN_DOWN))
    return Move(MoveKind.PIN_DOWN, made[-1].id) if made and not waits else None


def _telling(at: Situation) -> Move | None:
    """In practice, a point that is left is told before the next one is asked about."""
    target = at.last_target
    left = at.mode == "practice" and target and at.status[target] is Status.LEFT
    is_due = left and not at.question.made(MoveKind.TELL, on=target)
    return Move(MoveKind.TELL, target) if is_due else None


def _dry(at: Situation) -> Move | None:
    """Too many questions towards a point brought nothing new since the last answer that did."""
    dry, sought = 0, False
    for turn in at.question.turns:
        if turn.author == "candidate":
            dry = 0 if turn.number in at.question.gains else dry + sought
        sought = turn.author == "examiner" and turn.kind in _SEEKING and turn.target is not None
    return at.close(CloseReason.NO_PROGRESS) if dry >= DRY_FOLLOW_UPS else None


def _next_topic(at: Situation) -> Move | None:
    """The open point least likely said, must-haves first, then the vague ones; extras last."""
    tried = at.last_target if at.is_stuck else ""
    wanting = [c for c in at.open if c.id != tried and (c.must_have or not at.may_be_said(c))]
    if wanting and wanting[0].must_have:
        return Move(MoveKind.PROBE, wanting[0].id)
    by_need = sorted(at.rubric.criteria, key=lambda c: not c.must_have)
    after = [*_unsettled(at, by_need), *(Move(MoveKind.PROBE, c.id) for c in wanting)]
    return min(after, key=lambda move: at.rubric.criterion(move.target).extra, default=None)


def _harder(at: Situation) -> Move | None:
    must = (at.status[c.id] for c in at.rubric.criteria if c.must_have)
    made = all(each is Status.MET for each in must) and graded(at.question.verdicts.values())
    place = at.rubric.escalation_to_ask
    if not made or place is None or at.question.escalated_to is not None or at.is_stuck:
        return None
    return Move(MoveKind.ESCALATE, escalation=place)


def _any_topic(at: Situation) -> Move | None:
    """Last what may have been said in words that were not recognised."""
    return next((Move(MoveKind.PROBE, c.id) for c in at.open), None)


def _figure_taken_up(at: Situation) -> Move | None:
    new = at.last.number in at.numbers.own and at.question.would_make(MoveKind.DRILL)
    return Move(MoveKind.DRILL) if new else None


def _asks_again(at: Situation) -> Move | None:
    """In a discussion questions back are answers, and only a wish to hear it again is served."""
    wants = at.acts & {DialogueAct.WANTS_REPEAT, DialogueAct.WANTS_REPHRASE} and not at.answers
    return Move(MoveKind.CLARIFY) if wants and not at.question.made(MoveKind.CLARIFY) else None


def _their_question(at: Situation) -> Move | None:
    """Where the candidate asks, their question is answered."""
    asks = at.rubric.candidate_asks and "?" in at.last.text and at.left
    return Move(MoveKind.CLARIFY) if asks else None


def _next_subject(at: Situation) -> Move | None:
    """What was not asked about yet, in the rubric's order; nothing after their own questions."""
    answered = at.rubric.candidate_asks and at.question.made(MoveKind.CLARIFY)
    criteria = () if not at.left or answered else at.rubric.criteria
    left = (c for c in criteria if not at.question.made(MoveKind.PROBE, on=c.id))
    return next((Move(MoveKind.PROBE, c.id) for c in left), None)


_DRILL = frozenset({MoveKind.DRILL})
_ANY = _DRILL | {*AIMED_AT, MoveKind.ESCALATE, MoveKind.SIMPLIFY}
_REACTIONS = (
    Rule("a wish to leave", _leave),
    Rule("a hint that is wanted", _hint),
    Rule("a question back", _question_back, frozenset({MoveKind.CLARIFY})),
    Rule("numbers that cannot be", _clash),
    Rule("a stray", _stray, frozenset({MoveKind.REDIRECT})),
    Rule("a false claim", _false_claim, frozenset({MoveKind.CHALLENGE})),
    Rule("no follow-ups left", _used_up),
    Rule("an answer that was not read", _unread),
    Rule("a bad line", _bad_line),
    Rule("a withdrawal", _withdrawal, _ANY | {MoveKind.REFRAME}),
    Rule("numbers that fit", _arithmetic, _ANY),
    Rule("stuck", _easier, frozenset({MoveKind.SIMPLIFY})),
    Rule("stuck", lambda at: at.offer if at.wants_less else None),
    Rule("own work", _sharper, _ANY),
    Rule("own work", _drill_on_figure, _ANY),
    Rule("own work", _drill, _ANY),
    Rule("a dodge", _dodge, _ANY),
    Rule("the latest answer", _latest_answer, _ANY),
    Rule("a point just made", _deeper, _ANY),
)
_GOING_ON = (
    Rule("no follow-ups left", _used_up),
    Rule("a point that is left", _telling),
    Rule("nothing new", _dry),
    Rule("the next topic", _next_topic, _ANY),
    Rule("the harder variant", _harder, _DRILL | {MoveKind.ESCALATE}),
    Rule("a figure of theirs", _figure_taken_up, _DRILL),
    Rule("what may have been said", _any_topic, _ANY),
    Rule("the end", lambda at: at.close(CloseReason.NO_PROGRESS)),
)
_DISCUSSION = (
    Rule("a wish to leave", _leave),
    Rule("their question", _their_question, frozenset({MoveKind.CLARIFY})),
    Rule("a wish to hear it again", _asks_again, frozenset({MoveKind.CLARIFY})),
    Rule("the next subject", _next_subject, frozenset({MoveKind.PROBE})),
    Rule("the end", lambda _: Move(MoveKind.CLOSE, why=CloseReason.TALKED_OVER)),
)
