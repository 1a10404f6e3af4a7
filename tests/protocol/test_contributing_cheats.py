"""A client's software at tables whose server cheats: each way is found by somebody."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from passing_protocol.events import (
    DealRevealed,
    Event,
    RoundBegan,
    RoundEnded,
    SeatLink,
    StateChanged,
    TipsAgreed,
)
from passing_protocol.fair_deal import Chain, list_hash
from passing_protocol.messages import Contribute, Left, LinkWanted, TipsOffered
from passing_protocol.verdicts import Outcome, Reason
from passing_protocol.views import (
    DealKind,
    GameOptions,
    Mine,
    PublicView,
    SeatTip,
    TableState,
    Tip,
    TipList,
)
from passing_protocol.wire import TileText, tile_text
from passing_rules import Deal, Draw
from tests.support.told_table import TABLE, ToldTable, welcome

CHECKED = (Outcome.CHECKED, None)


def failed(reason: Reason) -> tuple[Outcome, Reason]:
    return Outcome.FAILED, reason


# --- the deal that is played is another one


class SwapsTiles(ToldTable):
    """Swap two tiles of the deal that the links give."""

    swapped: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (1, 0))

    def deal(self) -> tuple[Deal, int]:
        deal, leader = super().deal()
        tiles = [list(hand) for hand in (*deal.hands, deal.boneyard)]
        (one, at), (other, there) = self.swapped
        tiles[one][at], tiles[other][there] = tiles[other][there], tiles[one][at]
        *hands, boneyard = map(tuple, tiles)
        return Deal(tuple(hands), boneyard), leader


def test_a_tile_swapped_between_two_hands_is_found_by_both() -> None:
    table = SwapsTiles(3)
    table.play()
    assert table.found(0) == table.found(1) == [failed(Reason.OWN_HAND)]
    assert table.found(2) in ([failed(Reason.PLAYED)], [failed(Reason.SHOWN_HANDS)])


def test_a_tile_swapped_with_the_boneyard_is_found_by_everybody() -> None:
    table = SwapsTiles(2)
    table.swapped = ((0, 0), (2, 13))
    table.play()
    assert table.found(0) == [failed(Reason.OWN_HAND)]
    assert table.found(1) in ([failed(Reason.PLAYED)], [failed(Reason.SHOWN_HANDS)])


def test_a_boneyard_in_another_order_is_found_by_who_draws() -> None:
    table = SwapsTiles(2)
    table.swapped = ((2, 0), (2, 5))
    table.begin_round()
    drawer = table.current.to_act
    table.act(Draw())
    table.play_on()
    assert table.found(drawer) == [failed(Reason.OWN_DRAW)]


def test_a_drawn_tile_that_is_never_named_shows_in_the_hand() -> None:
    class NamesNone(SwapsTiles):
        def mine(self, seat: int) -> Mine:
            return replace(super().mine(seat), drew=None)

    table = NamesNone(2)
    table.swapped = ((2, 0), (2, 5))
    table.begin_round()
    drawer = table.current.to_act
    table.act(Draw())
    table.play_on()
    assert table.found(drawer) == [failed(Reason.OWN_HAND)]


def test_a_leader_whom_chance_did_not_pick_is_found() -> None:
    class PicksTheLeader(ToldTable):
        def deal(self) -> tuple[Deal, int]:
            deal, leader = super().deal()
            return deal, (leader + 1) % 3

    table = PicksTheLeader(3)
    table.play()
    assert [table.found(seat) for seat in table.seats] == [[failed(Reason.LEADER)]] * 3


def test_a_leader_whom_the_rules_do_not_name_is_found() -> None:
    class NamesAnother(ToldTable):
        def happen(self, *events: Event, public: bool = False) -> None:
            told = [
                replace(event, leader=(event.leader + 1) % 3)
                if isinstance(event, RoundBegan) and event.round == 2
                else event
                for event in events
            ]
            super().happen(*told, public=public)

    table = NamesAnother(3)
    table.play()
    table.play()
    assert table.found(0) == [CHECKED, failed(Reason.LEADER)]


class LiesAtTheEnd(ToldTable):
    """Tell the end of a round otherwise than it was."""

    lie: Callable[[RoundEnded], RoundEnded]

    def at_the_end(self, ended: RoundEnded) -> list[Event]:
        return [self.lie(ended), self.shown()]


def swapped_hands(ended: RoundEnded) -> RoundEnded:
    hands: list[list[TileText]] = [*(ended.hands or [])]
    return replace(ended, hands=[hands[1], hands[0], *hands[2:]])


RESULT = Reason.RESULT

LIES: list[tuple[Callable[[RoundEnded], RoundEnded], Reason]] = [
    (swapped_hands, Reason.SHOWN_HANDS),
    (lambda ended: replace(ended, hands=None, pips=[1, 2, 3]), Reason.SHOWN_HANDS),
    (lambda ended: replace(ended, ending="passed_out"), Reason.ENDING),
    (lambda ended: replace(ended, winners=[] if ended.winners else [0]), RESULT),
    (lambda ended: replace(ended, side=((ended.side or 0) + 1) % 3), RESULT),
    (lambda ended: replace(ended, points=ended.points + 1), RESULT),
    (lambda ended: replace(ended, scores=[*ended.scores[1:], 7]), RESULT),
    (lambda ended: replace(ended, round=ended.round + 1), RESULT),
]


@pytest.mark.parametrize(("lie", "reason"), LIES)
def test_an_end_that_was_not_so_is_found(
    lie: Callable[[RoundEnded], RoundEnded], reason: Reason
) -> None:
    table = LiesAtTheEnd(3)
    table.lie = lie
    table.play()
    assert [table.found(seat) for seat in table.seats] == [[failed(reason)]] * 3


def test_scores_that_do_not_follow_from_those_before_are_found() -> None:
    table = LiesAtTheEnd(3, game=GameOptions(seats=3, target=9_999))
    table.lie = lambda ended: ended
    table.play()
    table.lie = lambda ended: replace(ended, scores=[score + 1 for score in ended.scores])
    table.play()
    assert [table.found(seat) for seat in table.seats] == [[CHECKED, failed(RESULT)]] * 3


def test_a_result_is_known_still_after_a_start_of_the_server() -> None:
    table = LiesAtTheEnd(2, game=GameOptions(seats=2, target=9_999))
    table.lie = lambda ended: ended
    table.play()
    for seat in table.seats:
        table.tell(seat, welcome(epoch=2, resumed=True))
        table.show(seat)
    table.lie = lambda ended: replace(ended, scores=[score + 1 for score in ended.scores])
    table.play()
    assert [table.found(seat) for seat in table.seats] == [[CHECKED, failed(RESULT)]] * 2


def test_scores_after_a_round_that_was_missed_are_let_be() -> None:
    table = LiesAtTheEnd(2, game=GameOptions(seats=2, target=9_999))
    table.lie = lambda ended: ended
    table.play()
    table.deaf_to_rounds = {0}
    table.begin_round()
    table.deaf_to_rounds = set()
    table.show(0)
    table.lie = lambda ended: replace(ended, scores=[score + 1 for score in ended.scores])
    table.play_on()
    assert table.found(0) == [CHECKED, CHECKED]
    assert table.found(1) == [CHECKED, failed(RESULT)]


def test_hands_that_are_not_shown_hide_nothing_else() -> None:
    table = LiesAtTheEnd(3)
    table.lie = lambda ended: replace(ended, hands=None)
    table.play()
    assert [table.found(seat) for seat in table.seats] == [[CHECKED]] * 3


def test_a_round_told_in_two_ways_is_found() -> None:
    table = ToldTable(3)
    table.begin_round()
    table.act()
    table.act()
    view = table.view()
    turned = replace(view, actions=view.actions[::-1])
    table.tell(0, replace(table.update(0, []), public=turned))
    table.play_on()
    assert table.found(0) == [failed(Reason.HISTORY)]


def test_a_hand_told_in_two_ways_is_found() -> None:
    table = ToldTable(3)
    table.begin_round()
    update = table.update(0, [])
    table.tell(0, replace(update, mine=table.mine(1)))
    table.tell(0, replace(update, mine=Mine(0, [tile_text(t) for t in table.current.hand(1)])))
    table.play_on()
    assert table.found(0) == [failed(Reason.HISTORY)]


def test_an_answer_to_a_deal_that_no_round_had_is_found() -> None:
    table = ToldTable(2)
    table.deaf_to_rounds = {0}
    table.begin_round()
    table.play_on()
    table.deaf_to_rounds = set()
    table.tell(0, table.update(0, [table.shown()]))
    assert table.found(0) == [failed(Reason.HISTORY)]


# --- the server chooses late


class ChoosesLate(ToldTable):
    """Take another link of the server's than that of its chain, as the deck is nicer then."""

    def begin_deal(self) -> None:
        super().begin_deal()
        self.chain = Chain(self.random.randbytes(32), 0)


