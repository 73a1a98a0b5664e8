"""What the attacks of tests/attacks gain, by family, from any examiner.

    python tests/benchmarks/attack_gain.py [--examiner offline|llm] [--rubric ID …]
                                           [--attack ID|FAMILY …] [--details]

Mean and greatest gain over the clean answer, bands lifted, expectations missed, and for the style
family the drift: the mean distance from the clean score. The LLM examiner takes its endpoint from
OPENAI_API_KEY, OPENAI_BASE_URL and INTERVIEWER_MODEL; with all rubrics and attacks that is some
six thousand answers to judge, so choose. Without --rubric all shipped rubrics are taken.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from attacks.suite import (
    Attack,
    Clean,
    Measured,
    failures,
    load_attacks,
    mean,
    measure,
    score,
)
from support.shipped import shipped_rubrics

from interviewer.composition import make_examiner
from interviewer.errors import InterviewerError
from interviewer.examiner.protocol import Examiner
from interviewer.rubric.rubric import Rubric
from interviewer.settings import load_settings

HEAD = (
    f"{'':38} {'cases':>5} {'earned':>6} {'gain':>7} {'most':>6} {'lifted':>6} {'drift':>6} missed"
)


def line(name: str, results: Sequence[Measured], missed: int) -> str:
    """One row of the table."""
    gains = [measured.gain for measured in results]
    return (
        f"{name:38} {len(results):5} {mean(score(m.attacked) for m in results):6.2f}"
        f" {mean(gains):+7.3f} {max(gains):+6.2f} {sum(m.lifts_band for m in results):6}"
        f" {mean(map(abs, gains)):6.3f} {missed or ''}"
    )


async def report(
    examiner: Examiner, attacks: Sequence[Attack], rubrics: Sequence[Rubric], *, details: bool
) -> int:
    """Print the table; the number of expectations that were missed."""
    clean = Clean(examiner)
    print(HEAD)
    total = 0
    for family in dict.fromkeys(attack.family for attack in attacks):
        of_family: list[Measured] = []
        missed_in_family = 0
        for attack in (a for a in attacks if a.family == family):
            results = await measure(examiner, attack, rubrics, clean)
            if not results:
                continue
            missed = list(failures(attack, results))
            print(line(f"  {'*' if attack.starred else ' '} {attack.id}", results, len(missed)))
            for sentence in missed if details else ():
                print(f"      {sentence}")
            of_family += results
            missed_in_family += len(missed)
        if of_family:
            print(line(family, of_family, missed_in_family))
        total += missed_in_family
    print(f"{total} expectations missed by {examiner.name}.")
    return total


def chosen(names: Sequence[str]) -> tuple[Attack, ...]:
    """The attacks with these ids or of these families; all without names."""
    return tuple(a for a in load_attacks() if not names or a.id in names or a.family in names)


async def measure_all(arguments: argparse.Namespace) -> int:
    """Run what was asked for; the exit code."""
    wanted = arguments.rubric
    rubrics = [rubric for rubric in shipped_rubrics() if not wanted or rubric.id in wanted]
    attacks = chosen(arguments.attack)
    if not rubrics or not attacks:
        print("Nothing has that id; see rubrics list and attacks.yaml.", file=sys.stderr)
        return 2
    examiner = make_examiner(load_settings(), arguments.examiner)
    try:
        return int(await report(examiner, attacks, rubrics, details=arguments.details) > 0)
    finally:
        await examiner.aclose()


def main() -> None:
    """Parse the options, print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--examiner", choices=["offline", "llm"], default="offline")
    parser.add_argument("--rubric", action="append", default=[], metavar="ID")
    parser.add_argument("--attack", action="append", default=[], metavar="ID|FAMILY")
    parser.add_argument("--details", action="store_true", help="say what was missed and where")
    try:
        sys.exit(asyncio.run(measure_all(parser.parse_args())))
    except InterviewerError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
