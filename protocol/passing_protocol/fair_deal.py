"""The arithmetic of fair deals: chains of links, the list of tips, and the deal that follows.

Everybody who takes part in the deals of a match, the server too, makes a chain before the first
tile is dealt and shows its end. Each deal takes one link of everyone (PROTOCOL.md, "Fair deals").
Where roots come from, and who asks whom for what and when, is the business of the callers.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from passing_protocol.deals import dealt, derive, number_bytes
from passing_protocol.events import SeatLink
from passing_protocol.spoken import slow_hash, spoken
from passing_protocol.views import SeatTip, Tip, TipList
from passing_rules import Deal

CHAIN_LINKS: Final = 256
"""How many deals a chain is good for."""

FEWEST_LINKS: Final = 8
"""A chain with fewer links left is replaced before the next deal."""

ROOT_BYTES: Final = 32

_LINK_LABEL: Final = b"passing-game link"
_TIPS_LABEL: Final = b"passing-game tips"
_DEAL_LABEL: Final = b"passing-game fair deal"
_CODE_SALT: Final = b"passing-game table code"
_CODE_BYTES: Final = 5


class NoSuchLink(ValueError):
    """Raised when a chain has no link for a deal: it begins later, or is used up."""


class WrongLink(ValueError):
    """Raised when what is shown as the link of a deal does not lead to its tip."""


def link_before(link: bytes) -> bytes:
    """Return what a link hashes to: the link of the deal before, or the tip."""
    return hashlib.sha256(_LINK_LABEL + link).digest()


def _hashed(link: bytes, times: int) -> bytes:
    for _ in range(times):
        link = link_before(link)
    return link


def link_index(base: int, deal: int) -> int:
    """Return which link of a chain is for a deal, 1 to 256; raises NoSuchLink.

    >>> link_index(base=7, deal=8)
    1
    """
    index = deal - base
    if not 1 <= index <= CHAIN_LINKS:
        first, last = base + 1, base + CHAIN_LINKS
        raise NoSuchLink(f"deal: {deal}, the chain is for deals {first} to {last}")
    return index


@dataclass(frozen=True, slots=True)
class Chain:
    """Hold a secret chain: its root of 32 bytes, and how many deals were begun before its first.

    `repr` shows neither root nor links.
    """

    root: bytes = field(repr=False)
    base: int
    tip: bytes = field(init=False, compare=False)
    """The end that everybody sees: 32 bytes."""

    def __post_init__(self) -> None:
        """Hash the root down to the tip."""
        object.__setattr__(self, "tip", _hashed(self.root, CHAIN_LINKS))

    def link(self, deal: int) -> bytes:
        """Return the secret link for the deal of that number in its match; raises NoSuchLink."""
        return _hashed(self.root, CHAIN_LINKS - link_index(self.base, deal))

    def left(self, begun: int) -> int:
        """Return how many links are left when so many deals have been begun in the match."""
        return max(0, self.base + CHAIN_LINKS - begun)

    @property
    def shown(self) -> Tip:
        """Return what is shown of the chain."""
        return Tip(self.base, self.tip.hex())


def verify_link(tip: Tip | SeatTip, deal: int, link: bytes) -> None:
    """Raise WrongLink or NoSuchLink unless the link of that deal leads to the tip."""
    if _hashed(link, link_index(tip.base, deal)).hex() != tip.tip:
        raise WrongLink(f"link: the one shown for deal {deal} does not lead to the tip")


def list_hash(match: str, tips: TipList) -> bytes:
    """Return the 32 bytes that stand for a list of tips: what everybody agrees to."""
    parts = [
        match.encode(),
        number_bytes(tips.version),
        number_bytes(tips.server.base),
        bytes.fromhex(tips.server.tip),
    ]
    for entry in sorted(tips.seats, key=lambda entry: entry.seat):
        parts += [
            number_bytes(entry.seat),
            number_bytes(entry.base),
            bytes.fromhex(entry.tip),
        ]
    return derive(_TIPS_LABEL, *parts)


@lru_cache(maxsize=16)
def table_code(hash_: bytes) -> str:
    """Return what people compare of a list's hash: `XXXX-XXXX`, 40 bits of its scrypt.

    It takes about 60 ms the first time: a server has seconds to look for two lists with the same
    code, and would need about a million tries.
    """
    code = spoken(slow_hash(hash_, _CODE_SALT, _CODE_BYTES), 8)
    return f"{code[:4]}-{code[4:]}"


def deal_key(
    match: str, deal: int, hash_: bytes, server_link: bytes, links: Mapping[int, bytes]
) -> bytes:
    """Return the key of a deal: 32 bytes that need the link of everyone on the list.

    `hash_` is that of the list of tips, `links` has the seats' links by seat.
    """
    given = [links[seat] for seat in sorted(links)]
    return derive(server_link, _DEAL_LABEL, match.encode(), number_bytes(deal), hash_, *given)


def deal_of(
    match: str, tips: TipList, deal: int, server: str, links: Iterable[SeatLink], seats: int
) -> tuple[Deal, int]:
    """Return the deal that follows from everybody's links under a list, and who leads by chance.

    `server` and the `links` are as they are shown.
    """
    given = {one.seat: bytes.fromhex(one.link) for one in links}
    hash_ = list_hash(match, tips)
    return dealt(deal_key(match, deal, hash_, bytes.fromhex(server), given), seats)
