"""``interviewer grade``: one answer, and a file of them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from support.command_line import FULL_ANSWER, RUBRIC, call, called, json_lines, process
from support.examiners import ScriptedExaminer
from support.shapes import GRADE, POINT, VERDICT

from interviewer.errors import ExaminerError
from interviewer.examiner.protocol import Heard, QuestionContext
from interviewer.grading.verdicts import Judgement

SHAPE = {"id", "rubric", "score", "follow_up", *GRADE}


def batch_file(path: Path, *tasks: object) -> Path:
    lines = (task if isinstance(task, str) else json.dumps(task) for task in tasks)
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_a_full_answer_gets_its_credit_with_quotes(config: Path) -> None:
    [graded] = json_lines(called("grade", RUBRIC, "--json", stdin=FULL_ANSWER).stdout)
    assert set(graded) == SHAPE
    assert (graded["rubric"], graded["score"], graded["band"]) == (RUBRIC, 1.0, 4)
    assert graded["examiner_kind"] == "offline"
    assert [v["criterion"] for v in graded["verdicts"]] == ["variance", "initial-loss"]
    for verdict in graded["verdicts"]:
        assert set(verdict) == POINT | VERDICT
        assert verdict["verdict"] == "met"
        assert verdict["evidence"] in FULL_ANSWER
        assert verdict["evidence"]


def test_a_gap_brings_a_follow_up(config: Path) -> None:
    answer = "The variance of the dot product grows with the width of a head."
    [graded] = json_lines(called("grade", RUBRIC, "--json", stdin=answer).stdout)
    assert [v["verdict"] for v in graded["verdicts"]] == ["met", "not_met"]
    assert graded["follow_up"].endswith("?")


def test_text_output_tells_verdicts_in_words(config: Path, tmp_path: Path) -> None:
    path = tmp_path / "answer.txt"
    path.write_text("The variance of the dot product grows with the width of a head.", "utf-8")
    told = called("grade", RUBRIC, "--answer", path).stdout
    assert "● heard: The dot product's variance grows" in told
    assert "○ not heard: An untrained model" in told
    assert "band 2 of 4 (1 of 2 points heard)" in told
    assert "The examiner would ask: " in told


def test_an_answer_that_is_no_text_is_refused(config: Path) -> None:
    result = call("grade", RUBRIC, stdin=b"caf\xe9")
    assert result.exit_code == 1
    assert "UTF-8" in result.stderr


def test_a_missing_answer_file_is_named(config: Path, tmp_path: Path) -> None:
    result = call("grade", RUBRIC, "--answer", tmp_path / "none.txt")
    assert result.exit_code == 1
    assert "none.txt" in result.stderr


def test_a_batch_keeps_its_order_and_its_ids(config: Path, tmp_path: Path) -> None:
    path = batch_file(
        tmp_path / "batch.jsonl",
        {"id": "b", "rubric": RUBRIC, "answer": FULL_ANSWER},
        {"id": 7, "rubric": RUBRIC, "answer": ""},
        "",
        {"rubric": RUBRIC, "answer": "No idea."},
    )
    graded = json_lines(called("grade", "--batch", path).stdout)
    assert [line["id"] for line in graded] == ["b", 7, None]
    assert [line["band"] for line in graded] == [4, 0, 0]
    assert all(set(line) == SHAPE for line in graded)


def test_a_bad_line_is_an_error_line_in_its_place(config: Path, tmp_path: Path) -> None:
    path = batch_file(
        tmp_path / "batch.jsonl",
        '{"id": 1, "rubric":',
        {"id": 2, "rubric": "no-such-rubric", "answer": "x"},
        {"id": 3, "rubric": RUBRIC},
        "[1, 2]",
        {"id": 5, "rubric": RUBRIC, "answer": FULL_ANSWER},
    )
    result = call("grade", "--batch", path)
    assert result.exit_code == 1
    assert result.stderr == "Error: 4 of 5 lines could not be graded.\n"
    lines = json_lines(result.stdout)
    assert [set(line) for line in lines[:4]] == [{"id", "error"}] * 4
    assert [line["id"] for line in lines] == [None, 2, 3, None, 5]
    assert "no-such-rubric" in lines[1]["error"]
    assert lines[4]["band"] == 4


def test_a_batch_can_come_through_a_pipe(config: Path) -> None:
    line = json.dumps({"id": "p", "rubric": RUBRIC, "answer": FULL_ANSWER})
    [graded] = json_lines(called("grade", "--batch", "-", stdin=line).stdout)
    assert (graded["id"], graded["band"]) == ("p", 4)


def test_a_failing_examiner_costs_one_line_of_a_batch(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    examiner = ScriptedExaminer(fail_judge=[ExaminerError("The server is on fire.")])
    monkeypatch.setattr("interviewer.composition.make_examiner", lambda *_: examiner)
    task = {"rubric": RUBRIC, "answer": FULL_ANSWER}
    path = batch_file(tmp_path / "batch.jsonl", {"id": 1, **task}, {"id": 2, **task})
    result = call("grade", "--batch", path)
    assert result.exit_code == 1
    first, second = json_lines(result.stdout)
    assert first == {"id": 1, "error": "The server is on fire."}
    assert second["band"] == 4


def test_escapes_in_an_answer_are_shown_and_stay_raw_in_json(config: Path) -> None:
    answer = "The variance of the dot product grows\x1b[31m with the width of a head."
    assert "\x1b" not in called("grade", RUBRIC, stdin=answer).stdout
    assert "␛[31m" in called("grade", RUBRIC, stdin=answer).stdout
    printed = called("grade", RUBRIC, "--json", stdin=answer).stdout
    assert "\x1b" not in printed
    assert "\x1b" in json.loads(printed)["verdicts"][0]["evidence"]


class Meeting(ScriptedExaminer):
    """Judges once as many answers are being judged as were expected."""

    def __init__(self, expected: int) -> None:
        super().__init__()
        self.expected = expected
        self.met = asyncio.Event()

    async def judge(self, context: QuestionContext) -> Judgement:
        judged = await super().judge(context)
        if len(self.judged) == self.expected:
            self.met.set()
        async with asyncio.timeout(30):
            await self.met.wait()
        return judged


def test_a_model_grades_several_answers_at_the_same_time(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interviewer.composition.make_examiner", lambda *_: Meeting(3))
    tasks = [{"id": n, "rubric": RUBRIC, "answer": FULL_ANSWER} for n in range(3)]
    path = batch_file(tmp_path / "batch.jsonl", *tasks)
    graded = json_lines(
        called("--examiner", "llm", "grade", "--batch", path, "--parallel", "3").stdout
    )
    assert [line["id"] for line in graded] == [0, 1, 2]


def test_a_server_that_is_not_there_is_told_in_each_line_and_nowhere_else(
    config: Path, tmp_path: Path
) -> None:
    tasks = [{"id": n, "rubric": RUBRIC, "answer": FULL_ANSWER} for n in range(2)]
    path = batch_file(tmp_path / "batch.jsonl", *tasks)
    endpoint = ("--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--examiner", "llm")
    done = process(*endpoint, "grade", "--batch", path)
    assert done.stderr == "Error: 2 of 2 lines could not be graded.\n"
    assert all("Nothing accepts connections" in line["error"] for line in json_lines(done.stdout))


@pytest.mark.parametrize(("options", "listened"), [((), 0), (("--follow-up",), 1)])
def test_a_batch_is_judged_and_listened_to_only_if_asked(
    config: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    listened: int,
) -> None:
    examiner = ScriptedExaminer()
    monkeypatch.setattr("interviewer.composition.make_examiner", lambda *_: examiner)
    path = batch_file(tmp_path / "batch.jsonl", {"rubric": RUBRIC, "answer": "No idea at all."})
    [line] = json_lines(called("grade", "--batch", path, *options).stdout)
    assert (len(examiner.judged), len(examiner.listened)) == (1, listened)
    assert (line["follow_up"] is not None) == bool(listened)


def test_a_listener_whose_reply_cannot_be_used_is_told_in_a_sentence(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    why = "The reply of tiny could not be used."
    examiner = ScriptedExaminer(hears=lambda _: Heard(frozenset(), unusable=why))
    monkeypatch.setattr("interviewer.composition.make_examiner", lambda *_: examiner)
    answer = "No idea at all."
    *_, told, asked = called("grade", RUBRIC, stdin=answer).stdout.splitlines()
    assert told == why
    assert asked.startswith("The examiner would ask: ")
    path = batch_file(tmp_path / "batch.jsonl", {"rubric": RUBRIC, "answer": answer})
    [line] = json_lines(called("grade", "--batch", path, "--follow-up").stdout)
    assert (line["unheard"], line["follow_up"] is not None) == (why, True)
