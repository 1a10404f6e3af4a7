"""Where others are told to reach a server: where it listens, and nowhere else."""

from ipaddress import ip_address

import pytest

from passing_link.connection_file import ConnectionFile
from passing_link.interfaces import Interface
from passing_link.keys import KeyPair, key_bytes
from passing_protocol.join_codes import Invitation, JoinCode
from passing_server.everywhere import ANY, EVERYWHERE
from passing_server.joining import (
    Joining,
    addresses_of,
    joining_at,
    reach_here,
    reachable,
    serving_at,
)

KEY = KeyPair.new().public
SECRET = KeyPair.new().secret
TOKEN = "7H3GAMES"
IPV4 = ["192.168.1.20", "169.254.1.7", "172.17.0.1"]
IPV6 = ["2001:db8::7"]


@pytest.fixture(autouse=True)
def a_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a machine with a network, containers, and addresses that are good on one link alone."""
    names = {"docker0": "172.17.0.1", "lo": "127.0.0.1", "eth0": "192.168.1.20"}
    more = {"lo": "::1", "eth0": "2001:db8::7", "wlan0": "fe80::1", "eth1": "169.254.1.7"}
    here = [Interface(name, 1, ip_address(host)) for name, host in (*names.items(), *more.items())]
    monkeypatch.setattr("passing_server.joining.interfaces", lambda: here)


@pytest.mark.parametrize(
    ("bind", "hosts"),
    [
        (ANY, [*IPV4[:2], *IPV6, IPV4[2]]),
        ("::", [*IPV4[:2], *IPV6, IPV4[2]]),
        ("0.0.0.0", IPV4),  # noqa: S104 (what is tested)
        ("127.0.0.1", ["127.0.0.1"]),
        ("192.168.1.20", ["192.168.1.20"]),
        ("fe80::1%eth0", ["fe80::1%eth0"]),
        ("den.local", ["den.local"]),
    ],
)
def test_others_are_told_where_the_server_listens(bind: str, hosts: list[str]) -> None:
    assert reachable(bind) == hosts
    file = ConnectionFile("127.0.0.1:4000", KEY, 1, {}, SECRET, bind)
    addresses = [f"[{host}]:4000" if ":" in host else f"{host}:4000" for host in hosts]
    assert joining_at(file, KEY).addresses == addresses
    assert addresses_of(file) == addresses


@pytest.mark.parametrize("bind", EVERYWHERE)
def test_others_are_told_addresses_of_the_families_at_which_the_server_is_heard(bind: str) -> None:
    heard = {ip_address(host).version for host in EVERYWHERE[bind]}
    assert {ip_address(host).version for host in reachable(bind)} == heard
    assert ip_address(reach_here(bind)).version in heard


def test_of_a_file_without_that_the_address_is_told() -> None:
    assert joining_at(ConnectionFile("[::1]:4000", KEY, 1, {}, SECRET), KEY).addresses == [
        "[::1]:4000"
    ]


@pytest.mark.parametrize(
    ("bind", "host"),
    [
        (ANY, "127.0.0.1"),
        ("0.0.0.0", "127.0.0.1"),  # noqa: S104 (what is tested)
        ("localhost", "127.0.0.1"),
        ("::", "::1"),
        ("192.168.1.20", "192.168.1.20"),
    ],
)
def test_programs_of_this_machine_are_told_where_they_reach_it(bind: str, host: str) -> None:
    assert reach_here(bind) == host


def test_a_machine_without_a_network_leaves_the_host_to_be_filled_in() -> None:
    assert Joining([], 4000, KEY).addresses == ["HOST:4000"]


def test_a_machine_without_a_network_tells_a_program_no_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("passing_server.joining.interfaces", list)
    assert addresses_of(ConnectionFile("127.0.0.1:4000", KEY, 1, {}, SECRET, ANY)) == []


def test_code_and_links_are_those_of_the_server() -> None:
    joining = Joining(["192.168.1.20", "2001:db8::7"], 4000, KEY)
    code = JoinCode.parse(joining.code(TOKEN))
    assert code.fits(key_bytes(KEY))
    links = [Invitation.parse(link) for link in joining.links(TOKEN)]
    assert [(link.host, link.code) for link in links] == [
        ("192.168.1.20", code),
        ("2001:db8::7", code),
    ]
    first, command, *_ = joining.lines("bot", TOKEN, 3_600_000)
    assert first.startswith("Join as a bot")
    assert command.strip() == f"passing bot run greedy 192.168.1.20:4000 --code {code}"


@pytest.mark.parametrize(
    ("bind", "words"),
    [
        ("*", "every address of this machine, port 4000"),
        ("192.168.1.20", "192.168.1.20:4000"),
        ("::1", "[::1]:4000"),
    ],
)
def test_it_is_said_where_a_server_listens(bind: str, words: str) -> None:
    assert serving_at(bind, 4000) == words
