"""The shipped rubrics against the habits of the house and the rules of rubrics/VERDICTS.md."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from evals.figures import Figure, count
from evals.rubrics.overlaps import overlaps
from evals.rubrics.style import against_the_style
from evals.rubrics.verdict_rules import broken_rules

from interviewer.content.problems import dotted
from interviewer.rubric.library import load_library

SAMPLED = 12
"""Every so many rubrics of the sample."""


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    """How often each is broken, and where."""
    rubrics = load_library().models()[:: SAMPLED if asked.sample else 1]
    yield count(
        "fields not written as the house writes",
        (f"{r.id}: {dotted(at)} {why}" for r in rubrics for at, why in against_the_style(r)),
    )
    for name, check in (
        ("verdicts against the rules", broken_rules),
        ("sentences that earn two points", overlaps),
    ):
        yield count(name, (f"{r.id}: {why}" for r in rubrics for why in check(r)))
