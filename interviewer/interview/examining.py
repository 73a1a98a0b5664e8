"""One question and its examiner: what it may know, its checked verdicts and words, the grade."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TypeVar, cast

from interviewer.errors import ExaminerError
from interviewer.examiner.checks import objections, possible_leaks
from interviewer.examiner.listening import acts_of, kind_of
from interviewer.examiner.protocol import (
    NEUTRAL,
    WORDED,
    AnswerToRead,
    EarlierQuestion,
    Examiner,
    Heard,
    Move,
    MoveKind,
    OpenMove,
    QuestionContext,
    Rejected,
    is_on_own_work,
)
from interviewer.examiner.registry import kind_of as kind_of_examiner
from interviewer.examiner.wording import utterance
from interviewer.grading.claims.quantity import Quantity, Reading
from interviewer.grading.evidence import (
    candidate_turns,
    check,
    flags_of_runs,
    is_unfit,
    suspicions,
    with_runs,
)
from interviewer.grading.transcript import DialogueAct, Turn, TurnKind, exchange
from interviewer.grading.verdicts import (
    Flag,
    Grade,
    Judgement,
    Ungraded,
    Verdict,
    credit,
    grade_question,
    price_of_hint,
)
from interviewer.interview import events
from interviewer.interview.commands import Command, Pause
from interviewer.interview.numbers import (
    NOTES_TURN,
    is_of_the_bench,
    latest_readings,
    numbers_in,
    session_ledger,
)
from interviewer.interview.policy import (
    AIMED_AT,
    EXERCISES,
    NextMove,
    Situation,
    Status,
    next_move,
)
from interviewer.interview.state import (
    Judged,
    QuestionState,
    SessionState,
    after_settling,
    rubric_of,
)
from interviewer.rubric.rubric import Criterion, Rating, Rubric
from interviewer.rubric.text import shortened

J = TypeVar("J")
H = TypeVar("H")
_OF_PROSE = frozenset({Flag.RECITED, Flag.KEYWORD_LIST, Flag.ECHO, Flag.TOO_SHORT, Flag.BOTH_SIDES})
"""Flags on how an answer reads, which mean nothing for the lines of a derivation."""
FOLLOW_UPS = 4
"""The most to a single answer, outside any round."""
_UNFIT_FLAGS = frozenset({Flag.UNFIT, Flag.CANARY})
UNFIT = (
    "{name} is no fit judge: it credits points with words that have nothing to do with them, so "
    "these earn nothing. Try again to go on with it, go on offline, or pause and "
    "choose another model. Your own verdicts count beside any examiner's."
)
DODGED_DRILLS = 4
"""Up to here a drill that was dodged may be put again."""
_AIM_KEPT = frozenset(WORDED) - {*AIMED_AT, MoveKind.DRILL}
"""The examiner only words these."""
_ASKED = (TurnKind.DRILL, TurnKind.PIN_DOWN, TurnKind.CHALLENGE, TurnKind.PROBE)
"""What is not asked again on another question."""
CLAIMS_PER_QUESTION, CLAIM_CHARACTERS = 6, 160
"""What an examiner is told of an earlier question."""


@dataclass(frozen=True)
class Overview:
    """Where the candidate stands with the open question; no verdict is among it."""

    follow_ups_left: int
    hint_price: float | None
    """None if no hint can be had now."""
    has_hints: bool
    """The question came with some, used up or not."""
    numbers: tuple[Quantity, ...]
    """Every figure of the session that may be struck or corrected, oldest first."""


def overview(state: SessionState, rubrics: Mapping[str, Rubric]) -> Overview | None:
    """Where the candidate stands, None without an open question. It reads all answers so far."""
    question, running = state.question, state.round
    if question is None or running is None:
        return None
    rubric, most = rubric_of(question, rubrics), running.outline.follow_ups
    hint = Situation(question, rubric, most).hint
    return Overview(
        follow_ups_left=max(0, most - question.follow_ups_used),
        hint_price=price_of_hint(hint.hint_level) if hint else None,
        has_hints=rubric.has_hints,
        numbers=session_ledger(state, rubrics).quantities,
    )


def context_of(
    state: SessionState, rubrics: Mapping[str, Rubric], until: int | None = None
) -> QuestionContext:
    """What the examiner may know about the open question, up to the turn ``until`` if given."""
    running = state.rounds[-1]
    question = running.questions[-1]
    rubric = rubric_of(question, rubrics)
    return QuestionContext(
        rubric=rubric,
        turns=tuple(t for t in question.turns if until is None or t.number <= until),
        verdicts=tuple(question.verdicts.values()),
        persona=running.outline.persona,
        exam=state.mode == "exam",
        earlier=tuple(_earlier(each, rubric_of(each, rubrics)) for each in state.questions[:-1]),
        figures=session_ledger(state, rubrics).quantities,
        numbers=numbers_in(state, rubrics).sentences,
        follow_ups_left=max(0, running.outline.follow_ups - question.follow_ups_used),
        drills=(running.outline.drills or is_on_own_work(rubric)) and rubric.kind not in EXERCISES,
        wants=question.wanted,
        said=tuple(
            t.text for q in state.questions[:-1] for t in q.spoken if t.author == "examiner"
        ),
        cleared=question.cleared,
        elsewhere=tuple(said_elsewhere(state, question)),
    )


def said_elsewhere(state: SessionState, question: QuestionState) -> Iterator[Turn]:
    """Earlier questions' words, on each up to the first help; they are looked through once."""
    if any(Flag.TOO_SHORT not in judged.flags for judged in question.judged):
        return
    for each in state.questions[: question.place - 1]:
        if each.rubric != question.rubric:
            yield from takewhile(lambda turn: turn.kind not in _HELP, each.spoken)


