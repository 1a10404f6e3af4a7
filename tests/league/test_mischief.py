"""What the server or the network does wrong is blamed on no engine (C56)."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress

import pytest
from msgspec.structs import replace

from passing_bots.engines.greedy import GreedyEngine
from passing_bots.engines.random import RandomEngine
from passing_bots.league.log import FaultKind, FaultNoted
from passing_bots.league.organiser import LeagueBroken
from passing_bots.league.settings import LeagueSettings
from passing_bots.league.standings import standings
from passing_protocol.events import Event, MatchEnded, RoundBegan, RoundEnded, SeatChanged
from passing_protocol.messages import Update
from passing_protocol.views import Acted, SeatInfo, SeatState
from passing_protocol.wire import ActionMessage, action_message
from passing_rules import Pass, Play, Tile
from tests.support.league_lan import LeagueLan, Maker, sdk
from tests.support.league_logs import league

MAKERS: Mapping[str, Maker] = {
    "greedy": sdk(GreedyEngine),
    "random": sdk(RandomEngine),
    "twin": sdk(GreedyEngine),
}
LEAGUE = league("greedy", "random", "twin", blocks=2)


@pytest.fixture(scope="module")
def whole() -> LeagueLan:
    lan = LeagueLan(LEAGUE, MAKERS)
    lan.run()
    return lan


def faults_of(lan: LeagueLan) -> list[FaultNoted]:
    return [event for event in lan.log if isinstance(event, FaultNoted)]


# --- a server that tells something else than the rules -------------------------------------------

Change = Callable[[Event], Event | None]


def other_tile(event: Event) -> Event | None:
    """A tile of the same game that is played already, or nobody's."""
    if not isinstance(event, Acted) or event.turn < 4:
        return None
    return replace(event, action=action_message(Play(Tile(0, 0), None)))


def other_seat(event: Event) -> Event | None:
    return replace(event, seat=1 - event.seat) if isinstance(event, Acted) else None


def seat_beyond(event: Event) -> Event | None:
    return replace(event, seat=3) if isinstance(event, Acted) else None


def pass_again(event: Event) -> Event | None:
    if not isinstance(event, Acted) or event.turn != 2:
        return None
    return replace(event, seat=1 - event.seat, action=action_message(Pass()))


def other_leader(event: Event) -> Event | None:
    return replace(event, leader=1 - event.leader) if isinstance(event, RoundBegan) else None


def other_round(event: Event) -> Event | None:
    return replace(event, round=2) if isinstance(event, RoundBegan) else None


def other_points(event: Event) -> Event | None:
    if not isinstance(event, RoundEnded):
        return None
    return replace(event, scores=[score + 1 for score in event.scores])


def other_pips(event: Event) -> Event | None:
    if not isinstance(event, RoundEnded):
        return None
    return replace(event, pips=[*reversed(event.pips[1:]), event.pips[0] + 1])


def many_pips(event: Event) -> Event | None:
    return replace(event, pips=[1] * 2_000) if isinstance(event, RoundEnded) else None


def early_end(event: Event) -> Event | None:
    if not isinstance(event, Acted) or event.turn != 5:
        return None
    return RoundEnded(1, "blocked", [1, 2], [0], 2, [2, 0], 0)


def other_score(event: Event) -> Event | None:
    return replace(event, scores=[99, 0]) if isinstance(event, MatchEnded) else None


def early_match_end(event: Event) -> Event | None:
    if not isinstance(event, Acted) or event.turn != 3:
        return None
    return MatchEnded("max_rounds", [0, 0])


def no_such_seat(event: Event) -> Event | None:
    if not isinstance(event, Acted) or event.turn != 3:
        return None
    return SeatChanged(3, SeatInfo(SeatState.TAKEN))


def malformed_action(event: Event) -> Event | None:
    return replace(event, action=ActionMessage(play="46", end="left")) if (
        isinstance(event, Acted) and event.turn == 1
    ) else None  # fmt: skip


LIES: Sequence[Change] = [
    other_tile, other_seat, seat_beyond, pass_again, other_leader, other_round, other_points,
    other_pips, many_pips, early_end, other_score, early_match_end, no_such_seat,
    malformed_action,
]  # fmt: skip


class Liar:
    """Change the first events of that kind at so many tables, one each."""

    def __init__(self, change: Change, times: int) -> None:
        self.change = change
        self.left = times
        self.tables: set[str] = set()

    def __call__(self, update: Update) -> Iterable[Update]:
        if self.left and update.table not in self.tables:
            for place, event in enumerate(update.events):
                changed = self.change(event)
                if changed is not None:
                    self.left -= 1
                    self.tables.add(update.table)
                    events = [*update.events[:place], changed, *update.events[place + 1 :]]
                    return [replace(update, events=events)]
        return [update]


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__)
def test_c56_a_lie_is_found_and_the_game_played_again(lie: Change, whole: LeagueLan) -> None:
    liar = Liar(lie, 2)
    lan = LeagueLan(LEAGUE, MAKERS, tamper=liar)
    lan.run()
    assert liar.left == 0
    noted = faults_of(lan)
    assert [(each.engine, each.owner, each.kind, each.replay) for each in noted] == [
        (None, "server", FaultKind.BROKEN_OFF, True)
    ] * 2
    told, expected = standings(lan.log), standings(whole.log)
    assert (told.rows, told.crosstable) == (expected.rows, expected.crosstable)
    assert all(len(each.evidence) <= 2_000 for each in noted)


