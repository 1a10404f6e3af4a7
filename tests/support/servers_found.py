"""Servers as they are found, for tests of what is made of them."""

from passing_link.address import Address
from passing_link.finding import Found
from passing_protocol.discovery import Here
from passing_protocol.messages import PROTOCOL_VERSION

NONCE = "00112233445566778899aabbccddeeff"
KEY = "k" * 40


def here(name: str = "den", port: int = 28066) -> Here:
    """Return the answer of a server with two tables."""
    versions = (PROTOCOL_VERSION, PROTOCOL_VERSION)
    return Here(NONCE, versions, "0123456789abcdef", name, port, 2, 3, 4, 1)


def server_found(name: str, host: str = "192.168.1.20", port: int = 28066) -> Found:
    """Return a server that was found at an address."""
    return Found(Address(host, port), here(name, port))
