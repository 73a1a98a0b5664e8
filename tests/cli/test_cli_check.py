"""``interviewer check``: challenges listed and shown, and sources run through the real bench."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.challenge_writing import (
    CHALLENGE,
    RIGHT_LINES,
    WRONG_LINES,
    write_challenge,
)
from support.command_line import RUBRIC, call, called, write_rubric
from support.rubric_writing import rubric_values, write_yaml
from support.tables import table

from interviewer.rubric.library import load_library
from interviewer.sandbox import bench
from interviewer.sandbox.challenge import load_catalogue
from interviewer.sandbox.lint import lint_challenges_of

CASES = table("cli_check", __file__)

KEYS = ["challenge", "passed", "lines", "first_bad_line", "tier", "milliseconds"]
FURTHER_KEYS = {"outcome", "summary", "mode", "derived", "figures", "open_points", "output"}


pytestmark = pytest.mark.usefixtures("shared_worker")


@pytest.fixture(autouse=True)
def _challenge(tmp_path: Path) -> None:
    write_challenge(tmp_path / "config", rubrics=["attention-scale-root-dk"])


@pytest.fixture
def no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a setting nor an installation nor this interpreter offers torch."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)


def run(source: str, *options: str | Path, challenge: str = CHALLENGE) -> dict[str, Any]:
    """What ``check run --json`` says of a source on stdin."""
    result: dict[str, Any] = json.loads(
        call("check", "run", challenge, "--json", *options, stdin=source).stdout
    )
    assert set(result) == {*KEYS, *FURTHER_KEYS}
    return result


def test_all_challenges_are_listed_with_where_they_come_from(tmp_path: Path) -> None:
    write_challenge(tmp_path / "config", "attn", title="My attention")
    page = called("check", "list").stdout
    assert "attn" in page
    assert "yours, replaces shipped" in page
    listed = {each["id"]: each for each in json.loads(called("check", "list", "--json").stdout)}
    assert (listed["attn"]["origin"], listed["attn"]["replaces"]) == ("yours", True)
    assert listed[CHALLENGE]["path"] == str(tmp_path / "config/challenges/mean-square.yaml")


def test_a_task_is_shown_without_its_answer() -> None:
    page = called("check", "show", CHALLENGE).stdout
    for told in ("x[m, n]; a vector a row", "out[m]; one number", "def f(x) -> out[m]"):
        assert told in page
    assert "squares[m, n] (asked for)" in page
    assert "Not to be used: mean" in page
    assert " sum," in page
    assert " mean," not in page
    assert "x * x" not in page
    assert "Square first" not in page
    shown = called("check", "show", CHALLENGE, "--json").stdout
    assert "x * x" not in shown
    assert json.loads(shown)["arguments"] == ["x"]


def test_lines_that_hold(tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_text(RIGHT_LINES)
    page = called("check", "run", CHALLENGE, "--file", tmp_path / "lines.txt").stdout
    assert "  1  ✓ holds       squares = x * x\n" in page
    assert "Every line holds numerically" in page
    assert "(strict, " in page or "(contained, " in page


def test_lines_that_do_not_follow() -> None:
    result = call("check", "run", CHALLENGE, stdin=WRONG_LINES + "last = 2 * out\n")
    assert result.exit_code == 1
    assert "  2  ✗ fails       out = sum(squares, dim=-1)\n" in result.stdout
    assert "       What happens to your number when a row gets twice as long?\n" in result.stdout
    assert "  3  – not judged  last = 2 * out\n" in result.stdout
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("Error: Line 2 ")


@pytest.mark.parametrize(("arguments", "code", "said"), CASES["what_cannot_be_meant"])
def test_what_cannot_be_meant(arguments: list[str], code: int, said: str) -> None:
    result = call("check", *arguments)
    assert result.exit_code == code
    assert said in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.usefixtures("no_torch")
def test_without_torch_a_check_says_how_to_get_it_and_the_rest_works() -> None:
    result = call("check", "run", CHALLENGE, stdin=RIGHT_LINES)
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert "'interviewer sandbox install'" in result.stderr
    assert "'--python PATH'" in result.stderr
    told = run(RIGHT_LINES)
    assert (told["outcome"], told["tier"], told["passed"]) == ("unavailable", "off", False)
    called("check", "list")
    called("check", "show", CHALLENGE)
    assert "sandbox install" in call("check", "lint").stderr


@pytest.fixture
def reduced(shared_worker: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that walls nothing off: the real worker, whose tier is called reduced."""
    find_tier = bench.find_tier

    async def found(*arguments: Any, **options: Any) -> Any:
        report, worker = await find_tier(*arguments, **options)
        return replace(report, tier="reduced", about="Nothing is walled off here."), worker

    monkeypatch.setattr(bench, "find_tier", found)


