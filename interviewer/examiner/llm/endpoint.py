"""Where the model is, and what its server turned out not to support."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from interviewer.errors import SettingsError
from interviewer.web_address import OPENAI_URL, host_of, is_local, proxy_of, route, shown

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
    def proxy(self) -> tuple[str, str] | None:
        """The proxy on the way there, and the variable that names it."""
        return proxy_of(self.url)

    @property
    def route(self) -> str:
        """The address, and the proxy on the way there."""
        return route(self.url)

    @property
    def is_openai(self) -> bool:
        """OpenAI's own host, where the newer parameter names hold."""
        return host_of(self.url) == host_of(OPENAI_URL)


def endpoint_of(settings: Settings) -> Endpoint:
    """The endpoint that the settings describe.

    Raises SettingsError when none is configured, a server other than OpenAI's has no model, or the
    keyring does not give the key.
    """
    return _endpoint(settings, model_of(settings))


def server_of(settings: Settings) -> Endpoint:
    """The same to ask the server itself: the model is "" where none is named."""
    return _endpoint(settings, "" if settings.needs_model else model_of(settings))


def _endpoint(settings: Settings, model: str) -> Endpoint:
    found = Endpoint(settings.base_url, _key(settings), model)
    usual = LOCAL_TIMEOUT if found.is_local else TIMEOUT
    return replace(found, timeout=settings.timeout or usual)


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


def _key(settings: Settings) -> str | None:
    if settings.api_key or not settings.key_in_keyring:
        return settings.api_key
    from interviewer.keychain import read_key

    return read_key(settings.address)


class Structure(StrEnum):
    """How a JSON reply is asked for, best first. Replies are validated here whatever the way."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    PROMPT = "prompt"


@dataclass(frozen=True)
class RequestFormat:
    """Which fields a request has."""

    structure: Structure = Structure.JSON_SCHEMA
    cap: str | None = "max_tokens"
    """The name of the field that limits the reply."""
    temperature: bool = True
    streaming: bool = True
    stream_usage: bool = True
    separate_messages: bool = True
    """False: rules and data go into one user message."""


_NAMED = {
    "structure": r"response_?format|json_?schema|json_?object|json mode|structured.?output|guided"
    r"|grammar|json_validate_failed|(generate|validate) (valid )?json",
    "separate_messages": r"\b(system|developer)\b['\"]? (role|messages?)\b"
    r"|\broles?\b.{0,40}(alternat|support|allowed)"
    r"|(only|unsupported|unknown|invalid|unexpected).{0,30}\broles?\b",
    "stream_usage": "stream_options|include_usage",
    "cap": "max_(completion_)?tokens",
    "temperature": "temperature",
    "streaming": r"\bstream(ing)?\b",
}
"""The words of a refusal for each field of the format, in the order in which they are believed."""
_CRASHES = ("structure", "separate_messages")
"""Grammars and chat templates do crash servers; what else a crash names means nothing."""
_TOLD: Mapping[tuple[str, object], str] = {
    ("structure", "json_object"): "takes no JSON schema; json_object is asked for instead.",
    ("structure", "prompt"): "takes no response_format; JSON is asked for in the prompt alone.",
    ("cap", None): "takes no token cap under either name; none is sent.",
    ("temperature", False): "takes no temperature; its own default is used.",
    ("streaming", False): "does not stream here; replies come whole.",
    ("stream_usage", False): "takes no stream_options; token counts may be unknown.",
    ("separate_messages", False): "takes user messages only; the rules go into the first.",
}


@dataclass
class Capabilities:
    """What one model at one address turned out to support."""

    place: str
    format: RequestFormat
    swapped_cap: bool = False
    """The cap went by the other name first."""
    thinks_aloud: bool = False
    """Replies begin with reasoning that only a closing tag ends."""
    cuts_prompts: str = ""
    """The token counts that suggest it."""

    def learn(self, complaint: str, *, structured: bool, crashed: bool = False) -> bool:
        """Leave out what the refusal names; False if it names nothing that was sent.

        ``structured`` says whether the refused request asked for JSON. ``crashed``: by HTTP 500.
        """
        for name, words in _NAMED.items():
            sent = getattr(self.format, name)
            if not sent or sent == "prompt" or (name == "structure" and not structured):
                continue
            believed = name in _CRASHES or not crashed
            if believed and re.search(words, complaint, re.IGNORECASE | re.DOTALL):
                self.format = replace(self.format, **{name: self._instead_of(name)})
                self.swapped_cap |= name == "cap"
                return True
        return False

    def _instead_of(self, name: str) -> Any:
        """The next best structure; the other name of the cap, and none once both were tried."""
        now = self.format
        if name == "structure":
            is_schema = now.structure is Structure.JSON_SCHEMA
            return Structure.JSON_OBJECT if is_schema else Structure.PROMPT
        if name != "cap" or self.swapped_cap:
            return None if name == "cap" else False
        return "max_completion_tokens" if now.cap == "max_tokens" else "max_tokens"

    def compare_prompt(self, counted: int | None, estimated: int) -> None:
        """Notice a server that counted far fewer prompt tokens than were sent."""
        if counted and estimated >= 1000 and counted < estimated // 2:
            self.cuts_prompts = f"{counted} prompt tokens of about {estimated}"

    def learned(self) -> tuple[str, ...]:
        """A sentence for each thing that had to be done differently."""
        told = [told for (name, now), told in _TOLD.items() if getattr(self.format, name) == now]
        if self.swapped_cap and self.format.cap:
            told.append(f"wants the token cap as {self.format.cap}.")
        if self.thinks_aloud:
            told.append("begins replies with its reasoning, which is cut off here.")
        if self.cuts_prompts:
            told.append(
                f"counted {self.cuts_prompts}: it may cut long prompts silently; give the model "
                "more context (Ollama: num_ctx in a Modelfile)."
            )
        return tuple(f"{self.place} {each}" for each in told)


_known: dict[tuple[str, str], Capabilities] = {}


def capabilities_of(endpoint: Endpoint) -> Capabilities:
    """What is known of this address and model, shared by all that use them."""
    key = (endpoint.url, endpoint.model)
    if key not in _known:
        cap = "max_completion_tokens" if endpoint.is_openai else "max_tokens"
        place = f"{endpoint.model} at {endpoint.address}"
        _known[key] = Capabilities(place, RequestFormat(cap=cap))
    return _known[key]


def forget() -> None:
    """Start afresh, as a new process would."""
    _known.clear()
