"""Scripted candidates interviewed: what must follow their turns, what must not, and an audit.

    python -m tests.evals conduct.interviews [--personas DIR] [--examiner offline|llm]
        [--parallel 4] [--judge] [--json OUT] [--transcripts DIR] [--details]

Items kept and broken (those for a judge stay open without --judge), and breaches of the audit
(``audit.py`` says which 38 of 45 rules of conduct are checked by code); with --details also, worst
first, by persona and by rule. An endpoint comes from the usual settings; with one, the waits
between an answer and the next words are counted, and the words that were replaced.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from difflib import unified_diff
from pathlib import Path

from evals.conduct.audit import ITEMS, audit
from evals.conduct.auditing import Breach
from evals.conduct.scripted import (
    PRACTICE,
    Persona,
    PersonaPlayed,
    PersonaScore,
    ScriptedInterview,
    broken_items,
    load_personas,
    play,
    scored,
)
from evals.figures import Figure, count, share
from support.shipped import shipped_library

from interviewer.examiner import registry
from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import Examiner
from interviewer.settings import load_settings
from interviewer.store.store import Store

SHOWN = 6
"""So many breaches of one item are printed in full."""
FLOORS = {
    "argues-back": 57,
    "bluffer": 50,
    "code-switcher": 60,
    "cold-after-mistake": 57,
    "formula-only": 57,
    "hint-asker": 85,
    "honest-senior": 85,
    "injector": 60,
    "memoriser": 80,
    "other-question": 57,
    "over-long": 80,
    "quiet-one": 87,
    "rambler": 80,
    "takes-back": 57,
}
"""The least share of musts kept, in percent; 100 for the others.