_HELP = (TurnKind.HINT, TurnKind.TELL)


def _earlier(question: QuestionState, rubric: Rubric) -> EarlierQuestion:
    held = {id_: v for id_, v in question.verdicts.items() if credit(v) > 0}
    said = dict.fromkeys(quote.text for v in held.values() for quote in v.quotes)
    if rubric.is_discussion:  # all of it is told, since no verdict picks any words
        said = dict.fromkeys(turn.text for turn in candidate_turns(question.turns))
    return EarlierQuestion(
        question.turns[0].text,
        tuple(shortened(claim, CLAIM_CHARACTERS) for claim in [*said][:CLAIMS_PER_QUESTION]),
        tuple(c.probe for c in rubric.criteria if c.must_have and c.id not in held),
        tuple(turn.text for turn in question.follow_ups if turn.kind in _ASKED),
    )


def to_judge(context: QuestionContext, state: SessionState) -> QuestionContext | None:
    """What there is to judge in the last words, None for nothing."""
    question = state.rounds[-1].questions[-1]
    if question.unjudged_answer:
        return context
    if context.rubric.is_discussion or not question.says_so_again(question.last_words):
        return None
    return look_up(context, state, question, question.last_words)


def look_up(
    context: QuestionContext, state: SessionState, question: QuestionState, remark: Turn
) -> QuestionContext:
    """The point that was due when they said that they had made it, in all answers before."""
    asked = [t for t in context.turns if t.author == "examiner" and t.number < remark.number]
    due = asked[-1].target
    before = state.questions[: question.place - 1]
    earlier = (turn for each in before for turn in candidate_turns(each.turns))
    return replace(
        context,
        rubric=context.rubric.on_point(due) if due else context.rubric,
        turns=(context.turns[0], *earlier, *context.turns[1:]),
        remark=remark.text,
        elsewhere=(),
    )


def is_aside(question: QuestionState, heard: Heard, judged: Judged) -> bool:
    """The examiner hears no answer in the last words, and they make no point: no grade is due."""
    known = {id_: credit(verdict) for id_, verdict in question.verdicts.items()}
    gains = any(
        credit(each) > known.get(each.criterion, 0.0)
        for each in judged.verdicts
        if question.holds(each) or not question.unjudged_answer
    )
    return DialogueAct.ANSWER not in acts_of(question.spoken, heard.acts) and not gains


