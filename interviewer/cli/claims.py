"""``interviewer claims``: the numbers in a text, without an interview."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from interviewer import composition
from interviewer.cli import console
from interviewer.errors import ExaminerError, InterviewerError
from interviewer.examiner import registry

if TYPE_CHECKING:
    from interviewer.examiner.protocol import Examiner
    from interviewer.grading.claims.quantity import Ledger, Reading
    from interviewer.settings import Settings


@click.command()
@click.option(
    "--file",
    "text",
    metavar="FILE",
    type=click.File("rb"),
    default="-",
    help="The text's file; by default stdin.",
)
@click.option(
    "--batch",
    metavar="FILE",
    type=click.File("rb"),
    help='Read each line {"id", "text"} of a JSON-lines file, and print a line of JSON for each.',
)
@console.json_option
@console.examiner_option
@console.pass_settings
def claims(
    settings: Settings,
    text: BinaryIO,
    batch: BinaryIO | None,
    examiner: str | None,
    as_json: bool,
) -> None:
    """Find the numbers that a text states about training runs, and check their arithmetic.

    Rules read them, unless an examiner is named.
    """
    from interviewer.grading.claims.ledger import ledger

    reader = composition.make_examiner(settings, examiner or registry.OFFLINE.choice)
    if batch is not None:
        asyncio.run(_read_batch(reader, console.text_from(batch, "batch")))
        return
    reading = asyncio.run(_read_one(reader, console.text_from(text, "text")))
    found = ledger([reading])
    if as_json:
        console.say_json(_values(reading, found))
    else:
        _say(reading, found)


async def _read_one(reader: Examiner, text: str) -> Reading:
    async with aclosing(reader):
        return await _read(reader, text)


async def _read_batch(reader: Examiner, text: str) -> None:
    """Print what each line states, in order; one that fails gives its reason under ``error``."""
    from interviewer.grading.claims.ledger import ledger

    failed, lines = 0, [line for line in text.split("\n") if line.strip()]
    async with aclosing(reader):
        for line in lines:
            task = console.object_in(line)
            values: dict[str, Any]
            try:
                if not isinstance(task.get("text"), str):
                    raise InterviewerError('A line needs to be an object with "text".')
                reading = await _read(reader, task["text"])
                values = _values(reading, ledger([reading]))
            except InterviewerError as error:
                failed += 1
                values = {"error": str(error)}
            console.say_json({"id": task.get("id")} | values)
    if failed:
        raise click.ClickException(f"{failed} of {len(lines)} lines could not be read.")


async def _read(reader: Examiner, text: str) -> Reading:
    """As an interview has it read; rules never stand in for a model. Raises ExaminerError."""
    from interviewer.examiner.protocol import AnswerToRead
    from interviewer.grading.transcript import Turn, TurnKind

    turn = Turn(1, "candidate", TurnKind.ANSWER, text)
    reading = await reader.read_figures(AnswerToRead(turn, on_own_work=True))
    if reading.failed:
        raise ExaminerError(reading.failed)
    return reading


def _values(reading: Reading, found: Ledger) -> dict[str, Any]:
    """The ledger as JSON: values in base units, contradictions in words."""
    names = ("text", "value", "unit", "run", "whose", "status")
    return {
        "claims": [
            {"quantity": each.measure} | {name: getattr(each, name) for name in names}
            for each in found.quantities
        ],
        "contradictions": [
            {
                "sentence": each.sentence,
                "claims": [quantity.text for quantity in each.quantities],
                "relations": list(each.relations),
            }
            for each in found.contradictions
        ],
        "read_by": reading.by,
        **({"dropped": reading.dropped} if reading.by == "model" else {}),
    }


def _say(reading: Reading, found: Ledger) -> None:
    from interviewer.grading.claims.quantity import shown
    from interviewer.report.words import measure_words

    if not found.standing:
        console.say("No number about a training run was found.")
        return
    rows = [
        (measure_words(each.measure), shown(each), f"“{each.text}”", each.run.removeprefix("#"))
        for each in found.standing
    ]
    console.say_table([("QUANTITY", "VALUE", "QUOTE", "RUN"), *rows])
    console.say("", *(f"✗ {each.sentence}" for each in found.contradictions))
    if not found.contradictions:
        console.say("Nothing in these numbers contradicts the rest.")
    if dropped := reading.dropped:
        console.say(f"Left out, since the words do not hold them: {dropped} that the model read.")
