"""What a faulty endpoint makes of each phase: a sentence or a result, and what was kept."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import monotonic

from interviewer.errors import ExaminerError
from interviewer.examiner.llm.check import check
from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.examiner.llm.examiner import LlmExaminer
from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import NEUTRAL, Move, MoveKind, QuestionContext
from interviewer.grading.transcript import exchange
from interviewer.interview import commands, events
from interviewer.interview.examining import grade_answer
from interviewer.interview.journal import load
from interviewer.interview.regrading import regrade
from interviewer.store.store import Store
from support.fake_endpoint import ANSWER
from support.faults import ONE, PATIENCE, Fault
from support.sessions import begin, hold, outline, reopen

CONTEXT = QuestionContext(ONE, exchange(ONE.question, ANSWER), (), NEUTRAL, True)
STATED = QuestionContext(
    ONE, exchange(ONE.question, "We had 64 cards for ten days."), (), NEUTRAL, True
).to_read
READ = "read"
"""The outcome of a cell where something usable came of it all the same."""
LONGEST_SENTENCE = 500
_NOT_PLAIN = re.compile(r"Traceback|<class|object at 0x|Error\(|\n")
_NOTHING_IN_IT = "sent no valid JSON|did not say which numbers|could not be used"
"""Of the doctor, of who reads figures and of the judge, on a reply that says nothing."""
_FINISHED = "f1a15ed000"


@dataclass
class Cell:
    """What a phase came to: a sentence, or READ."""

    phase: str
    outcome: str
    seconds: float = 0.0
    """Until the outcome."""
    kept: bool | None = None
    """The answer is in its session, once, and the session goes on; None where there is none."""
    result: object = field(default=None, repr=False)
    """What was read."""

    @property
    def plain(self) -> bool:
        return not _NOT_PLAIN.search(self.outcome) and len(self.outcome) <= LONGEST_SENTENCE

    def tells_of(self, fault: Fault) -> bool:
        """It is one of the sentences that may, or nothing had to be told."""
        return self.outcome == READ or bool(
            re.search(f"{fault.says}|{_NOTHING_IN_IT}", self.outcome)
        )


@dataclass(frozen=True)
class At:
    """An endpoint, and how a phase finds it.

    Each phase names a model of its own: what is learned of one must not help another.
    """

    address: str
    patience: float = PATIENCE
    http_client: object | None = None
    wishes: Mapping[str, object] = field(default_factory=dict)
    """What the server is told to do: see :mod:`support.faults`."""

    def endpoint(self, phase: str) -> Endpoint:
        return Endpoint(
            self.address,
            None,
            f"tiny-{phase.replace(' ', '-')}",
            timeout=self.patience,
            extra_body=self.wishes,
            http_client=self.http_client,
        )

    def examiner(self, phase: str) -> LlmExaminer:
        return LlmExaminer(self.endpoint(phase), canaries=0.0)


Phase = Callable[[At, Path], Awaitable[Cell]]
"""Takes an endpoint and an empty folder."""


async def direct(
    phase: str, work: Callable[[LlmExaminer], Awaitable[object]], at: At, folder: Path
) -> Cell:
    """The examiner alone does this work."""
    examiner = at.examiner(phase)
    started = monotonic()
    try:
        result = await work(examiner)
    except ExaminerError as error:
        return Cell(phase, str(error), monotonic() - started)
    finally:
        if at.http_client is None:
            await examiner.aclose()
    return Cell(phase, READ, monotonic() - started, result=result)


async def in_regrade(at: At, folder: Path) -> Cell:
    """A finished session is judged again, and keeps its first grade whatever comes of it."""
    with closing(Store(folder / "sessions.db")) as store:
        begun = begin(store, [outline(ONE)], {ONE.id: ONE}, OfflineExaminer(), session=_FINISHED)
        await hold(begun, [commands.Answer(ANSWER), commands.EndInterview()])
        before = load(store, _FINISHED)
        cell = await direct("regrade", lambda each: regrade(before, each), at, folder)
        cell.kept = load(store, _FINISHED).journal == before.journal
    return cell


async def in_doctor(at: At, folder: Path) -> Cell:
    """The check of the connection: its first complaint."""
    started = monotonic()
    failed = [line.message async for line in check(at.endpoint("doctor")) if not line.ok]
    return Cell("doctor", failed[0] if failed else READ, monotonic() - started)


async def in_interview(at: At, folder: Path, *, stage: str = "") -> Cell:
    """An answer, the fault, and the session taken up again as after a crash.

    With a ``stage``, only that one is faulty.
    """
    cell = Cell(f"{stage} in it" if stage else "interview", READ)
    if stage:
        at = replace(at, wishes={"only": stage})
    with closing(Store(folder / "sessions.db")) as store:
        interview = begin(store, [outline(ONE)], {ONE.id: ONE}, at.examiner(cell.phase))
        started = None
        async for event in interview:
            if isinstance(event, events.TurnFailed):
                cell.outcome = event.message
                break
            if isinstance(event, events.YourTurn):
                if started is not None:
                    break
                started = monotonic()
                interview.send(commands.Answer(ANSWER))
        cell.seconds = monotonic() - (started or 0.0)
        await interview.aclose()
        replay = load(store, interview.session_id)
        cell.result = [recorded.event for recorded in replay.journal]
        turns = replay.state.rounds[0].questions[0].turns
        said = [turn.text for turn in turns if turn.author == "candidate"]
        cell.kept = said == [ANSWER] and await _goes_on(store, interview.session_id)
    return cell


async def _goes_on(store: Store, session: str) -> bool:
    again = reopen(store, session, OfflineExaminer())
    again.send(commands.Retry())
    return any(isinstance(event, events.YourTurn) for event in await hold(again, []))


PHASES: dict[str, Phase] = {
    "judge": partial(direct, "judge", lambda each: each.judge(CONTEXT)),
    "listen": partial(direct, "listen", lambda each: each.listen(CONTEXT)),
    "figures": partial(direct, "figures", lambda each: each.read_figures(STATED)),
    "ask": partial(direct, "ask", lambda each: each.ask(CONTEXT, Move(MoveKind.PROBE, "beta"))),
    "grade": partial(direct, "grade", lambda each: grade_answer(each, ONE, ANSWER)),
    "regrade": in_regrade,
    "doctor": in_doctor,
    "interview": in_interview,
}
WITHIN: dict[str, Phase] = {
    f"{stage} in it": partial(in_interview, stage=stage) for stage in ("judge", "listen", "ask")
}
"""Interviews in which one stage alone is faulty, where the server can choose."""
