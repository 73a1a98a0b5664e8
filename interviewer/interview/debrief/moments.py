"""The moments of a question: where the answer froze, and where it was strongest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from interviewer.examiner.lexical import MIN_CONTENT_WORDS, content_stems
from interviewer.examiner.protocol import CloseReason
from interviewer.grading.score import UNASSISTED
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.grading.verdicts import CriterionVerdict, Flag
from interviewer.interview.debrief.lessons import judged_words
from interviewer.interview.debrief.lines import CriterionLine
from interviewer.interview.debrief.quotes import Quote, opening, whole
from interviewer.interview.moves import gaining_answers
from interviewer.interview.state import QuestionState
from interviewer.rubric.rubric import Criterion, Rubric, Verdict

NOT_ONES_OWN = frozenset(
    {Flag.RECITED, Flag.KEYWORD_LIST, Flag.ECHO, Flag.BOTH_SIDES, Flag.INJECTION_SUSPECTED}
)
"""An answer that carries one of these is never named among the strongest."""
_AIMED = frozenset({TurnKind.PROBE, TurnKind.PIN_DOWN, TurnKind.CHALLENGE, TurnKind.HINT})


class Cause(StrEnum):
    """How an answer froze, the gravest first; one exchange is told under the first that holds."""

    CONTRADICTED = "contradicted"
    DONT_KNOW = "dont_know"
    NO_ANSWER = "no_answer"
    """Nothing was said before the question was skipped or its time was up."""
    HINT = "hint"
    """Help was asked for instead of an answer."""
    TOO_SHORT = "too_short"
    NO_GAIN = "no_gain"
    """The answer to a follow-up earned nothing that had not been earned before."""


@dataclass(frozen=True)
class Freeze:
    """One exchange in which the answer froze.

    ``asked`` is what the examiner had said, ``said`` the candidate's words, None for silence.
    ``hint`` is the level of the hint that followed, 0 for none; ``closed`` says that the examiner
    gave up on the question here. ``lost`` is the weight that stayed lost of what was asked about.
    """

    cause: Cause
    title: str
    asked: Quote
    said: Quote | None
    hint: int = 0
    closed: bool = False
    lost: float = 0.0

    @property
    def turn(self) -> int:
        """The turn that is quoted: the candidate's, or the question that met silence."""
        return (self.said or self.asked).turn.number


@dataclass(frozen=True)
class Strength:
    """The points that one turn made without help. Raises ValueError without the candidate's words.

    ``quote`` carries the heaviest of them: there is no praise that cannot be looked up.
    """

    title: str
    quote: Quote
    made: tuple[Criterion, ...]

    def __post_init__(self) -> None:
        if self.quote.turn.author != "candidate":
            raise ValueError(f"turn {self.quote.turn.number} is not the candidate's")
        if not self.made:
            raise ValueError(f"turn {self.quote.turn.number} made no point to praise")

    @property
    def weight(self) -> float:
        """The weight of the points made."""
        return sum(criterion.weight for criterion in self.made)


@dataclass(frozen=True)
class _Exchange:
    asked: Turn
    reply: Turn | None
    hint: int
    last: bool


def strengths(
    question: QuestionState, rubric: Rubric, lines: Sequence[CriterionLine]
) -> Iterator[Strength]:
    """What each turn of the candidate's made in full and without help, by the final verdicts."""
    suspect = {j.answer_turn for j in question.judged if j.flags & NOT_ONES_OWN}
    by_turn: dict[int, list[tuple[Quote, Criterion]]] = defaultdict(list)
    for line in lines:
        quote = judged_words(line, question.turns)
        if quote and _made_alone(line.verdict) and quote.turn.number not in suspect:
            by_turn[quote.turn.number].append((quote, line.criterion))
    for made in by_turn.values():
        heaviest_first = sorted(made, key=lambda point: -point[1].weight)
        quote = heaviest_first[0][0]
        yield Strength(rubric.title, quote, tuple(criterion for _, criterion in heaviest_first))


