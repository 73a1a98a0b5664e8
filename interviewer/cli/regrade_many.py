"""Regrading many sessions at the command line: what it will take, a question, the progress."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, aclosing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

import click

from interviewer.cli.console import (
    complain,
    library_of,
    open_sessions,
    require_consent,
    say,
    say_json,
)
from interviewer.cli.costs import ask_before_the_budget_is_passed
from interviewer.errors import InterviewerError
from interviewer.plural import pluralize

if TYPE_CHECKING:
    from interviewer.examiner.llm.client import Pace
    from interviewer.examiner.protocol import Examiner
    from interviewer.interview.many_regrades import BulkEstimate, Done, ManyRegrades
    from interviewer.settings import Settings
    from interviewer.store.store import Store

BETWEEN_LOOKS = 20
"""Sessions regraded between two looks at the month's budget."""
LINES = 20
"""How many lines of progress are printed where there is no terminal for a bar."""
INTERRUPTED = "Stopped as you asked; what was regraded is stored."
STOPPING = (signal.SIGINT, signal.SIGTERM)
REASONS = 5
"""How many of the reasons for failures are listed; --json has them all."""


@dataclass(frozen=True)
class Asked:
    """The options for many sessions; ``since`` and ``before`` are times, ``by`` an examiner."""

    plan: str | None
    by: str | None
    since: datetime | None
    before: datetime | None
    todays: bool
    again: bool
    parallel: int
    yes: bool
    over_budget: bool
    as_json: bool

    @property
    def is_narrowed(self) -> bool:
        """Whether only some sessions are meant."""
        return any((self.plan, self.by, self.since, self.before))


def regrade_many(settings: Settings, examiner: str | None, asked: Asked) -> None:
    """Regrade the sessions that are asked for. Raises ClickException if some could not be."""
    from interviewer.composition import make_pool
    from interviewer.interview.many_regrades import ManyRegrades

    with open_sessions(settings) as store:
        chosen = store.history.finished(
            plan=asked.plan, examiner=asked.by, since=asked.since, before=asked.before
        )
        if not chosen:
            raise InterviewerError("No finished session matches, so there is none to regrade.")
        pool, pace = make_pool(settings, examiner, store, asked.parallel)
        name = pool[0].name
        rubrics = library_of(settings).models() if asked.todays else None
        todays = None if rubrics is None else {rubric.id: rubric for rubric in rubrics}
        work = ManyRegrades(store, todays)
        budget = _Budget(settings, store, name, asked)
        tally = _Tally()
        try:
            asyncio.run(_regraded(work, chosen, pool, pace, budget, tally))
        except (KeyboardInterrupt, asyncio.CancelledError):
            tally.stopped = tally.stopped or INTERRUPTED
    tally.tell(name, as_json=asked.as_json)


@dataclass
class _Tally:
    """What has become of the sessions so far."""

    wanted: int = 0
    regraded: int = 0
    problems: list[str] = field(default_factory=list)
    stopped: str = ""
    """Why not all were tried."""

    @property
    def tried(self) -> int:
        return self.regraded + len(self.problems)

    def add(self, done: Done) -> None:
        if done.regrade is None:
            self.problems.append(done.problem)
        else:
            self.regraded += 1

    def tell(self, examiner: str, *, as_json: bool) -> None:
        """Print the outcome; raises ClickException unless all were regraded."""
        told = f"{self.regraded} of {pluralize(self.wanted, 'session')} regraded by {examiner}"
        if not as_json and self.wanted:
            say(f"{told}. The sessions' own grades do not change.")
        for reason, times in Counter(self.problems).most_common(REASONS):
            complain(f"{times} × {reason}")
        if self.stopped == INTERRUPTED:
            raise click.ClickException(f"{INTERRUPTED} The same command goes on from there.")
        if self.stopped:
            raise click.ClickException(
                f"Stopped after {pluralize(self.tried, 'session')}, since the next would fare no "
                f"better: {self.stopped} The same command goes on from there."
            )
        if self.problems:
            raise click.ClickException(
                f"{pluralize(len(self.problems), 'session')} could not be regraded; the same "
                "command tries them again."
            )


