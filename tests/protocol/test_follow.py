"""A view that is followed from events is the view that the server has."""

import random
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from passing_protocol.deals import deal_and_leader
from passing_protocol.events import (
    Event,
    MatchBegan,
    MatchEnded,
    OwnerChanged,
    RoundBegan,
    RoundEnded,
    Said,
    SeatChanged,
    StateChanged,
    TipsAgreed,
    WatchersChanged,
)
from passing_protocol.follow import Follower, HashMismatch, follow, view_hash
from passing_protocol.messages import Update
from passing_protocol.views import (
    Acted,
    DealKind,
    GameOptions,
    Mine,
    PublicView,
    SeatInfo,
    SeatState,
    TableOptions,
    TableState,
    Tip,
    TipList,
    TrainTile,
)
from passing_protocol.wire import action_message, tile_text
from passing_rules import ActionRecord, End, Match, Options, Pass, Play, Round
from tests.support.protocol.samples import ASK, DRAW, FIRST, PASS, PLAY, PUBLIC
from tests.support.protocol.vectors import hash_line

PERSON = SeatInfo(SeatState.TAKEN, "Ann")
ENGINE = SeatInfo(SeatState.TAKEN, "Bo", engine="greedy 1.0", ready=True)


class Publisher:
    """Play matches by the rules and publish them: the events, and apart from them the view."""

    def __init__(self, seats: int, partners: bool, target: int) -> None:
        self.options = Options.of(seats, partners=partners, target=target)
        self.turn = 0
        self.rev = 0
        self.matches = 0
        self.state = TableState.STARTING
        self.seats = [PERSON, *[ENGINE] * (seats - 1)]
        self.begin_match()

    def begin_match(self) -> list[Event]:
        self.match = Match(self.options)
        self.matches += 1
        self.state = TableState.PLAYING
        return [MatchBegan(f"m{self.matches}", self.options.target)]

    def begin_round(self, key: bytes) -> list[Event]:
        number = self.match.round_number + 1
        deal, leader = deal_and_leader(key, self.matches, number, self.options.seats)
        began = self.match.begin_round(deal, leader if self.match.chance_leads else None)
        self.turn += 1
        self.actions: list[Acted] = []
        current = self.round
        sizes = list(current.hand_sizes)
        return [
            RoundBegan(
                began.number,
                began.leader,
                DealKind.SEEDED,
                sizes,
                current.boneyard_size,
                current.drawable,
            )
        ]

    @property
    def round(self) -> Round:
        assert self.match.round is not None
        return self.match.round

    def act(self, record: ActionRecord) -> list[Event]:
        acted = Acted(record.seat, self.turn, action_message(record.action), record.timed_out)
        self.actions.append(acted)
        if self.round.ending is None:
            self.turn += 1
            return [acted]
        result = self.match.results[-1]
        number, scores = result.number, list(result.scores)
        pips, winners = list(result.pips), list(result.winners)
        ended = RoundEnded(
            number, result.ending.value, pips, winners, result.points, scores, result.side
        )
        events: list[Event] = [acted, ended]
        if self.match.over:
            self.state = TableState.OVER
            events.append(MatchEnded("target", scores, self.match.winner))
        return events

    def view(self) -> PublicView:
        """Return the view built from the rules' own state."""
        current = self.match.round
        left = None if current is None else current.left
        right = None if current is None else current.right
        view = PublicView(
            match=f"m{self.matches}",
            rules="1",
            name="Kitchen",
            state=self.state,
            deal=DealKind.SEEDED,
            game=GameOptions(self.options.seats),
            table=TableOptions(),
            owner=0,
            seats=self.seats,
            scores=list(self.match.scores),
            round=self.match.round_number,
            turn=self.turn,
            rev=self.rev,
        )
        if current is None:
            return view
        view = replace(
            view,
            leader=current.leader,
            to_act=current.to_act if current.ending is None else None,
            train=[TrainTile(tile_text(p.tile), p.seat) for p in current.train],
            ends=None if left is None or right is None else (left, right),
            hands=list(current.hand_sizes),
            boneyard=current.boneyard_size,
            drawable=current.drawable,
            passes=current.passes,
            actions=[*self.actions],
        )
        return replace(view, hash=view_hash(view))

    def update(self, events: list[Event]) -> Update:
        self.rev += len(events)
        view = self.view()
        return Update(0, "t1", self.rev, events, hash=view.hash or None)

    def snapshot(self) -> Update:
        return Update(0, "t1", self.rev, [], public=self.view())


