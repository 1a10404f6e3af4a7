"""A client's software where a server plays a round that no deal of its links covers."""

import pytest
from msgspec.structs import replace

from passing_protocol.contributing import Contributor
from passing_protocol.deals import dealt
from passing_protocol.events import (
    Event,
    MatchBegan,
    RoundBegan,
    RoundEnded,
    SeatChanged,
    StateChanged,
    TipsAgreed,
    WatchersChanged,
)
from passing_protocol.messages import Join, LinkWanted
from passing_protocol.verdicts import Outcome, Reason
from passing_protocol.views import (
    Ask,
    GameOptions,
    Mine,
    PublicView,
    TableState,
    Tip,
    TipList,
    options_of,
)
from passing_rules import Deal, Lead, Match
from tests.support.told_table import TABLE, ToldTable, welcome

CHECKED = (Outcome.CHECKED, None)
MISSED = (Outcome.UNCHECKED, Reason.MISSED)


def failed(reason: Reason) -> tuple[Outcome, Reason]:
    return Outcome.FAILED, reason


class Rigs(ToldTable):
    """Play rounds with a deck of one's own choice, and show them by snapshots alone."""

    changes: dict[str, object]
    """What the snapshots say otherwise than what is so."""

    def view(self) -> PublicView:
        return replace(super().view(), **self.changes)

    def at_the_end(self, ended: RoundEnded) -> list[Event]:
        return [ended, StateChanged(TableState.BETWEEN)]

    def __init__(self) -> None:
        self.changes = {}
        super().__init__(2)

    def show_true_round(self) -> None:
        """Begin a round as one should, and show its links at once, as if it were over."""
        self.begin_round()
        self.rev += 2
        for seat in self.seats:
            over: list[Event] = [StateChanged(TableState.BETWEEN), self.shown()]
            self.tell(seat, self.update(seat, over))

    def show_rigged_round(self, **changes: object) -> None:
        """Show a round that nobody's links have to do with."""
        self.match = Match(options_of(self.game))
        deal, leader = dealt(b"c" * 32, 2)
        self.match.begin_round(deal, leader if self.match.chance_leads else None)
        self.actions.clear()
        self.rev += 1
        self.changes = changes
        for seat in self.seats:
            self.show(seat)
        self.changes = {}


@pytest.mark.parametrize("number", [1, None])
@pytest.mark.parametrize("to_act", [0, None])
def test_a_round_that_is_played_after_it_was_checked_is_found(
    number: int | None, to_act: int | None
) -> None:
    table = Rigs()
    table.show_true_round()
    assert table.found(0) == [CHECKED]
    table.show_rigged_round(to_act=to_act, deal_number=number)
    table.play_on()
    found = table.found(0)
    assert found[-1] in (failed(Reason.HISTORY), failed(Reason.NOT_REVEALED))
    assert CHECKED not in found


def test_a_checked_deal_that_is_dealt_again_under_another_round_is_found() -> None:
    table = Rigs()
    table.show_true_round()
    table.show_rigged_round(round=2)
    table.play_on()
    assert table.found(0) == [CHECKED, failed(Reason.HISTORY)]


@pytest.mark.parametrize("to_act", [0, None])
def test_rounds_for_which_no_link_is_asked_are_found(to_act: int | None) -> None:
    table = Rigs()
    for number in (1, 2):
        table.show_rigged_round(to_act=to_act, deal_number=None, round=number)
        table.play_on()
        assert table.found(0)[-1] in (failed(Reason.HISTORY), failed(Reason.NOT_REVEALED))


def test_a_round_that_is_shown_only_when_it_is_over_is_not_checked() -> None:
    table = Rigs()
    table.show_rigged_round(to_act=None, deal_number=None)
    assert table.found(0) == [MISSED]


def test_a_question_in_a_round_that_was_over_is_found() -> None:
    table = Rigs()
    table.show_true_round()
    ask = Ask(1, [])
    table.tell(0, replace(table.update(0, []), ask=ask))
    assert table.found(0) == [CHECKED, failed(Reason.HISTORY)]


@pytest.mark.parametrize("ends", [False, True])
def test_a_round_that_never_began_is_found(ends: bool) -> None:
    table = Rigs()
    table.show_rigged_round(leader=None)
    if ends:
        while table.current.ending is None:
            table.deaf = {0, 1}
            table.act()
        table.deaf = set()
        table.happen(table.ended)
    else:
        table.act()
    assert table.found(0) == [failed(Reason.HISTORY)]


