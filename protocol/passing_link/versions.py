"""Which transport is at work, and whether it is one that we can build on."""

from dataclasses import dataclass
from typing import Final

import zmq

LEAST_LIBZMQ: Final = (4, 3, 5)
"""Older ones have known faults that a stranger on the network can reach."""


@dataclass(frozen=True, slots=True)
class Transport:
    """Hold the versions of pyzmq and libzmq, and whether CURVE was built in."""

    pyzmq: str
    libzmq: tuple[int, ...]
    curve: bool

    @property
    def recent(self) -> bool:
        """Tell whether libzmq is new enough."""
        return self.libzmq >= LEAST_LIBZMQ


def transport() -> Transport:
    """Return what is installed here."""
    return Transport(zmq.pyzmq_version(), zmq.zmq_version_info(), zmq.has("curve"))
