"""``interviewer claims``: the numbers of a text, and which of them cannot be true together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.console import (
    end_batch,
    json_option,
    say,
    say_json,
    say_table,
    task_lines,
    task_of,
    text_from,
    texts_of,
)
from interviewer.errors import InterviewerError

if TYPE_CHECKING:
    from interviewer.grading.claims.claim import Ledger


@click.command()
@click.option(
    "--file",
    "path",
    metavar="FILE",
    type=click.Path(path_type=Path, allow_dash=True),
    help="The text's file; stdin (-) unless told otherwise.",
)
@click.option(
    "--batch",
    metavar="FILE",
    type=click.Path(path_type=Path, allow_dash=True),
    help='Many texts: JSON lines {"id", "text"}, one line of JSON out for each.',
)
@json_option
def claims(path: Path | None, batch: Path | None, as_json: bool) -> None:
    """Find the numbers that a text states about training runs, and check their arithmetic."""
    if batch is not None and path is not None:
        raise click.UsageError("--batch brings its texts itself; give it alone.")
    if batch is not None:
        _claims_of_batch(batch)
        return
    found = _ledger_of(text_from(path, "text"))
    if as_json:
        say_json(as_json_value(None, found))
    else:
        _tell(found)


def _claims_of_batch(path: Path) -> None:
    """One line out for each line in, in order; a line that fails keeps no other from its turn."""
    lines = failed = 0
    for number, line in task_lines(path):
        lines += 1
        result = _checked_line(number, line)
        failed += "error" in result
        say_json(result)
    end_batch(lines, failed, "read")


def _checked_line(number: int, line: bytes) -> dict[str, Any]:
    line_id = None
    try:
        task = task_of(number, line)
        line_id = task.get("id")
        (text,) = texts_of(task, "text")
        return as_json_value(line_id, _ledger_of(text))
    except InterviewerError as error:
        return {"id": line_id, "error": str(error)}


def _ledger_of(text: str) -> Ledger:
    """The text as one turn of a candidate."""
    from interviewer.grading.claims.ledger import ledger
    from interviewer.grading.transcript import Turn, TurnKind

    return ledger([Turn(1, "candidate", TurnKind.ANSWER, text)])


def as_json_value(line_id: Any, found: Ledger) -> dict[str, Any]:
    """The ledger as JSON prints it: values in base units, a contradiction's sum in words."""
    return {
        "id": line_id,
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


def _tell(found: Ledger) -> None:
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
