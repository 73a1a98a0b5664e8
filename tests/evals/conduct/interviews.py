"""Scripted candidates interviewed: what must follow their turns, what must not, and an audit.

    python -m tests.evals conduct.interviews [--personas DIR] [--examiner offline|llm]
        [--parallel 4] [--transcripts DIR] [--details]

Items kept and broken, and breaches of the audit (``audit.py`` says which 37 of 45 rules of conduct
are checked by code). An endpoint comes from the usual settings.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from pathlib import Path

from evals.conduct.audit import audit
from evals.conduct.auditing import Breach
from evals.conduct.scripted import (
    PRACTICE,
    Persona,
    PersonaPlayed,
    PersonaScore,
    ScriptedInterview,
    load_personas,
    play,
    scored,
)
from evals.figures import Figure, count, share
from support.shipped import shipped_library

from interviewer.composition import make_examiner
from interviewer.examiner import registry
from interviewer.settings import load_settings
from interviewer.store.store import Store

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
    library = {name: entry.model for name, entry in shipped_library().entries.items()}
    scripts = [(persona, script) for persona in personas for script in persona.interviews]
    limit = asyncio.Semaphore(parallel)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "simulated.db")

        async def one(number: int, persona: Persona, script: ScriptedInterview) -> PersonaPlayed:
            async with limit:
                examiner = make_examiner(load_settings(), choice)
                session = f"{number:010x}"
                try:
                    return await play(store, examiner, persona, script, library, session=session)
                finally:
                    await examiner.aclose()

        try:
            return await asyncio.gather(*(one(n, *each) for n, each in enumerate(scripts)))
        finally:
            store.close()


def totals(scores: Sequence[PersonaScore]) -> Iterator[Figure]:
    lines = [line for score in scores for line in broken_lines(score)]
    for name, must, told, notes in (
        ("musts kept", True, "kept", lines),
        ("must-nots broken", False, "broken", []),
    ):
        found = Counter[str]()
        for result in ("kept", "broken"):
            found[result] = sum(each.count(must=must, result=result) for each in scores)
        yield share(name, found[told], found.total(), notes)


def broken_lines(score: PersonaScore) -> Iterator[str]:
    for each in score.items:
        if each.result == "broken" and each.exchange:
            what = f"{'must' if each.must else 'must not'} {each.item.text}"
            yield f"{score.persona} {each.number}: {what}; {each.exchange.move} followed"
            yield f"    “{(each.turn.say or f'[{each.turn.do}]')[:200]}”"
            yield f"    “{each.exchange.text}” {each.exchange.closed or ''}"


def against_known(
    scores: Sequence[PersonaScore], breaches: Sequence[Breach], plays: Sequence[PersonaPlayed]
) -> Iterator[Figure]:
    """What has changed for the worse (or, of the turns, at all) since a look at it."""
    broken = {
        (score.persona, each.number)
        for score in scores
        for each in score.items
        if each.result == "broken" and not each.must
    }
    changed = sorted(broken ^ MUST_NOTS_KNOWN)
    yield count("turns with a must-not broken, or one known that is not", changed)
    yield count("personas with fewer musts kept than known", fewer(scores))
    found = Counter(breach.item for breach in breaches)
    more = {item for item, times in found.items() if times > BREACHES_KNOWN.get(item, 0)}
    yield count(
        "breaches of rules broken more often than known", (b for b in breaches if b.item in more)
    )
    unasked = [
        f"{each.persona.persona}: {rubric}"
        for each in plays
        for rubric in each.script.rubrics
        if rubric not in {talk.rubric.id for talk in each.played.talks}
    ]
    yield count("questions never asked", unasked)
    yield count("interviews that read otherwise than kept", reading_otherwise(plays))


def fewer(scores: Sequence[PersonaScore]) -> Iterator[str]:
    for score in scores:
        kept, broken = (score.count(must=True, result=r) for r in ("kept", "broken"))
        floor = FLOORS.get(score.persona, 100)
        if 100 * kept // (kept + broken) < floor:
            yield f"{score.persona}: {kept} of {kept + broken}, known are {floor} %"


def reading_otherwise(plays: Sequence[PersonaPlayed]) -> Iterator[str]:
    """How the interviews that are kept differ; written anew with --transcripts after a look."""
    for each in plays:
        name = each.persona.persona
        if name in READ:
            kept = (PRACTICE / "transcripts" / f"{name}.txt").read_text(encoding="utf-8")
            now = each.played.transcript().strip().splitlines()
            if differences := list(unified_diff(kept.strip().splitlines(), now, n=0, lineterm="")):
                yield "\n    ".join([f"{name}:", *differences[2:]])


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--personas", type=Path, default=PRACTICE)
    parser.add_argument("--examiner", choices=registry.CHOICES, default=registry.OFFLINE.choice)
    parser.add_argument("--parallel", type=int, default=4)
    parser.add_argument("--transcripts", type=Path)


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    played = all_played(load_personas(asked.personas), asked.examiner, asked.parallel)
    plays = asyncio.run(played)
    scores = [scored(each) for each in plays]
    breaches = [breach for each in plays for breach in audit(each.played)]
    yield from totals(scores)
    yield count("breaches of the audit", sorted(breaches, key=lambda each: each.item))
    if asked.examiner == registry.OFFLINE.choice and asked.personas == PRACTICE:
        yield from against_known(scores, breaches, plays)
    if asked.transcripts:
        asked.transcripts.mkdir(parents=True, exist_ok=True)
        for number, each in enumerate(plays, 1):
            file = asked.transcripts / f"{number:02}-{each.persona.persona}.txt"
            file.write_text(each.played.transcript(), encoding="utf-8")
