"""Which follow-up comes next, and when to leave a question. All pure.

The order is that of a good interviewer: obey wishes and answer questions back; lead strays back;
take up a withdrawal, then numbers that cannot be; then what the latest answer said; then the
easiest open step, must-haves first; the harder variant last. Help is given when it is asked for or
an offer is accepted, never otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import pairwise

from interviewer.examiner.listening import commits, is_off_topic, tells_of_own_work
from interviewer.examiner.moves import (
    BenchChallenge,
    Challenge,
    Clarify,
    Close,
    CloseReason,
    Drill,
    Escalate,
    FollowUp,
    Hint,
    OfferHint,
    PinDown,
    Probe,
    Redirect,
    Reframe,
    Simplify,
    SumChallenge,
    SumDrill,
    Tell,
    Worded,
    target_of,
)
from interviewer.grading.bench_evidence import first_fault, name_defined, source_lines
from interviewer.grading.score import credit, standing
from interviewer.grading.transcript import DialogueAct, Turn, TurnKind
from interviewer.grading.verdicts import CriterionVerdict, Flag
from interviewer.interview.consistency import EXERCISES, Numbers
from interviewer.interview.events import Mode
from interviewer.interview.state import QuestionState
from interviewer.rubric.rubric import Criterion, Further, Rubric, Verdict
from interviewer.sandbox.result import CheckResult, Outcome

TRIES_PER_CRITERION = 2
"""Questions towards one criterion; drills, help and clarifications are no tries."""
GIVEN_UP_AFTER = 4
""""I don't know" this often in a row closes the question."""
DRY_FOLLOW_UPS = 4
"""Questions in a row that brought nothing close the question."""
DRILLS = {True: 2, False: 1}
"""The most drills of a question, in a round that drills and in another."""
REDIRECTIONS = 2
BENCH_CHALLENGES_PER_QUESTION = 2
"""The most times a candidate is shown a bad line of theirs."""
QUOTED_CHARACTERS = 120
"""Longer lines are cut off when quoted."""
_FAILED = (Outcome.FAILED, Outcome.INCOMPLETE)
_OWN_WORK = ("experience", "number")
_NORMAL = frozenset(
    {TurnKind.DRILL, TurnKind.PIN_DOWN, TurnKind.CHALLENGE, TurnKind.PROBE, TurnKind.ESCALATE}
)
_STRAYS = (
    DialogueAct.ORDER,
    DialogueAct.WANTS_RUBRIC,
    DialogueAct.WANTS_ANSWER,
    DialogueAct.INSULT,
    DialogueAct.WANTS_TO_STOP,
    DialogueAct.REPETITION,
    DialogueAct.OFF_TOPIC,
    DialogueAct.BARE,
)
"""What is led back to the question, the most pressing first."""


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
    With ``drills``, own work and its figures are asked about before definitions.
    """

    follow_ups: int
    drills: bool = False


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
    """The criterion's status; LEFT if it could not be judged, as asking again is blind."""
    verdict = standings(question).get(criterion.id)
    if verdict and verdict.verdict is Verdict.MET:
        return Status.MET
    if _tries(question, criterion) >= TRIES_PER_CRITERION or _told(question, criterion):
        return Status.LEFT
    if verdict is None:
        return Status.LEFT if question.judged else Status.OPEN
    if verdict.verdict is Verdict.CONTRADICTED:
        return Status.CONTRADICTED
    if verdict.verdict is Verdict.PARTIAL or verdict.vague:
        return Status.VAGUE
    return Status.LEFT if _tries(question, criterion) else Status.OPEN


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
    last = _last_target(question)
    statuses = {c.id: status_of(question, c) for c in rubric.criteria}
    wanting = [c for c in rubric.criteria if statuses[c.id] is not Status.MET]
    wanting = [c for c in wanting if not _told(question, c)]
    wanting.sort(key=lambda c: (c.id != last, _MOST_URGENT.index(statuses[c.id]), -c.weight))
    for criterion in wanting:
        level = _hints_given(question, criterion) + 1
        if level <= len(criterion.hints):
            return Hint(criterion.id, level)
    return None


