"""Broken files of every kind: each is told with its line, and the others load all the same."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support.broken_files import CASES, SOUND, write_broken
from support.command_line import call, called, write_plan, write_rubric
from support.rubric_writing import rubric_values, write_yaml

from interviewer.interview.plans import lint_plan_paths, load_plans
from interviewer.rubric.library import Library, load_library
from interviewer.rubric.lint import lint_paths

BROKEN = [(kind, name) for kind in SOUND for name in CASES[kind]]


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library()


@pytest.mark.parametrize(("kind", "name"), BROKEN)
def test_a_broken_file_is_told_with_its_line(
    tmp_path: Path, library: Library, kind: str, name: str
) -> None:
    path = write_broken(kind, name, tmp_path)
    _, problems = lint_plan_paths([path], library) if kind == "plans" else lint_paths([path])
    errors = [problem for problem in problems if problem.severity == "error"]
    told = [str(error).removeprefix(f"{path}:") for error in errors]
    wanted = CASES[kind][name][2:]
    assert len(told) == len(wanted), told
    for one, beginning in zip(told, wanted, strict=True):
        assert one.startswith(beginning)
    for error in errors:
        assert error.line
        assert str(error).isprintable()


@pytest.mark.parametrize("kind", SOUND)
def test_all_that_is_sound_loads_and_no_command_breaks(
    tmp_path: Path, library: Library, kind: str
) -> None:
    config = tmp_path / "config"
    write_rubric(config)
    write_plan(config)
    folder = config / kind / "broken"
    paths = [write_broken(kind, name, folder) for name in CASES[kind]]
    unusable = {path.name for path in paths if path.stem not in CASES["loads"]}
    found = load_library([folder]) if kind == "rubrics" else load_plans([folder])
    shipped = library if kind == "rubrics" else load_plans()
    assert set(found.entries) - set(shipped.entries) == {*CASES["loads"]} & {*CASES[kind]}
    assert {Path(problem.path).name for problem in found.problems} == unusable
    listed = called(kind, "list")
    linted = call(kind, "lint", config / kind)
    assert (linted.exit_code, type(linted.exception)) == (1, SystemExit)
    for name in unusable:
        assert name in listed.stderr
        assert name in linted.stdout
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


def changed(sound: str, broken: str) -> MakeFile:
    text = SOUND["rubrics"].replace("ID", "broken").replace(sound, broken)
    return lambda path: path.write_text(text)


PATTERNS = "".join(f"      - 'word {n}'\n" for n in range(300))
TERMS = "terms:\n  a: 'xxxxxxxxxx'\n" + "".join(
    f"  {name}: '{{{before}}}{{{before}}}{{{before}}}{{{before}}}'\n"
    for before, name in zip("abcdef", "bcdefg", strict=True)
)


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
        (lambda p: p.write_text("id: " + "[" * 6000), ":1: is nested more than 24 levels deep"),
        (changed("version: 1", f"version: {'9' * 5000}"), ":2: version: is not a valid int"),
        (
            changed("    probe", f"{PATTERNS}    probe"),
            ":15: criteria[0].patterns: must have at most 50 items",
        ),
        (changed("criteria:", f"{TERMS}criteria:"), ":16: terms.f: has more than 8000 characters"),
        (lambda p: p.write_bytes(codecs.BOM_UTF8), ":1: is empty"),
        (lambda p: p.write_bytes(b"id: a-b\n# \xc3"), ":2: is not UTF-8 text"),
        (lambda p: p.write_text("id: naïf", "latin-1"), ":1: is not UTF-8 text"),
        (lambda p: p.write_text("id: a-b", "utf-16"), ":1: is not UTF-8 text"),
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
