"""A client's software at honest tables: every deal is checked, and nobody is accused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_protocol.absences import MOST_ABSENT
from passing_protocol.contributing import FEWEST_TABLES, Contributor
from passing_protocol.errors import ErrorCode
from passing_protocol.events import (
    Event,
    MatchEnded,
    OwnerChanged,
    RoundEnded,
    SeatChanged,
    StateChanged,
    TipsAgreed,
    WatchersChanged,
    round_ended,
)
from passing_protocol.fair_deal import CHAIN_LINKS, Chain
from passing_protocol.messages import (
    Contribute,
    Error,
    GiveLink,
    Join,
    Leave,
    Left,
    LinkWanted,
    Ok,
    Ready,
    ShowTip,
    TipsOffered,
    TipsOk,
    Update,
)
from passing_protocol.own_part import OwnPart
from passing_protocol.table_share import TableShare
from passing_protocol.verdicts import Outcome, Reason
from passing_protocol.views import (
    DealKind,
    GameOptions,
    SeatInfo,
    SeatState,
    TableState,
    Tip,
    TipList,
)
from passing_rules import Lead, PartnerScoring
from tests.support.told_table import TABLE, ToldTable, welcome

CHECKED = (Outcome.CHECKED, None)
MISSED = (Outcome.UNCHECKED, Reason.MISSED)


GAMES = st.builds(
    GameOptions,
    seats=st.integers(2, 4),
    pass_circles=st.integers(1, 2),
    out_wins_ties=st.booleans(),
) | st.builds(
    GameOptions,
    partners=st.just(value=True),
    out_wins_ties=st.booleans(),
    partner_scoring=st.sampled_from(PartnerScoring),
)


def all_found(table: ToldTable) -> list[list[tuple[Outcome, Reason | None]]]:
    return [table.found(seat) for seat in table.seats]


@settings(max_examples=20)
@given(st.integers(0, 999), st.integers(1, 4), st.sampled_from(Lead), st.booleans(), GAMES)
def test_every_deal_of_an_honest_table_is_checked_by_everybody(
    seed: int, rounds: int, lead: Lead, public: bool, game: GameOptions
) -> None:
    seats = game.seats
    table = ToldTable(seats, seed, replace(game, lead=lead, target=9_999))
    for number in range(1, rounds + 1):
        table.play(public=public)
        for seat in table.seats:
            (verdict,) = table.verdicts[seat]
            assert (verdict.table, verdict.match) == (TABLE, "m1")
            assert (verdict.deal, verdict.round, verdict.seats) == (number, number, ())
        assert all_found(table) == [[CHECKED]] * seats


def test_a_part_is_a_tip_a_hash_and_a_link() -> None:
    table = ToldTable(2)
    table.begin_deal()
    kinds = [type(answer) for seat, answer in table.answers if seat == 1]
    assert kinds == [ShowTip, TipsOk, GiveLink]
    assert table.agreed == dict.fromkeys(table.seats, table.hash.hex())
    assert len(set(table.links.values())) == 2


def test_nothing_that_is_kept_or_sent_shows_a_link_by_accident() -> None:
    table = ToldTable(2)
    table.begin_deal()
    (link,) = [answer for seat, answer in table.answers if seat == 0][-1:]
    assert isinstance(link, GiveLink)
    share = vars(table.contributors[0])["_shares"][TABLE]
    assert isinstance(share, TableShare)
    own = vars(share)["_own"]
    assert isinstance(own, OwnPart)
    shown = [repr(link), repr(share.given), repr(vars(own))]
    assert all(table.links[0] not in text for text in shown)
    assert not any(repr(bytes.fromhex(table.links[0])) in text for text in shown)


def test_a_server_that_was_set_back_and_asks_again_gets_the_same_tip_until_it_is_used() -> None:
    """An answer of long ago may be on the list, when others have been asked for since."""
    table = ToldTable(2)
    table.ask_tips()
    before = table.tips[0].tip
    table.play()
    asked: set[str] = set()
    for epoch in (2, 3, 4, 5):
        table.tell(0, welcome(epoch=epoch, resumed=True))
        table.tell(0, Contribute(0, TABLE, table.id, 0, 5_000))
        asked.add(table.tips[0].tip)
    assert len(asked) == 1
    assert before not in asked
    table.begun = 0
    table.chain = Chain(bytes(32), 0)
    table.version = 0
    table.offer()
    assert table.found(0)[1:] == []
    for is_given in (False, True):  # the link of a deal is given once, whatever its chain
        table.begin_deal()
        assert (0 in table.links) is is_given
    table.tell(0, Contribute(0, TABLE, table.id, 0, 5_000))
    assert table.tips[0].tip not in asked


def test_what_is_for_the_software_alone_is_marked() -> None:
    table = ToldTable(2)
    contributor = table.contributors[0]
    heard = contributor.hear(Contribute(0, TABLE, "m1", 0, 5_000))
    assert heard.own
    contributor.sent(70, heard.requests[0], own=True)
    assert contributor.hear(Ok(0, 70)).own
    assert not contributor.hear(Ok(0, 70)).own
    contributor.sent(71, Ready(0, TABLE))
    assert not contributor.hear(Ok(0, 71)).own
    assert not contributor.hear(table.update(0, [])).own
    assert not contributor.hear(Error(0, ErrorCode.DISK, "", retry=True)).own


def test_a_tip_asked_for_again_is_the_same_until_it_is_used() -> None:
    table = ToldTable(2)
    first = dict(table.tips)
    table.ask_tips()
    assert table.tips == first
    table.play()
    table.ask_tips()
    assert table.tips[0].base == 1
    table.offer()
    table.play()
    assert all_found(table) == [[CHECKED] * 2] * 2
    table.begun = 1
    table.ask_tips(seats=[0])
    assert table.tips[0].tip not in (first[0].tip,)


def test_a_match_may_have_more_deals_than_a_chain_links() -> None:
    table = ToldTable(2)
    table.begun = CHAIN_LINKS - 2
    table.ask_tips()
    table.chain = type(table.chain)(table.random.randbytes(32), table.begun)
    table.offer()
    for _ in range(4):
        table.play()
    assert all_found(table) == [[CHECKED] * 4] * 2


def test_a_rematch_has_chains_and_lists_of_its_own() -> None:
    table = ToldTable(2)
    table.play()
    tips = dict(table.tips)
    table.begin_match()
    assert table.tips[0].tip != tips[0].tip
    table.play()
    assert all_found(table) == [[CHECKED, CHECKED]] * 2


def test_a_round_cut_short_is_checked_as_far_as_it_went() -> None:
    table = ToldTable(3)
    table.begin_round()
    for _ in range(4):
        table.act()
    table.happen(MatchEnded("abandoned", [0, 0, 0]), table.shown())
    assert all_found(table) == [[CHECKED]] * 3
    table.begin_match()
    table.begin_round()
    table.happen(table.shown(), StateChanged(TableState.CLOSED))
    for seat in table.seats:
        table.tell(seat, Left(0, TABLE, "closed"))
    assert all_found(table) == [[CHECKED]] * 3


# --- messages that do not arrive


@settings(max_examples=25)
@given(st.integers(0, 999), st.integers(0, 12), st.integers(1, 12), st.booleans(), st.booleans())
def test_whoever_misses_some_of_a_round_checks_it_by_what_everybody_sees(
    seed: int, before: int, gap: int, restarted: bool, public: bool
) -> None:
    table = ToldTable(3, seed)
    table.begin_round()
    for _ in range(before):
        if not table.at_rest:
            table.act()
    table.deaf = {1}
    for _ in range(gap):
        if not table.at_rest:
            table.act()
    table.deaf = set()
    table.tell(1, welcome(epoch=1 + restarted, resumed=True))
    is_over = table.at_rest
    table.show(1)
    table.play_on(public=public)
    table.play()
    last = [MISSED, CHECKED] if is_over else [CHECKED, CHECKED]
    assert all_found(table) == [[CHECKED, CHECKED], last, [CHECKED, CHECKED]]


def test_whoever_misses_the_beginning_of_a_round_checks_it_too() -> None:
    table = ToldTable(2)
    table.play()
    table.deaf_to_rounds = {0}
    table.begin_round()
    table.act()
    table.deaf_to_rounds = set()
    table.tell(0, welcome(resumed=True))
    table.show(0)
    table.play_on()
    assert all_found(table) == [[CHECKED, CHECKED]] * 2


def test_whoever_misses_the_links_does_not_check() -> None:
    table = ToldTable(2)
    table.begin_round()
    table.deaf = {0}
    table.play_on()
    table.deaf = set()
    table.show(0)
    table.play()
    assert all_found(table) == [[MISSED, CHECKED], [CHECKED, CHECKED]]


@pytest.mark.parametrize("epoch", [1, 2])
def test_an_answer_that_shows_the_round_over_after_a_gap_accuses_nobody(epoch: int) -> None:
    table = ToldTable(2)
    table.begin_round()
    table.deaf = {0}
    table.play_on()
    table.deaf = set()
    table.tell(0, welcome(epoch=epoch, resumed=True))
    table.tell(0, replace(table.update(0, [], public=True), re=7))
    table.play()
    assert all_found(table) == [[MISSED, CHECKED], [CHECKED, CHECKED]]


def test_whoever_misses_the_links_and_a_new_list_after_them_does_not_check() -> None:
    table = ToldTable(2)
    table.begin_round()
    table.deaf = {0}
    table.play_on()
    table.deaf = set()
    table.tell(0, welcome(resumed=True))
    table.ask_tips()
    table.offer()
    table.play()
    assert all_found(table) == [[MISSED, CHECKED], [CHECKED, CHECKED]]


def test_whoever_misses_the_links_and_is_not_on_the_next_list_accuses_nobody() -> None:
    table = ToldTable(3)
    table.begin_round()
    table.deaf = {0}
    table.play_on()
    del table.tips[0]
    table.dealer = 1
    table.offer()
    table.deaf = set()
    shown = replace(table.view(), tips=table.list_for(1))
    table.tell(0, replace(table.update(0, []), public=shown))
    assert table.found(0) == [MISSED]


def test_whoever_misses_the_links_at_the_end_of_a_match_does_not_check() -> None:
    table = ToldTable(2)
    table.begin_round()
    table.deaf = {0}
    table.play_on()
    table.deaf = set()
    table.show(0)
    table.begin_match()
    assert all_found(table) == [[MISSED], [CHECKED]]


def test_whoever_loses_the_seat_to_a_gap_accuses_nobody() -> None:
    table = ToldTable(2)
    table.begin_round()
    table.tell(0, welcome(resumed=True))
    table.deaf = {0}
    table.play_on()
    table.deaf = set()
    table.tell(0, Left(0, TABLE, "removed"))
    assert table.found(0) == []


def test_a_deal_whose_round_never_arrived_is_not_checked() -> None:
    table = ToldTable(2)
    table.deaf_to_rounds = {0}
    table.begin_round()
    table.play_on()
    table.deaf_to_rounds = set()
    table.tell(0, welcome(resumed=True))
    table.tell(0, table.update(0, [table.shown()]))
    assert table.found(0) == [MISSED]


def test_what_comes_twice_counts_once() -> None:
    table = ToldTable(2)
    table.play()
    shown = table.update(0, [table.shown()])
    table.tell(0, shown)
    table.tell(0, replace(shown, duplicate=True))
    table.tell(0, replace(shown, rev=0))
    assert table.found(0) == [CHECKED]


def test_a_link_asked_for_twice_is_given_twice() -> None:
    table = ToldTable(2)
    table.begin_deal()
    link = table.links[0]
    table.tell(0, LinkWanted(0, TABLE, "m1", 1, 1, 5_000))
    assert [answer for seat, answer in table.answers if seat == 0][-1] == GiveLink(
        0, TABLE, "m1", 1, link
    )
    assert table.found(0) == []


# --- a deal that is done again


def test_a_deal_is_done_again_because_of_one_who_is_absent() -> None:
    table = ToldTable(3)
    table.silent = {2}
    table.begin_deal()
    table.happen(table.shown(void=True, missing=[2]))
    table.silent = set()
    del table.tips[2]
    table.offer()
    table.play()
    (redone, _) = table.verdicts[0]
    assert (redone.deal, redone.round, redone.seats) == (1, 1, (2,))
    honest = [(Outcome.REDONE, Reason.ABSENT), CHECKED]
    assert table.found(0) == table.found(1) == honest
    late = (Outcome.REDONE, Reason.OWN_LINK_LATE)
    assert table.found(2) == [late, (Outcome.UNCHECKED, Reason.NO_PART)]


def test_whoever_has_no_part_hears_too_that_a_deal_is_done_again() -> None:
    table = ToldTable(3)
    table.show(0)
    del table.tips[0]
    table.dealer = 1
    table.offer()
    table.silent = {2}
    table.begin_deal()
    table.happen(table.shown(void=True, missing=[2]))
    assert table.found(0) == [(Outcome.REDONE, Reason.ABSENT)]


def test_whoever_was_struck_off_may_come_again() -> None:
    table = ToldTable(3)
    table.silent = {2}
    table.begin_deal()
    table.happen(table.shown(void=True, missing=[2]))
    table.silent = set()
    table.ask_tips(seats=[2])
    table.offer()
    table.play()
    assert [CHECKED in found for found in all_found(table)] == [True] * 3


def test_a_link_that_was_lost_with_the_server_may_be_missing() -> None:
    table = ToldTable(2)
    table.begin_deal()
    for seat in table.seats:
        table.tell(seat, welcome(epoch=2, resumed=True))
    del table.links[0]  # it had not stored it
    table.happen(table.shown(void=True, missing=[0]))
    table.ask_tips(seats=[0])
    table.offer()
    table.play()
    late = (Outcome.REDONE, Reason.OWN_LINK_LATE)
    assert all_found(table) == [[late, CHECKED], [(Outcome.REDONE, Reason.ABSENT), CHECKED]]


def test_a_deal_with_all_links_may_become_nothing_when_the_match_ends() -> None:
    table = ToldTable(2)
    table.begin_deal()
    table.happen(table.shown(void=True), MatchEnded("abandoned", [0, 0]))
    table.begin_match()
    table.play()
    assert all_found(table) == [[(Outcome.REDONE, Reason.INTERRUPTED), CHECKED]] * 2


def lose_link(table: ToldTable, seat: int) -> None:
    """Let the link of a seat be missing, and put it on the next list all the same."""
    table.silent = {seat}
    table.begin_deal()
    table.happen(table.shown(void=True, missing=[seat]))
    table.silent = set()
    table.ask_tips(seats=[seat])
    table.offer()


def test_two_players_at_a_seat_may_each_be_absent_twice_in_a_match() -> None:
    table = ToldTable(2)
    for name in ("S1", "Eve"):
        info = SeatInfo(SeatState.TAKEN, name)
        table.happen(SeatChanged(1, info), SeatChanged(7, info))
        table.offer()
        lose_link(table, 1)
        lose_link(table, 1)
    table.begin_match()
    lose_link(table, 1)
    table.play()
    assert all_found(table)[0] == [(Outcome.REDONE, Reason.ABSENT)] * 5 + [CHECKED]


def forget(table: ToldTable, seat: int, why: str) -> None:
    """Give a server the occasion to have forgotten who was absent."""
    if why == "a start":
        table.tell(seat, welcome(epoch=len(table.answers), resumed=True))
        return
    if why == "leaving":
        table.contributors[seat].sent(9, Leave(0, TABLE))
    elif why == "a removal":
        table.tell(seat, Left(0, TABLE, "removed"))
    else:
        table.tell(seat, welcome())
    table.show(seat)
    table.ask_tips(seats=[seat])
    table.offer()


@pytest.mark.parametrize("why", ["a start", "a session", "leaving", "a removal"])
def test_a_server_that_may_have_forgotten_who_was_absent_is_not_accused_nor_believed(
    why: str,
) -> None:
    table = ToldTable(2)
    for times in range(3):
        lose_link(table, 1)
        lose_link(table, 1)
        assert table.found(0) == [(Outcome.REDONE, Reason.ABSENT)] * 2
        forget(table, 0, why)
        table.play()
        honest = CHECKED if times == 0 else (Outcome.UNCHECKED, Reason.ABSENT_TOO_OFTEN)
        assert table.found(0) == [honest]
    table.begin_match()
    table.play()
    assert table.found(0) == [CHECKED]


def test_who_was_absent_counts_by_who_was_on_the_list_though_one_is_not_on_it_oneself() -> None:
    table = ToldTable(3)
    table.silent = {2}
    table.begin_deal()
    table.happen(table.shown(void=True, missing=[2]))
    del table.tips[2]
    for name in ("S1", "Eve"):
        table.happen(SeatChanged(1, SeatInfo(SeatState.TAKEN, name)))
        table.offer()
        lose_link(table, 1)
        lose_link(table, 1)
    assert all(outcome is Outcome.REDONE for outcome, _ in table.found(2))


@pytest.mark.parametrize("told", [False, True])
def test_a_third_absence_is_no_fault_where_the_list_was_not_told_of(told: bool) -> None:
    table = ToldTable(3)
    lose_link(table, 1)
    lose_link(table, 1)
    table.tips.pop(2)
    table.deaf = set() if told else {2}
    table.offer()  # one who was away for that hears of the table again, not of the list
    table.deaf = set()
    table.found(2)
    table.begin_deal()
    table.silent = {1}
    table.happen(table.shown(void=True, missing=[1]))
    redone = Outcome.FAILED, Reason.ABSENT_TOO_OFTEN
    assert table.found(2) == [redone if told else (Outcome.REDONE, Reason.ABSENT)]
    table.silent = set()
    table.ask_tips()
    table.offer()
    table.play()
    assert table.found(2) == [(Outcome.UNCHECKED, Reason.ABSENT_TOO_OFTEN)]


def test_a_server_cannot_make_it_grow_by_names_of_who_is_absent() -> None:
    table = ToldTable(2)
    table.contributors[1] = Contributor(table.random.randbytes, MOST_ABSENT)
    table.tell(1, welcome())
    table.show(1)
    table.ask_tips(seats=[1])
    for number in range(2 * MOST_ABSENT):
        table.happen(SeatChanged(1, SeatInfo(SeatState.TAKEN, f"N{number}")))
        table.offer()
        lose_link(table, 1)
    share = vars(table.contributors[0])["_shares"][TABLE]
    assert isinstance(share, TableShare)
    kept = [vars(share.absences)[name] for name in ("_all", "_since")]
    assert [len(one) for one in kept] == [MOST_ABSENT] * 2
    table.play()
    unknown = (Outcome.UNCHECKED, Reason.ABSENT_TOO_OFTEN)
    assert table.found(0) == [(Outcome.REDONE, Reason.ABSENT)] * 2 * MOST_ABSENT + [unknown]


def test_a_client_does_not_grow_by_the_tables_that_were_left() -> None:
    table = ToldTable(2)
    contributor = table.contributors[0]
    for number in range(3 * FEWEST_TABLES):
        name = f"t{number + 1}"
        contributor.hear(replace(table.update(0, [], public=True), table=name))
        contributor.hear(Left(0, name, "closed"))
    assert len(vars(contributor)["_absences"]) == FEWEST_TABLES


@pytest.mark.parametrize("why", ["refused", "unanswered", "overtaken", "gap", "forfeited"])
def test_whoever_may_be_left_out_for_a_reason_accuses_nobody(why: str) -> None:
    table = ToldTable(3)
    if why in ("unanswered", "refused", "overtaken"):
        table.silent = {2}
    table.ask_tips(seats=[2])
    number = table.ids_by_seat[2]
    if why == "refused":
        table.tell(2, Error(0, ErrorCode.NO_SUCH_DEAL, "", retry=False, re=number))
    elif why == "overtaken":
        table.ask_tips(seats=[2])  # for a list of which the next offer is
        table.offer()
        table.confirm(2, number)
    elif why == "gap":
        table.show(2)
    elif why == "forfeited":
        table.happen(SeatChanged(2, SeatInfo(SeatState.FORFEITED, "S2")))
    del table.tips[2]
    table.offer()
    table.play()
    assert table.found(2) == [(Outcome.UNCHECKED, Reason.NO_PART)]


class AtOnceTable(ToldTable):
    """Tell of the next list, without the last seat, at once with the end of a round, or before."""

    in_time = True

    def at_the_end(self, ended: RoundEnded) -> list[Event]:
        others = [self.tips[seat] for seat in sorted(self.tips)[:-1]]
        told = TipsAgreed(self.id, TipList(self.version + 1, self.chain.shown, others))
        events = super().at_the_end(ended)
        return [*events, told] if self.in_time else [told, *events]


@pytest.mark.parametrize("in_time", [True, False])
def test_a_list_that_is_told_of_with_the_end_of_a_round_is_that_of_the_next(in_time: bool) -> None:
    table = AtOnceTable(3)
    table.in_time = in_time
    table.begin_round()
    table.happen(SeatChanged(2, SeatInfo(SeatState.FORFEITED, "S2")))
    table.play_on()
    found = table.found(2)
    assert ((Outcome.FAILED, Reason.OTHER_LIST) in found) is not in_time
    assert (found == [(Outcome.CHECKED, None)]) is in_time


def test_a_list_that_was_followed_by_others_is_no_other_list() -> None:
    table = ToldTable(2)
    told = table.list_for(0)
    for _ in range(3):
        table.offer()
    table.tell(
        0, replace(table.update(0, [], public=True), public=replace(table.view(), tips=told))
    )
    assert table.found(0) == []


def test_whoever_has_joined_again_at_another_seat_does_not_check() -> None:
    table = ToldTable(2)
    table.begin_round()
    table.act()
    table.deaf = {0}
    moved = table.update(1, [], public=True)
    while not table.at_rest:
        moved = table.update(1, [], public=True)
        table.act()
    table.deaf = set()
    table.contributors[0].sent(9, Join(0, TABLE))
    table.tell(0, replace(moved, re=9))
    table.tell(0, table.update(1, [*table.actions[-1:], *table.at_the_end(table.ended)]))
    assert table.found(0) == [(Outcome.UNCHECKED, Reason.NOT_FROM_START)]


def test_a_round_that_is_set_back_to_before_it_was_dealt_is_not_checked() -> None:
    table = ToldTable(2)
    before = table.view()
    table.begin_round()
    for seat in table.seats:
        table.tell(seat, welcome(epoch=2, resumed=True))
        table.tell(seat, replace(table.update(seat, []), public=before))
    table.match = table.match.replay(table.match.options, [])
    table.offer()
    table.play()
    assert all_found(table) == [[MISSED, CHECKED]] * 2


def test_deals_whose_numbers_come_again_after_a_loss_of_power_are_no_fault() -> None:
    """A link for them was shown before, so that none is given, and they are not checked."""
    table = ToldTable(2)
    before = table.view()
    table.play()
    for seat in table.seats:
        table.tell(seat, welcome(epoch=2, resumed=True))
        table.tell(seat, replace(table.update(seat, []), public=before))
    table.match = table.match.replay(table.match.options, [])
    table.begun = 0
    table.play()
    assert all_found(table) == [[CHECKED, (Outcome.UNCHECKED, Reason.NO_PART)]] * 2


@pytest.mark.parametrize("was_over", [False, True], ids=["in a round", "after a round"])
def test_whoever_joins_again_after_a_loss_of_power_hears_all_that_is_new(was_over: bool) -> None:
    table = ToldTable(2)
    lobby, rev = table.view(), table.rev
    if was_over:
        table.play()
    else:
        table.begin_round()
    table.tell(0, welcome(epoch=2, resumed=True))
    table.rev = rev
    table.tell(0, replace(table.update(0, []), public=lobby, re=9))
    table.begin_match()
    table.play()
    assert table.found(0) == [CHECKED if was_over else MISSED, CHECKED]


@pytest.mark.parametrize("seed", range(8))
def test_whoever_comes_back_between_two_rounds_of_the_next_match_knows_that_one_was_played(
    seed: int,
) -> None:
    table = ToldTable(2, seed, GameOptions(seats=2, lead=Lead.WINNER, target=9_999))
    table.play()
    table.deaf = {0}
    table.begin_match()
    table.play()
    table.deaf = set()
    table.tell(0, welcome(resumed=True))
    table.show(0)
    table.ask_tips(seats=[0])
    table.offer()
    table.play()
    assert table.found(0) == [CHECKED, CHECKED]


def test_a_match_that_was_lost_with_the_server_is_followed_by_another() -> None:
    table = ToldTable(2)
    table.play()
    table.tell(0, welcome(epoch=2, resumed=True))
    table.deaf = {0}
    table.begin_match()
    table.begin_round()
    table.deaf = set()
    table.show(0)
    table.play_on()
    assert table.found(0) == [CHECKED, (Outcome.UNCHECKED, Reason.NOT_FROM_START)]


def test_a_round_that_is_set_back_when_it_was_over_is_not_checked_again() -> None:
    table = ToldTable(2)
    table.begin_round()
    begun = table.view()
    table.play_on()
    table.tell(0, welcome(epoch=2, resumed=True))
    table.tell(0, replace(table.update(0, []), public=begun))
    ended = round_ended(table.match.results[-1], None)
    table.happen(*table.actions, ended, table.shown())
    assert table.found(0) == [CHECKED, MISSED]


def test_a_round_that_ends_anew_unseen_after_it_was_set_back_says_nothing_of_the_next() -> None:
    table = ToldTable(2, game=GameOptions(seats=2, lead=Lead.WINNER, target=9_999))
    table.begin_round()
    begun = table.view()
    table.play_on()
    first = table.match.results[0]
    table.tell(0, welcome(epoch=2, resumed=True))
    table.tell(0, replace(table.update(0, []), public=begun))
    table.deaf = {0}
    while table.match.results in ((), (first,)) or table.match.results[0].side == first.side:
        table.match = table.match.replay(table.match.options, table.match.log[:1])
        table.actions.clear()
        table.play_on()
    table.deaf = set()
    table.play()
    assert table.found(0) == [CHECKED, MISSED, CHECKED]


def test_a_refused_link_may_have_come_too_late() -> None:
    table = ToldTable(2)
    table.silent = {0}
    table.begin_deal()
    table.silent = set()
    number = table.ids_by_seat[0]
    table.tell(0, Error(0, ErrorCode.NO_SUCH_DEAL, "", retry=False, re=number))
    table.tell(0, Ok(0, number + 1))
    table.happen(table.shown(void=True, missing=[0]))
    assert table.found(0) == [(Outcome.REDONE, Reason.OWN_LINK_LATE)]


# --- seats of others


def test_a_seat_taken_over_in_mid_round_is_not_checked() -> None:
    table = ToldTable(2)
    table.begin_round()
    table.act()
    table.contributors[1] = Contributor(table.random.randbytes)
    table.tell(1, welcome())
    table.happen(public=True)
    table.play_on()
    assert all_found(table) == [[CHECKED], [(Outcome.UNCHECKED, Reason.NOT_FROM_START)]]
    table.ask_tips(seats=[1])
    table.offer()
    table.play()
    assert all_found(table) == [[CHECKED], [CHECKED]]


def test_who_watches_or_plays_where_deals_are_not_fair_finds_nothing() -> None:
    table = ToldTable(2)
    watcher = Contributor(table.random.randbytes)
    watcher.hear(welcome())
    table.begin_round()
    watcher.hear(replace(table.update(0, [], public=True), mine=None))
    table.act()
    assert watcher.hear(replace(table.update(0, [table.shown()]), mine=None)).verdicts == ()
    other = replace(table.view(), deal=DealKind.SERVER, deal_number=None)
    assert watcher.hear(replace(table.update(0, []), public=other)).verdicts == ()
    assert watcher.hear(Left(0, TABLE, "closed")).verdicts == ()
    assert watcher.hear(LinkWanted(0, TABLE, "m1", 1, 1, 5_000)).requests == ()


def test_whoever_leaves_gives_nothing_more_and_accuses_nobody() -> None:
    table = ToldTable(2)
    table.play()
    table.contributors[0].sent(99, Leave(0, TABLE))
    assert table.contributors[0].hear(LinkWanted(0, TABLE, "m1", 1, 2, 5_000)).requests == ()
    assert table.found(0) == [CHECKED]


def test_a_new_session_begins_without_a_part() -> None:
    table = ToldTable(2)
    for _ in range(2):
        table.begin_round()
        table.tell(0, welcome(epoch=2))
        assert table.found(0) == [(Outcome.UNCHECKED, Reason.SESSION_GONE)]
        table.play_on()
        assert table.found(0) == []
        table.tell(0, welcome(epoch=2))
        table.show(0)
        table.ask_tips()
        table.offer()
    table.tell(0, welcome(epoch=3))
    assert table.found(0) == []


def test_several_tables_at_once_have_nothing_to_do_with_each_other() -> None:
    one, other = ToldTable(2, seed=1), ToldTable(2, seed=2, name="t2")
    other.contributors[0] = one.contributors[0]
    one.first_id, other.first_id = 1_000, 2_000
    other.happen(public=True)
    other.begin_match()
    for _ in range(2):
        one.begin_round()
        other.begin_round()
        one.play_on()
        other.play_on()
    assert all_found(one) == all_found(other) == [[CHECKED] * 2] * 2


# --- a server that was started again and has forgotten


def test_a_server_set_back_by_a_loss_of_power_is_given_nothing_twice() -> None:
    table = ToldTable(2)
    table.play()
    table.play()
    for seat in table.seats:
        table.tell(seat, welcome(epoch=2, resumed=True))
        table.found(seat)
    before = len(table.answers)
    table.begun = 0
    table.begin_deal()
    assert len(table.answers) == before
    table.begun = 2
    table.ask_tips()
    table.version = 0
    table.offer()
    table.play()
    assert all_found(table) == [[CHECKED], [CHECKED]]


def test_a_list_forgotten_by_a_server_started_again_may_have_another_content() -> None:
    table = ToldTable(2)
    for seat in table.seats:
        table.tell(seat, welcome(epoch=2, resumed=True))
    table.ask_tips()
    table.chain = type(table.chain)(table.random.randbytes(32), 0)
    table.version = 0
    table.offer()
    table.happen(TipsAgreed("m1", table.list_for(0)))
    table.play()
    assert all_found(table) == [[CHECKED], [CHECKED]]


# --- memory


@pytest.mark.parametrize("tables", [0, 20])
def test_a_server_cannot_make_it_grow_by_tables(tables: int) -> None:
    told = ToldTable(2)
    contributor = Contributor(bytes, tables)
    contributor.hear(welcome())
    most = tables or FEWEST_TABLES
    for number in range(3 * most):
        name = f"t{number}"
        asked = Contribute(0, name, "m1", 0, 5_000)
        assert contributor.hear(asked).requests == ()  # there is no seat
        shown = replace(told.update(0, [], public=True), table=name)
        found = contributor.hear(shown).verdicts
        assert [one.reason for one in found] == [Reason.TOO_MANY] * (number >= most)
        assert contributor.hear(shown).verdicts == ()
        assert bool(contributor.hear(asked).requests) == (number < most)


def test_a_server_cannot_make_it_grow_by_never_answering() -> None:
    contributor = Contributor(lambda count: b"x" * count)
    contributor.hear(welcome())
    contributor.hear(ToldTable(2).update(0, [], public=True))
    answers = 0
    for number in range(1_000):
        for request in contributor.hear(Contribute(0, TABLE, "m1", number, 5_000)).requests:
            contributor.sent(number, request, own=True)
            answers += 1
    assert answers == 4 * FEWEST_TABLES


def test_a_server_cannot_make_it_grow_by_rounds_without_end() -> None:
    table = ToldTable(2)
    table.begin_round()
    acted = Update(0, TABLE, 99, [])
    passed = table.actions
    table.act()
    events = [passed[0]] * 100
    for _ in range(100):
        table.tell(0, replace(acted, events=[*events]))
    table.rev = 99
    table.play_on()
    assert table.found(0) == [(Outcome.FAILED, Reason.HISTORY)]


def test_tips_of_nobody_are_not_agreed_to() -> None:
    contributor = Contributor(bytes)
    contributor.hear(welcome())
    offered = TipsOffered(0, TABLE, "m1", 1, Tip(0, "0" * 64), [], 5_000)
    assert contributor.hear(offered).requests == ()


def test_a_part_that_another_client_has_begun_accuses_nobody() -> None:
    table = ToldTable(2)
    table.play()
    other = Contributor(table.random.randbytes)
    other.hear(welcome())
    other.hear(table.update(0, [], public=True))
    tips = table.list_for(0)
    offered = TipsOffered(0, TABLE, "m1", 2, tips.server, tips.seats, 5_000)
    for message in (offered, LinkWanted(0, TABLE, "m1", 1, 2, 5_000)):
        heard = other.hear(message)
        assert heard.own
        assert (heard.requests, heard.verdicts) == ((), ())


def test_a_round_that_was_set_back_may_go_on_in_another_way() -> None:
    table = ToldTable(2, seed=5)
    table.begin_round()
    begun = replace(table.view())
    first = table.current.legal_actions()[0]
    table.act(first)
    table.act()
    for seat in table.seats:
        table.tell(seat, welcome(epoch=2, resumed=True))
    table.match = table.match.replay(table.match.options, table.match.log[:1])
    table.actions.clear()
    table.rev = begun.rev
    table.act(table.current.legal_actions()[1])
    table.act()
    for seat in table.seats:
        table.show(seat)
    table.play_on()
    found = all_found(table)
    assert all(outcome is Outcome.CHECKED for one in found for outcome, _ in one)


def test_a_drawn_tile_that_is_told_after_another_action_is_not_taken_for_that_one() -> None:
    table = ToldTable(2, seed=3)
    table.begin_round()
    seat = table.current.to_act
    table.act(table.current.legal_actions()[0])
    table.tell(seat, replace(table.update(seat, []), mine=replace(table.mine(seat), drew="66")))
    table.play_on()
    assert table.found(seat) == [CHECKED]


def test_what_else_happens_at_a_table_changes_nothing() -> None:
    table = ToldTable(2)
    table.begin_round()
    table.happen(WatchersChanged(3), OwnerChanged(1))
    table.play_on()
    assert all_found(table) == [[CHECKED]] * 2
