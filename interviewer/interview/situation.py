"""What the policy looks at: a question after the candidate's latest turn, and all figures stated.

Of the question, what is open and was tried; of the figures, which clash and which close.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, lru_cache

from interviewer.examiner.listening import is_off_topic, nearness
from interviewer.examiner.protocol import (
    CloseReason,
    Move,
    MoveKind,
    is_on_own_work,
)
from interviewer.examiner.wording import drill_on_figure, drilled_figures
from interviewer.grading.claims import catalog, rules
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
    amount,
    which_is_off,
)
from interviewer.grading.numerals import states
from interviewer.grading.score import credit
from interviewer.grading.transcript import DialogueAct, ParsedAnswer, Turn, TurnKind
from interviewer.grading.verdicts import Flag
from interviewer.interview.events import Mode
from interviewer.interview.state import QuestionState, SessionState
from interviewer.rubric.rubric import Criterion, Further, Rating, Rubric

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
    drills: tuple[Move, ...] = ()
    """Drills on figures of the candidate's own runs, those of the latest turn first."""
    own: frozenset[int] = frozenset()
    stated: frozenset[str] = frozenset()
    """The turns in which such figures were stated, and the quantities that stand."""

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
        drills=tuple(_to_drill(state, told)) if told.quantities else (),
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


def _to_drill(state: SessionState, told: Ledger) -> Iterator[Move]:
    """Each quantity that has a drill, once in a session, unless the answer holds it already."""
    answers = {turn.number: turn.parsed for q in state.questions for turn in q.turns}
    taken_up = {place for q in state.questions for move in q.moves for place in move.figures}
    done = {each.measure for each in told.quantities if each.place in taken_up}
    fit = [q for q in told.standing if q.turn in answers and q.measure in drilled_figures()]
    for each in sorted(fit, key=lambda q: (-q.turn, drilled_figures().index(q.measure))):
        words = drill_on_figure(each, answers[each.turn])
        if words and each.measure not in done:
            done.add(each.measure)
            yield Move(MoveKind.DRILL, sum=words, figures=(each.place,))


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
    if (question := state.question) is None:
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


TRIES_PER_CRITERION = 2
"""Questions towards one criterion; help, clarifications and most drills are no tries."""
DRILLS = {True: 2, False: 1}
"""The most drills of a question, where own work comes first and elsewhere."""
OWN_WORK = ("experience", "number")
EXERCISES = frozenset({"estimation", "derivation", "pseudocode"})
"""Kinds of question whose numbers are given or derived: no own work is asked for."""
_SEEKING = (TurnKind.PROBE, TurnKind.PIN_DOWN, TurnKind.CHALLENGE, TurnKind.SIMPLIFY)
_TRIES = (MoveKind.PROBE, MoveKind.PIN_DOWN, MoveKind.CHALLENGE, MoveKind.BAD_LINE)


class Status(StrEnum):
    """The state of a criterion, the most urgent first."""

    CONTRADICTED = "contradicted"
    VAGUE = "vague"
    OPEN = "open"
    LEFT = "left"
    """Asked about often enough, told, or not to be judged."""
    MET = "met"


@dataclass(frozen=True)
class Caps:
    """Limits of a round.

    ``follow_ups`` is the most that is said about one question after asking it. Hints, their offers
    and explanations in practice are free, leading back and clarifying at first.
    With ``drills``, own work and its figures are asked about before definitions. With ``guides``, a
    hint is offered as soon as a question brought nothing, and one missed point is added at the end.
    """

    follow_ups: int
    drills: bool = False
    guides: bool = False


