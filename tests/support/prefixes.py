"""How much of a prompt a server has read before."""

from __future__ import annotations

from collections.abc import Iterable


def common(one: str, other: str) -> int:
    """How many characters both begin with."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def read_before(prompt: str, earlier: Iterable[str]) -> int:
    """The characters that its beginning shares with one of the earlier prompts."""
    return max((common(prompt, each) for each in earlier), default=0)
