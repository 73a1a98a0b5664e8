"""Candidates that know exactly some points of a rubric, and what an interview made of them.

No model is needed: such a candidate says part of what it knows at first, and the rest only when a
follow-up goes to the point. What it does not know it cannot be credited with, so every credit
beyond its knowledge is the examiner's error, and every point left unsaid is the drilling's.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from evals.conduct.audit import audit
from evals.conduct.auditing import Breach
from evals.conduct.played import Exchange, Recorder
from support.sessions import begin, outline

from interviewer.examiner.checks import leaks, objections
from interviewer.examiner.protocol import WORDED, Examiner, Move, MoveKind, QuestionContext
from interviewer.examiner.wording import QUOTED
from interviewer.grading.verdicts import Grade
from interviewer.interview import commands, events
from interviewer.interview.interview import Interview
from interviewer.rubric.rubric import Criterion, Rating, Rubric
from interviewer.rubric.text import content_stems, recall
from interviewer.store.store import Store

FOLLOW_UPS = 8
TO_THE_POINT = 0.5
"""The share of a probe's or hint's words that an utterance must hold to be about its point."""
_EVASIONS = (
    "I would have to think about that one for a while, to be honest.",
    "That part somebody else looked after, so I never got to see it.",
    "Good thing to bring up; I could not tell you from memory.",
    "I remember reading about it once and it has slipped my mind.",
)
_OPENING = "Let me tell you what I have."
_ACCEPTS = "Yes please."


@dataclass
class SimulatedCandidate:
    """Knows ``known`` criteria; says ``volunteered`` of them at once, the others when asked."""

    rubric: Rubric
    known: frozenset[str]
    volunteered: frozenset[str]
    chance: random.Random
    said: set[str] = field(default_factory=set)

    def opening(self) -> commands.Command:
        self.said |= self.volunteered
        words = [self._statement(each) for each in self.rubric.criteria if each.id in self.said]
        return commands.Answer(" ".join([_OPENING, *words]))

    def reply(self, utterance: str, move: Move) -> commands.Command:
        """The one known point that the utterance asks for; an evasion, or "I don't know".

        Every other offer of a hint is accepted.
        """
        if move.kind is MoveKind.OFFER and self.chance.random() < 0.5:
            return commands.Answer(_ACCEPTS)
        asked = max(self.rubric.criteria, key=lambda each: self._closeness(each, utterance))
        to_the_point = self._closeness(asked, utterance) >= TO_THE_POINT
        if to_the_point and asked.id in self.known:
            self.said.add(asked.id)
            return commands.Answer(self._statement(asked))
        if self.chance.random() < 0.4:
            return commands.DontKnow()
        return commands.Answer(self.chance.choice(_EVASIONS))

    def _statement(self, criterion: Criterion) -> str:
        return self.chance.choice(criterion.accept)

    def _closeness(self, criterion: Criterion, utterance: str) -> float:
        heard = content_stems(utterance)
        return max(recall(content_stems(t), heard) for t in (criterion.probe, *criterion.hints))


@dataclass(frozen=True)
class Outcome:
    """What came of one interview on one question."""

    rubric: Rubric
    known: frozenset[str]
    volunteered: frozenset[str]
    grade: Grade
    faults: tuple[str, ...]
    """Utterances that the checks object to, with the objection."""
    leaks: tuple[str, ...]
    breaches: tuple[Breach, ...]
    """What the audit finds."""

    @property
    def credited(self) -> frozenset[str]:
        earning = (Rating.MET, Rating.PARTIAL)
        return frozenset(v.criterion for v in self.grade.verdicts if v.verdict in earning)


def candidates(rubrics: Sequence[Rubric], count: int, seed: int) -> Iterator[SimulatedCandidate]:
    """So many candidates in turn over the rubrics, from knowing nothing to knowing all."""
    chance = random.Random(seed)
    for number in range(count):
        rubric = rubrics[number % len(rubrics)]
        ids = [criterion.id for criterion in rubric.criteria]
        known = chance.sample(ids, (number * 5 + number // len(rubrics)) % (len(ids) + 1))
        volunteered = frozenset(known[: (len(known) + 1) // 2])
        yield SimulatedCandidate(
            rubric, frozenset(known), volunteered, random.Random(chance.random())
        )


async def interviewed(
    store: Store, examiner: Examiner, candidate: SimulatedCandidate, session: str
) -> Outcome:
    """Hold a whole interview on the candidate's rubric and audit every move in it."""
    rubric = candidate.rubric
    rounds = [outline(rubric, seconds=3600, follow_ups=FOLLOW_UPS)]
    interview = begin(store, rounds, {rubric.id: rubric}, examiner, session=session)
    faults: list[str] = []
    leaked: list[str] = []
    recorder = Recorder(store, interview, questions=1, follow_ups=FOLLOW_UPS, drills=False)
    command = candidate.opening()
    async for event in interview:
        if isinstance(event, events.FollowUpAsked | events.HintGiven):
            move = interview.state.questions[-1].moves[-1]
            context = _case_before(interview, rubric)
            faults += [f"{each}: {event.text}" for each in objections(event.text, context, move)]
            if move.kind in WORDED:
                own_words = QUOTED.sub("…", event.text)
                leaked += [f"{each}: {event.text}" for each in leaks(own_words, context)]
            command = candidate.reply(event.text, move)
        elif isinstance(event, events.YourTurn):
            recorder.catch_up()
            recorder.add(_exchange(command))
            interview.send(command)
    recorder.finish()
    grade = interview.state.questions[-1].grade
    assert grade is not None
    return Outcome(
        rubric,
        candidate.known,
        candidate.volunteered,
        grade,
        tuple(faults),
        tuple(leaked),
        tuple(audit(recorder.played)),
    )


def _exchange(command: commands.Command) -> Exchange:
    if isinstance(command, commands.DontKnow):
        return Exchange("", "dont_know", frozenset({"gives_up"}))
    assert isinstance(command, commands.Answer)
    accepts = command.text == _ACCEPTS
    return Exchange(command.text, kinds=frozenset({"accepts_offer" if accepts else "answer"}))


def _case_before(interview: Interview, rubric: Rubric) -> QuestionContext:
    """What the examiner had before it when it chose its latest words."""
    question = interview.state.questions[-1]
    persona = interview.state.rounds[-1].outline.persona
    verdicts = tuple(question.verdicts.values())
    return QuestionContext(rubric, question.turns[:-1], verdicts, persona, exam=True)
