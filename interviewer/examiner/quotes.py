"""The candidate's own words, short enough to be quoted back."""

from __future__ import annotations

import re

from interviewer.examiner.protocol import QuestionContext
from interviewer.grading.evidence import candidate_turns
from interviewer.grading.lexical import content_stems, is_content
from interviewer.grading.parsed_answer import ParsedAnswer
from interviewer.grading.verdicts import CriterionVerdict
from interviewer.rubric.rubric import Criterion
from interviewer.rubric.text import normalise

PHRASE_WORDS = (2, 8)
_EDGE_PUNCTUATION = " \t\n.,;:!?()[]{}\"'“”‘’-–—"


def phrase(context: QuestionContext, criterion: Criterion) -> str:
    """Two to eight of the candidate's own words near the criterion, or "".

    Submissions from the bench are not quoted: half a formula is no phrase.
    """
    spoken = [turn for turn in candidate_turns(context.turns) if turn.run is None]
    standing: CriterionVerdict | None = next(
        (v for v in context.verdicts if v.criterion == criterion.id), None
    )
    quotable = {None, *(turn.number for turn in spoken)}
    if standing and standing.turn in quotable and (found := _short(standing.evidence)):
        return found
    topic = content_stems(" ".join((criterion.claim, *criterion.accept, criterion.probe)))
    answers = reversed(spoken)
    return next((found for turn in answers if (found := _nearest(turn.parsed, topic))), "")


def _nearest(answer: ParsedAnswer, topic: frozenset[str]) -> str:
    """A content-bearing phrase from the sentence closest to the topic, or ""."""
    plain = answer.plain
    best, most = "", -1
    for start, end in answer.sentences:
        shared = len(topic & content_stems(plain.text[start:end]))
        first, last = plain.original_span(start, end)
        sentence = answer.text[first:last]
        phrase = _short(sentence)
        if shared > most and phrase and not ParsedAnswer(sentence).gives_orders():
            best, most = phrase, shared
    return best


def _short(text: str) -> str:
    """The first content words of a sentence, as typed; "" if no two are close together."""
    spans = [m.span() for m in re.finditer(r"\S+", text)]
    telling = [is_content(normalise(text[a:b]).text.strip("'\",.;:")) for a, b in spans]
    at = [index for index, tells in enumerate(telling) if tells]
    for first in at:
        last = max(index for index in at if index < first + PHRASE_WORDS[1])
        if last - first + 1 >= PHRASE_WORDS[0]:
            return text[spans[first][0] : spans[last][1]].strip(_EDGE_PUNCTUATION)
    return ""
