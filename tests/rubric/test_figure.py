"""What a question gives to look at: which figures a file may have, and what lint says of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from support.figures import CURVES, LISTING, PASSAGE
from support.rubrics import a_criterion, a_rubric

from interviewer.content.fields import Locator
from interviewer.rubric.figure import MOST_LINES, Figure
from interviewer.rubric.library import snapshot
from interviewer.rubric.lint import lint
from interviewer.rubric.rubric import Rubric

PLOT: dict[str, Any] = {
    "x_label": "step",
    "x": [0, 1, 2],
    "series": [{"name": "loss", "values": [3, 2, 1]}],
}


def with_series(*series: dict[str, Any], x: tuple[float, ...] = (0, 1, 2)) -> dict[str, Any]:
    return {"caption": "c", "plot": {**PLOT, "x": x, "series": series}}


@pytest.mark.parametrize(
    ("figure", "says"),
    [
        ({"caption": "c"}, "exactly one of plot, code and text, and has none of them"),
        ({"caption": "c", "code": "x = 1", "text": "y"}, "and has code and text"),
        ({"caption": "c", "code": " \n"}, "blank"),
        ({"caption": "c", "text": "line\n" * (MOST_LINES + 1)}, f"more than {MOST_LINES} lines"),
        (with_series({"name": "loss", "values": [1, 2]}), "are 2, and x has 3"),
        (with_series({"name": "a", "values": [0, 1, 2], "log": True}), "must be above 0"),
        (with_series(*2 * [{"name": "a", "values": [1, 2, 3]}]), "taken by a series above"),
        (with_series({"name": "a", "values": [1, 2, 3]}, x=(0, 2, 1)), "must rise"),
        (with_series({"name": "a", "values": [1, 2, float("nan")]}), "finite"),
        (
            with_series(
                {"name": "a", "y_label": "y", "values": [1, 2, 3]},
                {"name": "b", "y_label": "y", "values": [1, 2, 3], "log": True},
            ),
            "use one scale",
        ),
    ],
)
def test_a_figure_that_cannot_be_shown_is_refused(figure: dict[str, Any], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        Figure.model_validate(figure)


def test_a_stored_rubric_keeps_its_figure_and_one_without_is_stored_as_before() -> None:
    for figure in (CURVES, LISTING, PASSAGE, None):
        rubric = a_rubric(figure=figure)
        assert Rubric.model_validate(snapshot(rubric)) == rubric
    assert "figure" not in snapshot(a_rubric())


def problems_of(figure: Figure, **changes: object) -> list[str]:
    alpha = a_criterion("alpha", **changes)
    rubric = a_rubric(alpha, a_criterion("beta"), figure=figure)
    return [str(problem) for problem in lint(rubric, Locator(Path("f.yaml")))]


def test_what_the_figure_says_is_no_secret_and_earns_nothing() -> None:
    found = problems_of(LISTING, patterns=(("loader",),), secret_terms=("loader",))
    assert any("already matches the figure" in each for each in found)
    assert any("stands in the figure" in each for each in found)
