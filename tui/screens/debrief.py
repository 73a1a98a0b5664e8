"""The debrief: the person and what to do, then each question in brief; a key shows it in full."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Collapsible, Footer, Static

from interviewer.interview.debrief import Debrief
from interviewer.interview.debrief.assessment import Profile, Tally, TopicProfile
from interviewer.interview.debrief.questions import (
    BenchDebrief,
    CriterionLine,
    QuestionDebrief,
    RoundDebrief,
)
from interviewer.report import overview, surface, words
from interviewer.report.bench_runs import bench_lines, run_lines, solution_lines
from interviewer.report.overview import Entry, Section
from tui import messages
from tui.actions import bindings
from tui.bridge import Bridge
from tui.widgets import verdicts
from tui.widgets.pages import BREAKPOINTS, Page, TitleBar
from tui.widgets.plain_text import one_line, plain

BAR_CELLS = 10
_NEW_LINE = Content("\n")


class ProfileLines(Static):
    """Per topic: a bar, the points made, the bands, the strong and weak kinds of points."""

    def __init__(self, debrief: Debrief) -> None:
        named = [(_name(topic, debrief.profile), topic) for topic in debrief.profile.topics]
        width = max((len(name) for name, _ in named), default=0)
        lines = []
        for name, topic in named:
            made = f"{overview.tally_words(topic.tally) if topic.answered else 'no answer':>10}"
            lines.append(
                plain(f"{name:<{width}}  {bar(topic.tally)} {made}  ", "bold")
                + plain(overview.bands_words(topic))
            )
            if kinds := overview.kinds_words(topic.strong, topic.weak):
                lines.append(plain(f"  {kinds}", "dim"))
        super().__init__(_NEW_LINE.join(lines), id="profile", classes="full")


class RecommendationLines(Static):
    """The recommendation and its meaning, then the mean band."""

    def __init__(self, debrief: Debrief) -> None:
        title = overview.recommendation_title(debrief)
        lines = [
            Content.assemble(plain(f"{title}. ", "bold"), plain(debrief.recommendation.anchor)),
            plain(debrief.headline, "dim"),
        ]
        super().__init__(_NEW_LINE.join(lines), id="recommendation")


class EntryRow(Static, can_focus=True):
    """One entry of a section; ``turn`` is the turn it is about, if any."""

    def __init__(self, entry: Entry) -> None:
        lines = [one_line(entry.text), *(one_line(f"    {each}", "dim") for each in entry.details)]
        super().__init__(_NEW_LINE.join(lines))
        self.turn = entry.turn


class SectionCard(Collapsible):
    """One line when closed; its content is mounted when it is first opened."""

    def __init__(self, section: Section, *, full: bool = False) -> None:
        self._inside = Vertical(classes="entries")
        title = plain(f"{section.title} · {len(section.entries)}")
        super().__init__(self._inside, title=title.markup, classes="full" if full else None)
        self._section = section

    def on_collapsible_expanded(self) -> None:
        if not self._inside.children:
            self._inside.mount_all(EntryRow(entry) for entry in self._section.entries)


def bar(tally: Tally) -> str:
    """The share of points made, as cells; all empty if nothing was judged."""
    full = round((tally.share or 0.0) * BAR_CELLS)
    return "█" * full + "░" * (BAR_CELLS - full)


def _name(topic: TopicProfile, profile: Profile) -> str:
    """The topic, with its round if another round has it too."""
    twice = sum(each.topic == topic.topic for each in profile.topics) > 1
    return f"{topic.topic}, round {topic.round}" if twice else topic.topic


def to_do(debrief: Debrief) -> list[Static]:
    """What to do next, in full view."""
    rows = [EntryRow(entry) for entry in surface.to_do(debrief)]
    return [Static(Content("Do next"), classes="heading"), *rows] if rows else []


def above_the_questions(debrief: Debrief) -> list[SectionCard]:
    """What happened in the talk, the doubts, and in full the reasons for the recommendation."""
    told = (
        (surface.TALK, surface.talk(debrief), False),
        (surface.DOUBTS, map(Entry, overview.doubts(debrief)), False),
        ("Why", overview.reasons(debrief), True),
    )
    sections = [(Section(title, tuple(entries)), full) for title, entries, full in told]
    return [SectionCard(section, full=full) for section, full in sections if section.entries]


def below_the_questions(debrief: Debrief) -> list[SectionCard]:
    """What to study; in full also the talk, the moments and the numbers stated."""
    more = (
        *surface.talk_in_full(debrief),
        *overview.moments(debrief),
        *overview.study(debrief),
        *overview.claims(debrief),
    )
    cards = [SectionCard(section) for section in surface.below(debrief)]
    if cards:
        cards[0].add_class("-first")
    return [*cards, *(SectionCard(section, full=True) for section in more)]


class CriterionRow(Static, can_focus=True):
    """A criterion; ``turn`` is the answer its verdict rests on, else where it was asked about."""

    def __init__(self, line: CriterionLine, question: QuestionDebrief) -> None:
        lesson = question.lesson_on(line.criterion)
        super().__init__(verdicts.criterion(line, lesson))
        judged = line.verdict.turn if line.verdict else None
        answered = lesson.said.turn.number if lesson and lesson.said else None
        self.turn = judged or answered or first_turn(question)


class QuestionCard(Collapsible):
    """One line when closed; its content is mounted when it is first opened."""

    def __init__(self, question: QuestionDebrief) -> None:
        self._inside = Container(classes="inside")
        super().__init__(self._inside, title=_title(question).markup)
        self.question = question
        self.turn = first_turn(question)

    async def on_collapsible_expanded(self) -> None:
        if not self._inside.children:
            shown = (Brief, Points, Reference) if self.question.grade else (Reference,)
            await self._inside.mount_all(part(self.question) for part in shown)
            if bench := self.question.bench:
                await self._inside.mount(AtTheBench(bench))
        # Only now is the card as tall as it gets; it is read from its title down.
        self.call_after_refresh(self.scroll_visible, animate=False, top=True)


class Brief(Vertical):
    """The question in brief."""

    def __init__(self, question: QuestionDebrief) -> None:
        super().__init__(classes="brief")
        self._question = question

    def compose(self) -> ComposeResult:
        question = self._question
        if question.closed:
            yield Static(Content(words.CLOSED[question.closed]), classes="closed")
        for entry in surface.question_entries(question):
            yield EntryRow(entry)


class Points(Vertical):
    """The criteria and their verdicts, then the scores."""

    def __init__(self, question: QuestionDebrief) -> None:
        super().__init__(classes="full")
        self._question = question

    def compose(self) -> ComposeResult:
        question = self._question
        if question.closed:
            yield Static(Content(words.CLOSED[question.closed]), classes="closed")
        for line in question.lines:
            yield CriterionRow(line, question)
        yield Static(verdicts.scores(question), classes="scores")


class Reference(Static, can_focus=True):
    """The question as asked and a strong answer to it."""

    def __init__(self, question: QuestionDebrief) -> None:
        rubric = question.rubric
        parts = [
            Content.styled("Question", "bold"),
            plain(rubric.question),
            Content(""),
            Content.styled("A strong answer", "bold"),
            plain(rubric.reference),
        ]
        super().__init__(Content("\n").join(parts), classes="full")


class AtTheBench(Static, can_focus=True):
    """The runs on the question's challenge, the last one in full, and its solution."""

    def __init__(self, bench: BenchDebrief) -> None:
        last = bench.runs[-1] if bench.runs else None
        ran = run_lines(last.text, last.result) if last and last.result else ()
        parts = [
            Content.styled("At the bench", "bold"),
            *(plain(line) for line in bench_lines(bench)),
            *(plain(line, "dim") for line in ran),
            Content(""),
            Content.styled("Solution", "bold"),
            *(plain(line) for line in solution_lines(bench)),
        ]
        super().__init__(Content("\n").join(parts), classes="full")


