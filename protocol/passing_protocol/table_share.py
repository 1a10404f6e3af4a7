"""One client's part at one table with fair deals: what it hears there, and its checks."""

from passing_protocol.events import (
    DealRevealed,
    Event,
    MatchBegan,
    MatchEnded,
    RoundBegan,
    RoundEnded,
    StateChanged,
    TipsAgreed,
)
from passing_protocol.follow import is_unasked_snapshot
from passing_protocol.messages import (
    Contribute,
    LinkWanted,
    Request,
    TipsOffered,
    Update,
)
from passing_protocol.own_part import Entropy, OwnPart
from passing_protocol.seen_round import Mismatch, SeenRound
from passing_protocol.shown_links import Broken, Given
from passing_protocol.verdicts import Outcome, Reason, Verdict
from passing_protocol.views import (
    Acted,
    DealKind,
    GameOptions,
    PublicView,
    TableState,
    options_of,
)

_AT_REST = (TableState.BETWEEN, TableState.OVER, TableState.CLOSED)


class TableShare:
    """Take part in the deals of a table for one seat, and check each when it is over."""

    def __init__(self, table: str, entropy: Entropy) -> None:
        """Begin before any match."""
        self._table = table
        self._entropy = entropy
        self._own = OwnPart("", entropy, self._found)
        self._verdicts: list[Verdict] = []
        self._game: GameOptions | None = None
        self._seat: int | None = None
        self._rev = 0
        self._round: SeenRound | None = None
        self._is_over = True
        """Whether no round is being played."""
        self._shown: DealRevealed | None = None
        """What is shown of a deal, until all is heard that came with it."""
        self._concluded = 0
        """The last deal of which something was shown."""

    @property
    def given(self) -> Given | None:
        """Return the link that was given for the deal that is open."""
        return self._own.given

    def take_verdicts(self) -> tuple[Verdict, ...]:
        """Return what was found out since the last call."""
        found = tuple(self._verdicts)
        self._verdicts.clear()
        return found

    def missed(self, *, restarted: bool) -> None:
        """Take note that messages may not have arrived, or that the server was started again."""
        self._own.missed(restarted=restarted)

    def wanted(self, asked: Contribute | TipsOffered | LinkWanted) -> Request | None:
        """Answer what the server asks the software at the seat for; None without an answer."""
        if isinstance(asked, Contribute):
            self._begin_match(asked.match)
            return self._own.show_tip(asked)
        if isinstance(asked, TipsOffered):
            return self._own.agree(asked)
        return self._own.give_link(asked)

    def left(self) -> None:
        """Lose the seat: a deal that was over then must have been shown."""
        given = self._own.given
        if given is not None and not given.gap and self._round is not None and self._is_over:
            self._found(Outcome.FAILED, Reason.NOT_REVEALED, given.deal)

    # --- what happens at the table

    def update(self, update: Update) -> None:
        """Take in what is told of the table, and check a deal that is over."""
        snapshot = is_unasked_snapshot(update)
        if update.duplicate or (update.rev < self._rev and not snapshot):
            return
        self._rev = update.rev
        if update.mine is not None:
            self._seat = update.mine.seat
        for event in update.events:
            self._follow(event)
        if update.public is not None:
            self._look(update.public, snapshot=snapshot)
        if update.mine is not None and self._round is not None:
            self._round.look(update.mine)
        self._conclude()

    def _follow(self, event: Event) -> None:
        match event:
            case Acted() if self._round is not None:
                self._round.follow(event)
            case MatchBegan(match=match):
                self._begin_match(match)
            case RoundBegan(deal_number=int(deal)):
                self._conclude()
                self._round = SeenRound.begun(event, deal, self._round)
                self._is_over = False
            case RoundEnded() if self._round is not None:
                self._round.ended = event
                self._is_over = True
            case MatchEnded():
                self._is_over = True
            case StateChanged(state=state):
                self._is_over = self._is_over or state in _AT_REST
                if state is TableState.PAUSED:
                    self._own.interrupted = None
            case TipsAgreed():
                self._hear_agreed(event)
            case DealRevealed():
                self._hear_shown(event)
            case _:
                pass

    def _begin_match(self, match: str) -> None:
        if match == self._own.match:
            return
        self._own.close()
        self._own = OwnPart(match, self._entropy, self._found)
        self._round = None
        self._concluded = 0

    def _look(self, view: PublicView, *, snapshot: bool) -> None:
        """Hold what the table shows against what was told of it."""
        self._game = view.game
        if snapshot:
            self.missed(restarted=False)
        if view.deal is not DealKind.FAIR or view.deal_number is None or view.leader is None:
            return
        if self._own.is_idle:
            self._begin_match(view.match)
        known = self._round
        if known is None or (known.number, known.deal) != (view.round, view.deal_number):
            self._round = SeenRound.shown(view, view.leader, view.deal_number)
        else:
            known.catch_up(view.actions, set_back=self._own.restarted)
        self._is_over = view.to_act is None

    def _hear_agreed(self, event: TipsAgreed) -> None:
        """Hold the list that everybody is told of against the one that was agreed to here."""
        own = self._own
        if event.match != own.match or own.restarted:
            return
        agreed = own.agreed_to(event.tips.version)
        if agreed is None:
            is_other = any(own.owns(entry) for entry in event.tips.seats)
        else:
            is_other = agreed.tips != event.tips
        if is_other:
            self._found(Outcome.FAILED, Reason.OTHER_LIST, self._concluded + 1)

    def _hear_shown(self, shown: DealRevealed) -> None:
        """Take in what is shown of a deal, once."""
        if shown.match != self._own.match or shown.deal <= self._concluded:
            return
        self._concluded = shown.deal
        if shown.void:
            self._hear_void(shown, self._given_for(shown))
        else:
            self._shown = shown

    def _given_for(self, shown: DealRevealed) -> Given | None:
        given = self._own.given
        return given if given is not None and given.deal == shown.deal else None

    # --- a deal that became nothing

    def _hear_void(self, shown: DealRevealed, given: Given | None) -> None:
        """Check what is shown of a deal that became nothing, and tell why it did."""
        missing = tuple(shown.missing)
        is_late = self._seat in missing
        if given is not None:
            self._own.given = None
            try:
                given.verify(shown)
            except Broken as broken:
                self._found(Outcome.FAILED, broken.reason, shown.deal, broken.seats)
                return
            links = {link.seat for link in shown.links}
            is_late = given.agreed.seat not in links
            if links == given.agreed.seats and not given.restarted:
                self._own.interrupted = shown.deal
        reason = Reason.ABSENT if missing else Reason.INTERRUPTED
        self._found(
            Outcome.REDONE, Reason.OWN_LINK_LATE if is_late else reason, shown.deal, missing
        )

    # --- a deal that was played

    def _conclude(self) -> None:
        """Check a deal whose links are shown, and tell what came of it."""
        shown, self._shown = self._shown, None
        if shown is None:
            return
        given = self._given_for(shown)
        if given is None:
            self._not_given(shown)
            return
        self._own.given = None
        try:
            given.verify(shown)
            is_checked = self._verify_round(given, shown)
        except (Broken, Mismatch) as error:
            seats = error.seats if isinstance(error, Broken) else ()
            self._found(Outcome.FAILED, error.reason, shown.deal, seats)
            return
        if is_checked:
            self._found(Outcome.CHECKED, None, shown.deal)
        else:
            self._found(Outcome.UNCHECKED, Reason.MISSED, shown.deal)

    def _verify_round(self, given: Given, shown: DealRevealed) -> bool:
        """Raise Mismatch and Broken for a round that does not follow from the links.

        Tells whether enough of it was seen.
        """
        seen, game, seat = self._round, self._game, self._seat
        if seen is None or seen.deal != shown.deal or game is None or seat is None:
            if not given.gap:
                raise Mismatch(Reason.HISTORY)
            return False
        if not self._is_over:
            raise Broken(Reason.REVEALED_EARLY)
        options = options_of(game)
        deal, leader = given.dealt(shown, options.seats)
        seen.verify(deal, leader, seat, options)
        return bool(seen.hands)

    def _not_given(self, shown: DealRevealed) -> None:
        """Tell why a deal without a link of ours is not checked, unless it should have had one."""
        seen = self._round
        is_live = seen is not None and seen.is_live
        if self._own.agreed_to(shown.version) and is_live and not self._own.restarted:
            self._found(Outcome.FAILED, Reason.OWN_LINK_MISSING, shown.deal)
        else:
            reason = Reason.NO_PART if is_live else Reason.NOT_FROM_START
            self._found(Outcome.UNCHECKED, reason, shown.deal)

    def _found(
        self, outcome: Outcome, reason: Reason | None, deal: int, seats: tuple[int, ...] = ()
    ) -> None:
        number = self._round.number if self._round is not None else 0
        if outcome is Outcome.REDONE:
            number += 1  # that of the round which is still to be dealt
        self._verdicts.append(
            Verdict(self._table, self._own.match, deal, number, outcome, reason, seats)
        )
