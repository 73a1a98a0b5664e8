"""The panes of the debrief: the verdict, the questions, what to study, the numbers stated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Collapsible, OptionList, Static
from textual.widgets.option_list import Option

from interviewer.interview.debrief import Debrief
from interviewer.interview.debrief.assessment import Level, Profile, TopicProfile
from interviewer.interview.debrief.questions import QuestionDebrief, Quote
from interviewer.interview.debrief.study import StudyPoint
from interviewer.report import overview, surface, words
from interviewer.report.overview import Entry, Section
from interviewer.report.plain import printable
from tui.actions import bindings
from tui.widgets.bars import bar
from tui.widgets.pages import ViList
from tui.widgets.plain_text import one_line, plain
from tui.widgets.points import About, Row, Rows, about_question, parts, take
from tui.widgets.table import ViTable

if TYPE_CHECKING:
    from interviewer.grading.claims.quantity import Quantity

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


def entry(told: Entry, about: About | None = None) -> Row:
    indent = Content("   ")
    details = (indent + one_line(each, "$text-muted") for each in told.details)
    lines = [one_line(told.text), *details]
    return Row(_NEW_LINE.join(lines), about or About(told.turn))


class SectionCard(Collapsible):
    """One line when closed; its content is mounted when it is first opened."""

    def __init__(self, section: Section) -> None:
        self._inside = Vertical(classes="entries")
        title = plain(f"{section.title} · {len(section.entries)}")
        super().__init__(self._inside, title=title.markup)
        self._section = section

    def on_collapsible_expanded(self) -> None:
        if not self._inside.children:
            self._inside.mount_all(entry(each) for each in self._section.entries)


# -- summary ------------------------------------------------------------------------------


def summary(debrief: Debrief, spent: str) -> list[Widget]:
    """The verdict, three things to do, the topics; reasons and doubts folded; what it cost."""
    return [
        Static(verdict(debrief), id="verdict"),
        *_steps(debrief),
        Topics(debrief),
        *(SectionCard(section) for section in _folded(debrief)),
        *([Static(plain(f"Asked of models: {spent}.", "$text-muted"))] if spent else []),
    ]


def verdict(debrief: Debrief) -> Content:
    """One verdict on one scale, then the person in a sentence."""
    lines = [
        scale(debrief.recommendation.level),
        Content(""),
        plain(debrief.person, "bold"),
        plain(f"{overview.recommendation_title(debrief)}. {debrief.headline}", "$text-muted"),
    ]
    own = words.own_bands_sentence(debrief)
    return _NEW_LINE.join([*lines, *([plain(own, "$text-muted")] if own else [])])


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


def _steps(debrief: Debrief) -> Iterator[Widget]:
    told = list(surface.to_do(debrief))
    if told:
        yield Static(Content("Do next"), classes="heading")
    for number, (each, action) in enumerate(zip(told, debrief.to_do, strict=True), 1):
        point = action.point.lesson.line.criterion.id if action.point else ""
        about = About(each.turn, action.rubric.id, point, action.source)
        yield entry(Entry(f"{number}. {each.text}", each.details), about)


class Topics(Static):
    """Per topic: a bar, the points made, the bands, the strong and weak kinds of points."""

    def __init__(self, debrief: Debrief) -> None:
        profile = debrief.profile
        named = [(_name(topic, profile), topic) for topic in profile.topics]
        width = max((len(name) for name, _ in named), default=0)
        lines = [Content.styled("Topics", "bold $text-primary")] if named else []
        for name, topic in named:
            made = overview.tally_words(topic.tally) if topic.answered else "no answer"
            lines.append(
                Content.assemble(
                    plain(f"{name:<{width}}  "),
                    *bar(topic.tally.share or 0.0),
                    (f"  {made:>9}  ", "bold"),
                    overview.bands_words(topic),
                )
            )
            if kinds := overview.kinds_words(topic.strong, topic.weak):
                lines.append(plain(f"  {kinds}", "$text-muted"))
        super().__init__(_NEW_LINE.join(lines), id="topics")


def _name(topic: TopicProfile, profile: Profile) -> str:
    """The topic, with its round if another round has it too."""
    twice = sum(each.topic == topic.topic for each in profile.topics) > 1
    return f"{topic.topic}, round {topic.round}" if twice else topic.topic


def _folded(debrief: Debrief) -> Iterator[Section]:
    """What happened in the talk, the reasons, the moments, the doubts."""
    told = (
        (surface.TALK, tuple(surface.talk(debrief))),
        ("Why this verdict", tuple(overview.reasons(debrief))),
    )
    yield from (Section(title, entries) for title, entries in told if entries)
    yield from overview.moments(debrief)
    if doubts := tuple(map(Entry, overview.doubts(debrief))):
        yield Section(surface.DOUBTS, doubts)
    yield from surface.talk_in_full(debrief)


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

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.focus_row("")

    @property
    def about(self) -> About:
        """The question under the cursor of the list."""
        option = self.query_one("#asked", ViList).highlighted_option
        return about_question(self._by_place[str(option.id)]) if option else About()

    def take(self, debrief: Debrief) -> None:
        """Show the same questions with other verdicts of the candidate's own."""
        self._by_place, asked = _by_place(debrief), self.query_one("#asked", ViList)
        for place, question in self._by_place.items():
            asked.replace_option_prompt(place, _asked(question))
        if option := asked.highlighted_option:
            take(self, self._by_place[str(option.id)])

    def show(self, about: About) -> None:
        """Choose the question, then put the cursor on the criterion."""
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
                title = f"{part.number}. {part.title}, {words.band_words(part.band)}"
                yield Option(one_line(title, "bold $text-primary"), disabled=True)
            for question in part.questions:
                yield Option(_asked(question), id=f"{question.round}-{question.number}")
            for title in part.not_asked:
                yield Option(one_line(f"not asked: {title}"), disabled=True)


