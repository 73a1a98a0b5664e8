"""Which follow-up comes next, and when to leave a question. All pure.

The order is that of a good interviewer: obey wishes and answer questions back; lead strays back;
take up a withdrawal, then numbers that cannot be; then what the latest answer said; then the
easiest open step, must-haves first; the harder variant last. Help is given when it is asked for or
an offer is accepted, never otherwise.
"""

from __future__ import annotations

from collections.abc import Callable

from interviewer.examiner.listening import tells_of_own_work
from interviewer.examiner.moves import (
    BenchChallenge,
    Challenge,
    Clarify,
    Close,
    CloseReason,
    Drill,
    Escalate,
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
)
from interviewer.examiner.offline.unread import parts
from interviewer.grading.bench_evidence import first_fault, name_defined, source_lines
from interviewer.grading.lexical import content_stems
from interviewer.grading.score import credit
from interviewer.grading.transcript import DialogueAct, TurnKind
from interviewer.interview.consistency import Numbers
from interviewer.interview.events import Mode
from interviewer.interview.situation import (
    OWN_WORK,
    Caps,
    NextMove,
    Situation,
    Status,
    dry_follow_ups,
    follow_ups_used,
    is_stuck,
    last_target,
    next_hint,
    status_of,
    stuck_in_a_row,
    was_told,
)
from interviewer.interview.state import QuestionState
from interviewer.rubric.rubric import Rubric
from interviewer.rubric.text import shortened
from interviewer.sandbox.result import CheckResult, Outcome

GIVEN_UP_AFTER = 4
""""I don't know" this often in a row closes the question."""
DRY_FOLLOW_UPS = 4
"""Questions in a row that brought nothing close the question."""
REDIRECTIONS = 2
BENCH_CHALLENGES_PER_QUESTION = 2
"""The most times a candidate is shown a bad line of theirs."""
QUOTED_CHARACTERS = 120
"""Longer lines are cut off when quoted."""
_FAILED = (Outcome.FAILED, Outcome.INCOMPLETE)
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
    if rubric.is_discussion:
        return next(due for rule in _DISCUSSING if (due := rule(at)))
    rules = _GOING_ON if question.last_words.kind is TurnKind.TELL else (*_ORDER, *_GOING_ON)
    due = next(due for rule in rules if (due := rule(at)))
    return _added(at) or due if isinstance(due.move, Close) else due


def admits(
    due: NextMove, move: Worded, question: QuestionState, rubric: Rubric, caps: Caps
) -> bool:
    """Whether the examiner may make this move in place of the one that is due."""
    if move.kind not in due.instead:
        return False
    if rubric.is_discussion:
        return True
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
    return NextMove(Clarify(last_target(at.question) or ""), frozenset({TurnKind.CLARIFY}))


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


def _not_read(at: Situation) -> NextMove | None:
    """Once, to say it in English; who will not is not asked on."""
    judged = at.question.judged
    is_unread = judged and judged[-1].unread and parts(at.last.text)
    if at.gained or DialogueAct.ANSWER not in at.acts or not is_unread:
        return None
    asks = Redirect(DialogueAct.UNREAD)
    return at.covered(CloseReason.NO_PROGRESS) if asks in at.question.moves else NextMove(asks)


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
    quoted = shortened(lines[bad - 1].strip(), QUOTED_CHARACTERS)
    return f"Line {bad}, “{quoted}”: {first_fault(result)}", name_defined(lines[bad - 1])


def _withdrawal(at: Situation) -> NextMove | None:
    if DialogueAct.WITHDRAWAL not in at.acts or at.made(Reframe):
        return None
    return NextMove(Reframe(), frozenset({TurnKind.REFRAME}))


def _objection(at: Situation) -> NextMove | None:
    """Figures that cannot all be true; the cap is stretched by one such move."""
    if at.last.author != "candidate" or not at.numbers.impossible:
        return None
    is_over = follow_ups_used(at.question) >= at.caps.follow_ups
    return None if is_over and at.made(SumChallenge) else NextMove(at.numbers.impossible[0])


def _arithmetic(at: Situation) -> NextMove | None:
    """Once, figures that close or a contradiction of before."""
    if at.last.author != "candidate":
        return None
    if at.numbers.closing and not at.made(SumDrill):
        return NextMove(at.numbers.closing[0])
    if at.numbers.revisit and not at.made(SumChallenge):
        return NextMove(at.numbers.revisit[0])
    return None


def _stuck(at: Situation) -> NextMove | None:
    """Something simpler, then the offer of a hint, then on to something else."""
    if not is_stuck(at.acts):
        return None
    if stuck_in_a_row(at.question) >= GIVEN_UP_AFTER:
        return at.covered(CloseReason.NO_PROGRESS)
    if not at.made(Simplify) and at.target:
        return NextMove(Simplify(at.target), frozenset({TurnKind.SIMPLIFY}))
    hint = next_hint(at.question, at.rubric, at.caps)
    if hint and not at.made(OfferHint) and not at.made(Hint):
        return NextMove(OfferHint(hint.target, hint.level))
    return None


