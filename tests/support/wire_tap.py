"""Every frame to every client, held against what its reader may know (R6), by the bytes.

What may be known is worked out here from the deals and what was done, not from any view: the
tap trusts nothing that makes frames.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

import msgpack

from passing_protocol.codec import decode_server, encode
from passing_rules import ActionRecord, Deal, Draw, Play, RoundBegun

_TILE = re.compile(r"(?<![0-9A-Za-z])[0-6][0-6](?![0-9A-Za-z])")
_NUMBERS = re.compile(r"\bturn \d+|\b\d+ s\b")
"""Turns and seconds, which a refusal may name; some of them read like a tile."""

Map = dict[str, object]
Tiles = frozenset[str]
NO_TILES: Tiles = frozenset()


def tiles_in(value: object) -> Tiles:
    """Return every tile that is named anywhere in a value, keys and sentences included."""
    return frozenset(_tiles_in(value))


def _tiles_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        for text in _TILE.findall(value):
            yield "".join(sorted(text))
    elif isinstance(value, dict):
        for key, item in cast("Map", value).items():
            yield from _tiles_in(key)
            yield from _tiles_in(item)
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            yield from _tiles_in(item)
    else:
        assert value is None or isinstance(value, int), f"{value!r} has no place in a frame"


def unpacked(data: bytes) -> list[Map]:
    """Return the messages of a frame as plain maps; no type knows of a field that is not here."""
    frame = cast("Map", msgpack.unpackb(data))
    if frame["type"] != "batch":
        return [frame]
    return cast("list[Map]", frame["items"])


class DealtRound:
    """Follow one round with sets of tiles: who holds what, and what lies on the train."""

    def __init__(self, deal: Deal) -> None:
        self.hands = [{str(tile) for tile in hand} for hand in deal.hands]
        self.train: set[str] = set()
        self._boneyard = iter(deal.boneyard)

    def play(self, seat: int, tile: str) -> None:
        self.hands[seat].remove(tile)
        self.train.add(tile)

    def draw(self, seat: int) -> str:
        drawn = str(next(self._boneyard))
        self.hands[seat].add(drawn)
        return drawn

    def frozen(self) -> "Known":
        return Known(frozenset(self.train), tuple(frozenset(hand) for hand in self.hands))


@dataclass(frozen=True)
class Known:
    """Hold who held what at one moment of a round, and what lay on the train."""

    train: Tiles = NO_TILES
    hands: tuple[Tiles, ...] = ()


@dataclass(frozen=True)
class Moment:
    """Hold a table at one `rev`: its round, the last round that ended, and who decides where."""

    now: Known
    ended: Known
    seats: Mapping[str, int]
    bot_seeds: Mapping[int, str]


@dataclass
class Ledger:
    """Write a table's deals and actions down as they happen."""

    now: DealtRound | None = None
    ended: Known = Known()

    def deal(self, deal: Deal) -> None:
        self.now = DealtRound(deal)

    def end(self) -> None:
        assert self.now is not None
        self.ended = self.now.frozen()

    def write(self, entries: Iterable[RoundBegun | ActionRecord]) -> None:
        """Write entries of a match's log."""
        for entry in entries:
            if isinstance(entry, RoundBegun):
                if self.now is not None:
                    self.end()
                self.deal(entry.deal)
            else:
                self._act(entry)

    def _act(self, record: ActionRecord) -> None:
        assert self.now is not None
        if isinstance(record.action, Play):
            self.now.play(record.seat, str(record.action.tile))
        elif isinstance(record.action, Draw):
            assert self.now.draw(record.seat) == str(record.drawn)

    def moment(
        self, seats: Mapping[str, int], bot_seeds: Mapping[int, str], *, over: bool
    ) -> Moment:
        now = self.now.frozen() if self.now is not None else Known()
        return Moment(now, now if over else self.ended, seats, bot_seeds)


@dataclass
class Reader:
    """Hold what one session was sent so far, by number, and the tiles it has named itself."""

    sent: dict[int, Map] = field(default_factory=dict[int, Map])
    named: set[str] = field(default_factory=set[str])


