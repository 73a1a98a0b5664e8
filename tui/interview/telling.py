"""What each event of the interview changes on its screen.

Nothing here imports the events themselves, which are heavy: the screen is painted before them.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Protocol

from textual.content import Content

from interviewer.examiner.moves import Hint
from interviewer.grading.transcript import Turn, TurnKind
from tui.interview.failure_card import Remedy
from tui.interview.state_line import Heading, StateLine
from tui.widgets.transcript_view import TranscriptView, line_of, notice, round_notice

if TYPE_CHECKING:
    from interviewer.interview import events
    from interviewer.sandbox.result import CheckResult


class Floor(Enum):
    """Whose move it is."""

    OPENING = auto()
    CANDIDATE = auto()
    EXAMINER = auto()
    FAILED = auto()
    OVER = auto()


class Stage(Protocol):
    """What the events need of the interview screen."""

    heading: Heading
    transcript: TranscriptView
    state_line: StateLine
    persona: str

    def give_floor(self, floor: Floor, *, hint_left: bool = True) -> None: ...
    def answer_stored(self, text: str) -> None: ...
    def show_failure(self, sentence: str, remedies: tuple[Remedy, ...]) -> None: ...
    def pose(self, challenge: str | None) -> None: ...
    def bench_is_at_work(self) -> None: ...
    def bench_ran(self, source: str, result: CheckResult) -> None: ...
    def say_your_turn(self, sentence: str) -> None: ...
    def grade_of(self, round: int, question: int) -> Content: ...
    def to_front(self) -> None: ...
    def leave(self) -> None: ...
    def show_debrief(self) -> None: ...


class Telling:
    """Shows events on the stage: one method an event, under the word of its ``event`` field."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def show(self, event: events.Event) -> None:
        getattr(self, event.event)(event)

    def session(self, event: events.SessionStarted) -> None:
        self._stage.heading.show(plan=event.plan_title)
        self._notice(f"{event.plan_title}: {len(event.rounds)} rounds, {event.mode} mode.")

    def round(self, event: events.RoundStarted) -> None:
        self._stage.persona = event.persona.name
        self._stage.heading.show(round=f"Round {event.round} {event.title}", question="")
        self._stage.transcript.add(round_notice(event.round, event.rounds, event.title))
        persona = event.persona
        cares = f" Cares about {persona.cares_about}." if persona.cares_about else ""
        self._notice(f"{persona.name} examines, {event.seconds // 60} minutes.{cares}")

    def question(self, event: events.QuestionAsked) -> None:
        self._stage.heading.show(question=f"question {event.question} of {event.questions}")
        self._say(Turn(event.turn, "examiner", TurnKind.QUESTION, event.text))
        self._stage.pose(event.challenge)

    def answer(self, event: events.AnswerGiven) -> None:
        self._say(Turn(event.turn, "candidate", event.kind, event.text, run=event.bench))
        self._stage.answer_stored(event.text)

    def unseen(self, event: events.AnswerJudged | events.HintRequested | events.Retried) -> None:
        """Nothing to see: what follows from it is told by the next event."""

    judged = hint_requested = retry = unseen

    def thinking(self, event: events.Thinking) -> None:
        self._stage.give_floor(Floor.EXAMINER)
        reading = event.stage == "judge"
        self._stage.state_line.count(
            "The examiner is reading your answer…" if reading else "The examiner is thinking…"
        )

    def checking(self, event: events.Checking) -> None:
        self._stage.give_floor(Floor.EXAMINER)
        self._stage.bench_is_at_work()

    def bench(self, event: events.BenchRan) -> None:
        run = Turn(event.turn, "candidate", TurnKind.BENCH, event.source, result=event.result)
        self._say(run)
        self._stage.bench_ran(event.source, event.result)

    def retrying(self, event: events.Retrying) -> None:
        self._stage.state_line.count_down(f"{event.reason} Retrying", event.seconds)

    def follow_up(self, event: events.FollowUpAsked | events.HintGiven) -> None:
        level = event.move.level if isinstance(event.move, Hint) else 0
        self._say(Turn(event.turn, "examiner", event.move.kind, event.text, hint_level=level))

    hint = follow_up

    def question_closed(self, event: events.QuestionClosed) -> None:
        from interviewer.report.words import CLOSED

        self._stage.to_front()
        self._notice(CLOSED[event.reason])

    def grade(self, event: events.QuestionGraded) -> None:
        self._stage.transcript.add(
            notice("", aside=self._stage.grade_of(event.round, event.question))
        )

    def round_end(self, event: events.RoundEnded) -> None:
        self._stage.heading.show(question="")
        self._notice(f"Round {event.round} is over.")

    def clock(self, event: events.ClockWarning) -> None:
        minutes = "1 minute" if event.minutes_left == 1 else f"{event.minutes_left} minutes"
        self._notice(f"{minutes} left in this round.")

    def time_up(self, event: events.TimeUp) -> None:
        self._notice("Time is up; what you had typed counts as your answer.")

    def paused(self, event: events.Paused) -> None:
        self._stage.give_floor(Floor.OVER)
        self._stage.leave()

    def resumed(self, event: events.Resumed) -> None:
        self._notice("Resumed.")

    def examiner(self, event: events.ExaminerChanged) -> None:
        self._notice(f"From here on: {event.about}")

    def error(self, event: events.TurnFailed) -> None:
        self._stage.transcript.drop_reply()
        self._stage.show_failure(event.message, event.choices)

    def debrief(self, event: events.SessionEnded) -> None:
        self._stage.give_floor(Floor.OVER)
        self._stage.show_debrief()

    def your_turn(self, event: events.YourTurn) -> None:
        price = event.hint_price
        self._stage.give_floor(Floor.CANDIDATE, hint_left=price is not None)
        hint = "No hint is left." if price is None else f"A hint costs {price:.0%} of the point."
        self._stage.say_your_turn(f"Your turn. {hint}")

    def _say(self, turn: Turn) -> None:
        self._stage.transcript.add(line_of(turn, self._stage.persona))

    def _notice(self, text: str) -> None:
        self._stage.transcript.add(notice(text))
