"""Where each connection comes from, so that one that is to be cut can be closed.

ZeroMQ has no call that closes one connection of a socket. A message tells the descriptor that it
came in on; shutting that down closes the connection.
"""

import os
import socket
from collections import OrderedDict
from contextlib import suppress
from typing import NamedTuple

from passing_server.limits import CONNECTIONS_KEPT


class Origin(NamedTuple):
    """Hold a connection's descriptor and the address of its other end."""

    descriptor: int
    address: object


class Origins:
    """Keep the origin of each connection; it is asked for once, as asking is slow."""

    def __init__(self) -> None:
        """Start without any."""
        self._by_peer: OrderedDict[bytes, Origin] = OrderedDict()

    def __contains__(self, peer: bytes) -> bool:
        """Tell whether a connection's origin is kept."""
        return peer in self._by_peer

    def note(self, peer: bytes, descriptor: int) -> None:
        """Keep the descriptor that a connection's first message came in on."""
        self._by_peer[peer] = Origin(descriptor, _address_of(descriptor))
        if len(self._by_peer) > CONNECTIONS_KEPT:
            self._by_peer.popitem(last=False)

    def cut(self, peer: bytes) -> None:
        """Close a connection, unless its descriptor belongs to another one by now."""
        origin = self._by_peer.pop(peer, None)
        if origin is None or origin.address is None:
            return
        with suppress(OSError), socket.socket(fileno=os.dup(origin.descriptor)) as stream:
            if stream.getpeername() == origin.address:
                stream.shutdown(socket.SHUT_RDWR)


def _address_of(descriptor: int) -> object:
    """Return the address of the other end, None when the connection is gone."""
    with suppress(OSError), socket.socket(fileno=os.dup(descriptor)) as stream:
        address: object = stream.getpeername()
        return address
    return None