def _guided(at: Situation) -> NextMove | None:
    """A friendly interviewer offers a hint as soon as a question brought nothing."""
    if not at.caps.guides or at.gained or not dry_follow_ups(at.question):
        return None
    hint = next_hint(at.question, at.rubric, at.caps)
    if hint is None or at.made(OfferHint) or at.made(Hint):
        return None
    return NextMove(OfferHint(hint.target, hint.level))


def _added(at: Situation) -> NextMove | None:
    """What a friendly interviewer adds before leaving a question that was tried: one missed point.

    It earns nothing, as whatever is told.
    """
    tried = at.caps.guides and at.question.judged and DialogueAct.WANTS_SKIP not in at.acts
    if not tried or at.made(Tell):
        return None
    missed = [
        c for c in at.rubric.criteria if c.id in at.standing and credit(at.standing[c.id]) <= 0
    ]
    if not missed:
        return None
    return NextMove(Tell(min(missed, key=lambda c: (c.extra, not c.must_have, -c.weight)).id))


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
    # A drill of its own names the setting; an experience that was told is not asked for again.
    own = [c for c in at.rubric.criteria if c.drill and c.kind == "experience"]
    earned = [c for c in earned if c not in own or at.status[c.id] is not Status.MET]
    near = [c for c in at.open() if c in own]
    near.sort(key=lambda c: len(content_stems(f"{c.claim} {c.probe}") & answer.stems))
    fit = [c for c in earned if c.drill] or near[-1:] or earned
    target = max(fit, key=lambda c: (c.kind in OWN_WORK, c.weight)).id if fit else ""
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
    target = last_target(at.question)
    if at.mode != "practice" or not target:
        return None
    if at.status[target] is Status.LEFT and not was_told(at.question, at.rubric.criterion(target)):
        return NextMove(Tell(target))
    return None


def _next_topic(at: Situation) -> NextMove | None:
    """The easiest open step, must-haves first, then what is still vague or wrong; extras last."""
    wanting = list(at.open())
    must = [c for c in wanting if c.must_have]
    unsettled = [
        kind(criterion.id)
        for status, kind in ((Status.CONTRADICTED, Challenge), (Status.VAGUE, PinDown))
        for criterion in sorted(at.rubric.criteria, key=lambda c: not c.must_have)
        if at.status[criterion.id] is status and not at.made_on(kind, criterion)
    ]
    after = [*unsettled, *(Probe(c.id) for c in wanting)]
    after.sort(key=lambda move: at.rubric.criterion(move.target).extra)
    for move in (*(Probe(c.id) for c in must), *after):
        return NextMove(move, _NORMAL)
    return None


def _harder(at: Situation) -> NextMove | None:
    must = [c for c in at.rubric.criteria if c.must_have]
    made = all(at.status[c.id] is Status.MET for c in must) and at.standing
    if made and at.may_escalate and not is_stuck(at.acts):
        return NextMove(at.escalation, frozenset({TurnKind.ESCALATE}))
    return None


def _end(at: Situation) -> NextMove:
    return at.covered(CloseReason.NO_PROGRESS)


def _next_subject(at: Situation) -> NextMove:
    """In a discussion: what was not asked about yet, in the rubric's order."""
    asked = (c.id for c in at.rubric.criteria if not at.made_on(Probe, c))
    subject = next(asked, None) if follow_ups_used(at.question) < at.caps.follow_ups else None
    if subject is None:
        return NextMove(Close(CloseReason.TALKED_OVER))
    return NextMove(Probe(subject), frozenset({TurnKind.PROBE}))


def _asks_again(at: Situation) -> NextMove | None:
    """In a discussion questions back are answers, and only a wish to hear it again is served."""
    wants = DialogueAct.WANTS_REPEAT in at.acts and not at.made(Clarify)
    return NextMove(Clarify(""), frozenset({TurnKind.CLARIFY})) if wants else None


_DISCUSSING: tuple[_Rule, ...] = (_skip, _asks_again, _next_subject)
_GOING_ON: tuple[_Rule, ...] = (_cap, _telling, _dry, _next_topic, _harder, _end)
_ORDER: tuple[_Rule, ...] = (
    _skip,
    _hint_taken,
    _question_back,
    _objection,
    _stray,
    _cap,
    _not_read,
    _bad_line,
    _withdrawal,
    _arithmetic,
    _stuck,
    _guided,
    _own_work,
    _recital,
    _latest_answer,
)
