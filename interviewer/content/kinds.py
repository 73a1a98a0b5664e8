"""The kinds of content file, and where the files of each kind lie."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path


@dataclass(frozen=True)
class Kind:
    """What files of one kind are called. ``group`` is the command that lists and checks them."""

    noun: str
    group: str
    subfolder: str = ""
    """Below a folder of rubrics; the rubrics themselves lie in the folder and all others below."""

    @property
    def plural(self) -> str:
        """The noun for many, which also names the folder in a person's configuration."""
        return f"{self.noun}s"

    @property
    def schema(self) -> str:
        """The file name of the JSON schema beside the files."""
        return f"{self.noun}.schema.json"

    @property
    def shipped(self) -> Path:
        """The folder of the files that come with the program."""
        return Path(str(files("rubrics"))) / self.subfolder

    def starter(self) -> str:
        """The text of the commented starter file."""
        return (Path(__file__).parent / "starters" / f"{self.noun}.yaml").read_text("utf-8")


RUBRICS = Kind("rubric", "rubrics")
PLANS = Kind("plan", "plans", "plans")
CHALLENGES = Kind("challenge", "check", "challenges")
