"""A model says which lines of a list ask and answer; the words are the list's own."""

from __future__ import annotations

import json

import pytest
from support.fake_endpoint import FakeEndpoint, fenced_lines, said

from interviewer.errors import ExaminerError
from interviewer.examiner.llm import question_list
from interviewer.examiner.llm.client import ChatClient
from interviewer.rubric.question_lists import Item, Question, Skipped

LIST = """# Notes

[00:21] **Dana:** Why divide by
the root of $d_k$?

[00:29] Felix: So that the variance stays one,
whatever the width.

> 追问：what if we did not?

Do you need a break?

写出 DPO 的损失。
"""
SCALE = {
    "line": 3,
    "question": "Why divide by the root of $d_k$?",
    "answer": [[6, 7]],
    "begins": "So that the variance stays",
    "follow_ups": ["what if we did not?"],
    "topic": "Notes",
}
DPO = {"line": 13, "question": "写出 DPO 的损失。", "answer": [], "begins": "", "follow_ups": []}


async def read(server: FakeEndpoint, *entries: object, text: str = LIST) -> tuple[Item, ...]:
    server.will(said(json.dumps({"questions": entries})))
    return await question_list.read_list(ChatClient(server.endpoint()), text)


async def test_questions_and_answers_are_taken_from_their_lines(server: FakeEndpoint) -> None:
    items = await read(server, DPO, SCALE)
    asked = [each for each in items if isinstance(each, Question)]
    assert asked == [
        Question(
            3,
            "Why divide by the root of $d_k$?",
            "So that the variance stays one,\nwhatever the width.",
            follow_ups=("what if we did not?",),
        ),
        Question(13, "写出 DPO 的损失。"),
    ]
    numbered = fenced_lines(server.bodies[0]["messages"][1]["content"])
    assert numbered[0] == {"n": 1, "text": "# Notes"}


async def test_what_is_not_taken_is_reported_by_its_line(server: FakeEndpoint) -> None:
    items = await read(server, DPO, SCALE)
    left = {each.line: each.why for each in items if isinstance(each, Skipped)}
    assert sorted(left) == [1, 11]
    assert "Do you need a break?" in left[11]


async def test_words_that_the_list_does_not_hold_are_no_question(server: FakeEndpoint) -> None:
    items = await read(server, {**DPO, "question": "Write down the DPO loss."})
    assert not [each for each in items if isinstance(each, Question)]
    assert "Write down the DPO loss." in next(i.why for i in items if i.line == 13)  # type: ignore[union-attr]


@pytest.mark.parametrize("answer", [[[0, 3]], [[7, 6]], [[6, 99]], [[6]], "6-7"])
async def test_impossible_lines_answer_nothing(server: FakeEndpoint, answer: object) -> None:
    (asked,) = [i for i in await read(server, {**SCALE, "answer": answer}) if i.line == 3]
    assert isinstance(asked, Question)
    assert asked.answer == ""


async def test_a_long_list_is_read_in_parts(
    server: FakeEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question_list, "PART", 60)
    server.will(*[said(json.dumps({"questions": [SCALE, DPO]}))] * 4)
    items = await question_list.read_list(ChatClient(server.endpoint()), LIST)
    assert [i.line for i in items if isinstance(i, Question)] == [3, 13]
    sent = [fenced_lines(body["messages"][1]["content"]) for body in server.bodies]
    assert len(sent) > 1
    written = [n for n, line in enumerate(LIST.split("\n"), 1) if line.strip()]
    assert [each["n"] for part in sent for each in part] == written


async def test_a_reply_that_cannot_be_used_is_told(server: FakeEndpoint) -> None:
    server.will(said("I found three questions."))
    with pytest.raises(ExaminerError, match="can't be used"):
        await question_list.read_list(ChatClient(server.endpoint()), LIST)
