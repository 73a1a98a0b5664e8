"""The rubrics: what they ask, what they are worth, where they come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.content import Content

from tui.actions import bindings
from tui.widgets.pages import CollectionPage, origin
from tui.widgets.plain_text import one_line, plain

if TYPE_CHECKING:
    from interviewer.content.collection import Entry
    from interviewer.rubric.library import Library, Summary
    from interviewer.rubric.rubric import Rubric


class RubricsScreen(CollectionPage["Summary", "Rubric"]):
    """The list of rubrics; the highlighted one is shown in full."""

    HEADING = "Rubrics"
    HELP = "The questions: what they ask, and the points that a good answer makes."
    NONE_FOUND = "No rubrics found."
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("rubrics", "back")]

    def read(self) -> Library:
        return self._bridge.engine.library()

    def sort_key(self, summary: Summary) -> tuple[str, str]:
        return summary.round, summary.title.casefold()

    def row(self, entry: Entry[Summary, Rubric]) -> Content:
        summary = entry.summary
        facts = f"\n{summary.round} · {summary.difficulty} · {summary.kind} · {origin(entry)}"
        return Content.assemble(one_line(summary.title), plain(facts, "dim"))

    def detail(self, entry: Entry[Summary, Rubric]) -> Content:
        rubric = entry.model
        parts = [
            one_line(rubric.title, "bold"),
            plain(f"{rubric.id}, version {rubric.version}, {origin(entry)}", "dim"),
            plain(str(entry.path), "dim"),
            Content(""),
            plain(rubric.question),
            Content(""),
            Content.styled("Criteria", "bold"),
            *(
                plain(
                    f"{each.weight:g}  {each.claim}"
                    + " (must)" * each.must_have
                    + " (extra)" * each.extra
                )
                for each in rubric.criteria
            ),
            Content(""),
            Content.styled("A strong answer", "bold"),
            plain(rubric.reference),
        ]
        return Content("\n").join(parts)

    def footnote(self) -> str:
        return f"Your own rubrics go in {self._bridge.engine.own_folder()}"
