"""``interviewer grade``: one answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import FULL_ANSWER, RUBRIC, call, called, json_lines
from support.shapes import GRADE, POINT, VERDICT

SHAPE = {"rubric", "score", "follow_up", *GRADE}
GAP = "The variance of the dot product grows with the width of a head."
GERMAN = "Die Varianz des Skalarprodukts wächst mit der Breite, und der Loss beginnt bei 11,5 nats."


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


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "part"),
    [
        (("grade", RUBRIC), b"caf\xe9", 1, "UTF-8"),
        (("grade", RUBRIC, "--answer", "none.txt"), b"", 2, "none.txt"),
        (("grade",), b"", 2, "Missing argument"),
    ],
)
def test_what_cannot_be_read_is_refused(
    config: Path, arguments: tuple[str, ...], stdin: bytes, code: int, part: str
) -> None:
    result = call(*arguments, stdin=stdin)
    assert result.exit_code == code
    assert part in result.stderr


def test_a_server_that_is_not_there_is_told(config: Path) -> None:
    endpoint = ("--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--examiner", "llm")
    result = call(*endpoint, "grade", RUBRIC, stdin=FULL_ANSWER)
    assert result.exit_code == 1
    assert "Nothing accepts connections" in result.stderr
