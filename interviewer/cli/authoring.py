"""Commands that write content files: new, copy, import, draft, answer."""

from __future__ import annotations

import asyncio
import shlex
import sys
from contextlib import aclosing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interviewer import composition
from interviewer.cli.console import (
    complain,
    json_option,
    library_of,
    pass_settings,
    say,
    say_json,
    say_problem,
    say_table,
    text_from,
)
from interviewer.content.kinds import PLANS, RUBRICS, Kind
from interviewer.errors import InterviewerError, RubricFileError, SettingsError
from interviewer.plural import pluralize

if TYPE_CHECKING:
    from pydantic import BaseModel

    from interviewer.examiner.llm.draft import Drafted, Wanted
    from interviewer.rubric.importing import Outcome
    from interviewer.rubric.library import Library
    from interviewer.settings import Settings

LARGEST_NOTES = 48 * 1024
"""Bytes: some twelve thousand tokens, which fits most models. One question needs far less."""
REASONS = 20
"""How many skipped lines are listed one by one; --json has them all."""
_EDIT = ("edit the file", "an editor with YAML support completes the fields")


def _own_folder(settings: Settings, kind: Kind) -> Path:
    """Where a person's own files of this kind go."""
    return composition.own_folders(settings, kind)[0]


def _require_free(library: Library, rubric_id: str) -> None:
    """Refuse an id that is taken; raises RubricFileError."""
    from interviewer.rubric.own import about_id

    if about_id(library, rubric_id):
        raise RubricFileError(
            f"{rubric_id} is the id of a shipped rubric; to change that one, use "
            f"'interviewer rubrics copy {rubric_id} {rubric_id}', or choose another id."
        )


def _lint_step(kind: Kind, path: Path) -> tuple[str, str]:
    """The command that checks a file or folder, and what it is for."""
    return f"interviewer {kind.group} lint {shlex.quote(str(path))}", "points out what is wrong"


def _grade_step(rubric_id: str) -> tuple[str, str]:
    """The command that grades an answer, and what it is for."""
    return f"interviewer grade {rubric_id}", "shows how an answer scores"


def _say_next(*steps: tuple[str, str]) -> None:
    """Commands and what they do, on stderr: stdout carries the path alone, for scripts."""
    width = max(len(command) for command, _ in steps)
    complain("Next:")
    for command, what in steps:
        complain(f"  {command.ljust(width)}  {what}")


@click.command("new", short_help="Write a commented starter for a rubric.")
@click.argument("rubric_id", metavar="ID")
@pass_settings
def new_rubric(settings: Settings, rubric_id: str) -> None:
    """Write a commented starter for a rubric of your own and print its path.

    The starter holds a small question that can be asked at once; replace it with yours. Existing
    files are never overwritten.
    """
    from interviewer.rubric.rubric import Rubric

    _require_free(composition.load_library(settings), rubric_id)
    path = _write_starter(settings, RUBRICS, Rubric, rubric_id)
    _say_next(_EDIT, _lint_step(RUBRICS, path), _grade_step(rubric_id))


@click.command("new", short_help="Write a commented starter for a plan.")
@click.argument("plan_id", metavar="ID")
@pass_settings
def new_plan(settings: Settings, plan_id: str) -> None:
    """Write a commented starter for a plan of your own and print its path.

    The starter can be used at once; replace its rounds with yours. Existing files are never
    overwritten.
    """
    from interviewer.content.scaffold import require_slug
    from interviewer.interview.plans import Plan

    require_slug(plan_id, "an id")
    if there := composition.load_plans(settings).entries.get(plan_id):
        raise RubricFileError(
            f"{plan_id} is the id of {there.path} already; edit or copy that file, or choose "
            "another id."
        )
    path = _write_starter(settings, PLANS, Plan, plan_id)
    use = (f"interviewer run --plan {plan_id}", "starts the interview")
    _say_next(_EDIT, _lint_step(PLANS, path), use)


def _write_starter(settings: Settings, kind: Kind, model: type[BaseModel], name: str) -> Path:
    from interviewer.content.files import require_new, write_new
    from interviewer.content.scaffold import schema_beside, schema_text, starter_text

    folder = _own_folder(settings, kind)
    path = folder / f"{name}.yaml"
    require_new(path)
    schema = schema_beside(folder, kind, schema_text(model))
    write_new(path, starter_text(kind, name, schema))
    say(str(path))
    return path


