"""Where the sessions are kept: in a file of one's own, or on a server that many people share."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

SCHEMES = ("postgresql+psycopg", "postgresql")
EXAMPLE = "postgresql+psycopg://NAME@HOST/DATABASE"


@dataclass(frozen=True)
class Server:
    """A PostgreSQL database by its address, which may hold a password; ``str`` leaves it out."""

    url: str = field(repr=False)

    def __str__(self) -> str:
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"

    @property
    def user(self) -> str:
        """The name that logs in, "" where the address leaves that to the environment."""
        parts = urlsplit(self.url)
        return unquote(parts.username or parse_qs(parts.query).get("user", [""])[-1])


Place = Path | Server


def is_address(given: object) -> bool:
    """Whether it names a server rather than a file."""
    return isinstance(given, str) and "://" in given


def fault_in(url: str) -> str:
    """What is wrong with the address of a server, without a word of it, "" if nothing is."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in SCHEMES and len(parts.path) > 1 and url.isprintable()
        usable = usable and (parts.port is None or parts.port > 0)
    except ValueError:
        return f"an address that cannot be read; write {EXAMPLE}"
    # An unescaped character has ended the host too early, and the password is in the rest.
    if parts.fragment or "@" in parts.path + parts.query:
        return "an address with a /, ?, # or @ in its password; write these as %2F, %3F, %23, %40"
    return "" if usable else f"an address of no kind known here; write {EXAMPLE}, or a file"
