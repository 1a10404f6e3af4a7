"""What the server has in memory, held against what is stored: hands, turn, scores, clocks.

The time that a seat really had is counted here: while the process runs, in steps as short as it
ever sleeps, and not while nothing can be stored.
"""

from dataclasses import dataclass

from passing_server.core import Server
from passing_server.limits import GAP_MS
from passing_table import Table
from passing_table.settings import ENGINE_GRACE_MS, PEOPLE_GRACE_MS
from tests.simulation.book import Book, Shelf, Stored, StoredSeat
from tests.simulation.world import Broken

SLACK_MS = 25
"""Deadlines are looked at every 20 ms."""


@dataclass
class Question:
    """A turn, whose it is, with how much time it began, and how long that has run.

    `excused_at` is from when on its player is not waited for, None while they are there.
    """

    turn: int
    seat: int
    given: int
    since: int
    excused_at: int | None


class Clocks:
    """Follow the questions of all tables."""

    def __init__(self) -> None:
        self.may_lose = self.has_lost_file = False
        self._lived = 0
        self._seen: int | None = None
        self._was_ailing = False
        self._open: dict[str, Question] = {}
        self._versions: dict[str, int] = {}

    # --- the process

    def died(self, *, losing: bool = False, file: bool = False) -> None:
        """Count nothing until it is started; it may find less then than was stored."""
        self._seen = None
        self._was_ailing = False
        self.may_lose = losing or file
        self.has_lost_file |= file

    def restarted(self, server: Server, now: int, book: Book) -> None:
        """Hold what a server goes on with against what is stored."""
        self._seen = now
        for key, shelf in book.shelves.items():
            room = server.lobby.rooms.get(key)
            if (room is None) is not shelf.gone:
                raise Broken(f"table {key} is {'lost' if room is None else 'there again'}")
            if room is not None and self._all_known(server, shelf):
                self._same_play(room.table, shelf)
                self._same_clock(room.table, shelf, now)
                self._same_seats(room.table, shelf)
        self._open = {}
        for key, shelf in book.shelves.items():
            self._follow(key, shelf)

    def _all_known(self, server: Server, shelf: Shelf) -> bool:
        """Tell whether everybody at a table is known still: with a file who they are is lost."""
        whose = [who for seat in shelf.stored.seats for who in (seat.occupant, seat.keeper)]
        known = all(who is None or who.key in server.sessions.by_id for who in whose)
        if not known and not self.has_lost_file:
            raise Broken(f"{shelf.stored.id}: of {whose} somebody is not known any more")
        return known

    def look(self, server: Server, now: int, book: Book) -> None:
        """Look at every table after a turn of the loop."""
        if self._seen is not None and 0 <= now - self._seen <= GAP_MS and not self._was_ailing:
            self._lived += now - self._seen
        self._seen = now
        self._was_ailing = server.ailment is not None
        if self._was_ailing:
            return
        for key, room in server.lobby.rooms.items():
            shelf = book.shelves.get(key)
            if shelf is None:
                raise Broken(f"table {key} is not stored")
            if room.table.changes.rev != shelf.stored.rev:
                raise Broken(f"{key}: {shelf.stored.rev} is stored, {room.table.changes.rev} is")
            if self._versions.get(key) != shelf.version:
                self._versions[key] = shelf.version
                self._same_play(room.table, shelf)
                self._follow(key, shelf)

    # --- what is held against what

    def _same_play(self, table: Table, shelf: Shelf) -> None:
        """Find the same state, hands, turn and scores in memory as are stored."""
        stored = shelf.stored
        if table.state.value != stored.state:
            raise Broken(f"{table.id} is {table.state}, stored {stored.state}")
        play, log = table.play, shelf.log
        if play is None or log is None:
            if play is not None or log is not None:
                raise Broken(f"{table.id}: a match is only stored, or only in memory")
            return
        current = play.match.round
        if current is None or log.now is None:
            raise Broken(f"{table.id}: a match without a deal")
        masks = [sum(1 << tile.index for tile in hand) for hand in log.now.hands]
        if current.hands != masks or current.boneyard_size != len(log.now.boneyard):
            hands = [current.hand(seat) for seat in range(current.seats)]
            raise Broken(f"{table.id}: the hands are {hands}, stored {log.now.hands}")
        if list(play.match.scores) != log.match.scores:
            raise Broken(f"{table.id}: scores {play.match.scores}, stored {log.match.scores}")
        if stored.play is None or (play.turn, play.id) != (stored.play.turn, stored.play.match):
            raise Broken(f"{table.id}: turn {play.turn}, stored {stored.play}")

    def _same_clock(self, table: Table, shelf: Shelf, now: int) -> None:
        """Find the time that was left when it was stored, to the millisecond."""
        until = None if table.deadline is None else table.deadline - now
        if until != shelf.stored.left_ms:
            raise Broken(f"{table.id} goes on in {until} ms, stored {shelf.stored.left_ms}")
        stored, play = shelf.stored.play, table.play
        if stored is None or play is None:
            return
        if stored.left_ms is not None and shelf.stored.seats[stored.on_turn].state == "substitute":
            return  # it is lost, and who it stood in for is asked anew
        left = None if play.deadline is None else play.deadline - now
        if left != stored.left_ms or now - play.asked_at != stored.asked_ms:
            raise Broken(f"{table.id}: {left} ms are left of the turn, stored {stored.left_ms}")
        banks = [seat.bank_ms for seat in table.seats]
        if banks != [seat.bank_ms for seat in shelf.stored.seats]:
            raise Broken(f"{table.id}: the banks are {banks}, stored {shelf.stored.seats}")

    def _same_seats(self, table: Table, shelf: Shelf) -> None:
        """Find everybody in the seat that was stored."""
        for number, (seat, stored) in enumerate(zip(table.seats, shelf.stored.seats, strict=True)):
            if stored.state == "substitute":
                continue  # it is lost, and who it stood in for has the seat again
            for now, then in ((seat.occupant, stored.occupant), (seat.keeper, stored.keeper)):
                if (now and now.key) != (then and then.key):
                    raise Broken(f"{table.id}: seat {number} is {now}'s, stored {then}")

    # --- the time of a question

    def _follow(self, key: str, shelf: Shelf) -> None:
        """See that no question ends by time before its time, and that no time is lost."""
        before, now = self._open.pop(key, None), self._question(shelf.stored)
        if now is not None:
            self._open[key] = now
        if before is None:
            return
        if now is not None and now.turn == before.turn:
            self._open[key] = self._same_question(key, before, now)
            return
        done = shelf.turns.get(before.turn)
        if done is not None and done[1] == "-t":
            self._timed_out(key, shelf.stored, before)

    def _question(self, stored: Stored) -> Question | None:
        play = stored.play
        if play is None or play.left_ms is None or stored.state != "playing":
            return None
        seat = stored.seats[play.on_turn]
        return Question(play.turn, play.on_turn, play.left_ms, self._lived, self._excused(seat))

    def _excused(self, seat: StoredSeat) -> int | None:
        if seat.gone or seat.state == "forfeited":
            return self._lived
        if seat.state != "away" or seat.away_ms is None:
            return None
        engine = seat.occupant is not None and seat.occupant.engine is not None
        return self._lived - seat.away_ms + (ENGINE_GRACE_MS if engine else PEOPLE_GRACE_MS)

    def _is_excused(self, question: Question) -> bool:
        return question.excused_at is not None and self._lived >= question.excused_at - SLACK_MS

    def _same_question(self, key: str, before: Question, now: Question) -> Question:
        """The time that is left goes down as the time goes by, or is given anew; return the first.

        It is given anew to a player who was not waited for any more, or who takes over; that may
        be less than the turn would have waited for an engine.
        """
        expected = before.given - (now.since - before.since)
        excused = self._is_excused(before) or self._is_excused(now)
        if now.given < expected - SLACK_MS and not excused:
            raise Broken(f"{key}: {now.given} ms are left, it should be {expected}")
        if abs(now.given - expected) > SLACK_MS:
            return now
        before.excused_at = now.excused_at
        return before

    def _timed_out(self, key: str, stored: Stored, question: Question) -> None:
        lived = self._lived - question.since
        refused = stored.seats[question.seat].struck.refused > 0
        if refused or self._is_excused(question) or self._excused(stored.seats[question.seat]):
            return
        if lived < question.given - SLACK_MS:
            raise Broken(
                f"{key}: seat {question.seat} had {lived} of {question.given} ms in "
                f"turn {question.turn}"
            )