@click.command("copy", short_help="Copy a rubric into your own folder.")
@click.argument("rubric_id", metavar="ID")
@click.argument("new_id", metavar="[NEW_ID]", required=False)
@pass_settings
def copy(settings: Settings, rubric_id: str, new_id: str | None) -> None:
    """Copy a rubric into your own folder and print the path of the copy.

    Without NEW_ID the copy gets a number. A copy that keeps the ID of a shipped rubric replaces it:
    you are asked your version from then on. Existing files are never overwritten.
    """
    from interviewer.rubric.own import copy_rubric, unused_id

    library = composition.load_library(settings)
    chosen = new_id or unused_id(library, rubric_id)
    path = copy_rubric(library, rubric_id, chosen, _own_folder(settings, RUBRICS))
    say(str(path))
    if chosen == rubric_id:
        complain(f"It replaces the shipped {rubric_id}; delete it to have that one back.")
    _say_next(_EDIT, _lint_step(RUBRICS, path))


@click.command("import")
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--preview", is_flag=True, help="Show what would be imported, and write nothing.")
@json_option
@pass_settings
def import_list(settings: Settings, path: Path, preview: bool, as_json: bool) -> None:
    """Make a rubric of every question in a list.

    FILE is a table (.csv, .tsv) with the columns question and, where you have them, answer, topic,
    difficulty and id; JSON (.json, .jsonl) with the same fields; Markdown (.md) with the questions
    as headings, items, bold lines, "Q:" lines, <summary>, callouts or a table, and the answers
    below; an Org file (.org); numbered plain text or Anki's text export (.txt).

    Each point of an answer becomes a criterion, so that a question can be asked at once;
    'rubrics lint' then lists what is missing. Questions you already have are left alone, so a list
    that has grown can be imported again.
    """
    folder = _own_folder(settings, RUBRICS)
    outcome = _imported(settings, path, folder, write=not preview)
    if as_json:
        say_json(_outcome_values(outcome))
    if outcome.encoding:
        complain(f"Read as {outcome.encoding}, since it is not UTF-8; check a few of its letters.")
    for each in outcome.skipped[:REASONS]:
        complain(f"Skipped: line {each.line} {each.why}.")
    if len(outcome.skipped) > REASONS:
        complain(f"Skipped: {len(outcome.skipped) - REASONS} more; --json lists them all.")
    if not outcome.written and not outcome.duplicates:
        raise click.ClickException(f"No question of {path} could be imported.")
    if as_json:
        return
    if preview:
        rows = [(str(q.line), str(q.points or "-"), q.question) for q in outcome.written]
        say_table([("LINE", "POINTS", "QUESTION"), *rows])
        say(f"{_summary(outcome, 'would be imported')} Nothing was written.")
    else:
        say(_summary(outcome, f"imported into {folder}"))
    if outcome.written and not preview:
        _say_next(_lint_step(RUBRICS, folder), _grade_step(outcome.written[0].id))


def _imported(settings: Settings, path: Path, folder: Path, *, write: bool) -> Outcome:
    """Read the list and write its rubrics, with a progress bar if stderr is a terminal."""
    from interviewer.rubric.importing import import_questions, read_list

    listed = read_list(path)
    there = composition.load_library(settings).models()
    hidden = not (write and sys.stderr.isatty())
    with click.progressbar(listed.items, file=sys.stderr, hidden=hidden) as bar:
        return import_questions(
            bar, there, folder, path.name, write=write, encoding=listed.encoding
        )


def _summary(outcome: Outcome, done: str) -> str:
    parts = [f"{pluralize(len(outcome.written), 'question').capitalize()} {done}"]
    if outcome.duplicates:
        parts.append(f"{len(outcome.duplicates)} already there")
    if outcome.skipped:
        parts.append(f"{pluralize(len(outcome.skipped), 'line')} skipped")
    if bare := sum(not each.points for each in outcome.written):
        parts.append(f"{bare} without an answer to make points of")
    return ", ".join(parts) + "."


def _outcome_values(outcome: Outcome) -> dict[str, object]:
    return {
        "written": [asdict(each) | {"path": str(each.path)} for each in outcome.written],
        "duplicates": [{"line": q.line, "question": q.question} for q in outcome.duplicates],
        "skipped": [{"line": each.line, "why": each.why} for each in outcome.skipped],
        "encoding": outcome.encoding or "utf-8",
    }


@click.command(short_help="Let a model propose a rubric from notes.")
@click.option(
    "--from",
    "notes_file",
    metavar="NOTES",
    required=True,
    type=click.Path(path_type=Path),
    help="Your notes on one subject, as text or Markdown.",
)
@pass_settings
def draft(settings: Settings, notes_file: Path) -> None:
    """Let the configured model propose a rubric from your notes.

    What it proposes is a draft: check every fact. The model sees only the notes and writes no id,
    file name or pattern. The draft is linted at once.
    """
    from interviewer.content.files import require_new
    from interviewer.content.scaffold import slug_of
    from interviewer.examiner.llm.draft import Wanted
    from interviewer.rubric.importing import OWN

    notes = _notes(notes_file)
    rubric_id = slug_of(notes_file.stem, otherwise="draft")
    path = _own_folder(settings, RUBRICS) / f"{rubric_id}.yaml"
    _require_free(composition.load_library(settings), rubric_id)
    require_new(path)
    wanted = Wanted(rubric_id, OWN, OWN)
    _write_draft(path, _drafted(settings, notes, wanted, str(notes_file)), notes_file)
    say(str(path))
    _report_lint(path)
    _say_next(
        ("edit the file", "its comments say what to check"),
        _lint_step(RUBRICS, path),
        _grade_step(rubric_id),
    )


