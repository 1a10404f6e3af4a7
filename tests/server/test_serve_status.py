"""`passing serve status --json` tells a program where others reach the server."""

import json
from pathlib import Path

import pytest

from passing_client.command import main
from passing_link.exits import ExitCode
from passing_link.processes import ServerProcess, start_server

Captured = pytest.CaptureFixture[str]


def told(server: ServerProcess, capsys: Captured, command: str) -> dict[str, object]:
    """Return the one JSON object that a command prints."""
    state = str(server.connection_path.parent)
    assert main(["serve", command, "--json", "--state", state]) == ExitCode.DONE
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_status_tells_the_addresses_that_an_invitation_tells(
    tmp_path: Path, capsys: Captured
) -> None:
    with start_server(tmp_path / "state", ["--lan"]) as server:
        status = told(server, capsys, "status")
        invited = told(server, capsys, "invite")
        assert status["address"] == server.connection.address
    assert status["addresses"] == invited["addresses"]


def test_a_server_of_this_machine_alone_tells_the_address_here(
    tmp_path: Path, capsys: Captured
) -> None:
    with start_server(tmp_path / "state") as server:
        status = told(server, capsys, "status")
        assert status["addresses"] == [status["address"]] == [server.connection.address]