def first_turn(question: QuestionDebrief) -> int:
    """The turn in which the question was asked."""
    return question.turns[0].number


def _title(question: QuestionDebrief) -> Content:
    band = words.grade_words(question.grade)
    passed = ", skipped" if question.skipped else ""
    doubt = ", doubtful" if question.failed_exam else ""
    return plain(f"{question.number} · {band}{passed}{doubt} · ") + one_line(question.rubric.title)


class Results(VerticalScroll, can_focus=False, inherit_bindings=False):
    """Scrolls by pages; j and k move the focus, and the view follows it."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("page")]


class DebriefScreen(Page):
    """The grades of one finished session."""

    # The focus is set once everything is mounted; the screen's own choice comes earlier and would
    # undo what a quick key did in between.
    AUTO_FOCUS = ""
    CSS_PATH = "debrief.tcss"
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("debrief", "back")]

    def __init__(self, bridge: Bridge, session_id: str) -> None:
        super().__init__(bridge)
        self._session_id = session_id

    def compose(self) -> ComposeResult:
        yield TitleBar(Content("Debrief"))
        yield Results(Static(Content("Reading the session…"), classes="empty"))
        yield Footer()

    def on_mount(self) -> None:
        engine = self._bridge.engine
        self._bridge.load(
            self, "session", lambda: engine.session(self._session_id), messages.SessionRead
        )

    async def on_session_read(self, message: messages.SessionRead) -> None:
        debrief = message.session.debrief
        results = self.query_one(Results)
        await results.remove_children()
        if debrief is None:
            results.mount(Static(Content("Finish the interview first."), classes="empty"))
            return
        self._show_title(debrief)
        await results.mount_all(_parts(debrief))
        self.call_after_refresh(self.action_first)

    async def on_load_failed(self, message: messages.LoadFailed) -> None:
        results = self.query_one(Results)
        await results.remove_children()
        results.mount(Static(plain(message.sentence), classes="problem"))

    def action_transcript(self) -> None:
        self.post_message(messages.ReadTranscript(self._session_id, self._turn_in_focus()))

    def action_details(self) -> None:
        """Show everything in full, or in brief again; the focus stays on what is still shown."""
        parents = self.focused.ancestors if self.focused else ()
        card = next((each for each in parents if isinstance(each, Collapsible)), None)
        self.toggle_class("-detailed")
        if card is not None:
            # Within the card the row under the cursor may be gone.
            card.query("CollapsibleTitle").first().focus()

    def action_expand_all(self) -> None:
        cards = self.query(Collapsible)
        closed = any(card.collapsed for card in cards)
        for card in cards:
            card.collapsed = not closed

    def action_next(self) -> None:
        self.focus_next()

    def action_previous(self) -> None:
        self.focus_previous()

    def action_first(self) -> None:
        self.query_one(Results).scroll_home(animate=False)
        self._focus_stop(0)

    def action_last(self) -> None:
        self._focus_stop(-1)

    def _focus_stop(self, index: int) -> None:
        if self.focus_chain:
            self.focus_chain[index].focus(scroll_visible=index != 0)

    def _turn_in_focus(self) -> int | None:
        for widget in self.focused.ancestors_with_self if self.focused else ():
            if isinstance(widget, CriterionRow | QuestionCard | EntryRow):
                return widget.turn
        return None

    def _show_title(self, debrief: Debrief) -> None:
        title = Content("Debrief · ") + plain(debrief.plan_title)
        self.query_one(TitleBar).show(title, Content(debrief.recommendation.level))


def _parts(debrief: Debrief) -> list[Widget]:
    profile = [ProfileLines(debrief)] if debrief.profile.topics else []
    return [
        Static(plain(debrief.person, "bold"), id="person"),
        *to_do(debrief),
        RecommendationLines(debrief),
        *profile,
        *above_the_questions(debrief),
        *_rounds(debrief),
        *below_the_questions(debrief),
    ]


def _rounds(debrief: Debrief) -> list[Widget]:
    return [widget for part in debrief.rounds for widget in _round(part)]


def _round(part: RoundDebrief) -> list[Widget]:
    title = plain(f"Round {part.number}  {part.title} · {words.band_words(part.band)}", "bold")
    widgets: list[Widget] = [Static(title, classes="round")]
    widgets += [QuestionCard(question) for question in part.questions]
    if part.not_asked:
        widgets.append(Static(plain(f"Not asked: {', '.join(part.not_asked)}"), classes="empty"))
    return widgets
