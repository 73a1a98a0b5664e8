"""The bench's own environment: installed, adopted, interrupted, found again.

No network: real pip installs from an index that the test serves.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest
from support.package_index import PackageIndex, package_index

from interviewer.composition import sandbox_python
from interviewer.errors import SandboxError
from interviewer.sandbox import installation
from interviewer.sandbox.installation import (
    TORCH,
    Command,
    Installation,
    Installed,
    torch_requirement,
)
from interviewer.settings import load_settings

ROOT = Path(__file__).parents[2]
CPU_TORCH = torch_requirement()
NOWHERE = "nowhere"
"""A package that no index has."""
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="macOS has one build of torch")


def add_torch(index: PackageIndex, version: str, *, requires: Sequence[str] = ()) -> None:
    says = {"torch/__init__.py": f"__version__ = {version!r}\n"}
    index.add("torch", version, says, requires=requires)


def program(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}")
    path.chmod(0o755)
    return path


def interpreter(path: Path) -> Path:
    """Something that says which torch it has."""
    return program(path, "echo 2.13.0+cpu")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """No worker is started: the torch of these tests has a version alone."""

    def version(python: Path) -> Installed:
        code = "import torch; print(torch.__version__)"
        said = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
        return Installed(python, said.stdout.strip())

    monkeypatch.setattr(installation, "inspect_interpreter", version)


@pytest.fixture
def place(tmp_path: Path) -> Installation:
    return Installation(tmp_path / "data")


@pytest.fixture(autouse=True)
def _no_pip_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever this machine's pip looks for packages, the tests do not."""
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_CONSTRAINT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")


@pytest.fixture
def quick_venv(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment borrows this interpreter's pip; to unpack its own takes seconds."""
    really_run = installation._run
    pip = find_spec("pip")
    assert pip is not None
    assert pip.origin is not None
    borrowed = Path(pip.origin).parent

    def run(command: tuple[str, ...], _report: object = None) -> None:
        *before, last = command
        if "venv" not in before:
            return really_run(command)
        really_run((*before, "--without-pip", last))
        (packages,) = Path(last).glob("lib/python*/site-packages")
        return (packages / "pip").symlink_to(borrowed)

    monkeypatch.setattr(installation, "_run", run)


@pytest.fixture
def usual_index(tmp_path: Path) -> Iterator[PackageIndex]:
    """As on Linux: torch brings GPU libraries."""
    with package_index(tmp_path / "usual") as index:
        index.add("nvidia-cublas", "13.1", {"nvidia/cublas.py": ""})
        add_torch(index, "2.13.0", requires=["nvidia-cublas"])
        yield index


@pytest.fixture
def cpu_index(tmp_path: Path) -> Iterator[PackageIndex]:
    """As PyTorch's own: the CPU build, beside others."""
    with package_index(tmp_path / "cpu") as index:
        add_torch(index, "2.13.0", requires=["nvidia-cublas"])
        add_torch(index, "2.13.0+cpu")
        add_torch(index, "2.14.0+cpu")
        yield index


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch, asked: None, place: Installation) -> list[Command]:
    """An environment is there at once; the commands that were run for it."""
    run: list[Command] = []

    def make(command: Command, _report: object = None) -> None:
        run.append(command)
        if "venv" in command:
            interpreter(place.python)
        elif command[-1] == NOWHERE:
            really_run(("sh", "-c", "echo no such package >&2; exit 3"))

    really_run = installation._run
    monkeypatch.setattr(installation, "_run", make)
    return run


def test_the_torch_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["optional-dependencies"]["sandbox"] == [TORCH]
    assert TORCH in (ROOT / "constraints.txt").read_text("utf-8").splitlines()


@pytest.mark.usefixtures("quick_venv", "asked")
def test_pip_installs_the_cpu_build_from_the_index_that_is_named(
    place: Installation, cpu_index: PackageIndex
) -> None:
    kept = place.install(cpu_index.url)
    assert (kept.python, kept.version) == (place.python, CPU_TORCH.removeprefix("torch=="))
    assert cpu_index.downloaded() == {"torch"}


@linux_only
@pytest.mark.usefixtures("quick_venv", "asked")
def test_an_index_with_gpu_libraries_only_is_refused_before_any_download(
    place: Installation, usual_index: PackageIndex, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SandboxError, match=r"name an index that has torch==2.13.0\+cpu") as refused:
        place.install(usual_index.url)
    assert f"--index-url {usual_index.url} torch==2.13.0+cpu" in str(refused.value)
    assert "No matching distribution" in capfd.readouterr().err
    assert usual_index.requested == ["/torch/"]
    assert not place.environment.exists()
    assert place.recorded() is None


