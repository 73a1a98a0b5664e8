"""``interviewer plans``: the blueprints of interviews."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.console import library_of, plans_of
from interviewer.cli.content import View, folders_in_use
from interviewer.content.kinds import PLANS
from interviewer.names import DEFAULT_PLAN

if TYPE_CHECKING:
    from interviewer.content.fields import Problem
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


def _lint(settings: Settings, paths: tuple[Path, ...]) -> tuple[int, list[Problem]]:
    from interviewer.interview.plans import lint_plan_paths

    return lint_plan_paths(paths or folders_in_use(settings, PLANS), library_of(settings))


def _model() -> type[Plan]:
    from interviewer.interview.plans import Plan

    return Plan


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
    _view.lint_command("Check plan files and folders; without a PATH, all in use.", _lint),
    _view.new_command(_model),
):
    plans.add_command(command)
