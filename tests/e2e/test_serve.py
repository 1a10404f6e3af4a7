"""`passing serve` starts, says how to join, refuses what it must, and ends cleanly."""

import os
import select
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from passing_link.connection_file import ConnectionFile
from passing_link.exits import CommandFailed, ExitCode
from passing_link.processes import ServerProcess, start_server
from passing_protocol.errors import ErrorCode
from passing_protocol.messages import Goodbye, Role
from tests.support.sockets import RawClient, running_server


def serve(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "passing_client", "serve", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)


def test_the_connection_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with running_server(state) as server:
        mode = stat.S_IMODE(server.connection_path.stat().st_mode)
        assert mode == 0o600
        assert stat.S_IMODE(state.stat().st_mode) == 0o700
        assert set(server.connection.tokens) == {"bot", "organiser", "admin"}
        assert server.connection.pid == server.pid


@pytest.mark.parametrize("role", ["bot", "organiser", "admin"])
def test_a_token_of_the_connection_file_gives_its_role(tmp_path: Path, role: str) -> None:
    with (
        running_server(tmp_path / "state") as server,
        RawClient(server.connection.address) as client,
    ):
        assert client.hello("x", token=server.connection.tokens[role]).role is Role(role)


def test_without_a_token_one_is_a_player(tmp_path: Path) -> None:
    with (
        running_server(tmp_path / "state") as server,
        RawClient(server.connection.address) as client,
    ):
        assert client.hello("x").role is Role.PLAYER


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_with_a_word_to_everybody(
    tmp_path: Path, ending: signal.Signals
) -> None:
    with (
        running_server(tmp_path / "state") as server,
        RawClient(server.connection.address) as client,
    ):
        client.hello("x")
        os.kill(server.pid, ending)
        assert client.expect(Goodbye).code is ErrorCode.DRAINING
        assert server.wait(10) == ExitCode.DONE
        assert not server.connection_path.exists()


def test_a_server_leaves_when_whoever_started_it_is_gone(tmp_path: Path) -> None:
    """The parent is killed, so that only the closed pipe can tell the child."""
    state = tmp_path / "state"
    script = (
        "import os, sys, pathlib\n"
        "from passing_link.processes import start_server\n"
        f"server = start_server(pathlib.Path({str(state)!r}))\n"
        "print(server.pid, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=20, check=False
    )
    pid = int(done.stdout)
    verify_ends(pid)
    assert not (state / "server.json").exists()


def verify_ends(pid: int) -> None:
    """Wait for a process that is not our child."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    ended, _, _ = select.select([descriptor], [], [], 10)
    os.close(descriptor)
    assert ended, "the server outlived its parent"


@pytest.mark.parametrize(
    ("bind", "host", "port"),
    [
        ("127.0.0.1:28067", "127.0.0.1", 28067),
        ("[::1]:4000", "::1", 4000),
        ("192.0.2.1:1", "192.0.2.1", 1),
    ],
)
def test_a_port_inside_bind_is_told_where_it_belongs(
    tmp_path: Path, bind: str, host: str, port: int
) -> None:
    done = serve("--bind", bind, "--state", str(tmp_path))
    assert done.returncode == ExitCode.USAGE
    told = f"--bind {bind}: the port is no part of it. Say --bind {host} --port {port}."
    assert done.stderr == f"passing: {told}\n"


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.0.2.1"])  # noqa: S104 (refused)
def test_an_address_beyond_this_machine_is_refused(tmp_path: Path, address: str) -> None:
    done = serve("--bind", address, "--port", "0", "--state", str(tmp_path))
    assert done.returncode == ExitCode.USAGE
    assert f"--bind {address}" in done.stderr
    assert "Traceback" not in done.stderr


def test_plaintext_beyond_this_machine_is_said_at_every_start(tmp_path: Path) -> None:
    arguments = ["--bind", "0.0.0.0", "--insecure-plaintext"]  # noqa: S104 (what is tested)
    with running_server(tmp_path / "state", arguments) as server:
        text = (tmp_path / "state" / "server.log").read_text(encoding="utf-8")
        assert "unencrypted" in text
        with RawClient(server.connection.address) as client:
            client.hello("x")


def test_ipv6_loopback_works(tmp_path: Path) -> None:
    if not socket.has_ipv6 or not Path("/proc/net/if_inet6").read_text(encoding="ascii"):
        pytest.skip("this machine has no IPv6")
    with (
        running_server(tmp_path / "state", ["--bind", "::1"]) as server,
        RawClient(server.connection.address) as client,
    ):
        assert server.connection.address.startswith("[::1]:")
        client.hello("x")


def test_a_port_in_use_is_said_in_words(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        done = serve("--port", str(other.getsockname()[1]), "--state", str(tmp_path))
    assert done.returncode == ExitCode.UNEXPECTED
    assert "Another program may use it" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("port", ["-1", "65536"])
def test_a_port_that_cannot_be_is_refused(tmp_path: Path, port: str) -> None:
    done = serve("--port", port, "--state", str(tmp_path))
    assert done.returncode == ExitCode.USAGE
    assert "0 to 65535" in done.stderr


def test_an_address_that_others_reach_needs_to_be_wanted_and_the_way_is_told(
    tmp_path: Path,
) -> None:
    done = serve("--bind", "0.0.0.0", "--state", str(tmp_path / "state"))  # noqa: S104 (is refused)
    assert done.returncode == ExitCode.USAGE
    assert "Add --lan" in done.stderr
    assert "who joins needs a code" in done.stderr
    assert "--insecure-plaintext" in done.stderr
    assert not (tmp_path / "state").exists()


def test_a_port_that_is_taken_leaves_no_folder_behind(tmp_path: Path) -> None:
    with running_server(tmp_path / "state") as first:
        port = first.connection.address.rpartition(":")[2]
        done = serve("--port", port, "--state", str(tmp_path / "other"))
        assert done.returncode == ExitCode.UNEXPECTED
        told = f"Cannot listen on 127.0.0.1 port {port}: Address already in use. Another program"
        assert told in done.stderr
        assert not (tmp_path / "other").exists()
        again = serve("--port", port, "--state", str(tmp_path / "state"))
        assert again.returncode == ExitCode.USAGE
        assert f"process {first.pid}" in again.stderr


def test_a_second_server_on_the_same_state_is_refused(tmp_path: Path) -> None:
    with running_server(tmp_path / "state") as first:
        with pytest.raises(CommandFailed, match=f"process {first.pid}"):
            start_server(tmp_path / "state")
        assert ConnectionFile.read(first.connection_path).pid == first.pid


def test_a_file_left_by_a_killed_server_is_no_obstacle(tmp_path: Path) -> None:
    killed: ServerProcess
    with running_server(tmp_path / "state") as killed:
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait(10)
        assert killed.connection_path.exists()
        with running_server(tmp_path / "state") as second:
            assert second.connection.pid != killed.connection.pid


def test_a_state_that_is_no_folder_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="ascii")
    done = serve("--port", "0", "--state", str(tmp_path / "file"))
    assert done.returncode == ExitCode.USAGE
    assert "--state" in done.stderr
    assert "Traceback" not in done.stderr
