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
    reader = composition.make_examiner(settings, examiner or registry.OFFLINE.choice)
    if batch is not None:
        asyncio.run(_read_batch(reader, console.text_from(batch, "batch")))
        return
    reading, found = asyncio.run(_read_one(reader, console.text_from(text, "text")))
    if as_json:
        console.say_json(_values(reading, found))
    else:
        _say(reading, found)


async def _read_one(reader: Examiner, text: str) -> tuple[Reading, Ledger]:
    async with aclosing(reader):
        return await _read(reader, text)


async def _read_batch(reader: Examiner, text: str) -> None:
    async def read(task: dict[str, Any]) -> dict[str, Any]:
        if not isinstance(task.get("text"), str):
            raise InterviewerError('A line needs to be an object with "text".')
        return _values(*await _read(reader, task["text"]))

    async with aclosing(reader):
        await console.say_batch(text, read, "read", at_once=1)


async def _read(reader: Examiner, text: str) -> tuple[Reading, Ledger]:
    """As an interview has it read; rules never stand in for a model. Raises ExaminerError."""
    from interviewer.examiner.protocol import AnswerToRead
    from interviewer.grading.claims.ledger import ledger
    from interviewer.grading.transcript import Turn, TurnKind

    turn = Turn(1, "candidate", TurnKind.ANSWER, text)
    reading = await reader.read_figures(AnswerToRead(turn, on_own_work=True))
    if reading.failed:
        raise ExaminerError(reading.failed)
    return reading, ledger([reading])


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
