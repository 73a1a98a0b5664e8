"""Where the model is, and how to reach it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit, urlunsplit

OPENAI_URL = "https://api.openai.com/v1"


@dataclass(frozen=True)
class Endpoint:
    """An OpenAI-compatible server and the model to use there."""

    base_url: str | None
    """As http://localhost:11434/v1; None is OpenAI's own."""
    key: str | None = field(repr=False)
    """None for a server that wants none."""
    model: str
    timeout: float = 120.0
    """Seconds without a byte from the server before a call counts as failed."""
    extra_body: Mapping[str, object] = field(default_factory=dict, hash=False)
    """Further fields for every chat request, for what is special to a server."""
    http_client: object | None = field(default=None, repr=False, compare=False)
    """An httpx-like asynchronous client to use instead of openai's own."""

    @property
    def url(self) -> str:
        """The address that requests go to."""
        return self.base_url or OPENAI_URL

    @property
    def address(self) -> str:
        """The address for people to read: without a password or a query that may hold one."""
        parts = urlsplit(self.url)
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query=""))

    @property
    def is_openai(self) -> bool:
        """OpenAI's own host, where the newer parameter names hold."""
        return urlsplit(self.url).hostname == urlsplit(OPENAI_URL).hostname
