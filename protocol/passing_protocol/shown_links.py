"""What one client has agreed to and given for the deals of a match, and what is shown of it."""

from dataclasses import dataclass, field

from passing_protocol.events import DealRevealed
from passing_protocol.fair_deal import (
    NoSuchLink,
    WrongLink,
    deal_of,
    list_hash,
    verify_link,
)
from passing_protocol.verdicts import Reason
from passing_protocol.views import TipList
from passing_rules import Deal


class Broken(Exception):
    """Raised when the server has broken a rule of fair deals."""

    def __init__(self, reason: Reason, seats: tuple[int, ...] = ()) -> None:
        """Keep the rule and the seats it is about."""
        super().__init__(reason.value)
        self.reason = reason
        self.seats = seats


@dataclass(frozen=True, slots=True)
class Agreed:
    """Hold a list of tips that this client has agreed to; `seat` is where its own tip is."""

    match: str
    tips: TipList
    seat: int
    hash: bytes

    @classmethod
    def to(cls, match: str, tips: TipList, seat: int) -> "Agreed":
        """Return a list with its hash."""
        return cls(match, tips, seat, list_hash(match, tips))

    @property
    def seats(self) -> set[int]:
        """Return the seats that contribute."""
        return {entry.seat for entry in self.tips.seats}


@dataclass(slots=True)
class Given:
    """Remember the link that was given for a deal, until that deal is over.

    `received` tells whether the server has shown that it came, `gap` that messages may have been
    missed since, `restarted` that the server may have lost what it had, `is_other` that everybody
    was told of another list meanwhile.
    """

    deal: int
    agreed: Agreed
    link: bytes = field(repr=False)
    received: bool = False
    gap: bool = False
    restarted: bool = False
    is_other: bool = False

    def verify(self, shown: DealRevealed) -> None:
        """Raise Broken unless what is shown is what was given, under the list agreed to.

        Of a deal that became nothing, links may be missing, but this client's own only if it
        cannot be told whether it came.
        """
        if shown.version != self.agreed.tips.version:
            raise Broken(Reason.OTHER_LIST)
        links = {given.seat: given.link for given in shown.links}
        own = links.get(self.agreed.seat)
        if own is None and (self.is_sure or not shown.void):
            raise Broken(Reason.OWN_LINK_MISSING, (self.agreed.seat,))
        if own not in (None, self.link.hex()) or not links.keys() <= self.agreed.seats:
            raise Broken(Reason.WRONG_LINK)
        self._verify_tips(shown, links)
        absent = self.agreed.seats - links.keys()
        if absent and not shown.void:
            raise Broken(Reason.LINKS_MISSING, tuple(sorted(absent)))

    def _verify_tips(self, shown: DealRevealed, links: dict[int, str]) -> None:
        """Raise Broken unless every link that is shown leads to its tip."""
        try:
            verify_link(self.agreed.tips.server, self.deal, bytes.fromhex(shown.server))
            for entry in self.agreed.tips.seats:
                if entry.seat in links:
                    verify_link(entry, self.deal, bytes.fromhex(links[entry.seat]))
        except (WrongLink, NoSuchLink):
            raise Broken(Reason.WRONG_LINK) from None

    @property
    def is_sure(self) -> bool:
        """Tell whether the server has this client's link beyond doubt."""
        return self.received and not self.restarted

    def dealt(self, shown: DealRevealed, seats: int) -> tuple[Deal, int]:
        """Return the deal that follows from the links, and the leader that chance picks with it."""
        agreed = self.agreed
        return deal_of(agreed.match, agreed.tips, self.deal, shown.server, shown.links, seats)
