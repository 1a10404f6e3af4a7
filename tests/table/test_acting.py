"""A turn at the table: what is answered to what, and how the rules of the game show there."""

import random

import pytest

from passing_protocol.errors import ErrorCode, RequestRefused
from passing_protocol.events import RoundBegan, RoundEnded, SeatChanged, StateChanged
from passing_protocol.views import Acted, TableOptions, TableState
from passing_protocol.wire import ActionMessage
from passing_rules import ALL_TILES, Deal, Options, Refusal, parse_action
from passing_rules.scoring import score_round
from passing_table import Outcome, view
from passing_table.words import misfit
from tests.support.rules_deals import deal_with, longest_round
from tests.support.sitting import Sitting, engine, person

ANNA, BOB, CYD, DAN = person("anna"), person("bob"), person("cyd"), person("dan")
PEOPLE = (ANNA, BOB, CYD, DAN)
TWO = Options.of(2, target=9_999)
PARTNERS = Options.of(4, partners=True)


def two(*given: Deal, options: Options = TWO) -> Sitting:
    sitting = Sitting(options, TableOptions(turn_ms=0), given)
    sitting.begin(*PEOPLE[: options.seats])
    return sitting


def test_the_same_answer_again_is_a_repetition_and_draws_no_second_tile() -> None:
    sitting = two()
    assert sitting.act("d", seat=0, turn=1) is Outcome.DONE
    assert sitting.act("d", seat=0, turn=1) is Outcome.REPEATED
    assert sitting.dealt.hand_sizes == (8, 7)


def test_a_repetition_is_known_until_the_seat_has_acted_again_even_over_the_rounds_end() -> None:
    sitting = two()
    sitting.play("- -")
    assert sitting.state() is TableState.BETWEEN
    assert sitting.act("-", seat=1, turn=2) is Outcome.REPEATED


def test_another_answer_to_a_decided_turn_is_refused() -> None:
    sitting = two()
    sitting.act("d")
    assert sitting.refusal("-", seat=0, turn=1) is ErrorCode.TURN_DECIDED
    assert sitting.dealt.hand_sizes == (8, 7)


@pytest.mark.parametrize("turn", [0, 1, 2, 4, 1_000])
def test_an_old_or_a_future_turn_is_stale(turn: int) -> None:
    sitting = two()
    sitting.play("d d")
    assert sitting.turn == 3
    assert sitting.refusal("-", seat=0, turn=turn) in (ErrorCode.STALE_TURN, ErrorCode.TURN_DECIDED)
    assert sitting.turn == 3


def test_nobody_acts_on_anothers_turn() -> None:
    sitting = two()
    assert sitting.refusal("-", seat=1) is ErrorCode.NOT_YOUR_TURN


def test_nobody_acts_before_the_match_or_between_rounds() -> None:
    sitting = Sitting(TWO)
    sitting.sit(ANNA)
    assert sitting.refusal("-", seat=0, turn=1) is ErrorCode.ROUND_OVER
    sitting = two()
    sitting.play("- -")
    assert sitting.refusal("-", seat=0, turn=3) is ErrorCode.ROUND_OVER


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("action", ["-", "d", "play"])
def test_after_any_action_the_next_seat_is_asked_and_the_last_is_followed_by_the_first(
    seats: int, action: str
) -> None:
    sitting = two(options=Options.of(seats, target=9_999, pass_circles=2))
    for turn in range(seats):
        assert sitting.to_act == turn
        legal = [str(one) for one in sitting.dealt.legal_actions()]
        sitting.act(legal[0] if action == "play" else action if action in legal else "-")
        sitting.take()
        assert sitting.change.asked == (turn + 1) % seats


def test_the_first_tile_of_every_round_has_no_end() -> None:
    sitting = two()
    for _ in range(3):
        leader = sitting.to_act
        assert leader is not None
        tile = str(sitting.dealt.hand(leader)[0])
        for end in "<>":
            assert sitting.refusal(f"{tile}{end}") is ErrorCode.DOES_NOT_FIT
        assert sitting.act(tile) is Outcome.DONE
        sitting.play("- -")
        sitting.ready("anna", "bob")


