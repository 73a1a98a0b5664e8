"""What happened in the talk beside the points: drills, retreats, help taken, orders, length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from interviewer.examiner.listening import commits
from interviewer.grading.transcript import DialogueAct, Turn, TurnKind, withdrawing_words
from interviewer.grading.verdicts import Flag
from interviewer.interview.debrief.questions import Quote, opening, quote, says_no_answer, whole
from interviewer.interview.state import QuestionState
from interviewer.rubric.rubric import Rubric

LONG = 250
"""An answer of more words than this talks too long."""


class What(StrEnum):
    """What happened, in the order in which it is told."""

    DRILL_PASSED = "drill_passed"
    """Asked what they did themselves, the candidate gave a figure or a decision of their own."""
    DRILL_FAILED = "drill_failed"
    TOOK_BACK = "took_back"
    GAVE_UP = "gave_up"
    SKIPPED = "skipped"
    HINT_TAKEN = "hint_taken"
    TALKED_LONG = "talked_long"
    TEAMS_WORK = "teams_work"
    """An answer that tells of what others in the team did, as a model heard it."""
    FISHED = "fished"
    """The candidate asked for the solution, the marking or a verdict."""
    ORDERED = "ordered"
    """Text that reads like an instruction to the examiner."""


@dataclass(frozen=True)
class Incident:
    """Something that happened, with the words that show it.

    ``quote`` is the candidate's; the examiner's for a hint, a question skipped without a word, and
    a drill that got no words. ``words`` counts those of an answer that was too long.
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
        for what, said, words in (*_drills(question), *_turns(question), *_skip(question))
        if said is not None
    )
    return tuple(sorted(found, key=lambda incident: incident.turn))


_Found = tuple[What, Quote | None, int]


def _drills(question: QuestionState) -> Iterator[_Found]:
    """Each drill that the candidate had a chance to answer."""
    for mark in question.drills:
        what = What.DRILL_PASSED if mark.passed else What.DRILL_FAILED
        said = _committing(mark.reply) if mark.passed else opening(mark.reply)
        yield what, said or whole(mark.asked), 0


def _committing(reply: Turn) -> Quote | None:
    """The first sentence with a figure or a decision."""
    parsed = reply.parsed
    for start, end in parsed.judged_sentences:
        said = quote(reply, parsed.plain.original_span(start, end))
        if commits(type(parsed)(said.text)):
            return said
    return opening(reply)


def _turns(question: QuestionState) -> Iterator[_Found]:
    ordered = _ordered(question)
    for turn in question.spoken:
        if turn.author == "examiner":
            if turn.kind is TurnKind.HINT:
                yield What.HINT_TAKEN, whole(turn), 0
            continue
        said, acts, heard = opening(turn), question.acts_at(turn), question.heard_in(turn)
        if DialogueAct.WITHDRAWAL in acts:
            yield What.TOOK_BACK, _withdrawing(turn) or said, 0
        if acts & {DialogueAct.WANTS_ANSWER, DialogueAct.WANTS_RUBRIC}:
            yield What.FISHED, said, 0
        if heard and heard.whose == "team":
            yield What.TEAMS_WORK, said, 0
        if says_no_answer(turn):
            yield What.GAVE_UP, said, 0
        if turn.number in ordered:
            yield What.ORDERED, _order(turn), 0
        if (words := len(turn.text.split())) > LONG and turn.run is None:
            yield What.TALKED_LONG, said, words


def _withdrawing(turn: Turn) -> Quote | None:
    """The sentences in which the turn takes something back, None where no rule finds them."""
    parsed = turn.parsed
    found = withdrawing_words(parsed.plain.text)
    touched = [(a, b) for a, b in parsed.sentences if found and a < found[1] and found[0] < b]
    if not touched:
        return None
    return quote(turn, parsed.plain.original_span(touched[0][0], touched[-1][1]))


def _ordered(question: QuestionState) -> frozenset[int]:
    """Turns with orders by the rules; if only a judge saw some, the first that it flagged."""
    said = [turn for turn in question.spoken if turn.author == "candidate"]
    by_rule = {t.number for t in said if DialogueAct.ORDER in question.acts_at(t)}
    flagged = [j.answer_turn for j in question.judged if Flag.INJECTION_SUSPECTED in j.flags]
    return frozenset(by_rule or flagged[:1])


def _order(turn: Turn) -> Quote | None:
    spans = turn.parsed.order_spans
    return quote(turn, spans[0]) if spans else opening(turn)


def _skip(question: QuestionState) -> Iterator[_Found]:
    if question.closed == "skipped":
        last = question.last_words
        yield What.SKIPPED, opening(last) or whole(last), 0
