"""The bench in ``interviewer run``: tasks, runs and submissions over streams and from scripts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from support.benches import BAD, CHALLENGES, GOOD, POINT, RUBRIC, FakeBench
from support.rubrics import a_rubric
from support.sessions import begin, outline, reopen

from interviewer.cli.conversation import (
    Candidate,
    JsonLines,
    TextConversation,
    TypedLines,
    read_script,
)
from interviewer.cli.display import JsonDisplay, TextDisplay
from interviewer.errors import InterviewerError
from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.interview import commands
from interviewer.interview.interview import Interview
from interviewer.store.store import Store

SESSION = "5e55107700"
PLAIN = a_rubric(id="more-letters", title="More letters")
RUBRICS = {RUBRIC.id: RUBRIC, PLAIN.id: PLAIN}
FENCED = ("```", *GOOD.split("\n"), "```")


def interview(store: Store, *rubrics: Any, mode: Any = "exam") -> Interview:
    return begin(
        store,
        (outline(*(rubrics or (RUBRIC,))),),
        RUBRICS,
        OfflineExaminer(),
        mode=mode,
        bench=FakeBench(),
        challenges=CHALLENGES,
    )


async def lines_of(*lines: str) -> AsyncIterator[str]:
    for line in lines:
        yield line


def typing(running: Interview, *lines: str) -> TypedLines:
    return TypedLines(
        lines_of(*lines),
        draft=running.drafts()["answer"],
        save=running.save_draft,
        sends_rest=True,
    )


async def held(running: Interview, candidate: Candidate, *, as_json: bool = False) -> None:
    display = JsonDisplay if as_json else TextDisplay
    async with asyncio.timeout(20):
        await TextConversation(running, candidate, display(running, {})).hold()


async def test_a_block_is_run_and_handed_in(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    running = interview(store)
    await held(running, typing(running, "/bench", *FENCED, "/submit", "/end"))
    told = capsys.readouterr().out
    assert "Given the row z, derive the probabilities p." in told
    assert "Confined by the test." in told
    assert "divide" not in told.split("Your answer")[0].split("[your turn")[1]
    assert "  3  ✓ holds" in told
    assert "Every line holds numerically. (strict, 12 ms)" in told
    assert [turn.kind for turn in store.turns(SESSION)][:3] == ["question", "bench", "answer"]
    assert store.turns(SESSION)[1].text == GOOD


async def test_an_unfinished_block_is_there_after_a_resume(
    store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    running = interview(store)
    await held(running, typing(running, "```python", "w = exp(z)", ""))
    again = reopen(store, SESSION, OfflineExaminer(), bench=FakeBench())
    await held(again, typing(again, "/submit", "/end"))
    assert "Your lines at the bench" in capsys.readouterr().out
    assert store.turns(SESSION)[2].text == "w = exp(z)\n"


async def test_a_fence_in_an_answer_or_without_a_challenge_is_text(store: Store) -> None:
    running = interview(store, RUBRIC, PLAIN)
    said = ["First alpha decides", "```", "x", "```", "", "/skip", "```", "y", "```", "", "/end"]
    await held(running, typing(running, *said))
    answers = [turn.text for turn in store.turns(SESSION) if turn.kind == "answer"]
    assert answers == ["First alpha decides\n```\nx\n```", "```\ny\n```"]


async def test_json_lines_say_all_of_it(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    running = interview(store, RUBRIC, PLAIN, mode="practice")
    entries = [
        {"command": "bench"},
        {"command": "bench", "source": BAD},
        {"command": "submit", "source": GOOD},
        {"command": "skip"},
        {"command": "submit"},
        {"command": "end"},
    ]
    await held(running, JsonLines(lines_of(*map(json.dumps, entries))), as_json=True)
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    by_kind = {event["event"]: event for event in events}
    asked = [event["challenge"] for event in events if event["event"] == "question"]
    assert asked == ["small-softmax", None]
    assert by_kind["task"]["id"] == "small-softmax"
    assert "solution" not in by_kind["task"]
    failed, passed = (event["result"] for event in events if event["event"] == "bench")
    assert [line["status"] for line in failed["lines"]] == ["holds", "fails"]
    assert passed["open_points"] == [POINT]
    assert by_kind["answer"]["bench"] == 3
    assert by_kind["refused"]["message"].startswith("This question has no task for the bench")
    [question, _] = by_kind["debrief"]["debrief"]["rounds"][0]["questions"]
    assert question["bench"]["runs"] == [2, 3]
    assert question["bench"]["handed_in"] == [3]
    assert question["bench"]["solution"].startswith("Exponentiate")
    turns = {turn["kind"]: turn for turn in question["turns"]}
    assert turns["bench"]["result"]["passed"] is True
    assert turns["answer"]["bench"] == 3


def test_scripts_hold_runs(tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("- command: bench\n  source: |\n    p = z\n- command: submit\n- /bench\n")
    ran, handed, task = read_script(script)
    assert ran == commands.RunBench("p = z\n")
    assert (handed, task) == (commands.SubmitRun(""), "task")
    script.write_text('- {"command": "bench", "source": " "}\n')
    with pytest.raises(InterviewerError, match=r"script.yaml, entry 1: There is nothing to run"):
        read_script(script)


async def test_a_file_is_run_and_handed_in(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "my derivation.txt"
    file.write_text(BAD)
    running = interview(store)
    missing = tmp_path / "nowhere"
    said = typing(running, f"/run {missing}", f"/run {file}", f"/submit {file}", "/end")
    await held(running, said)
    assert [turn.kind for turn in store.turns(SESSION)][:3] == ["question", "bench", "answer"]
    assert [turn.text for turn in store.turns(SESSION)][1:3] == [BAD, BAD]