def test_a_later_tile_needs_an_end_and_one_that_it_fits() -> None:
    sitting = two(deal_with("16 00", "12 66 03"))
    sitting.act("16")
    assert sitting.refusal("12") is ErrorCode.END_NEEDED
    assert sitting.refusal("12>") is ErrorCode.DOES_NOT_FIT
    assert sitting.refusal("03<") is ErrorCode.DOES_NOT_FIT
    assert sitting.refusal("16<") is ErrorCode.NOT_IN_HAND
    assert sitting.refusal("00<") is ErrorCode.NOT_IN_HAND
    assert sitting.act("21<") is Outcome.DONE


def test_at_two_left_a_draw_is_refused_and_the_turn_goes_on() -> None:
    sitting = two()
    while sitting.dealt.drawable:
        sitting.act("d")
    turn, rev = sitting.turn, sitting.table.changes.rev
    assert sitting.refusal("d") is ErrorCode.BONEYARD_FLOOR
    assert (sitting.turn, sitting.table.changes.rev) == (turn, rev)
    asked = view.question(sitting.table, sitting.to_act or 0, sitting.now)
    assert asked is not None
    assert asked.refused["draw"] == "boneyard_floor"
    assert ActionMessage(draw=True) not in asked.legal
    assert sitting.act("-") is Outcome.DONE


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_round_ends_with_its_last_action_and_asks_nobody(seats: int) -> None:
    """Random rounds until each ending was seen; blocked ones end with the play or draw itself."""
    rng = random.Random(seats)
    sitting = two(options=Options.of(seats, target=9_999))
    endings: set[str] = set()
    while endings != {"out", "blocked", "passed_out"}:
        play_at_random(sitting, rng)
        ended = sitting.round_ends()[-1]
        endings.add(ended.ending)
        kinds = [type(event) for event in sitting.events if not isinstance(event, SeatChanged)]
        assert kinds[-3:] == [Acted, RoundEnded, StateChanged]
        assert sitting.change.asked is None
        assert ended.pips == list(sitting.dealt.pips)
        best = min(ended.pips)
        if ended.pips.count(best) == 1:
            assert ended.winners == [ended.pips.index(best)]
            assert ended.points == sum(ended.pips) - 2 * best
        else:
            assert (ended.winners, ended.points) == ([], 0)
        sitting.ready(*[who.key for who in PEOPLE[:seats]])


def play_at_random(sitting: Sitting, rng: random.Random) -> None:
    """Play a round, seldom passing, and take what is told with each action."""
    while sitting.state() is TableState.PLAYING:
        legal = sitting.dealt.legal_actions()
        sitting.act(str(rng.choice(legal[:-1] if len(legal) > 1 and rng.random() < 0.9 else legal)))
        sitting.take()


def test_a_blocked_round_is_won_by_fewest_pips_not_tiles() -> None:
    """Anna keeps one tile of 12 pips, Bob two of 3 together: he wins 9."""
    options = Options.of(2)
    assert score_round(options, (12, 3), None) == ((1,), 1, 9)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_tie_scores_for_nobody_and_the_lead_goes_on_for_ten_rounds(seats: int) -> None:
    sitting = two(*[even_deal(seats)] * 10, options=Options.of(seats, target=9_999))
    for number in range(10):
        sitting.pass_round()
        result = sitting.round_ends()[number]
        assert (result.winners, result.points, result.side) == ([], 0, None)
        assert result.scores == [0] * seats
        sitting.ready(*[who.key for who in PEOPLE[:seats]])
    leaders = [event.leader for event in sitting.told(RoundBegan) if isinstance(event, RoundBegan)]
    assert leaders == [number % seats for number in range(11)]


def even_deal(seats: int) -> Deal:
    """A deal whose hands all have the same pips."""
    rng = random.Random(0)
    deck = list(ALL_TILES)
    while True:
        rng.shuffle(deck)
        size = 6 if seats == 4 else 7
        if len({sum(t.pips for t in deck[n * size : (n + 1) * size]) for n in range(seats)}) == 1:
            deal = Deal.from_deck(deck, seats)
            if len({sum(tile.pips for tile in hand) for hand in deal.hands}) == 1:
                return deal


