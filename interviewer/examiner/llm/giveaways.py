"""Asks a model with the answer key whether words give a point away.

It is for words that code finds suspicious and cannot decide on. A "yes" counts only with words of
the utterance that give the point away.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from interviewer.examiner.llm.client import ChatRequest
from interviewer.examiner.llm.messages import Message, fenced, filled, load_prompt, question_of
from interviewer.examiner.llm.structured import Read, Words, read_as, schema_of
from interviewer.examiner.protocol import QuestionContext
from interviewer.rubric.rubric import Rating
from interviewer.rubric.text import is_content, words

MOST_WORDINGS = 3
CAP, LONGEST = 1536, 3000
"""Tokens, and the characters that an honest reply stays within."""


class _Utterance(BaseModel):
    number: int
    point: Words = ""
    words: Words = ""
    gives_away: bool


class _Reply(BaseModel):
    utterances: list[_Utterance]


def giveaways_request(context: QuestionContext, texts: Sequence[str]) -> ChatRequest:
    """The open points with their key, the conversation, and the utterances, numbered from 1."""
    made = {v.criterion for v in context.verdicts if v.verdict is Rating.MET}
    rubric, subject = context.rubric, question_of(context)
    points = [
        filled(id=c.id, claim=c.claim, accept=c.accept[:MOST_WORDINGS], ask=c.probe)
        for c in rubric.criteria
        if c.id not in made
    ]
    points += [{"ask": each} for each in (*rubric.simpler, *rubric.harder)]
    talk = [
        {"who": "interviewer" if turn.author == "examiner" else "candidate", "text": turn.text}
        for turn in context.turns
    ]
    utterances = [{"number": n, "text": text} for n, text in enumerate(texts, start=1)]
    prompt = load_prompt("giveaways")
    messages = (
        Message("system", prompt.text),
        Message("user", fenced("The open points", points, subject)),
        Message("user", fenced("The conversation", talk, subject)),
        Message("user", fenced("The utterances to check", utterances, subject)),
    )
    schema = schema_of(_Reply)
    return ChatRequest("giveaways", prompt.version, messages, CAP, 0.0, LONGEST, schema)


def read_giveaways(reply: str, texts: Sequence[str]) -> Read[tuple[str, ...]]:
    """For each text the words that give a point away, "" for none.

    A reply that does not say exactly one thing of each text clears none.
    """
    found = read_as(reply, _Reply, "utterances")
    if isinstance(found, str):
        return Read((), (found,))
    said = {(u.number, u.words.strip() if u.gives_away else "") for u in found.utterances}
    if sorted(number for number, _ in said) != list(range(1, len(texts) + 1)):
        return Read((), ("it does not say one thing of each utterance",))
    told = zip(texts, (quoted for _, quoted in sorted(said)), strict=True)
    return Read(tuple(quoted if _holds(text, quoted) else "" for text, quoted in told))


def _holds(text: str, quoted: str) -> bool:
    """The words stand in the text one after the other, and are more than little words."""
    wanted = words(quoted)
    return any(map(is_content, wanted)) and f" {' '.join(wanted)} " in f" {' '.join(words(text))} "
