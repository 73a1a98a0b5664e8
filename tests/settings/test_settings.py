"""Settings: which layer wins, and how an invalid value is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from interviewer.composition import make_examiner
from interviewer.errors import SettingsError
from interviewer.examiner.llm.endpoint import DEFAULT_MODEL, endpoint_of
from interviewer.settings import load_settings, unknown_variables, usable_settings
from interviewer.settings.database_url import Server


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
    write(environment, 'model = "from-file"\nproject = "A 7B model.\\n\\tOn 64 GPUs."\ntimeout = 7')
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
        ("timeout = true", "timeout"),
        ("database = 3", "a path in quotes"),
        ("rubric_folders = 3", "a list of folders"),
        ("rubric_folders = [3]", "a path in quotes"),
        ('database = "a\\u0000b"', "a NUL character"),
        ('sandbox_python = "a\\u0000b"', "a NUL character"),
        ('project = "my notes\\u0000"', "control character"),
        ('model = "two\\nlines"', "line break"),
        ('base_url = "http://local\\nhost/v1"', "line break"),
        ('database = "~nobody-here/sessions.db"', "write the path in full"),
        ('rubric_folders = ["~nobody-here"]', "write the path in full"),
        ('sandbox_python = "~nobody-here/python"', "write the path in full"),
        ("user = 3", "sets user to 3"),
        ('user = " "', "non-empty"),
        ('user = "a\\tb"', "control character"),
        ('user = "a\u202eb"', "control character"),
        (f"user = '{'é' * 32}'", "64 bytes; give one of 63 at most"),
        (b"\xff\xfe\x00", "Fix or remove"),
    ],
)
def test_a_bad_value_is_named_with_its_place(
    environment: dict[str, str], text: str | bytes, said: str
) -> None:
    write(environment, text)
    with pytest.raises(SettingsError, match=said) as caught:
        load_settings(environment=environment)
    assert "config.toml" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "api_key = 5318008",
        'api_key = ["sk-5318008"]',
        'api_key = "sk-5318008\\n"\nmodel = 3',
        'base_url = ["http://me:5318008@host/v1"]',
        'base_url = "http://me:5318008@ho\\nst/v1"',
        'database = "postgresql://me:12/5318008@host/sessions"',
        'database = "postgresql://me:12?5318008@host/sessions"',
        'database = "postgresql://me:12#5318008@host/sessions"',
        'database = "postgresql://me:5318008@host:port/sessions"',
        'database = "postgresql://me:5318008@host"',
        'database = "postgresql://me:5318008@ho\\nst/sessions"',
        'database = "mysql://me:5318008@host/sessions"',
    ],
)
def test_a_bad_value_that_may_hold_a_secret_is_not_printed(
    environment: dict[str, str], text: str
) -> None:
    write(environment, text)
    with pytest.raises(SettingsError) as caught:
        load_settings(environment=environment)
    assert "5318008" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "http://[::1",
        "http://[zz]:1/v1",
        "http://a b/v1",
        "http://h:99999999/v1",
        "localhost:1234",
        "http://me:5318008@h h/v1",
        "http://me:5318008@[::1/v1",
        "//me:5318008@h/v1?k=5318008",
    ],
)
def test_an_address_that_cannot_be_parsed_is_shown_without_a_password_and_is_not_local(
    environment: dict[str, str], url: str
) -> None:
    settings = load_settings(environment=environment, base_url=url, model="small")
    assert settings.asks_before_sending
    assert settings.address == url or "5318008" in url
    assert "5318008" not in settings.address
    assert make_examiner(settings, "offline").name


@pytest.mark.parametrize(
    ("url", "shown", "to_copy"),
    [
        (
            "postgresql+psycopg://me:5318008@host:5432/ours",
            "postgresql+psycopg://host:5432/ours",
            "postgresql+psycopg://USER:PASSWORD@host:5432/ours",
        ),
        (
            "postgresql://host/ours?user=me&password=5318008",
            "postgresql://host/ours",
            "postgresql://host/ours?QUERY",
        ),
        ("postgresql://me@host/ours", "postgresql://host/ours", "postgresql://me@host/ours"),
        ("postgresql:///ours?host=/run", "postgresql:///ours", "postgresql:///ours?host=/run"),
    ],
)
def test_a_server_keeps_the_sessions_and_its_password_to_itself(
    environment: dict[str, str], url: str, shown: str, to_copy: str
) -> None:
    write(environment, f'database = "{url}"')
    settings = load_settings(environment=environment)
    assert isinstance(settings.database, Server)
    assert (str(settings.database), settings.database.to_copy) == (shown, to_copy)
    assert "5318008" not in repr(settings)
    given = {"INTERVIEWER_DATABASE": url}
    assert load_settings(environment=given).database == settings.database
    assert load_settings(environment=environment, database="a.db").database == Path("a.db")


@pytest.mark.parametrize(
    ("database", "user", "owner"),
    [
        ("sessions.db", None, ""),
        ("sessions.db", "bea", "bea"),
        ("postgresql://me:5318008@host/ours", None, "me"),
        ("postgresql://m%40e@host/ours", None, "m@e"),
        ("postgresql://host/ours?user=me", None, "me"),
        ("postgresql://host/ours", None, "login"),
        ("postgresql://me@host/ours", "Zoe\u0308", "Zo\u00eb"),
    ],
)
def test_the_owner_is_the_user_or_who_logs_in_to_the_server(
    environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    database: str,
    user: str | None,
    owner: str,
) -> None:
    monkeypatch.setenv("LOGNAME", "login")
    settings = load_settings(environment=environment, database=database, user=user)
    assert settings.owner == owner
    monkeypatch.setenv("PGUSER", "login-there")
    assert settings.owner == owner.replace("login", "login-there")


def test_a_server_without_a_name_for_its_user_is_refused(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown() -> str:
        raise KeyError("getpwuid(): uid not found: 4711")

    monkeypatch.setattr("getpass.getuser", unknown)
    environment["INTERVIEWER_DATABASE"] = "postgresql://host/ours"
    with pytest.raises(SettingsError, match="give one with --user or INTERVIEWER_USER"):
        usable_settings(environment=environment)
    for unusable in ("a\tb", "a" * 64):
        with pytest.raises(SettingsError, match="sets user"):
            usable_settings(environment=environment | {"INTERVIEWER_USER": unusable})
    settings, _ = usable_settings(environment=environment | {"INTERVIEWER_USER": "bea"})
    assert settings.owner == "bea"


def test_variables_that_have_no_effect_are_named() -> None:
    known = {"INTERVIEWER_MODEL": "m", "INTERVIEWER_CACHE_DIR": "/c", "OPENAI_API_KEY": "sk-1"}
    assert unknown_variables(known) == ""
    told = unknown_variables(known | {"INTERVIEWER_MODLE": "m", "INTERVIEWER_ZZZZZZZZZZZZ": "1"})
    assert told.startswith("INTERVIEWER_MODLE, INTERVIEWER_ZZZZZZZZZZZZ are no settings")
    assert told.endswith("did you mean INTERVIEWER_MODEL?")
    assert "there are INTERVIEWER_CACHE_DIR," in unknown_variables(
        {"INTERVIEWER_ZZZZZZZZZZZZ": "1"}
    )


def test_a_front_end_starts_without_the_variables_that_cannot_be_used(
    environment: dict[str, str],
) -> None:
    environment |= {"INTERVIEWER_TIMEOUT": "soon", "INTERVIEWER_MODEL": "tiny"}
    settings, unusable = usable_settings(environment=environment)
    assert (settings.timeout, settings.model) == (None, "tiny")
    assert [*unusable] == ["INTERVIEWER_TIMEOUT"]
    assert "sets timeout to 'soon'; give a number of seconds" in unusable["INTERVIEWER_TIMEOUT"]


@pytest.mark.parametrize(
    ("variable", "said"),
    [
        ("INTERVIEWER_DATABASE", "database"),
        *((f"INTERVIEWER_{place}_DIR", "_DIR .*in full") for place in ("CONFIG", "DATA", "CACHE")),
    ],
)
def test_but_never_without_those_that_say_where_things_are_kept(
    environment: dict[str, str], variable: str, said: str
) -> None:
    with pytest.raises(SettingsError, match=said):
        usable_settings(environment=environment | {variable: "~nobody-here/x"})