def _by_place(debrief: Debrief) -> dict[str, QuestionDebrief]:
    return {f"{q.round}-{q.number}": q for q in debrief.questions}


def _asked(question: QuestionDebrief) -> Content:
    notes = [
        words.grade_words(question),
        *([words.DRILL] if question.is_drill else []),
        *(["doubtful"] if question.failed_exam else []),
        *([f"{words.points_words(question.lost)} lost"] if question.lost else []),
    ]
    head = plain(f"{question.number}  ", "bold") + one_line(question.rubric.title)
    return head + plain(f"\n   {', '.join(notes)}", "$text-muted")


# -- study --------------------------------------------------------------------------------


class StudyRow(Row):
    """A lost point to tick off."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("study")]

    @dataclass
    class Ticked(Message):
        """The row was ticked, or not any more."""

        key: str
        done: bool

    def __init__(self, point: StudyPoint, done: frozenset[str]) -> None:
        criterion = point.lesson.line.criterion
        said: Quote | None = point.lesson.said
        turn = said.turn.number if said else None
        about = About(turn, point.rubric.id, criterion.id, point.source)
        self.key = f"{point.rubric.id}/{criterion.id}"
        self._point = point
        self.done = self.key in done
        super().__init__(self._content(), about)

    def action_tick(self) -> None:
        self.done = not self.done
        self.update(self._content())
        self.post_message(self.Ticked(self.key, self.done))

    def _content(self) -> Content:
        point = self._point
        where = [f"“{point.rubric.title}”, {words.points_words(point.lost)} lost"]
        source = [point.source] if point.source else []
        return _NEW_LINE.join(
            [
                Content.assemble(
                    ("[x] " if self.done else "[ ] ", "bold"),
                    one_line(point.lesson.line.criterion.claim),
                ),
                *(Content("    ") + one_line(e, "$text-muted") for e in (*where, *source)),
            ]
        )


def study(debrief: Debrief, done: frozenset[str]) -> list[Widget]:
    """The costliest lost points, and folded everything that was lost, by topic."""
    if not debrief.points:
        return [Static(Content("Nothing to study: you made every point."), classes="empty")]
    rows = [StudyRow(point, done) for point in debrief.points]
    return [*rows, *(SectionCard(section) for section in overview.study(debrief))]


def link(source: str) -> str:
    """Where a source can be read, "" if it does not say."""
    if found := _LINK.search(source):
        return found.group().rstrip(".,;")
    paper = _ARXIV.search(source)
    return f"https://arxiv.org/abs/{paper.group(1)}" if paper else ""


# -- numbers ------------------------------------------------------------------------------


class NumbersTable(ViTable):
    """Every number stated about a run, and what became of it."""

    def __init__(self, debrief: Debrief) -> None:
        super().__init__(cursor_type="row", id="ledger")
        told = debrief.claims
        doubted = {claim for sum_ in told.standing for claim in sum_.claims}
        self._claims: list[tuple[Quantity, str]] = [
            *((c, "cannot all be true" if c in doubted else "stands") for c in told.made),
            *((c, c.status) for c in (*told.retracted, *told.replaced)),
        ]

    def on_mount(self) -> None:
        self.add_columns("Quantity", "You said", "Where", "Status")
        for claim, status in self._claims:
            cells = (words.measure_words(claim.measure), f"“{claim.text}”", overview.place(claim))
            self.add_row(*(Text(printable(cell)) for cell in (*cells, status)))

    @property
    def about(self) -> About:
        """The turn in which the number under the cursor was stated."""
        at = self.cursor_row
        return About(self._claims[at][0].turn or None) if at < len(self._claims) else About()


def numbers(debrief: Debrief) -> list[Widget]:
    """The ledger, then the sums that do not work out."""
    told = debrief.claims
    if not (told.made or told.retracted or told.replaced or told.impossible):
        return [Static(Content("You gave no numbers from a run of your own."), classes="empty")]
    sums = [
        Entry(
            f"{sum_.sentence} {overview.became(sum_.challenged, sum_.outcome)}",
            turn=sum_.challenged,
        )
        for sum_ in told.impossible
    ]
    heading = [Static(Content("These cannot all be true"), classes="heading")] if sums else []
    return [NumbersTable(debrief), *heading, *map(entry, sums)]