def check_judgement(context: QuestionContext, judgement: Judgement) -> Judged:
    """What remains of a judgement of the latest answer once code has checked its quotes.

    Where a run at the bench and the judge disagree, the run wins. What was looked up only adds.
    """
    read = check(context.rubric, context.turns, judgement.findings, context.elsewhere)
    verdicts = with_runs(context.rubric, context.turns, read)
    answer = context.turns[-1]
    if answer.kind is TurnKind.ASIDE:
        known = {each.criterion: credit(each) for each in context.verdicts}
        verdicts = tuple(v for v in verdicts if credit(v) > known.get(v.criterion, 0.0))
    flags = judgement.flags if answer.run is None else judgement.flags - _OF_PROSE
    flags |= suspicions(context.turns) | flags_of_runs(context.turns)
    flags |= {Flag.UNFIT} if is_unfit(verdicts) else frozenset()
    return Judged(
        answer_turn=answer.number,
        verdicts=verdicts,
        examiner=judgement.examiner,
        flags=flags if answer.kind is TurnKind.ANSWER else frozenset(),
        doubts=() if Flag.UNFIT in flags else judgement.doubts,  # it would say the same again
    )


def given(question: QuestionState, turn: int, text: str) -> events.AnswerGiven:
    said = Turn(turn, "candidate", TurnKind.ANSWER, text)
    return events.AnswerGiven(turn, text, kind_of(acts_of((*question.spoken, said))))


def as_heard(turn: int, heard: Heard) -> events.AnswerHeard:
    acts = tuple(sorted(heard.acts))
    return events.AnswerHeard(turn, acts, heard.proposals, heard.gives, heard.whose)


def settle_doubts(context: QuestionContext, judgement: Judgement) -> events.DoubtsSettled:
    """The event for a second look; ``context`` is that of the first."""
    read = check(context.rubric, context.turns, judgement.findings)
    return events.DoubtsSettled(with_runs(context.rubric, context.turns, read))


@dataclass(frozen=True)
class Reply:
    """What is said next."""

    move: Move
    text: str
    replaced: str = ""
    """Why the examiner's own words were rejected."""
    cleared: tuple[str, ...] = ()
    """The doubts about words that the examiner cleared on the way."""


@dataclass(frozen=True)
class Unready:
    """Why nothing can be said yet: proposals that may not be said, and those that are in doubt."""

    rejected: tuple[Rejected, ...] = ()
    doubtful: tuple[Reply, ...] = ()
    """Suspicious ones, best first: the examiner says whether they give a point away."""


def open_moves(at: Situation, due: NextMove | None = None) -> tuple[OpenMove, ...]:
    """What an examiner may say in place of the move that is due, None before that is known."""
    return tuple(_open_move(at, due, kind) for kind in WORDED)


def _open_move(at: Situation, due: NextMove | None, kind: MoveKind) -> OpenMove:
    if due and kind not in due.instead:
        return OpenMove(kind, closed=f"first: {due.rule}")
    if at.rubric.is_discussion:
        return OpenMove(kind)
    points_done = _is_done(at, (c for c in at.rubric.criteria if not c.extra))
    if kind is MoveKind.DRILL:
        own = at.numbers.own if due else ()  # a figure just said is known once it is heard
        may = at.may_drill or at.last.number in own or (own and not at.follows(MoveKind.DRILL))
        may = may or (at.dodged and at.question.made(MoveKind.DRILL) < DODGED_DRILLS)
        drilled = 2 * at.question.made(MoveKind.DRILL) >= at.follow_ups
        is_enough = drilled and not points_done
        if may and due and due.move.kind is not MoveKind.DRILL and is_enough:
            return OpenMove(kind, closed="other points are open, and few follow-ups are left")
        return OpenMove(kind, closed="" if may else "except on a figure of their own run")
    eases = due and due.move.kind is MoveKind.SIMPLIFY
    if kind is MoveKind.SIMPLIFY and due and not (eases or DialogueAct.GIVES_UP in at.acts):
        return OpenMove(kind, closed="for who is stuck")
    if kind is MoveKind.REDIRECT and due and due.move.remark is DialogueAct.WANTS_TO_STOP:
        return OpenMove(kind, closed="a wish to stop is confirmed in fixed words")
    if kind is MoveKind.ESCALATE:
        is_left = at.rubric.escalations and at.question.escalated_to is None
        is_due = is_left and (due is None or points_done)
        return OpenMove(kind, closed="" if is_due else "points are open, or it was asked")
    if kind in AIMED_AT and due is None:
        left = {id_ for id_, status in at.status.items() if status is Status.LEFT}
        return OpenMove(kind, tuple(id_ for id_ in at.status if id_ not in left - {at.last_target}))
    if due and kind in AIMED_AT:
        further = at.just_made if kind is not MoveKind.PROBE else []
        fit = [c for c in at.rubric.criteria if at.status[c.id] in AIMED_AT[kind] or c in further]
        must_haves = [c for c in at.rubric.criteria if c.must_have]
        if kind is MoveKind.PROBE and at.left == 1 and not _is_done(at, must_haves):
            fit = [c for c in fit if c.must_have]
        targets = tuple(c.id for c in fit)
        return OpenMove(kind, targets, "" if targets else "no point is open to it")
    return OpenMove(kind)


