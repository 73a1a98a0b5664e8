"""Settings, in increasing precedence: defaults, config file, environment, flags.

The config file is ``config.toml`` in the user's config folder; its keys are the fields of
:class:`Settings`. The environment variables are those that every OpenAI-compatible tool reads
(``OPENAI_API_KEY``, ``OPENAI_BASE_URL``) and ``INTERVIEWER_*``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args

from interviewer.errors import SettingsError
from interviewer.names import RETIRED, current
from interviewer.paths import UnusablePathError, expanded
from interviewer.settings.database_url import Place, Server, fault_in, is_address
from interviewer.settings.web_address import OPENAI_URL, is_local, route, shown

SendKey = Literal["ctrl+s", "enter"]
Clock = Literal["always", "late"]
ExaminerChoice = Literal["offline", "llm"]

_APP = "mock-interviewer"
_ENVIRONMENT = {
    "OPENAI_API_KEY": "api_key",
    "OPENAI_BASE_URL": "base_url",
    "INTERVIEWER_MODEL": "model",
    "INTERVIEWER_EXAMINER": "examiner",
    "INTERVIEWER_DATABASE": "database",
    "INTERVIEWER_USER": "user",
    "INTERVIEWER_RUBRICS": "rubric_folders",
    "INTERVIEWER_TIMEOUT": "timeout",
    "INTERVIEWER_PROJECT": "project",
    "INTERVIEWER_THEME": "theme",
    "INTERVIEWER_SEND_KEY": "send_key",
    "INTERVIEWER_SANDBOX_PYTHON": "sandbox_python",
}
_PREFIX = "INTERVIEWER_"
_FOR_FOLDERS = ("INTERVIEWER_CONFIG_DIR", "INTERVIEWER_DATA_DIR", "INTERVIEWER_CACHE_DIR")
CONFIG_FILE = "config.toml"
_FOLDERS = {"config_folder", "data_folder", "cache_folder"}
"""Not settable in the config file, which is in one of them; environment variables move them."""

_PLACES = {"database", "rubric_folders", "user"}
"""Where things are read and written, and whose: nothing may be elsewhere than was said."""
_SECRET = {"api_key", "base_url"}
"""Never quoted in a message: the address may hold a password."""
_OF_SEVERAL_LINES = {"project"}


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
    budget: float | None = None
    """What models may cost in a month; asked before it is passed."""
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
        name = self.database.user or os.environ.get("PGUSER") or _login_name()
        if not name:
            raise SettingsError(
                f"The sessions in {self.database} belong to users, and no name of yours can be "
                "found; give one with --user or INTERVIEWER_USER."
            )
        return _user_name(name, f"The login at {self.database}")

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
    def waits_for_consent(self) -> bool:
        """Whether a model could examine, but for the person's word."""
        return self.endpoint_configured and self.asks_before_sending

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


def default_of(name: str) -> Any:
    """What the setting of this name is where nobody set it."""
    setting = next(each for each in fields(Settings) if each.name == name)
    if setting.default_factory is not MISSING:
        return setting.default_factory()
    return setting.default


def load_settings(*, environment: Mapping[str, str] | None = None, **flags: Any) -> Settings:
    """Read all layers; flags that are None or () are not set.

    Raises SettingsError, which names the layer and key of the first invalid value.
    """
    environment = os.environ if environment is None else environment
    config_folder = _folder(environment, "INTERVIEWER_CONFIG_DIR", "user_config_path")
    data_folder = _folder(environment, "INTERVIEWER_DATA_DIR", "user_data_path")
    settings = Settings(
        database=data_folder / "sessions.db",
        config_folder=config_folder,
        data_folder=data_folder,
        cache_folder=_folder(environment, "INTERVIEWER_CACHE_DIR", "user_cache_path"),
    )
    settings = _layer(settings, _config_file(config_folder), str(config_folder / CONFIG_FILE))
    from_environment = {
        field: environment[name] for name, field in _ENVIRONMENT.items() if environment.get(name)
    }
    settings = _layer(settings, from_environment, "the environment")
    given = {name: value for name, value in flags.items() if value not in (None, ())}
    return _layer(settings, given, "the command line")


