"""A mock put together event by event, so that every verdict in it is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from interviewer.examiner.protocol import CloseReason, Move, MoveKind, Persona
from interviewer.grading.agreement import ExamResult
from interviewer.grading.claims import rules
from interviewer.grading.claims.quantity import Mark, Quantity, Reading
from interviewer.grading.evidence import check
from interviewer.grading.transcript import TurnKind
from interviewer.grading.verdicts import Flag, Verdict, price_of_hint
from interviewer.interview import events
from interviewer.interview.debrief import Debrief, debrief, summary
from interviewer.interview.events import JournalEvent, Mode
from interviewer.interview.examining import context_of, grade_of
from interviewer.interview.numbers import leaves_figures_open, numbers_in
from interviewer.interview.state import SessionState, apply
from interviewer.rubric.rubric import Rating, Rubric

PERSONA = Persona("Ada", "patient")


class Mock:
    """Rounds of rubrics; each question is asked, answered and closed in turn.

    What happens in it returns the mock, so that a talk reads from left to right.
    """

    def __init__(self, *rounds: Sequence[Rubric], mode: Mode = "exam") -> None:
        self.rounds = rounds
        self.rubrics = {rubric.id: rubric for asked in rounds for rubric in asked}
        self.state = SessionState()
        self.examiner = "a-model"
        outline = tuple(
            events.RoundOutline(f"Part {number}", PERSONA, 600, 4, tuple(r.id for r in asked))
            for number, asked in enumerate(rounds, start=1)
        )
        self._tell(events.SessionStarted("letters", "Letters", mode, "a-model", outline))

    @property
    def rubric(self) -> Rubric:
        return self.rubrics[self.state.questions[-1].rubric]

    def ask(self) -> Self:
        """Pose the next question, in a new round where one is over."""
        running = self.state.round
        if running is None:
            number = len(self.state.rounds) + 1
            count = len(self.rounds[number - 1])
            self._tell(events.RoundStarted(number, len(self.rounds), "", PERSONA, 600, count))
            running = self.state.rounds[-1]
        asked = self.rounds[running.number - 1]
        rubric = asked[len(running.questions)]
        place = running.number, len(running.questions) + 1, len(asked)
        told = rubric.id, rubric.title, self.state.turns + 1, rubric.question
        return self._tell(events.QuestionAsked(*place, *told, figure=rubric.figure))

    def answer(self, text: str, *findings: Verdict, flags: frozenset[Flag] = frozenset()) -> Self:
        return self.say(text).judge(*findings, flags=flags)

    def make(self, *names: str, flags: frozenset[Flag] = frozenset()) -> Self:
        """Make these points of ``a_rubric`` and none of its others."""
        text, findings = met(*names)
        return self.answer(text, *findings, flags=flags)

    def judge(self, *findings: Verdict, flags: frozenset[Flag] = frozenset()) -> Self:
        verdicts = check(self.rubric, self.state.questions[-1].turns, findings)
        return self._tell(events.AnswerJudged(verdicts, self.examiner, flags))

    def say(self, text: str, reading: Reading | None = None) -> Self:
        """Say something that nobody judges; its figures are read by rules unless they are given."""
        return self._tell(events.AnswerGiven(self.state.turns + 1, text)).read(reading)

    def aside(self, text: str) -> Self:
        """Say something that is no answer."""
        return self._tell(events.AnswerGiven(self.state.turns + 1, text, TurnKind.ASIDE))

    def read(self, reading: Reading | None = None) -> Self:
        """Have these figures, or by rules those of the last words, been read."""
        told = context_of(self.state, self.rubrics).to_read
        own, to_objection = told.on_own_work, told.to_objection
        number = told.turn.number
        by_rules = rules.read(told.turn.parsed, number, own_work=own, to_objection=to_objection)
        read = reading or by_rules
        return self._tell(events.FiguresRead(read.turn, read))

    def mark(self, figure: Quantity, value: float | None = None, typed: str = "") -> Self:
        mark = Mark(figure.turn, figure.span[0], self.state.turns, value, typed)
        return self._tell(events.FigureMarked(mark))

    def object(self) -> Self:
        """Object to the first contradiction that is open; fails without one."""
        move = numbers_in(self.state, self.rubrics).impossible[0]
        return self.follow_up(move, f"{move.sum} {move.ask}")

    def dont_know(self) -> Self:
        turn = self.state.turns + 1
        return self._tell(events.AnswerGiven(turn, "I don't know.", TurnKind.DONT_KNOW))

    def follow_up(self, move: Move, text: str = "And what follows from it?") -> Self:
        turn = self.state.turns + 1
        if move.kind is MoveKind.HINT:
            price = price_of_hint(move.hint_level)
            return self._tell(events.HintGiven(turn, text, move, price, requested=True))
        return self._tell(events.FollowUpAsked(turn, text, move, self.examiner))

    def close(self, reason: CloseReason = CloseReason.FOLLOW_UPS_USED) -> Self:
        """Close the question and grade it; the round ends with its last one."""
        question = self.state.questions[-1]
        self._tell(events.QuestionClosed(question.round, question.number, question.rubric, reason))
        is_open = leaves_figures_open(self.state, self.rubrics, question)
        grade = grade_of(question, self.rubric, self.examiner, figures_open=is_open)
        self._tell(events.QuestionGraded(question.round, question.number, grade))
        if question.number == len(self.rounds[question.round - 1]):
            self._tell(events.RoundEnded(question.round, "done"))
        return self

    def skip(self) -> Self:
        """Have the next question asked and skip it without a word."""
        return self.ask().close(CloseReason.SKIPPED)

    def finish(self) -> Self:
        return self._tell(summary(self.state))

    def debrief(self, exams: Mapping[str, ExamResult] | None = None) -> Debrief:
        return debrief(self.state, self.rubrics, exams or {})

    def _tell(self, event: JournalEvent) -> Self:
        self.state = apply(self.state, event)
        return self


def met(*names: str) -> tuple[str, list[Verdict]]:
    """An answer that makes these points of ``a_rubric`` and none of its others, as judged."""
    findings = [Verdict(name, Rating.MET, sentence(name)) for name in names]
    lacking = {"alpha", "beta", "gamma"} - set(names)
    findings += [Verdict(name, Rating.NOT_MET) for name in sorted(lacking)]
    return " ".join(
        sentence(name) + "." for name in names
    ) or "Nothing of it comes to me.", findings


def sentence(name: str) -> str:
    return f"The {name} effect has decided it"


def a_mock(*made: Sequence[str], rubrics: Sequence[Rubric]) -> Mock:
    """One round in which each question is answered once, by the points named."""
    mock = Mock(rubrics)
    for names in made:
        mock.ask().make(*names).close()
    return mock
