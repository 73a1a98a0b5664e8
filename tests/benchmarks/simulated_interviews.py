"""Scripted candidates interviewed: what must follow their turns, what must not, and an audit.

    python tests/benchmarks/simulated_interviews.py [--personas DIR] [--examiner offline|llm]
        [--parallel 4] [--judge] [--json OUT] [--transcripts DIR]

Prints, worst first, the items kept and broken per persona (those for a judge stay open without
``--judge``) and the breaches per item of the audit. An endpoint comes from the usual settings; with
one, the waits between an answer and the next words are counted, and the words that were replaced.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.audit import ITEMS, audit
from support.auditing import Breach
from support.personas import (
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

from interviewer.examiner import registry
from interviewer.examiner.offline.examiner import OfflineExaminer
from interviewer.examiner.protocol import Examiner
from interviewer.rubric.library import load_library
from interviewer.settings import load_settings
from interviewer.store.store import Store

SHOWN = 6
"""So many breaches of one item are printed in full."""


async def all_played(
    personas: Sequence[Persona], choice: str, parallel: int
) -> list[PersonaPlayed]:
    """All interviews of all personas, so many at a time."""
    library = {name: entry.model for name, entry in load_library(()).entries.items()}
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
    from support.endpoint_calls import CallCounter, counted

    from interviewer.examiner.llm.endpoint import endpoint_of
    from interviewer.examiner.llm.examiner import LlmExaminer

    calls = CallCounter()
    endpoint = counted(endpoint_of(load_settings()), calls)
    return LlmExaminer(endpoint, fallback=OfflineExaminer()), calls.take_waits


async def all_scored(
    plays: Sequence[PersonaPlayed], *, judged: bool, parallel: int
) -> list[PersonaScore]:
    """The scores, with those items judged at the endpoint if asked for."""
    if not judged:
        return [await scored(each) for each in plays]
    from support.endpoint_calls import judge_at

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


def share(part: int, whole: int) -> str:
    """As "3 of 4 (75 %)"."""
    return f"{part} of {whole}" + (f" ({100 * part / whole:.1f} %)" if whole else "")


def totals(scores: Sequence[PersonaScore]) -> Iterator[str]:
    """The figures over all personas."""

    def count(*, must: bool, result: str) -> int:
        return sum(each.count(must=must, result=result) for each in scores)  # type: ignore[arg-type]

    kept, broken = count(must=True, result="kept"), count(must=True, result="broken")
    held, breached = count(must=False, result="kept"), count(must=False, result="broken")
    open_ = count(must=True, result="open") + count(must=False, result="open")
    away = count(must=True, result="not_reached") + count(must=False, result="not_reached")
    yield f"musts kept            {share(kept, kept + broken)}"
    yield f"must-nots broken      {share(breached, held + breached)}"
    yield f"open for a judge      {open_}"
    yield f"not reached           {away}"
    heard = [turn for score in scores for turn in score.turns if turn.heard is not None]
    right = sum(_as_heard(turn.kinds) == set(turn.heard or ()) for turn in heard)
    yield f"turns heard right     {share(right, len(heard))}"


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


def of_endpoint(plays: Sequence[PersonaPlayed]) -> Iterator[str]:
    """Waits and replaced words."""
    exchanges = [exchange for each in plays for _, exchange in each.played.each()]
    waits = Counter(each.waits for each in exchanges)
    said = [utterance for each in exchanges for utterance in each.utterances]
    replaced = [utterance for utterance in said if utterance.replaced]
    at_most_one = sum(n for wait, n in waits.items() if wait <= 1)
    yield f"waits                 {dict(sorted(waits.items()))}"
    yield f"one wait or none      {share(at_most_one, len(exchanges))}"
    yield f"words replaced        {share(len(replaced), len(said))}"
    yield from (f"    {each.replaced}: {each.text}" for each in replaced)


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


async def run(options: argparse.Namespace) -> None:
    personas = load_personas(options.personas)
    plays = await all_played(personas, options.examiner, options.parallel)
    scores = await all_scored(plays, judged=options.judge, parallel=options.parallel)
    audited = [(each, audit(each.played)) for each in plays]
    breaches = [breach for _, found in audited for breach in found]
    parts = [totals(scores), by_persona(scores), by_item(breaches), broken_lines(scores)]
    if options.examiner != registry.OFFLINE.choice:
        parts.insert(1, of_endpoint(plays))
    for part in parts:
        print("\n".join(part), end="\n\n")
    if options.json:
        values = {
            "scores": [score.model_dump(mode="json") for score in scores],
            "audit": [
                {"persona": each.persona.persona, **asdict(breach)}
                for each, found in audited
                for breach in found
            ],
            "waits": [[e.waits for _, e in each.played.each()] for each in plays],
        }
        options.json.write_text(json.dumps(values, ensure_ascii=False, indent=1), encoding="utf-8")
    if options.transcripts:
        write_transcripts(options.transcripts, plays)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--personas", type=Path, default=PRACTICE)
    parser.add_argument("--examiner", choices=registry.CHOICES, default=registry.OFFLINE.choice)
    parser.add_argument("--parallel", type=int, default=4)
    parser.add_argument("--judge", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--transcripts", type=Path)
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
