"""What happened in the talk beside the points: giving up, help, orders, length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from interviewer.grading.transcript import RESPONSES, DialogueAct, TurnKind
from interviewer.interview.debrief.questions import Quote, opening, quote, whole
from interviewer.interview.state import QuestionState
from interviewer.rubric.rubric import Rubric

LONG = 250
"""An answer of more words than this talks too long."""


class What(StrEnum):
    """What happened, in the order in which it is told."""

    GAVE_UP = "gave_up"
    SKIPPED = "skipped"
    HINT_TAKEN = "hint_taken"
    TALKED_LONG = "talked_long"
    FISHED = "fished"
    """The candidate asked for the solution or the marking and said no more, as a model heard it."""
    ORDERED = "ordered"
    """Text that reads like an instruction to the examiner."""


@dataclass(frozen=True)
class Incident:
    """Something that happened, with the words that show it.

    ``quote`` is the candidate's; the examiner's for a hint and a question skipped without a word.
    ``words`` counts those of an answer that was too long.
    """

    what: What
    title: str
    quote: Quote
    words: int = 0

    @property
    def turn(self) -> int:
        return self.quote.turn


def talk_of(
    questions: Iterable[QuestionState], rubrics: Mapping[str, Rubric]
) -> tuple[Incident, ...]:
    """All incidents, in the order in which they happened."""
    found = (
        Incident(what, rubrics[question.rubric].title, said, words)
        for question in questions
        for what, said, words in (*_turns(question), *_skip(question))
        if said is not None
    )
    return tuple(sorted(found, key=lambda incident: incident.turn))


_Found = tuple[What, Quote | None, int]
_FISHING = {DialogueAct.WANTS_ANSWER, DialogueAct.WANTS_RUBRIC}


def _turns(question: QuestionState) -> Iterator[_Found]:
    for turn in question.spoken:
        if turn.author == "examiner":
            if turn.kind is TurnKind.HINT:
                yield What.HINT_TAKEN, whole(turn), 0
            continue
        said, heard = opening(turn), question.heard_in(turn)
        if heard and turn.kind is TurnKind.ASIDE and _FISHING & {*heard.acts}:
            yield What.FISHED, said, 0
        if turn.kind is TurnKind.DONT_KNOW and any(map(str.isalnum, turn.text)):
            yield What.GAVE_UP, said, 0
        if spans := turn.parsed.order_spans:
            yield What.ORDERED, quote(turn, spans[0]), 0
        if (words := len(turn.text.split())) > LONG and turn.run is None:
            yield What.TALKED_LONG, said, words


def _skip(question: QuestionState) -> Iterator[_Found]:
    """A question passed on without any answer; to go on after one is no skip."""
    answered = any(turn.kind in RESPONSES for turn in question.turns)
    if question.closed == "skipped" and not answered:
        last = question.last_words
        yield What.SKIPPED, opening(last) or whole(last), 0
