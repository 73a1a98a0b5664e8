"""The state of a session as a pure fold over its journal, the same live and resumed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from interviewer.examiner.listening import (
    acts_of,
    commits,
    kind_of,
    repeats,
    says_no,
    says_none,
    tells_of_own_work,
)
from interviewer.examiner.offline.guards import unread_parts
from interviewer.examiner.protocol import NONE, NOTHING, CloseReason, Move, MoveKind
from interviewer.grading.claims.ledger import gives
from interviewer.grading.claims.quantity import Mark, measures
from interviewer.grading.transcript import RESPONSES, DialogueAct, ParsedAnswer, Turn, TurnKind
from interviewer.grading.verdicts import Flag, Grade, Ungraded, Verdict, credit, standing
from interviewer.interview import events
from interviewer.interview.events import Mode, RoundOutline
from interviewer.rubric.rubric import Rubric

FREE = 3
"""So often each, leading back and clarifying cost no follow-up."""


@dataclass(frozen=True)
class Judged:
    """One judgement: the answer turn it followed, and what remained after the checks."""

    answer_turn: int
    verdicts: tuple[Verdict, ...]
    examiner: str
    flags: frozenset[Flag]
    doubts: tuple[Verdict, ...] = ()
    """Findings that still get a second look."""

    @property
    def unread(self) -> frozenset[Ungraded]:
        return frozenset[Ungraded]().union(*(verdict.unread for verdict in self.verdicts))


@dataclass(frozen=True)
class DrillMark:
    """A drill and the first real answer to it; a sharper second try stands for both."""

    move: Move
    reply: Turn
    commits: bool
    """The reply states a figure or something of their own at all."""
    passed: bool
    """It holds what was asked for, and is no passage that settled another drill."""
    has_none: bool = False
    """It says that there is nothing of the kind to tell."""


_STILL_OPEN = frozenset({TurnKind.CLARIFY, TurnKind.REDIRECT, TurnKind.HINT, TurnKind.OFFER})
"""Said between a question and its answer."""


@dataclass(frozen=True)
class QuestionState:
    """One question, from asked to graded. Numbers count from 1."""

    round: int
    number: int
    rubric: str
    turns: tuple[Turn, ...]
    judged: tuple[Judged, ...] = ()
    moves: tuple[Move, ...] = ()
    """The follow-ups and hints made so far, oldest first."""
    heard: tuple[events.AnswerHeard, ...] = ()
    """What the examiner made of the candidate's turns, oldest first."""
    readings: tuple[events.FiguresRead, ...] = ()
    """The figures that were read in answers, oldest first."""
    hint_requested: bool = False
    """A hint was requested and is still due."""
    cut_off: bool = False
    closed: CloseReason | None = None
    grade: Grade | None = None
    point: str = ""
    """The one criterion that it is about, "" for all: a drill, which counts in no average."""
    place: int = 0
    """Its number in the session, whatever its round."""
    passages: tuple[ParsedAnswer, ...] = ()
    """The replies that settled drills of earlier questions."""
    cleared: frozenset[str] = frozenset()
    """Doubts about an examiner's words that it has cleared."""

    @property
    def spoken(self) -> tuple[Turn, ...]:
        """The conversation, without runs at the bench."""
        return tuple(turn for turn in self.turns if turn.kind is not TurnKind.BENCH)

    @property
    def last_words(self) -> Turn:
        """The latest turn of the conversation: a run does not change whose turn it is."""
        return self.spoken[-1]

    @property
    def follow_ups(self) -> tuple[Turn, ...]:
        """The examiner's turns after the question, one for each of ``moves``."""
        return tuple(turn for turn in self.turns[1:] if turn.author == "examiner")

    @property
    def runs(self) -> tuple[Turn, ...]:
        return tuple(turn for turn in self.turns if turn.kind is TurnKind.BENCH)

    @property
    def unjudged_answer(self) -> bool:
        """The last words are an answer not judged yet."""
        last = self.last_words
        judged_up_to = self.judged[-1].answer_turn if self.judged else 0
        return last.kind is TurnKind.ANSWER and last.number > judged_up_to

    @property
    def was_heard(self) -> bool:
        return bool(self.heard) and self.heard[-1].turn == self.last_words.number

    @property
    def doubts(self) -> tuple[Verdict, ...]:
        """Findings of the latest judgement that still get a second look."""
        return self.judged[-1].doubts if self.judged else ()

    @cached_property
    def verdicts(self) -> Mapping[str, Verdict]:
        """The verdict that counts for each criterion judged so far."""
        histories: dict[str, list[Verdict]] = {}
        for judged in self.judged:
            for verdict in judged.verdicts:
                histories.setdefault(verdict.criterion, []).append(verdict)
        return {criterion: standing(history) for criterion, history in histories.items()}

    @cached_property
    def gains(self) -> frozenset[int]:
        """The turns that raised the credit, by what they say or point to."""
        answers = {turn.number for turn in self.turns if turn.kind is TurnKind.ANSWER}
        best: dict[str, float] = {}
        gains = set()
        for judged in self.judged:
            for verdict in judged.verdicts:
                if credit(verdict) > best.get(verdict.criterion, 0.0):
                    best[verdict.criterion] = credit(verdict)
                    if self.holds(verdict) or judged.answer_turn not in answers:
                        gains.add(judged.answer_turn)
        return frozenset(gains)

    def says_so_again(self, turn: Turn) -> bool:
        """The candidate points to what they said before."""
        is_theirs = turn.author == "candidate" and turn.kind is TurnKind.ASIDE
        return is_theirs and DialogueAct.SAID_THAT in self.acts_at(turn)

    def holds(self, verdict: Verdict) -> bool:
        """It does not rest on what was said on an earlier question."""
        return verdict.turn is None or verdict.turn >= self.turns[0].number

    def made(self, *kinds: MoveKind, on: str | None = None) -> int:
        """How many moves of these kinds were made, on one criterion if it is given."""
        return sum(move.kind in kinds and on in (None, move.target) for move in self.moves)

    def would_make(self, kind: MoveKind) -> bool:
        """The examiner proposes such a move in reply to the last words."""
        return any(p.move.kind is kind for p in self.heard_in(self.last_words).proposals)

    @property
    def told_own(self) -> bool:
        """The last words told of own work with a figure, as a model heard it, else by rules."""
        said, heard = self.last_words.parsed, self.heard_in(self.last_words)
        if heard.gives:
            return heard.gives in measures() and heard.whose in ("", "own")
        return bool(said.quantities) and tells_of_own_work(said)

    @cached_property
    def drills(self) -> tuple[DrillMark, ...]:
        """A mark for each drill that was answered in words that can be read, oldest first."""
        marks: dict[Move | int, DrillMark] = {}
        for move, asked in zip(self.moves, self.follow_ups, strict=True):
            drills = move.kind in (MoveKind.DRILL, MoveKind.NUMBERS_FIT)
            reply = self._reply_to(asked) if drills else None
            before = (*self.passages, *(m.reply.parsed for m in marks.values() if m.passed))
            if reply and (mark := self._mark(move, reply, before)):
                marks[move if move.wants else asked.number] = mark
        return tuple(marks.values())

    @property
    def wanted(self) -> str:
        """What the drill asks for that waits for its answer, "" for none."""
        asked = (each for each in reversed(self.moves) if each.kind.turn not in _STILL_OPEN)
        return next((each.wants for each in asked), "")

    def _reply_to(self, asked: Turn) -> Turn | None:
        """The first answer before something else is asked: a wish or a question back is none."""
        said = (turn for turn in self.spoken if turn.number > asked.number)
        passed_over = {TurnKind.ASIDE, *_STILL_OPEN}
        first = next((turn for turn in said if turn.kind not in passed_over), None)
        return first if first and first.author == "candidate" else None

    def _mark(self, move: Move, reply: Turn, before: Sequence[ParsedAnswer]) -> DrillMark | None:
        heard = self.heard_in(reply)
        if given := heard.gives:
            tells, has_none = given not in (NOTHING, NONE) and heard.whose != "other", given == NONE
        else:
            tells, has_none = commits(reply.parsed), says_none(reply.parsed)
            if not tells and unread_parts(reply.text):
                return None
        holds = tells
        if tells and move.wants in measures() and given != move.wants:
            read = [e.reading.quantities for e in self.readings if e.turn == reply.number]
            holds = gives(move.wants, reply.parsed, read[-1] if read else ())
        passed = reply.kind is TurnKind.ANSWER and holds and not repeats(reply.parsed, before)
        return DrillMark(move, reply, tells, passed, has_none)

    def denies(self, points: Collection[str]) -> bool:
        """Asked for one of these points, the candidate said that they have nothing to tell."""
        said = pairwise(self.spoken)
        return any(asked.target in points and says_no(reply.parsed) for asked, reply in said)

    @property
    def follow_ups_used(self) -> int:
        """What the round's cap counts: help is free, leading back and clarifying at first."""
        free = sum(min(FREE, self.made(kind)) for kind in (MoveKind.REDIRECT, MoveKind.CLARIFY))
        return len(self.moves) - self.made(MoveKind.TELL, MoveKind.HINT, MoveKind.OFFER) - free

    @property
    def escalated_to(self) -> int | None:
        """The place of the harder variant that was asked, None if none was."""
        return next((m.escalation for m in self.moves if m.kind is MoveKind.ESCALATE), None)

    @property
    def acts(self) -> frozenset[DialogueAct]:
        """What the last words do; they must be the candidate's."""
        return self.acts_at(self.last_words)

    def acts_at(self, turn: Turn) -> frozenset[DialogueAct]:
        """What this turn of the candidate's does, as the examiner heard it or by rules."""
        until = [each for each in self.spoken if each.number <= turn.number]
        return acts_of(until, frozenset(self.heard_in(turn).acts))

    def heard_in(self, turn: Turn) -> events.AnswerHeard:
        """What the examiner heard in this turn, nothing where it did not listen."""
        heard = (each for each in self.heard if each.turn == turn.number)
        return next(heard, events.AnswerHeard(turn.number))