def freezes(
    question: QuestionState, rubric: Rubric, lines: Sequence[CriterionLine]
) -> Iterator[Freeze]:
    """The exchanges in which the answer froze, in order; none of them is told twice."""
    fruitful = gaining_answers(question) | {
        line.verdict.turn for line in lines if line.verdict and line.earned > 0
    }
    for exchange in _exchanges(question.spoken):
        asked = whole(exchange.asked)
        cause = _cause(exchange, question, fruitful)
        if cause is None or asked is None:
            continue
        yield Freeze(
            cause=cause,
            title=rubric.title,
            asked=asked,
            said=_said(exchange, cause, question),
            hint=exchange.hint,
            closed=exchange.last and question.closed is CloseReason.NO_PROGRESS,
            lost=_lost_on(exchange.asked, lines),
        )


def _exchanges(turns: Sequence[Turn]) -> Iterator[_Exchange]:
    """What the examiner said that called for words, with what met it."""
    for place, asked in enumerate(turns):
        if asked.author != "examiner" or asked.kind in (TurnKind.TELL, TurnKind.REDIRECT):
            continue
        after = turns[place + 1 : place + 3]
        reply = after[0] if after and after[0].author == "candidate" else None
        following = after[1:] if reply else after[:1]
        hint = following[0].hint_level if following else 0
        yield _Exchange(asked, reply, hint, last=not following)


def _cause(
    exchange: _Exchange, question: QuestionState, fruitful: Collection[int | None]
) -> Cause | None:
    """How the answer froze, None where it did not; ``fruitful`` turns carry or brought credit."""
    reply = exchange.reply
    if reply is None:
        return _cause_of_silence(exchange, question)
    if reply.kind is TurnKind.DONT_KNOW:
        return Cause.DONT_KNOW
    if not any(judged.answer_turn == reply.number for judged in question.judged):
        return None
    if _contradiction_in(reply, question):
        return Cause.CONTRADICTED
    if reply.number in fruitful:
        return None
    if reply.run is None and len(content_stems(reply.text)) < MIN_CONTENT_WORDS:
        return Cause.TOO_SHORT
    aimed = exchange.asked.kind in _AIMED and exchange.asked.target is not None
    return Cause.NO_GAIN if aimed else None


def _cause_of_silence(exchange: _Exchange, question: QuestionState) -> Cause | None:
    if exchange.hint:
        return Cause.HINT
    gave_up = question.closed in (CloseReason.SKIPPED, CloseReason.TIME_UP)
    return Cause.NO_ANSWER if exchange.last and gave_up else None


def _contradiction_in(reply: Turn, question: QuestionState) -> CriterionVerdict | None:
    """The verdict that found a contradiction in these very words."""
    found = (
        verdict
        for judged in question.judged
        if judged.answer_turn == reply.number
        for verdict in judged.verdicts
        if verdict.verdict is Verdict.CONTRADICTED and verdict.turn == reply.number
    )
    return next(found, None)


def _said(exchange: _Exchange, cause: Cause, question: QuestionState) -> Quote | None:
    reply = exchange.reply
    if reply is None or cause is Cause.DONT_KNOW:
        return None
    if cause is Cause.CONTRADICTED:
        verdict = _contradiction_in(reply, question)
        if verdict and verdict.span:
            return Quote(reply, verdict.span)
    return opening(reply)


def _lost_on(asked: Turn, lines: Iterable[CriterionLine]) -> float:
    """The weight lost on the point asked about; the opening question asks about all of them."""
    if asked.kind is TurnKind.QUESTION:
        return sum(line.lost for line in lines)
    return sum(line.lost for line in lines if line.criterion.id == asked.target)


def _made_alone(verdict: CriterionVerdict | None) -> bool:
    return verdict is not None and verdict.verdict is Verdict.MET and verdict.source in UNASSISTED
