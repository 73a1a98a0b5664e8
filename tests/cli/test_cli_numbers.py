"""Numbers in a text interview: listed, struck, put right and read again."""

from __future__ import annotations

import json

import pytest
from support.command_line import json_lines, typed
from support.conversations import Held
from support.examiners import ScriptedExaminer
from support.rubrics import a_rubric
from support.sessions import begin, outline

from interviewer.cli.input import UnusableError, from_entry
from interviewer.errors import ExaminerError
from interviewer.examiner.offline.judge import OfflineExaminer
from interviewer.examiner.protocol import Examiner, MoveKind
from interviewer.interview import events
from interviewer.interview.interview import Interview
from interviewer.store.store import Store

PROJECT = a_rubric(kind="project")
RUBRICS = {PROJECT.id: PROJECT}
SIZE = "We trained a 70B model on 1.4 trillion tokens."
CLUSTER = "That run took three days on eight A100s."
DOWN = ExaminerError("The server is down.")


def interview(store: Store, examiner: Examiner | None = None) -> Interview:
    return begin(store, (outline(PROJECT),), RUBRICS, examiner or OfflineExaminer())


def objections(held: Held) -> int:
    return sum(
        isinstance(event, events.FollowUpAsked) and event.move.kind is MoveKind.NUMBERS_CLASH
        for event in held.listener.events
    )


@pytest.mark.parametrize(
    ("line", "listed", "objected"),
    [
        ("/number 1 strike", ["70B model, struck", "1.4 trillion tokens"], 0),
        ("/number 2", ["70B model", "1.4 trillion tokens, struck"], 0),
        ("/number 2  4M tokens ", ["70B model", "4M tokens"], 0),
        ("/number 2 1.5T tokens", ["70B model", "1.5T tokens"], 1),
    ],
)
async def test_a_number_is_struck_or_put_right_by_its_place_in_the_list(
    store: Store, line: str, listed: list[str], objected: int
) -> None:
    async with Held(interview(store)) as held:
        await held.type(SIZE, "", "/numbers", until="numbers")
        await held.type(line, "/numbers", until=("numbers", 2))
        await held.type(CLUSTER, "", until=("follow_up", 2))
        await held.ends("/end")
    assert held.listener.numbers == [["70B model", "1.4 trillion tokens"], listed]
    assert objections(held) == objected
    assert held.listener.refusals == []


async def test_what_names_no_number_or_no_value_is_refused_in_a_sentence(store: Store) -> None:
    said = ("3 strike", "0 strike", "1 lots", "1 three days", "1 -5", "", "one strike")
    async with Held(interview(store)) as held:
        await held.type(SIZE, "", until="follow_up")
        for each in said:
            held.keyboard.type(f"/number {each}".strip())
        await held.type("/numbers", until="numbers")
        await held.ends("/end")
    assert len(held.listener.refusals) == len(said)
    assert all(why.endswith(".") for why in held.listener.refusals)
    assert held.listener.numbers == [["70B model", "1.4 trillion tokens"]]
    assert held.listener.answers() == [SIZE]


async def test_what_is_unread_is_said_and_read_again(store: Store) -> None:
    examiner = ScriptedExaminer(fail_figures=[DOWN, DOWN])
    async with Held(interview(store, examiner)) as held:
        await held.type(
            SIZE, "", "/reread", "/numbers", "/reread", "/numbers", "/reread", until="refused"
        )
        await held.ends("/end")
    unread = [each for each in held.listener.events if isinstance(each, events.FiguresRead)]
    assert [each.reading.failed for each in unread] == [str(DOWN)] * 2
    assert held.listener.numbers == [[], ["70B model", "1.4 trillion tokens"]]
    assert len(held.listener.refusals) == 1  # nothing is left to read
    assert len(examiner.read) == 2


def test_as_text_and_as_json_a_session_is_marked_by_hand() -> None:
    asked = ("run", "--question", "own-project-number", "--examiner", "offline")
    out = typed(
        *asked, stdin=f"{SIZE}\n\n/numbers\n/number 1 7B\n/numbers\n/number 9\n/end\n"
    ).stdout
    assert "“70B model”" in out
    assert "“7B”" in out
    assert "no number 9" in out
    lines = [SIZE, "/numbers", "/number 1 strike", "/numbers", "/end"]
    told = json_lines(typed(*asked, "--json", stdin="\n".join(map(json.dumps, lines))).stdout)
    before, after = [each["numbers"] for each in told if each["event"] == "numbers"]
    assert [each["status"] for each in before] == ["stands", "stands"]
    assert [each["status"] for each in after] == ["struck", "stands"]
    assert any(each["event"] == "figure_marked" for each in told)


def test_a_script_may_mark_numbers_too() -> None:
    assert from_entry("/number 3 4M tokens") == from_entry(" /number  3  4M tokens ")
    with pytest.raises(UnusableError):
        from_entry("/number strike")
