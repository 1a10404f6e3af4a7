"""R1: the set, the deal, the seats and who leads."""

import random

import pytest

from passing_rules import (
    ALL_TILES,
    Deal,
    InvalidDeal,
    InvalidLeader,
    Lead,
    Match,
    Options,
    Pass,
    Round,
    Tile,
)
from tests.support.rules_deals import deal_with, tiles
from tests.support.rules_play import play_out, random_deal

SEATS = (2, 3, 4)


def passed_out_match(options: Options, deal: Deal, drawn: int | None) -> Match:
    """A match whose first round everybody passed out of."""
    match = Match(options)
    match.begin_round(deal, drawn)
    pass_out(match)
    return match


def pass_out(match: Match) -> None:
    assert match.round is not None
    while match.round.ending is None:
        match.do(match.round.to_act, Pass())


def test_r1_1_the_set_is_28_distinct_tiles() -> None:
    assert len(set(ALL_TILES)) == 28
    assert sum(tile.pips for tile in ALL_TILES) == 168


@pytest.mark.parametrize("seats", [-1, 0, 1, 5])
def test_r1_1_no_deal_for_other_than_2_to_4(seats: int) -> None:
    with pytest.raises(InvalidDeal, match=f"seats: {seats} hands, allowed are 2, 3 or 4"):
        Deal.from_deck(ALL_TILES, seats)


def test_r1_1_a_deal_with_a_tile_twice_is_refused() -> None:
    deck = [*ALL_TILES[:27], Tile(0, 0)]
    with pytest.raises(InvalidDeal, match="tile 00 is there 2 times"):
        Deal.from_deck(deck, 2)


@pytest.mark.parametrize("deck", [ALL_TILES[:27], ALL_TILES[1:]])
def test_r1_1_a_deal_with_a_tile_missing_is_refused(deck: tuple[Tile, ...]) -> None:
    with pytest.raises(InvalidDeal, match="is there 0 times"):
        Deal.from_deck(deck, 3)


@pytest.mark.parametrize(("seats", "hand", "boneyard"), [(2, 7, 14), (3, 7, 7), (4, 6, 4)])
def test_r1_2_hands_and_boneyard(seats: int, hand: int, boneyard: int) -> None:
    deal = random_deal(random.Random(1), seats)
    assert [len(tiles) for tiles in deal.hands] == [hand] * seats
    assert len(deal.boneyard) == boneyard
    played = Round(deal, 0)
    assert played.hand_sizes == (hand,) * seats
    assert played.boneyard_size == boneyard
    assert Options.of(seats).hand_size == hand


def test_r1_2_a_hand_of_another_size_is_refused() -> None:
    first, second = deal_with("", "").hands
    with pytest.raises(InvalidDeal, match="hand of seat 1: 6 tiles, allowed are 7"):
        Deal((first, second[:6]), ALL_TILES[14:])


def test_r1_2_a_deck_is_dealt_in_whole_hands_from_its_top() -> None:
    deal = Deal.from_deck(ALL_TILES[::-1], 4)
    assert deal.hands[0] == ALL_TILES[-6:]
    assert deal.boneyard == tuple(tiles("03 02 01 00"))


@pytest.mark.parametrize(("seats", "drawable"), [(2, 12), (3, 5), (4, 2)])
def test_r1_3_all_but_two_of_the_boneyard_can_be_drawn(seats: int, drawable: int) -> None:
    played = Round(random_deal(random.Random(2), seats), 0)
    assert played.drawable == drawable
    play_out(played, "d " * drawable)
    assert played.drawable == 0
    assert played.boneyard_size == 2
    assert "d" not in map(str, played.legal_actions())


def test_r1_3_tiles_are_drawn_in_the_order_of_the_boneyard() -> None:
    deal = deal_with("", "", "", draws="66 05 34")
    played = play_out(Round(deal, 1), "d d d")
    assert [str(record) for record in played.records] == ["d66", "d05", "d34"]
    assert all(Tile.parse(text) in played.hand(seat) for seat, text in ((1, "66"), (2, "05")))


