"""A stored session put together by hand, with every moment known."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Self

from interviewer.examiner.protocol import Move, MoveKind
from interviewer.grading.claims.quantity import Reading
from interviewer.grading.verdicts import Flag, Verdict
from interviewer.interview import events
from interviewer.interview.events import JournalEvent, Mode
from interviewer.interview.journal import Recorded, Replay
from interviewer.rubric.rubric import Rating, Rubric
from interviewer.store.records import SessionRow
from support.mocks import Mock
from support.rubrics import a_rubric

BEGUN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SESSION = "5e55107700"


class Recorder(Mock):
    """A mock of one question whose events are ten seconds apart, and which can be read back."""

    def __init__(self, rubric: Rubric, mode: Mode = "exam") -> None:
        self.journal: list[Recorded] = []
        super().__init__([rubric], mode=mode)
        self.examiner = "offline-v3"
        self.ask()

    def _tell(self, event: JournalEvent) -> Self:
        elapsed = 10.0 * len(self.journal)
        self.journal.append(Recorded(event, BEGUN + timedelta(seconds=elapsed), elapsed))
        return super()._tell(event)

    def say(self, text: str, reading: Reading | None = None) -> Self:
        """Nobody reads its figures."""
        return self._tell(events.AnswerGiven(self.state.turns + 1, text))

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
            plan_title="Letters",
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
        return Replay(row, self.state, self.rubrics, tuple(self.journal), turns)


def a_finished_session(mode: Mode = "exam") -> Replay:
    """One question with a follow-up, a hint, an awkward answer and a grade."""
    recorder = Recorder(a_rubric(), mode)
    recorder.say("First alpha decides.\n```\n# no heading | no cell\n```\n")
    recorder.judge(
        Verdict("alpha", Rating.NOT_MET, "alpha decides"),
        Verdict("beta", Rating.NOT_MET),
        Verdict("gamma", Rating.NOT_MET),
    )
    recorder.follow_up(Move(MoveKind.PROBE, "alpha"), "What follows from *that*?\n\n# Really?")
    recorder.say("So alpha always decides the <b>outcome</b>.")
    recorder.judge(
        Verdict("alpha", Rating.MET, "alpha always decides the <b>outcome</b>"),
        Verdict("beta", Rating.NOT_MET),
        Verdict("gamma", Rating.CONTRADICTED, "alpha always decides the"),
    )
    recorder.follow_up(Move(MoveKind.HINT, "beta", 1), "Look near b.")
    recorder.say("And beta adds to it, I think.")
    recorder.judge(
        Verdict("beta", Rating.PARTIAL, "beta adds to it", missing="How much is not said."),
        flags=frozenset({Flag.KEYWORD_LIST}),
    )
    recorder.close().finish()
    return recorder.replay()
