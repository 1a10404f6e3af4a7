"""Whole matches of mixed choices, good and bad, on a LAN under a wire tap."""

import random
from dataclasses import dataclass

from passing_protocol.messages import (
    Act,
    Chat,
    Invite,
    Join,
    Leave,
    Lobby,
    Ready,
    Resync,
    Watch,
)
from passing_protocol.views import GameOptions, TableOptions, TableState
from passing_protocol.wire import ActionMessage, action_message
from passing_rules import ALL_TILES, Draw, End, Pass, Play
from tests.support.lan import LanClient
from tests.support.tapped_lan import TappedLan

KINDS = (
    GameOptions(seats=2),
    GameOptions(seats=3),
    GameOptions(seats=4),
    GameOptions(seats=4, partners=True),
)
GARBAGE = (b"", b"\xc1", b"\x93\x01\x02\x03", b"\x81\xa4type\xa4deal", b"GET / HTTP/1.1\r\n")
NOBODY = b"\x00\xee\xdd\xcc\xbb"
"""The connection of one who never said hello."""

STEP_MS = 50
STEPS = 5_000
"""More than any of these matches takes."""


@dataclass
class Played:
    """Count what a wire tap has checked in one match."""

    frames: int
    updates: int
    repeated: int
    kinds: frozenset[str]


