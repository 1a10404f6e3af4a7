"""Ways for a server to cheat at fair deals, each of them a few parts of ours replaced."""

from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Final
from unittest.mock import patch

from msgspec.structs import replace

from passing_protocol.deals import dealt
from passing_protocol.fair_deal import Chain
from passing_protocol.fair_messages import TipsOffered
from passing_protocol.views import Tip
from passing_rules import Deal
from passing_server.rooms import Room, Telling
from passing_server.sessions import Session
from passing_table import kept
from passing_table.dealing import Dealing, Wanted
from passing_table.dealing_desk import DealingDesk
from passing_table.dealing_state import Complete, Stage, There
from passing_table.kept_values import KeptDealing
from passing_table.rows import KeptLinks

Patches = Sequence[tuple[object, str, object]]
"""What is replaced: where it is, what it is called, and by what."""

_deal: Callable[[Dealing], Complete] = vars(Dealing)["_deal"]
_links: Callable[..., KeptLinks] = vars(Dealing)["_links"]
_look_for_links: Callable[[Dealing, int, There], Complete | None] = vars(Dealing)["_look_for_links"]
_ask_for_links: Callable[[Dealing, int], None] = vars(Dealing)["_ask_for_links"]
_wanted = Dealing.wanted
_update = Telling.update
_snapshot = Room.snapshot


@contextmanager
def planted(patches: Patches) -> Generator[None]:
    """Have parts of the server replaced for a while."""
    with ExitStack() as stack:
        for target, attribute, replacement in patches:
            stack.enter_context(patch.object(target, attribute, replacement))
        yield


# --- another deal than the links give


def swapped(dealing: Dealing) -> Complete:
    """Swap a tile of seat 0 for one of seat 1."""
    complete = _deal(dealing)
    one, other, *others = (list(hand) for hand in complete.deal.hands)
    one[0], other[0] = other[0], one[0]
    hands = (tuple(hand) for hand in (one, other, *others))
    return replace(complete, deal=Deal(tuple(hands), complete.deal.boneyard))


def chosen(dealing: Dealing) -> Complete:
    """Deal something else, in which seat 0 leads where chance says who does."""
    complete = _deal(dealing)
    deal, leader, tries = complete.deal, -1, 0
    while leader != 0:
        tries += 1
        deal, leader = dealt(bytes([tries]) * 32, len(deal.hands))
    return Complete(complete.match, deal, leader)


# --- links


def shown_early(dealing: Dealing) -> Complete:
    """Show the links as soon as they are used."""
    complete = _deal(dealing)
    live = dealing.state.live
    if live is not None:
        vars(dealing)["_told"].events.append(live.revealed(complete.match))
    return complete


def left_out(dealing: Dealing, **given: object) -> KeptLinks:
    """Deal without the links of all but the lowest seat, though they have come."""
    links = _links(dealing, **given)
    return replace(links, links=links.links[:1])


def called_absent(dealing: Dealing, now: int, there: There) -> Complete | None:
    """Say of a link that has come that it has not, and begin anew, now and then."""
    members = dealing.state.members
    complete = bool(members) and all(member.answer is not None for member in members)
    if complete and dealing.state.begun % 2 and not dealing.state.stopping:
        last = replace(members[-1], answer=None, failed=True)
        dealing.state = replace(dealing.state, members=(*members[:-1], last))
    return _look_for_links(dealing, now, there)


def not_counted(dealing: Dealing, now: int) -> None:
    """Use the first link for every deal."""
    _ask_for_links(dealing, now)
    dealing.state = replace(dealing.state, begun=1)


def another_link(dealing: Dealing, **given: object) -> KeptLinks:
    """Use a link of another chain of the server's, chosen when all links are there."""
    links = _links(dealing, **given)
    return replace(links, server=_other_chain(dealing).link(dealing.state.begun).hex())


def another_chain(desk: DealingDesk, value: KeptDealing, seats: int, now: int) -> None:
    """Go on with another chain than before the server was killed."""
    state = replace(value.state, root=desk.source.new_root().hex())
    dealing = desk.dealing = Dealing(desk.source, state, seats)
    left = value.left_ms
    dealing.deadline = None if left is None else now + left


def _other_chain(dealing: Dealing) -> Chain:
    """Return a chain that the server has up its sleeve."""
    return Chain(bytes(32), dealing.state.base)


# --- lists


def two_lists(dealing: Dealing, table: str, seat: int, key: str, now: int) -> Wanted | None:
    """Offer another list to every other seat."""
    wanted = _wanted(dealing, table, seat, key, now)
    if isinstance(wanted, TipsOffered) and seat % 2:
        other = _other_chain(dealing)
        _told_otherwise[wanted.server.tip.encode()] = other.tip.hex().encode()
        return replace(wanted, server=Tip(other.base, other.tip.hex()))
    return wanted


def any_agreement(
    dealing: Dealing, seat: int, key: str, match: str, version: int, hash_: str
) -> None:
    """Take any hash for the right one."""
    members = dealing.state.members
    if dealing.state.stage is Stage.AGREEMENT:
        agreed = tuple(replace(m, answer=hash_) if m.seat == seat else m for m in members)
        dealing.state = replace(dealing.state, members=agreed)


_told_otherwise: dict[bytes, bytes] = {}
"""What every other seat is told in the place of the server's tips and links."""


def links_of_two(dealing: Dealing, **given: object) -> KeptLinks:
    """Have the link of the other chain ready for those who were offered its tip."""
    links = _links(dealing, **given)
    other = _other_chain(dealing).link(links.deal)
    _told_otherwise[links.server.encode()] = other.hex().encode()
    return links


def two_updates(telling: Telling, session: Session) -> bytes:
    """Tell every other seat of the other chain, whatever happens."""
    return _otherwise(vars(telling)["_room"], session, _update(telling, session))


def two_snapshots(room: Room, now: int, session: Session, re: int | None = None) -> bytes:
    """Show every other seat the other chain."""
    return _otherwise(room, session, _snapshot(room, now, session, re))


def _otherwise(room: Room, session: Session, data: bytes) -> bytes:
    if (room.table.seats.decides(session.id) or 0) % 2:
        for true, other in _told_otherwise.items():
            data = data.replace(true, other)
    return data


CHEATS: Final[dict[str, Patches]] = {
    "swaps a tile": [(Dealing, "_deal", swapped)],
    "chooses a deal late": [(Dealing, "_deal", chosen)],
    "shows links early": [(Dealing, "_deal", shown_early)],
    "leaves out a link that has come": [(Dealing, "_links", left_out)],
    "calls a contributor absent": [(Dealing, "_look_for_links", called_absent)],
    "uses a link twice": [(Dealing, "_ask_for_links", not_counted)],
    "uses a link that was not fixed before": [(Dealing, "_links", another_link)],
    "restores another chain": [(kept, "_resume_dealing", another_chain)],
    "offers two lists": [(Dealing, "wanted", two_lists), (Dealing, "agree", any_agreement)],
    "keeps two lists apart": [
        (Dealing, "wanted", two_lists),
        (Dealing, "agree", any_agreement),
        (Dealing, "_links", links_of_two),
        (Telling, "update", two_updates),
        (Room, "snapshot", two_snapshots),
    ],
}
"""What is replaced for each way to cheat."""
