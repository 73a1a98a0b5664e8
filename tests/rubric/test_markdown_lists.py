"""Question lists as people write them in Markdown: ``lists.yaml`` has a small one of each shape."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from interviewer.rubric.markdown_lists import questions_of_markdown
from interviewer.rubric.question_lists import Question

LISTS: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("lists.yaml").read_text("utf-8"))
SHOWN = ("line", "question", "answer", "shown", "section", "difficulty", "follow_ups", "hints")


@pytest.mark.parametrize("name", LISTS)
def test_each_shape_is_read_whole_and_what_is_left_out_is_named(name: str) -> None:
    items = list(questions_of_markdown(LISTS[name]["text"]))
    found = [{f: getattr(q, f) for f in SHOWN} for q in items if isinstance(q, Question)]
    wanted = [{"answer": "", "shown": "", "section": "", **q} for q in LISTS[name]["questions"]]
    for each in wanted:
        each["follow_ups"], each["hints"] = map(
            tuple, (each.get("follow_ups", ()), each.get("hints", ()))
        )
        each.setdefault("difficulty", "")
    assert found == wanted
    left_out = [f"{i.line}: {i.why}" for i in items if not isinstance(i, Question)]
    assert left_out == LISTS[name].get("left_out", [])


@pytest.mark.parametrize("name", LISTS)
def test_every_line_with_words_is_taken_or_reported(name: str) -> None:
    """One word put in anywhere outside code comes back in a question or a report."""
    lines = LISTS[name]["text"].split("\n")
    for at in range(len(lines) + 1):
        text = "\n".join([*lines[:at], "", "Zyzzyva stands here.", "", *lines[at:]])
        found = list(questions_of_markdown(text))
        assert not found or "Zyzzyva" in repr(found), at


def test_a_letter_may_label_the_answer_but_not_an_option() -> None:
    text = "Q. Why?\nA. Noise at first.\n\nQ. Which?\nA. Adam\nB. SGD\n"
    assert list(questions_of_markdown(text)) == [
        Question(1, "Why?", "Noise at first."),
        Question(4, "Which?", "A. Adam\nB. SGD"),
    ]


@pytest.mark.parametrize(
    "answer", ["Young's formula: the interval.", "The answer: no.", "See plan A. Then B."]
)
def test_a_label_of_the_answer_stands_at_its_beginning(answer: str) -> None:
    assert list(questions_of_markdown(f"## Why?\n{answer}\n")) == [Question(1, "Why?", answer)]
