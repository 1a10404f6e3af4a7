"""A whole evening's company joins a real server by one code within a moment."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from passing_link.address import Address
from passing_link.blocking import Connection
from passing_link.connection_file import ConnectionFile
from passing_link.enrolling import enrol
from passing_link.keys import KeyPair
from passing_link.processes import start_server
from passing_protocol.handshake import Enrolled, Role
from passing_protocol.messages import Agent, JoinCode, JoinCodeReport
from passing_server.limits import ENROL_BURST

COMPANY = ENROL_BURST + 2
LAN = ("--lan", "--bind", "127.0.0.1")


def token_of(file: ConnectionFile) -> str:
    """Return the token of the server's code for players."""
    with Connection.open(
        Address.parse(file.address),
        name="operator",
        agent=Agent("test", "1"),
        token=file.tokens["admin"],
        security=file.security,
    ) as connection:
        report = connection.request(JoinCode(0, "player", new=False))
    assert isinstance(report, JoinCodeReport)
    return report.token


def test_more_than_a_server_takes_at_once_come_in_by_themselves(tmp_path: Path) -> None:
    with start_server(tmp_path / "state", LAN) as server:
        file = server.connection
        token, key = token_of(file), file.server_key
        assert key is not None

        def come(number: int) -> Enrolled:
            return enrol(Address.parse(file.address), key, token, KeyPair.new(), f"n{number}", 20)

        with ThreadPoolExecutor(COMPANY) as company:
            came = list(company.map(come, range(COMPANY)))
    assert came == [Enrolled(Role.PLAYER, f"n{number}") for number in range(COMPANY)]
