"""What the offline examiner makes of right answers in plain words, by people who saw no pattern.

    python -m tests.evals judging.right [FILE.jsonl]

Short answers: how many of the points made are met, how many answers carry a
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
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import yaml
from evals.figures import Figure, count, share
from pydantic import BaseModel, TypeAdapter
from support.judged import verdicts_on
from support.shipped import shipped_library, shipped_rubrics

from interviewer.rubric.rubric import Further, Rating

CREDIT = (Rating.MET, Rating.PARTIAL)
SHIPPED = Path(__file__).with_name("short_right_answers.jsonl")


class Right(BaseModel, frozen=True):
    """A right answer: the criteria that it makes, and those that it may be granted besides."""

    rubric: str
    text: str
    points: tuple[str, ...]
    may: tuple[str, ...] = ()


def read_right(file: Path) -> Iterator[Right]:
    """The answers in a file. Ends the program where a line names no rubric or criterion."""
    library = shipped_library()
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        answer = Right.model_validate_json(line)
        known = {criterion.id for criterion in library.get(answer.rubric).model.criteria}
        if unknown := {*answer.points, *answer.may} - known:
            raise SystemExit(f"{file}, line {number}: {answer.rubric} has no {sorted(unknown)[0]}")
        yield answer


def short(answers: Sequence[Right]) -> Iterator[Figure]:
    library = shipped_library()
    made, unmade = list[tuple[str, Rating | None]](), list[tuple[str, Rating | None]]()
    wrong = dict[str, str]()
    for answer in answers:
        rubric = library.get(answer.rubric).model
        for name, verdict in verdicts_on(rubric, answer.text).items():
            if isinstance(rubric.criterion(name), Further):
                continue
            told = f"{rubric.id} {name}: {answer.text}"
            if verdict is Rating.CONTRADICTED:
                wrong[answer.text] = told
            if name in answer.points:
                made.append((told, verdict))
            elif name not in answer.may:
                unmade.append((told, verdict))
    missed = [told for told, verdict in made if verdict not in CREDIT]
    met = sum(verdict is Rating.MET for _, verdict in made)
    yield share("points made, met", met, len(made), missed)
    yield share("answers read as wrong", len(wrong), len(answers), wrong.values())
    granted = [told for told, verdict in unmade if verdict in CREDIT]
    yield share("points not made, credited", len(granted), len(unmade), granted)


class Said(BaseModel, extra="forbid"):
    """A right answer, the points that it makes and those that it may be granted."""

    makes: list[str]
    may: list[str] = []
    say: str


def told() -> Mapping[str, Sequence[Said]]:
    text = Path(__file__).with_name("right_answers.yaml").read_text(encoding="utf-8")
    return TypeAdapter(dict[str, list[Said]]).validate_python(yaml.safe_load(text))


def whole_answers() -> Mapping[str, Sequence[str]]:
    """Right answers to a whole question, without what they make, by the id of the rubric."""
    found: dict[str, list[str]] = defaultdict(list)
    lines = Path(__file__).with_name("whole_right_answers.jsonl").read_text(encoding="utf-8")
    for row in map(json.loads, lines.splitlines()):
        found[row["rubric"]].append(row["text"])
    return found


def by_rubric() -> Iterator[Figure]:
    """What is not as it should be of the answers by rubric."""
    answers, wrong, uncredited, overcredited = 0, list[str](), list[str](), list[str]()
    by_rubric, whole = told(), whole_answers()
    for rubric in shipped_rubrics():
        seen: Counter[str] = Counter()
        said = [(each.say, each) for each in by_rubric.get(rubric.id, ())]
        for text, points in (*said, *((text, None) for text in whole.get(rubric.id, ()))):
            verdicts = verdicts_on(rubric, text)
            answers += 1
            lost = [point for point, each in verdicts.items() if each is Rating.CONTRADICTED]
            wrong += [f"{rubric.id} {lost}: {text}"] if lost else []
            for point, verdict in verdicts.items() if points else ():
                if point in points.makes:
                    seen["made"] += 1
                    seen["credited"] += verdict in CREDIT
                elif point not in points.may:
                    seen["unsaid"] += verdict is Rating.MET
        if 2 * seen["credited"] < seen["made"]:
            uncredited.append(f"{rubric.id}: {seen['credited']} of {seen['made']}")
        if seen["unsaid"] > 2:
            overcredited.append(f"{rubric.id}: {seen['unsaid']}")
    yield count("by rubric: answers read as wrong", wrong, answers)
    yield count("by rubric: less than half of the points", uncredited)
    yield count("by rubric: more than two points unsaid", overcredited)


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", type=Path, default=SHIPPED, metavar="FILE.jsonl")


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    yield from short([*read_right(asked.file)])
    if asked.file == SHIPPED:
        yield from by_rubric()
