"""Start-up, paints, keys, turns, the judge, the bench: each beside its floor, in one run.

    python -m tests.evals speed [--only PART …] [--rounds N]

A figure is a ratio to its floor where there is one. All floors are measured beside what they are
compared with, in turns; quote the ratios, and run it on a quiet machine. First paints and turns are
told in processor time, which hardly moves with the load. Linux only (/proc).
"""

from __future__ import annotations

import argparse
import asyncio
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path

from evals.figures import Figure
from evals.speed import (
    load_rubrics,
    many_sessions,
    own_time,
    responsiveness,
    sandbox_latency,
    start_up,
    streaming,
)
from support.shipped import sample, shipped_rubrics

from interviewer.examiner.offline.judge import judge
from interviewer.grading.transcript import Turn, TurnKind

ROOT = Path(__file__).parents[3]
MANY = 100_000


def times(name: str, measured: float, against: float, floor: str, unit: str = "s") -> Figure:
    beside = f"times: {measured:.3f} against {against:.3f} {unit} of {floor}"
    return Figure(name, measured / against, beside)


def starting(rounds: int) -> Iterator[Figure]:
    """``--help``, and the first paint of home."""
    ours, bare = start_up.medians(
        rounds,
        lambda: start_up.whole("-m", "interviewer", "--help"),
        lambda: start_up.whole("-c", "pass"),
    )
    yield times("--help, whole process", ours, bare, "a bare interpreter", "cpu s")
    ours, bare = start_up.medians(
        rounds,
        lambda: start_up.until_painted(start_up.COMPILED),
        lambda: start_up.until_painted(start_up.COMPILED, "-c", start_up.BARE_APP),
    )
    yield times("first paint of home", ours, bare, "an app with a label", "cpu s")


def screens(rounds: int) -> Iterator[Figure]:
    with start_up.lived_in() as environment:
        for scene, count, ours, bare in start_up.screens(rounds, environment):
            floor = f"{count} bare widgets of like content"
            yield times(f"first paint of {scene}", ours, bare, floor, "cpu s")


def interviewing(rounds: int) -> Iterator[Figure]:
    talk = "an app with Markdown and a TextArea"
    seen = responsiveness.in_terminals(rounds, 30 * rounds)
    median, worst = statistics.median, responsiveness.ninety_nine
    yield times("an interview opened from home", median(seen.opened), median(seen.painted), talk)
    peak, floor = median(seen.peaks), median(seen.bare_peaks)
    yield times("memory at the first question", peak, floor, talk, "MiB")
    slower = max(0.0, worst(seen.keys) - worst(seen.bare_keys))
    yield Figure("a key until it is seen, p99 above the floor's", slower, "ms")


