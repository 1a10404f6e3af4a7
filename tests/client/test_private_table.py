"""What a private table is to be: the flags, the engines, their names, the seed."""

import asyncio
import os
import signal
import threading
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace as replace_value
from pathlib import Path
from typing import Self

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_client import private_table
from passing_client.command import main
from passing_client.commands import play, watch
from passing_client.private_table import (
    NAMES,
    Plan,
    PrivateTable,
    engines_for,
    names_for,
    run_private,
    seed_text,
)
from passing_client.settings import Settings, effective_settings
from passing_client.table_flags import plan_of
from passing_client.visiting import agent, connect, own_name, visit
from passing_link.address import Address
from passing_link.aio import AsyncConnection
from passing_link.exits import CommandFailed, ExitCode
from passing_link.news import CannotReach, LinkError, LinkNews, NewsKind, TurnedAway
from passing_link.signals import Ended, ended_by_signals
from passing_protocol.errors import ErrorCode
from passing_protocol.messages import Refused
from passing_protocol.names import name_key
from passing_protocol.views import GameOptions, TableOptions
from passing_server.limits import LIMITS
from tests.support.client_scene import FakeLink
from tests.support.protocol.samples import WELCOME


def parsed(module: object, *words: str) -> Namespace:
    parser = ArgumentParser()
    (play if module is play else watch).add_arguments(parser)
    return parser.parse_args(words)


def plan(module: object, *words: str) -> Plan | None:
    return plan_of(parsed(module, *words), sit=module is play)


# --- flags -------------------------------------------------------------------------------------


def test_without_bots_there_is_no_private_table() -> None:
    assert plan(play) is None
    assert plan(play, "den.local") is None
    assert plan(watch, "den.local", "kitchen") is None


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--bots", "1"], Plan(("careful",), GameOptions(seats=2), True)),
        (
            ["--bots", "3"],
            Plan(("careful", "greedy", "random"), GameOptions(seats=4), True),
        ),
        (
            ["--bots", "2", "--bot", "greedy", "--seats", "3"],
            Plan(("greedy", "greedy"), GameOptions(seats=3), True),
        ),
        (
            ["--bots", "3", "--partners", "--target", "30", "--seed", "7"],
            Plan(
                ("careful", "greedy", "random"),
                GameOptions(seats=4, partners=True, target=30),
                True,
                7,
            ),
        ),
    ],
)
def test_a_person_sits_down_with_engines(words: list[str], expected: Plan) -> None:
    assert plan(play, *words) == expected
    assert expected.first_seat == 1


def test_engines_play_alone_for_a_watcher() -> None:
    found = plan(watch, "--bots", "4", "--seed", "7")
    assert found == Plan(("careful", "greedy", "random", "careful"), GameOptions(seats=4), False, 7)
    assert found is not None
    assert found.first_seat == 0


@pytest.mark.parametrize(
    ("module", "words", "sentence"),
    [
        (play, ["--bot", "greedy"], "--bot goes with --bots only."),
        (play, ["--seats", "3"], "--seats goes with --bots only."),
        (play, ["--partners"], "--partners goes with --bots only."),
        (watch, ["--target", "30"], "--target goes with --bots only."),
        (watch, ["--seed", "0"], "--seed goes with --bots only."),
        (play, ["den.local", "--bots", "2"], "--bots makes a table here, not at den.local."),
        (
            play,
            ["--bots", "1", "--bot", "greedy", "--bot", "random"],
            "--bot: 2 engines are named, and --bots is 1.",
        ),
        (play, ["--bots", "2", "--seats", "4"], "--seats: 4 with --bots 2; allowed is 3."),
        (watch, ["--bots", "2", "--seats", "3"], "--seats: 3 with --bots 2; allowed is 2."),
        (play, ["--bots", "1", "--partners"], "partners: True, allowed is only at 4 seats."),
        (play, ["--bots", "1", "--target", "0"], "target: 0, allowed is 1 to 9999."),
    ],
)
def test_flags_that_do_not_go_together(module: object, words: list[str], sentence: str) -> None:
    with pytest.raises(CommandFailed) as failed:
        plan(module, *words)
    assert failed.value.sentence == sentence
    assert failed.value.code is ExitCode.USAGE


