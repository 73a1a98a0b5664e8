"""The root command: options for all commands, and a table of commands imported on demand."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import click

from interviewer.errors import InterviewerError
from interviewer.examiner.registry import CHOICES


class LazyCommand(NamedTuple):
    """Where a command is defined, and its line in the help."""

    module: str
    attribute: str
    help: str


class LazyGroup(click.Group):
    """A group that imports a command when it runs; its help comes from the table alone."""

    def __init__(self, *args: Any, table: Mapping[str, LazyCommand], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = self.table.get(cmd_name)
        if entry is None:
            return None
        command = getattr(import_module(entry.module), entry.attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in self.table.items()])


FRONT_END = "tui"
"""The package whose ``main(settings)`` opens the full screen. Found by name at run time: no engine
module may import a front end, and looking up entry points would cost a tenth of the start-up."""

TABLE = {
    "run": LazyCommand(
        "interviewer.cli.run", "run", "Run an interview in plain text on stdin and stdout."
    ),
    "sessions": LazyCommand(
        "interviewer.cli.sessions",
        "sessions",
        "List, search, show, export, back up and regrade past interviews.",
    ),
    "rubrics": LazyCommand(
        "interviewer.cli.rubrics",
        "rubrics",
        "List, show and check the questions, and test the examiner on them.",
    ),
    "plans": LazyCommand(
        "interviewer.cli.plans", "plans", "List, show and check the plans for interviews."
    ),
    "grade": LazyCommand(
        "interviewer.cli.grade", "grade", "Grade one answer, or a file of them, against a rubric."
    ),
    "claims": LazyCommand(
        "interviewer.cli.claims", "claims", "Check the numbers in a text against each other."
    ),
    "check": LazyCommand(
        "interviewer.cli.check",
        "check",
        "Check lines of a derivation, or a function, at the bench.",
    ),
    "sandbox": LazyCommand(
        "interviewer.cli.sandbox",
        "sandbox",
        "Install, remove and examine what the derivation bench runs in.",
    ),
    "serve": LazyCommand(
        "interviewer.cli.serve", "serve", "Serve the full-screen interview to a browser."
    ),
    "keys": LazyCommand(
        "interviewer.cli.keys", "keys", "List the keys of the full screen, as configured."
    ),
    "doctor": LazyCommand(
        "interviewer.cli.doctor", "doctor", "Check endpoint, database, rubrics, bench and terminal."
    ),
    "bug-report": LazyCommand(
        "interviewer.cli.bug_report",
        "bug_report",
        "Gather what helps to fix a fault, and nothing that was said.",
    ),
}


class Root(LazyGroup):
    """Prints errors meant for people as one sentence, with exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except InterviewerError as error:
            from interviewer.report.plain import printable

            raise click.ClickException(printable(str(error))) from error
        except click.UsageError as error:  # it may repeat words of the command line as they are
            from interviewer.report.plain import printable

            raise click.UsageError(printable(error.format_message()), error.ctx) from error
        except (click.ClickException, click.exceptions.Exit, click.Abort, OSError):
            raise
        except Exception as error:
            import logging  # slow to load, and --help needs none of it

            logging.getLogger(__name__).critical("unexpected error", exc_info=error)
            if ctx.params.get("debug"):
                raise
            from interviewer.report.plain import printable

            raise click.ClickException(
                f"Unexpected error ({type(error).__name__}: {printable(str(error))}). Everything "
                "you sent is saved. 'interviewer bug-report' gathers what helps to fix it."
            ) from error


def _width() -> int:
    """The width of help pages; click would load shutil to find it out."""
    try:
        columns = os.get_terminal_size().columns
    except OSError:
        columns = 80
    return max(40, min(columns, 80))


@click.group(
    cls=Root,
    table=TABLE,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "terminal_width": _width()},
)
@click.option(
    "--database",
    metavar="FILE|URL",
    help="The SQLite file of all sessions, or postgresql+psycopg://NAME@HOST/DATABASE.",
)
@click.option(
    "--user",
    metavar="NAME",
    help="Whose sessions, where several people keep theirs in one database.",
)
@click.option(
    "--rubrics",
    "rubric_folders",
    metavar="DIR",
    multiple=True,
    type=click.Path(exists=True, file_okay=False),
    help="Another folder of rubric files; may be repeated.",
)
@click.option("--model", metavar="NAME", help="The model that judges and asks.")
@click.option("--base-url", metavar="URL", help="An OpenAI-compatible endpoint.")
@click.option("--examiner", type=click.Choice(CHOICES), help="Who examines unless told otherwise.")
@click.option("--debug", is_flag=True, help="Log every step, and show where an error occurred.")
@click.version_option(package_name="mock-interviewer", prog_name="interviewer")
@click.pass_context
def root(ctx: click.Context, /, debug: bool, **flags: Any) -> None:
    """Mock interviews for LLM-training engineers.

    Without a command, opens the full-screen interview.
    """
    ctx.obj = flags
    if ctx.invoked_subcommand is None:
        _open_front_end(flags, debug=debug)


def _open_front_end(flags: dict[str, Any], *, debug: bool) -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError(
            "The full-screen interview needs a terminal; "
            "'interviewer run' runs the same interview in plain text."
        )
    from importlib import import_module

    from interviewer.settings import log, usable_settings

    try:
        front_end = import_module(FRONT_END)
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"The full-screen front end is not fully installed ({error.name} is missing); "
            "reinstall mock-interviewer, or use 'interviewer run'."
        ) from error
    settings, unusable = usable_settings(**flags)
    log.start(settings.data_folder, debug=debug)
    sys.exit(front_end.main(settings, unusable))


def main() -> None:
    """Run the command line of this process; never returns."""
    _fill_in_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Characters that the terminal's encoding lacks are escaped rather than crash.
            stream.reconfigure(errors="backslashreplace")
    try:
        root(prog_name="interviewer")
    except OSError:
        if not (why := _why_output_fails()):
            raise
        sys.exit(f"Error: The output could not be written: {why}.")


def _fill_in_streams() -> None:
    """Stand in for standard streams that the caller closed.

    Else the next file that is opened, such as the database, would take the number of one.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, os.O_RDWR)
            if descriptor != number:
                os.dup2(descriptor, number)
            setattr(sys, name, os.fdopen(number, "w" if number else "r", closefd=False))


def _why_output_fails() -> str:
    """Why standard output takes nothing more, which is then thrown away; "" if it does."""
    try:
        sys.stdout.write("\n")  # the text that failed may be gone, and a flush alone tells nothing
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return error.strerror or str(error)
    return ""
