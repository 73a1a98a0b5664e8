"""Rows of the table of speed: what was measured, beside what, and how that was the last time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Row:
    """One figure beside its floor or its bound, measured in the same run.

    ``against`` is the floor in the same unit, or 1 where ``measured`` is held to the bar itself.
    ``bar`` bounds the ratio of the two, from above.
    """

    name: str
    measured: float
    against: float
    bar: float
    floor: str
    unit: str = ""

    @property
    def ratio(self) -> float:
        """How many times the floor."""
        return self.measured / self.against

    @property
    def met(self) -> bool:
        """The bar holds."""
        return self.ratio <= self.bar


def saved(rows: Iterable[Row], path: Path) -> None:
    """Keep the rows for the next run; those of groups that were not run stay as they were."""
    kept = {**_stored(path), **{row.name: asdict(row) for row in rows}}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(kept, indent=1, ensure_ascii=False), encoding="utf-8")


def earlier(path: Path) -> dict[str, float]:
    """The ratios of the last run by row."""
    return {name: row["measured"] / row["against"] for name, row in _stored(path).items()}


def _stored(path: Path) -> Mapping[str, dict[str, float]]:
    if not path.exists():
        return {}
    rows: dict[str, dict[str, float]] = json.loads(path.read_text(encoding="utf-8"))
    return rows


def table(rows: Iterable[Row], before: Mapping[str, float]) -> Iterator[str]:
    """The rows as lines."""
    yield f"{'':50} {'measured':>10} {'against':>10} {'ratio':>8} {'bar':>6}       last  floor"
    for row in rows:
        last = before.get(row.name)
        change = f"{100 * (row.ratio / last - 1):+6.0f} %" if last else "       -"
        yield (
            f"{row.name:50} {row.measured:10.3f} {row.against:10.3f} {row.ratio:8.3f} "
            f"{row.bar:6.3g} {'met ' if row.met else 'MISS'} {change}  {row.floor} {row.unit}"
        )
