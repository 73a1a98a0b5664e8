"""Every row of the table of speed, each as a ratio to its floor, measured in one run.

    python tests/benchmarks [--only GROUP …] [--rounds N]

Prints the rows with their bars and how each has changed since the last run, whose rows it keeps in
``.benchmarks/speed.json``. All floors are measured beside what they are compared with, in turns;
quote the ratios, and run it on a quiet machine. First paints and turns are told in processor time,
which hardly moves with the load. Linux only (/proc).
"""

from __future__ import annotations

import argparse
import asyncio
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import (
    many_sessions,
    own_time,
    prompt_cost,
    responsiveness,
    sandbox_latency,
    start_up,
    streaming,
)
from support.shipped import sample, shipped_rubrics
from support.speed import Row, earlier, saved, table

from interviewer.examiner.offline.judge import judge
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.interview.plans import Length

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".benchmarks" / "speed.json"
MANY = 100_000


def starting(rounds: int) -> Iterator[Row]:
    """``--help``, and the first paint of home."""
    ours, bare = start_up.medians(
        rounds,
        lambda: start_up.whole("-m", "interviewer", "--help"),
        lambda: start_up.whole("-c", "pass"),
    )
    yield Row("--help, whole process", ours.cpu, bare.cpu, 5, "a bare interpreter", "cpu s")
    ours, bare = start_up.medians(
        rounds,
        lambda: start_up.until_painted(start_up.COMPILED),
        lambda: start_up.until_painted(start_up.COMPILED, "-c", start_up.BARE_APP),
    )
    yield Row("first paint of home", ours.cpu, bare.cpu, 1.2, "an app with a label", "cpu s")


def screens(rounds: int) -> Iterator[Row]:
    """First paints of the screens over weeks of practice."""
    with start_up.lived_in() as environment:
        for scene, count, ours, bare in start_up.screens(rounds, environment):
            floor = f"{count} bare widgets of like content"
            yield Row(f"first paint of {scene}", ours.cpu, bare.cpu, 1.2, floor, "cpu s")


def interviewing(rounds: int) -> Iterator[Row]:
    """An interview's opening, memory and keys."""
    talk = "an app with Markdown and a TextArea"
    seen = responsiveness.in_terminals(rounds, 30 * rounds)
    median, worst = statistics.median, responsiveness.ninety_nine
    yield Row("an interview opened from home", median(seen.opened), median(seen.painted), 1.2, talk)
    yield Row(
        "memory at the first question", median(seen.peaks), median(seen.bare_peaks), 2, talk, "MiB"
    )
    slower = max(0.0, worst(seen.keys) - worst(seen.bare_keys))
    yield Row("a key until it is seen, p99 above the floor's", slower, 16, 1, "one frame", "ms")


