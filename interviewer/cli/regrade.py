"""``interviewer sessions regrade``: judge one finished session again, or many."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.console import (
    examiner_option,
    json_option,
    library_of,
    open_sessions,
    pass_settings,
    say,
    say_json,
)
from interviewer.cli.costs import ask_before_the_budget_is_passed
from interviewer.cli.regrade_many import Asked, regrade_many
from interviewer.errors import InterviewerError
from interviewer.examiner.registry import LLM, kind_of

if TYPE_CHECKING:
    from interviewer.examiner.protocol import Examiner
    from interviewer.interview.journal import Replay
    from interviewer.interview.regrading import GradedQuestion, Regrade
    from interviewer.rubric.rubric import Rubric
    from interviewer.settings import Settings
    from interviewer.store.store import Store

_day = click.DateTime(["%Y-%m-%d"])


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
@click.option("--plan", metavar="ID", help="Regrade all sessions of this plan.")
@click.option("--by", metavar="NAME", help="Regrade all sessions that this examiner graded.")
@click.option("--since", type=_day, help="Regrade all sessions used on this day or later.")
@click.option("--until", type=_day, help="Regrade all sessions used on this day or before.")
@click.option("--again", is_flag=True, help="Include those that this examiner has regraded before.")
@click.option(
    "--parallel",
    metavar="N",
    type=click.IntRange(1, 64),
    default=8,
    show_default=True,
    help="Calls to a model at the same time, where there are many sessions.",
)
@click.option("--yes", is_flag=True, help="Do not ask whether to go on after the estimate.")
@click.option("--over-budget", is_flag=True, help="Go on where that passes the month's budget.")
@json_option
@pass_settings
def regrade(
    settings: Settings,
    session: str | None,
    examiner: str | None,
    model: str | None,
    rubrics: str,
    as_json: bool,
    **many: Any,
) -> None:
    """Judge the answers of a finished session again, or of many.

    The results are stored beside the sessions' own grades, which do not change.

    With --all, or the sessions that --plan, --by, --since and --until leave, it first says about
    what that takes of a model, and asks. Each session is stored once it is done: after an
    interruption the same command goes on where it was, and no judgement is paid for twice.
    """
    if model and examiner not in (None, LLM.choice):
        raise click.UsageError(f"--model names a model, and the {examiner} examiner uses none.")
    if model:
        settings, examiner = replace(settings, model=model), LLM.choice
    todays = rubrics == "current"
    asked = _asked(as_json=as_json, todays=todays, **many)
    if session is not None:
        if asked.is_narrowed or many["every"]:
            raise click.UsageError("Name one SESSION, or say which ones with --all and the like.")
        _regrade_one(settings, session, examiner, asked)
    elif asked.is_narrowed or many["every"]:
        regrade_many(settings, examiner, asked)
    else:
        raise click.UsageError("Name the SESSION to regrade, or regrade them all with --all.")


def _asked(*, every: bool, since: datetime | None, until: datetime | None, **more: Any) -> Asked:
    """The options for many sessions; days are those of this machine's time zone."""
    before = until + timedelta(days=1) if until else None
    return Asked(
        since=since.astimezone() if since else None,
        before=before.astimezone() if before else None,
        **more,
    )


def _regrade_one(settings: Settings, session: str, examiner: str | None, asked: Asked) -> None:
    from interviewer.composition import make_examiner
    from interviewer.cost import over_budget
    from interviewer.interview.journal import load
    from interviewer.interview.regrading import keep, require_finished

    with open_sessions(settings) as store:
        replay = load(store, session)
        require_finished(replay)
        now = _todays(settings, replay) if asked.todays else None
        judge = make_examiner(settings, examiner, store)
        if kind_of(judge.name).needs_endpoint:
            why = over_budget(settings, store, 0.0)
            ask_before_the_budget_is_passed(why, allowed=asked.over_budget)
        try:
            regraded = asyncio.run(_regraded(store, replay, judge, now))
        except KeyboardInterrupt:
            raise InterviewerError("Stopped before the end; nothing was stored.") from None
        number = keep(store, replay.session.id, regraded, now)
    _report(replay, regraded, number, as_json=asked.as_json)


def _todays(settings: Settings, replay: Replay) -> dict[str, Rubric]:
    """Today's versions of the session's rubrics, without those that are gone."""
    entries = library_of(settings).entries
    return {name: entries[name].model for name in replay.rubrics if name in entries}


async def _regraded(
    store: Store, replay: Replay, examiner: Examiner, rubrics: dict[str, Rubric] | None
) -> Regrade:
    """The regrade; its model calls are logged with the session even if it fails."""
    from interviewer.interview.journal import Journal
    from interviewer.interview.regrading import regrade as judged_again

    journal = Journal(store, replay.session.id)
    async with aclosing(examiner), journal.recording_calls(examiner):
        with click.progressbar(
            length=1, file=sys.stderr, hidden=not sys.stderr.isatty(), show_pos=True
        ) as bar:

            def advance(done: int, looks: int) -> None:
                bar.length = looks
                bar.update(done - bar.pos)

            return await judged_again(replay, examiner, rubrics, advance)


def _report(replay: Replay, regraded: Regrade, number: int, *, as_json: bool) -> None:
    from interviewer.interview.regrading import original

    session = replay.session.id
    values = {
        "session": session,
        "regrade": number,
        "examiner": regraded.examiner,
        "examiner_kind": kind_of(regraded.examiner).choice,
        "version": regraded.version,
        "kept_rubrics": list(regraded.kept),
    }
    heading = [f"Session {session}, graded again by {regraded.examiner}."]
    if regraded.kept:
        kept = ", ".join(regraded.kept)
        heading.append(f"Not among today's rubrics, so judged by the session's own: {kept}.")
    say_comparison(original(replay), regraded.questions, heading, values if as_json else None)
    if not as_json:
        say()
        say(f"Stored as regrade {number} beside the session's own grades, which do not change.")


def say_comparison(
    before: Sequence[GradedQuestion],
    after: Sequence[GradedQuestion],
    heading: Sequence[str],
    values: dict[str, Any] | None,
) -> None:
    """Print what changed: as JSON along with ``values`` if there are any, else below a heading."""
    from interviewer.interview.regrading import compare
    from interviewer.report.changes import change_lines, changes_json

    changes = compare(before, after)
    if values is not None:
        say_json(values | changes_json(before, after, changes))
        return
    for line in (*heading, *change_lines(before, after, changes)):
        say(line)
