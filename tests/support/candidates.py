"""Candidates that know exactly some points of a rubric, and what an interview made of them.

No model is needed: such a candidate says part of what it knows at first, and the rest only when a
follow-up goes to the point. What it does not know it cannot be credited with, so every credit
beyond its knowledge is the examiner's error, and every point left unsaid is the drilling's.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from interviewer.examiner.checks import objections
from interviewer.examiner.leaks import leaks
from interviewer.examiner.moves import FollowUp, Hint, Redirect, target_of
from interviewer.examiner.protocol import Examiner, QuestionContext
from interviewer.examiner.quotes import QUOTED
from interviewer.grading.lexical import content_stems, recall
from interviewer.grading.score import Grade
from interviewer.interview import commands, events
from interviewer.interview.interview import Interview
from interviewer.interview.policy import standings
from interviewer.interview.state import QuestionState
from interviewer.rubric.rubric import Criterion, Rubric, Verdict
from interviewer.store.store import Store
from support.sessions import begin, outline

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

    def reply(self, utterance: str) -> commands.Command:
        """The one known point that the utterance asks for; an evasion, or "I don't know"."""
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
    follow_ups: int
    faults: tuple[str, ...]
    """Utterances and moves that break a rule of conduct, with the rule."""
    leaks: tuple[str, ...]

    @property
    def credited(self) -> frozenset[str]:
        earning = (Verdict.MET, Verdict.PARTIAL)
        return frozenset(v.criterion for v in self.grade.verdicts if v.verdict in earning)

    @property
    def unknown_credited(self) -> frozenset[str]:
        return self.credited - self.known

    @property
    def brought_out(self) -> frozenset[str]:
        """Known points that only the follow-ups got out."""
        return (self.credited & self.known) - self.volunteered


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
    follow_ups = 0
    command = candidate.opening()
    async for event in interview:
        if isinstance(event, events.FollowUpAsked | events.HintGiven):
            follow_ups += 1
            move = interview.state.questions[-1].moves[-1]
            context = _case_before(interview, rubric)
            faults += _faults(interview.state.questions[-1], rubric, move)
            if not isinstance(move, Hint | Redirect):
                faults += [
                    f"{each}: {event.text}" for each in objections(event.text, context, move)
                ]
                own_words = QUOTED.sub("…", event.text)
                leaked += [f"{each}: {event.text}" for each in leaks(own_words, context)]
            command = candidate.reply(event.text)
        elif isinstance(event, events.YourTurn):
            interview.send(command)
    grade = interview.state.questions[-1].grade
    assert grade is not None
    return Outcome(
        rubric,
        candidate.known,
        candidate.volunteered,
        grade,
        follow_ups,
        tuple(faults),
        tuple(leaked),
    )


def _case_before(interview: Interview, rubric: Rubric) -> QuestionContext:
    """What the examiner had before it when it chose its latest words."""
    question = interview.state.questions[-1]
    persona = interview.state.rounds[-1].outline.persona
    verdicts = tuple(standings(question).values())
    return QuestionContext(rubric, question.turns[:-1], verdicts, persona, exam=True)


def _faults(question: QuestionState, rubric: Rubric, move: FollowUp) -> Iterator[str]:
    """P4, P5, P11, P12, reckoned from the verdicts, apart from the policy's own code."""
    named = target_of(move)
    if named is None:
        return
    standing = standings(question)
    target = rubric.criterion(named)
    verdict = standing.get(target.id)
    if verdict and verdict.verdict is Verdict.MET:
        yield f"P4: asks about {target.id}, which is made"
    before = question.moves[:-1]
    tries = [m for m in before if target_of(m) == target.id]
    if len(tries) >= 3:
        yield f"P12: a fourth try on {target.id}"
    if isinstance(move, Hint):
        given = (m.level for m in tries if isinstance(m, Hint))
        if move.level != 1 + max(given, default=0):
            yield f"P11: hint level {move.level} out of turn on {target.id}"
        return

    def urgency(criterion: Criterion) -> tuple[int, float]:
        stands = standing.get(criterion.id)
        if stands and stands.verdict is Verdict.CONTRADICTED:
            return 2, criterion.weight
        touched = stands and (stands.vague or stands.verdict is Verdict.PARTIAL)
        return (1 if touched else 0), criterion.weight

    open_ones = [
        c
        for c in rubric.criteria
        if not (c.id in standing and standing[c.id].verdict is Verdict.MET)
        and sum(target_of(m) == c.id for m in before) < 3
    ]
    if urgency(target) < max(map(urgency, open_ones)):
        yield f"P5: {target.id} is not the heaviest point in the worst state"
