"""Commands that write rubrics: copy, import."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interviewer import composition
from interviewer.cli.console import (
    complain,
    json_option,
    pass_settings,
    say,
    say_json,
    say_table,
)
from interviewer.cli.content import say_written
from interviewer.content.kinds import RUBRICS
from interviewer.plural import pluralize

if TYPE_CHECKING:
    from interviewer.rubric.importing import Outcome
    from interviewer.settings import Settings

REASONS = 20
"""How many skipped lines are listed one by one; --json has them all."""


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
    path = copy_rubric(library, rubric_id, chosen, composition.own_folders(settings, RUBRICS)[0])
    say_written(RUBRICS, path)
    if chosen == rubric_id:
        complain(f"It replaces the shipped {rubric_id}; delete it to have that one back.")


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
    folder = composition.own_folders(settings, RUBRICS)[0]
    outcome = _imported(settings, path, folder, write=not preview)
    if as_json:
        say_json(
            {
                "written": [asdict(each) | {"path": str(each.path)} for each in outcome.written],
                "duplicates": [
                    {"line": q.line, "question": q.question} for q in outcome.duplicates
                ],
                "skipped": [{"line": each.line, "why": each.why} for each in outcome.skipped],
                "encoding": outcome.encoding or "utf-8",
            }
        )
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
        complain("'interviewer rubrics lint' says what they lack.")


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