def test_a_link_of_the_servers_that_is_not_of_its_chain_is_found() -> None:
    table = ChoosesLate(3)
    table.play()
    assert [table.found(seat) for seat in table.seats] == [[failed(Reason.WRONG_LINK)]] * 3


def test_a_link_of_anybody_elses_that_is_not_of_its_chain_is_found() -> None:
    table = ToldTable(3)
    table.begin_deal()
    table.links[2] = "ab" * 32
    table.begun -= 1
    links = table.links.copy()
    table.begin_round()
    table.links = links
    table.play_on()
    assert table.found(0)[-1:] == table.found(2)[-1:] == [failed(Reason.WRONG_LINK)]


@pytest.mark.parametrize("excuse", ["", "a pause", "a start"])
def test_a_deal_taken_back_with_all_links_there_is_found(excuse: str) -> None:
    table = ToldTable(3)
    table.begin_deal()
    table.happen(table.shown(void=True))
    if excuse == "a pause":
        table.happen(StateChanged(TableState.PAUSED))
    for seat in table.seats if excuse == "a start" else ():
        table.tell(seat, welcome(epoch=2, resumed=True))
    table.play()
    redone, lied = (Outcome.REDONE, Reason.INTERRUPTED), failed(Reason.VOID_FOR_NOTHING)
    assert [table.found(seat) for seat in table.seats] == [[redone, lied, CHECKED]] * 3