@settings(max_examples=15)
@given(
    st.sampled_from([(2, False), (3, False), (4, False), (4, True)]),
    st.binary(min_size=16, max_size=16),
    st.randoms(use_true_random=False),
)
def test_a_followed_view_is_the_server_s_after_every_update(
    table: tuple[int, bool], key: bytes, chance: random.Random
) -> None:
    publisher = Publisher(*table, target=61)
    follower = Follower()
    late = Follower()
    follower.apply(publisher.snapshot())
    for _ in range(2):
        events = publisher.begin_match()
        while not publisher.match.over:
            events += publisher.begin_round(key)
            follower.apply(publisher.update(events))
            late.apply(publisher.snapshot())
            assert follower.public == publisher.view()
            while publisher.round.ending is None:
                legal = publisher.round.legal_actions()
                plays = [action for action in legal if isinstance(action, Play)]
                action = chance.choice(plays or legal)
                late_pass = action == Pass() and chance.random() < 0.5
                record = publisher.match.do(publisher.round.to_act, action, late_pass)
                update = publisher.update(publisher.act(record))
                follower.apply(update)
                late.apply(update)
                assert follower.public == publisher.view()
                assert late.public == follower.public
            events = []


# --- the hash -----------------------------------------------------------------------------------


def test_the_hash_is_over_the_line_that_the_text_describes() -> None:
    assert hash_line(PUBLIC) == "m7f|2|21|1|463 662|46|7 6 5 5|3|0|55 12"
    assert view_hash(PUBLIC) == PUBLIC.hash
    assert len(PUBLIC.hash) == 16


def test_there_is_no_hash_before_the_first_round() -> None:
    assert view_hash(replace(PUBLIC, round=0)) == ""


CHANGES = [
    replace(PUBLIC, match="m8"),
    replace(PUBLIC, round=3),
    replace(PUBLIC, turn=22),
    replace(PUBLIC, to_act=None),
    replace(PUBLIC, train=PUBLIC.train[::-1]),
    replace(PUBLIC, train=[TrainTile("46", 3), TrainTile("66", 1)]),
    replace(PUBLIC, ends=(6, 4)),
    replace(PUBLIC, ends=None),
    replace(PUBLIC, hands=[6, 7, 5, 5]),
    replace(PUBLIC, boneyard=4),
    replace(PUBLIC, passes=1),
    replace(PUBLIC, scores=[12, 55]),
]


def test_whatever_a_follower_can_get_wrong_changes_the_hash() -> None:
    assert len({view_hash(view) for view in (PUBLIC, *CHANGES)}) == len(CHANGES) + 1


def test_another_hash_is_a_mismatch_and_a_snapshot_sets_it_right() -> None:
    follower = Follower()
    follower.apply(Update(1, "t1", 40, [], public=PUBLIC, ask=ASK))
    wrong = Update(2, "t1", 41, [Acted(1, 21, PASS)], hash="0123456789abcdef")
    with pytest.raises(HashMismatch, match="table t1: the server's hash is 0123456789abcdef") as e:
        follower.apply(wrong)
    assert e.value.table == "t1"
    assert follower.public is None
    follower.apply(Update(3, "t1", 42, [Acted(2, 22, PASS)], hash="0123456789abcdef"))
    assert (follower.public, follower.ask) == (None, None)
    follower.apply(Update(4, "t1", 42, [], public=PUBLIC))
    assert follower.public == PUBLIC


def test_a_snapshot_after_a_loss_of_power_counts_though_it_is_older() -> None:
    """A table of the lowest durability is set back by that; nobody may go on without knowing."""
    follower = Follower()
    follower.apply(Update(9, "t1", 42, [], public=replace(PUBLIC, rev=42), ask=ASK))
    earlier = replace(PUBLIC, rev=30, turn=11)
    assert follower.apply(Update(1, "t1", 30, [], public=earlier))
    assert (follower.public, follower.ask) == (earlier, None)
    assert follower.apply(Update(2, "t1", 31, [Said("Ann", "hm", 0)]))
    assert follower.public is not None
    assert follower.public.rev == 31


