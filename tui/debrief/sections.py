"""What a session came to, above and below its questions: profile, recommendation, moments."""

from __future__ import annotations

from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Collapsible, Static

from interviewer.interview.debrief import Debrief, Profile, Tally, TopicProfile
from interviewer.report import overview
from interviewer.report.overview import Entry, Section
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
