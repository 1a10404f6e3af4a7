"""The addresses by which a machine is reached: all of them, and the networks they are in."""

import socket
from ipaddress import IPv4Address, IPv4Network, ip_address
from pathlib import Path

import pytest

from passing_link.interfaces import Interface, interfaces

LIST = "passing_link.interfaces._IPV6_LIST"


def test_loopback_is_among_the_addresses_and_has_no_broadcast() -> None:
    loopback = [one for one in interfaces() if one.address == IPv4Address("127.0.0.1")]
    assert len(loopback) == 1
    assert loopback[0].broadcast is None
    assert loopback[0].index == socket.if_nametoindex(loopback[0].name)


def test_every_address_can_be_listened_on() -> None:
    for one in interfaces():
        family = socket.AF_INET6 if one.address.version == 6 else socket.AF_INET
        with socket.socket(family, socket.SOCK_DGRAM) as listening:
            scope = (0, one.index) if family is socket.AF_INET6 else ()
            listening.bind((str(one.address), 0, *scope))


def test_a_broadcast_address_is_of_its_own_network() -> None:
    for one in interfaces():
        if one.broadcast is not None:
            assert any(
                one.address in network and network.broadcast_address == one.broadcast
                for bits in range(31)
                for network in [IPv4Network(f"{one.address}/{bits}", strict=False)]
            )


def test_ipv6_addresses_are_read_and_those_that_are_not_in_use_yet_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = tmp_path / "if_inet6"
    listed.write_text(
        "fd000000000000000000000000000002 04 40 00 82     eth0\n"
        "fe8000000000000000fc00fffe000001 04 40 20 80     eth0\n"
        "fd000000000000000000000000000003 04 40 00 c0     eth0\n"
        "fd000000000000000000000000000004 04 40 00 08     eth0\n"
    )
    monkeypatch.setattr(LIST, listed)
    found = [one for one in interfaces() if one.address.version == 6]
    assert [one.host for one in found] == ["fd00::2", "fe80::fc:ff:fe00:1%eth0"]
    assert {one.index for one in found} == {4}


def test_a_system_without_ipv6_has_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LIST, tmp_path / "if_inet6")
    assert {one.address.version for one in interfaces()} == {4}


def test_a_system_that_does_not_tell_is_asked_for_its_own_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LIST, tmp_path / "none" / "if_inet6")
    monkeypatch.setattr("socket.gethostname", lambda: "localhost")
    found = interfaces()
    assert ip_address("127.0.0.1") in {one.address for one in found}
    assert {(one.index, one.broadcast) for one in found} == {(0, None)}
    monkeypatch.setattr("socket.gethostname", lambda: "no-such-machine.invalid")
    assert interfaces() == []


@pytest.mark.parametrize(
    ("one", "host"),
    [
        (Interface("eth0", 2, ip_address("fe80::1")), "fe80::1%eth0"),
        (Interface("", 0, ip_address("fe80::1")), "fe80::1"),
        (Interface("eth0", 2, ip_address("fd00::1")), "fd00::1"),
        (Interface("eth0", 2, ip_address("169.254.1.1")), "169.254.1.1"),
    ],
    ids=str,
)
def test_an_address_that_is_good_on_its_link_alone_names_it(one: Interface, host: str) -> None:
    assert one.host == host
