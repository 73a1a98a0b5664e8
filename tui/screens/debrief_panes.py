"""The panes of the debrief: the verdict, the questions, what to study, the numbers stated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Collapsible, OptionList, Static
from textual.widgets.option_list import Option

from interviewer.interview.debrief import Debrief
from interviewer.interview.debrief.assessment import Level
from interviewer.interview.debrief.questions import QuestionDebrief
from interviewer.report import document, words
from interviewer.report.document import Facts, Line, Section
from tui.widgets.pages import ViList
from tui.widgets.plain_text import bar, clock_face, course, one_line, plain
from tui.widgets.points import Row, Rows, content, parts, take

if TYPE_CHECKING:
    from interviewer.interview.journal import Replay

ANSWERS = 60
"""Answers whose time is drawn."""
_NEW_LINE = Content("\n")
_SCALE = (Level.NO_HIRE, Level.LEAN_NO, Level.HIRE, Level.STRONG_HIRE)
_COLOUR = {
    Level.NO_HIRE: "$text-error",
    Level.LEAN_NO: "$text-warning",
    Level.HIRE: "$text-success",
    Level.STRONG_HIRE: "$text-success",
}
_LINK = re.compile(r"https?://[^\s)>\]]+")
_ARXIV = re.compile(r"arXiv:\s?(\d{4}\.\d{4,5})", re.IGNORECASE)


def row(line: Line) -> Row:
    return Row(content(line), line.facts)


def folded(sections: Iterable[Section], *, opened: bool = False) -> Iterator[Collapsible]:
    """One line each, until it is opened."""
    for section in sections:
        title = plain(f"{section.title} · {len(section.lines)}").markup
        lines = map(row, section.lines)
        yield Collapsible(*lines, title=title, classes="folded", collapsed=not opened)


# -- summary ------------------------------------------------------------------------------


def summary(debrief: Debrief, replay: Replay, spent: str, *, opened: bool) -> list[Widget]:
    """The verdict and three things to do; then topics, pace, reasons and doubts, and the cost.

    Reasons and doubts are folded unless ``opened``.
    """
    to_do = _headed("Do next", document.to_do(debrief))
    cost = [Static(plain(f"Asked of models: {spent}.", "$text-muted"))] if spent else []
    return [
        Vertical(Static(verdict(debrief), id="verdict"), *to_do, id="to-do"),
        Vertical(
            Static(_topics(debrief), id="topics"),
            *_pace(replay),
            *folded(document.behind(debrief), opened=opened),
            *cost,
            id="behind",
        ),
    ]


def verdict(debrief: Debrief) -> Content:
    """One verdict on one scale, then the person in a sentence."""
    told = document.recommendation(debrief)
    return _NEW_LINE.join(
        [
            scale(debrief.recommendation.level),
            Content(""),
            plain(debrief.person, "bold"),
            *(plain(text, "$text-muted") for text in (told.title, *(e.text for e in told.lines))),
        ]
    )


def scale(level: Level) -> Content:
    """All levels in a row, the one reached in capitals; or that there is too little to say."""
    if level not in _SCALE:
        return plain(f" {level.upper()} ", "bold reverse")
    steps = [
        plain(f" {each.upper()} ", f"bold reverse {_COLOUR[each]}")
        if each is level
        else plain(each, "$text-muted")
        for each in _SCALE
    ]
    return Content(" ─ ").join(steps)


def _headed(title: str, lines: Sequence[Line]) -> list[Widget]:
    heading = [Static(Content(title), classes="heading")] if lines else []
    return [*heading, *map(row, lines)]


def _topics(debrief: Debrief) -> Content:
    topics = [document.topic_line(topic) for topic in debrief.profile.topics]
    width = max((len(topic.label) for topic in topics), default=0)
    lines = [Content.styled("Topics", "bold $text-primary")] if topics else []
    for topic in topics:
        name, bars = plain(f"{topic.label:<{width}}  "), bar(topic.facts.share or 0.0)
        lines.append(Content.assemble(name, *bars, "  ", plain(topic.text)))
    return _NEW_LINE.join(lines)


def _pace(replay: Replay) -> Iterator[Widget]:
    """How long each answer took, from the examiner's words to the candidate's."""
    took = []
    for question in replay.state.questions:
        for asked, said in pairwise(question.turns):
            at, then = replay.times.get(asked.number), replay.times.get(said.number)
            if said.author == "candidate" and at and then:
                took.append(((then - at).total_seconds(), said.number))
    if not took:
        return
    longest, turn = max(took)
    [steps] = course([seconds for seconds, _ in took], longest or 1.0, ANSWERS)
    yield Static(
        Content.assemble(
            Content.styled("Time an answer", "bold $text-primary"),
            "\n",
            (steps, "$text-primary"),
            plain(f"  the longest {clock_face(longest)}, turn {turn} of the transcript"),
        ),
        id="pace",
    )


# -- questions ----------------------------------------------------------------------------


class Questions(Container):
    """The questions on the left; on the right the criteria and quotes of the one chosen."""

    def __init__(self, debrief: Debrief) -> None:
        super().__init__(id="questions-pane")
        self._debrief = debrief
        self._wanted: str | None = None
        """The criterion to put the cursor on once its question is shown."""
        self._by_place = _by_place(debrief)

    def compose(self) -> ComposeResult:
        yield ViList(*self._options(), id="asked")
        yield Rows(id="answered")

    async def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        rows = self.query_one("#answered", Rows)
        await rows.remove_children()
        await rows.mount_all(parts(self._by_place[str(event.option.id)]))
        rows.scroll_home(animate=False)
        self._focus_wanted()
        self.screen.refresh_bindings()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.focus_row("")

    @property
    def about(self) -> Facts:
        chosen = self.query_one("#asked", ViList).chosen
        return document.about(self._by_place[chosen]) if chosen else Facts()

    def take(self, debrief: Debrief) -> None:
        """Show the same questions with other verdicts of the candidate's own."""
        self._by_place, asked = _by_place(debrief), self.query_one("#asked", ViList)
        for place, question in self._by_place.items():
            asked.replace_option_prompt(place, _asked(question))
        if asked.chosen:
            take(self, self._by_place[asked.chosen])

    def show(self, about: Facts) -> None:
        places = [place for place, q in self._by_place.items() if q.rubric.id == about.rubric]
        if not places:
            return
        asked = self.query_one("#asked", ViList)
        before, self._wanted = asked.highlighted, about.criterion
        asked.highlighted = asked.get_option_index(places[0])
        if asked.highlighted == before and self.query("#answered Row"):
            self._focus_wanted()

    def _focus_wanted(self) -> None:
        if self._wanted is not None:
            self.focus_row(self._wanted)
            self._wanted = None

    def focus_row(self, criterion: str) -> None:
        """Put the cursor on this criterion, the first if it is not shown."""
        rows = list(self.query_one("#answered", Rows).query(Row))
        wanted = [row for row in rows if criterion and row.about.criterion == criterion]
        for row in (wanted or rows)[:1]:
            row.focus()

    def _options(self) -> Iterator[Option]:
        several = len(self._debrief.rounds) > 1
        for part in self._debrief.rounds:
            if several:
                title = f"{part.number}. {words.round_words(part)}"
                yield Option(one_line(title, "bold $text-primary"), disabled=True)
            for question in part.questions:
                yield Option(_asked(question), id=str(question.place))
            for title in part.not_asked:
                yield Option(one_line(f"not asked: {title}"), disabled=True)


