"""``interviewer sessions``: list, search, show, export, back up, repair, delete and regrade."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import aclosing, closing, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.console import (
    complain,
    examiner_option,
    full_option,
    json_option,
    library_of,
    pass_settings,
    say,
    say_json,
    say_table,
)
from interviewer.content.files import put_whole
from interviewer.errors import InterviewerError
from interviewer.examiner.registry import LLM
from interviewer.paths import expanded, owner_only

if TYPE_CHECKING:
    from interviewer.examiner.protocol import Examiner
    from interviewer.interview.journal import Replay
    from interviewer.interview.regrading import GradedQuestion, Regrade
    from interviewer.rubric.rubric import Rubric
    from interviewer.settings import Settings
    from interviewer.store.records import RegradeRecord, SessionRow
    from interviewer.store.store import Store


ORIGINAL = "original"
STDOUT = "-"
SHOWN = 100
"""How many characters of a turn a search shows."""


@click.group()
def sessions() -> None:
    """Past interviews, to list, search, read, grade again, export and delete.

    A session is named by its id or the first four characters of it.
    """


@contextmanager
def opened(settings: Settings) -> Iterator[Store]:
    """The session database, closed afterwards."""
    from interviewer.composition import open_store

    with closing(open_store(settings)) as store:
        yield store


@sessions.command("list")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(min=1))
@click.option("--offset", default=0, type=click.IntRange(min=0), help="Skip this many.")
@json_option
@pass_settings
def list_sessions(settings: Settings, limit: int, offset: int, as_json: bool) -> None:
    """List the sessions, latest first."""
    from interviewer.report.text import local_time

    with opened(settings) as store:
        rows = store.history.sessions(limit, offset)
        total = store.history.count()
    if as_json:
        say_json([_row_json(row) for row in rows])
        return
    if not total:
        say("No sessions yet; 'interviewer run' starts one.")
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
    """Find the sessions in which a single turn contains all of the WORDS."""
    with opened(settings) as store:
        hits = store.history.search(" ".join(words), limit)
    if as_json:
        say_json([_row_json(hit.session) | {"turn": hit.turn.number} for hit in hits])
        return
    if not hits:
        say("No turn of any session contains all of these words.")
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
@full_option
@json_option
@pass_settings
def show_session(settings: Settings, session: str, full: bool, as_json: bool) -> None:
    """Show the transcript of a session with its verdicts and its debrief."""
    from interviewer.composition import exam_results
    from interviewer.interview.debrief import debrief
    from interviewer.interview.journal import load
    from interviewer.report.session_json import session_json
    from interviewer.report.text import transcript_lines

    with opened(settings) as store:
        replay = load(store, session)
        exams = exam_results(store)
        regrades = len(store.regrades.of(replay.session.id))
    _complain_of_gap(replay)
    result = debrief(replay.state, replay.rubrics, exams, replay.challenges)
    if as_json:
        say_json(session_json(replay, result))
        return
    for line in transcript_lines(replay, result, full=full):
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
    """Write a session as Markdown for reading or as complete JSON."""
    from interviewer.composition import exam_results
    from interviewer.interview.debrief import debrief
    from interviewer.interview.journal import load
    from interviewer.report.markdown import transcript_markdown
    from interviewer.report.session_json import session_json

    with opened(settings) as store:
        replay = load(store, session)
        exams = exam_results(store)
    _complain_of_gap(replay)
    result = debrief(replay.state, replay.rubrics, exams, replay.challenges)
    if form == "json":
        text = json.dumps(session_json(replay, result), indent=2) + "\n"
    else:
        text = transcript_markdown(replay, result)
    if output == STDOUT:
        click.echo(text, nl=False)
    else:
        _write(Path(output), text, force=force)


def _complain_of_gap(replay: Replay) -> None:
    if replay.gap:
        complain(replay.gap)


@sessions.command("repair")
@click.argument("session", metavar="SESSION")
@pass_settings
def repair_session(settings: Settings, session: str) -> None:
    """Cut off the part of a session that makes no sense, and save the answers in it.

    The session is left paused where that part begins, its answers as the draft of the next one. The
    whole journal is written to a file first.
    """
    from interviewer.interview.journal import load, repair

    with opened(settings) as store:
        replay = load(store, session)
        if not replay.unread:
            say(f"All of session {replay.session.id} can be read; nothing was changed.")
            return
        kept = store.path.with_name(f"session-{replay.session.id}-before-repair.json")
        entries = [
            vars(each) | {"at": each.at.isoformat()} for each in store.entries(replay.session.id)
        ]
        put_whole(kept, json.dumps(entries, indent=2).encode(), mode=0o600)
        repaired, answers = repair(store, replay.session.id)
    say(f"Kept {len(repaired.journal)} of {len(entries)} entries; the whole journal is in {kept}.")
    if answers:
        what = "answer is" if len(answers) == 1 else "answers are"
        say(f"{len(answers)} {what} now the draft of the next one.")
    if not repaired.state.finished:
        say(f"Go on with 'interviewer run --resume {repaired.session.id}'.")


@sessions.command("backup")
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@pass_settings
def back_up_sessions(settings: Settings, file: Path | None) -> None:
    """Copy all sessions to FILE, also while an interview is going on.

    Without FILE the copy is put beside the database, with the date in its name. It is checked
    before it counts, and no file is ever overwritten.
    """
    from interviewer.store.backup import back_up

    with opened(settings) as store:
        database, total = store.path, store.history.count()
    now = datetime.now().astimezone()
    named = f"{database.stem}-{now:%Y-%m-%d-%H%M%S}{database.suffix}"
    copy = expanded(file or database.with_name(named)).absolute()
    back_up(database, copy)
    counted = "1 session is" if total == 1 else f"{total:,} sessions are"
    say(f"{counted} in {copy}, sound and readable by you alone.")
    say(f"To read it: interviewer --database {shlex.quote(str(copy))} sessions list")


def _write(path: Path, text: str, *, force: bool) -> None:
    try:
        with open(path, "w" if force else "x", encoding="utf-8", opener=owner_only) as file:
            file.write(text)
    except FileExistsError:
        raise InterviewerError(f"{path} exists; --force replaces it.") from None
    except OSError as error:
        raise InterviewerError(f"{path} cannot be written: {error.strerror}.") from error


@sessions.command("delete")
@click.argument("session", metavar="SESSION")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@pass_settings
def delete_session(settings: Settings, session: str, yes: bool) -> None:
    """Delete a session permanently."""
    with opened(settings) as store:
        row = store.history.session(session)
        if not yes:
            if not sys.stdin.isatty():
                raise click.UsageError(
                    "There is no terminal to ask at; --yes deletes without asking."
                )
            click.confirm(f"Delete {_named(row)} permanently?", abort=True)
        store.delete_session(row.id)
    say(f"Deleted {_named(row)}.")


def _named(row: SessionRow) -> str:
    from interviewer.report.plain import printable

    return printable(f"session {row.id} ({row.plan_title}, {row.created_at:%Y-%m-%d})")


@sessions.command("regrade")
@click.argument("session", metavar="SESSION")
@examiner_option("Who judges.")
@click.option("--model", metavar="NAME", help="The model that judges; implies --examiner llm.")
@click.option(
    "--rubrics",
    type=click.Choice(["kept", "current"]),
    default="kept",
    show_default=True,
    help="Judge by the rubrics as stored with the session, or by today's.",
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

    The result is stored beside the session's own grades, which do not change.
    """
    from interviewer.composition import make_examiner
    from interviewer.interview.journal import load

    if model and examiner not in (None, LLM.choice):
        raise click.UsageError(f"--model names a model, and the {examiner} examiner uses none.")
    if model:
        settings, examiner = replace(settings, model=model), LLM.choice
    with opened(settings) as store:
        replay = load(store, session)
        _require_finished(replay)
        todays = _todays(settings, replay) if rubrics == "current" else None
        judge = make_examiner(settings, examiner, store)
        try:
            regraded = asyncio.run(_regraded(store, replay, judge, todays))
        except KeyboardInterrupt:
            raise InterviewerError("Stopped before the end; nothing was stored.") from None
        number = _stored(store, replay.session.id, regraded)
    _report(replay, regraded, number, as_json=as_json)


