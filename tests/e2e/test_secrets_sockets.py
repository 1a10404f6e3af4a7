"""R6 over real sockets: whole matches, every frame of bare DEALERs, by the bytes (C16 to C19).

What may be known follows from the seed of the deals and from what was done in public; the
server's own state is in another process.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest

from passing_link.processes import ServerProcess
from passing_protocol.deals import bot_seed, deal_and_leader
from passing_protocol.events import MatchEnded, StateChanged
from passing_protocol.messages import (
    Act,
    Create,
    Join,
    Lobby,
    Ready,
    Request,
    Resync,
    Update,
    Watch,
    Welcome,
)
from passing_protocol.views import Ask, GameOptions, TableOptions, TableState
from passing_protocol.wire import action_message
from passing_rules import ALL_TILES, Pass, Play
from tests.support.sockets import RawClient, running_server
from tests.support.wire_tap import Ledger, Map, Moment, WireTap, tiles_in, unpacked

MATCHES = 12
TARGET = 31
PATIENCE = 10_000
"""How often, at a millisecond each, nothing may come while a match is on."""

GAMES = (
    GameOptions(seats=2, target=TARGET),
    GameOptions(seats=3, target=TARGET),
    GameOptions(seats=4, target=TARGET),
    GameOptions(seats=4, partners=True, target=TARGET),
)


@dataclass
class Tapped:
    """Hold one client whose frames are kept, and what it is asked."""

    client: RawClient
    welcome: Welcome
    engine: bool = False
    ids: int = 0
    seq: int = 0
    asks: list[Ask] = field(default_factory=list[Ask])
    between: bool = False
    over: bool = False

    def send(self, request: Request) -> None:
        """Send a request made with the next id."""
        self.client.request(request)

    def next_id(self) -> int:
        self.ids += 1
        return self.ids

    def take(self, wait_ms: int) -> bool:
        """Take in the next message; False when there is none."""
        message = self.client.heard(wait_ms)
        if isinstance(message, Update):
            if message.ask is not None and message.seq > self.seq:
                self.asks.append(message.ask)
            for event in message.events:
                self.over |= isinstance(event, MatchEnded)
                if isinstance(event, StateChanged):
                    self.between = event.state is TableState.BETWEEN
        self.seq = max(self.seq, getattr(message, "seq", 0))
        return message is not None


class SocketMatch:
    """Play one seeded match; seat 0 is its maker, an organiser."""

    def __init__(self, server: ServerProcess, number: int) -> None:
        self.chance = random.Random(number)
        self.game = GAMES[number % len(GAMES)]
        self.seed = f"{self.chance.getrandbits(128):032x}"
        self.tokens = server.connection.tokens
        self._address = server.connection.address
        self.players = [self._connect("maker", "organiser")]
        self.watchers: list[Tapped] = []
        maker = self.players[0]
        options = TableOptions(pace_ms=0)
        maker.send(Create(maker.next_id(), "tapped", self.game, options, seed=self.seed))
        self.table = maker.client.expect(Update).table
        self._watch()
        for seat in range(1, self.game.seats):
            player = self._connect(f"seat {seat}", self.chance.choice((None, "bot")))
            self.players.append(player)
            player.send(Join(player.next_id(), self.table, seat))
            player.client.expect(Update)
        for player in self.players:
            player.send(Ready(player.next_id(), self.table))

    def _connect(self, name: str, role: str | None) -> Tapped:
        client = RawClient(self._address)
        token = self.tokens[role] if role is not None else None
        return Tapped(client, client.hello(name, token=token), role == "bot")

    def _watch(self) -> None:
        watcher = self._connect(f"watcher {len(self.watchers)}", None)
        watcher.send(Watch(watcher.next_id(), self.table))
        self.watchers.append(watcher)

    @property
    def everybody(self) -> list[Tapped]:
        return [*self.players, *self.watchers]

    def play(self) -> None:
        """Play until every player has heard that the match is over."""
        idle = 0
        while not all(player.over for player in self.players):
            somebody = next((player for player in self.players if player.asks), None)
            if somebody is not None:
                ask = somebody.asks.pop(0)
                self._answer(somebody, ask)
                self._by_the_way(ask.turn)
            heard = [member.take(0) for member in self.everybody]
            idle = 0 if any(heard) or somebody is not None else idle + 1
            assert idle < PATIENCE, "nothing comes any more"
            if idle:
                self.players[idle % len(self.players)].take(1)
            self._ready_between()
        for member in self.everybody:
            while member.take(20):
                pass

    def _ready_between(self) -> None:
        for player in self.players:
            if player.between:
                player.between = False
                player.send(Ready(player.next_id(), self.table))

    def _answer(self, player: Tapped, ask: Ask) -> None:
        if self.chance.random() < 0.1:
            wrong = action_message(Play(self.chance.choice(ALL_TILES), None))
            if wrong not in ask.legal:
                player.send(Act(player.next_id(), self.table, ask.turn, wrong))
        plays = [action for action in ask.legal if not action.draw and not action.pass_]
        action = self.chance.choice(plays or ask.legal)
        if self.chance.random() < 0.15:
            action = action_message(Pass())
        for _ in range(self.chance.choice((1, 1, 1, 2))):
            player.send(Act(player.next_id(), self.table, ask.turn, action))

    def _by_the_way(self, turn: int) -> None:
        member = self.chance.choice(self.everybody)
        match self.chance.randrange(12):
            case 0:
                seq = self.chance.randrange(member.seq + 1)
                member.send(Resync(member.next_id(), seq))
            case 1:
                member.send(Lobby(member.next_id()))
            case 2 if len(self.watchers) < 4:
                self._watch()
            case 3:
                stolen = action_message(Pass())
                member.send(Act(member.next_id(), self.table, turn + 1, stolen))
            case _:
                pass

    def check(self) -> int:
        """Hold every frame against what its reader may know; return how many there were."""
        tap = WireTap()
        for member in self.everybody:
            tap.secrets[member.welcome.resume_token.encode()] = member.welcome.session
            tap.secrets[member.welcome.session.encode()] = member.welcome.session
        for secret in (*self.tokens.values(), self.seed):
            tap.secrets[secret.encode()] = None
        for rev, moment in self._moments():
            tap.moments[self.table, rev] = moment
        for member in self.everybody:
            tap.readers[member.welcome.session] = reader = tap.reader(member.welcome.session)
            reader.named |= {str(tile) for tile in ALL_TILES} if member in self.players else set()
            for frame in member.client.frames:
                tap.check(member.welcome.session, frame)
        return tap.frames

    def _moments(self) -> Iterator[tuple[int, Moment]]:
        """Follow the table by the public events, which the maker hears from the first on."""
        key = bytes.fromhex(self.seed)
        seats = {player.welcome.session: seat for seat, player in enumerate(self.players)}
        seeds = {s: bot_seed(key, s) for s, player in enumerate(self.players) if player.engine}
        ledger = Ledger()
        over = False
        seq = 0
        for frame in self.players[0].client.frames:
            for message in unpacked(frame):
                if message["type"] != "update" or cast("int", message["seq"]) <= seq:
                    continue
                seq = cast("int", message["seq"])
                if message.get("duplicate"):
                    continue
                for event in cast("list[Map]", message["events"]):
                    over = self._follow(ledger, event, over)
                yield cast("int", message["rev"]), ledger.moment(seats, seeds, over=over)

    def _follow(self, ledger: Ledger, event: Map, over: bool) -> bool:
        if event["event"] == "round_began":
            number = cast("int", event["round"])
            key = bytes.fromhex(self.seed)
            ledger.deal(deal_and_leader(key, 1, number, self.game.seats)[0])
            return False
        if event["event"] == "round_ended":
            ledger.end()
            return True
        if event["event"] == "acted":
            assert ledger.now is not None
            action = cast("Map", event["action"])
            seat = cast("int", event["seat"])
            if "play" in action:
                ledger.now.play(seat, cast("str", action["play"]))
            elif "draw" in action:
                ledger.now.draw(seat)
        return over

    def close(self) -> None:
        for member in self.everybody:
            member.client.close()


@pytest.mark.timeout(120)
def test_c16_whole_matches_over_sockets_tell_nobody_what_they_may_not_know(
    tmp_path: Path,
) -> None:
    frames = 0
    secrets: list[str] = []
    state = tmp_path / "state"
    with running_server(state) as server:
        for number in range(MATCHES):
            match = SocketMatch(server, number)
            try:
                match.play()
                frames += match.check()
            finally:
                match.close()
            secrets += [match.seed, *match.tokens.values()]
            for member in match.everybody:
                secrets += [member.welcome.resume_token, member.welcome.session]
        said = (state / "server.log").read_text()
        said = re.sub(r"^\S+Z ", "", said, flags=re.MULTILINE)  # the times, which are numbers too
    assert frames > 100 * MATCHES
    assert said
    assert not [secret for secret in secrets if secret in said]
    assert not tiles_in(said)
