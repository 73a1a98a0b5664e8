"""The self-test: build the evaluation set, run every item of it, mark the outcome."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from itertools import groupby
from time import monotonic
from typing import Any, TypeVar

from interviewer.errors import ExaminerError
from interviewer.examiner.protocol import NEUTRAL, Examiner, QuestionContext
from interviewer.examiner.selftest.attacks import (
    AttackedAnswer,
    attacks_on,
)
from interviewer.examiner.selftest.figures import (
    AttackFigures,
    Figures,
    Graded,
    Outcome,
    Repeated,
    Resisted,
    SampleFailure,
    Spent,
    Thresholds,
    attack_figures,
    figures_of,
    missed,
    spent_on,
    sum_of,
)
from interviewer.grading.agreement import ExamResult
from interviewer.grading.bands import band_of
from interviewer.grading.evidence import check
from interviewer.grading.score import graded, weighted_score
from interviewer.grading.transcript import exchange
from interviewer.grading.verdicts import Judgement, Verdict
from interviewer.rubric.rubric import Rating, Rubric, Sample

T = TypeVar("T")


@dataclass(frozen=True)
class EvalSample:
    """A graded sample of a rubric; ``number`` counts from 1 as in its file.

    ``escalation`` is the place, from 0, of the one that it replies to, None for the question.
    """

    rubric: Rubric
    number: int
    sample: Sample
    escalation: int | None = None

    @property
    def judged_by(self) -> Rubric:
        """The rubric, or its escalation as a question of its own."""
        if self.escalation is None:
            return self.rubric
        return self.rubric.on_escalation(self.escalation)

    @property
    def label(self) -> str:
        """As failures name it."""
        to = "" if self.escalation is None else f" of escalation {self.escalation + 1}"
        return f"sample {self.number}{to} ({self.sample.kind})"


@dataclass(frozen=True)
class EvalSet:
    """What an examiner is tested on. ``repeated`` are judged ``repeats`` times in all."""

    samples: tuple[EvalSample, ...]
    attacks: tuple[AttackedAnswer, ...]
    repeated: tuple[EvalSample, ...]
    repeats: int

    @property
    def rubrics(self) -> tuple[Rubric, ...]:
        """The rubrics that occur, in the order given."""
        return tuple({item.rubric.id: item.rubric for item in self._items}.values())

    @property
    def judgements(self) -> int:
        """How many judgements it takes at most."""
        clean = {(item.rubric.id, item.sample.answer) for item in self._items if item.sample}
        again = len(self.repeated) * (self.repeats - 1)
        return len(clean) + len(self.attacks) + again

    @property
    def _items(self) -> tuple[EvalSample | AttackedAnswer, ...]:
        return (*self.samples, *self.attacks)


def eval_set(
    rubrics: Sequence[Rubric],
    *,
    attacks: bool = True,
    repeats: int = 3,
    repeat_samples: int = 10,
    limit: int | None = None,
) -> EvalSet:
    """The samples of these rubrics, attacks on them, and repeats.

    ``repeat_samples`` samples are judged ``repeats`` times in all. ``limit`` is the most samples
    and attacks of each kind, spread over all rubrics and kinds of samples and attacks.
    """
    usable = [rubric for rubric in rubrics if rubric.samples]
    by_rubric = [
        [
            *(EvalSample(rubric, n, sample) for n, sample in enumerate(rubric.samples, 1)),
            *_replies(rubric),
        ]
        for rubric in usable
    ]
    samples = _spread(by_rubric, limit)
    chosen = [list(group) for _, group in groupby(samples, key=lambda each: each.rubric.id)]
    return EvalSet(
        samples,
        _spread([attacks_on(rubric) for rubric in usable], limit) if attacks else (),
        _spread(chosen, repeat_samples) if repeats > 1 else (),
        repeats,
    )


def _replies(rubric: Rubric) -> Iterator[EvalSample]:
    """The samples of its escalations."""
    for place, escalation in enumerate(rubric.escalations):
        for number, sample in enumerate(escalation.samples, 1):
            yield EvalSample(rubric, number, sample, place)


def _spread(groups: Sequence[Sequence[T]], limit: int | None) -> tuple[T, ...]:
    """At most ``limit`` items, taken as evenly as possible from all groups and places in them.

    Each pass takes one item from every group, one place further on in each next group.
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


MOST_EARLY_FAILURES = 3
"""If this many fail before any call works, the run ends."""


@dataclass(frozen=True)
class ExamProgress:
    """Judgements made, judgements planned, and the current rubric."""

    done: int
    total: int
    rubric: str


