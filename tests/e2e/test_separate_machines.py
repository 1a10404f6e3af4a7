"""Separate machines: found, admitted by a code, and nothing can be read on the way."""

import re
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from passing_link.exits import ExitCode
from tests.support.capture import captured
from tests.support.line_client import PATIENCE_S, LineClient, answer, play_match
from tests.support.machines import Machine, Network, machines, why_no_machines
from tests.support.toxic_proxy import toxic_proxy

PORT = 28066
SOON_S = 15.0
"""How soon a person is told why they cannot play: 5 s, and the start of a program when busy."""

CABLE_OUT_S = 20.0
QUICK = {"PASSING_PACE": "0"}
CODE = re.compile(r"\b[0-9A-HJKMNP-TV-Z]{5}(?:-[0-9A-HJKMNP-TV-Z]{5}){3}\b")
LINK = re.compile(r"passing://\S+")


@dataclass
class Host:
    """Hold a server on a machine of its own."""

    machine: Machine
    folder: Path
    process: "subprocess.Popen[bytes]"

    @property
    def said(self) -> str:
        return (self.folder.parent / f"{self.folder.name}.log").read_text()

    def serve(self, *words: str) -> str:
        """Run a command that speaks to the server, and return what it prints."""
        verb, *rest = words
        done = self.machine.run("serve", verb, *rest, "--state", str(self.folder))
        assert done.returncode == ExitCode.DONE, done.stderr
        return done.stdout

    def code(self, *words: str) -> str:
        found = CODE.search(self.serve("invite", *words))
        assert found is not None
        return found[0]

    def link(self, *words: str) -> str:
        links: list[str] = LINK.findall(self.serve("invite", *words))
        (link,) = [link for link in links if f"//{self.machine.address}:" in link]
        return link


@contextmanager
def host(machine: Machine, folder: Path, *words: str) -> Generator[Host]:
    """Run a server, from when it listens on."""
    log = folder.parent / f"{folder.name}.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [
                *machine.inside, sys.executable, "-m", "passing_client", "serve",
                "--state", str(folder), *words,
            ],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
        )  # fmt: skip
    started = Host(machine, folder, process)
    with process:
        try:
            until(lambda: (folder / "server.json").exists(), started)
            yield started
        finally:
            process.terminate()


def until(holds: Callable[[], bool], started: Host) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, started.said
        assert started.process.poll() is None, started.said
        time.sleep(0.02)


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Network]:
    why = why_no_machines()
    if why is not None:
        pytest.skip(why)
    with machines(tmp_path_factory.mktemp("machines"), 3) as network:
        yield network


@pytest.fixture
def at_the_server(network: Network, tmp_path: Path) -> Iterator[Host]:
    with host(network.machines[0], tmp_path / "server", "--lan", "--name", "cellar") as started:
        yield started


@pytest.fixture
def people(network: Network, tmp_path: Path) -> tuple[Machine, Machine]:
    """Give two machines where nobody has been anywhere yet."""
    _, *others = network.machines
    first, second = (replace(machine, home=tmp_path / machine.name) for machine in others)
    return first, second


def player(machine: Machine, name: str, *words: str) -> LineClient:
    environment = machine.environment | QUICK
    return LineClient(
        "play", *words, "--name", name, inside=machine.inside, environment=environment
    )


def sit_down(bo: LineClient, caro: LineClient, target: int = 5) -> None:
    """Let one make a table for two, and the other join it; the match begins."""
    bo.until("Connected to ")
    bo.type(f"new kitchen seats=2 target={target} turn_ms=0 pace_ms=0")
    bo.until("Table kitchen.")
    caro.until("Connected to ")
    caro.type("tables")  # the list that came with the connection may be older than the table
    caro.until("  1  kitchen")
    caro.type("join kitchen")
    caro.until("Table kitchen.")
    bo.until("Caro sits down")
    bo.type("start")


def play_out(*clients: LineClient) -> None:
    """Let all play until the match is over."""
    with ThreadPoolExecutor(len(clients)) as pool:
        for done in [pool.submit(play_match, client) for client in clients]:
            done.result()


