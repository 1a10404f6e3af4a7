"""Whole matches over the wire: followers keep the server's state, and the rules say the same."""

import random

import pytest

from passing_protocol.deals import deal_and_leader
from passing_protocol.events import Event, MatchBegan, MatchEnded, RoundBegan, RoundEnded
from passing_protocol.messages import Act, Caps, Join, Ready, Update
from passing_protocol.views import Acted, GameOptions, TableOptions, TableState
from passing_protocol.wire import ActionMessage
from passing_rules import Lead, Match, Options, PartnerScoring, Preset
from passing_table import view
from tests.support.duel import PASS, updates
from tests.support.lan import Lan, LanClient

SEED = "00112233445566778899aabbccddeeff"
MATCHES = 150
CHUNKS = 10


def some_game(rng: random.Random) -> GameOptions:
    """Any options of the rules, with a low target or few rounds so that matches are short."""
    seats = rng.choice((2, 3, 4))
    return GameOptions(
        seats=seats,
        partners=seats == 4 and rng.random() < 0.6,
        preset=rng.choice((None, None, Preset.CELKO)),
        target=rng.choice((5, 15, 40)),
        lead=rng.choice((None, *Lead)),
        pass_circles=rng.choice((None, 1, 2)),
        out_wins_ties=rng.choice((None, True, False)),
        partner_scoring=rng.choice((None, *PartnerScoring)),
        max_rounds=rng.choice((None, None, 1, 3)),
    )


