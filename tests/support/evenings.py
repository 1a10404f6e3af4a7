"""Matches of people and engines on a LAN, with a watcher, and a server that is killed at times."""

import random

from passing_client.model import Moment
from passing_protocol.messages import Act, Join, Ready
from passing_protocol.views import GameOptions, TableOptions, TableState
from tests.support.lan import Lan, LanClient
from tests.support.onlookers import Onlooker


class Evening:
    """A match whose server is killed now and then; somebody may come back later than others."""

    def __init__(self, number: int, restarts: float = 0.03) -> None:
        self.restarts = restarts
        self.chance = random.Random(number)
        self.lan = Lan(f"evening {number}")
        seats = 2 + number % 3
        game = GameOptions(seats=seats, partners=number % 6 == 2, target=40)
        self.organised = number % 2 == 0
        owner = self.lan.client("p0", "organiser" if self.organised else None)
        self.table = self.lan.table(owner, game, TableOptions(pace_ms=0))
        self.players = [owner]
        for seat in range(1, seats):
            player = self.lan.client(f"p{seat}", self.chance.choice((None, "bot")))
            player.send(Join(0, self.table))
            self.players.append(player)
        self.watcher = self.lan.watcher("zoe", self.table)
        self.readers = [Onlooker(client) for client in (*self.players, self.watcher)]

    @property
    def seen(self) -> list[Moment]:
        """All that the watcher has seen to happen."""
        return self.readers[-1].moments

    @property
    def state(self) -> TableState:
        room = self.lan.server.lobby.rooms.get(self.table)
        return TableState.CLOSED if room is None else room.table.state

    def play(self) -> None:
        """Play to the end; every reader takes in what comes at once."""
        while self.state not in (TableState.OVER, TableState.CLOSED):
            if self.state is not TableState.PLAYING:
                for player in self.players:
                    player.send(Ready(0, self.table))
            for player in self.players:
                self._act(player)
                if self.chance.random() < self.restarts:
                    self._restart()
            for reader in self.readers:
                reader.catch_up()

    def _act(self, player: LanClient) -> None:
        follower = player.tables[self.table]
        if follower.ask is not None and self.state is TableState.PLAYING:
            plays = [action for action in follower.ask.legal if action.play]
            legal = plays if plays and self.chance.random() < 0.8 else follower.ask.legal
            player.send(Act(0, self.table, follower.ask.turn, self.chance.choice(legal)))

    def _restart(self) -> None:
        """Kill the server, with what was told last lost, or with all that was not synced."""
        handled = self.chance.random() < 0.5
        stored = handled and self.chance.random() < 0.5
        clients = self.lan.crash(handled=handled, stored=stored)
        if self.organised and self.chance.random() < 0.5:
            self.lan.store.crash(self.chance.randint(0, self.lan.store.unsynced))
        self.lan.start_again()
        late = self.chance.sample(clients, self.chance.randint(0, 1))
        self.lan.come_back(*(client for client in clients if client not in late))
        for player in [*self.players, *self.players]:
            if player not in late:
                self._act(player)
        self.lan.come_back(*late)
