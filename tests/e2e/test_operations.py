"""What an operator does to a real server: ask it, end it, start it again, take its records."""

import json
import os
import re
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from passing_link.connection_file import NAME, ConnectionFile
from passing_link.exits import ExitCode
from passing_link.processes import GuardedServer, ServerProcess
from passing_link.state_lock import LOCK
from passing_protocol.errors import ErrorCode
from passing_protocol.events import RoundBegan, StateChanged
from passing_protocol.messages import (
    Act,
    Create,
    Goodbye,
    Join,
    Ready,
    Refused,
    Request,
    Update,
)
from passing_protocol.records import verify_records
from passing_protocol.views import Ask, GameOptions, TableOptions, TableState
from passing_server.serving import today
from passing_server.sqlite_store import FULL, SqliteStore
from passing_server.state_folder import StateFolder
from tests.e2e.test_secrets_sockets import SocketMatch
from tests.support.duel import PASS, Duel
from tests.support.fake_server import FakeServer
from tests.support.sockets import RawClient, running_server
from tests.support.stored_lan import StoredLan

SECONDS = 20
ENDS_IN_S = 1.0
"""What is promised of a server that is told to end by a signal; it takes 0.02 s."""

Done = subprocess.CompletedProcess[str]


def passing(*words: str) -> Done:
    """Run a command to its end."""
    command = [sys.executable, "-m", "passing_client", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)


