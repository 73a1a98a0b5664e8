"""``interviewer sessions regrade``: judge one finished session again, or many."""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AsyncExitStack, aclosing, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import click

from interviewer import composition
from interviewer.cli.console import (
    ask_before_the_budget_is_passed,
    complain,
    examiner_option,
    json_option,
    library_of,
    open_sessions,
    over_budget_option,
    pass_settings,
    progress_bar,
    require_consent,
    say,
    say_json,
    yes_option,
)
from interviewer.errors import InterviewerError
from interviewer.examiner.registry import LLM, kind_of
from interviewer.plural import pluralize
from interviewer.report.costs import about_prices, money, over_budget, price_of

if TYPE_CHECKING:
    from interviewer.examiner.llm.client import Pace
    from interviewer.examiner.protocol import Examiner
    from interviewer.interview.journal import Replay
    from interviewer.interview.many_regrades import BulkEstimate, Done, ManyRegrades
    from interviewer.interview.regrading import Regrade
    from interviewer.rubric.rubric import Rubric
    from interviewer.settings import Settings
    from interviewer.store.store import Store

AT_ONCE = 8
"""Calls to a model at the same time, where there are many sessions."""
BETWEEN_LOOKS = 20
"""Sessions regraded between two looks at the month's budget."""
REASONS = 5
"""How many of the reasons for failures are listed; --json has them all."""
INTERRUPTED = "Stopped as you asked; what was regraded is stored."
STOPPING = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True)
class Asked:
    """The options: ``todays`` judges by the rubrics in use, not by those of the session."""

    todays: bool
    yes: bool
    over_budget: bool
    as_json: bool


@click.command("regrade", short_help="Judge the answers of finished sessions again.")
@click.argument("session", metavar="[SESSION]", required=False)
@examiner_option("Who judges.")
@click.option("--model", metavar="NAME", help="The model that judges; implies --examiner llm.")
@click.option(
    "--rubrics",
    type=click.Choice(["kept", "current"]),
    default="kept",
    show_default=True,
    help="Judge by the rubrics as stored with the session, or by today's.",
)
@click.option("--all", "every", is_flag=True, help="Regrade all finished sessions.")
@yes_option
@over_budget_option
@json_option
@pass_settings
def regrade(
    settings: Settings,
    session: str | None,
    examiner: str | None,
    model: str | None,
    rubrics: str,
    every: bool,
    **options: bool,
) -> None:
    """Judge the answers of a finished session again, or of all.

    The results are stored beside the sessions' own grades, which do not change.

    With --all it first says about what that takes of a model, and asks. Each session is stored once
    it is done: after an interruption the same command goes on where it was, and no judgement is
    paid for twice.
    """
    if model and examiner not in (None, LLM.choice):
        raise click.UsageError(f"--model names a model, and the {examiner} examiner uses none.")
    if model:
        settings, examiner = replace(settings, model=model), LLM.choice
    if every == (session is not None):
        raise click.UsageError("Name one SESSION, or regrade them all with --all.")
    asked = Asked(todays=rubrics == "current", **options)
    if session is None:
        _regrade_many(settings, examiner, asked)
    else:
        _regrade_one(settings, session, examiner, asked)


def _regrade_one(settings: Settings, session: str, examiner: str | None, asked: Asked) -> None:
    from interviewer.interview.journal import load
    from interviewer.interview.regrading import keep, require_finished

    with open_sessions(settings) as store:
        replay = load(store, session)
        require_finished(replay)
        now = None
        if asked.todays:
            entries = library_of(settings).entries
            now = {name: entries[name].model for name in replay.rubrics if name in entries}
        judge = composition.make_examiner(settings, examiner, store)
        if kind_of(judge.name).needs_endpoint:
            why = over_budget(settings, store, 0.0)
            ask_before_the_budget_is_passed(why, allowed=asked.over_budget)
        try:
            regraded = asyncio.run(_regraded(store, replay, judge, now))
        except KeyboardInterrupt:
            raise InterviewerError("Stopped before the end; nothing was stored.") from None
        number = keep(store, replay.session.id, regraded, now)
    _report(replay, regraded, number, as_json=asked.as_json)


async def _regraded(
    store: Store, replay: Replay, examiner: Examiner, rubrics: dict[str, Rubric] | None
) -> Regrade:
    """The regrade; its model calls are logged with the session even if it fails."""
    from interviewer.interview.journal import Journal
    from interviewer.interview.regrading import regrade as judged_again

    journal = Journal(store, replay.session.id)
    async with aclosing(examiner), journal.recording_calls(examiner):
        with progress_bar(1) as bar:

            def advance(done: int, looks: int) -> None:
                bar.length = looks
                bar.update(done - bar.pos)

            return await judged_again(replay, examiner, rubrics, advance)


def _report(replay: Replay, regraded: Regrade, number: int, *, as_json: bool) -> None:
    values = {
        "session": replay.session.id,
        "regrade": number,
        "examiner": regraded.examiner,
        "examiner_kind": kind_of(regraded.examiner).choice,
        "version": regraded.version,
        "kept_rubrics": list(regraded.kept),
    }
    if as_json:
        say_comparison(replay, regraded, values)
        return
    say(f"Session {replay.session.id}, graded again by {regraded.examiner}.")
    if regraded.kept:
        kept = ", ".join(regraded.kept)
        say(f"Not among today's rubrics, so judged by the session's own: {kept}.")
    say_comparison(replay, regraded)
    say()
    say(f"Stored as regrade {number} beside the session's own grades, which do not change.")


