"""Reads what the interviewer heard and would say next; what cannot be used is dropped."""

from __future__ import annotations

import re
from typing import Any

from interviewer.content.files import without_control
from interviewer.examiner.llm.conversation import topics_of
from interviewer.examiner.llm.figures import figures_fields, holds_figures, reading_of
from interviewer.examiner.llm.findings import as_written, object_of, only_object
from interviewer.examiner.llm.messages import as_json_text
from interviewer.examiner.protocol import WORDED, Heard, Move, MoveKind, Proposal
from interviewer.grading.claims.quantity import Reading
from interviewer.grading.transcript import DialogueAct, Turn
from interviewer.rubric.rubric import Rubric

MOST_PROPOSALS = 3
SPOKEN_CHARACTERS = 600
"""Nothing longer is said."""
HEARD_CHARACTERS = 24_000
"""What an honest reply stays within."""

_MOVES = {kind.value: kind for kind in WORDED}
_AIMED = (MoveKind.PIN_DOWN, MoveKind.CHALLENGE, MoveKind.PROBE)
_ACTS = {act.value: act for act in DialogueAct}
_GAP = re.compile(r"…|\.\.\.")
"""Left open as in the examples of the prompt, which small models copy."""
_NO_TOPIC = frozenset({"", "none", "null"})


def heard_schema() -> dict[str, object]:
    """The JSON schema of a reply, the same for all questions: some servers put it first."""
    proposal = object_of(
        {
            "move": {"type": "string", "enum": list(_MOVES)},
            "topic": {"type": "string"},
            "text": {"type": "string"},
        }
    )
    return object_of(
        {
            "acts": {"type": "array", "items": {"type": "string", "enum": list(_ACTS)}},
            "say": {"type": "array", "items": proposal},
            **figures_fields(),
        }
    )


def read_heard(text: str, rubric: Rubric, turn: Turn) -> Heard | None:
    """What the reply says; None if it holds nothing usable, or more than one such object.

    One act or one proposal need not stand in a list.
    """
    reply = only_object(text, "acts", "say", kind=object)
    if isinstance(reply, str):
        return None
    reading = reading_of(reply, turn) if holds_figures(turn) else Reading(turn.number, by="model")
    heard = Heard(_acts(reply.get("acts")), _proposals(reply.get("say"), rubric), reading)
    return heard if heard.acts or heard.proposals else None


def _acts(value: object) -> frozenset[DialogueAct]:
    words = value if isinstance(value, list) else [value]
    spelt = (as_written(word) for word in words)
    return frozenset(_ACTS[word] for word in spelt if isinstance(word, str) and word in _ACTS)


def _proposals(value: object, rubric: Rubric) -> tuple[Proposal, ...]:
    entries = value if isinstance(value, list) else [value]
    usable: list[Proposal] = []
    for entry in entries:
        proposal = _proposal(entry, rubric) if isinstance(entry, dict) else None
        if proposal and proposal not in usable:
            usable.append(proposal)
    return tuple(usable[:MOST_PROPOSALS])


def _proposal(entry: dict[str, Any], rubric: Rubric) -> Proposal | None:
    move = _move(as_written(entry.get("move")), as_written(entry.get("topic")), rubric)
    text = spoken(entry.get("text"))
    usable = 0 < len(text) <= SPOKEN_CHARACTERS and not _GAP.search(text)
    return Proposal(text, move) if move and usable else None


def _move(word: object, topic: object, rubric: Rubric) -> Move | None:
    """The move; None if it is unknown, aims at an unknown topic, or lacks what it needs."""
    kind = _MOVES.get(word) if isinstance(word, str) else None
    if kind is MoveKind.REFRAME:
        return Move(kind)
    if kind is MoveKind.ESCALATE:
        place = rubric.escalation_to_ask
        return None if place is None else Move(kind, escalation=place)
    target = _target(topic, rubric)
    lacks = target is None or (kind in _AIMED and not target)
    return None if kind is None or lacks else Move(kind, target or "")


def _target(topic: object, rubric: Rubric) -> str | None:
    """The criterion of the topic, "" for none, None for an unknown one."""
    if topic is None or (isinstance(topic, str) and topic in _NO_TOPIC):
        return ""
    by_topic = {name: criterion for criterion, name in topics_of(rubric).items()}
    return by_topic.get(topic) if isinstance(topic, str) else None


def spoken(value: object) -> str:
    """The words on one line, without what no screen should show."""
    if not isinstance(value, str):
        return ""
    return " ".join(without_control(as_json_text(value)).split())
