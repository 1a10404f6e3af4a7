"""What was shown of fair deals, as values of a record: lists of tips, and links of deals."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from passing_protocol.events import DealRevealed, SeatLink
from passing_protocol.records.quoting import InvalidValue
from passing_protocol.views import TipList

BYTES: Final = re.compile("[0-9a-f]{64}(?![0-9a-zA-Z])")
"""32 bytes in hexadecimal digits."""


@dataclass(frozen=True, slots=True)
class ProvenList:
    """Record a list of tips that was agreed to; raises InvalidValue."""

    tips: TipList

    def __post_init__(self) -> None:
        """Refuse what would be read as another list."""
        _verify_bytes(self.tips.server.tip, *(entry.tip for entry in self.tips.seats))
        _verify_ascending(entry.seat for entry in self.tips.seats)

    def __str__(self) -> str:
        """Write it as it stands in a record."""
        server = self.tips.server
        seats = "".join(f" seat {e.seat} {e.base} {e.tip}" for e in self.tips.seats)
        return f"[Proof list {self.tips.version} server {server.base} {server.tip}{seats}]"


@dataclass(frozen=True, slots=True)
class ProvenDeal:
    """Record the links of a deal, of the round of that number; raises InvalidValue.

    `deal` counts the deals of the match. `round` is None for one that became nothing, where links
    of the seats that are `missing` did not come.
    """

    deal: int
    version: int
    server: str
    links: tuple[SeatLink, ...]
    round: int | None
    missing: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what would be read as another deal."""
        _verify_bytes(self.server, *(given.link for given in self.links))
        _verify_ascending(given.seat for given in self.links)
        _verify_ascending(self.missing)
        if self.missing and self.round is not None:
            raise InvalidValue(f"missing: {self.missing} of a deal that was played")

    @classmethod
    def shown(cls, event: DealRevealed, round_number: int) -> "ProvenDeal":
        """Return a deal as everybody was shown it; the number counts where it is not void."""
        return cls(
            event.deal,
            event.version,
            event.server,
            tuple(event.links),
            None if event.void else round_number,
            tuple(event.missing),
        )

    def __str__(self) -> str:
        """Write it as it stands in a record."""
        kind = f"void {self.deal}" if self.round is None else f"deal {self.deal} round {self.round}"
        seats = "".join(f" seat {given.seat} {given.link}" for given in self.links)
        missing = f" missing {' '.join(map(str, self.missing))}" if self.missing else ""
        return f"[Proof {kind} list {self.version} server {self.server}{seats}{missing}]"


Proof = ProvenList | ProvenDeal


def shown_before(proof: Iterable[Proof], hidden: frozenset[int]) -> tuple[Proof, ...]:
    """Return what may be known of a proof while those rounds are hidden: all lists, earlier deals.

    A link leads to all before it, so nothing that comes after a hidden deal may be known either.
    """
    shown: list[Proof] = []
    is_open = True
    for entry in proof:
        if isinstance(entry, ProvenDeal):
            is_open = is_open and entry.round not in hidden
        if is_open or isinstance(entry, ProvenList):
            shown.append(entry)
    return tuple(shown)


def _verify_bytes(*texts: str) -> None:
    for text in texts:
        if not BYTES.fullmatch(text):
            raise InvalidValue(f"proof: {text!r}, allowed are 64 hexadecimal digits")


def _verify_ascending(seats: Iterable[int]) -> None:
    found = list(seats)
    if found != sorted(set(found)):
        raise InvalidValue(f"proof: seats {found}, allowed are ascending ones")