@pytest.mark.parametrize("missing", [[], [1], [1, 2]])
def test_a_deal_taken_back_because_of_nobody_or_of_somebody_else_is_found(
    missing: list[int],
) -> None:
    table = ToldTable(3)
    table.begin_deal()
    del table.links[2]
    table.happen(table.shown(void=True, missing=missing))
    table.begin_deal()
    assert table.found(0)[1:] == [failed(Reason.VOID_FOR_NOTHING)]


def test_who_is_called_absent_again_and_again_is_a_way_to_choose() -> None:
    table = ToldTable(2)
    for _ in range(3):
        table.begin_deal()
        del table.links[1]
        table.happen(table.shown(void=True, missing=[1]))
        table.ask_tips(seats=[1])
        table.offer()
    table.play()
    *redone, last, played = table.verdicts[0]
    assert (played.outcome, played.reason) == (Outcome.UNCHECKED, Reason.ABSENT_TOO_OFTEN)
    assert [verdict.reason for verdict in redone] == [Reason.ABSENT] * 2
    assert (last.outcome, last.reason, last.seats) == (
        Outcome.FAILED,
        Reason.ABSENT_TOO_OFTEN,
        (1,),
    )


class ShowsNothing(ToldTable):
    """Show no links when a round is over."""

    def at_the_end(self, ended: RoundEnded) -> list[Event]:
        return [ended]


def test_a_deal_that_is_not_shown_when_its_round_is_over_is_found_at_once() -> None:
    table = ShowsNothing(2)
    for _ in range(2):
        table.play()
        assert table.found(0) == table.found(1) == [failed(Reason.NOT_REVEALED)]
    table.tell(0, Left(0, TABLE, "closed"))
    table.begin_match()
    assert table.found(0) == []


def test_a_deal_that_is_not_shown_when_another_round_begins_is_found() -> None:
    table = ToldTable(2)
    table.begin_round()
    began = RoundBegan(2, 0, DealKind.FAIR, [7, 7], 14, 12, 2)
    table.happen(began)
    assert table.found(0) == [failed(Reason.NOT_REVEALED)]


def test_a_deal_that_is_never_shown_is_found_by_the_next() -> None:
    table = ToldTable(2)
    table.begin_deal()
    table.begin_deal()
    assert table.found(0) == [failed(Reason.NOT_REVEALED)]
    table.begin_match()
    assert table.found(0) == [failed(Reason.NOT_REVEALED)]


