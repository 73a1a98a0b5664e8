"""The parts of the debrief: profile, recommendation, moments, and each question."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Collapsible, Static

from interviewer.interview.debrief import Debrief
from interviewer.interview.debrief.assessment import Profile, Tally, TopicProfile
from interviewer.interview.debrief.questions import BenchDebrief, CriterionLine, QuestionDebrief
from interviewer.report import overview, words
from interviewer.report.bench_runs import bench_lines, run_lines, solution_lines
from interviewer.report.overview import Entry, Section
from tui.widgets import verdicts
from tui.widgets.plain_text import one_line, plain

BAR_CELLS = 10
_NEW_LINE = Content("\n")


class ProfileLines(Static):
    """Per topic: a bar, the points made out of those possible, the bands, what kinds of points."""

    def __init__(self, debrief: Debrief) -> None:
        named = [(_name(topic, debrief.profile), topic) for topic in debrief.profile.topics]
        width = max((len(name) for name, _ in named), default=0)
        lines = []
        for name, topic in named:
            made = f"{overview.tally_words(topic.tally):>10}"
            lines.append(
                plain(f"{name:<{width}}  {bar(topic.tally)} {made}  ", "bold")
                + plain(overview.bands_words(topic))
            )
            if kinds := overview.kinds_words(topic.strong, topic.weak):
                lines.append(plain(f"  {kinds}", "dim"))
        super().__init__(_NEW_LINE.join(lines), id="profile")


class RecommendationLines(Static):
    """The recommendation with its anchor, then the mean band, then all that is doubtful."""

    def __init__(self, debrief: Debrief) -> None:
        title = overview.recommendation_title(debrief)
        lines = [
            Content.assemble(plain(f"{title}. ", "bold"), plain(debrief.recommendation.anchor)),
            plain(debrief.headline, "dim"),
            *(plain(f"– {doubt}") for doubt in overview.doubts(debrief)),
        ]
        super().__init__(_NEW_LINE.join(lines), id="recommendation")


class EntryRow(Static, can_focus=True):
    """One entry of a section; it knows the turn that it speaks of, where it speaks of one."""

    def __init__(self, entry: Entry) -> None:
        lines = [one_line(entry.text), *(one_line(f"    {each}", "dim") for each in entry.details)]
        super().__init__(_NEW_LINE.join(lines))
        self.turn = entry.turn


class SectionCard(Collapsible):
    """Closed it is one line; what is inside is made when it is opened first."""

    def __init__(self, section: Section) -> None:
        self._inside = Vertical(classes="entries")
        title = plain(f"{section.title} · {len(section.entries)}")
        super().__init__(self._inside, title=title.markup)
        self._section = section

    def on_collapsible_expanded(self) -> None:
        if not self._inside.children:
            self._inside.mount_all(EntryRow(entry) for entry in self._section.entries)


def bar(tally: Tally) -> str:
    """The share made as cells; empty where nothing was judged."""
    full = round((tally.share or 0.0) * BAR_CELLS)
    return "█" * full + "░" * (BAR_CELLS - full)


def _name(topic: TopicProfile, profile: Profile) -> str:
    """The topic, with its round where it returns in another."""
    twice = sum(each.topic == topic.topic for each in profile.topics) > 1
    return f"{topic.topic}, round {topic.round}" if twice else topic.topic


def reasons(debrief: Debrief) -> list[SectionCard]:
    """Why the recommendation is what it is."""
    entries = tuple(overview.reasons(debrief))
    return [SectionCard(Section("Why", entries))] if entries else []


def below_the_questions(debrief: Debrief) -> list[SectionCard]:
    """The moments, what to study, and the numbers that were stated."""
    told = (*overview.moments(debrief), *overview.study(debrief), *overview.claims(debrief))
    cards = [SectionCard(section) for section in told]
    if cards:
        cards[0].add_class("-first")
    return cards


class CriterionRow(Static, can_focus=True):
    """A criterion; it knows the turn that it rests on, or where it was asked about."""

    def __init__(self, line: CriterionLine, question: QuestionDebrief) -> None:
        lesson = question.lesson_on(line.criterion)
        super().__init__(verdicts.criterion(line, lesson))
        judged = line.verdict.turn if line.verdict else None
        answered = lesson.said.turn.number if lesson and lesson.said else None
        self.turn = judged or answered or first_turn(question)


class QuestionCard(Collapsible):
    """Closed it is one line; what is inside is made when it is opened first."""

    def __init__(self, question: QuestionDebrief) -> None:
        self._inside = Container(classes="inside")
        super().__init__(self._inside, title=_title(question).markup)
        self.question = question
        self.turn = first_turn(question)

    async def on_collapsible_expanded(self) -> None:
        if not self._inside.children:
            await self._inside.mount(Points(self.question), Reference(self.question))
            if bench := self.question.bench:
                await self._inside.mount(AtTheBench(bench))
        # Only now is the card as tall as it gets; it is read from its title down.
        self.call_after_refresh(self.scroll_visible, animate=False, top=True)


class Points(Vertical):
    """The criteria with what they got, then the scores."""

    def __init__(self, question: QuestionDebrief) -> None:
        super().__init__()
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
        super().__init__(Content("\n").join(parts))


class AtTheBench(Static, can_focus=True):
    """What was tried on the question's challenge, the last run in full, and a written solution."""

    def __init__(self, bench: BenchDebrief) -> None:
        last = bench.runs[-1] if bench.runs else None
        ran = run_lines(last.text, last.result) if last and last.result else ()
        parts = [
            Content.styled("At the bench", "bold"),
            *(plain(line) for line in bench_lines(bench)),
            *(plain(line, "dim") for line in ran),
            Content(""),
            Content.styled("A written solution", "bold"),
            *(plain(line) for line in solution_lines(bench)),
        ]
        super().__init__(Content("\n").join(parts))


def first_turn(question: QuestionDebrief) -> int:
    """The turn in which the question was asked."""
    return question.turns[0].number


def _title(question: QuestionDebrief) -> Content:
    band = words.grade_words(question.grade)
    doubt = ", doubtful" if question.failed_exam else ""
    return plain(f"{question.number} · {band}{doubt} · ") + one_line(question.rubric.title)