def usable_settings(
    *, environment: Mapping[str, str] | None = None, **flags: Any
) -> tuple[Settings, Mapping[str, str]]:
    """The settings without those variables that cannot be used, and a sentence on each of these.

    For a front end in which settings can be changed. Variables that say where things are kept, and
    for whom, are never left out: nothing may be written elsewhere. Raises SettingsError for them
    and the rest, and as ``Settings.owner``.
    """
    environment = dict(os.environ if environment is None else environment)
    unusable: dict[str, str] = {}
    for name, setting in _ENVIRONMENT.items():
        if setting in _PLACES or not environment.get(name):
            continue
        try:
            check_values({setting: environment[name]}, name)
        except SettingsError as error:
            unusable[name] = str(error)
            del environment[name]
    settings = load_settings(environment=environment, **flags)
    if isinstance(settings.database, Server):  # one name for as long as it runs
        settings = replace(settings, user=settings.owner)
    return settings, unusable


def check_values(values: Mapping[str, Any], where: str = "This form") -> None:
    """Raises SettingsError, which names the key, if the config file could not hold these."""
    nowhere = Path()
    _layer(Settings(nowhere, nowhere, nowhere, nowhere), values, where)


def set_by_environment(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """The settings that environment variables decide, each with its variable."""
    environment = os.environ if environment is None else environment
    return {field: name for name, field in _ENVIRONMENT.items() if environment.get(name)}


def unknown_variables(environment: Mapping[str, str] | None = None) -> str:
    """A sentence on the variables that look like ours and have no effect, "" if there is none."""
    environment = os.environ if environment is None else environment
    known = [name for name in (*_ENVIRONMENT, *_FOR_FOLDERS) if name.startswith(_PREFIX)]
    unknown = sorted(n for n in environment if n.startswith(_PREFIX) and n not in known)
    if not unknown:
        return ""
    from difflib import get_close_matches

    names = ", ".join(unknown)
    named = {name.removeprefix(_PREFIX): name for name in known}
    close = [get_close_matches(each.removeprefix(_PREFIX), named, n=1) for each in unknown]
    if meant := [named[match] for matches in close for match in matches]:
        remedy = f"did you mean {' and '.join(dict.fromkeys(meant))}?"
    else:
        remedy = f"there are {', '.join(sorted(known))}."
    verb = "is no setting and has" if len(unknown) == 1 else "are no settings and have"
    return f"{names} {verb} no effect; {remedy}"


def _folder(environment: Mapping[str, str], variable: str, kind: str) -> Path:
    if environment.get(variable):
        return _path(variable, environment[variable], "the environment")
    import platformdirs  # 4 ms, which --help need not spend

    path: Path = getattr(platformdirs, kind)(_APP, appauthor=False)
    return path


def _config_file(folder: Path) -> dict[str, Any]:
    path = folder / CONFIG_FILE
    try:
        text = path.read_text(encoding="utf-8")
        import tomllib  # 3 ms, which only users with a config file need spend

        return tomllib.loads(text)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:  # invalid UTF-8 and invalid TOML are ValueErrors
        raise SettingsError(f"{path} cannot be read: {error}. Fix or remove the file.") from error


def _layer(settings: Settings, values: Mapping[str, Any], where: str) -> Settings:
    known = {field.name for field in fields(Settings)} - _FOLDERS
    changes = {}
    for name, value in values.items():
        if name not in known:
            raise SettingsError(
                f"{where} sets {name!r}, which is not a setting; there are "
                f"{', '.join(sorted(known))}."
            )
        changes[name] = _convert(name, value, where)
    return replace(settings, **changes)


def _convert(name: str, value: Any, where: str) -> Any:
    match name:
        case "database":
            return _place(name, value, where)
        case "sandbox_python":
            return _path(name, value, where).absolute()
        case "rubric_folders":
            return _rubric_folders(name, value, where)
        case "timeout":
            return _positive(name, value, where, "a number of seconds")
        case "price" | "budget":
            return _positive(name, value, where, "a number")
        case "user":
            return _user_name(value, where)
        case "prices":
            return _prices(value, where)
        case "key_in_keyring":
            return _yes_or_no(name, value, where)
        case "clock":
            return _one_of(name, value, get_args(Clock), where)
        case "keys":
            return _keys(value, where)
        case "examiner":
            return _one_of(name, value, get_args(ExaminerChoice), where)
        case "send_key":
            return _one_of(name, value, get_args(SendKey), where)
        case _:
            return _word(name, value, where)


def _keys(value: Any, where: str) -> dict[str, str]:
    """Both spellings: "interview.hint" = "ctrl+g" and TOML's nested interview.hint = "ctrl+g"."""
    flat: dict[str, Any] = {}
    for name, entry in (value if isinstance(value, Mapping) else {"": value}).items():
        nested = entry if isinstance(entry, Mapping) else {None: entry}
        flat |= {f"{name}.{action}" if action else name: keys for action, keys in nested.items()}
    for action, keys in flat.items():
        if not (action and isinstance(keys, str) and all(k.strip() for k in keys.split(","))):
            raise SettingsError(
                f"{where} sets the keys of {action!r} to {keys!r}; [keys] is a table of actions, "
                'each with its keys in one string, such as "interview.hint" = "ctrl+t,f7".'
            )
    renamed = {current(action): keys for action, keys in flat.items() if action in RETIRED}
    return renamed | {action: keys for action, keys in flat.items() if action not in RETIRED}


def _prices(value: Any, where: str) -> dict[str, dict[str, float]]:
    prices = {}
    for model, given in (value if isinstance(value, Mapping) else {"": value}).items():
        entry = given if isinstance(given, Mapping) else {}
        values = {"cached": entry.get("input"), **entry}
        sound = all(_is_amount(each) for each in values.values())
        if not model or values.keys() != {"input", "cached", "output"} or not sound:
            raise SettingsError(
                f'{where} sets the price of {model!r} to {given!r}; [prices."MODEL"] has input, '
                "output and, if it differs, cached: numbers for a million tokens."
            )
        prices[model] = {name: float(each) for name, each in values.items()}
    return prices


def _is_amount(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0 <= value < float("inf")


def _rubric_folders(name: str, value: Any, where: str) -> tuple[Path, ...]:
    parts = value.split(os.pathsep) if isinstance(value, str) else value
    if not isinstance(parts, list | tuple):
        raise SettingsError(f"{where} sets {name} to {value!r}; give a list of folders.")
    folders = [_path(name, part, where) for part in parts if part != ""]
    for folder in folders:
        if not folder.is_dir():
            raise SettingsError(f"{where} sets {name} to {str(folder)!r}, which is not a folder.")
    return tuple(folders)


def _place(name: str, value: Any, where: str) -> Place:
    if not is_address(value):
        return _path(name, value, where)
    if fault := fault_in(value):
        raise SettingsError(f"{where} sets {name} to {fault}.")
    return Server(value)


def _path(name: str, value: Any, where: str) -> Path:
    if not isinstance(value, str | Path) or not str(value).strip():
        raise SettingsError(f"{where} sets {name} to {value!r}; give a path in quotes.")
    try:
        return expanded(value)
    except UnusablePathError as error:
        raise SettingsError(
            f"{where} sets {name} to a path that cannot be used: {error}"
        ) from error


def _yes_or_no(name: str, value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise SettingsError(f"{where} sets {name} to {value!r}; use true or false.")
    return value


def _positive(name: str, value: Any, where: str, what: str) -> float:
    try:
        number = 0.0 if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = 0.0
    if not 0 < number < float("inf"):
        raise SettingsError(f"{where} sets {name} to {value!r}; give {what} above 0.")
    return number


LONGEST_NAME = 63
"""Bytes of a user's name, as PostgreSQL has it of its own users."""


def _user_name(value: Any, where: str) -> str:
    """One name however its accents are written. Raises SettingsError."""
    from unicodedata import normalize  # most settings name nobody

    name = normalize("NFC", _word("user", value, where))
    if (size := len(name.encode())) > LONGEST_NAME:
        raise SettingsError(
            f"{where} sets user to a name of {size} bytes; give one of {LONGEST_NAME} at most."
        )
    return name


def _login_name() -> str:
    """The name of whoever runs this process, "" if the system knows none."""
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def _one_of(name: str, value: Any, allowed: tuple[str, ...], where: str) -> str:
    if value not in allowed:
        raise SettingsError(f"{where} sets {name} to {value!r}; use {' or '.join(allowed)}.")
    return str(value)


def _word(name: str, value: Any, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        told = "what cannot be used" if name in _SECRET else repr(value)
        raise SettingsError(f"{where} sets {name} to {told}; give a non-empty string.")
    word = value.strip()
    odd = set(word) - set("\n\t") if name in _OF_SEVERAL_LINES else set(word)
    if not all(character.isprintable() for character in odd):
        raise SettingsError(
            f"{where} sets {name} to text with a line break or another control character in it; "
            "write it again without."
        )
    return word
