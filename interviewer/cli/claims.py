"""``interviewer claims``: the numbers in a text, and which of them cannot all be true."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.batch import batch_path, run_batch, run_batch_together, texts_of
from interviewer.cli.console import (
    complain,
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
    from interviewer.grading.claims.claim import Claim, Ledger
    from interviewer.grading.claims.ledger import Derived
    from interviewer.grading.claims.reported.record import ReadClaims
    from interviewer.settings import Settings

_TURN = 1
_HEADING = ("QUANTITY", "VALUE", "QUOTE", "RELATION", "GIVES")
_BARE = re.compile(r"(?:seconds?|minutes?|hours?|days?|weeks?|B|bytes|%|FLOP(?:/s)?)$")
"""A result that does not say what it is."""
RELATIONS_SHOWN = 3
"""Of one claim; JSON holds them all."""


@dataclass(frozen=True)
class Told:
    """What a text states. ``read`` is what a model read, None if the rules did."""

    ledger: Ledger
    derived: Mapping[Claim, tuple[Derived, ...]]
    read: ReadClaims | None = None
    problem: str = ""
    """Why the rules stood in for the model."""


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
    """Find the numbers that a text states about training runs, and check their arithmetic.

    The table shows which relations each number entered, and what they gave.
    """
    from interviewer.examiner import registry

    if batch is not None and path is not None:
        raise click.UsageError("--batch brings its own texts; give it alone.")
    if examiner is not None and registry.chosen(examiner).needs_endpoint:
        asyncio.run(_by_model(settings, examiner, path, batch, parallel, as_json))
    elif batch is not None:
        run_batch(batch, _claims_of, "read")
    else:
        _say(_told_by(text_from(path, "text")), as_json=as_json)


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
    return as_json_value(_told_by(text))


def _told_by(text: str, read: ReadClaims | None = None, problem: str = "") -> Told:
    """The text as one turn of a candidate."""
    from interviewer.grading.claims.ledger import ledger, relations_entered, runs_of
    from interviewer.grading.transcript import Turn, TurnKind

    turns = [Turn(_TURN, "candidate", TurnKind.ANSWER, text)]
    found = {} if read is None else {_TURN: read}
    derived = relations_entered(runs_of(turns, found).runs)
    return Told(ledger(turns, found), derived, read, problem)


async def _told_by_model(reader: Examiner, text: str) -> Told:
    """As an interview has it read: by rules where the model fails, or where no number is."""
    from interviewer.grading.claims.ledger import holds_numbers
    from interviewer.grading.transcript import Turn, TurnKind

    turn = Turn(_TURN, "candidate", TurnKind.ANSWER, text)
    if not holds_numbers(turn):
        return _told_by(text)
    try:
        return _told_by(text, await reader.read_claims("", turn, ()))
    except ExaminerError as error:
        return _told_by(text, problem=str(error))
    finally:
        reader.drain_calls()


def as_json_value(told: Told) -> dict[str, Any]:
    """The ledger as JSON: values in base units, contradictions in words."""
    value: dict[str, Any] = {
        "claims": [
            {
                "text": claim.text,
                "quantity": claim.measure.value,
                "value": claim.value,
                "unit": claim.unit,
                "relations": [
                    {
                        "relation": each.relation,
                        "quantity": each.measure.value,
                        "value": each.value,
                        "gives": each.words,
                    }
                    for each in told.derived.get(claim, ())
                ],
            }
            for claim in told.ledger.claims
        ],
        "contradictions": [
            {
                "sentence": each.sentence,
                "claims": [claim.text for claim in each.claims],
                "relations": list(each.relations),
            }
            for each in told.ledger.contradictions
        ],
        "read_by": "rules" if told.read is None else "model",
    }
    if told.read is not None:
        value["dropped"] = told.read.dropped
    return value | ({"problem": told.problem} if told.problem else {})


def _say(told: Told, *, as_json: bool) -> None:
    if as_json:
        say_json({"id": None} | as_json_value(told))
        return
    if told.problem:
        complain(f"{told.problem} The rules read the numbers instead.")
    if not told.ledger.claims:
        say("No number about a training run was found.")
        return
    say_table([_HEADING, *(row for claim in told.ledger.claims for row in _rows(claim, told))])
    say()
    for each in told.ledger.contradictions:
        say(f"✗ {each.sentence}")
    if not told.ledger.contradictions:
        say("Nothing in these numbers contradicts the rest.")
    if told.read is not None and told.read.dropped:
        say(f"Left out, since the words do not hold them: {told.read.dropped} that the model read.")


def _rows(claim: Claim, told: Told) -> Iterator[tuple[str, ...]]:
    """A line for each relation that the claim entered, the first with the claim itself."""
    from interviewer.grading.claims.wording import stated
    from interviewer.report.words import measure_words

    first = (measure_words(claim.measure), stated(claim), f"“{claim.text}”")
    derived = told.derived.get(claim, ())[:RELATIONS_SHOWN]
    if not derived:
        yield (*first, "", "")
    for each in derived:
        named = measure_words(each.measure)
        is_bare = _BARE.search(each.words)
        yield (*first, each.relation, f"{each.words} ({named})" if is_bare else each.words)
        first = ("", "", "")
