"""``interviewer claims``: one text, and a file of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.command_line import call, called, json_lines
from support.endpoint import Body, StubEndpoint, answer_to_read

IMPOSSIBLE = "We trained a 7B on 1.4T tokens with thirty-two A100s in nine days."
POSSIBLE = "We trained a 7B on 1.4T tokens with 256 A100s in three weeks."


_FIGURES: tuple[tuple[str, str, float, str, str], ...] = (
    ("7B", "parameters", 7e9, "", ""),
    ("1.4T tokens", "tokens", 1.4e12, "tokens", ""),
    ("thirty-two A100s", "gpus", 32, "A100s", "A100s"),
    ("nine days", "duration", 9, "days", ""),
)
SUM = "7B parameters on 1.4T tokens is 5.9e22 FLOP; 32 A100s in 9 days give at most 7.8e21 FLOP."
UNREAD = "The model did not say which numbers the answer states."


def read_figures(body: Body) -> str:
    """Reports all figures of the impossible run, also those that a text does not hold."""
    assert answer_to_read(body)
    same = {"run": "r", "whose": "own", "status": "stands", "replaces": False}
    names = ("quote", "quantity", "value", "unit", "device")
    figures = [dict(zip(names, each, strict=True)) | same for each in _FIGURES]
    return json.dumps({"figures": figures, "circumstances": [], "objection": ""})


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[StubEndpoint]:
    with StubEndpoint(claims=read_figures) as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        monkeypatch.setenv("INTERVIEWER_MODEL", "stub")
        yield stub


def batch_file(path: Path, *tasks: object) -> Path:
    lines = (task if isinstance(task, str) else json.dumps(task) for task in tasks)
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_json_holds_claims_in_base_units_and_the_sum_in_words() -> None:
    [found] = json_lines(called("claims", "--json", stdin=IMPOSSIBLE).stdout)
    assert set(found) == {"id", "claims", "contradictions", "read_by"}
    assert found["read_by"] == "rules"
    assert [(each["text"], each["quantity"], each["value"]) for each in found["claims"]] == [
        ("7B", "parameters", 7e9),
        ("1.4T tokens", "tokens", 1.4e12),
        ("thirty-two A100s", "gpus", 32),
        ("nine days", "duration", 9 * 86400),
    ]
    assert {(each["whose"], each["status"]) for each in found["claims"]} == {("own", "stands")}
    [contradiction] = found["contradictions"]
    assert contradiction == {
        "sentence": SUM,
        "claims": ["7B", "1.4T tokens", "thirty-two A100s", "nine days"],
        "relations": ["training-compute", "hardware-limit"],
    }


def test_text_output_lists_the_claims_and_states_the_sum(tmp_path: Path) -> None:
    path = tmp_path / "answer.txt"
    path.write_text(IMPOSSIBLE, "utf-8")
    told = called("claims", "--file", path).stdout
    heading, *rows = told.splitlines()
    assert heading.split() == ["QUANTITY", "VALUE", "QUOTE", "RUN"]
    assert " ".join(rows[2].split()) == "GPUs 32 A100s “thirty-two A100s” 1"
    assert f"✗ {SUM}" in told


def test_honest_numbers_are_said_to_be_so() -> None:
    told = called("claims", stdin=POSSIBLE).stdout
    assert "✗" not in told
    assert "Nothing in these numbers contradicts the rest." in told


def test_a_text_without_numbers_says_so() -> None:
    assert called("claims", stdin="We tuned it.").stdout == (
        "No number about a training run was found.\n"
    )


def test_a_batch_keeps_its_order_and_its_ids(tmp_path: Path) -> None:
    path = batch_file(
        tmp_path / "batch.jsonl",
        {"id": "b", "text": IMPOSSIBLE},
        {"id": 7, "text": POSSIBLE},
        "",
        {"text": ""},
    )
    found = json_lines(called("claims", "--batch", path).stdout)
    assert [line["id"] for line in found] == ["b", 7, None]
    assert [len(line["contradictions"]) for line in found] == [1, 0, 0]
    assert [len(line["claims"]) for line in found] == [4, 4, 0]


def test_a_bad_line_is_an_error_line_in_its_place(tmp_path: Path) -> None:
    path = tmp_path / "batch.jsonl"
    lines = [
        b'{"id": 1, "text":',
        b'{"id": 2}',
        b'{"id": 3, "text": 4}',
        b"[1, 2]",
        b'{"id": 5, "text": "caf\xe9"}',
        json.dumps({"id": 6, "text": IMPOSSIBLE}).encode(),
    ]
    path.write_bytes(b"\n".join(lines))
    result = call("claims", "--batch", path)
    assert result.exit_code == 1
    assert result.stderr == "Error: 5 of 6 lines could not be read.\n"
    found = json_lines(result.stdout)
    assert [line["id"] for line in found] == [None, 2, 3, None, None, 6]
    assert "Line 1 " in found[0]["error"]
    assert '"text"' in found[1]["error"]
    assert "Line 5 " in found[4]["error"]
    assert len(found[5]["contradictions"]) == 1


def test_a_batch_can_come_through_a_pipe() -> None:
    line = json.dumps({"id": "p", "text": POSSIBLE})
    [found] = json_lines(called("claims", "--batch", "-", stdin=line).stdout)
    assert found["id"] == "p"


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "part"),
    [
        (("--file", "no-such-file.txt"), b"", 1, "no-such-file.txt"),
        ((), b"caf\xe9", 1, "UTF-8"),
        (("--file", "-", "--batch", "-"), b"", 2, "--batch"),
    ],
)
def test_what_cannot_be_read_is_refused(
    arguments: tuple[str, ...], stdin: bytes, code: int, part: str
) -> None:
    result = call("claims", *arguments, stdin=stdin)
    assert result.exit_code == code
    assert part in result.stderr


def test_escapes_in_a_text_are_shown_and_stay_raw_in_json() -> None:
    text = "It was a batch\x1b[31m of 64 sequences."
    assert "\x1b" not in called("claims", stdin=text).stdout
    assert "\x1b" not in called("claims", "--json", stdin=text).stdout


def test_the_model_reads_where_it_is_asked_to(model: StubEndpoint) -> None:
    [found] = json_lines(called("claims", "--examiner", "llm", "--json", stdin=IMPOSSIBLE).stdout)
    assert [claim["text"] for claim in found["claims"]] == [each[0] for each in _FIGURES]
    assert (found["read_by"], found["dropped"]) == ("model", 0)
    assert [each["sentence"] for each in found["contradictions"]] == [SUM]
    assert len(model.requests) == 1


def test_what_the_words_do_not_hold_is_left_out_and_said(model: StubEndpoint) -> None:
    told = called("claims", "--examiner", "llm", stdin=POSSIBLE).stdout
    assert "nine days" not in told
    assert "Left out, since the words do not hold them: 2 " in told


@pytest.mark.parametrize("at_once", ["1", "3"])
def test_a_batch_read_by_the_model_keeps_its_order(
    model: StubEndpoint, tmp_path: Path, at_once: str
) -> None:
    texts = (IMPOSSIBLE, POSSIBLE, "We tuned it.", 5, IMPOSSIBLE)
    path = batch_file(
        tmp_path / "b.jsonl", *({"id": n, "text": text} for n, text in enumerate(texts))
    )
    result = call("claims", "--examiner", "llm", "--batch", path, "--parallel", at_once)
    found = json_lines(result.stdout)
    assert (result.exit_code, result.stderr) == (1, "Error: 1 of 5 lines could not be read.\n")
    assert [line["id"] for line in found] == [0, 1, 2, 3, 4]
    assert "error" in found[3]
    del found[3]
    assert [line["read_by"] for line in found] == ["model"] * 4
    assert [len(line["contradictions"]) for line in found] == [1, 0, 0, 1]
    assert len(model.requests) == 3


@pytest.mark.parametrize("reply", ["No numbers here.", '{"figures": 7}', ""])
def test_where_the_model_fails_nothing_stands_in(model: StubEndpoint, reply: str) -> None:
    model.claims = lambda body: reply
    result = call("claims", "--examiner", "llm", "--json", stdin=IMPOSSIBLE)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: ")
    assert len(result.stderr.splitlines()) == 1


def test_a_text_of_a_batch_that_the_model_fails_on_is_an_error_line(
    model: StubEndpoint, tmp_path: Path
) -> None:
    model.claims = lambda body: "No." if answer_to_read(body) == POSSIBLE else read_figures(body)
    texts = enumerate((IMPOSSIBLE, POSSIBLE, IMPOSSIBLE))
    path = batch_file(tmp_path / "b.jsonl", *({"id": n, "text": text} for n, text in texts))
    result = call("claims", "--examiner", "llm", "--batch", path)
    assert (result.exit_code, result.stderr) == (1, "Error: 1 of 3 lines could not be read.\n")
    first, failed, last = json_lines(result.stdout)
    assert failed == {"id": 1, "error": UNREAD}
    assert [len(each["contradictions"]) for each in (first, last)] == [1, 1]


def test_without_being_asked_for_no_model_reads(model: StubEndpoint) -> None:
    assert "✗" in called("claims", stdin=IMPOSSIBLE).stdout
    called("claims", "--examiner", "offline", stdin=IMPOSSIBLE)
    assert model.requests == []
