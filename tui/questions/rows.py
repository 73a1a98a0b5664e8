"""The list of questions: two lines each, built only when they come into sight."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content
from textual.style import Style
from textual.visual import RenderOptions, Visual
from textual.widgets.option_list import Option

from interviewer.grading.bands import TOP_BAND
from interviewer.plural import pluralize
from interviewer.practice.browsing import one_line as on_one_line
from interviewer.report.plain import printable
from tui.widgets.pages import ViList
from tui.widgets.plain_text import local_date, one_line, plain

if TYPE_CHECKING:
    from textual.css.styles import RulesMap
    from textual.strip import Strip

    from interviewer.content.collection import Entry
    from interviewer.content.problems import Problem
    from interviewer.practice.progress import Standing
    from interviewer.rubric.library import Summary
    from interviewer.rubric.rubric import Rubric

_NEW_LINE = Content("\n")
_INDENT = Content("  ")
_WITH_DATE = 72
"""Cells from which on a row has room for the date."""
_LETTERS = "bold underline $text-primary"


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


class QuestionList(ViList):
    """The questions found; every row has two lines."""

    def show(self, rows: Iterable[tuple[str, Callable[[int], Content]]], at: str | None) -> None:
        """Show these, ids with what draws them, and keep the cursor on ``at`` if it is there."""
        self.set_options(Option(LazyRow(make), id=id_) for id_, make in rows)
        known = at is not None and at in self._id_to_option
        if known and at is not None:
            self.highlighted = self.get_option_index(at)
        elif self.option_count:
            self.highlighted = 0

    @property
    def chosen(self) -> str | None:
        """The id under the cursor."""
        option = self.highlighted_option
        return option.id if option else None


@dataclass(frozen=True)
class Broken:
    """A file of one's own that cannot be used, and why."""

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
    told = standing_words(standing, dated=width >= _WITH_DATE) if known else "…"
    stands = plain(told, "$text-muted")
    room = max(0, width - stands.cell_length - 1)
    return _NEW_LINE.join(
        [
            (mark + shown).truncate(width, ellipsis=True),
            facts.truncate(room, ellipsis=True, pad=True) + Content(" ") + stands,
        ]
    )


def broken_row(broken: Broken, width: int) -> Content:
    """The file's name, and its first problem."""
    name = broken.path.rsplit("/", 1)[-1]
    first, *more = broken.problems
    line = f"line {first.line}: " if first.line else ""
    rest = f" (and {len(more)} more)" if more else ""
    told = f"cannot be used: {line}{first.field} {first.message}{rest}"
    return _NEW_LINE.join(
        [
            Content.assemble(("✗ ", "bold $text-error"), one_line(name, "bold")).truncate(
                width, ellipsis=True
            ),
            (_INDENT + one_line(told, "$text-error")).truncate(width, ellipsis=True),
        ]
    )


def standing_words(standing: Standing | None, *, dated: bool = True) -> str:
    """Best and last result on the debrief's scale, and when; or that it was never asked."""
    if standing is None:
        return "never asked"
    last, best = standing.last.band, standing.best
    if best is None:
        told = "not graded"
    elif len(standing.tries) == 1:
        told = f"band {last} of {TOP_BAND}"
    else:
        told = f"last {'not graded' if last is None else last}, best {best} of {TOP_BAND}"
    return f"{told} · {local_date(standing.last.at)}" if dated else told


def tries_words(standing: Standing | None) -> str:
    """How often it was asked, and how that went; for the top of the page."""
    if standing is None:
        return "Never asked in an interview that you finished."
    tries = len(standing.tries)
    often = "once" if tries == 1 else pluralize(tries, "time")
    notes = [*(["weak"] if standing.weak else []), *(["due"] if standing.due else [])]
    return f"Asked {often}: {standing_words(standing)}" + "".join(f" · {each}" for each in notes)
