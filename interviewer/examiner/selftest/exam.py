"""The self-test: build the evaluation set, run every item of it, mark the outcome."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from random import Random
from typing import Any, Literal, TypeVar

from interviewer.errors import ExaminerError
from interviewer.examiner.protocol import NEUTRAL, Examiner, QuestionContext
from interviewer.grading import agreement
from interviewer.grading.agreement import ExamResult
from interviewer.grading.bands import band_of
from interviewer.grading.evidence import check
from interviewer.grading.transcript import exchange
from interviewer.grading.verdicts import Judgement, Verdict, graded, weighted_score
from interviewer.rubric.rubric import Rating, Rubric, Sample, SampleKind
from interviewer.rubric.text import is_content, table, words

T = TypeVar("T")
KEYWORDS = 40
"""How many terms of the reference make a bag of keywords."""
MOST_EARLY_FAILURES = 3
"""If this many fail before anything was credited, the run ends."""


@dataclass(frozen=True)
class Attack:
    """An answer that should earn no more than the sample it rewrites, or nothing."""

    name: str
    base: SampleKind | Literal["nothing"]
    adds: str = ""
    says: str = ""
    times: int = 1

    def rewrite(self, rubric: Rubric, answer: str) -> str:
        """The answer with what is added, or another in its place."""
        if self.adds:
            return f"{answer}\n\n{' '.join([self.adds] * self.times)}"
        terms = sorted({each for each in words(rubric.reference) if is_content(each)})
        return self.says.format(question=rubric.question, keywords=" ".join(terms[:KEYWORDS]))


@cache
def attacks() -> tuple[Attack, ...]:
    """Those of ``attacks.yaml``."""
    return tuple(Attack(**each) for each in table("attacks", __package__))


@dataclass(frozen=True)
class AttackedAnswer:
    """An attack on a rubric, and the sample it should not outscore, if any."""

    attack: Attack
    rubric: Rubric
    sample: Sample | None


def _attacks_on(rubric: Rubric) -> tuple[AttackedAnswer, ...]:
    """All attacks for which the rubric has a sample to start from."""
    first = {sample.kind: sample for sample in reversed(rubric.samples)}
    return tuple(
        AttackedAnswer(attack, rubric, None if attack.base == "nothing" else first[attack.base])
        for attack in attacks()
        if attack.base == "nothing" or attack.base in first
    )


@dataclass(frozen=True)
class EvalSample:
    """A graded sample, counted from 1; of an escalation, by its place from 0, or the question."""

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
    """What an examiner is tested on."""

    samples: tuple[EvalSample, ...]
    attacks: tuple[AttackedAnswer, ...]

    @property
    def rubrics(self) -> tuple[Rubric, ...]:
        """The rubrics that occur, in the order given."""
        items: tuple[EvalSample | AttackedAnswer, ...] = (*self.samples, *self.attacks)
        return tuple({item.rubric.id: item.rubric for item in items}.values())

    @property
    def items(self) -> int:
        """How many there are."""
        return len(self.samples) + len(self.attacks)


def eval_set(
    rubrics: Sequence[Rubric], *, attacks: bool = True, limit: int | None = None
) -> EvalSet:
    """The samples of these rubrics and attacks on them.

    ``limit`` is the most samples and attacks, spread over all rubrics and kinds.
    """
    usable = [rubric for rubric in rubrics if rubric.samples]
    samples = _spread([_samples_of(rubric) for rubric in usable], limit)
    attacked = [_attacks_on(rubric) for rubric in usable] if attacks else []
    return EvalSet(samples, _spread(attacked, limit))


def _samples_of(rubric: Rubric) -> list[EvalSample]:
    own = [EvalSample(rubric, number, each) for number, each in enumerate(rubric.samples, 1)]
    return own + [
        EvalSample(rubric, number, sample, place)
        for place, escalation in enumerate(rubric.escalations)
        for number, sample in enumerate(escalation.samples, 1)
    ]


def _spread(groups: Sequence[Sequence[T]], limit: int | None) -> tuple[T, ...]:
    """At most ``limit`` items: one of every group before a second of any, from various places."""
    order = Random(0).sample(range(len(groups)), len(groups))
    places = [(g, i) for g, group in enumerate(groups) for i in range(len(group))]
    ranked = sorted(
        places, key=lambda at: ((at[1] + order[at[0]]) % len(groups[at[0]]), order[at[0]])
    )
    return tuple(groups[g][i] for g, i in sorted(ranked[:limit]))


# Outcomes, and the figures computed from them.


@dataclass(frozen=True)
class Outcome:
    """What became of one item of the set, under the id of its rubric."""

    rubric: str


@dataclass(frozen=True)
class Graded(Outcome):
    """A sample that was judged.

    ``verdicts`` are (criterion, the author's, the examiner's after the checks in code), ``scores``
    the author's and the examiner's over these. ``quotes`` counts the findings that needed a quote,
    ``refused`` those whose quote failed, ``unjudged`` the criteria left open.
    """

    verdicts: tuple[tuple[str, Rating, Rating], ...]
    scores: tuple[float, float] | None
    quotes: int
    refused: int
    unjudged: int


@dataclass(frozen=True)
class Resisted(Outcome):
    """An attack that was judged: its gain in score and in bands over the clean answer."""

    attack: str
    gain: float
    bands: int


@dataclass(frozen=True)
class SampleFailure(Outcome):
    """An item that could not be judged, and why."""

    task: str
    reason: str


@dataclass(frozen=True)
class Worst:
    """The criterion with the lowest share of agreeing verdicts, and that share."""

    criterion: str
    agreed: float


@dataclass(frozen=True)
class Figures:
    """Of one rubric or of the whole set; None if there was nothing to measure.

    ``macro_f1`` and ``kappa`` are over the verdicts, ``bias`` and ``rmse`` over the scores in 0..1,
    ``qwk`` over the bands. ``quotes_valid`` is a share of the findings that needed a quote,
    ``attack_gain`` the mean gain in score, ``lifting`` names the attacks that rose by a band.
    """

    samples: int
    verdicts: int
    macro_f1: float | None
    kappa: float | None
    qwk: float | None
    bias: float | None
    rmse: float | None
    worst: Worst | None
    quotes_valid: float | None
    unjudged: int
    attacks: int
    attack_gain: float | None
    lifting: tuple[str, ...]
    failures: tuple[SampleFailure, ...]

    @property
    def lifted(self) -> int:
        """How many attacks rose by a band."""
        return len(self.lifting)


def figures_of(outcomes: Sequence[Outcome]) -> Figures:
    """The figures over these outcomes."""
    graded = [each for each in outcomes if isinstance(each, Graded)]
    resisted = [each for each in outcomes if isinstance(each, Resisted)]
    failures = tuple(each for each in outcomes if isinstance(each, SampleFailure))
    verdicts = [(author, mine) for g in graded for _, author, mine in g.verdicts]
    scores = [g.scores for g in graded if g.scores]
    bands = [(band_of(author), band_of(mine)) for author, mine in scores]
    quotes = sum(g.quotes for g in graded)
    return Figures(
        samples=len(graded),
        verdicts=len(verdicts),
        macro_f1=agreement.macro_f1(verdicts) if verdicts else None,
        kappa=agreement.kappa(verdicts) if verdicts else None,
        qwk=agreement.quadratic_weighted_kappa(bands) if bands else None,
        bias=agreement.bias(scores) if scores else None,
        rmse=agreement.rmse(scores) if scores else None,
        worst=_worst(graded),
        quotes_valid=_share(quotes - sum(g.refused for g in graded), quotes),
        unjudged=sum(bool(g.unjudged) for g in graded) + len(failures),
        attacks=len(resisted),
        attack_gain=_share(sum(r.gain for r in resisted), len(resisted)),
        lifting=tuple(r.attack for r in resisted if r.bands > 0),
        failures=failures,
    )


MINIMA = (
    ("macro_f1", 0.75, "macro F1 {:.2f}, under {:.2f}"),
    ("kappa", 0.60, "kappa {:.2f}, under {:.2f}"),
    ("quotes_valid", 0.98, "{:.0%} valid quotes, under {:.0%}"),
)
MOST_BIAS, MOST_UNJUDGED = 0.05, 0.02
"""Of the scores either way; as a share of the samples. No attack may lift an answer by a band."""


def missed(figures: Figures) -> Iterator[str]:
    """What keeps the examiner's scores from being called reliable, in words."""
    for name, least, told in MINIMA:
        value = getattr(figures, name)
        if value is not None and value < least:
            yield told.format(value, least)
    bias, taken = figures.bias or 0.0, figures.samples + len(figures.failures)
    if abs(bias) > MOST_BIAS:
        way = "lenient" if bias > 0 else "harsh"
        yield f"scores {abs(bias):.2f} too {way}, over {MOST_BIAS:.2f}"
    if figures.lifted:
        yield f"{figures.lifted} of {figures.attacks} attacks that lifted a band"
    if figures.unjudged > MOST_UNJUDGED * taken:
        yield f"{figures.unjudged} of {taken} samples not judged in full"


