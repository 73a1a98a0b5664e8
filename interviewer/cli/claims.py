"""``interviewer claims``: the numbers in a text, and which of them cannot all be true."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.batch import batch_path, run_batch, texts_of
from interviewer.cli.console import json_option, say, say_json, say_table, text_from

if TYPE_CHECKING:
    from interviewer.grading.claims.claim import Ledger


@click.command()
@click.option(
    "--file",
    "path",
    metavar="FILE",
    type=batch_path,
    help="The text's file; by default stdin (-).",
)
@click.option(
    "--batch",
    metavar="FILE",
    type=batch_path,
    help='Many texts: JSON lines {"id", "text"}, one line of JSON out for each.',
)
@json_option
def claims(path: Path | None, batch: Path | None, as_json: bool) -> None:
    """Find the numbers that a text states about training runs, and check their arithmetic."""
    if batch is not None and path is not None:
        raise click.UsageError("--batch brings its own texts; give it alone.")
    if batch is not None:
        run_batch(batch, _claims_of, "read")
        return
    found = _ledger_of(text_from(path, "text"))
    if as_json:
        say_json({"id": None} | as_json_value(found))
    else:
        _say(found)


def _claims_of(task: dict[str, Any]) -> dict[str, Any]:
    (text,) = texts_of(task, "text")
    return as_json_value(_ledger_of(text))


def _ledger_of(text: str) -> Ledger:
    """The text as one turn of a candidate."""
    from interviewer.grading.claims.ledger import ledger
    from interviewer.grading.transcript import Turn, TurnKind

    return ledger([Turn(1, "candidate", TurnKind.ANSWER, text)])


def as_json_value(found: Ledger) -> dict[str, Any]:
    """The ledger as JSON: values in base units, contradictions in words."""
    return {
        "claims": [
            {
                "text": claim.text,
                "quantity": claim.measure.value,
                "value": claim.value,
                "unit": claim.unit,
            }
            for claim in found.claims
        ],
        "contradictions": [
            {"sum": each.sentence, "claims": [claim.text for claim in each.claims]}
            for each in found.contradictions
        ],
    }


def _say(found: Ledger) -> None:
    from interviewer.grading.claims.wording import stated

    if not found.claims:
        say("No number about a training run was found.")
        return
    say_table(
        [
            [f"“{claim.text}”", claim.measure.value.replace("_", " "), stated(claim)]
            for claim in found.claims
        ]
    )
    say()
    for each in found.contradictions:
        say(f"✗ {each.sentence}")
    if not found.contradictions:
        say("Nothing in these numbers contradicts the rest.")