def _is_done(at: Situation, criteria: Iterable[Criterion]) -> bool:
    """All of these are made or were asked about."""
    return all(at.status[c.id] in (Status.MET, Status.LEFT) for c in criteria)


def admit(at: Situation, due: NextMove, move: Move) -> Move | None:
    """The move that a proposal makes in place of the one that is due, None if it may not.

    What challenges nothing that was said is a probe; what pins down a figure of theirs on a point
    that is settled is a drill.
    """
    if move.kind is MoveKind.CHALLENGE and at.status.get(move.target) is Status.OPEN:
        move = Move(MoveKind.PROBE, move.target)
    settled = at.status.get(move.target) not in AIMED_AT[MoveKind.PIN_DOWN]
    if move.kind is MoveKind.PIN_DOWN and settled and at.last.number in at.numbers.own:
        move = Move(MoveKind.DRILL)
    if move.kind not in WORDED:
        return None
    found = _open_move(at, due, move.kind)
    if found.closed or (found.targets and move.target not in found.targets):
        return None
    return due.move if move.kind is due.move.kind and move.kind in _AIM_KEPT else move


def choose_reply(context: QuestionContext, due: NextMove, at: Situation) -> Reply | Unready:
    """What can be said at once, or why none of the examiner's proposals can.

    It is the first that policy and checks allow, but none instead of one for the point that is due
    and in doubt; the template where the move is authored or nothing was proposed.
    """
    move, question = due.move, at.question
    proposals = question.heard[-1].proposals if question.was_heard else ()
    if not due.instead or not proposals:
        return Reply(move, utterance(context, move))
    rejected, allowed = [], []
    for proposed in proposals:
        made = admit(at, due, proposed.move)
        if made is None:
            continue
        if faults := objections(proposed.text, context, made):
            rejected.append(Rejected(proposed.text, "; ".join(faults)))
        else:
            allowed.append(Reply(made, proposed.text))
    due_in_doubt = False
    for reply in allowed:
        is_due = reply.move.kind is move.kind and reply.move.target in ("", move.target)
        if (is_due or not due_in_doubt) and not possible_leaks(reply.text, context, reply.move):
            return reply
        due_in_doubt |= is_due
    if not (rejected or allowed) and move.kind in _AUTHORED:
        return Reply(move, utterance(context, move))
    return Unready(tuple(rejected), tuple(allowed))


_AUTHORED = (MoveKind.ESCALATE, MoveKind.SIMPLIFY, MoveKind.REDIRECT)
"""There are words for these where an examiner proposes none."""


async def ask_for_reply(
    examiner: Examiner, context: QuestionContext, move: Move, unready: Unready
) -> Reply:
    """A proposal that was in doubt and is cleared, else the examiner's words for the move.

    The template stands in where these are in doubt as well: each call costs the candidate a wait.
    Raises ExaminerError.
    """
    said, refused = await _cleared(examiner, context, unready.doubtful)
    if said:
        return said
    text = await examiner.ask(context, move, (*unready.rejected, *refused))
    if faults := objections(text, context, move) or possible_leaks(text, context, move):
        return Reply(move, utterance(context, move), "; ".join(faults))
    return Reply(move, text)


