"""``interviewer claims``: the numbers in a text, and which of them cannot all be true."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.batch import batch_path, run_batch, run_batch_together, texts_of
from interviewer.cli.console import (
    examiner_option,
    json_option,
    pass_settings,
    say,
    say_json,
    say_table,
    text_from,
)
from interviewer.errors import ExaminerError

if TYPE_CHECKING:
    from interviewer.examiner.protocol import Examiner
    from interviewer.grading.claims.quantity import Ledger, Quantity, Reading
    from interviewer.settings import Settings

_TURN = 1
_HEADING = ("QUANTITY", "VALUE", "QUOTE", "RUN")


@dataclass(frozen=True)
class Told:
    """What a text states: what was read in it, and what that comes to."""

    reading: Reading
    ledger: Ledger


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
@examiner_option("Who reads the numbers: offline, by rules (the default), or the model.")
@click.option(
    "--parallel",
    metavar="N",
    type=click.IntRange(min=1),
    default=4,
    show_default=True,
    help="Texts of a batch that the model reads at the same time.",
)
@json_option
@pass_settings
def claims(
    settings: Settings,
    path: Path | None,
    batch: Path | None,
    examiner: str | None,
    parallel: int,
    as_json: bool,
) -> None:
    """Find the numbers that a text states about training runs, and check their arithmetic."""
    from interviewer.examiner import registry

    if batch is not None and path is not None:
        raise click.UsageError("--batch brings its own texts; give it alone.")
    if examiner is not None and registry.chosen(examiner).needs_endpoint:
        asyncio.run(_by_model(settings, examiner, path, batch, parallel, as_json))
    elif batch is not None:
        run_batch(batch, _claims_of, "read")
    else:
        _say(_told_by_rules(text_from(path, "text")), as_json=as_json)


async def _by_model(
    settings: Settings,
    examiner: str,
    path: Path | None,
    batch: Path | None,
    parallel: int,
    as_json: bool,
) -> None:
    from interviewer.composition import make_examiner

    async with aclosing(make_examiner(settings, examiner)) as reader:

        async def claims_of(task: dict[str, Any]) -> dict[str, Any]:
            (text,) = texts_of(task, "text")
            return as_json_value(await _told_by_model(reader, text))

        if batch is not None:
            await run_batch_together(batch, claims_of, "read", parallel)
            return
        _say(await _told_by_model(reader, text_from(path, "text")), as_json=as_json)


def _claims_of(task: dict[str, Any]) -> dict[str, Any]:
    (text,) = texts_of(task, "text")
    return as_json_value(_told_by_rules(text))


def _told_by_rules(text: str) -> Told:
    from interviewer.grading.claims import rules
    from interviewer.grading.transcript import ParsedAnswer

    return _told(rules.read(ParsedAnswer(text), _TURN, own_work=True))


async def _told_by_model(reader: Examiner, text: str) -> Told:
    """As an interview has it read; rules never stand in. Raises ExaminerError."""
    from interviewer.examiner.protocol import AnswerToRead
    from interviewer.grading.transcript import Turn, TurnKind

    turn = Turn(_TURN, "candidate", TurnKind.ANSWER, text)
    try:
        reading = await reader.read_figures(AnswerToRead(turn, on_own_work=True))
    finally:
        reader.drain_calls()
    if reading.failed:
        raise ExaminerError(reading.failed)
    return _told(reading)


def _told(reading: Reading) -> Told:
    from interviewer.grading.claims.ledger import ledger

    return Told(reading, ledger([reading]))


def as_json_value(told: Told) -> dict[str, Any]:
    """The ledger as JSON: values in base units, contradictions in words."""
    value: dict[str, Any] = {
        "claims": [
            {
                "text": each.text,
                "quantity": each.measure,
                "value": each.value,
                "unit": each.unit,
                "run": each.run,
                "whose": each.whose,
                "status": each.status,
            }
            for each in told.ledger.quantities
        ],
        "contradictions": [
            {
                "sentence": each.sentence,
                "claims": [quantity.text for quantity in each.quantities],
                "relations": list(each.relations),
            }
            for each in told.ledger.contradictions
        ],
        "read_by": told.reading.by,
    }
    return value | ({"dropped": told.reading.dropped} if told.reading.by == "model" else {})


def _say(told: Told, *, as_json: bool) -> None:
    if as_json:
        say_json({"id": None} | as_json_value(told))
        return
    if not told.ledger.standing:
        say("No number about a training run was found.")
        return
    say_table([_HEADING, *map(_row, told.ledger.standing)])
    say()
    for each in told.ledger.contradictions:
        say(f"✗ {each.sentence}")
    if not told.ledger.contradictions:
        say("Nothing in these numbers contradicts the rest.")
    if told.reading.dropped:
        dropped = told.reading.dropped
        say(f"Left out, since the words do not hold them: {dropped} that the model read.")


def _row(quantity: Quantity) -> tuple[str, ...]:
    from interviewer.grading.claims.quantity import shown
    from interviewer.report.words import measure_words

    name = measure_words(quantity.measure)
    return name, shown(quantity), f"“{quantity.text}”", quantity.run.removeprefix("#")