def _notes(path: Path) -> str:
    from interviewer.content.files import text_of

    notes = text_of(path, largest=LARGEST_NOTES)
    if "\0" in notes:
        raise RubricFileError(f"{path} is not a text file; save the notes as text.")
    if not notes.strip():
        raise RubricFileError(f"{path} is empty; write down what a good answer would contain.")
    return notes


def _drafted(settings: Settings, notes: str, wanted: Wanted, source: str) -> Drafted:
    """What the configured model drafts from notes, which were found in a source.

    Raises SettingsError without a model, ExaminerError, and InterviewerError at Ctrl+C.
    """
    from interviewer.examiner.llm.client import ChatClient
    from interviewer.examiner.llm.draft import draft_rubric
    from interviewer.examiner.llm.endpoint import endpoint_of

    if not settings.endpoint_configured:
        raise SettingsError(
            "A draft needs a model, and none is configured: set OPENAI_API_KEY, or OPENAI_BASE_URL "
            "for a server of your own. 'interviewer rubrics new' and 'interviewer rubrics import' "
            "write rubrics without one."
        )
    endpoint = endpoint_of(settings)

    async def ask() -> Drafted:
        async with aclosing(ChatClient(endpoint)) as client:
            client.on_retry = lambda retrying: complain(retrying.reason)
            return await draft_rubric(client, notes, wanted)

    complain(f"{endpoint.model} at {endpoint.route} drafts a rubric from {source} …")
    try:
        return asyncio.run(ask())
    except KeyboardInterrupt:
        raise InterviewerError(
            "Stopped before the draft was complete; nothing was written."
        ) from None


def _write_draft(path: Path, drafted: Drafted, source: Path) -> None:
    """Write the draft; raises ExaminerError if the model's reply makes no rubric."""
    from interviewer.content.files import rendered, write_new
    from interviewer.content.scaffold import schema_beside, schema_text
    from interviewer.rubric.rubric import Rubric

    rubric = drafted.usable(path)
    schema = schema_beside(path.parent, RUBRICS, schema_text(Rubric))
    text = rendered(
        rubric,
        heading=[
            f"yaml-language-server: $schema={schema}",
            f"Drafted by {drafted.model} from {source.name}: check every fact.",
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
    write_new(path, text)


def _report_lint(path: Path) -> None:
    from interviewer.rubric.lint import lint_paths

    _, problems = lint_paths([path])
    for problem in problems:
        say_problem(problem)
    to_fix = pluralize(len(problems), "problem")
    complain(f"{to_fix} to fix; check every fact of the draft as well.")


@click.command(short_help="Write the answer to a question that has none.")
@click.argument("rubric_id", metavar="ID")
@click.option(
    "--from",
    "source",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Read the answer from a text file instead of stdin.",
)
@click.option("--draft", "by_model", is_flag=True, help="Let the configured model propose it.")
@pass_settings
def answer(settings: Settings, rubric_id: str, source: Path | None, by_model: bool) -> None:
    """Write the answer to one of your questions that has none, and what it is graded by.

    Lists often ask without answering. Give what a very good answer says, on stdin or in a file, and
    each point of it becomes a criterion; or let the model propose answer and criteria, and check
    every fact of it. An answer that is there already is left alone.
    """
    from interviewer.examiner.llm.draft import Wanted
    from interviewer.rubric.importing import answered, unanswered
    from interviewer.rubric.own import put_answer

    if by_model and source:
        raise click.UsageError("--draft and --from cannot be combined.")
    entry = unanswered(library_of(settings), rubric_id)
    rubric = entry.model
    if by_model:
        wanted = Wanted.for_answer(rubric)
        drafted = _drafted(settings, "", wanted, f"the question {rubric.id}")
        values = drafted.answers(rubric, entry.path)
    else:
        if source is None and sys.stdin.isatty():
            complain(rubric.question)
        values = answered(rubric, text_from(source, "answer of a very good candidate"))
    put_answer(entry.path, values)
    say(str(entry.path))
    _say_next(_lint_step(RUBRICS, entry.path), _grade_step(rubric_id))
