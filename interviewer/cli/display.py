"""What a candidate reads: the interview's events as plain text or JSON lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic_core import to_jsonable_python

from interviewer.cli import console
from interviewer.cli.check import described, task_json
from interviewer.cli.conversation import FENCE
from interviewer.examiner.registry import kind_of
from interviewer.grading.agreement import ExamResult
from interviewer.grading.claims.quantity import Quantity
from interviewer.interview import events
from interviewer.interview.debrief import Debrief, debrief
from interviewer.interview.interview import Interview
from interviewer.plural import minutes, pluralize
from interviewer.report import words
from interviewer.report.document import in_full, turn_line
from interviewer.report.figures import captioned, told
from interviewer.report.session_json import debrief_json, turn_json
from interviewer.report.text import debrief_lines, lines_of, text_lines
from interviewer.sandbox.challenge import Challenge

GREETING = """\
An answer may take several lines; an empty line sends it. Commands, each on its own line:
/hint  /rephrase  /saidthat (I said that)  /idk (I don't know)  /skip  /numbers
/endround  /end  /pause
While the examiner thinks: /cancel"""
AT_THE_BENCH = f"""\
(You can derive this at the bench; /bench shows the task. Lines between two lines of {FENCE} are
run, as often as you like; so is a file, with /run FILE. /submit submits what was run last.)"""

_REMEDIES = "Type /retry, /offline (the offline examiner takes over) or /pause."


_APART = (
    *(events.RoundStarted, events.QuestionAsked, events.FollowUpAsked, events.HintGiven),
    *(events.QuestionGraded, events.RoundEnded, events.SessionEnded),
)
"""An empty line stands before these."""


class _Display:
    def __init__(self, interview: Interview, exams: Mapping[str, ExamResult]) -> None:
        self._interview = interview
        self._exams = exams

    def _debrief(self) -> Debrief:
        interview = self._interview
        return debrief(interview.state, interview.rubrics, self._exams, interview.challenges)


class JsonDisplay(_Display):
    """One JSON object a line: the event, plus what else a program needs."""

    def show(self, event: events.Event) -> None:
        console.say_json({**events.to_json(event), **self._extras(event)})

    def show_task(self, challenge: Challenge) -> None:
        console.say_json({"event": "task", **task_json(challenge)})

    def show_numbers(self, figures: Sequence[Quantity]) -> None:
        console.say_json({"event": "numbers", "numbers": to_jsonable_python(figures)})

    def refuse(self, why: str) -> None:
        console.say_json({"event": "refused", "message": why})

    def _extras(self, event: events.Event) -> dict[str, Any]:
        state = self._interview.state
        match event:
            case events.SessionStarted():
                return {"session": self._interview.session_id}
            case events.Resumed():
                turns = state.question.turns if state.question else ()
                challenge, drafts = self._interview.challenge, self._interview.drafts()
                return {
                    "session": self._interview.session_id,
                    "turns": [turn_json(turn) for turn in turns],
                    "draft": drafts["answer"],
                    "bench_draft": drafts["bench"],
                    "challenge": challenge.id if challenge else None,
                }
            case events.QuestionGraded():
                return {"examiner_kind": kind_of(event.grade.examiner).choice}
            case events.SessionEnded():
                return {"debrief": debrief_json(self._debrief())}
        return {}


class TextDisplay(_Display):
    """Sentences for people, in an order that a screen reader can follow."""

    def show(self, event: events.Event) -> None:
        console.say(*[""] * isinstance(event, _APART), *self._lines(event))

    def show_task(self, challenge: Challenge) -> None:
        console.say(*described(challenge))
        if self._interview.bench:
            console.say(self._interview.bench.about)

    def show_numbers(self, figures: Sequence[Quantity]) -> None:
        for number, each in enumerate(figures, start=1):
            mark = "" if each.status == "stands" else f" ({each.status})"
            console.say(f"{number:>3}  {words.measure_words(each.measure)}: “{each.text}”{mark}")
        console.say(
            "/number 3 strike, or /number 3 4M tokens, puts one right." if figures else "None yet."
        )

    def refuse(self, why: str) -> None:
        console.say(f"({why})")

    def _lines(self, event: events.Event) -> Iterator[str]:
        match event:
            case events.SessionStarted() | events.Resumed():
                yield from self._opening(event)
            case events.QuestionAsked():
                yield f"Question {event.question} of {event.questions}."
                yield self._as_said(event.text)
                if event.figure:  # values, not curves, which a screen reader would spell out
                    yield from (captioned(event.figure), *told(event.figure))
                if event.challenge:
                    yield AT_THE_BENCH
            case events.FollowUpAsked():
                yield self._as_said(event.text)
            case events.HintGiven():
                yield f"(Hint: the point now counts for {words.counts(event.price)}.)"
                yield self._as_said(event.text)
            case events.YourTurn() if self._interview.waits:
                yield "[your turn; the clock starts with the first line of your answer]"
            case events.QuestionGraded():
                graded = self._debrief().rounds[event.round - 1].questions[event.question - 1]
                yield from lines_of(in_full(graded))
            case events.RoundEnded():
                yield f"Round {event.round} is over."
            case events.SessionEnded():
                yield from debrief_lines(self._debrief())
                yield ""
                yield f"To read it again: interviewer sessions show {self._interview.session_id}"
            case events.Paused():
                yield f"Paused. To continue: {resume_with(self._interview)}"
            case _:
                yield from _notice(event)

    def _opening(self, event: events.SessionStarted | events.Resumed) -> Iterator[str]:
        state = self._interview.state
        yield f"{state.plan_title} ({state.mode}), {pluralize(len(state.outline), 'round')}."
        yield f"Examiner: {event.examiner}. {self._interview.examiner.about}"
        yield GREETING
        if isinstance(event, events.Resumed):
            yield from self._so_far()

    def _so_far(self) -> Iterator[str]:
        question = self._interview.state.question
        if question:
            yield ""
            yield f"Round {question.round}, question {question.number}, so far:"
            for turn in question.turns:
                yield from text_lines(turn_line(turn))
        drafts = self._interview.drafts()
        if draft := drafts["answer"]:
            yield "Your unfinished answer (an empty line sends it):"
            yield draft
        if lines := drafts["bench"]:
            yield "Your lines at the bench (/run runs them, /submit submits them):"
            yield lines
        if self._interview.challenge:
            yield AT_THE_BENCH

    def _as_said(self, text: str) -> str:
        running = self._interview.state.round
        return f"{running.outline.persona.name if running else 'Examiner'}: {text}"


Display = JsonDisplay | TextDisplay


def resume_with(interview: Interview) -> str:
    """The command line that continues the interview."""
    return f"interviewer run --resume {interview.session_id}"


def _notice(event: events.Event) -> Iterator[str]:
    """Events told without a look at the interview; some go without a word."""
    match event:
        case events.RoundStarted():
            persona = event.persona
            cares = f", who cares about {persona.cares_about}" if persona.cares_about else ""
            yield (
                f"Round {event.round} of {event.rounds}: {event.title}, "
                f"{minutes(event.seconds)}, with {persona.name}{cares}."
            )
        case events.YourTurn():
            yield _prompt(event)
        case events.Thinking():
            if event.stage == "judge":
                yield "(The examiner is thinking.)"
        case events.Checking():
            yield "(The bench is running your lines.)"
        case events.BenchRan():
            yield from words.run_lines(event.source, event.result)
            yield from (f"Not shown by the run: {each}" for each in event.result.open_points)
        case events.NotRead():
            yield f"({event.message})"
        case events.Retrying():
            yield f"({event.reason} Trying again in {event.seconds:.0f} s.)"
        case events.Leaving():
            yield "(Your last answer is graded first. Ask again to leave at once, ungraded.)"
        case events.ClockWarning():
            yield f"({pluralize(event.minutes_left, 'minute')} left in this round.)"
        case events.TimeUp():
            yield "(Time is up for this round.)"
        case events.AnswerGiven():
            if event.cut_off:
                yield "(What you had typed counts as your answer.)"
        case events.FiguresRead():
            yield f"({event.reading.failed})"
        case events.FigureMarked():
            yield f"(Noted: {event.mark.text}.)" if event.mark.text else "(Struck.)"
        case events.ExaminerChanged():
            yield f"Examiner changed to {event.examiner}. {event.about}"
        case events.TurnFailed():
            yield event.message
            yield _REMEDIES


def _prompt(event: events.YourTurn) -> str:
    minutes, seconds = divmod(int(event.seconds_left), 60)
    hint = words.next_hint(event.hint_price, has_hints=event.has_hints)
    return f"[your turn, {minutes}:{seconds:02d} left; {hint}]"
