"""A TCP proxy on loopback whose connections a test can cut, as a bad cable would."""

import contextlib
import select
import socket
import threading
from types import TracebackType
from typing import Self

from passing_link.address import Address


class TcpProxy:
    """Stand between clients and a server; `cut` drops every connection, new ones are taken."""

    def __init__(self, target: Address) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._pairs: dict[socket.socket, socket.socket] = {}
        self._lock = threading.Lock()
        self._wake, self._woken = socket.socketpair()
        self._running = True
        self.accepted = 0
        self.carried = 0
        """Bytes carried in both directions."""
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self._listener.getsockname()[1])

    def cut(self) -> None:
        with self._lock:
            for end in list(self._pairs):
                self._drop(end)
        self._wake.send(b".")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._running = False
        self.cut()
        self._thread.join()
        for end in (self._listener, self._wake, self._woken):
            end.close()

    def _drop(self, end: socket.socket) -> None:
        other = self._pairs.pop(end, None)
        if other is not None:
            self._pairs.pop(other, None)
            other.close()
        end.close()

    def _run(self) -> None:
        while self._running:
            with self._lock:
                ends = list(self._pairs)
            with contextlib.suppress(ValueError, OSError):  # an end may be cut meanwhile
                ready, _, _ = select.select([self._listener, self._woken, *ends], [], [])
                with self._lock:
                    for end in ready:
                        self._serve(end)

    def _serve(self, end: socket.socket) -> None:
        if end is self._woken:
            end.recv(64)
        elif end is self._listener:
            taken, _ = end.accept()
            onward = socket.create_connection((self._target.host, self._target.port))
            for half in (taken, onward):
                half.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._pairs |= {taken: onward, onward: taken}
            self.accepted += 1
        elif end in self._pairs:
            self._carry(end)

    def _carry(self, end: socket.socket) -> None:
        try:
            data = end.recv(65_536)
            if data:
                self._pairs[end].sendall(data)
        except OSError:
            data = b""
        if data:
            self._note(data)
        else:
            self._drop(end)

    def _note(self, data: bytes) -> None:
        self.carried += len(data)


class TcpTap(TcpProxy):
    """Keep all that is carried, in both directions."""

    def __init__(self, target: Address) -> None:
        self.seen = b""
        super().__init__(target)

    def _note(self, data: bytes) -> None:
        self.seen += data
