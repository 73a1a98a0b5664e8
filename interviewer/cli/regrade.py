"""``interviewer sessions regrade`` and ``diff``: a session graded again, and what moved."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.console import json_option, pass_settings, say, say_json
from interviewer.cli.problems import library_of
from interviewer.errors import InterviewerError

if TYPE_CHECKING:
    from interviewer.examiner.protocol import Examiner
    from interviewer.interview.regrade import GradedQuestion, Regrade
    from interviewer.interview.replay import Replay
    from interviewer.rubric.rubric import Rubric
    from interviewer.settings import ExaminerKind, Settings
    from interviewer.store.records import RegradeRecord
    from interviewer.store.store import Store

ORIGINAL = "original"


@click.command("regrade")
@click.argument("session", metavar="SESSION")
@click.option("--examiner", type=click.Choice(["offline", "llm"]), help="Who judges.")
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
    examiner: ExaminerKind | None,
    model: str | None,
    rubrics: str,
    as_json: bool,
) -> None:
    """Judge the answers of a finished session again.

    The result is kept beside the session's own grades, which stay as they are.
    """
    from interviewer.composition import make_examiner, open_store
    from interviewer.interview.replay import load

    if model and examiner == "offline":
        raise click.UsageError("--model names a model, and the offline examiner uses none.")
    if model:
        settings, examiner = replace(settings, model=model), "llm"
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
    return {name: entries[name].rubric for name in replay.rubrics if name in entries}


async def _regraded(
    store: Store, replay: Replay, examiner: Examiner, rubrics: dict[str, Rubric] | None
) -> Regrade:
    """The regrade; its model calls are logged with the session whatever comes of it."""
    from interviewer.interview.journal import Journal
    from interviewer.interview.regrade import regrade

    try:
        with click.progressbar(
            length=1, file=sys.stderr, hidden=not sys.stderr.isatty(), show_pos=True
        ) as bar:

            def advance(done: int, looks: int) -> None:
                bar.length = looks
                bar.update(done - bar.pos)

            return await regrade(replay, examiner, rubrics, advance)
    finally:
        await Journal(store, replay.session.id).log_calls(examiner.drain_calls())
        await examiner.aclose()


def _stored(store: Store, session_id: str, regraded: Regrade) -> int:
    from interviewer.interview.journal import utc_now
    from interviewer.interview.regrade import as_json

    return store.regrades.add(
        session_id,
        at=utc_now(),
        examiner=regraded.examiner,
        version=regraded.version,
        grades=as_json(regraded),
    )


def _tell(replay: Replay, regraded: Regrade, number: int, *, as_json: bool) -> None:
    from interviewer.interview.regrade import original

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
    from interviewer.interview.replay import load

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
    from interviewer.interview.regrade import from_record, original

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
    from interviewer.interview.comparison import compare
    from interviewer.report.changes import changes_json

    return changes_json(before, after, compare(before, after))


def _say_comparison(before: Sequence[GradedQuestion], after: Sequence[GradedQuestion]) -> None:
    from interviewer.interview.comparison import compare
    from interviewer.report.changes import change_lines

    for line in change_lines(before, after, compare(before, after)):
        say(line)
