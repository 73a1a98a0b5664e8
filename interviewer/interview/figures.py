"""The figures stated in a session: how they are read and marked, which clash and which close."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from interviewer.errors import ExaminerError, FigureError
from interviewer.examiner.protocol import (
    AnswerToRead,
    Examiner,
    Heard,
    Move,
    MoveKind,
    QuestionContext,
    is_on_own_work,
    to_read,
)
from interviewer.grading.claims import catalog, rules
from interviewer.grading.claims.catalog import measures
from interviewer.grading.claims.ledger import ledger
from interviewer.grading.claims.quantity import (
    Closing,
    Contradiction,
    Ledger,
    Mark,
    Outcome,
    Place,
    Quantity,
    Reading,
)
from interviewer.grading.claims.wording import amount, which_is_off
from interviewer.grading.numerals import states
from interviewer.grading.transcript import ParsedAnswer, Turn, TurnKind
from interviewer.interview.commands import MarkFigure
from interviewer.interview.state import QuestionState, SessionState, rubric_of
from interviewer.rubric.rubric import Rubric

NOTES_TURN = 0
"""The turn number of figures in the project notes."""
CHECKS_PER_QUESTION = 2
"""More objections to figures than this would turn it into another question."""


@dataclass(frozen=True)
class Numbers:
    """What the candidate's own figures come to after the latest turn."""

    impossible: tuple[Move, ...] = ()
    """They cannot all be true, and were not raised yet."""
    closing: tuple[Move, ...] = ()
    """They fit together."""
    revisit: tuple[Move, ...] = ()
    """Raised in an earlier round, and neither explained nor taken back."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(each.sum for each in (*self.impossible, *self.closing, *self.revisit))


def session_ledger(state: SessionState, rubrics: Mapping[str, Rubric]) -> Ledger:
    """Every figure of the candidate's own runs, with those that cannot all be true.

    A journal of an earlier version shows no contradiction that was not raised then.
    """
    objections = tuple(_objections(state))
    read = readings(state, rubrics)
    found = _ledger(read, state.marks, objections)
    earlier = {reading.turn for reading in read if reading.by == "earlier"}
    raised = {each.sentence for each in raised_contradictions(state)}
    kept = tuple(
        each
        for each in found.contradictions
        if each.sentence in raised or earlier.isdisjoint(q.turn for q in each.quantities)
    )
    return replace(found, contradictions=kept)


@lru_cache(maxsize=16)
def _ledger(
    read: tuple[Reading, ...],
    marks: tuple[Mark, ...],
    objections: tuple[tuple[int, tuple[frozenset[Place], ...]], ...],
) -> Ledger:
    return ledger(read, marks, dict(objections))


def readings(state: SessionState, rubrics: Mapping[str, Rubric]) -> tuple[Reading, ...]:
    """What was read in each turn, oldest first.

    Answers from before figures were journalled are read by rules, for display.
    """
    read = latest_readings(state)
    own = (turn for turn, each in read.items() if each.by != "earlier" and turn != NOTES_TURN)
    first = min(own, default=math.inf)
    for question in state.questions:
        own_work = is_on_own_work(rubrics[question.rubric])
        seen = {each.turn for each in question.heard}
        seen |= {each.answer_turn for each in question.judged}
        for turn in _answers_in_words(question):
            is_open = question is state.question and turn == question.last_words
            is_earlier = turn.number in seen and turn.number < first and not is_open
            if turn.number not in read and is_earlier:
                read[turn.number] = _read_earlier(turn.text, turn.number, own_work)
    return tuple(_known(read[turn]) for turn in sorted(read))


def latest_readings(state: SessionState) -> dict[int, Reading]:
    """What was read last in each turn."""
    return {event.turn: event.reading for q in state.questions for event in q.readings}


def _known(reading: Reading) -> Reading:
    """Without what another version of the table of quantities names."""
    known = catalog.measures()
    if all(each.measure in known for each in reading.quantities):
        return reading
    kept = tuple(each for each in reading.quantities if each.measure in known)
    return replace(reading, quantities=kept)


@lru_cache(maxsize=512)
def _read_earlier(text: str, turn: int, own_work: bool) -> Reading:
    return replace(rules.read(ParsedAnswer(text), turn, own_work=own_work), by="earlier")


def _answers_in_words(question: QuestionState) -> Iterator[Turn]:
    """The candidate's answers, without derivations at the bench and talk about their lines."""
    for turn in question.spoken:
        if turn.kind is TurnKind.ANSWER and not is_of_the_bench(question, turn):
            yield turn


def is_of_the_bench(question: QuestionState, turn: Turn) -> bool:
    """A turn of the candidate's that is a derivation, or talk about the lines of one."""
    return turn.run is not None or any(
        turn in _replies(question, asked.number)
        for asked, move in zip(question.follow_ups, question.moves, strict=True)
        if move.kind is MoveKind.BAD_LINE
    )


