"""Drafts and ticks: whole or not at all, and a sentence where they cannot be read or kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.content.files import Drafts
from interviewer.errors import StoreError, StoreWriteError
from interviewer.practice.ticks import Ticks


def test_what_was_saved_is_read_again_by_key(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path / "not" / "yet")
    assert drafts.read("attn") == ""
    for text in ("S = Q @ T(K)\n", "a\r\nb\rc\0 é漢\u2028\x1b", ""):
        drafts.save("attn", text)
        drafts.save("dpo", "a\ud800b")
        assert (drafts.read("attn"), drafts.read("dpo")) == (text, "a?b")
    assert [path.name for path in (tmp_path / "not" / "yet").iterdir()] == ["dpo.txt"]


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "bench").write_text("in the way")
    with pytest.raises(StoreWriteError, match="stays on the screen"):
        Drafts(tmp_path / "bench").save("one", "text")
    with pytest.raises(StoreError, match="cannot be read"):
        Drafts(tmp_path / "bench").read("one")


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
        with pytest.raises(StoreError, match=r"one\.json.* cannot be read .*; delete it or fix it"):
            use()
    assert file.read_bytes() == damaged
