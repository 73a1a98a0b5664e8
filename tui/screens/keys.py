"""All keys in one list, to be looked up and changed; a change works at once and is saved."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from functools import partial, partialmethod
from typing import TYPE_CHECKING, Literal

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option

from interviewer.errors import SettingsError
from tui import remapping
from tui.actions import ACTIONS, BY_ID, HEADINGS, Action, bindings, keymap, shown_keys
from tui.widgets.dialogs import Dialogue, TakesEveryKey, card
from tui.widgets.footer import KeyFooter
from tui.widgets.pages import Page, TitleBar, ViList
from tui.widgets.plain_text import one_line, plain

if TYPE_CHECKING:
    from interviewer.settings import Settings

KEYS_WIDTH = 18
_NEW_LINE = Content("\n")


class KeysScreen(Page):
    """Enter gives the action under the cursor another key."""

    CSS_PATH = "keys.tcss"
    AUTO_FOCUS = "#actions"
    HELP = "Every key of the program. Enter, then press the new key; * marks what you changed."
    BINDINGS = bindings("keys", "back")

    def compose(self) -> ComposeResult:
        yield TitleBar(Content("Keys"))
        with Container(id="middle"), Vertical(id="column"):
            yield Input(placeholder="Type to search", id="search", compact=True)
            yield ViList(id="actions")
            yield Static(id="about")
        yield KeyFooter()

    def on_mount(self) -> None:
        self._fill()

    def on_input_changed(self, event: Input.Changed) -> None:
        self._fill()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.query_one("#actions").focus()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self._tell(BY_ID[str(event.option.id)])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._ask(BY_ID[str(event.option.id)], keep=())

    def action_add(self) -> None:
        if action := self._chosen():
            self._ask(action, keep=remapping.split(self._keys_of(action)))

    def action_reset(self) -> None:
        if (action := self._chosen()) and action.id in self._settings.keys:
            self._change({action.id: None})

    def action_search(self) -> None:
        self.query_one("#search").focus()

    @property
    def _settings(self) -> Settings:
        return self._bridge.engine.settings

    def _chosen(self) -> Action | None:
        return BY_ID.get(self.query_one("#actions", ViList).chosen)

    def _keys_of(self, action: Action) -> str:
        return keymap(self._settings).get(action.id, action.keys)

    # -- changing --------------------------------------------------------------------------

    def _ask(self, action: Action, keep: list[str] | tuple[()]) -> None:
        dialogue = PressedKeys(action, tuple(keep), keymap(self._settings))
        self.app.push_screen(dialogue, partial(self._take, action))

    def _take(self, action: Action, new: str | None) -> None:
        """Use these keys, after asking if another action has one of them."""
        if not new:
            return
        keys = {**keymap(self._settings), action.id: new}
        clashes = list(remapping.conflicts_of(action.id, keys))
        if clashes:
            self.app.push_screen(Clash(clashes), partial(self._settle, action, new))
        else:
            self._change({action.id: new})

    def _settle(self, action: Action, new: str, answer: Answer | None) -> None:
        if answer == "swap":
            self._change(remapping.swapped(keymap(self._settings), action.id, new))
        elif answer == "both":
            self._change({action.id: new})

    def _change(self, changes: Mapping[str, str | None]) -> None:
        self._bridge.run(self, "keys", partial(self._save, changes))

    async def _save(self, changes: Mapping[str, str | None]) -> None:
        engine = self._bridge.engine
        try:
            await asyncio.to_thread(engine.change_keys, changes)
        except SettingsError as error:
            self.app.notify(str(error), severity="warning")
        self.app.set_keymap(keymap(engine.settings))
        self._fill()

    # -- showing ---------------------------------------------------------------------------

    def _fill(self) -> None:
        """The actions that match, under their headings; the cursor stays on its own."""
        self.query_one("#actions", ViList).show(self._options())
        changed = len(self._settings.keys)
        told = f"{changed} changed" if changed else "none changed"
        self.query_one(TitleBar).show(Content("Keys"), Content(told))
        if action := self._chosen():
            self._tell(action)

    def _options(self) -> Iterator[Option]:
        words = self.query_one("#search", Input).value.casefold().split()
        doubtful = {each for c in remapping.conflicts(self._settings.keys) for each in c[1:]}
        for heading in HEADINGS:
            rows = [
                Option(self._row(action, action in doubtful), id=action.id)
                for action in ACTIONS
                if action.heading == heading
                and all(word in self._searched(action) for word in words)
            ]
            if rows:
                yield Option(plain(heading, "bold $text-primary"), disabled=True)
                yield from rows

    def _searched(self, action: Action) -> str:
        shown = " ".join(shown_keys(self.app, self._settings, action.id))
        texts = (action.id, action.does, action.label, action.heading, shown)
        return " ".join((*texts, self._keys_of(action))).casefold()

    def _row(self, action: Action, doubtful: bool) -> Content:
        wrong = doubtful or remapping.trouble(action, self._keys_of(action))
        sign = "! " if wrong else "* " if action.id in self._settings.keys else "  "
        keys = " ".join(shown_keys(self.app, self._settings, action.id))
        cell = one_line(keys).truncate(KEYS_WIDTH, ellipsis=True, pad=True)
        return Content.assemble(sign, (cell.plain, "bold"), "  ", action.does)

    def _tell(self, action: Action) -> None:
        """Its id and own keys, and what is wrong with those in use."""
        lines = [plain(f"{action.id} · by default {' '.join(remapping.split(action.keys))}")]
        if why := remapping.trouble(action, self._keys_of(action)):
            lines.append(plain(f"! {why[0].upper()}{why[1:]}."))
        told = remapping.conflicts(self._settings.keys)
        lines += [plain(f"! {clash}") for clash in told if action in clash[1:]]
        self.query_one("#about", Static).update(_NEW_LINE.join(lines))


class PressedKeys(TakesEveryKey[str | None]):
    """Takes the keys that are pressed; Enter after the first saves them. None changes nothing.

    The key of the help is taken too, as it may be the one that is wanted.
    """

    def __init__(self, action: Action, kept: tuple[str, ...], keys: Mapping[str, str]) -> None:
        super().__init__()
        self._action = action
        self._kept = kept
        self._keys = keys
        self._pressed: list[str] = []

    def compose(self) -> ComposeResult:
        how = Static(Content("Press the new key. Esc cancels."), id="how")
        yield card(self._action.does, Static(id="pressed"), Static(id="told"), how)

    def on_mount(self) -> None:
        self._show()

    def take(self, event: events.Key) -> None:
        """Escape cancels, Enter saves once there is a key; any other is one more key."""
        if event.key == "escape":
            self.dismiss(None)
        elif event.key == "enter" and self._pressed:
            if not self._refused():
                self.dismiss(self._new)
        elif event.key not in (*self._kept, *self._pressed):
            if self._refused():
                self._pressed.pop()  # a key that cannot be used makes room for another
            self._pressed.append(event.key)
            self._show()

    @property
    def _new(self) -> str:
        return ",".join((*self._kept, *self._pressed))

    def _refused(self) -> str:
        why = (remapping.typed_as_text(self._action, key) for key in self._pressed)
        return next(filter(None, why), "")

    def _show(self) -> None:
        each = [self._shown(key) for key in (*self._kept, *self._pressed)]
        before = remapping.split(self._keys.get(self._action.id, self._action.keys))
        now = f"Now {' '.join(map(self._shown, before))}" if not self._pressed else " ".join(each)
        self.query_one("#pressed", Static).update(one_line(now, "bold"))
        self.query_one("#told", Static).update(_NEW_LINE.join(map(plain, self._told())))
        if self._pressed:
            how = "Enter saves it, any other key is one more, Esc cancels."
            self.query_one("#how", Static).update(Content(how))

    def _told(self) -> Iterator[str]:
        if why := self._refused():
            yield f"{why[0].upper()}{why[1:]}. Press another key."
            return
        yield from filter(None, map(remapping.sent_alike, self._pressed))
        if self._pressed:
            keys = {**self._keys, self._action.id: self._new}
            for clash in remapping.conflicts_of(self._action.id, keys):
                yield f"{self._shown(clash.key)} is taken: {_named(clash.other)}."

    def _shown(self, key: str) -> str:
        return self.app.get_key_display(self._action.binding.with_key(key))


Answer = Literal["swap", "both", "cancel"]
ANSWERS: dict[Answer, str] = {"swap": "Swap (s)", "both": "Keep both (b)", "cancel": "Cancel (c)"}


class Clash(Dialogue[Answer]):
    """Another action has the key: swap, keep both, or change nothing."""

    AUTO_FOCUS = "#cancel"
    HELP = (
        "The key you pressed belongs to another action. Swap gives that one your old key; Keep "
        "both leaves the key to both."
    )
    BINDINGS = bindings("clash")

    def __init__(self, clashes: list[remapping.Conflict]) -> None:
        super().__init__()
        self._clashes = clashes

    def compose(self) -> ComposeResult:
        taken = (Static(plain(f"{each.key}: {_named(each.other)}")) for each in self._clashes)
        buttons = [
            Button(label, id=answer, compact=True, action=f"screen.{answer}")
            for answer, label in ANSWERS.items()
        ]
        yield card("The key is taken", *taken, buttons=buttons)

    action_swap = partialmethod(Dialogue.answer, "swap")
    action_both = partialmethod(Dialogue.answer, "both")
    action_cancel = partialmethod(Dialogue.answer, "cancel")


def _named(action: Action) -> str:
    return f"{action.label[0].upper()}{action.label[1:]} ({action.heading}, {action.id})"
