"""What each event of the interview changes on its screen."""

from __future__ import annotations

from enum import Enum, auto
from functools import singledispatchmethod
from typing import Protocol

from textual.content import Content

from interviewer.grading.transcript import Turn, TurnKind
from interviewer.interview import events as told
from interviewer.report import words
from tui.interview.failure_card import Remedy
from tui.interview.heading import Heading
from tui.interview.state_line import StateLine
from tui.widgets.transcript_view import TranscriptView
from tui.widgets.turns import line_of, notice, round_notice


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
    def grade_of(self, round: int, question: int) -> Content: ...
    def leave(self) -> None: ...
    def show_debrief(self) -> None: ...


class Telling:
    """Shows events on the stage, one method an event."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    @singledispatchmethod
    def show(self, event: told.Event) -> None:
        raise TypeError(f"no way to show {type(event).__name__}")

    @show.register
    def _(self, event: told.SessionStarted) -> None:
        self._stage.heading.show(plan=event.plan_title)
        self._notice(f"{event.plan_title}: {len(event.rounds)} rounds, {event.mode} mode.")

    @show.register
    def _(self, event: told.RoundStarted) -> None:
        self._stage.persona = event.persona.name
        self._stage.heading.show(round=f"Round {event.round} {event.title}", question="")
        self._stage.transcript.add(round_notice(event.round, event.rounds, event.title))
        self._notice(f"{event.persona.name} examines, {event.seconds // 60} minutes.")

    @show.register
    def _(self, event: told.QuestionAsked) -> None:
        self._stage.heading.show(question=f"question {event.question} of {event.questions}")
        self._say(Turn(event.turn, "examiner", TurnKind.QUESTION, event.text))

    @show.register
    def _(self, event: told.AnswerGiven) -> None:
        self._say(Turn(event.turn, "candidate", event.kind, event.text))
        self._stage.answer_stored(event.text)

    @show.register
    def _(self, event: told.AnswerJudged | told.HintRequested | told.Retried) -> None:
        """Nothing to see: what follows from it is told by the next event."""

    @show.register
    def _(self, event: told.Thinking) -> None:
        self._stage.give_floor(Floor.EXAMINER)
        reading = event.stage == "judge"
        self._stage.state_line.count(
            "The examiner is reading your answer…" if reading else "The examiner is thinking…"
        )

    @show.register
    def _(self, event: told.FollowUpAsked | told.HintGiven) -> None:
        kind, level = TurnKind(event.move.kind), event.move.hint_level
        self._say(Turn(event.turn, "examiner", kind, event.text, hint_level=level))

    @show.register
    def _(self, event: told.QuestionClosed) -> None:
        self._notice(words.CLOSED[event.reason])

    @show.register
    def _(self, event: told.QuestionGraded) -> None:
        self._stage.transcript.add(
            notice("", aside=self._stage.grade_of(event.round, event.question))
        )

    @show.register
    def _(self, event: told.RoundEnded) -> None:
        self._stage.heading.show(question="")
        self._notice(f"Round {event.round} is over.")

    @show.register
    def _(self, event: told.ClockWarning) -> None:
        minutes = "1 minute" if event.minutes_left == 1 else f"{event.minutes_left} minutes"
        self._notice(f"{minutes} left in this round.")

    @show.register
    def _(self, event: told.TimeUp) -> None:
        self._notice("Time is up; what you had typed counts as your answer.")

    @show.register
    def _(self, event: told.Paused) -> None:
        self._stage.give_floor(Floor.OVER)
        self._stage.leave()

    @show.register
    def _(self, event: told.Resumed) -> None:
        self._notice("Resumed.")

    @show.register
    def _(self, event: told.ExaminerChanged) -> None:
        self._notice(f"From here on: {event.about}")

    @show.register
    def _(self, event: told.TurnFailed) -> None:
        self._stage.transcript.drop_reply()
        self._stage.show_failure(event.message, event.choices)

    @show.register
    def _(self, event: told.SessionEnded) -> None:
        self._stage.give_floor(Floor.OVER)
        self._stage.show_debrief()

    @show.register
    def _(self, event: told.YourTurn) -> None:
        price = event.hint_price
        self._stage.give_floor(Floor.CANDIDATE, hint_left=price is not None)
        hint = "No hint is left." if price is None else f"A hint costs {price:.0%} of the point."
        self._stage.state_line.say(f"Your turn. {hint}")

    def _say(self, turn: Turn) -> None:
        self._stage.transcript.add(line_of(turn, self._stage.persona))

    def _notice(self, text: str) -> None:
        self._stage.transcript.add(notice(text))
