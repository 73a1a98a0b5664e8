"""All usable challenges by id: the shipped ones and a person's own."""

from __future__ import annotations

from collections.abc import Collection as Ids
from collections.abc import Iterable
from pathlib import Path

from interviewer.content.collection import Collection, Origin, collect
from interviewer.content.files import Reading, read
from interviewer.content.kinds import CHALLENGES
from interviewer.content.problems import Locator
from interviewer.sandbox.challenges.challenge import Challenge

Catalogue = Collection[Challenge, Challenge]


def is_shipped(challenge: Challenge) -> bool:
    """Whether it comes with the program, unchanged."""
    entry = load_catalogue(only={challenge.id}).entries.get(challenge.id)
    return entry is not None and entry.model == challenge


def load_catalogue(own: Iterable[Path] = (), only: Ids[str] | None = None) -> Catalogue:
    """Load the shipped challenges and those of a person's own folders, subfolders included.

    Where ``only`` some ids are wanted, other shipped files, which are named by their ids, are left
    unread.
    """

    def look(path: Path, origin: Origin) -> Reading[Challenge]:
        if origin == "shipped" and only is not None and path.stem not in only:
            return Reading(None, (), Locator(path))
        return read(path, Challenge)

    return collect(CHALLENGES, own, look, lambda _path, challenge: challenge)