class WireTap:
    """Check frames as they go out; an AssertionError tells who was told what."""

    def __init__(self) -> None:
        self.moments: dict[tuple[str, int], Moment] = {}
        self.secrets: dict[bytes, str | None] = {}
        """What no frame may hold but one to the session named here; None for to nobody."""
        self.readers: dict[str, Reader] = {}
        self.frames = 0
        self.updates = 0
        self.repeated = 0
        self.kinds: set[str] = set()
        """The messages that were seen, and the events."""

    def named(self, reader: str, data: bytes) -> None:
        """Note which tiles a client names itself: a refusal may repeat those to it."""
        try:
            value: object = msgpack.unpackb(data)
        except ValueError:
            return
        self.reader(reader).named |= tiles_in(value)

    def reader(self, reader: str) -> Reader:
        """Return what is kept of a session."""
        return self.readers.setdefault(reader, Reader())

    def check(self, reader: str, data: bytes) -> None:
        """Check one frame to a session."""
        self.frames += 1
        messages = unpacked(data)
        for message in messages:
            if message["type"] == "welcome":
                self._give(reader, cast("str", message["resume_token"]))
        for secret, owner in self.secrets.items():
            assert secret not in data or owner == reader, f"{secret!r} is in a frame to {reader}"
        known = [cast("Map", msgpack.unpackb(encode(message))) for message in decode_server(data)]
        assert messages == known, "a frame holds fields that the protocol does not have"
        for message in messages:
            self._message(reader, message)

    def _give(self, reader: str, token: str) -> None:
        """Note that a resume token is a session's own now; it is nobody else's."""
        if self.secrets.get(token.encode()) is None:
            self.secrets[token.encode()] = reader

    def _message(self, reader: str, message: Map) -> None:
        kind = cast("str", message["type"])
        self.kinds.add(kind)
        seq = message.get("seq")
        if isinstance(seq, int) and kind != "pong":
            sent = self.reader(reader).sent
            if seq in sent:
                assert message == sent[seq], "another message is sent again under a number"
                self.repeated += 1
                return
            sent[seq] = message
        if kind == "update":
            self._update(reader, message)
        elif kind == "error":
            detail = _NUMBERS.sub("", cast("str", message["detail"]))
            told = tiles_in({**message, "detail": detail})
            assert told <= self.reader(reader).named, message
        else:
            assert not tiles_in(message), message

    def _update(self, reader: str, update: Map) -> None:
        self.updates += 1
        moment = self.moments[cast("str", update["table"]), cast("int", update["rev"])]
        seat = moment.seats.get(reader)
        own = moment.now.hands[seat] if seat is not None and moment.now.hands else NO_TILES
        rest = {key: value for key, value in update.items() if key != "events"}
        leaked = tiles_in(rest) - own - moment.now.train
        assert not leaked, f"{reader} in seat {seat} is told of {sorted(leaked)}: {update}"
        self._events(cast("list[Map]", update["events"]), moment)
        self._public(cast("Map | None", update.get("public")), moment)
        if "ask" in update:
            assert tiles_in(update["ask"]) <= own
        if "mine" in update:
            _check_mine(cast("Map", update["mine"]), seat, own, moment)

    def _events(self, events: list[Map], moment: Moment) -> None:
        """Check events in order: those up to the end of a round are of the round that ended."""
        ends = [number for number, event in enumerate(events) if event["event"] == "round_ended"]
        for number, event in enumerate(events):
            self.kinds.add(cast("str", event["event"]))
            of = moment.ended if ends and number <= ends[-1] else moment.now
            if event["event"] == "acted":
                assert tiles_in(event) <= of.train, event
            elif event["event"] == "round_ended" and "hands" in event:
                hands = cast("list[list[str]]", event["hands"])
                assert [sorted(hand) for hand in of.hands] == hands, event
            else:
                assert not tiles_in(event), event

    def _public(self, public: Map | None, moment: Moment) -> None:
        """Check that hidden hands are counts and nothing else (R6.1)."""
        if public is None:
            return
        assert tiles_in(public) <= moment.now.train
        sizes = [len(hand) for hand in moment.now.hands]
        hands = cast("list[object]", public.get("hands", []))
        assert hands == sizes
        assert all(type(size) is int for size in hands)
        assert "mine" not in public


def _check_mine(mine: Map, seat: int | None, own: Tiles, moment: Moment) -> None:
    assert seat is not None, "one without a seat is told of a hand"
    assert mine["seat"] == seat
    assert mine["hand"] == sorted(own)
    assert mine.get("drew") is None or mine["drew"] in own
    assert mine.get("bot_seed") in (None, moment.bot_seeds.get(seat))
