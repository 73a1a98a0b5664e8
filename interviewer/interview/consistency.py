"""The numbers stated in a session against each other: those that clash, and those that close."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from interviewer.examiner.moves import BenchChallenge, SumChallenge, SumDrill
from interviewer.grading.claims.claim import Claim, Ledger
from interviewer.grading.claims.closing import Closing, closings
from interviewer.grading.claims.explanation import explains
from interviewer.grading.claims.ledger import KnownRun, holds_numbers, known_runs, ledger, runs_of
from interviewer.grading.claims.reported.record import ReadClaims
from interviewer.grading.claims.rules.own import is_doubtful, is_report, own_part
from interviewer.grading.claims.run import Run
from interviewer.grading.claims.sentences import is_told_in
from interviewer.grading.numerals import states
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.interview.state import QuestionState, SessionState
from interviewer.rubric.rubric import Rubric

NOTES_TURN = 0
"""The turn number of claims made in the project notes."""
CHECKS_PER_QUESTION = 2
"""More arithmetic challenges than this would turn it into another question."""
EXERCISES = frozenset({"estimation", "derivation", "pseudocode"})
"""Kinds of question whose numbers are given or derived and claim nothing about a real run."""
_TOLD_OF_RUNS = frozenset({"estimation"})
"""Exercises in which candidates compare with runs of their own; those do make claims."""

Outcome = Literal["stands", "given_up", "explained"]


@dataclass(frozen=True)
class Numbers:
    """What the candidate's own figures come to, in sentences."""

    impossible: tuple[str, ...] = ()
    """They cannot all be true, and were not raised yet."""
    closing: tuple[SumDrill, ...] = ()
    """They fit together."""
    revisit: tuple[str, ...] = ()
    """Raised in an earlier round, and neither explained nor taken back."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.impossible, *(each.sentence for each in self.closing), *self.revisit)


def session_ledger(state: SessionState, rubrics: Mapping[str, Rubric]) -> Ledger:
    """All claims in the notes and the answers, with those that cannot all be true."""
    return ledger(list(_claiming(state, rubrics)), claims_read(state))


def claims_read(state: SessionState) -> Mapping[int, ReadClaims]:
    """What the examiner read in answers, by turn; the others are read by rules."""
    events = (event for question in state.questions for event in question.claims)
    return {event.turn: event.read for event in events if event.read is not None}


def to_read(state: SessionState, rubrics: Mapping[str, Rubric]) -> Turn | None:
    """The latest answer, if it may state numbers about real runs and was not read yet."""
    question = state.question
    if question is None or question.last_words.kind is not TurnKind.ANSWER:
        return None
    last = question.last_words
    if any(event.turn == last.number for event in question.claims) or not holds_numbers(last):
        return None
    claiming = (turn.number for turn in _claiming(state, rubrics))
    return last if last.number in claiming else None


def known_before(
    state: SessionState, rubrics: Mapping[str, Rubric], answer: Turn
) -> tuple[KnownRun, ...]:
    """The runs mentioned before this answer."""
    told = [turn for turn in _claiming(state, rubrics) if turn.number < answer.number]
    return known_runs(told, claims_read(state))


def _claiming(state: SessionState, rubrics: Mapping[str, Rubric]) -> Iterator[Turn]:
    """The notes, as a turn before the interview, and every turn that may speak of real runs."""
    if state.project:
        yield Turn(NOTES_TURN, "candidate", TurnKind.ANSWER, state.project)
    for question in state.questions:
        kind = rubrics[question.rubric].kind
        if kind not in EXERCISES:
            yield from _about_runs(question)
        elif kind in _TOLD_OF_RUNS:
            yield from _own_runs_in(question)


def _about_runs(question: QuestionState) -> Iterator[Turn]:
    """No derivation at the bench, and no talk about its lines."""
    about_lines = {
        turn.number
        for turn, move in zip(question.follow_ups, question.moves, strict=True)
        if isinstance(move, BenchChallenge)
    }
    for turn in question.spoken:
        if turn.run is None and turn.number not in about_lines:
            yield turn


def _own_runs_in(question: QuestionState) -> Iterator[Turn]:
    """The turns of an exercise, with nothing left of the answers but what is about own runs.

    A reply to a challenge of own numbers is about them as a whole. Numbers that the examiner takes
    up from an answer stay the candidate's.
    """
    raised = {turn for _, turn in _raised_on(question)}
    given: set[float] = set()
    said: set[float] = set()
    is_reply = False
    for turn in _about_runs(question):
        values = {numeral.value for numeral in turn.parsed.numerals}
        if turn.author == "examiner":
            is_reply = turn.number in raised
            given |= set() if is_reply else values - said
            yield turn
        else:
            said |= values
            yield turn if is_reply else replace(turn, text=own_part(turn.parsed, given))


def open_contradictions(state: SessionState, rubrics: Mapping[str, Rubric]) -> tuple[str, ...]:
    """Sentences on numbers that cannot all be true and that the candidate was not asked about yet.

    One of the numbers must come from the open question, so that no challenge comes out of the blue;
    on a question about the candidate's project, the notes count as part of it.
    """
    question = state.question
    if question is None or len(_raised_on(question)) >= CHECKS_PER_QUESTION:
        return ()
    here = {turn.number for turn in question.turns}
    if rubrics[question.rubric].own_project:
        here.add(NOTES_TURN)
    raised = {each.sentence for each in raised_contradictions(state)}
    return tuple(
        contradiction.sentence
        for contradiction in session_ledger(state, rubrics).contradictions
        if not any(is_told_in(contradiction, each) for each in raised)
        and any(claim.turn in here for claim in contradiction.claims)
    )


@dataclass(frozen=True)
class RaisedContradiction:
    """A contradiction that the examiner raised: where first, how often, and what was replied."""

    sentence: str
    round: int
    turn: int
    times: int = 1
    replies: tuple[Turn, ...] = ()

    @property
    def reply(self) -> Turn | None:
        """The candidate's last reply to it, None for none."""
        return self.replies[-1] if self.replies else None


