"""Asks a model with the answer key whether words give a point away, and reads what it says.

It is for words that code finds suspicious and cannot decide on. A "yes" counts only with words of
the utterance that give the point away.
"""

from __future__ import annotations

from collections.abc import Sequence

from interviewer.examiner.llm import prompts
from interviewer.examiner.llm.findings import as_written, object_of, only_object
from interviewer.examiner.llm.messages import Message, fenced_lines, question_of
from interviewer.examiner.protocol import QuestionContext
from interviewer.rubric.rubric import Criterion, Rating
from interviewer.rubric.text import is_content, words

MOST_WORDINGS = 3
REPLY_CHARACTERS = 3000
"""What an honest reply stays within."""

_YES_OR_NO = {True: True, False: False, "true": True, "yes": True, "false": False, "no": False}


def giveaways_messages(context: QuestionContext, texts: Sequence[str]) -> tuple[Message, ...]:
    """The open points with their key, the conversation, and the utterances, numbered from 1."""
    made = {v.criterion for v in context.verdicts if v.verdict is Rating.MET}
    rubric = context.rubric
    points = [_point(each) for each in rubric.criteria if each.id not in made]
    points += [{"ask": each} for each in (*rubric.simpler, *rubric.harder)]
    talk = [
        {"who": "interviewer" if turn.author == "examiner" else "candidate", "text": turn.text}
        for turn in context.turns
    ]
    utterances = [{"number": n, "text": text} for n, text in enumerate(texts, start=1)]
    subject = question_of(context)
    return (
        Message("system", prompts.load("giveaways").text),
        Message("user", fenced_lines("The open points", points, subject)),
        Message("user", fenced_lines("The conversation", talk, subject)),
        Message("user", fenced_lines("The utterances to check", utterances, subject)),
    )


def _point(criterion: Criterion) -> dict[str, object]:
    point: dict[str, object] = {"id": criterion.id, "claim": criterion.claim}
    accept = list(criterion.accept[:MOST_WORDINGS])
    return point | ({"accept": accept} if accept else {}) | {"ask": criterion.probe}


def giveaways_schema() -> dict[str, object]:
    """The JSON schema of a reply, the words before the verdict on them."""
    utterance = object_of(
        {
            "number": {"type": "integer"},
            "point": {"type": "string"},
            "words": {"type": "string"},
            "gives_away": {"type": "boolean"},
        }
    )
    return object_of({"utterances": {"type": "array", "items": utterance}})


def read_giveaways(reply: str, texts: Sequence[str]) -> tuple[str, ...] | None:
    """For each text the words that give a point away, "" for none; None for an unusable reply.

    That is one that does not say exactly one thing of each text.
    """
    found = only_object(reply, "utterances")
    if isinstance(found, str):
        return None
    said: dict[int, tuple[bool, str]] = {}
    for entry in found["utterances"]:
        read = _verdict(entry)
        if read is None or said.setdefault(read[0], read[1:]) != read[1:]:
            return None
    if said.keys() != set(range(1, len(texts) + 1)):
        return None
    return tuple(
        quoted if yes and _is_quoted(quoted, text) else ""
        for text, (yes, quoted) in ((text, said[n]) for n, text in enumerate(texts, start=1))
    )


def _verdict(entry: object) -> tuple[int, bool, str] | None:
    """The number of the utterance, whether it gives a point away, and its words for it."""
    if not isinstance(entry, dict):
        return None
    number, quoted = entry.get("number"), entry.get("words")
    yes = as_written(entry.get("gives_away"))
    if not isinstance(number, int) or not isinstance(yes, bool | str) or yes not in _YES_OR_NO:
        return None
    return number, _YES_OR_NO[yes], quoted.strip() if isinstance(quoted, str) else ""


def _is_quoted(quoted: str, text: str) -> bool:
    """The words stand in the text one after the other, and are more than little words."""
    wanted, there = words(quoted), words(text)
    places = range(len(there) - len(wanted) + 1)
    return any(map(is_content, wanted)) and any(
        there[at : at + len(wanted)] == wanted for at in places
    )
