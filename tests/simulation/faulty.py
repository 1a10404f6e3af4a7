"""A server with a fault in it, planted for a while."""

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from unittest.mock import patch

from passing_server.core import Server
from tests.simulation.host import ServerType

Patches = list[tuple[object, str, object]]


@dataclass(frozen=True)
class Mutant:
    """A server that is wrong: one of its own, or ours with some of its parts replaced."""

    name: str
    patches: Patches
    server_type: ServerType = Server

    @contextmanager
    def planted(self) -> Generator[ServerType]:
        """Have the fault in the server for a while."""
        with ExitStack() as stack:
            for target, attribute, replacement in self.patches:
                stack.enter_context(patch.object(target, attribute, replacement))
            yield self.server_type