@contextmanager
def running(command: Sequence[str]) -> Generator["subprocess.Popen[str]"]:
    """Run a program meanwhile, whose lines can be read."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def line_of(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def status(state: Path) -> dict[str, Any]:
    done = passing("serve", "status", "--json", "--state", str(state))
    assert done.returncode == ExitCode.DONE, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def server_at(state: Path) -> int | None:
    """The process of the server that has told where it is."""
    with suppress(OSError):
        return ConnectionFile.read(state / NAME).pid
    return None


def log_of(state: Path) -> str:
    return (state / "server.log").read_text(encoding="utf-8")


def until(true: Callable[[], bool]) -> None:
    """Wait for something that another process brings about."""
    deadline = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


class Player:
    """One person at a table of a real server: what is heard, and what was last known of it."""

    def __init__(self, address: str, name: str) -> None:
        self.name = name
        self.client = RawClient(address)
        self.welcome = self.client.hello(name)
        self.number = 0
        self.hand: list[str] = []
        self.ask: Ask | None = None
        self.round = 0
        self.state: TableState | None = None

    def send(self, request: Request) -> None:
        self.number += 1
        self.client.request(replace(request, id=self.number))

    def listen(self, wait_ms: int = 0) -> bool:
        """Take in the next message, if one comes in time."""
        message = self.client.heard(wait_ms)
        if isinstance(message, Update):
            self.ask = message.ask or self.ask
            self.hand = list(message.mine.hand) if message.mine is not None else self.hand
            if message.public is not None:
                self.round, self.state = message.public.round, message.public.state
            for event in message.events:
                self.state = event.state if isinstance(event, StateChanged) else self.state
                self.round = event.round if isinstance(event, RoundBegan) else self.round
        return message is not None

    def come_back(self, address: str) -> None:
        self.client.close()
        self.client = RawClient(address)
        self.ask = None
        self.welcome = self.client.resume(self.name, self.welcome)


class Pair:
    """Two people at a table of a real server, in a match; they pass, and come back."""

    def __init__(self, address: str) -> None:
        self.players = [Player(address, "ann"), Player(address, "bob")]
        first, second = self.players
        game = GameOptions(seats=2, target=9_999)
        first.send(Create(0, "kitchen", game, TableOptions(turn_ms=60_000)))
        self.table = first.client.expect(Update).table
        second.send(Join(0, self.table))
        second.client.expect(Update)
        for player in self.players:
            player.send(Ready(0, self.table))
        self.actor()

    def actor(self) -> Player:
        """Who is asked, once that is heard; the other has heard all that came before."""
        deadline = time.monotonic() + SECONDS
        while self._hear(20) or self._asked is None:
            assert time.monotonic() < deadline, "nobody is asked"
        return self._asked

    def _hear(self, wait_ms: int) -> bool:
        """Let each take in a message; tells whether there was any."""
        heard = [player.listen(wait_ms) for player in self.players]
        return any(heard)

    @property
    def _asked(self) -> Player | None:
        return next((player for player in self.players if player.ask is not None), None)

    @property
    def hands(self) -> list[list[str]]:
        return [player.hand for player in self.players]

    def pass_once(self) -> None:
        player = self.actor()
        assert player.ask is not None
        player.send(Act(0, self.table, player.ask.turn, PASS))
        player.client.expect_answer(player.number)
        player.ask = None

    def pass_to_the_end(self) -> None:
        """Pass until the table says that the round is over."""
        while TableState.PAUSED not in (player.state for player in self.players):
            if self._asked is None:
                assert self._hear(1_000)
                continue
            player = self._asked
            assert player.ask is not None
            player.send(Act(0, self.table, player.ask.turn, PASS))
            player.ask = None

    def come_back(self, address: str) -> None:
        """Connect to a server anew and go on with both sessions."""
        for player in self.players:
            player.come_back(address)

    def hear_goodbye(self) -> set[ErrorCode | None]:
        return {player.client.expect(Goodbye).code for player in self.players}

    def close(self) -> None:
        for player in self.players:
            player.client.close()


def turned_away(address: str) -> ErrorCode | None:
    """Why a newcomer is turned away."""
    with RawClient(address) as client:
        client.greet("late")
        answer = client.heard(SECONDS * 1_000)
        assert isinstance(answer, Refused | Goodbye)
        return answer.code


# --- status


def test_status_tells_how_the_server_is(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with running_server(state, ["--durability", "fast"]) as server:
        pair = Pair(server.connection.address)
        told = status(state)
        words = passing("serve", "--state", str(state), "status")
        pair.close()
    assert told["tables"] == {"playing": 1}
    assert told["sessions"] == [
        {"role": "player", "connected": 2, "away": 0},
        {"role": "admin", "connected": 1, "away": 0},
    ]
    assert (told["pid"], told["address"]) == (server.pid, server.connection.address)
    assert (told["durability"], told["ailment"], told["draining"]) == ("fast", None, False)
    assert 10_000_000 < told["memory"] < 200_000_000
    assert told["epoch"] > 0
    assert "seq" not in told
    assert words.returncode == ExitCode.DONE
    assert "Tables: 1 playing." in words.stdout
    assert "Sessions: 2 player (0 away), 1 admin (0 away)." in words.stdout
    assert "The store works." in words.stdout
    assert words.stderr == ""


@pytest.mark.parametrize("command", [["status"], ["drain"], ["drain", "--json"]])
def test_where_no_server_runs_the_code_is_3(tmp_path: Path, command: Sequence[str]) -> None:
    done = passing("serve", *command, "--state", str(tmp_path))
    assert done.returncode == ExitCode.UNREACHABLE
    assert str(tmp_path) in done.stderr
    assert done.stdout == ""


def test_a_server_that_was_killed_is_not_there(tmp_path: Path) -> None:
    with running_server(tmp_path / "state") as server:
        os.kill(server.pid, signal.SIGKILL)
        server.wait(SECONDS)
        done = passing("serve", "status", "--state", str(tmp_path / "state"))
    assert done.returncode == ExitCode.UNREACHABLE
    assert f"process {server.pid} has ended" in done.stderr
    assert f"Start it again with `passing serve --state {tmp_path / 'state'}`." in done.stderr


def test_a_server_that_stands_still_does_not_answer(tmp_path: Path) -> None:
    with running_server(tmp_path / "state") as server:
        os.kill(server.pid, signal.SIGSTOP)
        done = passing("serve", "status", "--state", str(tmp_path / "state"))
        os.kill(server.pid, signal.SIGCONT)
    assert done.returncode == ExitCode.UNREACHABLE
    assert f"The server that runs as process {server.pid} does not answer: " in done.stderr
    assert "takes the connection, but does not answer. Gave up after" in done.stderr


def test_a_server_that_waits_for_its_start_is_not_said_to_have_ended(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with running_server(state) as server:
        os.kill(server.pid, signal.SIGKILL)
        server.wait(SECONDS)
        with StateFolder(state):
            done = passing("serve", "status", "--state", str(state))
    assert done.returncode == ExitCode.UNREACHABLE
    assert f"A server is starting on {state}, as process {os.getpid()}, and does" in done.stderr


def test_a_lock_that_is_removed_lets_nobody_else_in(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with running_server(state) as server:
        (state / LOCK).unlink()
        done = passing("serve", "--port", "0", "--state", str(state))
        assert done.returncode == ExitCode.USAGE
        assert f"A server runs on {state} already" in done.stderr
        assert status(state)["pid"] == server.pid


def test_a_folder_that_is_removed_is_noticed_and_nobody_plays(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with running_server(state) as server:
        pair = Pair(server.connection.address)
        state.rename(tmp_path / "away")
        assert turned_away(server.connection.address) is ErrorCode.DISK
        assert pair.hear_goodbye() == {ErrorCode.DISK}
        (tmp_path / "away").rename(state)
        until(lambda: status(state)["ailment"] is None)
        pair.come_back(server.connection.address)
        pair.pass_once()
        pair.close()


def test_a_connection_file_that_cannot_be_removed_is_said_in_one_line(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with running_server(state) as server:
        (state / NAME).unlink()
        (state / NAME).mkdir()
        os.kill(server.pid, signal.SIGTERM)
        assert server.wait(SECONDS) == ExitCode.DONE
    assert f"{state / NAME} is left behind: it cannot be removed (" in log_of(state)
    assert "Ended. Everything is stored." in log_of(state)


def test_a_drain_leaves_no_admin_behind(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with running_server(state):
        assert passing("serve", "drain", "--state", str(state)).returncode == ExitCode.DONE
    with running_server(state):
        for _ in range(2):
            alone = [{"role": "admin", "connected": 1, "away": 0}]
            assert status(state)["sessions"] == alone


@pytest.mark.parametrize("command", ["status", "drain"])
def test_no_token_is_told_to_whoever_listens_where_a_server_has_been(
    tmp_path: Path, command: str
) -> None:
    """Its process number may be another process's by now: our own, here."""
    state = tmp_path / "state"
    with running_server(state) as server:
        os.kill(server.pid, signal.SIGKILL)
        server.wait(SECONDS)
    with FakeServer() as thief:
        for pid in (server.pid, os.getpid()):
            left = replace(server.connection, address=str(thief.address), pid=pid)
            left.write(state / "server.json")
            done = passing("serve", command, "--state", str(state))
            assert done.returncode == ExitCode.UNREACHABLE
            assert "has ended" in done.stderr
        assert not thief.received


