"""Commands that write content files: new, import, draft."""

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

from interviewer.cli.console import (
    complain,
    json_option,
    pass_settings,
    say,
    say_json,
    say_problem,
    say_table,
)
from interviewer.content.kinds import PLANS, RUBRICS, Kind
from interviewer.errors import InterviewerError, RubricFileError, SettingsError
from interviewer.plural import pluralize

if TYPE_CHECKING:
    from pydantic import BaseModel

    from interviewer.examiner.llm.draft import Drafted, Wanted
    from interviewer.examiner.llm.endpoint import Endpoint
    from interviewer.rubric.importing import Outcome
    from interviewer.rubric.library import Library
    from interviewer.rubric.question_lists import Skipped
    from interviewer.settings import Settings


to_option = click.option(
    "--to",
    "to_folder",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Where to write; by default your own folder.",
)
round_option = click.option(
    "--round", "round_id", metavar="R", default="own", show_default=True, help="Its round."
)
topic_option = click.option("--topic", metavar="T", help="Its topic; by default the round's name.")


EDIT = "edit the file"


def own_folder(settings: Settings, kind: Kind) -> Path:
    """Where a person's own files of this kind go."""
    from interviewer.composition import own_folders

    return own_folders(settings, kind)[0]


def is_read(settings: Settings, kind: Kind, folder: Path) -> bool:
    """Whether files in the folder are found among those in use."""
    from interviewer.composition import own_folders

    in_use = own_folders(settings, kind)
    return any(folder.resolve().is_relative_to(each.resolve()) for each in in_use)


def library_with(settings: Settings, folder: Path) -> Library:
    """The rubrics in use and those of the folder, whether it is in use or not."""
    from interviewer.composition import load_library

    return load_library(settings, *(() if is_read(settings, RUBRICS, folder) else (folder,)))


def require_free(library: Library, rubric_id: str) -> None:
    """Refuse an id that is taken; raises RubricFileError."""
    from interviewer.rubric.own import about_id

    if about_id(library, rubric_id):
        raise RubricFileError(
            f"{rubric_id} is the id of a shipped rubric; to change that one, use "
            f"'interviewer rubrics copy {rubric_id} {rubric_id}', or choose another id."
        )


def lint_step(kind: Kind, path: Path) -> tuple[str, str]:
    """The command that checks a file or folder, and what it is for."""
    return f"interviewer {kind.group} lint {shlex.quote(str(path))}", "points out what is wrong"


def grade_step(settings: Settings, folder: Path, rubric_id: str) -> tuple[str, str]:
    """The command that grades an answer to a rubric in this folder, and what it is for."""
    return (
        f"interviewer{_reading(settings, folder)} grade {rubric_id}",
        "shows how an answer scores",
    )


def _reading(settings: Settings, folder: Path) -> str:
    """The option that makes a command read the folder, "" if it does anyway."""
    if is_read(settings, RUBRICS, folder):
        return ""
    return f" --rubrics {shlex.quote(str(folder))}"


def say_next(*steps: tuple[str, str]) -> None:
    """Commands and what they do, on stderr: stdout carries the path alone, for scripts."""
    width = max(len(command) for command, _ in steps)
    complain("Next:")
    for command, what in steps:
        complain(f"  {command.ljust(width)}  {what}")


@click.command("new", short_help="Write a commented starter for a rubric.")
@click.argument("rubric_id", metavar="ID")
@round_option
@topic_option
@click.option("--title", metavar="TEXT", help="Its title; by default the words of the ID.")
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
    """Write a commented starter for a rubric of your own and print its path.

    The starter holds a small question that can be asked at once; replace it with yours. Existing
    files are never overwritten.
    """
    from interviewer.content.scaffold import require_slug
    from interviewer.rubric.rubric import Rubric

    require_slug(rubric_id, "an id")
    require_slug(round_id, "a round")
    require_slug(topic or round_id, "a topic")
    folder = to_folder or own_folder(settings, RUBRICS)
    require_free(library_with(settings, folder), rubric_id)
    path = _write_starter(
        RUBRICS, Rubric, folder, rubric_id, title, round=round_id, topic=topic or round_id
    )
    say_next(
        (EDIT, "an editor with YAML support completes the fields"),
        lint_step(RUBRICS, path),
        grade_step(settings, folder, rubric_id),
    )


@click.command("new", short_help="Write a commented starter for a plan.")
@click.argument("plan_id", metavar="ID")
@click.option("--title", metavar="TEXT", help="Its title; by default the words of the ID.")
@to_option
@pass_settings
def new_plan(settings: Settings, plan_id: str, title: str | None, to_folder: Path | None) -> None:
    """Write a commented starter for a plan of your own and print its path.

    The starter can be used at once; replace its rounds with yours. Existing files are never
    overwritten.
    """
    from interviewer.composition import load_plans
    from interviewer.content.scaffold import require_slug
    from interviewer.interview.plans import Plan

    require_slug(plan_id, "an id")
    folder = to_folder or own_folder(settings, PLANS)
    if there := load_plans(settings).entries.get(plan_id):
        raise RubricFileError(
            f"{plan_id} is the id of {there.path} already; edit or copy that file, or choose "
            "another id."
        )
    path = _write_starter(PLANS, Plan, folder, plan_id, title)
    use = (f"interviewer run --plan {plan_id}", "starts the interview")
    if not is_read(settings, PLANS, folder):
        use = (f"move it to {own_folder(settings, PLANS)}", "plans in use are there")
    say_next(
        (EDIT, "an editor with YAML support completes the fields"), lint_step(PLANS, path), use
    )


