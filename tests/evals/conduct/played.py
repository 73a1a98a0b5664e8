"""A played interview as people would read it: who said what, and what the examiner did about it.

It is read off the journal and the commands sent, and knows nothing of the policy that played it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from interviewer.examiner.protocol import MoveKind
from interviewer.grading.verdicts import Verdict, standing
from interviewer.interview import events
from interviewer.interview.debrief import debrief
from interviewer.interview.interview import Interview
from interviewer.interview.state import Judged
from interviewer.report.text import debrief_lines
from interviewer.rubric.rubric import Rubric
from interviewer.store.store import Store

LEAVE = "leave"
SILENT = "silent"
"""The examiner said nothing, and the question went on."""
_KIND_OF_MOVE = {
    MoveKind.PROBE: "probe",
    MoveKind.PIN_DOWN: "pin_down",
    MoveKind.CHALLENGE: "challenge",
    MoveKind.BAD_LINE: "challenge",
    MoveKind.NUMBERS_CLASH: "contradiction",
    MoveKind.NUMBERS_FIT: "use_numbers",
    MoveKind.DRILL: "drill",
    MoveKind.SIMPLIFY: "simplify",
    MoveKind.OFFER: "offer",
    MoveKind.HINT: "hint",
    MoveKind.CLARIFY: "answer_back",
    MoveKind.REFRAME: "reframe",
    MoveKind.REDIRECT: "redirect",
    MoveKind.ESCALATE: "harder",
    MoveKind.TELL: "tell",
}
KINDS_OF_MOVE = frozenset({*_KIND_OF_MOVE.values(), LEAVE})


@dataclass(frozen=True)
class Utterance:
    """One thing that the examiner said after the question."""

    turn: int
    text: str
    engine_move: str
    """The kind of the program's move."""
    move: str
    """What a listener would call it, one of :data:`KINDS_OF_MOVE`."""
    target: str = ""
    remark: str = ""
    """What it leads back from."""
    level: int = 0
    price: float | None = None
    """What was charged for it; None except for hints."""


@dataclass
class Exchange:
    """A candidate's turn and what the examiner did until the next one."""

    said: str
    """As typed; "" for a key."""
    did: str = ""
    """The key: dont_know, ask_hint or skip."""
    kinds: frozenset[str] | None = None
    """What the turn does according to the script; None for a turn that is in no script."""
    turn: int | None = None
    heard: frozenset[str] | None = None
    """What the program took the turn for; None where it does not say."""
    price_shown: float | None = None
    """What the front end said a hint would cost just before this turn."""
    judged: Judged | None = None
    """The judgement of this turn, after the second look if there was one."""
    utterances: list[Utterance] = field(default_factory=list)
    closed: str | None = None

    @property
    def move(self) -> str:
        """The examiner's main move: the last one, and leaving once the question is closed."""
        if self.closed:
            return LEAVE
        return self.utterances[-1].move if self.utterances else SILENT

    @property
    def text(self) -> str:
        """All that the examiner said, without the next question."""
        return "\n".join(each.text for each in self.utterances)

    @property
    def candidate(self) -> str:
        return self.said or f"[{self.did}]"


@dataclass
class Talk:
    """One question, from asked to graded."""

    rubric: Rubric
    text: str
    follow_ups: int
    drills: bool
    exchanges: list[Exchange] = field(default_factory=list)
    grade: Any = None

    @property
    def utterances(self) -> list[Utterance]:
        return [said for each in self.exchanges for said in each.utterances]

    def before(self, exchange: Exchange) -> list[Exchange]:
        at = next(n for n, each in enumerate(self.exchanges) if each is exchange)
        return self.exchanges[:at]

    def standing_before(self, exchange: Exchange) -> dict[str, Verdict]:
        """The verdicts that counted before this turn was judged."""
        return _standing(self.before(exchange))

    def standing_after(self, exchange: Exchange) -> dict[str, Verdict]:
        """The verdicts that counted once this turn was judged."""
        return _standing([*self.before(exchange), exchange])