def raised_contradictions(state: SessionState) -> tuple[RaisedContradiction, ...]:
    """All contradictions raised so far, oldest first; one raised again counts once."""
    found: dict[str, RaisedContradiction] = {}
    for question in state.questions:
        for sentence, turn in _raised_on(question):
            replies = tuple(_replies(question, turn))
            if before := found.get(sentence):
                replies = (*before.replies, *replies)
                found[sentence] = replace(before, times=before.times + 1, replies=replies)
            else:
                found[sentence] = RaisedContradiction(
                    sentence, question.round, turn, replies=replies
                )
    return tuple(found.values())


def figures_behind(
    state: SessionState, rubrics: Mapping[str, Rubric]
) -> dict[str, tuple[Claim, ...]]:
    """The candidate's figures in each contradiction raised, as they stood then, by its sentence."""
    turns = list(_claiming(state, rubrics))
    found: dict[str, tuple[Claim, ...]] = {}
    for raised in raised_contradictions(state):
        told = ledger([t for t in turns if t.number < raised.turn], claims_read(state))
        about = [e.claims for e in told.contradictions if is_told_in(e, raised.sentence)]
        found[raised.sentence] = about[0] if about else ()
    return found


def outcome_of(raised: RaisedContradiction, told: Ledger) -> Outcome:
    """What became of it: explained, taken back, or, in doubt, that it stands.

    A sum that no longer fails without a number having been taken back was explained, if the reply
    gives a cause ("that was an MoE").
    """
    is_explained = any(
        reply.kind is TurnKind.ANSWER and explains(reply.parsed, raised.sentence)
        for reply in raised.replies
    )
    if any(is_told_in(found, raised.sentence) for found in told.contradictions):
        return "explained" if is_explained else "stands"
    has_retracted = any(claim.turn < raised.turn for claim in told.retracted)
    return "explained" if is_explained and not has_retracted else "given_up"


def standing_contradictions(
    state: SessionState, rubrics: Mapping[str, Rubric]
) -> tuple[RaisedContradiction, ...]:
    """Those that were raised, and since neither taken back nor explained, oldest first."""
    told = session_ledger(state, rubrics)
    return tuple(
        each for each in raised_contradictions(state) if outcome_of(each, told) == "stands"
    )


