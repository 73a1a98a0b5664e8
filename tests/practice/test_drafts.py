"""Drafts: whole or not at all, and a sentence where they cannot be read or kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.content.files import Drafts
from interviewer.errors import StoreError, StoreWriteError


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
