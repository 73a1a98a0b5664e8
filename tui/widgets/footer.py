"""The keys at the bottom of a screen."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from textual import events
from textual.widgets import Footer

NARROW = 60
"""Below so many columns the palette's key would cover the others."""


class KeyFooter(Footer):
    """Textual's footer, drawn anew only where it shows something else.

    Keys are looked at again at each change of the focus and of the turn. To mount the same ones
    again would cost more than all else that such a change does.
    """

    DEFAULT_CSS = """
    KeyFooter.-narrow FooterKey.-command-palette {
        display: none;
    }
    """
    _drawn: tuple[Hashable, ...] | None = None

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < NARROW, "-narrow")

    async def recompose(self) -> None:
        if not self.is_attached:
            return
        wanted = tuple(self._wanted())
        if wanted != self._drawn:
            self._drawn = wanted
            await super().recompose()

    def _wanted(self) -> Iterator[Hashable]:
        """All that a key in the footer is made of."""
        palette = self.app.COMMAND_PALETTE_BINDING if self.show_command_palette else None
        for key, active in self.screen.active_bindings.items():
            binding = active.binding
            if binding.show or key == palette:
                display = self.app.get_key_display(binding)
                yield (key, display, binding, active.enabled, active.tooltip)
