"""Vectors of fair deals: chains, lists of tips, and the deals that follow from links."""

from typing import Any

from passing_protocol.deals import dealt
from passing_protocol.fair_deal import (
    CHAIN_LINKS,
    Chain,
    deal_key,
    list_hash,
    table_code,
)
from passing_protocol.views import SeatTip, TipList

Vector = dict[str, Any]

ROOTS = (b"\x00" * 32, b"\x5a" * 32, b"\xff" * 32, bytes(range(32)))


def fair_vectors() -> list[Vector]:
    """Return all of them."""
    return [*_chains(), *_lists(), *_deals()]


def _chains() -> list[Vector]:
    return [
        {
            "name": "chain",
            "root": root.hex(),
            "base": base,
            "tip": Chain(root, base).tip.hex(),
            "links": {
                str(base + index): Chain(root, base).link(base + index).hex()
                for index in (1, 2, CHAIN_LINKS - 1, CHAIN_LINKS)
            },
        }
        for root, base in zip(ROOTS, (0, 0, 17, 250), strict=True)
    ]


def _list(seats: tuple[int, ...], version: int, base: int) -> TipList:
    """Return a list in which each seat has its own root and another base."""
    server = Chain(ROOTS[3], base)
    entries = [
        SeatTip(seat, base - seat, Chain(ROOTS[seat % 3], base - seat).tip.hex()) for seat in seats
    ]
    return TipList(version, server.shown, entries)


_LISTS = (
    ("m1", _list((), 1, 0)),
    ("m1", _list((0,), 1, 0)),
    ("m1", _list((0, 1), 2, 5)),
    ("μ7", _list((1, 3), 3, 12)),
    ("m1", _list((0, 1, 2, 3), 4, 250)),
)


def _lists() -> list[Vector]:
    found: list[Vector] = []
    for match, tips in _LISTS:
        hash_ = list_hash(match, tips)
        found.append(
            {"name": "list", "match": match, **_told(tips), "hash": hash_.hex(),
             "code": table_code(hash_)}
        )  # fmt: skip
    return found


def _told(tips: TipList) -> Vector:
    return {
        "version": tips.version,
        "server": {"base": tips.server.base, "tip": tips.server.tip},
        "seats": [{"seat": e.seat, "base": e.base, "tip": e.tip} for e in tips.seats],
    }


def _deals() -> list[Vector]:
    found: list[Vector] = []
    for match, tips in _LISTS:
        for seats in (2, 3, 4):
            deal = tips.server.base + 1
            server = Chain(ROOTS[3], tips.server.base).link(deal)
            links = {
                entry.seat: Chain(ROOTS[entry.seat % 3], entry.base).link(deal)
                for entry in tips.seats
            }
            hash_ = list_hash(match, tips)
            key = deal_key(match, deal, hash_, server, links)
            tiles, leader = dealt(key, seats)
            found.append(
                {
                    "name": "deal",
                    "match": match,
                    "deal_number": deal,
                    "hash": hash_.hex(),
                    "server": server.hex(),
                    "links": [{"seat": seat, "link": link.hex()} for seat, link in links.items()],
                    "seats": seats,
                    "key": key.hex(),
                    "deal": str(tiles),
                    "leader": leader,
                }
            )
    return found
