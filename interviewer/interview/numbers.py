"""All figures of a session: what was read, which clash, which close, what is asked of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from interviewer.examiner.listening import tells_of_own_work
from interviewer.examiner.protocol import Move, MoveKind, is_on_own_work
from interviewer.examiner.wording import drill_on_figure, drilled_figures, press_on_figure
from interviewer.grading.claims import rules
from interviewer.grading.claims.ledger import ledger
from interviewer.grading.claims.quantity import (
    Closing,
    Contradiction,
    Ledger,
    Mark,
    Outcome,
    Place,
    Reading,
    amount,
    how_do_they_fit,
    measures,
)
from interviewer.grading.evidence import states
from interviewer.grading.transcript import ParsedAnswer, Turn, TurnKind
from interviewer.interview.state import QuestionState, SessionState
from interviewer.rubric.rubric import Rubric

NOTES_TURN = 0
"""The turn number of figures in the project notes."""
CHECKS_PER_QUESTION = 2
"""More objections to figures than this would turn it into another question."""


@dataclass(frozen=True)
class Numbers:
    """What the candidate's own figures come to after the latest turn."""

    impossible: tuple[Move, ...] = ()
    """Those that cannot all be true and were not raised yet."""
    closing: tuple[Move, ...] = ()
    """Those that fit together."""
    drills: tuple[Move, ...] = ()
    """Drills on figures of the candidate's own runs, those of the latest turn first."""
    pressing: Move | None = None
    """The second try of a drill on a figure that was answered with nothing of their own."""
    own: frozenset[int] = frozenset()
    """The turns in which figures of the candidate's own runs were stated."""
    stated: frozenset[str] = frozenset()
    """The quantities that stand."""

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(each.sum for each in (*self.impossible, *self.closing))


def session_ledger(state: SessionState, rubrics: Mapping[str, Rubric]) -> Ledger:
    """Every figure of the candidate's own runs, with those that cannot all be true.

    A journal of an earlier version shows no contradiction that was not raised then.
    """
    read = readings(state, rubrics)
    found = _ledger(read, state.marks, tuple(_objections(state)))
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
        seen = {each.turn for each in question.heard} | {j.answer_turn for j in question.judged}
        if question is state.question:
            seen.discard(question.last_words.number)
        for turn in question.spoken:
            is_earlier = turn.number in seen - read.keys() and turn.number < first
            if is_earlier and turn.kind is TurnKind.ANSWER and not is_of_the_bench(question, turn):
                read[turn.number] = _read_earlier(turn.text, turn.number, own_work)
    # Without what another version of the table of quantities names.
    return tuple(
        replace(each, quantities=tuple(q for q in each.quantities if q.measure in measures()))
        for _, each in sorted(read.items())
    )


def latest_readings(state: SessionState) -> dict[int, Reading]:
    return {event.turn: event.reading for q in state.questions for event in q.readings}


@lru_cache(maxsize=512)
def _read_earlier(text: str, turn: int, own_work: bool) -> Reading:
    return replace(rules.read(ParsedAnswer(text), turn, own_work=own_work), by="earlier")


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
    """A contradiction that the examiner raised: where first, and the last reply to it."""

    sentence: str
    turn: int
    figures: frozenset[Place] = frozenset()
    reply: Turn | None = None

    def is_about(self, found: Contradiction) -> bool:
        """The contradiction is this one, with all its figures or fewer."""
        return found.sentence == self.sentence or found.places <= self.figures


def raised_contradictions(state: SessionState) -> tuple[RaisedContradiction, ...]:
    """All contradictions raised so far, oldest first; one raised again counts once."""
    found: dict[str, RaisedContradiction] = {}
    for question in state.questions:
        for move, turn in _raised_on(question):
            raised = RaisedContradiction(move.sum, turn, frozenset(move.figures))
            before = found.get(move.sum, raised)
            *_, reply = (before.reply, *_replies(question, turn))
            found[move.sum] = replace(before, reply=reply)
    return tuple(found.values())


def outcome_of(raised: RaisedContradiction, told: Ledger, marks: Sequence[Mark] = ()) -> Outcome:
    """What became of it: explained, taken back, or that it stands."""
    about = [found for found in told.contradictions if raised.is_about(found)]
    by_rules = any(q.loose for found in about for q in found.quantities)
    if by_rules and raised.reply and len(raised.reply.parsed.stems) >= AN_ACCOUNT:
        return "explained"  # rules cannot tell whether it is
    if about:
        return "stands"
    if not raised.figures:
        return _outcome_by_words(raised)
    has_changed = any(
        each.place in raised.figures and each.status != "stands" for each in told.quantities
    )
    by_hand = any((mark.turn, mark.start) in raised.figures for mark in marks)
    if has_changed or by_hand:
        return "given_up"
    # What fits only since its figures are held against others by now was not explained.
    explained = any(raised.is_about(found) for found in told.explained)
    elsewhere = any(raised.figures & found.places for found in told.contradictions)
    return "stands" if elsewhere and not explained else "explained"


def _outcome_by_words(raised: RaisedContradiction) -> Outcome:
    """Of an objection from before its figures were journalled."""
    if raised.reply is None:
        return "stands"
    read = rules.read(raised.reply.parsed, raised.reply.number, own_work=True, to_objection=True)
    return read.resolves or ("given_up" if read.quantities else "stands")