async def _cleared(
    examiner: Examiner, context: QuestionContext, doubtful: Sequence[Reply]
) -> tuple[Reply | None, tuple[Rejected, ...]]:
    """The first that gives nothing away, and why others are refused. A failed call clears none."""
    if not doubtful:
        return None, ()
    try:
        found = await examiner.giveaways(context, [each.text for each in doubtful])
        told = [f"it gives away “{words}”" if words else "" for words in found]
    except ExaminerError:  # the call log keeps the error
        told = ["; ".join(possible_leaks(each.text, context, each.move)) for each in doubtful]
    looked_at = list(zip(doubtful, told, strict=True))
    fit = [reply for reply, why in looked_at if not why]
    doubts = (each for reply in fit for each in possible_leaks(reply.text, context, reply.move))
    cleared = replace(fit[0], cleared=tuple(dict.fromkeys(doubts))) if fit else None
    return cleared, tuple(Rejected(reply.text, why) for reply, why in looked_at if why)


def grade_of(
    question: QuestionState, rubric: Rubric, examiner: str, *, figures_open: bool = False
) -> Grade:
    """The grade of a closed question, empty for a discussion.

    If its last answer was never judged (the examiner failed and the candidate moved on), only
    points already met are graded: the others may have been made in that answer. ``examiner`` is
    the name on record where nobody judged.
    """
    if rubric.is_discussion:
        return Grade(rubric.id, rubric.version, examiner, (), None, None, None, None)
    own = {criterion.id for criterion in rubric.criteria if criterion.is_own}
    judgements = [_weighed(judged, own) for judged in question.judged]
    if question.unjudged_answer:
        met = {id_ for id_, verdict in question.verdicts.items() if verdict.verdict is Rating.MET}
        open_ = (c.id for c in rubric.criteria if c.id not in met)
        unjudged = tuple(Verdict(each, None, ungraded=(Ungraded.UNJUDGED,)) for each in open_)
        judgements = [tuple(v for v in each if v.criterion in met) for each in judgements]
        judgements.append(unjudged)
    flags = frozenset[Flag]().union(*(judged.flags for judged in question.judged))
    flags |= {Flag.CUT_OFF} if question.cut_off else set()
    flags |= suspicions(question.turns) | ({Flag.FIGURES_OPEN} if figures_open else set())
    names = dict.fromkeys(judged.examiner for judged in question.judged)
    by = ", then ".join(names) or examiner
    return grade_question(rubric, judgements, examiner=by, flags=flags)


def _weighed(judged: Judged, own: Collection[str]) -> tuple[Verdict, ...]:
    """The verdicts; what was done is left ungraded where words were heard and nothing weighed."""
    if not kind_of_examiner(judged.examiner).basis:
        return judged.verdicts
    return tuple(
        Verdict(v.criterion, None, ungraded=(Ungraded.OWN_WORK,)) if v.criterion in own else v
        for v in judged.verdicts
    )


@dataclass(frozen=True)
class SingleGrade:
    """The grade of one answer, and what is asked next; None for nothing, or if nobody listens."""

    grade: Grade
    follow_up: str | None = None
    unheard: str = ""
    """That the examiner had no say in that, and why."""


