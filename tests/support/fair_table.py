"""A table on a LAN with stock clients that contribute to its deals and check them."""

import random

from passing_protocol.messages import Act, Invite, Join, Ready
from passing_protocol.verdicts import Outcome
from passing_protocol.views import GameOptions, TableOptions, TableState
from tests.support.lan import Lan, LanClient

ROUNDS = 3
GAME = GameOptions(seats=2, target=9_999, max_rounds=ROUNDS)
QUICK = TableOptions(pace_ms=0)


class FairTable:
    """A table of contributing clients; `role` is that of all but the first."""

    def __init__(self, *names: str, game: GameOptions = GAME, role: str | None = None) -> None:
        self.lan = Lan(f"fair {' '.join(names)}")
        self.players = [self.lan.fair_client(names[0])]
        self.id = self.lan.table(self.players[0], game, QUICK)
        for name in names[1:]:
            player = self.lan.fair_client(name, role)
            if role is None:
                player.send(Join(0, self.id))
            else:
                self.players[0].send(Invite(0, self.id, name))
            self.players.append(player)

    @property
    def state(self) -> TableState:
        return self.lan.server.lobby.rooms[self.id].table.state

    def ready(self) -> None:
        for player in self.players:
            player.send(Ready(0, self.id))

    def play_round(self, chance: random.Random) -> None:
        """Let all be ready, and play until the round is over."""
        self.ready()
        while self.state is TableState.PLAYING:
            for player in self.players:
                ask = player.tables[self.id].ask
                if ask is not None and self.state is TableState.PLAYING:
                    player.send(Act(0, self.id, ask.turn, chance.choice(ask.legal)))

    def play(self, seed: int = 1) -> None:
        chance = random.Random(seed)
        while self.state is not TableState.OVER:
            self.play_round(chance)

    def outcomes(self, player: LanClient) -> list[Outcome]:
        return [verdict.outcome for verdict in player.verdicts]
