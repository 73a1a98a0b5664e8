"""``interviewer sessions``: list, search, read, regrade, compare, export and delete."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import aclosing, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.console import (
    examiner_option,
    json_option,
    library_of,
    pass_settings,
    say,
    say_json,
    say_table,
)
from interviewer.errors import InterviewerError
from interviewer.examiner.registry import LLM

if TYPE_CHECKING:
    from interviewer.examiner.protocol import Examiner
    from interviewer.interview.journal import Replay
    from interviewer.interview.regrading import GradedQuestion, Regrade
    from interviewer.rubric.rubric import Rubric
    from interviewer.settings import Settings
    from interviewer.store.records import RegradeRecord, SessionRow
    from interviewer.store.store import Store


ORIGINAL = "original"


@click.command("regrade")
@click.argument("session", metavar="SESSION")
@examiner_option("Who judges.")
@click.option("--model", metavar="NAME", help="The model that judges; implies --examiner llm.")
@click.option(
    "--rubrics",
    type=click.Choice(["kept", "current"]),
    default="kept",
    show_default=True,
    help="By the rubrics as they were in the session, or as they are today.",
)
@json_option
@pass_settings
def regrade_session(
    settings: Settings,
    session: str,
    examiner: str | None,
    model: str | None,
    rubrics: str,
    as_json: bool,
) -> None:
    """Judge the answers of a finished session again.

    The result is kept beside the session's own grades, which stay as they are.
    """
    from interviewer.composition import make_examiner, open_store
    from interviewer.interview.journal import load

    if model and examiner not in (None, LLM.choice):
        raise click.UsageError(f"--model names a model, and the {examiner} examiner uses none.")
    if model:
        settings, examiner = replace(settings, model=model), LLM.choice
    with closing(open_store(settings)) as store:
        replay = load(store, session)
        _require_finished(replay)
        todays = _todays(settings, replay) if rubrics == "current" else None
        judge = make_examiner(settings, examiner, store)
        try:
            regraded = asyncio.run(_regraded(store, replay, judge, todays))
        except KeyboardInterrupt:
            raise InterviewerError("Stopped before the end; nothing was stored.") from None
        number = _stored(store, replay.session.id, regraded)
    _tell(replay, regraded, number, as_json=as_json)


def _require_finished(replay: Replay) -> None:
    if not replay.state.finished:
        raise InterviewerError(
            f"Session {replay.session.id} is not finished, so it has no grades to compare with; "
            "resume it and end it first."
        )


def _todays(settings: Settings, replay: Replay) -> dict[str, Rubric]:
    """The rubrics of the session as they are today; those that are gone are not among them."""
    entries = library_of(settings).entries
    return {name: entries[name].model for name in replay.rubrics if name in entries}


async def _regraded(
    store: Store, replay: Replay, examiner: Examiner, rubrics: dict[str, Rubric] | None
) -> Regrade:
    """The regrade; its model calls are logged with the session whatever comes of it."""
    from interviewer.interview.journal import Journal
    from interviewer.interview.regrading import regrade

    journal = Journal(store, replay.session.id)
    async with aclosing(examiner), journal.recording_calls(examiner):
        with click.progressbar(
            length=1, file=sys.stderr, hidden=not sys.stderr.isatty(), show_pos=True
        ) as bar:

            def advance(done: int, looks: int) -> None:
                bar.length = looks
                bar.update(done - bar.pos)

            return await regrade(replay, examiner, rubrics, advance)


def _stored(store: Store, session_id: str, regraded: Regrade) -> int:
    from interviewer.interview.journal import utc_now
    from interviewer.interview.regrading import as_json

    return store.regrades.add(
        session_id,
        at=utc_now(),
        examiner=regraded.examiner,
        version=regraded.version,
        grades=as_json(regraded),
    )


def _tell(replay: Replay, regraded: Regrade, number: int, *, as_json: bool) -> None:
    from interviewer.interview.regrading import original

    session = replay.session.id
    if as_json:
        values = {
            "session": session,
            "regrade": number,
            "examiner": regraded.examiner,
            "version": regraded.version,
            "kept_rubrics": list(regraded.kept),
        }
        say_json(values | _comparison_json(original(replay), regraded.questions))
        return
    say(f"Session {session}, graded again by {regraded.examiner}.")
    if regraded.kept:
        kept = ", ".join(regraded.kept)
        say(f"Not among today's rubrics, so judged by the session's own: {kept}.")
    _say_comparison(original(replay), regraded.questions)
    say()
    say(f"Kept as regrade {number} beside the grades of the session, which stay as they are.")


@click.command("diff")
@click.argument("session", metavar="SESSION")
@click.argument("first", metavar="[A]", default=ORIGINAL)
@click.argument("second", metavar="[B]", required=False)
@json_option
@pass_settings
def diff_session(
    settings: Settings, session: str, first: str, second: str | None, as_json: bool
) -> None:
    """Show what moved between two gradings of a session, and why.

    A and B are "original" or the number of a regrade; without them the original is compared with
    the latest regrade.
    """
    from interviewer.composition import open_store
    from interviewer.interview.journal import load

    with closing(open_store(settings)) as store:
        replay = load(store, session)
        regrades = store.regrades.of(replay.session.id)
    if not regrades:
        raise InterviewerError(
            f"Session {replay.session.id} was graded once only; "
            f"'interviewer sessions regrade {replay.session.id}' grades it again."
        )
    second = second or str(regrades[-1].number)
    if first == second:
        raise click.UsageError(f"A and B are both {first}; name two different gradings.")
    before, after = (_grading(replay, regrades, name) for name in (first, second))
    if as_json:
        values = {"session": replay.session.id, "before": first, "after": second}
        say_json(values | _comparison_json(before, after))
        return
    names = " against ".join(_described(replay, regrades, name) for name in (first, second))
    say(f"Session {replay.session.id}: {names}.")
    _say_comparison(before, after)


def _grading(
    replay: Replay, regrades: Sequence[RegradeRecord], name: str
) -> tuple[GradedQuestion, ...]:
    from interviewer.interview.regrading import from_record, original

    if name == ORIGINAL:
        return original(replay)
    return from_record(_numbered(regrades, name)).questions


def _numbered(regrades: Sequence[RegradeRecord], name: str) -> RegradeRecord:
    for record in regrades:
        if name == str(record.number):
            return record
    raise InterviewerError(
        f"There is no grading {name!r} of this session; there are {ORIGINAL} and the regrades "
        f"{', '.join(str(record.number) for record in regrades)}."
    )


def _described(replay: Replay, regrades: Sequence[RegradeRecord], name: str) -> str:
    from interviewer.report.text import local_time

    if name == ORIGINAL:
        return f"original ({replay.session.examiner})"
    record = _numbered(regrades, name)
    return f"regrade {name} ({record.examiner}, {local_time(record.at)})"


def _comparison_json(
    before: Sequence[GradedQuestion], after: Sequence[GradedQuestion]
) -> dict[str, Any]:
    from interviewer.interview.regrading import compare
    from interviewer.report.changes import changes_json

    return changes_json(before, after, compare(before, after))


def _say_comparison(before: Sequence[GradedQuestion], after: Sequence[GradedQuestion]) -> None:
    from interviewer.interview.regrading import compare
    from interviewer.report.changes import change_lines

    for line in change_lines(before, after, compare(before, after)):
        say(line)


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
    from interviewer.interview.journal import load
    from interviewer.report.session_json import session_json
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
    from interviewer.interview.journal import load
    from interviewer.report.markdown import transcript_markdown
    from interviewer.report.session_json import session_json

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