def turning(rounds: int) -> Iterator[Figure]:
    """What of a turn is ours, from the key that sends to the frame with the next one."""
    median, worst = statistics.median, responsiveness.ninety_nine
    mine, floor = own_time.measured(max(1, rounds // 2))
    bare = "a bare app that shows as much"
    yield Figure("our own time for a turn, median", median(mine.turns), "cpu ms")
    yield Figure("our own time for a turn, p99", worst(mine.turns), "cpu ms")
    yield times("a turn, median", median(mine.turns), median(floor.turns), bare, "cpu ms")
    yield times("a key, median", median(mine.keys), median(floor.keys), bare, "cpu ms")


def lasting(rounds: int) -> Iterator[Figure]:
    """An interview that is very long already, beside one that has just begun."""
    mine, _ = own_time.measured(max(1, rounds // 2))
    late, median, begun = own_time.late(), statistics.median, "one in the first turns"
    name = f"after {own_time.LONG:,} turns"
    yield times(f"{name}: a turn", median(late.turns), median(mine.turns), begun, "cpu ms")
    yield times(f"{name}: a key", median(late.keys), median(mine.keys), begun, "cpu ms")


def waiting(rounds: int) -> Iterator[Figure]:
    """A reply of a model that streams in, while the candidate types on."""
    seen, worst = streaming.measured(max(1, rounds // 2)), responsiveness.ninety_nine
    used = statistics.median(seen.streaming)
    rate = f"a reply at {streaming.TOKENS_A_SECOND} tokens/s, of one core"
    yield Figure(rate, used)
    slower = max(0.0, worst(seen.keys) - worst(seen.resting_keys))
    yield Figure("a key meanwhile, p99 above one at rest", slower, "ms")


def judging(rounds: int) -> Iterator[Figure]:
    taken = []
    for rubric in sample(shipped_rubrics(), 40):
        for number in range(rounds):
            answer = f"{rubric.samples[number % len(rubric.samples)].answer} {number}"
            turn = Turn(2, "candidate", TurnKind.ANSWER, answer)
            judge(rubric, (turn,))
            begun = time.process_time()
            judge(rubric, (Turn(2, "candidate", TurnKind.ANSWER, f"{answer}."),))
            taken.append(1000 * (time.process_time() - begun))
    yield Figure("offline judge of an answer, median", statistics.median(taken), "cpu ms")


def checking(rounds: int) -> Iterator[Figure]:
    armed, cold = asyncio.run(sandbox_latency.against_cold(10 * rounds, rounds))
    yield times("a check, worker warm", armed, cold, "a cold import of torch", "ms")


def remembering(rounds: int) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        few, many = Path(folder) / "few.db", Path(folder) / "many.db"
        many_sessions.fill(few, many_sessions.FEW)
        many_sessions.fill(many, MANY)
        read = many_sessions.medians(few, many, 3 * rounds)
    notes = [f"{name}: {b:.2f} against {a:.2f} ms, {b / a:.2f}" for name, (a, b) in read.items()]
    slowest = max(b / a for a, b in read.values())
    floor = f"times the same with {many_sessions.FEW}"
    yield Figure(f"the slowest read of {MANY:,} sessions", slowest, floor, notes)


def loading(rounds: int) -> Iterator[Figure]:
    alone, beside, indexed, one = load_rubrics.medians(2 * rounds)
    yield times("loading beside broken files", beside, alone, "loading alone", "cpu ms")
    yield times("loading from the index", indexed, one, "one file", "cpu ms")


def installing(_rounds: int) -> Iterator[Figure]:
    """What the program and all that it needs without its extras takes up on the disk."""
    # An editable installation has the program's own files elsewhere.
    files = {each for top in ("interviewer", "tui", "rubrics") for each in (ROOT / top).rglob("*")}
    files.update(*map(_files, _needed("mock-interviewer", set())))
    found = sum(map(_size, files))
    bytecode = sum(_size(each) for each in files if each.suffix == ".pyc")
    yield Figure("installed without torch", found / 1e6, "MB")
    yield Figure("the same before anything is compiled", (found - bytecode) / 1e6, "MB")


def _needed(name: str, seen: set[str]) -> Iterator[metadata.Distribution]:
    if name in seen:
        return
    seen.add(name)
    try:
        found = metadata.distribution(name)
    except metadata.PackageNotFoundError:  # needed elsewhere, as on another system
        return
    yield found
    for wanted in found.requires or ():
        bare, _, condition = wanted.partition(";")
        if "extra" not in condition:
            word = re.match(r"[\w.-]+", bare)
            yield from _needed(re.sub(r"[-_.]+", "-", word[0]).lower() if word else "", seen)


def _files(found: metadata.Distribution) -> Iterator[Path]:
    return (Path(str(found.locate_file(each))) for each in found.files or ())


def _size(file: Path) -> int:
    return file.stat().st_blocks * 512 if file.is_file() else 0


PARTS: dict[str, Callable[[int], Iterator[Figure]]] = {
    "start": starting,
    "screens": screens,
    "interview": interviewing,
    "turns": turning,
    "streaming": waiting,
    "judge": judging,
    "bench": checking,
    "sessions": remembering,
    "rubrics": loading,
    "install": installing,
    "long": lasting,
}


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", action="append", choices=PARTS, help="may be repeated")
    parser.add_argument("--rounds", type=int, default=5)


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    for name in asked.only or PARTS:
        yield from PARTS[name](asked.rounds)
