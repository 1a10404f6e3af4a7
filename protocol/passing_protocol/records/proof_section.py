"""Read the proof of a game's deals, which stands at its end."""

from passing_protocol.events import SeatLink
from passing_protocol.records.proof import BYTES, Proof, ProvenDeal, ProvenList
from passing_protocol.records.reader import Reader
from passing_protocol.views import SeatTip, Tip, TipList

PROOF = "[Proof "
"""How each of its lines begins."""


def read_proof(reader: Reader, seats: int) -> tuple[Proof, int]:
    """Read one line of a proof at a table of so many seats, and where it begins."""
    reader.mark(PROOF)
    at = reader.at
    kind = reader.choice("list", "deal", "void")
    number = reader.number(f"the number of the {'list' if kind == 'list' else 'deal'}")
    proof = _list(reader, number, seats) if kind == "list" else _deal(reader, kind, number, seats)
    reader.mark("]")
    reader.end_line()
    return proof, at


def _bytes(reader: Reader) -> str:
    return reader.piece(BYTES, "64 hexadecimal digits")


def _list(reader: Reader, version: int, seats: int) -> ProvenList:
    reader.choice("server")
    server = Tip(reader.number("the base of a chain"), _bytes(reader))
    entries: list[SeatTip] = []
    while reader.next_is("seat"):
        seat = _seat(reader, entries[-1].seat if entries else -1, seats)
        entries.append(SeatTip(seat, reader.number("the base of a chain"), _bytes(reader)))
    return ProvenList(TipList(version, server, entries))


def _deal(reader: Reader, kind: str, number: int, seats: int) -> ProvenDeal:
    played = None
    if kind == "deal":
        reader.choice("round")
        played = reader.number("the number of the round")
    reader.choice("list")
    version = reader.number("the number of the list")
    reader.choice("server")
    server = _bytes(reader)
    links: list[SeatLink] = []
    while reader.next_is("seat"):
        seat = _seat(reader, links[-1].seat if links else -1, seats)
        links.append(SeatLink(seat, _bytes(reader)))
    missing: list[int] = []
    if kind == "void" and reader.next_is("missing"):
        reader.choice("missing")
        missing = reader.ascending("a seat", seats, "]")
    return ProvenDeal(number, version, server, tuple(links), played, tuple(missing))


def _seat(reader: Reader, before: int, seats: int) -> int:
    """Read a seat, which comes after the one before."""
    reader.choice("seat")
    return reader.number("a higher seat", range(before + 1, seats))
