"""``interviewer sessions regrade``: judge one finished session again, or all."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack, aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from interviewer import composition
from interviewer.cli.console import (
    complain,
    examiner_option,
    json_option,
    library_of,
    open_sessions,
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

if TYPE_CHECKING:
    from interviewer.examiner.protocol import Examiner
    from interviewer.interview.journal import Replay
    from interviewer.interview.regrading import Done, Regrade
    from interviewer.rubric.rubric import Rubric
    from interviewer.settings import Settings
    from interviewer.store.store import Store

    Todays = dict[str, Rubric] | None
    """Today's rubrics by id, to judge by; None for those kept with the session."""

AT_ONCE = 8
"""Calls to a model at the same time, where there are many sessions."""
REASONS = 5
"""How many of the reasons for failures are listed; --json has them all."""


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
@json_option
@pass_settings
def regrade(
    settings: Settings,
    session: str | None,
    examiner: str | None,
    model: str | None,
    rubrics: str,
    every: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Judge the answers of a finished session again, or of all.

    The results are stored beside the sessions' own grades, which do not change.

    With --all a model is asked only once you agree. Each session is stored once it is done: after
    an interruption the same command goes on where it was.
    """
    if model and examiner not in (None, LLM.choice):
        raise click.UsageError(f"--model names a model, and the {examiner} examiner uses none.")
    if model:
        settings, examiner = replace(settings, model=model), LLM.choice
    if every == (session is not None):
        raise click.UsageError("Name one SESSION, or regrade them all with --all.")
    todays = None
    if rubrics == "current":
        todays = {rubric.id: rubric for rubric in library_of(settings).models()}
    with open_sessions(settings) as store:
        if session is None:
            pool = composition.make_pool(settings, examiner, store, AT_ONCE)
            _regrade_all(store, pool, todays, yes=yes, as_json=as_json)
        else:
            judge = composition.make_examiner(settings, examiner, store)
            _regrade_one(store, session, judge, todays, as_json=as_json)


def _regrade_one(
    store: Store, session: str, judge: Examiner, todays: Todays, *, as_json: bool
) -> None:
    from interviewer.interview.journal import load
    from interviewer.interview.regrading import keep, require_finished

    replay = load(store, session)
    require_finished(replay)
    try:
        regraded = asyncio.run(_regraded(store, replay, judge, todays))
    except KeyboardInterrupt:
        raise InterviewerError("Stopped before the end; nothing was stored.") from None
    number = keep(store, replay.session.id, regraded, todays)
    if as_json:
        values = {
            "session": replay.session.id,
            "regrade": number,
            "examiner": regraded.examiner,
            "examiner_kind": kind_of(regraded.examiner).choice,
            "version": regraded.version,
            "kept_rubrics": list(regraded.kept),
        }
        say_comparison(replay, regraded, values)
        return
    say(f"Session {replay.session.id}, graded again by {regraded.examiner}.")
    if regraded.kept:
        kept = ", ".join(regraded.kept)
        say(f"Not among today's rubrics, so judged by the session's own: {kept}.")
    say_comparison(replay, regraded)
    say()
    say(f"Stored as regrade {number} beside the session's own grades, which do not change.")


async def _regraded(store: Store, replay: Replay, examiner: Examiner, todays: Todays) -> Regrade:
    """The regrade; its model calls are logged with the session even if it fails."""
    from interviewer.interview.journal import Journal
    from interviewer.interview.regrading import regrade as judged_again

    journal = Journal(store, replay.session.id)
    async with aclosing(examiner), journal.recording_calls(examiner):
        with progress_bar(1) as bar:

            def advance(done: int, looks: int) -> None:
                bar.length = looks
                bar.update(done - bar.pos)

            return await judged_again(replay, examiner, todays, advance)


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


def _regrade_all(
    store: Store, pool: list[Examiner], todays: Todays, *, yes: bool, as_json: bool
) -> None:
    """Regrade all finished sessions. Raises ClickException if some could not be."""
    from interviewer.interview.regrading import is_regraded
    from interviewer.store.records import SessionFilter

    rows = store.history.sessions(None, SessionFilter(finished=True))
    if not (finished := [row.id for row in rows]):
        raise InterviewerError("No session is finished, so there is none to regrade.")
    judge = pool[0]
    waiting = [each for each in finished if not is_regraded(store, each, judge, todays)]
    if before := len(finished) - len(waiting):
        complain(f"{pluralize(before, 'session')} left out: regraded so by {judge.name} before.")
    if not waiting:
        return
    what = f"{pluralize(len(waiting), 'session')} regraded by {judge.name}"
    if kind_of(judge.name).needs_endpoint:
        require_consent(f"Have {what}?", yes=yes)
    done: list[Done] = []

    def tell(one: Done) -> None:
        done.append(one)
        bar.update(1)
        if as_json:
            say_json(vars(one))

    try:
        with progress_bar(len(waiting)) as bar:
            stopped = asyncio.run(_run(store, waiting, pool, todays, tell))
    except KeyboardInterrupt:
        stopped = "as you asked; what was regraded is stored."
    problems = Counter(each.problem for each in done if each.regrade is None)
    failed = problems.total()
    if not as_json:
        say(f"{len(done) - failed} of {what}. Their own grades do not change.")
    for reason, times in problems.most_common(REASONS):
        complain(f"{times} × {reason}")
    if stopped:
        raise click.ClickException(f"Stopped: {stopped} The same command goes on from there.")
    if failed:
        raise click.ClickException(
            f"{pluralize(failed, 'session')} could not be regraded; the same command tries again."
        )


async def _run(
    store: Store,
    waiting: list[str],
    pool: list[Examiner],
    todays: Todays,
    tell: Callable[[Done], None],
) -> str:
    """Regrade the sessions; returns why not all were tried, or ""."""
    from interviewer.interview.regrading import regrade_many

    async with AsyncExitStack() as at_the_end:
        for each in pool:
            await at_the_end.enter_async_context(aclosing(each))
        return await regrade_many(store, waiting, pool, todays, tell)
