"""A chat request as wanted, and as this server can take it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from interviewer.examiner.llm.calls import Stage
from interviewer.examiner.llm.capabilities import Capabilities, Structure
from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.examiner.llm.messages import Message, Role


@dataclass(frozen=True)
class ChatRequest:
    """One thing wanted of the model."""

    stage: Stage
    prompt_version: str
    messages: tuple[Message, ...]
    cap: int
    """The most tokens that the reply may have, reasoning included."""
    temperature: float
    longest: int
    """Characters of the answer itself after which it is taken as one without an end."""
    schema: Mapping[str, object] | None = None
    """The JSON schema of the reply; None for plain words."""
    optional: bool = False
    """Not worth waiting for: where it fails it is not tried again."""


def body(request: ChatRequest, endpoint: Endpoint, can: Capabilities) -> dict[str, Any]:
    """The arguments for openai's ``chat.completions.create``."""
    messages = request.messages if can.separate_messages else folded(request.messages)
    fields: dict[str, Any] = {
        "model": endpoint.model,
        "messages": [{"role": m.role, "content": m.content} for m in messages],
        "stream": can.streaming,
    }
    if can.streaming and can.stream_usage:
        fields["stream_options"] = {"include_usage": True}
    if can.cap is not None:
        fields[can.cap.value] = request.cap
    if can.temperature:
        fields["temperature"] = request.temperature
    if request.schema is not None and can.structure is not Structure.PROMPT:
        fields["response_format"] = _response_format(request.schema, can.structure)
    if endpoint.extra_body:
        fields["extra_body"] = dict(endpoint.extra_body)
    return fields


def folded(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """The rules moved into the user message, and neighbours joined so that roles alternate."""
    joined: list[Message] = []
    for message in messages:
        role: Role = "assistant" if message.role == "assistant" else "user"
        if joined and joined[-1].role == role:
            joined[-1] = Message(role, f"{joined[-1].content}\n\n{message.content}")
        else:
            joined.append(Message(role, message.content))
    return tuple(joined)


def _response_format(schema: Mapping[str, object], structure: Structure) -> dict[str, object]:
    if structure is Structure.JSON_OBJECT:
        return {"type": "json_object"}
    named = {"name": "reply", "strict": True, "schema": dict(schema)}
    return {"type": "json_schema", "json_schema": named}
