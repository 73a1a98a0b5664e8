"""Broken files of every kind: each is told with its line, and the others load all the same.

``broken/expected.json`` holds, for each file, how the messages begin and whether it loads: what
makes no sense together is left to lint.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command_line import call, called, write_plan, write_rubric
from support.rubric_writing import rubric_values, write_yaml

from interviewer.content.fields import Problem
from interviewer.interview.plans import lint_plan_paths, load_plans
from interviewer.rubric.library import Library, load_library
from interviewer.rubric.lint import lint_paths

BROKEN = Path(__file__).parent / "broken"
EXPECTED = json.loads((BROKEN / "expected.json").read_text("utf-8"))
UNUSABLE = {name for name, entry in EXPECTED.items() if not entry["loads"]}


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library()


def in_folder(kind: str) -> set[str]:
    return {f"{kind}/{path.name}" for path in (BROKEN / kind).iterdir()}


def file_of(problem: Problem) -> str:
    return "/".join(Path(problem.path).parts[-2:])


def test_every_broken_file_is_expected() -> None:
    assert in_folder("rubrics") | in_folder("plans") == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_broken_file_is_told_with_its_line(name: str, library: Library) -> None:
    path = BROKEN / name
    is_plan = name.startswith("plans/")
    _, problems = lint_plan_paths([path], library) if is_plan else lint_paths([path])
    errors = [problem for problem in problems if problem.severity == "error"]
    told = [str(error).removeprefix(f"{path}:") for error in errors]
    wanted = EXPECTED[name]["told"]
    assert len(told) == len(wanted), told
    for one, beginning in zip(told, wanted, strict=True):
        assert one.startswith(beginning)
    for error in errors:
        assert error.line
        assert str(error).isprintable()


def ids_that_load(kind: str) -> set[str]:
    return {Path(name).stem for name in in_folder(kind) - UNUSABLE}


def test_library_and_plans_load_without_them(library: Library, tmp_path: Path) -> None:
    write_yaml(tmp_path / "sound.yaml", rubric_values("sound-one"))
    found = load_library([BROKEN / "rubrics", tmp_path])
    assert set(found.entries) - set(library.entries) == ids_that_load("rubrics") | {"sound-one"}
    assert {file_of(problem) for problem in found.problems} == UNUSABLE & in_folder("rubrics")
    plans = load_plans([BROKEN / "plans"])
    assert set(plans.entries) - set(load_plans().entries) == ids_that_load("plans")
    assert {file_of(problem) for problem in plans.problems} == UNUSABLE & in_folder("plans")


@pytest.mark.parametrize("kind", ["rubrics", "plans"])
def test_no_command_breaks_on_them(tmp_path: Path, kind: str) -> None:
    config = tmp_path / "config"
    write_rubric(config)
    write_plan(config)
    (config / kind / "broken").symlink_to(BROKEN / kind)
    listed = called(kind, "list")
    linted = call(kind, "lint", config / kind)
    assert (linted.exit_code, type(linted.exception)) == (1, SystemExit)
    for name in UNUSABLE & in_folder(kind):
        assert Path(name).name in listed.stderr
        assert Path(name).name in linted.stdout
    assert "Traceback" not in listed.output + linted.output


MakeFile = Callable[[Path], object]


def a_link_to_a_secret(path: Path) -> None:
    secret = path.parent.parent / "secret"
    secret.write_text("password hunter2: [")
    path.symlink_to(secret)


def ten_megabytes(path: Path) -> None:
    path.write_bytes(b"id: a-b\n" + b"# filler\n" * 1_200_000)


def a_huge_list(path: Path) -> None:
    criteria = [criterion for _ in range(200) for criterion in rubric_values()["criteria"]]
    write_yaml(path, rubric_values("huge-list", criteria=criteria))


@pytest.mark.parametrize(
    ("make", "beginning"),
    [
        (Path.mkdir, ": is a folder, not a file"),
        (os.mkfifo, ": is not a regular file"),
        (lambda p: p.symlink_to(p), ": cannot be read (Too many levels of symbolic links)"),
        (lambda p: p.symlink_to("nowhere"), ": cannot be read (No such file or directory)"),
        (a_link_to_a_secret, ":2: is not valid YAML"),
        (ten_megabytes, ": is larger than 512 KB"),
        (a_huge_list, ":10: criteria: must have at most 12 items"),
    ],
)
def test_what_no_repository_can_hold(
    tmp_path: Path, library: Library, make: MakeFile, beginning: str
) -> None:
    own = tmp_path / "own"
    write_yaml(own / "sound.yaml", rubric_values("sound-one"))
    path = own / "broken.yaml"
    make(path)
    (own / "loop").symlink_to(own)
    found = load_library([own])
    (problem,) = found.problems
    assert str(problem).removeprefix(str(path)).startswith(beginning)
    assert "hunter2" not in str(problem)
    assert set(found.entries) == {*library.entries, "sound-one"}
