"""What is made of figures that are true, and of figures that cannot be.

Each folder of ``sets/`` holds passages and whole accounts that are true, statements that cannot be,
and interviews with a contradiction planted across questions or with none, written by people who saw
no code. Each set was measured once before it taught anything.
``strong_reader.jsonl`` keeps what a strong model replied to the request for figures.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from evals.figures import Figure, count, share

from interviewer.examiner.llm.conversation import read_figures_reply
from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import AnswerToRead
from interviewer.grading.claims.ledger import ledger
from interviewer.grading.claims.quantity import Contradiction, Quantity, Reading
from interviewer.grading.transcript import Turn, TurnKind

SETS = Path(__file__).with_name("sets")
TRUE = ("true", "accounts")


def measure(asked: argparse.Namespace) -> Iterator[Figure]:
    """For each set the true ones that are accused, and the impossible ones that are found."""
    for folder in sorted(each for each in SETS.iterdir() if each.is_dir()):
        for kind in (*TRUE, "impossible"):
            texts = _texts(folder, kind)
            found = {id_: told[0].sentence for id_, told in _offline(texts)}
            yield from _told(f"{folder.name}: {kind}", kind, texts, found)
        for kind, name in (("planted", "planted found"), ("honest", "honest interviews accused")):
            interviews = _rows(folder, kind)
            raised = [row["id"] for row in interviews if _contradictions_of(row["answers"])]
            if interviews and kind == "planted":
                yield share(f"{folder.name}: {name}", len(raised), len(interviews))
            elif interviews:
                yield count(f"{folder.name}: {name}", raised, len(interviews))
        yield from _by_strong_reader(folder)


def _told(
    name: str, kind: str, texts: Mapping[str, str], found: Mapping[str, str], who: str = ""
) -> Iterator[Figure]:
    """The share of impossible texts that are found, or how many true ones are."""
    if texts and kind == "impossible":
        missed = [f"{id_}: {text}" for id_, text in texts.items() if id_ not in found]
        yield share(f"{name}{who or ' found'}", len(found), len(texts), missed)
    elif texts:
        accused = (f"{id_}: {sentence}" for id_, sentence in found.items())
        yield count(f"{name}{who or ' accused'}", accused, len(texts))


def _by_strong_reader(folder: Path) -> Iterator[Figure]:
    file = folder / "strong_reader.jsonl"
    if not file.exists():
        return
    replies = {r["id"]: r["reply"] for r in map(json.loads, file.read_text("utf-8").splitlines())}
    for kind in (*TRUE, "impossible"):
        texts = {id_: text for id_, text in _texts(folder, kind).items() if id_ in replies}
        found = {
            id_: text
            for id_, text in texts.items()
            if ledger([read_figures_reply(replies[id_], _turn(text)).value]).contradictions
        }
        yield from _told(f"{folder.name}: {kind}", kind, texts, found, ", strong reader")


def _rows(folder: Path, kind: str) -> list[dict[str, Any]]:
    file = folder / f"{kind}.yaml"
    return yaml.safe_load(file.read_text(encoding="utf-8")) if file.exists() else []


def _texts(folder: Path, kind: str) -> dict[str, str]:
    return {f"{kind} {row['id']}": row["text"] for row in _rows(folder, kind)}


def _offline(texts: dict[str, str]) -> Iterator[tuple[str, Sequence[Contradiction]]]:
    """Those with a contradiction, as answers to a question on one's own work."""
    for id_, text in texts.items():
        if found := ledger([_read(AnswerToRead(_turn(text), on_own_work=True))]).contradictions:
            yield id_, found


def _contradictions_of(answers: Sequence[dict[str, str]]) -> Sequence[Contradiction]:
    """Over the answers of one interview, each question read as it was asked."""
    readings: list[Reading] = []
    known: tuple[Quantity, ...] = ()
    for number, each in enumerate(answers, start=1):
        turn = _turn(each["answer"], 2 * number)
        readings.append(_read(AnswerToRead(turn, each["question"], known, 2 * number - 1)))
        known = ledger(readings).quantities
    return ledger(readings).contradictions


def _turn(text: str, number: int = 1) -> Turn:
    return Turn(number, "candidate", TurnKind.ANSWER, text)


def _read(answer: AnswerToRead) -> Reading:
    """Without an event loop: the rules wait for nothing."""
    reading = OfflineExaminer().read_figures(answer)
    try:
        reading.send(None)
    except StopIteration as done:
        read: Reading = done.value
        return read
    raise AssertionError("the offline examiner waited")
