"""One client's part at one table with fair deals: what it hears there, and its checks."""

from typing import Final

from passing_protocol.absences import Absences
from passing_protocol.events import (
    DealRevealed,
    Event,
    MatchBegan,
    MatchEnded,
    RoundBegan,
    RoundEnded,
    SeatChanged,
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
from passing_protocol.verdicts import Outcome, Reason, Verdict, Verdicts
from passing_protocol.views import (
    Acted,
    GameOptions,
    PublicView,
    SeatState,
    TableState,
    TipList,
    options_of,
)

_AT_REST: Final = (TableState.BETWEEN, TableState.OVER, TableState.CLOSED)


class TableShare:
    """Take part in the deals of a table for one seat, and check each when it is over."""

    def __init__(self, table: str, entropy: Entropy, absences: Absences) -> None:
        """Begin before any match; `absences` may be those of one of which it was part before."""
        self._table = table
        self._entropy = entropy
        self._own = OwnPart("", entropy, self._found)
        self._verdicts = Verdicts()
        self._game: GameOptions | None = None
        self._seat: int | None = None
        self._rev = 0
        self._round: SeenRound | None = None
        self._is_over = True
        """Whether no round is being played."""
        self._unshown = False
        """Whether the deal of the round is still to be shown."""
        self._shown: DealRevealed | None = None
        """What is shown of a deal, until all is heard that came with it."""
        self._concluded = 0
        """The last deal of which something was shown."""
        self._names: list[str | None] = []
        """Who is at each seat."""
        self._answer: Request | None = None
        """What the newest question was answered with."""
        self._other: TipList | None = None
        """The list that was found to be another last."""
        self._joins = False
        """Whether this client has asked for a seat since it agreed to a list."""
        self.absences = absences
        """How often links were missing in the match."""

    @property
    def given(self) -> Given | None:
        """Return the link that was given for the deal that is open."""
        return self._own.given

    def take_verdicts(self) -> tuple[Verdict, ...]:
        """Return what was found out since the last call."""
        return self._verdicts.take()

    def missed(self, *, restarted: bool) -> None:
        """Take note that messages may not have arrived, or that the server was started again."""
        self._own.missed(restarted=restarted)
        if restarted:
            self._rev = 0  # it may have been set back
            self.absences.forgotten()

    @property
    def undealt(self) -> str | None:
        """Return the match if a link is given for a deal that no round was seen to begin with."""
        given, seen = self._own.given, self._round
        is_dealt = given is None or (seen is not None and seen.deal == given.deal)
        return None if is_dealt else self._own.match

    def gone(self, *, again: bool) -> None:
        """Tell that a deal is forgotten with the session, as it can be to choose another deck.

        That is no accident where it happens `again` before a tile is dealt.
        """
        given = self._own.given
        if given is not None:
            outcome = Outcome.FAILED if again else Outcome.UNCHECKED
            self._found(outcome, Reason.SESSION_GONE, given.deal)

    def joins(self) -> None:
        """Take note that a seat was asked for, so that it may be another from here on."""
        self._joins = True

    def wanted(self, asked: Contribute | TipsOffered | LinkWanted) -> Request | None:
        """Answer what the server asks the software at the seat for; None without an answer."""
        self._answer = self._answered(asked)
        self._own.confirmed, self._own.in_touch = False, True
        return self._answer

    def taken(self, request: Request) -> None:
        """Take note that the server has taken an answer; that to the newest question counts."""
        self._own.confirmed = self._own.confirmed or request == self._answer

    def _answered(self, asked: Contribute | TipsOffered | LinkWanted) -> Request | None:
        if isinstance(asked, Contribute):
            self._begin_match(asked.match)
            return self._own.show_tip(asked)
        if isinstance(asked, TipsOffered):
            self.absences.listed(asked.match, asked.version, self._names)
            self._joins = False
            return self._own.agree(asked)
        return self._own.give_link(asked)

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
        if update.ask is not None:
            self._go_on()
        if update.mine is not None and self._round is not None:
            self._round.look(update.mine)
        self._conclude(missed=update.public is not None and not update.events)

    def _follow(self, event: Event) -> None:
        match event:
            case Acted() | RoundEnded():
                self._follow_round(event)
            case MatchBegan(match=match):
                self._verify_match(match)
                self._begin_match(match)
            case RoundBegan():
                self._end_round()
                self._round = SeenRound.begun(self._own.match, event, self._round)
                self._is_over, self._unshown = False, True
            case MatchEnded():
                self._is_over = True
            case StateChanged(state=state):
                self._is_over = self._is_over or state in _AT_REST
            case SeatChanged():
                self._seat_changed(event)
            case TipsAgreed():
                if self._shown is not None:  # it was dealt by the list before
                    self._conclude()
                self.absences.listed(event.match, event.tips.version, self._names)
                self._verify_match(event.match)
                self._compare(event.match, event.tips, told=True)
            case DealRevealed():
                self._hear_shown(event)
            case _:
                pass

    def _follow_round(self, event: Acted | RoundEnded) -> None:
        self._go_on()
        self._is_over = isinstance(event, RoundEnded)
        if self._round is not None:
            self._round.follow(event)

    def _seat_changed(self, event: SeatChanged) -> None:
        if event.seat < len(self._names):
            self._names[event.seat] = event.info.name
        if event.seat == self._seat and event.info.state is not SeatState.TAKEN:
            self._own.lose_touch()  # whoever has forfeited the seat has no part any more

    def _begin_match(self, match: str) -> None:
        if match == self._own.match:
            return
        self._own.close()
        self._own = OwnPart(match, self._entropy, self._found)
        if self._round is not None and self._round.match != match:
            self._round = None
        self._unshown = False
        self._concluded = 0
        self.absences = self.absences.of(match)

    def _end_round(self, *, missed: bool = False) -> None:
        """Take a round for over, as another one is told of."""
        self._is_over = True
        self._conclude(missed=missed)

    def _go_on(self) -> None:
        """Find fault with a round that goes on though it was over: nothing checks it any more.

        A server that was started again may have lost the end of it, and whoever has just come may
        hear late of the time before.
        """
        if not self._is_over:
            return
        self._is_over = False
        deal = self._round.deal if self._round is not None else self._concluded + 1
        if self._own.restarted or (self._round is None and self._own.is_idle):
            self._found(Outcome.UNCHECKED, Reason.MISSED, deal)
        else:
            self._found(Outcome.FAILED, Reason.HISTORY, deal)

    def _look(self, view: PublicView, *, snapshot: bool) -> None:
        """Hold what the table shows against what was told of it."""
        self._verify_game(view)
        self._names = [seat.name for seat in view.seats]
        if snapshot:
            self.missed(restarted=False)
        deal, goes_on = view.deal_number or 0, view.to_act is not None
        if snapshot and self._own.restarted:  # numbers that were lost with the power come again
            self._concluded = min(self._concluded, deal)
        if view.tips is not None:
            self._compare(view.match, view.tips, deal if goes_on else None, told=False)
        if view.leader is None:  # before the first round, or back there after a loss of power
            self._end_round(missed=True)
            self._round = None
            return
        if goes_on or self._own.is_idle:  # else it may be the match before the one to come
            self._begin_match(view.match)
        known = self._round
        if known is None or not known.is_shown(view):
            self._end_round(missed=True)
            self._round = SeenRound.shown(view, view.leader, deal)
            self._is_over = is_known = 0 < deal <= self._concluded
            has_come = self._own.is_idle or view.match != self._own.match
            self._unshown = not is_known and (goes_on or not has_come)
        else:
            known.catch_up(view.actions, set_back=self._own.restarted)
        if goes_on:
            self._go_on()
        self._is_over = not goes_on

    def _verify_match(self, match: str) -> None:
        """Find fault with a match of which this client was not told before it was agreed to."""
        if match != self._own.match and self._own.is_bound():
            self._found(Outcome.FAILED, Reason.OTHER_LIST, self._concluded + 1)

    def _verify_game(self, view: PublicView) -> None:
        """Take note of the game that is played; a table has one for good."""
        if self._game is None:
            self._game = view.game
        elif view.game != self._game:
            self._found(Outcome.FAILED, Reason.OTHER_GAME, self._concluded + 1)

    def _compare(self, match: str, tips: TipList, dealt: int | None = None, *, told: bool) -> None:
        """Hold the list that everybody is told of against the one that was agreed to here."""
        is_other = match == self._own.match and self._own.hear_list(tips, told=told, dealt=dealt)
        if is_other and tips != self._other:
            self._other = tips
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
            if not missing or set(missing) != given.agreed.seats - links:
                self._own.interrupted = shown.deal
        if is_late:
            self._own.confirmed = False
        self._tell_void(shown, is_late=is_late)

    def _tell_void(self, shown: DealRevealed, *, is_late: bool) -> None:
        """Tell why a deal became nothing, and find fault where it has happened too often."""
        seats = tuple(shown.missing)
        if self.absences.add(shown.version, seats):
            self._found(Outcome.FAILED, Reason.ABSENT_TOO_OFTEN, shown.deal, seats)
            return
        reason = Reason.ABSENT if seats else Reason.INTERRUPTED
        self._found(Outcome.REDONE, Reason.OWN_LINK_LATE if is_late else reason, shown.deal, seats)

    # --- a deal that was played

    def _conclude(self, *, missed: bool = False) -> None:
        """Check a deal whose links are shown, and see that those of a round that is over are.

        They come with its end: only the table as it is, shown in the place of that, excuses a
        server (`missed`).
        """
        shown, self._shown = self._shown, None
        if shown is not None:
            self._check(shown)
        seen = self._round
        if seen is None or not (self._is_over and self._unshown):
            return
        given = self._own.given
        if given is not None and given.deal == seen.deal:
            self._own.given = None
        if missed:
            self._found(Outcome.UNCHECKED, Reason.MISSED, seen.deal)
        else:
            self._found(Outcome.FAILED, Reason.NOT_REVEALED, seen.deal)

    def _check(self, shown: DealRevealed) -> None:
        """Check a deal, and tell what came of it."""
        given = self._given_for(shown)
        if given is None:
            self._not_given(shown)
            return
        self._own.given = None
        try:
            given.verify(shown)
            unchecked = self._verify_round(given, shown)
            if self.absences.are_too_many:
                unchecked = Reason.ABSENT_TOO_OFTEN
        except (Broken, Mismatch) as error:
            seats = error.seats if isinstance(error, Broken) else ()
            self._found(Outcome.FAILED, error.reason, shown.deal, seats)
            return
        outcome = Outcome.CHECKED if unchecked is None else Outcome.UNCHECKED
        self._found(outcome, unchecked, shown.deal)

    def _verify_round(self, given: Given, shown: DealRevealed) -> Reason | None:
        """Raise Mismatch and Broken for a round that does not follow from the links.

        Returns why it can be told of none of it, None for a round that was seen.
        """
        seen, game = self._round, self._game
        if seen is None or seen.deal != shown.deal or game is None:
            if not given.gap:
                raise Mismatch(Reason.HISTORY)
            return Reason.MISSED
        if not self._is_over:
            raise Broken(Reason.REVEALED_EARLY)
        options = options_of(game)
        deal, leader = given.dealt(shown, options.seats)
        seen.verify(deal, leader, options)
        moved = seen.seats - {given.agreed.seat}
        if moved and not self._joins:
            raise Broken(Reason.OTHER_SEAT, tuple(sorted(moved)))
        if moved:
            return Reason.NOT_FROM_START
        is_heard = self._own.verify_heard(given)
        return None if seen.hands and is_heard else Reason.MISSED

    def _not_given(self, shown: DealRevealed) -> None:
        """Tell why a deal without a link of ours is not checked, unless it should have had one."""
        seen = self._round
        is_live = seen is not None and seen.is_live
        has_part = self._own.confirmed or self._own.agreed_to(shown.version) is not None
        if has_part and is_live and not self._own.restarted:
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
        elif self._round is not None and deal == self._round.deal:
            self._unshown = False
        match = self._own.match
        self._verdicts.add(Verdict(self._table, match, deal, number, outcome, reason, seats))
