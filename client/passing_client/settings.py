"""A person's settings, and where each came from: flag, environment, file or default."""

import os
import tomllib
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, get_type_hints

import msgspec
import platformdirs

from passing_client.language import LANGUAGES, Language, _, mark
from passing_link.address import Address, InvalidAddress
from passing_link.exits import CommandFailed, ExitCode
from passing_link.whole_file import read_small
from passing_protocol.wire import Name

FOLDER_FILE: Final = "passing.toml"
"""The file with the settings of the folder that one stands in."""

PREFIX: Final = "PASSING_"
LANG_VARIABLE: Final = "PASSING_LANG"


class ConfirmPass(StrEnum):
    """Say whether a pass is asked about while a tile fits."""

    ASK = "ask"
    NEVER = "never"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Hold what a person has chosen; the defaults are what nobody needs to choose.

    `profile` is whose keys of servers are used, where several people use this machine.
    `pace` is after how many milliseconds an engine's action is shown at one's own tables.
    `plain` is line mode; `ascii` is a full screen of plain characters. `lang` is the language to
    speak, None for that of the locale. `memory` lets one be shown passes and tiles not seen at
    tables of one's own with engines. `records` tells whether game records are kept, in
    `records_folder` or, for None, where such data has its place; the newest `keep_records` stay.
    """

    name: Name | None = None
    profile: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,32}\Z")] | None = None
    server: str | None = None
    confirm_pass: ConfirmPass = ConfirmPass.ASK
    bell: bool = True
    pace: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 700
    plain: bool = False
    ascii: bool = False
    lang: Language | None = None
    memory: bool = False
    records: bool = True
    records_folder: Annotated[str, msgspec.Meta(min_length=1)] | None = None
    keep_records: Annotated[int, msgspec.Meta(ge=1, le=100_000)] = 200


_TRUTH: Final = mark("true or false")

ALLOWED: Final[Mapping[str, str]] = {
    "name": mark("a text at most 24 columns wide"),
    "profile": mark("at most 32 letters without accents, digits, - and _"),
    "server": mark("HOST or HOST:PORT"),
    "confirm_pass": mark("ask or never"),
    "bell": _TRUTH,
    "pace": mark("a whole number of milliseconds from 0 to 10000"),
    "plain": _TRUTH,
    "ascii": _TRUTH,
    "lang": mark("en, el, sv, eo or ms"),
    "memory": _TRUTH,
    "records": _TRUTH,
    "records_folder": mark("the path of a folder"),
    "keep_records": mark("a whole number from 1 to 100000"),
}
"""What each setting may be, in words that are marked for the catalogues."""

_FLAG: Final = "flag"
"""Where a value comes from that was given with the command; an error names the flag itself."""

_FLAGS: Final[Mapping[str, str]] = {"profile": "--as"}
"""The flags that are not called as their settings are."""

_FLAG_HELP: Final[Mapping[str, str]] = {
    "name": mark("what others at the table call you"),
    "profile": mark("which of several people at this machine you are, with keys of your own"),
    "bell": mark("ring the terminal's bell when it is your turn"),
    "pace": mark("milliseconds after which an engine's action is shown"),
    "confirm_pass": mark("whether a pass is asked about while a tile fits"),
    "plain": mark("line mode: lines of text, for screen readers, pipes and scripts"),
    "ascii": mark("draw with plain characters"),
    "lang": mark("the language to speak"),
    "memory": mark(
        "at a table made with --bots: show who passed at which ends, and tiles not seen"
    ),
    "records": mark("keep a record of each match in a file"),
    "records_folder": mark("where these files are"),
    "keep_records": mark("how many of them stay, the newest"),
}


_TYPES: Final = get_type_hints(Settings, include_extras=True)


class InvalidSetting(CommandFailed):
    """Raised when a setting has a value that it cannot have, or there is no such setting."""

    def __init__(self, sentence: str) -> None:
        """Make the sentence the command's end."""
        super().__init__(ExitCode.USAGE, sentence)


@dataclass(frozen=True, slots=True)
class Effective:
    """Hold the settings that are in force, and for each the source that decided it."""

    settings: Settings
    origins: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Source:
    """Hold what one source says; the values of a `text` source are read as the setting's type."""

    values: Mapping[str, object]
    label: str
    text: bool = False