def say_comparison(
    replay: Replay, regraded: Regrade, values: Mapping[str, Any] | None = None
) -> None:
    """Print what the regrade changed, as JSON along with ``values`` if there are any."""
    from interviewer.interview.regrading import compare, original
    from interviewer.report.changes import change_lines, changes_json

    before, after = original(replay), regraded.questions
    changes = compare(before, after)
    if values is not None:
        say_json({**values, **changes_json(before, after, changes)})
        return
    for line in change_lines(before, after, changes):
        say(line)


def _regrade_many(settings: Settings, examiner: str | None, asked: Asked) -> None:
    """Regrade the sessions that are asked for. Raises ClickException if some could not be."""
    from interviewer.interview.many_regrades import ManyRegrades

    with open_sessions(settings) as store:
        if not (chosen := store.history.finished()):
            raise InterviewerError("No session is finished, so there is none to regrade.")
        pool, pace = composition.make_pool(settings, examiner, store, AT_ONCE)
        todays = None
        if asked.todays:
            todays = {rubric.id: rubric for rubric in library_of(settings).models()}
        work = ManyRegrades(store, todays)
        tally = _Tally(settings, store, pool[0].name, asked)
        try:
            asyncio.run(_regraded_many(work, chosen, pool, pace, tally))
        except (KeyboardInterrupt, asyncio.CancelledError):
            tally.stopped = tally.stopped or INTERRUPTED
    tally.report()


@dataclass
class _Tally:
    """What the calls may cost, and what has become of the sessions so far."""

    settings: Settings
    store: Store
    model: str
    asked: Asked
    wanted: int = 0
    regraded: int = 0
    problems: list[str] = field(default_factory=list)
    stopped: str = ""
    """Why not all were tried."""

    @property
    def tried(self) -> int:
        return self.regraded + len(self.problems)

    def add(self, done: Done) -> None:
        """Count a session, and print it for programs."""
        if done.regrade is None:
            self.problems.append(done.problem)
        else:
            self.regraded += 1
        if self.asked.as_json:
            say_json(vars(done))

    def confirm(self, estimate: BulkEstimate) -> None:
        """Say what it will take and ask whether to go on.

        Raises Abort for a no, UsageError where there is no terminal to ask at.
        """
        total = estimate.total
        price = price_of(self.settings, self.model)
        cost = price.of(total.prompt_tokens, 0, total.completion_tokens) if price else None
        complain(_in_words(estimate, self.model, cost))
        why = over_budget(self.settings, self.store, cost or 0.0)
        ask_before_the_budget_is_passed(why, allowed=self.asked.over_budget)
        require_consent(self.asked.yes or not total.calls, "Go on?", "--yes goes on")

    def objection(self) -> str:
        """Why the budget lets no more be done, looked up now and then; "" to go on."""
        if self.asked.over_budget or self.tried % BETWEEN_LOOKS:
            return ""
        return over_budget(self.settings, self.store, 0.0)

    def report(self) -> None:
        """Print the outcome; raises ClickException unless all were regraded."""
        if not self.asked.as_json and self.wanted:
            told = f"{self.regraded} of {pluralize(self.wanted, 'session')} regraded by"
            say(f"{told} {self.model}. Their own grades do not change.")
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
            failed = pluralize(len(self.problems), "session")
            raise click.ClickException(
                f"{failed} could not be regraded; the same command tries them again."
            )


def _in_words(estimate: BulkEstimate, model: str, cost: float | None) -> str:
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


async def _regraded_many(
    work: ManyRegrades,
    chosen: list[str],
    pool: list[Examiner],
    pace: Pace | None,
    tally: _Tally,
) -> None:
    judge = pool[0]
    async with AsyncExitStack() as at_the_end:
        for each in pool:
            await at_the_end.enter_async_context(aclosing(each))
        waiting = [each for each in chosen if not work.is_done(each, judge)]
        if before := len(chosen) - len(waiting):
            left_out = pluralize(before, "session")
            complain(f"{left_out} left out: regraded so by {judge.name} before.")
        if not waiting:
            return
        if pace is not None:
            tally.confirm(await work.estimate(waiting, judge))
        tally.wanted = len(waiting)
        interrupted = _stopping(pace)
        with _progress(len(waiting), pace) as advance:

            def count(done: Done) -> None:
                tally.add(done)
                advance()

            tally.stopped = await work.run(
                waiting, pool, count, lambda: interrupted() or tally.objection()
            )


def _stopping(pace: Pace | None) -> Callable[[], str]:
    """Let the calls under way end at the first Ctrl+C or SIGTERM: they are paid for anyway.

    The second one stops at once. What is returned says why to stop, "" before that.
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
    return lambda: interrupted


@contextmanager
def _progress(wanted: int, pace: Pace | None) -> Iterator[Callable[[], None]]:
    """Show how far it is; the function that it yields is called after each session."""
    bar = progress_bar(wanted)

    def advance() -> None:
        bar.label = ""
        bar.update(1)

    def pause(seconds: float) -> None:
        bar.label = f"rate limit, {seconds:.0f} s"
        bar.render_progress()

    if pace is not None:
        pace.on_pause = pause
    with bar:
        yield advance
