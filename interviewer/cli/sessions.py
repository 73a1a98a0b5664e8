"""``interviewer sessions``: the sessions that were kept, and all that can be done with them."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import AsyncExitStack, aclosing
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interviewer import composition
from interviewer.cli import console
from interviewer.content.files import put_whole
from interviewer.errors import InterviewerError
from interviewer.examiner.registry import kind_of
from interviewer.paths import expanded
from interviewer.plural import pluralize
from interviewer.report.costs import bill
from interviewer.settings.database_url import Server

if TYPE_CHECKING:
    from interviewer.examiner.protocol import Examiner
    from interviewer.interview.debrief import Debrief
    from interviewer.interview.journal import Replay
    from interviewer.interview.regrading import Done
    from interviewer.rubric.rubric import Rubric
    from interviewer.settings import Settings
    from interviewer.store.records import SessionRow
    from interviewer.store.store import Store

SHOWN = 100
"""How many characters of a turn a search shows."""
AT_ONCE = 8
"""Sessions that a model regrades at the same time."""
REASONS = 5
"""How many of the reasons for failures are listed; --json has them all."""

_session = click.argument("session", metavar="SESSION")
_limit = click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 10**9))


@click.group()
def sessions() -> None:
    """Past interviews, to list, search, read, grade again, export and delete.

    A session is named by its id or the first four characters of it.
    """


@sessions.command("list")
@_limit
@click.option("--deleted", is_flag=True, help="Those that 'restore' can bring back.")
@console.json_option
@console.pass_store
def list_sessions(_: Settings, store: Store, limit: int, deleted: bool, as_json: bool) -> None:
    """List the sessions, latest first."""
    from interviewer.report.session_json import row_json
    from interviewer.report.text import local_time

    history = store.deleted if deleted else store.history
    rows, total = history.sessions(limit), history.count()
    if as_json:
        console.say_json([row_json(row) for row in rows])
        return
    if not total:
        start = "deleted in the last 30 days" if deleted else "yet; 'interviewer run' starts one"
        console.say(f"No sessions {start}.")
        return
    table = [("ID", "LAST USED", "PLAN", "MODE", "STATUS", "BAND", "ROUND")]
    for row in rows:
        band = "–" if row.band is None else f"{row.band:.1f}"
        used, place = local_time(row.updated_at), f"{row.round} of {row.rounds}"
        table.append((row.id, used, row.title, row.mode, row.status, band, place))
    console.say_table(table)
    if total > len(rows):
        console.say(f"{len(rows)} of {total}; see more with --limit.")


@sessions.command("search")
@click.argument("words", nargs=-1, required=True)
@_limit
@console.json_option
@console.pass_store
def search_sessions(
    _: Settings, store: Store, words: tuple[str, ...], limit: int, as_json: bool
) -> None:
    """Find the sessions in which a single turn contains all of the WORDS.

    Put a phrase in double quotes within single ones: '"batch size"'.
    """
    from interviewer.report.session_json import row_json

    hits = store.history.search(" ".join(words), limit)
    if as_json:
        console.say_json([row_json(hit.session) | {"turn": hit.turn.number} for hit in hits])
        return
    if not hits:
        console.say("No turn of any session contains all of these words.")
    for hit in hits:
        said = " ".join(hit.turn.text.split())
        console.say(f"{hit.session.id}  {hit.session.title}, {hit.turn.author}: {said[:SHOWN]}")


@sessions.command("show")
@_session
@console.json_option
@console.pass_store
def show_session(settings: Settings, store: Store, session: str, as_json: bool) -> None:
    """Show the transcript of a session with its verdicts and its debrief."""
    from interviewer.report.session_json import session_json
    from interviewer.report.text import debrief_lines

    replay, result = _judged(store, session)
    regrades = store.regrades(replay.session.id)
    spent = bill(settings, store.history.spent(replay.session.id))
    if as_json:
        console.say_json(session_json(replay, result))
        return
    console.say(*debrief_lines(result, replay))
    if spent:
        console.say(f"\nAsked of models: {spent}.")
    if regrades:
        console.say(f"\nGraded again: 'interviewer sessions diff {replay.session.id}' shows more.")


@sessions.command("export")
@_session
@click.option(
    "--format",
    "form",
    type=click.Choice(["md", "html", "csv", "json"]),
    default="md",
    show_default=True,
)
@console.pass_store
def export_session(_: Settings, store: Store, session: str, form: str) -> None:
    """Print a session as Markdown or a web page, its verdicts as CSV, or all of it as JSON."""
    from interviewer.report.session_json import session_json, verdict_csv
    from interviewer.report.text import transcript_markdown, transcript_page

    judged = _judged(store, session)
    forms = {"md": transcript_markdown, "html": transcript_page, "csv": verdict_csv}
    if form == "json":
        click.echo(json.dumps(session_json(*judged), indent=2))
    else:
        click.echo(forms[form](*judged), nl=False)


def _judged(store: Store, session: str) -> tuple[Replay, Debrief]:
    """The session with its results; says so where a part of it cannot be read."""
    from interviewer.interview.journal import load

    replay = load(store, session)
    if replay.gap:
        console.complain(replay.gap)
    return replay, composition.debrief_of(store, replay)


@sessions.command("repair")
@_session
@console.pass_store
def repair_session(settings: Settings, store: Store, session: str) -> None:
    """Cut off the part of a session that makes no sense, and save the answers in it.

    The session is left paused where that part begins, its answers as the draft of the next one. The
    whole journal is written to a file first.
    """
    from interviewer.interview.journal import load, repair

    replay = load(store, session)
    if not replay.unread:
        console.say(f"All of session {replay.session.id} can be read; nothing was changed.")
        return
    folder = settings.data_folder if isinstance(store.place, Server) else store.place.parent
    kept = folder / f"session-{replay.session.id}-before-repair.json"
    entries = [
        vars(each) | {"at": each.at.isoformat()} for each in store.entries(replay.session.id)
    ]
    put_whole(kept, json.dumps(entries, indent=2).encode(), mode=0o600)
    repaired, answers = repair(store, replay.session.id)
    console.say(
        f"Kept {len(repaired.journal)} of {len(entries)} entries; the whole journal is in {kept}."
    )
    if answers:
        console.say(f"Now in the draft of the next answer: {pluralize(len(answers), 'answer')}.")


@sessions.command("mark")
@_session
@click.argument("question", type=click.IntRange(min=1))
@click.argument("criterion")
@click.argument("verdict", type=click.Choice(["said", "not", "none"]))
@console.pass_store
def mark_point(
    _: Settings, store: Store, session: str, question: int, criterion: str, verdict: str
) -> None:
    """Settle yourself whether you made a point, beside what the examiner says.

    QUESTION is the question's number in the session, CRITERION the point's id. "none" takes your
    verdict back.
    """
    console.say(composition.settle_point(store, session, question, criterion, verdict))


@sessions.command("backup")
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@console.pass_store
def back_up_sessions(settings: Settings, _: Store, file: Path | None) -> None:
    """Copy all sessions, those of every user, to FILE, also while an interview is going on.

    Without FILE the copy is put beside the database, with the date in its name. No file is ever
    overwritten.
    """
    from interviewer.store.backup import back_up, find_damage

    database = settings.database
    if isinstance(database, Server):
        raise InterviewerError(
            f"A backup here is the copy of an SQLite file; back up {database} with pg_dump."
        )
    now = datetime.now().astimezone()
    named = f"{database.stem}-{now:%Y-%m-%d-%H%M%S}{database.suffix}"
    copy = expanded(file or database.with_name(named)).absolute()
    back_up(database, copy)
    console.say(f"All sessions are in {copy}; --database names it to read it.")
    if damage := find_damage(copy):
        console.complain(damage)


@sessions.command("delete")
@_session
@console.yes_option
@console.pass_store
def delete_session(_: Settings, store: Store, session: str, yes: bool) -> None:
    """Delete a session; 'restore' brings it back until the first start after 30 days."""
    from interviewer.interview.journal import held_by

    row = store.history.session(session)
    what = _named(row) + ((place := held_by(row)) and f", open in another window ({place}),")
    console.require_consent(f"Delete {what}?", yes=yes)
    store.delete_session(row.id)
    console.say(f"Deleted {_named(row)}. 'interviewer sessions restore {row.id}' brings it back.")


@sessions.command("restore")
@_session
@console.pass_store
def restore_session(_: Settings, store: Store, session: str) -> None:
    """Bring a deleted session back; 'sessions list --deleted' shows which there are."""
    row = store.restore_session(session)
    console.say(f"Brought back {_named(row)}.")


def _named(row: SessionRow) -> str:
    from interviewer.report.plain import printable

    return printable(f"session {row.id} ({row.plan_title}, {row.created_at:%Y-%m-%d})")


# -- graded again -----------------------------------------------------------------------------


@sessions.command("regrade")
@click.argument("session", metavar="[SESSION]", required=False)
@console.examiner_option
@click.option(
    "--rubrics",
    type=click.Choice(["kept", "current"]),
    default="kept",
    show_default=True,
    help="Judge by the rubrics as stored with the session, or by today's.",
)
@click.option("--all", "every", is_flag=True, help="Regrade all finished sessions.")
@console.yes_option
@console.json_option
@console.pass_store
def regrade(
    settings: Settings,
    store: Store,
    session: str | None,
    examiner: str | None,
    rubrics: str,
    every: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Judge the answers of a finished session again, or of all.

    The results are stored beside the sessions' own grades, which do not change. Another model is
    named before the command: interviewer --model NAME sessions regrade.

    With --all a model is asked only once you agree. Each session is stored once it is done: after
    an interruption the same command goes on where it was.
    """
    if every == (session is not None):
        raise click.UsageError("Name one SESSION, or regrade them all with --all.")
    todays = None
    if rubrics == "current":
        library = console.loaded(composition.load_library(settings))
        todays = {rubric.id: rubric for rubric in library.models()}
    pool = composition.make_pool(settings, examiner, AT_ONCE)
    if session is None:
        _regrade_all(store, pool, todays, yes=yes, as_json=as_json)
        return
    row = store.history.session(session)
    done, stopped = _regraded(store, [row.id], pool, todays)
    if not done:
        raise InterviewerError(f"Stopped: {stopped}")
    if done[0].problem:
        raise InterviewerError(done[0].problem)
    _say_latest(store, row.id, as_json=as_json)