async def grade_answer(
    examiner: Examiner, rubric: Rubric, answer: str, *, follow_up: bool = True
) -> SingleGrade:
    """Grade one answer outside any session, with what is asked next. Raises ExaminerError."""
    turns = exchange(rubric.question, answer)
    context = QuestionContext(rubric, turns, (), NEUTRAL, exam=True, follow_ups_left=FOLLOW_UPS)
    question = QuestionState(1, 1, rubric.id, turns)
    judging = judge_answer(examiner, context, is_last=True)
    if not follow_up:
        question = replace(question, judged=await judging)
        return SingleGrade(grade_of(question, rubric, examiner.name))
    judged, said = await _both(judging, examiner.listen(context))
    question = replace(question, judged=judged, heard=(as_heard(turns[-1].number, said),))
    grade = grade_of(question, rubric, examiner.name)
    at = Situation(question, rubric, FOLLOW_UPS)
    due = next_move(at)
    if due.move.kind is MoveKind.CLOSE:
        return SingleGrade(grade, None, said.unusable)
    context = replace(context, verdicts=tuple(question.verdicts.values()))
    reply = choose_reply(context, due, at)
    if not isinstance(reply, Reply):
        reply = await ask_for_reply(examiner, context, due.move, reply)
    return SingleGrade(grade, reply.text, said.unusable)


async def _both(judging: Awaitable[J], listening: Awaitable[H]) -> tuple[J, H]:
    """Both results, side by side; raises the first error once neither is under way any more."""
    judged, heard = await asyncio.gather(judging, listening, return_exceptions=True)
    for each in (judged, heard):
        if isinstance(each, BaseException):
            raise each
    return cast("tuple[J, H]", (judged, heard))


async def judge_answer(
    examiner: Examiner,
    context: QuestionContext,
    before: tuple[Judged, ...] = (),
    *,
    is_last: bool,
) -> tuple[Judged, ...]:
    """The judgements with one more; doubts about the last are settled. Raises ExaminerError."""
    judged = (*before, check_judgement(context, await examiner.judge(context)))
    if is_last and (doubts := judged[-1].doubts):
        second = await examiner.settle(context, doubts)
        judged = after_settling(judged, settle_doubts(context, second))
    return judged


def report_failure(stage: events.Stage, error: BaseException) -> events.TurnFailed:
    """The examiner failed; any other error is raised."""
    if not isinstance(error, ExaminerError):
        raise error
    return events.TurnFailed(stage, str(error), error.retryable)


def report_unfit(state: SessionState, judged: Judged) -> events.TurnFailed | None:
    """Said once of an examiner: the model is no judge, and what one can do."""
    before = (j for q in state.questions for j in q.judged if j.examiner == judged.examiner)
    if not judged.flags & _UNFIT_FLAGS or any(each.flags & _UNFIT_FLAGS for each in before):
        return None
    return events.TurnFailed("judge", UNFIT.format(name=judged.examiner), retryable=True)


def report_interruption(stage: events.Stage, command: Command) -> events.JournalEvent:
    """The candidate would not wait for the examiner."""
    if isinstance(command, Pause):
        return events.Paused()
    return events.TurnFailed(stage, "You stopped waiting for the examiner.", retryable=True)


_ASKED_FOR_NOTES = "Tell me about a project of your own."


async def read_beside(
    examiner: Examiner, state: SessionState, context: QuestionContext, *, listens: bool
) -> tuple[Reading, ...]:
    """The figures of the notes, once a session, and of the last words where nobody listens to them.

    A failure is part of what was read.
    """
    due = []
    if state.project and NOTES_TURN not in latest_readings(state):
        notes = Turn(NOTES_TURN, "candidate", TurnKind.ANSWER, state.project)
        due.append(AnswerToRead(notes, _ASKED_FOR_NOTES, on_own_work=True))
    last = context.turns[-1]
    is_unheard = not listens and last.kind is TurnKind.ANSWER
    if is_unheard and not is_of_the_bench(state.rounds[-1].questions[-1], last):
        due.append(context.to_read)
    return tuple(await asyncio.gather(*(_read_figures(examiner, answer) for answer in due)))


def figures_heard(question: QuestionState, heard: Heard) -> tuple[Reading, ...]:
    """The figures that came with what was heard; none of what is said at the bench."""
    if heard.reading is None or is_of_the_bench(question, question.last_words):
        return ()
    return (heard.reading,)


async def _read_figures(examiner: Examiner, answer: AnswerToRead) -> Reading:
    """The figures of an answer, or why they are unread."""
    try:
        return await examiner.read_figures(answer)
    except ExaminerError as error:  # the call log keeps the error
        return Reading(answer.turn.number, by="model", failed=str(error))
