"""What one client gives to the deals of a match: its chains, the lists it agrees to, its links."""

from collections.abc import Callable
from typing import Final, Protocol

from passing_protocol.fair_deal import ROOT_BYTES, Chain, NoSuchLink
from passing_protocol.messages import (
    Contribute,
    GiveLink,
    LinkWanted,
    ShowTip,
    TipsOffered,
    TipsOk,
)
from passing_protocol.shown_links import Agreed, Broken, Given
from passing_protocol.verdicts import Outcome, Reason
from passing_protocol.views import SeatTip, TipList

Entropy = Callable[[int], bytes]
"""Returns that many bytes nobody can foresee."""

_KEPT: Final = 2
"""So many chains and lists are kept: a server that was started again may know only the older."""


class Tell(Protocol):
    """Is told what was found out about a deal."""

    def __call__(
        self, outcome: Outcome, reason: Reason | None, deal: int, seats: tuple[int, ...] = ()
    ) -> None:
        """Take it down."""
        ...


class OwnPart:
    """Answer what the server asks for the deals of one match, or find fault with it.

    One deal at a time is open (`given`): whoever begins another has shown the one before.
    """

    def __init__(self, match: str, entropy: Entropy, tell: Tell) -> None:
        """Begin without a chain."""
        self.match = match
        self.given: Given | None = None
        """The link of the deal that is open."""
        self.restarted = False
        """Whether the server may have lost what it knew, so that its numbers may go back."""
        self.interrupted: int | None = None
        """A deal that became nothing without a cause: nothing more may be dealt in the match."""
        self.confirmed = False
        """Whether the server has taken all that it has asked for, so that it must not go without.

        That is so until it asks again, or may have lost sight of this client.
        """
        self.heard: TipList | None = None
        """The list that everybody was told of last: the table code is that of it."""
        self.in_touch = False
        """Whether the server has asked for something, and nothing may have been missed since."""
        self._entropy = entropy
        self._tell = tell
        self._chains: list[Chain] = []
        self._unused: Chain | None = None
        self._lists: list[Agreed] = []
        self._last_deal = 0

    @property
    def is_idle(self) -> bool:
        """Tell whether nothing was ever given to the match."""
        return not self._chains

    @property
    def version(self) -> int:
        """Return the number of the newest list that was agreed to, 0 before the first."""
        return self._lists[-1].tips.version if self._lists else 0

    def missed(self, *, restarted: bool) -> None:
        """Take note that messages may not have arrived, or that the server was started again."""
        self.lose_touch()
        if restarted:
            self.restarted = True
        if self.given is not None:
            self.given.gap = True
            self.given.restarted = self.given.restarted or restarted

    def lose_touch(self) -> None:
        """Take note that the server may go on without this client."""
        self.confirmed = self.in_touch = False

    def close(self) -> None:
        """End with the match, whose last deal must have been shown."""
        if self.given is not None and not self._gives_up_waiting():
            self._tell(Outcome.FAILED, Reason.NOT_REVEALED, self.given.deal)
            self.given = None

    def owns(self, entry: SeatTip) -> bool:
        """Tell whether a tip on a list is that of one of the chains."""
        shown = entry.base, entry.tip
        return any((chain.base, chain.tip.hex()) == shown for chain in self._chains)

    def is_bound(self) -> bool:
        """Tell whether the server must not begin another match without a word."""
        return self.in_touch and not self.is_idle and not self.restarted

    def hear_list(self, tips: TipList, *, told: bool, dealt: int | None) -> bool:
        """Take in a list of this match; tells whether it is another than was agreed to.

        One that is `told` is the newest; one that is shown may be of some time ago, but not while
        a deal is open, of which the round is `dealt` or nothing was missed.
        """
        self.heard = tips
        given = self.given
        if given is not None and (dealt == given.deal or not given.gap):
            is_other = given.agreed.tips != tips
            given.is_other = given.is_other or is_other
            return is_other and not self.restarted
        if self.restarted:
            return False
        agreed = self.agreed_to(tips.version)
        if agreed is not None:
            return agreed.tips != tips
        is_newer = tips.version > self.version
        has_own = any(self.owns(entry) for entry in tips.seats)
        return (is_newer and has_own) or (self.confirmed and (is_newer or told))

    def verify_heard(self, given: Given) -> bool:
        """Tell whether everybody was told of the list of a deal, and of no other while it was open.

        Raises Broken where not, though nothing was missed.
        """
        is_other = given.is_other or self.heard != given.agreed.tips
        if is_other and not given.gap:
            raise Broken(Reason.OTHER_LIST)
        return not is_other

    def agreed_to(self, version: int) -> Agreed | None:
        """Return the list of that version, if it was agreed to not long ago."""
        return next((one for one in self._lists if one.tips.version == version), None)

    # --- what the server asks for

    def show_tip(self, asked: Contribute) -> ShowTip:
        """Return the tip of a new chain, or of one that was made for just this and not used.

        A server that was started again may ask anew before it gets an answer of long ago.
        """
        chain = self._unused
        if chain is None or chain.base != asked.base:
            chain = self._unused = Chain(self._entropy(ROOT_BYTES), asked.base)
            self._chains = [*self._chains[1 - _KEPT :], chain]
        return ShowTip(0, asked.table, asked.match, chain.base, chain.tip.hex())

    def agree(self, offered: TipsOffered) -> TipsOk | None:
        """Agree to a list of tips; None where that cannot be."""
        if self.is_idle:
            return None  # it was another client's part, and no promise to this one
        tips = TipList(offered.version, offered.server, offered.seats)
        try:
            agreed = self._verified(offered.match, tips)
        except Broken as broken:
            self._tell(Outcome.FAILED, broken.reason, self._last_deal, broken.seats)
            return None
        if agreed not in self._lists:
            earlier = [one for one in self._lists if one.tips.version < tips.version]
            self._lists = [*earlier[1 - _KEPT :], agreed]
        hash_ = agreed.hash.hex()
        return TipsOk(0, offered.table, offered.match, offered.version, hash_)

    def _verified(self, match: str, tips: TipList) -> Agreed:
        """Return a list as one that can be agreed to; raises Broken."""
        if self.given is not None and not self._gives_up_waiting():
            raise Broken(Reason.LIST_IN_DEAL)
        seats = [entry.seat for entry in tips.seats]
        if seats != sorted(set(seats)):
            raise Broken(Reason.LIST_MALFORMED)
        own = [entry.seat for entry in tips.seats if self.owns(entry)]
        if match != self.match or len(own) != 1:
            raise Broken(Reason.LIST_WITHOUT_OWN_TIP)
        agreed = Agreed.to(match, tips, own[0])
        if agreed not in self._lists and not self.restarted:
            self._verify_version(tips.version)
        return agreed

    def _verify_version(self, version: int) -> None:
        if version == self.version:
            raise Broken(Reason.OTHER_LIST)
        if version < self.version:
            raise Broken(Reason.LIST_TURNED_BACK)

    def give_link(self, wanted: LinkWanted) -> GiveLink | None:
        """Give the link of a deal once, under a list that was agreed to; None where not.

        A server that was started again may honestly know no better: it is given nothing, and no
        fault is found.
        """
        if self.is_idle:
            return None
        try:
            link = self._link(wanted)
        except (Broken, NoSuchLink) as error:
            reason = error.reason if isinstance(error, Broken) else Reason.NO_SUCH_LINK
            if not self.restarted:
                self._tell(Outcome.FAILED, reason, wanted.deal)
            return None
        return GiveLink(0, wanted.table, wanted.match, wanted.deal, link.hex())

    def _link(self, wanted: LinkWanted) -> bytes:
        """Return the link that is wanted, and remember it; raises Broken and NoSuchLink."""
        agreed = self.agreed_to(wanted.version)
        if agreed is None or wanted.match != self.match:
            raise Broken(Reason.OTHER_LIST)
        given = self.given
        if given is not None and (given.deal, given.agreed) == (wanted.deal, agreed):
            return given.link
        if wanted.deal <= self._last_deal:
            raise Broken(Reason.SECOND_LINK)
        self._verify_last_deal()
        entry = next(entry for entry in agreed.tips.seats if entry.seat == agreed.seat)
        chain = next((chain for chain in self._chains if chain.tip.hex() == entry.tip), None)
        if chain is None:
            raise Broken(Reason.OTHER_LIST)
        self.given = Given(wanted.deal, agreed, chain.link(wanted.deal))
        self._last_deal = wanted.deal
        if chain is self._unused:
            self._unused = None
        self.restarted = False
        return self.given.link

    def _verify_last_deal(self) -> None:
        """Find fault with the deal before this one, which must be over and shown."""
        self.close()
        if self.interrupted is not None:
            self._tell(Outcome.FAILED, Reason.VOID_FOR_NOTHING, self.interrupted)
            self.interrupted = None

    def _gives_up_waiting(self) -> bool:
        """Wait no longer for the links of a deal that may have been shown; tells whether so."""
        if self.given is None or not self.given.gap:
            return False
        self._tell(Outcome.UNCHECKED, Reason.MISSED, self.given.deal)
        self.given = None
        return True
