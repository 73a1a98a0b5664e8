"""The audit of played interviews: a good one passes, and each item finds its own breach."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from evals.conduct.audit import ITEMS, audit
from evals.conduct.played import Exchange, Played, Talk, Utterance
from support.rubrics import a_criterion, a_rubric

from interviewer.grading.verdicts import Grade, Source, Verdict
from interviewer.interview.state import Judged
from interviewer.rubric.rubric import NumberFact, Rating

RUBRIC = a_rubric(
    a_criterion("alpha-rule", must_have=True, patterns=(("rises",),), secret_terms=("overflow",)),
    a_criterion("beta", kind="number", numbers=(NumberFact(value=16, unit="bytes"),)),
    question="How much memory does one parameter take during training, and what is it for?",
)
TABLE = yaml.safe_load(Path(__file__).with_name("audit_breaches.yaml").read_text(encoding="utf-8"))


def parsed(line: str) -> Exchange | Utterance:
    """What a line of the table says; turns are numbered later."""
    done, _, said = (part.strip() for part in line.partition("|"))
    move, *rest = done.split()
    if move != "you":
        target, level = (*rest, "", "0")[:2]
        price = 0.25 * int(level or 0)
        return Utterance(
            turn=0,
            text=said,
            engine_move=move.title(),
            move=move,
            target=target,
            level=int(level or 0),
            price=price,
        )
    marks = dict(each.split("=") for each in rest if "=" in each)
    kinds = frozenset(each for each in rest if "=" not in each)
    exchange = Exchange(said, kinds=kinds, closed=marks.get("closed"))
    exchange.heard = frozenset([marks["heard"]]) if "heard" in marks else exchange.heard
    made = {
        c.id: Rating.MET if c.id == marks.get("met") else Rating.NOT_MET for c in RUBRIC.criteria
    }
    verdicts = tuple(Verdict(name, rating, evidence=said) for name, rating in made.items())
    exchange.judged = Judged(0, verdicts, "test", frozenset(), ())
    return exchange


def interview(*lines: str) -> Played:
    """An interview of one question, by the lines of the table."""
    exchanges: list[Exchange] = []
    options = {"cap": 4, "planned": 1, "drills": 0}
    number = 1
    for line in lines:
        if "|" not in line:
            option, *count = line.split()
            options[option] = int(*count) if count else 1
            continue
        number += 1
        said = parsed(line)
        if isinstance(said, Exchange):
            said.turn = number
            exchanges.append(said)
        else:
            exchanges[-1].utterances.append(replace(said, turn=number))
    talk = Talk(RUBRIC, RUBRIC.question, options["cap"], bool(options["drills"]), exchanges)
    return Played([talk], options["planned"], "test", finished=True)


def closed(said: str, verdict: Verdict) -> Played:
    """A question that was closed with a grade of this one verdict."""
    played = interview(f"you answer closed=covered | {said}")
    played.talks[0].grade = Grade("greek-letters", 1, "test", (verdict,), 0.5, 0.5, 0.5, 2)
    return played


SHOWN = tuple(TABLE["debrief"].splitlines())


def shown_without(line: str, played: Played) -> Played:
    """A finished interview whose debrief lacks a line."""
    lines = tuple(each for each in SHOWN if line not in each)
    assert len(lines) == len(SHOWN) - 1
    return replace(played, debrief=lines)


WRONG = "It sinks with the depth."
ASKED = "you wants_hint | A hint, please."
DEBRIEFED = (
    ("optimiser keeps", interview(ASKED, TABLE["words"]["hint"])),
    ("You took a hint", interview(ASKED, TABLE["words"]["hint"])),
    ("sinks", closed(WRONG, Verdict("beta", Rating.CONTRADICTED, evidence=WRONG))),
)
BREACHES = (
    *((int(str(item).rstrip("b")), interview(*talk)) for item, talk in TABLE["breaches"].items()),
    (33, closed("It rises.", Verdict("beta", Rating.MET, source=Source.HINT_1))),
    *((45, shown_without(line, played)) for line, played in DEBRIEFED),
)


@pytest.mark.parametrize(("item", "played"), BREACHES)
def test_each_item_finds_its_breach(item: int, played: Played) -> None:
    assert item in {breach.item for breach in audit(played)}


@pytest.mark.parametrize(("line", "played"), DEBRIEFED)
def test_a_debrief_that_quotes_it_all_passes(line: str, played: Played) -> None:
    whole = replace(played, debrief=SHOWN)
    assert 45 not in {breach.item for breach in audit(whole)}


def test_every_item_is_shown_to_fail() -> None:
    assert {item for item, _ in BREACHES} == {item.number for item in ITEMS}


def test_a_well_held_interview_passes() -> None:
    played = interview(*TABLE["well held"])
    played.debrief = SHOWN
    assert [str(breach) for breach in audit(played)] == []
