"""The command palette: what can be done here, and screens, plans, questions, sessions, themes.

What has to be read is read in threads once the palette is open, and found as soon as it is there.
While an interview is under way only its own actions and the looks are offered: leaving it, and what
the questions are, remain with the interview.
"""

from __future__ import annotations

import asyncio
from asyncio import Task
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

from textual.binding import BindingType
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Matcher, Provider
from textual.content import Content
from textual.style import Style

from interviewer.plural import pluralize
from tui import messages
from tui.actions import BY_ID, HELP_KEY, in_table_order
from tui.bridge import told
from tui.widgets.plain_text import local_minute, one_line

if TYPE_CHECKING:
    from tui.app import InterviewerApp

SESSIONS = 500
"""The latest; older ones are on the screen of the sessions."""
IN_WORDS = 0.01
"""The score of what is found by its description: after all that is found by its title."""
PLACES: dict[messages.Place, str] = {
    "setup": "home.new",
    "sessions": "home.sessions",
    "questions": "home.questions",
    "bench": "home.bench",
    "settings": "home.settings",
    "keys": "settings.keys",
    "doctor": "settings.doctor",
}
"""The action that is called as the place is."""


class Palette(CommandPalette):
    """The palette, over which the help opens as over any dialogue."""

    HELP = "Type some words of what you look for. Up and Down choose, Enter does it, Esc goes back."
    BINDINGS: ClassVar[list[BindingType]] = [HELP_KEY]


class Found(NamedTuple):
    """Something to choose; ``run`` does it, in the app."""

    title: str
    about: str
    run: Callable[[], object]


class Everything(Provider):
    """All that can be chosen on this screen."""

    _reading: tuple[Task[list[Found]], ...] = ()

    async def startup(self) -> None:
        if not self._host.bridge.in_interview:
            sources = (self._plans, self._sessions, self._questions)
            self._reading = tuple(asyncio.create_task(self._read(each)) for each in sources)

    async def shutdown(self) -> None:
        for each in self._reading:
            each.cancel()

    async def discover(self) -> Hits:
        for found in self._at_once():
            yield DiscoveryHit(cast("str", _shown(found)), found.run, found.title)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for hit in _matching(matcher, self._at_once()):
            yield hit
        for reading in self._reading:
            for hit in _matching(matcher, await asyncio.shield(reading)):
                yield hit
                await asyncio.sleep(0)

    @property
    def _host(self) -> InterviewerApp:
        return cast("InterviewerApp", self.app)

    # -- what is known at once -------------------------------------------------------------

    def _at_once(self) -> Iterator[Found]:
        titles = set()
        for found in (*self._actions(), *self._places(), *self._themes()):
            if found.title not in titles:
                titles.add(found.title)
                yield found

    def _actions(self) -> Iterator[Found]:
        """Every action that is available where the focus is."""
        for active in in_table_order(self.screen.active_bindings).values():
            action = BY_ID.get(active.binding.id or "")
            if action and active.enabled and action.help and action.name != "command_palette":
                run = partial(self.app.run_action, action.name, default_namespace=active.node)
                yield Found(action.label, action.help, run)

    def _places(self) -> Iterator[Found]:
        yield Found("Theme", "Change the colours", self.app.search_themes)
        if not self._host.bridge.in_interview:
            for place, action in PLACES.items():
                go = partial(self.app.post_message, messages.Go(place))
                yield Found(BY_ID[action].label, BY_ID[action].help, go)

    def _themes(self) -> Iterator[Found]:
        for name in sorted(self.app.available_themes):
            yield Found(f"Theme: {name}", "", partial(setattr, self.app, "theme", name))

    # -- what is read, in threads ----------------------------------------------------------

    async def _read(self, source: Callable[[], list[Found]]) -> list[Found]:
        try:
            return await asyncio.to_thread(source)
        except Exception as error:  # noqa: BLE001  becomes a message, see defect
            self._host.tell(told(error))
        return []

    def _plans(self) -> list[Found]:
        engine = self._host.bridge.engine
        return [
            Found(
                f"Start: {plan.title}",
                f"{pluralize(len(plan.rounds), 'round')}, "
                f"{sum(part.minutes for part in plan.rounds):.0f} min, {plan.description}",
                partial(self._begin, partial(engine.mock, plan)),
            )
            for plan in engine.plans()[0]
        ]

    def _sessions(self) -> list[Found]:
        return [
            Found(
                f"{'Debrief' if row.status == 'finished' else 'Resume'}: {row.plan_title}",
                f"{local_minute(row.updated_at)}, {row.mode}, {row.status}",
                partial(self._open, row.id, finished=row.status == "finished"),
            )
            for row in self._host.bridge.engine.store.history.older(SESSIONS).rows
        ]

    def _questions(self) -> list[Found]:
        """Titles and topics only; what the answers are is no part of a summary."""
        return [
            Found(
                f"Practise: {each.title}",
                f"{each.topic}, {each.difficulty}, {each.kind}",
                partial(self._begin, partial(self._host.bridge.engine.practise, each.id)),
            )
            for each in self._host.bridge.engine.library().summaries()
        ]

    def _begin(self, choose: Callable[[], messages.Choice]) -> None:
        self.app.post_message(messages.BeginMock(choose))

    def _open(self, session: str, *, finished: bool) -> None:
        way = messages.ReadDebrief if finished else messages.ResumeSession
        self.app.post_message(way(session))


def _matching(matcher: Matcher, offered: Iterable[Found]) -> Iterator[Hit]:
    for found in offered:
        score, places = matcher.fuzzy_search.match(matcher.query, found.title)
        if not score and _says(found, matcher.query):
            score, places = IN_WORDS, ()
        if score:
            prompt = _shown(found, places, matcher.match_style)
            yield Hit(score, cast("str", prompt), found.run, found.title)


def _says(found: Found, query: str) -> bool:
    """All that was typed stands in the words beneath the title."""
    return all(word in found.about.casefold() for word in query.casefold().split())


def _shown(found: Found, places: Sequence[int] = (), style: Style | None = None) -> Content:
    """Title and, below it, what it is about; Content, since Textual reads a str as markup."""
    title = one_line(found.title)
    for place in places:
        if style and not found.title[place : place + 1].isspace():
            title = title.stylize(style, place, place + 1)
    if not found.about:
        return title
    return Content("\n").join([title, one_line(found.about, "$text-muted")])