def contradictions_to_revisit(
    state: SessionState, rubrics: Mapping[str, Rubric]
) -> tuple[RaisedContradiction, ...]:
    """Those that stand and may be raised once more on the open question.

    That is in a later round, on a question about the candidate's work or in the last round.
    """
    question = state.question
    if question is None or len(_raised_on(question)) >= CHECKS_PER_QUESTION:
        return ()
    if not (_is_about_work(question, rubrics) or question.round == len(state.outline)):
        return ()
    return tuple(
        each
        for each in standing_contradictions(state, rubrics)
        if each.times == 1 and each.round < question.round
    )


def _raised_on(question: QuestionState) -> list[tuple[str, int]]:
    """Each contradiction raised on this question, with its turn."""
    return [
        (move.sentence, turn.number)
        for move, turn in zip(question.moves, question.follow_ups, strict=True)
        if isinstance(move, SumChallenge)
    ]


def _replies(question: QuestionState, raised: int) -> Iterator[Turn]:
    """What the candidate said between this turn and the examiner's next."""
    for turn in question.spoken:
        if turn.number > raised:
            if turn.author == "examiner":
                return
            yield turn


@dataclass(frozen=True)
class ClosingSum:
    """What follows from numbers of the candidate's own, and what to ask about it."""

    sentence: str
    question: str
    claims: tuple[Claim, ...]


def closing_sums(state: SessionState, rubrics: Mapping[str, Rubric]) -> tuple[ClosingSum, ...]:
    """Sums that close with a number of the latest answer and were not said yet, newest first.

    All their numbers are the candidate's own, and none gives away a number asked for.
    """
    question = state.question
    if question is None:
        return ()
    said = [turn for turn in question.spoken if turn.author == "candidate"]
    if not said or said[-1].kind is not TurnKind.ANSWER:
        return ()
    told = {turn.number: turn for turn in _claiming(state, rubrics)}
    own = _OwnNumbers(state, rubrics, told)
    found = [
        (max((claim.turn, claim.span) for claim in closing.claims), closing)
        for run in runs_of(list(told.values()), claims_read(state)).runs
        for closing in closings(run)
        if any(claim.turn == said[-1].number for claim in closing.claims)
        and own.hold(run, closing.claims)
        and not _was_said(state, closing.sentence)
        and not _gives_away(closing, rubrics[question.rubric], said)
    ]
    found.sort(key=lambda each: each[0], reverse=True)  # stable: the most telling stays first
    return tuple(ClosingSum(c.sentence, c.question, c.claims) for _, c in found)


@dataclass(frozen=True)
class _OwnNumbers:
    """Which claims are about runs of the candidate's own."""

    state: SessionState
    rubrics: Mapping[str, Rubric]
    told: Mapping[int, Turn]

    def hold(self, run: Run, claims: tuple[Claim, ...]) -> bool:
        """All of these claims on the run do."""
        about_work = {NOTES_TURN} | {
            turn.number
            for question in self.state.questions
            if _is_about_work(question, self.rubrics)
            for turn in question.turns
        }
        for claim in claims:
            parsed = self.told[claim.turn].parsed
            if is_doubtful(parsed, claim):
                return False
            is_told = claim.turn in about_work and is_report(parsed, claim)
            if not (run.is_own or is_told):
                return False
        return True


def _is_about_work(question: QuestionState, rubrics: Mapping[str, Rubric]) -> bool:
    rubric = rubrics[question.rubric]
    return rubric.kind == "project" or rubric.own_project is not None


def _was_said(state: SessionState, sentence: str) -> bool:
    """The examiner has said this sentence."""
    return any(
        turn.author == "examiner" and sentence in turn.text
        for question in state.questions
        for turn in question.turns
    )


def _gives_away(closing: Closing, rubric: Rubric, said: list[Turn]) -> bool:
    """What was computed is a number that the open question asks for and nobody gave yet."""
    return any(
        states(fact, closing.figure) and not any(states(fact, turn.text) for turn in said)
        for criterion in rubric.criteria
        for fact in criterion.numbers
    )


def numbers_in(state: SessionState, rubrics: Mapping[str, Rubric]) -> Numbers:
    """What the candidate's own figures come to after the latest turn."""
    return Numbers(
        impossible=open_contradictions(state, rubrics),
        closing=tuple(SumDrill(s.sentence, s.question) for s in closing_sums(state, rubrics)),
        revisit=tuple(each.sentence for each in contradictions_to_revisit(state, rubrics)),
    )