def _by_place(debrief: Debrief) -> dict[str, QuestionDebrief]:
    return {str(question.place): question for question in debrief.questions}


def _asked(question: QuestionDebrief) -> Content:
    is_known = question.lost and not question.only_heard
    notes = [
        document.result(question),
        *([f"{words.points_words(question.lost)} lost"] if is_known else []),
    ]
    head = plain(f"{question.number}  ", "bold") + one_line(question.rubric.title)
    return head + plain(f"\n   {', '.join(notes)}", "$text-muted")


# -- study --------------------------------------------------------------------------------


def study(debrief: Debrief) -> list[Widget]:
    """The costliest lost points."""
    if not debrief.study_points:
        return [Static(Content("Nothing to study."), classes="empty")]
    return [row(document.study_point(each)) for each in debrief.study_points]


def link(source: str) -> str:
    """Where a source can be read, "" if it does not say."""
    if found := _LINK.search(source):
        return found.group().rstrip(".,;")
    paper = _ARXIV.search(source)
    return f"https://arxiv.org/abs/{paper.group(1)}" if paper else ""


def numbers(debrief: Debrief) -> list[Widget]:
    """Every number stated about a run and what became of it, then the sums that do not work out."""
    sections = document.numbers(debrief)
    if not sections:
        return [Static(Content("No figure of a run of your own was read."), classes="empty")]
    return [widget for each in sections for widget in _headed(each.title, each.lines)]