@pytest.mark.parametrize(
    "late",
    [
        Update(3, "t1", 30, [], re=7, public=replace(PUBLIC, rev=30)),
        Update(3, "t1", 30, [], duplicate=True, public=replace(PUBLIC, rev=30)),
        Update(3, "t1", 30, [Acted(1, 11, PASS)], public=replace(PUBLIC, rev=30)),
    ],
    ids=["an answer", "an answer given again", "news"],
)
def test_what_comes_late_does_not_set_the_view_back(late: Update) -> None:
    follower = Follower()
    follower.apply(Update(9, "t1", 42, [], public=replace(PUBLIC, rev=42)))
    assert not follower.apply(late)
    assert follower.public == replace(PUBLIC, rev=42)


# --- one event at a time ------------------------------------------------------------------------


def test_r2_4_the_first_tile_has_its_lower_number_to_the_left() -> None:
    view = replace(PUBLIC, train=[], ends=None)
    after = follow(view, Acted(1, 21, PLAY.__class__(play="46")))
    assert (after.train, after.ends) == ([TrainTile("46", 1)], (4, 6))


@pytest.mark.parametrize(
    ("tile", "end", "ends"),
    [
        ("46", End.LEFT, (6, 6)),
        ("14", End.LEFT, (1, 6)),
        ("44", End.LEFT, (4, 6)),
        ("46", End.RIGHT, (4, 4)),
        ("16", End.RIGHT, (4, 1)),
        ("66", End.RIGHT, (4, 6)),
    ],
)
def test_r2_4_a_tile_turns_its_far_number_out(
    tile: Literal["46", "14", "44", "16", "66"], end: End, ends: tuple[int, int]
) -> None:
    after = follow(PUBLIC, Acted(1, 21, PLAY.__class__(play=tile, end=end.value)))
    assert after.ends == ends
    laid = TrainTile(tile, 1)
    assert after.train == ([laid, *PUBLIC.train] if end is End.LEFT else [*PUBLIC.train, laid])
    assert (after.turn, after.to_act, after.hands) == (22, 2, [7, 5, 5, 5])


def test_r2_3_what_can_be_drawn_never_falls_below_0() -> None:
    view = PUBLIC
    drawable: list[int] = []
    for turn in range(21, 24):
        view = follow(view, Acted(1, turn, DRAW))
        drawable.append(view.drawable)
    assert drawable == [0, 0, 0]
    assert view.hands == [7, 9, 5, 5]


def test_r3_3_passes_are_counted_in_a_row() -> None:
    view = follow(follow(PUBLIC, Acted(1, 21, PASS)), Acted(2, 22, PASS))
    assert view.passes == 2
    assert follow(view, Acted(3, 23, DRAW)).passes == 0


def test_seats_the_owner_and_the_state_are_followed() -> None:
    taken = SeatInfo(SeatState.TAKEN, "Cyd")
    view = follow(PUBLIC, SeatChanged(2, taken))
    assert view.seats == [*PUBLIC.seats[:2], taken, PUBLIC.seats[3]]
    assert follow(PUBLIC, OwnerChanged(None)).owner is None
    assert follow(PUBLIC, StateChanged(TableState.PAUSED)).state is TableState.PAUSED


@pytest.mark.parametrize("event", [Said("Ann", "Hello", 0), WatchersChanged(3)])
def test_talk_and_watchers_are_no_part_of_the_view(event: Event) -> None:
    assert follow(PUBLIC, event) == PUBLIC


def test_after_a_pause_the_question_has_the_next_number() -> None:
    paused = follow(PUBLIC, StateChanged(TableState.PAUSED))
    assert paused.turn == 21
    assert follow(paused, StateChanged(TableState.PLAYING)).turn == 22
    between = replace(paused, to_act=None)
    assert follow(between, StateChanged(TableState.PLAYING)).turn == 21


def test_who_must_say_ready_is_not_ready_when_a_round_begins_or_ends() -> None:
    ready = replace(PUBLIC, seats=[replace(seat, ready=True) for seat in PUBLIC.seats])
    began = RoundBegan(3, 0, DealKind.SERVER, [6] * 4, 4, 2)
    ended = RoundEnded(2, "blocked", [1, 2, 3, 4], [0], 8, [63, 12], 0)
    for event in (began, ended):
        seats = follow(ready, event).seats
        assert [seat.ready for seat in seats] == [False, True, True, True]
    over = follow(ready, MatchEnded("target", [63, 12], 0))
    assert [seat.ready for seat in over.seats] == [False, True, False, False]


