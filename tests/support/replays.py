"""A stored session put together by hand, with every moment known."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from interviewer.examiner.protocol import CloseReason, Move, MoveKind, Persona
from interviewer.grading.evidence import check
from interviewer.grading.transcript import Turn
from interviewer.grading.verdicts import Flag, Verdict
from interviewer.interview import events
from interviewer.interview.debrief import summary
from interviewer.interview.events import JournalEvent, Mode
from interviewer.interview.examining import grade_of
from interviewer.interview.journal import Recorded, Replay
from interviewer.interview.state import SessionState, apply
from interviewer.rubric.rubric import Rating, Rubric
from interviewer.store.records import SessionRow
from support.rubrics import a_rubric

BEGUN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SESSION = "5e55107700"


class Recorder:
    """Adds seen, ten seconds apart, and reads the session back."""

    def __init__(self, rubric: Rubric, mode: Mode = "exam") -> None:
        self.rubric = rubric
        self.state = SessionState()
        self.journal: list[Recorded] = []
        persona = Persona("Ada", "patient")
        outline = events.RoundOutline("Letters", persona, 600, 4, (rubric.id,))
        self.add(events.SessionStarted("letters", "Two letters", mode, "offline-v3", (outline,)))
        self.add(events.RoundStarted(1, 1, "Letters", persona, 600, 1))
        asked = rubric.id, rubric.title, 1, rubric.question
        self.add(events.QuestionAsked(1, 1, 1, *asked, figure=rubric.figure))

    def add(self, event: JournalEvent) -> None:
        elapsed = 10.0 * len(self.journal)
        self.state = apply(self.state, event)
        self.journal.append(Recorded(event, BEGUN + timedelta(seconds=elapsed), elapsed))

    def answer(self, text: str) -> None:
        self.add(events.AnswerGiven(self.state.turns + 1, text))

    def judge(self, *findings: Verdict, flags: frozenset[Flag] = frozenset()) -> None:
        turns: Sequence[Turn] = self.state.questions[-1].turns
        verdicts = check(self.rubric, turns, findings)
        self.add(events.AnswerJudged(verdicts, "offline-v3", flags))

    def probe(self, text: str, criterion: str) -> None:
        move = Move(MoveKind.PROBE, criterion)
        self.add(events.FollowUpAsked(self.state.turns + 1, text, move, "offline-v3"))

    def hint(self, text: str, criterion: str) -> None:
        move = Move(MoveKind.HINT, criterion, 1)
        self.add(events.HintGiven(self.state.turns + 1, text, move, 0.25, requested=True))

    def close(self, reason: CloseReason = CloseReason.COVERED) -> None:
        self.add(events.QuestionClosed(1, 1, self.rubric.id, reason))
        grade = grade_of(self.state.questions[-1], self.rubric, "offline-v3")
        self.add(events.QuestionGraded(1, 1, grade))

    def finish(self) -> None:
        self.add(events.RoundEnded(1, "done"))
        self.add(summary(self.state))

    def replay(self) -> Replay:
        turns = {
            recorded.event.turn: recorded.at
            for recorded in self.journal
            if isinstance(
                recorded.event,
                events.QuestionAsked | events.AnswerGiven | events.FollowUpAsked | events.HintGiven,
            )
        }
        row = SessionRow(
            id=SESSION,
            plan="letters",
            plan_title="Two letters",
            mode=self.state.mode,
            examiner="offline-v3",
            status="finished" if self.state.finished else "open",
            created_at=BEGUN,
            updated_at=self.journal[-1].at,
            round=1,
            rounds=1,
            finished_rounds=int(bool(self.state.finished)),
            question=1,
            headline=self.rubric.title,
            band=self.state.finished.band if self.state.finished else None,
            holder="",
            name="",
            tags=(),
            has_draft=False,
        )
        rubrics = {self.rubric.id: self.rubric}
        return Replay(row, self.state, rubrics, tuple(self.journal), turns)


def a_finished_session(mode: Mode = "exam") -> Replay:
    """One question with a follow-up, a hint, an awkward answer and a grade."""
    recorder = Recorder(a_rubric(), mode)
    recorder.answer("First alpha decides.\n```\n# no heading | no cell\n```\n")
    recorder.judge(
        Verdict("alpha", Rating.NOT_MET, "alpha decides"),
        Verdict("beta", Rating.NOT_MET),
        Verdict("gamma", Rating.NOT_MET),
    )
    recorder.probe("What follows from *that*?\n\n# Really?", "alpha")
    recorder.answer("So alpha always decides the <b>outcome</b>.")
    recorder.judge(
        Verdict("alpha", Rating.MET, "alpha always decides the <b>outcome</b>"),
        Verdict("beta", Rating.NOT_MET),
        Verdict("gamma", Rating.CONTRADICTED, "alpha always decides the"),
    )
    recorder.hint("Look near b.", "beta")
    recorder.answer("And beta adds to it, I think.")
    recorder.judge(
        Verdict("beta", Rating.PARTIAL, "beta adds to it", missing="How much is not said."),
        flags=frozenset({Flag.KEYWORD_LIST}),
    )
    recorder.close(CloseReason.FOLLOW_UPS_USED)
    recorder.finish()
    return recorder.replay()
