"""Short right answers with the points that they make, and what the offline examiner credits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from interviewer.rubric.rubric import Further, Verdict
from support.judged import verdicts_on
from support.shipped import shipped_library

SHIPPED = Path(__file__).parents[1] / "agreement" / "short_right_answers.jsonl"
"""By several hands that saw no pattern, each set measured once and no longer blind since."""


class Right(BaseModel):
    """A right answer: the criteria that it makes, and those that it may be granted besides."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    rubric: str
    text: str
    points: tuple[str, ...]
    may: tuple[str, ...] = ()


class Point(NamedTuple):
    """A criterion of one answer."""

    rubric: str
    criterion: str
    text: str


@dataclass
class Tally:
    """What became of the points that were made, and of those that were not."""

    answers: int = 0
    made: int = 0
    unmade: int = 0
    met: list[Point] = field(default_factory=list)
    partial: list[Point] = field(default_factory=list)
    missed: list[Point] = field(default_factory=list)
    contradicted: list[Point] = field(default_factory=list)
    granted: list[Point] = field(default_factory=list)
    half_granted: list[Point] = field(default_factory=list)

    @property
    def wrong_answers(self) -> set[str]:
        """The answers of which a point is read as contradicted."""
        return {point.text for point in self.contradicted}

    @property
    def off(self) -> dict[str, list[Point]]:
        """What is not as it should be, by name."""
        return {
            "contradicted": self.contradicted,
            "missed": self.missed,
            "partial": self.partial,
            "granted": self.granted,
            "half granted": self.half_granted,
        }


def read_right(file: Path) -> Iterator[Right]:
    """The answers in a file. Raises OSError, or ValueError with line and reason."""
    library = shipped_library()
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        where = f"{file}, line {number}"
        try:
            answer = Right.model_validate_json(line)
        except ValidationError as error:
            raise ValueError(f"{where}: {error.errors()[0]['msg']}") from error
        if answer.rubric not in library.entries:
            raise ValueError(f"{where}: no shipped rubric is called {answer.rubric!r}")
        known = {criterion.id for criterion in library.get(answer.rubric).model.criteria}
        if unknown := {*answer.points, *answer.may} - known:
            raise ValueError(f"{where}: {answer.rubric} has no criterion {sorted(unknown)[0]!r}")
        yield answer


def tally(answers: Iterable[Right]) -> Tally:
    """Judge each answer offline as the reply to its question."""
    found = Tally()
    library = shipped_library()
    for answer in answers:
        found.answers += 1
        rubric = library.get(answer.rubric).model
        verdicts = verdicts_on(rubric, answer.text)
        for criterion in rubric.criteria:
            if not isinstance(criterion, Further):
                point = Point(rubric.id, criterion.id, answer.text)
                _count(found, point, verdicts[criterion.id], answer)
    return found


def _count(found: Tally, point: Point, verdict: Verdict, answer: Right) -> None:
    if verdict is Verdict.CONTRADICTED:
        found.contradicted.append(point)
    if point.criterion in answer.points:
        found.made += 1
        kinds = {Verdict.MET: found.met, Verdict.PARTIAL: found.partial}
        kinds.get(verdict, found.missed).append(point)
    elif point.criterion not in answer.may:
        found.unmade += 1
        if verdict is Verdict.MET:
            found.granted.append(point)
        elif verdict is Verdict.PARTIAL:
            found.half_granted.append(point)