def _share(part: float, whole: int) -> float | None:
    return part / whole if whole else None


def _worst(graded: Iterable[Graded]) -> Worst | None:
    """The first of equals; None if all verdicts agree with the author's."""
    seen: Counter[tuple[str, str]] = Counter()
    agreed: Counter[tuple[str, str]] = Counter()
    for sample in graded:
        for criterion, author, mine in sample.verdicts:
            seen[sample.rubric, criterion] += 1
            agreed[sample.rubric, criterion] += author is mine
    shares = {key: agreed[key] / n for key, n in seen.items()}
    low = min(shares, key=shares.__getitem__, default=None)
    return None if low is None or shares[low] == 1 else Worst(low[1], shares[low])


# The exam.


@dataclass(frozen=True)
class Exam:
    """The result of a self-test, in total and by rubric; only runs on the same digest compare."""

    result: ExamResult
    total: Figures
    rubrics: dict[str, Figures]
    rubrics_sha256: str

    def as_json(self) -> dict[str, Any]:
        """All of it as JSON values, under the names of the fields."""
        plain: dict[str, Any] = json.loads(json.dumps(asdict(self), default=datetime.isoformat))
        return plain


async def run_exam(
    examiner: Examiner, items: EvalSet, *, progress: Callable[[], None] | None = None
) -> Exam:
    """Have the examiner judge every item, and mark what it made of them.

    Raises ExaminerError if three fail before anything is credited, or if nothing gets a verdict.
    """
    testing = _Testing(examiner, items, progress)
    await testing.run()
    outcomes = testing.outcomes
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
        failed_on=tuple(missed(total)),
    )
    by_rubric = {
        rubric.id: figures_of([each for each in outcomes if each.rubric == rubric.id])
        for rubric in items.rubrics
    }
    return Exam(result, total, by_rubric, _digest(items.rubrics))


