"""A table with those who are told about it, and what each of them is told."""

from dataclasses import dataclass, field

from msgspec import Raw, Struct

from passing_protocol.codec import encode
from passing_protocol.messages import SplicedUpdate, TableInfo
from passing_protocol.views import Ask, Mine
from passing_server.sessions import Session
from passing_server.storing import Durability
from passing_table import Change, Table, view

NO_EVENTS = Raw(encode([]))


class Answer(Struct, frozen=True):
    """Keep what answered an action, so that the same action is answered the same."""

    events: Raw
    rev: int
    hash: str | None
    mine: Mine | None


@dataclass(slots=True, eq=False)
class Room:
    """Hold a table, its watchers, and the actions that wait for their answer.

    `number` counts the tables of the server. `waiting` maps a session's id to the ids of its
    unanswered `act`s, the first one first. `due` is when to look at the table's deadlines: no
    later than the first of them. `kept_at` is when it was stored last.
    """

    table: Table
    number: int
    durability: Durability
    due: int = 0
    kept_at: int = 0
    watchers: dict[str, Session] = field(default_factory=dict[str, Session])
    players: dict[str, Session] = field(default_factory=dict[str, Session])
    waiting: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    answers: dict[str, Answer] = field(default_factory=dict[str, Answer])

    @property
    def members(self) -> list[Session]:
        """Return all who are told what happens here."""
        return [*self.players.values(), *self.watchers.values()]

    def info(self) -> TableInfo:
        """Return the table as the lobby shows it."""
        table = self.table
        play = table.play
        return TableInfo(
            table=table.id,
            name=table.name,
            state=table.state,
            deal=table.deals.kind,
            game=table.game,
            seats=[seat.info() for seat in table.seats],
            scores=list(play.match.scores) if play is not None else [],
            round=play.match.round_number if play is not None else 0,
            watchers=len(self.watchers),
        )

    def snapshot(self, now: int, session: Session, re: int | None = None) -> bytes:
        """Return an update that holds all the session may know of the table at this moment."""
        table = self.table
        seat = table.seats.decides(session.id)
        digest = view.table_hash(table)
        return session.written(
            SplicedUpdate(
                seq=session.number(),
                table=table.id,
                rev=table.changes.rev,
                events=NO_EVENTS,
                re=re,
                hash=digest or None,
                public=Raw(encode(view.public_view(table, digest))),
                mine=view.mine_at_the_join(table, seat) if seat is not None else None,
                ask=view.question(table, seat, now) if seat is not None else None,
            )
        )

    def repeat(self, session: Session, re: int) -> bytes | None:
        """Return the answer to the session's last action once more, None if there is none."""
        answer = self.answers.get(session.id)
        if answer is None:
            return None
        return session.written(
            SplicedUpdate(
                seq=session.number(),
                table=self.table.id,
                rev=answer.rev,
                events=answer.events,
                re=re,
                duplicate=True,
                hash=answer.hash,
                mine=answer.mine,
            )
        )


class Telling:
    """Tell one change to every member of a room: the public parts are encoded once for all."""

    def __init__(self, now: int, room: Room, change: Change) -> None:
        """Encode what everybody is told."""
        self._now = now
        self._room = room
        self._table = room.table
        self._change = change
        self._events = Raw(encode(change.events))
        self._hash = view.table_hash(room.table)
        self._public: Raw | None = None

    def update(self, session: Session) -> bytes:
        """Return the update for one member, its private part built for its seat alone (R6)."""
        table = self._table
        seat = table.seats.decides(session.id)
        mine = self._mine(seat) if seat is not None else None
        ask = self._ask(seat) if seat is not None else None
        re = self._answered(session, seat, mine)
        return session.written(
            SplicedUpdate(
                seq=session.number(),
                table=table.id,
                rev=table.changes.rev,
                events=self._events,
                re=re,
                hash=self._hash or None,
                public=self._shared_public() if ask and session.caps.view == "ask" else None,
                mine=mine,
                ask=ask,
            )
        )

    def _mine(self, seat: int) -> Mine | None:
        drew = self._change.drew.get(seat)
        if drew is None and seat not in self._change.hands and seat != self._change.asked:
            return None
        return view.mine(self._table, seat, drew)

    def _ask(self, seat: int) -> Ask | None:
        return view.question(self._table, seat, self._now) if seat == self._change.asked else None

    def _shared_public(self) -> Raw:
        if self._public is None:
            self._public = Raw(encode(view.public_view(self._table, self._hash)))
        return self._public

    def _answered(self, session: Session, seat: int | None, mine: Mine | None) -> int | None:
        """Return the id of the action that this change answers, and keep the answer."""
        waiting = self._room.waiting.get(session.id)
        if not waiting or (seat is not None and self._table.holds(seat)):
            return None
        answer = Answer(self._events, self._table.changes.rev, self._hash or None, mine)
        self._room.answers[session.id] = answer
        return waiting.pop(0)
