"""``interviewer grade``: one answer, and a file of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command_line import FULL_ANSWER, RUBRIC, call, called, json_lines, process
from support.shapes import GRADE, POINT, VERDICT

SHAPE = {"id", "rubric", "score", "follow_up", *GRADE}
GAP = "The variance of the dot product grows with the width of a head."
GERMAN = "Die Varianz des Skalarprodukts wächst mit der Breite, und der Loss beginnt bei 11,5 nats."


def batch_file(tmp_path: Path, *lines: object) -> Path:
    path = tmp_path / "batch.jsonl"
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("\n".join(texts) + "\n", "utf-8")
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
        assert verdict["evidence"]
        assert verdict["evidence"] in FULL_ANSWER


def test_a_gap_brings_a_follow_up_and_words_for_each_verdict(config: Path, tmp_path: Path) -> None:
    [graded] = json_lines(called("grade", RUBRIC, "--json", stdin=GAP).stdout)
    assert [v["verdict"] for v in graded["verdicts"]] == ["met", "not_met"]
    assert graded["follow_up"].endswith("?")
    path = tmp_path / "answer.txt"
    path.write_text(GAP, "utf-8")
    told = called("grade", RUBRIC, "--answer", path).stdout
    assert "● heard: The dot product's variance grows" in told
    assert "○ yours to mark: An untrained model" in told
    assert "band 2 of 4 (1 of 2 points heard in textbook words)" in told
    assert "The examiner would ask: " in told


def test_what_is_not_read_has_a_reason_and_no_number(config: Path) -> None:
    [graded] = json_lines(called("grade", RUBRIC, "--json", stdin=GERMAN).stdout)
    assert (graded["score"], graded["band"]) == (None, None)
    assert [each["verdict"] for each in graded["verdicts"]] == [None, None]
    assert all(each["reason"].startswith("language: ") for each in graded["verdicts"])
    assert "English" in graded["follow_up"]
    told = called("grade", RUBRIC, stdin=GERMAN).stdout
    assert "could not be graded" in told
    assert "– not judged, language: The dot product" in told


def test_a_batch_keeps_its_order_and_a_bad_line_stops_no_other(
    config: Path, tmp_path: Path
) -> None:
    path = batch_file(
        tmp_path,
        {"id": "b", "rubric": RUBRIC, "answer": FULL_ANSWER},
        '{"id": 1, "rubric":',
        {"id": 2, "rubric": "no-such-rubric", "answer": "x"},
        "",
        {"id": 3, "rubric": RUBRIC},
        "[1, 2]",
        {"rubric": RUBRIC, "answer": ""},
    )
    for result in (
        call("grade", "--batch", path),
        call("grade", "--batch", "-", stdin=path.read_text()),
    ):
        assert result.exit_code == 1
        assert result.stderr == "Error: 4 of 6 lines could not be graded.\n"
        lines = json_lines(result.stdout)
        assert [line["id"] for line in lines] == ["b", None, 2, 3, None, None]
        assert [line.get("band") for line in lines] == [4, None, None, None, None, 0]
        assert [set(line) == {"id", "error"} for line in lines] == [False, *[True] * 4, False]
        assert "no-such-rubric" in lines[2]["error"]


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "part"),
    [
        (("grade", RUBRIC), b"caf\xe9", 1, "UTF-8"),
        (("grade", RUBRIC, "--answer", "none.txt"), b"", 2, "none.txt"),
        (("grade",), b"", 2, "Name the RUBRIC"),
        (("grade", RUBRIC, "--batch", "-"), b"", 2, "--batch"),
    ],
)
def test_what_cannot_be_read_is_refused(
    config: Path, arguments: tuple[str, ...], stdin: bytes, code: int, part: str
) -> None:
    result = call(*arguments, stdin=stdin)
    assert result.exit_code == code
    assert part in result.stderr


def test_a_server_that_is_not_there_is_told_in_each_line_and_nowhere_else(
    config: Path, tmp_path: Path
) -> None:
    tasks = [{"id": n, "rubric": RUBRIC, "answer": FULL_ANSWER} for n in range(2)]
    endpoint = ("--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--examiner", "llm")
    done = process(*endpoint, "grade", "--batch", batch_file(tmp_path, *tasks))
    assert done.stderr == "Error: 2 of 2 lines could not be graded.\n"
    assert all("Nothing accepts connections" in line["error"] for line in json_lines(done.stdout))