class SecretMatch:
    """Play one match between people and engines, with watchers who come and go."""

    def __init__(self, number: int, target: int) -> None:
        self._random = random.Random(number)
        self.lan = TappedLan(f"secrets {number}")
        kind = KINDS[number % len(KINDS)]
        self._game = GameOptions(seats=kind.seats, partners=kind.partners, target=target)
        self._options = TableOptions(
            pace_ms=self._random.choice((0, 0, 300)),
            reveal=self._random.choice(("round", "round", "after_block")),
            chat=True,
        )
        self._players: list[LanClient] = []
        self._watchers: list[LanClient] = []
        self._cut: list[LanClient] = []
        self._table = ""
        self._count = 0

    def play(self) -> Played:
        """Play the match to its end."""
        self._sit_down()
        for _ in range(STEPS):
            if self._over:
                break
            self._step()
        assert self._over, "the match has no end"
        tap = self.lan.tap
        return Played(tap.frames, tap.updates, tap.repeated, frozenset(tap.kinds))

    @property
    def players(self) -> list[LanClient]:
        """All who may sit down; some of them watch at times."""
        return self._players

    @property
    def everybody(self) -> list[LanClient]:
        """All who have been at the table."""
        return [*self._players, *self._watchers]

    @property
    def hidden(self) -> bool:
        """Whether hands stay hidden when a round has ended."""
        return self._options.reveal == "after_block"

    def _is(self, *states: TableState) -> bool:
        room = self.lan.server.lobby.rooms.get(self._table)
        return (TableState.CLOSED if room is None else room.table.state) in states

    @property
    def _over(self) -> bool:
        return self._is(TableState.OVER, TableState.CLOSED)

    def _sit_down(self) -> None:
        seeded = self._random.random() < 0.5
        seed = f"{self._random.getrandbits(128):032x}" if seeded else None
        owner = self.lan.client("owner", "organiser" if seeded else None)
        if seed is not None:
            self.lan.tap.secrets[seed.encode()] = None
            self.lan.tap.secrets[bytes.fromhex(seed)] = None
        self._table = self.lan.table(owner, self._game, self._options, seed=seed)
        self._players = [owner]
        self._watch()
        for seat in range(1, self._game.seats):
            role = self._random.choice((None, "bot"))
            player = self.lan.client(f"player {seat}", role)
            self._players.append(player)
            if role == "bot" and self._random.random() < 0.5:
                owner.send(Invite(0, self._table, f"player {seat}", seat))
            else:
                player.send(Join(0, self._table))
        self._players.append(self.lan.client("substitute", "bot"))

    def _watch(self) -> None:
        self._count += 1
        self._watchers.append(self.lan.watcher(f"watcher {self._count}", self._table))

    # --- one thing after the other

    def _step(self) -> None:
        self.lan.pass_time(STEP_MS, step=STEP_MS)
        self._by_the_way()
        self._come_back()
        if not self._is(TableState.PLAYING):
            for player in self._connected(self._players):
                player.send(Ready(0, self._table))
            if not self._is(TableState.PLAYING):
                self.lan.pass_time(1_000, step=1_000)
            return
        for player in self._connected(self._players):
            follower = player.tables.get(self._table)
            if follower is not None and follower.ask is not None:
                self._answer(player)
                return
        self.lan.pass_time(400, step=100)

    def _connected(self, clients: list[LanClient]) -> list[LanClient]:
        return [client for client in clients if client not in self._cut]

    def _answer(self, player: LanClient) -> None:
        """Answer the question with something legal, sometimes after what is not."""
        ask = player.tables[self._table].ask
        assert ask is not None
        chance = self._random
        if chance.random() < 0.2:
            wrong = Play(chance.choice(ALL_TILES), chance.choice((None, *End)))
            action = action_message(wrong)
            if action not in ask.legal:
                player.send(Act(0, self._table, ask.turn, action))
        if chance.random() < 0.05:
            player.send(Act(0, self._table, ask.turn + chance.choice((-1, 1)), ask.legal[0]))
        action = self._choice(ask.legal)
        player.send(Act(0, self._table, ask.turn, action))
        if chance.random() < 0.1:
            player.send(Act(0, self._table, ask.turn, action))
        if chance.random() < 0.05:
            player.send(Act(0, self._table, ask.turn, chance.choice(ask.legal)))

    def _choice(self, legal: list[ActionMessage]) -> ActionMessage:
        """Choose mostly a play, or the round would be passed out."""
        plays = [action for action in legal if not action.draw and not action.pass_]
        if plays and self._random.random() < 0.8:
            return self._random.choice(plays)
        draw = action_message(Draw())
        if draw in legal and self._random.random() < 0.7:
            return draw
        return action_message(Pass())

    def _by_the_way(self) -> None:
        """Do now and then what has nothing to do with the turn."""
        chance = self._random
        if chance.random() < 0.85:
            return
        everybody = self._connected([*self._players, *self._watchers])
        somebody = chance.choice(everybody)
        match chance.randrange(9):
            case 0:
                somebody.send(Resync(0, chance.randrange(somebody.session.seq + 1)))
            case 1:
                somebody.send(Lobby(0))
            case 2:
                somebody.send(Chat(0, self._table, "good luck"))
            case 3:
                self._cut_off(somebody)
            case 4 if len(self._watchers) < 6:
                self._watch()
            case 5:
                self.lan.put(somebody.peer, chance.choice(GARBAGE))
                self.lan.settle()
            case 6 if somebody in self._watchers and len(self._watchers) > 1:
                somebody.send(Leave(0, self._table))
                somebody.send(Watch(0, self._table))
            case 7 if somebody in self._players[1:] and chance.random() < 0.2:
                somebody.send(Leave(0, self._table))
                somebody.tables.clear()
                somebody.send(Watch(0, self._table))
            case _:
                self._outside()

    def _cut_off(self, client: LanClient) -> None:
        if len(self._cut) < len(self._players) - 1 and not client.session.unanswered:
            self.lan.cut(client)
            self._cut.append(client)

    def _come_back(self) -> None:
        """Bring who was cut off back, with what was missed or with a snapshot."""
        if self._cut and self._random.random() < 0.3:
            self.lan.connect(self._cut.pop())

    def _outside(self) -> None:
        """Ask for what is not one's own: somebody else's seat, a play by a stranger."""
        stranger = self.lan.client("stranger")
        legal = action_message(Draw())
        for request in (
            Act(0, self._table, self._random.randrange(60), legal),
            Ready(0, self._table),
            Lobby(0),
        ):
            stranger.send(request)
        self.lan.cut(stranger)
        self.lan.put(NOBODY, self._random.choice(GARBAGE))
        self.lan.settle()
