"""Reading a chat reply without trusting its shape: servers leave out and add what they like."""

from __future__ import annotations

from dataclasses import dataclass

from interviewer.examiner.llm.thinking import closes_unopened, without_thinking


@dataclass(frozen=True)
class Usage:
    """Token counts; None where the server sent none."""

    prompt: int | None = None
    cached: int | None = None
    completion: int | None = None


@dataclass(frozen=True)
class Part:
    """One chunk of a stream, or the whole of a plain reply."""

    text: str = ""
    finish: str | None = None
    refused: bool = False
    reasoned: bool = False
    """Reasoning came in a field of its own, which is never read as the answer."""
    model: str | None = None
    usage: Usage | None = None


@dataclass(frozen=True)
class Reply:
    """A whole reply. ``text`` is without leading reasoning."""

    text: str
    cut_off: bool
    refused: bool
    reasoned: bool
    unopened_thinking: bool


def read_part(answer: object) -> Part:
    """The first choice of a completion or chunk; an empty part where there is none."""
    choices = getattr(answer, "choices", None)
    model, usage = getattr(answer, "model", None), _usage(getattr(answer, "usage", None))
    model = model if isinstance(model, str) and model else None
    if not isinstance(choices, list) or not choices:
        return Part(model=model, usage=usage)
    choice = choices[0]
    said = getattr(choice, "message", None) or getattr(choice, "delta", None)
    finish = getattr(choice, "finish_reason", None)
    reasoning = getattr(said, "reasoning_content", None) or getattr(said, "reasoning", None)
    return Part(
        text=_text(getattr(said, "content", None)),
        finish=finish if isinstance(finish, str) and finish else None,
        refused=bool(getattr(said, "refusal", None)) or finish == "content_filter",
        reasoned=bool(reasoning),
        model=model,
        usage=usage,
    )


def as_reply(part: Part) -> Reply:
    """The part as a whole reply, reasoning taken off."""
    text = without_thinking(part.text)
    return Reply(
        text=text.strip(),
        cut_off=part.finish == "length",
        refused=part.refused,
        reasoned=part.reasoned or text != part.text,
        unopened_thinking=closes_unopened(part.text),
    )


def _text(content: object) -> str:
    """Some servers send a list of typed parts in place of a string."""
    if isinstance(content, list):
        return "".join(_text(_field(part, "text")) for part in content)
    return content if isinstance(content, str) else ""


def _usage(usage: object) -> Usage | None:
    if usage is None:
        return None
    details = _field(usage, "prompt_tokens_details")
    return Usage(
        prompt=_count(_field(usage, "prompt_tokens")),
        cached=_count(_field(details, "cached_tokens")),
        completion=_count(_field(usage, "completion_tokens")),
    )


def _field(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