Offline, formulas are not read, a sentence is heard and no argument, so who lives by them gets less.
"""
MUST_NOTS_KNOWN: frozenset[tuple[str, int]] = frozenset(
    {("code-switcher", 2), ("hint-asker", 3), ("other-question", 2)}
)
"""Turns, by persona and number, after which something happens that must not."""
BREACHES_KNOWN: dict[int, int] = {1: 10, 2: 1, 8: 1, 9: 2, 12: 1, 17: 2, 20: 2, 26: 1}
"""How many breaches of an item of the audit are known."""
READ = ("bluffer", "honest-senior", "memoriser")
"""Personas whose interviews are kept as they were played: see --transcripts."""


async def all_played(
    personas: Sequence[Persona], choice: str, parallel: int
) -> list[PersonaPlayed]:
    """All interviews of all personas, so many at a time."""
    library = {name: entry.model for name, entry in shipped_library().entries.items()}
    scripts = [(persona, script) for persona in personas for script in persona.interviews]
    limit = asyncio.Semaphore(parallel)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "simulated.db")

        async def one(number: int, persona: Persona, script: ScriptedInterview) -> PersonaPlayed:
            async with limit:
                examiner, waits = examiner_of(choice)
                try:
                    return await play(
                        store,
                        examiner,
                        persona,
                        script,
                        library,
                        session=f"{number:010x}",
                        waits=waits,
                    )
                finally:
                    await examiner.aclose()

        try:
            return await asyncio.gather(*(one(n, *each) for n, each in enumerate(scripts)))
        finally:
            store.close()


def examiner_of(choice: str) -> tuple[Examiner, Callable[[], int]]:
    """The examiner, and what tells how many waits it has caused since last asked."""
    if choice == registry.OFFLINE.choice:
        return OfflineExaminer(), lambda: 0
    from evals.conduct.endpoint_calls import CallCounter, counted

    from interviewer.examiner.llm.endpoint import endpoint_of
    from interviewer.examiner.llm.examiner import LlmExaminer

    calls = CallCounter()
    endpoint = counted(endpoint_of(load_settings()), calls)
    return LlmExaminer(endpoint), calls.take_waits


async def all_scored(
    plays: Sequence[PersonaPlayed], *, judged: bool, parallel: int
) -> list[PersonaScore]:
    """The scores, with those items judged at the endpoint if asked for."""
    if not judged:
        return [await scored(each) for each in plays]
    from evals.conduct.endpoint_calls import judge_at

    from interviewer.examiner.llm.endpoint import endpoint_of

    client, judge = judge_at(endpoint_of(load_settings()))
    limit = asyncio.Semaphore(parallel)

    async def one(each: PersonaPlayed) -> PersonaScore:
        async with limit:
            return await scored(each, judge)

    try:
        return await asyncio.gather(*map(one, plays))
    finally:
        await client.aclose()


def totals(scores: Sequence[PersonaScore]) -> Iterator[Figure]:
    """The figures over all personas."""

    def many(*, must: bool, result: str) -> int:
        return sum(each.count(must=must, result=result) for each in scores)  # type: ignore[arg-type]

    lines = list(broken_lines(scores))
    kept, broken = many(must=True, result="kept"), many(must=True, result="broken")
    yield share("musts kept", kept, kept + broken, [*by_persona(scores), *lines])
    held, breached = many(must=False, result="kept"), many(must=False, result="broken")
    yield share("must-nots broken", breached, held + breached)
    for result in ("open", "not_reached"):
        items = sum(many(must=must, result=result) for must in (True, False))
        yield Figure(f"items {result.replace('_', ' ')}", items)
    heard = [turn for score in scores for turn in score.turns if turn.heard is not None]
    right = sum(_as_heard(turn.kinds) == set(turn.heard or ()) for turn in heard)
    yield share("turns heard right", right, len(heard))


def _as_heard(kinds: Sequence[str]) -> set[str]:
    """The kinds of turn that a listener can tell apart."""
    return {"answer" if kind == "partial_answer" else kind for kind in kinds}


def by_persona(scores: Sequence[PersonaScore]) -> Iterator[str]:
    """A line for each interview, worst first."""

    def broken(score: PersonaScore) -> int:
        return sum(score.count(must=must, result="broken") for must in (True, False))

    yield f"{'persona':20} {'musts kept':>12} {'must-nots broken':>18} {'open':>6} {'turns':>7}"
    for each in sorted(scores, key=broken, reverse=True):
        kept, lost = (each.count(must=True, result=r) for r in ("kept", "broken"))
        held, breached = (each.count(must=False, result=r) for r in ("kept", "broken"))
        open_ = sum(each.count(must=must, result="open") for must in (True, False))
        turns = f"{sum(turn.reached for turn in each.turns)}/{len(each.turns)}"
        yield (
            f"{each.persona:20} {f'{kept}/{kept + lost}':>12} {f'{breached}/{breached + held}':>18}"
            f" {open_:>6} {turns:>7}"
        )


def by_item(breaches: Sequence[Breach]) -> Iterator[str]:
    """The audit's items with their breaches, worst first."""
    count = Counter(each.item for each in breaches)
    for item in sorted(ITEMS, key=lambda item: (-count[item.number], item.number)):
        yield f"{count[item.number]:4}  {item.number:2} {item.meaning}"
        shown = [each for each in breaches if each.item == item.number]
        for each in shown[:SHOWN]:
            yield f"        {each.rubric}: {each.why}"
            yield from ([f"            after “{each.said[:150]}”"] if each.said else [])
            yield from ([f"            said “{each.utterance}”"] if each.utterance else [])
        if len(shown) > SHOWN:
            yield f"        and {len(shown) - SHOWN} more"


def of_endpoint(plays: Sequence[PersonaPlayed]) -> Iterator[Figure]:
    """Waits and replaced words."""
    exchanges = [exchange for each in plays for _, exchange in each.played.each()]
    waits = Counter(each.waits for each in exchanges)
    said = [utterance for each in exchanges for utterance in each.utterances]
    replaced = [f"{each.replaced}: {each.text}" for each in said if each.replaced]
    at_most_one = sum(n for wait, n in waits.items() if wait <= 1)
    yield share("one wait or none", at_most_one, len(exchanges), [f"{sorted(waits.items())}"])
    yield share("words replaced", len(replaced), len(said), replaced)


