"""``interviewer plans``: the blueprints of interviews."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.authoring import new_plan
from interviewer.cli.console import json_option, library_of, pass_settings, plans_of
from interviewer.cli.content import View, folders_in_use, paths_argument, report_problems
from interviewer.content.kinds import PLANS
from interviewer.names import DEFAULT_PLAN

if TYPE_CHECKING:
    from interviewer.interview.plans import Plan
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


def _described(plan: Plan) -> list[str]:
    """As the plan's file has it."""
    from interviewer.content.files import as_yaml

    return as_yaml(plan.model_dump(mode="json", exclude_defaults=True)).splitlines()


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
