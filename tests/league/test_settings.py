"""A league.toml: what it may say, and how it is told what it may not."""

from pathlib import Path
from typing import get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from passing_bots.league.settings import (
    ALLOWED,
    EngineSettings,
    FaultPolicy,
    GameKind,
    InvalidLeague,
    LeagueClock,
    LeagueRules,
    LeagueSettings,
    parse_settings,
    read_settings,
)
from passing_protocol.views import GameOptions, TableOptions
from passing_rules import Lead, Options, PartnerScoring, Preset
from tests.support.league_logs import SEED, league, leagues

TWO = 'name = "spring"\n[rules]\nseats = 2\n[[engine]]\nname = "a"\nrun = "greedy"\n'
BASE = TWO + '[[engine]]\nname = "b"\ncommand = ["./b", "-v"]\n'
"""The least that a file needs; what is added at its end belongs to engine 2."""


def parse(text: str) -> LeagueSettings:
    return parse_settings(text.encode(), "league.toml", SEED)


def refusal(text: str) -> str:
    """What is said of a file that is refused, without the file's name."""
    with pytest.raises(InvalidLeague) as refused:
        parse(text)
    sentence = str(refused.value)
    assert sentence.startswith("league.toml: ")
    assert sentence.endswith(".")
    return sentence.removeprefix("league.toml: ")


# --- what is read --------------------------------------------------------------------------------


def test_the_least_that_is_needed_gets_defaults() -> None:
    settings = parse(BASE)
    assert settings.name == "spring"
    assert (settings.blocks, settings.game, settings.tables) == (50, GameKind.ROUND, 32)
    assert settings.clock == LeagueClock(turn_ms=2_000, bank_ms=10_000)
    assert settings.faults == FaultPolicy(margin=40, in_a_row=5, percent=10, connect_s=10)
    assert settings.engines == (
        EngineSettings(name="a", run="greedy", tables=8),
        EngineSettings(name="b", command=("./b", "-v"), tables=8),
    )


def test_everything_can_be_said() -> None:
    settings = parse(
        f"""
        name = "Vårligan"
        seed = "{SEED}"
        blocks = 100000
        game = "match"
        tables = 256
        [rules]
        seats = 4
        partners = true
        preset = "celko"
        target = 30
        lead = "winner"
        pass_circles = 2
        out_wins_ties = true
        partner_scoring = "as_written"
        max_rounds = 12
        [clock]
        turn_ms = 1
        bank_ms = 86400000
        [faults]
        margin = 0
        in_a_row = 1000
        percent = 100
        connect_s = 600
        [[engine]]
        name = "A.b_c-9"
        run = "mine:Engine"
        tables = 64
        [[engine]]
        name = "18-letters-in-all."
        run = "greedy"
        """
    )
    assert settings.seed == SEED
    assert settings.rules == LeagueRules(
        seats=4,
        partners=True,
        preset=Preset.CELKO,
        target=30,
        lead=Lead.WINNER,
        pass_circles=2,
        out_wins_ties=True,
        partner_scoring=PartnerScoring.AS_WRITTEN,
        max_rounds=12,
    )
    assert settings.engines[0] == EngineSettings(name="A.b_c-9", run="mine:Engine", tables=64)
    assert settings.faults == FaultPolicy(margin=0, in_a_row=1000, percent=100, connect_s=600)


def test_the_spare_seed_is_for_a_file_without_one() -> None:
    other = SEED[::-1]
    assert parse_settings(BASE.encode(), "x", other).seed == other
    assert parse_settings(f'seed = "{SEED}"\n{BASE}'.encode(), "x", other).seed == SEED


def test_without_a_seed_to_spare_a_file_needs_its_own() -> None:
    with pytest.raises(InvalidLeague, match="x: seed is missing and has to be 32 hex digits"):
        parse_settings(BASE.encode(), "x")


@pytest.mark.parametrize(
    ("rules", "target"), [("seats = 2", 101), ("seats = 2\ntarget = 9999", 9999)]
)
def test_a_match_that_is_forfeited_is_lost_by_its_target(rules: str, target: int) -> None:
    text = f'game = "match"\n{BASE}'.replace("seats = 2", rules)
    settings = parse(text)
    assert settings.faults.margin == settings.options.target == target
    assert msgspec.json.decode(msgspec.json.encode(settings), type=LeagueSettings) == settings
    assert parse(f"{text}[faults]\nin_a_row = 7\n").faults == FaultPolicy(margin=target, in_a_row=7)


