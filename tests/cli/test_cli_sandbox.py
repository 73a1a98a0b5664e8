"""``interviewer sandbox``: install, use an interpreter, doctor. No network."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from support.command_line import call, called
from support.terminal_typing import typed_at_a_terminal

from interviewer.sandbox import installation, tiers
from interviewer.sandbox.client import Worker
from interviewer.sandbox.installation import Installed
from interviewer.sandbox.tiers import Probe

needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="no torch beside the tests")


@pytest.fixture(autouse=True)
def _with_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is there counts as an interpreter with torch."""
    monkeypatch.setattr(
        installation, "inspect_interpreter", lambda python: Installed(python, "2.9.1")
    )


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """Where an environment is made."""
    return tmp_path / "data" / "sandbox" / "environment"


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch, environment: Path) -> None:
    """Commands make the environment at once."""

    def run(command: tuple[str, ...], _report: object = None) -> None:
        environment.mkdir(parents=True, exist_ok=True)

    monkeypatch.setattr(installation, "_run", run)


def test_folder_size_and_command_are_told_before_anybody_is_asked(environment: Path) -> None:
    result = call("sandbox", "install")
    assert result.exit_code == 2
    assert f"installs torch for the derivation bench in {environment}." in result.stdout
    assert "about 200 MB to download, 900 MB on disk" in result.stdout
    assert "GPU libraries (2.7 GB to download, 5 GB on disk) is never installed" in result.stdout
    assert f"{environment}/bin/python -I -m pip install " in result.stdout
    assert "--yes" in result.stderr
    assert not environment.exists()


@pytest.mark.usefixtures("at_once")
def test_an_installation_from_beginning_to_end(environment: Path) -> None:
    for _ in range(2):
        told = called("sandbox", "install", "--yes").stdout
        assert f"The bench now uses {environment}/bin/python with torch 2.9.1" in told


def test_an_interpreter_is_adopted(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    result = called("sandbox", "install", "--python", theirs)
    assert f"The bench now uses {theirs} with torch 2.9.1." in result.stdout


@needs_torch
def test_the_doctor_tells_the_tier_what_may_run_and_each_way_out_that_is_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = json.loads(called("doctor", "--json").stdout)
    checks = {check["name"]: check["message"] for check in found}
    assert checks["challenges"].endswith("can be used.")
    tier, _, told = checks["derivation bench"].partition(": ")
    assert tier in ("strict", "contained", "macos", "reduced")
    assert f"{sys.executable} has torch " in told
    probed = tiers.probe

    async def one_is_open(worker: Worker) -> tuple[Probe, ...]:
        first, *rest = await probed(worker)
        return (replace(first, blocked=False), *rest)

    monkeypatch.setattr(tiers, "probe", one_is_open)
    ways = [line for line in called("doctor").stdout.splitlines() if "way out of" in line]
    assert len(ways) == 1 + sum(check["name"].startswith("way out") for check in found)
    assert ways[0].startswith("warning: way out of the bench: ")


def test_the_doctor_without_a_bench_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTERVIEWER_SANDBOX_PYTHON", "/no/such/python")
    told = called("doctor").stdout
    assert "warning: derivation bench: " in told
    assert "/no/such/python" in told
    assert "interviewer sandbox install" in told


def test_at_a_terminal_one_is_asked(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "/nowhere")
    said = typed_at_a_terminal("n\n", "sandbox", "install")
    assert "Install it? [y/N]" in said
    assert "Aborted!" in said
    assert not environment.exists()
    assert "ended with code" in typed_at_a_terminal("y\n", "sandbox", "install")