def numbers_in(state: SessionState, rubrics: Mapping[str, Rubric]) -> Numbers:
    """What the candidate's own figures come to after the latest turn, over the whole session."""
    question = state.question
    if question is None:
        return Numbers()
    told = session_ledger(state, rubrics)
    may_object = len(_raised_on(question)) < CHECKS_PER_QUESTION
    return Numbers(
        impossible=tuple(_open_contradictions(state, told)) if may_object else (),
        closing=tuple(_closing_sums(question, rubrics, told, state)),
        drills=tuple(_to_drill(state, rubrics, told)) if told.quantities else (),
        pressing=_to_press(state, question, told),
        own=frozenset(each.turn for each in told.quantities if each.counts),
        stated=frozenset(each.measure for each in told.standing),
    )


def leaves_figures_open(
    state: SessionState, rubrics: Mapping[str, Rubric], question: QuestionState
) -> bool:
    """Of the candidate's own work it asked why figures cannot all be true, and they still can't."""
    asked = {move.sum for move, _ in _raised_on(question)}
    if not asked or not is_on_own_work(rubrics[question.rubric]):
        return False
    told = session_ledger(state, rubrics)
    return any(
        each.sentence in asked and outcome_of(each, told, state.marks) == "stands"
        for each in raised_contradictions(state)
    )


def _to_drill(state: SessionState, rubrics: Mapping[str, Rubric], told: Ledger) -> Iterator[Move]:
    """Each quantity with a drill, once in a session, if said in a turn on own work."""
    answers = {
        turn.number: turn.parsed
        for q in state.questions
        for turn in q.turns
        if is_on_own_work(rubrics[q.rubric]) or tells_of_own_work(turn.parsed)
    }
    taken_up = {place for q in state.questions for move in q.moves for place in move.figures}
    done = {each.measure for each in told.quantities if each.place in taken_up}
    fit = [
        q
        for q in told.standing
        if q.turn in answers
        and q.measure in drilled_figures()
        and not (q.unsure and q.measure == "duration")  # it may be of something else
    ]
    for each in sorted(fit, key=lambda q: (-q.turn, drilled_figures().index(q.measure))):
        words = drill_on_figure(each, answers[each.turn])
        if words and each.value != 1 and each.measure not in done:
            done.add(each.measure)
            yield Move(MoveKind.DRILL, sum=words, figures=(each.place,))


def _to_press(state: SessionState, question: QuestionState, told: Ledger) -> Move | None:
    """The figure of the last drill once more, where the reply had neither a figure nor an act."""
    mark = question.drills[-1] if question.drills else None
    if mark is None or mark.commits or mark.has_none or mark.reply is not question.last_words:
        return None
    if mark.reply.number in question.gains:  # it made a point instead
        return None
    drilled = [m.figures for q in state.questions for m in q.moves if m.kind is MoveKind.DRILL]
    figure = next((q for q in told.standing if (q.place,) == mark.move.figures), None)
    if figure is None or drilled.count(mark.move.figures) > 1:
        return None
    pressed = len(drilled) - len(set(drilled))
    return Move(MoveKind.DRILL, sum=press_on_figure(figure, pressed), figures=mark.move.figures)


def _open_contradictions(state: SessionState, told: Ledger) -> Iterator[Move]:
    raised = raised_contradictions(state)
    for found in told.contradictions:
        figures = len(found.quantities)
        by_rules = any(each.loose for each in found.quantities) and figures > 1
        ask, places = MISREAD if by_rules else how_do_they_fit(figures), tuple(sorted(found.places))
        if not any(each.is_about(found) for each in raised):
            yield Move(MoveKind.NUMBERS_CLASH, sum=found.sentence, ask=ask, figures=places)


AN_ACCOUNT = 6
"""With so many content words a reply tells how the figures fit, or were meant."""
MISREAD = "Are these of one run, or did I take one of them wrong?"
"""Asked where rules read the figures, which may take one for another."""


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
    """New sums that close with a figure of the latest answer, and give no asked number away."""
    said = [turn for turn in question.spoken if turn.author == "candidate"]
    if not said or said[-1].kind is not TurnKind.ANSWER:
        return
    asked = [t.text for q in state.questions for t in q.turns if t.author == "examiner"]
    for closing in told.closings:
        turns = {each.turn for each in closing.quantities}
        is_sure = len(turns) == 1 or not any(each.loose for each in closing.quantities)
        is_new = said[-1].number in turns and not any(closing.sentence in text for text in asked)
        if is_new and is_sure and not _gives_away(closing, rubrics[question.rubric], said):
            yield Move(MoveKind.NUMBERS_FIT, sum=closing.sentence, ask=closing.question)


def _gives_away(closing: Closing, rubric: Rubric, said: list[Turn]) -> bool:
    """What was computed is a number that the open question asks for and nobody gave yet."""
    figure = amount(closing.measure, closing.value)
    return any(
        states(fact, figure) and not any(states(fact, turn.text) for turn in said)
        for criterion in rubric.criteria
        for fact in criterion.numbers
    )
