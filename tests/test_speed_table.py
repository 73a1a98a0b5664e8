"""The table that ``python tests/benchmarks`` prints: bars, and the comparison with the last run."""

from __future__ import annotations

from pathlib import Path

from support.speed import Row, earlier, saved, table


def test_a_bar_bounds_the_ratio_to_the_floor() -> None:
    assert Row("home", 1.2, 1.0, 1.2, "a label").met
    assert not Row("home", 2.6, 2.0, 1.2, "a label").met


def test_the_last_run_is_kept_and_each_row_compared_with_it(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "speed.json"
    assert earlier(path) == {}
    saved([Row("home", 3.0, 2.0, 1.2, "a label"), Row("help", 4.0, 1.0, 5.0, "python")], path)
    saved([Row("help", 2.0, 1.0, 5.0, "python")], path)
    assert earlier(path) == {"home": 1.5, "help": 2.0}
    _, home, other = table(
        [Row("home", 3.0, 1.0, 1.2, "a label"), Row("new", 1.0, 1.0, 2.0, "")], earlier(path)
    )
    assert "MISS" in home
    assert "+100 %" in home
    assert "met" in other
    assert "%" not in other