def test_a_file_that_another_server_has_left_behind_is_not_believed(tmp_path: Path) -> None:
    """The folder is in use again, but by a server that has not said yet where it is."""
    state = tmp_path / "state"
    with running_server(state) as server, FakeServer() as thief:
        left = replace(server.connection, address=str(thief.address))
        left.write(state / "server.json")
        done = passing("serve", "status", "--state", str(state))
        assert done.returncode == ExitCode.UNREACHABLE
        assert not thief.received


@pytest.mark.parametrize("role", ["bot", None])
def test_who_has_not_the_admins_token_is_refused(tmp_path: Path, role: str | None) -> None:
    state = tmp_path / "state"
    with running_server(state) as server:
        known = server.connection
        token = known.tokens[role] if role is not None else "x" * 43
        replace(known, tokens={**known.tokens, "admin": token}).write(state / "server.json")
        done = passing("serve", "drain", "--state", str(state))
        assert server.exit_code is None
    assert done.returncode == ExitCode.REFUSED
    assert token not in done.stderr


def test_a_grace_that_cannot_be_is_refused(tmp_path: Path) -> None:
    for grace in ("-1", "1e9", "nan"):
        done = passing("serve", "drain", "--grace", grace, "--state", str(tmp_path))
        assert done.returncode == ExitCode.USAGE
        assert "0 to 86400 seconds" in done.stderr


# --- drain and SIGTERM


def test_c45_a_server_that_is_drained_ends_after_the_round_and_goes_on_when_started(
    tmp_path: Path,
) -> None:
    state = tmp_path / "state"
    with running_server(state) as server:
        pair = Pair(server.connection.address)
        command = [sys.executable, "-m", "passing_client", "serve", "drain", "--json"]
        words = [*command, "--grace", "60", "--state", str(state)]
        with running(words) as drain:
            begun = json.loads(line_of(drain))
            assert begun == {"event": "draining", "playing": 1, "grace_ms": 60_000}
            assert turned_away(server.connection.address) is ErrorCode.DRAINING
            assert status(state)["draining"]
            pair.pass_to_the_end()
            assert pair.hear_goodbye() == {ErrorCode.DRAINING}
            assert server.wait(SECONDS) == ExitCode.DONE
            assert json.loads(line_of(drain)) == {"event": "ended"}
            assert drain.wait(SECONDS) == ExitCode.DONE
    assert "Ended. Everything is stored." in log_of(state)
    with running_server(state) as server:
        pair.come_back(server.connection.address)
        assert all(player.welcome.resumed for player in pair.players)
        pair.actor()
        assert {player.round for player in pair.players} == {2}
        pair.close()