def add_setting_flags(parser: ArgumentParser, *names: str) -> None:
    """Add the flags of these settings to a command; one that is not given stays None."""
    for name in names:
        flag = _flag(name)
        if ALLOWED[name] == _TRUTH:
            action = BooleanOptionalAction
            parser.add_argument(flag, action=action, default=None, help=_(_FLAG_HELP[name]))
        else:
            text = f"{_(_FLAG_HELP[name])}: {_(ALLOWED[name])}"
            choices = LANGUAGES if name == "lang" else None
            parser.add_argument(flag, dest=name, metavar=name.upper(), choices=choices, help=text)


def _flag(name: str) -> str:
    """Return the flag of a setting."""
    return _FLAGS.get(name, f"--{name.replace('_', '-')}")


def effective_settings(
    arguments: Namespace | None = None,
    environment: Mapping[str, str] = os.environ,
    folder: Path = Path(),
) -> Effective:
    """Return the settings in force: flag, environment, ./passing.toml, one's own file, default.

    `arguments` is what a command got; its attributes that are named as a setting are flags, None
    where not given. `folder` is where passing.toml may be. Raises InvalidSetting, which names the
    source, the field, the value and what is allowed.
    """
    chosen: dict[str, object] = {}
    origins = dict.fromkeys(ALLOWED, "default")
    for source in _sources(arguments, environment, folder / FOLDER_FILE):
        for name, value in source.values.items():
            chosen[name] = _checked(source, name, value)
            origins[name] = source.label
    return Effective(msgspec.convert(chosen, Settings), origins)


def language_setting(
    environment: Mapping[str, str] = os.environ, folder: Path = Path()
) -> Language | None:
    """Return the language of variable or file, None where neither has one that can be read.

    What else is wrong with a file is for the command to tell that needs it. Raises InvalidSetting
    for a language that is none.
    """
    if environment.get(LANG_VARIABLE):
        source = _Source({"lang": environment[LANG_VARIABLE]}, LANG_VARIABLE, text=True)
        return _language(source)
    try:
        sources = list(_sources(None, environment, folder / FOLDER_FILE))
    except InvalidSetting:
        return None
    chosen: Language | None = None
    for source in sources:
        chosen = _language(source) if "lang" in source.values else chosen
    return chosen


def _language(source: _Source) -> Language | None:
    checked = _checked(source, "lang", source.values["lang"])
    return msgspec.convert({"lang": checked}, Settings).lang


def own_file() -> Path:
    """Return where a person's own settings are, whether or not the file exists."""
    return platformdirs.user_config_path("passing", appauthor=False) / "config.toml"


def _sources(
    arguments: Namespace | None, environment: Mapping[str, str], folder_file: Path
) -> Iterator[_Source]:
    """Yield what each source says, the weakest first."""
    yield _Source(_read(own_file()), str(own_file()))
    yield _Source(_read(folder_file), str(folder_file))
    for name in ALLOWED:
        variable = PREFIX + name.upper()
        if environment.get(variable):
            yield _Source({name: environment[variable]}, variable, text=True)
    given = vars(arguments) if arguments is not None else {}
    flags = {name: value for name, value in given.items() if name in ALLOWED and value is not None}
    yield _Source(flags, _FLAG, text=True)


def _read(path: Path) -> Mapping[str, object]:
    """Return what a file of settings says, nothing if there is none; raises InvalidSetting."""
    try:
        return tomllib.loads(read_small(path).decode())
    except (FileNotFoundError, NotADirectoryError):  # the last where HOME is no folder
        return {}
    except OSError as error:
        text = _("{file}: cannot be read: {reason}.")
        raise InvalidSetting(text.format(file=path, reason=error.strerror)) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        text = _("{file}: cannot be read as TOML: {error}.")
        raise InvalidSetting(text.format(file=path, error=error)) from error


def _checked(source: _Source, name: str, value: object) -> object:
    """Return a value as its setting's type; raises InvalidSetting."""
    if name not in ALLOWED:
        text = _("{source}: there is no setting {name}; there are {settings}.")
        known = ", ".join(ALLOWED)
        told = text.format(source=source.label, name=repr(name), settings=known)
        raise InvalidSetting(told)
    allowed = _(ALLOWED[name])
    try:
        checked: object = msgspec.convert(value, _TYPES[name], strict=not source.text)
        if isinstance(checked, str) and name == "server":
            Address.parse(checked)
    except (msgspec.ValidationError, InvalidAddress) as error:
        text = _("{source}: {name} is {value} and has to be {allowed}.")
        if source.label == _FLAG:
            text, name = _("{name} is {value} and has to be {allowed}."), _flag(name)
        told = text.format(source=source.label, name=name, value=repr(value), allowed=allowed)
        raise InvalidSetting(told) from error
    return checked
