"""Fixtures for all tests."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from support.databases import fresh_ones_are_copies
from support.postgres import NoServerError, Postgres
from support.shipped import graded_files, read_once, rubric_in, sample
from support.torch_worker import TorchWorker

from interviewer.rubric import library
from interviewer.rubric.rubric import Rubric
from interviewer.sandbox import bench, tiers
from interviewer.settings.database_url import Place, Server
from interviewer.store.store import Store

# A run repeats: the same examples each time, however busy the machine. To search for new ones:
# `pytest --hypothesis-profile=search`.
unhurried = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile("search", unhurried)
settings.register_profile("repeated", unhurried, derandomize=True, database=None)
settings.load_profile("repeated")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--whole-library",
        action="store_true",
        help="Test everything that ships, not a sample of it; .ci/run does so in its exam.",
    )
    parser.addoption(
        "--postgres",
        action="store_true",
        help="Also test the store on PostgreSQL, which is started for that; best with -n 0.",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes a ``shipped_rubric`` runs on each rubric of the sample, or on them all.

    One that takes a ``new_place`` runs on a file and a server, unless it takes a ``path``, too.
    """
    if "shipped_rubric" in metafunc.fixturenames:
        files = graded_files()
        chosen = files if metafunc.config.getoption("whole_library") else sample(files)
        metafunc.parametrize("shipped_rubric", chosen, ids=lambda f: f.stem, indirect=True)
    if "new_place" in metafunc.fixturenames:
        kinds = ["file"] if "path" in metafunc.fixturenames else KINDS
        metafunc.parametrize("new_place", kinds, indirect=True, scope="session")


NewPlace = Callable[[], Place]
KINDS = ["file", pytest.param("server", marks=pytest.mark.postgres)]
SLOW = ("e2e/", "tui/", "sandbox/test_worker_", "sandbox/test_installation", "test_readme")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("postgres"):
        left_out = [item for item in items if item.get_closest_marker("postgres")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("postgres")]
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "shipped_rubric" in fixtures:
            item.add_marker("shipped")
        if "torch_worker" in fixtures or item.nodeid.removeprefix("tests/").startswith(SLOW):
            item.add_marker("slow")


@pytest.fixture
def shipped_rubric(request: pytest.FixtureRequest) -> Rubric:
    """One rubric of those that ship."""
    return rubric_in(request.param)


@pytest.fixture(scope="session", autouse=True)
def _shipped_rubrics_are_parsed_once() -> Iterator[None]:
    """Most tests that load the library look at their own files in it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(library, "read", read_once)
        yield


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database, made as any other is."""
    path = tmp_path_factory.mktemp("migrated") / "sessions.db"
    Store(path).close()
    return path


@pytest.fixture(autouse=True)
def _databases_are_migrated_once(migrated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To make the tables of each anew would take a twentieth of a second in most tests."""
    fresh_ones_are_copies(migrated, monkeypatch)


@pytest.fixture(autouse=True)
def _own_folders(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No test reads or writes the folders of the person who runs it, nor uses their key."""
    # One for all tests, so that the shipped rubrics are parsed once.
    monkeypatch.setenv("INTERVIEWER_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "cache"))
    monkeypatch.setenv("INTERVIEWER_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("INTERVIEWER_DATA_DIR", str(tmp_path / "data"))
    for variable in (
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "INTERVIEWER_MODEL",
        "INTERVIEWER_EXAMINER",
        "INTERVIEWER_DATABASE",
        "INTERVIEWER_USER",
        "PGUSER",
        "INTERVIEWER_RUBRICS",
        "INTERVIEWER_PROJECT",
        "INTERVIEWER_THEME",
        "INTERVIEWER_SEND_KEY",
        "INTERVIEWER_TIMEOUT",
        "INTERVIEWER_SANDBOX_PYTHON",
    ):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture(scope="session")
def torch_worker() -> Iterator[TorchWorker]:
    """The worker that tests share; it takes seconds to start."""
    worker = TorchWorker()
    yield worker
    worker.close()


@pytest.fixture
def shared_worker(torch_worker: TorchWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every bench opened in this process checks with the shared worker; so does the doctor."""
    for module in (bench, tiers):
        monkeypatch.setattr(module, "find_tier", torch_worker.find_tier)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A running server, started once."""
    try:
        server = Postgres()
    except NoServerError as error:
        pytest.skip(f"no PostgreSQL here: {error}")
    yield server
    server.close()


@pytest.fixture(scope="session")
def new_place(
    request: pytest.FixtureRequest, migrated: Path, tmp_path_factory: pytest.TempPathFactory
) -> NewPlace:
    """Makes places for sessions, with empty tables: files, and databases of a server."""
    if request.param == "server":
        server: Postgres = request.getfixturevalue("postgres")
        return server.migrated

    def new_file() -> Path:
        path = tmp_path_factory.mktemp("data") / "sessions.db"
        shutil.copy(migrated, path)
        return path

    return new_file


@pytest.fixture
def place(new_place: NewPlace, request: pytest.FixtureRequest) -> Iterator[Place]:
    """Where sessions can be kept: at the ``path`` of the test, if it has one."""
    place = new_place()
    if "path" in request.fixturenames:
        path: Path = request.getfixturevalue("path")
        path.parent.mkdir(exist_ok=True)
        place = shutil.copy(place, path)
    yield place
    if isinstance(place, Server):
        request.getfixturevalue("postgres").give_back(place)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A real database file."""
    opened = Store(tmp_path / "sessions.db")
    yield opened
    opened.close()