@pytest.mark.parametrize("asks", [False, True])
@pytest.mark.parametrize("by_snapshot", [False, True])
def test_rounds_that_are_no_fair_deals_at_a_fair_table_are_found(
    asks: bool, by_snapshot: bool
) -> None:
    class Forgets(ShowsNothing):
        """Call deals fair, and give them no number."""

        def view(self) -> PublicView:
            return replace(super().view(), deal_number=None)

    table = Forgets(2)
    if not asks:
        table.contributors[0] = type(table.contributors[0])(table.random.randbytes)
        table.tell(0, welcome())
        table.happen(public=True)
    if by_snapshot:
        table.deaf = {0}
        table.begin_round()
        table.deaf = set()
        table.show(0)
    else:
        table.begin_round(numbered=False)
    table.play_on()
    assert table.found(0) == [failed(Reason.NOT_REVEALED)]


def test_a_deal_that_is_played_although_it_was_called_void_is_found() -> None:
    table = ShowsNothing(2)
    table.begin_round()
    shown = table.shown(void=True, missing=[1])
    table.happen(replace(shown, links=shown.links[:1]))
    table.play_on()
    assert table.found(0) == [(Outcome.REDONE, Reason.ABSENT), failed(Reason.NOT_REVEALED)]


def test_a_deal_that_is_shown_while_it_is_played_is_found() -> None:
    table = ToldTable(2)
    table.begin_round()
    table.act()
    table.happen(table.shown())
    table.play_on()
    assert table.found(0) == [failed(Reason.REVEALED_EARLY)]


# --- the server has a list for each


class Equivocates(ToldTable):
    """Tell seat 1 that the tip of seat 0 is another."""

    def list_for(self, seat: int) -> TipList:
        tips = super().list_for(seat)
        if seat != 1:
            return tips
        other = Chain(b"\x01" * 32, 0)
        return replace(tips, seats=[SeatTip(0, 0, other.tip.hex()), *tips.seats[1:]])


def test_two_lists_give_two_decks_and_somebody_finds_it() -> None:
    table = Equivocates(3)
    table.play()
    assert table.found(0) == table.found(2) == [CHECKED]
    assert table.found(1) == [failed(Reason.WRONG_LINK)]


def test_two_lists_with_no_seat_in_both_find_each_other() -> None:
    class NamesTheServerTwice(ToldTable):
        def list_for(self, seat: int) -> TipList:
            tips = super().list_for(seat)
            return tips if seat != 1 else replace(tips, server=Tip(0, "ab" * 32))

    table = NamesTheServerTwice(2)
    table.play()
    assert table.found(0) == [CHECKED]
    assert table.found(1) == [failed(Reason.WRONG_LINK)]


def test_a_list_told_to_everybody_that_is_not_the_one_agreed_to_is_found() -> None:
    table = Equivocates(3)
    table.tell(1, table.update(1, [TipsAgreed("m1", table.list_for(0))]))
    table.tell(0, table.update(0, [TipsAgreed("m1", replace(table.list_for(0), version=2))]))
    table.tell(2, table.update(2, [TipsAgreed("m0", replace(table.list_for(0), version=2))]))
    assert table.found(0) == table.found(1) == [failed(Reason.OTHER_LIST)]
    assert table.found(2) == [failed(Reason.OTHER_LIST)]


@pytest.mark.parametrize("version", [1, 2])
def test_a_list_shown_with_the_table_that_is_not_the_one_agreed_to_is_found(version: int) -> None:
    table = ToldTable(2)
    tips = replace(table.list_for(0), version=version, server=Tip(0, "ab" * 32))
    table.tell(
        0, replace(table.update(0, [], public=True), public=replace(table.view(), tips=tips))
    )
    assert table.found(0) == [failed(Reason.OTHER_LIST)]


def test_a_deal_dealt_under_another_list_is_found() -> None:
    class SaysOtherwise(ToldTable):
        def shown(self, *, void: bool = False, missing: object = ()) -> DealRevealed:
            return replace(super().shown(), version=2, void=void)

    table = SaysOtherwise(2)
    table.play()
    assert table.found(0) == [failed(Reason.OTHER_LIST)]


