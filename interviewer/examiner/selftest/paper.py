"""The exam paper: which samples, attacks and repeats are looked at, chosen the same way each time.

Nothing is drawn at random: two examiners that sit the same paper can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from interviewer.examiner.selftest.attacks import Attacked, attacks_on
from interviewer.examiner.selftest.mutants import Mutation, mutations_of
from interviewer.rubric.rubric import Rubric, Sample

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
