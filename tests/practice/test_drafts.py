"""Drafts of one's own: whole or not at all, and a sentence where the folder is no good."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviewer.content.drafts import Drafts
from interviewer.errors import StoreError, StoreWriteError


def test_what_was_saved_is_read_again_by_key(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path / "not" / "yet")
    assert drafts.read("attn") == ""
    drafts.save("attn", "S = Q @ T(K)\n")
    drafts.save("dpo", "other")
    assert drafts.read("attn") == "S = Q @ T(K)\n"
    drafts.save("attn", "")
    assert drafts.read("attn") == ""
    assert [path.name for path in (tmp_path / "not" / "yet").iterdir()] == ["dpo.txt"]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_any_text_comes_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    drafts = Drafts(tmp_path_factory.getbasetemp() / "any")
    drafts.save("one", text)
    assert drafts.read("one") == text


def test_a_lone_surrogate_does_not_stop_the_save(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    drafts.save("one", "a\ud800b")
    assert drafts.read("one") == "a?b"


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "bench").write_text("in the way")
    with pytest.raises(StoreWriteError, match="stays on the screen"):
        Drafts(tmp_path / "bench").save("one", "text")
    with pytest.raises(StoreError, match="cannot be read"):
        Drafts(tmp_path / "bench").read("one")
