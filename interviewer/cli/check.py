"""``interviewer check``: the derivation bench without the full screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.check_lint import lint_challenges
from interviewer.cli.check_run import run_check
from interviewer.cli.console import json_option, pass_settings, say, say_json, say_table
from interviewer.cli.problems import challenges_of

if TYPE_CHECKING:
    from interviewer.sandbox.challenges.catalogue import ChallengeEntry
    from interviewer.settings import Settings


@click.group()
def check() -> None:
    """The derivation bench: your lines or your function, executed and held against a reference.

    A check compares numbers, shapes and gradients on random draws. That every line holds is no
    proof, and what a check cannot see is listed with its result.
    """


check.add_command(run_check)
check.add_command(lint_challenges)


@check.command("list")
@json_option
@pass_settings
def list_challenges(settings: Settings, as_json: bool) -> None:
    """List the challenges, shipped ones and your own."""
    entries = list(challenges_of(settings).entries.values())
    entries.sort(key=lambda entry: (entry.challenge.kind, entry.challenge.id))
    if as_json:
        say_json([_listed(entry) for entry in entries])
        return
    say_table(
        [("ID", "KIND", "FROM", "TITLE")]
        + [
            (
                entry.challenge.id,
                entry.challenge.kind,
                f"{entry.origin}, replaces shipped" if entry.replaces else entry.origin,
                entry.challenge.title,
            )
            for entry in entries
        ]
    )


@check.command("show")
@click.argument("challenge_id", metavar="CHALLENGE")
@click.option("--hint", metavar="N", type=click.IntRange(min=1), help="Show the N-th hint too.")
@click.option("--solution", is_flag=True, help="Show the solution and the worked derivation too.")
@json_option
@pass_settings
def show_challenge(
    settings: Settings, challenge_id: str, hint: int | None, solution: bool, as_json: bool
) -> None:
    """Show a task: what is given, what is wanted, and what may not be used."""
    from interviewer.cli.check_display import described, task_json

    entry = challenges_of(settings).get(challenge_id)
    challenge = entry.challenge
    if hint and hint > len(challenge.hints):
        count = len(challenge.hints)
        raise click.BadParameter(
            f"{challenge_id} has {count} hint{'' if count == 1 else 's'}.", param_hint="--hint"
        )
    if as_json:
        task = task_json(challenge, hint=hint, solution=solution)
        say_json({**task, "origin": entry.origin, "path": str(entry.path)})
        return
    for line in described(challenge, hint=hint, solution=solution):
        say(line)
    say(f"File: {entry.path}")


@check.command("path")
@click.argument("challenge_id", metavar="[CHALLENGE]", required=False)
@json_option
@pass_settings
def show_path(settings: Settings, challenge_id: str | None, as_json: bool) -> None:
    """Print the file of one challenge, or the folders that challenges are read from."""
    from interviewer.composition import own_challenge_folders
    from interviewer.sandbox.challenges.catalogue import shipped_challenges_folder

    if challenge_id is not None:
        paths = [challenges_of(settings).get(challenge_id).path]
    else:
        paths = [shipped_challenges_folder(), *own_challenge_folders(settings)]
    if as_json:
        say_json([str(path) for path in paths])
        return
    for path in paths:
        say(str(path))


def _listed(entry: ChallengeEntry) -> dict[str, Any]:
    challenge = entry.challenge
    return {
        "id": challenge.id,
        "title": challenge.title,
        "kind": challenge.kind,
        "rubrics": challenge.rubrics,
        "hints": len(challenge.hints),
        "origin": entry.origin,
        "replaces": entry.replaces,
        "path": str(entry.path),
    }