def test_what_a_file_says_a_forfeit_costs_it_costs_in_a_match_too() -> None:
    assert parse(f'game = "match"\n{BASE}[faults]\nmargin = 40\n').faults.margin == 40


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "league.toml"
    path.write_text(f'seed = "{SEED}"\n{BASE}', encoding="utf-8")
    assert read_settings(path) == parse(f'seed = "{SEED}"\n{BASE}')


@given(leagues())
def test_settings_survive_the_log_whole(settings: LeagueSettings) -> None:
    encoded = msgspec.json.encode(settings)
    assert msgspec.json.decode(encoded, type=LeagueSettings) == settings
    assert settings.seed.encode() in encoded


def test_the_log_has_defaults_too_so_that_no_later_default_changes_a_league() -> None:
    said = msgspec.json.decode(msgspec.json.encode(parse(BASE)), type=dict[str, object])
    assert said["rules"] == dict.fromkeys(LeagueRules.__struct_fields__) | {
        "seats": 2,
        "partners": False,
    }
    assert said["clock"] == {"turn_ms": 2000, "bank_ms": 10000}


# --- what follows from them ----------------------------------------------------------------------


def test_a_game_that_is_a_round_has_one_round() -> None:
    settings = league("a", "b")
    assert settings.game_options == GameOptions(seats=2, max_rounds=1)
    assert settings.options == Options.of(2, max_rounds=1)


def test_a_match_goes_to_the_target() -> None:
    settings = league("a", "b", game=GameKind.MATCH)
    assert settings.game_options == GameOptions(seats=2)
    assert settings.options == Options.of(2)


def test_a_match_may_have_a_last_round() -> None:
    settings = parse(f'game = "match"\n{BASE}'.replace("seats = 2", "seats = 2\nmax_rounds = 7"))
    assert settings.options.max_rounds == 7


@pytest.mark.parametrize(
    ("seats", "partners", "sides"), [(2, False, 2), (3, False, 3), (4, False, 4), (4, True, 2)]
)
def test_there_are_as_many_sides_as_the_rules_say(seats: int, partners: bool, sides: int) -> None:
    assert league(*"abcd", seats=seats, partners=partners).sides == sides


def test_rules_are_made_a_table_with_whatever_is_chosen() -> None:
    rules = LeagueRules(seats=3, lead=Lead.RANDOM, pass_circles=2, out_wins_ties=True, target=50)
    settings = LeagueSettings(
        name="x", seed=SEED, rules=rules, engines=league("a", "b", "c").engines
    )
    assert settings.game_options == GameOptions(
        seats=3, lead=Lead.RANDOM, pass_circles=2, out_wins_ties=True, target=50, max_rounds=1
    )


