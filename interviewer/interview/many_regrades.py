"""Regrade many sessions at once, so that a run that ends half-way loses nothing.

A regrade is stored as soon as its session is done, and every single judgement in the cache before
that: the next run leaves out the sessions that are done and pays for no judgement again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from interviewer.errors import (
    ExaminerError,
    StoreError,
    StoreWriteError,
    UnknownNameError,
)
from interviewer.examiner.protocol import Examiner
from interviewer.interview.journal import Journal, load
from interviewer.interview.regrading import (
    keep,
    regrade,
    require_finished,
    rubrics_digest,
)
from interviewer.rubric.rubric import Rubric
from interviewer.store.store import Store

IN_VAIN = 3
"""After so many sessions in a row that fail at the endpoint, the others would fail as well."""


@dataclass(frozen=True)
class Done:
    """What became of one session."""

    session: str
    regrade: int | None
    """Its number beside the session's own grades; None if there is none."""
    problem: str = ""
    at_the_examiner: bool = False
    """A call failed: other sessions may meet the same."""


class ManyRegrades:
    """Regrades by today's rubrics, or by those kept with each session."""

    def __init__(self, store: Store, todays: Mapping[str, Rubric] | None = None) -> None:
        self._store = store
        self._todays = todays

    def is_done(self, session: str, examiner: Examiner) -> bool:
        """Whether the examiner, in this version, has judged the session by these rubrics before."""
        by = (examiner.name, examiner.version)
        before = [r for r in self._store.regrades.of(session) if (r.examiner, r.version) == by]
        if not before:
            return False
        digest = rubrics_digest(self._store.rubrics(session), self._todays)
        return any(record.grades.get("rubrics") == digest for record in before)

    async def run(
        self,
        sessions: Sequence[str],
        examiners: Sequence[Examiner],
        tell: Callable[[Done], None],
    ) -> str:
        """Regrade the sessions, as many at a time as there are examiners.

        Returns why not all were tried, "" if they were. Raises StoreWriteError if
        nothing can be stored.
        """
        waiting = iter(sessions)
        failed_in_a_row: list[Done] = []
        stopped = ""

        async def work(examiner: Examiner) -> None:
            nonlocal stopped
            for session in waiting:
                if stopped:
                    return
                done = await self._one(session, examiner)
                tell(done)
                if done.regrade is not None:
                    failed_in_a_row.clear()
                elif done.at_the_examiner:
                    failed_in_a_row.append(done)
                if len(failed_in_a_row) >= IN_VAIN:
                    stopped = stopped or done.problem

        try:
            async with asyncio.TaskGroup() as group:
                for examiner in examiners:
                    group.create_task(work(examiner))
        except* StoreWriteError as failures:
            raise failures.exceptions[0] from None
        return stopped

    async def _one(self, session: str, examiner: Examiner) -> Done:
        try:
            return Done(session, await self._regraded(session, examiner))
        except StoreWriteError:
            raise
        except ExaminerError as error:
            return Done(session, None, str(error), at_the_examiner=True)
        except (StoreError, UnknownNameError) as error:
            return Done(session, None, str(error))

    async def _regraded(self, session: str, examiner: Examiner) -> int:
        """The number of the regrade; the model calls are logged with the session in any case."""
        replay = await asyncio.to_thread(load, self._store, session)
        require_finished(replay)
        async with Journal(self._store, session).recording_calls(examiner):
            regraded = await regrade(replay, examiner, self._todays)
        return await asyncio.to_thread(keep, self._store, session, regraded, self._todays)
