"""Addresses: HOST[:PORT] in every form that people type."""

import socket
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passing_link.address import DEFAULT_PORT, Address, InvalidAddress

PORTS = st.integers(1, 65_535)
NAMES = st.from_regex(r"[a-z][a-z0-9-]{0,20}(\.[a-z][a-z0-9-]{0,10}){0,3}", fullmatch=True)
HOSTS = NAMES | st.ip_addresses(v=4).map(str) | st.ip_addresses(v=6).map(str)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("table", "table", DEFAULT_PORT),
        ("table:4000", "table", 4000),
        ("  table.lan  ", "table.lan", DEFAULT_PORT),
        ("192.168.1.7", "192.168.1.7", DEFAULT_PORT),
        ("192.168.1.7:1", "192.168.1.7", 1),
        ("::1", "::1", DEFAULT_PORT),
        ("[::1]", "::1", DEFAULT_PORT),
        ("[::1]:65535", "::1", 65_535),
        ("fe80::1%eth0", "fe80::1%eth0", DEFAULT_PORT),
        ("tcp://table:4000", "table", 4000),
    ],
)
def test_every_form_is_read(text: str, host: str, port: int) -> None:
    assert Address.parse(text) == Address(host, port)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", ":", ":4000", "table:", "table:0", "table:65536", "table:-1", "table:4e3",
        "table:٤", "[::1", "[::1]:", "[::1]4000", "[table]:4000", "a b", "a/b", "me@table", "*",
        "a" * 254, "table\x00", "table:99999999999999999999", "fe80::1%\x00eth0", "fe80::1%a b",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_and_named(text: str) -> None:
    with pytest.raises(InvalidAddress, match=r"^address: "):
        Address.parse(text)


@pytest.mark.parametrize(
    "text",
    ["127.1", "127.0.1", "192.168.1.020", "192.168.276", "3232235796", "0", "0x7f.1", "0x7F000001",
     "0300.168.1.20", "1.2.3.4.5", "256.1.1.1", "127.1.", "127.0.0.1.", "0x",
     "3232235796:4000", "den.1"],
)  # fmt: skip
def test_a_number_of_ipv4_is_written_with_four(text: str) -> None:
    with pytest.raises(InvalidAddress, match=r"^address: .* four numbers from 0 to 255, as 192"):
        Address.parse(text)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        *((text, "192.168.1.20") for text in (
            "192.168.1.20", "::ffff:192.168.1.20", "[::ffff:c0a8:114]", "0:0:0:0:0:FFFF:C0A8:0114",
            "::ffff:192.168.1.20%1",
        )),
        *((text, "2001:db8::1") for text in (
            "2001:db8::1", "2001:DB8::1", "2001:db8:0:0::1", "2001:0db8:0000::0001",
        )),
        *((text, "den.lan") for text in ("den.lan", "DEN.lan", "den.lan.", "Den.LAN.")),
        *((text, "127.0.0.1") for text in ("127.0.0.1", str(IPv4Address(0)), "::ffff:0:0")),
        *((text, "::1") for text in ("::1", "::", "0::0:1")),
        ("fe80:0::1%eth0", "fe80::1%eth0"), ("fe80::1%99999999999", "fe80::1%99999999999"),
        ("0x7f.lan", "0x7f.lan"), ("10.den", "10.den"), (".", "."),
    ],
)  # fmt: skip
def test_every_spelling_of_an_address_has_one_plain_form(text: str, plain: str) -> None:
    address = Address.parse(text)
    assert address.plain == Address(plain)
    assert address.plain.plain == address.plain


def test_an_interface_goes_by_its_name() -> None:
    index, name = socket.if_nameindex()[0]
    assert Address(f"fe80::1%{index}").plain == Address(f"fe80::1%{name}")


@given(st.ip_addresses(v=6), PORTS)
def test_a_number_of_ipv6_is_the_same_long_and_short(number: IPv6Address, port: int) -> None:
    spelled = {number.compressed, number.exploded, number.exploded.upper()}
    assert len({Address(host, port).plain for host in spelled}) == 1


@given(HOSTS, PORTS)
def test_the_text_form_goes_both_ways(host: str, port: int) -> None:
    address = Address(host, port)
    assert Address.parse(str(address)) == address
    assert Address.parse(address.endpoint) == address


@given(st.text(max_size=40))
def test_any_text_is_an_address_or_refused(text: str) -> None:
    try:
        address = Address.parse(text)
    except InvalidAddress:
        return
    assert Address.parse(str(address)) == address


def test_the_default_port_is_28066() -> None:
    assert str(Address("table")) == "table:28066"


def test_an_ipv6_number_stands_in_brackets() -> None:
    assert Address("::1", 4000).endpoint == "tcp://[::1]:4000"


def test_a_machine_is_looked_up_and_its_numbers_come_once_each() -> None:
    found = Address("localhost", 4000).resolve()
    assert Address("127.0.0.1", 4000) in found
    assert len(set(found)) == len(found)
    assert all(address.port == 4000 for address in found)


def test_a_number_is_its_own_answer() -> None:
    assert Address("127.0.0.1").resolve() == (Address("127.0.0.1"),)


def test_an_unknown_machine_is_an_os_error() -> None:
    with pytest.raises(OSError, match=r"[Nn]ame"):
        Address("no-such-machine.invalid").resolve()


@pytest.mark.parametrize(
    ("host", "is_loopback"),
    [
        *((host, True) for host in ("localhost", "127.0.0.1", "127.8.0.1", "::1")),
        *((host, False) for host in ("den.local", "192.168.1.20", "fe80::1%eth0", "localhost.")),
    ],
)
def test_only_what_cannot_be_another_machine_is_loopback(host: str, is_loopback: bool) -> None:
    assert Address(host).is_loopback is is_loopback
