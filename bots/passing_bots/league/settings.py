"""The settings of a league: what a league.toml may say, and how it is read.

They stand whole in the league's log, so that all results follow from the log alone.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, cast

import msgspec
from msgspec import Meta, Struct, inspect
from msgspec.structs import replace

from passing_protocol.names import NAME_COLUMNS, clean_name, name_key
from passing_protocol.views import GameOptions, TableOptions, options_of
from passing_protocol.wire import HexSeed, Milliseconds, Name
from passing_rules import Lead, OptionError, Options, PartnerScoring, Preset

SEED_BYTES: Final = 16
# The seat and the number of the start come behind it, and a name has 24 columns in all.
EngineName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,17}$(?!\n)")]
BlockNumber = Annotated[int, Meta(ge=1, le=100_000)]
_Text = Annotated[str, Meta(min_length=1, max_length=1_000)]


class InvalidLeague(ValueError):
    """Raised when the settings of a league cannot be read, or say what they cannot say."""


class _InvalidField(ValueError):
    """Raised when fields do not go together; names the field that has to change."""

    def __init__(self, field: str, fault: str) -> None:
        """Keep the name of the field, and say what is wrong with it."""
        super().__init__(f"{field} {fault}")


class GameKind(StrEnum):
    """Name what a game of the league is: one round, or a match to the target."""

    ROUND = "round"
    MATCH = "match"


class LeagueRules(
    GameOptions, frozen=True, forbid_unknown_fields=True, omit_defaults=False, kw_only=True
):
    """Choose the options of the rules, as for any table; raises OptionError where they clash."""

    def __post_init__(self) -> None:
        """Refuse what the rules refuse (R5)."""
        options_of(self)


class LeagueClock(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Choose the clock of every table, in milliseconds.

    Every turn has one: without it an engine that is silent would hold a game up for ever.
    """

    turn_ms: Annotated[int, Meta(ge=1, le=86_400_000)] = 2_000
    bank_ms: Milliseconds = 10_000


