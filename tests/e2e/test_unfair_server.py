"""A server that cheats, as a process of its own, is found out over sockets by stock clients.

What one client finds out alone is told by a person's and by an engine's; what only who is cheated
can know, by that one of two people; and two lists that are never mixed show in the table code.
"""

import re
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from passing_bots.session import DEAL_FAILED
from passing_client.command import main
from passing_link.exits import ExitCode
from tests.support.line_client import LineClient, play_on

UNFAIR: Final = (
    "UNFAIR: deal {number} of this match breaks the rules of fair deals. {why} Do not play on here."
)
TILES: Final = "The tiles were not those that follow from everybody's part."
PARTS: Final = "The parts that it shows are not those that were agreed to."
HISTORY: Final = "It told what happened in two ways that cannot both be true."
LIST: Final = "It did not keep to the list that you agreed to."
ASKED: Final = "It asked for a part that it must not have."
SHOWN: Final = "It did not show everybody's part when it had to."
OWN: Final = "Your part was sent, and it left that out."
DEALT: Final = "the tiles of round 1 do not follow from the links of deal 1"
SERVER_LINK: Final = "the server's link does not lead to its tip"
ERRORS_ALONE: Final = ("sh", "-c", 'exec "$@" >/dev/null', "sh")
OVER: Final = re.compile(r"round \d+ is over\.")

Captured = pytest.CaptureFixture[str]


@dataclass(frozen=True)
class Seen:
    """How a way to cheat in the first deal shows: to a person, an engine, and in the record."""

    why: str
    reason: str
    record: str | None = None


BY_EACH_ALONE: Final = {
    "swaps a tile": Seen(TILES, "own_hand", DEALT),
    "chooses a deal late": Seen(TILES, "own_hand|leader", DEALT),
    "uses a link that was not fixed before": Seen(PARTS, "wrong_link", SERVER_LINK),
    "leaves out a link that has come": Seen(
        PARTS, "links_missing|own_link_missing", "the link of seat 1 is not told"
    ),
    "uses a link twice": Seen(ASKED, "second_link"),
}


@dataclass(frozen=True)
class Host:
    """Run a server, which may cheat, in a folder."""

    folder: Path
    cheat: str | None

    @contextmanager
    def serving(self, port: str = "0") -> Generator[tuple[LineClient, str]]:
        """Serve until the end, and tell where."""
        cheat = () if self.cheat is None else ("--cheat", self.cheat)
        words = (*cheat, "--state", str(self.folder / "server"), "--port", port)
        with LineClient(*words, program="tests.support.unfair_server") as server:
            address = server.until("Sit down:").rpartition(" ")[2]
            server.until("Engines:")
            yield server, address

    def person(self, address: str, name: str) -> LineClient:
        """Run a client of somebody's that keeps its files in a folder of theirs."""
        kept = {f"XDG_{kind}_HOME": str(self.folder / name / kind) for kind in ("DATA", "STATE")}
        return LineClient("play", address, "--plain", "--name", name, environment=kept)

    def engine(self) -> LineClient:
        """Run an engine of which nothing but its standard error is read."""
        path = self.folder / "server" / "server.json"
        return LineClient("bot", "run", "greedy", "--connection", str(path), inside=ERRORS_ALONE)

    def record(self, name: str) -> str:
        """Return the one record that somebody has kept."""
        (path,) = (self.folder / name).rglob("*.pass")
        return str(path)


@dataclass(frozen=True)
class Table:
    """A server, a person in seat 0, and a person or an engine in seat 1."""

    server: LineClient
    address: str
    dana: LineClient
    other: LineClient


@contextmanager
def with_engine(host: Host, game: str = "") -> Generator[Table]:
    """Begin a match of a person and an engine."""
    with ExitStack() as stack:
        server, address = stack.enter_context(host.serving())
        engine = stack.enter_context(host.engine())
        engine.until("Waiting at")
        dana = stack.enter_context(host.person(address, "Dana"))
        dana.until("Type new")
        dana.type(f"new kitchen seats=2 turn_ms=0 pace_ms=0 {game}")
        dana.until("Table kitchen.")
        dana.type("invite")
        dana.until("Type start to begin.")
        dana.type("start")
        yield Table(server, address, dana, engine)


@contextmanager
def with_person(host: Host) -> Generator[Table]:
    """Begin a match of two people."""
    with ExitStack() as stack:
        server, address = stack.enter_context(host.serving())
        dana, zoe = (stack.enter_context(host.person(address, name)) for name in ("Dana", "Zoe"))
        dana.until("Type new")
        dana.type("new kitchen seats=2 turn_ms=0 pace_ms=0")
        dana.until("Table kitchen.")
        zoe.until("Type ")
        zoe.type("tables")
        zoe.until("kitchen: Dana;")
        zoe.type("join kitchen")
        zoe.until("Table kitchen. You are Zoe, seat 2 of 2.")
        zoe.type("ready")
        dana.until("Type start to begin.")
        dana.type("start")
        yield Table(server, address, dana, zoe)


@contextmanager
def restarted(host: Host, table: Table) -> Generator[None]:
    """Kill the server in the middle of a round, and start it again at the same address."""
    table.dana.until("Your turn. ")
    table.server.process.kill()
    table.dana.until(" is lost")
    with host.serving(table.address.rpartition(":")[2]):
        table.dana.until(" is back")
        yield