def test_tables_hide_hands_until_the_block_is_played_and_a_fault_loses_the_game() -> None:
    settings = parse(BASE + "[clock]\nturn_ms = 50\nbank_ms = 7\n")
    assert settings.table_options == TableOptions(
        turn_ms=50,
        bank_ms=7,
        pace_ms=0,
        absent="forfeit",
        faults="forfeit",
        chat=False,
        reveal="after_block",
    )


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("blocks = 0", "blocks is 0 and has to be a whole number from 1 to 100000."),
        ("blocks = 100001", "blocks is 100001 and has to be a whole number from 1 to 100000."),
        ("blocks = 2.5", "blocks is 2.5 and has to be a whole number from 1 to 100000."),
        ("blocks = true", "blocks is true and has to be a whole number from 1 to 100000."),
        ("blocks = '5'", "blocks is '5' and has to be a whole number from 1 to 100000."),
        ("blocks = 2024-01-01", "blocks is 2024-01-01 and has to be a whole number from 1 to "
         "100000."),
        ("tables = 257", "tables is 257 and has to be a whole number from 1 to 256."),
        ("tables = 0", "tables is 0 and has to be a whole number from 1 to 256."),
        ("game = 'rounds'", "game is 'rounds' and has to be \"round\" or \"match\"."),
        ("seed = '12'", "seed is '12' and has to be 32 hex digits, small letters."),
        (f"seed = '{SEED.upper()}'", f"seed is '{SEED.upper()}' and has to be 32 hex digits, "
         "small letters."),
        ("seed = 5", "seed is 5 and has to be 32 hex digits, small letters."),
        ("blocks = [07:32:00, {a = false, b = 'c'}]", "blocks is [07:32:00, {a = false, b = "
         "'c'}] and has to be a whole number from 1 to 100000."),
        ("clock = 5", "clock is 5 and has to be settings by name."),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_is_named_with_what_can(line: str, said: str) -> None:
    assert refusal(f"{line}\n{BASE}") == said


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ("[clock]\nturn_ms = 0", "clock.turn_ms is 0 and has to be a whole number from 1 to "
         "86400000."),
        ("[clock]\nbank_ms = 86400001", "clock.bank_ms is 86400001 and has to be a whole number "
         "from 0 to 86400000."),
        ("[faults]\nmargin = 10000", "faults.margin is 10000 and has to be a whole number from 0 "
         "to 9999."),
        ("[faults]\nin_a_row = 0", "faults.in_a_row is 0 and has to be a whole number from 1 to "
         "1000."),
        ("[faults]\npercent = 101", "faults.percent is 101 and has to be a whole number from 1 to "
         "100."),
        ("[faults]\nconnect_s = 0", "faults.connect_s is 0 and has to be a whole number of seconds "
         "from 1 to 600."),
        ("[faults]\nmargins = 1", "faults: there is no setting 'margins' (did you mean "
         "margin?); there are margin, in_a_row, percent, connect_s."),
    ],
)  # fmt: skip
def test_a_value_in_a_section_is_named_with_its_section(section: str, said: str) -> None:
    assert refusal(f"{BASE}{section}\n") == said


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("seats = 5", "rules.seats is 5 and has to be 2, 3 or 4."),
        ("seats = 2\nlead = 'no'", 'rules.lead is \'no\' and has to be "rotate" or "winner" or '
         '"random".'),
        ("seats = 2\npartners = true", "rules.partners is true, allowed is only at 4 seats."),
        ("seats = 2\ntarget = 0", "rules.target is 0 and has to be a whole number from 1 to 9999."),
        ("seats = 2\nmax_rounds = 3", 'rules.max_rounds goes with game = "match" only.'),
    ],
)  # fmt: skip
def test_rules_are_refused_as_for_any_table(rule: str, said: str) -> None:
    assert refusal(BASE.replace("seats = 2", rule)) == said


def test_a_rule_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    said = refusal(BASE.replace("seats = 2", "seat = 2"))
    known = ", ".join(GameOptions.__struct_fields__)
    assert said == f"rules: there is no setting 'seat' (did you mean seats?); there are {known}."


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        ("name = 'x y'\nrun = 'g'", "engine 3: name is 'x y' and has to be 1 to 18 letters (A-Z, "
         "a-z), digits and . _ -, the first a letter or digit."),
        ("run = 'g'", "engine 3: name is missing and has to be 1 to 18 letters (A-Z, a-z), digits "
         "and . _ -, the first a letter or digit."),
        ("name = 'x'\nrun = ''", "engine 3: run is '' and has to be the name of an engine, or "
         "module:Class."),
        ("name = 'x'\ncommand = []", "engine 3: command is [] and has to be a list of 1 to 100 "
         "texts: a program and its arguments."),
        ("name = 'x'\ncommand = ['a', 3]", "engine 3: command 2 is 3 and has to be a list of 1 to "
         "100 texts: a program and its arguments."),
        ("name = 'x'\ncommand = ['a', '']", "engine 3: command 2 is '' and has to be a list of 1 "
         "to 100 texts: a program and its arguments."),
        ("name = 'x'\nrun = 'g'\ntables = 65", "engine 3: tables is 65 and has to be a whole "
         "number from 1 to 64."),
        ("name = 'x'\nrun = 'g'\ntable = 6", "engine 3: there is no setting 'table' (did you "
         "mean tables?); there are name, run, command, tables."),
        ("name = 'x'", "engine 3 has neither run nor command, and needs one of them."),
        ("name = 'x'\nrun = 'g'\ncommand = ['g']", "engine 3 has run and command, and may have "
         "only one of them."),
    ],
)  # fmt: skip
def test_an_engine_is_named_by_its_number(engine: str, said: str) -> None:
    assert refusal(f"{BASE}[[engine]]\n{engine}\n") == said


@pytest.mark.parametrize(
    "name", ["", "x" * 19, "a/b", "..", ".a", "-a", "_a", "a+b", "å", "a\\u0000", "a\\n"]
)
def test_a_name_is_one_that_a_file_and_a_command_can_have(name: str) -> None:
    assert refusal(f'{BASE}[[engine]]\nname = "{name}"\nrun = "g"\n').startswith("engine 3: name")