def test_whoever_has_no_part_yet_does_not_check_a_round_that_never_began() -> None:
    table = Rigs()
    table.contributors[0] = Contributor(table.random.randbytes)
    table.tell(0, welcome())
    table.show_rigged_round(leader=None)
    table.act()
    assert table.found(0) == [MISSED]


# --- the seat


class Swaps(ToldTable):
    """Give each of two seats the place of the other, as its tiles are better."""

    swaps = True

    def mine(self, seat: int) -> Mine:
        return super().mine(1 - seat if self.swaps and self.match.round else seat)


@pytest.mark.parametrize("told", [False, True])
def test_a_seat_that_was_changed_once_the_deal_was_known_is_found(told: bool) -> None:
    table = Swaps(2)
    if told:
        seats = table.view().seats
        table.happen(SeatChanged(0, seats[1]), SeatChanged(1, seats[0]))
    table.play()
    assert [table.found(seat) for seat in table.seats] == [[failed(Reason.OTHER_SEAT)]] * 2


def test_whoever_has_asked_for_a_seat_is_found_at_another_only_until_the_next_list() -> None:
    table = Swaps(2)
    table.contributors[0].sent(9, Join(0, "t2"))
    table.contributors[0].sent(10, Join(0, TABLE))
    table.play()
    assert table.found(0) == [(Outcome.UNCHECKED, Reason.NOT_FROM_START)]
    table.offer()
    table.play()
    assert table.found(0) == [failed(Reason.OTHER_SEAT)]


# --- the session


def test_decks_that_are_tried_by_ending_the_session_are_found() -> None:
    table = ToldTable(2)
    for outcome in (Outcome.UNCHECKED, Outcome.FAILED, Outcome.FAILED):
        table.begin_deal()
        table.tell(0, welcome())
        assert table.found(0) == [(outcome, Reason.SESSION_GONE)]
        table.show(0)
        table.ask_tips()
        table.offer()
    table.begin_match()
    table.begin_deal()
    table.tell(0, welcome())
    assert table.found(0)[-1:] == [(Outcome.UNCHECKED, Reason.SESSION_GONE)]


# --- what everybody is told


@pytest.mark.parametrize("match", ["m1", "m9"])
@pytest.mark.parametrize("version", [1, 2, 7])
@pytest.mark.parametrize("has_own", [False, True])
def test_a_list_for_everybody_that_was_never_agreed_to_is_found_once(
    match: str, version: int, has_own: bool
) -> None:
    table = ToldTable(2)
    table.offer()
    tips = table.list_for(0)
    seats = tips.seats if has_own else tips.seats[1:]
    told = TipsAgreed(match, replace(tips, server=Tip(0, "ab" * 32), version=version, seats=seats))
    for _ in range(3):
        table.happen(told)
    assert table.found(0) == [failed(Reason.OTHER_LIST)]


def test_a_list_shown_with_every_message_is_found_once_a_deal() -> None:
    class ShowsAnother(ToldTable):
        def view(self) -> PublicView:
            tips = TipList(1, Tip(0, "ab" * 32), [])
            return replace(super().view(), tips=tips if self.match.round else None)

    table = ShowsAnother(2)
    table.play(public=True)
    table.play(public=True)
    assert [verdict.deal for verdict in table.verdicts[0]] == [1, 2]
    assert table.found(0) == [failed(Reason.OTHER_LIST)] * 2


class ShowsOneList(ToldTable):
    """Count lists from five on, tell nobody of them, and show everybody one of its own."""

    fake = TipList(1, Tip(0, "ab" * 32), [])
    tells: int | None = None
    """The version of the only list that is told."""

    def offer(self) -> None:
        self.version = max(4, self.version)
        super().offer()

    def tell_agreed(self, seat: int) -> None:
        if self.version == self.tells:
            super().tell_agreed(seat)

    def view(self) -> PublicView:
        return replace(super().view(), tips=self.fake if self.match.round is not None else None)


@pytest.mark.parametrize("snapshot", [False, True])
def test_a_table_code_of_another_list_is_found(snapshot: bool) -> None:
    table = ShowsOneList(3)
    table.begin_round()
    if snapshot:
        for seat in table.seats:
            table.show(seat)
    else:
        table.act(public=True)
    assert [table.found(seat) for seat in table.seats] == [[failed(Reason.OTHER_LIST)]] * 3
    table.play_on()
    assert not any(CHECKED in table.found(seat) for seat in table.seats)


