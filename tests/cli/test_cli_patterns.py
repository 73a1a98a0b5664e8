"""``interviewer rubrics patterns``: YAML to paste, what it changes, and --write."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from support.command_line import RUBRIC, call, called, write_rubric
from support.endpoint import Body, StubEndpoint
from support.rubric_writing import rubric_values

from interviewer.content.files import read
from interviewer.rubric.rubric import Rubric


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A rubric of one's own without patterns."""
    criteria = rubric_values()["criteria"]
    for criterion in criteria:
        criterion.pop("patterns", None)
        criterion.pop("partly", None)
    return write_rubric(tmp_path / "config", criteria=criteria)


def test_what_is_printed_can_be_pasted_and_says_what_it_changes(bare: Path) -> None:
    result = called("rubrics", "patterns", RUBRIC)
    pasted = yaml.safe_load(result.stdout)["criteria"]
    assert {"id", "patterns"} == set(pasted[0])
    assert "# Accepted phrasings found: 0 of" in result.stdout
    assert "# Samples judged as you did: " in result.stdout
    assert "credit less than words alone would" in result.stderr
    assert called("rubrics", "patterns", RUBRIC).stdout == result.stdout
    assert not any(c.patterns for c in read(bare, Rubric).required().criteria)


def test_written_patterns_are_those_that_were_shown_and_lint_has_nothing_against(
    bare: Path,
) -> None:
    shown = json.loads(called("rubrics", "patterns", RUBRIC, "--json").stdout)
    kept = [each for each in shown if each["samples"]["after"] >= each["samples"]["before"]]
    result = called("rubrics", "patterns", RUBRIC, "--write")
    assert f"added to {bare}" in result.stderr
    written = {c.id: c.patterns for c in read(bare, Rubric).required().criteria}
    for each in shown:
        expected = len(each["patterns"]) if each in kept else 0
        assert len(written[each["criterion"]]) == expected
    assert "patterns[" not in called("rubrics", "lint", bare).stdout


def test_patterns_that_no_sample_has_tried_are_told_as_such(bare: Path) -> None:
    assert "has no samples" not in called("rubrics", "patterns", RUBRIC).stderr
    bare.write_text(bare.read_text().partition("samples:")[0])
    assert "has no samples" in called("rubrics", "patterns", RUBRIC).stderr


def test_a_shipped_rubric_is_not_written_to() -> None:
    result = call("rubrics", "patterns", "attention-scale-root-dk", "--write")
    assert result.exit_code == 1
    assert "interviewer rubrics copy attention-scale-root-dk" in result.stderr
    assert call("rubrics", "patterns", "attention-scale-root-dk").exit_code == 0


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[StubEndpoint]:
    with StubEndpoint(judge=by_a_model) as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        monkeypatch.setenv("INTERVIEWER_MODEL", "stub")
        yield stub


def by_a_model(body: Body) -> str:
    patterns = [[r"\bvarian\w*", "{grow}"], [r"\battention\b"], [r"\b(open"]]
    return json.dumps({"criteria": [{"id": "variance", "patterns": patterns}]})


def test_a_models_patterns_are_checked_by_the_same_rules(
    bare: Path, endpoint: StubEndpoint
) -> None:
    result = called("rubrics", "patterns", RUBRIC, "--examiner", "llm", "--json")
    shown = {each["criterion"]: each["patterns"] for each in json.loads(result.stdout)}
    assert shown == {"variance": [[r"\bvarian\w*", "{grow}"]], "initial-loss": []}
    assert r"Left out for variance: \battention\b " in result.stderr
    assert r"Left out for variance: \b(open is not a valid RE2" in result.stderr


def test_a_reply_without_patterns_is_told(bare: Path, endpoint: StubEndpoint) -> None:
    endpoint.judge = lambda body: '{"criteria": [{"id": 7}]}'
    result = call("rubrics", "patterns", RUBRIC, "--examiner", "llm")
    assert result.exit_code == 1
    assert "stub proposed no patterns (criteria.0.id: " in result.stderr


def test_a_model_that_is_not_configured_is_told(bare: Path) -> None:
    result = call("rubrics", "patterns", RUBRIC, "--examiner", "llm")
    assert result.exit_code == 1
    assert "needs a model, and none is configured" in result.stderr