def next_move(
    question: QuestionState,
    rubric: Rubric,
    caps: Caps,
    mode: Mode,
    numbers: Numbers = Numbers(),  # noqa: B008 frozen
) -> NextMove:
    """What the examiner does after the candidate's latest turn.

    Only a close with COVERED or HARDER_OPEN means a sufficient answer.
    """
    at = Situation(question, rubric, caps, mode, numbers)
    if question.last_words.kind is TurnKind.TELL:
        return next(due for rule in _GOING_ON if (due := rule(at)))
    return next(due for rule in (*_ORDER, *_GOING_ON) if (due := rule(at)))


def admits(
    due: NextMove, move: Worded, question: QuestionState, rubric: Rubric, caps: Caps
) -> bool:
    """Whether the examiner may make this move in place of the one that is due."""
    if move.kind not in due.instead:
        return False
    at = Situation(question, rubric, caps, "exam")
    match move:
        case Drill():
            return at.may_drill
        case Escalate():
            return at.may_escalate and (at.must_haves_done or at.recited)
        case Probe():
            extra = isinstance(due.move, PinDown | Challenge) or at.must_haves_done
            return at.status.get(move.target) in (Status.OPEN, Status.VAGUE) and (
                extra or rubric.criterion(move.target).must_have
            )
        case PinDown() | Challenge():
            return at.status.get(move.target) in (
                Status.OPEN,
                Status.VAGUE,
                Status.CONTRADICTED,
            )
        case _:
            return True


def as_it_is(move: Worded, question: QuestionState, rubric: Rubric) -> Worded:
    """The move by its right name: what challenges nothing that was said is a probe."""
    if not isinstance(move, Challenge):
        return move
    status = status_of(question, rubric.criterion(move.target))
    return Probe(move.target) if status is Status.OPEN else move


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
        last = _last_target(self.question)
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
            wanting, key=lambda c: (not c.must_have, c.extra, drills and c.kind not in _OWN_WORK)
        )

    def covered(self, otherwise: CloseReason) -> NextMove:
        """The close, with this reason if not all that was asked for is met."""
        if not self.all_met:
            return NextMove(Close(otherwise))
        further = [c.id for c in self.rubric.criteria if isinstance(c, Further)]
        earned = any(credit(self.standing[c]) > 0 for c in further if c in self.standing)
        is_open = bool(further) and not earned
        return NextMove(Close(CloseReason.HARDER_OPEN if is_open else CloseReason.COVERED))


_Rule = Callable[[Situation], NextMove | None]


def _hint_taken(at: Situation) -> NextMove | None:
    """A hint, for those who asked by key or in words, or accepted an offer."""
    wants = at.acts & {DialogueAct.WANTS_HINT, DialogueAct.ACCEPTS}
    if not at.question.hint_requested and not wants:
        return None
    if hint := next_hint(at.question, at.rubric, at.caps):
        return NextMove(hint)
    if at.question.hint_requested or follow_ups_used(at.question) >= at.caps.follow_ups:
        return None
    return NextMove(Redirect(DialogueAct.WANTS_HINT))


def _skip(at: Situation) -> NextMove | None:
    skips = DialogueAct.WANTS_SKIP in at.acts and DialogueAct.ANSWER not in at.acts
    return NextMove(Close(CloseReason.SKIPPED)) if skips else None


def _question_back(at: Situation) -> NextMove | None:
    asked = at.acts & {DialogueAct.QUESTION_BACK, DialogueAct.WANTS_REPEAT}
    if not asked:
        return None
    if at.made(Clarify) and follow_ups_used(at.question) >= at.caps.follow_ups:
        return None
    return NextMove(Clarify(_last_target(at.question) or ""), frozenset({TurnKind.CLARIFY}))


def _stray(at: Situation) -> NextMove | None:
    """Back to the question, unless the turn made a point besides or this has not helped twice."""
    if at.gained or at.made(Redirect) >= REDIRECTIONS:
        return None
    if at.made(Redirect) and follow_ups_used(at.question) >= at.caps.follow_ups:
        return None
    stray = next((act for act in _STRAYS if act in at.acts), None)
    return NextMove(Redirect(stray)) if stray else None