def test_another_list_that_is_shown_before_the_tiles_are_dealt_is_found() -> None:
    table = ShowsOneList(2)
    fake, table.fake = table.fake, table.list_for(0)
    table.play(public=True)
    table.begin_deal()
    table.fake = fake
    shown = replace(table.view(), deal_number=1)
    table.tell(0, replace(table.update(0, [WatchersChanged(1)]), public=shown))
    assert table.found(0) == [CHECKED, failed(Reason.OTHER_LIST)]


def test_a_list_that_is_told_to_nobody_is_found() -> None:
    table = ShowsOneList(2)
    table.play()
    assert [table.found(seat) for seat in table.seats] == [[failed(Reason.OTHER_LIST)]] * 2


def test_a_list_that_was_told_before_another_was_agreed_to_is_found() -> None:
    class TellsTheFirst(ShowsOneList):
        tells = 5

    table = TellsTheFirst(2)
    table.offer()
    table.play()
    assert [table.found(seat) for seat in table.seats] == [[failed(Reason.OTHER_LIST)]] * 2


def test_a_deal_is_not_checked_where_another_list_was_shown_after_a_start_of_the_server() -> None:
    table = ShowsOneList(2)
    table.begin_round()
    for seat in table.seats:
        table.tell(seat, welcome(epoch=2, resumed=True))
        table.show(seat)
    table.fake = table.list_for(0)
    table.play_on(public=True)
    assert [table.found(seat) for seat in table.seats] == [[MISSED]] * 2


def test_a_deal_is_checked_where_the_list_is_shown_though_nobody_was_told_of_it() -> None:
    table = ShowsOneList(2)
    table.fake = table.list_for(0)
    table.begin_round()
    for seat in table.seats:
        table.show(seat)
    table.play_on()
    assert [table.found(seat) for seat in table.seats] == [[CHECKED]] * 2


def test_a_match_that_begins_in_the_place_of_the_one_agreed_to_is_found() -> None:
    table = ToldTable(2)
    table.happen(MatchBegan("m9", 100))
    assert table.found(0) == [failed(Reason.OTHER_LIST)]


def test_what_fails_again_after_a_deal_was_checked_is_told_again() -> None:
    table = ToldTable(2)
    for _ in range(2):
        table.play()
        table.tell(0, LinkWanted(0, TABLE, "m9", 1, 9, 5_000))
        table.tell(0, LinkWanted(0, TABLE, "m9", 1, 9, 5_000))
        assert table.found(0) == [CHECKED, failed(Reason.OTHER_LIST)]


def test_whoever_may_have_missed_a_match_accuses_nobody_of_its_list() -> None:
    table = ToldTable(2)
    table.tell(0, welcome(resumed=True))
    table.tell(0, table.update(0, [TipsAgreed("m9", table.list_for(0)), MatchBegan("m9", 100)]))
    assert table.found(0) == []


# --- the leader


@pytest.mark.parametrize("lead", Lead)
def test_a_first_round_is_led_by_chance_whatever_its_number(lead: Lead) -> None:
    class CountsFromEight(ToldTable):
        def deal(self) -> tuple[Deal, int]:
            deal, leader = super().deal()
            return deal, (leader + 1) % 3

        def happen(self, *events: Event, public: bool = False) -> None:
            told = [
                replace(event, round=event.round + 7)
                if isinstance(event, RoundBegan | RoundEnded)
                else event
                for event in events
            ]
            super().happen(*told, public=public)

    table = CountsFromEight(3, game=GameOptions(seats=3, lead=lead))
    table.play()
    assert table.found(0) == [failed(Reason.LEADER)]


def test_a_round_whose_number_is_skipped_is_led_as_the_round_before_says() -> None:
    class Skips(ToldTable):
        def happen(self, *events: Event, public: bool = False) -> None:
            told = [
                replace(event, round=7, leader=(event.leader + 1) % 3)
                if isinstance(event, RoundBegan) and event.round > 1
                else event
                for event in events
            ]
            super().happen(*told, public=public)

    table = Skips(3)
    table.play()
    table.play()
    assert table.found(0) == [CHECKED, failed(Reason.LEADER)]


def test_options_of_the_game_that_change_are_found() -> None:
    table = ToldTable(3)
    game = replace(table.game, lead=Lead.RANDOM)
    assert game != table.game
    for _ in range(2):
        table.tell(0, replace(table.update(0, []), public=replace(table.view(), game=game)))
    assert table.found(0) == [failed(Reason.OTHER_GAME)]