def _standing(exchanges: Sequence[Exchange]) -> dict[str, Verdict]:
    histories: dict[str, list[Verdict]] = {}
    for each in exchanges:
        for verdict in each.judged.verdicts if each.judged else ():
            histories.setdefault(verdict.criterion, []).append(verdict)
    return {criterion: standing(history) for criterion, history in histories.items()}


@dataclass
class Played:
    """A whole interview of one round, in exam mode."""

    talks: list[Talk]
    planned: int
    """How many questions the round has."""
    examiner: str
    finished: bool = False
    """The debrief was reached."""
    debrief: Sequence[str] = ()
    """Its lines in the full form, as they are shown."""

    def each(self) -> Iterator[tuple[Talk, Exchange]]:
        for talk in self.talks:
            for exchange in talk.exchanges:
                yield talk, exchange

    def transcript(self) -> str:
        lines: list[str] = []
        for number, talk in enumerate(self.talks, 1):
            lines += [f"Question {number} ({talk.rubric.id}): {talk.text.strip()}", ""]
            for exchange in talk.exchanges:
                lines += [f"Candidate: {exchange.candidate.strip()}"]
                lines += [f"Examiner [{each.move}]: {each.text}" for each in exchange.utterances]
                lines += [f"[left: {exchange.closed}]"] if exchange.closed else []
                lines += [""]
        return "\n".join(lines)


class Recorder:
    """Writes down an interview while it is held, from its journal and its state."""

    def __init__(
        self, store: Store, interview: Interview, *, questions: int, follow_ups: int, drills: bool
    ) -> None:
        self.played = Played([], questions, interview.examiner.name)
        self._store, self._interview = store, interview
        self._follow_ups, self._drills = follow_ups, drills
        self._seen = 0
        self._open: Exchange | None = None

    def add(self, exchange: Exchange) -> None:
        self.played.talks[-1].exchanges.append(exchange)
        self._open = exchange

    def catch_up(self) -> Exchange | None:
        """Take in what has happened since the last turn; the exchange that this ends, if any."""
        entries = self._store.entries(self._interview.session_id)
        new = [events.from_json(entry.payload) for entry in entries[self._seen :]]
        self._seen = len(entries)
        ended, self._open = self._open, None
        if ended:
            _take_in(ended, self.played.talks[-1], new)
        for event in new:
            if isinstance(event, events.QuestionAsked):
                rubric = self._interview.rubrics[event.rubric]
                talk = Talk(rubric, event.text, self._follow_ups, self._drills)
                self.played.talks.append(talk)
        return ended

    def finish(self) -> None:
        self.catch_up()
        state = self._interview.state
        self.played.finished = state.finished is not None
        for talk, question in zip(self.played.talks, state.questions, strict=True):
            judged = {each.answer_turn: each for each in question.judged}
            for exchange in talk.exchanges:
                exchange.judged = judged.get(exchange.turn or -1)
        shown = debrief(state, self._interview.rubrics)
        self.played.debrief = tuple(debrief_lines(shown))


def _take_in(exchange: Exchange, talk: Talk, journal: Sequence[events.JournalEvent]) -> None:
    """Add what the journal says happened after this turn of the candidate's."""
    for event in journal:
        match event:
            case events.AnswerGiven():
                exchange.turn = event.turn
            case events.FollowUpAsked() | events.HintGiven():
                exchange.utterances.append(_utterance(event))
            case events.QuestionClosed():
                exchange.closed = str(event.reason)
            case events.QuestionGraded():
                talk.grade = event.grade


def _utterance(event: events.FollowUpAsked | events.HintGiven) -> Utterance:
    move = event.move
    return Utterance(
        turn=event.turn,
        text=event.text,
        engine_move=move.kind.value,
        move=_KIND_OF_MOVE[move.kind],
        target=move.target,
        remark=move.remark.value if move.remark else "",
        level=move.hint_level,
        price=event.price if isinstance(event, events.HintGiven) else None,
    )
