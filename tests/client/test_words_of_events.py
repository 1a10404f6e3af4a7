"""Every event as the sentence that a player, the one it is about, and a watcher read."""

from typing import Literal

import pytest
from msgspec.structs import replace

from passing_client.model import Moment
from passing_client.words.events import moment_lines
from passing_protocol.events import (
    Event,
    Fault,
    ForfeitKind,
    MatchBegan,
    OwnerChanged,
    RoundBegan,
    Said,
    SeatChanged,
    StateChanged,
    WatchersChanged,
)
from passing_protocol.follow import follow
from passing_protocol.views import (
    DealKind,
    Gone,
    PublicView,
    SeatInfo,
    SeatState,
    TableOptions,
    TableState,
)
from passing_rules import Tile
from tests.support.client_scene import (
    EMPTY,
    acted,
    after,
    full_view,
    open_view,
    round_view,
    taken,
)

BEGUN = round_view()
LATER = after(BEGUN, "06", "d", "00<")


def lines(
    event: Event, view: PublicView = BEGUN, me: int | None = 0, drew: Tile | None = None
) -> list[str]:
    return moment_lines(Moment(event, view, follow(view, event), drew), me)


def said(event: Event, view: PublicView = BEGUN, me: int | None = 0) -> str:
    found = lines(event, view, me)
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize(
    ("played", "text", "sentence"),
    [
        ((), "06", "Bo leads 0-6. Ends 0 and 6. Bo has 5 tiles."),
        (("-",), "06", "Caro plays 0-6, the first tile. Ends 0 and 6. Caro has 5 tiles."),
        ((), "d", "Bo draws. Boneyard 3, 1 to draw."),
        (("d",), "d", "Caro draws. Boneyard 2, 0 to draw."),
        ((), "-", "Bo passes."),
        (("-",), "-", "Caro passes. 2 passes in a row; 4 end the round."),
        (("06", "-", "-"), "-", "You pass. 3 passes in a row; 4 end the round."),
        (("06",), "00<", "Caro plays 0-0, left. Ends 0 and 6. Caro has 5 tiles."),
        (("06",), "26>", "Caro plays 2-6, right. Ends 0 and 2. Caro has 5 tiles."),
        (("06", "-", "-"), "02<", "You play 0-2, left. Ends 2 and 6. You have 5 tiles."),
    ],
)
def test_actions(played: tuple[str, ...], text: str, sentence: str) -> None:
    view = after(BEGUN, *played)
    assert view.to_act is not None
    assert said(acted(view.to_act, view.turn, text), view) == sentence


def test_the_leader_may_be_oneself() -> None:
    view = round_view(leader=0)
    assert said(acted(0, 20, "06"), view) == "You lead 0-6. Ends 0 and 6. You have 5 tiles."


def test_one_tile_and_no_tile_are_not_two_tiles() -> None:
    two = replace(LATER, hands=[2, 5, 7, 5])
    assert said(acted(0, 23, "02<"), two) == "You play 0-2, left. Ends 2 and 6. You have 1 tile."
    one = replace(LATER, hands=[1, 5, 7, 5])
    assert said(acted(0, 23, "02<"), one).endswith("You have no tiles left.")


def test_r2_7_time_that_is_up_is_told_as_what_it_is() -> None:
    assert said(acted(1, 20, "-", timed_out=True)) == "Time is up, so Bo passes."
    assert said(acted(1, 20, "-", timed_out=True), me=1) == "Time is up, so you pass."


def test_ones_own_draw_names_the_tile_and_nobody_elses_does() -> None:
    event = acted(0, 23, "d")
    own = lines(event, LATER, 0, Tile(4, 5))
    assert own == ["You draw 4-5. Boneyard 2, 0 to draw. You have 7 tiles."]
    assert lines(event, LATER, 0) == ["You draw. Boneyard 2, 0 to draw. You have 7 tiles."]
    assert lines(event, LATER, 2) == ["Dana draws. Boneyard 2, 0 to draw."]


def test_r2_6_a_pass_reads_the_same_whether_or_not_it_was_forced() -> None:
    assert said(acted(0, 23, "-"), LATER, 2) == said(acted(0, 23, "-"), LATER, None)
    assert said(acted(0, 23, "-"), LATER, 2) == "Dana passes."


