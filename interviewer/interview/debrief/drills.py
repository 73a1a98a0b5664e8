"""What became of each drill: asked what they did themselves, did the candidate say?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interviewer.examiner.listening import commits
from interviewer.examiner.offline.guards import unread_parts
from interviewer.examiner.protocol import MoveKind
from interviewer.grading.transcript import DialogueAct, Turn, TurnKind
from interviewer.interview.state import QuestionState


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
    """What came back, also after a clarification; a wish or a question back is no reply."""
    for turn in question.spoken:
        if turn.number <= asked.number:
            continue
        if turn.author == "candidate":
            acts = question.acts_at(turn)
            if turn.kind is TurnKind.DONT_KNOW or acts & _REPLIES:
                return turn
        elif turn.kind is not TurnKind.CLARIFY:
            break
    return None


_REPLIES = frozenset({DialogueAct.ANSWER, DialogueAct.BARE})
