"""What the offline examiner makes of right answers in plain words, by people who saw no pattern.

    python -m tests.evals judging.right [FILE.jsonl]

Short answers: how many of the points made are met or partial, how many answers carry a
contradiction though all they say is right, and how many points are credited that were not made.
Each line of a file is {"rubric": ID, "text": ANSWER, "points": [ids of the criteria it makes],
"may": [ids that it may be granted, too; optional]}; without one it takes
``short_right_answers.jsonl``, by several hands, each set measured once and no longer blind since.
Then ``right_answers.yaml`` and ``whole_right_answers.jsonl`` by rubric: none may be read as wrong,
in each rubric half of the points made are credited, and of those not made two in full at most.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import yaml
from evals.figures import Figure, count, share
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from support.judged import verdicts_on
from support.shipped import shipped_library, shipped_rubrics

from interviewer.rubric.rubric import Further, Rating, Rubric

SHIPPED = Path(__file__).with_name("short_right_answers.jsonl")


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
            if not isinstance(criterion, Further) and criterion.id in verdicts:
                point = Point(rubric.id, criterion.id, answer.text)
                _count(found, point, verdicts[criterion.id], answer)
    return found


def _count(found: Tally, point: Point, verdict: Rating, answer: Right) -> None:
    if verdict is Rating.CONTRADICTED:
        found.contradicted.append(point)
    if point.criterion in answer.points:
        found.made += 1
        kinds = {Rating.MET: found.met, Rating.PARTIAL: found.partial}
        kinds.get(verdict, found.missed).append(point)
    elif point.criterion not in answer.may:
        found.unmade += 1
        if verdict is Rating.MET:
            found.granted.append(point)
        elif verdict is Rating.PARTIAL:
            found.half_granted.append(point)


class Said(BaseModel, extra="forbid"):
    """A right answer, the points that it makes and those that it may be granted."""

    makes: list[str]
    may: list[str] = []
    say: str


def told() -> Mapping[str, Sequence[Said]]:
    """Answers with the points that they make, by the id of the rubric."""
    text = Path(__file__).with_name("right_answers.yaml").read_text(encoding="utf-8")
    return TypeAdapter(dict[str, list[Said]]).validate_python(yaml.safe_load(text))


def whole_answers() -> Mapping[str, Sequence[str]]:
    """Right answers to a whole question, without what they make, by the id of the rubric."""
    found: dict[str, list[str]] = defaultdict(list)
    lines = Path(__file__).with_name("whole_right_answers.jsonl").read_text(encoding="utf-8")
    for row in map(json.loads, lines.splitlines()):
        found[row["rubric"]].append(row["text"])
    return found


@dataclass
class Plain:
    """What is not as it should be of the answers by rubric."""

    answers: int = 0
    wrong: list[str] = field(default_factory=list)
    uncredited: list[str] = field(default_factory=list)
    overcredited: list[str] = field(default_factory=list)


def plain() -> Plain:
    """All answers by rubric, judged."""
    found, by_rubric, whole = Plain(), told(), whole_answers()
    for rubric in shipped_rubrics():
        _add(found, rubric, by_rubric.get(rubric.id, ()), whole.get(rubric.id, ()))
    return found


def _add(found: Plain, rubric: Rubric, told: Sequence[Said], whole: Sequence[str]) -> None:
    seen: Counter[str] = Counter()
    for text, said in (*((each.say, each) for each in told), *((text, None) for text in whole)):
        verdicts = verdicts_on(rubric, text)
        found.answers += 1
        wrong = [point for point, each in verdicts.items() if each is Rating.CONTRADICTED]
        found.wrong += [f"{rubric.id} {wrong}: {text}"] if wrong else []
        for point, verdict in verdicts.items() if said else ():
            if point in said.makes:
                seen["made"] += 1
                seen["credited"] += verdict in (Rating.MET, Rating.PARTIAL)
            elif point not in said.may:
                seen["unsaid"] += verdict is Rating.MET
    if 2 * seen["credited"] < seen["made"]:
        found.uncredited.append(f"{rubric.id}: {seen['credited']} of {seen['made']}")
    if seen["unsaid"] > 2:
        found.overcredited.append(f"{rubric.id}: {seen['unsaid']}")


def options(parser: argparse.ArgumentParser) -> None:
    """What can be asked."""
    parser.add_argument("file", nargs="?", type=Path, default=SHIPPED, metavar="FILE.jsonl")


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    """The figures of one file, and those by rubric."""
    try:
        found = tally(read_right(asked.file))
    except (OSError, ValueError) as error:
        raise SystemExit(str(error)) from error
    yield share("points made, met", len(found.met), found.made, map(_line, found.missed))
    yield share("points made, partial", len(found.partial), found.made, map(_line, found.partial))
    contradicted = map(_line, found.contradicted)
    yield share("answers read as wrong", len(found.wrong_answers), found.answers, contradicted)
    granted = [*found.granted, *found.half_granted]
    yield share("points not made, credited", len(granted), found.unmade, map(_line, granted))
    if asked.file == SHIPPED:
        by_rubric = plain()
        yield count("by rubric: answers read as wrong", by_rubric.wrong, by_rubric.answers)
        yield count("by rubric: less than half of the points", by_rubric.uncredited)
        yield count("by rubric: more than two points unsaid", by_rubric.overcredited)


def _line(point: Point) -> str:
    return f"{point.rubric} {point.criterion}: {point.text}"