# --- the lists themselves


def offer(table: ToldTable, tips: TipList, match: str = "m1") -> None:
    message = TipsOffered(0, TABLE, match, tips.version, tips.server, tips.seats, 5_000)
    table.agreed.clear()
    table.tell(0, message)


def test_a_list_is_agreed_to_only_between_deals() -> None:
    table = ToldTable(2)
    table.begin_deal()
    offer(table, replace(table.list_for(0), version=2))
    assert table.found(0) == [failed(Reason.LIST_IN_DEAL)]
    assert not table.agreed


BAD_LISTS: list[tuple[Callable[[TipList], TipList], Reason]] = [
    (lambda tips: replace(tips, server=Tip(0, "ab" * 32)), Reason.OTHER_LIST),
    (lambda tips: replace(tips, version=0), Reason.LIST_TURNED_BACK),
    (lambda tips: replace(tips, version=2, seats=tips.seats[::-1]), Reason.LIST_MALFORMED),
    (
        lambda tips: replace(tips, version=2, seats=[tips.seats[0], *tips.seats]),
        Reason.LIST_MALFORMED,
    ),
    (lambda tips: replace(tips, version=2, seats=tips.seats[1:]), Reason.LIST_WITHOUT_OWN_TIP),
    (
        lambda tips: replace(
            tips, version=2, seats=[replace(tips.seats[0], base=1), *tips.seats[1:]]
        ),
        Reason.LIST_WITHOUT_OWN_TIP,
    ),
    (
        lambda tips: replace(
            tips, version=2, seats=[tips.seats[0], replace(tips.seats[0], seat=1)]
        ),
        Reason.LIST_WITHOUT_OWN_TIP,
    ),
]


@pytest.mark.parametrize(("change", "reason"), BAD_LISTS)
def test_a_list_is_agreed_to_only_if_it_is_in_order_and_has_the_own_tip(
    change: Callable[[TipList], TipList], reason: Reason
) -> None:
    table = ToldTable(2)
    offer(table, change(table.list_for(0)))
    assert table.found(0) == [failed(reason)]
    assert not table.agreed


def test_a_list_of_another_match_is_not_agreed_to() -> None:
    table = ToldTable(2)
    offer(table, replace(table.list_for(0), version=2), match="m9")
    assert table.found(0) == [failed(Reason.LIST_WITHOUT_OWN_TIP)]


def test_the_same_list_may_be_agreed_to_again() -> None:
    table = ToldTable(2)
    offer(table, table.list_for(0))
    assert table.found(0) == []
    assert table.agreed == {0: list_hash("m1", table.list_for(0)).hex()}


# --- the links


def ask(table: ToldTable, *, version: int = 1, deal: int = 1, match: str = "m1") -> bool:
    """Ask seat 0 for a link, and tell whether it gave one."""
    table.links.clear()
    table.tell(0, LinkWanted(0, TABLE, match, version, deal, 5_000))
    return bool(table.links)


@pytest.mark.parametrize(
    ("version", "deal", "match", "reason"),
    [
        (2, 2, "m1", Reason.OTHER_LIST),
        (1, 2, "m9", Reason.OTHER_LIST),
        (1, 1, "m1", Reason.SECOND_LINK),
        (1, 0, "m1", Reason.SECOND_LINK),
        (1, 257, "m1", Reason.NO_SUCH_LINK),
    ],
)
def test_a_link_is_given_for_one_deal_under_one_list_alone(
    version: int, deal: int, match: str, reason: Reason
) -> None:
    table = ToldTable(2)
    table.play()
    table.found(0)
    assert not ask(table, version=version, deal=deal, match=match)
    assert table.found(0) == [failed(reason)]


def test_a_link_is_not_given_under_a_second_list_for_the_same_deal() -> None:
    table = ToldTable(2)
    table.offer()
    assert ask(table, version=1, deal=1)
    assert not ask(table, version=2, deal=1)
    assert table.found(0) == [failed(Reason.SECOND_LINK)]


def test_no_link_is_given_under_a_list_whose_chain_is_long_gone() -> None:
    table = ToldTable(2)
    for base in (1, 2):
        table.tell(0, Contribute(0, TABLE, "m1", base, 5_000))
    assert not ask(table)
    assert table.found(0) == [failed(Reason.OTHER_LIST)]