@dataclass(frozen=True)
class RoundState:
    number: int
    outline: RoundOutline
    questions: tuple[QuestionState, ...] = ()
    warned: frozenset[int] = frozenset()
    time_up: bool = False
    ended: str | None = None

    def counted_with(self, *coming: str) -> int:
        """How many questions it has, with these rubrics asked next; each further try counts."""
        asked = [*(question.rubric for question in self.questions), *coming]
        return self.outline.count + len(asked) - len(set(asked))


@dataclass(frozen=True)
class SessionState:
    """Everything known about a session. ``rounds`` holds the rounds begun so far."""

    plan: str = ""
    plan_title: str = ""
    mode: Mode = "exam"
    examiner: str = ""
    project: str = ""
    """The candidate's notes on a project of their own, "" for none."""
    outline: tuple[RoundOutline, ...] = ()
    rounds: tuple[RoundState, ...] = ()
    turns: int = 0
    ending: bool = False
    """The candidate ended the interview: no more rounds start."""
    paused: bool = False
    failure: events.TurnFailed | None = None
    finished: events.SessionEnded | None = None
    marks: tuple[Mark, ...] = ()
    """What the candidate did to figures by hand, oldest first."""

    @property
    def round(self) -> RoundState | None:
        return self.rounds[-1] if self.rounds and not self.rounds[-1].ended else None

    @property
    def question(self) -> QuestionState | None:
        """The question still open or not yet graded, else None."""
        if self.round and self.round.questions and self.round.questions[-1].grade is None:
            return self.round.questions[-1]
        return None

    @property
    def questions(self) -> tuple[QuestionState, ...]:
        return tuple(q for r in self.rounds for q in r.questions)

    @property
    def answered(self) -> bool:
        """Some question was; a session without a word has no band and counts nowhere."""
        return any(turn.kind in RESPONSES for each in self.questions for turn in each.turns)


