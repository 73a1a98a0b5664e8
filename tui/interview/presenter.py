"""What each event of the interview changes on its screen."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, assert_never

from interviewer.examiner.protocol import CloseReason
from interviewer.examiner.registry import kind_of
from interviewer.interview import events
from interviewer.interview.events import turn_of
from interviewer.plural import minutes, pluralize
from interviewer.report.words import CLOSING, next_hint
from tui.widgets.transcript_view import is_whole_plan, line_of, notice, round_notice

if TYPE_CHECKING:
    from tui.interview.screen import InterviewScreen


class TurnOwner(Enum):
    """Who acts next."""

    OPENING = auto()
    CANDIDATE = auto()
    EXAMINER = auto()
    FAILED = auto()
    OVER = auto()


_WHILE_OPEN = frozenset({TurnOwner.CANDIDATE, TurnOwner.EXAMINER, TurnOwner.FAILED})
ALLOWED = {
    "send": frozenset({TurnOwner.CANDIDATE, TurnOwner.OPENING}),
    **dict.fromkeys(
        ("hint", "dont_know", "rephrase", "said_that"),
        frozenset({TurnOwner.CANDIDATE}),
    ),
    "cancel": frozenset({TurnOwner.EXAMINER}),
    **dict.fromkeys(("retry", "offline"), frozenset({TurnOwner.FAILED})),
    **dict.fromkeys(("pause", "skip", "end_round", "end_interview"), _WHILE_OPEN),
}
"""Who must be on turn for an action; others are always possible."""


class EventPresenter:
    def __init__(self, view: InterviewScreen) -> None:
        self._view = view
        self._plan = ""
        self._round_is_plan = False

    def show(self, event: events.Event) -> None:
        view = self._view
        match event:
            case events.SessionStarted():
                self._session(event)
            case events.RoundStarted():
                self._round(event)
            case events.QuestionAsked():
                self._question(event)
            case events.AnswerGiven():
                self._turn(event)
                view.answer_stored(event.text, cut_off=event.cut_off)
            case events.BenchRan():
                self._turn(event)
                view.bench_ran(event.source, event.result)
            case events.NotRead():
                self._notice(event.message)
            case events.FollowUpAsked() | events.HintGiven():
                self._turn(event)
            case events.Thinking():
                doing = "reading your answer" if event.stage == "judge" else "thinking"
                view.give_turn(TurnOwner.EXAMINER)
                view.state_line.count(f"The examiner is {doing}…")
            case events.Checking():
                view.bench_started()
            case events.Retrying():
                view.state_line.count(f"{event.reason} Retrying", down_from=event.seconds)
            case events.Leaving():
                view.wait_for_grade()
            case events.YourTurn():
                self._your_turn(event)
            case events.QuestionClosed():
                self._question_closed(event)
            case events.QuestionGraded():
                view.show_grade(event.round, event.question)
            case events.RoundEnded():
                self._round_over(event)
            case events.ClockWarning() | events.TimeUp():
                self._time(event)
            case events.Break():
                view.take_break(event)
            case events.Resumed():
                self._notice("Resumed.")
            case events.ExaminerChanged():
                self._notice(f"Switched examiners. {event.about}")
            case events.FiguresRead() | events.FigureMarked():
                self._figures(event)
            case events.TurnFailed():
                view.show_failure(event.message, event.choices)
            case events.Paused() | events.SessionEnded():
                self._over(event)
            case events.HintRequested() | events.Retried():
                pass  # shown by the next event
            case events.AnswerJudged() | events.DoubtsSettled() | events.AnswerHeard():
                pass  # withheld from the candidate
            case _:
                assert_never(event)

    def _figures(self, event: events.FiguresRead | events.FigureMarked) -> None:
        if event.event == "figures_read":
            self._notice(event.reading.failed)
        else:
            self._notice(f"Noted: {event.mark.text}." if event.mark.text else "Struck.")

    def _session(self, event: events.SessionStarted) -> None:
        self._view.show_state()
        self._plan = event.plan_title
        several = f"{len(event.rounds)} rounds, " if len(event.rounds) > 1 else ""
        kind = kind_of(event.examiner)
        limits = f" {kind.about}" if kind.caveat else ""
        self._notice(f"{event.plan_title}: {several}{event.mode} mode.{limits}")

    def _round(self, event: events.RoundStarted) -> None:
        persona = event.persona
        self._view.persona = persona.name
        self._round_is_plan = is_whole_plan(event.title, event.rounds, self._plan)
        self._view.show_state()
        if not self._round_is_plan:
            self._view.transcript.add(round_notice(event.round, event.rounds, event.title))
        cares = f" · cares about {persona.cares_about}" if persona.cares_about else ""
        self._notice(f"Interviewer: {persona.name} · {minutes(event.seconds)}{cares}")

    def _round_over(self, event: events.RoundEnded) -> None:
        self._view.rounds_over += 1
        self._view.transcript.leave_out(None)
        self._view.show_state()
        self._view.pin("")
        if not self._round_is_plan:
            self._notice(f"Round {event.round} is over.")

    def _time(self, event: events.ClockWarning | events.TimeUp) -> None:
        if event.event == "time_up":
            kept = " What you typed so far counts as your answer."
            self._notice(f"Time is up.{kept if self._view.time_is_up() else ''}")
        else:
            of_what = "" if self._round_is_plan else " in this round"
            self._notice(f"{pluralize(event.minutes_left, 'minute')} left{of_what}.")

    def _question(self, event: events.QuestionAsked) -> None:
        self._view.show_state()
        self._view.pin(event.text, event.figure)
        self._turn(event)
        self._view.show_question_once(event.turn)
        self._view.set_challenge(event.challenge)

    def _your_turn(self, event: events.YourTurn) -> None:
        self._view.give_turn(TurnOwner.CANDIDATE, hint_left=event.hint_price is not None)
        hint = next_hint(event.hint_price, has_hints=event.has_hints)
        self._view.say_your_turn(f"Your turn · {hint}.")

    def _question_closed(self, event: events.QuestionClosed) -> None:
        self._view.questions_over += 1
        if event.reason is not CloseReason.TIME_UP:  # which was told when it happened
            self._notice(CLOSING[event.reason])

    def _over(self, event: events.Paused | events.SessionEnded) -> None:
        self._view.give_turn(TurnOwner.OVER)
        if event.event == "paused":
            self._view.leave()
        else:
            self._view.show_debrief()

    def _turn(self, event: events.SpokenEvent) -> None:
        self._view.transcript.add(line_of(turn_of(event), self._view.persona))

    def _notice(self, text: str) -> None:
        self._view.transcript.add(notice(text))
