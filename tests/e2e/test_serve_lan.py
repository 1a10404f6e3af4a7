"""`passing serve --lan`: a code lets one enrol and is needed once; who is revoked is out."""

import json
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from passing_link.address import Address
from passing_link.exits import CommandFailed, ExitCode
from passing_link.interfaces import interfaces
from passing_link.keys import KeyPair, Security, key_bytes
from passing_link.processes import ServerProcess, start_server
from passing_protocol.codec import encode
from passing_protocol.errors import ErrorCode
from passing_protocol.join_codes import Invitation, JoinCode, fingerprint, join_secret
from passing_protocol.messages import (
    PROTOCOL_VERSION,
    Create,
    Enrol,
    Enrolled,
    Goodbye,
    GuestRole,
    JoinCodeReport,
    Ping,
    Pong,
    Refused,
    Role,
    Welcome,
)
from passing_protocol.messages import JoinCode as AskForCode
from passing_server.access_file import NAME
from passing_server.asking import speaking_to
from tests.support.line_client import LineClient
from tests.support.sockets import RawClient, running_server

LAN = ("--lan", "--bind", "127.0.0.1")
VERSIONS = (PROTOCOL_VERSION, PROTOCOL_VERSION)
SILENCE_MS = 700
"""How long nothing comes of a handshake that was refused."""


