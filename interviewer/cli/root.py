"""The root command: options for all commands, and a table of commands imported on demand."""

from __future__ import annotations

import io
import os
import sys
from importlib import import_module
from typing import Any

import click

from interviewer.errors import InterviewerError
from interviewer.examiner.registry import CHOICES

FRONT_END = "tui"
"""The package whose ``main(settings)`` opens the full screen. Found by name at run time: no engine
module may import a front end, and looking up entry points would cost a tenth of the start-up."""

TABLE = {
    "run": ("run", "Run an interview in plain text on stdin and stdout."),
    "sessions": ("sessions", "List, search, show, export, back up and regrade past interviews."),
    "rubrics": ("content", "List, show and check the questions, and test the examiner on them."),
    "plans": ("content", "List, show and check the plans for interviews."),
    "grade": ("grade", "Grade one answer, or a file of them, against a rubric."),
    "claims": ("claims", "Find the numbers in a text, and which cannot be true together."),
    "check": ("check", "Check lines of a derivation, or a function, at the bench."),
    "sandbox": ("machine", "Install and examine what the derivation bench runs in."),
    "serve": ("machine", "Serve the full-screen interview to a browser."),
    "keys": ("machine", "List the keys of the full screen, as configured."),
    "doctor": ("machine", "Check endpoint, database, rubrics, bench and terminal."),
}
"""Each command's module in this package, and its line in the help."""


class Root(click.Group):
    """Imports a command when it runs, and prints errors meant for people as one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(TABLE)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in TABLE:
            return None
        module = import_module(f"interviewer.cli.{TABLE[cmd_name][0]}")
        command = getattr(module, cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_line) for name, (_, help_line) in TABLE.items()])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except InterviewerError as error:
            raise click.ClickException(_printable(error)) from error
        except click.UsageError as error:  # it may repeat words of the command line as they are
            raise click.UsageError(_printable(error.format_message()), error.ctx) from error
        except (click.ClickException, click.exceptions.Exit, click.Abort, OSError):
            raise
        except Exception as error:
            import logging  # slow to load, and --help needs none of it

            logging.getLogger(__name__).critical("unexpected error", exc_info=error)
            if ctx.params.get("debug"):
                raise
            raise click.ClickException(
                f"Unexpected error ({type(error).__name__}: {_printable(error)}). Everything "
                "you sent is saved, and the log in the data folder tells where it happened."
            ) from error


def _printable(message: object) -> str:
    from interviewer.report.plain import printable

    return printable(str(message))


@click.group(
    cls=Root,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
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
    from interviewer.settings import load_settings, log

    front_end = import_module(FRONT_END)
    settings = load_settings(**flags)
    log.start(settings.data_folder, debug=debug)
    sys.exit(front_end.main(settings))


def main() -> None:
    """Run the command line of this process; never returns."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # What is typed is read as UTF-8, whatever the locale says; a file's encoding stays, and
            # characters that it lacks are escaped rather than crash.
            encoding = "utf-8" if stream.isatty() else stream.encoding
            stream.reconfigure(encoding=encoding, errors="backslashreplace")
    try:
        root(prog_name="interviewer")
    except OSError as error:
        # What is left of the output would fail again at exit, with a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(f"Error: {error.filename or 'The output'} failed: {error.strerror}.")
