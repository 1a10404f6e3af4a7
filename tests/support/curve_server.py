"""A server of the test's own making that encrypts, admits keys, and tells its own by datagram."""

import socket
import threading
from contextlib import suppress

import zmq
from zmq.auth.thread import ThreadAuthenticator

from passing_link.address import Address
from passing_link.keys import KeyPair
from passing_protocol.discovery import Here, InvalidDatagram, answer, read_query
from tests.support.fake_server import Answering, FakeServer

DOMAIN = "passing"
SERVER_ID = "0123456789abcdef"


def here(nonce: str, port: int, key: str | None) -> Here:
    """Return an answer of a server that has nothing to tell but its key."""
    return Here(nonce, (0, 0), SERVER_ID, "fake", port, 0, 0, 0, 0, key)


class _Admitting:
    """Admit the keys of a set, as the authenticator of pyzmq asks for it."""

    def __init__(self, admitted: set[str]) -> None:
        self._admitted = admitted

    def callback(self, domain: str, key: bytes) -> bool:
        """Tell whether a key may come in."""
        return domain == DOMAIN and key.decode() in self._admitted


class CurveServer(FakeServer):
    """Encrypt, and let in those keys only that are in `admitted`, which may change at any time.

    After a `cut` the `keys` may be others, or None for a server that encrypts nothing.
    """

    def __init__(self, admitted: set[str] | None = None, answer: Answering | None = None) -> None:
        self.keys: KeyPair | None = KeyPair.new()
        self.key = self.keys.public
        """Its public key at first."""
        self.admitted: set[str] = set() if admitted is None else admitted
        self._context = zmq.Context[zmq.Socket[bytes]]()
        self._authenticator = ThreadAuthenticator(self._context)
        self._authenticator.start()
        self._authenticator.configure_curve_callback(DOMAIN, _Admitting(self.admitted))
        super().__init__(answer)

    def comes_back(self, keys: KeyPair | None) -> None:
        """Cut every connection, and listen again with other keys."""
        self.cut()
        self.keys = keys
        self.listen()

    def stop(self) -> None:
        super().stop()
        self._authenticator.stop()
        self._context.destroy(linger=0)

    def _new_socket(self) -> zmq.Socket[bytes]:
        router = self._context.socket(zmq.ROUTER)
        router.set(zmq.LINGER, 200)
        if self.keys is not None:
            router.set(zmq.CURVE_SERVER, 1)
            router.set(zmq.CURVE_SECRETKEY, self.keys.secret.encode())
            router.set(zmq.ZAP_DOMAIN, DOMAIN.encode())
        return router


class Answerer:
    """Answer queries at the number of an address with one key, None for a server without."""

    def __init__(self, address: Address, key: str | None) -> None:
        self._key = key
        self._address = address
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((address.host, address.port))
        self.asked = 0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __enter__(self) -> "Answerer":
        return self

    def __exit__(self, *_error: object) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"", self._socket.getsockname())
        self._thread.join()
        self._socket.close()

    def _run(self) -> None:
        while True:
            data, source = self._socket.recvfrom(1_024)
            if not data:
                return
            with suppress(InvalidDatagram):
                self.asked += 1
                nonce = read_query(data).nonce
                self._socket.sendto(answer(here(nonce, self._address.port, self._key)), source)
