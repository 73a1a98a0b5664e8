"""``interviewer rubrics draft``: a model proposes a rubric from notes, and lint judges it."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.authoring import (
    library_with,
    require_free,
    round_option,
    rubrics_command,
    tell_next,
    to_option,
    topic_option,
)
from interviewer.cli.console import complain, counted, pass_settings, say
from interviewer.errors import ExaminerError, InterviewerError, RubricFileError, SettingsError

if TYPE_CHECKING:
    from interviewer.examiner.llm.drafting import Drafted, Wanted
    from interviewer.examiner.llm.endpoint import Endpoint
    from interviewer.settings import Settings

LARGEST_NOTES = 48 * 1024
"""Bytes: some twelve thousand tokens, which most models take. One question needs far less."""


@click.command(short_help="Let a model propose a rubric from notes.")
@click.option(
    "--from",
    "notes_file",
    metavar="NOTES",
    required=True,
    type=click.Path(path_type=Path),
    help="Your notes on one subject, as text or Markdown.",
)
@click.option(
    "--id", "rubric_id", metavar="ID", help="Its id; made of the file's name if left out."
)
@click.option("--title", metavar="TEXT", help="Its title; the model's own if left out.")
@round_option
@topic_option
@to_option
@pass_settings
def draft(
    settings: Settings,
    notes_file: Path,
    rubric_id: str | None,
    title: str | None,
    round_id: str,
    topic: str | None,
    to_folder: Path | None,
) -> None:
    """Let the configured model propose a rubric from your notes.

    What it proposes is a draft: check every fact. The model sees the notes and nothing else; ids,
    files and patterns are not its business. The draft is linted at once.
    """
    from interviewer.composition import own_rubric_folders
    from interviewer.examiner.llm.drafting import Wanted
    from interviewer.rubric.slugs import require_slug, slug_of
    from interviewer.rubric.writing import require_new

    endpoint = _endpoint(settings)
    notes = _notes(notes_file)
    wanted = Wanted(
        require_slug(rubric_id or slug_of(notes_file.stem, otherwise="draft"), "an id"),
        require_slug(round_id, "a round"),
        require_slug(topic or round_id, "a topic"),
        title,
    )
    folder = to_folder or own_rubric_folders(settings)[0]
    path = folder / f"{wanted.id}.yaml"
    require_free(library_with(settings, folder), wanted.id, folder)
    require_new(path)
    try:
        drafted = asyncio.run(_ask(endpoint, notes, wanted, notes_file))
    except KeyboardInterrupt:
        raise InterviewerError(
            "Stopped before the draft was complete; nothing was written."
        ) from None
    _write(path, drafted, endpoint, notes_file)
    say(str(path))
    _tell(settings, path)


def _endpoint(settings: Settings) -> Endpoint:
    from interviewer.composition import endpoint_of

    if not settings.endpoint_configured:
        raise SettingsError(
            "A draft needs a model, and none is configured: set OPENAI_API_KEY, or OPENAI_BASE_URL "
            "for a server of your own. 'interviewer rubrics new' and 'interviewer rubrics import' "
            "write rubrics without one."
        )
    return endpoint_of(settings)


def _notes(path: Path) -> str:
    from interviewer.rubric.files import text_of

    notes = text_of(path, largest=LARGEST_NOTES)
    if "\0" in notes:
        raise RubricFileError(f"{path} is no text file; save the notes as text.")
    if not notes.strip():
        raise RubricFileError(f"{path} is empty; write down what a good answer would hold.")
    return notes


async def _ask(endpoint: Endpoint, notes: str, wanted: Wanted, source: Path) -> Drafted:
    from interviewer.examiner.llm.client import ChatClient
    from interviewer.examiner.llm.drafting import draft_rubric

    client = ChatClient(endpoint, on_retry=lambda retrying: complain(retrying.reason))
    complain(f"{endpoint.model} at {endpoint.address} drafts a rubric from {source} …")
    try:
        async with _clock():
            return await draft_rubric(client, notes, wanted)
    finally:
        await client.aclose()


@asynccontextmanager
async def _clock() -> AsyncIterator[None]:
    """The seconds of waiting on stderr, where that is a terminal."""

    async def tick() -> None:
        begun = monotonic()
        while sys.stderr.isatty():
            await asyncio.sleep(1)
            click.echo(f"\r{monotonic() - begun:.0f} s ", err=True, nl=False)

    ticking = asyncio.create_task(tick())
    try:
        yield
    finally:
        ticking.cancel()
        with suppress(asyncio.CancelledError):
            await ticking
        if sys.stderr.isatty():
            click.echo("\r", err=True, nl=False)


def _write(path: Path, drafted: Drafted, endpoint: Endpoint, source: Path) -> None:
    """The draft as a file; raises ExaminerError where the model's words make none."""
    from interviewer.rubric.schema import RUBRIC_SCHEMA, rubric_schema_text
    from interviewer.rubric.writing import keep_text, schema_beside, write_new

    if drafted.rubric is not None:
        schema = schema_beside(path.parent, RUBRIC_SCHEMA, rubric_schema_text())
        write_new(path, _file_text(drafted.rubric, schema, endpoint.model, source.name))
        return
    told = f"The draft of {endpoint.model} cannot be used ({drafted.why})"
    if drafted.said:
        kept = keep_text(path.with_suffix(".draft.txt"), drafted.said)
        told += f"; its words are kept in {kept}"
    raise ExaminerError(f"{told}. Try again, or another model.")


def _file_text(rubric: dict[str, Any], schema: str, model: str, source: str) -> str:
    from interviewer.rubric.rendering import rendered

    return rendered(
        rubric,
        heading=[
            f"yaml-language-server: $schema={schema}",
            f"Drafted by {model} from {source}: check every fact.",
        ],
        notes={
            "question": ["Would you ask it like this?"],
            "reference": ["Check each fact and number; then put it in your own words."],
            "criteria": [
                "Check each claim: is it true, is it what matters, is it one point? Is what",
                "stands under accept right, and what stands under reject not enough?",
                "Patterns and samples are yours to write: without them the offline examiner goes",
                "by shared words, and nothing tests the rubric.",
            ],
        },
    )


def _tell(settings: Settings, path: Path) -> None:
    """What lint finds in the draft, and how to go on."""
    from interviewer.rubric.lint import lint_paths

    _, problems = lint_paths([path])
    for problem in problems:
        complain(f"{problem.severity}: {problem}")
    complain(f"{counted(len(problems), 'problem')} to mend; check every fact of the draft as well.")
    command = rubrics_command(settings, path.parent)
    tell_next(
        [
            ("edit the file", "its comments say what to check"),
            (f"interviewer rubrics lint {shlex.quote(str(path))}", "says what does not hold"),
            (f"{command} grade {path.stem}", "shows what an answer gets"),
        ]
    )