def _regraded(
    store: Store,
    waiting: list[str],
    pool: list[Examiner],
    todays: dict[str, Rubric] | None,
    *,
    as_json: bool = False,
) -> tuple[list[Done], str]:
    """Regrade the sessions by ``todays`` rubrics, None for their own, a line of JSON for each.

    Returns what became of each, and why not all were tried, "" if they were.
    """
    from interviewer.interview.regrading import regrade_many

    done: list[Done] = []

    def add(one: Done) -> None:
        done.append(one)
        bar.update(1)
        if as_json:
            console.say_json(vars(one))

    async def work() -> str:
        async with AsyncExitStack() as at_the_end:
            for each in pool:
                await at_the_end.enter_async_context(aclosing(each))
            return await regrade_many(store, waiting, pool, todays, add)

    try:
        with console.progress_bar(len(waiting)) as bar:
            return done, asyncio.run(work())
    except KeyboardInterrupt:
        return done, "as you asked; what was regraded is stored."


def _regrade_all(
    store: Store,
    pool: list[Examiner],
    todays: dict[str, Rubric] | None,
    *,
    yes: bool,
    as_json: bool,
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
        console.complain(
            f"{pluralize(before, 'session')} left out: regraded so by {judge.name} before."
        )
    if not waiting:
        return
    what = f"{pluralize(len(waiting), 'session')} regraded by {judge.name}"
    if kind_of(judge.name).needs_endpoint:
        console.require_consent(f"Have {what}?", yes=yes)
    done, stopped = _regraded(store, waiting, pool, todays, as_json=as_json)
    problems = Counter(each.problem for each in done if each.regrade is None)
    failed = problems.total()
    if not as_json:
        console.say(f"{len(done) - failed} of {what}. Their own grades do not change.")
    for reason, times in problems.most_common(REASONS):
        console.complain(f"{times} × {reason}")
    if stopped:
        raise click.ClickException(f"Stopped: {stopped} The same command goes on from there.")
    if failed:
        raise click.ClickException(
            f"{pluralize(failed, 'session')} could not be regraded; the same command tries again."
        )


@sessions.command("diff")
@_session
@console.json_option
@console.pass_store
def diff_session(_: Settings, store: Store, session: str, as_json: bool) -> None:
    """Show what the latest regrade of a session changed, and why."""
    _say_latest(store, session, as_json=as_json)


def _say_latest(store: Store, session: str, *, as_json: bool) -> None:
    """Print the session's latest regrade beside its own grades."""
    from pydantic_core import to_jsonable_python

    from interviewer.interview.journal import load
    from interviewer.interview.regrading import compare, from_record, original
    from interviewer.report.changes import change_lines
    from interviewer.report.text import local_time

    replay = load(store, session)
    id_ = replay.session.id
    if not (regrades := store.regrades(id_)):
        raise InterviewerError(
            f"Session {id_} was graded only once; 'interviewer sessions regrade {id_}' grades it "
            "again."
        )
    latest, before = regrades[-1], original(replay)
    regraded = from_record(latest)
    changes = compare(before, regraded.questions)
    if as_json:
        names = {"session": id_, "regrade": latest.number, "kept_rubrics": regraded.kept}
        by = {"examiner": latest.examiner, "version": latest.version}
        console.say_json(to_jsonable_python({**names, **by, "changes": changes}))
        return
    when = local_time(latest.at)
    console.say(
        f"Session {id_}, graded again by {latest.examiner} (regrade {latest.number}, {when})."
    )
    if regraded.kept:
        kept = ", ".join(regraded.kept)
        console.say(f"Not among today's rubrics, so judged by the session's own: {kept}.")
    console.say(*change_lines(before, regraded.questions, changes))
    console.say("\nThe session's own grades do not change.")