@pytest.mark.parametrize("name", ["a", "A"])
def test_names_that_read_alike_are_refused(name: str) -> None:
    said = refusal(f"{BASE}[[engine]]\nname = '{name}'\nrun = 'g'\n")
    assert said == f"engine names have to differ, and these read alike: ['a', {name!r}]."


@pytest.mark.parametrize("seats", [3, 4])
def test_each_side_needs_an_engine(seats: int) -> None:
    said = refusal(BASE.replace("seats = 2", f"seats = {seats}"))
    assert said == f"this league needs at least {seats} [[engine]] entries, and there are 2."


def test_no_engine_and_one_are_too_few() -> None:
    assert refusal(TWO) == "this league needs at least 2 [[engine]] entries, and there is 1."
    none = 'name = "spring"\nrules = {seats = 2}\n'
    assert refusal(none) == "this league needs at least 2 [[engine]] entries, and there are none."


def test_partners_are_two_sides() -> None:
    settings = parse(BASE.replace("seats = 2", "seats = 4\npartners = true"))
    assert settings.sides == 2


def test_no_more_engines_than_can_be_told() -> None:
    engines = "".join(f'[[engine]]\nname = "e{number}"\nrun = "g"\n' for number in range(70, 135))
    assert refusal(f'name = "x"\n{engines}').startswith("engine is [{name = 'e70', run = 'g'}, ")


@pytest.mark.parametrize("name", ["", "x" * 25, " x", "a\\u001b[31m", "a\\nb"])
def test_the_leagues_name_is_one_harmless_line(name: str) -> None:
    said = refusal(BASE.replace('"spring"', f'"{name}"'))
    assert said.endswith("has to be one line of text, at most 24 columns wide.")
    assert said.isprintable()


def test_a_setting_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    said = refusal(f"block = 3\n{BASE}")
    top = "name, seed, blocks, game, tables, rules, clock, faults, engine"
    assert said == f"there is no setting 'block' (did you mean blocks?); there are {top}."
    assert refusal(f"xyz = 3\n{BASE}") == f"there is no setting 'xyz'; there are {top}."


def test_engines_are_said_one_by_one() -> None:
    said = refusal(BASE.replace("[[engine]]", "[[engines]]"))
    assert said.startswith("there is no setting 'engines' (did you mean engine?); ")


def test_a_long_value_is_told_in_part() -> None:
    assert len(refusal(f"blocks = '{'x' * 5000}'\n{BASE}")) < 200


def test_what_is_no_toml_is_told_with_its_place() -> None:
    said = refusal("name = \n")
    assert said.startswith("cannot be read as TOML: ")
    assert "line 1" in said


def test_what_is_no_text_is_told() -> None:
    with pytest.raises(InvalidLeague, match="cannot be read as TOML"):
        parse_settings(b"name = '\xff'", "league.toml")


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    path = tmp_path / "none.toml"
    with pytest.raises(InvalidLeague, match="cannot be read: No such file or directory") as told:
        read_settings(path)
    assert str(told.value).startswith(f"{path}: ")


WORDS = st.sampled_from(["name", "run", "seats", "x", "turn_ms"])
ATOMS = st.sampled_from(
    ["true", "-1", "0", "2", "3.5", "nan", '"a"', '""', "1979-05-27", "07:32:00"]
)
VALUES = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda held: f"[{', '.join(held)}]")
        | st.dictionaries(WORDS, inner, max_size=3).map(
            lambda held: "{" + ", ".join(f"{key} = {value}" for key, value in held.items()) + "}"
        )
    ),
    max_leaves=6,
)
"""Values as TOML has them."""


@given(st.sampled_from([name for name in ALLOWED if name.isidentifier()]), VALUES)
def test_whatever_stands_there_is_refused_in_words(name: str, value: str) -> None:
    said = refusal(f"{name} = {value}\n")
    assert said.isprintable()


# --- the words -----------------------------------------------------------------------------------


def places(struct: type[Struct], prefix: str = "") -> set[str]:
    """The places of all settings in a struct and the structs in it."""
    found = set[str]()
    for field in msgspec.structs.fields(struct):
        name = f"{prefix}{field.encode_name}"
        found.add(name)
        inner: object = get_type_hints(struct)[field.name]
        listed = get_origin(inner) is tuple
        inside: object = get_args(inner)[0] if listed else inner
        if isinstance(inside, type) and issubclass(inside, Struct):
            found |= {f"{name}[]"} if listed else set()
            found |= places(inside, f"{name}[]." if listed else f"{name}.")
    return found


def test_every_setting_has_words_for_what_it_may_be() -> None:
    assert set(ALLOWED) == places(LeagueSettings)