def test_r3_3_with_two_circles_twice_as_many_passes_end_the_round() -> None:
    view = replace(BEGUN, game=replace(BEGUN.game, pass_circles=2))
    view = after(view, "-")
    sentence = said(acted(2, 21, "-"), view)
    assert sentence == "Caro passes. 2 passes in a row; 8 end the round."


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (DealKind.SERVER, "The server deals."),
        (DealKind.FAIR, "The deal is checked when the round ends."),
        (DealKind.SEEDED, "The deal comes from a seed."),
        (DealKind.GIVEN, "The deal is given."),
    ],
)
def test_a_round_begins(kind: DealKind, sentence: str) -> None:
    event = RoundBegan(4, 2, kind, [6] * 4, 4, 2)
    start = "Round 4. Caro leads. 6 tiles each, boneyard 4, 2 to draw."
    assert said(event) == f"{start} {sentence}"
    assert said(event, me=2).startswith("Round 4. You lead. 6 tiles each")


def test_c14_a_match_begins_with_its_target_and_who_sits_where() -> None:
    assert lines(MatchBegan("m2", 61), full_view()) == [
        "The match begins: 4 seats, to 61 points.",
        "  Dana (you), seat 1",
        "  Bo (careful), seat 2",
        "  Caro, seat 3",
        "  Emil, seat 4",
    ]
    assert lines(MatchBegan("m2", 101), full_view(2), None) == [
        "The match begins: 2 seats, to 101 points.",
        "  Dana, seat 1",
        "  Bo (careful), seat 2",
    ]


def test_partners_are_told_when_the_match_begins() -> None:
    assert lines(MatchBegan("m2", 61), full_view(partners=True), 1) == [
        "The match begins: 4 seats in partnerships, to 61 points.",
        "  Dana, seat 1",
        "  Bo (careful) (you), seat 2",
        "  Caro, seat 3",
        "  Emil, seat 4, your partner",
        "Dana and Caro play against you and Emil.",
    ]


# --- seats --------------------------------------------------------------------------------------


def changed(
    before: SeatInfo, now: SeatInfo, me: int | None = 0, seat: int = 1, fault: Fault | None = None
) -> list[str]:
    view = full_view()
    seats = [before if number == seat else old for number, old in enumerate(view.seats)]
    return lines(SeatChanged(seat, now, fault), replace(view, seats=seats), me)


def bo(state: SeatState, *, ready: bool = False, strikes: int = 0, name: str = "Bo") -> SeatInfo:
    return SeatInfo(state, name, None, ready, strikes)


@pytest.mark.parametrize(
    ("before", "now", "sentence"),
    [
        (EMPTY, taken("Bo"), "Bo sits down: Bo, seat 2."),
        (EMPTY, taken("Bo", "careful 1"), "Bo sits down: Bo (careful 1), seat 2."),
        (EMPTY, bo(SeatState.INVITED), "Bo is invited to seat 2."),
        (bo(SeatState.INVITED), EMPTY, "Bo does not come; seat 2 is free."),
        (bo(SeatState.INVITED), taken("Bo"), "Bo sits down: Bo, seat 2."),
        (taken("Bo"), EMPTY, "Bo leaves seat 2."),
        (taken("Bo"), bo(SeatState.AWAY), "Bo is away."),
        (bo(SeatState.AWAY), taken("Bo"), "Bo is back."),
        (
            bo(SeatState.AWAY),
            SeatInfo(SeatState.SUBSTITUTE, "Robo", "careful"),
            "Robo stands in for Bo at seat 2.",
        ),
        (
            SeatInfo(SeatState.SUBSTITUTE, "Robo", "careful"),
            taken("Bo"),
            "Bo takes the seat back from Robo.",
        ),
        (taken("Bo"), bo(SeatState.FORFEITED), "Bo is out of the match."),
        (bo(SeatState.FORFEITED), taken("Bo"), "Bo is in again for the next match."),
        (taken("Bo"), bo(SeatState.TAKEN, strikes=1), "Bo has 1 strike."),
        (taken("Bo"), bo(SeatState.TAKEN, strikes=2), "Bo has 2 strikes."),
        (taken("Bo"), bo(SeatState.TAKEN, ready=True), "Bo is ready."),
    ],
)
def test_seats_change(before: SeatInfo, now: SeatInfo, sentence: str) -> None:
    assert changed(before, now) == [sentence]


@pytest.mark.parametrize(
    ("evidence", "me", "sentence"),
    [
        ("left", 0, "Bo is out of the match (left)."),
        ("was removed", 2, "Bo is out of the match (was removed)."),
        ("stayed away", 1, "You are out of the match (stayed away)."),
        (
            "3 strikes: 3 turns without an answer in time",
            None,
            "Bo is out of the match (3 strikes: 3 turns without an answer in time).",
        ),
        ("a\x1b[2J bad\nserver", 0, "Bo is out of the match (a bad server)."),
    ],
)
def test_c51_everybody_reads_why_a_seat_is_forfeited(
    evidence: str, me: int | None, sentence: str
) -> None:
    fault = Fault("player", evidence, 1)
    assert changed(taken("Bo"), bo(SeatState.FORFEITED), me, fault=fault) == [sentence]


