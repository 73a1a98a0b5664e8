"""Settings, in increasing precedence: defaults, config file, environment, flags.

The config file is ``config.toml`` in the user's config folder; its keys are the fields of
:class:`Settings`. The environment variables are those that every OpenAI-compatible tool reads
(``OPENAI_API_KEY``, ``OPENAI_BASE_URL``) and ``INTERVIEWER_*``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from interviewer.errors import SettingsError
from interviewer.settings.database_url import Place, Server
from interviewer.settings.values import Clock, SendKey, path, read_value, user_name
from interviewer.settings.web_address import OPENAI_URL, is_local, route, shown

CONFIG_FILE = "config.toml"
_APP = "mock-interviewer"
_PREFIX = "INTERVIEWER_"
_BY_OWN_NAME = "model examiner database user timeout project theme send_key sandbox_python"
_ENVIRONMENT = {
    "OPENAI_API_KEY": "api_key",
    "OPENAI_BASE_URL": "base_url",
    "INTERVIEWER_RUBRICS": "rubric_folders",
    **{f"{_PREFIX}{name.upper()}": name for name in _BY_OWN_NAME.split()},
}
_RETIRED = {"budget"}
"""Settings of earlier versions: a file that still has them is read as if it had not."""
_FOLDERS = ("config", "data", "cache")
"""Moved by environment variables alone: the config file is in one of them."""


@dataclass(frozen=True)
class Settings:
    """All settings. Except for the folders, each is a key of the config file."""

    database: Place
    """Where all sessions are: an SQLite file, or a database of a PostgreSQL server."""
    config_folder: Path
    """Holds the user's config.toml, rubrics/, plans/ and challenges/."""
    data_folder: Path
    """Holds what the program creates and keeps."""
    cache_folder: Path
    """Holds what can be recreated at any time."""
    user: str | None = None
    """Whose sessions these are, where a database holds those of several; see ``owner``."""
    rubric_folders: tuple[Path, ...] = ()
    """Further folders with rubric files, searched after the one in the config folder."""
    api_key: str | None = field(default=None, repr=False)
    """Sent to the endpoint; a server on localhost may not need one."""
    base_url: str | None = None
    """The endpoint, such as http://localhost:11434/v1; None is OpenAI's own."""
    model: str | None = None
    """The model that judges and asks."""
    examiner: str | None = None
    """offline or llm; None is llm if an endpoint is configured that may have the answers."""
    answers_to: str | None = None
    """The address that may have the answers; asked for before the first use, unless it is local."""
    timeout: float | None = None
    """Seconds that a call to the endpoint may take; None: what is usual there."""
    project: str | None = None
    """The user's own project: the path of a text or Markdown file with notes, or a description."""
    theme: str | None = None
    """The name of a Textual theme; None is the default."""
    send_key: SendKey = "ctrl+s"
    """With enter, Enter sends and Alt+Enter starts a new line."""
    clock: Clock = "always"
    """With late, the time left is shown only in the last five minutes of a round."""
    key_in_keyring: bool = False
    """The key is in the system's keyring, and read from there where none is set otherwise."""
    price: float | None = None
    """What the endpoint takes for a million tokens, to reckon what a mock costs."""
    prices: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """A person's own prices by model, tables [prices."MODEL"] with input, cached and output."""
    sandbox_python: Path | None = None
    """The interpreter that runs the derivation bench; None is the installed one."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Keys by action id, the table [keys] in the file: ``"interview.hint" = "ctrl+g"``."""

    @property
    def owner(self) -> str:
        """The name that sessions are read and written under.

        It is the ``user``; else on a server the name that logs in there, in a file "". Raises
        SettingsError where a server is used and no name can be found.
        """
        if self.user is not None or not isinstance(self.database, Server):
            return self.user or ""
        name = self.database.user or os.environ.get("PGUSER")
        if not name:
            import getpass

            with suppress(OSError, KeyError, ImportError):  # the system knows no name
                name = getpass.getuser()
        if not name:
            raise SettingsError(
                f"The sessions in {self.database} belong to users, and no name of yours can be "
                "found; give one with --user or INTERVIEWER_USER."
            )
        try:
            return user_name(name)
        except ValueError as error:
            raise SettingsError(f"The login at {self.database} sets user {error}.") from error

    @property
    def endpoint_configured(self) -> bool:
        """Whether there is a key, or the address of a server that may not need one."""
        return bool(self.api_key or self.base_url or self.key_in_keyring)

    @property
    def address(self) -> str:
        """The endpoint's address as people may see it."""
        return shown(self.url)

    @property
    def asks_before_sending(self) -> bool:
        """Whether answers would leave this machine for an address that was never agreed to.

        A key may have been exported for other programs.
        """
        return not self.is_local and self.answers_to != self.address

    @property
    def url(self) -> str:
        """The endpoint's address, as it is."""
        return self.base_url or OPENAI_URL

    @property
    def is_local(self) -> bool:
        """Whether answers to a model stay on this machine."""
        return is_local(self.url)

    @property
    def route(self) -> str:
        """The endpoint's address for people to read, and the proxy on the way there."""
        return route(self.url)

    @property
    def needs_model(self) -> bool:
        """Whether a server is configured, but not which of its models to use."""
        return bool(self.base_url and not self.model)

    @property
    def chosen_examiner(self) -> str:
        """The kind of examiner that a new session gets by default."""
        usable = self.endpoint_configured and not self.asks_before_sending
        return self.examiner or ("llm" if usable else "offline")


