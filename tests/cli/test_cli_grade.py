"""``interviewer grade`` and ``claims``: one text, and a file of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.command_line import FULL_ANSWER, RUBRIC, call, called, json_lines, process
from support.endpoint import Body, StubEndpoint, answer_to_read
from support.shapes import GRADE, POINT, VERDICT

SHAPE = {"id", "rubric", "score", "follow_up", *GRADE}
GAP = "The variance of the dot product grows with the width of a head."
GERMAN = "Die Varianz des Skalarprodukts wächst mit der Breite, und der Loss beginnt bei 11,5 nats."
IMPOSSIBLE = "We trained a 7B on 1.4T tokens with thirty-two A100s in nine days."
POSSIBLE = "We trained a 7B on 1.4T tokens with 256 A100s in three weeks."
FIGURES: tuple[tuple[str, str, float, str, str], ...] = (
    ("7B", "parameters", 7e9, "", ""),
    ("1.4T tokens", "tokens", 1.4e12, "tokens", ""),
    ("thirty-two A100s", "gpus", 32, "A100s", "A100s"),
    ("nine days", "duration", 9, "days", ""),
)
SUM = "7B parameters on 1.4T tokens is 5.9e22 FLOP; 32 A100s in 9 days give at most 7.8e21 FLOP."


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
        (("claims", "--file", "no-such-file.txt"), b"", 2, "no-such-file.txt"),
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


def read_figures(body: Body) -> str:
    """Reports all figures of the impossible run, also those that a text does not hold."""
    assert answer_to_read(body)
    same = {"run": "r", "whose": "own", "status": "stands", "replaces": False}
    names = ("quote", "quantity", "value", "unit", "device")
    figures = [dict(zip(names, each, strict=True)) | same for each in FIGURES]
    return json.dumps({"figures": figures, "circumstances": [], "objection": ""})


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[StubEndpoint]:
    with StubEndpoint(claims=read_figures) as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        monkeypatch.setenv("INTERVIEWER_MODEL", "stub")
        yield stub


@pytest.mark.parametrize("examiner", [(), ("--examiner", "offline"), ("--examiner", "llm")])
def test_claims_are_told_in_base_units_and_the_sum_in_words(
    model: StubEndpoint, tmp_path: Path, examiner: tuple[str, ...]
) -> None:
    by_model = "llm" in examiner
    [found] = json_lines(called("claims", *examiner, "--json", stdin=IMPOSSIBLE).stdout)
    assert set(found) - {"dropped"} == {"claims", "contradictions", "read_by"}
    assert (found["read_by"], len(model.requests)) == (("model", 1) if by_model else ("rules", 0))
    assert [(each["text"], each["quantity"], each["value"]) for each in found["claims"]] == [
        *((text, measure, value) for text, measure, value, *_ in FIGURES[:3]),
        ("nine days", "duration", 9 * 86400),
    ]
    assert {(each["whose"], each["status"]) for each in found["claims"]} == {("own", "stands")}
    [contradiction] = found["contradictions"]
    assert contradiction == {
        "sentence": SUM,
        "claims": [text for text, *_ in FIGURES],
        "relations": ["training-compute", "hardware-limit"],
    }
    path = tmp_path / "answer.txt"
    path.write_text(IMPOSSIBLE, "utf-8")
    heading, *rows = called("claims", *examiner, "--file", path).stdout.splitlines()
    assert heading.split() == ["QUANTITY", "VALUE", "QUOTE", "RUN"]
    assert " ".join(rows[2].split()).startswith("GPUs 32 A100s “thirty-two A100s”")
    assert f"✗ {SUM}" in rows


def test_claims_of_a_batch_come_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    lines = [{"id": "a", "text": IMPOSSIBLE}, {"id": 2, "words": POSSIBLE}]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    done = call("claims", "--batch", path)
    assert done.exit_code == 1
    found, failed = json_lines(done.stdout)
    assert found["id"] == "a"
    assert [each["sentence"] for each in found["contradictions"]] == [SUM]
    assert failed == {"id": 2, "error": 'A line needs to be an object with "text".'}


def test_numbers_that_agree_none_at_all_and_those_that_a_model_made_up(
    model: StubEndpoint,
) -> None:
    agreeing = called("claims", stdin=POSSIBLE).stdout
    assert "✗" not in agreeing
    assert "Nothing in these numbers contradicts the rest." in agreeing
    none = called("claims", stdin="We tuned it.").stdout
    assert none == "No number about a training run was found.\n"
    told = called("claims", "--examiner", "llm", stdin=POSSIBLE).stdout
    assert "nine days" not in told
    assert "Left out, since the words do not hold them: 2 " in told


@pytest.mark.parametrize("reply", ["No numbers here.", '{"figures": 7}', ""])
def test_where_the_model_fails_nothing_stands_in(model: StubEndpoint, reply: str) -> None:
    model.claims = lambda body: reply
    result = call("claims", "--examiner", "llm", "--json", stdin=IMPOSSIBLE)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: ")
    assert len(result.stderr.splitlines()) == 1
