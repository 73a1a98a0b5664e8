"""``interviewer keys``: the keys of the full screen."""

from __future__ import annotations

from importlib import import_module

import click

from interviewer.cli.console import complain, json_option, say, say_json, say_table, settings_of
from interviewer.cli.root import FRONT_END


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
