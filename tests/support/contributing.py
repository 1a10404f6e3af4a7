"""What the software of a client does in fair deals, written for tests, and how it checks them."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field

from passing_protocol.deals import dealt
from passing_protocol.events import DealRevealed, Event, TipsAgreed
from passing_protocol.fair_deal import Chain, deal_key, list_hash, verify_link
from passing_protocol.fair_messages import (
    Contribute,
    GiveLink,
    LinkWanted,
    ShowTip,
    TipsOffered,
    TipsOk,
)
from passing_protocol.views import TipList
from passing_rules import Deal

Part = ShowTip | TipsOk | GiveLink
Asked = Contribute | TipsOffered | LinkWanted


@dataclass
class Software:
    """Answer all that is asked for, and remember what was agreed to and given."""

    name: str
    chains: dict[str, Chain] = field(default_factory=dict[str, Chain])
    lists: dict[tuple[str, int], TipList] = field(default_factory=dict[tuple[str, int], TipList])
    given: dict[tuple[str, int], str] = field(default_factory=dict[tuple[str, int], str])
    made: int = 0

    def answer(self, asked: Asked) -> Part:
        match asked:
            case Contribute(table=table, match=match, base=base):
                return self.tip(table, match, base)
            case TipsOffered(table=table, match=match, version=version):
                tips = TipList(version, asked.server, asked.seats)
                self.lists[match, version] = tips
                return TipsOk(0, table, match, version, list_hash(match, tips).hex())
            case LinkWanted(table=table, match=match, deal=deal):
                link = self.chains[match].link(deal).hex()
                self.given[match, deal] = link
                return GiveLink(0, table, match, deal, link)

    def tip(self, table: str, match: str, base: int) -> ShowTip:
        """The tip of a chain for the match, made anew if the one there is does not last."""
        chain = self.chains.get(match)
        if chain is None or chain.left(base) < 8:
            self.made += 1
            root = hashlib.sha256(f"{self.name} {match} {self.made}".encode()).digest()
            chain = self.chains[match] = Chain(root, base)
        return ShowTip(0, table, match, chain.base, chain.shown.tip)

    def forget(self) -> None:
        """Lose all chains."""
        self.chains.clear()


@dataclass
class Checks:
    """Hold reveals against what was agreed to, and tell which deal follows from each."""

    lists: dict[tuple[str, int], TipList] = field(default_factory=dict[tuple[str, int], TipList])
    reveals: dict[tuple[str, int], DealRevealed] = field(
        default_factory=dict[tuple[str, int], DealRevealed]
    )

    def take(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, TipsAgreed):
                assert self.lists.setdefault((event.match, event.tips.version), event.tips)
            elif isinstance(event, DealRevealed):
                assert (event.match, event.deal) not in self.reveals, "two outcomes of one deal"
                self.reveals[event.match, event.deal] = event
                self._verify(event)

    def _verify(self, event: DealRevealed) -> None:
        tips = self.lists.get((event.match, event.version))
        if tips is None:
            assert event.void
            return
        verify_link(tips.server, event.deal, bytes.fromhex(event.server))
        entries = {entry.seat: entry for entry in tips.seats}
        for given in event.links:
            verify_link(entries[given.seat], event.deal, bytes.fromhex(given.link))
        there = {given.seat for given in event.links}
        assert there.isdisjoint(event.missing)
        assert event.void or there == set(entries)
        assert there | set(event.missing) <= set(entries)

    def deal(self, match: str, number: int, seats: int) -> tuple[Deal, int]:
        """The deal and the leader that follow from what was revealed of a deal."""
        return deal_of(self.reveals[match, number], self.lists, seats)


def deal_of(
    event: DealRevealed, lists: dict[tuple[str, int], TipList], seats: int
) -> tuple[Deal, int]:
    """The deal that follows from links and the list that was agreed to."""
    hash_ = list_hash(event.match, lists[event.match, event.version])
    links = {given.seat: bytes.fromhex(given.link) for given in event.links}
    key = deal_key(event.match, event.deal, hash_, bytes.fromhex(event.server), links)
    return dealt(key, seats)
