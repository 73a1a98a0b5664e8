"""What is asked of a child, as the bytes that it reads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from interviewer.sandbox.challenges.challenge import Challenge
from interviewer.sandbox.checking import draws as drawing
from interviewer.sandbox.checking.draws import Draw
from interviewer.sandbox.checking.python_source import FunctionSource, function_in
from interviewer.sandbox.language import Statement, expression

PROPERTY_DRAWS = 3
"""Properties are looked at on so many ordinary draws."""


def lines_job(
    challenge: Challenge, draws: Sequence[Draw], statements: Sequence[Statement]
) -> bytes:
    """Evaluate these lines on these draws."""
    written = [
        {
            "line": statement.line,
            "defines": statement.defines,
            "parts": [part.node for part in statement.parts],
        }
        for statement in statements
    ]
    return _encoded(challenge, draws, mode="lines", statements=written)


def function_job(challenge: Challenge, draws: Sequence[Draw], function: FunctionSource) -> bytes:
    """Call this function on these draws, and hold it to the challenge's properties."""
    return _encoded(
        challenge,
        draws,
        mode="functions",
        functions=[_named(function)],
        properties=[_own(each.code) for each in challenge.properties],
        property_draws=property_draws(draws),
    )


def reference_job(challenge: Challenge, draws: Sequence[Draw]) -> bytes:
    """The reference, then the wrong answers, the steps and the conditions to be visited.

    Raises SourceError or ValueError where the challenge itself cannot be read.
    """
    functions = [challenge.reference, *(code for _, code in challenge.wrong_codes)]
    given = challenge.given
    steps = []
    for step in challenge.steps:
        steps.append((step.name, expression(step.value, given=given)))
        given = given | {step.name}
    return _encoded(
        challenge,
        draws,
        mode="functions",
        functions=[_own(code) for code in functions],
        steps=steps,
        wrong_steps=[expression(value, given=given) for _, _, value in challenge.wrong_steps],
        visits=[expression(text, given=challenge.given) for text in challenge.visits],
    )


def property_draws(draws: Sequence[Draw]) -> list[int]:
    """The numbers of the draws on which properties are looked at."""
    ordinary = [number for number, draw in enumerate(draws) if draw.ordinary]
    return (ordinary or list(range(len(draws))))[:PROPERTY_DRAWS]


@lru_cache(maxsize=1024)
def _own(code: str) -> dict[str, str]:
    """A function of the challenge's own; the same ones come with every check."""
    return _named(function_in(code))


def _named(function: FunctionSource) -> dict[str, str]:
    return {"source": function.source, "name": function.name}


def _encoded(challenge: Challenge, draws: Sequence[Draw], **fields: Any) -> bytes:
    job = {
        "draws": [drawing.described(draw, challenge) for draw in draws],
        "arguments": challenge.parameters,
        "parts": [part.name for part in challenge.answer],
        **fields,
    }
    return json.dumps(job).encode()