def against_known(
    scores: Sequence[PersonaScore], breaches: Sequence[Breach], plays: Sequence[PersonaPlayed]
) -> Iterator[Figure]:
    """What has changed for the worse (or, of the turns, at all) since a look at it."""
    broken = {(s.persona, turn.number) for s, turn, item in broken_items(scores) if not item.must}
    changed = sorted(broken ^ MUST_NOTS_KNOWN)
    yield count("turns with a must-not broken, or one known that is not", changed)
    yield count("personas with fewer musts kept than known", fewer(scores))
    found = Counter(breach.item for breach in breaches)
    more = {item for item, times in found.items() if times > BREACHES_KNOWN.get(item, 0)}
    yield count(
        "breaches of rules broken more often than known", (b for b in breaches if b.item in more)
    )
    yield count("questions never asked", unasked(plays))
    yield count("interviews that read otherwise than kept", reading_otherwise(plays))


def fewer(scores: Sequence[PersonaScore]) -> Iterator[str]:
    """The personas that get less than their floor."""
    for score in scores:
        kept, broken = (score.count(must=True, result=r) for r in ("kept", "broken"))
        floor = FLOORS.get(score.persona, 100)
        if 100 * kept // (kept + broken) < floor:
            yield f"{score.persona}: {kept} of {kept + broken}, known are {floor} %"


def unasked(plays: Sequence[PersonaPlayed]) -> Iterator[str]:
    """Questions that an interview did not come to."""
    for each in plays:
        transcript = each.played.transcript()
        for rubric in each.script.rubrics:
            if f"({rubric})" not in transcript:
                yield f"{each.persona.persona}: {rubric}"


def reading_otherwise(plays: Sequence[PersonaPlayed]) -> Iterator[str]:
    """How the interviews that are kept differ; written anew with --transcripts after a look."""
    for each in plays:
        name = each.persona.persona
        if name in READ:
            kept = (PRACTICE / "transcripts" / f"{name}.txt").read_text(encoding="utf-8")
            now = each.played.transcript().strip().splitlines()
            if differences := list(unified_diff(kept.strip().splitlines(), now, n=0, lineterm="")):
                yield "\n    ".join([f"{name}:", *differences[2:]])


def broken_lines(scores: Sequence[PersonaScore]) -> Iterator[str]:
    """Every broken item with what was said."""
    for score, turn, item in broken_items(scores):
        what = "must" if item.must else "must not"
        yield f"{score.persona} {turn.number}: {what} {item.item.text}; {turn.move} followed"
        yield f"    “{turn.turn[:200]}”"
        yield f"    “{turn.utterance}”" + (f" [{turn.left}]" if turn.left else "")


def write_transcripts(folder: Path, plays: Sequence[PersonaPlayed]) -> None:
    """A text file for each interview."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, each in enumerate(plays, 1):
        file = folder / f"{number:02}-{each.persona.persona}.txt"
        file.write_text(each.played.transcript(), encoding="utf-8")


def options(parser: argparse.ArgumentParser) -> None:
    """What can be asked."""
    parser.add_argument("--personas", type=Path, default=PRACTICE)
    parser.add_argument("--examiner", choices=registry.CHOICES, default=registry.OFFLINE.choice)
    parser.add_argument("--parallel", type=int, default=4)
    parser.add_argument("--judge", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--transcripts", type=Path)


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    """What came of all interviews."""
    plays, scores = asyncio.run(_held(asked))
    audited = [(each, audit(each.played)) for each in plays]
    breaches = [breach for _, found in audited for breach in found]
    yield from totals(scores)
    yield Figure("breaches of the audit", len(breaches), "", list(by_item(breaches)))
    if asked.examiner != registry.OFFLINE.choice:
        yield from of_endpoint(plays)
    elif asked.personas == PRACTICE:
        yield from against_known(scores, breaches, plays)
    if asked.json:
        values = {
            "scores": [score.model_dump(mode="json") for score in scores],
            "audit": [
                {"persona": each.persona.persona, **asdict(breach)}
                for each, found in audited
                for breach in found
            ],
            "waits": [[e.waits for _, e in each.played.each()] for each in plays],
        }
        asked.json.write_text(json.dumps(values, ensure_ascii=False, indent=1), encoding="utf-8")
    if asked.transcripts:
        write_transcripts(asked.transcripts, plays)


async def _held(asked: argparse.Namespace) -> tuple[list[PersonaPlayed], list[PersonaScore]]:
    plays = await all_played(load_personas(asked.personas), asked.examiner, asked.parallel)
    return plays, await all_scored(plays, judged=asked.judge, parallel=asked.parallel)
