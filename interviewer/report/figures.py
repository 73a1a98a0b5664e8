"""A question's figure as lines of text: drawn for the eye, or as values that can be read aloud."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from interviewer.report.plain import printable

if TYPE_CHECKING:
    from interviewer.rubric.figure import Figure, Plot, Series

PANEL_ROWS = 9
"""Of each pair of axes, with the numbers below."""
NARROWEST, WIDEST = 24, 120
"""Columns of a drawing. What is narrower cannot be read, and what is wider says no more."""
_MARKS = ("braille", "x", "o", "+", "*", "#", "v", "~")
"""Each curve of a panel has its own, since a colour may not be seen."""
_drawing = threading.Lock()
"""plotext draws into one figure of its own."""


def drawn(figure: Figure, width: int) -> list[str]:
    """The figure in lines of at most ``width`` columns: its curves, or what is shown verbatim."""
    if figure.plot is None:
        return _listing(figure, width)
    return list(_panels(figure.plot, min(max(width, NARROWEST), WIDEST)))


def told(figure: Figure) -> list[str]:
    """The same for a screen reader or a file: a table of the values instead of curves."""
    if figure.plot is None:
        return _listing(figure, width=0)
    plot = figure.plot
    heads = (printable(plot.x_label), *(printable(_named(each)) for each in plot.series))
    columns = zip(plot.x, *(each.values for each in plot.series), strict=True)
    rows = [heads, *(tuple(f"{value:.6g}" for value in row) for row in columns)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]


def captioned(figure: Figure) -> str:
    """The caption on one line, marked as one."""
    return f"Figure: {' '.join(printable(figure.caption).split())}"


def _named(series: Series) -> str:
    return f"{series.name} ({series.y_label})" if series.y_label else series.name


def _panels(plot: Plot, width: int) -> Iterator[str]:
    for panel in plot.panels:
        scale = ", log scale" if panel[0].log else ""
        names = [
            f"{'line' if mark == 'braille' else mark}: {each.name}"
            for mark, each in zip(_MARKS, panel, strict=False)
        ]
        key = f" ({', '.join(names)})" if len(panel) > 1 else ""
        yield from _wrapped(printable(f"{panel[0].axis}{scale}{key}"), width)
        yield from _axes(plot.x, panel, width)
    yield f"{printable(plot.x_label):>{width}}".rstrip() if len(plot.x_label) < width else ""


def _axes(x: Sequence[float], panel: Sequence[Series], width: int) -> list[str]:
    import plotext  # only now: a question with curves is rare, and this takes a moment

    with _drawing:
        plotext.clear_figure()
        plotext.limit_size(False, False)
        plotext.theme("clear")
        plotext.plotsize(width, PANEL_ROWS)
        plotext.xfrequency(min(5, width // 12))
        plotext.yfrequency(3)
        if panel[0].log:
            plotext.yscale("log")
        for mark, series in zip(_MARKS, panel, strict=False):
            plotext.plot(list(x), list(series.values), marker=mark)
        lines = str(plotext.uncolorize(plotext.build())).split("\n")
    return [line.rstrip() for line in lines if line.strip()]


def _listing(figure: Figure, width: int) -> list[str]:
    """Verbatim; code with the numbers of its lines. ``width`` 0 breaks no line."""
    lines = printable(figure.listing).expandtabs(4).split("\n")
    if figure.code is None:
        return [part for line in lines for part in _wrapped(line, width)]
    digits = len(str(len(lines)))
    numbered = []
    for number, line in enumerate(lines, start=1):
        first, *rest = _wrapped(line, width - digits - 3 if width else 0)
        numbered.append(f"{number:>{digits}} │ {first}".rstrip())
        numbered += [f"{'':>{digits}} ┆ {part}" for part in rest]
    return numbered


def _wrapped(line: str, width: int) -> list[str]:
    """The line in pieces of this many characters, none of them left out; 0 leaves it whole."""
    if not width or len(line) <= width:
        return [line]
    step = max(8, width)
    return [line[start : start + step] for start in range(0, len(line), step)]