def _cap(at: Situation) -> NextMove | None:
    if follow_ups_used(at.question) < at.caps.follow_ups:
        return None
    return at.covered(CloseReason.FOLLOW_UPS_USED)


def _bad_line(at: Situation) -> NextMove | None:
    """What is wrong with the run just submitted, in the words of its first bad line."""
    run = next((turn for turn in at.question.runs if turn.number == at.last.run), None)
    if run is None or run.result is None or run.result.outcome not in _FAILED:
        return None
    said = [move.fault for move in at.question.moves if isinstance(move, BenchChallenge)]
    words, name = _fault_of(run.text, run.result)
    if len(said) >= BENCH_CHALLENGES_PER_QUESTION or words in said:
        return None
    target = next((c.id for c in at.rubric.criteria if name and c.bench == name), "")
    return NextMove(BenchChallenge(words, target))


def _fault_of(source: str, result: CheckResult) -> tuple[str, str]:
    """The fault in a sentence that quotes its line, and the name the line defines, or ""."""
    bad, lines = result.first_bad_line, source_lines(source)
    if bad is None or not 1 <= bad <= len(lines):
        return result.summary, ""
    quoted = lines[bad - 1].strip()
    if len(quoted) > QUOTED_CHARACTERS:
        quoted = f"{quoted[:QUOTED_CHARACTERS].rstrip()}…"
    return f"Line {bad}, “{quoted}”: {first_fault(result)}", name_defined(lines[bad - 1])


def _withdrawal(at: Situation) -> NextMove | None:
    if DialogueAct.WITHDRAWAL not in at.acts or at.made(Reframe):
        return None
    return NextMove(Reframe(), frozenset({TurnKind.REFRAME}))


def _arithmetic(at: Situation) -> NextMove | None:
    """Numbers that cannot be; then, once, numbers that close or a contradiction of before."""
    if at.last.author != "candidate":
        return None
    if at.numbers.impossible:
        return NextMove(SumChallenge(at.numbers.impossible[0]))
    if at.numbers.closing and not at.made(SumDrill):
        return NextMove(at.numbers.closing[0])
    if at.numbers.revisit and not at.made(SumChallenge):
        return NextMove(SumChallenge(at.numbers.revisit[0]))
    return None


def _stuck(at: Situation) -> NextMove | None:
    """Something simpler, then the offer of a hint, then on to something else."""
    if not _is_stuck(at.acts):
        return None
    if stuck_in_a_row(at.question) >= GIVEN_UP_AFTER:
        return at.covered(CloseReason.NO_PROGRESS)
    if not at.made(Simplify) and at.target:
        return NextMove(Simplify(at.target), frozenset({TurnKind.SIMPLIFY}))
    hint = next_hint(at.question, at.rubric, at.caps)
    if hint and not at.made(OfferHint) and not at.made(Hint):
        return NextMove(OfferHint(hint.target, hint.level))
    return None


def _own_work(at: Situation) -> NextMove | None:
    """In a round that drills: what was actually done, and with which figures.

    It comes first after an answer that told of no own work with figures, and whenever an answer
    has made a point without either. An examiner may take up something else once, not twice.
    """
    if not (at.caps.drills or at.recited) or DialogueAct.ANSWER not in at.acts or not at.may_drill:
        return None
    answer = at.last.parsed
    if at.caps.drills and answer.quantities and tells_of_own_work(answer):
        return None
    earned = [
        c for c in at.rubric.criteria if c.id in at.standing and credit(at.standing[c.id]) > 0
    ]
    if at.question.moves and not at.gained:
        return None
    target = max(earned, key=lambda c: (c.kind in _OWN_WORK, c.weight)).id if earned else ""
    overdue = at.caps.drills and bool(at.question.moves) and not at.made(Drill)
    return NextMove(Drill(target), frozenset({TurnKind.DRILL}) if overdue else _NORMAL)


