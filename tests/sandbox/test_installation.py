"""The bench's own environment: installed, adopted, interrupted, found again.

No network: real pip installs from an index that the test serves.
"""

from __future__ import annotations

import json
import os
import shutil
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
from interviewer.sandbox.installation import TORCH, Installation, torch_requirement
from interviewer.settings import load_settings

ROOT = Path(__file__).parents[2]
CPU_TORCH = torch_requirement()
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="macOS has one build of torch")
ANSWER = '{"python": [3, 12], "path": "%s", "torch": "%s", "trouble": "%s"}'
PASSING_UV = """\
case "$1" in
  venv) mkdir -p "$4/bin" && cp "$ANSWERING" "$4/bin/python" && echo noise > "$4/big" ;;
  pip) echo "$@" > "$ARGUMENTS"; [ -z "$FAIL" ] || { echo "no such package" >&2; exit 3; } ;;
esac
"""


UV_MODULE = """
import pathlib, sys, sysconfig
place = pathlib.Path(sysconfig.get_path("purelib")) / "torch"
place.mkdir()
(place / "__init__.py").write_text("__version__ = '2.13.0+cpu'")
(place.parent / "arguments").write_text(" ".join(sys.argv[1:]))
"""


def add_torch(index: PackageIndex, version: str, *, requires: Sequence[str] = ()) -> None:
    says = {"torch/__init__.py": f"__version__ = {version!r}\n"}
    index.add("torch", version, says, requires=requires)


def program(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}")
    path.chmod(0o755)
    return path


def interpreter(path: Path, *, torch: str = "2.13.0+cpu", trouble: str = "") -> Path:
    return program(path, f"echo '{ANSWER % (path, torch, trouble)}'\n")


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
def no_uv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)


