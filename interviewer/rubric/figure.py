"""What a question gives to look at: curves, a listing, or a table or passage of text."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any

from pydantic import Field, StringConstraints, model_validator

from interviewer.content.fields import FieldPath, FieldsError, Finite, Frozen, Text

MOST_VALUES = 200
MOST_LINES = 80
MOST_CHARACTERS = 8000

Label = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40)]
Verbatim = Annotated[str, StringConstraints(min_length=1, max_length=MOST_CHARACTERS)]
"""Text whose spaces mean something."""
_Values = Annotated[tuple[Finite, ...], Field(min_length=2, max_length=MOST_VALUES)]


class Series(Frozen):
    """One curve. Series with the same ``y_label`` share their axes; others have their own."""

    name: Label
    values: _Values
    y_label: Label | None = None
    log: bool = False
    """The axis of the values is logarithmic."""

    @property
    def axis(self) -> str:
        """What the axis of the values is called."""
        return self.y_label or self.name


class Plot(Frozen):
    """Curves over the same values of x, which rise."""

    x_label: Label
    x: _Values
    series: tuple[Series, ...] = Field(min_length=1, max_length=8)

    @property
    def panels(self) -> tuple[tuple[Series, ...], ...]:
        """The series by their axes, in the order of the file."""
        axes = dict.fromkeys(each.axis for each in self.series)
        return tuple(tuple(each for each in self.series if each.axis == axis) for axis in axes)

    @model_validator(mode="after")
    def _fits_together(self) -> Plot:
        faults: list[tuple[FieldPath, str]] = []
        if any(after <= before for before, after in pairwise(self.x)):
            faults.append((("x",), "must rise from each value to the next"))
        names = [each.name for each in self.series]
        scales = {each.axis: each.log for each in reversed(self.series)}
        for n, each in enumerate(self.series):
            if names.index(each.name) != n:
                faults.append((("series", n, "name"), "is taken by a series above; rename it"))
            if len(each.values) != len(self.x):
                message = f"are {len(each.values)}, and x has {len(self.x)}; give one for each x"
                faults.append((("series", n, "values"), message))
            if each.log and min(each.values) <= 0:
                message = "must be above 0 on a logarithmic axis"
                faults.append((("series", n, "values"), message))
            if each.log != scales[each.axis]:
                message = f"differs from the other series on the axis {each.axis!r}; use one scale"
                faults.append((("series", n, "log"), message))
        if faults:
            raise FieldsError(*faults)
        return self


class Figure(Frozen):
    """A caption and one of three: ``plot``, ``code`` (shown with line numbers) or ``text``."""

    caption: Text
    plot: Plot | None = None
    code: Verbatim | None = None
    text: Verbatim | None = None

    @property
    def listing(self) -> str:
        """What is shown verbatim, "" for a plot."""
        return (self.code or self.text or "").rstrip("\n")

    @property
    def words(self) -> str:
        """All of its words, for checks on what a question says anyway."""
        if self.plot is None:
            return f"{self.caption}\n{self.listing}"
        labels = (f"{each.name}, {each.axis}" for each in self.plot.series)
        return "\n".join([self.caption, self.plot.x_label, *labels])

    def as_data(self) -> dict[str, Any]:
        """The figure as JSON values, without what it leaves open."""
        return self.model_dump(mode="json", exclude_defaults=True)

    @model_validator(mode="after")
    def _is_one_thing(self) -> Figure:
        given = [name for name in ("plot", "code", "text") if getattr(self, name) is not None]
        if len(given) != 1:
            found = " and ".join(given) or "none of them"
            raise ValueError(f"must have exactly one of plot, code and text, and has {found}")
        if not self.plot and not self.listing.strip():
            raise FieldsError(((given[0],), "is blank; write what is to be shown"))
        if len(self.listing.split("\n")) > MOST_LINES:
            raise FieldsError(((given[0],), f"has more than {MOST_LINES} lines; shorten it"))
        return self
