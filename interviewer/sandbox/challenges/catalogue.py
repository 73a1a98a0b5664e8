"""All challenges at hand, by id: the shipped ones and a person's own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from interviewer.content.collection import CHALLENGES, Origin, collect, look_up
from interviewer.content.files import Reading, read, shipped_folder
from interviewer.content.problems import Locator, Problem
from interviewer.rubric.scaffold import as_file, schema_of
from interviewer.sandbox.challenges.challenge import Challenge

LISTING = "interviewer check list"
"""The command that shows all ids."""


@dataclass(frozen=True)
class ChallengeEntry:
    """A challenge and where it comes from. ``replaces`` says that a shipped one has the same id."""

    challenge: Challenge
    path: Path
    origin: Origin
    replaces: bool = False


@dataclass(frozen=True)
class Catalogue:
    """Challenges by id. ``problems`` tells of the files that are not among them."""

    entries: Mapping[str, ChallengeEntry]
    problems: tuple[Problem, ...] = ()

    def get(self, challenge_id: str) -> ChallengeEntry:
        """The challenge with this id; raises UnknownNameError with the ids that come close."""
        return look_up(self.entries, challenge_id, "challenge", LISTING)


def shipped_challenges_folder() -> Path:
    """The folder of the challenges that come with the program."""
    return shipped_folder() / CHALLENGES


def is_shipped(challenge: Challenge) -> bool:
    """It is one that comes with the program, unchanged."""
    entry = load_catalogue(only={challenge.id}).entries.get(challenge.id)
    return entry is not None and entry.challenge == challenge


def load_catalogue(folders: Iterable[Path] = (), only: Collection[str] | None = None) -> Catalogue:
    """Load the shipped challenges and those of the given folders, sub-folders included.

    A file that cannot be used is a problem of its own and keeps no other from loading. A folder
    that does not exist holds none. Of the shipped files, which are named by their ids, those of the
    others are left unread where ``only`` some ids are asked for.
    """

    def look(path: Path, origin: Origin) -> Reading[Challenge]:
        if origin == "shipped" and only is not None and path.stem not in only:
            return Reading(None, (), Locator(path))
        return read(path, Challenge)

    found, problems = collect(shipped_challenges_folder(), folders, look)
    entries = {
        name: ChallengeEntry(f.value, f.path, f.origin, f.replaces) for name, f in found.items()
    }
    return Catalogue(MappingProxyType(entries), problems)


CHALLENGE_SCHEMA = "challenge.schema.json"
"""The schema's file name, beside the challenges."""


def challenge_schema_text() -> str:
    """The schema as it stands in ``rubrics/challenges/challenge.schema.json``."""
    return as_file(schema_of(Challenge))
