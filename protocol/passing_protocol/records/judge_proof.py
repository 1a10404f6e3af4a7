"""Check that the deals of a record follow from the links that were shown of them."""

from collections.abc import Sequence

from passing_protocol.fair_deal import (
    NoSuchLink,
    WrongLink,
    deal_of,
    verify_link,
)
from passing_protocol.records.proof import Proof, ProvenDeal, ProvenList
from passing_protocol.records.reader import InvalidRecord, invalid
from passing_protocol.records.record import RoundRecord
from passing_protocol.records.tag_section import TagSection
from passing_protocol.views import DealKind, SeatTip, Tip, TipList
from passing_rules import Deal, next_leader


class ProofJudge:
    """Judge the proof of one game line by line, after its rounds."""

    def __init__(self, text: str, tags: TagSection, rounds: Sequence[RoundRecord]) -> None:
        """Begin before the first line."""
        self._text = text
        self._tags = tags
        self._rounds = rounds
        self._lists: dict[int, TipList] = {}
        self._deal = self._round = self._version = 0

    def verify(self, proof: Proof, at: int) -> None:
        """Raise InvalidRecord unless a line, which begins at a place, can stand there."""
        wrong = self._wrong(proof)
        if wrong is not None:
            raise self._invalid(at, wrong)

    def _invalid(self, at: int, message: str) -> InvalidRecord:
        return invalid(self._text, at, message)

    def _wrong(self, proof: Proof) -> str | None:
        """Return what is wrong with a line, if something is."""
        if self._tags.deal_kind is not DealKind.FAIR:
            return f"a proof is told, the deals are {self._tags.deal_kind}"
        if self._tags.match is None:
            return "a proof is told, which needs the tag Match"
        if isinstance(proof, ProvenList):
            return self._wrong_list(proof.tips)
        return self._wrong_deal(proof, self._tags.match)

    def _wrong_list(self, tips: TipList) -> str | None:
        if tips.version <= self._version:
            return f"list {tips.version}, expected one after {self._version}"
        self._version = tips.version
        self._lists[tips.version] = tips
        return None

    def _wrong_deal(self, proof: ProvenDeal, match: str) -> str | None:
        if proof.deal <= self._deal:
            return f"deal {proof.deal}, expected one after {self._deal}"
        self._deal = proof.deal
        tips = self._lists.get(proof.version)
        if tips is None:
            return f"list {proof.version} is not told before"
        wrong = _wrong_seats(proof, tips) or _wrong_links(proof, tips)
        if wrong is not None or proof.round is None:
            return wrong
        return self._wrong_round(proof, proof.round, tips, match)

    def _wrong_round(self, proof: ProvenDeal, number: int, tips: TipList, match: str) -> str | None:
        """Compare a round with the deal that follows from its links."""
        if not self._round < number <= len(self._rounds):
            return f"round {number} is not one that is told and not proven yet"
        self._round = number
        played = self._rounds[number - 1]
        if played.result is None and not self._tags.view.full:
            return f"the links of round {number} are told, the {self._tags.view} view hides it"
        seats = self._tags.options.seats
        deal, leader = deal_of(match, tips, proof.deal, proof.server, proof.links, seats)
        if not _fits(played, deal):
            return f"the tiles of round {number} do not follow from the links of deal {proof.deal}"
        last = self._rounds[number - 2].result if number > 1 else None
        if next_leader(self._tags.options, last) is None and leader != played.leader:
            return f"round {number} is led by {played.leader}, its links give {leader}"
        return None


def _wrong_seats(proof: ProvenDeal, tips: TipList) -> str | None:
    """Return what is wrong where links are not those of the seats on the list."""
    listed = {entry.seat for entry in tips.seats}
    given = {entry.seat for entry in proof.links}
    if given - listed:
        return f"seat {min(given - listed)} is not on list {proof.version}"
    if listed - given and proof.round is not None:
        return f"the link of seat {min(listed - given)} is not told"
    return None


def _wrong_links(proof: ProvenDeal, tips: TipList) -> str | None:
    """Return what is wrong where a link does not lead to its tip."""
    if not _leads(tips.server, proof.deal, proof.server):
        return "the server's link does not lead to its tip"
    entries = {entry.seat: entry for entry in tips.seats}
    for given in proof.links:
        if not _leads(entries[given.seat], proof.deal, given.link):
            return f"the link of seat {given.seat} does not lead to its tip"
    return None


def _leads(tip: Tip | SeatTip, deal: int, link: str) -> bool:
    try:
        verify_link(tip, deal, bytes.fromhex(link))
    except (NoSuchLink, WrongLink):
        return False
    return True


def _fits(played: RoundRecord, deal: Deal) -> bool:
    """Tell whether all tiles of a round that are known are those of a deal."""
    hands = all(
        {tile for tile in told if tile is not None} <= set(hand)
        for told, hand in zip(played.hands, deal.hands, strict=True)
    )
    boneyard = zip(played.boneyard, deal.boneyard, strict=True)
    return hands and all(told in (None, tile) for told, tile in boneyard)
