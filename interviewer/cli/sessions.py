"""``interviewer sessions``: past interviews, to list, search, read, regrade, export and delete."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.console import json_option, pass_settings, say, say_json, say_table
from interviewer.cli.regrade import diff_session, regrade_session
from interviewer.errors import InterviewerError

if TYPE_CHECKING:
    from interviewer.settings import Settings
    from interviewer.store.records import SessionRow
    from interviewer.store.store import Store

STDOUT = "-"
SHOWN = 100
"""Characters of a turn that a search shows."""


@click.group()
def sessions() -> None:
    """Past interviews, to list, search, read, grade again, export and delete.

    A session is named by its id or the first four characters of it.
    """


sessions.add_command(regrade_session)
sessions.add_command(diff_session)


@contextmanager
def opened(settings: Settings) -> Iterator[Store]:
    """The session database, closed afterwards."""
    from interviewer.composition import open_store

    store = open_store(settings)
    try:
        yield store
    finally:
        store.close()


@sessions.command("list")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(min=1))
@click.option("--offset", default=0, type=click.IntRange(min=0), help="Leave out so many.")
@json_option
@pass_settings
def list_sessions(settings: Settings, limit: int, offset: int, as_json: bool) -> None:
    """List the sessions, the latest first."""
    from interviewer.report.text import local_time

    with opened(settings) as store:
        rows = store.history.sessions(limit, offset)
        total = store.history.count()
    if as_json:
        say_json([_row_json(row) for row in rows])
        return
    if not total:
        say("No session yet; 'interviewer run' begins one.")
        return
    say_table(
        [("ID", "LAST USED", "PLAN", "MODE", "STATUS", "BAND", "ROUND")]
        + [
            (
                row.id,
                local_time(row.updated_at),
                row.plan_title,
                row.mode,
                row.status,
                "–" if row.band is None else f"{row.band:.1f}",
                f"{row.round} of {row.rounds}",
            )
            for row in rows
        ]
    )
    if total > len(rows):
        say(f"{len(rows)} of {total}; see more with --limit and --offset.")


@sessions.command("search")
@click.argument("words", nargs=-1, required=True)
@click.option("--limit", default=20, show_default=True, type=click.IntRange(min=1))
@json_option
@pass_settings
def search_sessions(settings: Settings, words: tuple[str, ...], limit: int, as_json: bool) -> None:
    """Find the sessions in which one turn holds all of the WORDS."""
    with opened(settings) as store:
        hits = store.history.search(" ".join(words), limit)
    if as_json:
        say_json([_row_json(hit.session) | {"turn": hit.turn.number} for hit in hits])
        return
    if not hits:
        say("No turn of any session holds all of these words.")
    for hit in hits:
        said = " ".join(hit.turn.text.split())
        say(f"{hit.session.id}  {hit.session.plan_title}, {hit.turn.author}: {said[:SHOWN]}")


def _row_json(row: SessionRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "plan": row.plan,
        "plan_title": row.plan_title,
        "mode": row.mode,
        "examiner": row.examiner,
        "status": row.status,
        "created_at": row.created_at.isoformat(),
        "updated_at": row.updated_at.isoformat(),
        "round": row.round,
        "rounds": row.rounds,
        "question": row.question,
        "headline": row.headline,
        "band": row.band,
    }


@sessions.command("show")
@click.argument("session", metavar="SESSION")
@json_option
@pass_settings
def show_session(settings: Settings, session: str, as_json: bool) -> None:
    """Show the transcript of a session with its verdicts."""
    from interviewer.composition import exam_results
    from interviewer.interview.debrief import debrief
    from interviewer.interview.replay import load
    from interviewer.report.export import session_json
    from interviewer.report.text import transcript_lines

    with opened(settings) as store:
        replay = load(store, session)
        exams = exam_results(store)
        regrades = len(store.regrades.of(replay.session.id))
    result = debrief(replay.state, replay.rubrics, exams, replay.challenges)
    if as_json:
        say_json(session_json(replay, result))
        return
    for line in transcript_lines(replay, result):
        say(line)
    if regrades:
        times = "once" if regrades == 1 else f"{regrades} times"
        say()
        say(f"Graded again {times}: 'interviewer sessions diff {replay.session.id}' shows more.")


@sessions.command("export")
@click.argument("session", metavar="SESSION")
@click.option(
    "--format", "form", type=click.Choice(["md", "json"]), default="md", show_default=True
)
@click.option("--output", metavar="FILE", default=STDOUT, help="A file, or - for stdout (default).")
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
@pass_settings
def export_session(settings: Settings, session: str, form: str, output: str, force: bool) -> None:
    """Write a session as Markdown, to read, or as JSON, whole."""
    from interviewer.composition import exam_results
    from interviewer.interview.debrief import debrief
    from interviewer.interview.replay import load
    from interviewer.report.export import session_json
    from interviewer.report.markdown import transcript_markdown

    with opened(settings) as store:
        replay = load(store, session)
        exams = exam_results(store)
    result = debrief(replay.state, replay.rubrics, exams, replay.challenges)
    if form == "json":
        text = json.dumps(session_json(replay, result), indent=2) + "\n"
    else:
        text = transcript_markdown(replay, result)
    if output == STDOUT:
        click.echo(text, nl=False)
    else:
        _write(Path(output), text, force=force)


def _write(path: Path, text: str, *, force: bool) -> None:
    try:
        with path.open("w" if force else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise InterviewerError(f"{path} exists; --force replaces it.") from None
    except OSError as error:
        raise InterviewerError(f"{path} cannot be written: {error.strerror}.") from error


@sessions.command("delete")
@click.argument("session", metavar="SESSION")
@click.option("--yes", is_flag=True, help="Do not ask.")
@pass_settings
def delete_session(settings: Settings, session: str, yes: bool) -> None:
    """Delete a session for good."""
    with opened(settings) as store:
        row = store.history.session(session)
        if not yes:
            if not sys.stdin.isatty():
                raise click.UsageError("Nobody can be asked here; --yes deletes without asking.")
            click.confirm(f"Delete {_named(row)} for good?", abort=True)
        store.delete_session(row.id)
    say(f"Deleted {_named(row)}.")


def _named(row: SessionRow) -> str:
    from interviewer.report.plain import printable

    return printable(f"session {row.id} ({row.plan_title}, {row.created_at:%Y-%m-%d})")
