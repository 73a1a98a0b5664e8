"""``interviewer rubrics new``: a starter to write over."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interviewer.cli.authoring import (
    library_with,
    require_free,
    round_option,
    rubrics_command,
    tell_next,
    title_of,
    to_option,
    topic_option,
)
from interviewer.cli.console import pass_settings, say

if TYPE_CHECKING:
    from interviewer.settings import Settings


@click.command(short_help="Write a commented starter for a rubric.")
@click.argument("rubric_id", metavar="ID")
@round_option
@topic_option
@click.option("--title", metavar="TEXT", help="Its title; the words of the ID if left out.")
@to_option
@pass_settings
def new(
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
    from interviewer.rubric.rendering import without_control
    from interviewer.rubric.scaffold import rubric_starter
    from interviewer.rubric.schema import RUBRIC_SCHEMA, rubric_schema_text
    from interviewer.rubric.slugs import require_slug
    from interviewer.rubric.writing import require_new, schema_beside, write_new

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
