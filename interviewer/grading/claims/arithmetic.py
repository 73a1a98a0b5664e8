"""All sums that one run's numbers are held against.

A contradiction is said only where the numbers are off by clearly more than rounding, idle time and
honest differences in counting explain: a false alarm costs more than a miss.
"""

from __future__ import annotations

from collections.abc import Iterator

from interviewer.grading.claims.claim import Contradiction
from interviewer.grading.claims.compute import compute_sums, peak_sums
from interviewer.grading.claims.counting import (
    batch_sums,
    duration_sums,
    epoch_sums,
    rate_sums,
    token_sums,
)
from interviewer.grading.claims.figures import Run
from interviewer.grading.claims.memory import memory_sums

_SUMS = (
    compute_sums,
    memory_sums,
    token_sums,
    duration_sums,
    batch_sums,
    peak_sums,
    rate_sums,
    epoch_sums,
)


def contradictions(run: Run) -> Iterator[Contradiction]:
    """What cannot be true together in this run, always in the same order."""
    for sums in _SUMS:
        yield from sums(run)
