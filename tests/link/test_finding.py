"""Servers are found on this machine's networks, on 127/8 and on ::1, and one by its address."""

import select
import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address
from time import monotonic

import pytest
from msgspec.structs import replace

from passing_link import finding
from passing_link.address import Address
from passing_link.finding import ALL_LOOPBACK, KEPT_ASKS, Search, Target, everybody, find, query
from passing_link.interfaces import Interface
from passing_link.news import UnknownMachine
from passing_protocol.discovery import answer
from passing_protocol.discovery import query as written_query
from tests.support.servers_found import KEY, NONCE, here
from tests.support.udp_server import Reply, ear, told, usual


@pytest.fixture(autouse=True)
def no_other_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave alone what is beyond this machine."""
    monkeypatch.setattr(finding, "interfaces", list)


# --- everybody


def test_a_server_on_the_loopback_is_found() -> None:
    with ear() as server:
        (found,) = find([server.port], 0.3)
    assert found.address == Address("127.0.0.1", server.port)
    assert found.answer.name == "den"
    assert found.others == ()


def test_the_broadcast_of_127_reaches_a_server_on_another_address_of_it() -> None:
    """A datagram to 127.255.255.255 is delivered on the loopback; the answer says from where."""
    with ear("0.0.0.0") as server:  # noqa: S104
        (found,) = find([server.port], 0.3)
    assert found.address == Address("127.0.0.1", server.port)


def test_a_server_on_ipv6_is_found() -> None:
    with ear("::1") as server:
        (found,) = find([server.port], 0.3)
    assert found.address == Address("::1", server.port)


def test_several_servers_are_listed_by_their_names() -> None:
    def named(name: str, server: str) -> Reply:
        return lambda nonce, port: [told(nonce, port, name, server)]

    with ear(reply=named("nas", "a" * 16)) as first, ear(reply=named("Den", "b" * 16)) as second:
        found = find([first.port, second.port], 0.3)
    assert [each.answer.name for each in found] == ["Den", "nas"]


def test_a_server_with_several_addresses_is_listed_once_and_the_nearest_first() -> None:
    with ear("127.0.0.1") as server, ear("::1", server.port):
        (found,) = find([server.port], 0.3)
    assert found.address == Address("127.0.0.1", server.port)
    assert found.others == (Address("::1", server.port),)


def test_two_servers_that_bear_one_name_stay_two() -> None:
    with (
        ear("127.0.0.1") as server,
        ear("::1", server.port, lambda nonce, port: [told(nonce, port, server="f" * 16)]),
    ):
        assert len(find([server.port], 0.3)) == 2


def test_without_a_server_it_is_over_in_time() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        began = monotonic()
        assert find([silent.getsockname()[1]], 0.2) == []
    assert 0.2 <= monotonic() - began < 2.0


def test_a_lost_query_is_asked_again() -> None:
    heard: list[str] = []

    def second(nonce: str, port: int) -> list[bytes]:
        heard.append(nonce)
        return usual(nonce, port) if len(heard) > 1 else []

    with ear(reply=second) as server:
        assert len(find([server.port], 1.0)) == 1
    assert len(set(heard)) == len(heard)


def noise(_nonce: str, _port: int) -> list[bytes]:
    return [b"", b"\xc1", b"\x00" * 600, b"{}"]


def answer_to_another(_nonce: str, port: int) -> list[bytes]:
    return [told("f" * 32, port)]


def echo(nonce: str, _port: int) -> list[bytes]:
    return [written_query(nonce)]


@pytest.mark.parametrize("garbage", [noise, answer_to_another, echo])
def test_what_is_no_answer_to_the_query_is_left_out(garbage: Reply) -> None:
    with ear(reply=garbage) as server:
        assert find([server.port], 0.2) == []


def test_endless_answers_are_not_kept() -> None:
    def many(nonce: str, _port: int) -> list[bytes]:
        return [told(nonce, number) for number in range(1, 400)]

    with ear(reply=many) as server:
        assert len(find([server.port], 0.3)) == finding.MOST_EACH


def test_one_machine_cannot_hide_the_others() -> None:
    def many(nonce: str, _port: int) -> list[bytes]:
        return [told(nonce, number, server=f"{number:016x}") for number in range(1, 400)]

    targets: list[Target] = []
    with ear(reply=many) as fake, ear("127.0.0.2") as real, Search(lambda: targets) as search:
        targets.append(Target(socket.AF_INET, ("127.0.0.1", fake.port)))
        search.ask()
        while len(search.found) < finding.MOST_EACH:
            heard(search)
        targets.append(Target(socket.AF_INET, ("127.0.0.2", real.port)))
        search.ask()
        while len(search.found) == finding.MOST_EACH:
            heard(search)
        assert "127.0.0.2" in {found.address.host for found in search.found}


def test_who_no_longer_answers_makes_room_for_another_on_the_same_machine() -> None:
    ports = list(range(1, finding.MOST_EACH + 1))

    def these(nonce: str, _port: int) -> list[bytes]:
        return [told(nonce, number, server=f"{number:016x}") for number in ports]

    with ear(reply=these) as server, search_at(server.port) as search:
        search.ask()
        while len(search.found) < finding.MOST_EACH:
            heard(search)
        ports[:] = [4_000]
        for _ in range(KEPT_ASKS):
            search.ask()
            heard(search)
        assert [found.address.port for found in search.found] == [4_000]


def test_every_interface_and_every_link_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lan = IPv4Address("192.168.1.255")
    monkeypatch.setattr(
        finding,
        "interfaces",
        lambda: [
            Interface("lo", 1, IPv4Address("127.0.0.1")),
            Interface("eth0", 2, IPv4Address("192.168.1.20"), lan),
            Interface("eth0", 2, IPv4Address("192.168.1.21"), lan),
            Interface("wlan0", 3, IPv4Address("10.0.0.5"), IPv4Address("10.0.0.255")),
            Interface("eth0", 2, IPv6Address("fe80::1")),
            Interface("eth0", 2, IPv6Address("fd00::1")),
        ],
    )
    targets = everybody([7])
    far = [target for target in targets if target.source is not None]
    assert far == [
        Target(socket.AF_INET6, ("ff02::1", 7, 0, 2), IPv6Address("fd00::1")),
    ]
    places = [target.place for target in targets if target not in far]
    assert [place for place in places if place[0] not in ("127.0.0.1", "::1")] == [
        (ALL_LOOPBACK, 7),
        ("192.168.1.255", 7),
        ("10.0.0.255", 7),
        ("ff02::1", 7, 0, 2),
    ]
    assert len(places) == len(set(places))


# --- a search that goes on


def heard(search: Search) -> None:
    """Wait until something has come, and take it."""
    select.select(search.sockets, [], [], 5.0)
    search.hear()


def search_at(port: int) -> Search:
    return Search(lambda: [Target(socket.AF_INET, ("127.0.0.1", port))])


def test_each_query_has_a_nonce_of_its_own_by_chance() -> None:
    nonces: list[str] = []

    def noting(nonce: str, port: int) -> list[bytes]:
        nonces.append(nonce)
        return usual(nonce, port)

    with ear(reply=noting) as server:
        for _ in range(2):
            with search_at(server.port) as search:
                for _ in range(2 * KEPT_ASKS):
                    search.ask()
                    heard(search)
    assert len(nonces) == 4 * KEPT_ASKS
    assert len(set(nonces)) == len(nonces)
    # Each bit is as often 0 as 1: that all of them have one bit alike is a chance of 2**-11.
    columns = zip(*(f"{int(nonce, 16):0128b}" for nonce in nonces), strict=True)
    assert sum(len(set(column)) == 1 for column in columns) <= 8


@pytest.mark.parametrize(("age", "taken"), [(KEPT_ASKS - 1, True), (KEPT_ASKS, False)])
def test_a_late_answer_is_taken_to_one_of_the_last_queries_alone(age: int, taken: bool) -> None:
    nonces: list[str] = []

    def late(nonce: str, port: int) -> list[bytes]:
        nonces.append(nonce)
        return [told(nonces[-1 - age], port)] if len(nonces) > age else [b"later"]

    with ear(reply=late) as server, search_at(server.port) as search:
        for _ in range(age + 1):
            search.ask()
            heard(search)
        assert len(search.found) == taken


def test_a_server_that_leaves_queries_unanswered_is_gone() -> None:
    asked = 0

    def once(nonce: str, port: int) -> list[bytes]:
        nonlocal asked
        asked += 1
        return usual(nonce, port) if asked == 1 else []

    with ear(reply=once) as server, search_at(server.port) as search:
        search.ask()
        heard(search)
        for _ in range(KEPT_ASKS - 1):
            search.ask()
            assert len(search.found) == 1
        search.ask()
        assert search.found == []


def test_a_query_goes_out_from_the_address_that_is_to_be_answered() -> None:
    near = IPv6Address("::1")
    with (
        ear("::1") as server,
        Search(lambda: [Target(socket.AF_INET6, ("::1", server.port, 0, 0), near)]) as search,
    ):
        search.ask()
        heard(search)
        assert [found.address.host for found in search.found] == ["::1"]
    with ear("::1") as server:
        strange = Target(socket.AF_INET6, ("::1", server.port, 0, 0), IPv6Address("2001:db8::9"))
        with Search(lambda: [strange]) as search:
            search.ask()  # none of this machine's: nothing is sent, and nothing else is hindered
            assert search.found == []


def test_a_query_that_cannot_be_sent_does_not_end_the_others() -> None:
    def targets() -> Sequence[Target]:
        unreachable = Target(socket.AF_INET, ("255.255.255.255", 0))
        return [unreachable, Target(socket.AF_INET, ("127.0.0.1", server.port))]

    with ear() as server, Search(targets) as search:
        search.ask()
        heard(search)
        assert len(search.found) == 1


# --- one server


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_server_is_asked_by_its_address(host: str) -> None:
    with ear(host) as server:
        found = query(Address(host, server.port), 5.0)
    assert found is not None
    assert found.address == Address(host, server.port)


def test_an_answer_ends_the_wait() -> None:
    with ear() as server:
        began = monotonic()
        assert query(Address("localhost", server.port), 30.0) is not None
    assert monotonic() - began < 10.0


def test_where_no_server_answers_there_is_none() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        assert query(Address("127.0.0.1", silent.getsockname()[1]), 0.1) is None


def test_a_machine_that_nobody_knows_cannot_be_asked() -> None:
    with pytest.raises(UnknownMachine):
        query(Address("no-such-machine.invalid"), 0.1)


def test_the_key_of_the_answer_is_told() -> None:
    def encrypted(nonce: str, port: int) -> list[bytes]:
        return [answer(replace(here("den", port), nonce=nonce, key=KEY))]

    with ear(reply=encrypted) as server:
        found = query(Address("127.0.0.1", server.port), 5.0)
    assert found is not None
    assert found.answer.key == KEY
    assert found.answer.nonce != NONCE