async def _regraded(
    work: ManyRegrades,
    chosen: list[str],
    pool: list[Examiner],
    pace: Pace | None,
    budget: _Budget,
    tally: _Tally,
) -> None:
    judge, asked = pool[0], budget.asked
    async with AsyncExitStack() as at_the_end:
        for each in pool:
            await at_the_end.enter_async_context(aclosing(each))
        waiting = [each for each in chosen if asked.again or not work.is_done(each, judge)]
        if before := len(chosen) - len(waiting):
            complain(
                f"{pluralize(before, 'session')} left out: regraded so by {judge.name} before."
            )
        if not waiting:
            return
        if pace is not None:
            budget.confirm(await work.estimate(waiting, judge))
        tally.wanted = len(waiting)
        with _progress(tally, pace) as advance, _interruptible(pace) as interrupted:

            def tell(done: Done) -> None:
                tally.add(done)
                if asked.as_json:
                    say_json(vars(done))
                advance()

            tally.stopped = await work.run(
                waiting, pool, tell, lambda: interrupted() or budget.objection(tally.tried)
            )


@contextmanager
def _interruptible(pace: Pace | None) -> Iterator[Callable[[], str]]:
    """Let the calls under way end at the first Ctrl+C or SIGTERM: they are paid for anyway.

    The second one stops at once. What it yields says why to stop, "" before that.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    interrupted = ""

    def interrupt() -> None:
        nonlocal interrupted
        if interrupted:
            task.cancel()
            return
        interrupted = INTERRUPTED
        complain("Stopping once the calls under way are answered; again to stop at once.")
        if pace is not None:
            pace.close()

    for number in STOPPING:
        loop.add_signal_handler(number, interrupt)
    try:
        yield lambda: interrupted
    finally:
        for number in STOPPING:
            loop.remove_signal_handler(number)


@dataclass(frozen=True)
class _Budget:
    """What the calls may cost."""

    settings: Settings
    store: Store
    model: str
    asked: Asked

    def confirm(self, estimate: BulkEstimate) -> None:
        """Say what it will take and ask whether to go on.

        Raises Abort for a no, UsageError where there is no terminal to ask at.
        """
        from interviewer.cost import over_budget, price_of

        total = estimate.total
        price = price_of(self.settings, self.model)
        tokens = total.prompt_tokens, 0, total.completion_tokens
        cost = price.of(*tokens) if price else None
        complain(_in_words(estimate, self.model, cost))
        why = over_budget(self.settings, self.store, cost or 0.0)
        ask_before_the_budget_is_passed(why, allowed=self.asked.over_budget)
        require_consent(self.asked.yes or not total.calls, "Go on?", "--yes goes on")

    def objection(self, tried: int) -> str:
        """Why not to go on after so many sessions, looked up now and then; "" to go on."""
        from interviewer.cost import over_budget

        if self.asked.over_budget or tried % BETWEEN_LOOKS:
            return ""
        return over_budget(self.settings, self.store, 0.0)


def _in_words(estimate: BulkEstimate, model: str, cost: float | None) -> str:
    from interviewer.cost import about_prices, money

    total, sessions = estimate.total, pluralize(estimate.sessions, "session")
    if not total.calls:
        return f"{sessions}, all of whose answers {model} judged before: no calls."
    basis = "" if estimate.looked_at == estimate.sessions else f", by {estimate.looked_at} of them"
    priced = f"That is about {money(cost)}. {about_prices()}" if cost else "Its price is not known."
    return (
        f"{sessions} to regrade by {model}: about {total.calls:,} calls with "
        f"{total.prompt_tokens:,} tokens sent and {total.completion_tokens:,} received"
        f"{basis}. {priced} Second looks and reasoning come on top."
    )


@contextmanager
def _progress(tally: _Tally, pace: Pace | None) -> Iterator[Callable[[], None]]:
    """Show how far it is: a bar at a terminal, else a line now and then, both on stderr.

    The function that it yields is called after each session.
    """
    bar = click.progressbar(
        length=tally.wanted, file=sys.stderr, hidden=not sys.stderr.isatty(), show_pos=True
    )
    step = -(-tally.wanted // LINES)

    def advance() -> None:
        bar.label = ""
        bar.update(1)
        if not sys.stderr.isatty() and tally.tried % step == 0:
            complain(f"{tally.tried} of {tally.wanted} sessions, {len(tally.problems)} failed.")

    def pause(seconds: float) -> None:
        bar.label = f"rate limit, {seconds:.0f} s"
        bar.render_progress()

    if pace is not None:
        pace.on_pause = pause
    with bar:
        yield advance
