"""What a candidate reads: an interview's events as plain text, or as JSON lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from interviewer.cli.check import described, task_json
from interviewer.cli.console import say, say_json
from interviewer.cli.conversation import FENCE
from interviewer.examiner.protocol import Persona
from interviewer.grading.agreement import ExamResult
from interviewer.interview import events
from interviewer.interview.debrief import Debrief, debrief
from interviewer.interview.debrief.questions import question_debrief
from interviewer.interview.interview import Interview
from interviewer.report.bench_runs import run_lines
from interviewer.report.session_json import debrief_json, turn_json
from interviewer.report.text import debrief_lines, question_lines, turn_line
from interviewer.sandbox.challenges.challenge import Challenge

GREETING = """\
An answer may have many lines; an empty line ends it. On a line of their own:
/hint  /idk (I don't know)  /skip  /endround  /end  /pause; while the examiner thinks: /cancel"""
AT_THE_BENCH = f"""\
(You can derive this at the bench: /bench shows the task. Lines between two lines of {FENCE} are
run, as often as you like, and a file by /run FILE; /handin gives what was run last as answer.)"""

_REMEDIES = "Say /retry, /offline (the offline examiner takes over) or /pause."


class JsonDisplay:
    """One JSON object a line: the event, and what a program needs beside it."""

    def __init__(self, interview: Interview, exams: Mapping[str, ExamResult]) -> None:
        self._interview = interview
        self._exams = exams

    def show(self, event: events.Event) -> None:
        say_json({**events.to_json(event), **self._besides(event)})

    def show_task(self, challenge: Challenge) -> None:
        say_json({"event": "task", **task_json(challenge, hint=None, solution=False)})

    def refuse(self, why: str) -> None:
        say_json({"event": "refused", "message": why})

    def _besides(self, event: events.Event) -> dict[str, Any]:
        state = self._interview.state
        match event:
            case events.SessionStarted():
                return {"session": self._interview.session_id}
            case events.Resumed():
                turns = state.question.turns if state.question else ()
                said = [turn_json(turn) for turn in turns]
                draft = self._interview.draft()
                challenge = self._interview.challenge
                return {
                    "session": self._interview.session_id,
                    "turns": said,
                    "draft": draft,
                    "bench_draft": self._interview.bench_draft(),
                    "challenge": challenge.id if challenge else None,
                }
            case events.SessionEnded():
                result = debrief(
                    state, self._interview.rubrics, self._exams, self._interview.challenges
                )
                return {"debrief": debrief_json(result)}
        return {}


class TextDisplay:
    """Sentences for people, in an order that a screen reader can follow.

    Follow-ups appear whole, not in pieces. ``resume_with`` is the command line that continues.
    """

    def __init__(
        self, interview: Interview, exams: Mapping[str, ExamResult], *, resume_with: str
    ) -> None:
        self._interview = interview
        self._exams = exams
        self._resume_with = resume_with

    def show(self, event: events.Event) -> None:
        for line in self._lines(event):
            say(line)

    def show_task(self, challenge: Challenge) -> None:
        for line in described(challenge, hint=None, solution=False):
            say(line)
        if self._interview.bench:
            say(self._interview.bench.about)

    def refuse(self, why: str) -> None:
        say(f"({why})")

    def _lines(self, event: events.Event) -> Iterator[str]:
        match event:
            case events.SessionStarted() | events.Resumed():
                yield from self._opening(event)
            case events.QuestionAsked() | events.FollowUpAsked() | events.HintGiven():
                yield from self._examiner_speaks(event)
            case events.YourTurn():
                yield _prompt(event)
            case events.QuestionGraded():
                yield from self._question_graded(event)
            case events.SessionEnded():
                yield ""
                yield from debrief_lines(self._debrief())
            case events.Paused():
                yield f"Paused. To go on: {self._resume_with}"
            case _:
                yield from _notice(event)

    def _opening(self, event: events.SessionStarted | events.Resumed) -> Iterator[str]:
        state = self._interview.state
        yield f"{state.plan_title} ({state.mode}), {len(state.outline)} rounds."
        yield f"Examiner: {event.examiner}. {self._interview.examiner.about}"
        yield GREETING
        if isinstance(event, events.Resumed):
            yield from self._so_far()

    def _so_far(self) -> Iterator[str]:
        question = self._interview.state.question
        if question:
            yield ""
            yield f"Round {question.round}, question {question.number}, as far as it got:"
            yield from map(turn_line, question.turns)
        if draft := self._interview.draft():
            yield "Your unfinished answer, which an empty line sends:"
            yield draft
        if lines := self._interview.bench_draft():
            yield "Your lines at the bench, which /run runs and /handin hands in:"
            yield lines
        if self._interview.challenge:
            yield AT_THE_BENCH

    def _examiner_speaks(
        self, event: events.QuestionAsked | events.FollowUpAsked | events.HintGiven
    ) -> Iterator[str]:
        running = self._interview.state.round
        name = running.outline.persona.name if running else "Examiner"
        yield ""
        match event:
            case events.QuestionAsked():
                yield f"Question {event.question} of {event.questions}."
                yield f"{name}: {event.text}"
                if event.challenge:
                    yield AT_THE_BENCH
            case events.HintGiven():
                yield f"(A hint; with it the point counts {_percent(event.price)} less.)"
                yield f"{name}: {event.text}"
            case _:
                yield f"{name}: {event.text}"

    def _question_graded(self, event: events.QuestionGraded) -> Iterator[str]:
        graded = self._interview.state.rounds[event.round - 1].questions[event.question - 1]
        rubric = self._interview.rubrics[graded.rubric]
        challenges = self._interview.challenges
        yield ""
        yield from question_lines(question_debrief(graded, rubric, self._exams, challenges))

    def _debrief(self) -> Debrief:
        interview = self._interview
        return debrief(interview.state, interview.rubrics, self._exams, interview.challenges)


def _prompt(event: events.YourTurn) -> str:
    minutes, seconds = divmod(int(event.seconds_left), 60)
    price = f"; /hint costs {_percent(event.hint_price)}" if event.hint_price is not None else ""
    return f"[your turn, {minutes}:{seconds:02d} left{price}]"


def _cares_about(persona: Persona) -> str:
    return f", who cares about {persona.cares_about}" if persona.cares_about else ""


def _percent(share: float) -> str:
    return f"{share:.0%}"


def _notice(event: events.Event) -> Iterator[str]:
    match event:
        case events.RoundStarted():
            yield ""
            yield (
                f"Round {event.round} of {event.rounds}: {event.title}, "
                f"{event.seconds / 60:.0f} minutes, with {event.persona.name}"
                f"{_cares_about(event.persona)}."
            )
        case events.Thinking(stage="judge"):
            yield "(The examiner is thinking.)"
        case events.Checking():
            yield "(The bench is at work.)"
        case events.BenchRan():
            yield from run_lines(event.source, event.result)
            yield from (f"Not shown by the run: {each}" for each in event.result.open_points)
        case events.Retrying():
            yield f"({event.reason} Trying again in {event.seconds:.0f} s.)"
        case events.RoundEnded():
            yield ""
            yield f"Round {event.round} is over."
        case events.ClockWarning():
            plural = "" if event.minutes_left == 1 else "s"
            yield f"({event.minutes_left} minute{plural} left in this round.)"
        case events.TimeUp():
            yield "(The time of this round is up.)"
        case events.AnswerGiven(cut_off=True):
            yield "(What you had typed was taken as your answer.)"
        case events.ExaminerChanged():
            yield f"From here on {event.examiner} examines. {event.about}"
        case events.TurnFailed():
            yield event.message
            yield _REMEDIES
