"""Do challenges and rubrics that name each other exist, and fit together?"""

from __future__ import annotations

from collections.abc import Iterator

from interviewer.content.collection import close_to
from interviewer.content.files import read
from interviewer.content.problems import Locator, Problem
from interviewer.rubric.library import Library
from interviewer.rubric.rubric import Rubric
from interviewer.sandbox.challenges.catalogue import LISTING, Catalogue
from interviewer.sandbox.challenges.challenge import Challenge


def lint_rubrics_of(challenge: Challenge, where: Locator, library: Library) -> Iterator[Problem]:
    """Rubrics that the challenge says it belongs to, and that are not there."""
    for place, rubric in enumerate(challenge.rubrics):
        if rubric not in library.entries:
            hint = close_to(rubric, library.entries, "rubric")
            yield where.error(("rubrics", place), f"no rubric is called {rubric}; {hint}")


def lint_challenges_of(library: Library, catalogue: Catalogue) -> Iterator[Problem]:
    """Challenges that rubrics offer, and quantities that criteria credit, which are not there."""
    for entry in library.entries.values():
        reading = read(entry.path, Rubric)
        rubric = reading.value
        if rubric is None or rubric.challenge is None:
            continue
        found = catalogue.entries.get(rubric.challenge)
        if found is None:
            hint = close_to(rubric.challenge, catalogue.entries, "challenge", LISTING)
            message = f"no challenge is called {rubric.challenge}; {hint}"
            yield reading.where.error(("challenge",), message)
        else:
            yield from _quantities(rubric, found.challenge, reading.where)


def _quantities(rubric: Rubric, challenge: Challenge, where: Locator) -> Iterator[Problem]:
    names = [quantity.name for quantity in (*challenge.answer, *challenge.steps)]
    for place, criterion in enumerate(rubric.criteria):
        if criterion.bench and criterion.bench not in names:
            message = (
                f"{criterion.bench} is derived nowhere in {challenge.id}; "
                f"name one of {', '.join(names)}"
            )
            yield where.error(("criteria", place, "bench"), message)
