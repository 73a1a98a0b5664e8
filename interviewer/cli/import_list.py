"""``interviewer rubrics import``: question lists from elsewhere, made into rubrics."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interviewer.cli.authoring import (
    library_with,
    round_option,
    rubrics_command,
    tell_next,
    to_option,
    topic_option,
)
from interviewer.cli.console import complain, counted, json_option, pass_settings, say, say_json

if TYPE_CHECKING:
    from interviewer.rubric.importing.importing import Outcome
    from interviewer.rubric.importing.question import Skipped
    from interviewer.settings import Settings

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
    from interviewer.rubric.slugs import require_slug

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
            _tell_next(settings, folder, outcome)


def _imported(settings: Settings, path: Path, folder: Path, round_id: str, topic: str) -> Outcome:
    """Read the list and write its rubrics, with a bar on stderr where that is a terminal."""
    from interviewer.rubric.importing.importing import Destination, import_questions
    from interviewer.rubric.importing.reading import read_list
    from interviewer.rubric.schema import RUBRIC_SCHEMA, rubric_schema_text
    from interviewer.rubric.writing import schema_beside

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


def _tell_next(settings: Settings, folder: Path, outcome: Outcome) -> None:
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
