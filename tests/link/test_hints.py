"""What is said of the way to a server that was not reached, by what the system tells."""

import errno
import socket
import sys
from typing import Self

import pytest

from passing_link.address import Address
from passing_link.blocking import Connection
from passing_link.hints import hint_for
from passing_link.news import CannotReach
from passing_protocol.messages import Agent

LAN = Address("192.168.1.20", 28066)
LAN_6 = Address("fd00::20", 28066)


class System:
    """Stand for a system on which a step of sending a datagram fails."""

    def __init__(self, fails_at: str, number: int) -> None:
        self._fails_at = fails_at
        self._number = number
        self.steps: list[str] = []

    def open(self, family: int, _kind: int) -> Self:
        self._step("inet6" if family == socket.AF_INET6 else "inet")
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._step("close")

    def setblocking(self, flag: bool) -> None:
        assert not flag

    def connect(self, place: tuple[str, int]) -> None:
        self._step("connect")
        assert place[1] == 28066

    def send(self, data: bytes) -> None:
        assert data == b""
        self._step("send")

    def _step(self, name: str) -> None:
        self.steps.append(name)
        if name == self._fails_at:
            raise OSError(self._number, "no")


def on(
    monkeypatch: pytest.MonkeyPatch, platform: str, fails_at: str = "", number: int = 0
) -> System:
    system = System(fails_at, number)
    monkeypatch.setattr(socket, "socket", system.open)
    monkeypatch.setattr(sys, "platform", platform)
    return system


@pytest.mark.parametrize("step", ["connect", "send"])
def test_macos_that_forbids_the_local_network_is_named_and_where_to_allow_it(
    monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    on(monkeypatch, "darwin", step, errno.EHOSTUNREACH)
    for address in (LAN, LAN_6):
        assert "System Settings, Privacy & Security, Local Network" in hint_for(address)


def test_elsewhere_nothing_is_sent_and_macos_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    system = on(monkeypatch, "linux", "connect", errno.EHOSTUNREACH)
    assert hint_for(LAN) == ""
    system = on(monkeypatch, "linux")
    assert hint_for(LAN) == ""
    assert system.steps == ["inet", "connect", "close"]


@pytest.mark.parametrize("number", [errno.ENETUNREACH, errno.EADDRNOTAVAIL])
def test_a_machine_without_that_family_is_told_to_use_the_other(
    monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    on(monkeypatch, "linux", "connect", number)
    assert "no IPv6 network" in hint_for(LAN_6)
    assert "the server's IPv4 address" in hint_for(LAN_6)
    assert "no IPv4 network" in hint_for(LAN)


def test_a_system_without_that_family_is_told_to_use_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    on(monkeypatch, "linux", "inet6", errno.EAFNOSUPPORT)
    assert "no IPv6 network" in hint_for(LAN_6)


def test_an_address_of_one_link_without_its_interface_is_told_so() -> None:
    assert "as in fe80::1%eth0" in hint_for(Address("fe80::1"))
    assert "as in fe80::1%eth0" not in hint_for(Address("::1"))


def test_nothing_is_said_of_an_ordinary_way() -> None:
    assert hint_for(Address("127.0.0.1")) == ""


def test_who_tries_a_server_s_ipv6_address_in_vain_is_told_to_try_the_other() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = Address("::1", listener.getsockname()[1])
        with pytest.raises(CannotReach) as error:
            Connection.open(address, name="Ann", agent=Agent("test", "1"), timeout_s=0.3)
    assert str(error.value) == (
        f"Nobody is listening at {address}. A server may listen at its IPv4 address alone: "
        "try that one. Gave up after 0.3 s. Is that the address, and does a server run there?"
    )
