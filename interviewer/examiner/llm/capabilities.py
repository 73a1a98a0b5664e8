"""What a server with a model turned out not to take, learnt from its refusals.

There are no tables of model names: a field is sent, and left out from then on where the server
answers 400 and names it. What was learnt holds for the process, by address and model.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from interviewer.examiner.llm.endpoint import Endpoint


class Structure(StrEnum):
    """How a JSON reply is asked for, best first. Every reply is validated here all the same."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    PROMPT = "prompt"


class Cap(StrEnum):
    """The name of the field that limits the reply."""

    MAX_TOKENS = "max_tokens"
    MAX_COMPLETION_TOKENS = "max_completion_tokens"


Shape = tuple[Structure, Cap | None, bool, bool, bool, bool]
"""Of a request: how JSON is asked for, the cap's name, and four fields that are there or not."""

_STRUCTURE = re.compile(
    r"response_?format|json_schema|json_object|structured output|guided|grammar", re.IGNORECASE
)
_CAP = re.compile(r"max_(completion_)?tokens", re.IGNORECASE)
_TEMPERATURE = re.compile(r"temperature", re.IGNORECASE)
_STREAM_OPTIONS = re.compile(r"stream_options|include_usage", re.IGNORECASE)
_STREAM = re.compile(r"\bstream(ing)?\b", re.IGNORECASE)
_ROLES = re.compile(
    r"\b(system|developer)\b['\"]? (role|messages?)\b|\broles?\b.{0,40}(alternat|support|allowed)"
    r"|(only|unsupported|unknown|invalid|unexpected).{0,30}\broles?\b",
    re.IGNORECASE | re.DOTALL,
)


@dataclass
class Capabilities:
    """What to send to one model at one address."""

    place: str
    structure: Structure = Structure.JSON_SCHEMA
    cap: Cap | None = Cap.MAX_TOKENS
    swapped_cap: bool = False
    temperature: bool = True
    streaming: bool = True
    stream_usage: bool = True
    separate_messages: bool = True
    """False: rules and data go into one user message."""
    thinks_aloud: bool = False
    """Replies begin with reasoning that only a closing tag ends."""
    cuts_prompts: str = ""
    """The counts that made it look so."""

    @property
    def shape(self) -> Shape:
        """All that decides which fields a request has."""
        return (
            self.structure,
            self.cap,
            self.temperature,
            self.streaming,
            self.stream_usage,
            self.separate_messages,
        )

    def learn(self, complaint: str, *, structured: bool, crashed: bool = False) -> bool:
        """Leave out what the refusal names; False where it names nothing that was sent.

        ``structured`` says whether the refused request asked for JSON. ``crashed`` is a refusal by
        HTTP 500, which is believed on grammars and chat templates only: those do crash servers.
        """
        asks_for_json = structured and self.structure is not Structure.PROMPT
        lessons: tuple[tuple[bool, re.Pattern[str], Callable[[], None]], ...] = (
            (asks_for_json, _STRUCTURE, self._step_down),
            (self.separate_messages, _ROLES, self._fold_messages),
            (self.stream_usage and not crashed, _STREAM_OPTIONS, self._drop_stream_usage),
            (self.cap is not None and not crashed, _CAP, self._change_cap),
            (self.temperature and not crashed, _TEMPERATURE, self._drop_temperature),
            (self.streaming and not crashed, _STREAM, self._drop_streaming),
        )
        for applies, named, lesson in lessons:
            if applies and named.search(complaint):
                lesson()
                return True
        return False

    def learned(self) -> tuple[str, ...]:
        """One sentence for each thing that had to be done differently."""
        lines = []
        if self.structure is Structure.JSON_OBJECT:
            lines.append(f"{self.place} takes no JSON schema; json_object is asked for instead.")
        if self.structure is Structure.PROMPT:
            lines.append(
                f"{self.place} takes no response_format; JSON is asked for in the prompt alone."
            )
        if self.cap is None:
            lines.append(f"{self.place} takes no token cap under either name; none is sent.")
        elif self.swapped_cap:
            lines.append(f"{self.place} wants the token cap as {self.cap}.")
        if not self.temperature:
            lines.append(f"{self.place} takes no temperature; its own default is used.")
        if not self.streaming:
            lines.append(f"{self.place} does not stream here; replies come whole.")
        if not self.stream_usage:
            lines.append(f"{self.place} takes no stream_options; token counts may be unknown.")
        if not self.separate_messages:
            lines.append(f"{self.place} takes user messages only; the rules go into the first.")
        if self.thinks_aloud:
            lines.append(f"{self.place} begins replies with its reasoning, which is cut off here.")
        if self.cuts_prompts:
            lines.append(
                f"{self.place} counted {self.cuts_prompts}: it may cut long prompts silently; "
                "give the model more context (Ollama: num_ctx in a Modelfile)."
            )
        return tuple(lines)

    def compare_prompt(self, counted: int | None, estimated: int) -> None:
        """Notice a server that counted far fewer prompt tokens than were sent."""
        if counted and estimated >= 1000 and counted < estimated // 2:
            self.cuts_prompts = f"{counted} prompt tokens of about {estimated}"

    def _step_down(self) -> None:
        schema = self.structure is Structure.JSON_SCHEMA
        self.structure = Structure.JSON_OBJECT if schema else Structure.PROMPT

    def _change_cap(self) -> None:
        if self.swapped_cap:
            self.cap = None
        else:
            old = self.cap
            self.cap = Cap.MAX_TOKENS if old is not Cap.MAX_TOKENS else Cap.MAX_COMPLETION_TOKENS
            self.swapped_cap = True

    def _drop_temperature(self) -> None:
        self.temperature = False

    def _drop_stream_usage(self) -> None:
        self.stream_usage = False

    def _drop_streaming(self) -> None:
        self.streaming = False

    def _fold_messages(self) -> None:
        self.separate_messages = False


_known: dict[tuple[str, str], Capabilities] = {}


def capabilities_of(endpoint: Endpoint) -> Capabilities:
    """What is known of this address and model, shared by all that use them."""
    key = (endpoint.url, endpoint.model)
    if key not in _known:
        cap = Cap.MAX_COMPLETION_TOKENS if endpoint.is_openai else Cap.MAX_TOKENS
        _known[key] = Capabilities(f"{endpoint.model} at {endpoint.address}", cap=cap)
    return _known[key]


def forget() -> None:
    """Start anew, as a new process would."""
    _known.clear()