@pytest.mark.parametrize(
    "words",
    [
        ["play", "--bots", "4"],
        ["play", "--bots", "0"],
        ["watch", "--bots", "1"],
        ["play", "--bots", "two"],
        ["watch", "--bots", "2", "--seed", "-1"],
        ["watch", "--bots", "2", "--seed", "x"],
        ["watch", "--bots", "2", "--seed", str(2**128)],
        ["watch", "--bots", "2", "--seed", "9" * 5_000],
        ["watch", "--bots", "9" * 5_000],
        ["play", "--bots", "1", "--target", "9" * 5_000],
    ],
)
def test_values_that_no_flag_takes(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == ExitCode.USAGE
    assert words[-1] in capsys.readouterr().err


def test_a_command_says_what_is_wrong_with_its_flags(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--seed", "7"]) == ExitCode.USAGE
    assert capsys.readouterr().err == "passing: --seed goes with --bots only.\n"


@pytest.mark.parametrize("command", ["play", "watch"])
def test_help_begins_with_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == ExitCode.DONE
    text = capsys.readouterr().out
    assert text.startswith(f"Examples:\n  passing {command} --bots ")


@pytest.mark.parametrize("module", [play, watch])
def test_how_it_is_shown_changes_nothing_about_the_table(module: object) -> None:
    for flag in ("--plain", "--no-plain", "--ascii", "--no-ascii"):
        assert plan(module, flag) is None
        assert plan(module, flag, "--bots", "2") == plan(module, "--bots", "2")


# --- engines, names, seeds ----------------------------------------------------------------------


@given(st.integers(1, 4), st.lists(st.sampled_from(["a", "b", "c"]), max_size=4))
def test_engines_take_turns(number: int, chosen: list[str]) -> None:
    engines = engines_for(number, chosen)
    assert len(engines) == number
    if chosen:
        assert all(engine == chosen[n % len(chosen)] for n, engine in enumerate(engines))


@given(st.integers(1, 4), st.sampled_from([*NAMES, "Dana", "b\u043e", "CARO"]))
def test_no_engine_is_called_like_the_person(number: int, person: str) -> None:
    names = names_for(number, person)
    keys = {name_key(name) for name in names}
    assert len(keys) == number
    assert name_key(person) not in keys


@given(st.integers(0, 2**128 - 1))
def test_a_seed_is_16_bytes_with_the_highest_first(seed: int) -> None:
    assert bytes.fromhex(seed_text(seed)) == seed.to_bytes(16, "big")


# --- who and where ------------------------------------------------------------------------------


def test_the_name_is_the_chosen_one_or_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    assert own_name(Settings(name="Dana")) == "Dana"
    assert own_name(Settings(name="D\x1b[2Jana")) == "Dana"
    monkeypatch.setattr("getpass.getuser", lambda: "dana")
    assert own_name(Settings()) == "dana"


def test_a_user_without_a_name_is_a_guest(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise OSError

    monkeypatch.setattr("getpass.getuser", nobody)
    assert own_name(Settings()) == "Guest"


def test_a_name_of_nothing_is_refused() -> None:
    with pytest.raises(CommandFailed, match="has nothing that can be shown"):
        own_name(Settings(name="\u200b"))


@pytest.mark.parametrize("name", ["n" * 25, "\u6f22" * 13, "Dana " * 6])
def test_a_name_that_would_be_cut_is_refused(name: str) -> None:
    with pytest.raises(CommandFailed, match="is too long: 24 columns of it can be shown"):
        own_name(Settings(name=name))


@pytest.mark.parametrize("name", ["n" * 24, "\u6f22" * 12, " Dana  B "])
def test_a_name_as_long_as_can_be_shown_is_taken(name: str) -> None:
    assert own_name(Settings(name=name)) == " ".join(name.split())


@pytest.mark.usefixtures("in_the_clear")
@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (
            CannotReach("Nobody is listening at den.local."),
            ExitCode.UNREACHABLE,
            "passing: Nobody is listening at den.local. "
            "To look for the reason: passing doctor den.local\n",
        ),
        (
            TurnedAway(Refused(ErrorCode.VERSION, "It speaks version 9.", (9, 9))),
            ExitCode.REFUSED,
            "passing: The server turned us away: It speaks version 9.\n",
        ),
        (
            TurnedAway(Refused(ErrorCode.FULL, "\x1b]0;x\x07go\naway\x9b2J", (1, 1))),
            ExitCode.REFUSED,
            "passing: The server turned us away: go away\n",
        ),
    ],
)
def test_a_server_that_cannot_be_had_is_told(
    error: LinkError,
    code: ExitCode,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def fails(*_: object, **__: object) -> AsyncConnection:
        raise error

    monkeypatch.setattr(AsyncConnection, "open", fails)
    for command in (["play", "den.local", "--name", "Dana"], ["watch", "den.local"]):
        assert main(command) == code
        assert capsys.readouterr().err == sentence


def test_c48_what_is_told_on_the_way_to_a_server_is_harmless(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def opens(
        _: Address, *, report: Callable[[LinkNews], None], **__: object
    ) -> AsyncConnection:
        report(LinkNews(NewsKind.TRYING, "den.local \x1b[2Jasks us\r to wait."))
        raise CannotReach("It was too long.")

    monkeypatch.setattr(AsyncConnection, "open", opens)
    with pytest.raises(CommandFailed):
        asyncio.run(connect(Address("den.local"), "Dana"))
    assert capsys.readouterr().err == "den.local asks us to wait.\n"


class OddConnection(FakeLink):
    """A connection to a server that calls us something that a terminal would obey."""

    welcome = replace(WELCOME, name="Da\x1b[31mna\x07")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass


@pytest.mark.usefixtures("in_the_clear")
def test_c48_the_name_that_a_server_gives_is_harmless(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def opens(*_: object, **__: object) -> OddConnection:
        return OddConnection(script=[LinkNews(NewsKind.CLOSED, "It is over.")])

    monkeypatch.setattr(AsyncConnection, "open", opens)
    monkeypatch.setattr("passing_client.keyboard.here", lambda: SilentKeyboard())
    there = Namespace(host="den.local", code=None)
    assert visit(there, Settings(name="Dana")) is ExitCode.UNREACHABLE
    shown = capsys.readouterr().out
    assert shown.startswith("Connected to den.local:28066 as Dana. Type ? for help")


class SilentKeyboard:
    """A keyboard at which nobody types."""

    def printing(self) -> AbstractContextManager[object]:
        return nullcontext()

    async def lines(self) -> AsyncIterator[str]:
        await asyncio.Event().wait()
        yield ""

    def ring(self) -> None:
        pass


def test_the_client_names_itself_within_the_limits() -> None:
    assert len(agent().name) <= LIMITS.name_columns
    assert agent().version


# --- nothing is left behind ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "sit", "expected"),
    [
        (Settings(), True, TableOptions(turn_ms=0, pace_ms=700, absent="engine", deal="fair")),
        (Settings(), False, TableOptions(turn_ms=0, pace_ms=0, absent="engine")),
        (
            Settings(pace=9, memory=True),
            True,
            TableOptions(turn_ms=0, pace_ms=9, absent="engine", memory=True, deal="fair"),
        ),
    ],
)
def test_a_table_of_ones_own_is_as_the_settings_have_it(
    settings: Settings, sit: bool, expected: TableOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert options_of_table(monkeypatch, plan_for(sit=sit), settings) == expected


@pytest.mark.parametrize(
    ("tty", "plain", "paced", "pace_ms"),
    [(True, False, False, 700), (True, True, False, 0), (False, False, False, 0),
     (False, True, True, 700), (True, False, True, 700)],
)  # fmt: skip
def test_engines_that_are_watched_at_the_full_screen_keep_the_pace_and_others_where_asked(
    tty: bool, plain: bool, paced: bool, pace_ms: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private_table, "is_full_terminal", lambda: tty)
    plan = replace_value(plan_for(sit=False), paced=paced)
    assert options_of_table(monkeypatch, plan, Settings(plain=plain)).pace_ms == pace_ms


def test_a_pace_can_be_asked_for() -> None:
    words = ("--bots", "4", "--pace", "50")
    found = plan(watch, *words)
    assert found is not None
    assert found.paced
    assert effective_settings(parsed(watch, *words)).settings.pace == 50


def plan_for(*, sit: bool) -> Plan:
    return Plan(("careful",) * 2, GameOptions(seats=2 + sit), sit)


def options_of_table(
    monkeypatch: pytest.MonkeyPatch, plan: Plan, settings: Settings
) -> TableOptions:
    """Return with which options a table is made."""
    made: list[TableOptions] = []

    def go(errand: PrivateTable, settings: Settings) -> ExitCode:
        made.append(errand.options)
        return ExitCode.DONE

    monkeypatch.setattr("passing_client.private_table.go", go)
    run_private(plan, settings)
    return made[0]


def test_a_signal_to_end_is_taken_as_ctrl_c_and_the_folder_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = signal.getsignal(signal.SIGTERM)
    running = threading.Event()

    def look_at_the_terminal() -> bool:
        running.set()
        return False

    def start(state: Path) -> object:
        assert state.parent.is_dir()
        assert running.wait(10)
        os.kill(os.getpid(), signal.SIGTERM)
        return object()

    monkeypatch.setattr(private_table, "GuardedServer", start)
    monkeypatch.setattr("passing_client.keyboard.is_full_terminal", look_at_the_terminal)
    table = Plan(("careful",), GameOptions(seats=2), True)
    with ended_by_signals(), pytest.raises(Ended) as ended:
        run_private(table, Settings(name="Dana"))
    assert ended.value.code is ExitCode.TERMINATED
    assert list(tmp_path.iterdir()) == []
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_signal_that_is_ignored_stays_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """As under nohup, where the terminal that is closed is not to end the match."""

    def start(_: Path) -> object:
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGTERM) is not before[signal.SIGTERM]
        raise CommandFailed(ExitCode.UNEXPECTED, "That is all.")

    before = {number: signal.getsignal(number) for number in (signal.SIGHUP, signal.SIGTERM)}
    monkeypatch.setattr(private_table, "GuardedServer", start)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ended_by_signals(), pytest.raises(CommandFailed, match="That is all"):
            run_private(Plan(("careful",), GameOptions(seats=2), True), Settings(name="Dana"))
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGTERM) is before[signal.SIGTERM]
    finally:
        signal.signal(signal.SIGHUP, before[signal.SIGHUP])


def test_a_server_that_does_not_start_is_told_and_the_folder_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def start(_: Path) -> object:
        raise CommandFailed(ExitCode.UNEXPECTED, "The server did not start: no")

    monkeypatch.setattr(private_table, "GuardedServer", start)
    table = Plan(("careful",), GameOptions(seats=2), True)
    with pytest.raises(CommandFailed, match="The server did not start: no"):
        run_private(table, Settings(name="Dana"))
    assert list(tmp_path.iterdir()) == []