def refusal(machine: Machine, *words: str) -> tuple[int, str]:
    """Return with which code and words a person is sent away, soon."""
    began = time.monotonic()
    done = machine.run("play", *words, "--plain")
    assert time.monotonic() - began < SOON_S
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr


# --- found, admitted, played --------------------------------------------------------------------


def test_a_server_is_found_from_another_machine(
    at_the_server: Host, people: tuple[Machine, Machine]
) -> None:
    found = people[0].run("find")
    assert found.returncode == ExitCode.DONE
    assert "cellar" in found.stdout
    assert at_the_server.machine.address in found.stdout


def test_a_match_is_played_by_code_and_by_link_and_nothing_of_it_can_be_read_on_the_way(
    at_the_server: Host, people: tuple[Machine, Machine], network: Network, tmp_path: Path
) -> None:
    code, link = at_the_server.code(), at_the_server.link()
    passed_by = tmp_path / "passed_by"
    with (
        captured(network.at_the_bridge, network.machines[0].cable, passed_by),
        ExitStack() as stack,
    ):
        bo = stack.enter_context(
            player(people[0], "Bo", at_the_server.machine.address, "--code", code)
        )
        caro = stack.enter_context(player(people[1], "Caro", link))
        sit_down(bo, caro)
        play_out(bo, caro)
    readable = seen_in(passed_by.read_bytes())
    assert readable == set()
    token = code.replace("-", "")[-8:]
    assert token.encode() not in passed_by.read_bytes()


def test_without_encryption_the_same_look_reads_everything(
    people: tuple[Machine, Machine], network: Network, tmp_path: Path
) -> None:
    address = network.machines[0].address
    plain = ("--bind", address, "--insecure-plaintext")
    passed_by = tmp_path / "passed_by"
    with (
        host(network.machines[0], tmp_path / "server", *plain),
        captured(network.at_the_bridge, network.machines[0].cable, passed_by),
        player(people[0], "Bo", address) as bo,
        player(people[1], "Caro", address) as caro,
    ):
        sit_down(bo, caro)
        play_out(bo, caro)
    assert seen_in(passed_by.read_bytes()) == set(SECRETS)


SECRETS = {
    "a hand": re.compile(rb"\xa4hand[\x91-\x9f](?:\xa2[0-6][0-6])+"),
    "a tile that is played": re.compile(rb"\xa4play\xa2[0-6][0-6]"),
    "a name": re.compile(rb"Caro"),
    "a table": re.compile(rb"kitchen"),
    "a resume token": re.compile(rb"resume_token"),
}
"""What would be seen of a match by who can read what passes by."""


def seen_in(data: bytes) -> set[str]:
    assert len(data) > 10_000
    return {what for what, form in SECRETS.items() if form.search(data)}


# --- a bad network ------------------------------------------------------------------------------


def test_a_cable_is_pulled_for_20_seconds_and_the_match_goes_on(
    at_the_server: Host, people: tuple[Machine, Machine], network: Network
) -> None:
    address = at_the_server.machine.address
    with ExitStack() as stack:
        bo = stack.enter_context(player(people[0], "Bo", address, "--code", at_the_server.code()))
        caro = stack.enter_context(player(people[1], "Caro", at_the_server.link()))
        sit_down(bo, caro)
        if "Bo leads" in caro.until("Round 1. "):
            answer(bo, bo.until("Your turn. "))
        question = caro.until("Your turn. ")
        network.pull(people[1])
        pulled = time.monotonic()
        bo.until("Caro is away")
        caro.until("Still trying")
        time.sleep(max(0.0, pulled + CABLE_OUT_S - time.monotonic()))
        network.plug(people[1])
        caro.until(" is back after ")
        bo.until("Caro is back")
        answer(caro, question)
        play_out(bo, caro)
        assert caro.lines[-1].startswith("The match is over")


