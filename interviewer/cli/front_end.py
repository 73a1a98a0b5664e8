"""``interviewer serve`` and ``interviewer keys``: the full screen in a browser, and its keys."""

from __future__ import annotations

import re
from importlib import import_module

import click

from interviewer.cli.console import complain, json_option, say, say_json, say_table, settings_of
from interviewer.cli.root import FRONT_END
from interviewer.errors import InterviewerError


@click.command()
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Where to listen. Beyond this machine the address holds a token.",
)
@click.option("--port", default=8765, show_default=True, type=click.IntRange(1, 65535))
@click.pass_obj
def serve(flags: dict[str, object], host: str, port: int) -> None:
    """Serve the full-screen interview to a browser.

    Every tab is an interview of its own over the same sessions. Only this machine can reach it,
    unless --host says otherwise; then whoever has the printed address can.
    """
    try:
        front_end = import_module(f"{FRONT_END}.serve")
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"Serving to a browser needs {error.name}; install mock-interviewer[serve]."
        ) from error
    if not re.fullmatch(r"[\w.:%-]+", host):
        raise click.BadParameter(f"{host!a} is no name or address of a machine.")
    try:
        host.encode("idna")
        front_end.server(host, port, flags).serve()
    except (OSError, UnicodeError) as error:
        raise InterviewerError(
            f"Cannot listen on {host}:{port}: {error}; try another --port or --host."
        ) from error


@click.command()
@click.option("--defaults", is_flag=True, help="As they are without your config file.")
@click.option("--markdown", is_flag=True, help="Print the table as Markdown.")
@json_option
@click.pass_context
def keys(ctx: click.Context, defaults: bool, markdown: bool, as_json: bool) -> None:
    """List the keys of the full screen: ids for [keys] in config.toml, keys, what they do.

    A star marks keys of your own. Keys that cannot work, or that two actions have at the same
    time, are told on stderr.
    """
    table = import_module(f"{FRONT_END}.remapping")
    settings = None if defaults else settings_of(ctx)
    rows = table.rows(settings)
    if as_json:
        say_json([row._asdict() for row in rows])
    elif markdown:
        say(table.markdown(rows).rstrip("\n"))
    else:
        marked = ((row.id, " ".join(row.keys) + " *" * row.changed, row.does) for row in rows)
        say_table([("ID", "KEYS", "WHAT THEY DO"), *marked])
    for sentence in table.problems(settings.keys) if settings else ():
        complain(sentence)
