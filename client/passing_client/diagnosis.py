"""What works on this machine and what does not, one finding a subject."""

import locale
import os
import platform
import shutil
import socket
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import msgpack

from passing_client.keyboard import BARE_TERMINALS
from passing_client.language import _, listing, plural
from passing_client.words.servers import place_of
from passing_link.address import DEFAULT_PORT
from passing_link.finding import Found
from passing_link.interfaces import Interface, interfaces
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
    yield _reach(interfaces())
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
    if system == "Linux":
        verdict, text = Verdict.FINE, _("{version} on {system}")
    else:
        verdict, text = Verdict.NOTE, _("{version} on {system}, which is not tested")
    sentence = text.format(version=platform.python_version(), system=system)
    return Finding("python", verdict, sentence)


def _libzmq(transport: Transport) -> Finding:
    version = ".".join(map(str, transport.libzmq))
    sentence = f"libzmq {version}, pyzmq {transport.pyzmq}"
    if transport.recent:
        return Finding("zeromq", Verdict.FINE, sentence)
    least = ".".join(map(str, LEAST_LIBZMQ))
    text = _("{found}: libzmq {least} or newer is needed")
    return Finding("zeromq", Verdict.BAD, text.format(found=sentence, least=least))


def _curve(transport: Transport) -> Finding:
    if transport.curve:
        return Finding("curve", Verdict.FINE, _("there: servers of other machines can be joined"))
    return Finding(
        "curve",
        Verdict.BAD,
        _("this libzmq was built without it, so no server of another machine can be joined"),
    )


def _msgpack(version: tuple[int, ...]) -> Finding:
    written, least = (".".join(map(str, each)) for each in (version, LEAST_MSGPACK))
    if version >= LEAST_MSGPACK:
        return Finding("msgpack", Verdict.FINE, written)
    text = _("{found}: {least} or newer is needed")
    return Finding("msgpack", Verdict.BAD, text.format(found=written, least=least))


def _addresses(ipv4: bool, ipv6: bool) -> Finding:
    if ipv4 and ipv6:
        return Finding("addresses", Verdict.FINE, _("IPv4 and IPv6"))
    if ipv4:
        return Finding("addresses", Verdict.NOTE, _("IPv4 alone"))
    sentence = _("no IPv4 loopback, on which private tables are played")
    return Finding("addresses", Verdict.BAD, sentence)


def _reach(here: Sequence[Interface]) -> Finding:
    """Say at which addresses others can reach a server that runs here."""
    hosts = [found.host for found in here if not found.address.is_loopback]
    if hosts:
        text = _("others reach this machine at {hosts}")
        return Finding("network", Verdict.FINE, text.format(hosts=listing(hosts)))
    sentence = _("there is none but this machine's own: nobody else can come")
    return Finding("network", Verdict.NOTE, sentence)


def discovery_finding(found: Sequence[Found]) -> Finding:
    """Say which servers have answered; where none has, that may be as it is."""
    if not found:
        text = _("no server answers on port {port}; see: passing find")
        return Finding("discovery", Verdict.NOTE, text.format(port=DEFAULT_PORT))
    names = [f"{each.answer.name} ({place_of(each.address)})" for each in found]
    text = plural("{servers} answers", "{servers} answer", len(found))
    return Finding("discovery", Verdict.FINE, text.format(servers=listing(names)))


def _port(free: bool) -> Finding:
    if free:
        sentence = _("{port} is free on the loopback").format(port=DEFAULT_PORT)
        return Finding("port", Verdict.FINE, sentence)
    text = _("{port} is taken on the loopback, perhaps by a server that runs here")
    return Finding("port", Verdict.NOTE, text.format(port=DEFAULT_PORT))


def _terminal(is_terminal: bool, kind: str) -> Finding:
    if not is_terminal:
        sentence = _("the output is no terminal: lines are not edited")
        return Finding("terminal", Verdict.NOTE, sentence)
    if kind in BARE_TERMINALS:
        sentence = _("TERM is {kind}: lines are not edited").format(kind=repr(kind))
        return Finding("terminal", Verdict.NOTE, sentence)
    columns, lines = shutil.get_terminal_size()
    text = _("{kind}, {columns} columns by {lines} lines")
    sentence = text.format(kind=kind, columns=columns, lines=lines)
    return Finding("terminal", Verdict.FINE, sentence)


def _encoding() -> Finding:
    encoding = locale.getencoding()
    if encoding.lower().replace("-", "") == "utf8":
        return Finding("encoding", Verdict.FINE, "UTF-8")
    text = _("{encoding}, not UTF-8: some letters of names are shown as ?")
    sentence = text.format(encoding=encoding)
    return Finding("encoding", Verdict.NOTE, sentence)
