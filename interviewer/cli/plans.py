"""``interviewer plans``: the blueprints of interviews."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interviewer.cli.authoring import new_plan
from interviewer.cli.console import (
    json_option,
    library_of,
    pass_settings,
    plans_of,
    report_problems,
    say,
    say_json,
    say_table,
)

if TYPE_CHECKING:
    from interviewer.interview.plans import Pick, Plan, PlanRound
    from interviewer.settings import Settings


@click.group()
def plans() -> None:
    """The blueprints of interviews."""


plans.add_command(new_plan)


@plans.command("list")
@json_option
@pass_settings
def list_plans(settings: Settings, as_json: bool) -> None:
    """List the plans, shipped ones and your own."""
    found = plans_of(settings)
    entries = [found.entries[plan_id] for plan_id in sorted(found.entries)]
    if as_json:
        say_json(
            [
                {
                    "id": entry.plan.id,
                    "title": entry.plan.title,
                    "description": entry.plan.description,
                    "rounds": len(entry.plan.rounds),
                    "questions": sum(part.count for part in entry.plan.rounds),
                    "minutes": sum(part.minutes for part in entry.plan.rounds),
                    "origin": entry.origin,
                    "replaces": entry.replaces,
                    "path": str(entry.path),
                }
                for entry in entries
            ]
        )
        return
    say_table(
        [("ID", "ROUNDS", "QUESTIONS", "MINUTES", "FROM", "TITLE")]
        + [
            (
                entry.plan.id,
                str(len(entry.plan.rounds)),
                str(sum(part.count for part in entry.plan.rounds)),
                f"{sum(part.minutes for part in entry.plan.rounds):g}",
                f"{entry.origin}, replaces shipped" if entry.replaces else entry.origin,
                entry.plan.title,
            )
            for entry in entries
        ]
    )


@plans.command("show")
@click.argument("plan_id", metavar="PLAN")
@json_option
@pass_settings
def show_plan(settings: Settings, plan_id: str, as_json: bool) -> None:
    """Show one plan with its rounds."""
    entry = plans_of(settings).get(plan_id)
    if as_json:
        plan = entry.plan.model_dump(mode="json")
        say_json({**plan, "origin": entry.origin, "path": str(entry.path)})
        return
    for line in _described(entry.plan):
        say(line)
    say(f"File: {entry.path}")


def _described(plan: Plan) -> Iterator[str]:
    yield f"{plan.title} ({plan.id}, version {plan.version})"
    yield plan.description
    for number, part in enumerate(plan.rounds, start=1):
        yield ""
        yield f"Round {number}: {part.title}, {part.minutes:g} minutes, {part.count} questions"
        yield f"  With {part.persona.name}: {part.persona.manner}"
        if part.persona.cares_about:
            yield f"  Cares about {part.persona.cares_about}; patience: {part.persona.patience}"
        yield f"  Follow-ups to a question: at most {part.follow_ups}"
        if part.drills:
            yield "  Asks after every smooth answer what you did yourself"
        yield from _questions(part)
    yield ""


def _questions(part: PlanRound) -> Iterator[str]:
    for rubric in part.ask:
        yield f"  Asks {rubric}"
    if part.pick and part.count > len(part.ask):
        yield f"  Draws {part.count - len(part.ask)} from {_limits(part.pick)}"
    for number, rung in enumerate(part.ladder, start=1):
        begins = ", where it begins" if number == part.start else ""
        yield f"  Rung {number} draws from {_limits(rung)}{begins}"


def _limits(pick: Pick) -> str:
    limits = pick.model_dump(mode="json")
    told = [f"{name} {' or '.join(values)}" for name, values in limits.items() if values]
    return ", ".join(told) or "all rubrics"


@plans.command("lint")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path))
@json_option
@pass_settings
def lint_plans(settings: Settings, paths: tuple[Path, ...], as_json: bool) -> None:
    """Check plan files and folders; without a PATH, all that are in use."""
    from interviewer.composition import own_plan_folders
    from interviewer.interview.plans import lint_plan_paths, shipped_plans_folder

    if not paths:
        own = (folder for folder in own_plan_folders(settings) if folder.is_dir())
        paths = (shipped_plans_folder(), *own)
    checked, problems = lint_plan_paths(paths, library_of(settings))
    report_problems(problems, checked=checked, noun="plan", as_json=as_json)
