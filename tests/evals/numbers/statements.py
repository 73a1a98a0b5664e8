"""What is made of figures that are true, and of figures that cannot be.

Each folder of ``sets/`` holds passages and whole accounts that are true, statements that cannot be,
and interviews with a contradiction planted across questions or with none, written by people who saw
no code. Each set was measured once before it taught anything.
``strong_reader.jsonl`` keeps what a strong model replied to the request for figures.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
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
        for kind in TRUE:
            texts = _texts(folder, kind)
            accused = [f"{id_}: {found[0].sentence}" for id_, found in _offline(texts)]
            if texts:
                yield count(f"{folder.name}: {kind} accused", accused, len(texts))
        texts = _texts(folder, "impossible")
        hits = {id_ for id_, _ in _offline(texts)}
        missed = [f"{id_}: {text}" for id_, text in texts.items() if id_ not in hits]
        if texts:
            yield share(f"{folder.name}: impossible found", len(hits), len(texts), missed)
        interviews = _rows(folder, "planted")
        raised = [row["id"] for row in interviews if _contradictions_of(row["answers"])]
        if interviews:
            yield share(f"{folder.name}: planted found", len(raised), len(interviews))
        interviews = _rows(folder, "honest")
        raised = [row["id"] for row in interviews if _contradictions_of(row["answers"])]
        if interviews:
            yield count(f"{folder.name}: honest interviews accused", raised, len(interviews))
        yield from _by_strong_reader(folder)


def _by_strong_reader(folder: Path) -> Iterator[Figure]:
    file = folder / "strong_reader.jsonl"
    if not file.exists():
        return
    replies = {r["id"]: r["reply"] for r in map(json.loads, file.read_text("utf-8").splitlines())}
    for kind in (*TRUE, "impossible"):
        texts = {id_: text for id_, text in _texts(folder, kind).items() if id_ in replies}
        found = [
            id_
            for id_, text in texts.items()
            if ledger([read_figures_reply(replies[id_], _turn(text)).value]).contradictions
        ]
        name = f"{folder.name}: {kind}, strong reader"
        if not texts:
            continue
        if kind == "impossible":
            yield share(name, len(found), len(texts), sorted(texts.keys() - set(found)))
        else:
            yield count(name, found, len(texts))


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
