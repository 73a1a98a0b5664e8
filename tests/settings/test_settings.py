"""Settings: which layer wins, and how an invalid value is reported."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.tables import table

from interviewer.composition import make_examiner
from interviewer.errors import SettingsError
from interviewer.examiner.llm.endpoint import DEFAULT_MODEL, endpoint_of
from interviewer.settings import load_settings, unknown_variables
from interviewer.settings.database_url import Server

CASES = table("settings", __file__)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "config").mkdir()
    return {
        "INTERVIEWER_CONFIG_DIR": str(tmp_path / "config"),
        "INTERVIEWER_DATA_DIR": str(tmp_path / "data"),
    }


def write(environment: dict[str, str], text: str | bytes) -> None:
    path = Path(environment["INTERVIEWER_CONFIG_DIR"]) / "config.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def test_flags_win_over_the_environment_and_that_over_the_file(
    environment: dict[str, str],
) -> None:
    project = 'project = "A 7B model.\\n\\tOn 64 GPUs."'
    dropped = "budget = 5.0"  # of an earlier version
    write(environment, f'{dropped}\nmodel = "from-file"\n{project}\ntimeout = 7')
    environment["INTERVIEWER_MODEL"] = "from-environment"
    environment["INTERVIEWER_TIMEOUT"] = "8"
    settings = load_settings(environment=environment, timeout=9)
    assert (settings.model, settings.timeout) == ("from-environment", 9)
    assert settings.project == "A 7B model.\n\tOn 64 GPUs."


def test_nothing_set_means_offline_and_an_llm_needs_an_endpoint_with_a_model(
    environment: dict[str, str],
) -> None:
    settings = load_settings(environment=environment)
    assert settings.chosen_examiner == "offline"
    assert make_examiner(settings).name == "offline-v3"
    with pytest.raises(SettingsError, match="OPENAI_API_KEY"):
        make_examiner(settings, "llm")
    environment["OPENAI_BASE_URL"] = "http://localhost:11434/v1"
    with pytest.raises(SettingsError, match="INTERVIEWER_MODEL"):
        make_examiner(load_settings(environment=environment))
    environment["INTERVIEWER_MODEL"] = "small"
    assert make_examiner(load_settings(environment=environment)).name == "small"


def test_a_key_alone_sends_nothing_until_it_is_agreed_to(environment: dict[str, str]) -> None:
    settings = load_settings(environment=environment | {"OPENAI_API_KEY": "sk-test"})
    assert (settings.chosen_examiner, settings.asks_before_sending) == ("offline", True)
    assert endpoint_of(settings).model == DEFAULT_MODEL
    assert "sk-test" not in repr(settings) + repr(endpoint_of(settings))
    write(environment, 'answers_to = "https://api.openai.com/v1"')
    agreed = load_settings(environment=environment | {"OPENAI_API_KEY": "sk-test"})
    assert (agreed.chosen_examiner, agreed.asks_before_sending) == ("llm", False)
    elsewhere = {"OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": "https://other.test/v1"}
    assert load_settings(environment=environment | elsewhere).asks_before_sending


@pytest.mark.parametrize(("url", "asks"), CASES["only_an_address_on_this_machine_needs"])
def test_only_an_address_on_this_machine_needs_no_agreement(
    environment: dict[str, str], url: str, asks: bool
) -> None:
    settings = load_settings(environment=environment, base_url=url)
    assert settings.asks_before_sending is asks
    assert settings.chosen_examiner == ("offline" if asks else "llm")
    assert "secret" not in settings.address


@pytest.mark.parametrize(
    ("text", "said"),
    [*CASES["a_bad_value_is_named_with_its_place"], (b"\xff\xfe\x00", "Fix or remove")],
)
def test_a_bad_value_is_named_with_its_place(
    environment: dict[str, str], text: str | bytes, said: str
) -> None:
    write(environment, text)
    with pytest.raises(SettingsError, match=said) as caught:
        load_settings(environment=environment)
    assert "config.toml" in str(caught.value)


@pytest.mark.parametrize("text", CASES["a_bad_value_that_may_hold_a_secret_is_not_printed"])
def test_a_bad_value_that_may_hold_a_secret_is_not_printed(
    environment: dict[str, str], text: str
) -> None:
    write(environment, text)
    with pytest.raises(SettingsError) as caught:
        load_settings(environment=environment)
    assert "5318008" not in str(caught.value)


@pytest.mark.parametrize("url", CASES["an_address_that_cannot_be_parsed"])
def test_an_address_that_cannot_be_parsed_is_shown_without_a_password_and_is_not_local(
    environment: dict[str, str], url: str
) -> None:
    settings = load_settings(environment=environment, base_url=url, model="small")
    assert settings.asks_before_sending
    assert settings.address == url or "5318008" in url
    assert "5318008" not in settings.address
    assert make_examiner(settings, "offline").name


@pytest.mark.parametrize(("url", "shown"), CASES["a_server_keeps_the_sessions"])
def test_a_server_keeps_the_sessions_and_its_password_to_itself(
    environment: dict[str, str], url: str, shown: str
) -> None:
    write(environment, f'database = "{url}"')
    settings = load_settings(environment=environment)
    assert isinstance(settings.database, Server)
    assert str(settings.database) == shown
    assert "5318008" not in repr(settings)
    given = {"INTERVIEWER_DATABASE": url}
    assert load_settings(environment=given).database == settings.database
    assert load_settings(environment=environment, database="a.db").database == Path("a.db")


@pytest.mark.parametrize(("database", "user", "owner"), CASES["the_owner_is_the_user_or_who_logs"])
def test_the_owner_is_the_user_or_who_logs_in_to_the_server(
    environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    database: str,
    user: str | None,
    owner: str,
) -> None:
    monkeypatch.setenv("LOGNAME", "login")
    given = {"environment": environment, "database": database, "user": user}
    assert load_settings(**given).owner == owner
    monkeypatch.setenv("PGUSER", "login-there")
    assert load_settings(**given).owner == owner.replace("login", "login-there")


def test_a_server_without_a_name_for_its_user_is_refused(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown() -> str:
        raise KeyError("getpwuid(): uid not found: 4711")

    monkeypatch.setattr("getpass.getuser", unknown)
    environment["INTERVIEWER_DATABASE"] = "postgresql://host/ours"
    with pytest.raises(SettingsError, match="give one with --user or INTERVIEWER_USER"):
        load_settings(environment=environment)
    for unusable in ("a\tb", "a" * 64):
        with pytest.raises(SettingsError, match="sets user"):
            load_settings(environment=environment | {"INTERVIEWER_USER": unusable})
    settings = load_settings(environment=environment | {"INTERVIEWER_USER": "bea"})
    assert settings.owner == "bea"


def test_variables_that_have_no_effect_are_named() -> None:
    known = {"INTERVIEWER_MODEL": "m", "INTERVIEWER_CACHE_DIR": "/c", "OPENAI_API_KEY": "sk-1"}
    assert unknown_variables(known) == ""
    told = unknown_variables(known | {"INTERVIEWER_MODLE": "m", "INTERVIEWER_ZZZ": "1"})
    assert told.startswith("INTERVIEWER_MODLE, INTERVIEWER_ZZZ are no settings")
    assert "there are INTERVIEWER_CACHE_DIR," in told


@pytest.mark.parametrize(
    ("variable", "said"),
    [
        ("INTERVIEWER_DATABASE", "database"),
        *((f"INTERVIEWER_{place}_DIR", "_DIR .*in full") for place in ("CONFIG", "DATA", "CACHE")),
    ],
)
def test_a_folder_of_nobody_is_refused(
    environment: dict[str, str], variable: str, said: str
) -> None:
    with pytest.raises(SettingsError, match=said):
        load_settings(environment=environment | {variable: "~nobody-here/x"})
