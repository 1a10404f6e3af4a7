"""R6.1, R6.3: two worlds that agree on all a reader may know look the same to it, by bytes.

They differ in who else holds what and in the boneyard's order. The same is done in both, as long
as it is legal in both and ends nothing.
"""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from passing_protocol.messages import Act, Chat, Lobby, Resync, Watch
from passing_protocol.views import GameOptions
from passing_protocol.wire import action_message
from passing_rules import ALL_TILES, Deal, End, Play
from tests.support.two_worlds import World, common_codes, swapped, weighted

GAMES = (
    GameOptions(seats=2),
    GameOptions(seats=3),
    GameOptions(seats=4),
    GameOptions(seats=4, partners=True),
)
STEPS = 40


class Pair:
    """Play two worlds side by side before one reader, a seat or (None) a watcher."""

    def __init__(self, game: GameOptions, reader: int | None, chance: random.Random) -> None:
        deck = list(ALL_TILES)
        chance.shuffle(deck)
        deal = Deal.from_deck(deck, game.seats)
        roles = tuple(chance.choice((None, "bot")) for _ in range(1, game.seats))
        self.reader = reader
        self.chance = chance
        self.one = World(deal, game, roles)
        self.other = World(swapped(deal, reader, chance), game, roles)

    @property
    def worlds(self) -> tuple[World, World]:
        return self.one, self.other

    def verify(self) -> None:
        """Compare all that the reader was sent, and all that newcomers were."""
        mine, yours = (world.reader(self.reader) for world in self.worlds)
        assert mine.frames == yours.frames
        assert self.one.watcher.frames == self.other.watcher.frames

    def step(self) -> bool:
        """Do the same in both; False when nothing can be done without a public difference."""
        codes = common_codes(self.one, self.other, self.reader)
        if not codes:
            return False
        code = weighted(codes, self.chance)
        for world in self.worlds:
            world.do(code)
        return True

    def by_the_way(self, number: int) -> None:
        """Let the reader ask for this and that, and somebody come to watch."""
        tile = self.chance.choice(ALL_TILES)
        end = self.chance.choice((None, *End))
        turn = len(self.one.round.records) + self.chance.randrange(3)
        seq = self.chance.randrange(1 + self.one.reader(self.reader).session.seq)
        wish = self.chance.randrange(8)
        seat = self.one.round.to_act
        may_act = seat == self.reader and self.one.round.can(seat, Play(tile, end))
        for world in self.worlds:
            reader = world.reader(self.reader)
            if wish < 2 and not may_act:
                reader.send(Act(0, world.table, turn, action_message(Play(tile, end))))
            elif wish == 2:
                reader.send(Resync(0, seq))
            elif wish == 3:
                reader.send(Lobby(0))
            elif wish == 4:
                world.players[number % len(world.players)].send(Chat(0, world.table, "well"))
            elif wish == 5:
                world.watcher = world.lan.client(f"late {number}")
                world.watcher.send(Watch(0, world.table))


@settings(max_examples=50, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    game=st.sampled_from(GAMES),
    place=st.integers(-1, 3),
)
def test_r6_what_a_reader_may_not_know_changes_no_byte(
    seed: int, game: GameOptions, place: int
) -> None:
    reader = None if place < 0 else place % game.seats
    pair = Pair(game, reader, random.Random(seed))
    pair.verify()
    for number in range(STEPS):
        pair.by_the_way(number)
        pair.verify()
        if not pair.step():
            break
        pair.verify()
    different = [
        one.frames != other.frames
        for one, other in zip(pair.one.players, pair.other.players, strict=True)
    ]
    assert any(different), "both worlds were the same"
