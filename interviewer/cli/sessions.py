"""``interviewer sessions``: the sessions that were kept, and all that can be done with them."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interviewer import composition
from interviewer.cli.console import (
    complain,
    json_option,
    open_sessions,
    pass_settings,
    require_consent,
    say,
    say_json,
    say_table,
    yes_option,
)
from interviewer.cli.regrade import regrade, say_comparison
from interviewer.content.files import put_whole
from interviewer.errors import InterviewerError
from interviewer.paths import expanded, owner_only
from interviewer.plural import pluralize
from interviewer.report.costs import bill
from interviewer.settings.database_url import Server

if TYPE_CHECKING:
    from interviewer.interview.debrief import Debrief
    from interviewer.interview.journal import Replay
    from interviewer.settings import Settings
    from interviewer.store.records import SessionRow
    from interviewer.store.store import Store

SHOWN = 100
"""How many characters of a turn a search shows."""

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
@json_option
@pass_settings
def list_sessions(settings: Settings, limit: int, deleted: bool, as_json: bool) -> None:
    """List the sessions, latest first."""
    from interviewer.report.session_json import row_json
    from interviewer.report.text import local_time

    with open_sessions(settings) as store:
        history = store.deleted if deleted else store.history
        rows, total = history.sessions(limit), history.count()
    if as_json:
        say_json([row_json(row) for row in rows])
        return
    if not total:
        start = "deleted in the last 30 days" if deleted else "yet; 'interviewer run' starts one"
        say(f"No sessions {start}.")
        return
    table = [("ID", "LAST USED", "PLAN", "MODE", "STATUS", "BAND", "ROUND")]
    for row in rows:
        band = "–" if row.band is None else f"{row.band:.1f}"
        used, place = local_time(row.updated_at), f"{row.round} of {row.rounds}"
        table.append((row.id, used, row.title, row.mode, row.status, band, place))
    say_table(table)
    if total > len(rows):
        say(f"{len(rows)} of {total}; see more with --limit.")


@sessions.command("search")
@click.argument("words", nargs=-1, required=True)
@_limit
@json_option
@pass_settings
def search_sessions(settings: Settings, words: tuple[str, ...], limit: int, as_json: bool) -> None:
    """Find the sessions in which a single turn contains all of the WORDS.

    Put a phrase in double quotes within single ones: '"batch size"'.
    """
    from interviewer.report.session_json import row_json

    with open_sessions(settings) as store:
        hits = store.history.search(" ".join(words), limit)
    if as_json:
        say_json([row_json(hit.session) | {"turn": hit.turn.number} for hit in hits])
        return
    if not hits:
        say("No turn of any session contains all of these words.")
    for hit in hits:
        said = " ".join(hit.turn.text.split())
        say(f"{hit.session.id}  {hit.session.title}, {hit.turn.author}: {said[:SHOWN]}")


@sessions.command("show")
@_session
@click.option("--full", is_flag=True, help="With all evidence, scores and reference answers.")
@json_option
@pass_settings
def show_session(settings: Settings, session: str, full: bool, as_json: bool) -> None:
    """Show the transcript of a session with its verdicts and its debrief."""
    from interviewer.report.session_json import session_json
    from interviewer.report.text import transcript_lines

    with open_sessions(settings) as store:
        replay, result = _judged(store, session)
        regrades = store.regrades.of(replay.session.id)
        spent = bill(settings, store.history.spent(replay.session.id))
    if as_json:
        say_json(session_json(replay, result))
        return
    for line in transcript_lines(replay, result, full=full):
        say(line)
    if spent.calls:
        say(f"\nAsked of models: {spent.in_words}.")
    if regrades:
        say(f"\nGraded again: 'interviewer sessions diff {replay.session.id}' shows more.")


@sessions.command("export")
@_session
@click.option(
    "--format",
    "form",
    type=click.Choice(["md", "html", "csv", "json"]),
    default="md",
    show_default=True,
)
@click.option("--output", metavar="FILE", default="-", help="A file, or - for stdout (default).")
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
@pass_settings
def export_session(settings: Settings, session: str, form: str, output: str, force: bool) -> None:
    """Write a session as Markdown or a web page, its verdicts as CSV, or all of it as JSON."""
    from interviewer.report.session_json import session_json, verdict_csv
    from interviewer.report.text import transcript_markdown, transcript_page

    with open_sessions(settings) as store:
        judged = _judged(store, session)
    match form:
        case "html":
            text = transcript_page(*judged)
        case "csv":
            text = verdict_csv(*judged)
        case "json":
            text = json.dumps(session_json(*judged), indent=2) + "\n"
        case _:
            text = transcript_markdown(*judged)
    if output == "-":
        click.echo(text, nl=False)
    else:
        _write(Path(output), text, force=force)


def _write(path: Path, text: str, *, force: bool) -> None:
    """Write a file that its owner alone can read."""
    try:
        with open(path, "w" if force else "x", encoding="utf-8", opener=owner_only) as file:
            file.write(text)
    except FileExistsError:
        raise InterviewerError(f"{path} exists; --force replaces it.") from None
    except OSError as error:
        raise InterviewerError(f"{path} cannot be written: {error.strerror}.") from error


def _judged(store: Store, session: str) -> tuple[Replay, Debrief]:
    """The session with its results; says so where a part of it cannot be read."""
    from interviewer.interview.journal import load

    replay = load(store, session)
    if replay.gap:
        complain(replay.gap)
    return replay, composition.debrief_of(store, replay)


@sessions.command("repair")
@_session
@pass_settings
def repair_session(settings: Settings, session: str) -> None:
    """Cut off the part of a session that makes no sense, and save the answers in it.

    The session is left paused where that part begins, its answers as the draft of the next one. The
    whole journal is written to a file first.
    """
    from interviewer.interview.journal import load, repair

    with open_sessions(settings) as store:
        replay = load(store, session)
        if not replay.unread:
            say(f"All of session {replay.session.id} can be read; nothing was changed.")
            return
        folder = settings.data_folder if isinstance(store.place, Server) else store.place.parent
        kept = folder / f"session-{replay.session.id}-before-repair.json"
        entries = [
            vars(each) | {"at": each.at.isoformat()} for each in store.entries(replay.session.id)
        ]
        put_whole(kept, json.dumps(entries, indent=2).encode(), mode=0o600)
        repaired, answers = repair(store, replay.session.id)
    say(f"Kept {len(repaired.journal)} of {len(entries)} entries; the whole journal is in {kept}.")
    if answers:
        say(f"Now in the draft of the next answer: {pluralize(len(answers), 'answer')}.")


@sessions.command("mark")
@_session
@click.argument("question", type=click.IntRange(min=1))
@click.argument("criterion")
@click.argument("verdict", type=click.Choice(["said", "not", "none"]))
@pass_settings
def mark_point(
    settings: Settings, session: str, question: int, criterion: str, verdict: str
) -> None:
    """Settle yourself whether you made a point, beside what the examiner says.

    QUESTION is the question's number in the session, CRITERION the point's id. "none" takes your
    verdict back.
    """
    with open_sessions(settings) as store:
        say(composition.settle_point(store, session, question, criterion, verdict))


@sessions.command("backup")
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@pass_settings
def back_up_sessions(settings: Settings, file: Path | None) -> None:
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
    with open_sessions(settings):  # brings it up to date
        back_up(database, copy)
    say(f"All sessions are in {copy}; --database names it to read it.")
    if damage := find_damage(copy):
        complain(damage)


@sessions.command("delete")
@_session
@yes_option
@pass_settings
def delete_session(settings: Settings, session: str, yes: bool) -> None:
    """Delete a session; 'restore' brings it back until the first start after 30 days."""
    from interviewer.interview.journal import held_by

    with open_sessions(settings) as store:
        row = store.history.session(session)
        what = _named(row) + ((place := held_by(row)) and f", open in another window ({place}),")
        require_consent(f"Delete {what}?", yes=yes)
        store.delete_session(row.id)
    say(f"Deleted {_named(row)}. 'interviewer sessions restore {row.id}' brings it back.")


@sessions.command("restore")
@_session
@pass_settings
def restore_session(settings: Settings, session: str) -> None:
    """Bring a deleted session back; 'sessions list --deleted' shows which there are."""
    with open_sessions(settings) as store:
        row = store.restore_session(session)
    say(f"Brought back {_named(row)}.")


def _named(row: SessionRow) -> str:
    from interviewer.report.plain import printable

    return printable(f"session {row.id} ({row.plan_title}, {row.created_at:%Y-%m-%d})")


sessions.add_command(regrade)


@sessions.command("diff")
@_session
@json_option
@pass_settings
def diff_session(settings: Settings, session: str, as_json: bool) -> None:
    """Show what the latest regrade of a session changed, and why."""
    from interviewer.interview.journal import load
    from interviewer.interview.regrading import from_record
    from interviewer.report.text import local_time

    with open_sessions(settings) as store:
        replay = load(store, session)
        regrades = store.regrades.of(replay.session.id)
    if not regrades:
        raise InterviewerError(
            f"Session {replay.session.id} was graded only once; "
            f"'interviewer sessions regrade {replay.session.id}' grades it again."
        )
    latest = regrades[-1]
    values = {"session": replay.session.id, "before": "original", "after": str(latest.number)}
    if not as_json:
        by = f"regrade {latest.number} ({latest.examiner}, {local_time(latest.at)})"
        before = f"original ({replay.session.examiner})"
        say(f"Session {replay.session.id}: {by} compared with {before}.")
    say_comparison(replay, from_record(latest), values if as_json else None)
