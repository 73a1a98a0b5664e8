"""``interviewer claims``: one text, and a file of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command_line import call, called, json_lines

IMPOSSIBLE = "We trained a 7B on 1.4T tokens with thirty-two A100s in nine days."
POSSIBLE = "We trained a 7B on 1.4T tokens with 256 A100s in three weeks."


def batch_file(path: Path, *tasks: object) -> Path:
    lines = (task if isinstance(task, str) else json.dumps(task) for task in tasks)
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_json_holds_claims_in_base_units_and_the_sum_in_words() -> None:
    [found] = json_lines(called("claims", "--json", stdin=IMPOSSIBLE).stdout)
    assert set(found) == {"id", "claims", "contradictions"}
    assert found["claims"] == [
        {"text": "7B", "quantity": "parameters", "value": 7e9, "unit": "parameters"},
        {"text": "1.4T tokens", "quantity": "tokens", "value": 1.4e12, "unit": "tokens"},
        {"text": "thirty-two A100s", "quantity": "gpus", "value": 32, "unit": "A100"},
        {"text": "nine days", "quantity": "duration", "value": 9 * 86400, "unit": "days"},
    ]
    [contradiction] = found["contradictions"]
    assert set(contradiction) == {"sum", "claims"}
    assert "5.9e22 FLOPs" in contradiction["sum"]
    assert "7.8e21" in contradiction["sum"]
    assert contradiction["claims"] == ["7B", "1.4T tokens", "thirty-two A100s", "nine days"]


def test_text_output_lists_the_claims_and_states_the_sum(tmp_path: Path) -> None:
    path = tmp_path / "answer.txt"
    path.write_text(IMPOSSIBLE, "utf-8")
    told = called("claims", "--file", path).stdout
    assert "“thirty-two A100s”  gpus" in told
    assert "✗ By your numbers this run needs 5.9e22 FLOPs" in told


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
