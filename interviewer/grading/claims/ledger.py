"""The ledger of a session: a fold of what was read in each turn, and of marks made by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import isclose

from interviewer.grading.claims import engine
from interviewer.grading.claims.quantity import (
    GROUPED,
    Contradiction,
    Ledger,
    Mark,
    Place,
    Quantity,
    Reading,
    kind_of,
    measures,
)
from interviewer.grading.transcript import ParsedAnswer
from interviewer.rubric.text import overlap

BREATH = 400
"""So many characters belong together."""
SAME = 0.03
"""How near two values are that are one, said again."""


def ledger(
    readings: Sequence[Reading],
    marks: Sequence[Mark] = (),
    objections: Mapping[int, Sequence[frozenset[Place]]] = {},
) -> Ledger:
    """What stands after these readings, oldest first.

    ``objections`` says, by the turn of the reply, at which places the figures stand that the
    examiner had objected to. A strike of such a figure counts as taking it back.
    """
    kept: list[Quantity] = []
    circumstances: dict[str, set[str]] = {}
    settled: list[frozenset[Place]] = []
    for reading in readings:
        objected = objections.get(reading.turn, ())
        if reading.resolves == "given_up":
            _take_back(kept, objected, reading)
        elif reading.resolves == "explained":
            settled += objected
        for run, name in reading.circumstances:
            circumstances.setdefault(run, set()).add(name)
        for quantity in reading.quantities:
            _enter(kept, quantity)
    for mark in marks:
        _mark(kept, mark, objections)
    found = tuple(_found(kept, circumstances))
    explained = tuple(each for each in found if any(each.places <= places for places in settled))
    open_ = tuple(each for each in found if each not in explained)
    closing = tuple(
        closing
        for run, stated in _runs([each for each in kept if not each.nearby]).items()
        if not any(q in stated for each in found for q in each.quantities)
        for closing in engine.closings(stated, frozenset(circumstances.get(run[0], ())))
    )
    return Ledger(tuple(kept), open_, closing, explained)


def _enter(kept: list[Quantity], new: Quantity) -> None:
    """Add a figure; what it replaces or takes back of the same run no longer stands.

    One said again in another turn stays the figure that it was.
    """
    is_known = False
    for place, old in enumerate(kept):
        if old.measure != new.measure or old.run != new.run or old.status != "stands":
            continue
        is_same = isclose(old.value, new.value, rel_tol=SAME)
        if new.status == "withdrawn" and is_same and old.place != new.place:
            kept[place] = replace(old, status="withdrawn")
        elif new.status == "stands" and new.replaces and not is_same and new.measure != "other":
            kept[place] = replace(old, status="corrected")
        elif is_same and old.whose == new.whose and old.turn != new.turn:
            kept[place] = replace(old, device=old.device or new.device)
            is_known = is_known or old.measure not in GROUPED
    if new.status != "withdrawn" and not is_known:
        kept.append(new)


def _take_back(kept: list[Quantity], objected: Sequence[frozenset[Place]], reply: Reading) -> None:
    """Of the figures objected to, those that the reply names or replaces; all if it names none."""
    named = {q.measure for q in reply.quantities if q.replaces or q.status == "withdrawn"}
    meant = [
        place
        for place, each in enumerate(kept)
        if each.status == "stands" and any(each.place in places for places in objected)
    ]
    for place in [at for at in meant if kept[at].measure in named] or meant:
        kept[place] = replace(kept[place], status="withdrawn")


def _mark(
    kept: list[Quantity],
    mark: Mark,
    objections: Mapping[int, Sequence[frozenset[Place]]],
) -> None:
    for place, each in enumerate(kept):
        if each.place != (mark.turn, mark.start):
            continue
        was_objected = any(
            each.place in places
            for turn, raised in objections.items()
            if turn <= mark.after + 1
            for places in raised
        )
        if mark.value is None:
            kept[place] = replace(each, status="withdrawn" if was_objected else "struck")
        else:
            is_gone = each.status in ("struck", "withdrawn")
            kept[place] = replace(
                each,
                value=mark.value,
                text=mark.text or each.text,
                status="stands" if is_gone else each.status,
            )


def gives(wants: str, answer: ParsedAnswer, read: Sequence[Quantity]) -> bool:
    """The answer holds a figure of this quantity, as read or as a bare number of a fitting unit."""
    unit = measures()[wants].unit
    if wants in GROUPED or unit == "any":
        return bool(answer.quantities)
    units = {each.measure: measures()[each.measure].unit for each in read}
    if any(name == wants or units[name] == unit == "share" for name in units):
        return True
    return any(
        kind_of(number.tail, "") in unit and not any(overlap(number.span, q.span) for q in read)
        for number in answer.quantities
    )


def _runs(kept: Sequence[Quantity]) -> Mapping[tuple[str, int], tuple[Quantity, ...]]:
    """What stands, by run; counts of one statement are a group of their own, with its turn."""
    runs: dict[tuple[str, int], list[Quantity]] = {}
    for each in kept:
        if each.counts:
            turn = each.turn if each.measure in GROUPED else -1
            runs.setdefault((each.run, turn), []).append(each)
    return {run: tuple(stated) for run, stated in runs.items()}


def _is_of_one_kind(stated: Sequence[Quantity]) -> bool:
    """Counts of a statement are in one unit, as far as that can be told."""
    known = measures()
    units = (q.unit for q in stated if q.measure in GROUPED and known[q.measure].unit == "any")
    return len({kind_of(unit) for unit in units if unit}) <= 1


def _found(
    kept: Sequence[Quantity], circumstances: Mapping[str, set[str]]
) -> Iterator[Contradiction]:
    """Over the whole run from what is sure of itself, then turn by turn from all of it."""
    for (run, _), stated in _runs(kept).items():
        if not _is_of_one_kind(stated):
            continue
        known = frozenset(circumstances.get(run, ()))
        sure = tuple(each for each in stated if not each.nearby)
        turns = {each.turn: None for each in stated if each.nearby}
        said: set[Quantity] = set()
        for group in (sure, *(tuple(q for q in stated if q.turn == turn) for turn in turns)):
            for each in engine.contradictions(group, known):
                is_new = 2 * len(said & set(each.quantities)) < len(each.quantities)
                if is_new and not _is_half_read(each):
                    said.update(each.quantities)
                    yield each


def _is_half_read(found: Contradiction) -> bool:
    """All of it was said in one turn, and a number beside it that rules could not read; or what
    words further off tell was not said in one breath."""
    parts = found.quantities
    if len({each.turn for each in parts}) != 1:
        return False
    is_far = max(q.span[1] for q in parts) - min(q.span[0] for q in parts) > BREATH
    return any(each.unsure or (is_far and each.nearby) for each in parts)
