"""What happens next: the step that is due, and the follow-up. All pure.

Follow-ups come from a table of rules in their order, that of a good interviewer. Help is given when
it is asked for or an offer is accepted, never otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from interviewer.examiner.offline.guards import unread_parts
from interviewer.examiner.protocol import WORDED, CloseReason, Move, MoveKind, OpenMove
from interviewer.grading.evidence import fault_of
from interviewer.grading.transcript import ASKS_BACK, DialogueAct, TurnKind
from interviewer.grading.verdicts import graded
from interviewer.interview.drawing import next_question
from interviewer.interview.situation import EXERCISES, OWN_WORK, Situation, Status
from interviewer.interview.state import QuestionState, RoundState, SessionState
from interviewer.rubric.rubric import Criterion
from interviewer.rubric.text import content_stems
from interviewer.sandbox.result import CheckOutcome


class Step(Enum):
    START_ROUND = auto()
    POSE_QUESTION = auto()
    AWAIT_CANDIDATE = auto()
    SETTLE = auto()
    """Wait for the second look at verdicts in doubt."""
    LISTEN = auto()
    """Judge the answer and, at the same time, think about what to say next."""
    RESPOND = auto()
    AWAIT_REMEDY = auto()
    """A step failed: retry, go on offline, or pause."""
    CLOSE_FOR_TIME = auto()
    GRADE = auto()
    END_ROUND = auto()
    FINISH = auto()
    DONE = auto()


def next_step(state: SessionState) -> Step:
    """The step that is due; DONE once the session is finished or paused."""
    if state.finished or state.paused:
        return Step.DONE
    if state.failure:
        return Step.AWAIT_REMEDY
    if question := state.question:
        return _within(question, time_up=bool(state.round and state.round.time_up))
    if running := state.round:
        is_over = running.time_up or next_question(state) is None
        return Step.END_ROUND if is_over else Step.POSE_QUESTION
    if state.ending or len(state.rounds) >= len(state.outline):
        return Step.FINISH
    return Step.START_ROUND


def break_due(state: SessionState) -> bool:
    """Something has just ended that the candidate should take in before the next begins.

    That is a graded question in practice, and a round whose time was up if another one follows.
    """
    if running := state.round:
        return state.mode == "practice" and bool(running.questions) and state.question is None
    another = bool(state.rounds) and not state.ending and len(state.rounds) < len(state.outline)
    return another and state.rounds[-1].ended == "time_up"


def may_retry(state: SessionState) -> bool:
    return state.mode == "practice" and bool(state.round and not state.round.time_up)


def questions_of(running: RoundState, *coming: str) -> int:
    """How many questions the round has, with these rubrics asked next; each further try counts."""
    asked = [*(question.rubric for question in running.questions), *coming]
    return running.outline.count + len(asked) - len(set(asked))


def _within(question: QuestionState, *, time_up: bool) -> Step:
    last = question.last_words
    if question.closed:
        return Step.SETTLE if question.doubts else Step.GRADE
    if question.unjudged_answer:
        return Step.LISTEN
    if time_up:
        return Step.CLOSE_FOR_TIME
    if question.hint_requested or last.kind is TurnKind.TELL:
        return Step.RESPOND
    if last.author == "candidate":
        return Step.RESPOND if question.was_heard else Step.LISTEN
    return Step.AWAIT_CANDIDATE


# -- the follow-up --------------------------------------------------------------------

DRY_FOLLOW_UPS = 4
"""Questions in a row that brought nothing close the question."""
REDIRECTIONS = SMALLER_STEPS = 3
DODGED_DRILLS = 4
"""Up to here a drill that was dodged may be put again."""
PLAIN_WISH = 25
"""The most words of a wish to stop that ends the interview at once."""
BAD_LINES = 2
"""The most times a candidate is shown a bad line of theirs in a question."""
_FAILED = (CheckOutcome.FAILED, CheckOutcome.INCOMPLETE)
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
    """What the examiner does after the candidate's latest turn.

    Only a close with COVERED or HARDER_OPEN means a sufficient answer.
    """
    rules: tuple[Rule, ...] = (*_REACTIONS, *_GOING_ON)
    if at.rubric.is_discussion:
        rules = _DISCUSSION
    elif at.last.kind is TurnKind.TELL:
        rules = _GOING_ON
    found = ((rule, move) for rule in rules if (move := rule.due(at)))
    rule, move = next(found)
    return NextMove(move, rule.instead, rule.name)


def _leave(at: Situation) -> Move | None:
    """A wish to stop ends the interview, confirmed if it may be a slip or no model heard it."""
    stop = DialogueAct.WANTS_TO_STOP
    told = any(move.remark is stop for move in at.question.moves)
    confirms = at.last_move is not None and at.last_move.remark is stop
    is_plain = at.model_heard and len(at.last.parsed.words) <= PLAIN_WISH
    wants = stop in at.acts or (confirms and DialogueAct.BARE in at.acts)
    if wants and (told or (is_plain and not at.answers)):
        return Move(MoveKind.CLOSE, why=CloseReason.INTERVIEW_ENDED)
    skips = DialogueAct.WANTS_SKIP in at.acts
    return Move(MoveKind.CLOSE, why=CloseReason.SKIPPED) if skips else None


def _hint(at: Situation) -> Move | None:
    """For those who asked by key or in words, or accepted an offer."""
    requested = at.question.hint_requested
    if not requested and not at.acts & {DialogueAct.WANTS_HINT, DialogueAct.ACCEPTS}:
        return None
    if at.hint or requested:
        return at.hint
    return Move(MoveKind.REDIRECT, remark=DialogueAct.WANTS_HINT)


def _question_back(at: Situation) -> Move | None:
    asked = at.acts & ASKS_BACK
    if at.answers and not at.question.would_make(MoveKind.CLARIFY):
        return None
    if not asked or (at.question.made(MoveKind.CLARIFY) and at.is_spent):
        return None
    return Move(MoveKind.CLARIFY, at.last_target)


def _clash(at: Situation) -> Move | None:
    """Figures that cannot all be true; the cap is stretched by one such move."""
    if at.last.author != "candidate" or not at.numbers.impossible:
        return None
    is_over = at.is_spent and at.question.made(MoveKind.NUMBERS_CLASH)
    return None if is_over else at.numbers.impossible[0]


def _stray(at: Situation) -> Move | None:
    """Back to the question, unless there is an answer beside it or this has not helped before."""
    before = at.question.made(MoveKind.REDIRECT)
    adds = at.answers and not at.acts & {DialogueAct.REPETITION, DialogueAct.WANTS_TO_STOP}
    if adds or before >= REDIRECTIONS or (before and at.is_spent):
        return None
    # Who worries and is stuck gets a smaller step, which is what calms.
    calmed = {DialogueAct.WANTS_COMFORT} if DialogueAct.GIVES_UP in at.acts else set()
    acts = at.acts - calmed
    return next((Move(MoveKind.REDIRECT, remark=act) for act in _STRAYS if act in acts), None)


def _false_claim(at: Situation) -> Move | None:
    """A main point that was just contradicted is put to the test, past the cap by one such move."""
    must = [c for c in at.rubric.criteria if c.must_have] if at.answers and at.is_spent else []
    said = at.question.verdicts
    new = [c for c in must if c.id in said and said[c.id].turn == at.last.number]
    fresh = (move for move in _unsettled(at, new) if move.kind is MoveKind.CHALLENGE)
    is_over = at.question.follow_ups_used > at.caps.follow_ups
    return None if is_over else next(fresh, None)


def _used_up(at: Situation) -> Move | None:
    return at.close(CloseReason.FOLLOW_UPS_USED) if at.is_spent else None


def _unread(at: Situation) -> Move | None:
    """Once, to say it in English."""
    judged = at.question.judged
    is_unread = judged and judged[-1].unread and unread_parts(at.last.text)
    if at.gained or not at.answers or not is_unread:
        return None
    asks = Move(MoveKind.REDIRECT, remark=DialogueAct.UNREAD)
    return None if asks in at.question.moves else asks


def _bad_line(at: Situation) -> Move | None:
    """What is wrong with the run just submitted, in the words of its first bad line."""
    run = next((turn for turn in at.question.runs if turn.number == at.last.run), None)
    if run is None or run.result is None or run.result.outcome not in _FAILED:
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
    due = at.is_stuck and not at.is_stuck_deeper and at.target and is_left
    return Move(MoveKind.SIMPLIFY, at.target) if due else None


def _offer(at: Situation) -> Move | None:
    return at.offer if at.is_stuck and not at.is_stuck_deeper else None


def _drill(at: Situation) -> Move | None:
    """What was actually done: a figure just said goes before all else.

    Where own work comes first, what was made or is near follows, by its own drill.
    A reply without what was asked for is asked for more sharply, once.
    """
    again = at.sharper if at.answers else None
    if again or not at.answers or not at.may_drill:
        return again
    fresh = (move for move in at.numbers.drills if move.figures[0][0] == at.last.number)
    if (on_figure := next(fresh, None)) or at.question.told_own:
        return on_figure
    if (
        not (at.drills_own and at.tells_of_own)
        or at.rubric.kind in EXERCISES
        or (at.question.moves and not at.gained)
    ):
        return None
    undrilled = (c for c in at.rubric.criteria if not at.question.made(MoveKind.DRILL, on=c.id))
    own = [c for c in undrilled if c.drill and c.drill.wants not in at.numbers.stated]
    earned = [c for c in own if at.earns(c) and not c.is_own]
    untold = [c for c in own if at.status[c.id] in _AIMED_AT[MoveKind.PROBE] and c.is_own]
    untold.sort(key=lambda c: len(content_stems(f"{c.claim} {c.probe}") & at.last.parsed.stems))
    best = max(earned or untold[-1:], key=lambda c: (c.kind in OWN_WORK, c.weight), default=None)
    return Move(MoveKind.DRILL, best.id, wants=best.drill.wants) if best and best.drill else None


def _dodge(at: Situation) -> Move | None:
    asked = at.last_target if at.dodged and at.last_move and at.last_move.kind in _ASKS else ""
    is_open = asked and at.status[asked] in _AIMED_AT[MoveKind.PIN_DOWN]
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
    for status, kind in _TAKEN_UP.items():
        for criterion in criteria:
            if at.status[criterion.id] is status and not at.question.made(kind, on=criterion.id):
                yield Move(kind, criterion.id)


_TAKEN_UP = {Status.CONTRADICTED: MoveKind.CHALLENGE, Status.VAGUE: MoveKind.PIN_DOWN}


def _deeper(at: Situation) -> Move | None:
    """One step further into the point that the answer made last, in turn with what is open."""
    is_prose = at.answers and at.last.run is None
    made = [c for c in at.just_made if c.deeper] if is_prose else []
    missing = any(not c.extra and not at.may_be_said(c) for c in at.open())
    waits = missing and (at.is_last or at.follows(MoveKind.PIN_DOWN))
    return Move(MoveKind.PIN_DOWN, made[-1].id) if made and not waits else None


def _telling(at: Situation) -> Move | None:
    """In practice, a point that is left is told before the next one is asked about."""
    target = at.last_target
    left = at.mode == "practice" and target and at.status[target] is Status.LEFT
    if not left or at.question.made(MoveKind.TELL, on=target):
        return None
    return Move(MoveKind.TELL, target)


def _dry(at: Situation) -> Move | None:
    return at.close(CloseReason.NO_PROGRESS) if at.dry >= DRY_FOLLOW_UPS else None


def _next_topic(at: Situation) -> Move | None:
    """The open point least likely said, must-haves first, then the vague ones; extras last."""
    tried = at.last_target if at.is_stuck else ""
    wanting = [c for c in at.open() if c.id != tried and (c.must_have or not at.may_be_said(c))]
    if wanting and wanting[0].must_have:
        return Move(MoveKind.PROBE, wanting[0].id)
    by_need = sorted(at.rubric.criteria, key=lambda c: not c.must_have)
    after = [*_unsettled(at, by_need), *(Move(MoveKind.PROBE, c.id) for c in wanting)]
    return min(after, key=lambda move: at.rubric.criterion(move.target).extra, default=None)


def _harder(at: Situation) -> Move | None:
    must = (at.status[c.id] for c in at.rubric.criteria if c.must_have)
    made = all(each is Status.MET for each in must) and graded(at.question.verdicts.values())
    if not made or not at.may_escalate or at.is_stuck:
        return None
    return Move(MoveKind.ESCALATE, escalation=at.rubric.escalation_to_ask or 0)


def _may_be_said(at: Situation) -> Move | None:
    """Last what may have been said in words that were not recognised."""
    return next((Move(MoveKind.PROBE, c.id) for c in at.open()), None)


def _figure_taken_up(at: Situation) -> Move | None:
    new = at.last.number in at.numbers.own and at.question.would_make(MoveKind.DRILL)
    return Move(MoveKind.DRILL) if new else None


def _asks_again(at: Situation) -> Move | None:
    """In a discussion questions back are answers, and only a wish to hear it again is served."""
    wants = at.acts & {DialogueAct.WANTS_REPEAT, DialogueAct.WANTS_REPHRASE} and not at.answers
    return Move(MoveKind.CLARIFY) if wants and not at.question.made(MoveKind.CLARIFY) else None


def _their_question(at: Situation) -> Move | None:
    """Where the candidate asks, their question is answered."""
    asks = at.rubric.candidate_asks and "?" in at.last.text and not at.is_spent
    return Move(MoveKind.CLARIFY) if asks else None


def _next_subject(at: Situation) -> Move | None:
    """What was not asked about yet, in the rubric's order; nothing after their own questions."""
    answered = at.rubric.candidate_asks and at.question.made(MoveKind.CLARIFY)
    criteria = () if at.is_spent or answered else at.rubric.criteria
    asked = at.question.made
    left = (c.id for c in criteria if not asked(MoveKind.PROBE, on=c.id))
    return next((Move(MoveKind.PROBE, each) for each in left), None)


