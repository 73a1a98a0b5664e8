"""The list of questions, built only when they come into sight, and one of them in full."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content
from textual.style import Style
from textual.visual import RenderOptions, Visual

from interviewer.grading.bands import TOP_BAND
from interviewer.plural import pluralize
from interviewer.practice.browsing import one_line as on_one_line
from interviewer.report.figures import captioned, told
from interviewer.report.plain import printable
from interviewer.report.words import band_words, points_words
from tui.widgets.pages import origin
from tui.widgets.plain_text import local_date, one_line, plain

if TYPE_CHECKING:
    from textual.css.styles import RulesMap
    from textual.strip import Strip

    from interviewer.content.collection import Entry
    from interviewer.content.fields import Problem
    from interviewer.practice.browsing import State
    from interviewer.practice.progress import Standing
    from interviewer.rubric.figure import Figure
    from interviewer.rubric.library import Summary
    from interviewer.rubric.rubric import Criterion, Rubric

_NEW_LINE = Content("\n")
_INDENT = Content("  ")
_WITH_DATE = 72
"""Cells from which on a row has room for the date."""
_LETTERS = "bold underline $text-primary"
_EMPTY = Content("")
TRIES_SHOWN = 8


class LazyRow(Visual):
    """A row whose content is made, for its width, when it is first drawn.

    A list of thousands then costs no more than what is seen of it.
    """

    LINES = 2

    def __init__(self, make: Callable[[int], Content]) -> None:
        self._make = make

    def render_strips(
        self, width: int, height: int | None, style: Style, options: RenderOptions
    ) -> list[Strip]:
        return self._make(width).render_strips(width, height, style, options)

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        return container_width

    def get_height(self, rules: RulesMap, width: int) -> int:
        return self.LINES


@dataclass(frozen=True)
class Broken:
    path: str
    problems: tuple[Problem, ...]

    @property
    def id(self) -> str:
        """Never the id of a question, which has no slash."""
        return f"file:{self.path}"


def question_row(
    entry: Entry[Summary, Rubric],
    letters: frozenset[int],
    standing: Standing | None,
    marked: bool,
    known: bool,
    width: int,
) -> Content:
    """Title with the letters found; below it what it is, and at the right how it stands.

    ``known`` says that past sessions have been read.
    """
    summary = entry.summary
    title = on_one_line(summary.title)
    shown = one_line(title, "bold")
    if printable(title) == title:  # else the places are others
        for at in letters:
            shown = shown.stylize(_LETTERS, at, at + 1)
    mark = Content.styled("✓ ", "bold $text-success") if marked else _INDENT
    mine = " · yours" if entry.origin == "yours" else ""
    facts = plain(f"  {summary.topic} · {summary.difficulty} · {summary.kind}{mine}", "$text-muted")
    words = standing_words(standing, dated=width >= _WITH_DATE) if known else "…"
    stands = plain(words, "$text-muted")
    room = max(0, width - stands.cell_length - 1)
    return _NEW_LINE.join(
        [
            (mark + shown).truncate(width, ellipsis=True),
            facts.truncate(room, ellipsis=True, pad=True) + Content(" ") + stands,
        ]
    )


def filter_line(keys: Mapping[State, str], on: Set[State]) -> Content:
    """The filters, a key each; a tick and reverse video say that one is on. A click flips it."""
    return Content("").join(_filter(state, key, state in on) for state, key in keys.items())


def _filter(state: State, key: str, on: bool) -> Content:
    head = plain(f"✓{key} " if on else f" {key} ", "bold" if on else "$text-primary")
    shown = head + one_line(f"{state.capitalize()} ", "bold" if on else "")
    flips = Style.from_meta({"@click": f"screen.{state.replace(' ', '_')}"})
    return (shown.stylize("reverse") if on else shown).stylize(flips)


def in_file(problem: Problem) -> str:
    """The problem without its file, which is known."""
    place = f"line {problem.line}: " if problem.line else ""
    return f"{place}{problem.field} {problem.message}"


def broken_row(broken: Broken, width: int) -> Content:
    name = broken.path.rsplit("/", 1)[-1]
    first, *more = broken.problems
    rest = f" (and {len(more)} more)" if more else ""
    words = f"cannot be used: {in_file(first)}{rest}"
    return _NEW_LINE.join(
        [
            Content.assemble(("✗ ", "bold $text-error"), one_line(name, "bold")).truncate(
                width, ellipsis=True
            ),
            (_INDENT + one_line(words, "$text-error")).truncate(width, ellipsis=True),
        ]
    )


def standing_words(standing: Standing | None, *, dated: bool = True) -> str:
    """Best and last result on the debrief's scale, and when; or that it was never asked."""
    if standing is None:
        return "never asked"
    last, best = standing.last.band, standing.best
    if best is None:
        words = "not graded"
    elif len(standing.tries) == 1:
        words = f"band {last} of {TOP_BAND}"
    else:
        words = f"last {'not graded' if last is None else last}, best {best} of {TOP_BAND}"
    return f"{words} · {local_date(standing.last.at)}" if dated else words


def tries_words(standing: Standing | None) -> str:
    if standing is None:
        return "Never asked in an interview that you finished."
    tries = len(standing.tries)
    often = "once" if tries == 1 else pluralize(tries, "time")
    notes = [*(["weak"] if standing.weak else []), *(["due"] if standing.due_since else [])]
    return f"Asked {often}: {standing_words(standing)}" + "".join(f" · {each}" for each in notes)


# -- one question in full, the answers only on request -------------------------------------------


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
        yield Content("   ") + one_line(f"hint {number}: {hint}", "$text-muted")


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
        *(one_line(f"  {in_file(each)}") for each in broken.problems),
        _EMPTY,
        plain(keys, "$text-muted"),
    ]
    return _NEW_LINE.join(parts)