def test_points_of_a_partnership_go_to_its_side_and_turn_with_the_seats() -> None:
    """The same hands one seat further on: the other side scores the same."""
    hands = ("00 01 02 03 04 05", "66 56 46 36 26 16", "55 45 35 25 15 06", "44 34 24 14 33 23")
    results: list[tuple[int | None, int]] = []
    for turned in (hands, (*hands[1:], hands[0])):
        sitting = two(deal_with(*turned), options=Options.of(4, partners=True, target=9_999))
        sitting.pass_round()
        ended = sitting.round_ends()[0]
        results.append((ended.side, ended.points))
    assert results[0][0] == 0
    assert results[1] == (1, results[0][1])


@pytest.mark.parametrize(
    ("options", "target"),
    [(Options.of(2), 101), (Options.of(3), 101), (Options.of(4), 61), (PARTNERS, 61)],
)
def test_the_target_follows_from_seats_and_mode_and_is_shown(options: Options, target: int) -> None:
    sitting = Sitting(options)
    assert view.public_view(sitting.table, view.table_hash(sitting.table)).game.target == target


@pytest.mark.parametrize(("seats", "circles"), [(2, 1), (3, 1), (4, 1), (2, 2), (3, 2), (4, 2)])
def test_rounds_that_are_only_passed_end_after_exactly_as_many_passes_a_thousand_times(
    seats: int, circles: int
) -> None:
    """The count begins at 0 in every round of one table."""
    rounds = 1_000 if circles == 1 else 100
    options = Options.of(seats, target=9_999, max_rounds=rounds, pass_circles=circles)
    sitting = Sitting(options)
    sitting.sit(*[engine(f"e{seat}") for seat in range(seats)])
    turns = 0
    while sitting.state() is TableState.PLAYING:
        sitting.act("-")
        turns += 1
    assert len(sitting.round_ends()) == rounds or sitting.match_end().reason == "target"
    assert turns == len(sitting.round_ends()) * seats * circles


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("circles", [1, 2])
def test_the_longest_round_there_can_be_ends_at_its_bound(seats: int, circles: int) -> None:
    deal, texts = longest_round(seats, circles)
    options = Options.of(seats, target=9_999, pass_circles=circles)
    sitting = Sitting(options, TableOptions(turn_ms=0), [deal])
    sitting.begin(*PEOPLE[:seats])
    sitting.play(" ".join(texts))
    assert len(sitting.round_ends()) == 1
    assert sitting.turn == {1: (73, 85, 97), 2: (147, 172, 197)}[circles][seats - 2]


def test_an_action_and_its_text_are_the_same_whoever_sends_it_when() -> None:
    """An action names a tile and an end; it is no index into what is legal at the moment."""
    deal = deal_with("16 66", "12 00")
    played = [sitting_after(deal, "16 12<"), sitting_after(deal, "d d 16 12<")]
    assert {event.action for event in played} == {ActionMessage(play="12", end="left")}


def sitting_after(deal: Deal, texts: str) -> Acted:
    sitting = two(deal)
    sitting.play(texts)
    acted = sitting.told(Acted)[-1]
    assert isinstance(acted, Acted)
    return acted


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("12>", "12 does not fit the right end of the train (1, 6)."),
        ("03<", "03 fits neither end of the train (1, 6)."),
        ("12", "12 needs an end, left or right."),
        ("00<", "00 is not in the hand."),
    ],
)
def test_a_misfit_is_explained_with_its_tile(text: str, detail: str) -> None:
    sitting = two(deal_with("16 00", "12 66 03"))
    sitting.act("16")
    with pytest.raises(RequestRefused) as refused:
        sitting.act(text)
    assert refused.value.detail == detail


def test_a_first_tile_and_the_last_two_are_explained() -> None:
    first = misfit(parse_action("12<"), Refusal.DOES_NOT_FIT, None)
    assert first == "12 is the first tile of the round and is played without an end."
    assert "last two" in misfit(parse_action("d"), Refusal.BONEYARD_FLOOR, (3, 6))
