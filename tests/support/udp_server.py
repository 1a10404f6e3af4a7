"""Something that answers queries for servers, on a socket of a test's own."""

import select
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

from msgspec.structs import replace

from passing_protocol.discovery import DATAGRAM_BYTES, answer, read_query
from tests.support.servers_found import here

Reply = Callable[[str, int], list[bytes]]


def usual(nonce: str, port: int) -> list[bytes]:
    """Answer as a server does."""
    return [told(nonce, port)]


def told(nonce: str, port: int, name: str = "den", server: str = "0123456789abcdef") -> bytes:
    return answer(replace(here(name, port), nonce=nonce, id=server))


class Ear:
    """Answer queries on one address in a thread, as a server of a test's own."""

    def __init__(self, host: str, port: int, reply: Reply) -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._socket = socket.socket(family, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind((host, port))
        self.port: int = self._socket.getsockname()[1]
        self._reply = reply
        self._end, self._ended = socket.socketpair()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            ready, _, _ = select.select([self._socket, self._ended], [], [])
            if self._ended in ready:
                return
            data, source = self._socket.recvfrom(DATAGRAM_BYTES + 1)
            for reply in self._reply(read_query(data).nonce, self.port):
                self._socket.sendto(reply, source)

    def close(self) -> None:
        self._end.send(b".")
        self._thread.join()
        for each in (self._socket, self._end, self._ended):
            each.close()


@contextmanager
def ear(host: str = "127.0.0.1", port: int = 0, reply: Reply = usual) -> Generator[Ear]:
    hearing = Ear(host, port, reply)
    try:
        yield hearing
    finally:
        hearing.close()