def _write_starter(
    kind: Kind, model: type[BaseModel], folder: Path, name: str, title: str | None, **fields: str
) -> Path:
    from interviewer.content.files import require_new, without_control, write_new
    from interviewer.content.scaffold import schema_beside, schema_text, starter_text

    path = folder / f"{name}.yaml"
    require_new(path)
    words = name.replace("-", " ")
    title = without_control(title or "").strip() or words[:1].upper() + words[1:]
    schema = schema_beside(folder, kind, schema_text(model))
    write_new(path, starter_text(kind, schema=schema, id=name, title=title, **fields))
    say(str(path))
    return path


@click.command("copy", short_help="Copy a rubric into your own folder.")
@click.argument("rubric_id", metavar="ID")
@click.argument("new_id", metavar="[NEW_ID]", required=False)
@to_option
@pass_settings
def copy(settings: Settings, rubric_id: str, new_id: str | None, to_folder: Path | None) -> None:
    """Copy a rubric into your own folder and print the path of the copy.

    Without NEW_ID the copy gets a number. A copy that keeps the ID of a shipped rubric replaces it:
    you are asked your version from then on. Existing files are never overwritten.
    """
    from interviewer.rubric.own import copy_rubric, unused_id

    folder = to_folder or own_folder(settings, RUBRICS)
    library = library_with(settings, folder)
    chosen = new_id or unused_id(library, rubric_id)
    path = copy_rubric(library, rubric_id, chosen, folder)
    say(str(path))
    if chosen == rubric_id:
        complain(f"It replaces the shipped {rubric_id}; delete it to have that one back.")
    say_next((EDIT, "it is yours now"), lint_step(RUBRICS, path))


REASONS = 20
"""How many skipped lines are listed one by one; --json has them all."""


@click.command("import")
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@to_option
@round_option
@topic_option
@click.option("--preview", is_flag=True, help="Show what would be imported, and write nothing.")
@json_option
@pass_settings
def import_list(
    settings: Settings,
    path: Path,
    to_folder: Path | None,
    round_id: str,
    topic: str | None,
    preview: bool,
    as_json: bool,
) -> None:
    """Make a rubric of every question in a list.

    FILE is a table (.csv, .tsv) with the columns question and, where you have them, answer, topic,
    difficulty and id; JSON (.json, .jsonl) with the same fields; Markdown (.md) with the questions
    as headings, items, bold lines, "Q:" lines, <summary> or a table, and the answers below; or
    Anki's text export (.txt).

    Each point of an answer becomes a criterion, so that a question can be asked at once;
    'rubrics lint' then lists what is missing. Questions you already have are left alone, so a list
    that has grown can be imported again.
    """
    from interviewer.content.scaffold import require_slug

    require_slug(round_id, "a round")
    require_slug(topic or round_id, "a topic")
    folder = to_folder or own_folder(settings, RUBRICS)
    outcome = _imported(settings, path, folder, (round_id, topic or round_id), preview=preview)
    if as_json:
        say_json(_as_json_value(outcome))
    _complain_of(outcome.skipped)
    if not outcome.written and not outcome.duplicates:
        raise click.ClickException(f"No question of {path} could be imported.")
    if preview and not as_json:
        _say_preview(outcome)
    elif not as_json:
        say(_summary(outcome, folder))
        if outcome.written:
            first = outcome.written[0].id
            say_next(
                lint_step(RUBRICS, folder),
                grade_step(settings, folder, first),
            )


def _imported(
    settings: Settings, path: Path, folder: Path, place: tuple[str, str], *, preview: bool
) -> Outcome:
    """Read the list and write its rubrics, with a progress bar if stderr is a terminal.

    ``place`` is their round and topic. A preview writes nothing.
    """
    from interviewer.rubric.importing import destination, import_questions, read_list

    items = read_list(path)
    there = library_with(settings, folder).models()
    to = destination(folder, path.name, *place, write=not preview)
    hidden = preview or not sys.stderr.isatty()
    with click.progressbar(items, file=sys.stderr, hidden=hidden) as bar:
        return import_questions(bar, there, to, write=not preview)


def _say_preview(outcome: Outcome) -> None:
    rows = [[str(each.line), str(each.points or "-"), each.question] for each in outcome.written]
    say_table([["LINE", "POINTS", "QUESTION"], *rows])
    parts = [f"{pluralize(len(rows), 'question').capitalize()} would be imported"]
    if outcome.duplicates:
        parts.append(f"{len(outcome.duplicates)} already there")
    bare = sum(not each.points for each in outcome.written)
    if bare:
        parts.append(f"{bare} without an answer to make points of")
    say(f"{', '.join(parts)}. Nothing was written.")


