"""From which width on screens put things side by side."""

BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]
"""The class that a screen has from so many columns on."""
