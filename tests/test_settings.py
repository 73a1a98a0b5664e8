"""Settings: which layer wins, and how an invalid value is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.composition import make_examiner
from interviewer.errors import SettingsError
from interviewer.examiner.llm.endpoint import DEFAULT_MODEL, endpoint_of
from interviewer.settings import load_settings


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "config").mkdir()
    return {
        "INTERVIEWER_CONFIG_DIR": str(tmp_path / "config"),
        "INTERVIEWER_DATA_DIR": str(tmp_path / "data"),
    }


def write(environment: dict[str, str], text: str) -> None:
    path = Path(environment["INTERVIEWER_CONFIG_DIR"]) / "config.toml"
    path.write_text(text, encoding="utf-8")


def test_flags_win_over_the_environment_and_that_over_the_file(
    environment: dict[str, str],
) -> None:
    write(environment, 'model = "from-file"\ntheme = "nord"\ntimeout = 7')
    environment["INTERVIEWER_MODEL"] = "from-environment"
    environment["INTERVIEWER_TIMEOUT"] = "8"
    settings = load_settings(environment=environment, timeout=9)
    assert (settings.theme, settings.model, settings.timeout) == ("nord", "from-environment", 9)


def test_nothing_set_means_offline(environment: dict[str, str]) -> None:
    settings = load_settings(environment=environment)
    assert settings.chosen_examiner == "offline"
    assert make_examiner(settings).name == "offline-v3"


def test_a_key_alone_sends_nothing_until_it_is_agreed_to(environment: dict[str, str]) -> None:
    settings = load_settings(environment=environment | {"OPENAI_API_KEY": "sk-test"})
    assert (settings.chosen_examiner, settings.asks_before_sending) == ("offline", True)
    assert endpoint_of(settings).model == DEFAULT_MODEL
    write(environment, 'answers_to = "https://api.openai.com/v1"')
    agreed = load_settings(environment=environment | {"OPENAI_API_KEY": "sk-test"})
    assert (agreed.chosen_examiner, agreed.asks_before_sending) == ("llm", False)
    elsewhere = {"OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": "https://other.test/v1"}
    assert load_settings(environment=environment | elsewhere).asks_before_sending


@pytest.mark.parametrize(
    ("url", "asks"),
    [
        ("http://localhost:11434/v1", False),
        ("http://127.0.0.9:8000/v1", False),
        ("http://[::1]:8000/v1", False),
        ("http://box.localhost/v1", False),
        ("http://192.168.1.5:8000/v1", True),
        ("http://localhost.example.com/v1", True),
        ("https://user:secret@models.example.com/v1?key=s", True),
    ],
)
def test_only_an_address_on_this_machine_needs_no_agreement(
    environment: dict[str, str], url: str, asks: bool
) -> None:
    settings = load_settings(environment=environment, base_url=url)
    assert settings.asks_before_sending is asks
    assert settings.chosen_examiner == ("offline" if asks else "llm")
    assert "secret" not in settings.address


def test_an_own_server_needs_no_key_but_a_model(environment: dict[str, str]) -> None:
    environment["OPENAI_BASE_URL"] = "http://localhost:11434/v1"
    with pytest.raises(SettingsError, match="INTERVIEWER_MODEL"):
        make_examiner(load_settings(environment=environment))
    environment["INTERVIEWER_MODEL"] = "small"
    assert make_examiner(load_settings(environment=environment)).name == "small"


def test_an_llm_without_an_endpoint_is_refused_not_replaced(environment: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match="OPENAI_API_KEY"):
        make_examiner(load_settings(environment=environment), "llm")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("modle = 'x'", "modle"),
        ("timeout = -1", "timeout"),
        ("timeout = 'soon'", "timeout"),
        ("examiner = 'oracle'", "offline or llm"),
        ("theme = 3", "theme"),
        ("send_key = 'ctrl+j'", "send_key"),
        ("rubric_folders = ['/no/such/folder']", "not a folder"),
        ("model = [broken", "config.toml"),
    ],
)
def test_a_bad_value_is_named_with_its_place(
    environment: dict[str, str], text: str, said: str
) -> None:
    write(environment, text)
    with pytest.raises(SettingsError, match=said) as caught:
        load_settings(environment=environment)
    assert "config.toml" in str(caught.value)


def test_a_file_that_is_no_text_is_one_sentence(environment: dict[str, str]) -> None:
    (Path(environment["INTERVIEWER_CONFIG_DIR"]) / "config.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match="Fix or remove"):
        load_settings(environment=environment)


def test_the_key_is_not_printed(environment: dict[str, str]) -> None:
    settings = load_settings(environment=environment | {"OPENAI_API_KEY": "sk-secret"})
    assert "sk-secret" not in repr(settings)
    assert "sk-secret" not in repr(endpoint_of(settings))