def test_r1_4_partners_sit_opposite() -> None:
    options = Options.of(4, partners=True)
    assert options.sides == 2
    assert [options.side_of(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert [options.seats_of(side) for side in range(2)] == [(0, 2), (1, 3)]


@pytest.mark.parametrize("seats", SEATS)
def test_r1_4_without_partners_every_seat_is_its_own_side(seats: int) -> None:
    options = Options.of(seats)
    assert options.sides == seats
    assert [options.seats_of(side) for side in range(seats)] == [(seat,) for seat in range(seats)]
    assert [options.side_of(seat) for seat in range(seats)] == list(range(seats))


@pytest.mark.parametrize("lead", list(Lead))
def test_r1_5_the_first_leader_is_drawn(lead: Lead) -> None:
    match = Match(Options.of(3, lead=lead))
    assert match.chance_leads
    with pytest.raises(InvalidLeader, match="none drawn"):
        match.begin_round(random_deal(random.Random(3), 3))
    assert match.begin_round(random_deal(random.Random(3), 3), 2).leader == 2
    assert match.round is not None
    assert match.round.to_act == 2


@pytest.mark.parametrize("leader", [-1, 3])
def test_r1_5_a_leader_has_a_seat(leader: int) -> None:
    match = Match(Options.of(3))
    with pytest.raises(InvalidLeader, match=f"leader: {leader}, allowed are 0 to 2"):
        match.begin_round(random_deal(random.Random(3), 3), leader)
    assert match.round is None
    assert match.log == ()


@pytest.mark.parametrize("seats", SEATS)
def test_r1_6_the_lead_passes_clockwise(seats: int) -> None:
    deal = random_deal(random.Random(4), seats)
    match = passed_out_match(Options.of(seats, target=9999), deal, seats - 1)
    leaders = [seats - 1]
    for _ in range(2 * seats):
        assert not match.chance_leads
        leaders.append(match.begin_round(deal).leader)
        pass_out(match)
    assert leaders == [(seats - 1 + number) % seats for number in range(2 * seats + 1)]


def test_r1_6_a_leader_given_where_nothing_is_drawn_is_refused() -> None:
    deal = random_deal(random.Random(4), 2)
    match = passed_out_match(Options.of(2), deal, 0)
    with pytest.raises(InvalidLeader, match="leader: 1 drawn"):
        match.begin_round(deal, 1)
    assert match.round_number == 1


def test_r1_6_lead_random_draws_every_leader() -> None:
    deal = random_deal(random.Random(4), 2)
    match = passed_out_match(Options.of(2, lead=Lead.RANDOM), deal, 0)
    assert match.chance_leads
    assert match.begin_round(deal, 0).leader == 0


LOWEST_AT_2 = deal_with("66 65 64", "55 54 53", "00 01 02 03 04 05 11")


def test_r1_6_lead_winner() -> None:
    match = passed_out_match(Options.of(3, lead=Lead.WINNER, target=9999), LOWEST_AT_2, 0)
    assert match.results[-1].winners == (2,)
    assert not match.chance_leads
    assert match.begin_round(LOWEST_AT_2).leader == 2


def test_r1_6_lead_winner_rotates_after_a_drawn_round() -> None:
    match = passed_out_match(Options.of(3, lead=Lead.WINNER), equal_lowest(3, (0, 1)), 1)
    assert match.results[-1].winners == ()
    assert match.begin_round(LOWEST_AT_2).leader == 2


def equal_lowest(seats: int, tied: tuple[int, ...]) -> Deal:
    """A deal in which just these seats hold the lowest hands, with equal pips."""
    rng = random.Random(5)
    while True:
        deal = random_deal(rng, seats)
        pips = Round(deal, 0).pips
        if tuple(seat for seat in range(seats) if pips[seat] == min(pips)) == tied:
            return deal


@pytest.mark.parametrize(
    ("tied", "leader", "following"),
    [((0, 2), 0, 2), ((0, 2), 1, 2), ((0, 2), 2, 0), ((0, 2), 3, 0), ((1, 3), 3, 1)],
)
def test_r1_6_lead_winner_of_two_tied_partners_the_first_clockwise(
    tied: tuple[int, ...], leader: int, following: int
) -> None:
    options = Options.of(4, partners=True, lead=Lead.WINNER, target=9999)
    match = passed_out_match(options, equal_lowest(4, tied), leader)
    assert match.results[-1].winners == tied
    assert match.begin_round(random_deal(random.Random(6), 4)).leader == following


def test_r1_7_a_hand_of_seven_doubles_is_played() -> None:
    played = Round(deal_with("00 11 22 33 44 55 66", ""), 0)
    assert [str(action) for action in played.legal_actions()] == [
        *("00", "11", "22", "33", "44", "55", "66"),
        *("d", "-"),
    ]