def test_a_match_survives_delay_stalls_and_cuts(
    at_the_server: Host, people: tuple[Machine, Machine]
) -> None:
    address = at_the_server.machine.address
    with ExitStack() as stack:
        bad = stack.enter_context(toxic_proxy(people[0].inside, PORT, f"{address}:{PORT}"))
        bo = stack.enter_context(player(people[0], "Bo", address, "--code", at_the_server.code()))
        caro = stack.enter_context(
            player(people[1], "Caro", people[0].address, "--code", at_the_server.code())
        )
        sit_down(bo, caro, target=40)
        with ThreadPoolExecutor(2) as pool:
            playing = [pool.submit(play_match, client) for client in (bo, caro)]
            for _ in range(3):
                bad.stall(0.5)
                time.sleep(0.7)
                bad.cut()
                time.sleep(0.7)
            for done in playing:
                done.result()
        assert any(" is back" in line for line in caro.lines)


# --- sent away, with a sentence -----------------------------------------------------------------


def test_a_wrong_code_is_told_as_one(at_the_server: Host, people: tuple[Machine, Machine]) -> None:
    code, address = at_the_server.code(), at_the_server.machine.address
    other = "0" if code[-1] != "0" else "1"
    exit_code, words = refusal(people[0], address, "--code", code[:-1] + other)
    assert exit_code == ExitCode.REFUSED
    assert "code" in words
    exit_code, words = refusal(people[0], address, "--code", "00000" + code[5:])
    assert exit_code == ExitCode.REFUSED
    assert "code" in words


def test_who_has_no_code_is_asked_for_one(
    at_the_server: Host, people: tuple[Machine, Machine]
) -> None:
    exit_code, words = refusal(people[0], at_the_server.machine.address)
    assert exit_code == ExitCode.REFUSED
    assert "--code" in words


def test_the_second_visit_needs_no_code_until_it_is_revoked(
    at_the_server: Host, people: tuple[Machine, Machine]
) -> None:
    address = at_the_server.machine.address
    visit(people[0], "Bo", address, "--code", at_the_server.code())
    visit(people[0], "Bo", address)
    at_the_server.serve("revoke", "Bo")
    exit_code, words = refusal(people[0], address)
    assert exit_code == ExitCode.REFUSED
    assert "code" in words


def test_a_revoked_client_that_plays_is_sent_away(
    at_the_server: Host, people: tuple[Machine, Machine]
) -> None:
    address = at_the_server.machine.address
    with player(people[0], "Bo", address, "--code", at_the_server.code()) as bo:
        bo.until("Connected to ")
        at_the_server.serve("revoke", "Bo")
        assert bo.ends() == ExitCode.REFUSED


def test_a_changed_key_stops_everything(
    network: Network, people: tuple[Machine, Machine], tmp_path: Path
) -> None:
    server = network.machines[0]
    with host(server, tmp_path / "first", "--lan") as first:
        visit(people[0], "Bo", server.address, "--code", first.code())
    with host(server, tmp_path / "second", "--lan"):
        exit_code, words = refusal(people[0], server.address)
        assert exit_code == ExitCode.REFUSED
        assert "another key" in words
    with host(server, tmp_path / "third", "--bind", server.address, "--insecure-plaintext"):
        exit_code, words = refusal(people[0], server.address)
        assert exit_code == ExitCode.REFUSED
        assert "encrypts nothing" in words


def test_another_mechanism_is_told_as_one(people: tuple[Machine, Machine]) -> None:
    program = (
        "import sys, zmq; s = zmq.Context().socket(zmq.ROUTER); s.plain_server = 1; "
        f"s.bind('tcp://*:{PORT}'); sys.stdout.write('ready\\n'); sys.stdout.flush(); "
        "sys.stdin.read()"
    )
    with subprocess.Popen(
        [*people[1].inside, sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as foreign:
        assert foreign.stdout is not None
        assert foreign.stdout.readline() == b"ready\n"
        exit_code, words = refusal(people[0], people[1].address, "--as", "newcomer")
        foreign.kill()
    assert exit_code == ExitCode.UNREACHABLE, words
    assert "it is not a Passing Game server" in words


def test_nobody_listening_is_told_soon(people: tuple[Machine, Machine]) -> None:
    exit_code, words = refusal(people[0], people[1].address)
    assert exit_code == ExitCode.UNREACHABLE
    assert "Nobody is listening" in words


def visit(machine: Machine, name: str, *words: str) -> None:
    """Come, be let in, and go."""
    with player(machine, name, *words) as client:
        client.until("Connected to ")
        client.type("quit")
        assert client.ends() == ExitCode.DONE
