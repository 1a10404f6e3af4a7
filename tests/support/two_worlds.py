"""Two games that agree on all that one reader may know, played side by side."""

import random

from passing_protocol.messages import Act, Join, Ready
from passing_protocol.views import DealKind, GameOptions, TableOptions
from passing_protocol.wire import action_message
from passing_rules import DRAW_CODE, PASS_CODE, Deal, Round, Tile, action_of
from tests.support.lan import Lan, LanClient


class GivenDeal:
    """Give the same deal for every round."""

    key = None
    kind = DealKind.SERVER

    def __init__(self, given: Deal) -> None:
        self.given = given

    def deal(self, match: int, round_number: int, seats: int) -> tuple[Deal, int]:
        return self.given, 0

    def bot_seed(self, seat: int) -> str | None:
        return None


class World:
    """Hold one game: a LAN with one table, a watcher there, and the rules' own round beside it.

    `roles` are those of the seats after the first, whose holder owns the table.
    """

    def __init__(self, deal: Deal, game: GameOptions, roles: tuple[str | None, ...]) -> None:
        self.lan = Lan("two worlds")
        owner = self.lan.client("seat 0")
        self.table = self.lan.table(owner, game, TableOptions(pace_ms=0, chat=True, deal="server"))
        self.lan.server.lobby.rooms[self.table].table.deals = GivenDeal(deal)
        self.watcher = self.lan.watcher("watcher", self.table)
        self.players = [owner]
        for seat, role in enumerate(roles, 1):
            player = self.lan.client(f"seat {seat}", role)
            self.players.append(player)
            player.send(Join(0, self.table))
        for player in self.players:
            player.send(Ready(0, self.table))
        self.round = Round(deal, leader=0)

    def reader(self, seat: int | None) -> LanClient:
        """Return who holds a seat, or the watcher."""
        return self.watcher if seat is None else self.players[seat]

    def ends_with(self, code: int) -> bool:
        """Tell whether an action would end the round, which shows all hands (R6.2)."""
        later = self.round.copy()
        later.apply(code)
        return later.ending is not None

    def next_tile(self) -> Tile:
        """Return the tile that a draw would bring."""
        later = self.round.copy()
        later.apply(DRAW_CODE)
        (drawn,) = set(later.hand(self.round.to_act)) - set(self.round.hand(self.round.to_act))
        return drawn

    def do(self, code: int) -> None:
        """Let the seat on turn answer."""
        player = self.players[self.round.to_act]
        action = action_of(code, first=self.round.left is None)
        turn = len(self.round.records) + 1
        self.round.apply(code)
        player.send(Act(0, self.table, turn, action_message(action)))


def swapped(deal: Deal, reader: int | None, chance: random.Random) -> Deal:
    """Return another deal with the same hand for the reader; None may know no hand at all.

    At least one other hand is another one.
    """
    places = [
        (seat, number)
        for seat, hand in enumerate(deal.hands)
        if seat != reader
        for number in range(len(hand))
    ]
    mine = chance.choice(places)
    stock = len(deal.hands)
    places += [(stock, number) for number in range(len(deal.boneyard))]
    rows = [list(hand) for hand in deal.hands] + [list(deal.boneyard)]
    others = [place for place in places if place[0] != mine[0]]
    pairs = [(mine, chance.choice(others))]
    pairs += [(chance.choice(places), chance.choice(others)) for _ in range(chance.randrange(4))]
    for (row, place), (other_row, other_place) in pairs:
        tile = rows[row][place]
        rows[row][place] = rows[other_row][other_place]
        rows[other_row][other_place] = tile
    if {*rows[mine[0]]} == {*deal.hands[mine[0]]}:
        return swapped(deal, reader, chance)
    return Deal.from_deck([tile for row in rows for tile in row], stock)


def common_codes(one: World, other: World, reader: int | None) -> list[int]:
    """Return what the seat on turn may do in both worlds without a public difference.

    The reader may not draw where the two would bring it different tiles.
    """
    codes = set(one.round.legal_codes()) & set(other.round.legal_codes())
    if one.round.to_act == reader and DRAW_CODE in codes and one.next_tile() != other.next_tile():
        codes.remove(DRAW_CODE)
    return sorted(c for c in codes if not one.ends_with(c) and not other.ends_with(c))


def weighted(codes: list[int], chance: random.Random) -> int:
    """Choose mostly plays: passes end a round soon, and draws make its hands alike."""
    plays = [code for code in codes if code < DRAW_CODE]
    if plays and chance.random() < 0.75:
        return chance.choice(plays)
    draws = [code for code in codes if code != PASS_CODE]
    return chance.choice(draws or codes)