def passing(*words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "passing_client", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    with running_server(tmp_path / "state", LAN) as process:
        yield process


def server_key(server: ServerProcess) -> str:
    assert server.connection.server_key is not None
    return server.connection.server_key


def security(server: ServerProcess, own: KeyPair) -> Security:
    return Security(server_key(server), own)


def invited(server: ServerProcess, role: GuestRole = "player", *, new: bool = False) -> JoinCode:
    with speaking_to(server.connection) as connection:
        report = connection.request(AskForCode(0, role, new))
    assert isinstance(report, JoinCodeReport)
    return JoinCode(fingerprint(key_bytes(server_key(server))), report.token)


def enrol(server: ServerProcess, code: JoinCode, own: KeyPair, name: str) -> object:
    """Enrol at a server by a code; None when it does not let the code in."""
    joining = KeyPair.of_secret(join_secret(code.token, key_bytes(server_key(server))))
    with RawClient(server.connection.address, security=security(server, joining)) as client:
        client.send(encode(Enrol(VERSIONS, own.public, name)))
        return client.heard(5 * SILENCE_MS)


def comes_in(server: ServerProcess, own: KeyPair, name: str = "Ann") -> object:
    """Greet with a key; None when it is not let in."""
    with RawClient(server.connection.address, security=security(server, own)) as client:
        client.greet(name)
        return client.heard(SILENCE_MS)


def test_the_code_and_the_link_are_printed_with_every_address(tmp_path: Path) -> None:
    with running_server(tmp_path / "state", ["--lan"]) as server:
        done = passing("serve", "invite", "--state", str(tmp_path / "state"))  # all is printed then
        log = (tmp_path / "state" / "server.log").read_text(encoding="utf-8")
    code = re.search(r"--code (\S+)", log)
    link = re.search(r"passing://\S+", log)
    assert code is not None
    assert link is not None
    key = key_bytes(server_key(server))
    assert JoinCode.parse(code[1]).fits(key)
    assert Invitation.parse(link[0]).code == JoinCode.parse(code[1])
    for one in interfaces():
        on_its_link = one.address.version == 6 and one.address.is_link_local
        assert (str(one.address) in log) or one.address.is_loopback or on_its_link
    assert "Whoever has the code or the link may play" in log
    assert done.stdout.splitlines()[:-1] == [
        line for line in log.splitlines() if line in done.stdout.splitlines()[:-1]
    ]


def test_an_operator_is_shown_the_code_and_the_links(server: ServerProcess) -> None:
    state = str(server.connection_path.parent)
    done = passing("serve", "invite", "--state", state, "--json")
    told = json.loads(done.stdout)
    assert JoinCode.parse(told["code"]) == invited(server)
    assert {Invitation.parse(link).code for link in told["links"]} == {invited(server)}
    assert told["addresses"] == [server.connection.address]  # it listens nowhere else
    assert len(told["links"]) == 1
    shown = passing("serve", "invite", "--state", state, "--role", "bot").stdout
    assert f"passing bot run greedy {told['addresses'][0]} --code {invited(server, 'bot')}" in shown


def test_a_log_for_programs_has_no_code_and_no_name(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with running_server(state, [*LAN, "--log-json"]) as server:
        own, code = KeyPair.new(), invited(server)
        assert isinstance(enrol(server, code, own, "Ann Marie"), Enrolled)
        assert isinstance(comes_in(server, own, "Ann Marie"), Welcome)
        passing("serve", "revoke", "Ann Marie", "--state", str(state))
    log = (state / "server.log").read_text(encoding="utf-8")
    kept = json.loads((state / NAME).read_text(encoding="utf-8"))
    events = [json.loads(line)["event"] for line in log.splitlines()]
    assert [name for name in events if name in ("enrolled", "revoked")] == ["enrolled", "revoked"]
    for secret in (
        code.token,
        own.public,
        "Ann Marie",
        kept["server_secret"],
        kept["local_secret"],
    ):
        assert secret not in log
    assert own.public[:8] in log


def test_who_has_the_code_enrols_and_needs_it_never_again(server: ServerProcess) -> None:
    state = server.connection_path.parent
    own = KeyPair.new()
    assert comes_in(server, own) is None
    assert enrol(server, invited(server), own, "Ann") == Enrolled(Role.PLAYER, "Ann")
    welcome = comes_in(server, own)
    assert isinstance(welcome, Welcome)
    assert (welcome.role, welcome.open_to_all) == (Role.PLAYER, False)
    os.kill(server.pid, signal.SIGKILL)
    server.wait(5)
    with running_server(state, LAN) as again:
        assert server_key(again) == server_key(server)
        assert isinstance(comes_in(again, own), Welcome)


@pytest.mark.parametrize("role", ["spectator", "bot"])
def test_the_code_of_a_role_gives_that_role(server: ServerProcess, role: GuestRole) -> None:
    own, code = KeyPair.new(), invited(server, role)
    assert isinstance(enrol(server, code, own, "x"), Enrolled)
    welcome = comes_in(server, own, "x")
    assert isinstance(welcome, Welcome)
    assert welcome.role == role


def test_a_wrong_code_and_one_that_was_replaced_are_let_in_nowhere(server: ServerProcess) -> None:
    old = invited(server)
    new = invited(server, new=True)
    assert new.token != old.token
    for code in (old, JoinCode(old.fingerprint, "00000000")):
        assert enrol(server, code, KeyPair.new(), "Eve") is None
    assert isinstance(enrol(server, new, KeyPair.new(), "Ann"), Enrolled)


def test_with_the_key_of_a_code_nothing_but_enrol_is_done(server: ServerProcess) -> None:
    code = invited(server)
    joining = KeyPair.of_secret(join_secret(code.token, key_bytes(server_key(server))))
    with RawClient(server.connection.address, security=security(server, joining)) as client:
        client.greet("Eve", token=server.connection.tokens["admin"])
        assert client.expect(Refused).code is ErrorCode.NOT_ADMITTED


def test_who_is_revoked_is_told_so_cut_and_out_for_good(server: ServerProcess) -> None:
    state = server.connection_path.parent
    ann, bob, code = KeyPair.new(), KeyPair.new(), invited(server)
    for own, name in ((ann, "Ann"), (bob, "Bob")):
        assert isinstance(enrol(server, code, own, name), Enrolled)
    with (
        RawClient(server.connection.address, security=security(server, ann)) as first,
        RawClient(server.connection.address, security=security(server, bob)) as second,
    ):
        first.hello("Ann")
        second.hello("Bob")
        first.watch_for_cut()
        done = passing("serve", "revoke", "Ann", "--state", str(state))
        assert done.stdout.startswith("Ann may come in no more (player).")
        assert first.expect(Goodbye).code is ErrorCode.NOT_ADMITTED
        assert first.was_cut()
        second.request(Ping(1))
        assert second.expect(Pong).re == 1
    assert comes_in(server, ann) is None
    assert enrol(server, code, KeyPair.new(), "Eve") is None
    listed = passing("serve", "revoke", "--state", str(state)).stdout
    assert listed.startswith("Bob: player, since ")
    assert f"key {bob.public[:8]}" in listed
    unknown = passing("serve", "revoke", "Ann", "--state", str(state))
    assert unknown.returncode == ExitCode.REFUSED
    assert unknown.stderr == (
        "passing: No client is remembered as 'Ann'; `passing serve revoke` lists those that are.\n"
    )
    status = passing("serve", "status", "--state", str(state)).stdout
    assert "Clients remembered: 1." in status
    short = bob.public[:8]
    assert passing("serve", "revoke", "--all", "bot", "--state", str(state)).stdout.startswith(
        "0 clients may come in no more (bot)."
    )
    done = passing("serve", "revoke", "--state", str(state), "--", short)
    assert done.stdout.startswith("Bob may come in no more (player).")
    assert comes_in(server, bob) is None


def test_all_are_revoked_at_once_and_counted(server: ServerProcess) -> None:
    state = server.connection_path.parent
    owns, code = [KeyPair.new(), KeyPair.new()], invited(server)
    for own in owns:
        assert isinstance(enrol(server, code, own, "Ann"), Enrolled)
    both = passing("serve", "revoke", "Ann", "--all", "--state", str(state))
    assert both.returncode == ExitCode.USAGE
    done = passing("serve", "revoke", "--all", "--state", str(state))
    assert done.stdout.startswith("2 clients may come in no more.")
    assert [comes_in(server, own) for own in owns] == [None, None]
    assert enrol(server, code, KeyPair.new(), "Eve") is None


def test_a_server_without_encryption_says_how_to_get_codes(tmp_path: Path) -> None:
    with running_server(tmp_path / "state"):
        done = passing("serve", "invite", "--state", str(tmp_path / "state"))
    assert done.returncode == ExitCode.REFUSED
    assert "--lan" in done.stderr


def test_a_server_that_does_not_encrypt_any_more_says_who_stays_away_and_forgets_nobody(
    tmp_path: Path,
) -> None:
    state, own = tmp_path / "state", KeyPair.new()
    warning = "Who has joined this server by a code does not come in now"
    with running_server(state, LAN) as server:
        assert isinstance(enrol(server, invited(server), own, "Ann"), Enrolled)
        secured = security(server, own)
    log = state / "server.log"
    assert warning not in log.read_text(encoding="utf-8")
    with (
        running_server(state) as plain,
        RawClient(plain.connection.address, security=secured) as client,
    ):
        client.greet("Ann")
        assert client.heard(SILENCE_MS) is None
    assert warning in log.read_text(encoding="utf-8")
    with running_server(state, LAN) as again:
        assert isinstance(comes_in(again, own), Welcome)


def test_a_damaged_file_of_keys_stops_the_start_and_stays_as_it_is(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with running_server(state, LAN):
        assert stat.S_IMODE((state / NAME).stat().st_mode) == 0o600
    (state / NAME).write_bytes((state / NAME).read_bytes()[:-40])
    damaged = (state / NAME).read_bytes()
    with pytest.raises(CommandFailed, match="is damaged"):
        start_server(state, LAN)
    done = passing("serve", *LAN, "--port", "0", "--state", str(state))
    assert done.returncode == ExitCode.USAGE
    assert "is damaged" in done.stderr
    assert (state / NAME).read_bytes() == damaged


def test_a_new_code_is_logged_before_it_is_shown_and_status_says_where_it_is_good(
    tmp_path: Path,
) -> None:
    state = tmp_path / "state"
    with running_server(state, ("--lan",)) as server:
        port = Address.parse(server.connection.address).port
        status = passing("serve", "status", "--state", str(state)).stdout
    log = (state / "server.log").read_text(encoding="utf-8")
    assert log.index("There is a new code for the role player.") < log.index("Join as a player")
    place = f"every address of this machine, port {port}."
    assert f"Serving on {place[:-1]}, encrypted." in log
    assert status.startswith(f"Process {server.connection.pid} at {place}\n")


def test_encryption_and_plaintext_together_are_refused(tmp_path: Path) -> None:
    done = passing("serve", "--lan", "--insecure-plaintext", "--state", str(tmp_path / "state"))
    assert done.returncode == ExitCode.USAGE
    assert "leave one of them out" in done.stderr
    assert not (tmp_path / "state").exists()


def test_clients_are_told_that_a_server_in_the_open_is_open_to_all(tmp_path: Path) -> None:
    arguments = ["--bind", "0.0.0.0", "--insecure-plaintext"]  # noqa: S104 (what is tested)
    with (
        running_server(tmp_path / "state", arguments) as server,
        RawClient(server.connection.address) as client,
    ):
        assert client.hello("x").open_to_all


def test_a_client_whose_process_was_killed_has_its_seat_back(server: ServerProcess) -> None:
    """The server's socket notices the end of a process at once."""
    own, code = KeyPair.new(), invited(server)
    assert isinstance(enrol(server, code, own, "Ann"), Enrolled)
    with RawClient(server.connection.address, security=security(server, own)) as first:
        session = seated(first)
    with RawClient(server.connection.address, security=security(server, own)) as again:
        welcome = again.hello("Ann")
        assert (welcome.session, welcome.resumed) == (session, False)


def seated(client: RawClient) -> str:
    session = client.hello("Ann").session
    client.request(Create(1, "kitchen"))
    client.expect_answer(1)
    return session


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_who_is_cut_short_in_a_match_has_the_seat_back_and_who_leaves_has_not(
    server: ServerProcess, tmp_path: Path, number: signal.Signals
) -> None:
    words = ("play", server.connection.address, "--code", str(invited(server)), "--name")

    def client(name: str) -> LineClient:
        home = {"XDG_DATA_HOME": str(tmp_path / name), "XDG_STATE_HOME": str(tmp_path / name)}
        return LineClient(*words, name, environment={"PASSING_PACE": "0", **home})

    with client("Ann") as first, client("Bo") as second:
        first.until("Type ")
        first.type("new den seats=2")
        first.until("You are Ann")
        second.until("Type ")
        second.type("join den")
        second.until("You are Bo")
        first.type("ready")
        second.type("ready")
        hand = second.until("Your hand, 7 tiles")
        second.process.send_signal(number)
        assert second.ends() == 128 + number
        with client("Bo") as again:
            assert again.until("Your hand, 7 tiles") == hand
            again.type("say hurry up")
            first.until("hurry up")
            assert not [line for line in first.lines if "left the match" in line]
            again.type("quit")
            again.type("quit")
            assert again.ends() == ExitCode.DONE
        first.until("Bo has left the match for good.")
