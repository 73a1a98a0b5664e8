"""Where files of one's own are written, and what the commands that write them share."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interviewer.cli.console import complain
from interviewer.errors import RubricFileError

if TYPE_CHECKING:
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
