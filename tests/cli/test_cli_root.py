"""The root command: help, errors as sentences, and what is imported when."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from support.command_line import call, called, process
from support.tables import table
from support.terminal_typing import in_terminal

from interviewer.cli.root import TABLE
from interviewer.errors import StoreError

CASES = table("cli_root", __file__)

HEAVY = ("textual", "openai", "sqlalchemy", "pydantic", "yaml", "alembic", "asyncio")


def modules_after(*arguments: str) -> set[str]:
    """The top-level packages that a process has loaded when the command is done."""
    program = (
        "import sys\n"
        "from interviewer.cli import main\n"
        "try:\n    main()\n"
        "except SystemExit:\n    pass\n"
        "print('LOADED', *{name.partition('.')[0] for name in sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True
    )
    return set(done.stdout.rpartition("LOADED")[2].split())


@pytest.mark.parametrize(
    ("command", "needed", "absent"),
    [
        ("--help", "click", {*HEAVY}),
        ("check --help", "click", {"textual", "openai", "sqlalchemy", "pydantic", "torch"}),
        ("check list", "yaml", {"textual", "openai", "sqlalchemy", "torch"}),
        ("rubrics lint no-such-file.yaml", "yaml", {"textual", "openai", "sqlalchemy"}),
        ("sessions list", "sqlalchemy", {"textual", "openai"}),
    ],
)
def test_a_command_loads_no_more_than_it_needs(command: str, needed: str, absent: set[str]) -> None:
    loaded = modules_after(*command.split())
    assert needed in loaded
    assert not loaded & absent


def test_help_names_every_command_and_every_command_has_help() -> None:
    assert called("--version").output == f"interviewer, version {version('mock-interviewer')}\n"
    page = called("--help").output
    for name, (_, told) in TABLE.items():
        assert f"  {name}" in page
        assert told in page
        assert f"Usage: root {name}" in called(name, "--help").output


def test_without_a_terminal_the_front_end_is_not_opened() -> None:
    done = process()
    assert done.returncode == 2
    assert "interviewer run" in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", CASES["wrong_usage_exits_with_2"])
def test_wrong_usage_exits_with_2(arguments: list[str]) -> None:
    result = call(*arguments)
    assert result.exit_code == 2
    assert "Error: " in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(("arguments", "said"), CASES["a_failure_is_one_sentence_and_exit_code_1"])
def test_a_failure_is_one_sentence_and_exit_code_1(arguments: list[str], said: str) -> None:
    result = call(*arguments)
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: ")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_an_error_message_cannot_steer_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise StoreError("bad \x1b]0;title\x07 name")

    monkeypatch.setattr("interviewer.composition.open_store", broken)
    result = call("sessions", "list")
    assert result.exit_code == 1
    assert result.stderr == "Error: bad ␛]0;title␇ name\n"


def test_a_reader_that_leaves_early_is_no_error_to_talk_about() -> None:
    line = f"{sys.executable} -m interviewer rubrics list --json | head -c 1"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert done.stdout == "["
    assert done.stderr == ""


def test_in_a_terminal_the_front_end_opens_with_the_settings(tmp_path: Path) -> None:
    program = (
        "import sys, types\n"
        "fake = types.ModuleType('tui')\n"
        "fake.main = lambda given: print('OPENED', given.database, given.model)\n"
        "sys.modules['tui'] = fake\n"
        "from interviewer.cli import main\n"
        "main()\n"
    )
    arguments = ["--database", str(tmp_path / "mine.db"), "--model", "some-model"]
    assert in_terminal("-c", program, *arguments) == f"OPENED {tmp_path}/mine.db some-model\r\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    ("unbuffered", "command"),
    [("", "--help"), ("", "run --plan one-question"), ("1", "plans list")],
)
def test_output_that_cannot_be_written_is_one_sentence(
    config: Path, command: str, unbuffered: str
) -> None:
    line = f"PYTHONUNBUFFERED={unbuffered} {sys.executable} -m interviewer {command} > /dev/full"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "Error: The output failed: No space left on device.\n"