def _objections(state: SessionState) -> Iterator[tuple[int, tuple[frozenset[Place], ...]]]:
    """The places of the figures objected to, by each turn that replies, or that is to reply."""
    for question in state.questions:
        for move, turn in _raised_on(question):
            replies = [reply.number for reply in _replies(question, turn)] or [turn + 1]
            for number in replies:
                yield number, (frozenset(move.figures),)


@dataclass(frozen=True)
class RaisedContradiction:
    """A contradiction that the examiner raised: where first, how often, and what was replied."""

    sentence: str
    round: int
    turn: int
    figures: frozenset[Place] = frozenset()
    times: int = 1
    replies: tuple[Turn, ...] = ()

    @property
    def reply(self) -> Turn | None:
        """The candidate's last reply to it, None for none."""
        return self.replies[-1] if self.replies else None

    def is_about(self, found: Contradiction) -> bool:
        """The contradiction is this one, with all its figures or fewer."""
        return found.sentence == self.sentence or found.places <= self.figures


def raised_contradictions(state: SessionState) -> tuple[RaisedContradiction, ...]:
    """All contradictions raised so far, oldest first; one raised again counts once."""
    found: dict[str, RaisedContradiction] = {}
    for question in state.questions:
        for move, turn in _raised_on(question):
            replies = tuple(_replies(question, turn))
            if before := found.get(move.sum):
                replies = (*before.replies, *replies)
                found[move.sum] = replace(before, times=before.times + 1, replies=replies)
            else:
                found[move.sum] = RaisedContradiction(
                    move.sum, question.round, turn, frozenset(move.figures), replies=replies
                )
    return tuple(found.values())


def outcome_of(raised: RaisedContradiction, told: Ledger, marks: Sequence[Mark] = ()) -> Outcome:
    """What became of it: explained, taken back, or that it stands."""
    if any(raised.is_about(found) for found in told.contradictions):
        return "stands"
    if not raised.figures:
        return _outcome_by_words(raised)
    has_changed = any(
        each.place in raised.figures and each.status != "stands" for each in told.quantities
    )
    by_hand = any((mark.turn, mark.start) in raised.figures for mark in marks)
    return "given_up" if has_changed or by_hand else "explained"


def _outcome_by_words(raised: RaisedContradiction) -> Outcome:
    """Of an objection from before its figures were journalled."""
    if raised.reply is None:
        return "stands"
    read = rules.read(raised.reply.parsed, raised.reply.number, own_work=True, to_objection=True)
    return read.resolves or ("given_up" if read.quantities else "stands")


def figures_behind(raised: RaisedContradiction, told: Ledger) -> tuple[Quantity, ...]:
    """The candidate's figures in a contradiction that was raised."""
    return tuple(each for each in told.quantities if each.place in raised.figures)


def numbers_in(state: SessionState, rubrics: Mapping[str, Rubric]) -> Numbers:
    """What the candidate's own figures come to after the latest turn.

    Contradictions are looked for over the whole session.
    """
    question = state.question
    if question is None:
        return Numbers()
    told = session_ledger(state, rubrics)
    may_object = len(_raised_on(question)) < CHECKS_PER_QUESTION
    return Numbers(
        impossible=tuple(_open_contradictions(state, told)) if may_object else (),
        closing=tuple(_closing_sums(question, rubrics, told, state)),
        revisit=tuple(_to_revisit(state, rubrics, told)) if may_object else (),
    )


def _open_contradictions(state: SessionState, told: Ledger) -> Iterator[Move]:
    raised = raised_contradictions(state)
    for found in told.contradictions:
        if not any(each.is_about(found) for each in raised):
            yield _clash(found.sentence, len(found.quantities), found.places)


def _clash(sentence: str, figures: int, places: Iterable[Place]) -> Move:
    ask = which_is_off(figures)
    return Move(MoveKind.NUMBERS_CLASH, sum=sentence, ask=ask, figures=tuple(sorted(places)))


def _to_revisit(state: SessionState, rubrics: Mapping[str, Rubric], told: Ledger) -> Iterator[Move]:
    """Those that stand and may be raised once more on the open question.

    That is in a later round, on a question about the candidate's work or in the last round.
    """
    question = state.question
    if question is None:
        return
    if not (is_on_own_work(rubrics[question.rubric]) or question.round == len(state.outline)):
        return
    for each in raised_contradictions(state):
        stands = outcome_of(each, told, state.marks) == "stands"
        if stands and each.times == 1 and each.round < question.round:
            yield _clash(each.sentence, len(each.figures), each.figures)


def _raised_on(question: QuestionState) -> list[tuple[Move, int]]:
    """Each contradiction raised on this question, with its turn."""
    return [
        (move, turn.number)
        for move, turn in zip(question.moves, question.follow_ups, strict=True)
        if move.kind is MoveKind.NUMBERS_CLASH
    ]