def _summary(outcome: Outcome, folder: Path) -> str:
    parts = [f"{pluralize(len(outcome.written), 'question').capitalize()} imported into {folder}"]
    if outcome.duplicates:
        parts.append(f"{len(outcome.duplicates)} already there")
    if outcome.skipped:
        parts.append(f"{pluralize(len(outcome.skipped), 'line')} skipped")
    return ", ".join(parts) + "."


def _complain_of(skipped: list[Skipped]) -> None:
    for each in skipped[:REASONS]:
        complain(f"Skipped: line {each.line} {each.why}.")
    if len(skipped) > REASONS:
        complain(f"Skipped: {len(skipped) - REASONS} more; --json lists them all.")


def _as_json_value(outcome: Outcome) -> dict[str, object]:
    return {
        "written": [
            {
                "line": each.line,
                "id": each.id,
                "path": str(each.path),
                "question": each.question,
                "points": each.points,
            }
            for each in outcome.written
        ],
        "duplicates": [
            {"line": each.line, "question": each.question} for each in outcome.duplicates
        ],
        "skipped": [{"line": each.line, "why": each.why} for each in outcome.skipped],
    }


LARGEST_NOTES = 48 * 1024
"""Bytes: some twelve thousand tokens, which fits most models. One question needs far less."""


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
    "--id", "rubric_id", metavar="ID", help="Its id; by default made from the file's name."
)
@click.option("--title", metavar="TEXT", help="Its title; by default the model's own.")
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

    What it proposes is a draft: check every fact. The model sees only the notes and writes no id,
    file name or pattern. The draft is linted at once.
    """
    from interviewer.content.files import require_new
    from interviewer.content.scaffold import require_slug, slug_of
    from interviewer.examiner.llm.draft import Wanted

    endpoint = endpoint_for_drafts(settings)
    notes = _notes(notes_file)
    wanted = Wanted(
        require_slug(rubric_id or slug_of(notes_file.stem, otherwise="draft"), "an id"),
        require_slug(round_id, "a round"),
        require_slug(topic or round_id, "a topic"),
        title,
    )
    folder = to_folder or own_folder(settings, RUBRICS)
    path = folder / f"{wanted.id}.yaml"
    require_free(library_with(settings, folder), wanted.id)
    require_new(path)
    drafted = ask_for_draft(endpoint, notes, wanted, str(notes_file))
    _write(path, drafted, notes_file)
    say(str(path))
    _report_lint(path)
    say_next(
        (EDIT, "its comments say what to check"),
        lint_step(RUBRICS, path),
        grade_step(settings, folder, wanted.id),
    )


def endpoint_for_drafts(settings: Settings) -> Endpoint:
    """The configured endpoint; raises SettingsError if there is none."""
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
        raise RubricFileError(f"{path} is not a text file; save the notes as text.")
    if not notes.strip():
        raise RubricFileError(f"{path} is empty; write down what a good answer would contain.")
    return notes


def ask_for_draft(endpoint: Endpoint, notes: str, wanted: Wanted, source: str) -> Drafted:
    """Have the model draft, with the seconds on stderr. Raises ExaminerError.

    Ctrl+C stops it with an InterviewerError.
    """
    try:
        return asyncio.run(_ask(endpoint, notes, wanted, source))
    except KeyboardInterrupt:
        raise InterviewerError(
            "Stopped before the draft was complete; nothing was written."
        ) from None


async def _ask(endpoint: Endpoint, notes: str, wanted: Wanted, source: str) -> Drafted:
    from interviewer.examiner.llm.client import ChatClient
    from interviewer.examiner.llm.draft import draft_rubric

    client = ChatClient(endpoint)
    client.on_retry = lambda retrying: complain(retrying.reason)
    complain(f"{endpoint.model} at {endpoint.route} drafts a rubric from {source} …")
    try:
        async with _clock():
            return await draft_rubric(client, notes, wanted)
    finally:
        await client.aclose()


@asynccontextmanager
async def _clock() -> AsyncIterator[None]:
    """Count the seconds on stderr if that is a terminal."""

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


def _write(path: Path, drafted: Drafted, source: Path) -> None:
    """Write the draft; raises ExaminerError if the model's reply makes no rubric."""
    from interviewer.content.files import write_new
    from interviewer.content.scaffold import schema_beside, schema_text
    from interviewer.rubric.rubric import Rubric

    rubric = drafted.usable(path)
    schema = schema_beside(path.parent, RUBRICS, schema_text(Rubric))
    write_new(path, _file_text(rubric, schema, drafted.model, source.name))


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
                "Check each claim: is it true, does it matter, is it one point? Is everything",
                "under accept right, and everything under reject not enough?",
                "Samples are yours to write: without them nothing tests the rubric. Without",
                "patterns the offline examiner only compares words.",
            ],
        },
    )


def _report_lint(path: Path) -> None:
    from interviewer.rubric.lint import lint_paths

    _, problems = lint_paths([path])
    for problem in problems:
        say_problem(problem)
    told = pluralize(len(problems), "problem")
    complain(f"{told} to fix; check every fact of the draft as well.")
