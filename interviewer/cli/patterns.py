"""``interviewer rubrics patterns``: patterns proposed for a rubric, and what they would change."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interviewer.cli.console import (
    complain,
    examiner_option,
    json_option,
    library_of,
    pass_settings,
    say,
    say_json,
)
from interviewer.counting import counted
from interviewer.errors import RubricFileError, SettingsError
from interviewer.examiner import registry

if TYPE_CHECKING:
    from interviewer.examiner.offline.pattern_effect import Effect
    from interviewer.examiner.offline.proposals import Proposed, Refused
    from interviewer.rubric.rubric import Rubric
    from interviewer.settings import Settings

STRICTER = (
    "These are the key's own words, so they credit less than words alone would, right or wrong: "
    "add the words that people use."
)


UNTRIED = (
    "The rubric has no samples, so nothing shows whether they help: write some answers with "
    "verdicts first."
)


@click.command("patterns", short_help="Propose patterns for a rubric.")
@click.argument("rubric_id", metavar="ID")
@examiner_option("Who proposes: the key's own words (offline, the default), or a model.")
@click.option("--write", is_flag=True, help="Add them to the file, which must be your own.")
@json_option
@pass_settings
def patterns(
    settings: Settings, rubric_id: str, examiner: str | None, write: bool, as_json: bool
) -> None:
    """Propose patterns for what a rubric's own patterns do not find, as YAML to paste.

    They are made of words that its claims, accepted phrasings and reference share, and find nothing
    that is rejected, a misconception or another point. Comments say how many phrasings they find
    and which verdicts on the rubric's samples they change.

    --write adds them to your file, except where fewer samples would be judged as you did.
    """
    from interviewer.examiner.offline.pattern_effect import effects_of

    entry = library_of(settings).get(rubric_id)
    rubric = entry.model
    if write and entry.origin != "yours":
        raise RubricFileError(
            f"{rubric_id} is a shipped rubric, and its file stays as it is; 'interviewer rubrics "
            f"copy {rubric_id}' makes a copy of your own."
        )
    proposed, refused = _proposed(settings, rubric, by_model=examiner == registry.LLM.choice)
    effects = effects_of(rubric, proposed)
    for each in refused:
        complain(f"Left out for {each.criterion}: {' + '.join(each.pattern)} {each.why}.")
    if as_json:
        say_json([_as_json_value(*both) for both in zip(proposed, effects, strict=True)])
    else:
        for line in _yaml_lines(proposed, effects):
            say(line)
    if any(each.patterns and not rubric.criterion(each.criterion).patterns for each in proposed):
        complain(STRICTER if rubric.samples else f"{STRICTER} {UNTRIED}")
    if write:
        _write(entry.path, proposed, effects)


def _proposed(
    settings: Settings, rubric: Rubric, *, by_model: bool
) -> tuple[tuple[Proposed, ...], list[Refused]]:
    if not by_model:
        from interviewer.examiner.offline.proposals import propose

        return propose(rubric), []
    if not settings.endpoint_configured:
        raise SettingsError(
            "--examiner llm needs a model, and none is configured: set OPENAI_API_KEY, or "
            "OPENAI_BASE_URL for a server of your own; without the option no model is needed."
        )
    return asyncio.run(_by_model(settings, rubric))


async def _by_model(
    settings: Settings, rubric: Rubric
) -> tuple[tuple[Proposed, ...], list[Refused]]:
    from interviewer.examiner.llm.client import ChatClient
    from interviewer.examiner.llm.endpoint import endpoint_of
    from interviewer.examiner.llm.patterns import propose_patterns

    endpoint = endpoint_of(settings)
    client = ChatClient(endpoint, on_retry=lambda retrying: complain(retrying.reason))
    complain(f"{endpoint.model} at {endpoint.route} proposes patterns for {rubric.id} …")
    try:
        return await propose_patterns(client, rubric)
    finally:
        await client.aclose()


def _yaml_lines(proposed: Sequence[Proposed], effects: Sequence[Effect]) -> Iterator[str]:
    """What to paste, with what it changes as comments."""
    from interviewer.rubric.own_patterns import pattern_line

    if any(each.patterns for each in proposed):
        yield "criteria:"
    for each, effect in zip(proposed, effects, strict=True):
        if not each.patterns:
            found = f"{effect.accepted.before} of {effect.accepted.of}"
            yield f"  # {each.criterion}: nothing to propose; {found} accepted phrasings are found."
            continue
        yield f"  - id: {each.criterion}"
        yield from (f"    # {line}" for line in _effect_lines(each, effect))
        yield "    patterns:"
        yield from (f"      - {pattern_line(one.pattern)}" for one in each.patterns)


def _effect_lines(proposed: Proposed, effect: Effect) -> Iterator[str]:
    if effect.accepted.of:
        yield (
            f"Accepted phrasings found: {effect.accepted.before} of {effect.accepted.of}, "
            f"then {effect.accepted.after}. Rejected ones: {effect.rejected.after}."
        )
    yield from (f"Not found: {' '.join(text.split())}" for text in proposed.unmatched)
    if effect.agreeing.of:
        yield (
            f"Samples judged as you did: {effect.agreeing.before} of {effect.agreeing.of}, "
            f"then {effect.agreeing.after}."
        )
    for change in effect.changes:
        yield (
            f"Sample {change.sample} ({change.kind}): {change.before.value}, then "
            f"{change.after.value}; you said {change.authors.value}."
        )


def _write(path: Path, proposed: Sequence[Proposed], effects: Sequence[Effect]) -> None:
    from interviewer.rubric.own_patterns import add_patterns

    harmful = [effect.criterion for effect in effects if effect.harms]
    added = {
        each.criterion: [one.pattern for one in each.patterns]
        for each in proposed
        if each.patterns and each.criterion not in harmful
    }
    if harmful:
        names = ", ".join(harmful)
        complain(f"Not added, as fewer samples would be judged as you did: {names}.")
    if added:
        add_patterns(path, added)
        number = counted(sum(map(len, added.values())), "pattern")
        complain(f"{number} added to {path}.")
    else:
        complain(f"Nothing was added to {path}.")


def _as_json_value(proposed: Proposed, effect: Effect) -> dict[str, Any]:
    return {
        "criterion": proposed.criterion,
        "patterns": [list(each.pattern) for each in proposed.patterns],
        "not_found": list(proposed.unmatched),
        "accepted": vars(effect.accepted),
        "rejected": vars(effect.rejected),
        "samples": vars(effect.agreeing),
        "changes": [
            {
                "sample": change.sample,
                "kind": change.kind,
                "before": change.before.value,
                "after": change.after.value,
                "author": change.authors.value,
            }
            for change in effect.changes
        ],
    }
