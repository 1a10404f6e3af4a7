"""What works on this machine and what does not, one finding a subject."""

import locale
import os
import platform
import shutil
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import msgpack

from passing_client.keyboard import BARE_TERMINALS
from passing_link.address import DEFAULT_PORT
from passing_link.versions import LEAST_LIBZMQ, Transport

LEAST_MSGPACK: Final = (1, 2, 1)
"""Older ones can be made to crash by a crafted message."""

LOOPBACK: Final = {socket.AF_INET: "127.0.0.1", socket.AF_INET6: "::1"}


class Verdict(StrEnum):
    """Say what a finding means for whoever wants to play."""

    FINE = "fine"
    NOTE = "note"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """Hold what was found about one subject."""

    subject: str
    verdict: Verdict
    sentence: str

    def __str__(self) -> str:
        """Return the finding as one line."""
        return f"{self.verdict:<5} {self.subject:<10} {self.sentence}"


def local_findings(transport: Transport) -> Iterator[Finding]:
    """Yield what there is to say about this machine; opens sockets on the loopback alone."""
    yield _python()
    yield _libzmq(transport)
    yield _curve(transport)
    yield _msgpack(msgpack.version)
    yield _addresses(can_bind(socket.AF_INET, 0), can_bind(socket.AF_INET6, 0))
    yield _port(can_bind(socket.AF_INET, DEFAULT_PORT))
    yield _terminal(sys.stdout.isatty(), os.environ.get("TERM", ""))
    yield _encoding()


def can_bind(family: socket.AddressFamily, port: int) -> bool:
    """Tell whether a server could listen at a port of the loopback; 0 asks for any port."""
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            # As libzmq does, so that a server which has just ended does not count.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((LOOPBACK[family], port))
    except OSError:
        return False
    return True


def _python() -> Finding:
    system = platform.system()
    verdict = Verdict.FINE if system == "Linux" else Verdict.NOTE
    tested = "" if system == "Linux" else ", which is not tested"
    return Finding("python", verdict, f"{platform.python_version()} on {system}{tested}")


def _libzmq(transport: Transport) -> Finding:
    version = ".".join(map(str, transport.libzmq))
    sentence = f"libzmq {version}, pyzmq {transport.pyzmq}"
    if transport.recent:
        return Finding("zeromq", Verdict.FINE, sentence)
    least = ".".join(map(str, LEAST_LIBZMQ))
    return Finding("zeromq", Verdict.BAD, f"{sentence}: libzmq {least} or newer is needed")


def _curve(transport: Transport) -> Finding:
    if transport.curve:
        return Finding("curve", Verdict.FINE, "there, though this version encrypts nothing yet")
    return Finding("curve", Verdict.BAD, "this libzmq was built without it")


def _msgpack(version: tuple[int, ...]) -> Finding:
    written, least = (".".join(map(str, each)) for each in (version, LEAST_MSGPACK))
    if version >= LEAST_MSGPACK:
        return Finding("msgpack", Verdict.FINE, written)
    return Finding("msgpack", Verdict.BAD, f"{written}: {least} or newer is needed")


def _addresses(ipv4: bool, ipv6: bool) -> Finding:
    if ipv4 and ipv6:
        return Finding("addresses", Verdict.FINE, "IPv4 and IPv6")
    if ipv4:
        return Finding("addresses", Verdict.NOTE, "IPv4 alone")
    sentence = "no IPv4 loopback, on which private tables are played"
    return Finding("addresses", Verdict.BAD, sentence)


def _port(free: bool) -> Finding:
    if free:
        return Finding("port", Verdict.FINE, f"{DEFAULT_PORT} is free on the loopback")
    sentence = f"{DEFAULT_PORT} is taken on the loopback, perhaps by a server that runs here"
    return Finding("port", Verdict.NOTE, sentence)


def _terminal(is_terminal: bool, kind: str) -> Finding:
    if not is_terminal:
        return Finding("terminal", Verdict.NOTE, "the output is no terminal: lines are not edited")
    if kind in BARE_TERMINALS:
        return Finding("terminal", Verdict.NOTE, f"TERM is {kind!r}: lines are not edited")
    columns, lines = shutil.get_terminal_size()
    return Finding("terminal", Verdict.FINE, f"{kind}, {columns} columns by {lines} lines")


def _encoding() -> Finding:
    encoding = locale.getencoding()
    if encoding.lower().replace("-", "") == "utf8":
        return Finding("encoding", Verdict.FINE, "UTF-8")
    sentence = f"{encoding}, not UTF-8: some letters of names are shown as ?"
    return Finding("encoding", Verdict.NOTE, sentence)
