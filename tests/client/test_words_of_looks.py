"""What a person is told who looks: hand, train, ends, seats, passes, scores, options."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_client.model import TableModel
from passing_client.words import looks
from passing_client.words.arrivals import arrival_lines, situation_lines
from passing_protocol.messages import Update
from passing_protocol.views import (
    Ask,
    Clock,
    Mine,
    PublicView,
    SeatInfo,
    SeatState,
    TableOptions,
    TableState,
)
from passing_rules import ALL_TILES, Deal, Lead, PartnerScoring, Play, Round, Tile
from tests.support.client_scene import (
    EMPTY,
    TABLE,
    after,
    ask,
    full_view,
    open_view,
    round_view,
    taken,
    tiles,
    train,
)

LATER = after(round_view(), "06", "d", "00<")
CLOCK = Clock(30_000, 120_000)


def table(
    view: PublicView = LATER, hand: str | None = "02 04 13 46", question: Ask | None = None
) -> TableModel:
    model = TableModel(TABLE, view)
    mine = Mine(0, tiles(hand)) if hand is not None else None
    model.apply(Update(1, TABLE, 1, [], public=view, mine=mine, ask=question))
    return model


# --- one's own turn -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (
            ask(23, "02< 04< 46> d -"),
            "Your turn. Ends 0 left, 6 right. "
            "You can play 0-2 left, 0-4 left, 4-6 right, draw, or pass.",
        ),
        (
            ask(23, "06< 06> -", no_draw=True),
            "Your turn. Ends 0 left, 6 right. You can play 0-6 left or right, or pass.",
        ),
        (
            ask(23, "d -"),
            "Your turn. Ends 0 left, 6 right. No tile of yours fits. You can draw or pass.",
        ),
        (
            ask(23, "-", no_draw=True),
            "Your turn. Ends 0 left, 6 right. No tile of yours fits. You can pass.",
        ),
        (
            ask(23, "-", clock=CLOCK),
            "Your turn. Ends 0 left, 6 right. No tile of yours fits. You can pass. "
            "30 seconds, and 120 seconds in reserve.",
        ),
        (
            ask(23, "-", clock=Clock(1_000, 0)),
            "Your turn. Ends 0 left, 6 right. No tile of yours fits. You can pass. 1 second.",
        ),
    ],
)
def test_the_question_of_a_turn(question: Ask, sentence: str) -> None:
    assert looks.question(table(question=question)) == sentence


def test_c8_the_first_tile_is_asked_for_without_an_end() -> None:
    view = round_view(leader=0)
    assert looks.question(table(view, "02 13", ask(20, "02 13 d -"))) == (
        "Your turn. No tile lies on the table yet. You can play any tile, draw, or pass."
    )


def test_without_a_question_it_is_somebodys_turn_or_nobodys() -> None:
    bo = replace(LATER, to_act=1)
    assert looks.question(table(bo)) == "Not your turn: Bo to play."
    assert looks.question(table(bo, None)) == "You are watching; Bo to play."
    assert looks.not_your_turn(table(LATER)) == "Your action is on its way."
    assert looks.not_your_turn(table(full_view())) == "No round is being played."
    between = replace(LATER, state=TableState.BETWEEN, to_act=None)
    assert looks.not_your_turn(table(between)) == "No round is being played."


def test_the_hand_tells_its_size_and_pips() -> None:
    assert looks.hand_line(table()) == "Your hand, 4 tiles, 20 pips: 0-2, 0-4, 1-3, 4-6."
    assert looks.hand_line(table(hand="01")) == "Your hand, 1 tile, 1 pip: 0-1."
    assert looks.hand_line(table(hand="")) == "You hold no tiles."


@pytest.mark.parametrize(
    ("view", "hand", "lines"),
    [
        (LATER, "02 06 13", ["Your hand, 3 tiles, 12 pips: 0-2, 0-6, 1-3.",
                             "Fits: 0-2 left, 0-6 both."]),
        (LATER, "13 46", ["Your hand, 2 tiles, 14 pips: 1-3, 4-6.", "Fits: 4-6 right."]),
        (LATER, "13", ["Your hand, 1 tile, 4 pips: 1-3.", "None of them fits."]),
        (LATER, "", ["You hold no tiles."]),
        (round_view(), "13", ["Your hand, 1 tile, 4 pips: 1-3."]),
        (LATER, None, ["You are watching and hold no tiles."]),
    ],
)  # fmt: skip
def test_the_hand_tells_where_each_tile_fits(
    view: PublicView, hand: str | None, lines: list[str]
) -> None:
    assert looks.hand_lines(table(view, hand)) == lines


# --- the train ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("laid", "ends", "line"),
    [
        ("46", (4, 6), "Train, 1 tile: [4|6]. 4 left, 6 right."),
        ("46 44 04", (6, 0), "Train, 3 tiles: [6|4][4|4][4|0]. 6 left, 0 right."),
        ("66", (6, 6), "Train, 1 tile: [6|6]. 6 left, 6 right."),
    ],
)
def test_the_train_is_read_from_left_to_right(laid: str, ends: tuple[int, int], line: str) -> None:
    assert looks.train_line(replace(round_view(), train=train(laid), ends=ends)) == line


def test_before_the_first_tile_there_is_no_train() -> None:
    assert looks.train_line(round_view()) == "No tile lies on the table yet."
    assert looks.ends_line(round_view()) == "No tile lies on the table yet."
    assert looks.ends_line(LATER) == "0 left, 6 right."


@given(st.permutations(ALL_TILES), st.integers(2, 4), st.data())
def test_r2_4_the_halves_that_touch_are_the_same(
    deck: list[Tile], seats: int, data: st.DataObject
) -> None:
    round_ = Round(Deal.from_deck(deck, seats), 0)
    view = round_view(seats, leader=0)
    for _ in range(data.draw(st.integers(1, 30))):
        plays = [a for a in round_.legal_actions() if isinstance(a, Play)]
        action = data.draw(st.sampled_from(plays or round_.legal_actions()))
        round_.do(round_.to_act, action)
        view = after(view, str(action))
        if round_.ending is not None:
            break
    line = looks.train_line(view)
    halves = re.findall(r"\[(\d)\|(\d)\]", line)
    assert len(halves) == len(view.train)
    for (_, right), (left, _) in pairwise(halves):
        assert right == left
    if view.ends is not None:
        assert (halves[0][0], halves[-1][1]) == tuple(map(str, view.ends))


# --- people and counts --------------------------------------------------------------------------


def test_who_has_how_many_tiles_and_whose_turn_it_is() -> None:
    assert looks.who_line(table()) == "Bo 5 tiles, Caro 7, Emil 5, you 6. You to play."
    one = replace(LATER, hands=[6, 1, 7, 5], to_act=2)
    assert looks.who_line(table(one)) == "Bo 1 tile, Caro 7, Emil 5, you 6. Caro to play."
    assert looks.who_line(table(hand=None)) == "Dana 6 tiles, Bo 5, Caro 7, Emil 5. Dana to play."
    over = replace(LATER, to_act=None)
    assert looks.who_line(table(over)) == "Bo 5 tiles, Caro 7, Emil 5, you 6."
    assert looks.who_line(table(full_view())) == "No round is being played."


def test_the_boneyard_tells_how_much_can_be_drawn() -> None:
    assert looks.yard_line(LATER) == "Boneyard 3, 1 to draw. The last 2 are never drawn."
    assert looks.yard_line(full_view()) == "No round is being played."


def test_seats_are_counted_from_one_and_stand_next_to_names() -> None:
    assert looks.seat_lines(table()) == [
        "  Dana (you), seat 1: 6 tiles, owns the table",
        "  Bo (careful), seat 2: 5 tiles",
        "  Caro, seat 3: 7 tiles",
        "  Emil, seat 4: 5 tiles",
    ]


def test_seats_before_a_match_tell_who_is_ready() -> None:
    seats = [taken("Dana", ready=True), taken("Bo"), EMPTY, SeatInfo(SeatState.INVITED, "Emil")]
    view = replace(full_view(), seats=seats)
    assert looks.seat_lines(table(view, "")) == [
        "  Dana (you), seat 1: ready, owns the table",
        "  Bo, seat 2: not ready yet",
        "  seat 3, free",
        "  Emil, seat 4, invited: not ready yet",
    ]


@pytest.mark.parametrize(
    ("state", "note"),
    [
        (SeatState.AWAY, "away"),
        (SeatState.SUBSTITUTE, "standing in"),
        (SeatState.FORFEITED, "out of the match"),
    ],
)
def test_a_seat_tells_what_is_the_matter(state: SeatState, note: str) -> None:
    seats = [*LATER.seats[:3], SeatInfo(state, "Emil")]
    line = looks.seat_lines(table(replace(LATER, seats=seats)))[3]
    assert line == f"  Emil, seat 4, {note}: 5 tiles"


def test_a_partner_is_marked() -> None:
    view = round_view(partners=True)
    lines = looks.seat_lines(table(view))
    assert [line.endswith("your partner: 6 tiles") for line in lines] == [
        False, False, True, False,
    ]  # fmt: skip
    assert not any("partner" in line for line in looks.seat_lines(table(view, None)))


def test_scores_by_side() -> None:
    assert looks.score_line(table()) == (
        "Scores: you 37, Bo 12, Caro 44, Emil 20. The match is to 61."
    )
    partners = table(round_view(partners=True), None)
    assert looks.score_line(partners) == (
        "Scores: Dana and Caro 37, Bo and Emil 12. The match is to 61."
    )


# --- memory ------------------------------------------------------------------------------------


def test_who_passed_or_drew_at_which_ends() -> None:
    assert looks.passes_line(table(round_view())) == "Passes: none. Draws: none."
    assert looks.passes_line(table()) == "Passes: none. Draws: Caro once, at 0 and 6."
    view = after(round_view(), "-", "06", "d", "-", "-", "d", "03<", "-", "-")
    assert looks.passes_line(table(view)) == (
        "Passes: you twice, at 0 and 6, at 3 and 6; Bo 3 times, at the start, at 0 and 6, "
        "at 3 and 6. Draws: Caro once, at 0 and 6; Emil once, at 0 and 6."
    )


def test_the_log_is_what_was_said_when_it_happened() -> None:
    assert looks.log_lines(table(), 8) == [
        "Bo leads 0-6. Ends 0 and 6. Bo has 5 tiles.",
        "Caro draws. Boneyard 3, 1 to draw.",
        "Emil plays 0-0, left. Ends 0 and 6. Emil has 5 tiles.",
    ]
    assert looks.log_lines(table(), 1) == ["Emil plays 0-0, left. Ends 0 and 6. Emil has 5 tiles."]
    nothing = ["Nobody has done anything in this round yet."]
    assert looks.log_lines(table(round_view()), 8) == nothing


# --- options -----------------------------------------------------------------------------------


def test_c14_the_options_tell_the_target_of_each_size() -> None:
    assert looks.options_line(full_view()) == (
        "kitchen: 4 seats, everybody alone, to 61 points, lead: rotate, "
        "4 passes in a row end a round. Deals: server."
    )
    assert "3 seats, everybody alone, to 101 points" in looks.options_line(full_view(3))
    assert "2 seats, everybody alone, to 101 points" in looks.options_line(full_view(2))
    assert "in partnerships, to 61 points" in looks.options_line(full_view(partners=True))


def test_every_other_option_is_told_where_it_is_chosen() -> None:
    view = full_view(partners=True)
    chosen = replace(
        view.game,
        lead=Lead.WINNER,
        pass_circles=2,
        out_wins_ties=True,
        partner_scoring=PartnerScoring.OPPONENTS,
        max_rounds=1,
    )
    assert looks.options_line(replace(view, game=chosen)) == (
        "kitchen: 4 seats, in partnerships, to 61 points, lead: winner, "
        "8 passes in a row end a round, only the opponents' pips are scored, "
        "going out wins ties, at most 1 round. Deals: server."
    )


def test_the_memory_aid_is_told_where_the_owner_allows_it() -> None:
    view = full_view()
    told = "players may be shown passes and tiles not seen"
    assert told in looks.options_line(replace(view, table=TableOptions(memory=True)))
    for hidden in (TableOptions(memory=False), TableOptions()):
        assert told not in looks.options_line(replace(view, table=hidden))


# --- coming to a table -------------------------------------------------------------------------


def test_who_makes_a_table_is_told_what_to_do_next() -> None:
    assert arrival_lines(table(open_view(2), "")) == [
        "Table kitchen. You are Dana, seat 1 of 2. To 101 points.",
        "  Dana (you), seat 1: owns the table",
        "  seat 2, free",
        "Type invite to invite an engine that waits, or let others join.",
        "For another number of seats leave, and type new NAME seats=2.",
    ]


def test_who_comes_into_a_round_is_told_how_far_it_is() -> None:
    lines = arrival_lines(table(hand=None))
    assert lines[0] == "Table kitchen. You are watching. To 61 points."
    assert lines[5:] == [
        "Round 3. Scores: Dana 37, Bo 12, Caro 44, Emil 20. The match is to 61.",
        "Train, 2 tiles: [0|0][0|6]. 0 left, 6 right.",
        "Dana 6 tiles, Bo 5, Caro 7, Emil 5. Dana to play.",
    ]
    assert situation_lines(table())[-1] == "Your hand, 4 tiles, 20 pips: 0-2, 0-4, 1-3, 4-6."


def test_between_rounds_there_is_no_train_to_tell_of() -> None:
    view = replace(LATER, state=TableState.BETWEEN, to_act=None)
    assert len(situation_lines(table(view, hand=None))) == 1


def in_state(state: TableState, *ready: int, seats: int = 4) -> PublicView:
    """Return a view of a table where those seats are ready."""
    held = full_view(seats).seats
    told = [replace(seat, ready=number in ready) for number, seat in enumerate(held)]
    return replace(full_view(seats), state=state, seats=told, to_act=None)


BETWEEN = "The next round begins when everybody is ready. Press Enter when you are."
ANOTHER = "Type ready for another match, leave, or quit."
WAITS = "Every seat is filled. Not ready yet: "


def test_who_comes_back_between_rounds_is_asked_to_be_ready_unless_that_is_said() -> None:
    assert situation_lines(table(in_state(TableState.BETWEEN)))[1:] == [BETWEEN]
    assert situation_lines(table(in_state(TableState.BETWEEN, 0)))[1:] == []
    assert situation_lines(table(in_state(TableState.BETWEEN), hand=None))[1:] == []


def test_who_takes_the_last_seat_is_told_how_the_match_begins() -> None:
    view = replace(in_state(TableState.STARTING, 2), owner=1)
    assert arrival_lines(table(view, ""))[-1] == (
        f"{WAITS}you, Bo and Emil. Type ready when you are."
    )
    assert arrival_lines(table(replace(view, owner=0), ""))[-1].endswith(" Type start to begin.")
    is_ready = replace(in_state(TableState.STARTING, 0), owner=1)
    assert arrival_lines(table(is_ready, ""))[-1] == f"{WAITS}Bo, Caro and Emil."


def test_who_sits_down_after_a_match_is_told_how_another_begins() -> None:
    view = in_state(TableState.OVER)
    assert arrival_lines(table(view, ""))[-1] == ANOTHER
    assert ANOTHER not in arrival_lines(table(in_state(TableState.OVER, 0), ""))
    assert ANOTHER not in arrival_lines(table(view, hand=None))
    free = replace(view, seats=[*view.seats[:3], EMPTY])
    assert ANOTHER not in arrival_lines(table(free, ""))


def test_before_a_match_there_is_no_round_to_tell_of() -> None:
    assert situation_lines(table(open_view(2), "")) == []
    assert "Round" not in " ".join(situation_lines(table(in_state(TableState.STARTING), "")))


def test_partners_are_told_so_on_arrival() -> None:
    lines = arrival_lines(table(full_view(partners=True), ""))
    assert lines[0] == "Table kitchen. You are Dana, seat 1 of 4. In partnerships, to 61 points."
