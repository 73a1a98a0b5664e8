"""How many harmless follow-ups the checks veto, and how many leaks they let through.

    python tests/benchmarks/follow_up_checks.py HARMLESS.jsonl LEAKS.jsonl

Each line holds ``rubric``, ``criterion`` (or ``target``), ``kind``, ``answer`` and ``text``: the
candidate's one answer to the rubric's question, and what the examiner says next. Printed are the
shares by kind, each miss with the reason, and what one check takes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.shipped import shipped_library

from interviewer.examiner.checks import objections
from interviewer.examiner.moves import Challenge, Drill, Escalate, PinDown, Probe, Spoken
from interviewer.examiner.offline.judge import judge
from interviewer.examiner.protocol import NEUTRAL, QuestionContext
from interviewer.grading.evidence import check
from interviewer.grading.transcript import exchange

_AIMED: dict[str, type[Drill | PinDown | Challenge | Probe]] = {
    "drill": Drill,
    "pin_down": PinDown,
    "challenge": Challenge,
}
"""The moves by kind; every other kind is a probe, but for "harder"."""


@dataclass(frozen=True)
class Case:
    """An utterance in its context."""

    rubric: str
    target: str
    kind: str
    answer: str
    text: str

    @property
    def move(self) -> Spoken:
        """The move that the utterance words."""
        if self.kind == "harder":
            return Escalate()
        return _AIMED.get(self.kind, Probe)(self.target)

    def context(self) -> QuestionContext:
        """The question and the answer, judged by the offline judge."""
        rubric = shipped_library().get(self.rubric).model
        turns = exchange(rubric.question, self.answer)
        verdicts = check(rubric, turns, judge(rubric, turns).findings)
        return QuestionContext(rubric, turns, verdicts, NEUTRAL, exam=True)


@dataclass(frozen=True)
class Checked:
    """A case and what the checks object to."""

    case: Case
    faults: tuple[str, ...]
    seconds: float


def cases(file: Path) -> Iterator[Case]:
    """The cases of a file, one a line."""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.strip():
            data: dict[str, Any] = json.loads(line)
            target = data.get("criterion") or data.get("target") or ""
            yield Case(data["rubric"], target, data["kind"], data["answer"], data["text"])


def checked(case: Case) -> Checked:
    """The case put to the checks."""
    context = case.context()
    began = perf_counter()
    faults = objections(case.text, context, case.move)
    return Checked(case, faults, perf_counter() - began)


def report(title: str, found: list[Checked], *, misses_are_vetoed: bool) -> None:
    """Print the share of misses by kind, then each miss."""
    missed = [each for each in found if bool(each.faults) == misses_are_vetoed]
    by_kind: defaultdict[str, list[bool]] = defaultdict(list)
    for each in found:
        by_kind[each.case.kind].append(bool(each.faults) == misses_are_vetoed)
    print(f"{title}: {len(missed)} of {len(found)}, {len(missed) / max(1, len(found)):.1%}")
    for kind, misses in sorted(by_kind.items()):
        print(f"  {kind:<24} {sum(misses)} of {len(misses)}, {mean(misses):.1%}")
    for each in missed:
        reason = "; ".join(each.faults) or "no objection"
        print(f"  - {each.case.rubric} {each.case.target} [{each.case.kind}] {each.case.text}")
        print(f"    {reason}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("harmless", type=Path)
    parser.add_argument("leaks", type=Path)
    options = parser.parse_args()
    harmless = [checked(case) for case in cases(options.harmless)]
    leaks = [checked(case) for case in cases(options.leaks)]
    report("harmless vetoed", harmless, misses_are_vetoed=True)
    report("leaks let through", leaks, misses_are_vetoed=False)
    took = sorted(each.seconds for each in (*harmless, *leaks))
    if took:
        print(f"a check takes {1000 * mean(took):.1f} ms, at most {1000 * took[-1]:.1f} ms")


if __name__ == "__main__":
    main()