def test_a_match_that_is_over_asks_nobody_and_a_new_one_begins_at_0() -> None:
    over = follow(PUBLIC, MatchEnded("forfeit", [55, 12], 0))
    assert (over.state, over.to_act, over.scores) == (TableState.OVER, None, [55, 12])
    new = follow(over, MatchBegan("m8", 61))
    assert (new.match, new.state, new.round) == ("m8", TableState.PLAYING, 0)
    assert new.scores == [0, 0]
    assert [seat.strikes for seat in new.seats] == [0, 0, 0, 0]


def test_the_newest_list_of_tips_is_shown_until_another_match_begins() -> None:
    tips = TipList(1, Tip(0, "ab" * 32), [])
    agreed = follow(PUBLIC, TipsAgreed("m7", tips))
    assert agreed == replace(PUBLIC, tips=tips)
    assert follow(agreed, MatchBegan("m8", 61)).tips is None


def test_a_round_that_ends_without_an_action_keeps_its_turn() -> None:
    empty = replace(PUBLIC, actions=[])
    assert follow(empty, RoundEnded(2, "blocked", [1], [0], 8, [63, 12])).turn == 21


# --- one's own part -----------------------------------------------------------------------------


@pytest.fixture
def seated() -> Follower:
    follower = Follower()
    mine = Mine(1, ["06", "11", "46"], "11", "00" * 16)
    follower.apply(Update(1, "t1", 40, [], public=PUBLIC, mine=mine, ask=ASK))
    return follower


def test_one_s_own_play_leaves_the_hand_and_answers_the_question(seated: Follower) -> None:
    seated.apply(Update(2, "t1", 41, [Acted(1, 21, PLAY)]))
    assert seated.mine == Mine(1, ["06", "11"], None, "00" * 16)
    assert seated.ask is None


def test_one_s_own_pass_changes_no_hand(seated: Follower) -> None:
    seated.apply(Update(2, "t1", 41, [Acted(1, 21, PASS)]))
    assert seated.mine is not None
    assert seated.mine.hand == ["06", "11", "46"]


def test_another_s_play_changes_no_hand(seated: Follower) -> None:
    seated.apply(Update(2, "t1", 41, [Acted(2, 21, PLAY)]))
    assert seated.mine is not None
    assert (seated.mine.hand, seated.mine.drew) == (["06", "11", "46"], "11")


def test_a_new_hand_keeps_the_seed_that_was_told_once(seated: Follower) -> None:
    seated.apply(Update(2, "t1", 41, [], mine=Mine(1, ["00"])))
    assert seated.mine == Mine(1, ["00"], None, "00" * 16)
    seated.apply(Update(3, "t1", 41, [], mine=Mine(2, ["00"])))
    assert seated.mine == Mine(2, ["00"])


def test_a_question_stays_open_through_talk_and_closes_with_a_pause(seated: Follower) -> None:
    seated.apply(Update(2, "t1", 41, [Said("Ann", "Hm")]))
    assert seated.ask == ASK
    seated.apply(Update(3, "t1", 42, [StateChanged(TableState.PAUSED)]))
    assert seated.ask is None
    again = replace(ASK, turn=22)
    seated.apply(Update(4, "t1", 43, [StateChanged(TableState.PLAYING)], ask=again))
    assert seated.ask == again


def test_an_answer_given_again_changes_nothing(seated: Follower) -> None:
    before = seated.public
    again = Update(2, "t1", 40, [Acted(0, 20, DRAW)], re=9, duplicate=True)
    assert not seated.apply(again)
    assert seated.public == before
    assert seated.apply(Update(3, "t1", 41, [Acted(1, 21, PASS)]))


def test_an_update_older_than_what_is_known_changes_nothing(seated: Follower) -> None:
    assert not seated.apply(Update(2, "t1", 39, [], re=4, public=replace(PUBLIC, rev=39, turn=3)))
    assert not seated.apply(Update(2, "t1", 39, [Acted(1, 21, PLAY)]))
    assert seated.public == PUBLIC
    assert seated.apply(Update(2, "t1", 40, [], public=PUBLIC))


def test_without_a_view_only_one_s_own_part_is_kept() -> None:
    follower = Follower()
    mine = Mine(0, ["00"])
    follower.apply(Update(1, "t1", 1, [Acted(2, 1, FIRST)], hash="x", mine=mine, ask=ASK))
    assert (follower.public, follower.mine, follower.ask) == (None, mine, ASK)
    follower.apply(Update(2, "t1", 2, [Acted(0, 2, PASS)]))
    assert follower.ask is None
