"""The list of challenges: by topic, with what has been tried and solved."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support.bench_stage import FakeBench, a_challenge, bench_app, paste
from support.stage import NARROW, in_interview, lines_with, opens, sees, shown, type_in, until
from textual.pilot import Pilot
from textual.widgets import OptionList

from interviewer.errors import StoreError, StoreWriteError
from interviewer.sandbox.result import Practice, Tries
from tui.bench.editor import BenchEditor
from tui.bench.screens import standing
from tui.screens.home import HomeScreen
from tui.widgets.browser import SearchBox

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
CHALLENGES = (
    a_challenge(id="bb", title="Banana", topic="Fruit"),
    a_challenge(id="aa", title="Apple", topic="Fruit"),
    a_challenge(id="tt", title="Table", topic=""),
)


async def in_the_list(pilot: Pilot[None]) -> OptionList:
    await pilot.press("b")
    await sees(pilot, "Apple")
    return pilot.app.screen.query_one("#entries", OptionList)


def test_what_was_solved_stays_solved(tmp_path: Path) -> None:
    tries = Tries(tmp_path / "not" / "yet")
    assert tries.read() == {}
    tries.record("attn", passed=False, now=NOW)
    assert tries.read()["attn"] == Practice(NOW)
    tries.record("attn", passed=True, now=NOW + timedelta(hours=1))
    tries.record("attn", passed=False, now=NOW + timedelta(hours=2))
    tries.record("dpo", passed=False, now=NOW)
    assert tries.read() == {
        "attn": Practice(NOW + timedelta(hours=2), NOW + timedelta(hours=1)),
        "dpo": Practice(NOW),
    }


@pytest.mark.parametrize("text", ["", "[]", "{", '{"a": 1}', '{"a": {"tried": "x"}}'])
def test_a_damaged_file_is_named_and_kept(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tries.json"
    path.write_text(text)
    with pytest.raises(StoreError, match="damaged"):
        Tries(tmp_path).record("attn", passed=True, now=NOW)
    assert path.read_text() == text


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "bench").write_text("in the way")
    with pytest.raises(StoreError):
        Tries(tmp_path / "bench").record("attn", passed=True, now=NOW)
    assert issubclass(StoreWriteError, StoreError)


def test_standing_is_told_by_sign_and_word() -> None:
    later = NOW + timedelta(days=3)
    assert standing(None, later) == "○ not yet"
    assert standing(Practice(NOW), later) == "~ tried 3 days ago"
    assert standing(Practice(later, NOW), later) == "✓ solved 3 days ago"


async def test_challenges_stand_under_their_topics() -> None:
    async with bench_app(FakeBench(), *CHALLENGES).run_test(size=NARROW) as pilot:
        listed = await in_the_list(pilot)
        ids = [option.id for option in listed.options]
        assert ids == [None, "aa", "bb", None, "tt"]
        await sees(pilot, "Fruit")
        await sees(pilot, "Other topics")
        assert listed.highlighted == 1  # a heading cannot be chosen
        await sees(pilot, "0 of 3 solved")


async def test_the_next_unsolved_one_is_a_key_away() -> None:
    app = bench_app(FakeBench(), *CHALLENGES)
    tries = Tries(app.settings.data_folder / "bench")
    tries.record("bb", passed=True, now=NOW)
    async with app.run_test(size=NARROW) as pilot:
        listed = await in_the_list(pilot)
        await pilot.press("n")
        assert listed.highlighted_option
        assert listed.highlighted_option.id == "tt"
        await pilot.press("n")
        assert listed.highlighted_option.id == "aa"


def ids(listed: OptionList) -> list[str]:
    return [option.id for option in listed.options if option.id]


async def test_words_are_found_in_title_id_and_topic() -> None:
    found = {
        "APP": ["aa"],
        "fruit an": ["bb"],
        "tt": ["tt"],
        "other": ["tt"],
        "fruit": ["aa", "bb"],
    }
    async with bench_app(FakeBench(), *CHALLENGES).run_test(size=NARROW) as pilot:
        listed = await in_the_list(pilot)
        for words, wanted in found.items():
            await pilot.press("slash")
            pilot.app.screen.query_one(SearchBox).value = words
            await until(pilot, lambda ids_=wanted: ids(listed) == ids_)  # type: ignore[misc]
            told = f"{len(wanted)} found · 0 of 3 solved"
            await until(pilot, lambda line=told: line in shown(pilot))  # type: ignore[misc]
            await pilot.press("enter")
            assert pilot.app.focused is listed
            assert listed.highlighted_option


async def test_escape_clears_the_search_then_leaves() -> None:
    async with bench_app(FakeBench(), *CHALLENGES).run_test(size=NARROW) as pilot:
        listed = await in_the_list(pilot)
        await pilot.press("slash")
        await type_in(pilot, "zzz")
        await sees(pilot, "Nothing found.")
        await pilot.press("escape")
        await until(pilot, lambda: ids(listed) == ["aa", "bb", "tt"])
        assert isinstance(pilot.app.focused, SearchBox)
        await type_in(pilot, "table")
        await pilot.press("down", "escape")
        await until(pilot, lambda: ids(listed) == ["aa", "bb", "tt"])
        assert listed.highlighted_option
        assert listed.highlighted_option.id == "tt"  # the cursor stays
        await pilot.press("escape")
        await opens(pilot, HomeScreen)


async def test_marks_change_in_a_searched_list_too() -> None:
    async with bench_app(FakeBench(), *CHALLENGES).run_test(size=NARROW) as pilot:
        listed = await in_the_list(pilot)
        await pilot.press("slash")
        await type_in(pilot, "apple")
        await until(pilot, lambda: ids(listed) == ["aa"])
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(pilot.app.focused, BenchEditor))
        await paste(pilot, "out = Q")
        await pilot.press("ctrl+r")
        await sees(pilot, "✓ holds")
        await pilot.press("escape")
        await sees(pilot, "✓ solved just now")
        await sees(pilot, "1 found · 1 of 3 solved")


async def test_a_long_title_keeps_the_line_with_its_standing() -> None:
    long = a_challenge(id="ll", title="A very long title that goes on and on " * 4, topic="Fruit")
    async with bench_app(FakeBench(), *CHALLENGES, long).run_test(size=(120, 36)) as pilot:
        await in_the_list(pilot)
        assert any("…" in line for line in lines_with(pilot, "A very long"))
        assert len(lines_with(pilot, "○ not yet")) == 4


async def test_a_run_in_an_interview_is_marked_in_the_list() -> None:
    app = bench_app(FakeBench())
    tries = Tries(app.settings.data_folder / "bench")
    async with app.run_test(size=NARROW) as pilot:
        await in_interview(pilot)
        await pilot.press("f9")
        await until(pilot, lambda: isinstance(pilot.app.focused, BenchEditor))
        await paste(pilot, "out = Q")
        await pilot.press("ctrl+r")
        await sees(pilot, "✓ holds")
        assert tries.read()["one-head"].solved