def _require_finished(replay: Replay) -> None:
    if not replay.state.finished:
        raise InterviewerError(
            f"Session {replay.session.id} is not finished, so it has no grades to compare with; "
            "resume and finish it first."
        )


def _todays(settings: Settings, replay: Replay) -> dict[str, Rubric]:
    """Today's versions of the session's rubrics, without those that are gone."""
    entries = library_of(settings).entries
    return {name: entries[name].model for name in replay.rubrics if name in entries}


async def _regraded(
    store: Store, replay: Replay, examiner: Examiner, rubrics: dict[str, Rubric] | None
) -> Regrade:
    """The regrade; its model calls are logged with the session even if it fails."""
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


def _report(replay: Replay, regraded: Regrade, number: int, *, as_json: bool) -> None:
    from interviewer.interview.regrading import original

    session = replay.session.id
    values = {
        "session": session,
        "regrade": number,
        "examiner": regraded.examiner,
        "version": regraded.version,
        "kept_rubrics": list(regraded.kept),
    }
    heading = [f"Session {session}, graded again by {regraded.examiner}."]
    if regraded.kept:
        kept = ", ".join(regraded.kept)
        heading.append(f"Not among today's rubrics, so judged by the session's own: {kept}.")
    _say_comparison(original(replay), regraded.questions, heading, values if as_json else None)
    if not as_json:
        say()
        say(f"Stored as regrade {number} beside the session's own grades, which do not change.")


@sessions.command("diff")
@click.argument("session", metavar="SESSION")
@click.argument("first", metavar="[A]", default=ORIGINAL)
@click.argument("second", metavar="[B]", required=False)
@json_option
@pass_settings
def diff_session(
    settings: Settings, session: str, first: str, second: str | None, as_json: bool
) -> None:
    """Show what changed between two gradings of a session, and why.

    A and B are "original" or the number of a regrade; without them the original is compared with
    the latest regrade.
    """
    from interviewer.interview.journal import load

    with opened(settings) as store:
        replay = load(store, session)
        regrades = store.regrades.of(replay.session.id)
    if not regrades:
        raise InterviewerError(
            f"Session {replay.session.id} was graded only once; "
            f"'interviewer sessions regrade {replay.session.id}' grades it again."
        )
    second = second or str(regrades[-1].number)
    if first == second:
        raise click.UsageError(f"A and B are both {first}; name two different gradings.")
    before, after = (_grading(replay, regrades, name) for name in (first, second))
    names = " compared with ".join(_described(replay, regrades, name) for name in (second, first))
    values = {"session": replay.session.id, "before": first, "after": second}
    heading = [f"Session {replay.session.id}: {names}."]
    _say_comparison(before, after, heading, values if as_json else None)


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


def _say_comparison(
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