@dataclass(frozen=True)
class Situation:
    """The question as the rules look at it."""

    question: QuestionState
    rubric: Rubric
    caps: Caps
    mode: Mode = "exam"
    numbers: Numbers = field(default_factory=Numbers)

    # -- the latest turn --------------------------------------------------------------

    @property
    def last(self) -> Turn:
        return self.question.last_words

    @cached_property
    def acts(self) -> frozenset[DialogueAct]:
        """What the candidate's latest turn does; empty if the examiner spoke last."""
        if self.last.author != "candidate":
            return frozenset()
        acts = self.question.acts
        if self.gained or self.last.run is not None or self.follows_drill:
            return acts - {DialogueAct.OFF_TOPIC}
        heard = self.question.heard_in(self.last)
        by_rules_alone = acts == {DialogueAct.ANSWER} and not (heard and heard.acts)
        if by_rules_alone and is_off_topic(self.last.parsed, self.rubric):
            return frozenset({DialogueAct.OFF_TOPIC})
        return acts

    @property
    def answers(self) -> bool:
        """It holds something that can be judged."""
        return DialogueAct.ANSWER in self.acts

    @property
    def gained(self) -> bool:
        """It raised the credit."""
        return self.last.number in self.question.gains

    @property
    def is_stuck(self) -> bool:
        return _is_stuck(self.acts)

    @property
    def recited(self) -> bool:
        return bool(self.question.judged) and Flag.RECITED in self.question.judged[-1].flags

    # -- the criteria -----------------------------------------------------------------

    @cached_property
    def status(self) -> dict[str, Status]:
        return {c.id: self._status(c) for c in self.rubric.criteria}

    def _status(self, criterion: Criterion) -> Status:
        """LEFT if it was tried, or read and not judged, as asking again is blind."""
        verdict = self.question.verdicts.get(criterion.id)
        if verdict and verdict.verdict is Rating.MET:
            return Status.MET
        tries = self._tries(criterion)
        if tries >= TRIES_PER_CRITERION or self.question.made(MoveKind.TELL, on=criterion.id):
            return Status.LEFT
        if verdict is None or verdict.verdict is None:
            asks = verdict.unread if verdict else not self.question.judged
            return Status.OPEN if asks and not tries else Status.LEFT
        if verdict.verdict is Rating.CONTRADICTED:  # an honest "never did that" is only noted
            return Status.LEFT if criterion.is_own else Status.CONTRADICTED
        if verdict.verdict is Rating.PARTIAL or verdict.vague:
            return Status.VAGUE
        return Status.LEFT if tries else Status.OPEN

    def _tries(self, criterion: Criterion) -> int:
        """A harder variant, and the drill of an experience, ask for the point itself, too."""
        drilled = criterion.drill and criterion.is_own
        tried = (*_TRIES, MoveKind.DRILL) if drilled else _TRIES
        return self.question.made(*tried, on=criterion.id) + isinstance(criterion, Further)

    def earns(self, criterion: Criterion) -> bool | None:
        """It has some credit; None if it was not judged."""
        verdict = self.question.verdicts.get(criterion.id)
        return credit(verdict) > 0 if verdict and verdict.verdict else None

    def open(self) -> list[Criterion]:
        """The criteria not asked about yet: must-haves first, extras last.

        In a round that drills, own experience and figures come before the rest; then what is
        nearest to the answer.
        """
        wanting = [c for c in self.rubric.criteria if self.status[c.id] is Status.OPEN]
        later = {c.id: self.caps.drills and c.kind not in OWN_WORK for c in wanting}
        said = self.last.parsed if self.answers else ParsedAnswer("")
        wanting.sort(key=lambda c: -nearness(said, c))
        return sorted(wanting, key=lambda c: (not c.must_have, c.extra, later[c.id]))

    @property
    def target(self) -> str:
        """The criterion that the talk is about: the last aimed at, else the easiest open one."""
        last = self.last_target
        if last and self.status[last] is not Status.MET:
            return last
        return next((c.id for c in self.open()), "")

    @property
    def follows_drill(self) -> bool:
        """The examiner's last move was a drill."""
        return self.question.moves[-1:] != () and self.question.moves[-1].kind is MoveKind.DRILL

    @property
    def last_target(self) -> str:
        """The criterion that the last move was aimed at, "" for none."""
        return self.question.moves[-1].target if self.question.moves else ""

    @property
    def must_haves_done(self) -> bool:
        must = [c for c in self.rubric.criteria if c.must_have]
        return all(self.status[c.id] in (Status.MET, Status.LEFT) for c in must)

    def close(self, otherwise: CloseReason) -> Move:
        """The close, with this reason if not all that was asked for is met; extras are not."""
        asked = [c for c in self.rubric.criteria if not c.extra]
        if any(self.status[c.id] is not Status.MET for c in asked):
            return Move(MoveKind.CLOSE, why=otherwise)
        further = [c for c in self.rubric.criteria if isinstance(c, Further)]
        is_open = bool(further) and not any(map(self.earns, further))
        why = CloseReason.HARDER_OPEN if is_open else CloseReason.COVERED
        return Move(MoveKind.CLOSE, why=why)

    # -- what was tried, and what is left ---------------------------------------------

    @property
    def is_spent(self) -> bool:
        """The follow-ups are used up."""
        return self.question.follow_ups_used >= self.caps.follow_ups

    @property
    def may_escalate(self) -> bool:
        made = self.question.made(MoveKind.ESCALATE)
        return self.rubric.escalation_to_ask is not None and not made

    @property
    def escalation(self) -> Move:
        return Move(MoveKind.ESCALATE, escalation=self.rubric.escalation_to_ask or 0)

    @property
    def may_drill(self) -> bool:
        """A drill fits this question, is not used up, and does not follow on another.

        Nor does it follow on one that told of no own work: an honest no is enough. An exercise is
        drilled on figures of their own alone.
        """
        if self.last.run is not None or (self.rubric.kind in EXERCISES and not self.numbers.drills):
            return False
        drills = {each for each in self.question.moves if each.kind is MoveKind.DRILL}
        if len(drills) >= DRILLS[self.drills_own] or self.follows_drill:
            return False
        own = {c.id for c in self.rubric.criteria if c.is_own}
        return all(mark.commits for mark in self.question.drills) and not self.question.denies(own)

    @property
    def drills_own(self) -> bool:
        """What was done comes before what is known: the round asks for it, or the question."""
        return self.caps.drills or is_on_own_work(self.rubric)

    @property
    def sharper(self) -> Move | None:
        """The second try of the drill that was just answered without what it asked for."""
        mark = self.question.drills[-1] if self.question.drills else None
        if mark is None or mark.passed or mark.reply.number != self.last.number:
            return None
        own = mark.move.target and self.rubric.criterion(mark.move.target).drill
        was_first = self.question.made(MoveKind.DRILL, on=mark.move.target) == 1
        return mark.move if own and was_first and not mark.has_none else None

    @cached_property
    def hint(self) -> Move | None:
        """The hint that can be had now: on the point last asked about, else on the worst one."""
        urgency = list(Status)
        told = self.question.made
        wanting = [
            c
            for c in self.rubric.criteria
            if self.status[c.id] is not Status.MET and not told(MoveKind.TELL, on=c.id)
        ]
        wanting.sort(
            key=lambda c: (c.id != self.last_target, urgency.index(self.status[c.id]), -c.weight)
        )
        hints = ((c, 1 + self._hints_given(c)) for c in wanting)
        left = (Move(MoveKind.HINT, c.id, n) for c, n in hints if n <= len(c.hints))
        return next(left, None)

    def _hints_given(self, criterion: Criterion) -> int:
        hints = (m for m in self.question.moves if m.kind is MoveKind.HINT)
        return max((m.hint_level for m in hints if m.target == criterion.id), default=0)

    @property
    def offer(self) -> Move | None:
        """The offer of that hint, once a question; none on what the candidate alone can know."""
        hint, made = self.hint, self.question.made(MoveKind.OFFER, MoveKind.HINT)
        if self.is_spent or made or not hint or self.rubric.criterion(hint.target).is_own:
            return None
        return Move(MoveKind.OFFER, hint.target, hint.hint_level)

    @property
    def stuck_in_a_row(self) -> int:
        """How many of the candidate's latest turns said that they had nothing to say."""
        own = [turn for turn in self.question.spoken if turn.author == "candidate"]
        stuck = (_is_stuck(self.question.acts_at(turn)) for turn in reversed(own))
        return next((n for n, each in enumerate(stuck) if not each), len(own))

    @property
    def dry(self) -> int:
        """Questions towards a point since the last answer that brought something new."""
        dry, asked = 0, False
        for turn in self.question.turns:
            if turn.author == "candidate":
                dry = 0 if turn.number in self.question.gains else dry + asked
            asked = turn.author == "examiner" and turn.kind in _SEEKING and turn.target is not None
        return dry


def _is_stuck(acts: frozenset[DialogueAct]) -> bool:
    stuck = acts & {DialogueAct.GIVES_UP, DialogueAct.BARE, DialogueAct.DECLINES}
    return bool(stuck) and DialogueAct.ANSWER not in acts
