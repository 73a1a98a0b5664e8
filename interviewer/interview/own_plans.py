"""Plans of one's own, as they are made and changed in the program."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from interviewer.content.files import rendered, write_new, write_over
from interviewer.content.kinds import PLANS
from interviewer.content.scaffold import free_slug, schema_beside, schema_text, slug_of
from interviewer.errors import RubricFileError
from interviewer.interview.plans import Pick, Plan, PlanRound, Plans

_FIELDS = {"count": "number of questions", "follow_ups": "number of follow-ups"}
P = TypeVar("P", Plan, PlanRound)
QUESTIONS_OF_A_NEW_ROUND, MINUTES_OF_ONE = 2, 5.0


def changed(what: P, values: Mapping[str, Any]) -> P:
    """The plan or round with other values. Raises RubricFileError with what is wrong."""
    try:
        return type(what).model_validate(what.model_dump() | dict(values))
    except ValidationError as error:
        first = error.errors()[0]
    field = str(first["loc"][-1]) if first["loc"] else "round"
    told = str(first["msg"]).removeprefix("Value error, ").replace("Input should be", "must be")
    told = told.replace("String should", "must")
    raise RubricFileError(f"The {_FIELDS.get(field, field)} {told}.")


def new_round(plan: Plan, persona: Mapping[str, Any]) -> PlanRound:
    """A round to add: questions drawn from all that there are."""
    taken = {part.id for part in plan.rounds}
    return PlanRound.model_validate(
        {
            "id": free_slug("round", taken),
            "title": f"Round {len(plan.rounds) + 1}",
            "persona": persona,
            "minutes": QUESTIONS_OF_A_NEW_ROUND * MINUTES_OF_ONE,
            "count": QUESTIONS_OF_A_NEW_ROUND,
            "pick": Pick().model_dump(),
        }
    )


def drawing(part: PlanRound, topic: str, drawn: int) -> dict[str, Any]:
    """What makes the round draw so many questions, of one topic or "" for any, beside the named."""
    pick = Pick(topics=(topic,) if topic else ()).model_dump() if drawn else None
    return {"pick": pick, "count": len(part.ask) + drawn}


def asking(part: PlanRound, more: tuple[str, ...]) -> dict[str, Any]:
    """What makes the round ask these questions by name, too, in time for them."""
    ask = tuple(dict.fromkeys((*part.ask, *more)))
    added = len(ask) - len(part.ask)
    drawn = part.count - len(part.ask)
    minutes = part.minutes + added * MINUTES_OF_ONE
    return {"ask": ask, "count": len(ask) + drawn, "minutes": minutes}


def save_plan(plan: Plan, plans: Plans, folder: Path) -> tuple[Plan, Path]:
    """Write the plan, one's own over its file, else as a new one. Raises RubricFileError."""
    own = plans.entries.get(plan.id)
    schema = schema_beside(folder, PLANS, schema_text(Plan))
    heading = [f"yaml-language-server: $schema={schema}"]
    if own and own.origin == "yours":
        write_over(own.path, _text(plan, heading))
        return plan, own.path
    plan = changed(plan, {"id": slug_of(plan.title, plans.entries, otherwise="plan")})
    path = folder / f"{plan.id}.yaml"
    write_new(path, _text(plan, heading))
    return plan, path


def _text(plan: Plan, heading: list[str]) -> str:
    return rendered(plan.model_dump(mode="json", exclude_defaults=True), heading=heading)
