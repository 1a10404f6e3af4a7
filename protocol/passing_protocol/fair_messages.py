"""The messages of a fair deal: tips, the list of them, and links (`messages` has all of them)."""

from msgspec import Struct

from passing_protocol.views import SeatTip, Tip
from passing_protocol.wire import Count, HexBytes32, Identifier, Milliseconds


class ShowTip(Struct, frozen=True, tag_field="type", tag="tip"):
    """Answer `contribute`: the tip of a hash chain made for this match at this table.

    Its first link is for deal `base` + 1.
    """

    id: Count
    table: Identifier
    match: Identifier
    base: Count
    tip: HexBytes32


class TipsOk(Struct, frozen=True, tag_field="type", tag="tips_ok"):
    """Answer `tips`: the hash of the list, which is agreed to with that."""

    id: Count
    table: Identifier
    match: Identifier
    version: Count
    hash: HexBytes32


class GiveLink(Struct, frozen=True, tag_field="type", tag="link"):
    """Answer `link_wanted`: one's link for that deal."""

    id: Count
    table: Identifier
    match: Identifier
    deal: Count
    link: HexBytes32

    def __repr__(self) -> str:
        """Name the deal, and keep its link to oneself until everybody is shown it."""
        return f"<GiveLink for deal {self.deal} of {self.match}>"


class Contribute(Struct, frozen=True, tag_field="type", tag="contribute"):
    """Ask the software at a seat for the tip of a new chain; `base` deals have been begun."""

    seq: Count
    table: Identifier
    match: Identifier
    base: Count
    within_ms: Milliseconds


class TipsOffered(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="tips"):
    """Ask the software at a seat to agree to a list of tips; `version` counts the lists of a match.

    `server` is the server's own tip, `seats` has those who contribute, by seat.
    """

    seq: Count
    table: Identifier
    match: Identifier
    version: Count
    server: Tip
    seats: list[SeatTip]
    within_ms: Milliseconds


class LinkWanted(Struct, frozen=True, tag_field="type", tag="link_wanted"):
    """Ask the software at a seat for its link of a deal, under the agreed list `version`."""

    seq: Count
    table: Identifier
    match: Identifier
    version: Count
    deal: Count
    within_ms: Milliseconds
