"""Servers whose deals are not fair, which the simulation has to find."""

from msgspec.structs import replace

from passing_protocol.deals import dealt
from passing_protocol.fair_deal import Chain
from passing_protocol.fair_messages import TipsOffered
from passing_protocol.views import Tip
from passing_rules import Deal
from passing_table import kept
from passing_table.dealing import Dealing, Wanted
from passing_table.dealing_desk import DealingDesk
from passing_table.dealing_state import Complete, Stage, There
from passing_table.kept_values import KeptDealing
from passing_table.rows import KeptLinks
from tests.simulation.faulty import Mutant

_deal = vars(Dealing)["_deal"]
_look_for_links = vars(Dealing)["_look_for_links"]
_ask_for_links = vars(Dealing)["_ask_for_links"]
_wanted = Dealing.wanted


def chosen(dealing: Dealing) -> Complete:
    """Deal by the links only where seat 0 leads."""
    complete: Complete = _deal(dealing)
    tries = 0
    deal, leader = complete.deal, complete.leader
    while leader != 0:
        tries += 1
        deal, leader = dealt(bytes([tries]) * 32, deal_seats(complete.deal))
    return Complete(complete.match, deal, leader)


def deal_seats(deal: Deal) -> int:
    """How many seats a deal is for."""
    return len(deal.hands)


def shown_early(dealing: Dealing) -> Complete:
    """Show the links as soon as they are used."""
    complete: Complete = _deal(dealing)
    live = dealing.state.live
    if live is not None:
        vars(dealing)["_told"].events.append(live.revealed(complete.match))
    return complete


def dropped(dealing: Dealing, now: int, there: There) -> Complete | None:
    """Say of a link that has come that it has not, and begin anew, now and then."""
    members = dealing.state.members
    complete = bool(members) and all(member.answer is not None for member in members)
    if complete and dealing.state.begun % 2 and not dealing.state.stopping:
        last = replace(members[-1], answer=None, failed=True)
        dealing.state = replace(dealing.state, members=(*members[:-1], last))
    found: Complete | None = _look_for_links(dealing, now, there)
    return found


def two_lists(dealing: Dealing, table: str, seat: int, key: str, now: int) -> Wanted | None:
    """Offer another list to every other seat."""
    wanted = _wanted(dealing, table, seat, key, now)
    if isinstance(wanted, TipsOffered) and seat % 2:
        return replace(wanted, server=Tip(wanted.server.base, "ab" * 32))
    return wanted


def any_agreement(
    dealing: Dealing, seat: int, key: str, match: str, version: int, hash_: str
) -> None:
    """Take any hash for the right one."""
    members = dealing.state.members
    if dealing.state.stage is Stage.AGREEMENT:
        agreed = tuple(replace(m, answer=hash_) if m.seat == seat else m for m in members)
        dealing.state = replace(dealing.state, members=agreed)


def another_chain(desk: DealingDesk, value: KeptDealing, seats: int, now: int) -> None:
    """Go on with another chain than before the server was killed."""
    state = replace(value.state, root=desk.source.new_root().hex())
    dealing = desk.dealing = Dealing(desk.source, state, seats)
    left = value.left_ms
    dealing.deadline = None if left is None else now + left


def not_counted(dealing: Dealing, now: int) -> None:
    """Use every link for two deals."""
    _ask_for_links(dealing, now)
    even = dealing.state.begun - dealing.state.begun % 2
    dealing.state = replace(dealing.state, begun=max(1, even))


def next_link(dealing: Dealing, **given: object) -> KeptLinks:
    """Use a link of another chain of the server's, chosen when all links are there."""
    links: KeptLinks = _links(dealing, **given)
    other = Chain(bytes(32), dealing.state.base)
    return replace(links, server=other.link(dealing.state.begun).hex())


_links = vars(Dealing)["_links"]

UNFAIR = [
    Mutant("chooses a deal late", [(Dealing, "_deal", chosen)]),
    Mutant("shows links early", [(Dealing, "_deal", shown_early)]),
    Mutant("drops a link that has come", [(Dealing, "_look_for_links", dropped)]),
    Mutant("offers two lists", [(Dealing, "wanted", two_lists), (Dealing, "agree", any_agreement)]),
    Mutant("restores another chain", [(kept, "_resume_dealing", another_chain)]),
    Mutant("uses a link twice", [(Dealing, "_ask_for_links", not_counted)]),
    Mutant("uses a link that was not fixed before", [(Dealing, "_links", next_link)]),
]
