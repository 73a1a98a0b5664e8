"""The conductor of one mock interview.

It decides nothing itself; its job is order: every event is on disk before anyone hears of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TypeVar

from interviewer.errors import ExaminerError
from interviewer.examiner.offline.guards import unread_notice
from interviewer.examiner.protocol import (
    CloseReason,
    Examiner,
    Heard,
    MoveKind,
    QuestionContext,
    Retrying,
)
from interviewer.grading.claims.quantity import Mark
from interviewer.grading.transcript import DialogueAct, TurnKind
from interviewer.grading.verdicts import Judgement, price_of_hint
from interviewer.interview import commands, events, examining
from interviewer.interview.bench_session import Bench, BenchSession, last_words
from interviewer.interview.debrief import summary
from interviewer.interview.drawing import next_question
from interviewer.interview.inbox import (
    Inbox,
    Interrupted,
    RoundClock,
    due_warning,
    seconds_to_next_mark,
)
from interviewer.interview.journal import Journal
from interviewer.interview.numbers import leaves_figures_open, numbers_in
from interviewer.interview.policy import Situation, next_move
from interviewer.interview.state import QuestionState, RoundState, SessionState, apply, rubric_of
from interviewer.rubric.rubric import Rubric
from interviewer.sandbox.challenge import Challenge
from interviewer.sandbox.result import Tries
from interviewer.store.records import NewSession, Pane

T = TypeVar("T")
_BY_KEY: dict[type[commands.Command], str] = {
    commands.DontKnow: "I don't know.",
    commands.Rephrase: "Could you put that another way?",
    commands.SaidThat: "I said that already.",
}
"""What is said for the candidate: plain words, for which rules are enough."""


class Interview:
    """One live session. Iterate over it once, and :meth:`send` it commands meanwhile.

    ``beginning`` is the row and the first event of one that is not on disk yet. The iteration ends
    after the debrief event or a pause. It raises StoreError; the session can be resumed then.
    """

    def __init__(
        self,
        *,
        journal: Journal,
        rubrics: Mapping[str, Rubric],
        examiner: Examiner,
        fallback: Callable[[], Examiner],
        state: SessionState | None = None,
        elapsed: float = 0.0,
        beginning: tuple[NewSession, events.SessionStarted] | None = None,
        clock: RoundClock | None = None,
        bench: Bench | None = None,
        challenges: Mapping[str, Challenge] = MappingProxyType({}),
        tries: Tries | None = None,
    ) -> None:
        self.has_breaks = False
        """The front end handles Break events and sends GoOn."""
        self.waits = False
        """The clock stands still until :meth:`begin`, or the candidate's first command."""
        self._gone_on_at = state.turns if state else 0
        self._again: str | None = None
        """The rubric to ask again."""
        self.session_id = journal.session_id
        self.state = state or SessionState()
        self.rubrics = rubrics
        self.examiner = examiner
        self._fallback = fallback
        self._journal = journal
        self._beginning = beginning
        self._clock = clock or RoundClock()
        self._clock.set(elapsed)
        self.on_notice: Callable[[events.Retrying | events.Leaving], None] = lambda _: None
        """Hears at once what comes while the next event is awaited."""
        self._inbox = Inbox(lambda: self.on_notice(events.Leaving()))
        self.bench = bench
        """Where challenges are solved, None without one."""
        self.challenges = challenges if bench else {}
        """Those of the session, by id."""
        save = partial(self.save_draft, pane="bench")
        self._bench_session = BenchSession(bench, self._inbox, save, tries)
        examiner.on_retry(self._tell_of_retry)

    # -- for front ends ---------------------------------------------------------------

    def send(self, command: commands.Command) -> None:
        """Pass on what the candidate did. Call it from the event loop's thread."""
        self._inbox.put(command)

    def begin(self) -> None:
        if self.waits and self.state.question:
            self.waits = False
            self.send(commands.GoOn())

    def save_draft(self, text: str, pane: Pane) -> None:
        """Save what is being typed in a pane; it is on disk on return. Raises StoreError."""
        self._journal.save_draft(text, pane, self._clock.elapsed)

    def drafts(self) -> Mapping[Pane, str]:
        return self._journal.drafts()

    @property
    def challenge(self) -> Challenge | None:
        """The open question's challenge."""
        return self.challenges.get(self._rubric.challenge or "") if self.state.question else None

    async def aclose(self) -> None:
        try:
            await self.examiner.aclose()
        finally:
            await self._bench_session.aclose()

    @property
    def seconds_left(self) -> float:
        """Time left in the running round; 0 between rounds."""
        running = self.state.round
        return max(0.0, running.outline.seconds - self._clock.elapsed) if running else 0.0

    async def __aiter__(self) -> AsyncIterator[events.Event]:
        async for event in self._proceed():
            if isinstance(event, events.JournalEvent):
                await self._commit(event)
            shown = events.as_shown(event, self.state.mode)
            if shown is not None:
                yield shown

    def _tell_of_retry(self, retry: Retrying) -> None:
        self._inbox.stall()
        self.on_notice(events.Retrying(retry.seconds, retry.reason))

    # -- the journal ------------------------------------------------------------------

    async def _commit(self, event: events.JournalEvent) -> None:
        if isinstance(event, events.RoundStarted):
            self._clock.set(0.0)
        elapsed = self._clock.elapsed
        after = apply(self.state, event)
        if self._beginning and event is self._beginning[1]:
            await self._journal.begin(self._beginning[0], event, after)
        else:
            await self._journal.commit(event, after, elapsed)
        self.state = after
        if isinstance(event, events.QuestionAsked | events.Resumed):
            self._bench_session.warm_up(self.challenge)

    # -- the steps --------------------------------------------------------------------

    async def _proceed(self) -> AsyncIterator[events.Event]:
        """Events in order; each is committed by the caller before the next is asked for."""
        if self._beginning:
            yield self._beginning[1]
        else:
            yield events.Resumed(self.examiner.name)
        while due := self._due():
            async for event in due:
                yield event

    def _due(self) -> AsyncIterator[events.Event] | None:
        """The step that is due, read off the state; None once it is finished or paused."""
        state = self.state
        if state.finished or state.paused:
            return None
        if state.failure:
            return self._await_remedy()
        if self.has_breaks and self._gone_on_at != state.turns and self._break_due():
            return self._break()
        if state.question:
            return self._due_within(state.question)
        if running := state.round:
            if running.time_up or next_question(state) is None:
                return _only(self._round_end("time_up" if running.time_up else "done"))
            return self._pose()
        is_over = state.ending or len(state.rounds) >= len(state.outline)
        return _only(summary(state) if is_over else self._round_start())

    def _due_within(self, question: QuestionState) -> AsyncIterator[events.Event]:
        last = question.last_words
        asks = question.hint_requested or last.kind is TurnKind.TELL
        is_theirs = last.author == "candidate" and not asks
        if question.closed:
            return self._settle() if question.doubts else self._graded()
        is_new = is_theirs and not question.was_heard and not self._round.time_up
        if question.unjudged_answer or is_new:
            return self._listen()
        if leaving := self._inbox.take_pending_exit():
            return self._leave(leaving)
        if self._round.time_up:
            return self._close_for_time()
        return self._respond() if asks or is_theirs else self._await_candidate()

    def _break_due(self) -> bool:
        """A graded question in practice is to be taken in, or a round whose time was up."""
        state = self.state
        if running := state.round:
            return state.mode == "practice" and bool(running.questions) and state.question is None
        another = bool(state.rounds) and not state.ending and len(state.rounds) < len(state.outline)
        return another and state.rounds[-1].ended == "time_up"

    async def _pose(self) -> AsyncIterator[events.Event]:
        """The next question."""
        self._inbox.take_answers()  # meant for the previous question; still in the editor
        again, self._again = self._again, None
        rubric = self.rubrics[again or next_question(self.state) or ""]
        yield events.QuestionAsked(
            round=self._round.number,
            question=len(self._round.questions) + 1,
            questions=self._round.counted_with(rubric.id),
            rubric=rubric.id,
            title=rubric.title,
            turn=self.state.turns + 1,
            text=rubric.question,
            challenge=rubric.challenge if rubric.challenge in self.challenges else None,
            figure=rubric.figure,
        )

    async def _break(self) -> AsyncIterator[events.Event]:
        """Wait until the candidate goes on; the clock stands still."""
        running = self.state.round
        may_retry = self.state.mode == "practice" and bool(running and not running.time_up)
        yield events.Break(may_retry)
        while True:
            match await self._inbox.next():
                case commands.TryAgain() if may_retry:
                    self._again = self._round.questions[-1].rubric
                case commands.Pause():
                    yield events.Paused()
                case commands.EndRound() if running:
                    yield self._round_end("ended")
                case commands.EndInterview() if running:
                    yield self._round_end("interview_ended")
                case commands.EndInterview():
                    yield summary(self.state)
                case commands.GoOn():
                    self._gone_on_at = self.state.turns
                case _:
                    continue
            break
        if self._again:
            async for event in self._pose():
                yield event

    def _round_start(self) -> events.RoundStarted:
        number = len(self.state.rounds) + 1
        outline = self.state.outline[number - 1]
        return events.RoundStarted(
            round=number,
            rounds=len(self.state.outline),
            title=outline.title,
            persona=outline.persona,
            seconds=outline.seconds,
            questions=outline.count,
        )

    def _round_end(self, reason: events.RoundEnd) -> events.RoundEnded:
        return events.RoundEnded(self._round.number, reason)

    def _close(self, reason: CloseReason) -> events.QuestionClosed:
        question = self._question_open
        return events.QuestionClosed(question.round, question.number, question.rubric, reason)

    # -- the candidate's turn ---------------------------------------------------------

    async def _await_candidate(self) -> AsyncIterator[events.Event]:
        hint = self._situation.hint
        price = price_of_hint(hint.hint_level) if hint else None
        yield events.YourTurn(self.seconds_left, price, self._rubric.has_hints)
        command = await self._candidate_or_clock()
        if command is None:
            outline, elapsed = self._round.outline, self._clock.elapsed
            minutes = due_warning(elapsed, outline.seconds, self._round.warned)
            if elapsed >= outline.seconds:
                yield events.TimeUp(self._round.number)
            elif minutes is not None:
                yield events.ClockWarning(self._round.number, minutes)
            return
        async for event in self._obey(command):
            yield event

    async def _candidate_or_clock(self) -> commands.Command | None:
        """The next command, or None when the clock has something to say first."""
        if self.waits and not isinstance(command := await self._inbox.next(), commands.GoOn):
            self.waits = False
            return command
        mark = seconds_to_next_mark(self._clock.elapsed, self._round.outline.seconds)
        self._clock.start()
        try:
            return await self._inbox.next(timeout=mark)
        finally:
            self._clock.stop()

    async def _obey(self, command: commands.Command) -> AsyncIterator[events.Event]:
        turn = self.state.turns + 1
        match command:
            case commands.Answer(text=text) if text.strip():
                yield examining.given(self._question_open, turn, text)
            case commands.RunBench(source=source) | commands.SubmitRun(source=source) if (
                source.strip()
            ):
                async for event in self._bench_session.obey(command, self.challenge, self.state):
                    yield event
            case commands.DontKnow() | commands.Rephrase() | commands.SaidThat():
                yield examining.given(self._question_open, turn, _BY_KEY[type(command)])
            case commands.AskHint() if self._situation.hint:
                yield events.HintRequested()
            case commands.Skip() | commands.EndRound() | commands.EndInterview():
                async for event in self._leave(command):
                    yield event
            case commands.Pause():
                yield events.Paused()
            case commands.MarkFigure(turn=of, start=start, value=value, typed=typed):
                yield events.FigureMarked(Mark(of, start, self.state.turns, value, typed))
            case _:  # an empty answer, a hint where none is left, a remedy with no failure
                return

    async def _leave(self, command: commands.Command) -> AsyncIterator[events.Event]:
        """Close the question, and the round or the interview with it."""
        reason = {
            commands.Skip: CloseReason.SKIPPED,
            commands.EndRound: CloseReason.ROUND_ENDED,
            commands.EndInterview: CloseReason.INTERVIEW_ENDED,
        }[type(command)]
        yield self._close(reason)
        if self._question_open.doubts:
            async for event in self._settle():
                yield event
            if self.state.paused:
                return
        async for event in self._graded(command):
            yield event

    async def _graded(self, leaving: commands.Command | None = None) -> AsyncIterator[events.Event]:
        """The grade of the closed question; the round ends with it if the candidate leaves that."""
        question = self._question_open
        is_open = leaves_figures_open(self.state, self.rubrics, question)
        grade = examining.grade_of(question, self._rubric, self.examiner.name, figures_open=is_open)
        yield events.QuestionGraded(question.round, question.number, grade)
        leaving = self._inbox.take_pending_exit() or leaving
        ended = question.closed is CloseReason.INTERVIEW_ENDED
        if isinstance(leaving, commands.EndRound):
            yield self._round_end("ended")
        elif isinstance(leaving, commands.EndInterview) or ended:
            yield self._round_end("interview_ended")

    async def _close_for_time(self) -> AsyncIterator[events.Event]:
        """Take what was just sent or is still in the editor as the answer, else close."""
        sent = self._inbox.take_answers()
        drafts = await asyncio.to_thread(self._journal.drafts)
        typed = drafts["answer"], drafts["bench"]
        answer = last_words(self._question_open, self.state.turns + 1, sent, typed)
        if answer and self._question_open.last_words.author == "examiner":
            yield answer
        else:
            yield self._close(CloseReason.TIME_UP)

    # -- listening and speaking -------------------------------------------------------

    async def _listen(self) -> AsyncIterator[events.Event]:
        """Judge the answer, if it is one, and think about what to say next: one wait for both."""
        question = self._question_open
        at = replace(self._situation, numbers=numbers_in(self.state, self.rubrics))
        context = replace(
            examining.context_of(self.state, self.rubrics), moves=examining.open_moves(at)
        )
        looked_at = examining.to_judge(context, self.state)
        yield events.Thinking("judge" if looked_at else "ask")
        try:
            all_ = asyncio.gather(
                self._judgement(looked_at) if looked_at else asyncio.sleep(0),
                self.examiner.listen(context) if self._listens else asyncio.sleep(0),
                examining.read_beside(self.examiner, self.state, context, listens=self._listens),
                return_exceptions=True,
            )
            judgement, heard, read = await self._unless_interrupted(all_, finish=True)
        except Interrupted as signal:
            if isinstance(signal.command, commands.Pause | commands.Cancel):
                yield examining.report_interruption("judge", signal.command)
                return
            async for event in self._leave(signal.command):  # with the answer unjudged
                yield event
            return
        if looked_at and isinstance(judgement, Judgement):
            judged = examining.check_judgement(looked_at, judgement)
            unfit = examining.report_unfit(self.state, judged)
            if not (isinstance(heard, Heard) and examining.is_aside(question, heard, judged)):
                yield events.AnswerJudged(
                    judged.verdicts, judged.examiner, judged.flags, judged.doubts
                )
                told = (each.unread for each in question.judged)
                if new := sorted(judged.unread.difference(*told)):
                    yield events.NotRead(tuple(new), unread_notice(new))
                if unfit:
                    yield unfit
                    return
        if isinstance(read, BaseException):
            raise read
        heard_of = examining.figures_heard(question, heard) if isinstance(heard, Heard) else ()
        for each in (*read, *heard_of):
            yield events.FiguresRead(each.turn, each)
        if isinstance(judgement, BaseException):
            yield examining.report_failure("judge", judgement)
        elif isinstance(heard, BaseException):
            yield examining.report_failure("ask", heard)
        else:
            heard = heard or Heard(frozenset())
            if heard.unusable:
                yield events.NotRead(("listener",), heard.unusable)
            yield examining.as_heard(question.last_words.number, heard)

    async def _judgement(self, context: QuestionContext) -> Judgement:
        if context.rubric.is_discussion:
            return Judgement((), self.examiner.name)
        return await self.examiner.judge(context)

    @property
    def _listens(self) -> bool:
        """There is something left to say to the last words."""
        question, running = self._question_open, self._round
        left = question.follow_ups_used < running.outline.follow_ups
        return not running.time_up and (left or question.acts != {DialogueAct.ANSWER})

    async def _settle(self) -> AsyncIterator[events.Event]:
        """A second look at doubts once the question is closed: till then all is judged afresh."""
        question = self._question_open
        context = examining.context_of(self.state, self.rubrics, question.judged[-1].answer_turn)
        judgement = Judgement((), self.examiner.name)
        if self._inbox.stalled:  # the candidate has just left an examiner that keeps one waiting
            yield examining.settle_doubts(context, judgement)
            return
        yield events.Thinking("judge")
        try:
            look = self.examiner.settle(context, question.doubts)
            judgement = await self._unless_interrupted(look)
        except ExaminerError:
            pass  # the call log keeps the error
        except Interrupted as signal:
            if isinstance(signal.command, commands.Pause):
                yield events.Paused()
                return
            if isinstance(signal.command, commands.EndRound | commands.EndInterview):
                self._inbox.pending_exit = signal.command  # a skip has no more to leave
        yield examining.settle_doubts(context, judgement)

    async def _respond(self) -> AsyncIterator[events.Event]:
        at = replace(self._situation, numbers=numbers_in(self.state, self.rubrics))
        due = next_move(at)
        if due.move.why:
            yield self._close(due.move.why)
            return
        context = examining.context_of(self.state, self.rubrics)
        said = examining.choose_reply(context, due, at)
        if isinstance(said, examining.Reply):
            yield self._uttered(said)
            return
        yield events.Thinking("ask")
        try:
            last_try = examining.ask_for_reply(self.examiner, context, due.move, said)
            said = await self._unless_interrupted(last_try)
        except ExaminerError as error:
            yield events.TurnFailed("ask", str(error), error.retryable)
        except Interrupted as signal:
            if isinstance(signal.command, commands.Pause | commands.Cancel):
                yield examining.report_interruption("ask", signal.command)
            else:
                self._inbox.pending_exit = signal.command
        else:
            yield self._uttered(said)

    async def _unless_interrupted(self, work: Awaitable[T], *, finish: bool = False) -> T:
        """The result of the examiner's work, its calls recorded. Raises Interrupted."""
        async with self._journal.recording_calls(self.examiner):
            return await self._inbox.unless_interrupted(work, finish=finish)

    def _uttered(self, said: examining.Reply) -> events.FollowUpAsked | events.HintGiven:
        turn, move = self.state.turns + 1, said.move
        if move.kind is MoveKind.HINT:
            return events.HintGiven(turn, said.text, move, price_of_hint(move.hint_level), True)
        name, replaced = self.examiner.name, said.replaced
        return events.FollowUpAsked(turn, said.text, move, name, replaced, said.cleared)

    # -- after a failure --------------------------------------------------------------

    async def _await_remedy(self) -> AsyncIterator[events.Event]:
        command = await self._inbox.next()
        match command:
            case commands.Retry():
                yield events.Retried()
            case commands.GoOffline():
                await self.examiner.aclose()
                self.examiner = self._fallback()
                yield events.ExaminerChanged(self.examiner.name, self.examiner.about)
            case commands.Pause():
                yield events.Paused()
            case commands.Skip() | commands.EndRound() | commands.EndInterview():
                async for event in self._leave(command):
                    yield event
            case _:  # an answer or a hint has to wait until the step has succeeded
                return

    # -- shorthands -------------------------------------------------------------------

    @property
    def _round(self) -> RoundState:
        return self.state.rounds[-1]

    @property
    def _question_open(self) -> QuestionState:
        return self._round.questions[-1]

    @property
    def _rubric(self) -> Rubric:
        return rubric_of(self._question_open, self.rubrics)

    @property
    def _situation(self) -> Situation:
        question, outline = self._question_open, self._round.outline
        return Situation(
            question, self._rubric, outline.follow_ups, outline.drills, self.state.mode
        )


async def _only(event: events.Event) -> AsyncIterator[events.Event]:
    yield event