@dataclass(frozen=True)
class Exam:
    """The result of a self-test, with the figures in total, by rubric id and by attack.

    ``rubrics_sha256`` is the digest of the rubrics used; only runs on equal rubrics compare.
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


async def run_exam(
    examiner: Examiner,
    items: EvalSet,
    *,
    thresholds: Thresholds | None = None,
    progress: Callable[[ExamProgress], None] | None = None,
) -> Exam:
    """Have the examiner judge every item, and mark what it made of them.

    The examiner must leave the sample under test out of its examples and answer nothing from a
    cache. A judgement that fails is counted, with its reason. Raises ExaminerError if three fail
    before a first call works, or if no sample gets a verdict.
    """
    testing = _Testing(examiner, items, progress)
    await testing.run()
    return _marked(examiner, items, testing.outcomes, thresholds or Thresholds())


def _marked(
    examiner: Examiner, items: EvalSet, outcomes: Sequence[Outcome], thresholds: Thresholds
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
        for rubric in items.rubrics
    )
    return Exam(result, total, by_rubric, attack_figures(outcomes), _digest(items.rubrics))


def _digest(rubrics: Sequence[Rubric]) -> str:
    """SHA-256 of the rubrics' canonical JSON, whatever their order."""
    bodies = [r.model_dump(mode="json") for r in sorted(rubrics, key=lambda r: r.id)]
    canonical = json.dumps(bodies, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


@dataclass(frozen=True)
class _Judged:
    """One answer judged: the verdicts that stand after the checks, and the score or None."""

    judgement: Judgement
    verdicts: tuple[Verdict, ...]
    score: float | None


@dataclass
class _Testing:
    """Runs the items one after the other and keeps their outcomes."""

    examiner: Examiner
    items: EvalSet
    progress: Callable[[ExamProgress], None] | None
    outcomes: list[Outcome] = field(default_factory=list)
    _clean: dict[tuple[str, str, str], _Judged] = field(default_factory=dict)
    """Unchanged samples as judged, by rubric, question and answer."""
    _done: int = 0
    _spent: list[Spent] = field(default_factory=list)
    """On the current item."""

    async def run(self) -> None:
        """Run every item."""
        for item in self.items.samples:
            await self._record(item.rubric, item.label, self._grade(item))
        for attacked in self.items.attacks:
            await self._record(attacked.rubric, attacked.attack.name, self._attack(attacked))
        for item in self.items.repeated:
            await self._record(item.rubric, f"repeats of {item.label}", self._repeat(item))

    async def _record(self, rubric: Rubric, label: str, item: Awaitable[Outcome]) -> None:
        outcome: Outcome
        try:
            outcome = await item
        except ExaminerError as error:
            if self._is_hopeless():
                raise
            outcome = SampleFailure(rubric.id, label, str(error))
        self.outcomes.append(replace(outcome, spent=sum_of(self._spent)))
        self._spent.clear()

    def _is_hopeless(self) -> bool:
        """With this failure there are too many, and no call ever worked.

        Empty answers are judged without a call, so they say nothing about the endpoint.
        """
        failures = sum(isinstance(each, SampleFailure) for each in self.outcomes) + 1
        worked = any(e.spent.calls for e in self.outcomes if not isinstance(e, SampleFailure))
        return failures >= MOST_EARLY_FAILURES and not worked

    async def _grade(self, item: EvalSample) -> Graded:
        by = item.judged_by
        judged = await self._judge_clean(by, item.sample)
        wanted = item.sample.verdicts
        mine = [verdict for verdict in judged.verdicts if verdict.criterion in wanted]
        theirs = [replace(v, verdict=wanted[v.criterion]) for v in mine]
        author, examiner = weighted_score(by, theirs), weighted_score(by, mine)
        quoted = {f.criterion for f in judged.judgement.findings if f.verdict is not Rating.NOT_MET}
        return Graded(
            item.rubric.id,
            tuple((v.criterion, wanted[v.criterion], v.verdict) for v in mine if v.verdict),
            None if author is None or examiner is None else (author, examiner),
            quotes=sum(v.criterion in quoted for v in judged.verdicts),
            refused=sum(v.criterion in quoted and _is_refused(v) for v in judged.verdicts),
            unjudged=sum(bool(finding.ungraded) for finding in judged.judgement.findings),
        )

    async def _attack(self, attacked: AttackedAnswer) -> Resisted:
        clean = 0.0
        if attacked.sample:
            clean = _score(await self._judge_clean(attacked.rubric, attacked.sample))
        earned = _score(await self._judge(attacked.rubric, attacked.answer))
        return Resisted(
            attacked.rubric.id,
            attacked.attack.name,
            gain=earned - clean,
            bands=band_of(earned) - band_of(clean),
        )

    async def _repeat(self, item: EvalSample) -> Repeated:
        tries = [await self._judge_clean(item.judged_by, item.sample)]
        for _ in range(self.items.repeats - 1):
            tries.append(await self._judge(item.judged_by, item.sample.answer))
        verdicts: dict[str, set[Rating | None]] = {}
        for verdict in (verdict for judged in tries for verdict in judged.verdicts):
            verdicts.setdefault(verdict.criterion, set()).add(verdict.verdict)
        flipped = sum(len(each) > 1 for each in verdicts.values())
        return Repeated(item.rubric.id, len(verdicts), flipped)

    async def _judge_clean(self, rubric: Rubric, sample: Sample) -> _Judged:
        key = (rubric.id, rubric.question, sample.answer)
        if key not in self._clean:
            self._clean[key] = await self._judge(rubric, sample.answer)
        return self._clean[key]

    async def _judge(self, rubric: Rubric, answer: str) -> _Judged:
        context = QuestionContext(rubric, exchange(rubric.question, answer), (), NEUTRAL, exam=True)
        await asyncio.sleep(0)  # an offline examiner never awaits: let a cancellation through
        began = monotonic()
        try:
            judgement = await self.examiner.judge(context)
        finally:
            self._spent.append(spent_on(self.examiner.drain_calls(), monotonic() - began))
            self._done += 1
            if self.progress:
                self.progress(ExamProgress(self._done, self.items.judgements, rubric.id))
        verdicts = tuple(graded(check(rubric, context.turns, judgement.findings)).values())
        return _Judged(judgement, verdicts, weighted_score(rubric, verdicts))


def _is_refused(verdict: Verdict) -> bool:
    """The quote was refused; an unstated number leaves partial credit instead."""
    return verdict.verdict is Rating.NOT_MET and bool(verdict.unsupported)


def _score(judged: _Judged) -> float:
    if judged.score is None:
        raise ExaminerError("No criterion could be judged, so there is no score to compare.")
    return judged.score
