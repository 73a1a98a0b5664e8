"""The keys at the bottom of a screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

if TYPE_CHECKING:
    from textual.binding import ActiveBinding

NARROW = 60
"""Below so many columns the palette's key would cover the others."""
RULE = "▏"


class ShownKey(NamedTuple):
    """A key in the footer."""

    key: str
    """As it is pressed."""
    display: str
    description: str
    enabled: bool
    tooltip: str


class KeyFooter(Widget, can_focus=False):
    """What the keys do now, in one line; each can be clicked.

    Textual's footer mounts a widget for every key, and anew at each change of the focus or the
    turn: that costs more than all else that such a change does.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"key", "does", "rule", "hovered"}
    DEFAULT_CSS = """
    KeyFooter {
        dock: bottom;
        height: 1;
        text-wrap: nowrap;
        color: $footer-foreground;
        background: $footer-background;

        .key {
            color: $footer-key-foreground;
            background: $footer-key-background;
            text-style: bold;
        }

        .does {
            color: $footer-description-foreground;
            background: $footer-description-background;
        }

        .rule { color: $foreground 20%; }

        .hovered {
            color: $footer-key-foreground;
            background: $block-hover-background;
        }
    }
    """

    def __init__(self, *, compact: bool = False, show_command_palette: bool = True) -> None:
        super().__init__()
        self._compact = compact
        self._shows_palette = show_command_palette
        self._keys: tuple[ShownKey, ...] = ()
        self._palette: ShownKey | None = None
        self._hovered: ShownKey | None = None
        self._places: list[tuple[range, ShownKey]] = []

    @property
    def keys(self) -> tuple[ShownKey, ...]:
        """All that are shown where there is room, the palette's last."""
        roomy = self._palette and self.size.width >= NARROW
        return (*self._keys, self._palette) if self._palette and roomy else self._keys

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._look_again)

    def on_unmount(self) -> None:
        self.screen.bindings_updated_signal.unsubscribe(self)

    def render(self) -> Content:
        self._places = []
        line, gap = Content(), "" if not self._compact else " "
        for number, key in enumerate(self._keys):
            line += gap if number else ""
            line += self._drawn(key, line.cell_length, padded=not self._compact)
        for key in self.keys[len(self._keys) :]:
            room = max(0, self.size.width - cell_len(f"{RULE}{key.display} {key.description} "))
            self._places = [each for each in self._places if each[0].start < room]
            line = line.truncate(room, pad=True) + Content.styled(
                RULE, self.get_visual_style("rule")
            )
            line += self._drawn(key, line.cell_length, padded=False)
        return line

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._hover(self._at(event.x))

    def on_leave(self) -> None:
        self._hover(None)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if key := self._at(event.x):
            if key.enabled:
                self.app.simulate_key(key.key)
            else:
                self.app.bell()

    def _hover(self, key: ShownKey | None) -> None:
        if key is not self._hovered:
            self._hovered = key
            self.tooltip = key.tooltip or None if key else None
            self.refresh()

    def _at(self, x: int) -> ShownKey | None:
        return next((key for place, key in reversed(self._places) if x in place), None)

    def _drawn(self, key: ShownKey, begin: int, *, padded: bool) -> Content:
        before, after = (" ", " ") if padded else ("", "")
        faint = Style() if key.enabled else Style(dim=True)
        names, does = self.get_visual_style("key"), self.get_visual_style("does")
        if key is self._hovered:
            names = does = self.get_visual_style("hovered")
        drawn = Content.styled(f"{before}{key.display}{after}", names + faint)
        drawn += Content.styled(f"{'' if padded else ' '}{key.description}{after}", does + faint)
        self._places.append((range(begin, begin + drawn.cell_length), key))
        return drawn

    def _look_again(self, screen: Screen[object]) -> None:
        """Keys change with the focus, the turn and the settings."""
        if not (screen.app.app_focus and self.is_attached and screen is self.screen):
            return
        active = self.screen.active_bindings
        keys = tuple(self._wanted(active))
        palette = self._wanted_palette(active.get(self.app.COMMAND_PALETTE_BINDING))
        if (keys, palette) != (self._keys, self._palette):
            self._keys, self._palette = keys, palette
            self._hovered = None
            self.refresh()

    def _wanted(self, bindings: Mapping[str, ActiveBinding]) -> Iterator[ShownKey]:
        seen = set()
        for active in bindings.values():
            binding = active.binding
            if binding.show and binding.action not in seen:
                seen.add(binding.action)
                display = self.app.get_key_display(binding)
                yield ShownKey(
                    binding.key, display, binding.description, active.enabled, active.tooltip
                )

    def _wanted_palette(self, active: ActiveBinding | None) -> ShownKey | None:
        if not (active and self._shows_palette and self.app.ENABLE_COMMAND_PALETTE):
            return None
        binding = active.binding
        display, tooltip = self.app.get_key_display(binding), binding.tooltip or binding.description
        return ShownKey(binding.key, display, binding.description, active.enabled, tooltip)