def left(gone: Gone = Gone.LEFT, name: str = "Bo") -> SeatInfo:
    return SeatInfo(SeatState.AWAY, name, ready=True, gone=gone)


ENGINE_TAKES = "An engine takes seat 2 if one waits; until then its turns are passed."


@pytest.mark.parametrize("gone", Gone)
@pytest.mark.parametrize("me", [0, None])
@pytest.mark.parametrize(
    ("absent", "becomes"),
    [
        (None, ENGINE_TAKES),
        ("engine", ENGINE_TAKES),
        ("pass", "From now on every turn of seat 2 is passed."),
        ("forfeit", "Seat 2 is out of the match."),
    ],
)
def test_who_leaves_a_match_is_told_as_gone_with_what_becomes_of_the_seat(
    absent: Literal["engine", "pass", "forfeit"] | None, becomes: str, me: int | None, gone: Gone
) -> None:
    view = replace(full_view(), table=TableOptions(absent=absent))
    said = lines(SeatChanged(1, left(gone)), view, me)
    who = {
        Gone.LEFT: "Bo has left the match for good.",
        Gone.REMOVED: "The owner has removed Bo from the match.",
    }
    assert said == [f"{who[gone]} {becomes}"]


def test_of_one_who_is_gone_nothing_is_told_as_of_one_whose_connection_is_lost() -> None:
    substitute = SeatInfo(SeatState.SUBSTITUTE, "Robo", "careful", ready=True, gone=Gone.LEFT)
    assert changed(left(), substitute) == [
        "Robo takes over the seat of Bo to the end of the match."
    ]
    with_player = SeatInfo(SeatState.SUBSTITUTE, "Robo", "careful", ready=True)
    assert changed(with_player, substitute) == [
        "Robo plays seat 2 to the end: its player has left for good."
    ]
    assert changed(left(), EMPTY) == ["Bo leaves seat 2."]


def test_an_engine_for_one_who_is_gone_takes_its_seat_back_from_nobody() -> None:
    substitute = SeatInfo(SeatState.SUBSTITUTE, "Robo", "careful", ready=True, gone=Gone.LEFT)
    assert changed(substitute, taken("Robo", "careful")) == []
    assert changed(taken("Robo", "careful"), EMPTY) == ["Robo leaves seat 2."]


def test_who_is_away_is_never_ready() -> None:
    assert changed(bo(SeatState.AWAY), bo(SeatState.AWAY, ready=True)) == []


def test_who_has_left_and_forfeited_is_told_in_one_sentence() -> None:
    fault = Fault("player", "left", 1, ForfeitKind.LEFT)
    told = changed(taken("Bo"), bo(SeatState.FORFEITED), fault=fault)
    assert told == ["Bo has left for good and is out of the match."]
    told = changed(taken("Bo"), bo(SeatState.FORFEITED), 1, fault=fault)
    assert told == ["You have left for good and are out of the match."]


@pytest.mark.parametrize(
    ("info", "sentence"),
    [
        (taken("Bo"), "Time is up, so Bo passes."),
        (bo(SeatState.AWAY), "Bo is away, so the turn is passed."),
        (left(), "Bo has left for good, so the turn is passed."),
        (bo(SeatState.FORFEITED), "Bo is out of the match, so the turn is passed."),
    ],
)
def test_r2_7_a_seat_is_passed_for_because_of_what_is_so(info: SeatInfo, sentence: str) -> None:
    seats = [info if seat == 1 else old for seat, old in enumerate(BEGUN.seats)]
    assert said(acted(1, 20, "-", timed_out=True), replace(BEGUN, seats=seats)) == sentence


def test_ones_own_seat_is_you() -> None:
    ready = bo(SeatState.TAKEN, ready=True)
    assert changed(taken("Bo"), ready, me=1) == ["You are ready."]
    assert changed(taken("Bo"), bo(SeatState.TAKEN, strikes=1), me=1) == ["You have 1 strike."]
    assert changed(EMPTY, taken("Bo"), me=1) == ["You sit down: Bo (you), seat 2."]


def test_what_nobody_needs_to_know_is_not_told() -> None:
    assert changed(bo(SeatState.TAKEN, ready=True), taken("Bo")) == []
    assert changed(bo(SeatState.TAKEN, strikes=2), taken("Bo")) == []


