"""``interviewer plans``: the blueprints of interviews."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.authoring import new_plan
from interviewer.cli.console import json_option, library_of, pass_settings, plans_of
from interviewer.cli.content import View, folders_in_use, paths_argument, report_problems
from interviewer.content.kinds import PLANS
from interviewer.names import DEFAULT_PLAN
from interviewer.plural import pluralize

if TYPE_CHECKING:
    from interviewer.interview.plans import Part, Pick, Plan, PlanRound
    from interviewer.settings import Settings


@click.group()
def plans() -> None:
    """The plans for interviews."""


def _row(plan: Plan) -> dict[str, Any]:
    return plan.model_dump(include={"id", "title", "description"}) | {
        "rounds": len(plan.rounds),
        "questions": sum(part.count for part in plan.rounds),
        "minutes": sum(part.minutes for part in plan.rounds),
    }


def _described(plan: Plan) -> Iterator[str]:
    yield f"{plan.title} ({plan.id}, version {plan.version})"
    yield plan.description
    for number, part in enumerate(plan.rounds, start=1):
        yield ""
        yield (
            f"Round {number}: {part.title}, "
            f"{pluralize(part.minutes, 'minute')}, {pluralize(part.count, 'question')}"
        )
        yield f"  With {part.persona.name}: {part.persona.manner}"
        if part.persona.cares_about:
            yield f"  Cares about {part.persona.cares_about}; patience: {part.persona.patience}"
        yield f"  Follow-ups to a question: at most {part.follow_ups}"
        if part.drills:
            yield "  After every smooth answer, asks what you did yourself"
        if part.guides:
            yield "  Offers a hint where you are stuck, and adds what you missed"
        if part.optional:
            yield "  You may leave it out"
        yield from _questions(part)
    yield ""


def _questions(part: PlanRound) -> Iterator[str]:
    yield from map(_part, part.in_parts)
    for number, rung in enumerate(part.ladder, start=1):
        begins = ", where it begins" if number == part.start else ""
        yield f"  Rung {number} draws from {_limits(rung)}{begins}"


def _part(part: Part) -> str:
    names = _limits(part.pick) if part.pick else (", then " if part.chain else ", ").join(part.ask)
    if not part.share:
        return f"  Fills up from {names}"
    some = part.pick or part.share < len(part.ask)
    return f"  Draws {part.share} from {names}" if some else f"  Asks {names}"


def _limits(pick: Pick) -> str:
    limits = pick.model_dump(mode="json")
    listed = [f"{name} {' or '.join(values)}" for name, values in limits.items() if values]
    return ", ".join(listed) or "all rubrics"


@click.command("lint")
@paths_argument
@json_option
@pass_settings
def lint_plans(settings: Settings, paths: tuple[Path, ...], as_json: bool) -> None:
    """Check plan files and folders; without a PATH, all that are in use."""
    from interviewer.interview.plans import lint_plan_paths

    found = lint_plan_paths(paths or folders_in_use(settings, PLANS), library_of(settings))
    report_problems(PLANS, *found, as_json=as_json)


_view = View(
    PLANS,
    plans_of,
    row=_row,
    columns=("rounds", "questions", "minutes"),
    order=lambda plan: ("" if plan.id == DEFAULT_PLAN else plan.id,),
)
for command in (
    _view.list_command(),
    _view.show_command("Show one plan with its rounds.", _described),
    _view.path_command(),
    lint_plans,
    new_plan,
):
    plans.add_command(command)