# --- what is shown


class Drops(ToldTable):
    """Leave links out of what is shown, and deal without them."""

    dropped = 0

    def begin_deal(self) -> None:
        super().begin_deal()
        del self.links[self.dropped]


def test_a_link_that_was_sent_and_dropped_is_found_by_its_sender_and_the_others() -> None:
    table = Drops(3)
    table.play()
    (own,) = table.verdicts[0]
    assert (own.outcome, own.reason, own.seats) == (Outcome.FAILED, Reason.OWN_LINK_MISSING, (0,))
    (others,) = table.verdicts[1]
    assert (others.reason, others.seats) == (Reason.LINKS_MISSING, (0,))


def test_a_contributor_who_is_called_absent_finds_it() -> None:
    table = Drops(3)
    table.begin_deal()
    table.happen(table.shown(void=True, missing=[0]))
    (own,) = table.verdicts[0]
    assert (own.outcome, own.reason, own.seats) == (Outcome.FAILED, Reason.OWN_LINK_MISSING, (0,))
    assert table.found(1) == [(Outcome.REDONE, Reason.ABSENT)]


def test_a_link_to_which_only_a_later_answer_came_was_there() -> None:
    class NeverConfirms(Drops):
        def confirm(self, seat: int, number: int) -> None:
            if seat != 0 or not self.links:
                super().confirm(seat, number)

    table = NeverConfirms(3)
    table.begin_deal()
    table.tell(0, replace(table.update(0, []), re=99))
    table.happen(table.shown(void=True, missing=[0]))
    assert table.found(0) == [failed(Reason.OWN_LINK_MISSING)]


@pytest.mark.parametrize("void", [False, True])
def test_another_link_in_the_place_of_ones_own_is_found(void: bool) -> None:
    class ShowsAnother(ToldTable):
        def at_the_end(self, ended: RoundEnded) -> list[Event]:
            return [ended, self.lie()]

        def lie(self) -> DealRevealed:
            shown = self.shown(void=void)
            return replace(shown, links=[SeatLink(0, "ab" * 32), *shown.links[1:]])

    table = ShowsAnother(2)
    if void:
        table.begin_deal()
        table.happen(table.lie())
    else:
        table.play()
    assert table.found(0) == [failed(Reason.WRONG_LINK)]


def test_a_link_of_a_seat_that_is_not_on_the_list_is_found() -> None:
    table = ToldTable(3)
    table.begin_deal()
    shown = table.shown(void=True)
    del table.tips[2]
    table.happen(replace(shown, links=[*shown.links, SeatLink(3, "ab" * 32)]))
    assert table.found(0) == [failed(Reason.WRONG_LINK)]


def test_a_chain_of_the_servers_that_is_not_for_this_deal_is_found() -> None:
    table = ToldTable(2)
    table.chain = Chain(b"\x02" * 32, 5)
    table.offer()
    table.begin_deal()
    links = [SeatLink(seat, table.links[seat]) for seat in table.seats]
    table.happen(DealRevealed("m1", 1, 2, "ab" * 32, links, void=True))
    assert table.found(0) == [failed(Reason.WRONG_LINK)]


def test_a_deal_dealt_without_asking_is_found() -> None:
    class AsksOthers(ToldTable):
        def begin_deal(self) -> None:
            self.deaf = {0}
            super().begin_deal()
            self.deaf = set()

    table = AsksOthers(3)
    table.play()
    assert table.found(0) == [failed(Reason.OWN_LINK_MISSING)]
    assert table.found(1) == [failed(Reason.LINKS_MISSING)]


@pytest.mark.parametrize("asked", ["a tip", "an agreement"])
def test_a_contributor_whose_answer_was_taken_is_not_left_out(asked: str) -> None:
    table = ToldTable(3)
    if asked == "a tip":
        table.ask_tips(seats=[0])
    del table.tips[0]
    table.dealer = 1
    table.offer()
    assert table.found(0) == [failed(Reason.OTHER_LIST)]
    table.play()
    assert table.found(0) == [failed(Reason.OWN_LINK_MISSING)]
    assert table.found(1) == table.found(2) == [CHECKED]
