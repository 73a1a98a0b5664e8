"""The challenges at hand; Enter puts one on the bench."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from tui.actions import bindings
from tui.bench.messages import ChallengesLoaded
from tui.bench.practice import PracticeScreen
from tui.bench.task import task
from tui.messages import LoadFailed
from tui.widgets.plain_text import BREAKPOINTS, TitleBar, one_line, plain
from tui.widgets.vi import ViList, ViScroll

if TYPE_CHECKING:
    from interviewer.content.collection import Entry
    from interviewer.sandbox.challenges.catalogue import Catalogue
    from interviewer.sandbox.challenges.challenge import Challenge
    from tui.bridge import Bridge


class BenchScreen(Screen[None]):
    """A list, the task under the cursor, and files that cannot be used."""

    CSS_PATH = "bench.tcss"
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("back")]

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._catalogue: Catalogue | None = None

    def compose(self) -> ComposeResult:
        yield TitleBar(Content("Bench · derivations"))
        with Container(id="columns"):
            yield ViList(id="challenges")
            with ViScroll(id="detail"):
                yield Static(Content("Reading the files…"), id="challenge")
        yield Static(id="problems", classes="problem")
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#challenges").focus()
        self._tell("")
        self._bridge.load(self, "challenges", self._bridge.engine.challenges, ChallengesLoaded)

    async def on_unmount(self) -> None:
        await self._bridge.engine.close_bench()

    def on_challenges_loaded(self, message: ChallengesLoaded) -> None:
        self._catalogue = message.catalogue
        entries = sorted(message.catalogue.entries.values(), key=_order)
        listed = self.query_one("#challenges", ViList)
        listed.set_options(Option(_row(entry), id=entry.model.id) for entry in entries)
        listed.highlighted = 0 if entries else None
        self.query_one(TitleBar).show(Content("Bench · derivations"), Content(str(len(entries))))
        self._tell("\n".join(str(problem) for problem in message.catalogue.problems))
        if not entries:
            self.query_one("#challenge", Static).update(Content("There are no challenges here."))

    def on_load_failed(self, message: LoadFailed) -> None:
        self._tell(message.sentence)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        entry = self._entry(event.option.id)
        self.query_one("#challenge", Static).update(task(entry.model))
        self.query_one("#detail").scroll_home(animate=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        entry = self._entry(event.option.id)
        self.app.push_screen(PracticeScreen(self._bridge, entry.model))

    def action_back(self) -> None:
        self.app.pop_screen()

    def _entry(self, challenge: str | None) -> Entry[Challenge, Challenge]:
        assert self._catalogue is not None
        return self._catalogue.entries[str(challenge)]

    def _tell(self, problems: str) -> None:
        place = self.query_one("#problems", Static)
        place.update(plain(problems))
        place.display = bool(problems)


def _order(entry: Entry[Challenge, Challenge]) -> tuple[str, str]:
    return entry.model.kind, entry.model.title.casefold()


def _row(entry: Entry[Challenge, Challenge]) -> Content:
    challenge = entry.model
    origin = "yours, replaces a shipped one" if entry.replaces else entry.origin
    linked = len(challenge.rubrics)
    rubrics = "1 rubric" if linked == 1 else f"{linked} rubrics"
    facts = f"\n{challenge.kind} · {rubrics} · {origin}"
    return Content.assemble(one_line(challenge.title), plain(facts, "dim"))