ATTENTION = "out = softmax(Q @ T(K) / sqrt(d), dim=-1) @ V\n"
ATTENTION_FUNCTION = """
def f(Q, K, V):
    return torch.softmax(Q @ K.T / Q.shape[1] ** 0.5, -1) @ V
"""


@pytest.mark.usefixtures("reduced")
def test_where_nothing_confines_it_only_ones_own_function_runs_with_consent() -> None:
    refused = call("check", "run", "attn", stdin=ATTENTION_FUNCTION)
    assert refused.exit_code == 2
    assert "--yes-run-my-code" in refused.stderr
    assert refused.stdout == ""
    assert run(ATTENTION, challenge="attn")["passed"]  # lines need no consent
    agreed = run(ATTENTION_FUNCTION, "--yes-run-my-code", challenge="attn")
    assert (agreed["passed"], agreed["tier"]) == (True, "reduced")
    of_others = run(RIGHT_LINES, "--yes-run-my-code")
    assert of_others["outcome"] == "unavailable"
    assert "is not one of the shipped challenges" in of_others["summary"]


def test_lint_runs_what_a_challenge_holds(tmp_path: Path) -> None:
    folder = tmp_path / "config" / "challenges"
    result = called("check", "lint", folder)
    assert result.stdout == "1 challenge file checked: no errors, no warnings.\n"
    path = write_challenge(
        tmp_path / "config",
        "spoilt",
        rubrics=["no-such-rubric"],
        derivation="squares = x * x\nout = sum(squares, dim=-1)\n",
    )
    spoilt = call("check", "lint", path, "--json")
    problems = {problem["field"]: problem for problem in json.loads(spoilt.stdout)}
    assert set(problems) == {"rubrics[0]", "derivation"}
    assert "no rubric is called no-such-rubric" in problems["rubrics[0]"]["message"]
    assert problems["derivation"]["line"]
    assert spoilt.exit_code == 1
    assert spoilt.stderr == "Error: 1 challenge file checked: 2 errors, no warnings.\n"


def test_lint_looks_at_what_rubrics_offer(
    tmp_path: Path,
) -> None:
    rubric = write_rubric(tmp_path / "config", challenge="mean-sqare")
    library = load_library([tmp_path / "config" / "rubrics"])
    library = replace(library, entries={RUBRIC: library.entries[RUBRIC]})
    catalogue = load_catalogue([tmp_path / "config" / "challenges"])
    (unknown,) = lint_challenges_of(library, catalogue)
    assert (unknown.path, unknown.field) == (str(rubric), "challenge")
    assert "did you mean mean-square?" in unknown.message
    values = rubric_values(RUBRIC, challenge=CHALLENGE)
    values["criteria"][0]["bench"], values["criteria"][1]["bench"] = "out", "root"
    write_yaml(rubric, values)
    (problem,) = lint_challenges_of(library, catalogue)
    assert problem.field == "criteria[1].bench"
    assert problem.message == ("root is not derived in mean-square; name one of out, squares")