def _replies(question: QuestionState, raised: int) -> Iterator[Turn]:
    """What the candidate said between this turn and the examiner's next."""
    for turn in question.spoken:
        if turn.number > raised:
            if turn.author == "examiner":
                return
            yield turn


def _closing_sums(
    question: QuestionState, rubrics: Mapping[str, Rubric], told: Ledger, state: SessionState
) -> Iterator[Move]:
    """Sums that close with a figure of the latest answer and were not said yet.

    None gives away a number that the question asks for.
    """
    said = [turn for turn in question.spoken if turn.author == "candidate"]
    if not said or said[-1].kind is not TurnKind.ANSWER:
        return
    for closing in told.closings:
        turns = {each.turn for each in closing.quantities}
        is_sure = len(turns) == 1 or not any(each.loose for each in closing.quantities)
        if said[-1].number not in turns or not is_sure or _was_said(state, closing.sentence):
            continue
        if not _gives_away(closing, rubrics[question.rubric], said):
            yield Move(MoveKind.NUMBERS_FIT, sum=closing.sentence, ask=closing.question)


def _was_said(state: SessionState, sentence: str) -> bool:
    """The examiner has said this sentence."""
    return any(
        turn.author == "examiner" and sentence in turn.text
        for question in state.questions
        for turn in question.turns
    )


def _gives_away(closing: Closing, rubric: Rubric, said: list[Turn]) -> bool:
    """What was computed is a number that the open question asks for and nobody gave yet."""
    figure = amount(closing.measure, closing.value)
    return any(
        states(fact, figure) and not any(states(fact, turn.text) for turn in said)
        for criterion in rubric.criteria
        for fact in criterion.numbers
    )


_ASKED_FOR_NOTES = "Tell me about a project of your own."


async def read_beside(
    examiner: Examiner, state: SessionState, context: QuestionContext, *, listens: bool
) -> tuple[Reading, ...]:
    """The figures of the notes, once a session, and of the last words where nobody listens to them.

    A failure is part of what was read.
    """
    due = []
    if state.project and NOTES_TURN not in latest_readings(state):
        due.append(_notes(state))
    last = context.turns[-1]
    is_unheard = not listens and last.kind is TurnKind.ANSWER
    if is_unheard and not is_of_the_bench(state.rounds[-1].questions[-1], last):
        due.append(context.to_read)
    return tuple(await asyncio.gather(*(read(examiner, answer) for answer in due)))


def heard_in(question: QuestionState, heard: Heard) -> tuple[Reading, ...]:
    """The figures that came with what was heard; none of what is said at the bench."""
    is_read = heard.reading and not is_of_the_bench(question, question.last_words)
    return (heard.reading,) if heard.reading and is_read else ()


def _notes(state: SessionState) -> AnswerToRead:
    notes = Turn(NOTES_TURN, "candidate", TurnKind.ANSWER, state.project)
    return AnswerToRead(notes, _ASKED_FOR_NOTES, on_own_work=True)


async def read(examiner: Examiner, answer: AnswerToRead) -> Reading:
    """The figures of an answer, or why they are unread."""
    try:
        return await examiner.read_figures(answer)
    except ExaminerError as error:  # the call log keeps the error
        return Reading(answer.turn.number, by="model", failed=str(error))


def unread(state: SessionState, rubrics: Mapping[str, Rubric]) -> Iterator[AnswerToRead]:
    """What could not be read, the notes included, oldest first."""
    failed = {turn for turn, reading in latest_readings(state).items() if reading.failed}
    if not failed:
        return
    known = session_ledger(state, rubrics).quantities
    if NOTES_TURN in failed:
        yield _notes(state)
    for question in state.questions:
        for place, turn in enumerate(question.spoken, start=1):
            if turn.number in failed:
                before = tuple(each for each in known if each.turn < turn.number)
                said = question.spoken[:place]
                yield to_read(rubric_of(question, rubrics), said, before)


def marking(figures: tuple[Quantity, ...], number: int, typed: str = "") -> MarkFigure:
    """The command for the figure of this number in the list, from 1; "" or "strike" strikes it.

    Raises FigureError.
    """
    if not 1 <= number <= len(figures):
        raise FigureError(
            f"There is no number {number}: the list has {len(figures)}. /numbers shows it."
        )
    figure = figures[number - 1]
    typed = typed.strip()
    if typed.lower() in ("", "strike"):
        return MarkFigure(figure.turn, figure.span[0])
    value = rules.value_of(typed, measures()[figure.measure].unit)
    if value is None or not 0 <= value < math.inf:
        raise FigureError(
            f"“{typed}” is no value of that kind: write a number with its unit, as in “4M tokens”."
        )
    return MarkFigure(figure.turn, figure.span[0], value, typed)


def mark_of(command: MarkFigure, state: SessionState) -> Mark:
    """The mark that the command makes now."""
    return Mark(command.turn, command.start, state.turns, command.value, command.typed)