_DRILL = frozenset({MoveKind.DRILL})
_ANY = _DRILL | {
    *(MoveKind.PIN_DOWN, MoveKind.CHALLENGE, MoveKind.PROBE, MoveKind.ESCALATE),
    MoveKind.SIMPLIFY,
}
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
    Rule("stuck", _offer),
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
    Rule("what may have been said", _may_be_said, _ANY),
    Rule("the end", lambda at: at.close(CloseReason.NO_PROGRESS)),
)
_DISCUSSION = (
    Rule("a wish to leave", _leave),
    Rule("their question", _their_question, frozenset({MoveKind.CLARIFY})),
    Rule("a wish to hear it again", _asks_again, frozenset({MoveKind.CLARIFY})),
    Rule("the next subject", _next_subject, frozenset({MoveKind.PROBE})),
    Rule("the end", lambda _: Move(MoveKind.CLOSE, why=CloseReason.TALKED_OVER)),
)


# -- what an examiner may say instead -------------------------------------------------


def open_moves(at: Situation, due: NextMove | None = None) -> tuple[OpenMove, ...]:
    """What an examiner may say in place of the move that is due, None before that is known."""
    return tuple(_open_move(at, due, kind) for kind in WORDED)


def _open_move(at: Situation, due: NextMove | None, kind: MoveKind) -> OpenMove:
    if due and kind not in due.instead:
        return OpenMove(kind, closed=f"first: {due.rule}")
    if at.rubric.is_discussion:
        return OpenMove(kind)
    if kind is MoveKind.DRILL:
        own = at.numbers.own if due else ()  # a figure just said is known once it is heard
        may = at.may_drill or at.last.number in own or (own and not at.follows(MoveKind.DRILL))
        may = may or (at.dodged and at.question.made(MoveKind.DRILL) < DODGED_DRILLS)
        drilled = 2 * at.question.made(MoveKind.DRILL) >= at.caps.follow_ups
        is_enough = drilled and not at.points_done
        if may and due and due.move.kind is not MoveKind.DRILL and is_enough:
            return OpenMove(kind, closed="other points are open, and few follow-ups are left")
        return OpenMove(kind, closed="" if may else "except on a figure of their own run")
    eases = due and due.move.kind is MoveKind.SIMPLIFY
    if kind is MoveKind.SIMPLIFY and due and not (eases or DialogueAct.GIVES_UP in at.acts):
        return OpenMove(kind, closed="for who is stuck")
    if kind is MoveKind.REDIRECT and due and due.move.remark is DialogueAct.WANTS_TO_STOP:
        return OpenMove(kind, closed="a wish to stop is confirmed in fixed words")
    if kind is MoveKind.ESCALATE:
        may = at.may_escalate and (due is None or at.points_done)
        return OpenMove(kind, closed="" if may else "points are open, or it was asked")
    if kind in _AIMED_AT and due is None:
        left = {id_ for id_, status in at.status.items() if status is Status.LEFT}
        return OpenMove(kind, tuple(id_ for id_ in at.status if id_ not in left - {at.last_target}))
    if due and kind in _AIMED_AT:
        further = at.just_made if kind is not MoveKind.PROBE else []
        fit = [c for c in at.rubric.criteria if at.status[c.id] in _AIMED_AT[kind] or c in further]
        must_haves = [c for c in at.rubric.criteria if c.must_have]
        if kind is MoveKind.PROBE and at.is_last and not at.is_done(must_haves):
            fit = [c for c in fit if c.must_have]
        targets = tuple(c.id for c in fit)
        return OpenMove(kind, targets, "" if targets else "no point is open to it")
    return OpenMove(kind)


