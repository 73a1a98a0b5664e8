"""Where the model is, and what its server turned out not to support."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from interviewer.errors import SettingsError
from interviewer.rubric.text import table
from interviewer.settings.web_address import OPENAI_URL, host_of, is_local, route, shown

if TYPE_CHECKING:
    from interviewer.settings import Settings

TIMEOUT, LOCAL_TIMEOUT = 120.0, 600.0
"""Seconds; a model on this machine's own processor may need minutes for one judgement."""
DEFAULT_MODEL = "gpt-5-mini"
"""For OpenAI's own endpoint when no model is named; other servers list theirs."""


@dataclass(frozen=True)
class Endpoint:
    """An OpenAI-compatible server and the model to use there."""

    base_url: str | None
    """As http://localhost:11434/v1; None is OpenAI's own."""
    key: str | None = field(repr=False)
    """None for a server that wants none."""
    model: str
    timeout: float = TIMEOUT
    """Seconds after which a call has failed, whether the server is silent or keeps it alive."""
    extra_body: Mapping[str, object] = field(default_factory=dict, hash=False)
    """Further fields for every chat request, for a server's own options."""
    http_client: object | None = field(default=None, repr=False, compare=False)
    """An httpx-like asynchronous client to use instead of openai's own."""

    @property
    def url(self) -> str:
        """The address that requests go to."""
        return self.base_url or OPENAI_URL

    @property
    def address(self) -> str:
        """The address for people to read: without a password or a query that may hold one."""
        return shown(self.url)

    @property
    def is_local(self) -> bool:
        """Whether requests stay on this machine."""
        return is_local(self.url)

    @property
    def route(self) -> str:
        """The address, and the proxy on the way there."""
        return route(self.url)


def endpoint_of(settings: Settings, *, needs_model: bool = True) -> Endpoint:
    """The endpoint of the settings; without ``needs_model`` its model may be "".

    Raises SettingsError when address or model is missing or the keyring does not give the key.
    """
    key = settings.api_key
    if settings.key_in_keyring and not key:
        from interviewer.settings.keychain import read_key

        key = read_key(settings.address)
    model = model_of(settings) if needs_model or not settings.needs_model else ""
    endpoint = Endpoint(settings.base_url, key, model)
    usual = LOCAL_TIMEOUT if endpoint.is_local else TIMEOUT
    return replace(endpoint, timeout=settings.timeout or usual)


def model_of(settings: Settings) -> str:
    """The model that the settings name; no key is read. Raises SettingsError if there is none."""
    if not settings.endpoint_configured:
        raise SettingsError(
            "No endpoint is configured for the LLM examiner: set OPENAI_API_KEY, or "
            "OPENAI_BASE_URL for a server of your own, or use the offline examiner."
        )
    model = settings.model or (None if settings.base_url else DEFAULT_MODEL)
    if model is None:
        raise SettingsError(
            f"No model is named for {settings.address}: set INTERVIEWER_MODEL to one that the "
            "server offers, or use the offline examiner."
        )
    return model


@dataclass
class Capabilities:
    """What one model at one address turned out to support."""

    place: str
    ways: dict[str, list[Any]]
    """What may be sent in each field of a request, the best first, without what was refused."""
    thinks_aloud: bool = False
    """Replies begin with reasoning that only a closing tag ends."""
    cuts_prompts: str = ""
    """The token counts that suggest it."""

    @property
    def format(self) -> dict[str, Any]:
        """What is sent in each field; what is falsy is left out."""
        return {name: left[0] for name, left in self.ways.items()}

    def learn(self, complaint: str, *, structured: bool, crashed: bool = False) -> bool:
        """Leave out what a refusal (``crashed``: HTTP 500) names; False if that was not sent."""
        for field_ in _fields():
            left = self.ways[field_["name"]]
            was_sent = left[0] and (structured or field_["name"] != "structure")
            believed = field_.get("crashes") or not crashed
            if was_sent and believed and found(field_["words"], complaint):
                del left[0]
                return True
        return False

    def compare_prompt(self, counted: int | None, estimated: int) -> None:
        """Notice a server that counted far fewer prompt tokens than were sent."""
        if counted and estimated >= 1000 and counted < estimated // 2:
            self.cuts_prompts = f"{counted} prompt tokens of about {estimated}"

    def learned(self) -> tuple[str, ...]:
        """A sentence for each thing that had to be done differently."""
        refused = [(len(f["ways"]) - len(self.ways[f["name"]]), f) for f in _fields()]
        told = [f["told"][n - 1].format(now=self.ways[f["name"]][0]) for n, f in refused if n]
        if self.thinks_aloud:
            told.append("begins replies with its reasoning, which is cut off here.")
        if self.cuts_prompts:
            told.append(
                f"counted {self.cuts_prompts}: it may cut long prompts silently; give the model "
                "more context (Ollama: num_ctx in a Modelfile)."
            )
        return tuple(f"{self.place} {each}" for each in told)


def found(pattern: str, words: str) -> bool:
    """Whether the pattern of a table, which may run over several lines, is among the words."""
    return bool(re.search(pattern.replace("\n", ""), words, re.IGNORECASE | re.DOTALL))


@cache
def _fields() -> Any:
    return table("formats", __package__)


_known: dict[tuple[str, str], Capabilities] = {}


def capabilities_of(endpoint: Endpoint) -> Capabilities:
    """What is known of this address and model, shared by all that use them."""
    key = (endpoint.url, endpoint.model)
    if key not in _known:
        ways = {each["name"]: list(each["ways"]) for each in _fields()}
        if host_of(endpoint.url) == host_of(OPENAI_URL):  # the newer name holds there
            ways["cap"][:2] = reversed(ways["cap"][:2])
        _known[key] = Capabilities(f"{endpoint.model} at {endpoint.address}", ways)
    return _known[key]


def forget() -> None:
    """Start afresh, as a new process would."""
    _known.clear()