def turning(rounds: int) -> Iterator[Row]:
    """What of a turn is ours, from the key that sends to the frame with the next one."""
    median, worst = statistics.median, responsiveness.ninety_nine
    mine, floor = own_time.measured(max(1, rounds // 2))
    own, itself = "our own time for a turn", "the bar itself"
    bare = "a bare app that shows as much"
    yield Row(f"{own}, median", median(mine.turns), 10, 1, itself, "cpu ms")
    yield Row(f"{own}, p99", worst(mine.turns), 50, 1, itself, "cpu ms")
    yield Row("a turn, median", median(mine.turns), median(floor.turns), 2, bare, "cpu ms")
    yield Row("a key, median", median(mine.keys), median(floor.keys), 2, bare, "cpu ms")


def lasting(rounds: int) -> Iterator[Row]:
    """An interview that is very long already, beside one that has just begun."""
    mine, _ = own_time.measured(max(1, rounds // 2))
    late, median, begun = own_time.late(), statistics.median, "one in the first turns"
    name = f"after {own_time.LONG:,} turns"
    yield Row(f"{name}: a turn", median(late.turns), median(mine.turns), 2, begun, "cpu ms")
    yield Row(f"{name}: a key", median(late.keys), median(mine.keys), 2, begun, "cpu ms")


def waiting(rounds: int) -> Iterator[Row]:
    """A reply of a model that streams in, while the candidate types on."""
    seen, worst = streaming.measured(max(1, rounds // 2)), responsiveness.ninety_nine
    used = statistics.median(seen.streaming)
    rate = f"a reply at {streaming.TOKENS_A_SECOND} tokens/s, of one core"
    yield Row(rate, used, 0.35, 1, "the bar itself", "share")
    slower = max(0.0, worst(seen.keys) - worst(seen.resting_keys))
    yield Row("a key meanwhile, p99 above one at rest", slower, 16, 1, "one frame", "ms")


def prompting(_rounds: int) -> Iterator[Row]:
    """Waits and tokens of a mock of three rounds with a model."""
    spent, _, answers = asyncio.run(prompt_cost.hold("three-rounds", Length.STANDARD, doubts=False))
    second = (spent.calls["ask"] + spent.calls["giveaways"]) / answers
    yield Row("answers with a second wait", second, 0.1, 1, "the bar itself", "share")
    most = prompt_cost.MOST_TOKENS
    three, *_ = asyncio.run(
        prompt_cost.hold("three-rounds", Length.STANDARD, doubts=False, last_rounds=3)
    )
    yield Row("tokens of three rounds", three.tokens, most, 1, "the bar itself", "tokens")
    whole = "tokens of a three-round mock, which is four"
    yield Row(whole, spent.tokens, most, 1, "the bar itself, for three", "tokens")
    anew = 1 - spent.cacheable
    yield Row("prompt tokens no cache can serve", anew, 0.3, 1, "the bar itself", "share")


def judging(rounds: int) -> Iterator[Row]:
    """The offline judge of one answer, over answers that ship."""
    times = []
    for rubric in sample(shipped_rubrics(), 40):
        for number in range(rounds):
            answer = f"{rubric.samples[number % len(rubric.samples)].answer} {number}"
            turn = Turn(2, "candidate", TurnKind.ANSWER, answer)
            judge(rubric, (turn,))
            begun = time.process_time()
            judge(rubric, (Turn(2, "candidate", TurnKind.ANSWER, f"{answer}."),))
            times.append(1000 * (time.process_time() - begun))
    middle = statistics.median(times)
    yield Row("offline judge of an answer, median", middle, 20, 1, "the bar itself", "cpu ms")


def checking(rounds: int) -> Iterator[Row]:
    """A check at the bench, its worker warm."""
    armed, cold = asyncio.run(sandbox_latency.against_cold(10 * rounds, rounds))
    yield Row("a check, worker warm", armed, cold, 1 / 50, "a cold import of torch", "ms")


def remembering(rounds: int) -> Iterator[Row]:
    """What the screens read, with very many sessions stored."""
    with tempfile.TemporaryDirectory() as folder:
        few, many = Path(folder) / "few.db", Path(folder) / "many.db"
        many_sessions.fill(few, many_sessions.FEW)
        many_sessions.fill(many, MANY)
        floor = f"the same with {many_sessions.FEW}"
        for name, (a, b) in many_sessions.medians(few, many, 3 * rounds).items():
            yield Row(f"{MANY:,} sessions: {name}", b, a, 2, floor, "ms")


def installing(_rounds: int) -> Iterator[Row]:
    """What the program and all that it needs without its extras takes up on the disk."""
    # An editable installation has the program's own files elsewhere.
    files = {each for top in ("interviewer", "tui", "rubrics") for each in (ROOT / top).rglob("*")}
    files.update(*map(_files, _needed("mock-interviewer", set())))
    found = sum(map(_size, files))
    bytecode = sum(_size(each) for each in files if each.suffix == ".pyc")
    yield Row("installed without torch", found / 1e6, 100, 1, "the bar itself", "MB")
    bare = "the same before anything is compiled"
    yield Row(bare, (found - bytecode) / 1e6, 100, 1, "the bar itself", "MB")


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


GROUPS: dict[str, Callable[[int], Iterator[Row]]] = {
    "start": starting,
    "screens": screens,
    "interview": interviewing,
    "turns": turning,
    "streaming": waiting,
    "prompts": prompting,
    "judge": judging,
    "bench": checking,
    "sessions": remembering,
    "install": installing,
    "long": lasting,
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", action="append", choices=GROUPS, help="may be repeated")
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    before = earlier(KEPT)
    print(next(table((), before)))
    for name in asked.only or GROUPS:
        for row in GROUPS[name](asked.rounds):
            saved([row], KEPT)
            *_, line = table([row], before)
            print(line, flush=True)


if __name__ == "__main__":
    main()
