"""Every frame that leaves the server, held against what is stored at that moment."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

import msgspec

from passing_protocol.codec import CodecError, decode_client, decode_server, encode
from passing_protocol.errors import ErrorCode
from passing_protocol.events import (
    DealRevealed,
    MatchEnded,
    RoundBegan,
    RoundEnded,
    TipsAgreed,
)
from passing_protocol.messages import (
    Act,
    Error,
    Goodbye,
    Hello,
    Join,
    Pong,
    Refused,
    Resume,
    ServerMessage,
    TipsOffered,
    Update,
    Welcome,
)
from passing_protocol.views import Acted, Mine
from passing_protocol.wire import ActionMessage
from tests.simulation.book import NO_TILES, Book, Moment, Result, Shelf, Tiles
from tests.simulation.fairness import Watch, verify_untold
from tests.simulation.world import Broken

_TILE: Final = re.compile(rb"\xa2([0-6][0-6])")
"""A tile as a string of its own."""
_HELLO: Final = b"\xa5hello"
_TOO_OLD: Final = (ErrorCode.STALE_TURN, ErrorCode.TURN_DECIDED, ErrorCode.NOT_YOUR_TURN)
_IN_TEXT: Final = re.compile(r"(?<![0-9A-Za-z])[0-6][0-6](?![0-9A-Za-z])")
_NUMBERS: Final = re.compile(r"\bturn \d+|\b\d+ s\b|\b\d+ in\b")


class _Frame(msgspec.Struct):
    """The head of a frame, and what is in it if it is a batch."""

    type: str
    items: list[msgspec.Raw] = []


_head = msgspec.msgpack.Decoder(_Frame).decode


def tiles_in(data: bytes) -> Tiles:
    """The tiles that a frame names."""
    return frozenset(tile.decode() for tile in _TILE.findall(data))


@dataclass
class Reader:
    """What one session was sent in this life of the server, and what it has asked."""

    sent: dict[int, ServerMessage] = field(default_factory=dict[int, ServerMessage])
    has: int = 0
    """Up to which number the client has messages, as it has said."""
    acts: dict[int, Act] = field(default_factory=dict[int, Act])
    joins: dict[int, str] = field(default_factory=dict[int, str])
    named: set[str] = field(default_factory=set[str])


class Inspector:
    """Know who reads which connection, and what they may be told."""

    def __init__(self, book: Book) -> None:
        self.frames = 0
        self.acknowledged: dict[str, dict[int, tuple[int, str]]] = {}
        self._book = book
        self._sessions: dict[bytes, str] = {}
        self._readers: dict[str, Reader] = {}
        self._greetings: dict[bytes, Resume | None] = {}
        self._tokens: dict[str, str] = {}
        self._watch = Watch({})

    def restarted(self) -> None:
        """Begin to number anew: the server has."""
        self._sessions.clear()
        for reader in self._readers.values():
            reader.sent.clear()
            reader.has = 0

    def lost(self) -> None:
        """Forget what was promised of tables that have lost it, with the power or with a file."""
        self._watch.lost()
        shelves = self._book.shelves
        self.acknowledged = {
            key: {turn: did for turn, did in acts.items() if turn in shelves[key].turns}
            for key, acts in self.acknowledged.items()
            if key in shelves
        }

    def reader(self, session: str) -> Reader:
        return self._readers.setdefault(session, Reader())

    def asked(self, session: str, act: Act | Join) -> None:
        """Note that a session's client joins, or sends an action; a refusal may name its tile."""
        reader = self.reader(session)
        if isinstance(act, Join):
            reader.joins[act.id] = act.table
            return
        reader.acts[act.id] = act
        if isinstance(act.action.play, str):
            reader.named.add(act.action.play)

    def receives(self, peer: bytes, data: bytes) -> None:
        """Note with which messages of its session a client comes back."""
        if _HELLO in data[:16]:
            with suppress(CodecError):
                message = decode_client(data)
                if isinstance(message, Hello):
                    self._greetings[peer] = message.resume

    def verify_kept(self) -> None:
        """Find every acknowledged action in the store, once, at its place."""
        for key, acts in self.acknowledged.items():
            shelf = self._book.shelves[key]
            for turn, done in acts.items():
                stored = shelf.done(turn)
                if stored is None and shelf.over and turn > max(shelf.turns, default=0):
                    continue  # the match was over before it was shown
                if stored is None or (stored != done and stored != (done[0], done[1][:1])):
                    raise Broken(f"{key}: turn {turn} was acknowledged as {done}, it is {stored}")

    # --- frames

    def leaves(self, peer: bytes, frame: bytes) -> None:
        """Check one frame to one connection."""
        self.frames += 1
        verify_untold(frame, self._book.secrets)
        for data in _items(frame):
            for message in decode_server(data):
                self._message(peer, message, data)

    def _message(self, peer: bytes, message: ServerMessage, data: bytes) -> None:
        if isinstance(message, Welcome):
            self._welcome(peer, message)
            return
        session = self._sessions.get(peer)
        if isinstance(message, Refused | Goodbye | Pong):
            self._no_tiles(data, NO_TILES)
            return
        if session is None:
            raise Broken(f"one without a session is sent {message}")
        reader = self.reader(session)
        seq = getattr(message, "seq", 0)
        if seq in reader.sent:
            if reader.sent[seq] != message:
                raise Broken(
                    f"{session}: another message is sent under {seq}: {message}, not "
                    f"{reader.sent[seq]}"
                )
            return
        if seq <= reader.has:
            raise Broken(f"{session} has messages up to {reader.has}, this is new: {message}")
        reader.sent[seq] = message
        self._numbered(session, reader, message, data)

    def _welcome(self, peer: bytes, welcome: Welcome) -> None:
        if self._tokens.setdefault(welcome.resume_token, welcome.session) != welcome.session:
            raise Broken("a token is given out twice")
        self._sessions[peer] = welcome.session
        resume = self._greetings.get(peer)
        reader = self.reader(welcome.session)
        if not welcome.resumed or resume is None:
            return
        if resume.token == welcome.resume_token:
            raise Broken(f"{welcome.session} keeps the token that it came with")
        if resume.epoch != welcome.epoch:
            reader.sent.clear()  # what it has is of another life: this one is numbered from 1
        reader.has = resume.seq if resume.epoch == welcome.epoch else 0

    def _numbered(self, session: str, reader: Reader, message: ServerMessage, data: bytes) -> None:
        match message:
            case Update():
                self._update(session, reader, message, data)
            case Error():
                text = _NUMBERS.sub("", message.detail)
                self._no_tiles(data, frozenset(reader.named))
                if not {*_IN_TEXT.findall(text)} <= reader.named:
                    raise Broken(f"{session}: a refusal names a tile: {message}")
                self._refusal(session, reader, message)
            case TipsOffered():
                self._watch.offers(message)
            case _:
                self._no_tiles(data, NO_TILES)

    def _refusal(self, session: str, reader: Reader, error: Error) -> None:
        """See that the last action of a seat is not refused when it is sent again."""
        act = reader.acts.get(error.re) if error.re is not None else None
        shelf = self._book.shelves.get(act.table) if act is not None else None
        if act is None or shelf is None or shelf.log is None or error.code not in _TOO_OLD:
            return
        done = shelf.log.turns.get(act.turn)
        if done is None or not _is(done, done[0], act.action, False):
            return
        play = shelf.stored.play
        waits = play is not None and play.unshown is not None and play.unshown.seat == done[0]
        later = waits or any(
            turn > act.turn and did[0] == done[0] for turn, did in shelf.log.turns.items()
        )
        if not later and shelf.around(shelf.stored.rev)[0].seats.get(session) == done[0]:
            raise Broken(f"{session}: {act} was done and is refused: {error}")

    def _no_tiles(self, data: bytes, but: Tiles) -> None:
        if not tiles_in(data) <= but:
            raise Broken(f"tiles where none may be: {decode_server(data)}")

    # --- updates

    def _update(self, session: str, reader: Reader, update: Update, data: bytes) -> None:
        shelf = self._book.shelves.get(update.table)
        if shelf is None or (update.rev > shelf.stored.rev and not shelf.gone):
            raise Broken(f"told before it is stored: {update}")
        for event in update.events:
            self._event(shelf, event, update)
        moments = shelf.around(update.rev)
        if update.duplicate:
            self._answer(session, reader, update, shelf)
            return
        mine = update.mine
        if mine is not None and update.rev not in shelf.moments and _has_joined(reader, update):
            moments = _with_a_seat(moments, session, mine)
        self._private(session, update, moments)
        self._secrets(session, update, moments, data)
        if update.re is not None:
            self._answer(session, reader, update, shelf)

    def _event(self, shelf: Shelf, event: object, update: Update) -> None:
        match event:
            case Acted(seat, turn, action, timed_out):
                done = shelf.turns.get(turn)
                if done is None or not _is(done, seat, action, timed_out):
                    raise Broken(f"told {event}, stored {done}")
            case RoundBegan(round_number, leader):
                if not any(log.has_dealt(round_number, leader) for log in shelf.logs):
                    raise Broken(f"told {event}, which is not stored")
            case RoundEnded():
                self._round_ended(shelf, event)
            case TipsAgreed() | DealRevealed():
                self._watch.told(event, [log.fair for log in shelf.logs])
            case MatchEnded(reason, scores) if reason in ("target", "max_rounds"):
                if all(scores != log.match.scores for log in shelf.logs):
                    raise Broken(f"told {event}, by the stored log the scores are others")
            case _:
                pass

    def _round_ended(self, shelf: Shelf, event: RoundEnded) -> None:
        results = [log.results[event.round - 1 :][:1] for log in shelf.logs]
        told = Result(event.hands, event.scores, event.ending, event.pips)
        if not any(told.is_like(result) for found in results for result in found):
            raise Broken(f"told {event}, by the stored log it is {results}")

    def _private(self, session: str, update: Update, moments: list[Moment]) -> None:
        mine = update.mine
        if mine is None:
            if update.ask is not None:
                raise Broken(f"{session} is asked without a hand: {update}")
            return
        hand = frozenset[str](mine.hand)
        fitting = [m for m in moments if m.seats.get(session) == mine.seat]
        if not fitting:
            raise Broken(f"{session} is told of a seat that it does not hold: {update}")
        if len(moments) == 1 and moments[0].hands and hand != moments[0].hands[mine.seat]:
            raise Broken(f"{session} is told of another hand than is stored: {update}")

    def _secrets(self, session: str, update: Update, moments: list[Moment], data: bytes) -> None:
        """Let nothing but a seat's own hand and the train be named; events are checked above."""
        known: set[str] = set()
        seats = {moment.seats[session] for moment in moments if session in moment.seats}
        for moment in moments:
            known |= moment.train
            for seat in seats if moment.hands else ():
                known |= moment.hands[seat]
        if tiles_in(data) <= known:
            return
        rest = encode(msgspec.structs.replace(update, events=[]))
        others = [e for e in update.events if not isinstance(e, Acted | RoundEnded)]
        if not tiles_in(rest) <= known or tiles_in(encode(others)):
            raise Broken(f"{session} is told of {sorted(tiles_in(rest) - known)}: {update}")

    def _answer(self, session: str, reader: Reader, update: Update, shelf: Shelf) -> None:
        act = reader.acts.get(update.re) if update.re is not None else None
        if act is None or act.table != update.table:
            return
        done = shelf.done(act.turn)
        if done is None and shelf.over:
            return  # the match was over before it was shown
        if done is None or not _is(done, done[0], act.action, False):
            raise Broken(f"{session}: {act} is acknowledged, stored is {done}")
        self.acknowledged.setdefault(act.table, {})[act.turn] = done


def _items(frame: bytes) -> Iterator[bytes]:
    head = _head(frame)
    if head.type == "batch":
        yield from map(bytes, head.items)
    else:
        yield frame


def _has_joined(reader: Reader, update: Update) -> bool:
    """Tell whether it answers a request to join."""
    return update.re is not None and reader.joins.get(update.re) == update.table


def _with_a_seat(moments: list[Moment], session: str, mine: Mine) -> list[Moment]:
    """Return the moments with a seat that was given in between, and perhaps lost again.

    Of one without tiles one may be told before it is stored.
    """
    return [
        replace(m, seats={**m.seats, session: mine.seat}, hands=m.hands if mine.hand else ())
        for m in moments
    ]


def _is(done: tuple[int, str], seat: int, action: ActionMessage, timed_out: bool) -> bool:
    """Tell whether a stored action is the one that was told."""
    text = "-t" if timed_out else str(action.action)
    return done[0] == seat and (done[1] == text or (text == "d" and done[1][0] == "d"))
