"""Figures as text: drawn within the width there is, and told in values without a drawing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.figures import CURVES, LISTING
from support.replays import Recorder
from support.rubrics import a_rubric

from interviewer.interview.debrief import debrief
from interviewer.report.figures import NARROWEST, captioned, drawn, told
from interviewer.report.session_json import session_json
from interviewer.report.text import debrief_lines, transcript_markdown
from interviewer.rubric.figure import Figure

BRAILLE = {chr(code) for code in range(0x2801, 0x2900)}


@pytest.mark.parametrize("width", [NARROWEST, 78, 200])
def test_curves_are_drawn_within_the_width_and_told_apart_without_colour(width: int) -> None:
    lines = drawn(CURVES, width)
    assert max(map(len, lines)) <= width
    assert any("log scale" in line for line in lines)
    assert lines[0] == "loss (line: train, x: held-out)"[:width]
    assert any("x" in line and BRAILLE & set(line) for line in lines[1:9])
    assert "\x1b" not in "".join(lines)


def test_code_has_the_numbers_of_its_lines_and_loses_nothing_when_broken() -> None:
    assert drawn(LISTING, 78)[0] == "1 │ for batch in loader:"
    assert drawn(LISTING, 78)[1].startswith("2 │     loss = model(batch)[0]")
    narrow = drawn(LISTING, 24)
    assert max(map(len, narrow)) <= 24
    assert sum(line.startswith("2 │") for line in narrow) == 1
    joined = "".join(line[4:] for line in narrow)
    assert "[bold red]shout[/]" in joined


@given(st.text(min_size=1, max_size=40).filter(str.strip), st.integers(24, 100))
def test_no_text_can_steer_the_terminal(text: str, width: int) -> None:
    steering = f"{text}\x1b]0;x\x07\u202e"
    plot = {
        "x_label": "x",
        "x": [0, 1],
        "series": [{"name": f"\x1b[31m{text[:20]}", "values": [1, 2]}],
    }
    for figure in (
        Figure(caption=steering, text=steering),
        Figure.model_validate({"caption": steering, "plot": plot}),
    ):
        shown = "".join([captioned(figure), *drawn(figure, width), *told(figure)])
        assert not set(shown) & {"\x1b", "\x07", "\u202e", "\r"}


def test_transcripts_and_exports_show_it() -> None:
    recorder = Recorder(a_rubric(figure=CURVES))
    replay = recorder.replay()
    result = debrief(replay.state, replay.rubrics)
    text = "\n".join(debrief_lines(result, replay))
    assert "Figure: A small run, made up" in text
    assert "2.75" in text
    markdown = transcript_markdown(replay, result)
    assert " 300             2             2.75           1000" in markdown
    assert BRAILLE & set(markdown)
    turn = session_json(replay, result)["debrief"]["rounds"][0]["questions"][0]["turns"][0]
    assert turn["figure"] == CURVES.as_data()
