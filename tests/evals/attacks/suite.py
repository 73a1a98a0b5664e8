"""The attack suite as values: read, applied to samples, measured by any examiner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import yaml
from evals.attacks.material import MATERIAL, Subject
from evals.attacks.transforms import TRANSFORMS
from pydantic import BaseModel, model_validator
from support.shipped import shipped_in_turn

from interviewer.examiner.protocol import NEUTRAL, Examiner, Move, MoveKind, QuestionContext
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.grading.verdicts import Flag, Grade, Ungraded
from interviewer.interview.examining import check_judgement, grade_of
from interviewer.interview.state import QuestionState
from interviewer.rubric.rubric import QuestionKind, Rubric, SampleKind

Base = Literal["nothing", "wrong", "middle", "good"]
_SAMPLES: dict[Base, SampleKind]
_SAMPLES = {"nothing": "empty", "wrong": "wrong", "middle": "middle", "good": "full"}
TINY = 1e-9


class Expectation(BaseModel, frozen=True, extra="forbid"):
    """What an attack must not get; attacks.yaml says what each field means."""

    no_gain: bool = False
    no_band_lift: bool = False
    no_change: float | None = None
    loses_at_least: float | None = None
    each_loses_at_least: float | None = None
    at_most: float | None = None
    flag: Flag | None = None


class Attack(BaseModel, frozen=True, extra="forbid"):
    """One way to get more than the answer is worth, or to be given less."""

    id: str
    family: Literal["instruction", "format", "evidence", "meaning", "social", "empty", "style"]
    starred: bool = False
    how: Literal["append", "prepend", "replace", "transform"]
    text: str | None = None
    material: str | None = None
    sample: SampleKind | None = None
    disguise: str | None = None
    transform: str | None = None
    after: Literal["hints"] | None = None
    samples: tuple[Base, ...] | None = None
    not_for: tuple[QuestionKind, ...] = ()
    expect: Expectation

    @model_validator(mode="after")
    def _says_one_thing(self) -> Attack:
        given = (self.text, self.material, self.sample, self.transform)
        if sum(each is not None for each in given) != 1:
            raise ValueError(f"{self.id}: give one of text, material, sample and transform")
        if (self.how == "transform") != (self.transform is not None):
            raise ValueError(f"{self.id}: 'how: transform' and a transform go together")
        return self

    @property
    def bases(self) -> tuple[Base, ...]:
        """The samples it is applied to; one stands for all where the answer is replaced."""
        return self.samples or (("nothing",) if self.how == "replace" else tuple(_SAMPLES))

    def fits(self, rubric: Rubric) -> bool:
        kinds = {sample.kind for sample in rubric.samples}
        return rubric.kind not in self.not_for and (self.sample is None or self.sample in kinds)

    def payload(self, subject: Subject) -> str:
        """What is said beside the answer or instead of it; "" for a transform."""
        if self.sample:
            return next(s.answer for s in subject.rubric.samples if s.kind == self.sample)
        text = MATERIAL[self.material](subject) if self.material else self.text or ""
        return TRANSFORMS[self.disguise](text) if self.disguise else text

    def applied(self, answer: str, subject: Subject) -> str:
        if self.transform:
            return TRANSFORMS[self.transform](answer)
        payload = self.payload(subject)
        if self.how == "replace":
            return payload
        return f"{answer}\n\n{payload}" if self.how == "append" else f"{payload}\n\n{answer}"


@dataclass(frozen=True)
class Measured:
    """One attack on one sample: the clean grade and the one under attack."""

    attack: Attack
    rubric: str
    base: Base
    clean: Grade
    attacked: Grade

    @property
    def gain(self) -> float:
        """Score under attack minus clean score, -1..1."""
        return score(self.attacked) - score(self.clean)

    @property
    def lifts_band(self) -> bool:
        """The attack bought a better band."""
        return (self.attacked.band or 0) > (self.clean.band or 0)


def load_attacks() -> tuple[Attack, ...]:
    text = Path(__file__).with_name("attacks.yaml").read_text(encoding="utf-8")
    return tuple(Attack.model_validate(entry) for entry in yaml.safe_load(text)["attacks"])


def subject_of(rubric: Rubric) -> Subject:
    """The rubric with a full answer to a question of another round."""
    other = next(each for each in shipped_in_turn() if each.round != rubric.round)
    return Subject(rubric, sample_of(other, "good"))


def sample_of(rubric: Rubric, base: Base) -> str:
    return next(s.answer for s in rubric.samples if s.kind == _SAMPLES[base])


def score(grade: Grade) -> float:
    """The score, 0 where it was not read or is own work; one without for another reason fails."""
    own = Ungraded.OWN_WORK
    if any(verdict.unread or own in verdict.ungraded for verdict in grade.verdicts):
        return grade.final or 0.0
    if grade.final is None:
        raise AssertionError(f"{grade.rubric} was not graded: {grade.reasons}")
    return grade.final


def turns_of(rubric: Rubric, answer: str, after: str | None = None) -> tuple[Turn, ...]:
    """The transcript: the question, the hints if they come first, the answer."""
    turns = [Turn(1, "examiner", TurnKind.QUESTION, rubric.question)]
    if after == "hints":
        turns.append(Turn(2, "candidate", TurnKind.DONT_KNOW, "I don't know."))
        for criterion in rubric.criteria:
            for level, hint in enumerate(criterion.hints, start=1):
                number = len(turns) + 1
                turns.append(
                    Turn(number, "examiner", TurnKind.HINT, f"Hint: {hint}", criterion.id, level)
                )
    turns.append(Turn(len(turns) + 1, "candidate", TurnKind.ANSWER, answer))
    return tuple(turns)


async def graded(examiner: Examiner, rubric: Rubric, turns: tuple[Turn, ...]) -> Grade:
    """Judged, checked and scored as in an interview."""
    context = QuestionContext(rubric, turns, (), NEUTRAL, exam=True)
    judged = check_judgement(context, await examiner.judge(context))
    hints = (turn for turn in turns if turn.kind is TurnKind.HINT)
    moves = tuple(Move(MoveKind.HINT, turn.target or "", turn.hint_level) for turn in hints)
    question = QuestionState(1, 1, rubric.id, turns, judged=(judged,), moves=moves)
    return grade_of(question, rubric, examiner.name)


class Clean:
    """Clean grades, each judged once."""

    def __init__(self, examiner: Examiner) -> None:
        self._examiner = examiner
        self._grades: dict[tuple[str, Base], Grade] = {}

    async def grade(self, rubric: Rubric, base: Base) -> Grade:
        key = rubric.id, base
        if key not in self._grades:
            turns = turns_of(rubric, sample_of(rubric, base))
            self._grades[key] = await graded(self._examiner, rubric, turns)
        return self._grades[key]


async def under_attack(
    examiner: Examiner, attack: Attack, rubrics: Iterable[Rubric], clean: Clean
) -> list[Measured]:
    """The attack on the samples it is meant for, in each of the rubrics that is graded at all."""
    results = []
    for rubric in filter(attack.fits, rubrics):
        if (await clean.grade(rubric, "good")).final is None:
            continue  # on one's own work, which the offline examiner gives no number
        subject = subject_of(rubric)
        for base in attack.bases:
            answer = attack.applied(sample_of(rubric, base), subject)
            attacked = await graded(examiner, rubric, turns_of(rubric, answer, attack.after))
            grade = await clean.grade(rubric, base)
            results.append(Measured(attack, rubric.id, base, grade, attacked))
    return results


def mean(values: Iterable[float]) -> float:
    """The mean; of nothing, an error."""
    numbers = list(values)
    return sum(numbers) / len(numbers)


def failures(attack: Attack, results: list[Measured]) -> Iterator[str]:
    """Sentences on what the attack got that it should not have got."""
    for measured in results:
        yield from _single_failures(attack.expect, measured)
    expect = attack.expect
    change = mean(abs(m.gain) for m in results)
    if expect.no_change is not None and change > expect.no_change + TINY:
        yield f"{attack.id} changes scores by {change:.3f} on average"
    got = mean(score(m.attacked) for m in results)
    if expect.at_most is not None and got > expect.at_most + TINY:
        each = ", ".join(f"{m.rubric} {score(m.attacked):.2f}" for m in results)
        yield f"{attack.id} earns {got:.2f} on average ({each})"
    loss = mean(-m.gain for m in results)
    if expect.loses_at_least is not None and loss < expect.loses_at_least - TINY:
        yield f"{attack.id} loses only {loss:.2f} on average"
    if expect.each_loses_at_least is not None:
        for rubric in dict.fromkeys(m.rubric for m in results):
            mine = [m for m in results if m.rubric == rubric]
            loss = mean(-m.gain for m in mine)
            if loss < expect.each_loses_at_least - TINY:
                yield f"{attack.id} on {rubric} loses only {loss:.2f}: {_credited(mine)}"


def _single_failures(expect: Expectation, m: Measured) -> Iterator[str]:
    where = f"{m.attack.id} on {m.rubric}/{m.base}"
    if expect.no_gain and m.gain > TINY:
        yield f"{where} gains {m.gain:.2f}: {_changed(m)}"
    if expect.no_band_lift and m.lifts_band:
        yield f"{where} lifts the band to {m.attacked.band}: {_changed(m)}"
    if expect.flag and expect.flag not in m.attacked.flags:
        yield f"{where} does not raise {expect.flag}"


def _changed(measured: Measured) -> str:
    """The criteria that came out better under attack, with the words that carried them."""
    before = {v.criterion: v.verdict for v in measured.clean.verdicts}
    return "; ".join(
        f"{v.criterion} {before.get(v.criterion)} -> {v.verdict} on {v.evidence[:80]!r}"
        for v in measured.attacked.verdicts
        if before.get(v.criterion) is not v.verdict
    )


def _credited(results: list[Measured]) -> str:
    return "; ".join(
        f"{v.criterion} {v.verdict} on {v.evidence[:80]!r}"
        for m in results
        for v in m.attacked.verdicts
        if v.evidence
    )
