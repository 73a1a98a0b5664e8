"""The examiner's own exam: choose the paper, run every task through the examiner."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from time import monotonic
from typing import Any, TypeVar

from interviewer.errors import ExaminerError
from interviewer.examiner.protocol import NEUTRAL, Examiner, QuestionContext
from interviewer.examiner.selftest.attacks import (
    Attacked,
    Mutation,
    attacks_on,
    mutants_of,
    mutations_of,
)
from interviewer.examiner.selftest.figures import (
    AttackFigures,
    Failure,
    Figures,
    Graded,
    Mutated,
    Outcome,
    Repeated,
    Resisted,
    Spent,
    Thresholds,
    attack_figures,
    figures_of,
    missed,
    spent_on,
    together,
)
from interviewer.grading.agreement import ExamResult
from interviewer.grading.evidence import check
from interviewer.grading.score import band_of, weighted_score
from interviewer.grading.transcript import exchange
from interviewer.grading.verdicts import CriterionVerdict, Flag, Judgement
from interviewer.rubric.rubric import Criterion, Rubric, Sample, Verdict

T = TypeVar("T")


@dataclass(frozen=True)
class Task:
    """A graded sample of a rubric; ``number`` counts from 1 as in its file."""

    rubric: Rubric
    number: int
    sample: Sample

    @property
    def label(self) -> str:
        """As failures name it."""
        return f"sample {self.number} ({self.sample.kind})"


@dataclass(frozen=True)
class Paper:
    """All that is put before the examiner. ``repeated`` are looked at ``repeats`` times in all."""

    samples: tuple[Task, ...]
    attacks: tuple[Attacked, ...]
    repeated: tuple[Task, ...]
    repeats: int
    mutations: tuple[Mutation, ...] = ()

    @property
    def rubrics(self) -> tuple[Rubric, ...]:
        """The rubrics that occur, in the order given."""
        every: tuple[Task | Attacked | Mutation, ...] = (
            *self.samples,
            *self.attacks,
            *self.mutations,
        )
        asked = [each.rubric for each in every]
        return tuple({rubric.id: rubric for rubric in asked}.values())

    @property
    def looks(self) -> int:
        """How many judgements it takes at most."""
        clean: tuple[Task | Mutation, ...] = (*self.samples, *self.mutations)
        answers = {(each.rubric.id, each.sample.answer) for each in clean}
        answers |= {(each.rubric.id, each.sample.answer) for each in self.attacks if each.sample}
        mutants = sum(1 + bool(each.criterion.misconceptions) for each in self.mutations)
        again = len(self.repeated) * (self.repeats - 1)
        return len(answers) + len(self.attacks) + again + mutants


def set_paper(
    rubrics: Sequence[Rubric],
    *,
    attacks: bool = True,
    repeats: int = 3,
    repeat_samples: int = 10,
    limit: int | None = None,
    mutants: bool = False,
) -> Paper:
    """The paper on these rubrics; those without samples are left out.

    ``limit`` is the most samples, attacks and mutations that are taken of each; they are then
    spread over all rubrics and over the kinds of samples and attacks.
    """
    asked = [rubric for rubric in rubrics if rubric.samples]
    samples = _spread(
        [[Task(r, i, sample) for i, sample in enumerate(r.samples, 1)] for r in asked], limit
    )
    repeated = _spread(_by_rubric(samples), repeat_samples) if repeats > 1 else ()
    return Paper(
        samples,
        _spread([attacks_on(rubric) for rubric in asked], limit) if attacks else (),
        repeated,
        repeats,
        _spread([mutations_of(rubric) for rubric in asked], limit) if mutants else (),
    )


def _by_rubric(tasks: Sequence[Task]) -> list[list[Task]]:
    groups: dict[str, list[Task]] = {}
    for task in tasks:
        groups.setdefault(task.rubric.id, []).append(task)
    return list(groups.values())


def _spread(groups: Sequence[Sequence[T]], limit: int | None) -> tuple[T, ...]:
    """At most ``limit`` items, as evenly from all groups and all places in them as can be.

    Each pass over the groups takes one item of each, a place further on in each next group.
    """
    places = [(g, i) for g, group in enumerate(groups) for i in range(len(group))]
    if limit is None or limit >= len(places):
        return tuple(groups[g][i] for g, i in places)
    chosen: list[tuple[int, int]] = []
    for turn in range(max(map(len, groups), default=0)):
        row = [(g, (g + turn) % len(group)) for g, group in enumerate(groups) if turn < len(group)]
        left = limit - len(chosen)
        step = max(1.0, len(row) / left) if left else 0.0
        chosen += [row[int(k * step)] for k in range(min(left, len(row)))]
    return tuple(groups[g][i] for g, i in sorted(chosen))


HOPELESS = 3
"""So many failures before a first call that worked end the exam."""


@dataclass(frozen=True)
class Progress:
    """Looks taken and looks planned, and the rubric now at hand."""

    done: int
    looks: int
    rubric: str


@dataclass(frozen=True)
class Exam:
    """An exam that was sat: the figures in total, by rubric id and by attack.

    ``rubrics_sha256`` is the digest of the rubrics as they were; exams compare where it is equal.
    """

    result: ExamResult
    total: Figures
    rubrics: tuple[tuple[str, Figures], ...]
    attacks: tuple[AttackFigures, ...]
    rubrics_sha256: str

    def as_json(self) -> dict[str, Any]:
        """All of it as JSON values, under the names of the fields."""
        values = asdict(self)
        values["result"]["taken_at"] = self.result.taken_at.isoformat()
        values["rubrics"] = {rubric: asdict(figures) for rubric, figures in self.rubrics}
        plain: dict[str, Any] = json.loads(json.dumps(values))
        return plain


async def sit(
    examiner: Examiner,
    rubrics: Sequence[Rubric],
    *,
    attacks: bool = True,
    repeats: int = 3,
    repeat_samples: int = 10,
    limit: int | None = None,
    mutants: bool = False,
    thresholds: Thresholds | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Exam:
    """Put the rubrics' samples before the examiner, then attacks on them, repeats and mutants.

    ``repeat_samples`` samples are judged ``repeats`` times in all; ``limit`` is the most samples,
    attacks and mutations taken of each, spread over all rubrics. Few-shot examples must leave out
    the sample under test, and nothing may be answered from a cache: both are the examiner's part.

    A look that fails is counted, with its reason. Raises ExaminerError where three fail before a
    first call works, or where no sample gets a verdict.
    """
    paper = set_paper(
        rubrics,
        attacks=attacks,
        repeats=repeats,
        repeat_samples=repeat_samples,
        limit=limit,
        mutants=mutants,
    )
    sitting = _Sitting(examiner, paper, progress)
    await sitting.run()
    return _marked(examiner, paper, sitting.outcomes, thresholds or Thresholds())


def _marked(
    examiner: Examiner, paper: Paper, outcomes: Sequence[Outcome], thresholds: Thresholds
) -> Exam:
    total = figures_of(outcomes)
    if total.kappa is None or total.macro_f1 is None or total.bias is None or total.rmse is None:
        raise ExaminerError(
            f"{examiner.name} gave no verdict on any sample, so there is nothing to compare; "
            "`interviewer doctor` checks the endpoint."
        )
    result = ExamResult(
        examiner=examiner.name,
        version=examiner.version,
        taken_at=datetime.now(UTC),
        samples=total.samples,
        kappa=total.kappa,
        macro_f1=total.macro_f1,
        bias=total.bias,
        rmse=total.rmse,
        failed_on=tuple(missed(total, thresholds)),
    )
    by_rubric = tuple(
        (rubric.id, figures_of([each for each in outcomes if each.rubric == rubric.id]))
        for rubric in paper.rubrics
    )
    return Exam(result, total, by_rubric, attack_figures(outcomes), _digest(paper.rubrics))


def _digest(rubrics: Sequence[Rubric]) -> str:
    """SHA-256 of the rubrics' canonical JSON, whatever their order."""
    bodies = [r.model_dump(mode="json") for r in sorted(rubrics, key=lambda r: r.id)]
    canonical = json.dumps(bodies, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


@dataclass(frozen=True)
class _Look:
    """One answer judged: the verdicts that stand after the checks, and the score or None."""

    judgement: Judgement
    verdicts: tuple[CriterionVerdict, ...]
    score: float | None


@dataclass
class _Sitting:
    """Takes the tasks one after the other and keeps what came of them."""

    examiner: Examiner
    paper: Paper
    progress: Callable[[Progress], None] | None
    outcomes: list[Outcome] = field(default_factory=list)
    _clean: dict[tuple[str, str], _Look] = field(default_factory=dict)
    """The looks at untouched samples, by rubric and answer."""
    _looks: int = 0
    _spent: list[Spent] = field(default_factory=list)
    """By the task at hand."""

    async def run(self) -> None:
        """Take all of the paper."""
        for task in self.paper.samples:
            await self._take(task.rubric, task.label, self._grade(task))
        for attacked in self.paper.attacks:
            await self._take(attacked.rubric, attacked.attack.name, self._attack(attacked))
        for task in self.paper.repeated:
            await self._take(task.rubric, f"repeats of {task.label}", self._repeat(task))
        for mutation in self.paper.mutations:
            label = f"mutants without {mutation.criterion.id}"
            await self._take(mutation.rubric, label, self._mutate(mutation))

    async def _take(self, rubric: Rubric, label: str, task: Awaitable[Outcome]) -> None:
        outcome: Outcome
        try:
            outcome = await task
        except ExaminerError as error:
            if self._is_hopeless():
                raise
            outcome = Failure(rubric.id, label, str(error))
        self.outcomes.append(replace(outcome, spent=together(self._spent)))
        self._spent.clear()

    def _is_hopeless(self) -> bool:
        """One more failure would make it so many, and no call ever worked.

        Answers that say too little are settled without a call: they tell nothing of the endpoint.
        """
        failures = sum(isinstance(each, Failure) for each in self.outcomes) + 1
        worked = any(e.spent.calls for e in self.outcomes if not isinstance(e, Failure))
        return failures >= HOPELESS and not worked

    async def _grade(self, task: Task) -> Graded:
        look = await self._clean_look(task.rubric, task.sample)
        wanted = task.sample.verdicts
        mine = [verdict for verdict in look.verdicts if verdict.criterion in wanted]
        theirs = [CriterionVerdict(v.criterion, wanted[v.criterion]) for v in mine]
        author, examiner = weighted_score(task.rubric, theirs), weighted_score(task.rubric, mine)
        quoted = {f.criterion for f in look.judgement.findings if f.verdict is not Verdict.NOT_MET}
        return Graded(
            task.rubric.id,
            tuple((a.criterion, a.verdict, b.verdict) for a, b in zip(theirs, mine, strict=True)),
            None if author is None or examiner is None else (author, examiner),
            quotes=sum(v.criterion in quoted for v in look.verdicts),
            refused=sum(v.criterion in quoted and _is_refused(v) for v in look.verdicts),
            unjudged=len(look.judgement.ungraded),
            fell_back=Flag.FALLBACK in look.judgement.flags,
        )

    async def _attack(self, attacked: Attacked) -> Resisted:
        clean = 0.0
        if attacked.sample:
            clean = _score(await self._clean_look(attacked.rubric, attacked.sample))
        earned = _score(await self._look(attacked.rubric, attacked.answer))
        return Resisted(
            attacked.rubric.id,
            attacked.attack.name,
            gain=earned - clean,
            bands=band_of(earned) - band_of(clean),
        )

    async def _repeat(self, task: Task) -> Repeated:
        looks = [await self._clean_look(task.rubric, task.sample)]
        for _ in range(self.paper.repeats - 1):
            looks.append(await self._look(task.rubric, task.sample.answer))
        verdicts: dict[str, set[Verdict]] = {}
        for verdict in (verdict for look in looks for verdict in look.verdicts):
            verdicts.setdefault(verdict.criterion, set()).add(verdict.verdict)
        flipped = sum(len(each) > 1 for each in verdicts.values())
        return Repeated(task.rubric.id, len(verdicts), flipped)

    async def _mutate(self, mutation: Mutation) -> Mutated:
        rubric, criterion, answer = mutation.rubric, mutation.criterion, mutation.sample.answer
        clean = _verdict_on(criterion, await self._clean_look(rubric, mutation.sample))
        tried = caught = 0
        if clean and clean.verdict is Verdict.MET and clean.span:
            for mutant in mutants_of(criterion, answer, clean.span):
                verdict = _verdict_on(criterion, await self._look(rubric, mutant.answer))
                tried += verdict is not None
                caught += verdict is not None and verdict.verdict is not Verdict.MET
        return Mutated(rubric.id, criterion.id, tried, caught)

    async def _clean_look(self, rubric: Rubric, sample: Sample) -> _Look:
        key = (rubric.id, sample.answer)
        if key not in self._clean:
            self._clean[key] = await self._look(rubric, sample.answer)
        return self._clean[key]

    async def _look(self, rubric: Rubric, answer: str) -> _Look:
        context = QuestionContext(rubric, exchange(rubric.question, answer), (), NEUTRAL, exam=True)
        await asyncio.sleep(0)  # an examiner without a network never pauses: let a cancel through
        began = monotonic()
        try:
            judgement = await self.examiner.judge(context)
        finally:
            self._spent.append(spent_on(self.examiner.drain_calls(), monotonic() - began))
            self._looks += 1
            if self.progress:
                self.progress(Progress(self._looks, self.paper.looks, rubric.id))
        verdicts = check(rubric, context.turns, judgement.findings)
        return _Look(judgement, verdicts, weighted_score(rubric, verdicts))


def _verdict_on(criterion: Criterion, look: _Look) -> CriterionVerdict | None:
    return next((v for v in look.verdicts if v.criterion == criterion.id), None)


def _is_refused(verdict: CriterionVerdict) -> bool:
    """The quote did not pass; a number that was not stated leaves a partial credit instead."""
    return verdict.verdict is Verdict.NOT_MET and bool(verdict.unsupported)


def _score(look: _Look) -> float:
    if look.score is None:
        raise ExaminerError("No criterion could be judged, so there is no score to compare.")
    return look.score