@linux_only
def test_without_a_named_index_uv_takes_the_cpu_build(place: Installation) -> None:
    _make, uv, torch = place.commands()
    assert uv[-1].startswith("uv>=")
    assert torch[-3:] == ("--torch-backend", "cpu", "torch==2.13.0+cpu")


@linux_only
@pytest.mark.usefixtures("quick_venv", "asked")
def test_where_variables_tell_pip_to_look_pip_looks(
    place: Installation,
    usual_index: PackageIndex,
    cpu_index: PackageIndex,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", usual_index.url)
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", cpu_index.url)
    assert place.install().version == "2.13.0+cpu"
    assert usual_index.downloaded() == set()


def test_on_macos_the_usual_index_will_do(
    place: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert place.commands() == (
        (sys.executable, "-I", "-m", "venv", str(place.environment)),
        (str(place.python), "-I", "-m", "pip", "install", TORCH),
    )


def test_an_installation_that_fails_or_is_interrupted_leaves_nothing(
    place: Installation,
    at_once: list[Command],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    assert place.recorded() is None
    kept = place.install()
    assert place.recorded() == kept
    assert (kept.python, kept.version) == (place.python, "2.13.0+cpu")
    assert at_once == list(place.commands())
    assert [path.name for path in place.folder.iterdir() if path.is_file()] == ["sandbox.json"]
    monkeypatch.setattr(installation, "torch_requirement", lambda: NOWHERE)
    with pytest.raises(SandboxError, match="ended with code 3"):
        place.install()
    assert "no such package" in capfd.readouterr().err
    assert place.recorded() is None
    assert not place.environment.exists()
    adopted = place.adopt(interpreter(tmp_path / "theirs"))
    with pytest.raises(SandboxError):
        place.install()
    assert place.recorded() == adopted
    monkeypatch.setattr(installation, "torch_requirement", lambda: CPU_TORCH)
    place.install()
    assert place.recorded() is not None

    def interrupted(command: tuple[str, ...], _report: object = None) -> None:
        program(place.python, "half")
        assert place.recorded() is None
        raise KeyboardInterrupt

    monkeypatch.setattr(installation, "_run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        place.install()
    assert place.recorded() is None
    assert not place.environment.exists()


@pytest.mark.usefixtures("asked")
def test_an_adopted_interpreter_is_on_record_while_it_is_there(
    place: Installation, tmp_path: Path
) -> None:
    theirs = interpreter(tmp_path / "theirs" / "bin" / "python")
    kept = place.adopt(theirs)
    record = json.loads((place.folder / "sandbox.json").read_text("utf-8"))
    assert record == {"python": str(theirs), "version": "2.13.0+cpu"}
    assert place.recorded() == kept
    theirs.unlink()
    assert place.recorded() is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"python": 3}', "null", '"x"', "\ud800"])
def test_a_damaged_record_counts_as_none(place: Installation, text: str) -> None:
    place.folder.mkdir(parents=True)
    (place.folder / "sandbox.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    assert place.recorded() is None


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("echo hello", "exited before the check worker was ready"),
        ("exit 3", r"exit status 3.*sandbox install"),
        ("""echo '{"error": "torch", "detail": "OSError: libtorch"}' >&0""", "OSError: libtorch"),
        ("""echo '{"error": "python", "python": "3.9.1"}' >&0""", "is Python 3.9.1 "),
    ],
)
def test_what_cannot_be_adopted_is_told_in_a_sentence(
    place: Installation, tmp_path: Path, body: str, said: str
) -> None:
    with pytest.raises(SandboxError, match=said) as refused:
        place.adopt(program(tmp_path / "supposed", body + "\n"))
    assert "\n" not in str(refused.value)
    assert place.recorded() is None


def test_what_cannot_even_be_run(place: Installation, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a program")
    for path in (tmp_path / "text", tmp_path / "nowhere", tmp_path):
        with pytest.raises(SandboxError, match="cannot be started"):
            place.adopt(path)


@pytest.mark.usefixtures("asked")
def test_which_interpreter_is_taken(
    place: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert sandbox_python(load_settings()) is None
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    assert sandbox_python(load_settings()) == Path(sys.executable)
    place.adopt(interpreter(tmp_path / "recorded"))
    assert sandbox_python(load_settings()) == tmp_path / "recorded"
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text('sandbox_python = "/from/the/file"')
    assert sandbox_python(load_settings()) == Path("/from/the/file")
    monkeypatch.setenv("INTERVIEWER_SANDBOX_PYTHON", "/from/the/environment")
    assert sandbox_python(load_settings()) == Path("/from/the/environment")