def test_the_table_gets_another_owner() -> None:
    assert said(OwnerChanged(2)) == "Caro owns the table now."
    assert said(OwnerChanged(0)) == "You own the table now."
    assert lines(OwnerChanged(None)) == []


# --- the table's life --------------------------------------------------------------------------


def state(state: TableState, view: PublicView, me: int | None = 0, ms: int | None = None) -> str:
    return " ".join(lines(StateChanged(state, ms), view, me))


def test_the_owner_is_told_how_to_start_and_the_others_what_they_wait_for() -> None:
    waits = "Every seat is filled. Not ready yet: "
    view = full_view()
    assert state(TableState.STARTING, view) == f"{waits}you, Caro and Emil. Type start to begin."
    assert state(TableState.STARTING, view, 2) == (
        f"{waits}Dana, you and Emil. Type ready when you are."
    )
    assert state(TableState.STARTING, view, None) == "Every seat is filled."


def test_where_everybody_is_ready_nothing_is_waited_for() -> None:
    seats = [taken(name, "careful") for name in ("A", "B")]
    view = replace(full_view(2), seats=seats)
    assert state(TableState.STARTING, view, None) == "Every seat is filled."
    assert state(TableState.STARTING, view, 0) == "Every seat is filled."


def test_between_rounds_players_are_told_how_it_goes_on_and_watchers_need_not() -> None:
    assert state(TableState.BETWEEN, BEGUN, ms=20_000) == (
        "The next round begins when everybody is ready, or in 20 seconds. Press Enter when you are."
    )
    assert state(TableState.BETWEEN, BEGUN) == (
        "The next round begins when everybody is ready. Press Enter when you are."
    )
    assert state(TableState.BETWEEN, BEGUN, None) == ""


@pytest.mark.parametrize(
    ("now", "sentence"),
    [
        (TableState.OPEN, "The table waits for players."),
        (TableState.OVER, "Type ready for another match, leave, or quit."),
        (
            TableState.PAUSED,
            "The match is paused: the server is about to stop. It goes on from here when the "
            "server is started anew.",
        ),
        (TableState.PLAYING, "The match goes on."),
        (TableState.CLOSED, "The table is closed."),
    ],
)
def test_other_states_of_a_table(now: TableState, sentence: str) -> None:
    assert state(now, BEGUN) == sentence


def test_a_watcher_is_not_offered_a_rematch_and_not_told_why_it_pauses() -> None:
    assert state(TableState.OVER, BEGUN, None) == ""
    assert state(TableState.PAUSED, BEGUN, None) == "The match is paused."


def test_one_person_watches_and_two_people_watch() -> None:
    assert said(WatchersChanged(1)) == "1 person watches."
    assert said(WatchersChanged(2)) == "2 people watch."
    assert said(WatchersChanged(0)) == "0 people watch."


# --- chat and names -----------------------------------------------------------------------------


def test_chat_has_the_seat_next_to_the_name() -> None:
    assert said(Said("Bo", "well played", 1)) == "Bo, seat 2: well played"
    assert said(Said("Dana", "thanks", 0)) == "You say: thanks"
    assert said(Said("Bo", "from the side")) == "Bo, watching: from the side"


NASTY = [
    "\x1b[2Jgone",
    "\x1b]0;title\x07name",
    "\x1b]52;c;aGk=\x07clip",
    "\x9b2Jgone",
    "a\rServer: you win",
    "a\nServer: you win",
    "\u202eevil\u202c",
    "zero\u200bwidth",
]


@pytest.mark.parametrize("text", NASTY)
def test_c48_chat_and_names_stay_one_harmless_line(text: str) -> None:
    line = said(Said(text, text, 1))
    named = replace(full_view(), seats=[taken(text), *full_view().seats[1:]])
    shown = [line, *lines(MatchBegan("m", 61), named, 1)]
    shown += lines(acted(0, 20, "-"), replace(round_view(leader=0), seats=named.seats), 1)
    for part in shown:
        assert part.isprintable()
        assert "\u202e" not in part


def test_a_name_of_nothing_is_its_seat() -> None:
    seats = [taken("\u200b"), *full_view().seats[1:]]
    view = replace(round_view(leader=0), seats=seats)
    assert said(acted(0, 20, "-"), view, 1) == "Seat 1 passes."
    assert said(acted(0, 20, "-", timed_out=True), view, 1) == "Time is up, so seat 1 passes."


def test_an_open_table_has_free_seats_in_words() -> None:
    event = SeatChanged(1, taken("Bo"))
    assert said(event, open_view()) == "Bo sits down: Bo, seat 2."
