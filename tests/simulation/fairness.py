"""The promises of fair deals, held against what is stored and against every frame."""

import re
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import Final

import msgspec
from msgspec import Struct

from passing_protocol.deals import dealt
from passing_protocol.events import DealRevealed, SeatLink, TipsAgreed
from passing_protocol.fair_deal import (
    NoSuchLink,
    WrongLink,
    deal_key,
    list_hash,
    verify_link,
)
from passing_protocol.fair_messages import TipsOffered
from passing_protocol.views import TipList
from tests.simulation.world import Broken

_HEX: Final = re.compile(rb"[0-9a-f]{64}")


class TipsRow(Struct):
    """A list of tips as it is stored."""

    tips: TipList


class LinksRow(Struct):
    """The links of a deal as they are stored."""

    deal: int
    version: int
    server: str
    links: list[SeatLink]
    void: bool = False
    missing: list[int] = []


class StoredMember(Struct):
    answer: str | None = None


class StoredDealing(Struct):
    """The part of a dealing's value that nobody may be told."""

    root: str
    stage: str | None = None
    live: LinksRow | None = None
    members: list[StoredMember] = []

    @property
    def secrets(self) -> set[str]:
        """All that would tell of a deal before its time."""
        found = {self.root}
        if self.live is not None:
            found |= {self.live.server, *(given.link for given in self.live.links)}
        if self.stage == "links":
            found |= {member.answer for member in self.members if member.answer is not None}
        return found


class StoredFair(Struct):
    state: StoredDealing


_read_tips = msgspec.msgpack.Decoder(TipsRow).decode
_read_links = msgspec.msgpack.Decoder(LinksRow).decode


class FairLog:
    """The fair deals of one match by its stored rows: each number has one outcome."""

    def __init__(self, match: str, seats: int) -> None:
        self.match = match
        self._seats = seats
        self.tips: TipList | None = None
        self.rows: dict[int, LinksRow] = {}
        self._next: LinksRow | None = None
        self._dealt = 0

    def write_tips(self, body: bytes) -> None:
        tips = _read_tips(body).tips
        if self._next is not None:
            raise Broken(f"{self.match}: a list after the links of a deal")
        if self.tips is not None and tips.version <= self.tips.version:
            raise Broken(f"{self.match}: list {tips.version} follows {self.tips.version}")
        self.tips = tips

    def write_links(self, body: bytes) -> None:
        row = _read_links(body)
        if row.deal != len(self.rows) + 1 or self.tips is None or self._next is not None:
            raise Broken(f"{self.match}: deal {row.deal} after {sorted(self.rows)}")
        self._verify(row, self.tips)
        self.rows[row.deal] = row
        self._next = None if row.void else row

    def _verify(self, row: LinksRow, tips: TipList) -> None:
        entries = {entry.seat: entry for entry in tips.seats}
        there = [given.seat for given in row.links]
        if row.version != tips.version or not set(there) | set(row.missing) <= set(entries):
            raise Broken(f"{self.match}: deal {row.deal} is not under the list {tips}")
        if not row.void and there != sorted(entries):
            raise Broken(f"{self.match}: deal {row.deal} has links of {there} alone")
        try:
            verify_link(tips.server, row.deal, bytes.fromhex(row.server))
            for given in row.links:
                verify_link(entries[given.seat], row.deal, bytes.fromhex(given.link))
        except (NoSuchLink, WrongLink) as error:
            raise Broken(f"{self.match}: {error}") from None

    def verify_deal(self, deal: str, leader: int | None) -> None:
        """See that a round is dealt by the links that came just before it; `leader` by chance."""
        row, self._next = self._next, None
        if self.tips is None and not self.rows:
            return  # the deals of this table are not fair
        if row is None or self.tips is None:
            raise Broken(f"{self.match}: a round is dealt without links")
        links = {given.seat: bytes.fromhex(given.link) for given in row.links}
        hash_ = list_hash(self.match, self.tips)
        key = deal_key(self.match, row.deal, hash_, bytes.fromhex(row.server), links)
        expected, first = dealt(key, self._seats)
        if str(expected) != deal or leader not in (None, first):
            raise Broken(f"{self.match}: deal {row.deal} does not follow from its links")

    def told(self, event: DealRevealed) -> bool:
        """Tell whether what is told of a deal is what is stored of it."""
        row = self.rows.get(event.deal)
        return row is not None and row == LinksRow(
            event.deal, event.version, event.server, event.links, event.void, event.missing
        )


@dataclass
class Watch:
    """What was told of fair deals to anybody, by match."""

    offered: dict[tuple[str, int], TipList]

    def offers(self, message: TipsOffered) -> None:
        """See that everybody is offered the same list."""
        tips = TipList(message.version, message.server, message.seats)
        known = self.offered.setdefault((message.match, message.version), tips)
        if known != tips:
            raise Broken(f"two lists are offered for {message.match}: {known}, {tips}")

    def told(self, event: TipsAgreed | DealRevealed, logs: Sequence[FairLog]) -> None:
        """See that what is told of a list was offered, and what is told of a deal is stored.

        A match that did not begin has no log, and nothing was dealt in it.
        """
        if isinstance(event, TipsAgreed):
            known = self.offered.get((event.match, event.tips.version), event.tips)
            if known != event.tips:
                raise Broken(f"another list is told than was offered: {event}")
            return
        stored = [log for log in logs if log.match == event.match]
        if not any(log.told(event) for log in stored) and not (event.void and not stored):
            raise Broken(f"told {event}, which is not stored")

    def lost(self) -> None:
        """Forget what was offered: a server that has lost it may offer another."""
        self.offered.clear()


def verify_untold(data: bytes, secrets: Callable[[], Set[str]]) -> None:
    """See that a frame holds nothing of a deal before its time."""
    found = {text.decode() for text in _HEX.findall(data)}
    if found and not found.isdisjoint(secrets()):
        raise Broken("a frame tells of a deal before it is over")
