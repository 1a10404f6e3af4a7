"""A LAN whose server is encrypted, as its core sees that: every connection comes with a key."""

from passing_protocol.codec import decode_server, encode
from passing_protocol.messages import (
    PROTOCOL_VERSION,
    ClientMessage,
    Enrol,
    GuestRole,
    Hello,
    ServerMessage,
)
from tests.support.guests import LOCAL, GuestBook, key_of
from tests.support.lan import AGENT, Lan, LanClient

VERSIONS = (PROTOCOL_VERSION, PROTOCOL_VERSION)


class EncryptedLan(Lan):
    """Run a server that knows its clients by their keys; `book` holds what it keeps of them."""

    def __init__(self) -> None:
        self.book = GuestBook()
        self.encrypted = True
        super().__init__("encrypted", guests=lambda: self.book.open() if self.encrypted else None)
        self._numbers = 0

    def say(self, message: ClientMessage, key: str | None) -> ServerMessage:
        """Say one thing on a connection of its own, and return what is answered."""
        self._numbers += 1
        peer = f"once {self._numbers}".encode()
        self.server.receive(self.now, peer, encode(message), key)
        found = [
            m
            for out in self.server.flush(self.now)
            if out.peer == peer
            for m in decode_server(out.data)
        ]
        assert len(found) == 1, found
        return found[0]

    def enrol(self, name: str, role: GuestRole = "player") -> str:
        """Enrol a client by the role's code, and return its key."""
        self.say(Enrol(VERSIONS, key_of(name), name), self.book.code_key(role))
        return key_of(name)

    def hello(self, name: str, key: str | None, token: str | None = None) -> ServerMessage:
        """Say hello on a connection of its own, and return what is answered."""
        return self.say(Hello(VERSIONS, name, AGENT, token=token), key)

    def member(self, name: str, role: GuestRole = "player") -> LanClient:
        """Enrol and connect a client of its own key."""
        return self.client(name, key=self.enrol(name, role))

    def local(self, name: str, role: str | None = None) -> LanClient:
        """Connect a program of this machine."""
        return self.client(name, role, key=LOCAL)