class FaultPolicy(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Choose what a fault costs, and when an engine is out.

    A forfeited game counts as lost by `margin` points; where a file does not say, and a game is a
    match, by its target, as no engine may gain by giving up what it loses. `in_a_row` forfeits one
    after the other, or `percent` of the games of an engine that has played 20, and it is out.
    `connect_s` is how many seconds an engine has to appear in the lobby.
    """

    margin: Annotated[int, Meta(ge=0, le=9_999)] = 40
    in_a_row: Annotated[int, Meta(ge=1, le=1_000)] = 5
    percent: Annotated[int, Meta(ge=1, le=100)] = 10
    connect_s: Annotated[int, Meta(ge=1, le=600)] = 10


class EngineSettings(
    Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True
):
    """Name an engine and how it is started: `run` is as for `passing bot run`, `command` anything.

    `tables` is how many games each of its processes plays at once.
    """

    name: EngineName
    run: _Text | None = None
    command: Annotated[tuple[_Text, ...], Meta(min_length=1, max_length=100)] | None = None
    tables: Annotated[int, Meta(ge=1, le=64)] = 8

    def __post_init__(self) -> None:
        """Refuse an engine that can be started in no way, or in two."""
        if self.run is None and self.command is None:
            raise _InvalidField("has neither run nor command,", "and needs one of them")
        if self.run is not None and self.command is not None:
            raise _InvalidField("has run and command,", "and may have only one of them")


class LeagueSettings(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    rename={"engines": "engine"},
):
    """Hold all that decides a league: with deterministic engines, every move of it.

    `seed` is 32 hex digits. `blocks` counts those of each pairing, `tables` those played at once.
    """

    name: Name
    seed: HexSeed
    blocks: BlockNumber = 50
    game: GameKind = GameKind.ROUND
    tables: Annotated[int, Meta(ge=1, le=256)] = 32
    rules: LeagueRules = LeagueRules()
    clock: LeagueClock = LeagueClock()
    faults: FaultPolicy = FaultPolicy()
    engines: Annotated[tuple[EngineSettings, ...], Meta(max_length=64)] = ()

    def __post_init__(self) -> None:
        """Refuse names that read the same, too few engines, and rounds that nobody plays."""
        if clean_name(self.name) != self.name:
            raise _InvalidField("name", f"is {self.name!r} and has to be {ALLOWED['name']}")
        if self.game is GameKind.ROUND and self.rules.max_rounds is not None:
            raise _InvalidField("rules.max_rounds", 'goes with game = "match" only')
        keys = Counter(name_key(engine.name) for engine in self.engines)
        alike = [engine.name for engine in self.engines if keys[name_key(engine.name)] > 1]
        if alike:
            raise _InvalidField("engine", f"names have to differ, and these read alike: {alike}")
        if len(self.engines) < self.sides:
            needs = f"needs at least {self.sides} [[engine]] entries, and there"
            has = "is 1" if len(self.engines) == 1 else f"are {len(self.engines) or 'none'}"
            raise _InvalidField("this league", f"{needs} {has}")

    @property
    def sides(self) -> int:
        """Count the engines in a game: two with partners, else one a seat."""
        return self.options.sides

    @property
    def options(self) -> Options:
        """Return the options that every game is played by (R5)."""
        return options_of(self.game_options)

    @property
    def game_options(self) -> GameOptions:
        """Return the options of the rules in the form in which a table is made."""
        chosen = {name: getattr(self.rules, name) for name in GameOptions.__struct_fields__}
        if self.game is GameKind.ROUND:
            chosen["max_rounds"] = 1
        return GameOptions(**chosen)

    @property
    def table_options(self) -> TableOptions:
        """Return how every table is run: engines alone, and a fault loses the game.

        Hands stay hidden until the whole block is played: an engine that remembers must not know
        in the second rotation what its opponents hold.
        """
        return TableOptions(
            turn_ms=self.clock.turn_ms,
            bank_ms=self.clock.bank_ms,
            pace_ms=0,
            absent="forfeit",
            faults="forfeit",
            chat=False,
            reveal="after_block",
        )


def _one_of(values: type[StrEnum]) -> str:
    return " or ".join(f'"{value}"' for value in values)


def _whole(kind: type[Struct], field: str, unit: str = "") -> str:
    """Return in words which whole numbers a field takes."""
    info = cast("inspect.StructType", inspect.type_info(kind))
    (told,) = (each.type for each in info.fields if each.name == field)
    kinds = told.types if isinstance(told, inspect.UnionType) else (told,)
    (number,) = (each for each in kinds if isinstance(each, inspect.IntType))
    return f"a whole number {unit}from {number.ge} to {number.le}"


_TRUTH: Final = "true or false"
_SETTINGS: Final = "settings by name"

ALLOWED: Final[Mapping[str, str]] = {
    "name": f"one line of text, at most {NAME_COLUMNS} columns wide",
    "seed": "32 hex digits, small letters",
    "blocks": _whole(LeagueSettings, "blocks"),
    "game": _one_of(GameKind),
    "tables": _whole(LeagueSettings, "tables"),
    "rules": _SETTINGS,
    "rules.seats": "2, 3 or 4",
    "rules.partners": _TRUTH,
    "rules.preset": _one_of(Preset),
    "rules.target": _whole(GameOptions, "target"),
    "rules.lead": _one_of(Lead),
    "rules.pass_circles": "1 or 2",
    "rules.out_wins_ties": _TRUTH,
    "rules.partner_scoring": _one_of(PartnerScoring),
    "rules.max_rounds": _whole(GameOptions, "max_rounds"),
    "clock": _SETTINGS,
    "clock.turn_ms": _whole(LeagueClock, "turn_ms"),
    "clock.bank_ms": _whole(LeagueClock, "bank_ms"),
    "faults": _SETTINGS,
    "faults.margin": _whole(FaultPolicy, "margin"),
    "faults.in_a_row": _whole(FaultPolicy, "in_a_row"),
    "faults.percent": _whole(FaultPolicy, "percent"),
    "faults.connect_s": _whole(FaultPolicy, "connect_s", "of seconds "),
    "engine": "[[engine]] tables, at most 64",
    "engine[]": _SETTINGS,
    "engine[].name": "1 to 18 letters (A-Z, a-z), digits and . _ -, the first a letter or digit",
    "engine[].run": "the name of an engine, or module:Class",
    "engine[].command": "a list of 1 to 100 texts: a program and its arguments",
    "engine[].tables": _whole(EngineSettings, "tables"),
}
"""What each setting may be, in words, by its place in the file."""


def read_settings(path: Path, spare_seed: str | None = None) -> LeagueSettings:
    """Return the settings in a league.toml, with `spare_seed` where it has none.

    Raises InvalidLeague, which names the file, the field, its value and what is allowed. Without
    a seed to spare the file needs its own.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise InvalidLeague(f"{path}: cannot be read: {error.strerror}.") from error
    return parse_settings(text, str(path), spare_seed)


def parse_settings(text: bytes, source: str, spare_seed: str | None = None) -> LeagueSettings:
    """Return the settings that TOML from `source` says, as `read_settings` does."""
    try:
        raw: dict[str, object] = msgspec.toml.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidLeague(f"{source}: cannot be read as TOML: {error}.") from error
    try:
        spare: dict[str, object] = {} if spare_seed is None else {"seed": spare_seed}
        settings = msgspec.convert(spare | raw, LeagueSettings)
    except msgspec.ValidationError as error:
        raise InvalidLeague(f"{source}: {_sentence(error, raw)}.") from error
    faults = cast("Mapping[str, object]", raw.get("faults", {}))
    if settings.game is GameKind.ROUND or "margin" in faults:
        return settings
    dear = replace(settings.faults, margin=settings.options.target)
    return replace(settings, faults=dear)


_AT: Final = re.compile(r" - at `\$\.?([^`]*)`$")
_FIELD: Final = re.compile(r"Object (missing required|contains unknown) field `([^`]*)`")
_STEP: Final = re.compile(r"\w+|\[\d+\]")
_LONGEST_VALUE: Final = 60


def _sentence(error: msgspec.ValidationError, raw: object) -> str:
    """Return what is wrong in words of ours: the place, the value there and what is allowed."""
    at = _AT.search(str(error))
    steps = _STEP.findall(at[1]) if at else []
    cause = error.__cause__
    if isinstance(cause, OptionError):
        value = _toml(cause.value)
        return f"{_place([*steps, cause.field])} is {value}, allowed is {cause.allowed}"
    if isinstance(cause, _InvalidField):
        return f"{_place(steps)} {cause}".lstrip()
    field = _FIELD.match(str(error))
    if field is None:
        return f"{_place(steps)} is {_value(raw, steps)} and has to be {_allowed(steps)}"
    if field[1] == "missing required":
        steps.append(field[2])
        return f"{_place(steps)} is missing and has to be {_allowed(steps)}"
    where = f"{_place(steps)}: " if steps else ""
    known = list(_known(steps))
    close = get_close_matches(field[2], known, n=1)
    hint = f" (did you mean {close[0]}?)" if close else ""
    return f"{where}there is no setting {field[2]!r}{hint}; there are {', '.join(known)}"


def _place(steps: Sequence[str]) -> str:
    """Return a place in the file for its reader, who counts from one: `engine 2: name`."""
    text = ".".join(steps)
    return re.sub(r"\.\[(\d+)\]\.?", lambda found: f" {int(found[1]) + 1}: ", text).rstrip(": ")


def _pattern(steps: Sequence[str]) -> str:
    """Return a place as `ALLOWED` has it, without numbers."""
    return re.sub(r"\.\[\d+\]", "[]", ".".join(steps))


def _allowed(steps: Sequence[str]) -> str:
    """Return what a place may hold; what is inside a list is told with the list."""
    pattern = _pattern(steps)
    return ALLOWED.get(pattern) or ALLOWED[pattern.removesuffix("[]")]


def _known(steps: Sequence[str]) -> Iterator[str]:
    """Yield the names of the settings that may stand in a place."""
    prefix = f"{_pattern(steps)}." if steps else ""
    for name in ALLOWED:
        rest = name.removeprefix(prefix)
        if name.startswith(prefix) and rest.isidentifier():
            yield rest


def _value(raw: object, steps: Sequence[str]) -> str:
    """Return the value at a place as it stands there, cut where it is long."""
    value = raw
    for step in steps:
        if isinstance(value, list):
            value = cast("list[object]", value)[int(step[1:-1])]
        else:
            value = cast("dict[str, object]", value)[step]
    text = _toml(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]} .."


def _toml(value: object) -> str:
    """Return a value as TOML spells it."""
    match value:
        case bool():
            return str(value).lower()
        case datetime() | date() | time():
            return value.isoformat()
        case list():
            return f"[{', '.join(map(_toml, cast('list[object]', value)))}]"
        case dict():
            held = cast("dict[str, object]", value)
            return f"{{{', '.join(f'{key} = {_toml(each)}' for key, each in held.items())}}}"
        case _:
            return repr(value)