def rubric_of(question: QuestionState, rubrics: Mapping[str, Rubric]) -> Rubric:
    """What the question is judged by: its rubric, or the one point of it that is drilled.

    Once a harder variant was asked, what that asks for belongs to it. KeyError where the rubric
    has lost what was asked.
    """
    rubric = rubrics[question.rubric]
    if question.point:
        return rubric.on_point(question.point)
    place = question.escalated_to
    return rubric if place is None else rubric.with_escalation(place)


def replay(journal: Iterable[events.JournalEvent]) -> tuple[SessionState, int]:
    """The state after these events, as far as they add up, and how many of them do."""
    state, read = SessionState(), 0
    for event in journal:
        if not adds_up(state, event):
            break
        state, read = apply(state, event), read + 1
    return state, read


_AT_ANY_TIME = (
    events.Paused
    | events.Resumed
    | events.ExaminerChanged
    | events.TurnFailed
    | events.Retried
    | events.FigureMarked
)


def adds_up(state: SessionState, event: events.JournalEvent) -> bool:
    """The event can follow in this state: two writers of one journal leave some that can't."""
    if isinstance(event, events.SessionStarted) or not state.outline or state.finished:
        return isinstance(event, events.SessionStarted) and not state.outline
    if isinstance(event, events.SpokenEvent) and event.turn != state.turns + 1:
        return False
    match event:
        case events.RoundStarted():
            return not state.round and event.round == len(state.rounds) + 1 <= len(state.outline)
        case events.QuestionAsked():
            return bool(state.round) and not state.question
        case events.RoundEnded() | events.ClockWarning() | events.TimeUp():
            return state.round is not None
        case events.SessionEnded():
            return state.round is None
        case events.DoubtsSettled():
            return bool(state.question and state.question.judged)
        case _:
            return isinstance(event, _AT_ANY_TIME) or state.question is not None


_ENDS_A_FAILURE = (
    events.AnswerJudged
    | events.AnswerHeard
    | events.FollowUpAsked
    | events.HintGiven
    | events.QuestionClosed
    | events.Resumed
    | events.ExaminerChanged
    | events.Retried
)


