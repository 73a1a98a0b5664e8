"""``interviewer sessions costs``, and the question before the month's budget is passed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from interviewer.cli.console import (
    complain,
    json_option,
    open_sessions,
    pass_settings,
    require_consent,
    say,
    say_json,
    say_table,
)

if TYPE_CHECKING:
    from interviewer.cost import Bill
    from interviewer.settings import Settings
    from interviewer.store.records import SpentRow

_KEYS: dict[str, Callable[[SpentRow], str]] = {
    "month": lambda row: row.day[:7],
    "session": lambda row: row.session,
    "model": lambda row: row.model,
}


@click.command("costs", short_help="Show what models cost, by month, session or model.")
@click.option("--by", type=click.Choice(list(_KEYS)), default="month", show_default=True)
@json_option
@pass_settings
def costs(settings: Settings, by: str, as_json: bool) -> None:
    """Show how many tokens models used and what they cost where prices are known.

    Months are those of UTC. Cached tokens are among those sent. With budget = 5.00 in config.toml
    you are asked before a month's costs pass that.
    """
    from interviewer.cost import about_prices, bill, money, spent_this_month

    with open_sessions(settings) as store:
        rows = store.history.spent()
        month = None if settings.budget is None else spent_this_month(settings, store)
    grouped: dict[str, list[SpentRow]] = {}
    for row in rows:
        grouped.setdefault(_KEYS[by](row), []).append(row)
    bills = {name: bill(settings, found) for name, found in grouped.items()}
    if as_json:
        say_json([{by: name, **asdict(each)} for name, each in bills.items()])
        return
    if not bills:
        say("No model was asked yet, so nothing was spent.")
        return
    heading = (by.upper(), "CALLS", "SENT", "CACHED", "RECEIVED", "COST")
    say_table([heading, *(_cells(name, each) for name, each in bills.items())])
    if unpriced := sorted({model for each in bills.values() for model in each.unpriced}):
        say(
            f"No price is known for {', '.join(unpriced)}: its tokens are counted, its cost is not."
        )
    say(about_prices())
    if month is not None and settings.budget is not None:
        say(f"This month {money(month.money)} of the budget of {money(settings.budget)}.")


def _cells(name: str, bill: Bill) -> tuple[str, ...]:
    from interviewer.cost import money

    tokens = (bill.prompt_tokens, bill.cached_tokens, bill.completion_tokens)
    cost = "–" if bill.unpriced and not bill.money else money(bill.money)
    partly = "+" if bill.unpriced and bill.money else ""
    return (name, f"{bill.calls:,}", *(f"{each:,}" for each in tokens), cost + partly)


def ask_before_the_budget_is_passed(why: str, *, allowed: bool) -> None:
    """Ask whether to go on where there is a reason not to.

    Raises Abort for a no, and UsageError where there is no terminal and it was not ``allowed``.
    """
    if allowed or not why:
        return
    complain(why)
    require_consent(False, "Go on?", "--over-budget goes on")
