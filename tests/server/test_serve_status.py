"""`passing serve status --json` tells a program where others reach the server."""

import json
from ipaddress import ip_address
from pathlib import Path

import pytest

from passing_client.command import main
from passing_link.address import Address
from passing_link.exits import ExitCode
from passing_link.interfaces import Interface
from passing_link.processes import ServerProcess, start_server

Captured = pytest.CaptureFixture[str]


def told(server: ServerProcess, capsys: Captured, command: str) -> dict[str, object]:
    """Return the one JSON object that a command prints."""
    state = str(server.connection_path.parent)
    assert main(["serve", command, "--json", "--state", state]) == ExitCode.DONE
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_status_tells_the_addresses_that_an_invitation_tells(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = [Interface("eth0", 2, ip_address(host)) for host in ("192.0.2.7", "2001:db8::7")]
    monkeypatch.setattr("passing_server.joining.interfaces", lambda: here)
    with start_server(tmp_path / "state", ["--lan"]) as server:
        status = told(server, capsys, "status")
        invited = told(server, capsys, "invite")
        port = Address.parse(server.connection.address).port
    assert status["address"] == f"127.0.0.1:{port}"
    assert status["addresses"] == invited["addresses"]
    assert status["addresses"] == [f"192.0.2.7:{port}", f"[2001:db8::7]:{port}"]


def test_a_server_of_this_machine_alone_tells_the_address_here(
    tmp_path: Path, capsys: Captured
) -> None:
    with start_server(tmp_path / "state") as server:
        status = told(server, capsys, "status")
        assert status["addresses"] == [status["address"]] == [server.connection.address]
