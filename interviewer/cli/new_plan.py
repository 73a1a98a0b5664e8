"""``interviewer plans new``: a starter to write over."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interviewer.cli.authoring import is_read, tell_next, title_of, to_option
from interviewer.cli.console import pass_settings, say
from interviewer.errors import RubricFileError

if TYPE_CHECKING:
    from interviewer.settings import Settings


@click.command(short_help="Write a commented starter for a plan.")
@click.argument("plan_id", metavar="ID")
@click.option("--title", metavar="TEXT", help="Its title; the words of the ID if left out.")
@to_option
@pass_settings
def new(settings: Settings, plan_id: str, title: str | None, to_folder: Path | None) -> None:
    """Write a commented starter for a plan of your own, and print its path.

    The starter can be held at once; put your rounds in its place. A file that is there is never
    written over.
    """
    from interviewer.composition import load_plans, own_plan_folders
    from interviewer.interview.plan_scaffold import plan_starter
    from interviewer.interview.plan_schema import PLAN_SCHEMA, plan_schema_text
    from interviewer.rubric.rendering import without_control
    from interviewer.rubric.slugs import require_slug
    from interviewer.rubric.writing import require_new, schema_beside, write_new

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