@pytest.mark.parametrize("lie", [other_points, other_seat, other_leader])
def test_c56_after_three_times_the_league_stops(lie: Change) -> None:
    only = replace(LEAGUE, tables=1)
    lan = LeagueLan(only, MAKERS, tamper=Liar(lie, 3))
    with pytest.raises(LeagueBroken, match=r"Game greedy\+random/1/0 failed 3 times; the last"):
        lan.run()
    assert not lan.games


@pytest.mark.parametrize("seed", range(25))
def test_whatever_it_tells_no_engine_is_blamed(seed: int, whole: LeagueLan) -> None:
    """Events are lost, doubled, exchanged, or told of another table."""
    chance = random.Random(seed)
    lan = LeagueLan(LEAGUE, MAKERS, tamper=lambda update: mangled(update, chance))
    with suppress(LeagueBroken):
        lan.run()
        assert standings(lan.log).rows == standings(whole.log).rows
    assert not [each for each in faults_of(lan) if each.owner == "player"]


def mangled(update: Update, chance: random.Random) -> Iterable[Update]:
    if not update.events or chance.random() > 0.01:
        return [update]
    events = list(update.events)
    place = chance.randrange(len(events))
    kinds = [type(event) for event in events]
    if SeatChanged in kinds:
        return [update]  # what it tells of who sits there is all that is known of it
    match chance.randrange(4):
        case 0:
            events.pop(place)
        case 1:
            events.insert(place, events[place])
        case 2:
            chance.shuffle(events)
        case _:
            return [] if chance.random() < 0.5 else [update, update]
    return [replace(update, events=events)]


# --- a network that loses something --------------------------------------------------------------


def disturbed(
    settings: LeagueSettings, disturb: Callable[[LeagueLan], None], every: int, times: int
) -> LeagueLan:
    """Run a league and disturb it so many times, always after some steps of play."""
    lan = LeagueLan(settings, MAKERS)
    steps = 0
    while not lan.organiser.over:
        lan.step()
        steps += bool(lan.organiser.playing)
        if times and steps == every:
            disturb(lan)
            steps = 0
            times -= 1
    lan.run()
    assert not times
    return lan


def verify_as_whole(lan: LeagueLan, whole: LeagueLan, owners: set[str]) -> None:
    told, expected = standings(lan.log), standings(whole.log)
    assert (told.rows, told.crosstable) == (expected.rows, expected.crosstable)
    assert {each.owner for each in faults_of(lan)} <= owners
    assert all(each.engine is None and each.replay for each in faults_of(lan))


@pytest.mark.parametrize("every", [4, 9, 20])
def test_a_lost_connection_loses_no_game(every: int, whole: LeagueLan) -> None:
    lan = disturbed(LEAGUE, LeagueLan.reconnect, every, 2)
    verify_as_whole(lan, whole, {"network"})


@pytest.mark.parametrize("every", [4, 9, 20])
def test_a_new_session_has_its_games_played_again(every: int, whole: LeagueLan) -> None:
    lan = disturbed(LEAGUE, lambda lan: lan.reconnect(forgotten=True), every, 2)
    verify_as_whole(lan, whole, {"server"})
    assert {each.evidence for each in faults_of(lan)} == {"the server lost the league's session"}


@pytest.mark.parametrize("every", [1, 2, 4, 9, 20])
def test_a_server_that_is_started_again_has_its_games_played_again(
    every: int, whole: LeagueLan
) -> None:
    lan = disturbed(LEAGUE, LeagueLan.restart, every, 2)
    verify_as_whole(lan, whole, {"server"})
    assert {each.evidence for each in faults_of(lan)} == {"the server was started again"}
    assert {process.start for process in lan.started} == {1}


@pytest.mark.parametrize("messages", [0, 50])
@pytest.mark.parametrize("every", [3, 8])
def test_what_comes_too_fast_is_sent_again(messages: int, every: int, whole: LeagueLan) -> None:
    lan = disturbed(LEAGUE, lambda lan: lan.limit_rate(messages), every, 3)
    verify_as_whole(lan, whole, set())


def test_news_that_did_not_arrive_are_noticed(whole: LeagueLan) -> None:
    lan = disturbed(LEAGUE, LeagueLan.lose_news, 10, 2)
    verify_as_whole(lan, whole, {"network"})
    assert {each.evidence for each in faults_of(lan)} == {"news of its table did not arrive"}


def test_at_the_third_time_the_network_too_ends_the_league() -> None:
    only = replace(LEAGUE, tables=1)
    lan = LeagueLan(only, MAKERS, tamper=lambda update: [replace(update, rev=update.rev * 2)])
    with pytest.raises(LeagueBroken, match="failed 3 times"):
        lan.run()
    assert not [each for each in faults_of(lan) if each.owner == "player"]