def load_settings(*, environment: Mapping[str, str] | None = None, **flags: Any) -> Settings:
    """Read all layers; flags that are None or () are not set.

    Raises SettingsError, which names the layer and key of the first invalid value, and as
    ``Settings.owner``.
    """
    environment = os.environ if environment is None else environment
    config, data, cache = (_folder(environment, kind) for kind in ("config", "data", "cache"))
    variables = set_by_environment(environment)
    values: dict[str, Any] = {"database": data / "sessions.db"}
    values |= check_values(_config_file(config), str(config / CONFIG_FILE))
    values |= check_values({n: environment[v] for n, v in variables.items()}, "the environment")
    given = {name: value for name, value in flags.items() if value not in (None, ())}
    values |= check_values(given, "the command line")
    settings = Settings(config_folder=config, data_folder=data, cache_folder=cache, **values)
    if isinstance(settings.database, Server):
        return replace(settings, user=settings.owner)
    return settings


def check_values(values: Mapping[str, Any], where: str = "This form") -> dict[str, Any]:
    """The settings as they are used. Raises SettingsError, which names what cannot be."""
    folders = {f"{kind}_folder" for kind in _FOLDERS}
    known = {field.name for field in fields(Settings)} - folders
    checked = {}
    for name, value in values.items():
        if name in _RETIRED:
            continue
        if name not in known:
            raise SettingsError(
                f"{where} sets {name!r}, which is not a setting; there are "
                f"{', '.join(sorted(known))}."
            )
        try:
            checked[name] = read_value(name, value)
        except ValueError as error:
            raise SettingsError(f"{where} sets {name} {error}.") from error
    return checked


def set_by_environment(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """The settings that environment variables decide, each with its variable."""
    environment = os.environ if environment is None else environment
    return {field: name for name, field in _ENVIRONMENT.items() if environment.get(name)}


def unknown_variables(environment: Mapping[str, str] | None = None) -> str:
    """A sentence on the variables that look like ours and have no effect, "" if there is none."""
    environment = os.environ if environment is None else environment
    known = {*_ENVIRONMENT, *map(_variable, _FOLDERS)}
    unknown = sorted(n for n in environment if n.startswith(_PREFIX) and n not in known)
    if not unknown:
        return ""
    there = ", ".join(sorted(n for n in known if n.startswith(_PREFIX)))
    verb = "is no setting and has" if len(unknown) == 1 else "are no settings and have"
    return f"{', '.join(unknown)} {verb} no effect; there are {there}."


def _variable(folder: str) -> str:
    return f"{_PREFIX}{folder.upper()}_DIR"


def _folder(environment: Mapping[str, str], kind: str) -> Path:
    if given := environment.get(variable := _variable(kind)):
        try:
            return path(given)
        except ValueError as error:
            raise SettingsError(f"the environment sets {variable} {error}.") from error
    import platformdirs  # 4 ms, which --help need not spend

    found: Path = getattr(platformdirs, f"user_{kind}_path")(_APP, appauthor=False)
    return found


def _config_file(folder: Path) -> dict[str, Any]:
    file = folder / CONFIG_FILE
    try:
        text = file.read_text(encoding="utf-8")
        import tomllib  # 3 ms, which only users with a config file need spend

        return tomllib.loads(text)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:  # invalid UTF-8 and invalid TOML are ValueErrors
        raise SettingsError(f"{file} cannot be read: {error}. Fix or remove the file.") from error