def _recital(at: Situation) -> NextMove | None:
    """A recited answer gets the harder variant: knowing a text is not knowing its subject."""
    if not at.recited or not at.may_escalate:
        return None
    return NextMove(at.escalation, frozenset({TurnKind.ESCALATE, TurnKind.DRILL}))


def _latest_answer(at: Situation) -> NextMove | None:
    """Puts what is wrong to the test, and has what is vague made concrete."""
    if at.last.run is not None or DialogueAct.ANSWER not in at.acts:
        return None
    for status, kind in ((Status.CONTRADICTED, Challenge), (Status.VAGUE, PinDown)):
        for criterion in at.rubric.criteria:
            verdict = at.standing.get(criterion.id)
            fresh = verdict is not None and verdict.turn in (at.last.number, None)
            if at.status[criterion.id] is status and fresh and not at.made_on(kind, criterion):
                return NextMove(kind(criterion.id), _NORMAL)
    return None


def _dry(at: Situation) -> NextMove | None:
    if dry_follow_ups(at.question) < DRY_FOLLOW_UPS:
        return None
    return at.covered(CloseReason.NO_PROGRESS)


def _telling(at: Situation) -> NextMove | None:
    """In practice, a point that is left is told before the next one is asked about."""
    target = _last_target(at.question)
    if at.mode != "practice" or not target:
        return None
    if at.status[target] is Status.LEFT and not _told(at.question, at.rubric.criterion(target)):
        return NextMove(Tell(target))
    return None


def _next_topic(at: Situation) -> NextMove | None:
    """The easiest open step, must-haves first, then what is still vague or wrong."""
    wanting = list(at.open())
    must = [c for c in wanting if c.must_have]
    unsettled = [
        kind(criterion.id)
        for status, kind in ((Status.CONTRADICTED, Challenge), (Status.VAGUE, PinDown))
        for criterion in sorted(at.rubric.criteria, key=lambda c: not c.must_have)
        if at.status[criterion.id] is status and not at.made_on(kind, criterion)
    ]
    for move in (*(Probe(c.id) for c in must), *unsettled, *(Probe(c.id) for c in wanting)):
        return NextMove(move, _NORMAL)
    return None


def _harder(at: Situation) -> NextMove | None:
    must = [c for c in at.rubric.criteria if c.must_have]
    made = all(at.status[c.id] is Status.MET for c in must) and at.standing
    if made and at.may_escalate and not _is_stuck(at.acts):
        return NextMove(at.escalation, frozenset({TurnKind.ESCALATE}))
    return None


def _end(at: Situation) -> NextMove:
    return at.covered(CloseReason.NO_PROGRESS)


_GOING_ON: tuple[_Rule, ...] = (_cap, _telling, _dry, _next_topic, _harder, _end)
_ORDER: tuple[_Rule, ...] = (
    _skip,
    _hint_taken,
    _question_back,
    _stray,
    _cap,
    _bad_line,
    _withdrawal,
    _arithmetic,
    _stuck,
    _own_work,
    _recital,
    _latest_answer,
)


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
            if not _is_stuck(question.acts_at(turn)):
                break
            count += 1
    return count


def _is_stuck(acts: frozenset[DialogueAct]) -> bool:
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


def _last_target(question: QuestionState) -> str | None:
    return target_of(question.moves[-1]) if question.moves else None


def _tries(question: QuestionState, criterion: Criterion) -> int:
    """A harder variant asks for its own criteria, which counts as a try at them."""
    tried = (Probe, PinDown, Challenge, BenchChallenge)
    aimed = sum(isinstance(m, tried) and target_of(m) == criterion.id for m in question.moves)
    return aimed + isinstance(criterion, Further)


def _told(question: QuestionState, criterion: Criterion) -> bool:
    return any(isinstance(m, Tell) and m.target == criterion.id for m in question.moves)


def _hints_given(question: QuestionState, criterion: Criterion) -> int:
    hints = (move for move in question.moves if isinstance(move, Hint))
    levels = [hint.level for hint in hints if hint.target == criterion.id]
    return max(levels, default=0)
