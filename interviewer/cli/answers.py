"""``interviewer rubrics answer``: the answer to a question whose list had none."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.authoring import (
    ask_for_draft,
    endpoint_for_drafts,
    grade_step,
    lint_step,
    say_next,
)
from interviewer.cli.console import complain, library_of, pass_settings, say, text_from
from interviewer.content.kinds import RUBRICS

if TYPE_CHECKING:
    from interviewer.rubric.rubric import Rubric
    from interviewer.settings import Settings


@click.command(short_help="Write the answer to a question that has none.")
@click.argument("rubric_id", metavar="ID")
@click.option(
    "--from",
    "source",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Read the answer from a text file instead of stdin.",
)
@click.option("--draft", is_flag=True, help="Let the configured model propose it.")
@pass_settings
def answer(settings: Settings, rubric_id: str, source: Path | None, draft: bool) -> None:
    """Write the answer to one of your questions that has none, and what it is graded by.

    Lists often ask without answering. Give what a very good answer says, on stdin or in a file, and
    each point of it becomes a criterion; or let the model propose answer and criteria, and check
    every fact of it. An answer that is there already is left alone.
    """
    from interviewer.rubric.importing import answered, unanswered
    from interviewer.rubric.own import put_answer

    if draft and source:
        raise click.UsageError("--draft and --from cannot be combined.")
    entry = unanswered(library_of(settings), rubric_id)
    if draft:
        values = _drafted(settings, entry.model, entry.path)
    else:
        values = answered(entry.model, _given(entry.model, source))
    put_answer(entry.path, values)
    say(str(entry.path))
    say_next(lint_step(RUBRICS, entry.path), grade_step(settings, entry.path.parent, rubric_id))


def _given(rubric: Rubric, source: Path | None) -> str:
    if source is None and sys.stdin.isatty():
        complain(rubric.question)
    return text_from(source, "answer of a very good candidate")


def _drafted(settings: Settings, rubric: Rubric, path: Path) -> dict[str, Any]:
    """The question's own fields, with the answer and the criteria that a model proposes."""
    from interviewer.examiner.llm.draft import Wanted

    drafted = ask_for_draft(
        endpoint_for_drafts(settings), "", Wanted.for_answer(rubric), f"the question {rubric.id}"
    )
    return drafted.answers(rubric, path)
