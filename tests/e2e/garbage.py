"""Garbage of every kind at a real server's port, while people play at two tables there.

A short run is in the tests; `python -m tests.e2e.garbage --tries 10000` is a long one, at a server
without encryption and at one with it. Both matches must be played to their ends.
"""

import argparse
import itertools
import random
import resource
import sys
import tempfile
import time
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from passing_link.processes import ServerProcess
from passing_protocol.events import MatchEnded, RoundBegan
from passing_protocol.messages import Act, Create, Join, Ready, Update
from passing_protocol.views import GameOptions
from passing_protocol.wire import ActionMessage
from tests.support.hostile_bytes import KINDS, Mark
from tests.support.sockets import RawClient, running_server

TRIES_A_ROUND: Final = 50
ROUNDS: Final = 40
"""No more than these are played: two messages each are within what anybody may send at once."""

TABLES: Final = 2
MB: Final = 2**20
GROWTH_MB: Final = 64
"""How much memory a kind of garbage may cost, at most; what it holds for a moment is in it."""

PLAIN: Final[Sequence[str]] = ()
ENCRYPTED: Final[Sequence[str]] = ("--lan", "--bind", "127.0.0.1")
"""Arguments of servers without and with encryption."""


class Pair:
    """Two people at a table of their own, who only ever pass, until all rounds are played."""

    def __init__(self, first: RawClient, second: RawClient, table: str, rounds: int) -> None:
        """Seat them for a match of so many rounds."""
        self._numbers = itertools.count(1)
        self._clients = (first, second)
        first.hello(f"Ann {table}")
        second.hello(f"Bo {table}")
        number = next(self._numbers)
        game = GameOptions(seats=2, target=9_999, max_rounds=rounds)
        first.request(Create(number, table, game))
        self._table = first.expect_answer(number).table
        number = next(self._numbers)
        second.request(Join(number, self._table))
        second.expect_answer(number)
        self.rounds_left = rounds

    def play_round(self) -> None:
        """Play a whole round; fails when anything does not come as it should."""
        for client in self._clients:
            client.request(Ready(next(self._numbers), self._table))
        turns = dict(enumerate(map(self._begun, self._clients)))
        seat = next(seat for seat, update in turns.items() if update.ask is not None)
        ask = turns[seat].ask
        is_over = False
        for step in range(2):
            client = self._clients[seat]
            if step:
                ask = client.expect_turn().ask
            assert ask is not None
            number = next(self._numbers)
            client.request(Act(number, self._table, ask.turn, ActionMessage(pass_=True)))
            is_over = any(isinstance(e, MatchEnded) for e in client.expect_answer(number).events)
            seat = 1 - seat
        self.rounds_left -= 1
        assert is_over == (self.rounds_left == 0)

    def finish(self) -> None:
        """Play all rounds that are left."""
        while self.rounds_left:
            self.play_round()

    def _begun(self, client: RawClient) -> Update:
        while True:
            update = client.expect(Update)
            if any(isinstance(event, RoundBegan) for event in update.events):
                return update


def mark_of(server: ServerProcess) -> Mark:
    """Return a server as what is thrown at."""
    return Mark.of(server.connection.address, server.connection.server_key)


@contextmanager
def playing(server: ServerProcess, rounds: int = 1, name: str = "kitchen") -> Generator[Pair]:
    """Give two people who play at a server; both have played all rounds at the end."""
    address, security = server.connection.address, server.connection.security
    with (
        RawClient(address, security=security) as first,
        RawClient(address, security=security) as second,
    ):
        pair = Pair(first, second, name, rounds)
        yield pair
        pair.finish()


def memory_mb(server: ServerProcess) -> int:
    """Return the memory that a server's process holds, in MiB (Linux)."""
    pages = int(Path(f"/proc/{server.pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() // MB


def bombard(server: ServerProcess, mark: Mark, kind: str, tries: int, seed: int) -> int:
    """Try so often to harm a server; return by how many MiB its memory has grown.

    Two tables play on and finish; the server lives, and holds no more than it may.
    """
    chance = random.Random(f"{seed} {kind}")  # it guards nothing
    attack = KINDS[kind]
    before = memory_mb(server)
    most = before
    with ExitStack() as stack:
        tries_a_round = max(TRIES_A_ROUND, tries // ROUNDS)
        rounds = tries // tries_a_round + 2
        pairs = [
            stack.enter_context(playing(server, rounds, f"table {number}"))
            for number in range(TABLES)
        ]
        for number in range(tries):
            attack(mark, chance)
            if number % tries_a_round == 0:
                most = max(most, memory_mb(server))
                for pair in pairs:
                    pair.play_round()
    grown = max(most, memory_mb(server)) - before
    assert server.exit_code is None, f"{kind}: the server has ended"
    assert grown < GROWTH_MB, f"{kind}: {grown} MiB more"
    return grown


def run(kinds: Iterable[str], tries: int, seed: int, arguments: Sequence[str]) -> None:
    """Throw every kind at a server that was started with these arguments, and tell of each."""
    with (
        tempfile.TemporaryDirectory() as name,
        running_server(Path(name) / "state", arguments) as server,
    ):
        mark = mark_of(server)
        _say(f"passing serve {' '.join(arguments)}".rstrip())
        for kind in kinds:
            began = time.monotonic()
            grown = bombard(server, mark, kind, tries, seed)
            seconds = time.monotonic() - began
            _say(f"  {tries:6} x {kind:34} {seconds:6.0f} s  {grown:3} MiB more")
        _say(f"  both tables finished each time; the server holds {memory_mb(server)} MiB")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Read the arguments and bombard two servers."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.garbage", description=__doc__)
    parser.add_argument("--tries", type=int, default=10_000, help="how many tries of each kind")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other bytes")
    parser.add_argument("--kind", action="append", choices=KINDS, help="this kind alone")
    arguments = parser.parse_args()
    for started in (PLAIN, ENCRYPTED):
        run(arguments.kind or KINDS, arguments.tries, arguments.seed, started)


if __name__ == "__main__":
    main()
