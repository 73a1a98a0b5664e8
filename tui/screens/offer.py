"""A plan as it is offered: a line for the list, and what it holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.content import Content

from interviewer.plural import pluralize
from tui.widgets.plain_text import one_line, plain

if TYPE_CHECKING:
    from interviewer.interview.plans import Length, Plan, PlanRound

_NEW_LINE = Content("\n")


def row(plan: Plan, length: str) -> Content:
    """Rounds, minutes and title."""
    from interviewer.interview.plans import Length, extent

    rounds = pluralize(len(plan.rounds), "round")
    takes = f"{rounds:>8} {extent(plan, Length(length)).minutes:3.0f} min  "
    return Content.assemble((takes, "$text-muted"), one_line(plan.title))


def described(plan: Plan, length: str, cost: str = "") -> Content:
    """What it is like and takes, then its rounds: topics, who examines, questions, minutes.

    ``cost``: what a model takes for it, "" where none is asked.
    """
    from interviewer.interview.plans import Length, extent

    takes = extent(plan, Length(length))
    facts = (
        pluralize(len(plan.rounds), "round"),
        pluralize(takes.questions, "question"),
        f"{takes.minutes:.3g} min",
        *filter(None, [cost]),
    )
    parts = [one_line(plan.title, "bold"), Content(" · ".join(facts))]
    if plan.description != plan.title:
        parts += [Content(""), one_line(plan.description)]
    for number, part in enumerate(plan.rounds, start=1):
        parts += [Content(""), *_round(number, part, Length(length))]
    return _NEW_LINE.join(parts)


def _round(number: int, part: PlanRound, length: Length) -> Iterator[Content]:
    from interviewer.interview.plans import round_extent

    takes = round_extent(part, length)
    yield one_line(f"{number}  {part.title}", "bold")
    asked = f"{pluralize(takes.questions, 'question')}, {takes.minutes:.3g} min"
    yield Content("   ") + one_line(f"{part.persona.name} · {asked}")
    if topics := _topics(part):
        yield plain(f"   {topics}", "$text-muted")


def _topics(part: PlanRound) -> str:
    """What is drawn from, in a line."""
    picks = [pick for pick in (*(each.pick for each in part.in_parts), *part.ladder) if pick]
    topics = dict.fromkeys(topic for pick in picks for topic in pick.topics or pick.rounds)
    named = len(part.named)
    more = [f"{named} named" if part.parts else f"{named} fixed"] if named and picks else []
    return ", ".join([*topics, *more])