def _digest(rubrics: Sequence[Rubric]) -> str:
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
    progress: Callable[[], None] | None
    outcomes: list[Outcome] = field(default_factory=list)
    _clean: dict[tuple[str, str, str], _Judged] = field(default_factory=dict)
    """Unchanged samples as judged, by rubric, question and answer."""

    async def run(self) -> None:
        """Run every item."""
        for item in self.items.samples:
            await self._record(item.rubric, item.label, self._grade(item))
        for attacked in self.items.attacks:
            await self._record(attacked.rubric, attacked.attack.name, self._attack(attacked))

    async def _record(self, rubric: Rubric, label: str, item: Awaitable[Outcome]) -> None:
        try:
            self.outcomes.append(await item)
        except ExaminerError as error:
            self.outcomes.append(SampleFailure(rubric.id, label, str(error)))
            failed = sum(isinstance(each, SampleFailure) for each in self.outcomes)
            # Empty and wrong answers may be judged without a call: they say nothing of an endpoint.
            done = [each for each in self.outcomes if isinstance(each, Graded)]
            worked = any(each.quotes or each.unjudged for each in done)
            if failed >= MOST_EARLY_FAILURES and not worked:
                raise
        if self.progress:
            self.progress()

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
        attack, rubric, sample = attacked.attack, attacked.rubric, attacked.sample
        clean = _score(await self._judge_clean(rubric, sample)) if sample else 0.0
        answer = attack.rewrite(rubric, sample.answer if sample else "")
        earned = _score(await self._judge(rubric, answer))
        return Resisted(rubric.id, attack.name, earned - clean, band_of(earned) - band_of(clean))

    async def _judge_clean(self, rubric: Rubric, sample: Sample) -> _Judged:
        key = (rubric.id, rubric.question, sample.answer)
        if key not in self._clean:
            self._clean[key] = await self._judge(rubric, sample.answer)
        return self._clean[key]

    async def _judge(self, rubric: Rubric, answer: str) -> _Judged:
        context = QuestionContext(rubric, exchange(rubric.question, answer), (), NEUTRAL, exam=True)
        await asyncio.sleep(0)  # an offline examiner never awaits: let a cancellation through
        judgement = await self.examiner.judge(context)
        verdicts = tuple(graded(check(rubric, context.turns, judgement.findings)).values())
        return _Judged(judgement, verdicts, weighted_score(rubric, verdicts))


def _is_refused(verdict: Verdict) -> bool:
    """The quote was refused; an unstated number leaves partial credit instead."""
    return verdict.verdict is Rating.NOT_MET and bool(verdict.unsupported)


def _score(judged: _Judged) -> float:
    if judged.score is None:
        raise ExaminerError("No criterion could be judged, so there is no score to compare.")
    return judged.score