def alarms(client: LineClient) -> list[str]:
    """Return what a client has told of a server that cheats."""
    return [line for line in client.lines if line.startswith("UNFAIR:")]


def play_to_alarm(client: LineClient, number: int = 1) -> str:
    """Play until a client has told so often that the server cheats; return what it told last."""
    while len(alarms(client)) < number:
        play_on(client, "UNFAIR:")
    return alarms(client)[number - 1]


def code(client: LineClient) -> str:
    """Return the table code that a client was told."""
    return client.until("Table code ").removeprefix("Table code ")[:9]


def quit_match(client: LineClient) -> None:
    """Leave a match, which is asked about."""
    client.type("quit")
    client.type("quit")
    assert client.ends() == ExitCode.DONE


def verify_record(path: str, unfair: str | None, wrong: str | None, capsys: Captured) -> None:
    """Look at a record for what its tag tells of unfair deals, and check it by the command for it.

    `wrong` is what that must say is wrong.
    """
    found = re.search(r'^\[Unfair "(.*)"\]$', Path(path).read_text(), re.MULTILINE)
    assert re.fullmatch(unfair or "none", found[1] if found is not None else "none")
    expected = ExitCode.DONE if wrong is None else ExitCode.CHECK_FAILED
    code = main(["record", "check", path])
    printed = capsys.readouterr()
    assert code == expected, printed.out + printed.err
    assert (wrong or "") in printed.err


@pytest.mark.parametrize("cheat", BY_EACH_ALONE)
def test_a_cheat_is_told_by_a_persons_client_and_by_an_engine(
    cheat: str, tmp_path: Path, capsys: Captured
) -> None:
    seen, host = BY_EACH_ALONE[cheat], Host(tmp_path, cheat)
    with with_engine(host) as table:
        assert play_to_alarm(table.dana) == UNFAIR.format(number=1, why=seen.why)
        found = rf"table \w+: deal 1 of match \w+: {DEAL_FAILED} \(({seen.reason})\)"
        assert re.fullmatch(found, table.other.until(DEAL_FAILED))
        quit_match(table.dana)
    verify_record(host.record("Dana"), f"1:({seen.reason})", seen.record, capsys)


def test_links_that_are_shown_early_are_told_at_once(tmp_path: Path, capsys: Captured) -> None:
    host = Host(tmp_path, "shows links early")
    with with_engine(host) as table:
        assert play_to_alarm(table.dana) == UNFAIR.format(number=1, why=HISTORY)
        assert "(history)" in table.other.until(DEAL_FAILED)
        assert play_to_alarm(table.dana, 2) == UNFAIR.format(number=1, why=SHOWN)
        assert "(not_revealed)" in table.other.until(DEAL_FAILED)
        quit_match(table.dana)
    verify_record(host.record("Dana"), "1:not_revealed", None, capsys)


def test_a_chain_that_is_another_after_a_restart_is_told(tmp_path: Path, capsys: Captured) -> None:
    host = Host(tmp_path, "restores another chain")
    with with_engine(host) as table, restarted(host, table):
        assert play_to_alarm(table.dana) == UNFAIR.format(number=2, why=PARTS)
        assert table.dana.lines.count("Deal checked.") == 1
        assert "deal 2" in table.other.until(f"{DEAL_FAILED} (wrong_link)")
        quit_match(table.dana)
    verify_record(host.record("Dana"), "2:wrong_link", SERVER_LINK, capsys)


def test_a_contributor_who_is_called_absent_is_told_and_the_other_hears_the_name(
    tmp_path: Path,
) -> None:
    with with_person(Host(tmp_path, "calls a contributor absent")) as table:
        assert table.other.until("UNFAIR:") == UNFAIR.format(number=1, why=OWN)
        table.dana.until("Deal done again because of Zoe.")
        assert alarms(table.dana) == []


def test_a_list_that_is_another_than_everybody_hears_of_is_told(tmp_path: Path) -> None:
    with with_person(Host(tmp_path, "offers two lists")) as table:
        assert code(table.dana) == code(table.other)
        assert table.other.until("UNFAIR:") == UNFAIR.format(number=1, why=LIST)
        assert alarms(table.dana) == []


def test_lists_that_are_kept_apart_show_in_the_table_code_and_in_somebodys_deal(
    tmp_path: Path,
) -> None:
    with with_person(Host(tmp_path, "keeps two lists apart")) as table:
        assert code(table.dana) != code(table.other)
        assert alarms(table.dana) == alarms(table.other) == []
        with ThreadPoolExecutor() as pool:
            playing = pool.submit(play_on, table.dana, "Deal checked.")
            assert play_to_alarm(table.other) == UNFAIR.format(number=1, why=TILES)
            playing.result()
        assert alarms(table.dana) == []


def test_an_honest_server_is_told_to_be_one_though_it_was_killed(
    tmp_path: Path, capsys: Captured
) -> None:
    host = Host(tmp_path, None)
    with with_engine(host, "target=15") as table, restarted(host, table):
        play_on(table.dana)
        table.dana.type("quit")
        assert table.dana.ends() == ExitCode.DONE
        table.other.process.terminate()
        table.other.ends()
        rounds = sum(bool(OVER.search(line)) for line in table.dana.lines)
        assert table.dana.lines.count("Deal checked.") == rounds > 0
        assert alarms(table.dana) == []
        assert not [line for line in table.other.lines if DEAL_FAILED in line]
    verify_record(host.record("Dana"), None, None, capsys)