def test_without_grace_a_server_ends_in_the_middle_of_a_round(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with running_server(state) as server:
        pair = Pair(server.connection.address)
        done = passing("serve", "drain", "--grace", "0", "--state", str(state))
        assert done.returncode == ExitCode.DONE, done.stderr
        assert "Tables where one is played: 1." in done.stdout
        assert done.stdout.endswith("The server has ended. Everything is stored.\n")
        assert server.wait(SECONDS) == ExitCode.DONE
        assert not server.connection_path.exists()
        assert pair.hear_goodbye() == {ErrorCode.DRAINING}
        pair.close()


@contextmanager
def draining(state: Path, grace: str = "60") -> Generator["subprocess.Popen[str]"]:
    """Run `drain` until the server has begun to end."""
    command = [sys.executable, "-m", "passing_client", "serve", "drain"]
    with running([*command, "--grace", grace, "--state", str(state)]) as drain:
        assert "takes nothing new" in line_of(drain)
        yield drain


def test_a_server_that_is_started_anew_in_a_drain_has_not_ended(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "state"
    with GuardedServer(state) as server:
        pair = Pair(server.connection.address)
        pid = ConnectionFile.read(server.connection_path).pid
        with draining(state) as drain:
            os.kill(pid, signal.SIGKILL)

            def there() -> bool:
                server.look()
                return server_at(state) not in (pid, None)

            until(there)
            assert drain.wait(SECONDS) == ExitCode.UNEXPECTED
            assert line_of(drain) == ""
        assert not status(state)["draining"]
        pair.close()
    assert "was started anew. It is not ending now" in capfd.readouterr().err


def test_a_server_that_is_killed_in_a_drain_has_not_said_that_all_is_stored(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "state"
    with running_server(state) as server:
        pair = Pair(server.connection.address)
        with draining(state) as drain:
            os.kill(server.pid, signal.SIGKILL)
            assert drain.wait(SECONDS) == ExitCode.UNEXPECTED
            assert line_of(drain) == ""
        pair.close()
    assert "has not said that everything is stored" in capfd.readouterr().err


def test_a_drain_goes_on_over_a_full_disk(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with running_server(state) as server:
        pair = Pair(server.connection.address)
        with draining(state) as drain:
            limit_files(server, 1)
            pair.players[0].send(Ready(0, pair.table))
            assert pair.hear_goodbye() == {ErrorCode.DISK}
            limit_files(server, resource.RLIM_INFINITY)
            both = {"role": "admin", "connected": 2, "away": 0}  # that one, and who asks here
            until(lambda: both in status(state)["sessions"])
            again = passing("serve", "drain", "--grace", "0", "--state", str(state))
            assert again.returncode == ExitCode.DONE, again.stderr
            assert drain.wait(SECONDS) == ExitCode.DONE
            assert line_of(drain) == "The server has ended. Everything is stored.\n"
        pair.close()


def test_a_disk_that_stays_full_is_told_at_the_end_of_a_drain(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "state"
    with running_server(state) as server:
        pair = Pair(server.connection.address)
        with draining(state, grace="2") as drain:
            limit_files(server, 1)
            pair.players[0].send(Ready(0, pair.table))
            assert pair.hear_goodbye() == {ErrorCode.DISK}
            assert drain.wait(SECONDS) == ExitCode.UNEXPECTED
            assert line_of(drain) == ""
        pair.close()
    told = capfd.readouterr().err
    assert "has not said that everything is stored" in told
    assert "full.sqlite3" in told


@pytest.mark.parametrize("arguments", [[], ["--log-json"]])
def test_sigterm_ends_it_within_a_second_with_everything_stored(
    tmp_path: Path, arguments: list[str]
) -> None:
    state = tmp_path / "state"
    with running_server(state, arguments) as server:
        pair = Pair(server.connection.address)
        pair.pass_once()
        ask = pair.actor().ask
        hands = pair.hands
        before = time.monotonic()
        os.kill(server.pid, signal.SIGTERM)
        assert pair.hear_goodbye() == {ErrorCode.DRAINING}
        assert server.wait(SECONDS) == ExitCode.DONE
        assert time.monotonic() - before < ENDS_IN_S
    with running_server(state) as server:
        pair.come_back(server.connection.address)
        asked = pair.actor().ask
        assert ask is not None
        assert asked is not None
        assert (asked.turn, asked.legal) == (ask.turn, ask.legal)
        assert pair.hands == hands
        pair.pass_once()
        pair.close()


def test_a_second_signal_ends_it_at_once() -> None:
    script = (
        "import select, signal\n"
        "from passing_server.loop import watch_signals\n"
        "class Stuck:\n"
        "    def watch(self, descriptor, readable): self.descriptor = descriptor\n"
        "stuck = Stuck()\n"
        "watch_signals(stuck)\n"
        "print('ready', flush=True)\n"
        "select.select([stuck.descriptor], [], [])\n"
        "print('stuck', flush=True)\n"
        "signal.pause()\n"
    )
    with running([sys.executable, "-c", script]) as it:
        assert line_of(it) == "ready\n"
        it.send_signal(signal.SIGTERM)
        assert line_of(it) == "stuck\n"
        it.send_signal(signal.SIGTERM)
        assert it.wait(SECONDS) == -signal.SIGTERM


# --- the store


def limit_files(server: ServerProcess, size: int) -> None:
    """Let the server write no file beyond so many bytes, as on a disk that is full."""
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def test_c42_while_the_disk_is_full_nobody_plays_and_the_operator_is_told(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with running_server(state, ["--log-json"]) as server:
        pair = Pair(server.connection.address)
        hands = pair.hands
        limit_files(server, 1)
        assert turned_away(server.connection.address) is ErrorCode.DISK
        told = status(state)
        assert "full.sqlite3" in told["ailment"]
        words = passing("serve", "status", "--state", str(state))
        assert "NOTHING CAN BE STORED" in words.stdout
        assert pair.hear_goodbye() == {ErrorCode.DISK}
        limit_files(server, resource.RLIM_INFINITY)
        until(lambda: status(state)["ailment"] is None)
        pair.come_back(server.connection.address)
        pair.pass_once()
        assert pair.hands == hands
        pair.close()
    assert "store_works" in log_of(state)


def test_a_folder_in_use_is_refused_with_who_uses_it(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with running_server(state) as server:
        done = passing("serve", "--port", "0", "--state", str(state))
        assert done.returncode == ExitCode.USAGE
        assert f"process {server.pid} at {server.connection.address}" in done.stderr
        assert status(state)["pid"] == server.pid


@pytest.mark.parametrize(
    ("pragma", "words"),
    [
        ("user_version = 99", "a newer version of the game wrote this file (form 99"),
        ("application_id = 1", "this file is not of this game"),
    ],
)
@pytest.mark.parametrize("arguments", [[], ["--log-json"]])
def test_a_store_that_this_version_does_not_know_is_refused(
    tmp_path: Path, pragma: str, words: str, arguments: list[str]
) -> None:
    SqliteStore(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / FULL)) as connection:
        connection.execute(f"PRAGMA {pragma}")
    before = (tmp_path / FULL).read_bytes()
    done = passing("serve", "--port", "0", "--state", str(tmp_path), *arguments)
    assert done.returncode == ExitCode.UNEXPECTED
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1
    if arguments:
        assert json.loads(done.stderr)["event"] == "failed"
    assert (tmp_path / FULL).read_bytes() == before
    assert not (tmp_path / "server.json").exists()


def test_only_its_owner_may_read_anything_of_a_server(tmp_path: Path) -> None:
    state = tmp_path / "state"
    before = os.umask(0)
    try:
        with running_server(state) as server:
            Pair(server.connection.address).close()
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in state.iterdir()}
            folder = stat.S_IMODE(state.stat().st_mode)
    finally:
        os.umask(before)
    assert folder == 0o700
    assert set(modes) >= {"server.json", "tokens.json", "lock", "full.sqlite3", "fast.sqlite3"}
    assert set(modes.values()) == {0o600}


def test_tokens_outlive_the_server_until_their_file_is_removed(tmp_path: Path) -> None:
    state = tmp_path / "state"
    tokens: list[dict[str, str]] = []
    for run in range(3):
        if run == 2:
            (state / "tokens.json").unlink()
        with running_server(state) as server:
            tokens.append(server.connection.tokens)
    assert tokens[0] == tokens[1]
    assert not set(tokens[0].values()) & set(tokens[2].values())


# --- what is over


def play_matches(state: Path, *days: int) -> None:
    """Put matches that were over on these days into the store of a folder."""
    state.mkdir(mode=0o700)
    with closing(SqliteStore(state)) as store:
        lan = StoredLan(store)
        for day in days:
            lan.day = day
            lan.play_a_match(f"day {today() - day} ago")
            lan.settle()
        lan.server.close(lan.now)
        lan.settle()


def test_matches_are_exported_while_the_server_runs_and_old_ones_are_removed(
    tmp_path: Path,
) -> None:
    state, out = tmp_path / "state", tmp_path / "out"
    play_matches(state, today() - 40, today() - 31, today() - 30, today())
    with running_server(state, ["--keep-days", "1"]):
        until(lambda: "Matches removed that were over for 1 days: 2." in log_of(state))
        done = passing("serve", "export", "--state", str(state), "--out", str(out))
        piped = passing("serve", "export", "--state", str(state), "--out", "-")
    assert done.returncode == piped.returncode == ExitCode.DONE
    assert "Matches written to" in done.stderr
    records = verify_records(piped.stdout)
    assert [record.event for record in records] == ["day 30 ago", "day 0 ago"]
    files = sorted(out.iterdir())
    assert [stat.S_IMODE(path.stat().st_mode) for path in files] == [0o600, 0o600]
    one_by_one = "\n".join(path.read_text(encoding="utf-8") for path in files)
    assert one_by_one == piped.stdout
    assert passing("record", "check", *map(str, files)).returncode == ExitCode.DONE


def test_with_keep_days_0_nothing_that_is_over_is_kept(tmp_path: Path) -> None:
    play_matches(tmp_path / "state", today() - 1, today())
    with running_server(tmp_path / "state", ["--keep-days", "0"]):
        until(lambda: "Matches removed" in log_of(tmp_path / "state"))
        done = passing("serve", "export", "--state", str(tmp_path / "state"), "--out", "-")
    assert (done.returncode, done.stdout) == (ExitCode.DONE, "")


def test_export_says_what_it_cannot_do(tmp_path: Path) -> None:
    done = passing("serve", "export", "--state", str(tmp_path), "--out", "-")
    assert done.returncode == ExitCode.UNEXPECTED
    assert "no server has stored anything there" in done.stderr
    played = StoredLan(SqliteStore(tmp_path))
    Duel(played)
    done = passing("serve", "export", "--state", str(tmp_path), "--out", "-")
    assert done.returncode == ExitCode.DONE
    assert "Matches written to standard output: 0. Not over yet, and so left out: 1." in done.stderr
    done = passing("serve", "--keep-days", "-1", "--port", "0", "--state", str(tmp_path))
    assert done.returncode == ExitCode.USAGE
    assert "--keep-days -1: allowed is 0 to 36500." in done.stderr


# --- the log


@pytest.mark.parametrize("as_json", [False, True])
def test_no_line_of_a_servers_log_holds_anything_of_a_game(tmp_path: Path, as_json: bool) -> None:
    state = tmp_path / "state"
    arguments = ["--log-json"] if as_json else []
    matches: list[SocketMatch] = []
    for run in range(2):
        with running_server(state, arguments) as server:
            match = SocketMatch(server, run)
            match.play()
            matches.append(match)
            os.kill(server.pid, signal.SIGKILL if run == 0 else signal.SIGTERM)
            server.wait(SECONDS)
    text = log_of(state)
    if as_json:
        events = [json.loads(line)["event"] for line in text.splitlines()]
        assert events == ["listening", "recovered", "listening", "ended"]
    for match in matches:
        for member in match.everybody:
            member.client.close()
        secrets = {match.seed, match.table, *match.tokens.values()}
        for member in match.everybody:
            secrets |= {member.welcome.session, member.welcome.resume_token, member.welcome.name}
        found = [secret for secret in secrets if re.search(rf"\b{re.escape(secret)}\b", text)]
        assert not found
    told = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|127\.0\.0\.1:\d+|/\S+|\"\w+\":\d+", "", text)
    counts = re.findall(r"tables (\d+), sessions (\d+)", told)
    for pair in counts:
        told = told.replace(f"tables {pair[0]}, sessions {pair[1]}", "")
    assert not re.findall(r"\b[0-6][0-6]\b", told)
