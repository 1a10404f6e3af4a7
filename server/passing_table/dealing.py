"""How the next fair deal comes about: tips, a list that all agree to, and a link of everyone.

A list changes only between two deals. A deal takes one link of everyone on its list, the server's
too; what of it is told, and to whom, is the business of the table (`fair_course`).
"""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.events import SeatLink, TipsAgreed
from passing_protocol.fair_deal import (
    Chain,
    NoSuchLink,
    WrongLink,
    deal_of,
    list_hash,
    verify_link,
)
from passing_protocol.fair_messages import Contribute, LinkWanted, TipsOffered
from passing_protocol.views import Tip, TipList
from passing_table.dealing_state import (
    Complete,
    DealingState,
    Member,
    Player,
    Stage,
    There,
    Told,
    lasts,
)
from passing_table.deals import FairDeals
from passing_table.rows import KeptLinks, KeptTips

ANSWER_MS: Final = 5_000
"""How long it is waited for a tip, an agreement or a link: programs give them, not people."""

RETURN_MS: Final = 10_000
"""How long it is waited for those on the list to be back when the server was gone."""

Wanted = Contribute | TipsOffered | LinkWanted


class Dealing:
    """Bring about one fair deal of a match after the other.

    `state` is what has to be stored before anything of it is told.
    """

    def __init__(self, source: FairDeals, state: DealingState, seats: int) -> None:
        """Go on from a state, at a table of so many seats."""
        self.state = state
        self.deadline: int | None = None
        self.patient_until: int | None = None
        """Until when those who are not there are waited for: all were cut off."""
        self._source = source
        self._seats = seats
        self._chain = Chain(bytes.fromhex(state.root), state.base)
        self._told = Told([], [], set())

    @classmethod
    def new(cls, source: FairDeals, match: str, seats: int) -> "Dealing":
        """Return the beginning of a match's deals: nobody was asked for anything."""
        return cls(source, DealingState(match, source.new_root().hex()), seats)

    # --- questions

    @property
    def goes_on(self) -> bool:
        """Tell whether a deal is on its way that is going to be dealt."""
        return self.state.stage is not None and not self.state.stopping

    @property
    def due(self) -> int | None:
        """Return when there is something to look at."""
        if self.deadline is None or self.patient_until is None:
            return self.deadline
        return min(self.deadline, self.patient_until)

    def take(self) -> Told:
        """Return what has come of the steps since the last call."""
        told, self._told = self._told, Told([], [], set())
        return told

    def wanted(self, table: str, seat: int, key: str, now: int) -> Wanted | None:
        """Return what a seat's software is asked for and has not answered; `seq` is 0 still."""
        member = self._member(seat, key)
        state, left = self.state, max(0, (self.deadline or now) - now)
        if member is None or member.failed or self._has_answered(member):
            return None
        match state.stage, state.tips:
            case Stage.TIPS, _:
                return Contribute(0, table, state.match, state.begun, left)
            case Stage.AGREEMENT, TipList(version, server, seats):
                return TipsOffered(0, table, state.match, version, server, seats, left)
            case Stage.LINKS, _:
                return LinkWanted(0, table, state.match, state.version, state.begun, left)
            case _:
                return None

    def _has_answered(self, member: Member) -> bool:
        given = member.tip if self.state.stage is Stage.TIPS else member.answer
        return given is not None

    def _member(self, seat: int, key: str) -> Member | None:
        found = (m for m in self.state.members if (m.seat, m.player.key) == (seat, key))
        return next(found, None)

    # --- what the table does

    def begin(self, now: int, there: There) -> None:
        """Begin with the next deal, or go on with the attempt that was about to stop."""
        if self.state.stage is not None:
            self.state = replace(self.state, stopping=False)
        elif self.state.needs_list(there):
            self._ask_for_tips(now, there)
        else:
            self._ask_for_links(now)

    def stop(self) -> None:
        """Deal nothing for now; links that were asked for still come, and are kept for then."""
        if self.state.stage is Stage.LINKS:
            self.state = replace(self.state, stopping=True)
        else:
            self._rest()

    def break_off(self) -> None:
        """Deal nothing any more, and show all that is not shown yet: the match is over."""
        if self.state.stage is Stage.LINKS:
            self._void([])
        self._rest()
        self.reveal()

    def reveal(self) -> None:
        """Show the links of the deal that is over."""
        live, state = self.state.live, self.state
        if live is not None:
            self.state = replace(state, live=None)
            self._told.events.append(live.revealed(state.match))

    def interrupt(self, now: int) -> None:
        """Wait for everybody to be back who was cut off, with all that was asked asked again."""
        if self.state.stage is not None:
            self.patient_until = self.deadline = now + RETURN_MS

    def look(self, now: int, there: There) -> Complete | None:
        """Go on as far as that is possible now; return the deal when it is complete."""
        if self.patient_until is not None and now >= self.patient_until:
            self.patient_until = None
        before = None
        while before is not self.state:
            before = self.state
            match self.state.stage:
                case Stage.TIPS:
                    self._look_for_tips(now, there)
                case Stage.AGREEMENT:
                    self._look_for_agreement(now, there)
                case Stage.LINKS:
                    complete = self._look_for_links(now, there)
                    if complete is not None:
                        return complete
                case None:
                    pass
        return None

    # --- what the software at a seat does

    def show_tip(self, seat: int, key: str, match: str, tip: Tip) -> None:
        """Take the tip that a member was asked for, or one that replaces a chain that was lost.

        Raises RequestRefused with no_such_deal or malformed.
        """
        member = self._verify(seat, key, match)
        if tip.base > self.state.begun or not lasts(tip.base, self.state.begun):
            raise RequestRefused(
                ErrorCode.MALFORMED,
                f"base {tip.base}: {self.state.begun} deals have been begun.",
                field="base",
            )
        if tip == member.tip:
            return
        if self.state.is_anothers(tip, key):
            detail = "tip: somebody else has shown it in this match."
            raise RequestRefused(ErrorCode.MALFORMED, detail, field="tip")
        is_agreed = self.state.stage is Stage.LINKS and member.answer is not None
        if self.state.stage not in (Stage.TIPS, None) and not is_agreed:
            self._put(replace(member, failed=True))  # the tip on the list has no chain any more
            return
        self._put(replace(member, tip=tip))
        self.state = replace(self.state, agreed=False)

    def agree(self, seat: int, key: str, match: str, version: int, hash_: str) -> None:
        """Take a member's agreement to the newest list; another hash is none.

        Raises RequestRefused with no_such_deal or malformed.
        """
        member = self._verify(seat, key, match)
        tips = self.state.tips
        agreeing = self.state.stage is Stage.AGREEMENT or self.state.agreed
        if tips is None or tips.version != version or not agreeing:
            raise RequestRefused(ErrorCode.NO_SUCH_DEAL)
        right = hash_ == list_hash(match, tips).hex()
        if self.state.stage is Stage.AGREEMENT and member.answer is None:
            self._put(replace(member, answer=hash_ if right else None, failed=not right))
        if not right:
            detail = "hash: it is another list's."
            raise RequestRefused(ErrorCode.MALFORMED, detail, field="hash")

    def give_link(self, seat: int, key: str, match: str, deal: int, link: str) -> None:
        """Take a member's link of the deal that is begun; a false one is none.

        Raises RequestRefused with no_such_deal or malformed.
        """
        member = self._verify(seat, key, match)
        asked = self.state.stage is Stage.LINKS and self.state.begun == deal
        if member.answer == link and asked:
            return
        if not asked or member.tip is None or member.answer is not None:
            raise RequestRefused(ErrorCode.NO_SUCH_DEAL)
        try:
            verify_link(member.tip, deal, bytes.fromhex(link))
        except (NoSuchLink, WrongLink):
            self._put(replace(member, failed=True))
            detail = "link: it does not lead to the tip."
            raise RequestRefused(ErrorCode.MALFORMED, detail, field="link") from None
        if not member.failed:
            self._put(replace(member, answer=link))

    def _verify(self, seat: int, key: str, match: str) -> Member:
        member = self._member(seat, key)
        if member is None or match != self.state.match:
            raise RequestRefused(ErrorCode.NO_SUCH_DEAL)
        return member

    def _put(self, changed: Member) -> None:
        members = tuple(changed if m.seat == changed.seat else m for m in self.state.members)
        self.state = replace(self.state, members=members)

    # --- tips

    def _ask_for_tips(self, now: int, there: There) -> None:
        """Ask those for a tip who have none, or whose chain is about to end."""
        state = self.state
        if not lasts(state.base, state.begun):
            self._chain = Chain(self._source.new_root(), state.begun)
        members = [self._joining(*one) for one in state.may_contribute(there).items()]
        self._wait(now, Stage.TIPS, sorted(members, key=lambda member: member.seat))
        self.state = replace(
            self.state, root=self._chain.root.hex(), base=self._chain.base, agreed=False
        )
        self._told.wanted.update(m.seat for m in members if m.tip is None)

    def _joining(self, seat: int, player: Player) -> Member:
        """Return a member for the next list, with the tip there is if its chain goes on."""
        known = self._member(seat, player.key)
        lasting = known is not None and known.has_links(self.state.begun)
        return Member(seat, player, known.tip if known is not None and lasting else None)

    def _look_for_tips(self, now: int, there: There) -> None:
        missing = self._missing(now, there)
        if missing:
            self.state = self.state.without(missing)
        if all(member.tip is not None for member in self.state.members):
            self._offer(now)

    # --- agreement

    def _offer(self, now: int) -> None:
        """Offer a new list to everybody on it."""
        self._wait(now, Stage.AGREEMENT, self.state.members)
        self.state = self.state.with_list(self._chain.shown)
        self._told.wanted.update(member.seat for member in self.state.members)

    def _look_for_agreement(self, now: int, there: There) -> None:
        missing = self._missing(now, there)
        if missing:
            self.state = self.state.without(missing)
            self._offer(now)
        elif not self._unanswered():
            self._agreed(now)

    def _agreed(self, now: int) -> None:
        state = self.state
        if state.tips is not None:
            self._told.rows.append(KeptTips(state.tips))
            self._told.events.append(TipsAgreed(state.match, state.tips))
        self.state = replace(state, agreed=True)
        self._ask_for_links(now)

    # --- links

    def _ask_for_links(self, now: int) -> None:
        """Begin a deal: from here on everybody's link of it is used up."""
        self._wait(now, Stage.LINKS, self.state.members)
        self.state = replace(self.state, begun=self.state.begun + 1)
        self._told.wanted.update(member.seat for member in self.state.members)

    def _look_for_links(self, now: int, there: There) -> Complete | None:
        """Wait for the links of all who can give theirs still, then deal or begin anew."""
        missing = self._missing(now, there)
        if any(m not in missing for m in self._unanswered()):
            return None  # they may be on their way: nobody's link is dropped
        if not missing and self.state.stopping:
            self.deadline = None
            return None
        if not missing:
            return self._deal()
        self._void(missing)
        if self.state.stopping:
            self._rest()
        elif all(m.has_links(self.state.begun) for m in self.state.members) and lasts(
            self._chain.base, self.state.begun
        ):
            self._offer(now)
        else:
            self._ask_for_tips(now, self.state.on_it)
        return None

    def _void(self, missing: Iterable[Member]) -> None:
        """Show what has come for a deal that becomes nothing, and strike off who is missing."""
        gone = list(missing)
        links = self._links(void=True, missing=[member.seat for member in gone])
        self._told.rows.append(links)
        self._told.events.append(links.revealed(self.state.match))
        if gone:
            self.state = replace(self.state.without(gone), agreed=False)

    def _deal(self) -> Complete:
        state = self.state
        links = self._links()
        if state.tips is None:
            raise RuntimeError("a deal without a list")
        deal, leader = deal_of(
            state.match, state.tips, state.begun, links.server, links.links, self._seats
        )
        self._told.rows.append(links)
        self.state = replace(state, live=links)
        self._rest()
        return Complete(state.match, deal, leader)

    def _links(self, *, void: bool = False, missing: Iterable[int] = ()) -> KeptLinks:
        state = self.state
        return KeptLinks(
            deal=state.begun,
            version=state.version,
            server=self._chain.link(state.begun).hex(),
            links=[SeatLink(m.seat, m.answer) for m in state.members if m.answer is not None],
            void=void,
            missing=list(missing),
        )

    # --- waiting

    def _wait(self, now: int, stage: Stage, members: Iterable[Member]) -> None:
        """Begin with a stage, in which nobody has answered yet."""
        fresh = tuple(replace(member, answer=None, failed=False) for member in members)
        self.state = replace(self.state, stage=stage, members=fresh)
        self.deadline = now + ANSWER_MS
        if self.patient_until is not None:
            self.deadline = max(self.deadline, self.patient_until)

    def _rest(self) -> None:
        members = tuple(replace(m, answer=None, failed=False) for m in self.state.members)
        self.state = replace(self.state, stage=None, stopping=False, members=members)
        self.deadline = self.patient_until = None

    def _unanswered(self) -> list[Member]:
        return [member for member in self.state.members if not self._has_answered(member)]

    def _missing(self, now: int, there: There) -> list[Member]:
        """Return the members who are not waited for any more.

        One who has given a link may go. Until all have agreed nobody may: no link is asked for yet.
        Nobody is waited for at whose seat another is now, as that one is taken for the member.
        """
        late = self.deadline is not None and now >= self.deadline
        links = self.state.stage is Stage.LINKS
        missing: list[Member] = []
        for member in self.state.members:
            answered = self._has_answered(member)
            coming = self.patient_until is not None and member.seat not in there
            away = not coming and there.get(member.seat) != member.player
            if member.failed or (late and not answered) or (away and not (links and answered)):
                missing.append(member)
        return missing
