"""Servers with a fault in each, which the simulation has to find: none of it is in the product."""

from collections.abc import Callable, Iterable
from typing import Unpack

from msgspec.structs import replace

from passing_protocol.messages import Bye, Ping
from passing_protocol.views import Mine
from passing_server import core, front, recovery
from passing_server.access import Access
from passing_server.clock import SteadyClock
from passing_server.core import Server
from passing_server.draining import Draining
from passing_server.front import Front
from passing_server.housekeeping import Housekeeping
from passing_server.keeping import Keeping
from passing_server.limits import GAP_MS
from passing_server.lobby import TheLobby
from passing_server.rooms import Room
from passing_server.sessions import Session
from passing_server.storing import Batch, Kept
from passing_table import NewRow, Table, kept, restore, view
from passing_table.course import Course
from passing_table.kept_values import KeptTable
from passing_table.play import Play
from passing_table.rows import KeptDeal, KeptRow
from passing_table.seating import Seating
from tests.simulation.disk import Disk
from tests.simulation.faulty import Mutant
from tests.simulation.host import ServerType
from tests.simulation.unfair import UNFAIR
from tests.support.lan import Circumstances

# --- stores that are asked too late, or not at all


class LateDisk(Disk):
    """Store each batch with the next one."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._batch: Batch | None = None

    def load(self) -> Kept:
        return self._disk.load()

    def commit(self, batch: Batch) -> None:
        late, self._batch = self._batch, batch
        if late is not None:
            self._disk.commit(late)


class ForgetfulDisk(LateDisk):
    """Drop every seventh batch."""

    commits = 0

    def commit(self, batch: Batch) -> None:
        self.commits += 1
        if self.commits % 7:
            self._disk.commit(batch)


def with_disk(disk_type: Callable[[Disk], Disk]) -> ServerType:
    """Return what makes a server with another disk under it."""

    def made(
        name: str,
        access: Access,
        entropy: Callable[[int], bytes],
        epoch: int,
        store: Disk,
        **given: Unpack[Circumstances],
    ) -> Server:
        disk = disk_type(store)
        return Server(name, access, entropy, epoch, disk, **given)

    return made


# --- parts that are wrong


def later_deals(keeping: Keeping, room: Room, rows: list[NewRow]) -> None:
    """Leave a deal for the next time that there is something to store."""
    waiting = _waiting.setdefault(id(room), [])
    waiting += rows
    if not isinstance(rows[-1].row if rows else None, KeptDeal):
        _rows(keeping, room, waiting)
        _waiting.pop(id(room))


_waiting: dict[int, list[NewRow]] = {}
_rows = Keeping.rows
_decides = Seating.decides
_request = vars(Server)["_request"]


def next_hand(table: Table, seat: int) -> Mine:
    """Return what the next seat has in its hand."""
    other = view.mine(table, (seat + 1) % len(table.seats))
    return replace(other, seat=seat)


def earlier(left: int | None, now: int) -> int | None:
    """Restore a deadline a second too early."""
    return None if left is None else now + left - 1_000


def swapped(
    value: KeptTable,
    log: Iterable[KeptRow],
    entropy: Callable[[int], bytes],
    new_match_id: Callable[[], str],
    now: int,
) -> Table:
    """Restore a table with its players in each other's seats."""
    table = restore(value, log, entropy, new_match_id, now)
    first, second = table.seats[0], table.seats[1]
    if first.occupant is not None and second.occupant is not None:
        first.occupant, second.occupant = second.occupant, first.occupant
    return table


def seat_0(seating: Seating, key: str) -> int | None:
    """Take everybody who has no seat for the player of seat 0."""
    seat = _decides(seating, key)
    return 0 if seat is None else seat


def same_token(front: Front, session: Session, used: str | None = None) -> str:
    """Give out the token again that was brought."""
    token = used or f"{session.id}{session.id}"
    front.sessions.give_token(session, token)
    return token


def others_messages(front: Front, now: int, session: Session, seq: int | None) -> None:
    """Send what another session was sent."""
    for other in front.sessions.by_id.values():
        if other is not session and other.sent:
            for _, data in other.sent:
                if session.peer is not None:
                    vars(Front)["_put"](front, session.peer, data)
            return


class HastyClock(SteadyClock):
    """Count the time in which the process stood still."""

    last = -1

    def read(self, outside: int) -> int:
        while 0 <= self.last < outside - GAP_MS:
            self.last += GAP_MS
            super().read(self.last)
        self.last = outside
        return super().read(outside)


def no_turn_check(play: Play, seat: int, turn: int) -> None:
    """Take any turn for this one."""


def same_epoch(keeping: Keeping, stored: Kept, epoch: int) -> int:
    """Begin a new life under the number of the first."""
    _begin(keeping, stored, epoch)
    return 1


_begin = Keeping.begin


def answers_some(server: Server, now: int, session: Session, request: object) -> None:
    """Let every ninth request lie."""
    if getattr(request, "id", 0) % 9:
        _request(server, now, session, request)


def numbered_anew(keeping: Keeping) -> int:
    """Count the tables of this life alone."""
    _numbers[id(keeping)] = _numbers.get(id(keeping), 0) + 1
    return _numbers[id(keeping)]


_numbers: dict[int, int] = {}


def removes_all(housekeeping: Housekeeping, now: int) -> None:
    """Remove all matches that are over."""
    vars(housekeeping)["_store"].prune(2**31)


def nothing(*_: object) -> None:
    """Do nothing where something is to be done."""


def never(*_: object) -> bool:
    """Say no."""
    return False


MUTANTS = [
    Mutant("answers before it stores", [], with_disk(LateDisk)),
    Mutant("drops a commit now and then", [], with_disk(ForgetfulDisk)),
    Mutant("does not know an answer that is given again", [(Play, "repeats", never)]),
    Mutant("accepts the answer to an old turn", [(Play, "verify_turn", no_turn_check)]),
    Mutant("shows another hand in a snapshot", [(view, "mine_at_the_join", next_hand)]),
    Mutant("restores a clock too early", [(kept, "_at", earlier)]),
    Mutant("does not change the token", [(Front, "_new_token", same_token)]),
    Mutant("stores a deal after it has dealt", [(Keeping, "rows", later_deals)]),
    Mutant("restores players in other seats", [(recovery, "restore", swapped)]),
    Mutant("tells a watcher the hand of a seat", [(Seating, "decides", seat_0)]),
    Mutant("goes on when nothing can be stored", [(Server, "_ail", nothing)]),
    Mutant("replays the messages of another", [(Front, "_catch_up", others_messages)]),
    Mutant("counts the time in which it stood still", [(front, "SteadyClock", HastyClock)]),
    Mutant("keeps the number of its life", [(Keeping, "begin", same_epoch)]),
    Mutant("does not answer some requests", [(Server, "_request", answers_some)]),
    Mutant("waits for ever for a seat", [(Course, "_tick_turn", nothing)]),
    Mutant("begins a round though it ends", [(Course, "finish_round", nothing)]),
    Mutant("never comes to its end", [(Draining, "look", nothing)]),
    Mutant("tells nobody how it is while nothing can be stored", [(core, "UNSTORED", (Bye, Ping))]),
    Mutant("gives the name of a table out again", [(Keeping, "next_table", numbered_anew)]),
    Mutant("lets the clock run while nothing can be stored", [(SteadyClock, "stop", nothing)]),
    Mutant("keeps tables at which nobody is left", [(TheLobby, "begin", nothing)]),
    Mutant("removes what is to be kept", [(Housekeeping, "look", removes_all)]),
    *UNFAIR,
]
