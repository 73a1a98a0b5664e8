"""What became of each drill: asked what they did themselves, did the candidate say?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interviewer.examiner.listening import commits, tells_of_own_work
from interviewer.examiner.offline.guards import unread_parts
from interviewer.examiner.protocol import MoveKind
from interviewer.grading.transcript import ParsedAnswer, Turn, TurnKind
from interviewer.interview.state import QuestionState
from interviewer.rubric.text import Span


@dataclass(frozen=True)
class DrillMark:
    """A drill and the reply to it; a figure or a decision of one's own passes it."""

    asked: Turn
    reply: Turn

    @property
    def passed(self) -> bool:
        return self.reply.kind is TurnKind.ANSWER and commits(self.reply.parsed)


def drill_marks(question: QuestionState) -> Iterator[DrillMark]:
    """A mark for each drill that had a reply to be read, oldest first."""
    for move, asked in zip(question.moves, question.follow_ups, strict=True):
        drills = move.kind in (MoveKind.DRILL, MoveKind.NUMBERS_FIT)
        reply = _reply_to(asked, question) if drills else None
        if reply and (commits(reply.parsed) or not unread_parts(reply.text)):
            yield DrillMark(asked, reply)


def _reply_to(asked: Turn, question: QuestionState) -> Turn | None:
    """What came back: the answer, also after a clarification, else the first words."""
    first: Turn | None = None
    for turn in question.spoken:
        if turn.number <= asked.number:
            continue
        if turn.author == "candidate":
            first = first or turn
            if turn.kind is not TurnKind.ASIDE:
                return turn
        elif turn.kind is not TurnKind.CLARIFY:
            break
    return first


def tells_own_figure(turn: Turn) -> bool:
    """One sentence of the candidate's says what they did or saw, with a figure."""
    if turn.kind is not TurnKind.ANSWER or turn.run is not None:
        return False
    parsed = turn.parsed
    figures = [q.span for q in parsed.quantities if not _is_part_of_a_name(turn.text, q.span)]
    for start, end in parsed.judged_sentences:
        sentence = ParsedAnswer(parsed.plain.text[start:end])
        first, last = parsed.plain.original_span(start, end)
        if tells_of_own_work(sentence) and any(first <= a < last for a, _ in figures):
            return True
    return False


def _is_part_of_a_name(text: str, span: Span) -> bool:
    """As the figure in "ZeRO-3" is."""
    before = text[max(0, span[0] - 2) : span[0]]
    return len(before) == 2 and before[0].isalpha() and before[1] in "-_"