def apply(state: SessionState, event: events.JournalEvent) -> SessionState:
    """The state after one more event that adds up."""
    if isinstance(event, _ENDS_A_FAILURE):
        state = replace(state, failure=None)
    match event:
        case events.SessionStarted():
            begun = event.plan, event.plan_title, event.mode, event.examiner, event.project
            return SessionState(*begun, outline=event.rounds)
        case events.RoundStarted():
            running = RoundState(event.round, state.outline[event.round - 1])
            return replace(state, rounds=(*state.rounds, running))
        case events.QuestionAsked():
            return _ask(state, event)
        case events.RoundEnded():
            ending = state.ending or event.reason == "interview_ended"
            return replace(_in_round(state, ended=event.reason), ending=ending)
        case events.ClockWarning():
            return _in_round(state, warned=state.rounds[-1].warned | {event.minutes_left})
        case events.TimeUp():
            return _in_round(state, time_up=True)
        case events.FigureMarked():
            return replace(state, marks=(*state.marks, event.mark))
        case events.Paused():
            return replace(state, paused=True)
        case events.Resumed():
            return replace(state, paused=False, examiner=event.examiner)
        case events.ExaminerChanged():
            return replace(state, examiner=event.examiner)
        case events.TurnFailed():
            return replace(state, failure=event)
        case events.Retried():
            return state
        case events.SessionEnded():
            return replace(state, finished=event)
        case _:
            return _apply_to_question(state, event)


def _apply_to_question(state: SessionState, event: events.JournalEvent) -> SessionState:
    question = state.rounds[-1].questions[-1]
    if isinstance(event, events.SpokenEvent):
        state = replace(state, turns=event.turn)
        question = replace(question, turns=(*question.turns, events.turn_of(event)))
    match event:
        case events.AnswerGiven():
            question = replace(question, cut_off=event.cut_off)
        case events.AnswerJudged():
            answer = question.last_words.number
            judged = Judged(answer, event.verdicts, event.examiner, event.flags, event.doubts)
            question = replace(question, judged=(*question.judged, judged))
        case events.DoubtsSettled():
            question = replace(question, judged=after_settling(question.judged, event))
        case events.FiguresRead():
            question = replace(question, readings=(*question.readings, event))
        case events.AnswerHeard():
            question = _hear(question, event)
        case events.HintRequested():
            question = replace(question, hint_requested=True)
        case events.FollowUpAsked() | events.HintGiven():
            moves = (*question.moves, event.move)
            question = replace(question, moves=moves, hint_requested=False)
            if isinstance(event, events.FollowUpAsked):
                question = replace(question, cleared=question.cleared | {*event.cleared})
        case events.QuestionClosed():
            question = replace(question, closed=event.reason)
        case events.QuestionGraded():
            question = replace(question, grade=event.grade)
    return _in_round(state, questions=(*state.rounds[-1].questions[:-1], question))


def _in_round(state: SessionState, **changes: object) -> SessionState:
    changed = replace(state.rounds[-1], **changes)  # type: ignore[arg-type]
    return replace(state, rounds=(*state.rounds[:-1], changed))


def _ask(state: SessionState, event: events.QuestionAsked) -> SessionState:
    question = QuestionState(
        event.round,
        event.question,
        event.rubric,
        (events.turn_of(event),),
        point=event.point,
        place=len(state.questions) + 1,
        passages=tuple(m.reply.parsed for q in state.questions for m in q.drills if m.passed),
    )
    state = _in_round(state, questions=(*state.rounds[-1].questions, question))
    return replace(state, turns=event.turn)


def _hear(question: QuestionState, event: events.AnswerHeard) -> QuestionState:
    """What is heard as no answer, and was not judged, is none."""
    question = replace(question, heard=(*question.heard, event))
    kind = kind_of(question.acts)
    if not question.unjudged_answer or kind is TurnKind.ANSWER:
        return question
    last = replace(question.last_words, kind=kind)
    turns = (last if turn.number == last.number else turn for turn in question.turns)
    return replace(question, turns=tuple(turns))


def after_settling(judged: Sequence[Judged], event: events.DoubtsSettled) -> tuple[Judged, ...]:
    """The judgements of a question after the second look at the doubts of the last.

    It speaks for the earlier ones as well where they were in doubt about the same points and nobody
    looked again.
    """
    settled = {verdict.criterion: verdict for verdict in event.verdicts}
    after = []
    for earlier in judged[:-1]:
        kept = (
            each
            for each in earlier.verdicts
            if each.criterion not in settled or each.votes or each.alternative is None
        )
        after.append(replace(earlier, verdicts=tuple(kept)))
    verdicts = tuple(settled.get(each.criterion, each) for each in judged[-1].verdicts)
    return (*after, replace(judged[-1], verdicts=verdicts, doubts=()))
