"""The keys at the bottom of a screen."""

from __future__ import annotations

from rich.cells import cell_len
from textual import events
from textual.binding import ActiveBinding
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget

NARROW = 60
"""Below so many columns the palette's key would cover the others."""
RULE = "▏"
KEY = "bold $footer-key-foreground on $footer-key-background"
DOES = "$footer-description-foreground on $footer-description-background"
HOVERED = "$footer-key-foreground on $block-hover-background"


class KeyFooter(Widget, can_focus=False):
    """What the keys do now, in one line; each can be clicked.

    Textual's footer mounts a widget for every key, and anew at each change of the focus or the
    turn: that takes 20 ms, more than all else that such a change does.
    """

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    KeyFooter {
        dock: bottom;
        height: 1;
        text-wrap: nowrap;
        color: $footer-foreground;
        background: $footer-background;
    }
    """

    def __init__(self, *, compact: bool = False, show_command_palette: bool = True) -> None:
        super().__init__()
        self._pad, self._gap = ("", " ") if compact else (" ", "")
        self._shows_palette = show_command_palette
        self._keys: tuple[ActiveBinding, ...] = ()
        self._palette: ActiveBinding | None = None
        self._hovered: ActiveBinding | None = None
        self._places: list[tuple[range, ActiveBinding]] = []

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._look_again)

    def on_unmount(self) -> None:
        self.screen.bindings_updated_signal.unsubscribe(self)

    def render(self) -> Content:
        self._places = []
        line = Content()
        for number, key in enumerate(self._keys):
            line += self._gap if number else ""
            line += self._drawn(key, line.cell_length, self._pad)
        if (palette := self._palette) and self.size.width >= NARROW:
            taken = cell_len(f"{RULE}{self._display(palette)} {palette.binding.description} ")
            room = max(0, self.size.width - taken)
            self._places = [each for each in self._places if each[0].start < room]
            line = line.truncate(room, pad=True) + Content.styled(RULE, "$foreground 20%")
            line += self._drawn(palette, line.cell_length, "")
        return line

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._hover(self._at(event.x))

    def on_leave(self) -> None:
        self._hover(None)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if key := self._at(event.x):
            if key.enabled:
                self.app.simulate_key(key.binding.key)
            else:
                self.app.bell()

    def _hover(self, key: ActiveBinding | None) -> None:
        if key is not self._hovered:
            self._hovered = key
            self.tooltip = key.tooltip or key.binding.tooltip or None if key else None
            self.refresh()

    def _at(self, x: int) -> ActiveBinding | None:
        return next((key for place, key in reversed(self._places) if x in place), None)

    def _display(self, key: ActiveBinding) -> str:
        return self.app.get_key_display(key.binding)

    def _drawn(self, key: ActiveBinding, begin: int, pad: str) -> Content:
        names, does = (HOVERED, HOVERED) if key is self._hovered else (KEY, DOES)
        faint = "" if key.enabled else " dim"
        drawn = Content.assemble(
            (f"{pad}{self._display(key)}{pad}", names + faint),
            (f"{'' if pad else ' '}{key.binding.description}{pad}", does + faint),
        )
        self._places.append((range(begin, begin + drawn.cell_length), key))
        return drawn

    def _look_again(self, screen: Screen[object]) -> None:
        """Keys change with the focus, the turn and the settings."""
        if not (screen.app.app_focus and self.is_attached and screen is self.screen):
            return
        active = self.screen.active_bindings
        first: dict[str, ActiveBinding] = {}  # each action by the first of its keys
        for each in active.values():
            if each.binding.show:
                first.setdefault(each.binding.action, each)
        keys = tuple(first.values())
        palette = active.get(self.app.COMMAND_PALETTE_BINDING) if self._shows_palette else None
        if (keys, palette) != (self._keys, self._palette):
            self._keys, self._palette = keys, palette
            self._hovered = None
            self.refresh()
