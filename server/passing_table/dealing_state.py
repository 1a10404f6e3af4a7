"""Where a table and its players are on the way to a fair deal, as values that can be stored."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from passing_protocol.events import DealRevealed, TipsAgreed
from passing_protocol.fair_deal import CHAIN_LINKS, FEWEST_LINKS
from passing_protocol.views import SeatTip, Tip, TipList
from passing_protocol.wire import Count, HexBytes32, Identifier, SeatNumber
from passing_rules import Deal
from passing_table.rows import FairRow, KeptLinks, Secret

MOST_STRIKES: Final = 2
"""Whoever was struck off the list so often in a match contributes to it no more."""


class Player(Secret, frozen=True):
    """Name who is at a seat, as its messages come and as everybody is shown."""

    key: str
    name: str


There = Mapping[int, Player]
"""Those who are there and can contribute, by seat."""


class Stage(StrEnum):
    """Name what is waited for until the next deal."""

    TIPS = "tips"
    AGREEMENT = "agreement"
    LINKS = "links"


class Member(Secret, frozen=True, omit_defaults=True):
    """Hold a contributor: who sits at the seat, and the tip of the software there.

    `answer` is the hash that was agreed to, or the link. Who has `failed` is not waited for.
    """

    seat: SeatNumber
    player: Player
    tip: Tip | None = None
    answer: HexBytes32 | None = None
    failed: bool = False

    def has_links(self, begun: int) -> bool:
        """Tell whether a tip is known whose chain lasts for some more deals."""
        return self.tip is not None and lasts(self.tip.base, begun)


class Struck(Secret, frozen=True):
    """Hold who was struck off the list once, and at which seat."""

    seat: SeatNumber
    player: Player

    def is_same(self, seat: int, player: Player) -> bool:
        """Tell whether it was that player, or is taken for that one: others see seats and names."""
        return self.player.key == player.key or (self.seat, self.player.name) == (seat, player.name)


class DealingState(Secret, frozen=True, omit_defaults=True):
    """Hold all of a match's fair deals that is not in its log.

    `root` is the secret of the server's chain, which begins after deal `base`; `begun` counts the
    deals, whatever became of them. `tips` is the newest list, and `members` who is on it or asked
    for a tip. `owners` has the key of who has shown a tip first on a list, empty for the server's.
    `struck` has one entry for each time that somebody was struck off. With `stopping` the links
    that were asked for still come, but nothing is dealt by them. `live` are the links of the deal
    that is played, and `rows` what the log gets as soon as the match begins.
    """

    match: Identifier
    root: HexBytes32
    base: Count = 0
    begun: Count = 0
    tips: TipList | None = None
    agreed: bool = False
    members: tuple[Member, ...] = ()
    owners: dict[str, str] = field(default_factory=dict[str, str])
    struck: tuple[Struck, ...] = ()
    stage: Stage | None = None
    stopping: bool = False
    live: KeptLinks | None = None
    rows: tuple[FairRow, ...] = ()

    @property
    def version(self) -> int:
        """Return the number of the newest list, 0 before the first."""
        return self.tips.version if self.tips is not None else 0

    def may_contribute(self, there: There) -> dict[int, Player]:
        """Return those, by seat, who are there and not struck off for good."""
        return {
            seat: player
            for seat, player in there.items()
            if sum(one.is_same(seat, player) for one in self.struck) < MOST_STRIKES
        }

    def needs_list(self, there: There) -> bool:
        """Tell whether a new list is due: others contribute now, or a chain is about to end."""
        chains_last = lasts(self.base, self.begun) and all(
            member.has_links(self.begun) for member in self.members
        )
        return not (self.agreed and chains_last) or self.on_it != self.may_contribute(there)

    @property
    def on_it(self) -> dict[int, Player]:
        """Return who is on the list or asked for a tip, by seat."""
        return {member.seat: member.player for member in self.members}

    def is_anothers(self, tip: Tip, key: str) -> bool:
        """Tell whether a tip is of another's chain than of who has that key, or the server's."""
        others = {m.tip.tip for m in self.members if m.tip is not None and m.player.key != key}
        return tip.tip in others or self.owners.get(tip.tip, key) != key

    def with_list(self, server: Tip) -> "DealingState":
        """Return it with a new list of all members' tips, which are theirs from then on."""
        shown = {m.tip.tip: m.player.key for m in self.members if m.tip is not None}
        entries = [entry for entry in map(seat_tip, self.members) if entry is not None]
        tips = TipList(self.version + 1, server, entries)
        owners = {**shown, server.tip: "", **self.owners}
        return replace(self, tips=tips, agreed=False, owners=owners)

    def without(self, members: Iterable[Member]) -> "DealingState":
        """Return it with members struck off; who comes back is on a later list, once."""
        struck = {member.seat: Struck(member.seat, member.player) for member in members}
        kept = tuple(member for member in self.members if member.seat not in struck)
        return replace(self, members=kept, struck=(*self.struck, *struck.values()))


def lasts(base: int, begun: int) -> bool:
    """Tell whether a chain has enough links left to be on a list."""
    return base + CHAIN_LINKS - begun >= FEWEST_LINKS


def seat_tip(member: Member) -> SeatTip | None:
    """Return a member's tip as it stands on a list, None while it is not known."""
    return SeatTip(member.seat, member.tip.base, member.tip.tip) if member.tip else None


class Complete(Secret, frozen=True):
    """Hold a deal to which everybody on the list has contributed, and the leader by chance."""

    match: str
    deal: Deal
    leader: int


class Told(Struct, frozen=True):
    """Hold what has come of the last steps: rows for the log, news, and who is asked anew."""

    rows: list[FairRow]
    events: list[TipsAgreed | DealRevealed]
    wanted: set[int]