_AIMED_AT = {
    MoveKind.PROBE: (Status.OPEN, Status.VAGUE),
    MoveKind.PIN_DOWN: (Status.OPEN, Status.VAGUE, Status.CONTRADICTED),
    MoveKind.CHALLENGE: (Status.VAGUE, Status.CONTRADICTED),
}
_ASKS = (*_AIMED_AT, MoveKind.DRILL)
_AIM_KEPT = frozenset(WORDED) - {*_AIMED_AT, MoveKind.DRILL}
"""The examiner only words these."""


def admit(at: Situation, due: NextMove, move: Move) -> Move | None:
    """The move that a proposal makes in place of the one that is due, None if it may not.

    What challenges nothing that was said is a probe; what pins down a figure of theirs on a point
    that is settled is a drill.
    """
    if move.kind is MoveKind.CHALLENGE and at.status.get(move.target) is Status.OPEN:
        move = Move(MoveKind.PROBE, move.target)
    settled = at.status.get(move.target) not in _AIMED_AT[MoveKind.PIN_DOWN]
    if move.kind is MoveKind.PIN_DOWN and settled and at.last.number in at.numbers.own:
        move = Move(MoveKind.DRILL)
    if move.kind not in WORDED:
        return None
    found = _open_move(at, due, move.kind)
    if found.closed or (found.targets and move.target not in found.targets):
        return None
    return due.move if move.kind is due.move.kind and move.kind in _AIM_KEPT else move