@pytest.fixture
def quick_venv(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment borrows this interpreter's pip; to unpack its own takes seconds."""
    really_run = installation._run
    pip = find_spec("pip")
    assert pip is not None
    assert pip.origin is not None
    borrowed = Path(pip.origin).parent

    def run(command: tuple[str, ...]) -> None:
        *before, last = command
        if "venv" not in before:
            return really_run(command)
        really_run((*before, "--without-pip", last))
        (packages,) = Path(last).glob("lib/python*/site-packages")
        return (packages / "pip").symlink_to(borrowed)

    monkeypatch.setattr(installation, "_run", run)


@pytest.fixture
def usual_index(tmp_path: Path) -> Iterator[PackageIndex]:
    """As on Linux: torch brings GPU libraries. It has a stand-in for uv, too."""
    with package_index(tmp_path / "usual") as index:
        index.add("nvidia-cublas", "13.1", {"nvidia/cublas.py": ""})
        add_torch(index, "2.13.0", requires=["nvidia-cublas"])
        index.add("uv", "0.13.9", {"uv/__init__.py": "", "uv/__main__.py": UV_MODULE})
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
def uv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: Installation) -> Path:
    """A uv that makes an environment at once; yields the file of what pip was called with."""
    program(tmp_path / "tools" / "uv", PASSING_UV)
    answering = interpreter(tmp_path / "answering")
    answering.write_text(answering.read_text().replace(str(answering), str(place.python)))
    monkeypatch.setenv("PATH", f"{tmp_path / 'tools'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("ANSWERING", str(answering))
    monkeypatch.setenv("ARGUMENTS", str(tmp_path / "arguments"))
    monkeypatch.setenv("FAIL", "")
    return tmp_path / "arguments"


def test_the_torch_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["optional-dependencies"]["sandbox"] == [TORCH]
    assert TORCH in (ROOT / "constraints.txt").read_text("utf-8").splitlines()


@pytest.mark.usefixtures("no_uv", "quick_venv")
def test_pip_installs_the_cpu_build_from_the_index_that_is_named(
    place: Installation, cpu_index: PackageIndex
) -> None:
    kept = place.install(cpu_index.url)
    assert (kept.python, kept.version) == (place.python, CPU_TORCH.removeprefix("torch=="))
    assert cpu_index.downloaded() == {"torch"}


@linux_only
@pytest.mark.usefixtures("no_uv", "quick_venv")
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
@pytest.mark.usefixtures("no_uv", "quick_venv")
def test_without_a_named_index_uv_is_installed_and_fetches_the_cpu_build(
    place: Installation,
    usual_index: PackageIndex,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "pip.conf").write_text(f"[global]\nindex-url = {usual_index.url}\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    assert place.install().version == "2.13.0+cpu"
    assert usual_index.downloaded() == {"uv"}
    (told,) = place.environment.rglob("arguments")
    assert told.read_text() == (
        f"pip install --python {place.python} --torch-backend cpu torch==2.13.0+cpu"
    )


@linux_only
@pytest.mark.usefixtures("quick_venv")
def test_where_variables_tell_pip_to_look_pip_looks(
    place: Installation,
    uv: Path,
    usual_index: PackageIndex,
    cpu_index: PackageIndex,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", usual_index.url)
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", cpu_index.url)
    assert place.install().version == "2.13.0+cpu"
    assert usual_index.downloaded() == set()
    assert not uv.exists()


@pytest.mark.usefixtures("no_uv")
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
    uv: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    assert place.recorded() is None
    kept = place.install()
    assert place.recorded() == kept
    assert (kept.python, kept.version) == (place.python, "2.13.0+cpu")
    assert uv.read_text().split()[-3:] == ["--torch-backend", "cpu", CPU_TORCH]
    assert [path.name for path in place.folder.iterdir() if path.is_file()] == ["sandbox.json"]
    monkeypatch.setenv("FAIL", "yes")
    with pytest.raises(SandboxError, match="ended with code 3"):
        place.install()
    assert "no such package" in capfd.readouterr().err
    assert place.recorded() is None
    assert not place.environment.exists()
    adopted = place.adopt(interpreter(tmp_path / "theirs"))
    with pytest.raises(SandboxError):
        place.install()
    assert place.recorded() == adopted
    monkeypatch.setenv("FAIL", "")
    place.install()
    assert place.recorded() is not None

    def interrupted(command: tuple[str, ...]) -> None:
        program(place.python, "half")
        assert place.recorded() is None
        raise KeyboardInterrupt

    monkeypatch.setattr(installation, "_run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        place.install()
    assert place.recorded() is None
    assert not place.environment.exists()


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


def test_a_link_in_place_of_the_environment_is_not_followed(
    place: Installation, uv: Path, tmp_path: Path
) -> None:
    (tmp_path / "theirs").mkdir()
    place.folder.mkdir(parents=True)
    place.environment.symlink_to(tmp_path / "theirs")
    place.install()
    assert (tmp_path / "theirs").is_dir()
    assert list((tmp_path / "theirs").iterdir()) == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"python": 3}', "null", '"x"', "\ud800"])
def test_a_damaged_record_counts_as_none(place: Installation, text: str) -> None:
    place.folder.mkdir(parents=True)
    (place.folder / "sandbox.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    assert place.recorded() is None


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("echo hello; echo '{}'", "does not answer like a Python interpreter"),
        ("exit 1", "does not answer like a Python interpreter"),
        (f"echo '{ANSWER % ('', '', '')}'", "has no torch"),
        (f"echo '{ANSWER % ('', '2.3.1', '')}'", "has torch 2.3.1; .* torch 2.4 or later"),
        (f"echo '{ANSWER % ('', 'nightly', '')}'", "has torch nightly;"),
        (f"echo '{ANSWER % ('', '', 'OSError: libtorch')}'", r"has no torch .OSError: libtorch"),
        (f"echo '{ANSWER.replace('3, 12', '3, 9') % ('', '2.5', '')}'", "is Python 3.9 "),
        ('echo \'{"python": "3", "path": 1, "torch": [], "trouble": 0}\'', "does not answer like"),
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
        with pytest.raises(SandboxError, match="cannot be run"):
            place.adopt(path)


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
