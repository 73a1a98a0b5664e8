"""Commands that write content files: new, import, draft."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.console import complain, counted, json_option, pass_settings, say, say_json
from interviewer.errors import ExaminerError, InterviewerError, RubricFileError, SettingsError

if TYPE_CHECKING:
    from interviewer.examiner.llm.draft import Drafted, Wanted
    from interviewer.examiner.llm.endpoint import Endpoint
    from interviewer.rubric.importing.importing import Outcome
    from interviewer.rubric.importing.question_lists import Skipped
    from interviewer.rubric.library import Library
    from interviewer.settings import Settings


to_option = click.option(
    "--to",
    "to_folder",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Write there; your own folder unless told otherwise.",
)
round_option = click.option(
    "--round", "round_id", metavar="R", default="own", show_default=True, help="Its round."
)
topic_option = click.option("--topic", metavar="T", help="Its topic; the round's name if left out.")


def is_read(folder: Path, folders: Iterable[Path]) -> bool:
    """Files in the folder are among those found below one of the folders."""
    return any(folder.resolve().is_relative_to(each.resolve()) for each in folders)


def library_with(settings: Settings, folder: Path) -> Library:
    """The rubrics in use and those of the folder, whether it is in use or not."""
    from interviewer.composition import load_library, own_rubric_folders

    further = () if is_read(folder, own_rubric_folders(settings)) else (folder,)
    return load_library(settings, *further)


def rubrics_command(settings: Settings, folder: Path) -> str:
    """How a command begins that finds the rubrics of the folder."""
    from interviewer.composition import own_rubric_folders

    if is_read(folder, own_rubric_folders(settings)):
        return "interviewer"
    return f"interviewer --rubrics {shlex.quote(str(folder))}"


def require_free(library: Library, rubric_id: str, folder: Path) -> None:
    """Refuse the id of a rubric that is there; raises RubricFileError."""
    there = library.entries.get(rubric_id)
    if there is None:
        return
    if there.origin == "yours":
        raise RubricFileError(
            f"{rubric_id} is the id of {there.path} already; edit that file, or choose another id."
        )
    raise RubricFileError(
        f"{rubric_id} is the id of a shipped rubric; to change it copy {there.path} into {folder}, "
        "or choose another id."
    )


def title_of(name: str) -> str:
    """The words of an id as a title."""
    words = name.replace("-", " ")
    return words[:1].upper() + words[1:]


def tell_next(steps: Sequence[tuple[str, str]]) -> None:
    """Commands and what they do, on stderr: stdout is left to the path for use in a script."""
    width = max(len(command) for command, _ in steps)
    complain("Next:")
    for command, what in steps:
        complain(f"  {command.ljust(width)}  {what}")


@click.command("new", short_help="Write a commented starter for a rubric.")
@click.argument("rubric_id", metavar="ID")
@round_option
@topic_option
@click.option("--title", metavar="TEXT", help="Its title; the words of the ID if left out.")
@to_option
@pass_settings
def new_rubric(
    settings: Settings,
    rubric_id: str,
    round_id: str,
    topic: str | None,
    title: str | None,
    to_folder: Path | None,
) -> None:
    """Write a commented starter for a rubric of your own, and print its path.

    The starter holds a small question that can be asked at once; put yours in its place. A file
    that is there is never written over.
    """
    from interviewer.composition import own_rubric_folders
    from interviewer.content.files import require_new, schema_beside, without_control, write_new
    from interviewer.rubric.scaffold import (
        RUBRIC_SCHEMA,
        require_slug,
        rubric_schema_text,
        rubric_starter,
    )

    require_slug(rubric_id, "an id")
    require_slug(round_id, "a round")
    folder = to_folder or own_rubric_folders(settings)[0]
    require_free(library_with(settings, folder), rubric_id, folder)
    path = folder / f"{rubric_id}.yaml"
    require_new(path)
    text = rubric_starter(
        rubric_id,
        title=without_control(title or "").strip() or title_of(rubric_id),
        round_id=round_id,
        topic=require_slug(topic or round_id, "a topic"),
        schema=schema_beside(folder, RUBRIC_SCHEMA, rubric_schema_text()),
    )
    write_new(path, text)
    say(str(path))
    _tell_next(path, rubric_id, rubrics_command(settings, folder))


def _tell_next(path: Path, rubric_id: str, command: str) -> None:
    tell_next(
        [
            ("edit the file", "an editor with YAML support completes the fields"),
            (f"interviewer rubrics lint {shlex.quote(str(path))}", "says what does not hold"),
            (f"{command} grade {rubric_id}", "shows what an answer gets"),
        ]
    )


@click.command("new", short_help="Write a commented starter for a plan.")
@click.argument("plan_id", metavar="ID")
@click.option("--title", metavar="TEXT", help="Its title; the words of the ID if left out.")
@to_option
@pass_settings
def new_plan(settings: Settings, plan_id: str, title: str | None, to_folder: Path | None) -> None:
    """Write a commented starter for a plan of your own, and print its path.

    The starter can be held at once; put your rounds in its place. A file that is there is never
    written over.
    """
    from interviewer.composition import load_plans, own_plan_folders
    from interviewer.content.files import require_new, schema_beside, without_control, write_new
    from interviewer.interview.plans import PLAN_SCHEMA, plan_schema_text, plan_starter
    from interviewer.rubric.scaffold import require_slug

    require_slug(plan_id, "an id")
    folders = own_plan_folders(settings)
    folder = to_folder or folders[0]
    if there := load_plans(settings).entries.get(plan_id):
        raise RubricFileError(
            f"{plan_id} is the id of {there.path} already; edit or copy that file, or choose "
            "another id."
        )
    path = folder / f"{plan_id}.yaml"
    require_new(path)
    text = plan_starter(
        plan_id,
        title=without_control(title or "").strip() or title_of(plan_id),
        schema=schema_beside(folder, PLAN_SCHEMA, plan_schema_text()),
    )
    write_new(path, text)
    say(str(path))
    use = (f"interviewer run --plan {plan_id}", "holds it")
    if not is_read(folder, folders):
        use = (f"move it to {folders[0]}", "plans in use are there")
    tell_next(
        [
            ("edit the file", "an editor with YAML support completes the fields"),
            (f"interviewer plans lint {shlex.quote(str(path))}", "says what does not hold"),
            use,
        ]
    )


REASONS = 20
"""So many skipped lines are told one by one; --json has them all."""


@click.command("import")
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@to_option
@round_option
@topic_option
@json_option
@pass_settings
def import_list(
    settings: Settings,
    path: Path,
    to_folder: Path | None,
    round_id: str,
    topic: str | None,
    as_json: bool,
) -> None:
    """Make a rubric of every question in a list.

    FILE is a table (.csv, .tsv) with the columns question and, where you have them, answer, topic,
    difficulty and id; Markdown (.md) with the questions as headings or numbered items and the
    answers below; or Anki's text export (.txt).

    Each sentence of an answer becomes a criterion, so that a question can be asked at once;
    'rubrics lint' then tells what it lacks. A question that is there already is left alone.
    """
    from interviewer.composition import own_rubric_folders
    from interviewer.rubric.scaffold import require_slug

    require_slug(round_id, "a round")
    require_slug(topic or round_id, "a topic")
    folder = to_folder or own_rubric_folders(settings)[0]
    outcome = _imported(settings, path, folder, round_id, topic or round_id)
    if as_json:
        say_json(_as_json_value(outcome))
    _complain_of(outcome.skipped)
    if not outcome.written and not outcome.duplicates:
        raise click.ClickException(f"No question of {path} could be imported.")
    if not as_json:
        say(_summary(outcome, folder))
        if outcome.written:
            _import_list_tell_next(settings, folder, outcome)


def _imported(settings: Settings, path: Path, folder: Path, round_id: str, topic: str) -> Outcome:
    """Read the list and write its rubrics, with a bar on stderr where that is a terminal."""
    from interviewer.content.files import schema_beside
    from interviewer.rubric.importing.importing import Destination, import_questions
    from interviewer.rubric.importing.question_lists import read_list
    from interviewer.rubric.scaffold import RUBRIC_SCHEMA, rubric_schema_text

    items = read_list(path)
    there = library_with(settings, folder).rubrics()
    schema = schema_beside(folder, RUBRIC_SCHEMA, rubric_schema_text())
    to = Destination(folder, schema, path.name, round_id, topic)
    with click.progressbar(items, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        return import_questions(bar, there, to)


def _summary(outcome: Outcome, folder: Path) -> str:
    parts = [f"{counted(len(outcome.written), 'question')} imported into {folder}"]
    if outcome.duplicates:
        parts.append(f"{len(outcome.duplicates)} there already")
    if outcome.skipped:
        parts.append(f"{counted(len(outcome.skipped), 'line')} skipped")
    return ", ".join(parts) + "."


def _complain_of(skipped: list[Skipped]) -> None:
    for each in skipped[:REASONS]:
        complain(f"Skipped: line {each.line} {each.why}.")
    if len(skipped) > REASONS:
        complain(f"Skipped: {len(skipped) - REASONS} more; --json tells them all.")


def _import_list_tell_next(settings: Settings, folder: Path, outcome: Outcome) -> None:
    first = outcome.written[0].id
    command = rubrics_command(settings, folder)
    tell_next(
        [
            (f"interviewer rubrics lint {shlex.quote(str(folder))}", "says what each still lacks"),
            (f"{command} grade {first}", "shows what an answer gets"),
        ]
    )


def _as_json_value(outcome: Outcome) -> dict[str, object]:
    return {
        "written": [
            {"line": each.line, "id": each.id, "path": str(each.path)} for each in outcome.written
        ],
        "duplicates": [
            {"line": each.line, "question": each.question} for each in outcome.duplicates
        ],
        "skipped": [{"line": each.line, "why": each.why} for each in outcome.skipped],
    }


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
    from interviewer.content.files import require_new
    from interviewer.examiner.llm.draft import Wanted
    from interviewer.rubric.scaffold import require_slug, slug_of

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
    from interviewer.examiner.llm.endpoint import endpoint_of

    if not settings.endpoint_configured:
        raise SettingsError(
            "A draft needs a model, and none is configured: set OPENAI_API_KEY, or OPENAI_BASE_URL "
            "for a server of your own. 'interviewer rubrics new' and 'interviewer rubrics import' "
            "write rubrics without one."
        )
    return endpoint_of(settings)


def _notes(path: Path) -> str:
    from interviewer.content.files import text_of

    notes = text_of(path, largest=LARGEST_NOTES)
    if "\0" in notes:
        raise RubricFileError(f"{path} is no text file; save the notes as text.")
    if not notes.strip():
        raise RubricFileError(f"{path} is empty; write down what a good answer would hold.")
    return notes


async def _ask(endpoint: Endpoint, notes: str, wanted: Wanted, source: Path) -> Drafted:
    from interviewer.examiner.llm.client import ChatClient
    from interviewer.examiner.llm.draft import draft_rubric

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
    from interviewer.content.files import keep_text, schema_beside, write_new
    from interviewer.rubric.scaffold import RUBRIC_SCHEMA, rubric_schema_text

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
    from interviewer.content.files import rendered

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
