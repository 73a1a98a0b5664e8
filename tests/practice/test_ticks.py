"""What is ticked off is kept, and a file that cannot be read is told rather than overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.errors import StoreError
from interviewer.practice.ticks import Ticks


def test_ticks_are_kept_by_session_and_can_be_taken_away(tmp_path: Path) -> None:
    ticks = Ticks(tmp_path / "studied")
    assert ticks.read("one") == frozenset()
    ticks.set("one", "kl-penalty/target", True)
    assert ticks.set("one", "ppo/clip", True) == {"kl-penalty/target", "ppo/clip"}
    assert ticks.set("one", "ppo/clip", False) == ticks.read("one") == {"kl-penalty/target"}
    assert ticks.read("two") == frozenset()


@pytest.mark.parametrize("damaged", [b'["kl-pen', b"", b"{}", b"\xff\xfe"])
def test_a_damaged_file_is_told_and_left_as_it_is(tmp_path: Path, damaged: bytes) -> None:
    file = tmp_path / "one.json"
    file.write_bytes(damaged)
    for use in (
        lambda: Ticks(tmp_path).read("one"),
        lambda: Ticks(tmp_path).set("one", "ppo/clip", True),
    ):
        with pytest.raises(StoreError, match=r"one\.json.* is damaged; delete it or fix it"):
            use()
    assert file.read_bytes() == damaged


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "one.json").mkdir()
    with pytest.raises(StoreError, match=r"one\.json.* cannot be read"):
        Ticks(tmp_path).read("one")
