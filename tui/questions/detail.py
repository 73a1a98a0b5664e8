"""One question in full: what is asked and what it is worth, the answers only on request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.content import Content

from interviewer.plural import pluralize
from interviewer.report.figures import captioned, told
from interviewer.report.words import band_words, points_words
from tui.questions.rows import Broken, tries_words
from tui.widgets.pages import origin
from tui.widgets.plain_text import local_date, one_line, plain

if TYPE_CHECKING:
    from interviewer.content.collection import Entry
    from interviewer.practice.progress import Standing
    from interviewer.rubric.figure import Figure
    from interviewer.rubric.library import Summary
    from interviewer.rubric.rubric import Criterion, Rubric

_NEW_LINE = Content("\n")
_EMPTY = Content("")
_INDENT = Content("   ")
TRIES_SHOWN = 8


def described(
    entry: Entry[Summary, Rubric],
    rubric: Rubric | None,
    standing: Standing | None,
    hidden: str,
) -> Content:
    """The question; ``rubric`` is None until its file is read.

    ``hidden`` says how to see the answers; "" shows them.
    """
    summary = entry.summary
    facts = (summary.round, summary.topic, summary.difficulty, summary.kind, origin(entry))
    parts = [
        one_line(summary.title, "bold"),
        one_line(" · ".join(dict.fromkeys(facts)), "$text-muted"),
        _EMPTY,
        plain(summary.question),
        *(_figure(rubric.figure) if rubric and rubric.figure else []),
        _EMPTY,
        *(_worth(rubric) if rubric else [plain("…", "$text-muted")]),
        one_line(tries_words(standing)),
        *_tries(standing),
        _EMPTY,
        *(_answers(rubric) if rubric and not hidden else [plain(hidden or "…", "$text-muted")]),
        _EMPTY,
        *_file(entry, rubric),
    ]
    return _NEW_LINE.join(parts)


def _figure(figure: Figure) -> Iterator[Content]:
    """The caption, with the names of the curves or what is shown verbatim."""
    yield one_line(captioned(figure), "$text-muted")
    if figure.plot:
        names = ", ".join(each.name for each in figure.plot.series)
        yield one_line(f"Curves over {figure.plot.x_label}: {names}", "$text-muted")
    else:
        yield from (plain(line) for line in told(figure))


def _worth(rubric: Rubric) -> Iterator[Content]:
    points = points_words(sum(each.weight for each in rubric.criteria if not each.extra))
    must = sum(each.must_have for each in rubric.criteria)
    parts = [pluralize(len(rubric.criteria), "criterion").replace("criterions", "criteria"), points]
    if must:
        parts.append(f"{must} must-have")
    if rubric.challenge:
        parts.append("with a derivation or code at the bench")
    yield one_line("Worth: " + ", ".join(parts))


def _tries(standing: Standing | None) -> Iterator[Content]:
    """The dates, newest first, where there are several."""
    tries = standing.tries if standing and len(standing.tries) > 1 else ()
    for each in tries[:TRIES_SHOWN]:
        yield plain(f"  {local_date(each.at)}  {band_words(each.band)}", "$text-muted")
    if len(tries) > TRIES_SHOWN:
        yield plain(f"  and {len(tries) - TRIES_SHOWN} earlier", "$text-muted")


def _answers(rubric: Rubric) -> Iterator[Content]:
    yield Content.styled("Criteria", "bold $text-primary")
    for criterion in rubric.criteria:
        yield from _criterion(criterion)
    yield _EMPTY
    yield Content.styled("A strong answer", "bold $text-primary")
    yield plain(rubric.reference)
    if rubric.sources:
        yield _EMPTY
        yield Content.styled("Sources", "bold $text-primary")
        yield from (one_line(f"· {source}") for source in rubric.sources)


def _criterion(criterion: Criterion) -> Iterator[Content]:
    must = ", must-have" * criterion.must_have + ", extra" * criterion.extra
    head = plain(f"{criterion.weight:g}  ", "bold")
    yield head + one_line(criterion.claim) + plain(must, "bold")
    for number, hint in enumerate(criterion.hints, start=1):
        yield _INDENT + one_line(f"hint {number}: {hint}", "$text-muted")


def _file(entry: Entry[Summary, Rubric], rubric: Rubric | None) -> Iterator[Content]:
    version = f", version {rubric.version}" if rubric else ""
    yield one_line(f"{entry.summary.id}{version}", "$text-muted")
    yield one_line(str(entry.path), "$text-muted")


def problems_of(broken: Broken, keys: str) -> Content:
    """Why a file cannot be used, by line, and how to fix it."""
    parts = [
        one_line(broken.path.rsplit("/", 1)[-1], "bold"),
        one_line(broken.path, "$text-muted"),
        _EMPTY,
        Content("This file cannot be used as it is:"),
        *(
            one_line(f"  {_place(each.line)}{each.field} {each.message}")
            for each in broken.problems
        ),
        _EMPTY,
        plain(keys, "$text-muted"),
    ]
    return _NEW_LINE.join(parts)


def _place(line: int | None) -> str:
    return f"line {line}: " if line else ""
