"""A server with a fault in it, planted for a while."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from passing_server.core import Server
from tests.simulation.host import ServerType
from tests.support.cheats import Patches, planted


@dataclass(frozen=True)
class Mutant:
    """A server that is wrong: one of its own, or ours with some of its parts replaced."""

    name: str
    patches: Patches
    server_type: ServerType = Server

    @contextmanager
    def planted(self) -> Generator[ServerType]:
        """Have the fault in the server for a while."""
        with planted(self.patches):
            yield self.server_type