class Evening:
    """People and engines at one seeded table with a watcher; all choices are random."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lan = Lan()
        self.game = some_game(self.rng)
        owner = self.lan.client("org", "organiser")
        wishes = TableOptions(pace_ms=0, reveal=self.rng.choice((None, "after_block")))
        self.table = self.lan.table(owner, self.game, wishes, seed=SEED)
        self.players = [owner]
        for number in range(1, self.game.seats):
            caps = Caps(self.rng.choice(("ask", "on_join")), 4096)
            role = self.rng.choice((None, "bot"))
            client = self.lan.client(f"p{number}", role, caps=caps)
            client.send(Join(0, self.table))
            self.players.append(client)
        self.watcher = self.lan.watcher("zoe", self.table)

    @property
    def state(self) -> TableState:
        public = self.watcher.tables[self.table].public
        assert public is not None
        return public.state

    def ready(self) -> None:
        for client in self.players:
            client.send(Ready(0, self.table))

    def play(self) -> None:
        """Play one match to its end; every follower checks the hash of every update."""
        self.ready()
        while self.state is not TableState.OVER:
            assert self.lan.now < 3_600_000
            actor = next((c for c in self.players if c.tables[self.table].ask is not None), None)
            if actor is None:
                assert self.state is TableState.BETWEEN
                self.lan.pass_time(200)
                self.ready()
            else:
                self.act(actor)

    def act(self, actor: LanClient) -> None:
        follower = actor.tables[self.table]
        ask = follower.ask
        assert ask is not None
        legal = ask.legal[:-1] if len(ask.legal) > 1 and self.rng.random() < 0.8 else ask.legal
        actor.send(Act(0, self.table, ask.turn, self.rng.choice(legal)))

    def events(self) -> list[Event]:
        return [event for update in updates(self.watcher) for event in update.events]

    def verify_views(self) -> None:
        """All followers hold what the server would show them now."""
        table = self.lan.server.lobby.rooms[self.table].table
        shown = view.public_view(table, view.table_hash(table))
        for client in (*self.players, self.watcher):
            followed = client.tables[self.table].public
            assert followed == shown
        for seat, client in enumerate(self.players):
            mine = client.tables[self.table].mine
            assert mine is not None
            assert (mine.seat, mine.hand) == (seat, view.mine(table, seat).hand)


def replayed(game: GameOptions, events: list[Event]) -> list[Match]:
    """Play what was told again by the rules, from the deals that the seed gives."""
    matches: list[Match] = []
    options = Options.of(
        game.seats,
        preset=game.preset,
        partners=game.partners,
        target=game.target,
        lead=game.lead,
        pass_circles=game.pass_circles,
        out_wins_ties=game.out_wins_ties,
        partner_scoring=game.partner_scoring,
        max_rounds=game.max_rounds,
    )
    for event in events:
        match event:
            case MatchBegan():
                matches.append(Match(options))
            case RoundBegan(round=number, leader=leader):
                deal, chance = deal_and_leader(
                    bytes.fromhex(SEED), len(matches), number, game.seats
                )
                begun = matches[-1].begin_round(deal, chance if matches[-1].chance_leads else None)
                assert begun.leader == leader
            case Acted(seat=seat, action=action, timed_out=timed_out):
                matches[-1].do(seat, action.action, timed_out)
            case RoundEnded():
                verify_result(matches[-1], event)
            case MatchEnded(scores=scores, winner=winner):
                assert matches[-1].over
                assert (tuple(scores), winner) == (matches[-1].scores, matches[-1].winner)
            case _:
                pass
    return matches


def verify_result(match: Match, told: RoundEnded) -> None:
    result = match.results[-1]
    assert (told.ending, tuple(told.pips), tuple(told.winners), told.points, told.side) == (
        result.ending.value,
        result.pips,
        result.winners,
        result.points,
        result.side,
    )
    assert tuple(told.scores) == result.scores
    if told.hands is not None and match.round is not None:
        hands = [[str(tile) for tile in match.round.hand(n)] for n in range(match.round.seats)]
        assert told.hands == hands


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_whole_matches_of_random_choices_are_followed_and_replayed_exactly(chunk: int) -> None:
    for seed in range(chunk, MATCHES, CHUNKS):
        evening = Evening(seed)
        evening.play()
        evening.verify_views()
        played = replayed(evening.game, evening.events())
        assert len(played) == 1


@pytest.mark.parametrize("seed", range(5))
def test_rematches_are_followed_and_replayed_with_deals_of_their_own(seed: int) -> None:
    evening = Evening(seed)
    for _ in range(3):
        evening.play()
        evening.verify_views()
    played = replayed(evening.game, evening.events())
    assert len(played) == 3
    first_deals = [match.log[0] for match in played]
    assert len(set(first_deals)) == 3
    turns = [event.turn for event in evening.events() if isinstance(event, Acted)]
    assert turns == list(range(1, len(turns) + 1))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_engines_that_always_pass_end_every_round_after_one_circle(seats: int) -> None:
    lan = Lan()
    engines = [lan.client(f"e{seat}", "bot", caps=Caps(tables=1)) for seat in range(seats)]
    owner = lan.client("org", "organiser")
    game = GameOptions(seats=seats, target=9_999, max_rounds=50)
    table = lan.table(owner, game, sit=False)
    for engine in engines:
        engine.send(Join(0, table))
    asked = [engine for engine in engines if engine.tables[table].ask is not None]
    while asked:
        answer = asked[0].act(table, PASS)
        assert isinstance(answer, Update)
        asked = [engine for engine in engines if engine.tables[table].ask is not None]
        lan.now += 20
    told = [event for update in updates(owner) for event in update.events]
    passes = [event for event in told if isinstance(event, Acted)]
    assert len([event for event in told if isinstance(event, RoundEnded)]) == 50
    assert len(passes) == 50 * seats
    assert {event.action for event in passes} == {ActionMessage(pass_=True)}


def test_a_client_that_follows_gets_the_view_once_and_one_that_does_not_with_every_question() -> (
    None
):
    lan = Lan()
    clients = [
        lan.client("anna", caps=Caps("on_join")),
        lan.client("bob", caps=Caps("ask")),
    ]
    table = lan.table(clients[0], GameOptions(seats=2, target=9_999))
    clients[1].send(Join(0, table))
    for client in clients:
        client.send(Ready(0, table))
    for _ in range(4):
        next(c for c in clients if c.tables[table].ask is not None).act(
            table, ActionMessage(draw=True)
        )
    views = [[u.public is not None for u in updates(client) if u.ask] for client in clients]
    assert views[0]
    assert not any(views[0])
    assert views[1]
    assert all(views[1])


def test_the_seed_of_a_table_gives_engines_their_own_and_nobody_elses() -> None:
    lan = Lan()
    owner = lan.client("org", "organiser")
    engines = [lan.client(f"e{seat}", "bot") for seat in range(2)]
    table = lan.table(owner, GameOptions(seats=2), sit=False, seed=SEED)
    for engine in engines:
        engine.send(Join(0, table))
    seeds = [
        {u.mine.bot_seed for u in updates(client) if u.mine is not None and u.mine.bot_seed}
        for client in engines
    ]
    assert [len(one) for one in seeds] == [1, 1]
    assert seeds[0] != seeds[1]
    assert not [u for u in updates(owner) if u.mine is not None]
    assert not any(SEED.encode() in frame for c in (*engines, owner) for frame in c.frames)
